"""How a matrix product is cut for the cube cores: output tiles, and parts of k where there are fewer tiles than cores.

A core owns whole tiles and sums k in ascending order. Where k is cut, each part of it is summed by one core into a float32
result of its own in the workspace, and the reader adds the parts in ascending order. The cut is a function of the shape and
of the product's figures, not of the cores that a launch has, so that the bits are not either.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy

from compiler.schedule.formula import Assignment, align_up, ceil_div, floor_div, pick

FRACTAL = 16
"""Rows and columns of a fractal of 16-bit elements (asc: Mmad, fractal formats)."""

STEP_K = 64
"""Elements of k that L0A and L0B hold at a time: two buffers of 256 x 64 elements fill the 64 KiB of each."""

MOST_LOAD_K = 512
"""Elements of k that cross into L1 at a time: bursts of 1 KiB where k is contiguous (asc: 512 B and more keep the bus busy)."""

DEEP_K = 1024
"""From here on a tile may take all of L0C: a core multiplies k * m * n / 4096 cycles and then stores m * n * 4 bytes at about
100 bytes a cycle (ini l0c rates), one sixth of that at this k; below, a second tile is multiplied meanwhile."""

LEAST_PART_K = 512
"""Elements of k in a part: storing and reading 8 * m * n bytes of a part costs no more than the 2 * k * (m + n) bytes of its
operands where m and n are 256 or less."""

LEAST_SIDE = 64
"""Elements that a side of a tile is not cut below."""

MOST_PARTS = 8
"""Parts of k: each is one more copy that the reader waits for."""


@dataclass(frozen=True)
class CubeFigures:
    """What decides the tiles of one product: cube cores and bytes of L1, L0A, L0B and L0C."""

    cores: int
    l1: int
    l0a: int
    l0b: int
    l0c: int

    @classmethod
    def of(cls, product: dict) -> CubeFigures:
        return cls(product["cores"]["aic"], *(product["memory"][m] for m in ("l1", "l0a", "l0b", "l0c")))

    @property
    def side_a(self) -> int:
        """Most rows of a tile: two buffers of them fit L0A."""
        return self.l0a // (2 * 2 * STEP_K)

    @property
    def side_b(self) -> int:
        """Most columns of a tile: two buffers of them fit L0B."""
        return self.l0b // (2 * 2 * STEP_K)

    def most(self, buffers: int) -> tuple[int, int]:
        """(rows, columns) of the largest tile of float32 of which L0C holds that many."""
        elements = self.l0c // (4 * buffers)
        side = next(s for s in (256, 128, 64, 32, 16) if s * s <= elements and s <= self.side_a)
        return side, min(self.side_b, elements // side // FRACTAL * FRACTAL)

    def load_k(self, rows: int, columns: int) -> int:
        """Elements of k that cross into L1 at a time for such a tile."""
        return min(MOST_LOAD_K, self.l1 // (2 * 2 * (rows + columns)) // STEP_K * STEP_K)

    def l0c_tiles(self, rows: int, columns: int) -> int:
        """Such tiles that L0C holds, two at most."""
        return 2 if 2 * 4 * rows * columns <= self.l0c else 1

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """rows, columns: of a tile; partK: elements of k in a part; parts of k. Known: m, n, k, all at least 1, and split:
        whether there may be more than one part."""
        s = {n: sympy.Symbol(n, integer=True) for n in (
            "m n k split mostRows mostColumns rowTiles columnTiles parts rounds columns rows partsWanted partK").split()}
        (deep_rows, deep_columns), (rows, columns) = self.most(1), self.most(2)
        least = lambda a, b: sympy.Min(a, b, evaluate=False)
        most = lambda a, b: sympy.Max(a, b, evaluate=False)
        deep = s["k"] - (DEEP_K - 1)
        wanted = least(least(floor_div(sympy.Integer(self.cores), s["rowTiles"] * s["columnTiles"]), floor_div(s["k"], sympy.Integer(LEAST_PART_K))),
                       sympy.Integer(MOST_PARTS))
        cut = lambda tiles, others, size: most(tiles, least(floor_div(s["rounds"] * self.cores, others * s["partsWanted"]),
                                                            floor_div(size, sympy.Integer(LEAST_SIDE))))
        return (
            Assignment("mostRows", pick(deep, sympy.Integer(deep_rows), sympy.Integer(rows)), "rows of the largest tile"),
            Assignment("mostColumns", pick(deep, sympy.Integer(deep_columns), sympy.Integer(columns)), "columns of the largest tile"),
            Assignment("rowTiles", ceil_div(s["m"], s["mostRows"]), "largest tiles along m"),
            Assignment("columnTiles", ceil_div(s["n"], s["mostColumns"]), "largest tiles along n"),
            Assignment("partsWanted", pick(s["split"], most(sympy.Integer(1), wanted), sympy.Integer(1)), "parts of k that idle cores may take"),
            Assignment("rounds", ceil_div(s["rowTiles"] * s["columnTiles"] * s["partsWanted"], sympy.Integer(self.cores)), "tiles of the fullest core"),
            Assignment("columns", align_up(ceil_div(s["n"], cut(s["columnTiles"], s["rowTiles"], s["n"])), sympy.Integer(FRACTAL)),
                       "columns of a tile: cut until every core has as many"),
            Assignment("rows", align_up(ceil_div(s["m"], cut(s["rowTiles"], ceil_div(s["n"], s["columns"]), s["m"])), sympy.Integer(FRACTAL)),
                       "rows of a tile, likewise"),
            Assignment("partK", align_up(ceil_div(s["k"], s["partsWanted"]), sympy.Integer(STEP_K)), "elements of k in a part"),
            Assignment("parts", ceil_div(s["k"], s["partK"]), "parts of k"),
        )
