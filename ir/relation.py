"""Relations between sizes, written once as text (``"3*H + 8*R <= K"``) and evaluated for numbers or whole arrays.

A text is one comparison of arithmetic: names, integers, ``+ - * // %`` and ``ceil_div(a, b)``. Names are size symbols of
the interface or constants of its products. Nothing here needs more than the standard library; arrays are those of
NumPy, whose operators do the work.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

COMPARISONS = {ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">", ast.Eq: "=="}
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
              ast.Mod: operator.mod}
_COMPARE = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "==": operator.eq}


class RelationError(ValueError):
    """A text that is no relation: what it says and what would work, in one line."""


@dataclass(frozen=True)
class Relation:
    """left, right: expressions as `ast` has them; comparison: one of ``<= >= < > ==``."""

    text: str
    left: ast.expr
    comparison: str
    right: ast.expr

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*names(self.left), *names(self.right)]))

    def holds(self, values: Mapping[str, object]):
        """Whether it holds for these values: a bool, or an array of them."""
        return _COMPARE[self.comparison](evaluate(self.left, values), evaluate(self.right, values))

    @property
    def multiple(self) -> tuple[str, int] | None:
        """(H, 16) for ``H % 16 == 0``, else None."""
        n = self.left
        if self.comparison == "==" and isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) and number(self.right) == 0:
            if isinstance(n.left, ast.Name) and number(n.right):
                return n.left.id, number(n.right)
        return None

    @property
    def simple(self) -> bool:
        """Whether it compares one name with one integer."""
        return isinstance(self.left, ast.Name) and number(self.right) is not None

    @property
    def right_names(self) -> list[str]:
        return names(self.right)

    @property
    def bound(self) -> tuple[int, str] | None:
        """(13, H) where the left side is ``13*H`` and the right side an upper bound, else None."""
        if self.comparison != "<=":
            return None
        factors = list(_factors(self.left))
        found = [n.id for n in factors if isinstance(n, ast.Name)]
        scale = 1
        for n in factors:
            scale *= number(n) or 1
        return (scale, found[0]) if len(found) == 1 and len(factors) <= 2 else None


@lru_cache(maxsize=None)
def relation(text: str) -> Relation:
    """The relation that a text says. Raises RelationError."""
    tree = _parsed(text)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or type(tree.ops[0]) not in COMPARISONS:
        raise RelationError(f"relation {text!r}: wants one comparison of sizes, as in 3*H + 8*R <= K")
    for side in (tree.left, tree.comparators[0]):
        _check(side, text)
    return Relation(text, tree.left, COMPARISONS[type(tree.ops[0])], tree.comparators[0])


@lru_cache(maxsize=None)
def expression(text: str) -> ast.expr:
    """The expression that a text says. Raises RelationError."""
    tree = _parsed(text)
    _check(tree, text)
    return tree


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        raise RelationError(f"relation {text!r}: wants arithmetic of names and integers, as in 3*H + 8*R <= K") from None


def _check(node: ast.expr, text: str) -> None:
    for n in _walk(node):
        fits = isinstance(n, ast.Name) or number(n) is not None
        fits |= isinstance(n, ast.BinOp) and type(n.op) in ARITHMETIC
        fits |= _is_ceil_div(n)
        if not fits:
            raise RelationError(f"relation {text!r}: {ast.unparse(n)} is none of a name, an integer, + - * // % and "
                                "ceil_div(a, b)")


def _walk(node: ast.expr) -> Iterator[ast.expr]:
    yield node
    for child in operands(node):
        yield from _walk(child)


def _is_ceil_div(node: ast.expr) -> bool:
    return (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ceil_div"
            and len(node.args) == 2 and not node.keywords)


def operands(node: ast.expr) -> list[ast.expr]:
    return [node.left, node.right] if isinstance(node, ast.BinOp) else list(node.args) if isinstance(node, ast.Call) else []


def number(node: ast.expr) -> int | None:
    """The value of an integer literal, else None."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def names(node: ast.expr) -> list[str]:
    """The names in an expression, in order, each once."""
    return list(dict.fromkeys(n.id for n in _walk(node) if isinstance(n, ast.Name)))


def terms(node: ast.expr) -> Iterator[ast.expr]:
    """The summands of a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from terms(node.left)
        yield from terms(node.right)
    else:
        yield node


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def factors(node: ast.expr) -> list[ast.expr]:
    """The factors of a product."""
    return list(_factors(node))


def evaluate(node: ast.expr, values: Mapping[str, object]):
    """The value of an expression; names are looked up in `values`, which may hold arrays."""
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.BinOp):
        return ARITHMETIC[type(node.op)](*(evaluate(n, values) for n in operands(node)))
    if isinstance(node, ast.Call):
        a, b = (evaluate(n, values) for n in operands(node))
        return -(-a // b)
    return number(node)
