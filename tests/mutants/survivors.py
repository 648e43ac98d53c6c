"""Mutants that change nothing that can be observed, and why.

Every mutant of the full run that survives has to be in this table, and what is in it must survive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.mutants.suite import Mutant


@dataclass(frozen=True)
class Survivor:
    """kind: the name of one. place: a regular expression on "target: file: what stood there"."""

    kind: str
    place: str
    reason: str

    def covers(self, mutant: Mutant) -> bool:
        name = mutant.path.rpartition("/")[2]
        return self.kind == mutant.kind.name and re.search(self.place, f"{mutant.target}: {name}: {mutant.before}") is not None


SURVIVORS: tuple[Survivor, ...] = (
    Survivor("tail dropped", r"^TextGated.*for \(int64_t column = 0; column < columns_;", "a row of this operator fits one tile"),
    Survivor("tail dropped", r"tile\.h: .*at < shape\.width; at \+= lanes", "columns of a strip are whole data blocks"),
    Survivor("wrong stride of the first operand", r"tail, 1, BinaryRepeatParams", "there is no second repeat"),
    Survivor("wrong stride of the second operand", r"tail, 1, BinaryRepeatParams", "there is no second repeat"),
    Survivor("work buffer of another value", r"x0ClampedFinite = Work\(1\)", "the buffer that is taken instead is not needed any more"),
)


def reason(mutant: Mutant) -> str | None:
    """Why a mutant may survive; None where it may not."""
    return next((s.reason for s in SURVIVORS if s.covers(mutant)), None)
