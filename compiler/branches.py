"""Expressions with kinks: functions that stay closed until a branch is chosen, the branches, and the test for zero.

A kink is left standing as a function of its arguments. A `Branch` fixes the sign of every difference that decides one,
and below it the expression is an ordinary one. Ties are branches of their own: there the difference is zero.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import mpmath
import numpy
import sympy

from ir import functions

POINTS = 20
DIGITS = 50
MOST_BRANCHES = 400


class Kink(sympy.Function):
    """A function with a kink, or a condition. Conditions have no derivative."""

    def fdiff(self, argindex: int = 1):
        return sympy.Integer(0)


class less(Kink):
    """a < b."""

    nargs = 2

    @classmethod
    def eval(cls, a, b):
        if a.is_Number and b.is_Number:
            return sympy.true if a < b else sympy.false

    def decide(self, sign, a, b):
        return sympy.true if sign(a - b) < 0 else sympy.false


class equal(Kink):
    """a = b."""

    nargs = 2

    def decide(self, sign, a, b):
        return sympy.true if sign(a - b) == 0 else sympy.false


class both(Kink):
    """p and q."""

    nargs = 2

    @classmethod
    def eval(cls, p, q):
        if sympy.false in (p, q):
            return sympy.false
        return q if p == sympy.true else p if q == sympy.true else None

    def decide(self, sign, p, q):
        return both(p, q)


class negated(Kink):
    """not p."""

    nargs = 1

    @classmethod
    def eval(cls, p):
        return {sympy.true: sympy.false, sympy.false: sympy.true}.get(p)

    def decide(self, sign, p):
        return negated(p)


class pick(Kink):
    """a where the condition holds, else b."""

    nargs = 3

    @classmethod
    def eval(cls, condition, a, b):
        if a == b or condition == sympy.true:
            return a
        return b if condition == sympy.false else None

    def fdiff(self, argindex: int = 1):
        return (0, pick(self.args[0], 1, 0), pick(self.args[0], 0, 1))[argindex - 1]

    def decide(self, sign, condition, a, b):
        return pick(condition, a, b)


class minimum(Kink):
    """min(a, b); by the strict rule nobody has a derivative at the tie."""

    nargs = 2

    def fdiff(self, argindex: int = 1):
        a, b = self.args if argindex == 1 else self.args[::-1]
        return pick(less(a, b), 1, 0)

    def decide(self, sign, a, b):
        return a if sign(a - b) < 0 else b


class maximum(Kink):
    """max(a, b); by the strict rule nobody has a derivative at the tie."""

    nargs = 2

    def fdiff(self, argindex: int = 1):
        a, b = self.args if argindex == 1 else self.args[::-1]
        return pick(less(b, a), 1, 0)

    def decide(self, sign, a, b):
        return a if sign(a - b) > 0 else b


class magnitude(Kink):
    """abs(a); the derivative at zero is zero."""

    nargs = 1

    def fdiff(self, argindex: int = 1):
        (a,) = self.args
        return pick(less(0, a), 1, pick(less(a, 0), -1, 0))

    def decide(self, sign, a):
        return a * sign(a)


class Undecided(Exception):
    """A branch says nothing about the sign of `difference`; `signs` are the ones it leaves possible."""

    def __init__(self, difference: sympy.Expr, signs: tuple[int, ...]):
        super().__init__(difference)
        self.difference, self.signs = difference, signs


@dataclass(frozen=True)
class Branch:
    """signs: (difference, -1 | 0 | 1) in the order they were fixed."""

    signs: tuple[tuple[sympy.Expr, int], ...] = ()

    @property
    def tie(self) -> bool:
        return any(sign == 0 for _, sign in self.signs)

    @property
    def symbols(self) -> set[sympy.Symbol]:
        return set().union(*(d.free_symbols for d, _ in self.signs))

    @property
    def unsolved(self) -> bool:
        """Whether a tie is solved for none of its symbols."""
        return sum(sign == 0 for _, sign in self.signs) > len(self.equalities)

    @cached_property
    def equalities(self) -> dict[sympy.Symbol, sympy.Expr]:
        """What the ties say: symbol -> its value. A tie that is solved for none of its symbols says nothing."""
        found: dict[sympy.Symbol, sympy.Expr] = {}
        for difference, sign in self.signs:
            solution = _solve(difference.xreplace(found)) if sign == 0 else None
            if solution:
                name, value = solution
                found = {k: v.xreplace({name: value}) for k, v in found.items()} | {name: value}
        return found

    def sign(self, difference: sympy.Expr) -> int:
        """The sign of a difference in this branch. Raises Undecided."""
        difference = sympy.expand(difference)
        if difference.is_Number:
            return int(sympy.sign(difference))
        possible = tuple(s for s in (-1, 0, 1) if _feasible((*self.signs, (difference, s))))
        if len(possible) != 1:
            raise Undecided(difference, possible)
        return possible[0]

    def resolve(self, expr: sympy.Basic, memo: dict | None = None) -> sympy.Basic:
        """The expression without kinks. Raises Undecided."""
        memo = {} if memo is None else memo
        if expr not in memo:
            if not expr.has(Kink):
                memo[expr] = expr.xreplace(self.equalities) if self.equalities else expr
            else:
                arguments = [self.resolve(a, memo) for a in expr.args]
                known = expr.decide(self.sign, *arguments) if isinstance(expr, Kink) else expr.func(*arguments)
                memo[expr] = known
        return memo[expr]

    def read(self, expr: sympy.Basic, memo: dict | None = None, resolved: dict | None = None) -> frozenset[sympy.Symbol]:
        """The symbols whose values reach the expression in this branch, also where they cancel.

        Those that only a condition reads do not, nor what is not picked or has a zero for a factor that conditions alone make.
        """
        memo, resolved = {} if memo is None else memo, {} if resolved is None else resolved
        if expr not in memo:
            reads = lambda e: self.read(e, memo, resolved)
            if isinstance(expr, pick):
                condition, a, b = expr.args
                memo[expr] = reads(a if self.resolve(condition, resolved) == sympy.true else b)
            elif isinstance(expr, (less, equal, both, negated)) or expr.is_Mul and any(
                    f.has(pick) and not reads(f) and self.resolve(f, resolved) == 0 for f in expr.args):
                memo[expr] = frozenset()
            else:
                memo[expr] = frozenset({expr} if expr.is_Symbol else ()).union(*map(reads, expr.args))
        return memo[expr]

    def __str__(self) -> str:
        return ", ".join(_relation(d, s) for d, s in self.signs) or "everywhere"


def _relation(difference: sympy.Expr, sign: int) -> str:
    """x0 - c with sign -1 reads x0 < c."""
    left = sum(t for t in sympy.Add.make_args(difference) if not t.could_extract_minus_sign())
    right = sum(-t for t in sympy.Add.make_args(difference) if t.could_extract_minus_sign())
    return f"{left} {'<=>'[sign + 1]} {right}"


def _solve(difference: sympy.Expr) -> tuple[sympy.Symbol, sympy.Expr] | None:
    """The symbol that stands alone in `difference` = 0, and its value; None where none does."""
    for s in sorted(difference.free_symbols, key=lambda s: (bool(s.is_positive), s.name)):
        coefficient = difference.coeff(s)
        rest = sympy.expand(difference - coefficient * s)
        if coefficient.is_Number and coefficient != 0 and not rest.has(s):
            return s, -rest / coefficient
    return None


def branches(*exprs: sympy.Basic, most: int = MOST_BRANCHES) -> Iterator[tuple[Branch, list[sympy.Basic]]]:
    """Every branch in which the expressions are free of kinks, with the expressions there.

    Raises OverflowError after `most` branches.
    """
    pending, count = [Branch()], 0
    while pending:
        branch = pending.pop()
        try:
            memo: dict = {}
            found = [branch.resolve(e, memo) for e in exprs]
        except Undecided as open_:
            pending += [Branch((*branch.signs, (open_.difference, s))) for s in open_.signs]
            continue
        count += 1
        if count > most:
            raise OverflowError(f"more than {most} branches")
        yield branch, found


# A constraint: {monomial: coefficient}, constant, strict; it says that the sum is positive (or not negative).


def _linear(expr: sympy.Expr) -> tuple[dict, Fraction]:
    terms, constant = {}, Fraction(0)
    for monomial, coefficient in expr.as_coefficients_dict().items():
        if not coefficient.is_Rational:
            monomial, coefficient = monomial * coefficient, sympy.Integer(1)
        value = Fraction(int(coefficient.p), int(coefficient.q))
        if monomial == 1:
            constant += value
        else:
            terms[monomial] = terms.get(monomial, Fraction(0)) + value
    return terms, constant


@lru_cache(maxsize=20000)
def _feasible(signs: tuple[tuple[sympy.Expr, int], ...]) -> bool:
    """Whether the signs can hold together, by Fourier-Motzkin elimination over the monomials.

    Monomials count as independent, so a branch may be kept that no point is in; none is lost.
    """
    constraints = []
    for difference, sign in signs:
        terms, constant = _linear(difference)
        flip = lambda f: ({m: f * c for m, c in terms.items()}, f * constant)
        if sign:
            constraints.append((*flip(sign), True))
        else:
            constraints += [(*flip(1), False), (*flip(-1), False)]
    variables = sorted({m for terms, _, _ in constraints for m in terms}, key=str)
    for v in variables:
        if v.is_positive or v.is_nonnegative:
            constraints.append(({v: Fraction(1)}, Fraction(0), bool(v.is_positive)))
    for v in variables:
        constraints = _eliminate(constraints, v)
    return all(c > 0 or c == 0 and not strict for _, c, strict in constraints)


def _eliminate(constraints: list, v: sympy.Expr) -> list:
    kept = [c for c in constraints if not c[0].get(v)]
    lower = [c for c in constraints if c[0].get(v, 0) > 0]
    upper = [c for c in constraints if c[0].get(v, 0) < 0]
    for a, a0, a_strict in lower:
        for b, b0, b_strict in upper:
            p, q = -b[v], a[v]
            terms = {m: p * a.get(m, 0) + q * b.get(m, 0) for m in {*a, *b} if m != v}
            kept.append(({m: c for m, c in terms.items() if c}, p * a0 + q * b0, a_strict or b_strict))
    return _tightest(kept)


def _tightest(constraints: list) -> list:
    """Of constraints with the same left side, the one that says most; elimination would square their number."""
    best: dict = {}
    for terms, constant, strict in constraints:
        scale = max(map(abs, terms.values()), default=Fraction(1))
        key = frozenset((m, c / scale) for m, c in terms.items())
        best[key] = min(best.get(key, (constant / scale, not strict)), (constant / scale, not strict))
    return [(dict(key), constant, not loose) for key, (constant, loose) in best.items()]


@dataclass(frozen=True)
class Verdict:
    """zero: whether an expression is zero; how: empty for a symbolic answer, else what was done instead or what is wrong."""

    zero: bool
    how: str = ""


def vanishes(expr: sympy.Expr) -> Verdict:
    """Whether an expression (kinks count as unknowns) is zero: as a rational function of its functions and roots.

    Where that does not say yes, the expression is evaluated: a value other than zero refutes it and is quoted; zero at
    every point is an answer too, and `Verdict.how` says so.
    """
    if zero_before_branching(expr):
        return Verdict(True)
    if expr.has(Kink):
        return Verdict(False, "kinks are left")
    return _evaluate(expr)


def _numerator(expr: sympy.Expr) -> sympy.Expr:
    """The expanded numerator over the rationals, with every function and every root an unknown of its own."""
    closed: dict[sympy.Expr, sympy.Symbol] = {}
    roots: dict[sympy.Symbol, tuple[sympy.Expr, int]] = {}

    def close(e):
        return closed.setdefault(e, sympy.Dummy("f", real=True))

    def walk(e):
        if isinstance(e, sympy.exp) and e.args[0].is_Add:
            return sympy.Mul(*(walk(sympy.exp(a)) for a in e.args[0].args))
        if isinstance(e, sympy.exp):
            times, rest = e.args[0].as_coeff_Mul()
            if times.is_Integer and times != 1:
                return walk(sympy.exp(rest)) ** times
        if e.is_Function or e.is_NumberSymbol:
            return close(e)
        if e.is_Pow and e.exp.is_Rational and not e.exp.is_Integer:
            base, degree = walk(e.base), int(e.exp.q)
            root = close(base ** sympy.Rational(1, degree))
            roots[root] = (base, degree)
            return root ** int(e.exp.p)
        return e.func(*(walk(a) for a in e.args)) if e.args else e

    numerator = sympy.expand(sympy.fraction(sympy.together(walk(expr)))[0])
    for root, (base, degree) in reversed(roots.items()):
        top, bottom = sympy.fraction(sympy.together(base))
        reduced = 0
        for term, coefficient in _powers(numerator, root).items():
            times, left = divmod(term, degree)
            reduced += coefficient * root**left * (top / bottom) ** times
        numerator = sympy.expand(sympy.fraction(sympy.together(reduced))[0])
    return numerator


def _powers(expr: sympy.Expr, symbol: sympy.Symbol) -> dict[int, sympy.Expr]:
    found: dict[int, sympy.Expr] = {}
    for term in sympy.Add.make_args(expr):
        coefficient, power = term.as_independent(symbol, as_Add=False)
        degree = int(sympy.degree(power, symbol)) if power.has(symbol) else 0
        found[degree] = found.get(degree, 0) + coefficient
    return found


_MPMATH = [{
    "less": lambda a, b: a < b,
    "equal": lambda a, b: a == b,
    "both": lambda p, q: p and q,
    "negated": lambda p: not p,
    "pick": lambda c, a, b: a if c else b,
    "minimum": min,
    "maximum": max,
    "magnitude": abs,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "tanh": mpmath.tanh,
}, "mpmath"]


_NUMPY = [{
    "sigmoid": lambda x: 1 / (1 + numpy.exp(-x)),
    "softplus": lambda x: numpy.logaddexp(x, 0),
    "tanh": numpy.tanh,
}, "numpy"]


def numeric(expr: sympy.Expr, module: str = "mpmath"):
    """The expression as a function of its symbols in the order of their names; kinks are known to mpmath alone."""
    symbols = sorted(expr.free_symbols, key=lambda s: s.name)
    return sympy.lambdify(symbols, expr, _MPMATH if module == "mpmath" else _NUMPY, cse=True)


def zero_before_branching(expr: sympy.Expr) -> bool:
    """Whether the expression is zero whatever its kinks are."""
    return expr == 0 or _numerator(expr) == 0


def _evaluate(expr: sympy.Expr) -> Verdict:
    """Values at random rational points, measured against the sum of the terms' magnitudes."""
    symbols = sorted(expr.free_symbols, key=lambda s: s.name)
    terms = [sympy.lambdify(symbols, t, _MPMATH, cse=True) for t in sympy.Add.make_args(expr)]
    draw = random.Random(1)
    tolerance = mpmath.mpf(10) ** (10 - DIGITS)
    note = f"by evaluation at {POINTS} points, {DIGITS} digits"
    done = 0
    with mpmath.workdps(DIGITS):
        for _ in range(10 * POINTS):
            at = {s: Fraction(draw.randint(1, 300), 97) * (1 if s.is_positive else draw.choice((1, -1))) for s in symbols}
            values = [mpmath.mpf(v.numerator) / v.denominator for v in at.values()]
            try:
                parts = [t(*values) for t in terms]
            except (ZeroDivisionError, ValueError):
                continue
            if any(isinstance(p, mpmath.mpc) or not mpmath.isfinite(p) for p in parts):
                continue
            total, scale = mpmath.fsum(parts), mpmath.fsum(abs(p) for p in parts)
            if abs(total) > tolerance * scale:
                if abs(total) <= mpmath.mpf(10) ** -14 * scale and _rounded_constants(expr):
                    note = f"by evaluation at {POINTS} points, to the 14 digits of its float64 constants"
                    tolerance = mpmath.mpf(10) ** -14
                else:
                    where = ", ".join(f"{s} = {v}" for s, v in at.items())
                    return Verdict(False, f"is {mpmath.nstr(total, 6)} at {where}" if where else f"is {total}")
            done += 1
            if done == POINTS:
                return Verdict(True, note)
    return Verdict(False, f"neither shown to be zero nor evaluated: real at {done} points of {10 * POINTS}")


def _rounded_constants(expr: sympy.Expr) -> bool:
    """Whether a constant is a float64 that rounding has touched: its denominator is a large power of two."""
    return any(r.q > 2**30 for r in expr.atoms(sympy.Rational))


def prove_rule(function: type[sympy.Function]) -> Verdict:
    """Whether the derivative rule of an opaque function is the derivative of its definition."""
    x = sympy.Symbol("x", real=True)
    true = sympy.diff(function.definition(x), x)
    ruled = functions.expand_definitions(function(x).fdiff())
    rewritten = (true - ruled).rewrite(sympy.exp)
    return vanishes(rewritten)
