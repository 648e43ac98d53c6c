"""Faults met in public backward kernels, one test per class, with the input that shows it and the right value.

Of the list's sections: clamps, groups and weight gradients (1), tiling, UB, shapes and host checks (3).
"""

import itertools
import math
import re

import numpy as np
import pytest
from ml_dtypes import bfloat16


from compiler.emulator.run import Request, Tensor, emulate_many
from compiler.pipeline import compile_operator
from tests.operators.swiglu_group_quant_grad.lists import case
from tests.running import GENERAL, SEED, assert_holds, examiner, operator

DTYPES = {"bfloat16": bfloat16, "float16": np.float16, "float32": np.float32}
NAN, INF = math.nan, math.inf


def request(arrays, clamp=None, **options):
    """The call with these inputs and outputs of matching shapes."""
    tensors = dict(arrays)
    tensors["grad_x"] = Tensor(arrays["x"].shape, str(arrays["x"].dtype))
    if "weight" in arrays:
        tensors["grad_weight"] = Tensor(arrays["weight"].shape, "float32")
    return Request(tensors, {} if clamp is None else {"clamp_limit": clamp}, **options)


def run(arrays, clamp=None, name=SEED, **options):
    """Outputs of one call that must succeed without a finding."""
    result, = emulate_many(examiner(name).built, [request(arrays, clamp, **options)])
    assert result.status == 0 and not result.findings, (result.message, result.findings)
    return result.outputs


def halves(gate, up, dtype=np.float32):
    """grad_y of ones and x from one row of gates and one of values."""
    gate, up = (np.atleast_2d(np.array(v, dtype)) for v in (gate, up))
    return {"grad_y": np.ones_like(gate), "x": np.concatenate([gate, up], -1)}


def random(rows, width, dtype=np.float32, **more):
    draw = np.random.default_rng(3)
    make = lambda *shape: draw.standard_normal(shape).astype(np.float32)
    return {"grad_y": make(rows, width).astype(dtype), "x": make(rows, 2 * width).astype(dtype), "weight": make(rows),
            "y_origin": make(rows, width).astype(dtype), **more}


# -- 1. clamps, groups, weight gradients ------------------------------------------------------------------------------


def test_1_derivative_at_the_limit_is_zero():
    grad = run(halves([7, 7.5, -9, 2], [7, -7, 3, 8]), 7.0)["grad_x"][0]
    np.testing.assert_allclose(grad, [0, 0, -0.002961, 7.63549, 0, 0, -0.001111, 0], rtol=2e-4, atol=1e-6)
    assert not grad[[0, 1, 4, 5, 7]].any()


def test_1_limits_of_bfloat16_values_are_hit_exactly():
    grad = run(halves([7, 6.96875, 7.03125], [1, 1, 1], bfloat16), 7.0)["grad_x"][0].astype(np.float32)
    assert grad[0] == 0 and grad[1] != 0 and grad[2] == 0


def test_2_gate_is_clamped_from_above_only():
    grad = run(halves([-9], [3]), 7.0)["grad_x"][0]
    np.testing.assert_allclose(grad[0], -0.002961, rtol=2e-4)


def test_4_what_switches_the_clamp_off():
    arrays = halves([7, 7.5, -9, 2, 100], [7, -7, 3, 8, -100])
    plain = run(arrays)["grad_x"].tobytes()
    assert plain == run(arrays, -1.0)["grad_x"].tobytes() == run(arrays, INF)["grad_x"].tobytes()
    assert plain != run(arrays, 7.0)["grad_x"].tobytes()
    for value in (0.0, NAN, -2.0):
        result, = emulate_many(examiner().built, [request(arrays, value)])
        assert result.status == 561002 and "clamp_limit" in result.message


def test_5_the_limit_is_no_constant_of_a_cached_kernel():
    calls = [request(halves([6, 6, 8], [1, 6, 8]), c) for c in (7.0, 5.0, -1.0)]
    by_limit = [r.outputs["grad_x"][0] for r in emulate_many(examiner().built, calls)]
    assert [int((g != 0).sum()) for g in by_limit] == [4, 1, 6]


@pytest.mark.parametrize("counts, live", [([2, 3, 0, 4], 9), ([2, 5, 5, 9], 12), ([4], 4), ([], 0), ([-3, 5], 2), ([2**62, 2**62 - 1], 12)])
def test_6_group_index_holds_counts(counts, live):
    arrays = random(12, 32, group_index=np.array(counts, np.int64))
    grad = run(arrays)["grad_x"]
    assert (grad[:live] != 0).any(axis=1).all() and not grad[live:].any()


