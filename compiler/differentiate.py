"""Reverse mode: from the forward graph to the graph of its gradients.

Scalar derivatives are sympy's, taken of each row's meaning; a row that pins its derivative (kinks) is asked instead.
"""

from __future__ import annotations

from functools import lru_cache

import sympy

from ir import functions
from ir.builder import graph_shape
from ir.graph import Graph, Node, node, rebuild, rewrite, topological
from ir.interface import Operator
from ir.ops import OPS, constant
from ir.types import dim

_NAMED_SLOPES = ("silu", "sigmoid", "tanh", "softplus", "erf")
_RESULT = sympy.Symbol("result", real=True)


class DifferentiationError(ValueError):
    """Something that cannot be differentiated; names the operation and the way out."""


def differentiate(operator: Operator, forward: Graph) -> Graph:
    """The backward graph: inputs are the forward's and the cotangents, outputs the gradients of `operator`.

    Raises DifferentiationError where an operation has no derivative or a gradient does not exist.
    """
    known = _known(operator, forward)
    value = rewrite(forward.nodes(), lambda n, operands: known[n] if n in known else rebuild(n, operands))
    wanted = {forward.inputs[i] for i in operator.gradients.values() if i in forward.inputs}
    active = _depends_on(forward, wanted)
    cotangents: dict[Node, list] = {}
    inputs: dict[str, Node] = {}
    for output, name in operator.cotangents.items():
        y = forward.outputs.get(output)
        if y is None:
            raise DifferentiationError(f"cotangents: got {output!r}, wants an output of the forward: {', '.join(forward.outputs)}")
        declared = tuple(dim(d) for d in graph_shape(operator.interface.tensor(name)))
        if declared != y.shape:
            raise DifferentiationError(f"{name}: its shape is {_text(declared)}, {output} has {_text(y.shape)}")
        inputs[name] = node("input", name=name, shape=tuple(map(str, y.shape)), dtype=y.dtype)
        option = operator.interface.tensor(name).option  # the output exists only with it
        only_there = lambda ct: node("guard", ct, constant(0.0, ct.dtype), option=option) if option else ct
        cotangents.setdefault(y, []).append(only_there(inputs[name]))
    names: dict[Node, str] = {value[n]: t for n, t in forward.names.items()}
    sums: dict[Node, Node] = {}
    for n in reversed(forward.nodes()):
        if n not in cotangents or n not in active:
            continue
        total = _accumulate(n, cotangents[n])
        sums[n] = total
        label = forward.names.get(n) or (n.attr("name") if n.op == "input" else None)
        if label:
            names.setdefault(total, f"grad_{label}")
        for operand, part in _cotangents_of_operands(n, total, value, active):
            if n.op in _NAMED_SLOPES and part.op == "mul" and part.operands[0] is total:
                names.setdefault(part.operands[1], f"{n.op}_slope")
            cotangents.setdefault(operand, []).append(part)
    outputs = {}
    for output, source in operator.gradients.items():
        n = forward.inputs.get(source)
        if n is None or n not in sums:
            raise DifferentiationError(f"{output}: the forward of {operator.name} does not depend on {source}")
        outputs[output] = sums[n]
    all_inputs = {**inputs, **{i.attr("name"): i for i in _leaves(outputs.values()) if i.op == "input"}}
    for name in operator.unknowns:
        if name in all_inputs:
            raise DifferentiationError(f"{name}: the gradient needs it and the interface does not give it; save a tensor "
                                       "from which it follows, or make it an attribute")
    interface = operator.interface
    order = [t.name for t in interface.tensors] + [a.name for a in interface.attributes]
    ordered = {k: all_inputs[k] for k in order if k in all_inputs}
    needed = set(topological(outputs.values()))
    names = {n: t for n, t in names.items() if n in needed}
    return Graph(f"{interface.snake}_backward", ordered, outputs, names).verify()


def _text(shape: tuple) -> str:
    return f"({', '.join(map(str, shape))})"


