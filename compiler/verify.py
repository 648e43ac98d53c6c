"""Verification: proves, emits, compiles and runs an operator on each product, and judges what comes out.

Nothing here knows an operator: cases come from its interface (`compiler.cases`), references from its graph.
"""

from __future__ import annotations

import itertools
import math
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from compiler import cases as case_lists
from compiler import emulate as emulation
from compiler import products
from compiler.cases import Case
from compiler.cycles import Modelled, modelled
from compiler.emulator import run as runner
from compiler.emulator import toolchain
from compiler.library import product_of
from compiler.pipeline import PipelineError
from compiler.request import Request
from compiler.schedule.cube import FRACTAL
from compiler.schedule.mixed import MixedSchedule, MixedTiling
from compiler.traffic import moves, runs
from ir.interface import ROWS, Operator
from ir.types import dim_value, numpy_dtype

ORDERS = ("forward", "reverse", "random:1")
"""Orders of the cores; all must give the same bits."""

BATCH_CASES, BATCH_BYTES = 16, 1 << 26
"""Most cases, and most bytes of tensors, that one process of the emulator takes."""

LONG_ROWS = (1, 2, 63, 64, 65, 127, 1000, 16321, 131073, 2**31 - 1, 2**31, 2**40)
"""Row counts on which the two implementations of the tiling are compared; nothing is allocated."""


@dataclass(frozen=True)
class Check:
    """One thing that was tried. problems: a line each, none where it holds. command: how to see it again."""

    name: str
    seconds: float
    problems: tuple[str, ...] = ()
    command: str = ""
    worst: float = 0.0

    @property
    def holds(self) -> bool:
        return not self.problems


@dataclass(frozen=True)
class Suite:
    """All checks of one operator on one product (its proofs: product is empty).

    cases: how many were emulated; findings: of the emulator, over all of them; modelled: cycles beside their roofs.
    by_default: outputs that miss a bound which the interface does not set.
    """

    operator: str
    product: str
    checks: tuple[Check, ...]
    cases: int = 0
    findings: int = 0
    modelled: tuple[Modelled, ...] = ()
    seconds: float = 0.0
    by_default: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return bool(self.checks) and all(c.holds for c in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(c for c in self.checks if not c.holds)

    @property
    def worst(self) -> float:
        """The largest RMS error in units of its limit."""
        return max((c.worst for c in self.checks), default=0.0)

    @property
    def title(self) -> str:
        return f"{self.operator} on {self.product}" if self.product else f"{self.operator}, proof"


@dataclass(frozen=True)
class VerifyReport:
    """The verdict on all operators and products."""

    suites: tuple[Suite, ...]

    @property
    def holds(self) -> bool:
        return bool(self.suites) and all(s.holds for s in self.suites)

    def to_json(self) -> dict:
        """An object for json.dumps."""
        return {"holds": self.holds, "suites": [
            {"operator": s.operator, "product": s.product or None, "holds": s.holds, "checks": len(s.checks), "cases": s.cases,
             "findings": s.findings, "modelled": [m.to_json() for m in s.modelled], "worst_rms_to_limit": round(s.worst, 4), "seconds": round(s.seconds, 2),
             "failures": [{"name": c.name, "problems": list(c.problems), "command": c.command} for c in s.failures]}
            for s in self.suites]}

    def summary(self) -> str:
        """A line for each operator and product, what does not hold and how to see it again, and remarks on that."""
        from compiler.precision import default_remarks

        lines = []
        for s in self.suites:
            figures = f"{len(s.checks)} results"
            if s.product:
                figures = f"{s.cases} cases, worst RMS error {s.worst:.2f} of its limit, {s.findings} findings"
            verdict = "holds" if s.holds else f"{len(s.failures)} of {len(s.checks)} checks fail"
            lines.append(f"{s.title}: {verdict}; {figures}, {s.seconds:.1f} s")
            if s.modelled:
                lines.append(f"  modelled cycles over the roof: {', '.join(m.text for m in s.modelled)}; {s.modelled[-1].shape}")
            for c in s.failures:
                lines.append(f"  {c.name}")
                lines += [f"    {p}" for p in c.problems]
                lines += [f"    $ {c.command}"] if c.command else []
        defaults = {s.operator: {} for s in self.suites if s.by_default}
        for s in self.suites:
            defaults.get(s.operator, {}).update(dict.fromkeys(s.by_default))
        lines += [f"{operator}: {remark}" for operator, outputs in defaults.items() for remark in default_remarks(outputs)]
        return "\n".join(lines)

    def write_junit(self, path: str | Path) -> None:
        """The report as JUnit XML. Raises PipelineError when it cannot be written."""
        from xml.etree import ElementTree as xml

        root = xml.Element("testsuites")
        for s in self.suites:
            suite = xml.SubElement(root, "testsuite", name=s.title, tests=str(len(s.checks)), failures=str(len(s.failures)),
                                   time=f"{s.seconds:.3f}")
            for c in s.checks:
                case = xml.SubElement(suite, "testcase", classname=s.title, name=c.name, time=f"{c.seconds:.3f}")
                if not c.holds:
                    text = "\n".join([*c.problems, *([f"$ {c.command}"] if c.command else [])])
                    xml.SubElement(case, "failure", message=_printable(c.problems[0])).text = _printable(text)
        try:
            xml.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
        except OSError as error:
            raise PipelineError(f"--junit: cannot write {path}: {error.strerror}") from None


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable() or c in "\n\t")


