"""Checks of an operator directory in the emitted layout that need no device: of its text, and against a toolkit's headers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from compiler.check import rules
from compiler.check.cpp import Unreadable
from compiler.check.sources import NotAnOperator, Sources
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
    Rule("tiling struct", "host and kernel lay the tiling struct out alike", rules.tiling_struct),
    Rule("buffers", "the host counts the bytes that InitBuffer takes", rules.buffers),
    Rule("api", "every API that is called exists on the product", rules.api_names),
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

    @property
    def holds(self) -> bool:
        return not self.findings

    def to_json(self) -> dict:
        """An object for json.dumps."""
        return {"operator": self.operator, "products": list(self.products), "holds": self.holds,
                "checks": [{"name": r.name, "title": r.title, "findings": self.checks[r.name]} for r in RULES if r.name in self.checks],
                "findings": [asdict(f) for f in self.findings], "notes": [asdict(f) for f in self.notes]}

    def to_text(self) -> str:
        """A line for each finding and note; a last one that counts."""
        lines = [*map(str, self.findings), *map(str, self.notes)]
        count = f"{len(self.findings)} finding{'s' * (len(self.findings) != 1)}" if self.findings else "no finding"
        skipped = f", {len(self.notes)} not checked" if self.notes else ""
        return "\n".join([*lines, f"{self.operator} on {', '.join(self.products)}: {count} in {len(self.checks)} checks{skipped}"])


def check(directory: str | Path, only: str | None = None, names: Sequence[str] = ()) -> Report:
    """Runs the static checks over a directory.

    only: a product's name. names: of rules, all where there are none. Raises NotAnOperator, with one line, when the directory is not in the emitted layout.
    """
    sources = Sources(Path(directory), only)
    reading, findings, notes, counts = rules.Reading(sources), [], [], {}
    for rule in (r for r in RULES if not names or r.name in names):
        before = len(findings)
        try:
            findings += rule.find(reading)
        except Unreadable as error:
            notes.append(Finding(rule.name, str(error.file), error.line, f"not checked: {error}"))
        counts[rule.name] = len(findings) - before
    unique = tuple(dict.fromkeys(findings))
    return Report(sources.directory, sources.name, tuple(sources.products), counts, unique, tuple(notes))


__all__ = ["NotAnOperator", "RULES", "Report", "Rule", "check"]
