"""A left operand that vector cores leave in the L1 of their group's cube core, strip by strip, and the same one through the workspace."""

import copy
import random
from dataclasses import replace
from pathlib import Path

import pytest

from compiler import emulate, products
from compiler.cases import Case, request_of
from compiler.emulate import emulator_request
from compiler.emulator.run import emulate_many
from compiler.pipeline import compile_operator
from compiler.report import schedule_json
from compiler.request import Sizes
from compiler.traffic import moves
from compiler.verify import Examiner, TilingPoint
from tests.operators.text_gated_residual_grad import lists as gated
from tests.running import assert_holds, examiner, findings_without, operator

NAME = str(Path(__file__).with_name("silu_pair_grad.py"))
CHAIN = str(Path(__file__).with_name("silu_chain_grad.py"))
GATED = "TextGatedResidualGrad"
OPERAND, PRODUCT = "grad_hidden", "grad_hidden_by_w"


def case(rows, K, N, dtype="bfloat16", values="plain", seed=0):
    return Case("", (rows,), {"K": K, "N": N}, dtype, values=values, seed=seed)


IN_STRIPS = (
    case(2, 64, 1024, "float16"), case(3, 48, 80), case(16, 300, 4096), case(64, 512, 1024, values="uneven"), case(100, 64, 8000),
    case(128, 80, 48, "float16"), case(129, 144, 160, values="signs"), case(256, 320, 512),
    case(97, 256, 2048),
)
"""One tile of rows and several, odd rows, a lone row, strips of one width and a narrower last one, several tiles of columns, two blocks,
a right operand that L1 would hold in one load but for the strip."""

OTHERWISE = (case(1, 16, 16), case(33, 64, 40), case(64, 512, 1000), case(127, 1024, 2048), case(257, 64, 256), case(0, 32, 48))
"""One strip alone, columns that are no whole fractals, parts of the result that weigh more, more blocks, no rows."""


def tiling(some, product="ascend950", name=NAME):
    return examiner(name, product).solve(request_of(operator(name), some))


def run(some, product="ascend950", name=NAME, **options):
    result, = emulate_many(examiner(name, product).built, [emulator_request(request_of(operator(name), some), **options)])
    assert result.status == 0 and not result.findings, (result.message, result.findings)
    return result


def heights(found, rows):
    """Rows of each strip along m."""
    fields = found.fields
    blocks = [min(fields["blockRows"], rows - at) for at in range(0, rows, fields["blockRows"])]
    most = fields["gradHiddenByWTileRows"]
    return [min(most, block - at) for block in blocks for at in range(0, block, most)]


@pytest.mark.parametrize("product", ("ascend950", "ascend910b"))
def test_values(product):
    assert_holds(IN_STRIPS + OTHERWISE, NAME, product)


def test_the_shape_decides_which_way_the_operand_goes():
    assert all(tiling(c).fed == {PRODUCT: OPERAND} for c in IN_STRIPS)
    assert not any(tiling(c).fed for c in OTHERWISE)
    assert not tiling(case(64, 512, 1024), "ascend910b").fed


def test_a_result_in_parts_does_not_go_to_ub():
    assert tiling(case(33, 64, 40)).handed == (PRODUCT,)
    assert all(not t.handed and t.cut(t.schedule.stacks[0])["parts"] == t.fields["gradHiddenByWParts"] for t in map(tiling, IN_STRIPS))


def test_two_levels_are_one_step():
    assert tiling(case(64, 512, 1024)).steps == 2 and tiling(case(256, 320, 512)).steps == 3
    assert tiling(case(127, 1024, 2048)).steps == 3


@pytest.mark.parametrize("rows, K, N", [(64, 512, 1024), (3, 48, 80), (129, 144, 160), (100, 64, 8000)])
def test_bytes(rows, K, N):
    """16 bits of every element, those of a lone row twice; the product reads nothing of it from GM."""
    some = case(rows, K, N)
    found = tiling(some)
    assert run(some).counters["paths"]["ub_to_l1"] == sum(h + (h == 1) for h in heights(found, rows)) * N * 2 > 0
    moved = [(m.stage, m.access, m.bytes) for m in moves(found) if m.tensor == OPERAND]
    assert ("vector1", "write", rows * N * 2) in moved and not any(stage == PRODUCT for stage, *_ in moved)


