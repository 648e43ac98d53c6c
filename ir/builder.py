"""Writing a forward definition: values with arithmetic, and `Forward`, the room they live in."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from numbers import Real

import sympy

from ir.graph import Graph, GraphError, Node, node
from ir.interface import ROWS, Interface, Operator, Tensor
from ir.ops import constant
from ir.types import dim


_OF_NUMPY = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv, "less": operator.lt,
             "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge, "equal": operator.eq, "not_equal": operator.ne,
             "absolute": abs, "negative": operator.neg, "power": operator.pow}
"""What NumPy calls the operators of Python; its own numbers on their left side ask it first."""

_RENAMED = {"maximum": "max", "minimum": "min", "fabs": "abs"}
"""Functions that NumPy has under another name than `Forward`."""

LARGEST_POWER = 8
"""Powers up to this one are written as products."""


class Value:
    """A node with arithmetic. Operands of unequal shape are broadcast; numbers become constants.

    Comparisons, `&`, `|` and `~` make masks, of which `Forward.select` chooses. Nobody knows the numbers while the definition
    runs, so that nothing of Python that asks for them works: `if`, `and`, `or`, `not`, chained comparisons, float(), loops.
    """

    __slots__ = ("node",)
    __hash__ = object.__hash__

    def __init__(self, node: Node):
        self.node = node

    def __add__(self, other):
        return _binary("add", self, other)

    def __radd__(self, other):
        return _binary("add", other, self)

    def __sub__(self, other):
        return _binary("sub", self, other)

    def __rsub__(self, other):
        return _binary("sub", other, self)

    def __mul__(self, other):
        return _binary("mul", self, other)

    def __rmul__(self, other):
        return _binary("mul", other, self)

    def __truediv__(self, other):
        return _binary("div", self, other)

    def __rtruediv__(self, other):
        return _binary("div", other, self)

    def __neg__(self):
        return Value(node("neg", self.node))

    def __lt__(self, other):
        return _binary("lt", self, other)

    def __le__(self, other):
        return _binary("le", self, other)

    def __gt__(self, other):
        return _binary("gt", self, other)

    def __ge__(self, other):
        return _binary("ge", self, other)

    def __eq__(self, other):
        return _binary("eq", self, other)

    def __ne__(self, other):
        return ~_binary("eq", self, other)

    def __and__(self, other):
        return _binary("and", self, other)

    def __or__(self, other):
        return _binary("or", self, other)

    def __invert__(self):
        return Value(node("not", self.node))

    def __abs__(self):
        return Value(node("abs", self.node))

    def __pow__(self, power):
        if isinstance(power, bool) or not isinstance(power, int) or not 1 <= power <= LARGEST_POWER:
            raise GraphError(f"**: wants a whole power from 1 to {LARGEST_POWER}; f.sqrt(x), f.rsqrt(x), 1 / x and f.exp(p * f.log(x)) are others")
        if power == 1:
            return self
        half = self ** (power // 2)
        return half * half * self if power % 2 else half * half

    def __rpow__(self, base):
        raise GraphError("**: wants a whole power; f.exp(x * log_of_base) is the power of a number")

    def __matmul__(self, other):
        return _matmul(self, other)

    def __bool__(self):
        raise GraphError("a condition on values has no truth here: `if`, `and`, `or`, `not`, max(), min() and a < b < c ask for one. Write "
                         "f.select(condition, a, b), f.max(a, b), f.min(a, b), (a < b) & (b < c), p | q, ~p")

    def __iter__(self):
        raise GraphError("a value has no parts to walk or to index: f.split(x, parts) cuts the last axis, f.sum(x, axis) adds one up")

    def __getitem__(self, index):
        iter(self)

    def __float__(self):
        raise GraphError("a value is no number here, as float() and the functions of math want it: write f.tanh(x), f.exp(x) and so on")

    __int__ = __index__ = __float__

    def __array_ufunc__(self, ufunc, method, *operands, **options):
        """NumPy's functions compute numbers; its operators mean the operators."""
        name = ufunc.__name__
        if method == "__call__" and name in _OF_NUMPY and not options:
            return _OF_NUMPY[name](*(o if isinstance(o, Value) else o.item() if getattr(o, "shape", None) == () else o for o in operands))
        own = _RENAMED.get(name, name)
        raise GraphError(f"np.{name}: NumPy computes numbers, not values of a graph" + (f"; write f.{own}(...)" if hasattr(Forward, own) else ""))

    @property
    def shape(self):
        return self.node.shape


def _value(x) -> Value:
    if isinstance(x, Value):
        return x
    if isinstance(x, Real) and not isinstance(x, bool):
        return Value(constant(float(x)))
    raise GraphError(f"{x!r}: wants a value or a number")


def spread(n: Node, shape: tuple) -> Node:
    """n broadcast to that shape; scalars stay as they are, every operation takes them."""
    return n if not n.shape or n.shape == shape else node("broadcast", n, shape=tuple(map(str, shape)))


