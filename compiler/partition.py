"""Stages of a graph with matrix products: vector work per row, and cube work, in turns.

A product whose operands are computed waits for the vector stage that stores them; a vector value that needs a product's
result waits for its cube stage. What a later stage needs of an earlier one besides that is computed again from the inputs:
chains of pointwise work are cheaper than a tensor through memory. Stored are the operands of products, in the 16-bit dtype
that cubes multiply, and results that vector work reads, in float32.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy

from compiler.lower import LoweringError, needed_under, over_channels, template_options
from compiler.simplify import simplify
from ir.graph import Graph, Node, node, rebuild, topological
from ir.interface import ROWS, Interface, Tensor, Text
from ir.ops import OPS
from ir.types import BYTES, FLOATS, dim


@dataclass(frozen=True)
class Product:
    """One matrix product: result[m, n] = sum over k of a * b, each operand transposed as stored where said so.

    a, b, result: names of tensors, of the interface or of the workspace. keys: the tiling keys under which it is computed.
    """

    name: str
    a: str
    b: str
    result: str
    transpose_a: bool
    transpose_b: bool
    m: sympy.Expr
    n: sympy.Expr
    k: sympy.Expr
    keys: frozenset[int]

    @property
    def sums_rows(self) -> bool:
        """Whether all rows must be there before it can be computed."""
        return self.k == dim(ROWS)


@dataclass(frozen=True)
class CubeStage:
    level: int
    products: tuple[Product, ...]


@dataclass(frozen=True)
class VectorStage:
    """graph: outputs are tensors of the interface and of the workspace; all values have one width of lanes."""

    level: int
    name: str
    graph: Graph
    interface: Interface


@dataclass(frozen=True)
class Partition:
    """stages: the work per row, in order of their levels; sums: the products over all rows, which come last.

    workspace: name -> tensor, narrow or float32.
    """

    interface: Interface
    options: tuple[str, ...]
    stages: tuple[CubeStage | VectorStage, ...]
    sums: tuple[Product, ...]
    workspace: dict[str, Tensor]

    @property
    def levels(self) -> int:
        return max(s.level for s in self.stages) + 1

    def lifetime(self, tensor: str) -> tuple[int, int] | None:
        """The levels that write and last read a tensor of the workspace; None where it lasts until the sums over rows."""
        if any(tensor in (p.a, p.b) for p in self.sums):
            return None
        written, read = 0, 0
        for s in self.stages:
            if isinstance(s, CubeStage):
                written = s.level if any(p.result == tensor for p in s.products) else written
                read = max([read, *(s.level for p in s.products if tensor in (p.a, p.b))])
            else:
                written = s.level if tensor in s.graph.outputs else written
                read = max(read, s.level if tensor in s.graph.inputs else 0)
        return written, read


def has_products(graph: Graph) -> bool:
    return any(n.op == "matmul" for n in graph.nodes())


ARGUMENTS = {"workspace", "tiling", "pipe", "block", "rows", "step"}
"""Names of the emitted kernels' own arguments and locals."""


def partition(graph: Graph, interface: Interface) -> Partition:
    """Raises LoweringError where a product reads what no stage can store."""
    for name, dtypes in interface.dtypes.items():
        wide = [d for d in dtypes if d in FLOATS and BYTES[d] != 2]
        if wide:
            raise LoweringError(f"matmul: dtypes of {name}: got {', '.join(wide)}, wants float16 or bfloat16: cubes multiply 16-bit operands")
    parts = _Partitioning(simplify(_views_at_leaves(graph), interface), interface).run()
    if not any(isinstance(s, VectorStage) for s in parts.stages):
        raise LoweringError("matmul: an operator of products alone is not available, wants pointwise work beside them")
    return parts


def _views_at_leaves(graph: Graph) -> Graph:
    """Reshapes that split the last axis move to the inputs and the products' results, so that values have channels."""

    def rule(n: Node, operands: tuple[Node, ...]) -> Node:
        n = rebuild(n, operands)
        while n.op == "reshape" and n.operands[0].op == "reshape":
            n = node("reshape", n.operands[0].operands[0], shape=n.attr("shape"))
        if n.op != "reshape" or len(n.shape) <= len(n.operands[0].shape):
            return n
        return split(n.operands[0], n.attr("shape"))

    def split(x: Node, shape) -> Node:
        pointwise = OPS[x.op].kind == "pointwise" or x.op == "guard"
        if not pointwise or not x.shape:
            return rule_of_views(node("reshape", x, shape=shape))
        operands = tuple(o if not o.shape else split(o, shape) for o in x.operands)
        return rebuild(x, operands)

    def rule_of_views(n: Node) -> Node:
        inner = n.operands[0]
        if inner.op == "reshape":
            n = node("reshape", inner.operands[0], shape=n.attr("shape"))
        return n.operands[0] if n.operands[0].shape == n.shape else n

    return graph.map(lambda n, ops: _absent_terms(rule(n, ops)))


