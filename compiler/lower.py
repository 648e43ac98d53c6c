"""From the backward graph to the steps of a row kernel: what is computed per row tile, in which order, under which options.

A row kernel walks tiles of rows. A value is
  tile     one number per row and column of the tile (rows x lanes)
  row      one number per row
  column   one number per column, for the whole kernel
  mask     one bit per element of a tile
  scalar   a C++ expression
Options that change the computation are template parameters of the kernel; the tiling key is their bit set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from random import Random

import sympy

from compiler.instructions import INSTRUCTIONS, Instruction
from ir.graph import Graph, Node, topological
from ir.interface import ROWS, Interface, Tensor, camel, snake
from ir.types import dim


class LoweringError(ValueError):
    """The graph does not fit the kernels that can be emitted; the message names the operation and the way out."""


KIND_LETTER = {"tile": "v", "mask": "m", "scalar": "s", "row": "r", "column": "c"}


@dataclass(frozen=True)
class Part:
    """A run of lanes of a tensor that is loaded or stored as one tile: columns [start, start + lanes)."""

    tensor: Tensor
    index: int
    start: sympy.Expr
    node: Node


@dataclass(eq=False)
class Step:
    """One operation of the kernel.

    kind: compute, load (a part becomes a float tile), store (a float tile becomes a part of an output).
    region: rows_before, tile, rows_after, columns_after.
    keys: the tiling keys (option sets) under which it runs.
    """

    kind: str
    node: Node
    name: str
    value_kind: str
    region: str
    keys: frozenset[int]
    operands: tuple[Node, ...] = ()
    instruction: Instruction | None = None
    part: Part | None = None
    formula: str = ""

    @property
    def accumulates(self) -> bool:
        """Whether its value grows from channel to channel."""
        return self.kind == "compute" and over_channels(self.node)


@dataclass(frozen=True)
class RowProgram:
    """The kernel program of a row-wise operator.

    options: template options, least significant bit of the tiling key first.
    lanes: the width of a tile in full, a symbol expression (H).
    tile_inputs, row_inputs, column_inputs: tensor -> nodes loaded of it.
    tile_outputs, row_outputs, column_outputs: tensor -> parts stored.
    passes: 1, or more where a row must be complete before it can be written (then a tile holds whole rows).
    count: the graph node of the live row count; None when all rows are live.
    channels: where rows consist of channels, their number: the kernel walks one channel after the other, and a value per
        row is one value per row and channel, kept replicated over a data block.
    """

    interface: Interface
    graph: Graph
    options: tuple[str, ...]
    lanes: sympy.Expr
    steps: tuple[Step, ...]
    loads: dict[str, tuple[Part, ...]]
    stores: dict[str, tuple[Part, ...]]
    needed: dict[int, frozenset[Node]]
    names: dict[Node, str]
    kinds: dict[Node, str]
    whole_rows: bool
    count: Node | None
    channels: sympy.Expr | None = None

    @property
    def keys(self) -> tuple[int, ...]:
        return tuple(range(1 << len(self.options)))

    def present(self, tensor: Tensor) -> frozenset[int]:
        """The tiling keys under which a tensor of the interface is touched."""
        nodes = [p.node for p in (*self.loads.get(tensor.name, ()), *self.stores.get(tensor.name, ()))]
        return frozenset(k for k in self.keys if any(n in self.needed[k] for n in nodes))

    def resolve(self, node: Node, key: int) -> Node:
        """The value that a guard (or a transparent node) stands for under a tiling key."""
        while True:
            if node.op == "guard":
                bit = 1 << self.options.index(node.attr("option"))
                node = node.operands[0] if key & bit else node.operands[1]
            elif node.op == "live_rows" or self.is_view(node):
                node = node.operands[0]
            else:
                return node

    def is_view(self, node: Node) -> bool:
        """A broadcast over channels, and the merging of channels before a store: the same numbers in the same places."""
        return is_view(node, self.kinds)

    @cached_property
    def over_channels(self) -> bool:
        """Whether the kernel reduces over channels: it then walks all channels of a tile before it stores it."""
        return any(s.accumulates for s in self.steps)

    @cached_property
    def reduces_rows(self) -> bool:
        return any(s.node.op == "reduce_sum" and s.value_kind == "column" for s in self.steps)


ORDERS = 48
"""How many orders of the steps are tried: the first is the plain greedy one, the others perturb its choices."""


def over_channels(node: Node) -> bool:
    """A reduction over the channels of (rows, channels, lanes)."""
    return node.op in ("reduce_sum", "reduce_max") and node.attr("axis") == 1 and len(node.shape) == 3


def is_view(node: Node, kinds: dict[Node, str]) -> bool:
    if node.op == "broadcast":
        return kinds.get(node.operands[0]) == kinds.get(node)
    return node.op == "reshape" and node.operands[0].op != "input"


def template_options(graph: Graph, interface: Interface) -> tuple[str, ...]:
    """The options that change the computation, in the interface's order: those of guards on tensors and of outputs."""
    found = {n.attr("option") for n in graph.nodes() if n.op == "guard" and n.shape}
    found |= {interface.tensor(name).option for name in graph.outputs}
    return tuple(o.name for o in interface.options if o.name in found)