def _known(operator: Operator, forward: Graph) -> dict[Node, Node]:
    """Forward value -> what it is in terms of a saved tensor.

    A saved tensor is used as given, also where recomputing it would give other values. So is what it was made of by
    operations that can be undone: of 2 * sigmoid(z) the sigmoid is known, and its slope needs no z.
    """
    known: dict[Node, Node] = {}
    for n in forward.nodes():
        if n.op != "saved":
            continue
        tensor = operator.interface.tensor(n.attr("name"))
        value = node("input", name=tensor.name, shape=graph_shape(tensor), dtype="float32")
        while value is not None:
            known.setdefault(n, value)
            n, value = _undone(n, value)
    return known


def _undone(n: Node, value: Node) -> tuple[Node, Node | None]:
    """(the operand of n that is not a constant, its value where n has `value`); None where n cannot be undone."""
    if n.op == "saved":
        return n.operands[0], value
    if n.op == "reshape":
        return n.operands[0], node("reshape", value, shape=tuple(map(str, n.operands[0].shape)))
    if n.op == "neg":
        return n.operands[0], node("neg", value)
    if n.op == "mul" and sum(o.op == "constant" for o in n.operands) == 1:
        (factor,) = (o for o in n.operands if o.op == "constant")
        (x,) = (o for o in n.operands if o.op != "constant")
        if factor.attr("value") != 0 and x.shape == n.shape:
            return x, node("div", value, factor)
    return n, None


def _leaves(roots):
    return [n for n in topological(roots) if not n.operands]


def _depends_on(graph: Graph, wanted: set[Node]) -> set[Node]:
    active = set()
    for n in graph.nodes():
        if n in wanted or any(o in active for o in n.operands):
            active.add(n)
    return active


def _accumulate(n: Node, parts: list) -> Node:
    whole = [p for p in parts if isinstance(p, Node)]
    pieces = sorted((p for p in parts if not isinstance(p, Node)), key=lambda p: str(p[0]))
    if pieces:
        whole.append(_join(n, pieces))
    total = None
    for part in dict.fromkeys(whole):
        times = whole.count(part)  # x * x hands the same contribution twice
        part = part if times == 1 else node("mul", part, constant(float(times), part.dtype))
        total = part if total is None else node("add", total, part)
    return total


def _join(n: Node, pieces: list[tuple[sympy.Expr, sympy.Expr, Node]]) -> Node:
    """The cotangent of a value that was used in slices of its last axis; what no slice covers is zero."""
    remaining, parts, at, end = list(pieces), [], sympy.Integer(0), n.shape[-1]

    def zeros(width):
        return node("broadcast", constant(0.0, n.dtype), shape=tuple(map(str, (*n.shape[:-1], width))))

    while remaining:
        following = next((p for p in remaining if sympy.simplify(p[0] - at) == 0), None)
        if following is None:
            start = min((p[0] for p in remaining), key=lambda s: s.subs({v: 10**6 for v in s.free_symbols}))
            gap = sympy.simplify(start - at)
            if gap.is_negative or gap.subs({v: 10**6 for v in gap.free_symbols}).is_negative:
                raise DifferentiationError(f"slices of {n!r} overlap; cut it once and combine the parts")
            parts.append(zeros(gap))
            at = start
            continue
        remaining.remove(following)
        parts.append(following[2])
        at = following[1]
    if sympy.simplify(end - at) != 0:
        parts.append(zeros(sympy.simplify(end - at)))
    return parts[0] if len(parts) == 1 else node("concat", *parts)