def _absent_terms(n: Node) -> Node:
    """guard(o, a, 0) + b is guard(o, a + b, b): an option's term is added where the option is."""
    if n.op not in ("add", "sub"):
        return n
    a, b = n.operands
    if a.op == "guard" and _zero(a.operands[1]) and b.op != "guard" and n.op == "add":
        return node("guard", node("add", b, a.operands[0]), b, option=a.attr("option"))
    if b.op == "guard" and _zero(b.operands[1]) and a.op != "guard":
        return node("guard", node(n.op, a, b.operands[0]), a, option=b.attr("option"))
    return n


def _zero(n: Node) -> bool:
    while n.op in ("broadcast", "reshape"):
        n = n.operands[0]
    return n.op == "constant" and n.attr("value") == 0


class _Partitioning:
    def __init__(self, graph: Graph, interface: Interface):
        self.graph, self.interface = graph, interface
        self.options = template_options(graph, interface)
        self.keys = tuple(range(1 << len(self.options)))
        self.needed = {k: needed_under(graph, interface, self.options, k) for k in self.keys}
        self.level: dict[Node, int] = {}
        self.pass_: dict[Node, int] = {}
        for n in graph.nodes():
            self.level[n] = self._level(n)
            self.pass_[n] = self._pass(n)
        self.narrow = next(iter(interface.dtypes))  # the dtype variable: cubes multiply 16-bit operands
        self.workspace: dict[str, Tensor] = {}
        self.names: dict[Node, str] = {}

    def _level(self, n: Node) -> int:
        """Even for vector values, odd for products."""
        found = 0
        for o in n.operands:
            level = self.level[o]
            if n.op == "matmul":
                found = max(found, level + 2 if level % 2 else level + 1 if self._computed(o) else 1)
            else:
                found = max(found, level + 1 if level % 2 else level)
        return max(found, 1) if n.op == "matmul" else found

    def _pass(self, n: Node) -> int:
        """Vector work of one level waits for its own reductions over channels: each is a walk over all channels."""
        same = [o for o in n.operands if self.level[o] == self.level[n]]
        return max((self.pass_[o] + over_channels(o) for o in same), default=0)

    @staticmethod
    def _computed(n: Node) -> bool:
        return n.op != "input"

    def run(self) -> Partition:
        products = [n for n in self.graph.nodes() if n.op == "matmul"]
        outputs = {v: k for k, v in self.graph.outputs.items()}
        stored: dict[Node, str] = {}
        for p in products:
            for o in p.operands:
                if o.op == "matmul":
                    raise LoweringError(f"matmul: {o!r} is multiplied again as it is; put a pointwise step between the products")
                if self._computed(o) and o not in stored:
                    stored[o] = self._store(o, self.narrow)
        results = {p: outputs[p] if p in outputs else self._store(p, "float32") for p in products}
        for p in products:
            if p in outputs and any(u for u in self.graph.uses()[p]):
                raise LoweringError(f"matmul: {outputs[p]} is an output and used further")
        for n in self.graph.nodes():
            if over_channels(n):
                results[n] = self._store(n, "float32")
        stages: list = []
        sums: list[Product] = []
        for level in range(max(self.level.values()) + 1):
            if level % 2:
                jobs = [self._product(p, stored, results[p]) for p in products if self.level[p] == level]
                sums += [p for p in jobs if p.sums_rows]
                if any(not p.sums_rows for p in jobs):
                    stages.append(CubeStage(level, tuple(p for p in jobs if not p.sums_rows)))
                continue
            wanted = {name: o for o, name in stored.items() if self.level[o] == level}
            wanted |= {name: o for name, o in self.graph.outputs.items() if o not in results and self.level[o] == level}
            wanted |= {results[o]: o for o in results if over_channels(o) and self.level[o] == level}
            groups: dict[tuple, dict[str, Node]] = {}
            for name, o in wanted.items():
                groups.setdefault((self.pass_[o], over_channels(o), *self._lanes(o)), {})[name] = o
            for _, outs in sorted(groups.items(), key=lambda group: group[0][0]):
                number = sum(isinstance(s, VectorStage) for s in stages) + 1
                stages.append(self._vector(level, f"vector{number}", outs, results))
        for p in sums:
            if p.result in self.workspace:
                raise LoweringError(f"matmul: {p.result} is a sum over rows that further work needs; it can only be an output")
        return Partition(self.interface, self.options, tuple(stages), tuple(sums), self.workspace)

    def _lanes(self, n: Node) -> tuple:
        """Width of lanes and channels of a value that is stored."""
        while n.op in ("live_rows", "guard"):
            n = n.operands[0]
        if n.op == "reshape":
            n = n.operands[0]
        return (n.shape[-1], (n.operands[0] if over_channels(n) else n).shape[1] if len(n.shape) == 3 else None)

    def _store(self, n: Node, dtype: str) -> str:
        name = self.graph.names.get(n) or self.graph.names.get(n.operands[0] if n.op == "reshape" else n) or self._describe(n)
        taken = {t.name for t in self.interface.tensors} | set(self.workspace) | ARGUMENTS
        base, i = name, 0
        while name in taken:
            i += 1
            name = f"{base}_{'narrow' if dtype == self.narrow else 'wide'}{'' if i == 1 else i}"
        if n.shape[0] != dim(ROWS) or len(n.shape) != 2 and not over_channels(n):
            raise LoweringError(f"matmul: {name} is {n.type}; products of a row kernel have one row per row of the inputs")
        self.workspace[name] = Tensor(name, f"..., {n.shape[-1]}", dtype, Text("", ""), role="workspace", option=self._option(n))
        self.names[n] = name
        return name

    def _describe(self, n: Node) -> str:
        """A name for a stored value that the forward gave none: a product by its factors, else by what multiplies it."""
        word = lambda o: self.names.get(o) or self.graph.names.get(o) or o.attr("name") or o.op
        if n.op == "matmul":
            return f"{word(n.operands[0])}_by_{word(n.operands[1])}"
        partners = [word(o) for u in self.graph.uses()[n] if u.op == "matmul" for o in u.operands if o is not n]
        return f"factor_of_{partners[0]}" if partners else f"{n.op}_value"

    def _keys(self, n: Node) -> frozenset[int]:
        return frozenset(k for k in self.keys if n in self.needed[k])

    def _option(self, n: Node) -> str | None:
        """The option that the value belongs to, where it is needed with that option alone."""
        keys = self._keys(n)
        for i, option in enumerate(self.options):
            if keys == frozenset(k for k in self.keys if k >> i & 1):
                return option
        return None

    def _product(self, p: Node, stored: dict[Node, str], result: str) -> Product:
        a, b = p.operands
        ta, tb = bool(p.attr("transpose_a")), bool(p.attr("transpose_b"))
        name = lambda o: stored[o] if o in stored else o.attr("name")
        k = a.shape[0] if ta else a.shape[1]
        return Product(result, name(a), name(b), result, ta, tb, p.shape[0], p.shape[1], k, self._keys(p))

    def _vector(self, level: int, name: str, outs: dict[str, Node], results: dict[Node, str]) -> VectorStage:
        """The graph of these outputs, cut at products: their results are inputs."""

        new: dict[Node, Node] = {}
        own = set(outs.values())
        given = lambda n: n.op == "matmul" or over_channels(n) and n not in own
        for n in topological(outs.values(), lambda n: () if given(n) else n.operands):
            if given(n):
                new[n] = node("input", name=results[n], shape=(ROWS, str(n.shape[-1])), dtype=n.dtype)
                if len(n.shape) == 3:
                    new[n] = node("reshape", new[n], shape=tuple(map(str, n.shape)))
            else:
                new[n] = rebuild(n, tuple(new[o] for o in n.operands))
        outputs = {k: new[v] for k, v in outs.items()}
        leaves = [n for n in topological(outputs.values()) if n.op == "input"]
        names = {new[n]: t for n, t in self.graph.names.items() if n in new and new[n].op not in ("input", "constant")}
        inputs = {n.attr("name"): n for n in leaves}
        tensors = tuple(replace(t, role="input") if t.name in inputs else replace(t, role="output")
                        for t in self.workspace.values() if t.name in inputs or t.name in outputs)
        kept = tuple(t for t in self.interface.tensors if t.name in inputs or t.name in outputs)
        order_of = {t.name: i for i, t in enumerate((*self.interface.tensors, *self.workspace.values()))}
        inputs = dict(sorted(inputs.items(), key=lambda kv: order_of.get(kv[0], 10**6)))
        stage = replace(self.interface, tensors=(*kept, *tensors))
        return VectorStage(level, name, Graph(f"{self.graph.name}_{name}", inputs, outputs, names).verify(), stage)
