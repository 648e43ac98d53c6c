"""Mutants of emitted sources, and whether the emulator tells them from what was emitted.

A mutant is one textual change of one emitted file. It is caught where a standard case gives a finding, a status, values beyond
the precision that counts as right, other bits in another order of the cores, other GM traffic, or tiling that the scheduler
would not choose. Everything else survives, and has to be equivalent: `tests/mutants/survivors.py` says why.
"""

from __future__ import annotations

import fnmatch
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from compiler import emulate, products
from compiler.cases import Case, request_of
from compiler.emulator import run
from compiler.emulator.toolchain import SourceError
from compiler.request import Request
from compiler.verify import ORDERS, Examiner, tiling_points
from tests.operators.swiglu_group_quant_grad import lists as vector_lists
from tests.operators.swiglu_group_quant_grad.test_largest import call as last_rows
from tests.operators.text_gated_residual_grad import lists as mixed_lists
from tests.running import examiner, operator

TIMEOUT = 60
"""Seconds after which a run counts as hanging."""


@dataclass(frozen=True)
class Target:
    """An operator on a product."""

    operator: str
    product: str

    def __str__(self) -> str:
        return f"{self.operator} on {self.product}"

    @property
    def examiner(self) -> Examiner:
        return examiner(self.operator, self.product)

    @cache
    def sources(self) -> dict[str, str]:
        """Path in the operator's directory -> text, of what a kernel and its tiling are made of."""
        folder = emulate.sources_of(operator(self.operator), products.load(self.product))
        paths = [p for pattern in ("op_kernel/**/*.h", "op_kernel/*.cpp", "op_host/*_tiling.cpp", "op_host/*_tiling_math.h")
                 for p in sorted(folder.glob(pattern))]
        return {str(p.relative_to(folder)): p.read_text(encoding="utf-8") for p in paths}


VECTOR = Target("SwigluGroupQuantGrad", "ascend950")
MIXED = Target("TextGatedResidualGrad", "ascend950")
MIXED_A2 = Target("TextGatedResidualGrad", "ascend910b")
TARGETS = (VECTOR, MIXED, MIXED_A2)
"""Atlas A3 runs the text of Atlas A2: a test holds the two against each other."""


@dataclass(frozen=True)
class Kind:
    """A way of being wrong: every match of a pattern in the emitted files, replaced, is a mutant.

    replacement: as for re.sub. files: of the paths in an operator's directory. targets: those where it is a fault. together:
    matches with the same first group change at once. least: fewer mutants than that in all mean that the pattern no longer
    fits what is emitted. far: shown by the last rows of a tensor beyond 2^31 elements alone.
    """

    name: str
    why: str
    pattern: str
    replacement: str | Callable[[re.Match], str]
    files: str = "op_kernel/*"
    targets: tuple[Target, ...] = TARGETS
    together: bool = False
    least: int = 3
    far: bool = False

    def mutants(self) -> list[Mutant]:
        return [m for t in self.targets for m in self.mutants_of(t)]

    def mutants_of(self, target: Target) -> list[Mutant]:
        found = []
        for path, text in target.sources().items():
            if fnmatch.fnmatch(path, self.files):
                found += [Mutant(self, target, path, text.count("\n", 0, at) + 1, before, changed)
                          for at, before, changed in self._changes(text)]
        return found

    def _changes(self, text: str) -> Iterator[tuple[int, str, str]]:
        """(where, the lines that stood there, the changed text)"""
        seen = set()
        for match in re.finditer(self.pattern, text, re.MULTILINE | re.DOTALL):
            if self.together:
                if match[1] in seen:
                    continue
                seen.add(match[1])
                change = lambda m: self._replaced(m) if m[1] == match[1] else m[0]
                changed = re.sub(self.pattern, change, text, flags=re.MULTILINE | re.DOTALL)
            else:
                changed = text[:match.start()] + self._replaced(match) + text[match.end():]
            if changed != text:
                begin = match.start() + len(match[0]) - len(match[0].lstrip())
                last = max(begin, match.start() + len(match[0].rstrip()) - 1)
                yield begin, _statement(text, begin, text.find("\n", last)), changed

    def _replaced(self, match: re.Match) -> str:
        return self.replacement(match) if callable(self.replacement) else match.expand(self.replacement)


