"""Relations between sizes in the notations of emitted files: C++, LaTeX and plain text."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ir.relation import Relation, factors, number, operands, terms

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Mod: "%"}
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
_LATEX = {"<=": r"\le", ">=": r"\ge", "<": "<", ">": ">", "==": "="}
_PLAIN = {"<=": "<=", ">=": ">=", "<": "<", ">": ">", "==": "=="}


def cpp(node: ast.expr, spelled: Mapping[str, str], outer: int = 0) -> str:
    """As C++ on int64_t; `spelled` says how the names are written. Values are bounded: nothing overflows."""
    if isinstance(node, ast.Name):
        return spelled[node.id]
    if isinstance(node, ast.BinOp):
        sign = _SIGNS[type(node.op)]
        left, right = operands(node)
        inner = f"{cpp(left, spelled, _STRENGTH[sign])} {sign} {cpp(right, spelled, _STRENGTH[sign] + 1)}"
        return f"({inner})" if _STRENGTH[sign] < outer else inner
    if isinstance(node, ast.Call):
        return f"CeilDiv({', '.join(cpp(n, spelled) for n in operands(node))})"
    return str(number(node))


def text(node: ast.expr) -> str:
    """As log lines and comments show it."""
    class Same(dict):
        def __missing__(self, name):
            return name

    return cpp(node, Same())


def plain(rule: Relation) -> str:
    return f"{text(rule.left)} {_PLAIN[rule.comparison]} {text(rule.right)}"


def is_sum_of_products(node: ast.expr) -> bool:
    return all(isinstance(f, ast.Name) or (number(f) or 0) > 0 for t in terms(node) for f in factors(t))


def safe_sum(node: ast.expr, spelled: Mapping[str, str]) -> str:
    """A sum of products of sizes as C++ that is -1 where it overflows or a size is negative."""
    parts = [f"Product({{{', '.join(cpp(f, spelled) for f in factors(t))}}})" for t in terms(node)]
    return parts[0] if len(parts) == 1 else f"Sum({{{', '.join(parts)}}})"


def latex(node: ast.expr, outer: int = 0) -> str:
    """As LaTeX: products by juxtaposition of a number and a name, ceilings with their brackets."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        a, b = operands(node)
        return rf"\left\lceil {latex(a)}/{latex(b)}\right\rceil"
    if isinstance(node, ast.BinOp):
        sign = _SIGNS[type(node.op)]
        left, right = operands(node)
        a, b = latex(left, _STRENGTH[sign]), latex(right, _STRENGTH[sign] + 1)
        if sign == "*":
            inner = f"{a}{b}" if number(left) is not None else rf"{a}\times {b}"
        else:
            inner = f"{a}{sign}{b}" if sign != "%" else rf"{a}\bmod {b}"
        return rf"\left({inner}\right)" if _STRENGTH[sign] < outer else inner
    return str(number(node))


def aligned(rules: list[Relation]) -> str:
    """Several relations below each other, for an ``aligned`` environment."""
    rows = [rf"{latex(r.left)} &{_LATEX[r.comparison]} {latex(r.right)}" for r in rules]
    return ",\\\\\n".join(rows) + "."
