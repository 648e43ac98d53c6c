"""Who lives where in the unified buffer, and when: the allocations of a row kernel at their addresses, and the values in them.

Time is counted in steps of the tile program: 0 to n - 1 are its steps, -1 is what comes before them (copies in, values per
row and column), n what comes after (copies out, what is left to do for a row).
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.lower import Step, condition, over_channels
from compiler.schedule.buffers import live_ranges
from compiler.schedule.tiling import BLOCK, Buffer, Tiling
from ir.types import BYTES


@dataclass(frozen=True)
class Place:
    """One allocation, or one copy of it where it is buffered twice. parts: places of equal size in it."""

    buffer: Buffer
    copy: int
    address: int
    bytes: int
    parts: int


@dataclass(frozen=True)
class Life:
    """A value in a part of a place, from its first step to its last.

    role: tile (as copied in or to be copied out), next and previous (of the tile after and before this one), part (of a
        tile that is the sum of several parts in GM, or of the next one), value, mask, scratch (of an instruction), row, column,
        sum (over channels, over rows, of all cores), counts, handed (tiles that the cube core leaves in UB).
    """

    name: str
    role: str
    dtype: str
    place: int
    part: int
    bytes: int
    first: int
    last: int


def tile_steps(tiling: Tiling) -> tuple[Step, ...]:
    """The steps of a tile; a position in it is what times count."""
    return tuple(s for s in tiling.schedule.program.steps if s.region == "tile")


def places(tiling: Tiling) -> tuple[Place, ...]:
    """The allocations in the order of the kernel's InitBuffer calls, which is the order of their addresses: first what is
    always there, then what each condition adds."""
    schedule, options = tiling.schedule, tiling.schedule.program.options
    where = {b.name: condition(b.keys, options, str) for b in schedule.buffers}
    order = list(dict.fromkeys(["", *where.values()]))
    found, address = [], 0
    for b, size in sorted(tiling.buffers, key=lambda pair: order.index(where[pair[0].name])):
        parts = max(1, _parts(tiling, b))
        for copy in range(b.depth):
            found.append(Place(b, copy, address, size // b.depth, parts))
            address += size // b.depth
    return tuple(found)


def _parts(tiling: Tiling, b: Buffer) -> int:
    schedule, key = tiling.schedule, tiling.values["tilingKey"]
    layout, width = schedule.layout, tiling.known["dtypeBytes"]
    blocked = schedule.program.channels is not None
    return {
        "input": lambda: len(schedule.program.loads[b.tensor.name]), "output": lambda: len(schedule.program.stores[b.tensor.name]),
        "work": lambda: layout.work[key][width], "mask": lambda: layout.masks[key], "accumulator": lambda: len(layout.accumulators),
        "row": lambda: int(b.bytes) // (BLOCK if blocked else 4), "blocks": lambda: int(b.bytes) // BLOCK,
        "column": lambda: int(b.bytes) // 4,
    }.get(b.kind, lambda: 1)()


def lives(tiling: Tiling) -> tuple[Life, ...]:
    """Every value of one tile, under the options and the dtype of the request."""
    return tuple(_Lives(tiling).run())


class _Lives:
    def __init__(self, tiling: Tiling):
        self.tiling, self.schedule, self.program = tiling, tiling.schedule, tiling.schedule.program
        self.layout, self.key = self.schedule.layout, tiling.values["tilingKey"]
        self.tile = tile_steps(tiling)
        self.steps = [(i, s) for i, s in enumerate(self.tile) if self.key in s.keys]
        self.end = len(self.tile)
        self.places = places(tiling)
        self.ranges = live_ranges(self.program, list(self.tile), self.key)
        self.at: dict[str, list[int]] = {}
        for i, p in enumerate(self.places):
            self.at.setdefault(p.buffer.name, []).append(i)
        self.found: list[Life] = []

    def run(self) -> list[Life]:
        for name, indices in self.at.items():
            buffer = self.places[indices[0]].buffer
            {"input": self._input, "output": self._output}.get(buffer.kind, lambda b, i: None)(buffer, indices)
        self._values()
        self._rows()
        self._columns()
        for buffer, (first, last, name, role) in {
                "countBuffer": (-1, -1, "row counts", "counts"), "partialBuffer": (self.end, self.end, "sums of all cores", "sum"),
                "handedBuffer": (-1, self.end, f"tiles of {self.schedule.handed}", "handed")}.items():
            if buffer in self.at:
                self._add(name, role, self.at[buffer][0], 0, first, last)
        return self.found

    def _add(self, name: str, role: str, place: int, part: int, first: int, last: int, parts: int = 1) -> None:
        p = self.places[place]
        self.found.append(Life(name, role, p.buffer.dtype, place, part, p.bytes // p.parts * parts, first, last))

    def _is_float(self, tensor: str) -> bool:
        """Whether a tile of the tensor is computed on in place."""
        return BYTES.get(self.program.interface.tensor(tensor).dtype, self.tiling.known["dtypeBytes"]) == 4

    def _home(self, node):
        """The slot of a tile or mask value in this layout."""
        direct = self.layout.direct.get(node)
        return direct if direct is not None and self._is_float(direct.tensor) else self.layout.homes[node]

    def _input(self, b: Buffer, indices: list[int]) -> None:
        """A tile that is copied in lives until it is cast, or as long as what is computed in place."""
        name, parts = b.tensor.camel, self.places[indices[0]].parts
        if b.unit == "row":
            last = self.end
        else:
            loads = [i for i, s in self.steps if s.kind == "load" and s.part.tensor.name == b.tensor.name]
            here = [n for n in self.ranges if self._home(n).memory == "input" and self._home(n).tensor == b.tensor.name]
            last = max([*loads, *(self.ranges[n][1] for n in here)], default=-1)
        self._add(name, "tile", indices[0], 0, -1, last, parts)
        for place in indices[1:]:  # what comes in parts is added from the buffers beside the first one's
            self._add(name, "part" if b.tensor.name in dict(self.schedule.parts) else "next", place, 0, -1, self.end, parts)
        if b.depth == 1 and last < self.end - 1:
            self._add(name, "next", indices[0], 0, last + 1, self.end, parts)

    def _output(self, b: Buffer, indices: list[int]) -> None:
        name, parts = b.tensor.camel, self.places[indices[0]].parts
        stores = [i for i, s in self.steps if s.kind == "store" and s.part.tensor.name == b.tensor.name]
        here = [n for n in self.ranges if self._home(n).memory == "output" and self._home(n).tensor == b.tensor.name]
        first = min([*stores, *(self.ranges[n][0] for n in here)], default=self.end)
        if b.unit == "row" or self.program.over_channels:
            first = self.end
        self._add(name, "tile", indices[0], 0, first, self.end, parts)
        for place in indices[1:]:
            self._add(name, "previous", place, 0, -1, self.end, parts)

    def _values(self) -> None:
        queue = {p.buffer.tensor.name: i for i, p in reversed(list(enumerate(self.places))) if p.buffer.tensor is not None}
        buffer = {"work": "workBuffer", "mask": "maskBuffer"}
        for i, s in self.steps:
            if s in self.layout.scratch:
                for slot in self.layout.scratch[s]:
                    self._add(f"scratch of {s.name}", "scratch", self.at["workBuffer"][0], slot, i, i)
            if s.node in self.ranges and s.kind != "store" and not s.accumulates and s.value_kind in ("tile", "mask"):
                home = self._home(s.node)
                place = self.at[buffer[home.memory]][0] if home.memory in buffer else queue[home.tensor]
                self._add(s.name, "mask" if home.memory == "mask" else "value", place, home.index, *self.ranges[s.node])
        for i, n in enumerate(self.layout.accumulators):
            self._add(self.program.names[n], "sum", self.at["accumulatorBuffer"][0], i, -1, self.end)

    def _uses(self, node) -> list[int]:
        """The steps of a tile that read a value per row or column."""
        def source(n):
            n = self.program.resolve(n, self.key)
            return n.operands[0] if n.op == "reshape" else n

        return [i for i, s in self.steps if any(source(o) is source(node) for o in s.operands)]

    def _rows(self) -> None:
        made = {s.node: i for i, s in self.steps if s.value_kind == "row" and s.kind == "compute"}
        later = {o for s in self.program.steps if s.region == "rows_after" and self.key in s.keys
                 for o in ((s.part.node,) if s.kind == "store" else s.operands)}
        summed = not self.program.whole_rows
        needed = self.program.needed[self.key]
        for buffer, nodes in (("rowBuffer", self.layout.rows), ("blockBuffer", self.layout.blocks)):
            for i, n in enumerate(nodes if buffer in self.at else ()):
                if n not in needed:
                    continue
                total = n.op == "reduce_sum" and summed and buffer == "rowBuffer"
                first = -1 if total else made.get(n, -1)
                last = self.end if total or {self.program.resolve(o, self.key) for o in later} & {n} else max([first, *self._uses(n)])
                self._add(self.program.names.get(n) or n.attr("name"), "row", self.at[buffer][0], i, first, last)
        sums = [i for i, s in self.steps if s.value_kind == "row" and s.node.op == "reduce_sum"]
        if sums and "rowBuffer" in self.at and self.places[self.at["rowBuffer"][0]].parts > len(self.layout.rows):
            self._add("sum of a tile", "scratch", self.at["rowBuffer"][0], len(self.layout.rows), sums[0], sums[-1])

    def _columns(self) -> None:
        if "columnBuffer" not in self.at:
            return
        needed, names = self.program.needed[self.key], {}
        for n, slot in self.layout.columns.items():
            source = n.operands[0] if n.op == "reshape" else n
            if n in needed or source in needed:
                names.setdefault(slot, []).append(self.program.names.get(n) or source.attr("name"))
        for slot, held in names.items():
            self._add(", then ".join(held), "column", self.at["columnBuffer"][0], slot, -1, self.end)
