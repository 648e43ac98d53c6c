"""The text form is MLIR, holds everything that a graph holds, and its errors point at the place."""

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ir.random_graphs import graphs

from ir.builder import build_documented, build_forward
from ir.graph import Graph, GraphError, node
from ir.operators.swiglu_group_quant_grad import OPERATOR
from ir.text import ParseError, parse_graph, print_graph

DOCUMENTED = build_documented(OPERATOR)
X = node("input", name="x", shape=("T", "H"), dtype="float32")


def small(**names):
    """y = x * c, with names for its values."""
    c = node("constant", value=2.0, dtype="float32")
    y = node("mul", X, c)
    return Graph("small", {"x": X}, {"y": y}, {{"c": c, "y": y, "x": X}[k]: v for k, v in names.items()})


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_print_parse_print_is_the_identity_and_the_graph_is_the_same(graph):
    text = print_graph(graph)
    again = parse_graph(text)
    assert again == graph
    assert list(again.inputs) == list(graph.inputs) and list(again.outputs) == list(graph.outputs)
    assert all(again.outputs[k] is v for k, v in graph.outputs.items())
    assert print_graph(again) == text


@pytest.mark.parametrize("graph", [build_forward(OPERATOR), DOCUMENTED], ids=lambda g: g.name)
def test_operators_survive_the_text(graph):
    assert parse_graph(print_graph(graph)) == graph


def test_the_text_is_the_generic_form_of_mlir():
    assert print_graph(small(c="two", y="y")) == (
        '"builtin.module"() ({\n'
        '  "func.func"() <{arg_attrs = [{ascgrad.name = "x"}], '
        'function_type = (tensor<?x?xf32, ["T", "H"]>) -> tensor<?x?xf32, ["T", "H"]>, '
        'res_attrs = [{ascgrad.name = "y"}], sym_name = "small"}> ({\n'
        '  ^bb0(%x: tensor<?x?xf32, ["T", "H"]>):\n'
        '    %two = "ascgrad.constant"() {dtype = "float32", value = 2.0 : f64} : () -> tensor<f32>\n'
        '    %y = "ascgrad.mul"(%x, %two) : (tensor<?x?xf32, ["T", "H"]>, tensor<f32>) -> tensor<?x?xf32, ["T", "H"]>\n'
        '    "func.return"(%y) : (tensor<?x?xf32, ["T", "H"]>) -> ()\n'
        "  }) : () -> ()\n"
        "}) : () -> ()\n"
    )


def test_ids_are_the_names_and_a_name_that_is_taken_or_no_identifier_is_a_location():
    text = print_graph(small(c="x", y="2 x"))
    assert '%x_1 = "ascgrad.constant"' in text and 'loc("x")' in text
    assert '%0 = "ascgrad.mul"' in text and 'loc("2 x")' in text


def test_names_of_values_that_no_output_needs_are_not_printed():
    graph = small()
    dead = node("neg", X)
    again = parse_graph(print_graph(Graph("small", graph.inputs, graph.outputs, {dead: "dead"})))
    assert again.names == {}


@pytest.mark.parametrize("value", [0.0, -0.0, 1e300, 5e-324, math.inf, -math.inf, 0.1])
def test_constants_keep_every_bit(value):
    constant = node("constant", value=value, dtype="float32")
    again = parse_graph(print_graph(Graph("c", {}, {"c": constant}))).outputs["c"]
    assert again is constant and math.copysign(1, again.attr("value")) == math.copysign(1, value)


def test_comments_and_white_space_do_not_matter():
    text = print_graph(DOCUMENTED)
    loose = "// a comment\n" + text.replace("\n", "  // here\n\n").replace(", ", " ,\t")
    assert parse_graph(loose) == DOCUMENTED


def error(text):
    with pytest.raises(ParseError) as caught:
        parse_graph(text)
    return caught.value


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('"builtin.module"', '"builtin.modul"', 'expected "builtin.module"()'),
        ("(%x, %two)", "(%x, %three)", "%three is not defined here"),
        ("%two =", "%x =", "%x is defined twice"),
        ("ascgrad.mul", "ascgrad.mull", "mull: unknown operation"),
        ('"ascgrad.mul"', '"arith.mulf"', 'expected an operation, as in "ascgrad.add"'),
        ("(%x, %two)", "(%x)", "mul: got 1 operands, wants 2"),
        ("(%x, %two)", "(%x %two)", "expected ',' or ')'"),
        ("() -> tensor<f32>\n", "() -> tensor<f16>\n", "expected () -> tensor<f32>"),
        ("() -> tensor<f32>\n", "() -> tensor<f8>\n", "expected dimensions and one of f32, f16, bf16, i64, i1"),
        ('^bb0(%x: tensor<?x?xf32, ["T", "H"]>', "^bb0(%x: tensor<?x?xf32>", "expected a text for each of the 2 dimensions"),
        ('^bb0(%x: tensor<?x?xf32, ["T", "H"]>', '^bb0(%x: tensor<?x?xf32, ["T"]>', "expected a text for each of the 2"),
        ('^bb0(%x: tensor<?x?xf32, ["T", "H"]>', '^bb0(%x: tensor<?x?xf32, ["T", "H.real"]>', "wants arithmetic of names"),
        ("2.0 : f64", "two", "expected an attribute"),
        ("2.0 : f64", "2.0 : f32", "expected f64"),
        ('{dtype = "float32", value = 2.0 : f64}', "", "constant: attribute 'dtype' is missing"),
        ('dtype = "float32"', 'dtype = "float33"', "constant(): dtype=float33, wants one of float32"),
        ('res_attrs = [{ascgrad.name = "y"}]', "res_attrs = []", "expected res_attrs to give 1 different names"),
        ('sym_name = "small"', "sym_name = 3", "expected sym_name"),
        ('-> tensor<?x?xf32, ["T", "H"]>, res', "-> tensor<f32>, res", "function_type is not the type"),
        ("}) : () -> ()\n", "}) : () -> ()\n}", "expected the end"),
        ('"small"', '"small', "expected a string"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what_was_expected(old, new, says):
    text = print_graph(small(c="two", y="y"))
    assert old in text
    head, _, tail = text.rpartition(old)
    caught = error(head + new + tail)
    first, source, caret = str(caught).split("\n")
    assert re.match(rf"{caught.line}:{caught.column}: ", first) and says in first
    assert source == (head + new + tail).split("\n")[caught.line - 1]
    assert caret == " " * (caught.column - 1) + "^"


def test_the_caret_stands_under_the_undefined_value():
    text = print_graph(small(c="two", y="y")).replace("(%x, %two)", "(%x, %twoo)")
    _, source, caret = str(error(text)).split("\n")
    assert source[caret.index("^") :].startswith("%twoo")


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damaged_text_is_either_a_graph_or_a_parse_error(data):
    text = print_graph(DOCUMENTED)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 20)))
    damaged = text[:start] + data.draw(st.text('%"(){}<>[]:,=x0 ^', max_size=3)) + text[stop:]
    try:
        parse_graph(damaged).verify()
    except ParseError:
        pass


def test_what_the_text_cannot_hold_is_refused():
    with pytest.raises(GraphError, match="attribute of is None"):
        print_graph(Graph("g", {}, {"y": node("size", of=None)}))
    odd = node("input", name="x", shape=("H*2",), dtype="float32")
    with pytest.raises(GraphError, match="shape is written"):
        print_graph(Graph("g", {"x": odd}, {"y": odd}))
