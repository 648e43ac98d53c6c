"""The interpreter against formulas written by hand, and the rules that are easy to get wrong."""

import itertools
import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ir.random_graphs import SYMBOLS, graphs

from ir.builder import build_documented, build_forward
from ir.graph import Graph, node
from ir.interpreter import InterpretError, evaluate, size
from ir.operators.swiglu_group_quant_grad import OPERATOR
from ir.types import FLOATS, as_array, numpy_dtype

DOCUMENTED = build_documented(OPERATOR)
FORWARD = build_forward(OPERATOR)
T, H = 6, 5
OPTIONS = ("weight", "group_index", "clamp")
COMBINATIONS = [set(c) for n in range(4) for c in itertools.combinations(OPTIONS, n)]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def by_hand(grad_y, x, weight, y_origin, counts, limit, options):
    """The document's steps in float64."""
    trunc = min(max(int(counts.sum()), 0), len(x)) if "group_index" in options else len(x)
    x0, x1 = x[:, :H], x[:, H:]
    clamp = "clamp" in options
    c = float(np.float32(limit)) if clamp else math.inf
    a, b = np.minimum(x0, c), np.minimum(np.maximum(x1, -c), c)
    grad_y0 = grad_y * weight if "weight" in options else grad_y
    grad_x0 = grad_y0 * b * sigmoid(a) * (1 + a * (1 - sigmoid(a)))
    grad_x1 = grad_y0 * a * sigmoid(a)
    grad_x0[~(x0 < c)] = 0
    grad_x1[~((-c < x1) & (x1 < c))] = 0
    grad_x = np.concatenate([grad_x0, grad_x1], axis=1)
    grad_weight = (grad_y * y_origin).sum(axis=1, keepdims=True)
    grad_x[trunc:] = 0
    grad_weight[trunc:] = 0
    return {"grad_x": grad_x, "grad_weight": grad_weight} if "weight" in options else {"grad_x": grad_x}


def some_inputs(dtype="float32", limit=1.5):
    random = np.random.default_rng(7)
    values = {
        "grad_y": random.normal(size=(T, H)),
        "x": random.normal(size=(T, 2 * H)) * 2,
        "weight": random.uniform(0.1, 1, (T, 1)).astype("float32"),
        "y_origin": random.normal(size=(T, H)),
    }
    rounded = {k: v if k == "weight" else v.astype(numpy_dtype(dtype)) for k, v in values.items()}
    return rounded | {"group_index": np.array([1, 0, 3]), "clamp_limit": limit}


def chosen(inputs, options):
    """Only what the options supply: anything else that is needed is an error."""
    drop = {"weight": ("weight", "y_origin"), "group_index": ("group_index",), "clamp": ("clamp_limit",)}
    gone = {n for o in OPTIONS if o not in options for n in drop[o]}
    return {k: v for k, v in inputs.items() if k not in gone}


