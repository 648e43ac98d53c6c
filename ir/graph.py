"""Graphs in SSA form: immutable, hash-consed nodes, so that equal computations are one node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from ir.types import TensorType


class GraphError(ValueError):
    """A graph or an operation that is not well formed; the message names the node."""


class Node:
    """One value. op: row of `ir.ops.OPS`; operands: values it is computed from; attrs: sorted constants of the op."""

    __slots__ = ("op", "operands", "attrs", "type", "__weakref__")
    _interned: WeakValueDictionary = WeakValueDictionary()

    def __new__(cls, op: str, operands: tuple[Node, ...], attrs: tuple[tuple[str, object], ...], type: TensorType):
        # 0.0, -0.0, 0 and False are equal but not the same constant, and NaN is not equal to itself.
        exact = tuple((name, repr(value)) for name, value in attrs)
        key = (op, tuple(id(o) for o in operands), exact, type)
        node = cls._interned.get(key)
        if node is None:
            node = object.__new__(cls)
            for name, value in (("op", op), ("operands", operands), ("attrs", attrs), ("type", type)):
                object.__setattr__(node, name, value)
            cls._interned[key] = node
        return node

    def __setattr__(self, name, value):
        raise AttributeError("nodes are immutable")

    def attr(self, name: str, default=None):
        return dict(self.attrs).get(name, default)

    @property
    def shape(self):
        return self.type.shape

    @property
    def dtype(self) -> str:
        return self.type.dtype

    def __repr__(self) -> str:
        """As messages show it: an input is its name."""
        if self.op == "input":
            return f"{self.attr('name')}: {self.type}"
        called = lambda o: {"input": o.attr("name"), "constant": o.attr("value")}.get(o.op, o.op)
        inside = ", ".join([str(called(o)) for o in self.operands] + [f"{k}={v}" for k, v in self.attrs])
        return f"{self.op}({inside}): {self.type}"


def node(op: str, *operands: Node, **attrs) -> Node:
    """A node of that operation, its type found by the table's type rule.

    Raises GraphError when the operation is unknown or its operands do not fit.
    """
    from ir.ops import OPS

    row = OPS.get(op)
    if row is None:
        raise GraphError(f"{op}: unknown operation, want one of {', '.join(OPS)}")
    if row.arity is not None and len(operands) != row.arity:
        raise GraphError(f"{op}: got {len(operands)} operands, wants {row.arity}")
    frozen = tuple(sorted(attrs.items()))
    try:
        type = row.type_rule(tuple(o.type for o in operands), dict(frozen))
    except ValueError as error:  # GraphError, or a dimension that is none
        raise GraphError(f"{op}({', '.join(map(repr, operands))}): {error}") from None
    return Node(op, operands, frozen, type)


@dataclass(frozen=True)
class Graph:
    """inputs and outputs are named values; `names` gives further values the names that emitted code will carry."""

    name: str
    inputs: Mapping[str, Node]
    outputs: Mapping[str, Node]
    names: Mapping[Node, str] = field(default_factory=dict)

    def nodes(self) -> list[Node]:
        """Every value that an output needs, and every input, operands first."""
        return topological([*self.inputs.values(), *self.outputs.values()])

    def map(self, rule: Callable[[Node, tuple[Node, ...]], Node], name: str | None = None) -> Graph:
        """The graph with every node rebuilt by ``rule(node, new operands)``; names move to what replaced their value."""
        new = rewrite(self.nodes(), rule)
        names = {}
        for old, text in self.names.items():
            result = new.get(old)
            while result is not None and result.op not in ("constant", "input"):
                names.setdefault(result, text)
                result = result.operands[0] if result.op == "live_rows" else None
        return Graph(
            name or self.name,
            {k: new[v] for k, v in self.inputs.items()},
            {k: new[v] for k, v in self.outputs.items()},
            names,
        )

    def uses(self) -> dict[Node, list[Node]]:
        """Value -> the values computed from it, one entry per operand position."""
        found: dict[Node, list[Node]] = {n: [] for n in self.nodes()}
        for n in self.nodes():
            for o in n.operands:
                found[o].append(n)
        return found

    def verify(self) -> Graph:
        """The graph itself, after checking each node's type against the table.

        Raises GraphError that names the first node that does not hold.
        """
        named = set(self.inputs.values())
        for label, n in self.inputs.items():
            if n.op != "input" or n.attr("name") != label:
                raise GraphError(f"input {label}: is {n!r}, wants input(name={label})")
        for n in self.nodes():
            if n.op == "input" and n not in named:
                raise GraphError(f"{n!r}: used but not among the graph's inputs")
            again = node(n.op, *n.operands, **dict(n.attrs))
            if again.type != n.type:
                raise GraphError(f"{self.names.get(n, n.op)}: type is {n.type}, wants {again.type}")
        return self


def topological(roots: Iterable[Node], operands_of: Callable = lambda n: n.operands) -> list[Node]:
    """The roots and everything they are computed from, operands first; ``operands_of(node)`` says what that is."""
    order: list[Node] = []
    seen: set[Node] = set()
    for root in roots:
        stack = [(root, iter(operands_of(root)))]
        while stack:
            current, operands = stack[-1]
            if current in seen:
                stack.pop()
                continue
            for operand in operands:
                if operand not in seen:
                    stack.append((operand, iter(operands_of(operand))))
                    break
            else:
                seen.add(current)
                order.append(current)
                stack.pop()
    return order


def rewrite(order: Iterable[Node], rule: Callable[[Node, tuple[Node, ...]], Node]) -> dict[Node, Node]:
    new: dict[Node, Node] = {}
    for n in order:
        new[n] = rule(n, tuple(new[o] for o in n.operands))
    return new


def rebuild(n: Node, operands: tuple[Node, ...]) -> Node:
    """The same operation on other operands."""
    return n if operands == n.operands else node(n.op, *operands, **dict(n.attrs))
