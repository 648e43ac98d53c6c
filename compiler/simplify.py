"""Shared subexpressions (by construction), dead branches, row masks at the outputs, overflow-safe forms.

Each rule is a function from a node to a simpler node of the same value, or None. The value is the same over the reals;
where a rule matters for NaN and infinity it says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

import sympy

from ir.graph import Graph, Node, node, rebuild
from ir.interface import ROWS, Interface
from ir.ops import OPS, constant
from ir.types import dim

_LINEAR = {"neg": (0,), "mul": (0, 1), "div": (0,), "select": (1, 2), "broadcast": (0,), "cast": (0,), "slice": (0,),
           "reshape": (0,), "matmul": (0, 1)}
"""Operations that give zero where these operands are zero."""


def simplify(graph: Graph, interface: Interface | None = None) -> Graph:
    """The graph with every rule applied until none applies. Outputs that belong to an option lose their guard on it."""
    while True:
        after = graph.map(_simplest)
        if interface is not None:
            after = _unguard_outputs(after, interface)
        after = _without_unused_inputs(after)
        if all(after.outputs[k] is graph.outputs[k] for k in graph.outputs):
            return after.verify()
        graph = after


def specialise(graph: Graph, options: Collection[str]) -> Graph:
    """The simplified graph for one set of present options: no guards are left. Outputs keep their keys."""
    return simplify(choose(graph, options))


def choose(graph: Graph, options: Collection[str]) -> Graph:
    """The graph with every guard replaced by one of its sides, and nothing else changed."""

    def chosen(n: Node, operands: tuple[Node, ...]) -> Node:
        if n.op == "guard":
            return _full(operands[0] if n.attr("option") in options else operands[1], n)
        return rebuild(n, operands)

    return graph.map(chosen)


def _simplest(n: Node, operands: tuple[Node, ...]) -> Node:
    result = rebuild(n, operands)
    for rule in RULES:
        simpler = rule(result)
        if simpler is not None and simpler is not result:
            simpler = simpler if not simpler.operands else _simplest(simpler, simpler.operands)
            full = _full(simpler, result)
            return full if full is simpler else _simplest(full, full.operands)
    return result


def _is(n: Node, number: float) -> bool:
    if n.op == "broadcast":
        n = n.operands[0]
    return n.op == "constant" and n.attr("value") == number


def _full(n: Node, like: Node) -> Node:
    """n in the shape of `like`: a folded operand may be a scalar or a smaller shape."""
    return n if n.shape == like.shape or not n.shape and not like.shape else node("broadcast", n, shape=tuple(map(str, like.shape)))


def _identities(n: Node) -> Node | None:
    a, b = (*n.operands, None, None)[:2]
    if n.op == "add":
        return _full(b, n) if _is(a, 0) else _full(a, n) if _is(b, 0) else None
    if n.op == "sub":
        return _full(a, n) if _is(b, 0) else node("neg", _full(b, n)) if _is(a, 0) else None
    if n.op == "mul":
        if _is(a, 0) or _is(b, 0):
            return constant(0.0, n.dtype) if not n.shape else _full(constant(0.0, n.dtype), n)
        if _is(a, -1) or _is(b, -1):
            return node("neg", _full(b if _is(a, -1) else a, n))
        return _full(b, n) if _is(a, 1) else _full(a, n) if _is(b, 1) else None
    if n.op == "div":
        if b.op == "constant" and abs(math.frexp(b.attr("value"))[0]) == 0.5:  # a power of two: no rounding either way
            return node("mul", a, constant(1 / b.attr("value"), n.dtype))
        return _full(a, n) if _is(b, 1) or _is(a, 0) else None
    if n.op == "neg":
        if a.op == "neg":
            return a.operands[0]
        return constant(-a.attr("value"), a.dtype) if a.op == "constant" else None
    if n.op == "select":
        _, a, b = n.operands
        return _full(a, n) if a is b or (_is(a, 0) and _is(b, 0)) else None
    return None


def _shapes(n: Node) -> Node | None:
    if n.op == "broadcast" and n.operands[0].shape == n.shape:
        return n.operands[0]
    if n.op == "broadcast" and n.operands[0].op == "broadcast":
        return node("broadcast", n.operands[0].operands[0], **dict(n.attrs))
    if n.op == "slice" and dim(n.attr("start")) == 0 and n.shape == n.operands[0].shape:
        return n.operands[0]
    if n.op == "slice" and n.operands[0].op == "concat":
        at = sympy.Integer(0)
        for part in n.operands[0].operands:
            if sympy.simplify(at - dim(n.attr("start"))) == 0 and part.shape == n.shape:
                return part
            at += part.shape[-1]
    if n.op == "concat" and len(n.operands) == 1:
        return n.operands[0]
    if n.op == "reshape":
        x = n.operands[0]
        if x.shape == n.shape:
            return x
        if x.op == "reshape":
            return node("reshape", x.operands[0], **dict(n.attrs))
        if x.op == "broadcast" and not x.operands[0].shape:
            return _full(x.operands[0], n)
    if n.op == "reduce_sum" and n.operands[0].shape[n.attr("axis")] == 1:
        return n.operands[0]
    return None


def _scales(n: Node) -> Node | None:
    """A constant factor meets the constant inside its operand, or else moves to the smallest factor."""
    if n.op != "mul" or sum(o.op == "constant" for o in n.operands) != 1:
        return None
    (scale,) = (o for o in n.operands if o.op == "constant")
    (x,) = (o for o in n.operands if o.op != "constant")
    scaled = lambda y: node("mul", y, scale)
    if x.op == "neg":
        return node("mul", x.operands[0], constant(-scale.attr("value"), scale.dtype))
    if x.op == "broadcast":
        return node("broadcast", scaled(x.operands[0]), **dict(x.attrs))
    if x.op == "div":
        return node("div", scaled(x.operands[0]), x.operands[1])
    if x.op == "mul":
        a, b = x.operands
        if a.op == "constant" or b.op == "constant":
            return node("mul", *(scaled(o) if o.op == "constant" else o for o in x.operands))
        for i, o in enumerate(x.operands):
            if o.op == "broadcast" or o.op == "mul" and any(p.op == "constant" for p in o.operands):
                return node("mul", *(scaled(p) if i == j else p for j, p in enumerate(x.operands)))
    return None


def _scale_pairs(n: Node) -> Node | None:
    """Constant factors of both sides of a product become one."""
    if n.op == "mul" and n.operands[0] is not n.operands[1]:
        a, b = map(_constant_factor, n.operands)
        if a and b:
            rest = node("mul", *(_full(r, o) for (_, r), o in zip((a, b), n.operands)))
            return node("mul", rest, constant(a[0] * b[0], n.dtype))
    return None


def _constant_factor(n: Node) -> tuple[float, Node] | None:
    """(constant, rest) of a product with a constant factor."""
    if n.op not in ("mul", "div", "broadcast"):
        return None
    for i, o in enumerate(n.operands if n.op == "mul" else n.operands[:1]):
        if o.op == "constant" and n.op == "mul":
            return o.attr("value"), _full(n.operands[1 - i], n)
        found = _constant_factor(o)
        if found:
            return found[0], node(n.op, *(found[1] if j == i else p for j, p in enumerate(n.operands)), **dict(n.attrs))
    return None


def _signs(n: Node) -> Node | None:
    """A sign leaves products and sums and ends in a difference."""
    if n.op == "add":
        a, b = n.operands
        return node("sub", a, b.operands[0]) if b.op == "neg" else node("sub", b, a.operands[0]) if a.op == "neg" else None
    if n.op == "sub" and n.operands[1].op == "neg":
        return node("add", n.operands[0], n.operands[1].operands[0])
    if n.op in ("mul", "div", "broadcast", "reshape", "matmul", "reduce_sum"):
        for i, o in enumerate(n.operands):
            if o.op == "neg":
                positive = (o.operands[0] if i == j else p for j, p in enumerate(n.operands))
                return node("neg", node(n.op, *positive, **dict(n.attrs)))
    return None


def _guards(n: Node) -> Node | None:
    """One guard per option, as close to the outputs as a zero side lets it go."""
    if n.op == "guard":
        present, absent = n.operands
        option = n.attr("option")
        if present is absent:
            return present
        if present.op == "guard" and present.attr("option") == option:
            return node("guard", present.operands[0], absent, option=option)
        if absent.op == "guard" and absent.attr("option") == option:
            return node("guard", present, absent.operands[1], option=option)
        return None
    if n.op in ("add", "sub"):
        a, b = n.operands
        if a.op == b.op == "guard" and a.attr("option") == b.attr("option"):
            return node("guard", *(node(n.op, x, y) for x, y in zip(a.operands, b.operands)), option=a.attr("option"))
    if n.op in _LINEAR or n.op == "reduce_sum":
        for i in _LINEAR.get(n.op, (0,)):
            g = n.operands[i]
            if g.op == "guard" and (_is(g.operands[0], 0) or _is(g.operands[1], 0)):
                other_zero = n.op != "select" or all(_is(n.operands[j], 0) for j in (1, 2) if j != i)
                if not other_zero:
                    continue
                sides = []
                for side in g.operands:
                    if _is(side, 0):
                        sides.append(constant(0.0, n.dtype))
                    else:
                        sides.append(node(n.op, *(_full(side, g) if j == i else o for j, o in enumerate(n.operands)),
                                          **dict(n.attrs)))
                return node("guard", *sides, option=g.attr("option"))
    return None


def _row_masks(n: Node) -> Node | None:
    """Row masks move to the outputs: what is linear in the masked operand is masked instead of its operand.

    A mask selects, so dead rows are neither read nor computed, and NaN in them reaches nothing.
    """

    def masked(operands):
        return [o for o in operands if o.op == "live_rows"]

    def strip(o):
        return o.operands[0] if o.op == "live_rows" else o

    found = masked(n.operands)
    if n.op == "live_rows":
        x, count = n.operands
        everything = count.op == "size" and count.attr("of") == ROWS
        return x if everything or _is(x, 0) or x.op == "live_rows" and x.operands[1] is count else None
    if not found:
        return None
    count = found[0].operands[1]
    if any(o.operands[1] is not count for o in found):
        return None
    zero_elsewhere = all(o.op == "live_rows" or _is(o, 0) for o in n.operands)
    row_local = n.shape and found[0].shape and n.shape[0] == found[0].shape[0]
    if n.op == "matmul" and n.attr("transpose_a") and not n.attr("transpose_b") and len(found) == 1:
        both = (o if o.op == "live_rows" else node("live_rows", o, count) for o in n.operands)
        return node("matmul", *both, **dict(n.attrs))  # a sum over rows: zeros times dead rows may be NaN
    if n.op == "matmul" and (n.operands[0].op != "live_rows" or n.attr("transpose_a")):
        return None
    if n.op in _LINEAR and any(n.operands[i].op == "live_rows" for i in _LINEAR[n.op]):
        if n.op == "select" and not all(n.operands[i].op == "live_rows" or _is(n.operands[i], 0) for i in (1, 2)):
            return None
    elif n.op in ("add", "sub", "concat"):
        if not zero_elsewhere:
            return None
    elif n.op == "guard":
        if not zero_elsewhere:
            return None
    elif not (n.op == "reduce_sum" and n.attr("axis") != 0):
        return None
    if not row_local:
        return None
    inner = node(n.op, *(strip(o) for o in n.operands), **dict(n.attrs))
    return node("live_rows", inner, count)


def _selects(n: Node) -> Node | None:
    """select(p, select(q, v, 0), 0) is one select on p and q: the conjunction of bit masks is nearly free."""
    if n.op == "select" and n.operands[1].op == "select":
        p, inner, zero = n.operands
        q, v, inner_zero = inner.operands
        if _is(zero, 0) and _is(inner_zero, 0):
            return node("select", node("and", q, p), v, zero)
    return None


def _row_factors(n: Node) -> Node | None:
    """A factor that is constant along the reduced axis leaves the sum."""
    if n.op != "reduce_sum" or n.operands[0].op != "mul":
        return None
    axis = n.attr("axis")
    for i, factor in enumerate(n.operands[0].operands):
        other = n.operands[0].operands[1 - i]
        if not factor.shape and other.shape:
            return node("mul", node("reduce_sum", other, axis=axis), factor)
        if factor.op == "broadcast" and factor.operands[0].shape and factor.operands[0].shape[axis] == 1 and (
            all(a == b for k, (a, b) in enumerate(zip(factor.operands[0].shape, factor.shape)) if k != axis)
        ):
            return node("mul", node("reduce_sum", _full(other, factor), axis=axis), factor.operands[0])
    return None


def _divisions(n: Node) -> Node | None:
    """a * (1/b) is a/b: one rounding less and no intermediate overflow."""
    if n.op == "mul":
        for i, o in enumerate(n.operands):
            if o.op == "div" and _is(o.operands[0], 1) and o.shape == n.shape:
                return node("div", n.operands[1 - i], o.operands[1])
    return None


def _constants(n: Node) -> Node | None:
    """Arithmetic on constants."""
    if n.op in ("add", "sub", "mul", "div") and all(o.op == "constant" for o in n.operands):
        import numpy

        a, b = (numpy.float64(o.attr("value")) for o in n.operands)
        return constant(float(OPS[n.op].numpy(a, b)), n.dtype)
    return None


RULES: tuple[Callable[[Node], Node | None], ...] = (
    _constants, _identities, _shapes, _scales, _scale_pairs, _signs, _guards, _row_masks, _selects, _row_factors, _divisions,
)


def _unguard_outputs(graph: Graph, interface: Interface) -> Graph:
    """An output of an option exists only where the option does."""
    names = dict(graph.names)

    def present(n: Node, option: str | None) -> Node:
        result = n
        if n.op == "guard" and n.attr("option") == option:
            result = n.operands[0]
        elif n.op == "live_rows":
            result = node("live_rows", present(n.operands[0], option), n.operands[1])
        if n in names and result.op != "input":
            names.setdefault(result, names[n])
        return result

    outputs = {k: present(v, interface.tensor(k).option) for k, v in graph.outputs.items()}
    return Graph(graph.name, graph.inputs, outputs, names)


def _without_unused_inputs(graph: Graph) -> Graph:
    from ir.graph import topological

    used = set(topological(graph.outputs.values()))
    inputs = {k: v for k, v in graph.inputs.items() if v in used}
    return Graph(graph.name, inputs, graph.outputs, {n: t for n, t in graph.names.items() if n in used})