def run(inputs, options, **more):
    outputs = ["grad_x", "grad_weight"] if "weight" in options else ["grad_x"]
    sizes = {"T": inputs["x"].shape[0], "H": inputs["x"].shape[1] // 2, "G": 3}
    return evaluate(DOCUMENTED, chosen(inputs, options), sizes, options, outputs=outputs, **more)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("options", COMBINATIONS, ids=lambda o: "+".join(sorted(o)) or "none")
def test_exact_is_the_documents_formula_in_float64(options, dtype):
    inputs = some_inputs(dtype)
    wide = {k: np.asarray(v, np.float64) for k, v in inputs.items() if k not in ("group_index", "clamp_limit")}
    wanted = by_hand(**wide, counts=inputs["group_index"], limit=1.5, options=options)
    got = run(inputs, options)
    assert got.keys() == wanted.keys()
    for name in wanted:
        assert got[name].dtype == np.float64
        np.testing.assert_allclose(got[name], wanted[name], rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("poison", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("exact", [True, False])
def test_dead_rows_are_exact_zeros_whatever_they_hold(poison, exact):
    inputs = some_inputs()
    clean = run(inputs, set(OPTIONS), exact=exact)
    for name in ("grad_y", "x", "weight", "y_origin"):
        inputs[name][4:] = poison
    got = run(inputs, set(OPTIONS), exact=exact)
    for name, value in got.items():
        assert not value[4:].any()
        assert (value == clean[name]).all()


@pytest.mark.parametrize(
    "counts, live", [([0, 0, 0], 0), ([2, 0, 1], 3), ([9, 9, 9], 6), ([-5, 1, 1], 0), ([2**62, 1, 1], 6)]
)
def test_the_row_count_is_the_sum_of_the_counts_within_0_and_rows(counts, live):
    inputs = some_inputs() | {"group_index": np.array(counts)}
    inputs["x"] = np.ones_like(inputs["x"])
    rows = run(inputs, {"group_index"})["grad_x"].any(axis=1)
    assert rows.tolist() == [True] * live + [False] * (T - live)


def test_the_gradient_is_zero_at_the_limit_and_the_gate_has_no_lower_limit():
    x = np.array([[7, 7.5, -9, 2, 7, -7, 3, 8]], np.float32)
    inputs = {"grad_y": np.ones((1, 4), np.float32), "x": x, "clamp_limit": 7}
    got = evaluate(DOCUMENTED, inputs, {"T": 1, "H": 4}, {"clamp"}, outputs=["grad_x"])["grad_x"]
    np.testing.assert_allclose(got, [[0, 0, -0.002961, 7.63549, 0, 0, -0.001111, 0]], atol=1e-6)


def test_a_limit_is_compared_as_the_float32_that_the_device_gets():
    limit = 0.1  # float32(0.1) > 0.1
    x = np.full((1, 2), 0.1, np.float64)
    inputs = {"grad_y": np.ones((1, 1)), "x": x, "clamp_limit": limit}
    sizes = {"T": 1, "H": 1}
    assert evaluate(DOCUMENTED, inputs, sizes, {"clamp"}, outputs=["grad_x"])["grad_x"].all()
    inputs["x"] = np.full((1, 2), np.float32(0.1), np.float64)
    assert not evaluate(DOCUMENTED, inputs, sizes, {"clamp"}, outputs=["grad_x"])["grad_x"].any()


@pytest.mark.parametrize("exact", [True, False])
def test_extreme_gates_are_finite(exact):
    gate = np.array([[-104, -89, -88, 0, 88, 104, 3e38, -3e38]], np.float32)
    inputs = {"grad_y": np.ones_like(gate), "x": np.concatenate([gate, np.ones_like(gate)], axis=1)}
    got = evaluate(DOCUMENTED, inputs, {"T": 1, "H": 8}, (), exact, outputs=["grad_x"])["grad_x"][0]
    np.testing.assert_allclose(got[:8], [0, 0, 0, 0.5, 1, 1, 1, 0], atol=1e-30)


def test_no_warning_escapes(recwarn):
    inputs = some_inputs()
    inputs["x"][:] = math.inf
    run(inputs, set())
    run({**inputs, "x": inputs["x"] * math.nan}, set(), exact=False)
    assert not recwarn.list


def test_only_what_is_needed_is_computed():
    """y_origin is a saved tensor: the forward computes its defining expression, nobody asks for the tensor."""
    inputs = {"x": np.ones((1, 2))}
    got = evaluate(FORWARD, inputs, {"T": 1, "H": 1})["y"]
    np.testing.assert_allclose(got, [[sigmoid(1.0)]])
    unused = Graph("g", DOCUMENTED.inputs, {"y": DOCUMENTED.outputs["grad_weight"]})
    assert evaluate(unused, {"grad_y": np.ones((1, 1)), "y_origin": np.ones((1, 1))}, {"T": 1, "H": 1})["y"] == 1


def cast_graph(*dtypes):
    value = x = node("input", name="x", shape=("N",), dtype="float32")
    for dtype in dtypes:
        value = node("cast", value, to=dtype)
    return Graph("casts", {"x": x}, {"y": value})


@pytest.mark.parametrize(
    "dtype, given, rounded",
    [
        ("bfloat16", 1 + 2**-8, 1.0),  # ties go to the even neighbour
        ("bfloat16", 1 + 3 * 2**-8, 1 + 2**-6),
        ("bfloat16", 1 + 2**-8 + 2**-20, 1 + 2**-7),
        ("float16", 1 + 2**-11, 1.0),
        ("float16", 65520.0, math.inf),
        ("bfloat16", 3.4e38, math.inf),
    ],
)
def test_a_cast_rounds_to_nearest_even_and_exact_does_not_round(dtype, given, rounded):
    inputs = {"x": np.array([given], np.float32)}
    got = evaluate(cast_graph(dtype, "float32"), inputs, {"N": 1}, exact=False)["y"]
    assert got.dtype == np.float32 and got[0] == np.float32(rounded)
    assert evaluate(cast_graph(dtype), inputs, {"N": 1})["y"][0] == np.float32(given)


def test_bfloat16_comes_in_both_spellings():
    values = np.array([1.5, -2], ml_dtypes.bfloat16)
    for spelling in (values, values.view("V2")):
        assert evaluate(cast_graph(), {"x": spelling}, {"N": 2})["y"].tolist() == [1.5, -2]


def test_a_16_bit_matrix_product_accumulates_in_float32_and_rounds_once():
    a = node("input", name="a", shape=("M", "K"), dtype="bfloat16")
    graph = Graph("gram", {"a": a}, {"y": node("matmul", a, a, transpose_b=True)})
    ones = np.ones((1, 4096), ml_dtypes.bfloat16)  # a bfloat16 accumulator stalls at 256
    got = evaluate(graph, {"a": ones}, {"M": 1, "K": 4096}, exact=False)["y"]
    assert got.dtype == ml_dtypes.bfloat16 and got[0, 0] == 4096


@settings(max_examples=150, deadline=None)
@given(graphs(), st.booleans())
def test_every_value_has_the_shape_and_dtype_that_the_graph_declares(graph, exact):
    shape = lambda n: tuple(size(d, SYMBOLS) for d in n.shape)
    inputs = {k: np.ones(shape(n), numpy_dtype(n.dtype)) for k, n in graph.inputs.items()}
    for name, got in evaluate(graph, inputs, SYMBOLS, exact=exact).items():
        declared = graph.outputs[name]
        assert got.shape == shape(declared)
        assert got.dtype == numpy_dtype("float64" if exact and declared.dtype in FLOATS else declared.dtype)


@pytest.mark.parametrize(
    "change, says",
    [
        ({"inputs": {"x": np.ones((2, 4))}}, "grad_y: is needed and was not given"),
        ({"inputs": {"grad_y": np.ones((3, 2)), "x": np.ones((2, 4))}}, r"grad_y: shape is \(3, 2\), wants \(2, 2\)"),
        ({"symbols": {"T": 2}}, "symbol H: has no value, and the size H needs it"),
        ({"options": {"clamp"}}, "clamp_limit: is needed and was not given"),
        ({"outputs": ["dx"]}, "output dx: swiglu_group_quant_grad_documented has none, it has grad_x, grad_weight"),
    ],
)
def test_errors_name_the_input_the_symbol_or_the_output(change, says):
    inputs = {"grad_y": np.ones((2, 2)), "x": np.ones((2, 4))}
    arguments = {"inputs": inputs, "symbols": {"T": 2, "H": 2}, "options": set(), "outputs": ["grad_x"]} | change
    with pytest.raises(InterpretError, match=f"^{says}$"):
        evaluate(DOCUMENTED, **arguments)


def test_a_size_is_a_natural_number():
    assert size("2*H - 1", {"H": 3}) == 5
    with pytest.raises(InterpretError, match="size H/2: is no natural number for H=3"):
        size("H/2", {"H": 3})


def test_other_two_byte_arrays_are_left_alone():
    assert as_array(np.zeros(2, np.int16)).dtype == np.int16


def test_a_product_of_16_bit_operands_is_accumulated_in_float32_and_rounded_where_asked():
    a, b = (node("input", name=n, shape=("2", "300"), dtype="bfloat16") for n in "ab")
    inputs = {"a": np.full((2, 300), 1, numpy_dtype("bfloat16")), "b": np.full((2, 300), 1, numpy_dtype("bfloat16"))}
    run = lambda **more: evaluate(Graph("g", {"a": a, "b": b}, {"y": node("matmul", a, b, transpose_b=True, **more)}), inputs, {}, exact=False)["y"]
    assert run(to="float32").dtype == np.float32 and (run(to="float32") == 300).all()
    assert run().dtype == numpy_dtype("bfloat16") and (run().astype(float) == 300).all()
    inputs["a"][0, 0] = 2
    assert run(to="float32")[0, 0] == 301 and float(run()[0, 0]) == 300


def test_channels_are_runs_of_the_last_axis():
    x = node("input", name="x", shape=("T", "C*H"), dtype="float32")
    channels = node("reshape", x, shape=("T", "C", "H"))
    largest = node("reshape", node("reduce_max", channels, axis=1), shape=("T", "H"))
    values = np.arange(12.0).reshape(1, 12)
    got = evaluate(Graph("g", {"x": x}, {"y": largest}), {"x": values}, {"T": 1, "C": 3, "H": 4})["y"]
    assert got.tolist() == [[8, 9, 10, 11]]
