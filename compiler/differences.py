"""Gradients checked by evaluation: central differences of the forward graph at 60 digits, component by component.

For graphs whose components are too large to be written out. No derivative rule enters. Every kink of a perturbed point
decides as at the point itself, and is constant where it ties there: that is the strict rule.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import mpmath
import numpy

from compiler.rounding import DIGITS, evaluate, exact_pointwise
from compiler.scalar import shape_of, size
from compiler.simplify import choose
from ir.graph import Graph, Node
from ir.interface import Operator
from ir.ops import OPS

MOST_WRITTEN = 1000
"""Operations in one component of a forward output, above which it is evaluated."""

POINTS, TIED = 2, 12
"""Points away from ties, and points of few different values that are searched for ties."""

STEP = mpmath.mpf(10) ** -20
TOLERANCE = mpmath.mpf(10) ** -25

_KINKS = ("min", "max", "abs", "reduce_max", "select")


def written_size(graph: Graph, sizes: Mapping[str, int]) -> int:
    """Operations in the largest component of an output, every shared part counted each time."""
    count: dict[Node, int] = {}
    for n in graph.nodes():
        inner = sum(count[o] for o in n.operands)
        if n.op == "matmul":
            inner *= int(size(n.operands[0].shape[0 if n.attr("transpose_a") else 1], sizes))
        elif OPS[n.op].kind == "reduce":
            inner *= int(size(n.operands[0].shape[n.attr("axis")], sizes))
        count[n] = inner * (2 if n.op == "silu" else 1) + (OPS[n.op].kind not in ("shape", "option"))
    return max(count[n] for n in graph.outputs.values())


@dataclass
class Point:
    """Values of all inputs, saved tensors as the forward gives them. tied: whether a kink of the forward ties there."""

    inputs: dict[str, numpy.ndarray]
    tied: bool
    differences: dict[str, numpy.ndarray] = field(default_factory=dict)


class Evaluation:
    """One set of options and one number of live rows: graphs compared at points."""

    def __init__(self, operator: Operator, forward: Graph, options: Collection[str], sizes: Mapping[str, int], live: int,
                 positive: Collection[str], *others: Graph):
        self.operator, self.sizes, self.live, self.positive = operator, sizes, live, positive
        self.options = frozenset(options)
        self.forward = choose(forward, self.options)
        self.inputs = {k: v for g in (forward, *others) for k, v in g.inputs.items() if v.dtype != "int64" or not v.shape}
        self.kinked = any(n.op in _KINKS for n in self.forward.nodes())

    @cached_property
    def points(self) -> list[Point]:
        """Points without ties."""
        return list(self._drawn(POINTS, lambda draw: mpmath.mpf(draw.randint(20, 100) * draw.choice((1, -1))) / 97))

    @cached_property
    def ties(self) -> list[Point]:
        """Points with ties, as far as they are found."""
        if not self.kinked:
            return []
        few = self._drawn(TIED, lambda draw: mpmath.mpf(draw.choice((0, 0, -1, 1))) / 2)
        return list(itertools.islice((p for p in few if p.tied), POINTS))

    def derivative(self, output: str, backward: Graph, tied: bool) -> tuple[str, str]:
        """(failure, detail): backward's output against the differences of sum(cotangent * forward output)."""
        points = self.ties if tied else self.points
        if tied and not points:
            return "", "no tie was found" if self.kinked else "no kinks"
        source = self.operator.gradients[output]
        for p in points:
            if source not in p.differences:
                p.differences[source] = self._differences(p, source)
            failure = _differ(output, self._outputs(backward, p)[output], p.differences[source])
            if failure:
                return failure, ""
        count = p.differences[source].size
        return "", f"{count} components, {self._where}, by central differences at {len(points)} points, {DIGITS} digits"

    def same(self, output: str, first: Graph, second: Graph) -> tuple[str, str]:
        """(failure, detail): whether two graphs give the same values, at ties too."""
        points = [*self.points, *self.ties]
        for p in points:
            failure = _differ(output, self._outputs(first, p)[output], self._outputs(second, p)[output])
            if failure:
                return failure, ""
        return "", f"{self._where}, by evaluation at {len(points)} points, {DIGITS} digits"

    @property
    def _where(self) -> str:
        return "at " + ", ".join(f"{k}={v}" for k, v in self.sizes.items())

    def _drawn(self, count: int, value) -> Iterator[Point]:
        draw = random.Random(1)
        for _ in range(count):
            inputs = {}
            for name, n in self.inputs.items():
                array = numpy.empty(shape_of(n, self.sizes), dtype=object)
                for i in numpy.ndindex(array.shape):
                    drawn = value(draw)
                    array[i] = abs(drawn) + mpmath.mpf(0.5) if name in self.positive else drawn
                inputs[name] = array < 0 if n.dtype == "bool" else array
            yield self._point(inputs)

    def _point(self, inputs: dict[str, numpy.ndarray]) -> Point:
        saved = {n.attr("name"): n for n in self.forward.nodes() if n.op == "saved"}
        graph = Graph(self.forward.name, self.forward.inputs, {**self.forward.outputs, **saved})
        tied: list[bool] = []
        with mpmath.workdps(DIGITS):
            values = _run(graph, {k: v[None] for k, v in inputs.items()}, self.sizes, self.live, tied)
        return Point({**inputs, **{k: values[n][0] for k, n in saved.items()}}, any(tied))

    def _outputs(self, graph: Graph, p: Point) -> dict[str, numpy.ndarray]:
        chosen = choose(graph, self.options)
        with mpmath.workdps(DIGITS):
            values = _run(chosen, {k: v[None] for k, v in p.inputs.items()}, self.sizes, self.live, [])
        return {k: values[n][0] for k, n in chosen.outputs.items()}

    def _differences(self, p: Point, source: str) -> numpy.ndarray:
        """The derivative by every component of one input."""
        base = p.inputs[source]
        with mpmath.workdps(DIGITS):
            moved = [base]
            for index in numpy.ndindex(base.shape):
                for step in (STEP, -STEP):
                    moved.append(base.copy())
                    moved[-1][index] += step
            there = numpy.stack(moved)
            inputs = {k: numpy.broadcast_to(v, (len(there), *v.shape)) for k, v in p.inputs.items()}
            values = _run(self.forward, {**inputs, source: there}, self.sizes, self.live, [])
            loss = sum((values[self.forward.outputs[y]] * p.inputs[cotangent]).reshape(len(there), -1).sum(axis=1)
                       for y, cotangent in self.operator.cotangents.items() if self._present(cotangent))
            return ((loss[1::2] - loss[2::2]) / (2 * STEP)).reshape(base.shape)

    def _present(self, cotangent: str) -> bool:
        option = self.operator.interface.tensor(cotangent).option
        return option is None or option in self.options


