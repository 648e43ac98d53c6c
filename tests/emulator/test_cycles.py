"""The cost model: times worked out by hand, what they depend on and what not, and the rates that are frozen."""

import copy
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from compiler import cycles, products
from compiler.emulator import kernel, run
from compiler.roof import Work, roof, roof_of_sizes, work_of
from compiler.request import make_sizes
from tests.emulator.test_kernels import KERNELS, STYLES
from tests.running import SEED, examiner, operator

HERE = Path(__file__).parent
TGRG = "TextGatedResidualGrad"
STREAM, REREAD, REWRITE, TOGETHER, READ_SCALARS = range(5)
ORDERS = ("forward", "reverse", "random:7")
TILE = 4096  # bytes


def plain(**rates):
    """A product of round figures: a cycle is a nanosecond, and nothing costs more than its bytes, slots and waits.

    A tile of 4096 bytes takes 64 cycles in or out, 4 of L2 and 20.48 of HBM; an Exp of it, 16 repeats of 4 slots, takes 64.
    """
    p = copy.deepcopy(products.load("ascend950"))
    p["cores"]["clock_mhz"] = 1000
    p["rates"] |= {"hbm_bytes_per_second": 200e9, "hbm_efficiency": 1, "hbm_burst": 0, "l2_bytes_per_second": 1024e9, "gm_latency_ns": 0,
                   "gm_cold_latency_ns": 0, "copy_start": 0, "vector_overhead": 1, "vector_start": 0, "scalar_issue": 0, "event": 0,
                   "scalar_access": 10, "kernel_head_ns": 0, "pipe_start_ns": 0, "sync_all_ns": 1000, "load_start": 0, "cube_efficiency": 1,
                   "cube_latency": 0}
    p["rates"]["paths"] |= {"gm_to_ub": 64, "ub_to_gm": 64, "gm_to_l1": 64, "l0c_to_gm": 64}
    for name, value in rates.items():
        table = p
        *groups, leaf = name.split("__")
        for group in groups:
            table = table[group]
        table[leaf] = value
    return p


@cache
def built():
    return kernel.build(HERE / "cycles.cpp", products.load("ascend950"), {"x": "float32", "y": "float32"})


def timed(product, program, buffers=2, tiles=8, cores=1, **options):
    """The cycles of one program of cycles.cpp."""
    own = replace(built(), product=product)
    x = np.zeros(max(cores * tiles, 2) * 1024, np.float32)
    scalars = {"program": program, "buffers": buffers, "tiles": tiles}
    result = kernel.launch(own, {"x": x, **{n: np.uint32(v) for n, v in scalars.items()}}, {"y": run.Tensor(x.shape, "float32")},
                           block_dim=cores, **options)
    assert result.status == 0 and not result.findings, result.findings
    return result.cycles


# -- by hand -----------------------------------------------------------------------------------------------------------


def test_one_buffer_takes_turns():
    """A copy in waits for the Exp before it, an Exp for the copy out before it: 128 cycles a tile and the last copy out."""
    assert timed(plain(), STREAM, buffers=1)["total"] == 8 * 128 + 64


def test_two_buffers_overlap_copies_with_the_exp():
    """Every pipe is at work: 64 cycles a tile, and the way through the other two pipes once."""
    cycles = timed(plain(), STREAM, buffers=2)
    assert cycles["total"] == (8 + 2) * 64
    assert cycles["aiv"] == {"MTE2": 8 * 64, "V": 8 * 64, "MTE3": 8 * 64, "S": 0}


@pytest.mark.parametrize("rate, value, total", [
    ("rates__slots__Exp", 8, 64 + 8 * 128 + 64),      # V is the slowest pipe
    ("rates__vector_overhead", 1.5, 64 + 8 * 96 + 64),
    ("rates__vector_start", 6, 64 + 8 * 70 + 64),
    ("rates__copy_start", 6, 8 * 70 + 64 + 70),       # both copies are
    # Two tiles go round MTE2 and V in 2 * 64 and a wait each way: to the Exp of tile 6, then the last Exp and its way out, for
    # which the end of TPipe waits.
    ("rates__event", 5, 69 + 3 * 138 + 2 * 64 + 5 + 64 + 5),
    ("rates__gm_latency_ns", 7, 64 + 3 * 135 + 71 + 64 + 64 + 7),  # the same with a latency in, none at the first; one at the end
    ("rates__gm_cold_latency_ns", 7, 10 * 64 + 2 * 7),  # the first Exp waits for the first copy in, the third for the first one out
    ("rates__kernel_head_ns", 100, 10 * 64 + 100),
    ("rates__pipe_start_ns", 50, 10 * 64 + 50),
    ("rates__hbm_bytes_per_second", 32e9, 8 * 2 * 128),  # 128 cycles a tile in and as many out, and never idle
    ("rates__l2_bytes_per_second", 32e9, 8 * 2 * 128),
])
def test_a_rate_changes_what_it_is_the_rate_of(rate, value, total):
    assert timed(plain(**{rate: value}), STREAM)["total"] == total