def verify(operators: Iterable[Operator], socs: Sequence[str] = (), quick: bool = False, jobs: int | None = None,
           echo: bool = True) -> VerifyReport:
    """Proves, emits, compiles and runs the operators on each product (default: all that they document).

    quick: corners only; otherwise also every two settings together. jobs: emulators that run side by side.
    echo: show progress, on standard error.
    Raises what `product_of` and compiling raise.
    """
    suites = []
    plans = [(o, [product_of(o, soc) for soc in socs or o.interface.products]) for o in operators]
    with _progress(echo) as tell:
        for operator, chosen in plans:
            suites.append(prove_operator(operator, tell))
            for product in chosen:
                suites.append(verify_product(operator, product, quick, jobs, tell))
    return VerifyReport(tuple(suites))


def prove_operator(operator: Operator, tell: Callable = lambda *_: None) -> Suite:
    """The proof of an operator's gradients as checks."""
    from compiler.prove import prove

    tell(f"{operator.name}: proof", 0, 0)
    started = time.perf_counter()
    proof = prove(operator)
    command = f"ascgrad prove {_reference(operator)}"
    checks = tuple(Check(r.title, r.seconds, () if r.holds else (r.detail,), "" if r.holds else command) for r in proof.results)
    return Suite(operator.name, "", checks, seconds=time.perf_counter() - started)


def verify_product(operator: Operator, product: dict, quick: bool = False, jobs: int | None = None,
                   tell: Callable = lambda *_: None, sources: str | Path | None = None) -> Suite:
    """Emits (or takes `sources`), compiles and runs an operator for one product."""
    started = time.perf_counter()
    name = f"{operator.name} on {product['name']}"
    tell(f"{name}: compiling", 0, 0)
    schedule = emulation._schedule(operator, product)
    try:
        built = emulation.built(operator, product, sources)
    except toolchain.SourceError as error:
        seconds = time.perf_counter() - started
        return Suite(operator.name, product["name"], (Check("compiles", seconds, tuple(error.lines)),), seconds=seconds)
    examiner = Examiner(operator, product, schedule, built, sources)
    cores = product["cores"]["aiv"]
    listed = case_lists.corners(operator, cores, examiner.tile, product["name"])
    if not quick:
        listed += case_lists.pairwise_cases(operator, cores, product["name"])
    checks = {}
    batches = list(_batches(operator, listed))
    with ThreadPoolExecutor(jobs or 2) as pool:
        waiting = [pool.submit(examiner.examine, batch) for batch in batches]
        for done in as_completed(waiting):
            for case, check in done.result():
                checks[case] = check
            tell(f"{name}: emulating", len(checks), len(listed))
    tell(f"{name}: static checks", len(checks), len(listed))
    statics = static_checks(built.directory, product)
    tell(f"{name}: tiling", len(checks), len(listed))
    tilings = examiner.compare_tilings(tiling_points(operator, quick, product["name"]))
    tell(f"{name}: cycles", len(checks), len(listed))
    ratios = modelled(operator, product, built)
    return Suite(operator.name, product["name"], (*(checks[i] for i in range(len(listed))), *statics, tilings), len(listed),
                 examiner.findings, ratios, time.perf_counter() - started, tuple(sorted(examiner.by_default)))