def _differ(output: str, got: numpy.ndarray, wanted: numpy.ndarray) -> str:
    """The first component that is off, or nothing."""
    if got.shape != wanted.shape:
        return f"{output}: has the shape {got.shape}, wants {wanted.shape}"
    scale = max([mpmath.mpf(1), *(abs(v) for v in wanted.flat)])
    for index in numpy.ndindex(got.shape):
        if not abs(got[index] - wanted[index]) <= TOLERANCE * scale:
            return f"{output}{list(index)}: is {mpmath.nstr(got[index], 8)}, wants {mpmath.nstr(wanted[index], 8)}"
    return ""


def _run(graph: Graph, inputs, sizes, live: int, tied: list[bool]) -> dict[Node, numpy.ndarray]:
    """Every value; the first of the points decides every kink. tied: gets whether a kink tied at it."""

    def tie(at) -> None:
        tied.append(bool(numpy.any(at)))

    def pointwise(n: Node, arrays):
        if n.op in ("lt", "le", "gt", "ge", "eq"):
            first = [a[:1] for a in arrays]
            if n.op != "eq":
                tie(first[0] == first[1])
            return numpy.broadcast_to(exact_pointwise(n, first), (len(next(iter(inputs.values()))), *shape_of(n, sizes)))
        if n.op in ("min", "max"):
            a, b = numpy.broadcast_arrays(*arrays)
            tie(a[0] == b[0])
            wins = a[:1] < b[:1] if n.op == "min" else a[:1] > b[:1]
            return numpy.where(a[:1] == b[:1], a[:1], numpy.where(wins, a, b))
        if n.op == "abs":
            (a,) = arrays
            tie(a[0] == 0)
            return numpy.where(a[:1] > 0, a, numpy.where(a[:1] < 0, -a, a[:1]))
        return exact_pointwise(n, arrays)

    def largest(a, axis):
        first = a[:1]
        reached = first == first.max(axis=axis, keepdims=True)
        alone = reached.sum(axis=axis, keepdims=True) == 1
        tie(~alone)
        return numpy.where(alone, numpy.where(reached, a, 0).sum(axis=axis, keepdims=True), first.max(axis=axis, keepdims=True))

    return evaluate(graph, inputs, sizes, live, pointwise, lambda v: numpy.array(mpmath.mpf(v), dtype=object),
                    lambda a, axis: a.sum(axis=axis, keepdims=True), largest)