def test_the_report_says_so():
    data = schedule_json(tiling(case(64, 512, 1024)), Sizes({"T": 64, "K": 512, "N": 1024}, set(), "bfloat16", {}))
    (product,) = (p for p in data["products"] if p["result"] == PRODUCT)
    stages = {s["name"]: s for s in data["stages"]}
    assert (product["comes_from"], product["goes_to"], product["parts"]) == ("L1", "workspace", 16)
    assert stages["vector1"]["strip"] == {"of": OPERAND, "rows": 32, "columns": 64, "count": 32}
    assert stages["vector1"]["split"] == {"rows": 32, "cores": 32, "base": 1, "extra": 0}
    assert [(s["level"], s["behind"]) for s in stages.values()] == [(0, 0), (0, 0), (2, 1)] and product["behind"] == 0


def test_through_the_workspace_nothing_goes_to_l1():
    assert run(case(127, 1024, 2048)).counters["paths"]["ub_to_l1"] == 0


@pytest.mark.parametrize("rows, K, N", [(64, 512, 1024), (129, 144, 160), (16, 300, 4096)])
def test_bits(rows, K, N):
    """Any order and number of cores."""
    first = run(case(rows, K, N)).outputs
    for options in ({"cores": 1}, {"cores": 3}, {"cores": 20}, {"cores": 28}, {"order": "reverse"}, {"order": "random:3"},
                    {"order": "random:5", "cores": 2}):
        other = run(case(rows, K, N), **options).outputs
        assert {n: a.tobytes() for n, a in other.items()} == {n: a.tobytes() for n, a in first.items()}, options


def test_strips_cross_channels():
    cases = [gated.case("", *shape, **options) for shape, options in (
        ((16, 4, 1280, 160), {}), ((65, 20, 16, 16), {}), ((33, 3, 272, 48), {"inject": False}), ((129, 2, 256, 320), {"gamma": False}),
        ((50, 9, 1040, 64), {"dtype": "float16"}))]
    assert all(tiling(c, name=GATED).fed == {"grad_act": "grad_up"} for c in cases)
    assert_holds(cases, GATED)


def test_strips_of_two_levels_in_a_row():
    """The second level reads its rows from the parts of the first one's result; more than one block, no rows for some groups."""

    def chain(rows, K, M, N, dtype="bfloat16", values="plain", seed=0):
        return Case("", (rows,), {"K": K, "M": M, "N": N}, dtype, values=values, seed=seed)

    both = {"grad_outer_by_w": "grad_outer", "grad_inner_by_v": "grad_inner"}
    cases = (chain(1, 16, 528, 1024), chain(2, 272, 1040, 528, "float16"), chain(17, 80, 144, 2064, values="uneven"), chain(129, 48, 272, 160),
             chain(255, 304, 528, 144, values="signs"))
    assert all(tiling(c, name=CHAIN).fed == both for c in cases)
    assert_holds(cases, CHAIN)