def static_checks(directory: Path, product: dict) -> list[Check]:
    """What `ascgrad check` says of a directory, a check for each rule; what it cannot read is a problem here."""
    from compiler.check import RULES, check

    started = time.perf_counter()
    report = check(directory, product)
    seconds = (time.perf_counter() - started) / len(RULES)
    said = [(f.kind, str(f)) for f in (*report.findings, *report.notes)]
    return [Check(rule.title, seconds, tuple(text for kind, text in said if kind == rule.name)) for rule in RULES]


def _batches(operator: Operator, listed: Sequence[Case]):
    """[(position, case)] that one process takes."""
    batch, size = [], 0
    for item in enumerate(listed):
        own = 4 * sum((item[1].rows if t.leading else 1) * math.prod(case_lists._size(d, item[1].sizes) for d in t.dims)
                      for t in operator.interface.tensors if t.leading or len(t.dims) > 1)
        if batch and (len(batch) == BATCH_CASES or size + own * len(ORDERS) > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += own * len(ORDERS)
    if batch:
        yield batch


class Examiner:
    """Runs cases of one operator on one product and says what does not hold."""

    def __init__(self, operator: Operator, product: dict, schedule, built: runner.Built, sources: str | Path | None = None):
        self.operator, self.product, self.schedule, self.built, self.sources = operator, product, schedule, built, sources
        self.findings = 0
        self.by_default: set[str] = set()

    def tile(self, case: Case) -> tuple[int, int | None]:
        """(rows of the largest tile, columns that fit in one row; None where rows must be whole)."""
        options = set(case_lists.optional(self.operator.interface)) - case.absent
        options |= {a.option for a in self.operator.interface.attributes
                    if a.option and case.attributes.get(a.name, a.default) != a.off}
        tiling = self.schedule.solve({**case.sizes, ROWS: 2**40}, options, case.dtype, case.cores, dict(case.attributes))
        if self.mixed:
            return 2 * tiling.values["rowsPerTile"], None  # two vector cores in a group
        return tiling.values["rowsPerTile"], None if self.schedule.program.whole_rows else tiling.values["maxColumns"]

    @property
    def mixed(self) -> bool:
        return isinstance(self.schedule, MixedSchedule)

    def examine(self, batch: Sequence[tuple[int, Case]]) -> list[tuple[int, Check]]:
        """The verdict on each case, all run in one process."""
        requests = [case_lists.request_of(self.operator, case) for _, case in batch]
        calls = [emulation.emulator_request(request, cores=case.cores, order=order, timeline=False)
                 for (_, case), request in zip(batch, requests) for order in ORDERS]
        started = time.perf_counter()
        results = runner.emulate_many(self.built, calls)
        emulating = (time.perf_counter() - started) / len(batch)
        found = []
        for i, ((position, case), request) in enumerate(zip(batch, requests)):
            started = time.perf_counter()
            runs = results[i * len(ORDERS):(i + 1) * len(ORDERS)]
            problems, worst = self.judge(case, request, runs)
            self.findings += sum(len(r.findings) for r in runs)
            order = next((o for o, r in zip(ORDERS, runs) if r.findings or r.status != runs[0].status), ORDERS[0])
            command = self.command(case, request, order, position) if problems else ""
            seconds = emulating + time.perf_counter() - started
            found.append((position, Check(f"{case.name}: {case.text}", seconds, tuple(problems), command, worst)))
        return found

    def judge(self, case: Case, request: Request, runs: Sequence[runner.Result]) -> tuple[list[str], float]:
        """(what does not hold, worst RMS error in units of its limit) of one case in several orders."""
        first = runs[0]
        try:
            tiling = self.solve(request, case.cores)
        except ValueError as error:
            if first.status in (0, None):
                return [f"status {first.status}, but the schedule refuses it: {error}"], 0.0
            return [], 0.0
        if first.status != 0:
            return [f"status {first.status} in {first.phase}: {first.message}"], 0.0
        problems = list(dict.fromkeys(str(f) for r in runs for f in r.findings))
        for order, r in zip(ORDERS[1:], runs[1:]):
            if r.status != first.status:
                problems.append(f"status {r.status} with order {order}: {r.message}")
            else:
                problems += [f"{name}: other bits with order {order}" for name in first.outputs
                             if first.outputs[name].tobytes() != r.outputs[name].tobytes()]
        if first.launches:
            problems += self.wrong_launch(first, tiling)
        problems += self.wrong_traffic(request, first, tiling)
        report = request.judge(first.outputs)
        self.by_default.update(report.by_default)
        problems += [str(m) for m in report.misses]
        return problems, max((o.rms / o.rms_limit for o in report.outputs if o.rms and o.rms_limit), default=0.0)

    def solve(self, request: Request, cores: int | None = None):
        """The Python scheduler's tiling of a request. Raises CapacityError (a ValueError) where nothing fits."""
        binding = request.binding
        dtype = next((d for t, d in binding.column.items() if self.operator.interface.tensor(t).dtype in self.operator.interface.dtypes),
                     "float32")
        return self.schedule.solve(dict(binding.symbols), set(binding.options), dtype, cores, dict(binding.attributes))

    def wrong_traffic(self, request: Request, result: runner.Result, tiling) -> list[str]:
        """Differences between the GM bytes counted and those that the operator, or the schedule of stages, cannot do without."""
        if self.mixed:
            wanted = mixed_traffic(tiling) if result.launches else {}
            counters = result.counters or {}
            return [f"{name}: {counters.get(name, 0)}, wants {n}" for name, n in wanted.items() if counters.get(name, 0) != n]
        read, written = traffic(self.operator, request, result.block_dim or 0) if result.launches else (0, 0)
        counters = result.counters or {}
        return [f"{name}: {counters.get(name, 0)}, wants {wanted}" for name, wanted in
                (("gm_read_bytes", read), ("gm_write_bytes", written)) if counters.get(name, 0) != wanted]

    def command(self, case: Case, request: Request, order: str, position: int) -> str:
        """A command line that runs the case again; its inputs are kept beside the compiler's cache."""
        from ir.inputs import save_npz

        folder = toolchain.cache_directory() / "failing"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.operator.interface.snake}-{self.product['name']}-{position}.npz"
        save_npz(path, request.binding.arrays)
        words = ["ascgrad", "emulate", _reference(self.operator), "--soc", self.product["name"], "--inputs", str(path)]
        words += [w for name, value in request.attributes.items() for w in ("--attr", f"{name}={value}")]
        words += ["--order", order] if order != "forward" else []
        words += ["--cores", str(case.cores)] if case.cores else []
        words += ["--sources", str(self.sources)] if self.sources else []
        return shlex.join([*words, "--check"])

    # -- tiling ---------------------------------------------------------------------------------------------------------

    def compare_tilings(self, points: Sequence[TilingPoint]) -> Check:
        """Whether the emitted C++ and the Python scheduler agree, field by field and in what they refuse."""
        started = time.perf_counter()
        results = runner.emulate_many(self.built, [p.call(self.operator) for p in points])
        problems = []
        for p, result in zip(points, results):
            problems += [f"{p.text}: {text}" for text in self.tiling_problems(p, result)]
        more = [f"and {len(problems) - 5} more"] if len(problems) > 5 else []
        return Check(f"tiling of {len(points)} shapes in C++ and in Python", time.perf_counter() - started, (*problems[:5], *more))

    def tiling_problems(self, point: TilingPoint, result: runner.Result) -> list[str]:
        """How the C++ result of one point differs from the Python scheduler."""
        try:
            tiling = self.schedule.solve(dict(point.sizes), set(point.options), point.dtype, point.cores, dict(point.attributes))
        except ValueError as error:
            return [] if result.status not in (0, None) else [f"C++ accepts it, Python refuses it: {error}"]
        if result.status != 0:
            return [f"C++ refuses it ({result.status}: {result.message}), Python does not"]
        if not result.launches:
            return []
        return [str(f) for f in result.findings] + self.wrong_launch(result, tiling)

    @staticmethod
    def wrong_launch(result: runner.Result, tiling) -> list[str]:
        """What the emitted C++ launched that the Python scheduler would not."""
        problems = differing_fields(result.tiling, tiling.fields)
        told = [("block dim", result.block_dim, tiling.values["blockDim"]), ("tiling key", result.tiling_key, tiling.values["tilingKey"])]
        if tiling.values["workspaceBytes"]:
            alignment = tiling.schedule.product["alignment"]["gm_argument"]  # the framework rounds up what the host asks for
            told.append(("workspace bytes", result.workspace_bytes, -(-tiling.values["workspaceBytes"] // alignment) * alignment))
        for name, got, wanted in told:
            if got != wanted:
                problems.append(f"{name}: C++ says {got}, Python {wanted}")
        return problems


def differing_fields(got: dict | None, wanted: dict) -> list[str]:
    """Tiling fields whose values in C++ and in Python differ."""
    same = lambda a, b: a == b or (a != a and b != b)
    got = got or {}
    return [f"tiling field {name}: C++ says {got.get(name)}, Python {wanted.get(name)}" for name in dict.fromkeys((*wanted, *got))
            if name not in got or name not in wanted or not same(got[name], wanted[name])]


def traffic(operator: Operator, request: Request, block_dim: int) -> tuple[int, int]:
    """(bytes read from, bytes written to) GM by a kernel that touches everything once.

    Live rows of what the gradients use are read once; counts and vectors over columns once by each core. Every row of an
    output is written once. A sum over rows goes from each core to the workspace and back once.
    """
    from compiler.request import _graphs
    from compiler.simplify import specialise
    from ir.graph import topological

    interface, binding = operator.interface, request.binding
    graph = specialise(_graphs(operator)[0], set(binding.options))
    used = {n.attr("name") for n in topological([graph.outputs[o] for o in binding.outputs]) if n.op == "input"}
    rows = binding.symbols.get(ROWS, 0)
    live = case_lists.live_rows(interface, {n: a for n, a in binding.arrays.items() if n in used}, rows)
    per_row = lambda t: t.leading or t.elements_only
    read = written = 0
    for t in interface.inputs:
        if t.name in used:
            size = binding.arrays[t.name].nbytes
            read += size // rows * live if per_row(t) and rows else 0 if per_row(t) else size * block_dim
    for name, (shape, dtype) in ((n, request.specs[n]) for n in binding.outputs):
        size = math.prod(shape) * runner._numpy_dtype(dtype).itemsize
        written += size
        if not per_row(interface.tensor(name)):
            read += size * block_dim
            written += size * block_dim
    return read, written


def mixed_traffic(tiling: MixedTiling) -> dict[str, int]:
    """Counter -> what it must be: the bytes of the schedule's moves, and the multiply-adds of its products, with the rows between
    two stacked matrices and the second one that a tile of a lone row is given."""
    moved = {"read": 0, "write": 0}
    for move in moves(tiling):
        moved[move.access] += move.bytes
    sizes = {k: v for k, v in tiling.known.items() if isinstance(v, int)}
    rows, value, macs = sizes[ROWS], lambda e: dim_value(e, sizes), 0
    blocks = runs(rows, tiling.offsets["blockRows"])
    for stack in tiling.schedule.stacks if rows else ():
        present = [p for p in stack.products if tiling.values["tilingKey"] in p.keys]
        if not present:
            continue
        first, joined = present[0], 0
        for p in present:
            joined = -(-joined // FRACTAL) * FRACTAL + value(p.m if stack.axis == "m" else p.n)
        k = sum(value(t.k) for t in first.terms if tiling.values["tilingKey"] in t.keys)
        for m, count in ((value(first.m), 1),) if first.sums_rows else blocks:
            m, n = (joined if first.sums_rows else m, value(first.n)) if stack.axis == "m" else (m, joined)
            macs += count * (m + (m % tiling.cut(stack)["rows"] == 1)) * n * k
    return {"cube_macs": macs, "gm_read_bytes": moved["read"], "gm_write_bytes": moved["write"]}


# -- tiling points ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TilingPoint:
    """Sizes, options and attributes of a call of the first phase alone; no tensor is made."""

    sizes: dict[str, int]
    options: frozenset[str]
    dtype: str
    attributes: dict[str, float] = field(default_factory=dict)
    cores: int | None = None

    @property
    def text(self) -> str:
        sizes = ",".join(f"{k}={v}" for k, v in self.sizes.items())
        return f"{sizes} {self.dtype} with {', '.join(sorted(self.options)) or 'no option'}"

    def call(self, operator: Operator) -> runner.Request:
        """The request as the emulator takes it: shapes and dtypes only."""
        interface = operator.interface
        variable = next((k for k, v in interface.dtypes.items() if self.dtype in v), None)
        column = next(c for i, c in enumerate(interface.columns) if variable is None or interface.dtypes[variable][i] == self.dtype)
        rows = self.sizes.get(ROWS, 0)
        tensors = {}
        for t in interface.tensors:
            if t.option in (None, *self.options):
                dims = tuple(case_lists._size(d, self.sizes) for d in t.dims)
                leading = (*(1,) * (len(interface.rows) - 1), rows)
                tensors[t.name] = runner.Tensor((*leading, *dims) if t.leading else dims, column[t.name])
        sized = {a.name: self.sizes[a.symbol] for a in interface.attributes if a.symbol in self.sizes}
        return runner.Request(tensors, {**self.attributes, **sized}, cores=self.cores, phase1_only=True)


def tiling_points(operator: Operator, quick: bool = False, product: str | None = None) -> list[TilingPoint]:
    """Shapes from one row to far beyond 32 bits, every dtype and set of options; of several sizes every two together."""
    interface = operator.interface
    optional = case_lists.optional(interface)
    switches = [a for a in interface.attributes if a.option and a.symbol is None]
    names = (*optional, *(a.option for a in switches))
    dtypes = tuple(dict.fromkeys(d for v in interface.dtypes.values() for d in v)) or ("float32",)
    widths = case_lists.widths(interface, product)
    if case_lists.matrices(interface):
        return _points_of_matrices(operator, quick, product, names, dtypes, widths)
    groups = {d: 3 for t in case_lists.counts_tensors(interface) for d in t.dims}
    points = []
    chosen = itertools.product(LONG_ROWS[::3] if quick else LONG_ROWS, *widths.values())
    for i, (rows, *sizes) in enumerate(chosen):
        for j, dtype in enumerate(dtypes):
            for present in ([_subset(names, i + j)] if quick else map(lambda k: _subset(names, k), range(2 ** len(names)))):
                attributes = {a.name: 7.0 if a.option in present else a.off for a in switches if a.type == "float"}
                points.append(TilingPoint({ROWS: rows, **dict(zip(widths, sizes)), **groups}, present, dtype, attributes))
    return points


def _points_of_matrices(operator: Operator, quick: bool, product: str | None, names, dtypes, widths) -> list[TilingPoint]:
    interface = operator.interface
    least = {s: min(v) for s, v in widths.items()}
    factors = {ROWS: LONG_ROWS[::3] if quick else LONG_ROWS, "dtype": dtypes, "options": range(2 ** len(names)),
               "cores": (None, 1, 20, 36), **widths}

    def fits(settings) -> bool:
        return case_lists.admits(interface, product, {**least, **{s: v for s, v in settings.items() if s in widths}})

    return [TilingPoint({ROWS: s[ROWS], **{w: s[w] for w in widths}}, _subset(names, s["options"]), s["dtype"], cores=s["cores"])
            for s in case_lists.pairwise(factors, fits)]


def _subset(names: Sequence[str], index: int) -> frozenset[str]:
    return frozenset(n for k, n in enumerate(names) if index >> k & 1)


# -- shared -------------------------------------------------------------------------------------------------------------


def _reference(operator: Operator) -> str:
    """How the command line names the operator."""
    from compiler.library import operator_names

    return operator.name if operator.interface.snake in operator_names() else operator.path or operator.name


@contextmanager
def _progress(echo: bool):
    """A function (what, done, total): a bar on a terminal, plain lines elsewhere, nothing without echo."""
    if not echo:
        yield lambda *_: None
        return
    if not sys.stderr.isatty():
        said: dict[str, float] = {}

        def line(what: str, done: int, total: int) -> None:
            now = time.monotonic()
            if what not in said or done == total or now - said[what] > 10:
                said[what] = now
                print(f"{what}{f' {done} of {total}' if total else ''}", file=sys.stderr, flush=True)

        yield line
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total or None)


__all__ = ["Check", "Examiner", "Suite", "TilingPoint", "VerifyReport", "tiling_points", "traffic", "verify", "verify_product"]
