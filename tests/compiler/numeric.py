"""Graphs evaluated in float64, and random operators, for the tests of the passes."""

import zlib

import numpy as np
from hypothesis import strategies as st

from compiler.rounding import evaluate
from ir.graph import Graph, Node, node, rebuild
from ir.interface import Attribute, Interface, Operator, Option, Tensor, Text
from ir.ops import OPS

NOTHING = Text("", "")
SIZES = {"T": 3, "H": 4, "G": 2}


def choose(graph: Graph, options) -> Graph:
    """The graph without guards, nothing else changed."""

    def rule(n: Node, operands):
        if n.op == "guard":
            side = operands[0 if n.attr("option") in options else 1]
            return node("broadcast", side, shape=tuple(map(str, n.shape))) if side.shape != n.shape else side
        return rebuild(n, operands)

    return graph.map(rule)


def in_float64(graph: Graph, inputs, live=SIZES["T"], sizes=SIZES):
    """Outputs in float64; inputs are arrays of the graph's shapes."""

    def pointwise(n, arrays):
        return arrays[0].astype(float) if n.op == "cast" else OPS[n.op].numpy(*arrays)

    with np.errstate(all="ignore"):
        batch = {k: np.asarray(v)[None] for k, v in inputs.items()} or {"": np.zeros(1)}
        values = evaluate(graph, batch, sizes, live, pointwise, np.float64, lambda a, axis: a.sum(axis=axis, keepdims=True))
    return {k: values[n][0] for k, n in graph.outputs.items()}


def draw_inputs(seed: int):
    draw = np.random.default_rng(seed)
    normal = lambda *shape: draw.normal(size=shape) * 1.5
    return {"a": normal(3, 8), "b": normal(3, 4), "r": normal(3, 1), "s": normal(1, 4), "limit": np.float64(abs(normal()) + 0.1),
            "grad_y": normal(3, 4), "grad_row": normal(3, 1), "counts": np.zeros(2)}


def random_operator(define, row_output=False) -> Operator:
    """An operator on a (rows of 8), b (rows of 4), r (per row), s (per column) and a limit."""
    outputs = [Tensor(f"grad_{n}", shape, "T", NOTHING, role="output", like=n)
               for n, shape in (("a", "..., 2*H"), ("b", "..., H"), ("r", "# T"), ("s", "H"))]
    interface = Interface(
        name="RandomGrad", forward_name="Random", folder="test",
        tensors=(Tensor("grad_y", "..., H", "T", NOTHING), Tensor("grad_row", "# T", "T", NOTHING), Tensor("a", "..., 2*H", "T", NOTHING),
                 Tensor("b", "..., H", "T", NOTHING), Tensor("r", "# T", "float32", NOTHING), Tensor("s", "H", "float32", NOTHING),
                 Tensor("counts", "G", "int64", NOTHING, option="counts"), *outputs),
        attributes=(Attribute("limit", "float", -1.0, NOTHING, option="clamp", off=-1.0, positive=True),),
        options=(Option("counts", inputs=("counts",)), Option("clamp", attribute="limit")),
    )
    cotangents = {"y": "grad_y", **({"row": "grad_row"} if row_output else {})}
    return Operator(interface, define, {f"grad_{n}": n for n in "abrs"}, cotangents)


UNARY = ("neg", "sigmoid", "silu", "tanh", "softplus", "abs", "wave", "root", "inverse_root", "logarithm", "sum_rows",
          "sum_columns", "mean", "swap", "erf", "exp")
ARRANGED = ("channels", "largest", "product", "mixed_rows")
"""Reshapes and matrix products."""

_BINARY = ("add", "sub", "mul", "div", "min", "max", "select", "clamp", "when", "same")


@st.composite
def trees(draw, depth=4, unary=UNARY + ARRANGED):
    """A random expression: a leaf's name or (operation, operands)."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(("a0", "a1", "b", "r", "s", "limit", 1.0, -0.5)))
    if draw(st.booleans()):
        return draw(st.sampled_from(unary)), draw(trees(depth - 1, unary))
    return draw(st.sampled_from(_BINARY)), draw(trees(depth - 1, unary)), draw(trees(depth - 1, unary))


def build(f, tree):
    """The tree as a value of the room f; every subtree has the shape (T, H) in the end."""
    full = lambda v: v + f.b * 0 if not hasattr(v, "shape") or v.shape != f.b.shape else v
    if tree in ("a0", "a1"):
        return f.split(f.a, 2)[tree == "a1"]
    if isinstance(tree, str):
        return getattr(f, tree)
    if isinstance(tree, float):
        return tree
    op, *operands = tree
    x, *rest = (build(f, o) for o in operands)
    if op == "same":
        return x * x
    if op in ("add", "sub", "mul"):
        return {"add": lambda p, q: p + q, "sub": lambda p, q: p - q, "mul": lambda p, q: p * q}[op](x, rest[0])
    x = full(x)
    y = full(rest[0]) if rest else None
    shift = zlib.crc32(repr(tree).encode()) % 997 / 9970 + 0.01  # keeps two sides of a kink from being one expression
    return {
        "neg": lambda: -x, "sigmoid": lambda: f.sigmoid(x), "silu": lambda: f.silu(x), "tanh": lambda: f.tanh(x),
        "softplus": lambda: f.softplus(x), "abs": lambda: f.abs(x + shift), "wave": lambda: f.exp(f.tanh(x)), "erf": lambda: f.erf(x),
        "exp": lambda: f.exp(-(x * x)),
        "root": lambda: f.sqrt(x * x + 1), "inverse_root": lambda: f.rsqrt(x * x + 0.5), "logarithm": lambda: f.log(x * x + 1.5),
        "sum_rows": lambda: f.sum(x), "sum_columns": lambda: f.sum(x, 0), "mean": lambda: f.mean(x),
        "channels": lambda: f.flatten(f.channels(x, 2) * f.mean(f.channels(x, 2), axis=1)),
        "largest": lambda: f.flatten(f.channels(x, 2) - f.amax(f.channels(x * (f.s + shift), 2), axis=1)),
        "product": lambda: f.matmul(x, f.matmul(f.s, f.s + shift, transpose_a=True)),
        "mixed_rows": lambda: f.matmul(f.tanh(x), f.b, transpose_b=True) @ x,
        "swap": lambda: f.concat(*reversed(f.split(x, 2))), "div": lambda: x / (y * y + 1), "min": lambda: f.min(x, 0.7 * y + shift),
        "max": lambda: f.max(x, 0.7 * y + shift), "select": lambda: f.select(x < y, x, y * 2), "clamp": lambda: f.clamp(0.9 * x + shift, -f.limit, f.limit),
        "when": lambda: f.when("clamp", x, y),
    }[op]()


def operator_of(tree) -> Operator:
    """y = the tree, plus a little of every input, on live rows."""

    def define(f):
        a0, a1 = f.split(f.a, 2)
        y = build(f, tree) + 0.25 * (a0 * a1 + f.b * f.r * f.s)
        rows = f.when("counts", f.row_count(f.counts), f.rows)
        return {"y": f.live_rows(y, rows)}

    return random_operator(define)
