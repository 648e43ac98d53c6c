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
class Term:
    """a @ b over k, each operand transposed as stored where said so; keys: the tiling keys under which it is added."""

    a: str
    b: str
    transpose_a: bool
    transpose_b: bool
    k: sympy.Expr
    keys: frozenset[int]


@dataclass(frozen=True)
class Product:
    """One matrix: result[m, n] = the sum of its terms, in their order.

    result and the terms' operands are names of tensors, of the interface or of the workspace.
    """

    result: str
    m: sympy.Expr
    n: sympy.Expr
    terms: tuple[Term, ...]

    @property
    def keys(self) -> frozenset[int]:
        """The tiling keys under which it is computed."""
        return frozenset().union(*(t.keys for t in self.terms))

    @property
    def operands(self) -> frozenset[str]:
        return frozenset(o for t in self.terms for o in (t.a, t.b))

    @property
    def sums_rows(self) -> bool:
        """Whether all rows must be there before it can be computed."""
        return self.terms[0].k == dim(ROWS)


@dataclass(frozen=True)
class Stack:
    """Products that are walked together because they share an operand, whose tiles are then read once for all of them.

    axis: "m" where they share b and lie under one another, "n" where they share a and lie side by side; each starts at a
    whole fractal. A product that shares nothing is a stack of one.
    """

    products: tuple[Product, ...]
    axis: str = "m"

    @property
    def name(self) -> str:
        return self.products[0].result

    @property
    def keys(self) -> frozenset[int]:
        return frozenset().union(*(p.keys for p in self.products))


def stacks(products: tuple[Product, ...]) -> tuple[Stack, ...]:
    """Products of one level, those that share an operand together: its tiles then cross into L1 ceil(sum of m / tile) times,
    which is never more than the sum of ceil(m / tile). Those that are always computed come first."""
    found: list[Stack] = []
    for p in sorted(products, key=lambda p: -len(p.keys)):
        for i, s in enumerate(found):
            axis = _shared(s, p)
            if axis:
                found[i] = Stack((*s.products, p), axis)
                break
        else:
            found.append(Stack((p,)))
    return tuple(found)


def _shared(s: Stack, p: Product) -> str:
    first = s.products[0]
    if len(p.terms) > 1 or len(first.terms) > 1 or p.terms[0].k != first.terms[0].k:
        return ""
    one, other = first.terms[0], p.terms[0]
    same = {"m": (one.b, one.transpose_b, first.n) == (other.b, other.transpose_b, p.n) and one.transpose_a == other.transpose_a,
            "n": (one.a, one.transpose_a, first.m) == (other.a, other.transpose_a, p.m) and one.transpose_b == other.transpose_b}
    return next((axis for axis in ("m", "n") if same[axis] and (len(s.products) == 1 or s.axis == axis)), "")


@dataclass(frozen=True)
class CubeStage:
    level: int
    products: tuple[Product, ...]

    @property
    def stacks(self) -> tuple[Stack, ...]:
        return stacks(self.products)


@dataclass(frozen=True)
class VectorStage:
    """graph: outputs are tensors of the interface and of the workspace; all values have one width of lanes."""

    level: int
    name: str
    graph: Graph
    interface: Interface


@dataclass(frozen=True)
class Partition:
    """stages: the work per row, in order of their levels; sums: the products over all rows, which come last, those included
    that have inputs for operands and outputs for results: nothing waits for them.

    workspace: name -> tensor, narrow or float32.
    """

    interface: Interface
    options: tuple[str, ...]
    stages: tuple[CubeStage | VectorStage, ...]
    sums: tuple[Product, ...]
    workspace: dict[str, Tensor]

    @property
    def levels(self) -> int:
        return max((s.level + 1 for s in self.stages), default=0)

    def ready(self, product: Product) -> int:
        """The level after whose last block a product over all rows has its operands; 0 where it has inputs alone."""
        written = {t: s.level for s in self.stages if isinstance(s, VectorStage) for t in s.graph.outputs}
        return max((written[o] for o in product.operands if o in written), default=0)

    def lifetime(self, tensor: str) -> tuple[int, int] | None:
        """The levels that write and last read a tensor of the workspace; None where it lasts until the sums over rows."""
        if any(tensor in p.operands for p in self.sums):
            return None
        written, read = 0, 0
        for s in self.stages:
            if isinstance(s, CubeStage):
                written = s.level if any(p.result == tensor for p in s.products) else written
                read = max([read, *(s.level for p in s.products if tensor in p.operands)])
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
    graph = graph.map(lambda n, operands: _absent_terms(rebuild(n, operands)))
    return _Partitioning(simplify(_views_at_leaves(graph), interface), interface).run()