def test_cores_share_hbm():
    """HBM gives 32 bytes a cycle to a core alone, and as much to four of them."""
    p = plain(rates__hbm_bytes_per_second=32e9)
    assert timed(p, REREAD, tiles=1)["total"] == 128
    assert timed(p, REREAD, tiles=1, cores=4)["total"] == 128  # the same tile: the others find it in L2
    assert timed(p, STREAM, tiles=1, cores=4)["total"] == (4 + 4) * 128  # four in, four out


def test_what_is_in_l2_is_not_read_again():
    found = timed(plain(), REREAD, tiles=8)
    assert (found["gm_bytes"], found["hbm_bytes"]) == (8 * TILE, 2 * TILE)


def test_what_was_replaced_is_read_again():
    found = timed(plain(memory__l2=TILE), REREAD, tiles=8)
    assert found["hbm_bytes"] == 8 * TILE


def test_what_is_written_again_while_in_l2_is_paid_once():
    found = timed(plain(), REWRITE, tiles=4)
    assert (found["gm_bytes"], found["hbm_bytes"]) == (4 * TILE, TILE)


def test_all_meet_when_the_last_one_is_there():
    """Of three cores the last one copies three tiles; the barrier takes 1000; one more copy."""
    assert timed(plain(), TOGETHER, cores=3)["total"] == 3 * 64 + 1000 + 64


def test_scalars_wait_for_the_vector_pipe():
    """Duplicate takes 16 cycles; five reads and a write of 10 follow one after the other."""
    assert timed(plain(), READ_SCALARS, tiles=5)["total"] == 16 + 6 * 10


def style(name, product, **options):
    """The cycles of a kernel of tests/kernels with the inputs that its test has."""
    s = next(s for s in STYLES if s.file == name)
    wanted = {n: run.Tensor(a.shape, str(a.dtype)) for n, a in s.wanted().items()}
    own = kernel.build(KERNELS / f"{name}.cpp", product, {n: str(a.dtype) for n, a in (s.wanted() | s.inputs).items()})
    return kernel.launch(own, s.inputs, wanted, **{"block_dim": s.blocks, "workspace": s.workspace} | options).cycles


def test_a_matrix_product():
    """32 x 48 x 96 in three steps of 32. MTE2: 32 rows of 64 bytes of a wider matrix, each a request of 128, and 3072 bytes that
    follow each other. MTE1: 2048 and 3072 bytes at 256, M: 49152 multiply-adds at 4096, both behind MTE2. Fixpipe: 6144 bytes."""
    found = style("matmul", plain(), block_dim=1)
    assert found["aic"] == {"MTE2": 3 * (64 + 48), "MTE1": 3 * (8 + 12), "M": 3 * 12, "FIX": 96, "S": 0}
    assert found["total"] == 3 * (64 + 48) + 8 + 12 + 12 + 96
    slow = style("matmul", plain(rates__cube_latency=60, rates__load_start=5), block_dim=1)
    assert slow["total"] == 3 * (64 + 48) + 5 + 8 + 5 + 12 + 12 + 60 + 96


# -- what it depends on ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program, cores", [(STREAM, 5), (TOGETHER, 4)])
def test_the_order_of_the_emulation_changes_nothing(program, cores):
    found = [timed(products.load("ascend950"), program, cores=cores, order=order) for order in ORDERS]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("name, soc", [("mixed", "ascend910b"), ("mixed", "ascend950"), ("pair_flags", "ascend950"), ("soft_sync", "ascend910_93")])
def test_flags_join_the_times_of_cores(name, soc):
    """Cores that wait for each other: the same cycles in every order, and more of them when a flag takes longer."""
    product = products.load(soc)
    found = [style(name, product, order=order) for order in ORDERS]
    assert found[0] == found[1] == found[2]
    rates = {n: 10 * product["rates"][n] for n in ("flag_group_ns", "flag_all_ns", "sync_all_ns")}
    assert style(name, {**product, "rates": product["rates"] | rates})["total"] > found[0]["total"]


@pytest.mark.parametrize("name, soc, shape", [
    (SEED, "ascend950", {"T": 200, "H": 512, "G": 3}),
    (TGRG, "ascend910b", {"T": 40, "C": 2, "H": 64, "R": 32}),
    (TGRG, "ascend950", {"T": 40, "C": 2, "H": 64, "R": 32}),
])
def test_an_operator_takes_the_same_cycles_in_every_order(name, soc, shape):
    own = examiner(name, soc)
    requests = [unnumbered(own, shape, order=order) for order in ORDERS]
    found = run.emulate_many(own.built, requests)
    assert [r.status for r in found] == [0, 0, 0] and found[0].cycles["total"] > 0
    assert found[0].cycles == found[1].cycles == found[2].cycles


