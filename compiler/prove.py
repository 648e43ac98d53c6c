"""Proof that a backward graph is the gradient of its forward and agrees with the documented formulas.

For every output and every set of options:

documented    the expression minus the documented one is zero, in every branch of the kinks, ties among them
derivative    every component is the derivative of sum(cotangent * forward output), inside every branch
ties          the same at the ties, where the strict rule gives the loser and the winner of a min or max nothing
inputs        the output uses nothing that an absent option would supply
specialised   the graph for that set of options is the general one
fp32          the graph computed in fp32 is finite and right wherever the truth is, at extreme inputs
masks         what a mask shuts out is never looked at: NaN and infinity there leave the output as it is

The first three are identities of expressions over the reals, shown at small sizes and every row count that matters.
Where sympy does not decide one it is evaluated at random points, and the result says so; where components are too large
to be written out (`compiler.differences`) all of them are, the derivative by central differences of the forward.
"""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import mpmath
import numpy
import sympy

from compiler import rounding
from compiler.branches import (
    DIGITS, POINTS, Branch, Kink, branches, numeric, prove_rule, vanishes, zero_before_branching,
)
from compiler.differences import MOST_WRITTEN, Evaluation, written_size
from compiler.differentiate import differentiate
from compiler.scalar import element, scalarise, shape_of, sizes_for
from compiler.simplify import choose, simplify, specialise
from ir import functions
from ir.builder import build_documented, build_forward, graph_shape
from ir.graph import Graph, Node, node, rebuild, topological
from ir.interface import ROWS, Operator
from ir.types import dim

ENOUGH_BRANCHES = 50
"""Branches looked at where one has failed already."""

MOST_MASKED = 200
"""Branches per component in which masks are tried."""


@dataclass(frozen=True)
class Result:
    """One thing shown, or not. options: the ones present; seconds: time taken, nearly nothing for what was known."""

    name: str
    output: str
    options: tuple[str, ...]
    shown: str
    holds: bool
    detail: str
    seconds: float

    @property
    def title(self) -> str:
        options = f" with {', '.join(self.options)}" if self.options else ""
        return f"{self.output}{options}: {self.name}" if self.output else self.name


@dataclass(frozen=True)
class Proof:
    """What was shown of one operator. A proof without results holds nothing."""

    operator: str
    results: tuple[Result, ...]
    backward: Graph = field(repr=False)

    @property
    def holds(self) -> bool:
        return bool(self.results) and all(r.holds for r in self.results)

    @property
    def failures(self) -> tuple[Result, ...]:
        return tuple(r for r in self.results if not r.holds)

    @property
    def seconds(self) -> float:
        return sum(r.seconds for r in self.results)

    def to_json(self) -> dict:
        """An object for json.dumps."""
        return {
            "operator": self.operator,
            "holds": self.holds,
            "seconds": round(self.seconds, 3),
            "results": [
                {"name": r.name, "output": r.output or None, "options": list(r.options), "shown": r.shown, "holds": r.holds,
                 "detail": r.detail, "seconds": round(r.seconds, 4)}
                for r in self.results
            ],
        }

    def to_latex(self) -> str:
        """The derived gradient of each output."""
        from compiler.latex import gradient

        return "\n\n".join(gradient(self.backward, output) for output in self.backward.outputs)

    def __str__(self) -> str:
        lines = []
        for (output, name), same in _grouped(self.results):
            failed = [r for r in same if not r.holds]
            about = f"{output}: {name}" if output else name
            if failed:
                lines += [f"  fails  {r.title}\n         {r.detail}" for r in failed]
            if len(failed) < len(same):
                good = next(r for r in reversed(same) if r.holds)
                sets = f" ({len(same) - len(failed)} sets of options)" if len(same) > 1 else ""
                lines.append(f"  holds  {about}{sets}\n         {good.shown}{'; ' + good.detail if good.detail else ''}")
        verdict = "holds" if self.holds else f"does not hold: {len(self.failures)} of {len(self.results)} results fail"
        return "\n".join([f"{self.operator}: {verdict} ({self.seconds:.1f} s)", *lines])


def _grouped(results: Iterable[Result]):
    groups: dict[tuple[str, str], list[Result]] = {}
    for r in results:
        groups.setdefault((r.output, r.name), []).append(r)
    return groups.items()