def _views_at_leaves(graph: Graph) -> Graph:
    """Reshapes that split the last axis move to the inputs and the products' results, so that values have channels."""
    whole = sums_of_products(graph)
    results: set[Node] = set()

    def ruled(n: Node, operands: tuple[Node, ...]) -> Node:
        new = rule(n, operands)
        if n in whole:
            results.add(new)
        return new

    def rule(n: Node, operands: tuple[Node, ...]) -> Node:
        n = rebuild(n, operands)
        while n.op == "reshape" and n.operands[0].op == "reshape":
            n = node("reshape", n.operands[0].operands[0], shape=n.attr("shape"))
        if n.op != "reshape" or len(n.shape) <= len(n.operands[0].shape):
            return n
        return split(n.operands[0], n.attr("shape"))

    def split(x: Node, shape) -> Node:
        pointwise = OPS[x.op].kind == "pointwise" or x.op == "guard"
        if not pointwise or not x.shape or x in results:
            return rule_of_views(node("reshape", x, shape=shape))
        operands = tuple(o if not o.shape else split(o, shape) for o in x.operands)
        return rebuild(x, operands)

    def rule_of_views(n: Node) -> Node:
        inner = n.operands[0]
        if inner.op == "reshape":
            n = node("reshape", inner.operands[0], shape=n.attr("shape"))
        return n.operands[0] if n.operands[0].shape == n.shape else n

    return graph.map(lambda n, ops: _absent_terms(ruled(n, ops)))


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


def sums_of_products(graph: Graph) -> dict[Node, tuple[Node, ...]]:
    """Product or sum of products -> the products that it is the sum of, those that are always there first.

    A product is a term where nothing else reads it: of `guard(a + b, a)`, b is a term where the option is.
    """
    below = lambda n: topological([n], lambda m: () if m.op == "matmul" else m.operands)
    terms: dict[Node, tuple[Node, ...]] = {}
    for n in graph.nodes():
        if n.op == "matmul":
            terms[n] = (n,)
        elif n.op in ("add", "guard") and n.shape and all(o in terms for o in n.operands):
            one, other = (terms[o] for o in n.operands)
            if n.op == "guard" or not set(one) & set(other):
                terms[n] = tuple(dict.fromkeys((*other, *one)))
    uses, kept, found, covered = graph.uses(), set(graph.outputs.values()), {}, set()
    for n in reversed(graph.nodes()):
        if n in terms and n not in covered:
            inside = set(below(n))
            if n.op == "matmul" or all(set(uses[m]) <= inside and m not in kept for m in inside - {n}):
                found[n] = terms[n]
                covered |= inside
    return {n: found[n] for n in graph.nodes() if n in found}


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
        self.products = sums_of_products(graph)
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
        operands = [o for t in self.products[n] for o in t.operands] if n in self.products else n.operands
        found = 0
        for o in operands:
            level = self.level[o]
            if n in self.products:
                found = max(found, level + 2 if level % 2 else level + 1 if self._computed(o) else 1)
            else:
                found = max(found, level + 1 if level % 2 else level)
        return max(found, 1) if n in self.products else found

    def _pass(self, n: Node) -> int:
        """Vector work of one level waits for its own reductions over channels: each is a walk over all channels."""
        same = [o for o in n.operands if self.level[o] == self.level[n]]
        return max((self.pass_[o] + over_channels(o) for o in same), default=0)

    @staticmethod
    def _computed(n: Node) -> bool:
        return n.op != "input"

    def run(self) -> Partition:
        products = list(self.products)
        outputs = {v: k for k, v in self.graph.outputs.items()}
        stored: dict[Node, str] = {}
        for p in products:
            for o in (o for t in self.products[p] for o in t.operands):
                if o in self.products:
                    raise LoweringError(f"matmul: {o!r} is multiplied again as it is; put a pointwise step between the products")
                if not any(n.op == "input" and n.shape for n in topological([o])):
                    raise LoweringError(f"matmul: {o!r} has no tensor in it; a product with a constant is a sum, write that")
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
                jobs = {p: self._product(p, stored, results[p]) for p in products if self.level[p] == level}
                last = [p for p, job in jobs.items() if job.sums_rows or not job.operands & set(self.workspace) and p in outputs]
                sums += [jobs[p] for p in last]
                if len(last) < len(jobs):
                    stages.append(CubeStage(level, tuple(job for p, job in jobs.items() if p not in last)))
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
        first = min((s.level for s in stages), default=0)
        return Partition(self.interface, self.options, tuple(replace(s, level=s.level - first) for s in stages), tuple(sums), self.workspace)

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
        if n in self.products:
            return "_and_".join(f"{word(t.operands[0])}_by_{word(t.operands[1])}" for t in self.products[n])
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
        name = lambda o: stored[o] if o in stored else o.attr("name")
        terms = []
        for t in self.products[p]:
            a, b = t.operands
            ta, tb = bool(t.attr("transpose_a")), bool(t.attr("transpose_b"))
            terms.append(Term(name(a), name(b), ta, tb, a.shape[0] if ta else a.shape[1], self._keys(t)))
        return Product(result, p.shape[0], p.shape[1], tuple(terms))

    def _vector(self, level: int, name: str, outs: dict[str, Node], results: dict[Node, str]) -> VectorStage:
        """The graph of these outputs, cut at products: their results are inputs."""

        new: dict[Node, Node] = {}
        own = set(outs.values())
        given = lambda n: n in self.products or over_channels(n) and n not in own
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
