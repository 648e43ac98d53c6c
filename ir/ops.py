"""The table of operations. A row holds the name, the type rule, the sympy meaning and the NumPy meaning.

Scalar derivatives are sympy's, taken of the meaning (`compiler.differentiate`). A row with `derivative` pins it: at the
kink of min and max sympy would say 1/2, and the documents say 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy

from ir import functions
from ir.graph import GraphError
from ir.types import DTYPES, FLOATS, TensorType, dim, finfo


@dataclass(frozen=True)
class Op:
    """kind: leaf, pointwise, reduce, shape, rows (acts on whole rows), option, matmul.

    type_rule(operand types, attrs) -> TensorType, raising GraphError.
    meaning(*sympy expressions) for pointwise operations.
    numpy(*arrays, **attrs) -> array; shapes in attrs are concrete there.
    derivative(*sympy expressions) -> one expression per operand, where the meaning's own derivative must not be used.
    """

    name: str
    kind: str
    arity: int | None
    type_rule: Callable
    numpy: Callable
    meaning: Callable | None = None
    derivative: Callable | None = None


def _np():
    import numpy

    return numpy


def _same(types: tuple[TensorType, ...], attrs: dict) -> TensorType:
    """One shape (scalars go with any) and one dtype."""
    shapes = {t.shape for t in types if t.shape}
    if len(shapes) > 1:
        raise GraphError(f"shapes differ: {', '.join(map(str, types))}")
    dtypes = {t.dtype for t in types}
    if len(dtypes) > 1:
        raise GraphError(f"dtypes differ: {', '.join(map(str, types))}")
    return TensorType(next(iter(shapes), ()), types[0].dtype)


def _floats(types, attrs):
    result = _same(types, attrs)
    if result.dtype not in FLOATS:
        raise GraphError(f"got {result.dtype}, wants a float")
    return result


def _compare(types, attrs):
    return _same(types, attrs).with_dtype("bool")


def _logic(types, attrs):
    result = _same(types, attrs)
    if result.dtype != "bool":
        raise GraphError(f"got {result.dtype}, wants bool")
    return result


def _select(types, attrs):
    condition, *values = types
    if condition.dtype != "bool":
        raise GraphError(f"condition is {condition.dtype}, wants bool")
    result = _same(tuple(values), attrs)
    shape = _same((condition.with_dtype(result.dtype), result), attrs).shape
    return TensorType(shape, result.dtype)


def _cast(types, attrs):
    return types[0].with_dtype(_known(attrs["to"]))


def _known(dtype: str) -> str:
    if dtype not in DTYPES:
        raise GraphError(f"dtype={dtype}, wants one of {', '.join(DTYPES)}")
    return dtype


def _leaf(types, attrs):
    return TensorType(tuple(dim(d) for d in attrs["shape"]), _known(attrs["dtype"]))


def _constant(types, attrs):
    return TensorType((), _known(attrs["dtype"]))


def _reduce(types, attrs):
    (t,) = types
    axis = attrs["axis"]
    if not 0 <= axis < t.rank:
        raise GraphError(f"axis={axis}, wants 0..{t.rank - 1}")
    return TensorType(tuple(sympy.Integer(1) if i == axis else d for i, d in enumerate(t.shape)), t.dtype)


def _broadcast(types, attrs):
    (t,) = types
    shape = tuple(dim(d) for d in attrs["shape"])
    if t.shape and (t.rank != len(shape) or any(a != b and a != 1 for a, b in zip(t.shape, shape))):
        raise GraphError(f"{t} does not broadcast to {'x'.join(map(str, shape))}")
    return TensorType(shape, t.dtype)


def _reshape(types, attrs):
    (t,) = types
    shape = tuple(dim(d) for d in attrs["shape"])
    if sympy.expand(sympy.prod(t.shape) - sympy.prod(shape)) != 0:
        raise GraphError(f"{t} has not as many elements as {'x'.join(map(str, shape))}")
    return TensorType(shape, t.dtype)


def _slice(types, attrs):
    (t,) = types
    if not t.rank:
        raise GraphError("a scalar has no last axis")
    return TensorType((*t.shape[:-1], sympy.simplify(dim(attrs["stop"]) - dim(attrs["start"]))), t.dtype)


def _concat(types, attrs):
    if len({(t.shape[:-1], t.dtype) for t in types}) != 1:
        raise GraphError(f"all but the last axis must agree: {', '.join(map(str, types))}")
    return TensorType((*types[0].shape[:-1], sum(t.shape[-1] for t in types)), types[0].dtype)


def _row_count(types, attrs):
    (t,) = types
    if t.rank != 1 or t.dtype != "int64":
        raise GraphError(f"counts are {t}, wants a vector of int64")
    return TensorType((), "int64")


def _size(types, attrs):
    return TensorType((), "int64")


def _live_rows(types, attrs):
    value, count = types
    if not value.rank:
        raise GraphError("a scalar has no rows")
    if count.shape or count.dtype != "int64":
        raise GraphError(f"the row count is {count}, wants an int64 scalar")
    return value


def _guard(types, attrs):
    present, absent = types
    if present.dtype != absent.dtype or (present.shape and absent.shape and present.shape != absent.shape):
        raise GraphError(f"both sides must agree: {present}, {absent}")
    return present if present.shape else absent


def _saved(types, attrs):
    return types[0]


def _matmul(types, attrs):
    a, b = types
    left = a.shape[::-1] if attrs.get("transpose_a") else a.shape
    right = b.shape[::-1] if attrs.get("transpose_b") else b.shape
    if a.rank != 2 or b.rank != 2 or left[1] != right[0] or a.dtype != b.dtype:
        fits = next((f"; with {name}=True they fit" for name, x, y in (("transpose_b", left, right[::-1]), ("transpose_a", left[::-1], right))
                     if a.rank == b.rank == 2 and a.dtype == b.dtype and not attrs.get(name) and x[1] == y[0]), "")
        raise GraphError(f"inner dimensions or dtypes differ{fits}")
    return TensorType((left[0], right[1]), _known(attrs.get("to", a.dtype)))


def _strict(first_wins: Callable):
    """The strict rule at a kink: an operand gets the cotangent where it wins, nobody at a tie."""

    def derivative(a, b):
        pick = lambda condition: sympy.Piecewise((1, condition), (0, True))
        return pick(first_wins(a, b)), pick(first_wins(b, a))

    return derivative


def _np_softplus(x):
    return _np().logaddexp(x, x.dtype.type(0))


def _np_sigmoid(x):
    np = _np()
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))


def _np_finite(x):
    largest = x.dtype.type(finfo(x.dtype).max)
    return _np().clip(x, -largest, largest)


def _np_matmul(a, b, transpose_a=False, transpose_b=False, to=None):
    """16-bit operands are multiplied and accumulated in float32, as cubes do; who asks for less rounds once."""
    np = _np()
    wide = np.float32 if a.dtype.itemsize == 2 else a.dtype
    left, right = (a.T if transpose_a else a), (b.T if transpose_b else b)
    return left.astype(wide) @ right.astype(wide)


def _np_rsqrt(x):
    np = _np()
    return 1 / np.sqrt(x)


def _pointwise(name, arity, meaning, numpy, rule=_floats, derivative=None):
    return Op(name, "pointwise", arity, rule, numpy, meaning, derivative)


def _numpy(name):
    return lambda *a, **k: getattr(_np(), name)(*a)


_ROWS = (
    Op("input", "leaf", 0, _leaf, None),
    Op("constant", "leaf", 0, _constant, None),
    Op("size", "leaf", 0, _size, None),
    _pointwise("add", 2, lambda a, b: a + b, _numpy("add")),
    _pointwise("sub", 2, lambda a, b: a - b, _numpy("subtract")),
    _pointwise("mul", 2, lambda a, b: a * b, _numpy("multiply")),
    _pointwise("div", 2, lambda a, b: a / b, _numpy("divide")),
    _pointwise("neg", 1, lambda a: -a, _numpy("negative")),
    _pointwise("exp", 1, sympy.exp, _numpy("exp")),
    _pointwise("log", 1, sympy.log, _numpy("log")),
    _pointwise("sqrt", 1, sympy.sqrt, _numpy("sqrt")),
    _pointwise("rsqrt", 1, lambda a: 1 / sympy.sqrt(a), _np_rsqrt),
    _pointwise("abs", 1, sympy.Abs, _numpy("abs"),
               derivative=lambda a: (sympy.Piecewise((1, a > 0), (sympy.Piecewise((-1, a < 0), (0, True)), True)),)),
    _pointwise("sigmoid", 1, functions.sigmoid, _np_sigmoid),
    _pointwise("silu", 1, lambda a: a * functions.sigmoid(a), lambda a: _np_finite(a) * _np_sigmoid(a)),
    _pointwise("tanh", 1, functions.tanh, _numpy("tanh")),
    _pointwise("softplus", 1, functions.softplus, _np_softplus),
    _pointwise("erf", 1, sympy.erf, lambda a: _np().vectorize(__import__("math").erf, otypes=[a.dtype])(a)),
    # The nearest finite value; over the reals it is the identity. It keeps silu(-inf) = -inf * 0 from being NaN.
    _pointwise("finite", 1, lambda a: a, _np_finite, derivative=lambda a: (sympy.Integer(1),)),
    _pointwise("min", 2, lambda a, b: sympy.Piecewise((a, a < b), (b, True)), _numpy("minimum"),
               derivative=_strict(lambda a, b: a < b)),
    _pointwise("max", 2, lambda a, b: sympy.Piecewise((a, a > b), (b, True)), _numpy("maximum"),
               derivative=_strict(lambda a, b: a > b)),
    _pointwise("lt", 2, lambda a, b: a < b, _numpy("less"), _compare),
    _pointwise("le", 2, lambda a, b: a <= b, _numpy("less_equal"), _compare),
    _pointwise("gt", 2, lambda a, b: a > b, _numpy("greater"), _compare),
    _pointwise("ge", 2, lambda a, b: a >= b, _numpy("greater_equal"), _compare),
    _pointwise("eq", 2, sympy.Eq, _numpy("equal"), _compare),
    _pointwise("and", 2, sympy.And, _numpy("logical_and"), _logic),
    _pointwise("or", 2, sympy.Or, _numpy("logical_or"), _logic),
    _pointwise("not", 1, sympy.Not, _numpy("logical_not"), _logic),
    _pointwise("select", 3, lambda c, a, b: sympy.Piecewise((a, c), (b, True)), _numpy("where"), _select),
    _pointwise("cast", 1, lambda a: a, None, _cast),
    Op("reduce_sum", "reduce", 1, _reduce, lambda a, axis: a.sum(axis=axis, keepdims=True)),
    Op("reduce_max", "reduce", 1, _reduce, lambda a, axis: a.max(axis=axis, keepdims=True)),
    Op("broadcast", "shape", 1, _broadcast, lambda a, shape: _np().broadcast_to(a, shape)),
    Op("reshape", "shape", 1, _reshape, lambda a, shape: a.reshape(shape)),
    Op("slice", "shape", 1, _slice, lambda a, start, stop: a[..., start:stop]),
    Op("concat", "shape", None, _concat, lambda *a: _np().concatenate(a, axis=-1)),
    # a @ b, each transposed where an attribute says so; `to` is the dtype of the result where it is not that of the operands.
    Op("matmul", "matmul", 2, _matmul, _np_matmul),
    # The sum of the counts, clamped to [0, rows].
    Op("row_count", "rows", 1, _row_count, lambda a, rows: _np().int64(min(max(int(a.sum(dtype=_np().int64)), 0), rows))),
    # Rows at or beyond the count are zeros and their operand is never looked at.
    Op("live_rows", "rows", 2, _live_rows,
       lambda a, n: _np().where((_np().arange(a.shape[0]) < n).reshape(-1, *[1] * (a.ndim - 1)), a, a.dtype.type(0))),
    # The first operand where the option is present, else the second.
    Op("guard", "option", 2, _guard, None),
    # A tensor that the forward operator saved: its defining expression, and the name under which it is given.
    Op("saved", "option", 1, _saved, lambda a, name: a),
)

OPS: dict[str, Op] = {row.name: row for row in _ROWS}


def constant(value: float, dtype: str = "float32"):
    from ir.graph import node

    return node("constant", value=value, dtype=dtype)