def prove(operator: Operator, backward: Graph | None = None, only: Collection[str] = ()) -> Proof:
    """The proof of `backward`, by default the graph derived from the operator and simplified.

    only: names of the results wanted, all of them by default. Raises what building and differentiating raise; whatever
    does not hold is a result.
    """
    forward = build_forward(operator)
    large = written_size(forward, sizes_for(forward)) > MOST_WRITTEN
    return (_Evaluator if large else _Prover)(operator, backward).run(only or OBLIGATIONS)


@dataclass
class _Case:
    """One set of options: expressions of forward, backward and documented outputs per row count."""

    options: tuple[str, ...]
    backward: dict[int, dict[str, numpy.ndarray]]
    special: dict[int, dict[str, numpy.ndarray]]
    documented: dict[int, dict[str, numpy.ndarray]]
    forward: dict[int, tuple[dict[str, numpy.ndarray], dict[str, numpy.ndarray]]]
    graphs: tuple[Graph, Graph]
    """The graph as it is with its guards decided, and the specialised one."""
    derivatives: dict = field(default_factory=dict)


@dataclass(frozen=True)
class _EvaluatedCase:
    """One set of options, evaluated for each number of live rows that matters. graphs: the general backward and the one
    specialised to them."""

    options: tuple[str, ...]
    graphs: tuple[Graph, Graph]
    evaluations: tuple[Evaluation, ...]


@dataclass(frozen=True)
class _Outcome:
    """What came of one expression that should be zero: failures inside a branch and at a tie, empty where there is none."""

    inside: str = ""
    at_tie: str = ""
    interiors: int = 0
    ties: int = 0
    how: frozenset[str] = frozenset()

    def failure(self, tie: bool | None) -> str:
        return self.at_tie if tie else self.inside if tie is False else self.inside or self.at_tie


