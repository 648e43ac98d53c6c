"""The judge accepts what a right kernel computes and rejects what a wrong one does."""

import math

import ml_dtypes
import numpy as np
import pytest

from compiler.cases import Case, request_of
from compiler.precision import DEFAULT, Sums, is_coarse, judge, magnitude, sums_of
from compiler.request import make_request
from ir.builder import build_documented
from ir.graph import Graph, node
from ir.interface import Interface, Operator, Precision, Tensor, Text
from ir.interpreter import evaluate
from ir.operators.swiglu_group_quant_grad import INTERFACE, OPERATOR
from ir.operators.text_gated_residual_grad import OPERATOR as GATED
from ir.types import FLOATS, finfo, numpy_dtype
from tests.operators.mlp_grad import OPERATOR as MLP

DOCUMENTED = build_documented(OPERATOR)
NO_TEXT = Text("", "")
SOME = Interface(
    "SomeGrad", "Some", "x",
    tensors=(
        Tensor("x", "..., H", "D", NO_TEXT), Tensor("dx", "..., H", "D", NO_TEXT, role="output"),
        Tensor("sum", "..., 1", "float32", NO_TEXT, role="output"), Tensor("n", "1", "int64", NO_TEXT, role="output"),
    ),
    dtypes={"D": FLOATS},
    precision={"dx": {d: Precision(p.rms, p.atol, p.rtol, ecosystem=True) for d, p in DEFAULT.items()}},
)  # fmt: skip


DEFAULTS = Interface(**{**SOME.__dict__, "precision": {}})

SWISH = Interface(
    "SwishGrad", "Swish", "activation",
    tensors=(
        Tensor("grad_y", "..., H", "D", NO_TEXT), Tensor("x", "..., H", "D", NO_TEXT),
        Tensor("grad_x", "..., H", "D", NO_TEXT, role="output", like="x"),
    ),
    dtypes={"D": FLOATS},
)  # fmt: skip


