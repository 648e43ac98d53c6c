"""Integer formulas, written once as sympy expressions and printed as C++ for the host and as Python for the scheduler."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TYPE_CHECKING

import sympy
from sympy.printing.cxx import CXX17CodePrinter
from sympy.printing.pycode import PythonCodePrinter

if TYPE_CHECKING:
    import numpy


class ceil_div(sympy.Function):
    """The quotient rounded up; positive divisor."""

    nargs = 2


class floor_div(sympy.Function):
    """The quotient rounded down; non-negative dividend, positive divisor."""

    nargs = 2


class align_up(sympy.Function):
    """The next multiple of the second argument."""

    nargs = 2


class align_down(sympy.Function):
    """The previous multiple of the second argument."""

    nargs = 2


class pick(sympy.Function):
    """pick(condition, a, b): a where the condition (a number) is above zero, else b. Of equal branches it is that branch."""

    nargs = 3

    @classmethod
    def eval(cls, condition, a, b):
        return a if a == b else None


def _plain(table: str) -> str:
    return table.split("::")[-1]


class slot_count(sympy.Function):
    """slot_count(table, key, width): an entry of a constant table of the kernel, by tiling key and dtype bytes; without a width
    of a table that has one entry for each key."""

    nargs = (2, 3)


class _Cpp(CXX17CodePrinter):
    def _print_ceil_div(self, e):
        return f"CeilDiv({self._print(e.args[0])}, {self._print(e.args[1])})"

    def _print_floor_div(self, e):
        return f"{self._atom(e.args[0])} / {self._atom(e.args[1])}"

    def _print_align_up(self, e):
        return f"AlignUp({self._print(e.args[0])}, {self._print(e.args[1])})"

    def _print_align_down(self, e):
        return f"AlignDown({self._print(e.args[0])}, {self._print(e.args[1])})"

    def _print_pick(self, e):
        c, a, b = (self._print(x) for x in e.args)
        return f"{c} > 0 ? {a} : {b}"

    def _print_slot_count(self, e):
        table, key, *width = e.args
        return f"{table}[{self._print(key)}]" + "".join(f"[{self._print(w)} == 4 ? 1 : 0]" for w in width)

    def _print_Pow(self, e):
        base, exponent = e.args
        return " * ".join([self._atom(base)] * int(exponent))

    def _print_Mul(self, e):
        factors = sorted(e.args, key=lambda a: (not a.is_Number, str(a)))
        sign = ""
        if factors[0].is_Number and factors[0] < 0:
            sign = "-"
            factors = [-factors[0], *factors[1:]] if factors[0] != -1 else factors[1:]
        return sign + " * ".join(f"({self._print(f)})" if f.is_Add else self._print(f) for f in factors)

    def _print_Add(self, e):
        positive = sorted((a for a in e.args if not a.could_extract_minus_sign()), key=lambda a: (a.is_Number, str(a)))
        negative = sorted((-a for a in e.args if a.could_extract_minus_sign()), key=lambda a: (a.is_Number, str(a)))
        text = " + ".join(self._print(a) for a in positive)
        return (text or "0") + "".join(f" - {self._print(a)}" for a in negative)

    def _atom(self, x):
        text = self._print(x)
        return text if x.is_Atom or x.is_Function else f"({text})"

    def _print_Mod(self, e):
        return f"{self._atom(e.args[0])} % {self._atom(e.args[1])}"

    def _print_Min(self, e):
        return self._nest("std::min<int64_t>", e.args)

    def _print_Max(self, e):
        return self._nest("std::max<int64_t>", e.args)

    def _nest(self, name, args):
        first, *rest = args
        text = self._print(first)
        for other in rest:
            text = f"{name}({text}, {self._print(other)})"
        return text

    def _print_Integer(self, e):
        return str(int(e))


class _Python(PythonCodePrinter):
    def _print_ceil_div(self, e):
        a, b = (self._print(x) for x in e.args)
        return f"(-(-({a}) // ({b})))"

    def _print_floor_div(self, e):
        a, b = (self._print(x) for x in e.args)
        return f"(({a}) // ({b}))"

    def _print_align_up(self, e):
        a, b = (self._print(x) for x in e.args)
        return f"(-(-({a}) // ({b})) * ({b}))"

    def _print_align_down(self, e):
        a, b = (self._print(x) for x in e.args)
        return f"(({a}) // ({b}) * ({b}))"

    def _print_pick(self, e):
        return f"pick({', '.join(self._print(x) for x in e.args)})"

    def _print_Min(self, e):
        return self._nest("min", e.args)

    def _print_Max(self, e):
        return self._nest("max", e.args)

    def _nest(self, name, args):
        return reduce(lambda text, x: f"{name}({text}, {self._print(x)})", args[1:], self._print(args[0]))

    def _print_slot_count(self, e):
        table, key, *width = e.args
        return f"{_plain(str(table))}[{self._print(key)}]" + "".join(f"[1 if {self._print(w)} == 4 else 0]" for w in width)


_CPP, _PYTHON = _Cpp(), _Python()


@lru_cache(maxsize=4096)
def to_cpp(expr: sympy.Expr) -> str:
    return _CPP.doprint(sympy.sympify(expr))


@lru_cache(maxsize=4096)
def to_python(expr: sympy.Expr) -> str:
    return _PYTHON.doprint(sympy.sympify(expr))


@dataclass(frozen=True)
class Term:
    """One addend of an assignment: `expr` where the C++ condition holds (always, when it is empty)."""

    condition: str
    expr: sympy.Expr
    doc: str


@dataclass(frozen=True)
class Assignment:
    """name = expr, in order; doc says what it is and in which unit. terms: the addends of expr, to print one a line."""

    name: str
    expr: sympy.Expr
    doc: str
    terms: tuple[Term, ...] = ()

    def cpp(self) -> list[str]:
        """The declaration as lines of C++."""
        lines = [f"// {self.doc[:1].upper()}{self.doc[1:]}."]
        if not self.terms:
            return [*lines, f"const int64_t {self.name} = {to_cpp(self.expr)};"]
        lines.append(f"const int64_t {self.name} =")
        for i, t in enumerate(self.terms):
            text = to_cpp(t.expr)
            text = f"({t.condition} ? {text} : 0)" if t.condition else text
            lines.append(f"    {text}{';' if i == len(self.terms) - 1 else ' +'} // {t.doc}")
        return lines


def evaluate(assignments: tuple[Assignment, ...], known: dict) -> dict[str, int]:
    """The values of all assignments for the known symbols (and constant tables); Python integers, no rounding."""
    scope = dict(known)
    exec(_compiled(assignments), {"min": min, "max": max, "pick": lambda c, a, b: a if c > 0 else b}, scope)
    return {a.name: int(scope[a.name]) for a in assignments}


def evaluate_arrays(assignments: tuple[Assignment, ...], known: dict) -> dict[str, numpy.ndarray]:
    """The same for many sizes at once: known symbols may be int64 arrays, which broadcast; tables are indexed by scalars."""
    import numpy

    scope = dict(known)
    exec(_compiled(assignments), {"min": numpy.minimum, "max": numpy.maximum, "pick": lambda c, a, b: numpy.where(c > 0, a, b)}, scope)
    return {a.name: scope[a.name] for a in assignments}


@lru_cache(maxsize=64)
def _compiled(assignments: tuple[Assignment, ...]):
    return compile("\n".join(f"{a.name} = {to_python(a.expr)}" for a in assignments), "<tiling>", "exec")
