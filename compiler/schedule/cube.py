"""How a matrix product is cut for the cube cores: output tiles, and parts of k where there are fewer tiles than cores.

A core owns whole tiles and sums k in ascending order. Where k is cut, each part of it is summed by one core into a float32
result of its own in the workspace, and the reader adds the parts in ascending order. The cut is a function of the shape and
of the product's figures, not of the cores that a launch has, so that the bits are not either.

Where a product has the path from L0C to the unified buffer, the vector cores of a group may take a tile from there instead,
half of its rows each, while the cube core sums the next one. Then k is whole, because a tile's parts are other cores'.

Where it has the path from the unified buffer to L1, the vector cores of a group may instead compute a strip of k of the left
operand themselves and leave it in the L1 of their cube core, which multiplies that part of k by all columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy

from compiler.schedule.formula import Assignment, align_down, align_up, ceil_div, floor_div, pick
from ir.interface import ROWS
from ir.types import symbol

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

MOST_BLOCKS_HANDED = 2
"""Blocks of rows up to which a result is handed over: with more of them vector cores have work on other blocks meanwhile, and
would wait for the cube cores instead."""

STRIP_ROWS = 2 * FRACTAL
"""Rows of a strip of an operand that vector cores leave in L1: a whole fractal for each of the two."""

STRIP_BUFFERS = 4
"""Buffers in L1 for the right operand beside a strip: it is read while vector cores still compute the strip."""

MOST_PARTS = 8
"""Parts of k: each is one more copy that the reader waits for."""


@dataclass(frozen=True)
class CubeFigures:
    """What decides the tiles of one product: cube cores and bytes of L1, L0A, L0B and L0C.

    wait: bytes that a core could read from GM while all cores wait for one another.
    """

    cores: int
    l1: int
    l0a: int
    l0b: int
    l0c: int
    wait: int

    @classmethod
    def of(cls, product: dict) -> CubeFigures:
        rates = product["rates"]
        wait = rates["sync_all_ns"] * product["cores"]["clock_mhz"] * rates["paths"]["gm_to_l1"] // 1000
        return cls(product["cores"]["aic"], *(product["memory"][m] for m in ("l1", "l0a", "l0b", "l0c")), int(wait))

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

    def load_k_beside(self, rows: int, columns: int, strip: int) -> int:
        """The same of the right operand alone, where a strip of so many columns of the left one is in L1: equal parts of it."""
        most = min(MOST_LOAD_K, (self.l1 - 2 * rows * strip) // (2 * STRIP_BUFFERS * columns) // STEP_K * STEP_K)
        loads = -(-strip // most)
        return -(-strip // STEP_K // loads) * STEP_K

    @property
    def most_strip(self) -> int:
        """Bytes of L1 that a strip may take: half, and no more than leaves room for the least of the right operand beside it."""
        return min(self.l1 // 2, self.l1 - STRIP_BUFFERS * 2 * STEP_K * self.side_b)

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

    @cached_property
    def hand_over(self) -> tuple[Assignment, ...]:
        """ubTiles: bytes of the two tiles that a vector core takes turns with, 0 where the result goes through the workspace.

        Known: m, n, k of a block; whole and split, the two cuts that the product may have; rows of all blocks and of one. The
        better cut is that whose fullest group moves fewer bytes; a step less also saves a wait of all cores. Columns are whole
        fractals, and L0C holds two tiles, so that the next one is summed meanwhile.
        """
        s = {n: sympy.Symbol(n, integer=True) for n in (
            "m n k blockRows wholeMoved splitMoved tiles blocks spare whole.rows whole.columns "
            "split.rows split.columns split.partK split.parts").split()}
        least = lambda a, b: sympy.Min(a, b, evaluate=False)
        return (
            *self._moved,
            Assignment("tiles", 4 * s["whole.rows"] * s["whole.columns"], "bytes of two halves of a tile"),
            Assignment("blocks", ceil_div(symbol(ROWS), s["blockRows"]), "blocks of rows"),
            Assignment("spare", least(least(s["blocks"] * (s["splitMoved"] - s["wholeMoved"]) + self.wait, self.l0c // 2 - s["tiles"]),
                                      least(MOST_BLOCKS_HANDED - s["blocks"], align_down(s["n"], sympy.Integer(FRACTAL)) - s["n"])),
                       "at least 0 where fewer bytes are moved, L0C holds two tiles, blocks are few and columns are whole fractals"),
            Assignment("ubTiles", pick(s["spare"] + 1, s["tiles"], sympy.Integer(0)), "bytes of the tiles in UB"),
        )

    @cached_property
    def _moved(self) -> tuple[Assignment, ...]:
        """wholeMoved and splitMoved: bytes of the fullest group where the result goes to UB, and through the workspace."""
        s = {n: sympy.Symbol(n, integer=True) for n in "m n k whole.rows whole.columns split.rows split.columns split.partK split.parts".split()}

        def moved(rows, columns, k, parts):
            tiles = ceil_div(s["m"], rows) * ceil_div(s["n"], columns) * parts
            return ceil_div(tiles, sympy.Integer(self.cores)) * (2 * k * (rows + columns) + 4 * rows * columns)

        return (
            Assignment("wholeMoved", moved(s["whole.rows"], s["whole.columns"], s["k"], sympy.Integer(1)),
                       "bytes of the fullest group: operands and tiles"),
            Assignment("splitMoved", moved(s["split.rows"], s["split.columns"], s["split.partK"], s["split.parts"])
                       + ceil_div(4 * s["m"] * s["n"] * s["split.parts"], sympy.Integer(self.cores)),
                       "the same through the workspace, the reading of all parts included"),
        )

    @cached_property
    def strips(self) -> tuple[Assignment, ...]:
        """rows, columns, partK and parts, as of `assignments`, where a group computes the rows of a tile and the part of k of the left
        operand itself, and then all tiles that need this strip.

        Known: m, n, k, all at least 1. As many strips as cores: each vector core has a fractal of rows where there are enough, because
        more rows make fewer parts, which are stored and read, and fewer strips make longer rows.
        """
        m, n, k, part, tiles = (sympy.Symbol(name, integer=True) for name in ("m", "n", "k", "partK", "rowTiles"))
        fractal = sympy.Integer(FRACTAL)
        across = sympy.Max(1, floor_div(sympy.Integer(self.cores), tiles), evaluate=False)
        return (
            Assignment("rows", sympy.Min(sympy.Integer(STRIP_ROWS), align_up(m, fractal), evaluate=False), "rows of a tile"),
            Assignment("rowTiles", ceil_div(m, sympy.Symbol("rows", integer=True)), "tiles along m"),
            Assignment("columns", align_up(ceil_div(n, ceil_div(n, sympy.Integer(self.side_b))), fractal), "columns of a tile, balanced"),
            Assignment("partK", align_up(ceil_div(k, across), sympy.Integer(STEP_K)), "columns of a strip"),
            Assignment("parts", ceil_div(k, part), "strips side by side"),
        )

    @cached_property
    def feed(self) -> tuple[Assignment, ...]:
        """l1Columns: columns of a strip of the left operand that vector cores leave in L1; 0 where it goes through the workspace.

        Known: m, n, k of a block; lanes, the columns that the vector stage walks at a time; strips, whole and split, the cuts that the
        product may have; ubTiles, as of `hand_over`; rows of all blocks and of one. Without strips the result goes to UB or through
        the workspace, with one more wait of all cores. Columns are whole fractals, and a strip takes `most_strip` at most.
        """
        s = {n: sympy.Symbol(n, integer=True) for n in (
            "m n lanes blockRows ubTiles wholeMoved splitMoved otherMoved stripsMoved stripBytes blocks spare "
            "strips.rows strips.partK strips.parts").split()}
        least = lambda a, b: sympy.Min(a, b, evaluate=False)
        rounds = ceil_div(ceil_div(s["m"], s["strips.rows"]) * s["strips.parts"], sympy.Integer(self.cores))
        moved = 2 * s["strips.partK"] * (s["strips.rows"] + s["n"]) + 4 * s["strips.rows"] * s["n"]
        return (
            *self._moved,
            Assignment("otherMoved", pick(s["ubTiles"], s["wholeMoved"], s["splitMoved"] + self.wait), "the fewer of the two, as it is without strips"),
            Assignment("stripsMoved", rounds * moved + ceil_div(4 * s["m"] * s["n"] * s["strips.parts"], sympy.Integer(self.cores)),
                       "bytes of the fullest group: strips of both operands, parts of the result, and the reading of all parts"),
            Assignment("stripBytes", 2 * s["strips.rows"] * s["strips.partK"], "bytes of L1 of a strip"),
            Assignment("blocks", ceil_div(symbol(ROWS), s["blockRows"]), "blocks of rows"),
            Assignment("spare", least(least(s["otherMoved"] - s["stripsMoved"], self.most_strip - s["stripBytes"]),
                                      least(MOST_BLOCKS_HANDED - s["blocks"], align_down(s["lanes"], sympy.Integer(FRACTAL)) - s["lanes"])),
                       "at least 0 where fewer bytes are moved, L1 has room for a strip, blocks are few and columns are whole fractals"),
            Assignment("l1Columns", pick(s["spare"] + 1, s["strips.partK"], sympy.Integer(0)), "columns of a strip in L1"),
        )
