"""Bytes that a schedule moves from and to GM, tensor by tensor, against what any schedule must move.

All rows are taken to be live: how many are is known from the counts alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from compiler.emit.stages import CubeTile
from compiler.partition import CubeStage, Product
from compiler.schedule.mixed import MixedTiling
from compiler.schedule.tiling import Schedule, Tiling
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
        sizes, given = _Sizes(tiling.known), next(iter(tiling.vectors.values())).known
        outputs = [t for t in schedule.interface.outputs if not t.leading and (t.option is None or given[Schedule._has(t.option)])]
        return tuple(Move("zero fill", t.name, "output", "write", t.dtype, sizes.bytes(t), sizes.bytes(t)) for t in outputs)
    blocks = runs(rows, tiling.offsets["blockRows"])
    for stage in schedule.partition.stages:
        if isinstance(stage, CubeStage):
            for p in stage.products:
                found += _product(tiling, p, blocks)
        else:
            found += _Rows(tiling.vectors[stage.name], stage.name, 2 * tiling.groups, blocks, schedule.partition.workspace).moves()
    for p in schedule.partition.sums:
        found += _product(tiling, p, ())
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
    """The moves of a row kernel: all `cores` share the rows of each block; blocks as of `runs`."""

    def __init__(self, tiling: Tiling, stage: str, cores: int, blocks: tuple[tuple[int, int], ...], workspace=()):
        super().__init__(tiling.known)
        self.tiling, self.stage, self.cores, self.runs, self.workspace = tiling, stage, cores, blocks, workspace
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
            if kind == "column" and program.over_channels:
                bytes = per_core // self.cores * self._row_tiles()
            yield self._move(tensor, "read", bytes, kind in ("tile", "row"))
        if schedule.counts is not None and self.known[schedule._has(schedule._counts_option)]:
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

    def _row_tiles(self) -> int:
        """Tiles of rows over all cores and blocks."""
        most, found = self.tiling.values["rowsPerTile"], 0
        for rows, count in self.runs:
            base, extra = divmod(rows, self.cores)
            found += count * (extra * -(-(base + 1) // most) + (self.cores - extra) * -(-base // most))
        return found


def _product(tiling: MixedTiling, p: Product, blocks: tuple[tuple[int, int], ...]) -> list[Move]:
    """A product reads a strip of each operand per output tile and writes its result once. blocks: none for one over all rows."""
    schedule, sizes, tile = tiling.schedule, _Sizes(tiling.known), CubeTile()
    if next(iter(tiling.vectors.values())).values["tilingKey"] not in p.keys:
        return []
    symbols = {k: v for k, v in tiling.known.items() if isinstance(v, int)}
    m, n, k = (dim_value(v, symbols) for v in (p.m, p.n, p.k))

    def copied(height: int, cut: int, width: int) -> int:
        """Elements that reach L1 of a strip that is cut along its height: a lone line is taken twice."""
        return width * (height + (height % cut == 1))

    def tensor(name):
        found = schedule.partition.workspace.get(name)
        return (found, "workspace") if found is not None else (schedule.interface.tensor(name), "")

    left = right = 0
    for height, count in blocks or ((m, 1),):
        over_n, over_m = count * -(-n // tile.n), count * -(-height // tile.m)
        left += over_n * (copied(k, tile.k, height) if p.transpose_a else copied(height, tile.m, k))
        right += over_m * (copied(n, tile.n, k) if p.transpose_b else copied(k, tile.k, n))
    found = []
    for name, access, elements, once in ((p.a, "read", left, m * k), (p.b, "read", right, n * k), (p.result, "write", m * n, m * n)):
        t, kind = tensor(name)
        width = sizes.width(t.dtype)
        found.append(Move(p.result, name, kind or ("input" if access == "read" else "output"), access, t.dtype, once * width, elements * width))
    return found
