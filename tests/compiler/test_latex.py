"""Gradients as formulas."""

from compiler import latex
from ir.graph import Graph, node


def test_an_operation_without_a_sign_of_its_own_is_written_as_a_function(monkeypatch):
    x = node("input", name="x", shape=("T", "H"), dtype="float32")
    graph = Graph("g", {"x": x}, {"y": node("erf", node("add", x, x))})
    assert r"\mathrm{y} &= \operatorname{erf}\left(\mathrm{x} + \mathrm{x}\right)" in latex.gradient(graph, "y")
    monkeypatch.delitem(latex._NAMED, "erf")
    assert r"\mathrm{y} &= \operatorname{erf}\left(\mathrm{x} + \mathrm{x}\right)" in latex.gradient(graph, "y")
