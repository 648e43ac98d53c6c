"""Random well-formed graphs: every operation of the table, odd names, every kind of constant."""

import math

from hypothesis import strategies as st

from ir.builder import common_shape, spread
from ir.graph import Graph, GraphError, node
from ir.types import FLOATS

SHAPES = ((), ("T", "H"), ("T", "2*H"), ("T", "1"), ("1", "H"), ("3", "H - 1"))
SYMBOLS = {"T": 3, "H": 4, "G": 2}
UNARY = ("neg", "exp", "log", "sqrt", "rsqrt", "abs", "sigmoid", "silu", "tanh", "softplus", "erf", "finite")
BINARY = ("add", "sub", "mul", "div", "min", "max", "lt", "le", "gt", "ge", "eq")

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(["x", "x_1", "0", "x0_clamped"])
constants = st.floats(width=32) | st.sampled_from([0.0, -0.0, 1.0, math.inf, -math.inf, math.nan])


def _pointwise(op, *operands):
    shape = common_shape(*operands)
    return node(op, *(spread(o, shape) for o in operands))


def _grown(draw, values):
    """One more value, from those that there are. Raises GraphError where the operation does not take what was drawn."""
    pick = lambda: draw(st.sampled_from(values))
    kind = draw(st.sampled_from(("unary", "binary", "logic", "select", "cast", "reduce", "slice", "concat", "guard",
                                 "saved", "constant", "size", "live", "matmul")))  # fmt: skip
    if kind == "unary":
        return node(draw(st.sampled_from(UNARY)), pick())
    if kind == "binary":
        return _pointwise(draw(st.sampled_from(BINARY)), pick(), pick())
    if kind == "logic":
        return _pointwise(draw(st.sampled_from(("and", "or"))), pick(), pick())
    if kind == "select":
        return _pointwise("select", pick(), pick(), pick())
    if kind == "cast":
        return node("cast", pick(), to=draw(st.sampled_from(FLOATS)))
    if kind == "reduce":
        return node(draw(st.sampled_from(("reduce_sum", "reduce_max"))), pick(), axis=draw(st.integers(0, 1)))
    if kind == "slice":
        value = pick()
        last = str(value.shape[-1]) if value.shape else "1"
        return node("slice", value, start=draw(st.sampled_from(("0", f"{last} - 1"))), stop=last)
    if kind == "concat":
        value = pick()
        if not value.shape:
            raise GraphError("a scalar has no last axis")
        return node("concat", value, value)
    if kind == "guard":
        return node("guard", pick(), pick(), option=draw(names))
    if kind == "saved":
        return node("saved", pick(), name=draw(names))
    if kind == "constant":
        return node("constant", value=draw(constants), dtype=draw(st.sampled_from(FLOATS)))
    if kind == "size":
        return node("size", of=draw(st.sampled_from(("T", "2*H"))))
    if kind == "live":
        return node(
            "live_rows", pick(), node("row_count", node("input", name="counts", shape=("G",), dtype="int64"), rows="T")
        )
    value = pick()
    return node("matmul", value, value, transpose_b=draw(st.booleans()))


@st.composite
def graphs(draw):
    """A graph over floats of one dtype, booleans, counts and their sums."""
    inputs = {"counts": node("input", name="counts", shape=("G",), dtype="int64")}
    for name in draw(st.lists(names.filter(lambda n: n != "counts"), min_size=1, max_size=3, unique=True)):
        dtype = draw(st.sampled_from((*FLOATS, "float32", "bool")))
        inputs[name] = node("input", name=name, shape=draw(st.sampled_from(SHAPES)), dtype=dtype)
    values = list(inputs.values())
    for _ in range(draw(st.integers(0, 25))):
        try:
            values.append(_grown(draw, values))
        except GraphError:
            continue
    outputs = {n: draw(st.sampled_from(values)) for n in draw(st.lists(names, min_size=1, max_size=3, unique=True))}
    live = Graph(draw(names), inputs, outputs).nodes()
    named = {n: draw(names) for n in live if draw(st.booleans())}
    return Graph(draw(names), inputs, outputs, named)