class _Prover:
    def __init__(self, operator: Operator, backward: Graph | None):
        self.operator = operator
        self.interface = operator.interface
        self.forward = build_forward(operator)
        self.backward = backward or simplify(differentiate(operator, self.forward), self.interface)
        documented = build_documented(operator)
        self.documented = simplify(documented, self.interface) if documented else None
        self.sizes = sizes_for(*self.graphs)
        self.positive = frozenset(a.name for a in self.interface.attributes if a.positive) | frozenset(operator.unknowns)
        self.outcomes: dict[sympy.Expr, _Outcome] = {}
        self.fp32: dict[Node, rounding.Outcome] = {}
        self.masks: dict[tuple, str] = {}

    @property
    def graphs(self) -> list[Graph]:
        return [g for g in (self.forward, self.backward, self.documented) if g]

    def run(self, only: Collection[str]) -> Proof:
        results = list(self._rules())
        for options in _subsets([o.name for o in self.interface.options]):
            case = self._case(options)
            for output in self._outputs(options):
                for name in OBLIGATIONS:
                    if name not in only:
                        continue
                    started = time.perf_counter()
                    shown, failure, detail = getattr(self, f"show_{name}")(case, output)
                    results.append(Result(name, output, options, shown, not failure, failure or detail,
                                          time.perf_counter() - started))
        return Proof(self.operator.name, tuple(results), self.backward)

    def _outputs(self, options: tuple[str, ...]) -> list[str]:
        return [o for o in self.operator.gradients if self.interface.tensor(o).option in (None, *options)]

    def _case(self, options: tuple[str, ...]) -> _Case:
        special = specialise(self.backward, set(options))
        rows = self._rows(options)
        write = lambda g, live: scalarise(g, self.sizes, live=live, options=options, positive=self.positive)
        return _Case(
            options,
            {live: write(self.backward, live)[0] for live in rows},
            {live: write(special, live)[0] for live in rows},
            {live: write(self.documented, live)[0] for live in rows} if self.documented else {},
            {live: write(self.forward, live) for live in rows},
            (choose(self.backward, options), special),
        )

    def _rows(self, options: tuple[str, ...]) -> tuple[int, ...]:
        """The numbers of live rows that matter."""
        counted = any(_counts(g, options) for g in self.graphs)
        return (0, 1, self.sizes[ROWS]) if counted else (self.sizes[ROWS],)

    def _rules(self):
        """The derivative rules of the opaque functions that occur."""
        used = {n.op for g in (self.forward, self.backward) for n in g.nodes()}
        used |= {"sigmoid"} if used & {"silu", "softplus"} else set()
        for function in functions.OPAQUE:
            if function.__name__ in used:
                started = time.perf_counter()
                verdict = prove_rule(function)
                x = sympy.Symbol("x")
                yield Result(f"rule of {function.__name__}", "", (), f"its derivative {function(x).fdiff()} is that of "
                             f"{function.definition(x)}", verdict.zero, verdict.how, time.perf_counter() - started)

    # Identities.

    def show_documented(self, case: _Case, output: str):
        if self.documented is None:
            return "nothing: the operator documents no formulas", "", ""
        if output not in self.documented.outputs:
            return "nothing: the operator documents no formula for it", "", ""
        return "derived - documented = 0 in every branch", *self._against_documented(case, output)

    def show_derivative(self, case: _Case, output: str):
        shown = f"equals d sum({', '.join(f'{c} * {y}' for y, c in self.operator.cotangents.items())})"
        shown += f" / d {self.operator.gradients[output]}, component by component"
        return shown, *self._against_derivative(case, output, False)

    def show_ties(self, case: _Case, output: str):
        shown = "at every tie of a min, max or abs neither side has a derivative (strict rule)"
        return shown, *self._against_derivative(case, output, True)

    def show_specialised(self, case: _Case, output: str):
        return "the graph for these options is the general one", *self._against_general(case, output)

    def _against_documented(self, case: _Case, output: str) -> tuple[str, str]:
        pairs = [(case.backward[live][output], case.documented[live][output]) for live in case.documented]
        return self._all_zero(output, pairs, "derived - documented", None)

    def _against_derivative(self, case: _Case, output: str, tie: bool) -> tuple[str, str]:
        pairs = self._derivatives(case, output)
        if isinstance(pairs, str):
            return pairs, ""
        return self._all_zero(output, pairs, f"backward - {'strict ' if tie else ''}derivative", tie)

    def _against_general(self, case: _Case, output: str) -> tuple[str, str]:
        pairs = [(case.special[live][output], case.backward[live][output]) for live in case.backward]
        return self._all_zero(output, pairs, "specialised - general", None)

    def _derivatives(self, case: _Case, output: str):
        """[(backward components, true derivatives)] with saved tensors written out; a text where shapes do not fit."""
        known = case.derivatives
        if output not in known:
            known[output] = [self._derivative(case, output, live) for live in case.backward]
            known[output] = next((p for p in known[output] if isinstance(p, str)), known[output])
        return known[output]

    def _derivative(self, case: _Case, output: str, live: int):
        source = self.operator.gradients[output]
        wanted = tuple(dim(d) for d in graph_shape(self.interface.tensor(source)))
        got = self.backward.outputs[output].shape
        if got != wanted:
            return f"has the shape {_shape_text(got)}, {source} has {_shape_text(wanted)}"
        values, saved = case.forward[live]
        given = {element(name, index, name in self.positive): expr
                 for name, array in saved.items() for index, expr in numpy.ndenumerate(array)}
        backward = case.backward[live][output]
        truth = numpy.empty(backward.shape, dtype=object)
        terms = [(element(cotangent, index), expr) for y, cotangent in self.operator.cotangents.items()
                 for index, expr in numpy.ndenumerate(values[y])]
        for index in numpy.ndindex(backward.shape):
            x = element(source, index, source in self.positive)
            truth[index] = sympy.Add(*(c * y.diff(x) for c, y in terms if y.has(x)))
        written = numpy.frompyfunc(lambda e: e.xreplace(given), 1, 1)(backward)
        return written, truth

    def _all_zero(self, output: str, pairs, what: str, tie: bool | None) -> tuple[str, str]:
        """(failure, detail) of all differences. tie: judge only ties (True) or only the rest (False); None judges both."""
        interiors = ties = count = 0
        how: set[str] = set()
        for got, wanted in pairs:
            if got.shape != wanted.shape:
                return f"shapes differ: {got.shape} and {wanted.shape}", ""
            for index in numpy.ndindex(got.shape):
                outcome, names = self._zero(got[index] - wanted[index])
                if outcome.failure(tie):
                    text = re.sub(r"\bv\d+\b", lambda m: names[m[0]], outcome.failure(tie))
                    return f"{output}{list(index)}: {what} {text}", ""
                count += 1
                interiors, ties = max(interiors, outcome.interiors), max(ties, outcome.ties)
                how |= outcome.how
        sizes = ", ".join(f"{k}={v}" for k, v in self.sizes.items())
        parts = [f"{count} components at {sizes}"]
        if tie is None:
            parts += [f"{interiors} branches and {ties} ties each"] if interiors + ties else []
        elif tie:
            parts = [f"{ties} ties for each component"] if ties else ["no ties that matter"]
        else:
            parts += [f"{interiors} branches each"] if interiors else []
        return "", "; ".join([*parts, *sorted(how)])

    def _zero(self, expr: sympy.Expr) -> tuple[_Outcome, dict[str, str]]:
        """Whether it is zero, once for all expressions that differ in the names of their symbols alone; those names."""
        renamed, names = _renamed(expr)
        if renamed not in self.outcomes:
            self.outcomes[renamed] = _zero(renamed)
        return self.outcomes[renamed], names

    # What holds of the graph itself.

    def show_inputs(self, case: _Case, output: str):
        shown = "uses nothing that an absent option would supply"
        absent = {t.name for t in self.interface.inputs if t.option not in (None, *case.options)}
        absent |= {a.name for a in self.interface.attributes if a.option not in (None, *case.options)}
        used = {n.attr("name") for g in case.graphs for n in topological([g.outputs[output]]) if n.op == "input"}
        return shown, f"uses {', '.join(sorted(used & absent))}" if used & absent else "", ""

    def show_fp32(self, case: _Case, output: str):
        shown = "fp32, operation by operation, is finite where the truth is and within the rounding bound of the graph"
        for graph in case.graphs:
            single = _one_output(graph, output)
            key = single.outputs[output]
            if key not in self.fp32:
                defaults = {a.name: a.default for a in self.interface.attributes if a.type == "float"}
                self.fp32[key] = rounding.check(single, defaults, self.positive)
            found = self.fp32[key]
            if found.failure:
                return shown, found.failure, ""
        detail = f"{found.points} points, worst relative error {found.worst:.1e} where nothing cancels"
        if found.cancelled:
            detail += f"; cancellation leaves fewer than 12 bits at {found.cancelled} points"
        return shown, "", detail

    def show_masks(self, case: _Case, output: str):
        shown = "NaN and infinity in what a mask shuts out leave the output as it is"
        tried = missed = 0
        for graph, written in zip(case.graphs, (case.backward, case.special)):
            for live, outputs in written.items():
                for index, expr in _representatives(outputs[output]):
                    key = (graph.outputs[output], live, index)
                    if key not in self.masks:
                        self.masks[key] = _masked(graph, output, index, expr, self.sizes, live, self.positive)
                    failure, number, without = self.masks[key]
                    if failure:
                        return shown, f"{output}{list(index)}: {failure}", ""
                    tried, missed = tried + number, missed + without
        return shown, "", f"{tried} branches" + (f"; {missed} more had no point to try" if missed else "")


