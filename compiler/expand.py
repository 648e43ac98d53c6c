"""Composite operations as primitive ones that stay finite, before emission.

sigmoid, tanh and softplus stay: emission lowers them to instructions.
"""

from __future__ import annotations

from collections.abc import Callable

from ir.graph import Graph, Node, node, rebuild


def _silu(x: Node) -> Node:
    """x * sigmoid(x). The factor is brought to the nearest finite value, since -inf * sigmoid(-inf) is NaN."""
    return node("mul", node("finite", x), node("sigmoid", x))


EXPANSIONS: dict[str, Callable[..., Node]] = {"silu": _silu}
"""Operation -> its expansion, a function of the new operands. The name of the node stays on the result."""


def expand(graph: Graph) -> Graph:
    """The graph with every operation of `EXPANSIONS` expanded."""

    def rule(n: Node, operands: tuple[Node, ...]) -> Node:
        expansion = EXPANSIONS.get(n.op)
        return expansion(*operands) if expansion else rebuild(n, operands)

    return graph.map(rule).verify()