@dataclass(frozen=True)
class Mutant:
    """One change. before: the lines that stood there; text: the whole file, changed."""

    kind: Kind
    target: Target
    path: str
    line: int
    before: str
    text: str

    @property
    def title(self) -> str:
        return f"{self.kind.name}: {self.target}: {Path(self.path).name}:{self.line}: {self.before[:120]}"

    @property
    def follows(self) -> str:
        """The three lines after the one that begins the change, as emitted."""
        return " ".join(" ".join(self.target.sources()[self.path].splitlines()[self.line:self.line + 3]).split())

    def write(self, folder: Path) -> Examiner:
        """The operator's directory with the change in it, compiled on the host side. Raises SourceError."""
        emitted = self.target.examiner
        shutil.copytree(emitted.built.directory, folder)
        (folder / self.path).write_text(self.text, encoding="utf-8")
        built = emulate.built(emitted.operator, emitted.product, folder)
        return Examiner(emitted.operator, emitted.product, emitted.schedule, built, folder)


def _statement(text: str, begin: int, end: int) -> str:
    """The lines up to `end`, from the one on that starts the statement of `begin`."""
    start = text.rfind("\n", 0, begin) + 1
    while not re.search(r"(?:[;{}]|^\s*(?:#|//|\*).*|^\s*)(?:\s*//.*)?$", text[text.rfind("\n", 0, start - 1) + 1:start - 1]):
        start = text.rfind("\n", 0, start - 1) + 1
    return " ".join(text[start:end].split())


def sample(mutants: list[Mutant], most: int) -> list[Mutant]:
    """At most so many, evenly over all of them; of each target others."""
    if len(mutants) <= most:
        return mutants
    shift = (TARGETS.index(mutants[0].target) + 0.5) / len(TARGETS)
    return [mutants[int((i + shift) * len(mutants) / most)] for i in range(most)]


# -- the standard case set ----------------------------------------------------------------------------------------------


def standard_cases(target: Target) -> list[Case]:
    """Few calls that together have tails, several tiles in a core, columns that are split, several blocks of rows, groups
    without rows, options on and off, and every way that a tile is walked."""
    if target == VECTOR:
        case = vector_lists.case
        rows, _ = target.examiner.tile(case("", 2, 512, cores=2))
        return [
            case("dead rows", 67, 96, values="dead"), case("several tiles, the last one short", 4 * rows - 2, 512, counts="all", cores=2),
            case("values at the limits", 4, 300, values="kinks", counts="all"),
            case("large values, no limit", 4, 300, clamp=-1.0, values="large", counts="all"),
            case("more counts than one load takes, more rows than there are", 5, 40, counts="above", groups=300),
            case("negative sum of counts", 5, 40, counts="below zero", values="dead"),
            case("columns in several tiles", 3, 16384, cores=1), case("long rows", 5, 2600, counts="all", cores=1),
            case("no option", 130, 40, weight=False, clamp=-1.0, counts=None),
            case("float32", 29, 96, "float32", values="dead", cores=2), case("no option in float32", 130, 40, "float32", False, None, clamp=-1.0),
        ]
    case = mixed_lists.case
    return [
        case("tails", 261, 3, 48, 144, cores=2, values="uneven"), case("several blocks", 700, 1, 16, 16),
        case("several tiles in a core", 261, 1, 1040, 16, cores=1, values="uneven"), case("no option", 33, 3, 80, 48, inject=False, gamma=False),
        case("rows longer than a stride", 5, 2, 2560, 16, cores=1), case("one row", 1, 2, 32, 16), case("no rows", 0, 3, 48, 64, cores=1),
        case("tiles full of rows", 127, 2, 144, 160, cores=1), case("tiles that go to UB in turn", 100, 1, 48, 320, cores=1),
        case("strips of several tiles of columns", 40, 2, 256, 272, cores=1), case("strips of several tiles of rows", 62, 3, 2560, 16, cores=2),
        case("more rows in a core than a tile may have", 4479, 1, 16, 16, cores=1),
        case("several blocks, no option, float16", 300, 1, 80, 16, "float16", inject=False, gamma=False, cores=1),
        case("parts of sums that take several runs, float16", 1100, 1, 48, 96, "float16", cores=1),
    ]


@dataclass(frozen=True, eq=False)
class Call(Request):
    """A request that remembers its references: every mutant is judged by the same."""

    __eq__, __hash__ = object.__eq__, object.__hash__
    interpret = cache(Request.interpret)
    magnitudes = cache(Request.magnitudes)


INFINITE = {"SwigluGroupQuantGrad": {"x": (38, np.inf), "grad_y": (38, 0)}, "TextGatedResidualGrad": {"down_pre_act": (46, np.inf)}}
"""Input -> (column, value): row 2 of the case without options holds the value there, and its negative next to it. What a sigmoid
is taken of is infinite; where the largest finite value of the dtype would then be a factor of a result, the gradient is zero."""