class _Evaluator(_Prover):
    """The prover of operators whose components are too large to be written out: the identities are evaluated."""

    def _case(self, options: tuple[str, ...]) -> _EvaluatedCase:
        others = (g for g in (self.backward, self.documented) if g)
        evaluate = lambda live: Evaluation(self.operator, self.forward, options, self.sizes, live, self.positive, *others)
        graphs = choose(self.backward, options), specialise(self.backward, options)
        return _EvaluatedCase(options, graphs, tuple(map(evaluate, self._rows(options))))

    def _against_documented(self, case: _EvaluatedCase, output: str) -> tuple[str, str]:
        return _all(e.same(output, self.backward, self.documented) for e in case.evaluations)

    def _against_derivative(self, case: _EvaluatedCase, output: str, tie: bool) -> tuple[str, str]:
        return _all(e.derivative(output, self.backward, tie) for e in case.evaluations)

    def _against_general(self, case: _EvaluatedCase, output: str) -> tuple[str, str]:
        return _all(e.same(output, *case.graphs) for e in case.evaluations)

    def show_masks(self, case: _EvaluatedCase, output: str):
        masked = any(n.op in ("select", "live_rows") for g in case.graphs for n in topological([g.outputs[output]]))
        why = "components are too large to be written out branch by branch" if masked else "nothing is masked"
        return f"nothing: {why}", "", ""


