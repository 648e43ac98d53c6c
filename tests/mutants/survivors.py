"""Mutants that change nothing that can be observed, and why.

Every mutant of the full run that survives has to be in this table, and what is in it must survive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.mutants.suite import Mutant


@dataclass(frozen=True)
class Survivor:
    """kind: the name of one. place: a regular expression on "target: file: what stood there". follows: one on the next lines."""

    kind: str
    place: str
    reason: str
    follows: str = ""

    def covers(self, mutant: Mutant) -> bool:
        name = mutant.path.rpartition("/")[2]
        return (self.kind == mutant.kind.name and re.search(self.place, f"{mutant.target}: {name}: {mutant.before}") is not None
                and re.search(self.follows, mutant.follows) is not None)


SURVIVORS: tuple[Survivor, ...] = (
    Survivor("wait between pipes dropped", "MTE3_MTE2", "SyncAll waits for all pipes", r"^SyncAll\(\);"),
    Survivor("wait between the wrong pipes", "MTE3_MTE2", "SyncAll waits for all pipes", r"^SyncAll\(\);"),
    Survivor("barrier dropped", r"\.cpp: PipeBarrier<PIPE_ALL>", "all cores have just waited for one another, with all their pipes, or nothing ran before",
             r"Vector1<"),
    Survivor("barrier dropped", r"\.cpp: PipeBarrier<PIPE_ALL>", "SyncAll comes before the first use of a buffer", r"Vector5<[^;]*; stage\.InitSums"),
    Survivor("barrier dropped", r"\.cpp: PipeBarrier<PIPE_ALL>",
             "TPipe::Reset waits for the flags of freed buffers, and those of the sum before lie in the same places", r"TQue<QuePosition::VECIN, 1> partQueue"),
    Survivor("barrier dropped", r"_cube\.h: PipeBarrier<PIPE_ALL>",
             "TPipe::Reset waits for the flags of freed buffers, and what is left in L1 or handed over is used up before SyncAll"),
    Survivor("buffer too small", r"InitBuffer\(sumQueue, 2, RUN_BYTES\)", "sums of RUN_BYTES in float32 take half of that in 16 bits"),
    Survivor("tail dropped", r"^TextGated.*for \(int64_t column = 0; column < columns_;", "a row of this operator fits one tile"),
    Survivor("tail dropped", r"tile\.h: .*at < shape\.width; at \+= lanes", "columns of a strip are whole data blocks"),
    Survivor("wrong stride of the first operand", r"tail, 1, BinaryRepeatParams", "there is no second repeat"),
    Survivor("wrong stride of the second operand", r"tail, 1, BinaryRepeatParams", "there is no second repeat"),
    Survivor("cast dropped", r"ToFloat\((gradXNorm|gradAct), ", "a tile of float32 is computed on in place"),
    Survivor("count too short", r"ToFloat\((gradXNorm|gradAct), ", "a tile of float32 is computed on in place"),
    *(Survivor(kind, r"vector3\.h: Mins\(", "the largest float32 rounds to infinity in 16 bits, as infinity does")
      for kind in ("count too short", "instruction dropped")),
    Survivor("limit dropped", r"run = share < MOST \? share : MOST", "longer runs for fewer cores add up to the same sums"),
    Survivor("wrong tiling field in the kernel", r"vector[234]\.h: columnsPerTile_ =",
             "rows of these stages fit one tile, and cut into several, down to single columns, they give the same results"),
    Survivor("tiling formula", r"^TextGated.*pitch = AlignUp\(span, ", "H and R are multiples of 16, and a row of C elements fits however it is rounded"),
    Survivor("tiling formula", r"AlignUp\([^,;]*(\* H \* R|blockRows)\b[^,;]*, 512\)",
             "H and R are multiples of 16, rows of a block of 128: what is rounded is a multiple of 512"),
)


def reason(mutant: Mutant) -> str | None:
    """Why a mutant may survive; None where it may not."""
    return next((s.reason for s in SURVIVORS if s.covers(mutant)), None)