def common_shape(*nodes: Node) -> tuple:
    """The shape that all of them broadcast to. Raises GraphError when there is none."""
    shapes = [n.shape for n in nodes if n.shape]
    if not shapes:
        return ()
    if len({len(s) for s in shapes}) > 1:
        raise GraphError(f"ranks differ: {', '.join(str(n.type) for n in nodes)}")
    result = []
    for sizes in zip(*shapes):
        real = {s for s in sizes if s != 1}
        if len(real) > 1:
            raise GraphError(f"shapes do not broadcast: {', '.join(str(n.type) for n in nodes)}")
        result.append(next(iter(real), sympy.Integer(1)))
    return tuple(result)


def _pointwise(op: str, *operands) -> Value:
    nodes = [_value(o).node for o in operands]
    shape = common_shape(*nodes)
    return Value(node(op, *(spread(n, shape) for n in nodes)))


def _binary(op: str, a, b) -> Value:
    return _pointwise(op, a, b)


def _matmul(a, b, **transposed: bool) -> Value:
    return Value(node("matmul", _value(a).node, _value(b).node, **{k: True for k, v in transposed.items() if v}))


def _reshape(x: Value, shape: tuple) -> Value:
    return x if x.shape == shape else Value(node("reshape", x.node, shape=tuple(map(str, shape))))


class Forward:
    """Where a forward (or a documented formula) is written: ``f.x`` is the tensor or attribute of that name.

    Tensors with leading dimensions have the graph shape (T, ...), ``# T`` tensors (T, 1), vectors (1, n).
    All arithmetic is real arithmetic, written as float32; dtypes are the compiler's business.
    unknowns: scalars that the forward uses and no interface gives.
    """

    def __init__(self, interface: Interface, unknowns: Collection[str] = ()):
        self._interface = interface
        self._unknowns = unknowns
        self._inputs: dict[str, Node] = {}

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        return Value(self._input(name))

    def _input(self, name: str) -> Node:
        if name not in self._inputs:
            tensors = {t.name: t for t in self._interface.tensors}
            attributes = {a.name: a for a in self._interface.attributes}
            if name in tensors:
                t = tensors[name]
                dtype = t.dtype if t.dtype in ("int64", "bool") else "float32"
                self._inputs[name] = node("input", name=name, shape=graph_shape(t), dtype=dtype)
            elif name in attributes:
                dtype = {"float": "float32", "int": "int64", "bool": "bool"}[attributes[name].type]
                self._inputs[name] = node("input", name=name, shape=(), dtype=dtype)
            elif name in self._unknowns:
                self._inputs[name] = node("input", name=name, shape=(), dtype="float32")
            else:
                from difflib import get_close_matches

                functions = [k for k in dir(Forward) if not k.startswith("_")]
                close = get_close_matches(name, [*tensors, *attributes, *self._unknowns, *functions], 1)
                known = f"did you mean {close[0]}? It has" if close else "it has"
                raise GraphError(f"{self._interface.name} has no tensor, attribute or function {name!r}; {known} "
                                 f"{', '.join([*tensors, *attributes, *self._unknowns])} and {', '.join(functions)}")
        return self._inputs[name]

    @property
    def rows(self) -> Value:
        """The number of rows, as an int64 scalar."""
        return Value(node("size", of=ROWS))

    def size(self, of: str) -> Value:
        """A dimension as a real number, for means: ``f.size("H")``."""
        return Value(node("cast", node("size", of=of), to="float32"))

    def split(self, x: Value, parts: int) -> tuple[Value, ...]:
        """Equal parts along the last axis."""
        last = x.shape[-1]
        step = sympy.expand(last / parts)
        cut = lambda i: str(sympy.expand(step * i))
        return tuple(Value(node("slice", x.node, start=cut(i), stop=cut(i + 1))) for i in range(parts))

    def concat(self, *values: Value) -> Value:
        return Value(node("concat", *(v.node for v in values)))

    def reshape(self, x: Value, *dims: str | int) -> Value:
        """x in another shape of as many elements: ``f.reshape(x, "T", "C", "H")``."""
        return _reshape(x, tuple(dim(d) for d in dims))

    def channels(self, x: Value, count: str | int) -> Value:
        """The last axis cut into `count` channels: (T, C*H) becomes (T, C, H)."""
        *others, last = x.shape
        return _reshape(x, (*others, dim(count), sympy.cancel(last / dim(count))))

    def flatten(self, x: Value) -> Value:
        """The last two axes as one: (T, C, H) becomes (T, C*H)."""
        *others, channels, features = x.shape
        return _reshape(x, (*others, channels * features))

    def matmul(self, a: Value, b: Value, transpose_a: bool = False, transpose_b: bool = False) -> Value:
        """a @ b, either of them transposed first."""
        return _matmul(a, b, transpose_a=transpose_a, transpose_b=transpose_b)

    def when(self, option: str, present, absent) -> Value:
        """`present` where the option is supplied, else `absent`."""
        if option not in {o.name for o in self._interface.options}:
            known = ", ".join(o.name for o in self._interface.options)
            raise GraphError(f"{self._interface.name} has no option {option!r}, it has {known}")
        a, b = _value(present).node, _value(absent).node
        shape = common_shape(a, b)
        return Value(node("guard", spread(a, shape), spread(b, shape), option=option))

    def saved(self, name: str, expression: Value) -> Value:
        """A tensor that the forward saved: `expression` defines it, the backward uses it as given."""
        given = self._input(name)
        if expression.shape != given.shape:
            raise GraphError(f"{name}: is {given.type}, but {expression.node.type} is saved under that name")
        return Value(node("saved", expression.node, name=name))

    def row_count(self, counts: Value) -> Value:
        """The sum of int64 counts, clamped to [0, T]."""
        return Value(node("row_count", counts.node, rows=ROWS))

    def live_rows(self, x: Value, count: Value) -> Value:
        """x in rows below count, exact zeros in the others."""
        return Value(node("live_rows", x.node, count.node))

    def sum(self, x: Value, axis: int = -1) -> Value:
        return Value(node("reduce_sum", x.node, axis=axis % x.node.type.rank))

    def amax(self, x: Value, axis: int = -1) -> Value:
        """The largest value along an axis. At a tie nobody has a gradient."""
        return Value(node("reduce_max", x.node, axis=axis % x.node.type.rank))

    def mean(self, x: Value, axis: int = -1) -> Value:
        axis %= x.node.type.rank
        return self.sum(x, axis) / self.size(str(x.shape[axis]))

    def clamp(self, x, low, high) -> Value:
        return _pointwise("min", _pointwise("max", x, low), high)

    def select(self, condition, a, b) -> Value:
        return _pointwise("select", condition, a, b)

    def min(self, a, b) -> Value:
        return _pointwise("min", a, b)

    def max(self, a, b) -> Value:
        return _pointwise("max", a, b)