def needed_under(graph: Graph, interface: Interface, options: tuple[str, ...], key: int) -> frozenset[Node]:
    """The values that the outputs need under a tiling key."""
    stack, found = [], set()
    for name, n in graph.outputs.items():
        option = interface.tensor(name).option
        if option is None or option not in options or key >> options.index(option) & 1:
            stack.append(n)
    while stack:
        n = stack.pop()
        if n in found:
            continue
        found.add(n)
        if n.op == "guard" and n.attr("option") in options:
            stack.append(n.operands[0] if key >> options.index(n.attr("option")) & 1 else n.operands[1])
        else:
            stack.extend(n.operands)
    return frozenset(found)


def lower(graph: Graph, interface: Interface, options: tuple[str, ...] | None = None) -> Iterator[RowProgram]:
    """The kernel program in several orders of its steps, all correct; the scheduler takes the one that needs least memory.

    options: the template options, where they are those of a larger kernel.
    Raises LoweringError where the graph needs what row kernels do not have.
    """
    yield from _Lowering(graph, interface, template_options(graph, interface) if options is None else options).programs()


class _Lowering:
    def __init__(self, graph: Graph, interface: Interface, options: tuple[str, ...]):
        self.interface, self.graph, self.options = interface, graph, options
        self.count = self._row_count()
        self.keys = tuple(range(1 << len(self.options)))
        self.kinds: dict[Node, str] = {}
        self.lanes = self._lanes()
        self.channels = self._channels()
        for n in graph.nodes():
            self.kinds[n] = self._kind(n)
        self.needed = {k: needed_under(graph, interface, options, k) for k in self.keys}
        self.after_sum: dict[Node, int] = {}
        self._levels()
        self.names = _names(graph, interface)

    # -- classification ------------------------------------------------------------------------------------------

    def _row_count(self) -> Node | None:
        counts = {n.operands[1] for n in self.graph.nodes() if n.op == "live_rows"}
        if len(counts) > 1:
            raise LoweringError("live_rows: two different row counts in one operator; a kernel has one")
        return next(iter(counts), None)

    def _lanes(self) -> sympy.Expr:
        """The one width of all tiles. Views of inputs and outputs do not count: they are cut or split."""
        uses = self.graph.uses()
        widths: dict = {}
        for n in self.graph.nodes():
            if len(n.shape) < 2 or n.shape[0] != dim(ROWS) or n.shape[-1] == 1 or n.op in ("concat", "live_rows", "guard"):
                continue
            if n.op == "input" and all(u.op in ("slice", "reshape") for u in uses[n]):
                continue
            if n.op == "slice" or n.op == "reshape" and n.operands[0].op != "input":
                continue
            widths.setdefault(n.shape[-1], n)
        if not widths:
            widths = {n.shape[-1]: n for n in self.graph.nodes() if len(n.shape) > 1 and n.shape[-1] != 1 and n.op != "reshape"}
        if not widths:
            return sympy.Integer(1)
        if len(widths) > 1:
            found = {str(w): next((o.attr("name") for o in topological([n]) if o.op == "input" and o.shape), n.op) for w, n in widths.items()}
            raise LoweringError(
                f"{', '.join(found[w] for w in sorted(found))}: tiles of several widths ({', '.join(sorted(found))}) in one operator; "
                "cut tensors into slices of one width before computing on them")
        return next(iter(widths))

    def _channels(self) -> sympy.Expr | None:
        """The number of channels where values have them: a row is walked channel by channel."""
        found = {n.shape[1] for n in self.graph.nodes() if len(n.shape) == 3 and n.shape[1] != 1}
        if len(found) > 1:
            raise LoweringError(f"values of several channel counts ({', '.join(map(str, found))}) in one stage")
        return found.pop() if found else None

    def _kind(self, n: Node) -> str:
        if not n.shape:
            return "scalar"
        if n.op == "input" and n.dtype == "int64":
            return "counts"
        if len(n.shape) not in (2, 3):
            raise LoweringError(f"{n!r}: row kernels take tensors of rows and columns")
        rows, lanes = n.shape[0], n.shape[-1]
        if rows == 1 and lanes == 1:
            raise LoweringError(f"{n!r}: a reduction to one number; keep rows or columns")
        if rows == 1:
            return "column"
        if lanes == 1:
            return "row"
        return "mask" if n.dtype == "bool" else "tile"

    def _levels(self) -> None:
        """How many complete rows a value waits for."""
        for n in self.graph.nodes():
            level = max((self.after_sum[o] for o in n.operands), default=0)
            if n.op == "reduce_sum" and n.attr("axis") == len(n.shape) - 1:
                level += 1
            self.after_sum[n] = level

    # -- steps ----------------------------------------------------------------------------------------------------

    def programs(self) -> Iterator[RowProgram]:
        """The same steps in several orders, each order once."""
        loads, stores = self._loads(), self._stores()
        whole_rows = any(over_channels(n) for n in self.graph.nodes()) or any(
            self.kinds[n] in ("tile", "mask") and self.after_sum[n] > 0 or self.after_sum[n] > 1 for n in self.graph.nodes())
        steps = list(self._all_steps(loads, stores, whole_rows))
        regions = [[s for s in steps if s.region == region] for region in ("columns_before", "rows_before", "tile", "rows_after", "columns_after")]
        known = set()
        for seed in range(ORDERS):
            ordered = tuple(s for region in regions for s in _order(region, seed))
            if ordered not in known:
                known.add(ordered)
                yield RowProgram(self.interface, self.graph, self.options, self.lanes, ordered, loads, stores, self.needed,
                                 self.names, self.kinds, whole_rows, self.count, self.channels)

    def _loads(self) -> dict[str, tuple[Part, ...]]:
        found: dict[str, list[Part]] = {}
        uses, outputs = self.graph.uses(), set(self.graph.outputs.values())
        for name, n in self.graph.inputs.items():
            if not n.shape or self.kinds[n] == "counts":
                continue
            tensor = self.interface.tensor(name)
            nodes = [use if use.op in ("slice", "reshape") else n for use in uses[n]]
            if n in outputs:  # it is copied
                nodes.append(n)
            ordered = []
            for m in nodes:
                if m not in ordered:
                    ordered.append(m)
            ordered.sort(key=lambda m: str(m.attr("start", "0")) != "0")
            if len({m.shape for m in ordered}) > 1:
                raise LoweringError(f"{name}: used whole and in slices; use slices of one width")
            found[name] = [Part(tensor, i, dim(m.attr("start", "0")), m) for i, m in enumerate(ordered)]
        return {k: tuple(v) for k, v in found.items()}

    def _stores(self) -> dict[str, tuple[Part, ...]]:
        found: dict[str, tuple[Part, ...]] = {}
        for name, n in self.graph.outputs.items():
            tensor = self.interface.tensor(name)
            if n.op == "reshape" and n.operands[0].op == "live_rows":
                n = n.operands[0]
            if n.op == "live_rows":
                n = n.operands[0]
            elif self.count is not None and self.kinds[n] != "column":
                raise LoweringError(f"{name}: computed for every row while other outputs have live rows only; "
                                    "apply live_rows to each forward output")
            if n.op == "reshape" and n.operands[0].op != "input":
                n = n.operands[0]
            pieces, at = (n.operands if n.op == "concat" else (n,)), sympy.Integer(0)
            parts = []
            for i, piece in enumerate(pieces):
                parts.append(Part(tensor, i, at, piece))
                at += piece.shape[-1]
            found[name] = tuple(parts)
        return found

    def _all_steps(self, loads, stores, whole_rows) -> Iterable[Step]:
        inputs = {p.node: p for parts in loads.values() for p in parts}
        for n in self.graph.nodes():
            keys = frozenset(k for k in self.keys if n in self.needed[k])
            kind = self.kinds[n]
            if not keys or kind in ("scalar", "counts"):
                continue
            if n in inputs:
                if kind == "tile":
                    yield Step("load", n, self.names[n], kind, "tile", keys, part=inputs[n],
                               formula=_load_formula(inputs[n], self.names[n]))
                continue
            if n.op in ("guard", "live_rows", "concat", "slice", "input") or is_view(n, self.kinds):
                if n.op == "slice":
                    raise LoweringError(f"{n!r}: only inputs are cut into slices")
                if n.op == "concat" and any(user.op != "live_rows" for user in self._users[n]):
                    raise LoweringError(f"{n!r}: only outputs are put together from parts")
                continue
            if n.op == "broadcast" and not self._needs_materialising(n):
                continue
            yield self._compute(n, keys, kind, whole_rows)
        for parts in stores.values():
            for part in parts:
                keys = frozenset(k for k in self.keys if part.node in self.needed[k])
                kind = self.kinds[part.node]
                region = {"tile": "tile", "row": "rows_after", "column": "columns_after"}[kind]
                name = camel(part.tensor.name)
                yield Step("store", part.node, name, kind, region, keys, (part.node,), part=part)

    def _row_region(self, n: Node, whole_rows: bool) -> str:
        if self.after_sum[n] == 0:
            return "rows_before"
        if whole_rows:
            return "tile"
        return "tile" if n.op == "reduce_sum" else "rows_after"

    def _column_region(self, n: Node) -> str:
        """Before the rows, unless it needs a sum over them."""
        stack = [n]
        while stack:
            o = stack.pop()
            if o.op == "reduce_sum":
                return "columns_after"
            stack.extend(x for x in o.operands if self.kinds[x] == "column")
        return "columns_before"

    def _operand_kind(self, o: Node) -> tuple[str, Node]:
        """How an operand is read, and of which node: a replicated row or column is read in place."""
        while is_view(o, self.kinds):
            o = o.operands[0]
        if o.op == "broadcast" and not self._needs_materialising(o):
            return self.kinds[o.operands[0]], o.operands[0]
        return self.kinds[o], o

    def _needs_materialising(self, n: Node) -> bool:
        """A broadcast becomes a tile of its own where a user has no instruction that replicates as it reads."""
        if is_view(n, self.kinds):
            return False
        return any(not self._replicating(u, n) for u in self._users[n] if self.kinds[u] in ("tile", "mask", "row", "column")
                   or u.op == "reduce_sum")

    @cached_property
    def _users(self):
        return self.graph.uses()

    def _replicating(self, user: Node, n: Node) -> bool:
        if user.op in ("guard", "live_rows", "concat", "reduce_sum"):
            return False
        letters = ""
        for o in user.operands:
            source = o.operands[0] if o is n else o
            kind = self.kinds[source]
            if o is not n and o.op == "broadcast":
                kind = self.kinds[o]
            letters += KIND_LETTER[kind]
        return (user.op, letters) in INSTRUCTIONS

    def _compute(self, n: Node, keys: frozenset[int], kind: str, whole_rows: bool) -> Step:
        region = {"tile": "tile", "mask": "tile", "row": self._row_region(n, whole_rows),
                  "column": "tile" if n.op == "reduce_sum" else self._column_region(n)}[kind]
        letters, operands = "", []
        if n.op == "broadcast":
            operands = [n.operands[0]]
            letters = KIND_LETTER[self.kinds[n.operands[0]]]
        else:
            for o in n.operands:
                operand_kind, source = self._operand_kind(o)
                letter = KIND_LETTER[operand_kind]
                if kind in ("row", "column") and letter in "rc":
                    letter = "v"  # a vector of the region's own count
                letters += letter
                operands.append(source)
        op = n.op
        if over_channels(n):
            op, letters = ("channel_max" if n.op == "reduce_max" else "channel_sum"), "v"
        elif op == "reduce_max":
            raise LoweringError("amax: the largest of a row or a column is not available, that of the channels of a row is")
        elif op == "reduce_sum":
            op = "row_sum" if n.attr("axis") == len(n.operands[0].shape) - 1 else "column_sum"
            letters = "v"
            if self.kinds[n.operands[0]] != "tile":
                raise LoweringError(f"{n!r}: sums over rows and columns of one tile only")
        instruction = INSTRUCTIONS.get((op, letters))
        if instruction is None:
            raise LoweringError(f"{op}: no vector instruction for operands of kind "
                                f"{', '.join(self.kinds[o] for o in n.operands)}")
        name = self.names[n]
        return Step("compute", n, name, kind, region, keys, tuple(operands), instruction,
                    formula=f"{name} = {_formula(n, self.names)}")