@pytest.mark.parametrize("counts", [[3, 0, 5, 0, 4], [0, 0, 0, 0], [0, 7]])
def test_7_groups_after_an_empty_one(counts):
    outputs = run(random(12, 32, group_index=np.array(counts)), cores=2)
    live = sum(counts)
    for grad in (outputs["grad_x"], outputs["grad_weight"][:, None]):
        assert (grad[:live] != 0).any(axis=1).all() and not grad[live:].any()


@pytest.mark.parametrize("cores", [1, 2, 3, 8, 40])
def test_9_fewer_rows_than_cores(cores):
    outputs = run(random(3, 64, bfloat16, group_index=np.array([2])), cores=cores)
    assert not outputs["grad_x"][2].any() and outputs["grad_weight"][2] == 0
    assert np.isfinite(outputs["grad_x"].astype(np.float32)).all() and outputs["grad_weight"][:2].all()


@pytest.mark.parametrize("width", [8, 64, 200, 1024])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_10_16_bit_dtypes_compute_what_float32_does(dtype, width):
    """The same values in float32, rounded once, give the same bits."""
    arrays = random(70, width, DTYPES[dtype])
    wide = {n: a.astype(np.float32) for n, a in arrays.items()}
    narrow, full = run(arrays, 2.0), run(wide, 2.0)
    assert narrow["grad_x"].tobytes() == full["grad_x"].astype(DTYPES[dtype]).tobytes()
    assert narrow["grad_weight"].tobytes() == full["grad_weight"].tobytes()


@pytest.mark.parametrize("filling", [NAN, INF, -INF])
def test_11_dead_rows_are_not_read(filling):
    arrays = random(6, 40, group_index=np.array([2, 0, 1]))
    alone = run({n: a if n == "group_index" else a[:3].copy() for n, a in arrays.items()})
    for name in ("x", "grad_y", "weight", "y_origin"):
        arrays[name][3:] = filling
    outputs = run(arrays)
    for name, grad in outputs.items():
        assert grad[:3].tobytes() == alone[name].tobytes() and grad[3:].tobytes() == bytes(grad[3:].nbytes)


def test_12_y_origin_is_the_value_before_the_weight():
    gate, up = np.array([[1.0, 2.0]], np.float32), np.array([[3.0, -1.0]], np.float32)
    y_origin = gate / (1 + np.exp(-gate)) * up
    arrays = {**halves(gate, up), "weight": np.array([0.25], np.float32), "y_origin": y_origin}
    np.testing.assert_allclose(run(arrays)["grad_weight"], [0.431582], rtol=1e-5)


def test_12_grad_weight_of_dead_rows_is_zero():
    arrays = random(4, 16, group_index=np.array([2]))
    arrays["y_origin"][2:] = NAN
    assert run(arrays)["grad_weight"][2:].tobytes() == bytes(8)


@pytest.mark.parametrize("shape", [(8,), (8, 1), (2, 4), (2, 4, 1), (7,)])
def test_13_weight_of_any_shape(shape):
    arrays = {n: a if n == "weight" else a.reshape(2, 4, -1) for n, a in random(8, 8).items()}
    flat = run({**arrays, "weight": arrays["weight"]})
    given = {**arrays, "weight": np.resize(arrays["weight"], shape)}
    if math.prod(shape) != 8:
        result, = emulate_many(examiner().built, [request(given)])
        assert result.status == 561002 and "weight" in result.message
        return
    outputs = run(given)
    assert outputs["grad_weight"].shape == shape
    assert outputs["grad_weight"].tobytes() == flat["grad_weight"].tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_15_extreme_gates(dtype):
    gate = [-INF, -104, -89, -88, 0, 88, 104, INF]
    grad = run(halves(gate, [1] * 8, DTYPES[dtype]))["grad_x"][0].astype(np.float64)
    slope, value = grad[:8], grad[8:]
    assert not np.isnan(grad).any()
    assert slope[0] == 0 and value[0] == 0 and slope[4] == 0.5 and value[4] == 0
    np.testing.assert_allclose(slope[5:], 1, rtol=1e-6)
    np.testing.assert_allclose(value[5:7], [88, 104], rtol=1e-6)
    assert value[7] >= float(np.finfo(np.float16).max)
    assert (np.abs(slope[1:4]) < 1e-30).all() and (np.abs(value[1:4]) < 1e-30).all()


# -- 3. tiling, UB, shapes, host checks -------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_30_ub_holds_every_buffer(dtype):
    """The kernel's own allocations are those of the schedule, and never exceed UB."""
    limit = examiner().product["memory"]["ub"]
    for width, weight, clamp in itertools.product((129, 1024, 4096, 11113, 16384), (True, False), (7.0, None)):
        arrays = random(130, width, DTYPES[dtype])
        arrays = arrays if weight else {n: arrays[n] for n in ("grad_y", "x")}
        result, = emulate_many(examiner().built, [request(arrays, clamp, blocks=[0])])
        options = {o for o, on in (("weight", weight), ("clamp", clamp)) if on}
        tiling = examiner().schedule.solve({"T": 130, "H": width, "G": 0}, options, dtype)
        assert not result.findings
        assert result.counters["peak"]["ub"] == tiling.ub_bytes <= limit