def _cotangents_of_operands(n: Node, ct: Node, value: dict[Node, Node], active: set[Node]):
    """(operand, contribution) for each operand that a gradient passes through."""
    kind = OPS[n.op].kind
    zero = constant(0.0, n.dtype)
    if kind == "leaf":
        return
    if n.op == "select":
        condition, a, b = n.operands
        yield from ((o, p) for o, p in (
            (a, node("select", value[condition], ct, zero)), (b, node("select", value[condition], zero, ct))
        ) if o in active)
    elif n.op in ("cast", "saved"):
        yield n.operands[0], ct
    elif kind == "pointwise":
        for index, operand in enumerate(n.operands):
            if operand not in active:
                continue
            if n.shape and not operand.shape:
                raise DifferentiationError(f"{n.op}: no gradient through a scalar operand; give it the shape (1, n)")
            yield operand, _times_derivative(n, index, ct, value)
    elif n.op == "guard":
        present, absent = n.operands
        option = n.attr("option")
        if present in active:
            yield present, node("guard", ct, zero, option=option)
        if absent in active:
            yield absent, node("guard", zero, ct, option=option)
    elif n.op == "live_rows":
        yield n.operands[0], node("live_rows", ct, value[n.operands[1]])
    elif n.op == "broadcast":
        part = ct
        for axis, (small, large) in enumerate(zip(n.operands[0].shape, n.shape)):
            if small != large:
                part = node("reduce_sum", part, axis=axis)
        yield n.operands[0], part
    elif n.op == "reduce_sum":
        yield n.operands[0], node("broadcast", ct, shape=tuple(map(str, n.operands[0].shape)))
    elif n.op == "reduce_max":  # strict: the largest has the gradient where it is the only one, nobody at a tie
        x = n.operands[0]
        shape = tuple(map(str, x.shape))
        reached = node("eq", value[x], node("broadcast", value[n], shape=shape))
        winners = node("reduce_sum", node("cast", reached, to=ct.dtype), axis=n.attr("axis"))
        unrivalled = node("select", node("eq", winners, constant(1.0, ct.dtype)), ct, zero)
        yield x, node("select", reached, node("broadcast", unrivalled, shape=shape), zero)
    elif n.op == "reshape":
        yield n.operands[0], node("reshape", ct, shape=tuple(map(str, n.operands[0].shape)))
    elif n.op == "slice":
        yield n.operands[0], (dim(n.attr("start")), dim(n.attr("stop")), ct)
    elif n.op == "concat":
        at = sympy.Integer(0)
        for operand in n.operands:
            stop = at + operand.shape[-1]
            if operand in active:
                yield operand, node("slice", ct, start=str(at), stop=str(stop))
            at = stop
    elif n.op == "matmul":
        a, b = n.operands
        ta, tb = bool(n.attr("transpose_a")), bool(n.attr("transpose_b"))
        if a in active:
            first, second = (value[b], ct) if ta else (ct, value[b])
            yield a, _matmul(first, second, tb if ta else False, True if ta else not tb)
        if b in active:
            first, second = (ct, value[a]) if tb else (value[a], ct)
            yield b, _matmul(first, second, True if tb else not ta, ta if tb else False)
    else:
        raise DifferentiationError(f"{n.op}: has no derivative rule")


def _matmul(a: Node, b: Node, ta: bool, tb: bool) -> Node:
    attrs = {k: True for k, v in (("transpose_a", ta), ("transpose_b", tb)) if v}
    return node("matmul", a, b, **attrs)


@lru_cache(maxsize=None)
def scalar_derivative(op: str, index: int) -> tuple[sympy.Expr, tuple[sympy.Symbol, ...]]:
    """The derivative of a pointwise operation by one operand, with the operation's own result written `result`."""
    row = OPS[op]
    arguments = tuple(sympy.Symbol(f"a{i}", real=True) for i in range(row.arity))
    if row.derivative is not None:
        return row.derivative(*arguments)[index], arguments
    meaning = row.meaning(*arguments)
    derivative = sympy.diff(meaning, arguments[index])
    if len(meaning.free_symbols) and derivative.free_symbols and not meaning.is_Add:
        derivative = derivative.subs(meaning, _RESULT)
    return derivative, arguments


def _times_derivative(n: Node, index: int, ct: Node, value: dict[Node, Node]) -> Node:
    derivative, arguments = scalar_derivative(n.op, index)
    known = dict(zip(arguments, (value[o] for o in n.operands)))
    known[_RESULT] = value[n]
    return _times(ct, derivative, known)