@pytest.mark.parametrize("name, soc, shape", [
    (SEED, "ascend950", {"H": 512, "G": 3}), (TGRG, "ascend910b", {"C": 2, "H": 64, "R": 32}),
])
def test_more_rows_take_more_cycles(name, soc, shape):
    own = examiner(name, soc)
    found = run.emulate_many(own.built, [unnumbered(own, {**shape, "T": rows}) for rows in (64, 300, 1500, 4000)])
    totals = [r.cycles["total"] for r in found]
    assert totals == sorted(totals) and len(set(totals)) == 4


def test_a_run_without_numbers_takes_the_same_cycles():
    own = examiner(SEED, "ascend950")
    request = unnumbered(own, {"T": 130, "H": 200, "G": 3})
    inputs = {n: np.zeros(t.shape, run._numpy_dtype(t.dtype)) if isinstance(t, run.Tensor) and n not in own.built.outputs else t
              for n, t in request.tensors.items()}
    plain_run, numbers = run.emulate_many(own.built, [request, replace(request, tensors=inputs, numbers=True)])
    assert plain_run.status == numbers.status == 0 and numbers.outputs and not plain_run.outputs
    assert plain_run.cycles == numbers.cycles and plain_run.counters == numbers.counters


def unnumbered(own, shape, **changes):
    from compiler.verify import TilingPoint

    options = frozenset(o.name for o in own.operator.interface.options if o.inputs)
    return replace(cycles.request_of(own.operator, TilingPoint(shape, options, "bfloat16")), **changes)


# -- the roof ----------------------------------------------------------------------------------------------------------


def test_the_roof_is_the_largest_bound():
    p = plain()
    assert roof(p, Work(200e3, {}, 0)).cycles == 1000
    assert roof(p, Work(200e3, {2: 4096 * 32 * 1001, 4: 0}, 0)).to_json() == {
        "cycles": 1001, "bound": "cube", "bounds": {"hbm": 1000, "cube": 1001, "vector": 0}}
    assert roof(p, Work(0, {4: 2048 * 32}, 64 * 2 * 5)).bounds == {"hbm": 0, "cube": 1, "vector": 5}


def test_the_roof_of_the_first_operator_by_hand():
    """8192 rows of H = 2560 in 16 bits: grad_y, both halves of x, y_origin, both halves of grad_x; the rest is small."""
    o, p = operator(SEED), products.load("ascend950")
    found = roof_of_sizes(o, p, make_sizes(o, "T=8192,H=2560,G=8", "bfloat16", "", ["clamp_limit=7"]))
    size = 8192 * 2560 * 2 * (1 + 2 + 1 + 2) + 8192 * 4 * 2 + 8 * 8
    assert found.bound == "hbm" and found.bounds["hbm"] == pytest.approx(size / 1.6e12 * 1.65e9)
    assert found.bounds["cube"] == 0


def test_only_live_rows_are_read_and_every_row_is_written():
    o, p = operator(SEED), products.load("ascend950")
    column = next(c for c in o.interface.columns if c["x"] == "bfloat16")
    work = work_of(o, p, {"T": 100, "H": 64, "G": 2}, {"group_index"}, column, live=10)
    assert work.gm_bytes == 10 * 64 * 2 * 3 + 2 * 8 + 100 * 128 * 2


def test_the_roof_of_the_second_operator_by_hand():
    """Four products of N x D x R and the two of the gate, N x D x C each; on Atlas A2 they take longer than the bytes."""
    o, p = operator(TGRG), products.load("ascend910b")
    found = roof_of_sizes(o, p, make_sizes(o, "B=2,S=4096,C=4,H=2560,R=320", "bfloat16", "", []))
    n, d, r, c = 8192, 4 * 2560, 320, 4
    assert found.bound == "cube" and found.cycles == pytest.approx((4 * n * d * r + 2 * n * d * c) / 4096 / 24)
    wide = n * d * 2 * 3 + n * 2560 * 2  # x, up, dx; grad_mixed
    small = n * r * 2 + n * c * (4 + 2 + 2) + 2 * (2 * d * r * 2) + 2 * (c * d * 2) + 2 * d * 4
    assert found.bounds["hbm"] == pytest.approx((wide + small) / 1.6e12 * 1.8e9)


def test_a_modelled_run_is_never_below_its_roof():
    for name, soc in ((SEED, "ascend950"), (TGRG, "ascend910b"), (TGRG, "ascend950")):
        own = examiner(name, soc)
        for m in cycles.modelled(own.operator, own.product, own.built, {"small": 128, "medium": 16}):
            assert m.ratio > 1, m


# -- the rates are frozen ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("soc", products.names())
def test_rates_are_those_that_schedules_are_tuned_against(soc):
    """A schedule that was tuned against other rates would win by the rates: they change for a better source only, in a commit
    of their own that says which and regenerates this file (python -m tests.emulator.test_cycles)."""
    pinned = json.loads((HERE / "rates.json").read_text())
    assert products.load(soc)["rates"] == pinned[soc]


def pin() -> None:
    rates = {soc: products.load(soc)["rates"] for soc in products.names()}
    (HERE / "rates.json").write_text(json.dumps(rates, indent=1) + "\n")


if __name__ == "__main__":
    pin()
