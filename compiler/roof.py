"""The roof: the cycles that the work of an operator takes at least, and whose they are.

Three bounds, by the product's rates: the bytes that have to pass HBM, the multiply-adds of the matrix products on all cube
cores, the vector operations on all vector cores. The largest is the roof; a modelled run is judged by its ratio to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from compiler.instructions import INSTRUCTIONS
from ir.graph import Graph, Node, topological
from ir.interface import ROWS, Operator
from ir.types import BYTES, dim_value


@dataclass(frozen=True)
class Work:
    """What an operator cannot do without.

    gm_bytes: every input that is used is read once, its live rows only, and every output is written once.
    macs: multiply-adds by the bytes of an operand's element.
    slots: repeats of 256 bytes on the vector pipe, each weighed with the slots that its instruction takes.
    """

    gm_bytes: float
    macs: Mapping[int, float]
    slots: float


@dataclass(frozen=True)
class Roof:
    """cycles: of the largest bound; bound: whose it is; bounds: all of them."""

    cycles: float
    bound: str
    bounds: dict[str, float]

    def to_json(self, cycles: float | None = None) -> dict:
        """The `roof` of `schedule --json`; of `emulate --json` with the ratio of the cycles that a run took."""
        ratio = {} if cycles is None else {"ratio": self.ratio(cycles)}
        return {"cycles": self.cycles, "bound": self.bound, "bounds": self.bounds, **ratio}

    def ratio(self, cycles: float) -> float | None:
        """None where there is nothing to do."""
        return cycles / self.cycles if self.cycles else None


def roof(product: dict, work: Work) -> Roof:
    """The roof of some work on a product; cycles of the core's clock."""
    rates, cores = product["rates"], product["cores"]
    clock = cores["clock_mhz"] * 1e6
    bounds = {
        "hbm": work.gm_bytes / rates["hbm_bytes_per_second"] * clock,
        "cube": sum(n / rates["cube_macs_32" if width == 4 else "cube_macs_16"] for width, n in work.macs.items()) / cores["aic"],
        "vector": work.slots * 256 / rates["vector"] / rates["vector_issue"] / cores["aiv"],
    }
    bound = max(bounds, key=bounds.__getitem__)
    return Roof(bounds[bound], bound, bounds)


def work_of(operator: Operator, product: dict, symbols: Mapping[str, int], options: Collection[str], column: Mapping[str, str],
            outputs: Collection[str] | None = None, live: int | None = None) -> Work:
    """The work of one call.

    symbols: every size; column: parameter -> dtype; outputs: those that the caller wants, all of these options by default; live: the rows
    that the counts leave, all by default.

    Vector work is that of the gradient's graph: each of its operations once, by the instructions that the table of
    instructions makes it of, in float32, and a Cast for each element that comes from or goes to 16 bits.
    """
    graph = _graph(operator, frozenset(options), tuple(sorted(column.items())))
    if outputs is None:
        outputs = [t.name for t in operator.interface.outputs if t.option in (None, *options)]
    roots = [graph.outputs[o] for o in outputs]
    needed = symbols if live is None else {**symbols, ROWS: live}
    elements = lambda shape, sizes=needed: math.prod(dim_value(d, sizes) or 0 for d in shape)
    moved = sum(elements(n.shape, symbols) * BYTES[n.dtype] for n in roots)
    macs: dict[int, float] = {}
    slots = 0.0
    for n in topological(roots):
        if n.op == "input":
            moved += elements(n.shape) * BYTES[n.dtype] if n.attr("name") in column else 0
        elif n.op == "matmul":
            a = n.operands[0]
            inner = a.shape[0 if n.attr("transpose_a") else 1]
            macs[BYTES[a.dtype]] = macs.get(BYTES[a.dtype], 0) + elements((*n.shape, inner))
        else:
            computed = n.operands[0] if n.op.startswith("reduce_") else n
            slots += elements(computed.shape) * slots_of(n, product["rates"]["slots"]) * 4 / 256
    return Work(moved, macs, slots)


def slots_of(n: Node, slots: Mapping[str, float]) -> float:
    """Slots that one repeat of an operation's results takes; moving and repeating values is free."""
    if n.op in ("cast", "reduce_sum", "reduce_max"):
        return slots["default"]
    kind = "".join("m" if o.dtype == "bool" else "v" if o.shape else "s" for o in n.operands)
    row = INSTRUCTIONS.get((n.op, kind)) if n.op != "broadcast" else None
    if row is None or not n.shape:
        return 0.0
    names = [re.match(r"\w+", text)[0] for text in row.text]
    share = 1 / 32 if n.dtype == "bool" and "v" not in kind else 1  # a bit an element
    return share * sum(slots.get(name, slots["default"]) for name in names if name != "Duplicate")


_known: dict = {}


def _graph(operator: Operator, options: frozenset[str], column: tuple[tuple[str, str], ...]) -> Graph:
    """The gradient in the operations that are emitted, for one set of options, with the casts of one column of dtypes."""
    from compiler.casts import insert_casts
    from compiler.request import _graphs
    from compiler.simplify import specialise

    key = (id(operator), options, column)
    if key not in _known:
        _known[key] = (operator, insert_casts(specialise(_graphs(operator)[1], options), operator.interface, dict(column)))
    return _known[key][1]


def roof_of_request(operator: Operator, product: dict, request) -> Roof:
    """The roof of a request of the command line (`compiler.request.Request`)."""
    from compiler.cases import live_rows

    b = request.binding
    live = live_rows(operator.interface, b.arrays, b.symbols.get(ROWS, 0))
    return roof(product, work_of(operator, product, b.symbols, b.options, b.column, b.outputs, live))


def roof_of_sizes(operator: Operator, product: dict, sizes) -> Roof:
    """The roof of sizes without data (`compiler.request.Sizes`): all rows are live."""
    interface = operator.interface
    column = next((c for c in interface.columns if sizes.dtype in c.values()), interface.columns[0])
    return roof(product, work_of(operator, product, sizes.symbols, sizes.options, column))


def roof_of_launch(product: dict, gm_bytes: float, cycles: Mapping) -> Roof:
    """The roof of a kernel of which nothing is known but its arguments: their bytes once, and the work that it did, whole
    fractals and whole repeats.

    cycles: of `emulate --json`.
    """
    return roof(product, Work(gm_bytes, {2: cycles["cube_cycles"] * product["rates"]["cube_macs_16"]}, cycles["vector_slots"]))