def _times(ct: Node, factor: sympy.Expr, known: dict) -> Node:
    """ct * factor; a factor with cases selects between products, since a mask never multiplies (0 * NaN is NaN)."""
    if isinstance(factor, sympy.Piecewise):
        (first, condition), (second, _) = factor.args
        return node("select", to_graph(condition, known), _times(ct, first, known), _times(ct, second, known))
    if factor == 0:
        return constant(0.0, ct.dtype)
    if factor == 1:
        return ct
    if factor == -1:
        return node("neg", ct)
    numerator, denominator = sympy.fraction(factor, exact=True)  # exact: exp(-x) is no denominator, exp(x) overflows
    if denominator.free_symbols:
        part = _times(ct, numerator, known)
        return node("div", part, to_graph(denominator, known))
    base, power = max((f.as_base_exp() for f in sympy.Mul.make_args(factor)), key=lambda f: f[1] if f[1].is_Integer else 0)
    if power > 2 and power.is_Integer:  # one by one: base**power alone may leave the range where the product does not
        for _ in range(power):
            ct = node("mul", ct, to_graph(base, known))
        return _times(ct, factor / base**power, known)
    if factor.is_Mul and factor.could_extract_minus_sign():
        return node("neg", _times(ct, -factor, known))
    return node("mul", ct, to_graph(factor, known))


_FUNCTIONS = {functions.sigmoid: "sigmoid", functions.softplus: "softplus", functions.tanh: "tanh",
              sympy.exp: "exp", sympy.log: "log", sympy.erf: "erf", sympy.Abs: "abs"}
_RELATIONS = {sympy.StrictLessThan: "lt", sympy.LessThan: "le", sympy.StrictGreaterThan: "gt", sympy.GreaterThan: "ge"}


def to_graph(expr: sympy.Expr, known: dict[sympy.Symbol, Node]) -> Node:
    """A sympy expression over `known` symbols as graph nodes. Raises DifferentiationError for what has no operation."""
    if expr in known:
        return known[expr]
    if expr.is_Number or isinstance(expr, sympy.NumberSymbol):
        return constant(float(expr))
    if type(expr) in _RELATIONS:
        return node(_RELATIONS[type(expr)], *(to_graph(a, known) for a in expr.args))
    if type(expr) in _FUNCTIONS:
        return node(_FUNCTIONS[type(expr)], to_graph(expr.args[0], known))
    if expr.is_Add:
        return _sum(expr, known)
    if expr.is_Mul:
        return _product(expr, known)
    if expr.is_Pow:
        return _power(expr, known)
    raise DifferentiationError(f"{expr}: no operation of the table computes it")


def _sum(expr, known):
    positive = [t for t in expr.as_ordered_terms() if not t.could_extract_minus_sign()]
    negative = [-t for t in expr.as_ordered_terms() if t.could_extract_minus_sign()]
    positive.sort(key=lambda t: t.is_Number)
    total = to_graph(positive[0], known) if positive else node("neg", to_graph(negative.pop(0), known))
    for term in positive[1:]:
        total = node("add", total, to_graph(term, known))
    for term in negative:
        total = node("sub", total, to_graph(term, known))
    return total


def _product(expr, known):
    numerator, denominator = sympy.fraction(expr, exact=True)
    if denominator.free_symbols:
        return node("div", to_graph(numerator, known), to_graph(denominator, known))
    coefficient, rest = expr.as_independent(*expr.free_symbols, as_Add=False)
    factors = sympy.Mul.make_args(rest)
    total = to_graph(factors[0], known)
    for factor in factors[1:]:
        total = node("mul", total, to_graph(factor, known))
    if coefficient == -1:
        return node("neg", total)
    return total if coefficient == 1 else node("mul", total, constant(float(coefficient)))


def _power(expr, known):
    base, exponent = expr.args
    x = to_graph(base, known)
    twice = 2 * exponent
    if not twice.is_Integer:
        raise DifferentiationError(f"{expr}: only half-integer powers have an operation")
    if exponent < 0:
        return node("div", constant(1.0), to_graph(base**-exponent, known))
    whole, half = divmod(int(twice), 2)
    parts = [x] * whole + [node("sqrt", x)] * half
    total = parts[0]
    for part in parts[1:]:
        total = node("mul", total, part)
    return total