def test_31_no_size_of_a_product_is_written_into_the_sources(tmp_path):
    """The memory comes from the platform: a product with another UB has the same sources."""
    product = examiner().product
    other = {**product, "memory": {**product["memory"], "ub": 196608}, "cores": {**product["cores"], "aiv": 48}}
    from compiler.emit.operator import emit

    files = [emit(operator(), {p["name"]: compile_operator(operator(), p).schedule}) for p in (product, other)]
    assert {p: t for p, t in files[0].items() if not p.startswith("tests/ut")} == {
        p: t for p, t in files[1].items() if not p.startswith("tests/ut")}  # unit tests expect one product's tiling
    sources = "".join(t for p, t in files[0].items() if p.startswith(("op_kernel", "op_host")) and p.endswith((".h", ".cpp")))
    assert not re.search(r"\b(196608|195584|253952|262144|24[08] ?\* ?1024|192 ?\* ?1024)\b", sources)
    sizes = {"T": 1000, "H": 4096, "G": 4}
    for p in (product, other):
        assert compile_operator(operator(), p).schedule.solve(sizes, {"weight", "clamp"}, "float32").ub_bytes <= p["memory"]["ub"]


def test_33_more_rows_than_16_bits_count():
    """65537 would be 1 in 16 bits. (Beyond 32 bits: test_largest.)"""
    assert_holds([case("", 65537, 1, "float32", counts="all"), case("", 65537, 2, "bfloat16", counts="some", values="dead")])


@pytest.mark.parametrize("width", [1, 7, 8, 9, 15, 16, 17, 31, 33, 100, 126, 127, 129])
def test_34_rows_that_are_no_data_blocks(width):
    """One core's row is right and its neighbours keep what they held."""
    for dtype in DTYPES.values():
        arrays = random(3, width, dtype)
        whole, middle = run(arrays, cores=3), run(arrays, cores=3, blocks=[1])
        for name, grad in middle.items():
            assert grad[1].tobytes() == whole[name][1].tobytes()
            assert np.isnan(grad[[0, 2]].astype(np.float32)).all()


def test_36_optional_tensors_null_empty_or_given():
    """Every combination is served or refused by name; nothing crashes."""
    choices = {"weight": (None, Tensor((0,), "float32"), Tensor((6,), "float32")),
               "y_origin": (None, Tensor((0,), "float32"), Tensor((6, 16), "float32")),
               "group_index": (None, Tensor((0,), "int64"), Tensor((2,), "int64")),
               "grad_weight": (None, Tensor((0,), "float32"), Tensor((6,), "float32"))}
    base = {"grad_y": Tensor((6, 16), "float32"), "x": Tensor((6, 32), "float32"), "grad_x": Tensor((6, 32), "float32")}
    combinations = list(itertools.product(*choices.values()))
    results = emulate_many(examiner().built, [Request({**base, **dict(zip(choices, c))}) for c in combinations])
    for (weight, y_origin, _, grad_weight), result in zip(combinations, results):
        assert not result.findings and result.status in (0, 161001, 561002), result.message
        sizes = [None if t is None else t.shape[0] for t in (weight, y_origin, grad_weight)]
        if weight is None or sizes == [6, 6, 6]:
            assert result.status == 0, (sizes, result.message)
        else:
            assert result.status == (161001 if grad_weight is None else 561002), (sizes, result.message)
            assert re.search("weight|y_origin|yOrigin|gradWeight", result.message)


def test_37_no_rows():
    empty = {"grad_y": np.zeros((0, 5, 8), np.float32), "x": np.zeros((0, 5, 16), np.float32)}
    assert run(empty)["grad_x"].shape == (0, 5, 16)
    wrong = {**empty, "x": np.zeros((0, 4, 16), np.float32)}
    result, = emulate_many(examiner().built, [request(wrong)])
    assert result.status == 561002 and "x: got shape [0, 4, 16]" in result.message


def test_37_sums_over_no_rows_are_zeros():
    shapes = {"grad_y": (0, 24), "a": (0, 24), "b": (0, 24), "row_scale": (0,), "column_scale": (24,)}
    tensors = {n: np.ones(s, np.float32) for n, s in shapes.items()}
    outputs = {f"grad_{n}": Tensor(shapes[n], "float32") for n in ("a", "b", "row_scale", "column_scale")}
    result, = emulate_many(examiner(GENERAL[2]).built, [Request({**tensors, **outputs})])
    assert result.status == 0 and not result.findings
    assert result.outputs["grad_column_scale"].tobytes() == bytes(96)