def _unary(op: str) -> Callable:
    def method(self, x) -> Value:
        return _pointwise(op, x)

    method.__name__ = op
    return method


for _op in ("exp", "log", "sqrt", "rsqrt", "abs", "sigmoid", "silu", "tanh", "softplus", "erf"):
    setattr(Forward, _op, _unary(_op))


def graph_shape(tensor: Tensor) -> tuple[str, ...]:
    """The shape that a tensor of the interface has in graphs."""
    dims = tuple(str(dim(d)) for d in tensor.dims)
    if tensor.leading:
        return (ROWS, *dims)
    if tensor.elements_only:
        return (*dims, "1")
    if len(dims) == 1 and tensor.dtype not in ("int64", "bool"):
        return ("1", *dims)
    return dims


def build_forward(operator: Operator) -> Graph:
    """The forward graph: outputs are the forward's, values carry the names of the local variables that held them."""
    return _build(operator, operator.forward, f"{operator.interface.snake}_forward")


def build_documented(operator: Operator) -> Graph | None:
    """The documented gradient formulas as a graph, or None where the documents have none."""
    if operator.documented is None:
        return None
    return _build(operator, operator.documented, f"{operator.interface.snake}_documented")


def _other_than_values(outputs: object) -> str | None:
    """What a definition returned in place of a dict of values, in words."""
    what = lambda x: "a value" if isinstance(x, Value) else "None" if x is None else f"a {type(x).__name__}"
    if not isinstance(outputs, dict):
        return what(outputs)
    if not outputs:
        return "an empty dict"
    return next((f"a dict whose {k!r} is {what(v)}" for k, v in outputs.items() if not isinstance(k, str) or not isinstance(v, Value)), None)


def _build(operator: Operator, define: Callable, name: str) -> Graph:
    room = Forward(operator.interface, operator.unknowns)
    local: dict[str, object] = {}

    def remember(frame, event, result):
        if event == "return" and frame.f_code is define.__code__:
            local.update(frame.f_locals)

    previous = sys.getprofile()
    sys.setprofile(remember)
    try:
        outputs = define(room)
    finally:
        sys.setprofile(previous)
    if (returned := _other_than_values(outputs)) is not None:
        raise GraphError(f"{define.__name__}: returns {returned}, wants a dict of output name -> value")
    names = {v.node: k for k, v in local.items() if isinstance(v, Value) and v.node.op not in ("input", "constant")}
    interface = operator.interface
    order = [*(t.name for t in interface.tensors), *(a.name for a in interface.attributes), *operator.unknowns]
    inputs = {k: room._inputs[k] for k in order if k in room._inputs}
    graph = Graph(name, inputs, {k: v.node for k, v in outputs.items()}, names)
    used = set(graph.nodes())
    return replace(graph, names={n: text for n, text in names.items() if n in used}).verify()