def _load_formula(part: Part, name: str) -> str:
    whole = camel(part.tensor.name)
    return name if name == whole else f"{name} = {whole}[{part.start}:]"


# -- order --------------------------------------------------------------------------------------------------------

_COST = {"tile": 1.0, "mask": 1 / 32, "row": 1 / 64, "column": 1 / 64}


def _order(steps: list[Step], seed: int) -> list[Step]:
    """Greedy list scheduling: the step that leaves the least live next, then the one that comes first in the graph.

    A seed above 0 blurs the choice by up to one tile, reproducibly.
    """
    blur = Random(seed)
    producer = {s.node: s for s in steps if s.kind != "store"}

    def sources(s: Step) -> set[Node]:
        """Values of this region that the step reads, under any option."""
        found, stack = set(), list(s.operands)
        while stack:
            o = stack.pop()
            if o in producer and producer[o] is not s:
                found.add(o)
            elif o.op in ("guard", "live_rows", "concat", "broadcast", "reshape"):
                stack.extend(x for x in o.operands if x.shape)
        return found

    reads = {s: sources(s) for s in steps}
    readers = Counter(o for found in reads.values() for o in found)
    waiting = list(steps)
    done: set[Node] = set()
    live: set[Node] = set()
    order: list[Step] = []
    while waiting:
        best = None
        for position, s in enumerate(waiting):
            if not reads[s] <= done:
                continue
            dying = [o for o in reads[s] & live if readers[o] == 1]
            gained = 0.0 if s.kind == "store" else _COST[s.value_kind]
            noise = blur.random() if seed else 0.0
            score = (gained - sum(_COST[producer[o].value_kind] for o in dying) + noise, s.kind == "load", position)
            if best is None or score < best[0]:
                best = (score, s, dying)
        if best is None:
            raise LoweringError("the steps of the kernel wait for one another")
        _, s, dying = best
        waiting.remove(s)
        order.append(s)
        live.difference_update(dying)
        readers.subtract(reads[s])
        if s.kind != "store":
            done.add(s.node)
            live.add(s.node)
    return order


