"""Nodes are interned by exact value, and errors name the node that does not hold."""

import math

import pytest

from ir.graph import Graph, GraphError, Node, node
from ir.types import TensorType, dim

X = node("input", name="x", shape=("T", "H"), dtype="float32")
W = node("input", name="w", shape=("T", "2*H"), dtype="float32")


def test_equal_computations_are_one_node():
    assert node("add", X, X) is node("add", X, X)
    assert node("add", X, X) is not node("sub", X, X)


def test_constants_are_one_node_only_when_every_bit_agrees():
    constant = lambda value: node("constant", value=value, dtype="float32")
    assert constant(0.0) is not constant(-0.0)
    assert constant(math.nan) is constant(float("nan"))


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: node("frobnicate", X), "frobnicate: unknown operation"),
        (lambda: node("add", X), "add: got 1 operands, wants 2"),
        (lambda: node("add", X, W), r"add\(x: TxHxfloat32, w: .*shapes differ: TxHxfloat32, Tx2\*Hxfloat32"),
        (lambda: node("and", X, X), "and.*got float32, wants bool"),
        (lambda: node("reduce_sum", X, axis=2), r"reduce_sum.*axis=2, wants 0..1"),
        (lambda: node("cast", X, to="float8"), "cast.*dtype=float8, wants one of float32"),
        (lambda: node("reshape", X, shape=("T", "2", "H")), r"reshape.*TxHxfloat32 has not as many elements as Tx2xH"),
        (lambda: node("matmul", X, X), "matmul.*inner dimensions or dtypes differ"),
        (lambda: node("live_rows", node("constant", value=0.0, dtype="float32"), node("size", of="T")),
         "live_rows.*a scalar has no rows"),
        (lambda: node("guard", X, W, option="o"), "guard.*both sides must agree"),
    ],
)  # fmt: skip
def test_an_operation_that_does_not_fit_is_refused_by_name(make, says):
    with pytest.raises(GraphError, match=says):
        make()


def test_the_verifier_names_the_value_whose_type_is_wrong():
    wrong = Node("neg", (X,), (), TensorType((dim("T"),), "float32"))
    with pytest.raises(GraphError, match="gradient: type is Txfloat32, wants TxHxfloat32"):
        Graph("g", {"x": X}, {"y": wrong}, {wrong: "gradient"}).verify()


def test_the_verifier_names_an_input_that_is_not_declared():
    with pytest.raises(GraphError, match="x: TxHxfloat32: used but not among the graph's inputs"):
        Graph("g", {}, {"y": node("neg", X)}).verify()
    with pytest.raises(GraphError, match="input z: is x: TxHxfloat32, wants input"):
        Graph("g", {"z": X}, {"y": X}).verify()


@pytest.mark.parametrize(
    "text", ["__import__('os')", "T.free_symbols", "T if T else H", "T(", "T(3)", "", "1.5", "T,H"]
)
def test_a_dimension_is_arithmetic_and_nothing_else(text):
    with pytest.raises(ValueError, match="wants arithmetic of names and integers"):
        dim(text)


def test_a_reshape_keeps_the_number_of_elements_whatever_the_sizes_are():
    flat = node("reshape", W, shape=("2*T*H",))
    assert node("reshape", flat, shape=("T", "2", "H")).shape == (dim("T"), dim(2), dim("H"))
    x = node("input", name="x", shape=("T", "C*(H + 1)"), dtype="float32")
    assert node("reshape", x, shape=("T", "C", "H + 1")).shape[2] == dim("H + 1")


@pytest.mark.parametrize("ta, tb", [(False, False), (False, True), (True, False), (True, True)])
def test_a_product_has_the_shape_of_its_transposed_operands(ta, tb):
    a = node("input", name="a", shape=("K", "M") if ta else ("M", "K"), dtype="bfloat16")
    b = node("input", name="b", shape=("N", "K") if tb else ("K", "N"), dtype="bfloat16")
    product = node("matmul", a, b, transpose_a=ta, transpose_b=tb, to="float32")
    assert product.shape == (dim("M"), dim("N")) and product.dtype == "float32"
