"""Graphs written out component by component, at concrete sizes, as sympy expressions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping
from functools import lru_cache, reduce

import numpy
import sympy

from compiler.branches import both, equal, less, magnitude, maximum, minimum, negated, pick
from ir.graph import Graph, Node
from ir.interface import ROWS
from ir.ops import OPS
from ir.types import dim

_MEANINGS = {
    "min": minimum,
    "max": maximum,
    "abs": magnitude,
    "lt": less,
    "gt": lambda a, b: less(b, a),
    "le": lambda a, b: negated(less(b, a)),
    "ge": lambda a, b: negated(less(a, b)),
    "eq": equal,
    "and": both,
    "or": lambda p, q: negated(both(negated(p), negated(q))),
    "not": negated,
    "select": pick,
}
_EXACT = {math.pi: sympy.pi, math.e: sympy.E}


def sizes_for(*graphs: Graph) -> dict[str, int]:
    """Small sizes, one per symbol and different from one another where possible, at which every slice is whole."""
    nodes = [n for g in graphs for n in g.nodes() if n.dtype != "int64" or n.op == "size"]
    exprs = {d for n in nodes for d in n.shape}
    exprs |= {dim(n.attr(k)) for n in nodes if n.op == "slice" for k in ("start", "stop")}
    exprs |= {dim(n.attr("of")) for n in nodes if n.op == "size"}
    names = sorted({s.name for e in exprs for s in e.free_symbols} - {ROWS})
    best = None
    for values in itertools.product(range(2, 7), repeat=len(names)):
        sizes = {ROWS: 2, **dict(zip(names, values))}
        if not all(size(e, sizes).is_Integer for e in exprs):
            continue
        cost = (len(values) + 1 - len({2, *values}), sum(values))
        if best is None or cost < best[0]:
            best = (cost, sizes)
    found = best[1] if best else {ROWS: 2, **{n: 2 for n in names}}
    counts = {s.name for g in graphs for n in g.nodes() for d in n.shape for s in d.free_symbols}
    return {**dict.fromkeys(sorted(counts), 2), **found}


def size(expr: sympy.Expr | str, sizes: Mapping[str, int]) -> sympy.Expr:
    expr = dim(expr) if isinstance(expr, str) else expr
    return expr.subs({s: sizes[s.name] for s in expr.free_symbols})


def shape_of(n: Node, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(int(size(d, sizes)) for d in n.shape)


@lru_cache(maxsize=None)
def element(name: str, index: tuple[int, ...], positive: bool = False) -> sympy.Symbol:
    """The symbol of one component of an input."""
    text = f"{name}[{', '.join(map(str, index))}]" if index else name
    return sympy.Symbol(text, positive=True) if positive else sympy.Symbol(text, real=True)


def exact(value: float) -> sympy.Expr:
    """The number that a float64 constant is; pi and e are meant where their nearest float64 stands."""
    if not math.isfinite(value):
        return sympy.Float(value)
    return _EXACT.get(value) or sympy.Rational(value)


def scalarise(
    graph: Graph, sizes: Mapping[str, int], *, live: int, options: Collection[str] = (), positive: Collection[str] = (),
) -> tuple[dict[str, numpy.ndarray], dict[str, numpy.ndarray]]:
    """(outputs, saved tensors) as arrays of expressions over `element` symbols.

    live: what row counts are; options: the ones present; positive: inputs that are known to be positive.
    """
    values: dict[Node, numpy.ndarray] = {}
    saved = {}
    for n in graph.nodes():
        values[n] = _value(n, [values[o] for o in n.operands], sizes, live, options, positive)
        if n.op == "saved":
            saved[n.attr("name")] = values[n]
    return {k: values[v] for k, v in graph.outputs.items()}, saved


def _value(n: Node, operands: list[numpy.ndarray], sizes, live, options, positive) -> numpy.ndarray:
    if n.op == "input":
        return _elements(n, sizes, n.attr("name") in positive)
    if n.op == "constant":
        return _array(exact(n.attr("value")))
    if n.op == "size":
        return _array(size(n.attr("of"), sizes))
    if n.op == "row_count":
        return _array(sympy.Integer(live))
    if n.op == "live_rows":
        value, count = operands
        dead = numpy.arange(value.shape[0]) >= int(count[()])
        result = value.copy()
        result[dead] = sympy.Integer(0)
        return result
    if n.op == "guard":
        present, absent = operands
        return numpy.broadcast_to(present if n.attr("option") in options else absent, shape_of(n, sizes))
    if n.op == "cast" and n.operands[0].dtype == "bool":
        return _elementwise(lambda p: pick(p, 1, 0))(*operands)
    if n.op in ("saved", "cast", "finite"):
        return operands[0]
    if n.op == "broadcast":
        return numpy.broadcast_to(operands[0], shape_of(n, sizes))
    if n.op == "slice":
        return operands[0][..., int(size(n.attr("start"), sizes)):int(size(n.attr("stop"), sizes))]
    if n.op == "reduce_sum":
        return numpy.apply_along_axis(lambda a: _array(sympy.Add(*a)), n.attr("axis"), operands[0]).reshape(shape_of(n, sizes))
    if n.op == "reduce_max":
        return numpy.expand_dims(reduce(_elementwise(maximum), numpy.moveaxis(operands[0], n.attr("axis"), 0)), n.attr("axis"))
    row = OPS[n.op]
    if row.kind == "pointwise":
        return _elementwise(_MEANINGS.get(n.op, row.meaning))(*operands)
    return row.numpy(*operands, **dict(n.attrs))


def _array(value) -> numpy.ndarray:
    result = numpy.empty((), dtype=object)
    result[()] = value
    return result


def _elementwise(meaning):
    def apply(*arrays):
        result = numpy.frompyfunc(meaning, len(arrays), 1)(*arrays)
        return result if isinstance(result, numpy.ndarray) else _array(result)

    return apply


def _elements(n: Node, sizes, positive: bool) -> numpy.ndarray:
    shape = shape_of(n, sizes)
    result = numpy.empty(shape, dtype=object)
    for index in numpy.ndindex(shape):
        symbol = element(n.attr("name"), index, positive)
        result[index] = less(symbol, 0) if n.dtype == "bool" else symbol
    return result