# -- names --------------------------------------------------------------------------------------------------------

_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
          "and": "&&", "or": "||"}


def _names(graph: Graph, interface: Interface) -> dict[Node, str]:
    """A C++ name per value: the forward's, else one that says what it is."""
    names: dict[Node, str] = {}
    taken: set[str] = set()

    def give(n: Node, text: str) -> None:
        text = camel(text)
        while text in taken:
            extra = names.get(n.operands[0], "") if n.operands else ""
            if extra.startswith(text):  # the same once more, on its own result
                text = extra + "Again"
            else:
                text = text + "Of" + extra[:1].upper() + extra[1:] if extra and not text.endswith(extra) else text + "Again"
        names[n] = text
        taken.add(text)

    uses = graph.uses()
    for name, n in graph.inputs.items():
        give(n, name)
        views = {u for u in uses[n]}
        if len(views) == 1 and next(iter(views)).op == "reshape":
            names[next(iter(views))] = names[n]
    stored = {n.operands[0] if n.op in ("live_rows", "reshape") else n: name for name, n in graph.outputs.items()}
    for n in graph.nodes():
        if n in names:
            continue
        label = graph.names.get(n)
        if label is None and n.op not in ("guard", "live_rows", "broadcast"):
            only = {u for u in uses[n]}
            if len(only) == 1 and next(iter(only)).op == "guard" and next(iter(only)).operands[0] is n:
                label = graph.names.get(next(iter(only)))
                if label is not None and camel(label) in taken:
                    label = None
        if label is not None and n.op == "live_rows":
            label = None
        if label is not None and n.op == "guard" and camel(label) in taken:
            names[n] = camel(label)
            continue
        if label is None and n in stored and camel(stored[n]) not in taken:
            label = stored[n]
        give(n, label or _describe(n, names))
    return names


