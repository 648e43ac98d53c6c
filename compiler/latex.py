"""Formulas of a graph in LaTeX: one line for each named value that an output needs, the output last."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from ir.graph import Graph, Node, topological
from ir.types import dim

_OR, _AND, _RELATION, _SUM, _PRODUCT, _ATOM = range(6)
_INFIX = {"add": (" + ", _SUM), "sub": (" - ", _SUM), "mul": (r" \cdot ", _PRODUCT), "lt": (" < ", _RELATION),
          "gt": (" > ", _RELATION), "le": (r" \le ", _RELATION), "ge": (r" \ge ", _RELATION), "eq": (" = ", _RELATION),
          "and": (r" \wedge ", _AND), "or": (r" \vee ", _OR)}
_NAMED = {"sigmoid": r"\sigma", "tanh": r"\tanh", "exp": r"\exp", "log": r"\log", "min": r"\min", "max": r"\max",
          "silu": r"\operatorname{silu}", "softplus": r"\operatorname{softplus}", "erf": r"\operatorname{erf}"}
_TRANSPARENT = ("broadcast", "reshape", "cast", "finite", "saved")


def gradient(graph: Graph, output: str) -> str:
    """The formulas of one output as an align* environment."""
    root = graph.outputs[output]
    used = {n for n in topological([root]) if n.op not in ("input", "constant")}
    inner = root.operands[0] if root.op == "live_rows" else root
    skip = (root, inner) if graph.names.get(inner) in (output, None) else (root,)
    labels = {n: t for n, t in graph.names.items() if n in used and n not in skip and n.op not in _TRANSPARENT}
    lines = [f"{word(labels[n])} &= {_text(n, labels, 0, opened=True)}" for n in topological([root]) if n in labels]
    lines.append(f"{word(output)} &= {_text(root, labels, 0, opened=True)}")
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def word(name: str) -> str:
    """A name as an upright word."""
    return rf"\mathrm{{{name.replace('_', chr(92) + '_')}}}"


def _text(n: Node, labels: dict[Node, str], strength: int, opened: bool = False) -> str:
    """n as a formula that may stand beside an operator of that strength. opened: write n out though it has a name."""
    if n in labels and not opened:
        return word(labels[n])
    text, own = _formula(n, lambda o, s: _text(o, labels, s))
    return text if own >= strength else rf"\left({text}\right)"


def _formula(n: Node, inner: Callable[[Node, int], str]) -> tuple[str, int]:
    """(text, strength)."""
    if n.op in _TRANSPARENT:
        return inner(n.operands[0], _ATOM), _ATOM
    if n.op == "input":
        return word(n.attr("name")), _ATOM
    if n.op == "constant":
        value = n.attr("value")
        text = str(int(value)) if value % 1 == 0 else sympy.latex(sympy.Float(value))
        return text, _SUM if value < 0 else _ATOM
    if n.op == "size":
        return sympy.latex(dim(n.attr("of"))), _ATOM
    if n.op in _INFIX:
        sign, strength = _INFIX[n.op]
        a, b = n.operands
        return f"{inner(a, strength)}{sign}{inner(b, strength + (n.op == 'sub'))}", strength
    if n.op == "neg":
        return f"-{inner(n.operands[0], _PRODUCT)}", _SUM
    if n.op == "not":
        return rf"\neg {inner(n.operands[0], _ATOM)}", _PRODUCT
    if n.op == "div":
        a, b = n.operands
        return rf"\frac{{{inner(a, 0)}}}{{{inner(b, 0)}}}", _ATOM
    if n.op in ("sqrt", "rsqrt"):
        root = rf"\sqrt{{{inner(n.operands[0], 0)}}}"
        return root if n.op == "sqrt" else rf"\frac{{1}}{{{root}}}", _ATOM
    if n.op == "abs":
        return rf"\left|{inner(n.operands[0], 0)}\right|", _ATOM
    if n.op in _NAMED:
        return rf"{_NAMED[n.op]}\left({', '.join(inner(o, 0) for o in n.operands)}\right)", _ATOM
    return _arrangement(n, inner)


def _arrangement(n: Node, inner: Callable[[Node, int], str]) -> tuple[str, int]:
    if n.op == "slice":
        start, stop = (sympy.latex(dim(n.attr(k))) for k in ("start", "stop"))
        return rf"{inner(n.operands[0], _ATOM)}_{{[{start}:{stop}]}}", _ATOM
    if n.op == "concat":
        return r"\left[" + r" \;\middle|\; ".join(inner(o, 0) for o in n.operands) + r"\right]", _ATOM
    if n.op in ("reduce_sum", "reduce_max"):
        index = sympy.latex(n.operands[0].shape[n.attr("axis")]).lower()
        sign = r"\sum" if n.op == "reduce_sum" else r"\max"
        return rf"{sign}_{{{index}}} {inner(n.operands[0], _PRODUCT)}", _SUM
    if n.op == "select":
        condition, a, b = n.operands
        return _cases((inner(a, 0), inner(condition, 0)), (inner(b, 0), r"\text{otherwise}")), _ATOM
    if n.op == "guard":
        option = n.attr("option").replace("_", r"\_")
        a, b = n.operands
        return _cases((inner(a, 0), rf"\text{{with {option}}}"), (inner(b, 0), r"\text{otherwise}")), _ATOM
    if n.op == "live_rows":
        value, count = n.operands
        return _cases((inner(value, 0), f"t < {inner(count, 0)}"), ("0", r"\text{otherwise}")), _ATOM
    if n.op == "row_count":
        return rf"\min\left(\max\left(\sum {inner(n.operands[0], _ATOM)}, 0\right), {n.attr('rows')}\right)", _ATOM
    if n.op == "matmul":
        def side(text: str, transposed: bool) -> str:
            text = rf"\left({text}\right)" if transposed and text.startswith(r"\frac") else text
            return text + (r"^{\mathsf{T}}" if transposed else "")

        a, b = (side(inner(o, _ATOM), n.attr(t)) for o, t in zip(n.operands, ("transpose_a", "transpose_b")))
        return rf"{a} \, {b}", _PRODUCT
    name = n.op.replace("_", r"\_")
    return rf"\operatorname{{{name}}}\left({', '.join(inner(o, 0) for o in n.operands)}\right)", _ATOM


def _cases(*rows: tuple[str, str]) -> str:
    return r"\begin{cases}" + r" \\ ".join(f"{value} & {condition}" for value, condition in rows) + r"\end{cases}"
