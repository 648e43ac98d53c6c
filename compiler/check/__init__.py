"""Checks of an operator directory in the emitted layout that need no device: of its text, and against a toolkit's headers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from compiler.check import documents, rules
from compiler.check.cpp import BeyondTable, Unreadable
from compiler.check.sources import NotAnOperator, Sources
from compiler.check.toolkit import NoToolkit, ToolkitReport, compile_against
from compiler.emulator.run import Finding


@dataclass(frozen=True)
class Rule:
    """A row of the table of static checks. title: what holds when it finds nothing."""

    name: str
    title: str
    find: Callable[[rules.Reading], Iterator[Finding]]


RULES = (
    Rule("tiling key", "every tiling key that the host returns is in the kernel, and the reverse", rules.tiling_keys),
    Rule("sync", "barriers of all cores and the schedule mode agree", rules.synchronisation),
    Rule("workspace", "a workspace begins with the part of the system", rules.workspace),
    Rule("tiling struct", "host and kernel lay the tiling struct out alike", rules.tiling_struct),
    Rule("buffers", "the host counts the bytes that InitBuffer takes", rules.buffers),
    Rule("api", "every API that is called exists on the product", rules.api_names),
    Rule("option", "a kernel that copies from UB to L1 is compiled with the option for it", rules.compile_options),
    Rule("parameters", "documents list the parameters of the definition", documents.parameters),
    Rule("shapes", "documents say the shapes that the host accepts", documents.shapes),
    Rule("prototypes", "documents show the functions that the header declares", documents.prototypes),
    Rule("statuses", "documents list the codes that the interface returns", documents.statuses),
    Rule("limits", "documents say the limits that the sources check", documents.limits),
    Rule("products", "documents say the products that the definition has", documents.products),
)


@dataclass(frozen=True)
class Report:
    """findings: what does not hold. notes: what could not be read, with the check that was left out for it."""

    directory: Path
    operator: str
    products: tuple[str, ...]
    checks: dict[str, int]
    findings: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    toolkit: ToolkitReport | None = None

    @property
    def holds(self) -> bool:
        return not self.findings

    def to_json(self) -> dict:
        """An object for json.dumps."""
        return {"operator": self.operator, "products": list(self.products), "holds": self.holds,
                "checks": [{"name": r.name, "title": r.title, "findings": self.checks[r.name]} for r in RULES if r.name in self.checks],
                "findings": [asdict(f) for f in self.findings], "notes": [asdict(f) for f in self.notes],
                "cann": None if self.toolkit is None else self.toolkit.to_json()}

    def to_text(self, verbose: bool = False) -> str:
        """A line for each finding and note; a last one that counts. verbose: and what was compiled, with its include folders."""
        lines = [u.to_text() for u in self.toolkit.units] if verbose and self.toolkit else []
        lines += [*map(str, self.findings), *map(str, self.notes)]
        count = f"{len(self.findings)} finding{'s' * (len(self.findings) != 1)}" if self.findings else "no finding"
        skipped = f", {len(self.notes)} not checked" if self.notes else ""
        units = f" and {len(self.toolkit.units)} translation units" if self.toolkit else ""
        return "\n".join([*lines, f"{self.operator} on {', '.join(self.products)}: {count} in {len(self.checks)} checks"
                          f"{units}{skipped}"])


def check(directory: str | Path, only: dict | None = None, names: Sequence[str] = (), cann: str | Path | None = None) -> Report:
    """Runs the static checks over a directory.

    only: a product of `products.load`, in place of all that the definition lists. names: of rules, all where there are none.
    cann: the root of an installed toolkit, against whose headers the sources are compiled, too. Raises NotAnOperator or NoToolkit, with
    one line, when one of the two folders is not what it should be, and ToolchainError when there is no C++ compiler.
    """
    sources = Sources(Path(directory), only)
    reading, findings, notes, counts = rules.Reading(sources), [], [], {}
    for rule in (r for r in RULES if not names or r.name in names):
        before = len(findings)
        try:
            findings += rule.find(reading)
        except BeyondTable as error:
            if (str(error.file), error.line) not in {(f.file, f.line) for f in findings}:  # the first rule that meets it says so
                findings.append(Finding(rule.name, str(error.file), error.line, str(error)))
        except Unreadable as error:
            notes.append(Finding(rule.name, str(error.file), error.line, f"not checked: {error}"))
        counts[rule.name] = len(findings) - before
    toolkit = compile_against(sources, cann) if cann is not None else None
    findings += toolkit.findings if toolkit else []
    unique = tuple(dict.fromkeys(findings))
    return Report(sources.directory, sources.name, tuple(sources.products), counts, unique, tuple(notes), toolkit)


__all__ = ["NoToolkit", "NotAnOperator", "RULES", "Report", "Rule", "check"]
