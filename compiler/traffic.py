"""Bytes that a schedule moves from and to GM, tensor by tensor, against what any schedule must move.

All rows are taken to be live: how many are is known from the counts alone.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from compiler.partition import CubeStage, Stack, stacks
from compiler.schedule.cube import FRACTAL
from compiler.schedule.mixed import MixedTiling
from compiler.schedule.tiling import Tiling, has
from ir.interface import ROWS, Tensor
from ir.types import BYTES, dim_value


@dataclass(frozen=True)
class Move:
    """What one stage or product reads or writes of one tensor.

    kind: input, output or workspace. once: the bytes of the tensor; bytes: those that are moved.
    """

    stage: str
    tensor: str
    kind: str
    access: str
    dtype: str
    once: int
    bytes: int

    @property
    def times(self) -> float | None:
        """How often the tensor is moved."""
        return self.bytes / self.once if self.once else None


def moves(tiling: Tiling | MixedTiling) -> tuple[Move, ...]:
    if not isinstance(tiling, MixedTiling):
        rows = tiling.known[ROWS]
        return tuple(_Rows(tiling, "", tiling.values["blockDim"], ((rows, 1),)).moves())
    schedule, found = tiling.schedule, []
    rows = tiling.known[ROWS]
    if not rows:
        sizes = _Sizes(tiling.known)
        outputs = [t for t in schedule.interface.outputs if not t.leading and (t.option is None or tiling.known[has(t.option)])]
        return tuple(Move("zero fill", t.name, "output", "write", t.dtype, sizes.bytes(t), sizes.bytes(t)) for t in outputs)
    blocks = runs(rows, tiling.offsets["blockRows"])
    for stage in schedule.partition.stages:
        if isinstance(stage, CubeStage):
            for stack in stage.stacks:
                found += _stack(tiling, stack, blocks)
        else:
            parts = {t: tiling.offsets[field] for t, field in schedule.vectors[stage.name].parts}
            rows_of = _Rows(tiling.vectors[stage.name], stage.name, 2 * tiling.groups, blocks, schedule.partition.workspace, parts,
                            tiling.strip(stage.name))
            found += (m for m in rows_of.moves() if m.tensor not in tiling.handed)
    for stack in stacks(schedule.partition.sums):
        found += _stack(tiling, stack, ())
    return tuple(found)


def runs(rows: int, most: int) -> tuple[tuple[int, int], ...]:
    """(rows, how many blocks have so many) where rows are cut into blocks of at most `most`."""
    full, rest = divmod(rows, most)
    return tuple((size, count) for size, count in ((most, full), (rest, 1)) if size and count)


class _Sizes:
    def __init__(self, known: dict):
        self.known = known

    def width(self, dtype: str) -> int:
        return BYTES.get(dtype, self.known["dtypeBytes"])

    def elements(self, t: Tensor) -> int:
        """Elements of a tensor, per row where it has one line per row."""
        sizes = {k: v for k, v in self.known.items() if isinstance(v, int)}
        return math.prod(dim_value(d, sizes) for d in t.dims)

    def bytes(self, t: Tensor) -> int:
        return self.elements(t) * self.width(t.dtype)


class _Rows(_Sizes):
    """The moves of a row kernel: all `cores` share the rows of each block; blocks as of `runs`; parts: input -> parts it is read in;
    strip: rows and columns of those that it works in, if it does."""

    def __init__(self, tiling: Tiling, stage: str, cores: int, blocks: tuple[tuple[int, int], ...], workspace=(),
                 parts: dict[str, int] | None = None, strip: tuple[int, int] | None = None):
        super().__init__(tiling.known)
        self.strip = strip
        self.tiling, self.stage, self.cores, self.runs, self.workspace, self.parts = tiling, stage, cores, blocks, workspace, parts or {}
        self.rows, self.blocks = sum(r * n for r, n in blocks), sum(n for _, n in blocks)
        self.schedule, self.program = tiling.schedule, tiling.schedule.program
        self.key, self.columns = tiling.values["tilingKey"], tiling.values["columns"]
        self.channels = tiling.values.get("channels", 1)

    def moves(self):
        program, schedule = self.program, self.schedule
        for t, parts in program.loads.items():
            tensor = program.interface.tensor(t)
            if self.key not in program.present(tensor):
                continue
            kind = program.kinds[parts[0].node]
            per_row = self.rows * self.channels * self.width(tensor.dtype)
            per_core = self.cores * self.channels * self.columns * self.width(tensor.dtype)
            bytes = {"tile": len(parts) * self.columns * per_row, "row": per_row, "column": per_core * self.blocks}.get(kind, 0)
            if self.strip and kind in ("row", "column"):
                bytes = self.width(tensor.dtype) * self._of_strips(kind)
            if kind == "column" and program.over_channels:
                bytes = per_core // self.cores * self._row_tiles()
            yield self._move(tensor, "read", bytes * self.parts.get(t, 1), kind in ("tile", "row"))
        if schedule.counts is not None and self.known[has(schedule._counts_option)]:
            tensor = program.interface.tensor(schedule.counts)
            yield self._move(tensor, "read", self.cores * self.bytes(tensor), False)
        for t, parts in program.stores.items():
            tensor = program.interface.tensor(t)
            if self.key not in program.present(tensor):
                continue
            kind = program.kinds[parts[0].node]
            if kind == "column":
                yield from self._sum(tensor)
                continue
            channels = 1 if program.over_channels or kind == "row" else self.channels
            lanes = len(parts) * self.columns * channels if kind == "tile" else 1
            yield self._move(tensor, "write", self.rows * lanes * self.width(tensor.dtype), True)

    def _move(self, t: Tensor, access: str, bytes: int, per_row: bool) -> Move:
        once = self.bytes(t) * (self.rows if per_row else 1)
        if t.elements_only and per_row:
            once = self.rows * self.width(t.dtype)
        kind = "workspace" if t.name in self.workspace else "output" if access == "write" else "input"
        return Move(self.stage, t.name, kind, access, t.dtype, once, bytes)

    def _sum(self, t: Tensor):
        """A sum over rows: each core keeps its part in the workspace from block to block; the parts are added at the end."""
        part = self.columns * self.channels * 4
        partial = f"{self.stage} partial sums".strip()
        yield Move(self.stage, partial, "workspace", "write", "float32", self.cores * part, self.cores * part * self.blocks)
        yield Move(self.stage, partial, "workspace", "read", "float32", self.cores * part, self.cores * part * self.blocks)
        yield self._move(t, "write", self.bytes(t), False)

    def _of_strips(self, kind: str) -> int:
        """Values per row or column that are read where the work is done in strips: of the rows in each channel that a strip touches,
        of the columns by each core that has rows of a strip."""
        rows, columns = self.strip
        if kind == "row":
            ends = {*range(0, self.channels * self.columns, columns), *range(0, self.channels * self.columns, self.columns)}
            return self.rows * len(ends)
        heights = [h for block, count in self.runs for h, times in runs(block, rows) for _ in range(count * times)]
        return self.channels * self.columns * sum(min(2, h) for h in heights)

    def _row_tiles(self) -> int:
        """Tiles of rows over all cores and blocks."""
        most, found = self.tiling.values["rowsPerTile"], 0
        for rows, count in self.runs:
            base, extra = divmod(rows, self.cores)
            found += count * (extra * -(-(base + 1) // most) + (self.cores - extra) * -(-base // most))
        return found


def _stack(tiling: MixedTiling, stack: Stack, blocks: tuple[tuple[int, int], ...]) -> list[Move]:
    """Products that are walked together read a strip of each operand per output tile and write their results once, in every part.
    blocks: none for those over all rows."""
    schedule, sizes, key = tiling.schedule, _Sizes(tiling.known), tiling.values["tilingKey"]
    present = [p for p in stack.products if key in p.keys]
    if not present:
        return []
    symbols = {k: v for k, v in tiling.known.items() if isinstance(v, int)}
    value, cut, first = lambda e: dim_value(e, symbols), tiling.cut(stack), present[0]
    load_k = tiling.load_k(stack)
    read, size_of = Counter(), {}
    for rows, count in blocks or ((None, 1),):
        m = lambda p: value(p.m) if rows is None else rows
        lines = [m(p) for p in present] if stack.axis == "m" else [m(first)]
        lanes = [value(p.n) for p in present] if stack.axis == "n" else [value(first.n)]
        over_m, over_n = (-(-_Lines(side).end // cut[name]) for side, name in ((lines, "rows"), (lanes, "columns")))
        walked = 0
        for i, t in enumerate(t for t in first.terms if key in t.keys):
            k = value(t.k)
            strips = _strips(walked, k, cut["partK"], load_k)
            a = [p.terms[0].a for p in present] if len(lines) > 1 else [t.a]
            b = [p.terms[0].b for p in present] if len(lanes) > 1 else [t.b]
            for name, elements in zip(a, _Lines(lines).copied(cut["rows"], strips, t.transpose_a)):
                read[name] += 0 if tiling.fed.get(stack.name) == name else count * over_n * elements
            for name, elements in zip(b, _Lines(lanes).copied(cut["columns"], strips, not t.transpose_b)):
                read[name] += count * over_m * elements
            size_of |= {name: k * value(p.m) for name, p in zip(a, present)} | {name: k * value(p.n) for name, p in zip(b, present)}
            walked += k

    def move(name, access, elements, once):
        t = schedule.partition.workspace.get(name)
        kind = "workspace" if t is not None else "input" if access == "read" else "output"
        t = t if t is not None else schedule.interface.tensor(name)
        width = sizes.width(t.dtype)
        return Move(stack.name, name, kind, access, t.dtype, once * width, elements * width)

    found = [move(name, "read", elements, size_of[name]) for name, elements in read.items() if elements]
    for p in present:
        if p.result in tiling.handed:
            continue
        elements, parts = value(p.m) * value(p.n), cut["parts"]
        if parts == 1 or p.result in schedule.partition.workspace:
            found.append(move(p.result, "write", parts * elements, elements))
            continue
        size = 4 * parts * elements
        partial = [Move(p.result, f"{p.result} parts", "workspace", access, "float32", size, size) for access in ("write", "read")]
        found += [*partial, move(p.result, "write", elements, elements)]
    return found


def _strips(walked: int, k: int, part: int, most: int) -> list[int]:
    """Elements of k of each copy into L1: parts of k start at multiples of `part` of what all terms have; `walked` came before."""
    found, at = [], 0
    while at < k:
        end = min(k, (walked + at) // part * part + part - walked)
        found += [min(most, end - i) for i in range(at, end, most)]
        at = end
    return found


class _Lines:
    """Matrices one after another along m or n, each from a whole fractal on."""

    def __init__(self, sizes: list[int]):
        self.sizes, self.first, at = sizes, [], 0
        for s in sizes:
            self.first.append(at)
            at += -(-s // FRACTAL) * FRACTAL
        self.end = self.first[-1] + sizes[-1]

    def copied(self, tile: int, strips: list[int], k_in_rows: bool) -> list[int]:
        """Elements of each that reach L1 when every tile is walked once: a lone line of the source is taken twice, and between two
        matrices the last line is there again up to the next fractal."""
        k, twice = sum(strips), sum(s + (s == 1) for s in strips)
        found = [0] * len(self.sizes)
        for at in range(0, self.end, tile):
            end = min(at + tile, self.end)
            for i, (first, size) in enumerate(zip(self.first, self.sizes)):
                here = min(end, first + size) - max(at, first)
                if here <= 0:
                    continue
                copied = here + (here == 1)
                gap = -copied % FRACTAL if max(at, first) + copied < end else 0
                found[i] += here * twice if k_in_rows else (copied + gap) * k
        return found
