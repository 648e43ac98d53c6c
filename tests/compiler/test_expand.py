import numpy as np
import pytest
import sympy

from compiler.branches import vanishes
from compiler.differentiate import differentiate
from compiler.expand import EXPANSIONS, expand
from compiler.rounding import in_fp32
from compiler.simplify import simplify, specialise
from ir.builder import build_forward
from ir.graph import Graph, node
from ir.operators.swiglu_group_quant_grad import OPERATOR as SWIGLU
from ir.ops import OPS


def graph_of(op: str) -> Graph:
    operands = [node("input", name=f"v{i}", shape=("T", "H"), dtype="float32") for i in range(OPS[op].arity)]
    result = node(op, *operands)
    return Graph("one", {o.attr("name"): o for o in operands}, {"y": result}, {result: "named"})


@pytest.mark.parametrize("op", EXPANSIONS)
def test_expansions_are_equal_over_the_reals(op):
    symbols = sympy.symbols("v:3", real=True)[:OPS[op].arity]
    graph = expand(graph_of(op))
    values = {}
    for n in graph.nodes():
        values[n] = symbols[int(n.attr("name")[1:])] if n.op == "input" else OPS[n.op].meaning(*(values[o] for o in n.operands))
    assert vanishes(values[graph.outputs["y"]] - OPS[op].meaning(*symbols)).zero


@pytest.mark.parametrize("op", EXPANSIONS)
def test_names_stay_and_nothing_composite_is_left(op):
    graph = expand(graph_of(op))
    assert graph.names[graph.outputs["y"]] == "named"
    assert not {n.op for n in graph.nodes()} & set(EXPANSIONS)
    assert expand(graph).outputs["y"] is graph.outputs["y"]


def swiglu_at(x0: float) -> tuple[float, float, float]:
    """(silu, slope of silu, y's derivative by x1) in fp32 at x0, with a cotangent and an x1 of one."""
    forward = build_forward(SWIGLU)
    backward = expand(simplify(differentiate(SWIGLU, forward), SWIGLU.interface))
    graph = specialise(backward, set())
    inputs = {"x": np.array([[[x0, 1.0]]], np.float32), "grad_y": np.ones((1, 1, 1), np.float32),
              "y_origin": np.ones((1, 1, 1), np.float32)}
    slope, silu = in_fp32(graph, inputs, {"T": 1, "H": 1}, 1)[graph.outputs["grad_x"]].ravel()
    direct = in_fp32(expand(graph_of("silu")), {"v0": np.full((1, 1, 1), x0, np.float32)}, {"T": 1, "H": 1}, 1)
    return float(list(direct.values())[-1].ravel()[0]), float(slope), float(silu)


@pytest.mark.parametrize("x0, silu, slope", ((-np.inf, 0.0, 0.0), (-104.0, 0.0, 0.0), (0.0, 0.0, 0.5), (104.0, 104.0, 1.0)))
def test_silu_at_the_extremes(x0, silu, slope):
    assert swiglu_at(x0) == (silu, slope, silu)


def test_silu_at_infinity():
    silu, slope, other = swiglu_at(np.inf)
    assert silu >= np.finfo(np.float32).max and other == silu and slope == 1.0


def test_emitted_swiglu_computes_one_sigmoid():
    graph = expand(simplify(differentiate(SWIGLU, build_forward(SWIGLU)), SWIGLU.interface))
    assert [n.op for n in graph.nodes()].count("sigmoid") == 1