def reference(shape=(8, 64), seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def rounded(values, dtype):
    return values.astype(np.float32).astype(numpy_dtype(dtype))


def verdict(got, ref, name="dx", interface=SOME, **more):
    return judge(interface, {name: got}, {name: ref}, **more)


def criteria(report):
    return {m.criterion for m in report.misses}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("level", [1.0, 1e-4, 1e-7, 1e4])
def test_the_correctly_rounded_result_is_right_at_every_level(dtype, level):
    ref = reference((64, 64)) * level
    assert verdict(rounded(ref, dtype), ref).ok


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_limits_of_normal_values_are_the_tables(dtype):
    """Subnormals widen the RMS limit; nothing else does."""
    ref = reference((64, 64)) + 10
    got = rounded(ref * (1 + 1.2 * DEFAULT[dtype].rms), dtype)
    report = verdict(got, ref)
    assert "relative RMS error" in criteria(report)
    assert f"wanted at most {DEFAULT[dtype].rms:.3g}" in str(report) and "wanted 0" not in str(report)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_float32_graph_rounded_once_is_right(dtype):
    random = np.random.default_rng(3)
    inputs = {"grad_y": rounded(random.normal(size=(33, 100)), dtype), "x": rounded(random.normal(size=(33, 200)) * 3, dtype),
              "weight": random.uniform(0.1, 1, (33, 1)).astype("f4"), "y_origin": rounded(random.normal(size=(33, 100)), dtype),
              "group_index": np.array([30]), "clamp_limit": 7.0}  # fmt: skip
    sizes, options = {"T": 33, "H": 100, "G": 1}, {"weight", "clamp", "group_index"}
    exactly = evaluate(DOCUMENTED, inputs, sizes, options)
    kernel = evaluate(DOCUMENTED, inputs, sizes, options, exact=False)
    outputs = {"grad_x": rounded(kernel["grad_x"], dtype), "grad_weight": kernel["grad_weight"]}
    scale = {"grad_weight": magnitude(DOCUMENTED, "grad_weight", inputs, sizes, options)}
    report = judge(INTERFACE, outputs, exactly, scale)
    assert report.ok, str(report)
    assert 0 < report.outputs[0].rms <= INTERFACE.precision["grad_x"][dtype].rms and report.outputs[0].worst <= 1


FAULTS = {
    "one element doubled": lambda a: a.__setitem__((3, 5), a[3, 5] * 2),
    "one element with its sign turned": lambda a: a.__setitem__((3, 5), -a[3, 5]),
    "two neighbours swapped": lambda a: a.__setitem__((0, slice(0, 2)), a[0, 1::-1].copy()),
    "a row missing": lambda a: a.__setitem__(2, 0),
    "a row of its neighbour": lambda a: a.__setitem__(2, a[1]),
    "the tail of each row unwritten": lambda a: a.__setitem__((slice(None), slice(60, None)), np.nan),
    "one infinity": lambda a: a.__setitem__((1, 1), np.inf),
    "everything one percent off": lambda a: np.multiply(a, a.dtype.type(1.01), out=a),
    "a dead row not cleared": lambda a: a.__setitem__((7, 0), 1e-3),
}


@pytest.mark.parametrize("interface", [SOME, DEFAULTS], ids=["by its row", "by default"])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("fault", FAULTS)
def test_injected_faults_are_rejected(fault, dtype, interface):
    ref = reference()
    ref[7] = 0
    got = rounded(ref, dtype)
    FAULTS[fault](got)
    report = verdict(got, ref, interface=interface)
    assert not report.ok
    assert all(str(m).startswith("dx") and "\n" not in str(m) for m in report.misses)


def test_a_miss_names_output_worst_element_got_wanted_and_bound():
    ref = np.ones((2, 4))
    got = ref.astype("f4")
    got[0, 1], got[1, 2] = 1.001, 1.5
    assert str(verdict(got, ref)).split("\n")[0] == (
        "dx[1, 2]: pointwise: got 1.5, wanted 1, error 0.5, bound 7.81e-06, 2 of 8 elements"
    )


def test_a_narrower_accumulator_is_rejected():
    ref = np.full((1, 64), 4096.0)
    stalled = np.full((1, 64), 256, ml_dtypes.bfloat16)
    assert {"pointwise", "relative RMS error"} <= criteria(verdict(stalled, ref))


def test_zero_means_zero():
    ref = np.array([[0.0, 1.0]])
    assert verdict(np.array([[-0.0, 1.0]], "f4"), ref).ok
    report = verdict(np.array([[1e-30, 1.0]], "f4"), ref)
    assert criteria(report) == {"exact zero"} and report.misses[0].index == (0, 0)


@pytest.mark.parametrize("dtype", FLOATS)
def test_beyond_the_dtype_infinity_and_the_largest_value_are_right(dtype):
    largest = float(finfo(numpy_dtype(dtype)).max)
    ref = np.array([[largest * 1.5, -1e300, math.inf, 1.0]])
    cast = lambda *values: np.array([values]).astype(numpy_dtype(dtype))
    for top in (math.inf, largest):
        assert verdict(cast(top, -top, top, 1), ref).ok
    assert not verdict(cast(-math.inf, -math.inf, math.inf, 1), ref).ok
    assert not verdict(cast(math.inf, -math.inf, 5, 1), ref).ok
    assert not verdict(cast(math.inf, -math.inf, math.nan, 1), ref).ok
    assert not verdict(cast(math.inf, -math.inf, math.inf, math.inf), ref).ok


def test_nans_stand_where_the_reference_has_them():
    ref = np.array([[math.nan, 1.0, 0.0]])
    assert verdict(np.array([[math.nan, 1, 0]], "f4"), ref).ok
    for wrong in ([1, 1, 0], [math.nan, math.nan, 0], [math.nan, 1, math.nan]):
        assert criteria(verdict(np.array([wrong], "f4"), ref)) == {"NaN"}


def test_a_block_has_an_rms_of_its_own():
    """A quiet row next to a loud one is not measured by the loud one."""
    ref = np.ones((2, 4))
    ref[0] *= 1e6
    got = ref.astype("f4")
    got[1, 0] += 0.5
    loose = Interface(**{**SOME.__dict__, "precision": {"dx": {"float32": Precision(1, 1e-3, 0)}}})
    assert judge(loose, {"dx": got}, {"dx": ref}).ok
    assert not judge(loose, {"dx": got}, {"dx": ref}, blocks={"dx": 4}).ok


def test_sums_are_held_to_their_absolute_terms():
    terms = np.array([[1e4, -1e4, 1.0]])
    ref, scale = terms.sum(axis=1, keepdims=True), np.abs(terms).sum(axis=1, keepdims=True)
    got = (ref + 0.9e-6 * scale).astype("f4")
    assert verdict(got, ref, "sum", scale={"sum": scale}).ok
    assert not verdict(got, ref, "sum").ok  # without the scale it is one rounding of a float32 computation
    assert not verdict((ref + 1.1e-6 * scale).astype("f4"), ref, "sum", scale={"sum": scale}).ok


def test_what_cancels_around_a_sum_is_held_to_the_rms_too():
    """silu'(x) * (a @ b) has the root of silu'; its neighbourhood is measured by the whole output, a sum that cancels by its terms."""
    ref, scale = np.array([[1e-4, 1.0, -2.0, 3.0]]), np.array([[1e-4, 1.0, 50.0, 3.0]])
    near_a_root = (ref + np.array([[6e-6, 0, 0, 0]])).astype("f4")
    assert verdict(near_a_root, ref, "sum", scale={"sum": scale}, mixed={"sum"}).ok
    assert criteria(verdict(near_a_root, ref, "sum", scale={"sum": scale})) == {"pointwise"}
    cancelled = (ref + np.array([[0, 0, 4e-5, 0]])).astype("f4")
    assert verdict(cancelled, ref, "sum", scale={"sum": scale}, mixed={"sum"}).ok
    assert not verdict(cancelled * 2 - ref.astype("f4"), ref, "sum", scale={"sum": scale}, mixed={"sum"}).ok


def test_outputs_are_sums_in_whole_in_part_or_not():
    a = node("input", name="a", shape=("M", "K"), dtype="float32")
    product = node("matmul", a, a, transpose_b=True)
    three = node("constant", value=3.0, dtype="float32")
    outputs = {"whole": node("neg", node("mul", product, three)), "part": node("mul", product, node("exp", product)), "none": node("exp", a)}
    graph = Graph("g", {"a": a}, outputs)
    assert [sums_of(graph, name) for name in outputs] == [Sums.WHOLE, Sums.PART, Sums.NONE]
    assert sums_of(DOCUMENTED, "grad_weight") is Sums.WHOLE and sums_of(DOCUMENTED, "grad_x") is Sums.NONE


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_root_of_a_derivative_is_right_by_default(dtype):
    """grad_x of y = x * sigmoid(x) crosses zero near x = -1.28: float32 cancels there, and no row says so."""
    swish = Operator(SWISH, lambda f: {"y": f.x * f.sigmoid(f.x)}, {"grad_x": "x"}, {"y": "grad_y"})
    request = make_request(swish, "T=40,H=64", dtype, "", (), 3, None, True)
    request.binding.arrays["x"][:] = np.linspace(-1.2786, -1.2783, 64)
    request.binding.arrays["x"][20:] = 1
    outputs = request.interpret("kernel")
    report = request.judge(outputs)
    assert report.ok and not report.remarks, str(report)
    wrong = request.judge({"grad_x": outputs["grad_x"] * 1.02})
    assert wrong.by_default == ("grad_x",)
    assert wrong.remarks == ["bounds of grad_x are the default of one float32 rounding; Interface(precision=...) sets others "
                             "(README, Your own operator)"]


def test_only_bounds_that_nobody_chose_are_called_default():
    ref = reference()
    assert verdict(ref.astype("f4") * 2, ref).remarks == []
    assert verdict(np.ones((1, 1), "f4"), ref, interface=DEFAULTS).remarks == []  # a shape has no bound
    assert verdict(ref.astype("f4") * 2, ref, interface=DEFAULTS).by_default == ("dx",)


def test_the_rms_error_says_what_it_leaves_out():
    ref = reference()
    got = ref.astype("f4")
    got[2, :5], got[3, 0] = np.nan, np.inf
    line = str(verdict(got, ref).outputs[0])
    assert line.startswith("dx: WRONG RMS error ") and line.endswith(" without the 5 NaN and 1 infinite of 512 elements")
    assert "without" not in str(verdict(ref.astype("f4"), ref).outputs[0])


def test_magnitude_is_the_sum_of_absolute_terms():
    random = np.random.default_rng(0)
    inputs = {
        "grad_y": random.normal(size=(4, 9)),
        "y_origin": random.normal(size=(4, 9)),
        "group_index": np.array([3]),
    }
    got = magnitude(DOCUMENTED, "grad_weight", inputs, {"T": 4, "H": 9, "G": 1}, {"group_index"})
    wanted = np.abs(inputs["grad_y"] * inputs["y_origin"]).sum(axis=1, keepdims=True)
    wanted[3:] = 0
    np.testing.assert_allclose(got, wanted)


def test_magnitude_passes_through_factors_signs_and_matrix_products():
    a = node("input", name="a", shape=("M", "K"), dtype="float32")
    c = node("constant", value=-3.0, dtype="float32")
    product = node("matmul", a, a, transpose_b=True)
    y = node("sub", node("neg", node("mul", product, c)), c)
    values = np.array([[1.0, -2.0], [3.0, 4.0]])
    got = magnitude(Graph("g", {"a": a}, {"y": y}), "y", {"a": values}, {"M": 2, "K": 2})
    np.testing.assert_allclose(got, np.abs(values) @ np.abs(values).T * 3 + 3)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_ecosystems_small_values_are_counted_and_the_others_measured(dtype):
    """Two small values may be off; a third is a miss, and none of them is in MERE or MARE."""
    ref = np.ones((1, 4096))
    ref[0, :8] = 1e-5
    for wrong, ok in ((2, True), (3, False)):
        got = ref.astype("f4")
        got[0, :wrong] *= -9
        report = verdict(got.astype(numpy_dtype(dtype)), ref)
        assert report.outputs[0].small_errors == wrong
        assert ("small values" in criteria(report)) != ok
        assert report.outputs[0].mare <= 2**-9


def test_small_values_may_be_off_twice_as_often_as_in_a_plain_computation():
    ref = np.ones((1, 4096))
    ref[0, :9] = 1e-5
    off = lambda count: (np.where(np.arange(4096) < count, 1.001, 1) * ref).astype("f4")
    assert verdict(off(6), ref, plain={"dx": off(3)}).ok
    assert criteria(verdict(off(7), ref, plain={"dx": off(3)})) == {"small values"}


@pytest.mark.parametrize("dtype, threshold", [("float16", 2**-10), ("bfloat16", 2**-7), ("float32", 2**-13)])
def test_the_ecosystems_thresholds(dtype, threshold):
    ref = np.ones((1, 1000))
    uniformly = (ref * (1 + 1.6 * threshold)).astype("f4").astype(numpy_dtype(dtype))
    assert "MERE" in criteria(verdict(uniformly, ref))
    once = ref.astype(numpy_dtype(dtype))
    once[0, 17] = 1 + 16 * threshold
    assert [m.index for m in verdict(once, ref).misses if m.criterion == "MARE"] == [(0, 17)]


def test_the_ecosystems_thresholds_hold_only_where_the_interface_says_so():
    plain = Interface(**{**SOME.__dict__, "precision": {"dx": {"float32": Precision(9, 9, 9)}}})
    report = judge(plain, {"dx": np.full((1, 4), 2, "f4")}, {"dx": np.ones((1, 4))})
    assert report.ok and report.outputs[0].mare == pytest.approx(1)


@pytest.mark.parametrize(
    "got, says",
    [
        (None, "dx: presence: got no output, wanted shape (2, 2), required"),
        (np.ones((2, 3), "f4"), "dx: shape: got (2, 3), wanted (2, 2), required"),
        (np.ones((2, 2), "f8"), "dx: dtype: got float64, wanted float32 or float16 or bfloat16, documented"),
    ],
)
def test_an_output_of_another_shape_or_dtype_is_not_measured(got, says):
    assert str(verdict(got, np.ones((2, 2)))) == says


def test_integers_agree_bit_for_bit():
    assert verdict(np.array([2**60]), np.array([2**60]), "n").ok
    assert str(verdict(np.array([1, 2]), np.array([1, 3]), "n")) == "n[1]: value: got 2, wanted 3, 1 of 2 elements"


@pytest.mark.parametrize("shape", [(0, 4), (3, 0)])
def test_empty_outputs_are_right(shape):
    assert verdict(np.zeros(shape, "f4"), np.zeros(shape), blocks={"dx": 4}).ok


def test_bfloat16_comes_in_both_spellings():
    assert verdict(np.ones((1, 4), ml_dtypes.bfloat16).view("V2"), np.ones((1, 4))).ok


# Operands of matrix products in 16 bits.

PRODUCTS = Interface(**{**SOME.__dict__, "precision": {"dx": {"float32": Precision(1e-3, 1e-3, 2**-10)}}})


def by_operands(planned, actual, coarse, elements=20000, at=1):
    """The verdict on a reference of normal values, of which `at` are off by `actual` where the roundings say `planned`."""
    ref = reference((1, elements)) + 10
    off = np.arange(elements) < at
    got, roundings = ref + off * actual, ref + off * planned
    return judge(PRODUCTS, {"dx": got.astype("f4")}, {"dx": ref}, roundings={"dx": roundings}, coarse={"dx"} if coarse else ())


def test_beyond_a_limit_one_and_a_half_times_the_error_of_the_operands_is_allowed():
    """Anywhere where operands are coarse; at one element in ten thousand where they are not, and never in the RMS error."""
    assert by_operands(0.5, 0.7, False, at=2).ok and by_operands(0.5, 0.7, True, at=2).ok
    assert criteria(by_operands(0.5, 0.8, False, at=2)) == criteria(by_operands(0.5, 0.8, True, at=2)) == {"pointwise"}
    assert not by_operands(0.5, 0.7, False, at=3).ok and by_operands(0.5, 0.7, True, at=3).ok
    assert criteria(by_operands(0.05, 0.06, False, at=20000)) == {"pointwise", "relative RMS error"}
    assert by_operands(0.05, 0.06, True, at=20000).ok
    assert criteria(by_operands(0.05, 0.09, True, at=20000)) == {"pointwise", "relative RMS error"}


def test_an_operand_may_be_rounded_either_way_near_the_middle_which_moves_its_row():
    ref = reference((2, 200)) + 10
    first, second = np.eye(1, 200)[0], np.eye(1, 200, 1)[0]
    roundings = ref + 0.5 * np.stack([first, 0 * first])
    verdict = lambda row, size: judge(PRODUCTS, {"dx": (ref + size * np.stack([second, 0 * second][:: 1 - 2 * row])).astype("f4")},
                                      {"dx": ref}, roundings={"dx": roundings}, coarse={"dx"})
    assert verdict(0, 0.7).ok and "pointwise" in criteria(verdict(0, 0.8))
    assert criteria(verdict(1, 0.7)) == {"pointwise"}


def test_an_operand_is_coarse_where_it_has_few_elements_or_subnormal_rows():
    normal = reference((4, 64))
    half, brain = np.float16, numpy_dtype("bfloat16")
    assert not is_coarse(normal, half) and not is_coarse(normal * 2**-10, half)
    assert is_coarse(normal * 2**-13, half) and not is_coarse(normal * 2**-13, brain)
    assert is_coarse(normal * np.array([[1], [1], [2**-14], [1]]), half)  # one row is enough
    assert is_coarse(normal[:3, :5], half) and not is_coarse(normal[:4, :4], half)
    assert not is_coarse(np.zeros((4, 64)), half)


@pytest.mark.filterwarnings("error")
def test_an_operand_that_overflows_is_coarse_for_its_subnormal_rows_alone():
    normal = reference((4, 64))
    large = np.array([[1e9], [np.inf], [1], [1]])
    assert not is_coarse(normal * large, np.float16)
    assert is_coarse(normal * large * np.array([[1], [1], [2**-14], [1]]), np.float16)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_the_reference_of_operands_rounds_them_and_nothing_else(dtype):
    request = make_request(MLP, "T=9,K=32,H=48,N=16", dtype, "", (), 3, None, True)
    a = {k: v.astype(float) for k, v in request.arrays.items()}
    narrow = lambda v: v.astype(numpy_dtype(dtype)).astype(float)
    hidden = a["x"] @ a["w1"].T
    sigma = 1 / (1 + np.exp(-hidden))
    grad_hidden = narrow(a["grad_y"] @ a["w2"] * sigma * (1 + hidden * (1 - sigma)))
    wanted = {"grad_x": grad_hidden @ a["w1"], "grad_w1": grad_hidden.T @ a["x"], "grad_w2": a["grad_y"].T @ narrow(hidden * sigma)}
    got, coarse = request.operand_roundings()
    assert not coarse
    for name, value in wanted.items():
        np.testing.assert_allclose(got[name], value, rtol=1e-12, atol=1e-12)
    exact = request.interpret("exact")
    assert all(np.abs(got[n] - exact[n]).max() > 1e-5 for n in wanted)


def test_faint_gradients_make_operands_subnormal_and_are_judged_by_them():
    request = request_of(GATED, Case("", (2, 7), {"C": 2, "H": 32, "R": 16}, "float16", values="faint"))
    assert request.operand_roundings()[1] == {"dx", "dw_down", "dw_up", "dw_gate", "dgamma"}
    outputs = request.interpret("kernel")
    report = request.judge(outputs)
    assert report.ok and report.by_operands, str(report)
    wrong = {**outputs, "dw_up": outputs["dw_up"] * np.float16(1.05)}
    assert {m.output for m in request.judge(wrong).misses} == {"dw_up"}


def test_what_is_plainly_wrong_is_not_judged_by_the_operands():
    request = request_of(GATED, Case("", (2, 7), {"C": 2, "H": 32, "R": 16}, "float16"))
    outputs = request.interpret("kernel")
    assert request.judge(outputs).ok and not request.judge(outputs).by_operands
    report = request.judge({**outputs, "dw_up": outputs["dw_up"] * np.float16(1.05)})
    assert not report.ok and not report.by_operands