def _all(results: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The first failure, else the last detail."""
    failure = detail = ""
    for failure, detail in results:
        if failure:
            break
    return failure, detail


OBLIGATIONS = ("documented", "derivative", "ties", "inputs", "specialised", "fp32", "masks")


def _subsets(names: list[str]) -> list[tuple[str, ...]]:
    return [s for n in range(len(names) + 1) for s in itertools.combinations(names, n)]


def _representatives(array: numpy.ndarray) -> list[tuple[tuple[int, ...], sympy.Expr]]:
    """One component of each kind: those that differ in the names of their symbols alone are one kind."""
    found: dict[sympy.Expr, tuple] = {}
    for index, expr in numpy.ndenumerate(array):
        found.setdefault(_renamed(expr)[0], (index, expr))
    return list(found.values())


def _counts(graph: Graph, options: Iterable[str]) -> bool:
    """Whether the number of live rows comes from an input."""
    pending, seen = list(graph.outputs.values()), set()
    while pending:
        n = pending.pop()
        if n in seen:
            continue
        seen.add(n)
        if n.op == "row_count":
            return True
        pending += [n.operands[0 if n.attr("option") in options else 1]] if n.op == "guard" else n.operands
    return False


def _shape_text(shape) -> str:
    return f"({', '.join(map(str, shape))})"


def _one_output(graph: Graph, output: str) -> Graph:
    """That output alone, without the row mask around it."""
    root = graph.outputs[output]
    while root.op == "live_rows":
        root = root.operands[0]
    used = set(topological([root]))
    return Graph(graph.name, {k: v for k, v in graph.inputs.items() if v in used}, {output: root})


def _renamed(expr: sympy.Expr) -> tuple[sympy.Expr, dict[str, str]]:
    """The expression with its symbols named v0, v1, ... by their first appearance, and what those names stand for."""
    order: dict[sympy.Symbol, sympy.Symbol] = {}
    for e in sympy.preorder_traversal(expr):
        if e.is_Symbol and e not in order:
            order[e] = element(f"v{len(order)}", (), bool(e.is_positive))
    return expr.xreplace(order), {new.name: old.name for old, new in order.items()}


def _zero(expr: sympy.Expr) -> _Outcome:
    if zero_before_branching(expr):
        return _Outcome()
    parts = _independent(expr)
    if len(parts) > 1:
        outcomes = [_zero_by_branches(p) for p in parts]
        if not any(o.failure(None) for o in outcomes):
            return _Outcome("", "", max(o.interiors for o in outcomes), max(o.ties for o in outcomes),
                            frozenset().union(*(o.how for o in outcomes)))
    return _zero_by_branches(expr)


def _independent(expr: sympy.Expr) -> list[sympy.Expr]:
    """Sums of terms that share no kink: if each is zero, so is the expression."""
    groups: list[tuple[set, list]] = []
    for term in sympy.Add.make_args(expr):
        kinks, terms = set(term.atoms(Kink)), [term]
        for group in [g for g in groups if g[0] & kinks]:
            groups.remove(group)
            kinks |= group[0]
            terms += group[1]
        groups.append((kinks, terms))
    return [sympy.Add(*terms) for _, terms in groups]


def _zero_by_branches(expr: sympy.Expr) -> _Outcome:
    interiors = ties = 0
    how: set[str] = set()
    failures = {False: "", True: ""}
    try:
        for branch, (here,) in branches(expr):
            interiors, ties = interiors + bool(branch.signs and not branch.tie), ties + branch.tie
            if failures[False] and interiors + ties > ENOUGH_BRANCHES:
                failures[True] = failures[True] or "is not examined: the branches beside it fail"
                break
            if failures[branch.tie]:
                continue
            verdict = vanishes(here)
            if not verdict.zero:
                doubt = "is undecided, for the tie is solved for no symbol: it " if branch.unsolved else ""
                failures[branch.tie] = f"{doubt}{verdict.how}, where {branch}" if branch.signs else verdict.how
            elif verdict.how:
                how.add(verdict.how)
    except OverflowError as many:
        return _sampled(expr, str(many))
    return _Outcome(failures[False], failures[True], interiors, ties, frozenset(how))


def _sampled(expr: sympy.Expr, why: str) -> _Outcome:
    """For expressions of too many branches: values drawn from so few numbers that ties are hit."""
    value = numeric(expr)
    symbols = sorted(expr.free_symbols, key=lambda s: s.name)
    draw, points = random.Random(1), 50 * POINTS
    with mpmath.workdps(DIGITS):
        for _ in range(points):
            at = [mpmath.mpf(draw.choice((1, 2, 3) if s.is_positive else (-3, -2, -1, 1, 2, 3))) / 2 for s in symbols]
            result = value(*at)
            if abs(result) > mpmath.mpf(10) ** (10 - DIGITS):
                where = ", ".join(f"{s} = {mpmath.nstr(v, 3)}" for s, v in zip(symbols, at))
                return _Outcome(f"is {mpmath.nstr(result, 6)} at {where}")
    return _Outcome(how=frozenset({f"by evaluation at {points} points, {DIGITS} digits ({why})"}))


def _masked(graph: Graph, output: str, index, expr, sizes, live: int, positive) -> tuple[str, int, int]:
    """(failure, branches tried, branches without a point to try).

    NaN and infinity are planted in every element that the branch's expression does not have.
    """
    used = set(topological([graph.outputs[output]]))
    tensors = {k: v for k, v in graph.inputs.items() if v in used and v.dtype != "int64"}
    tried, without = [], 0
    try:
        for branch, (here,) in branches(expr, most=MOST_MASKED):
            at = _witness(branch)
            if at is None:
                without += 1
            else:
                tried.append((at, branch.symbols | here.free_symbols | branch.read(expr)))
    except OverflowError:
        without += 1
    if not tried or not any(v.type.rank for v in tensors.values()):
        return "", 0, without
    single = Graph(graph.name, {k: v for k, v in graph.inputs.items() if v in used}, {output: graph.outputs[output]})

    def results(planted: float) -> numpy.ndarray:
        inputs = {}
        for name, n in tensors.items():
            shape = shape_of(n, sizes)
            array = numpy.full((len(tried), *shape), 1.0, numpy.float32)
            for i, (at, kept) in enumerate(tried):
                for where in numpy.ndindex(shape):
                    symbol = element(name, where, name in positive)
                    inside = symbol in kept or not shape
                    array[(i, *where)] = at.get(symbol, 1.0) if inside else planted
            inputs[name] = array < 0 if n.dtype == "bool" else array
        found = rounding.in_fp32(single, inputs, sizes, live)
        return found[graph.outputs[output]][(slice(None), *index)]

    plain = results(1.0)
    for planted in (numpy.nan, numpy.inf, -numpy.inf):
        differ = numpy.nonzero(~((results(planted) == plain) | numpy.isnan(plain)))[0]
        if differ.size:
            i = int(differ[0])
            at, kept = tried[i]
            where = ", ".join(f"{s} = {v:g}" for s, v in at.items()) or "anywhere"
            return (f"{plain[i]:g} becomes {results(planted)[i]:g} with {planted:g} in elements that do not count, "
                    f"live rows {live}, {where}"), 0, without
    return "", len(tried), without


_TRIED = {True: (10.0, 1.0, 30.0), False: (10.0, -10.0, 1.0, -1.0, 30.0, -30.0, 0.0, 0.5)}


def _witness(branch: Branch) -> Mapping[sympy.Symbol, float] | None:
    """Numbers that lie in the branch, or None when none of the usual ones does."""
    tied = branch.equalities
    if branch.unsolved:
        return None
    free = sorted(branch.symbols - set(tied), key=lambda s: s.name)
    if len(free) > 6:
        return None
    rows = list(itertools.product(*(_TRIED[bool(s.is_positive)] for s in free)))
    grid = numpy.array(rows, dtype=float).reshape(len(rows), len(free))
    columns = list(grid.T)
    inside = numpy.ones(len(grid), dtype=bool)
    for difference, sign in branch.signs:
        value = numeric(difference.xreplace(tied), "numpy")
        order = sorted(difference.xreplace(tied).free_symbols, key=lambda s: s.name)
        inside &= numpy.sign(value(*(columns[free.index(s)] for s in order))) == sign
    if not inside.any():
        return None
    at = dict(zip(free, map(float, grid[int(numpy.argmax(inside))])))
    return at | {s: float(e.xreplace({k: sympy.Rational(v) for k, v in at.items()})) for s, e in tied.items()}