@cache
def calls(target: Target) -> tuple[tuple[Case, Call], ...]:
    requests = [(c, request_of(target.examiner.operator, c)) for c in standard_cases(target)]
    for case, request in requests:
        if case.name == "no option":
            for name, (column, value) in INFINITE[target.operator].items():
                array = request.arrays[name]
                array.reshape(-1, array.shape[-1])[2, column:column + 2] = value, -value
    return tuple((c, Call(r.operator, r.arrays, r.attributes, r.strict)) for c, r in requests)


# -- running ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """How a mutant was caught: the kinds of evidence, the case and the first thing that was said. invalid: what does not compile."""

    mutant: Mutant
    how: tuple[str, ...] = ()
    case: str = ""
    said: str = ""
    invalid: str = ""

    @property
    def caught(self) -> bool:
        return bool(self.how)

    def to_json(self) -> dict:
        m = self.mutant
        return {"kind": m.kind.name, "target": str(m.target), "file": m.path, "line": m.line, "before": m.before, "how": self.how,
                "case": self.case, "said": self.said, "invalid": self.invalid}


def judge(mutant: Mutant, folder: Path) -> Verdict:
    """Runs the standard cases, up to the first that shows the mutant. folder: an empty place for its sources."""
    try:
        examined = mutant.write(folder / "sources")
        for how, case, said in evidence(examined, mutant.target, folder if mutant.kind.far else None):
            return Verdict(mutant, how, case, said)
    except SourceError as error:
        return Verdict(mutant, invalid=str(error).splitlines()[0])
    return Verdict(mutant)


def evidence(examined: Examiner, target: Target, far: Path | None = None) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """(what shows, in which case, what it says) for every case that shows something, the cheap ones first."""
    if far is not None:
        request, _, result = last_rows(far, 262145, 8192, 262145, "bfloat16", 1, [262144], built=examined.built, judged=False)
        found = [("finding " + f.kind, str(f)) for f in result.findings]
        found += [("numbers", str(m)) for m in request.judge({n: np.array(array[-1:]) for n, array in result.outputs.items()}).misses]
        if found:
            yield tuple(dict.fromkeys(how for how, _ in found)), "row 262144 of 8192 and 16384 elements", found[0][1]
        return
    first = []
    for case, request in calls(target):
        first += emulate_case(examined, case, request, ORDERS[:1])
        found = shown(examined, case, request, first[-1])
        if found:
            yield tuple(dict.fromkeys(how for how, _ in found)), case.name, found[0][1]
    for (case, request), before in zip(calls(target), first):
        for order, result in zip(ORDERS[1:], emulate_case(examined, case, request, ORDERS[1:])):
            found = shown(examined, case, request, result)
            found += [("order of the cores", f"{name}: other bits with order {order}") for name, array in result.outputs.items()
                      if name in before.outputs and array.tobytes() != before.outputs[name].tobytes()]
            if found:
                yield tuple(dict.fromkeys(how for how, _ in found)), f"{case.name}, order {order}", found[0][1]
    problems = examined.compare_tilings(tiling_points(examined.operator, True, examined.product["name"])[:40]).problems
    if problems:
        yield ("tiling",), "shapes", problems[0]


def emulate_case(examined: Examiner, case: Case, request: Request, orders) -> list[run.Result]:
    """Without what the device compiler inserts, where emitted code needs none of it: the order of vector instructions on Atlas A2."""
    automatic = examined.product["name"] != "ascend950"
    requests = [emulate.emulator_request(request, cores=case.cores, order=order, auto_sync=automatic) for order in orders]
    return run.emulate_many(examined.built, requests, timeout=TIMEOUT)


def shown(examined: Examiner, case: Case, request: Request, result: run.Result) -> list[tuple[str, str]]:
    """(kind of evidence, what it says): findings come first, as they name a line."""
    found = [("finding " + f.kind, str(f)) for f in result.findings]
    if result.status != 0:
        return found + [("status", f"status {result.status} in {result.phase}: {result.message}")]
    found += [("numbers", str(m)) for m in request.judge(result.outputs).misses]
    tiling = examined.solve(request, case.cores)
    if result.launches:
        found += [("tiling", p) for p in examined.wrong_launch(result, tiling)]
    return found + [("traffic", p) for p in examined.wrong_traffic(request, result, tiling)]


def atlas_sources(product: str) -> dict[str, str]:
    """Path -> text of the mixed operator's kernel on an Atlas product, without the lines that name the product."""
    folder = emulate.sources_of(operator(MIXED.operator), products.load(product))
    return {str(p.relative_to(folder)): "".join(line for line in p.read_text().splitlines(True) if not line.startswith(("//", " *")))
            for p in sorted(folder.glob("op_kernel/**/*")) if p.is_file()}
