"""Where values are rounded: inputs widen to float32, arithmetic is float32, outputs round once to their dtypes.

Cubes multiply 16-bit operands and accumulate in float32: where the column has a 16-bit dtype, operands of matrix products
are rounded to it. Operands that are such inputs lose nothing there.
"""

from __future__ import annotations

from ir.graph import Graph, Node, node, rebuild
from ir.interface import Interface
from ir.types import BYTES, FLOATS


def insert_casts(graph: Graph, interface: Interface, column: dict[str, str], outputs: bool = True) -> Graph:
    """The graph with the dtypes of one column of the definition (tensor name -> dtype) on its inputs and outputs.

    outputs: whether outputs are rounded to their dtypes too, beside the operands of matrix products.
    """

    narrow = column_name(column)

    def typed(n: Node, operands: tuple[Node, ...]) -> Node:
        if n.op == "matmul" and BYTES[narrow] == 2:
            return node("matmul", *(_rounded(o, narrow) for o in operands), **dict(n.attrs), to=n.dtype)
        dtype = column.get(n.attr("name")) if n.op == "input" else None
        if dtype not in FLOATS or dtype == n.dtype:
            return rebuild(n, operands)
        return node("cast", node("input", name=n.attr("name"), shape=n.attr("shape"), dtype=dtype), to=n.dtype)

    rewritten = graph.map(typed)
    inputs = {k: v.operands[0] if v.op == "cast" else v for k, v in rewritten.inputs.items()}
    cast = lambda name, v: v if column[name] == v.dtype or not outputs else node("cast", v, to=column[name])
    results = {name: cast(name, v) for name, v in rewritten.outputs.items()}
    return Graph(f"{graph.name}_{narrow}", inputs, results, rewritten.names).verify()


def _rounded(n: Node, dtype: str) -> Node:
    """n in that dtype; an input that was widened is taken as it is."""
    return n.operands[0] if n.op == "cast" and n.operands[0].dtype == dtype else node("cast", n, to=dtype)


def column_name(column: dict[str, str]) -> str:
    """The dtype that tells columns apart, for names: the narrow one where tensors of a fixed float32 stand beside it."""
    return min((d for d in column.values() if d in FLOATS), key=BYTES.__getitem__)