def _describe(n: Node, names: dict[Node, str]) -> str:
    def word(o: Node) -> str:
        if o.op == "constant":
            return {1.0: "one", 0.0: "zero", 2.0: "two"}.get(o.attr("value"), "constant")
        if o.op == "neg" and not o.shape:
            return names.get(o.operands[0], "scalar")
        if o.op in ("broadcast", "reshape"):
            return word(o.operands[0])
        return names.get(o, o.op)

    a = snake(word(n.operands[0])) if n.operands else ""
    b = snake(word(n.operands[1])) if len(n.operands) > 1 else ""
    short = len(a) + len(b) <= 28
    op = n.op
    if op in ("lt", "le"):
        return f"{a}_is_below"
    if op in ("gt", "ge"):
        return f"{a}_is_above"
    if op in ("and", "or", "eq", "not"):
        return f"{a.removesuffix('_is_above').removesuffix('_is_below')}_is_inside" if op == "and" else f"{a}_{op}"
    if op == "min":
        return f"{a}_capped"
    if op == "max":
        return f"{a}_raised"
    if op == "mul":
        return f"{a}_times_{b}" if short else f"scaled_by_{b}" if len(b) <= 12 else "product"
    if op == "add":
        return f"{a}_plus_{b}" if short else "sum"
    if op == "sub":
        return f"{a}_minus_{b}" if short else "difference"
    if op == "div":
        return f"{a}_over_{b}" if short else "quotient"
    if op == "select":
        return f"{b}_selected"
    if op == "reduce_sum":
        return f"sum_of_{a}" if len(a) <= 24 else ("row_sum" if n.attr("axis") else "column_sum")
    if op == "finite":
        return f"{a}_finite"
    if op == "constant":
        return "constant"
    if op in ("sigmoid", "silu", "tanh", "softplus"):
        return op
    return f"{op}_{a}" if a else op