def points(limits, count, seed):
    """Pseudo-random sizes of few rows: any, and those that are whole fractals."""
    chosen = random.Random(seed)
    size = lambda least, most: chosen.choice((chosen.randint(least, most), *3 * (16 * chosen.randint(-(-least // 16), most // 16),)))
    return [TilingPoint({"T": chosen.choice((chosen.randint(1, 64), chosen.randint(1, 400))), **{n: size(*limit) for n, limit in limits.items()}},
                        frozenset(), chosen.choice(("float16", "bfloat16")), cores=chosen.choice((None, 1, 20, 36))) for _ in range(count)]


def admitted(found):
    return [replace(p, sizes=p.sizes | {"C": max(1, p.sizes["C"] // 16)}) for p in found if p.sizes["H"] % 16 == p.sizes["R"] % 16 == 0]


@pytest.mark.parametrize("name, found", [
    (NAME, points({"K": (16, 1040), "N": (16, 8192)}, 600, 1)), (CHAIN, points({"K": (16, 512), "M": (16, 2048), "N": (16, 8192)}, 600, 2)),
    (GATED, admitted(points({"C": (16, 320), "H": (16, 4800), "R": (16, 640)}, 600, 3)))], ids=["pair", "chain", "gated"])
def test_host_and_schedule_decide_alike(name, found):
    one = examiner(name)
    assert not one.compare_tilings(found).problems
    taken = sum(bool(one.schedule.solve({**p.sizes, "B": 1, "S": 1}, set(), p.dtype).fed) for p in found)
    assert len(found) // 8 < taken < len(found)


def mine(**memory):
    """What judges the operator on a product file of other memories."""
    product = copy.deepcopy(products.load("ascend950"))
    product["memory"] |= memory
    return Examiner(operator(NAME), product, emulate._schedule(operator(NAME), product), emulate.built(operator(NAME), product))


def assert_examined(one, *cases):
    problems = [(c.name, c.problems) for _, c in one.examine(list(enumerate(cases))) if not c.holds]
    assert not problems, problems


def test_columns_of_a_strip_are_cut_where_one_row_of_it_does_not_fit():
    """No operator here fills the UB of a product so far; one with 48 KiB does."""
    one, some = mine(ub=48 * 1024), case(127, 48, 7168)
    found = one.solve(request_of(operator(NAME), some)).vectors["vector1"].values
    assert (found["span"], found["columnsPerTile"], found["rowsPerTile"]) == (896, 448, 1)
    assert_examined(one, some)


def test_a_strip_and_the_right_operand_fill_the_l1_of_a_product_to_its_end():
    """The largest strip that leaves room for four buffers of the fewest elements of k. Of less L1 no strip takes any."""
    one, some = mine(l1=192 * 1024), case(128, 256, 8192)
    found = one.solve(request_of(operator(NAME), some))
    (stack,) = (s for s in found.schedule.stacks if s.name == PRODUCT)
    cut = found.cut(stack)
    assert found.fed and 2 * cut["rows"] * cut["partK"] + 4 * 2 * cut["columns"] * found.load_k(stack) == 192 * 1024
    assert_examined(one, some)
    one = mine(l1=128 * 1024)
    assert not one.solve(request_of(operator(NAME), some)).fed
    assert_examined(one, case(64, 512, 1024))


def test_a_stage_that_reads_what_another_one_of_its_level_writes_has_no_strips():
    """The largest channel is of whole rows, which other cores have."""
    schedule = compile_operator(operator(str(Path(__file__).with_name("gated_residual_tanh_grad.py"))), products.load("ascend950")).schedule
    assert schedule.handed and not schedule.fed
    assert compile_operator(operator(GATED), products.load("ascend950")).schedule.fed


FAULTS = (
    ("vector1", r" +CrossCoreWaitFlag<4, PIPE_MTE3>\(STRIP_IS_FREE\);\n", "a strip is written before the last one has been multiplied"),
    ("vector1", r" +CrossCoreSetFlag<4, PIPE_MTE3>\(STRIP_IS_THERE\);\n", "the cube core waits for ever"),
    ("cube", r" +CrossCoreWaitFlag<4, PIPE_MTE1>\(STRIP_IS_THERE \+ SECOND_VECTOR_CORE\);\n", "the second vector core's rows are not waited for"),
    ("cube", r" +if \(column_ \+ tileN_ == n_ && next_ < [^)]*\) \{\n +FreeStrip\(\);\n +\}\n", "vector cores wait for ever"),
    ("vector1", r" +TileToL1\(strip\[lanes\], tile, pitch, shape\);\n", "the second row of a lone one is not there"),
    ("vector1", r" +PrepareColumns\(stripColumn_, end - stripColumn_\);\n", "columns are not those of the strip"),
)


@pytest.mark.parametrize("header, dropped, what", FAULTS, ids=[what for *_, what in FAULTS])
def test_a_dropped_statement_is_found(header, dropped, what, tmp_path):
    assert findings_without(dropped, header, case(129, 144, 160), NAME, tmp_path), what
