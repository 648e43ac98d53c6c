"""A graph in fp32, operation by operation, against the same expression at 60 digits.

The bound on the error is first-order rounding analysis of the graph itself: every operation is off by its unit
roundoff (four of them for elementary functions) and by the smallest normal number, which covers devices that flush
subnormals to zero. It grants a difference of two nearly equal values the digits that any fp32 evaluation loses there,
but it grants no overflow: an intermediate that leaves the range of fp32 where the result does not is an error.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import mpmath
import numpy

from compiler.expand import expand
from compiler.scalar import shape_of, size
from ir.graph import Graph, Node
from ir.interface import ROWS
from ir.ops import OPS

EXTREMES = (0.0, *(sign * v for v in (1.0, 10.0, 50.0, 88.0, 89.0, 100.0, 1e4) for sign in (1.0, -1.0)))
ORDINARY = (1.0, -2.5, 1e4)
POSITIVE = (1.0, 10.0, 100.0)
MOST_POINTS, LEAST_POINTS, BUDGET = 8000, 400, 100_000
"""Points where there are more combinations: as many as BUDGET operations allow, within these limits."""
DIGITS = 60
ROUNDOFF = 2.0**-24
SMALLEST = 2.0**-126
LARGEST = float(numpy.finfo(numpy.float32).max)
SLACK = 4
"""The bound is first order; computed errors may reach this multiple of it."""

Values = dict[Node, numpy.ndarray]


@dataclass(frozen=True)
class Outcome:
    """points: evaluated; worst: relative error where nothing cancels; cancelled: points that keep fewer than 12 bits;
    failure: empty, or the first point that does not hold."""

    points: int
    worst: float
    cancelled: int
    failure: str


def _largest(a: numpy.ndarray, axis: int) -> numpy.ndarray:
    return a.max(axis=axis, keepdims=True)


def evaluate(
    graph: Graph, inputs: Mapping[str, numpy.ndarray], sizes: Mapping[str, int], live: int, pointwise: Callable,
    constant: Callable, total: Callable, largest: Callable = _largest,
) -> Values:
    """Every value of the graph, with a leading axis of points on inputs and results.

    live: what row counts are; pointwise(node, arrays), constant(value), total(array, axis), largest(array, axis): the
    arithmetic.
    """
    points = len(next(iter(inputs.values())))
    found: Values = {}
    for n in graph.nodes():
        operands = [found[o] for o in n.operands]
        found[n] = _structural(n, operands, inputs, sizes, live, points, constant, total, largest)
        if found[n] is None:
            found[n] = pointwise(n, [_aligned(a, n.type.rank) for a in operands])
    return found


def _aligned(a: numpy.ndarray, rank: int) -> numpy.ndarray:
    """Scalars, one per point, in the rank of what they meet."""
    return a.reshape(a.shape + (1,) * rank) if a.ndim == 1 else a


def _structural(n, operands, inputs, sizes, live, points, constant, total, largest):
    if n.op == "input":
        return numpy.full(points, live) if n.dtype == "int64" and n.type.rank else inputs[n.attr("name")]
    if n.op == "constant":
        return numpy.broadcast_to(constant(n.attr("value")), (points,))
    if n.op == "size":
        return numpy.broadcast_to(constant(int(size(n.attr("of"), sizes))), (points,))
    if n.op == "row_count":
        return numpy.broadcast_to(numpy.int64(live), (points,))
    if n.op == "live_rows":
        result = operands[0].copy()
        count = int(operands[1][0])
        result[:, count:] = constant(0.0)
        return result
    if n.op == "broadcast":
        return numpy.broadcast_to(_aligned(operands[0], n.type.rank), (points, *shape_of(n, sizes)))
    if n.op == "reshape":
        return operands[0].reshape(points, *shape_of(n, sizes))
    if n.op == "slice":
        return operands[0][..., int(size(n.attr("start"), sizes)):int(size(n.attr("stop"), sizes))]
    if n.op == "concat":
        return numpy.concatenate(operands, axis=-1)
    if n.op == "reduce_sum":
        return total(operands[0], n.attr("axis") + 1)
    if n.op == "reduce_max":
        return largest(operands[0], n.attr("axis") + 1)
    if n.op == "matmul":
        a, b = (o.swapaxes(1, 2) if n.attr(t) else o for o, t in zip(operands, ("transpose_a", "transpose_b")))
        return a @ b
    if n.op == "saved":
        return operands[0]
    return None


def in_fp32(graph: Graph, inputs, sizes, live: int) -> Values:
    """The graph in fp32, operation by operation."""

    def pointwise(n: Node, arrays):
        if n.op == "cast":
            return arrays[0].astype({"int64": numpy.int64, "bool": bool}.get(n.attr("to"), numpy.float32))
        return OPS[n.op].numpy(*arrays)

    with numpy.errstate(all="ignore"):
        return evaluate(graph, inputs, sizes, live, pointwise, numpy.float32,
                        lambda a, axis: a.sum(axis=axis, keepdims=True, dtype=numpy.float32))


def at_many_digits(graph: Graph, inputs, sizes, live: int) -> Values:
    """The same at 60 digits; NaN where there is no real value."""
    with mpmath.workdps(DIGITS):
        exact = {k: numpy.frompyfunc(lambda v: mpmath.mpf(float(v)), 1, 1)(v) if v.dtype.kind == "f" else v
                 for k, v in inputs.items()}
        return evaluate(graph, exact, sizes, live, exact_pointwise, lambda v: numpy.array(mpmath.mpf(v), dtype=object),
                        lambda a, axis: a.sum(axis=axis, keepdims=True))


def _real(function: Callable) -> Callable:
    """The function, NaN where it has no real value, remembering what it has computed."""
    memo: dict = {}

    def apply(*arguments):
        if arguments not in memo:
            try:
                value = function(*arguments)
            except (ZeroDivisionError, ValueError):
                value = mpmath.nan
            memo[arguments] = mpmath.nan if isinstance(value, mpmath.mpc) else value
        return memo[arguments]

    return apply


def _sigmoid(x):
    return 1 / (1 + mpmath.exp(-x))


_EXACT: dict[str, Callable] = {
    "div": lambda a, b: a / b,
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sqrt": mpmath.sqrt,
    "rsqrt": lambda a: 1 / mpmath.sqrt(a),
    "sigmoid": _sigmoid,
    "silu": lambda a: a * _sigmoid(a),
    "tanh": mpmath.tanh,
    "softplus": lambda a: mpmath.log1p(mpmath.exp(a)),
    "erf": mpmath.erf,
    "min": min,
    "max": max,
    "finite": lambda a: a,
}


def exact_pointwise(n: Node, arrays):
    if n.op == "cast":
        if arrays[0].dtype == bool:
            return numpy.where(arrays[0], mpmath.mpf(1), mpmath.mpf(0))
        return arrays[0] != 0 if n.attr("to") == "bool" else arrays[0]
    if n.op in _EXACT:
        return numpy.frompyfunc(_real(_EXACT[n.op]), len(arrays), 1)(*arrays)
    result = OPS[n.op].numpy(*arrays)
    return result.astype(bool) if n.dtype == "bool" else result


# Error bounds, in float64. e: errors of the operands, v: their values, r: the value of the result.

_INEXACT = {"add": 1, "sub": 1, "mul": 1, "div": 1, "sqrt": 1, "rsqrt": 4, "exp": 4, "log": 4, "sigmoid": 4, "silu": 5,
            "tanh": 4, "softplus": 4, "erf": 4}

_CARRIED: dict[str, Callable] = {
    "add": lambda e, v, r: e[0] + e[1],
    "sub": lambda e, v, r: e[0] + e[1],
    "mul": lambda e, v, r: _product(e[0], numpy.abs(v[1]) + e[1]) + _product(e[1], numpy.abs(v[0])),
    "div": lambda e, v, r: (e[0] + _product(e[1], numpy.abs(r))) / numpy.maximum(numpy.abs(v[1]) - e[1], 0),
    "exp": lambda e, v, r: _product(numpy.expm1(e[0]), r),
    "log": lambda e, v, r: e[0] / numpy.abs(v[0]),
    "sqrt": lambda e, v, r: _product(e[0], 0.5 / r),
    "rsqrt": lambda e, v, r: _product(e[0], 0.5 * r**3),
    "sigmoid": lambda e, v, r: _product(e[0], r * (1 - r)),
    "silu": lambda e, v, r: 1.1 * e[0],
    "tanh": lambda e, v, r: _product(e[0], 1 - r * r),
    "softplus": lambda e, v, r: e[0],
    "erf": lambda e, v, r: _product(e[0], 1.13 * numpy.exp(-v[0] ** 2)),
}


def _product(error, factor):
    """error * factor, zero where there is no error: 0 * inf is no error."""
    return numpy.where(error == 0, 0.0, error * factor)


def error_bounds(graph: Graph, exact: Values, sizes, live: int) -> Values:
    """First-order bounds on the fp32 error of every value."""
    values = {n: numpy.asarray(a, dtype=float) if n.dtype != "bool" else a for n, a in exact.items()}

    def pointwise(n: Node, errors):
        v = [_aligned(values[o], n.type.rank) for o in n.operands]
        r = values[n]
        if n.op in ("lt", "le", "gt", "ge", "eq"):
            reach = errors[0] + errors[1]
            return numpy.where((reach > 0) & (numpy.abs(v[0] - v[1]) <= reach), 1.0, 0.0)
        if n.op == "select":
            wrong = numpy.abs(v[1] - v[2]) + errors[1] + errors[2]
            return numpy.where(errors[0] > 0, wrong, numpy.where(v[0], errors[1], errors[2]))
        if n.op in _CARRIED:
            carried = _CARRIED[n.op](errors, v, r)
            return carried + _INEXACT[n.op] * (ROUNDOFF * numpy.abs(r) + SMALLEST)
        return numpy.broadcast_to(numpy.maximum.reduce(numpy.broadcast_arrays(*errors)), r.shape)

    found: Values = {}
    zeros = {n.attr("name"): numpy.zeros_like(values[n], dtype=float) for n in graph.nodes() if n.op == "input"}
    with numpy.errstate(all="ignore"):
        points = len(next(iter(values.values())))
        for n in graph.nodes():
            errors = [found[o] for o in n.operands]
            if n.op == "reduce_sum":
                axis = n.attr("axis") + 1
                operand = values[n.operands[0]]
                found[n] = errors[0].sum(axis, keepdims=True) + (
                    operand.shape[axis] * ROUNDOFF * numpy.abs(operand).sum(axis, keepdims=True))
            elif n.op == "matmul":
                found[n] = _matmul_error(n, errors, [numpy.abs(values[o]) for o in n.operands])
            else:
                if n.op == "live_rows":
                    errors[1] = values[n.operands[1]]
                found[n] = _structural(n, errors, zeros, sizes, live, points, lambda v: numpy.float64(0), None, _largest)
                if found[n] is None:
                    found[n] = pointwise(n, [_aligned(e, n.type.rank) for e in errors])
    return found


def _matmul_error(n: Node, errors, sizes_of) -> numpy.ndarray:
    """The error of a matrix product in fp32, whatever order it is summed in."""
    (ea, a), (eb, b) = ([m.swapaxes(1, 2) if n.attr(t) else m for m in pair]
                        for pair, t in zip(zip(errors, sizes_of), ("transpose_a", "transpose_b")))
    return (ea + a.shape[2] * ROUNDOFF * a) @ b + (a + ea) @ eb


def check(graph: Graph, defaults: Mapping[str, float], positive: frozenset[str]) -> Outcome:
    """The one output of `graph` at the extremes, in every combination of what it is not linear in.

    defaults: attribute -> a value to try besides the usual ones; positive: attributes that are above zero.
    More than `MOST_POINTS` combinations are sampled with a fixed seed, large graphs at fewer points.
    """
    graph = expand(graph)
    sizes = _least_sizes(graph)
    inputs = _points(graph, sizes, defaults, positive)
    computed = in_fp32(graph, inputs, sizes, sizes[ROWS])
    exact = at_many_digits(graph, inputs, sizes, sizes[ROWS])
    bounds = error_bounds(graph, exact, sizes, sizes[ROWS])
    (result,) = graph.outputs.values()
    got, truth = computed[result].astype(float), numpy.asarray(exact[result], dtype=float)
    bound = SLACK * bounds[result] + SMALLEST
    return _judge(got, truth, bound, inputs)


def _judge(got, truth, bound, inputs) -> Outcome:
    with numpy.errstate(all="ignore"):
        real = numpy.isfinite(truth) & (numpy.abs(truth) + bound <= LARGEST) | (numpy.abs(truth) <= LARGEST) & ~numpy.isfinite(bound)
        error = numpy.abs(got - truth)
        bad = real & ~(error <= bound)
        bad |= real & ~numpy.isfinite(got)
        bad |= numpy.isnan(got) & ~numpy.isnan(truth)
        sound = real & (bound <= 2.0**-14 * numpy.abs(truth))
        worst = float((error / numpy.abs(truth))[sound].max(initial=0.0))
        cancelled = int((real & (bound > 2.0**-12 * numpy.abs(truth)) & (numpy.abs(truth) > 2.0**-100)).sum())
    failure = ""
    if bad.any():
        at = tuple(int(i[0]) for i in numpy.nonzero(bad))
        where = ", ".join(f"{k} = {_brief(v[at[0]])}" for k, v in inputs.items())
        failure = f"{got[at]:.6g} where {truth[at]:.6g} is right and {bound[at]:.2g} is allowed, at {where}"
    return Outcome(int(truth.size), worst, cancelled, failure)


def _brief(value) -> str:
    flat = numpy.asarray(value).reshape(-1)
    return f"{flat[0]:g}" if flat.size == 1 else "[" + ", ".join(f"{v:g}" for v in flat) + "]"


def _least_sizes(graph: Graph) -> dict[str, int]:
    """One element where the graph is pointwise, two along what it sums over."""
    summed = {s.name for n in graph.nodes() if n.op in ("reduce_sum", "reduce_max", "matmul")
              for d in n.operands[0].shape for s in d.free_symbols}
    dims = {d for n in graph.nodes() for d in n.shape}
    names = {s.name for d in dims for s in d.free_symbols} | {ROWS}
    least = {n: 2 if n in summed and (n != ROWS or _sums_rows(graph)) else 1 for n in sorted(names)}
    several = ({n: times * s if n != ROWS else s for n, s in least.items()} for times in range(1, 13))
    return next((s for s in several if all(size(d, s).is_Integer for d in dims)), least)


def _sums_rows(graph: Graph) -> bool:
    return any(n.op == "reduce_sum" and n.attr("axis") == 0 or n.op == "matmul" and n.attr("transpose_a") for n in graph.nodes())


def _operations(graph: Graph, sizes) -> int:
    """Operations of one evaluation."""
    count = 0
    for n in graph.nodes():
        inner = shape_of(n.operands[0], sizes)[0 if n.attr("transpose_a") else 1] if n.op == "matmul" else 1
        count += math.prod(shape_of(n, sizes)) * inner
    return count


def nonlinear_inputs(graph: Graph) -> set[str]:
    """The inputs that an output depends on in any other way than linearly."""
    linear: dict[Node, set[str]] = {}
    bent: set[str] = set()
    for n in graph.nodes():
        reach = [linear[o] for o in n.operands]
        linear[n] = {n.attr("name")} if n.op == "input" else set().union(*reach)
        if n.op == "mul":
            bent |= reach[0] & reach[1]
        elif n.op == "div":
            bent |= reach[1]
        elif n.op == "select":
            bent |= reach[0]
        elif OPS[n.op].kind == "pointwise" and n.op not in ("add", "sub", "neg", "cast", "finite"):
            bent |= linear[n]
    return bent


def _points(graph: Graph, sizes, defaults, positive) -> dict[str, numpy.ndarray]:
    bent = nonlinear_inputs(graph)
    choices: list[tuple[float, ...]] = []
    shapes: dict[str, tuple[int, ...]] = {}
    for name, n in graph.inputs.items():
        if n.dtype == "int64":
            continue
        shapes[name] = shape_of(n, sizes)
        values = POSITIVE if name in positive else EXTREMES if name in bent else ORDINARY
        if name in defaults and (name not in positive or defaults[name] > 0):
            values = (*values, defaults[name])
        choices += [values] * int(numpy.prod(shapes[name], dtype=int))
    most = min(MOST_POINTS, max(LEAST_POINTS, BUDGET // _operations(graph, sizes)))
    table = numpy.array(_combinations(choices, most), dtype=numpy.float32)
    found, at = {}, 0
    for name, shape in shapes.items():
        width = int(numpy.prod(shape, dtype=int))
        block = table[:, at:at + width].reshape(-1, *shape)
        found[name] = block > 0 if graph.inputs[name].dtype == "bool" else block
        at += width
    return found or {"": numpy.zeros((1,), numpy.float32)}


def _combinations(choices: list[tuple[float, ...]], most: int) -> list[tuple[float, ...]]:
    number = 1
    for values in choices:
        number *= len(values)
    if number <= MOST_POINTS:
        return list(itertools.product(*choices))
    draw = random.Random(1)
    return [tuple(draw.choice(values) for values in choices) for _ in range(most)]