def _axis(n: Node) -> str:
    return "rows" if n.attr("axis") == 0 else "channels" if over_channels(n) else "columns"


def _formula(n: Node, names: dict[Node, str]) -> str:
    def text(o: Node) -> str:
        if o.op == "constant":
            return f"{o.attr('value'):g}"
        if o.op in ("broadcast", "reshape") and o not in names:
            return text(o.operands[0])
        if o.op == "neg" and not o.shape:
            return f"-{text(o.operands[0])}"
        if o.op in ("size",):
            return o.attr("of")
        if o.op == "cast" and not o.shape:
            return text(o.operands[0])
        if not o.shape and o.operands:
            return f"({_formula(o, names)})"
        return names.get(o, o.op)

    parts = [text(o) for o in n.operands]
    if n.op in _INFIX:
        return f"{parts[0]} {_INFIX[n.op]} {parts[1]}"
    if n.op == "neg":
        return f"-{parts[0]}"
    if n.op == "sigmoid":
        return f"1 / (1 + exp(-{parts[0]}))"
    if n.op == "select":
        return f"{parts[0]} ? {parts[1]} : {parts[2]}"
    if n.op == "reduce_max":
        return f"largest of {parts[0]} over {_axis(n)}"
    if n.op == "reduce_sum":
        return f"sum of {parts[0]} over {_axis(n)}"
    return f"{n.op}({', '.join(parts)})"


def condition(keys: frozenset[int], options: tuple[str, ...], text) -> str:
    """The C++ condition that holds for exactly these tiling keys; empty when it always holds.

    text(option) is the C++ name of an option.
    """
    every = frozenset(range(1 << len(options)))
    if keys == every:
        return ""
    for size in range(1, len(options) + 1):
        for chosen in combinations(range(len(options)), size):
            for values in range(1 << size):
                cube = frozenset(
                    k for k in every if all((k >> bit & 1) == (values >> i & 1) for i, bit in enumerate(chosen)))
                if cube == keys:
                    return " && ".join(
                        ("" if values >> i & 1 else "!") + text(options[bit]) for i, bit in enumerate(chosen))
    return " || ".join(
        "(" + " && ".join(("" if k >> i & 1 else "!") + text(o) for i, o in enumerate(options)) + ")" for k in sorted(keys))
