"""On-chip buffers of a row kernel: where each value lives, by live range, with reuse.

A tile of 16 bits is cast into a work buffer and back, a float tile is computed on directly. Where a tensor's dtype may be
either, both are laid out. A work slot has one index for both and for every tiling key, so that the emitted code has one text.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.lower import RowProgram, Step, over_channels
from ir.graph import Node


@dataclass(frozen=True)
class Slot:
    """A home: memory is work, mask, input, output, row or blocks; index counts within it.

    For input and output, tensor names the queue and index the part.
    """

    memory: str
    index: int
    tensor: str = ""


@dataclass(frozen=True)
class Range:
    """One row of the live-range table: steps are positions in the tile's step list."""

    value: str
    slot: Slot
    first: int
    last: int


@dataclass(frozen=True)
class Layout:
    """homes: value -> slot in the 16-bit layout; direct: value -> the tile that it is computed on in, where that one is float.
    A tile that never is float has none.

    scratch: step -> work slots of its scratch vectors; copies: steps that copy an operand before clobbering it.
    work, masks: tiling key -> {width -> number of slots}.
    accumulators: tiles that grow from channel to channel, one each.
    columns: column vectors, and the slot of each: a result takes over an operand that nothing reads later.
    rows: row vectors, one each; blocks: row vectors replicated over a data block, one each.
    """

    homes: dict[Node, Slot]
    direct: dict[Node, Slot]
    scratch: dict[Step, tuple[int, ...]]
    copies: frozenset[Step]
    work: dict[int, dict[int, int]]
    masks: dict[int, int]
    rows: tuple[Node, ...]
    blocks: tuple[Node, ...]
    columns: dict[Node, int]
    ranges: tuple[Range, ...]
    accumulators: tuple[Node, ...] = ()


def lay_out(program: RowProgram) -> Layout:
    """The layout with the fewest work slots that greedy colouring in program order finds."""
    tile = [s for s in program.steps if s.region == "tile"]
    lives = {key: live_ranges(program, tile, key) for key in program.keys}
    classes = _coalesce(program, tile, lives)
    inputs = {p.node: Slot("input", p.index, t) for t, parts in program.loads.items() for p in parts}
    outputs: dict[Node, Slot] = {}
    for s in tile:
        if s.kind == "store" and not over_channels(s.part.node):
            for key in s.keys:
                outputs.setdefault(program.resolve(s.part.node, key), Slot("output", s.part.index, s.part.tensor.name))

    def direct_home(members: frozenset[Node]) -> Slot | None:
        for m in members:
            if m in inputs:
                return inputs[m]
        for m in members:
            if m in outputs:
                return outputs[m]
        return None

    homed = {c: direct_home(c) for c in classes}
    copies = frozenset(s for s in tile if s.instruction and any(
        _outlives(program, s, s.operands[i], tile, lives) for i in s.instruction.clobbers))
    colours, scratch = _colour(program, tile, lives, classes, homed, copies)
    homes, direct = {}, {}
    for members, index in colours.items():
        kind = program.kinds[next(iter(members))]
        for m in members:
            homes[m] = Slot("mask" if kind == "mask" else "work", index)
            if kind == "tile" and homed[members] is not None and 4 in _widths(program, homed[members]):
                direct[m] = homed[members]
    work = {k: {w: _slots(program, tile, k, w, homes, direct, scratch) for w in program.interface.widths()} for k in program.keys}
    masks = {k: 1 + max((homes[s.node].index for s in tile
                         if k in s.keys and s.value_kind == "mask"), default=-1) for k in program.keys}
    rows = tuple(dict.fromkeys(s.node for s in program.steps if s.kind == "compute" and s.value_kind == "row"))
    blocks = tuple(dict.fromkeys(
        o for s in tile if s.kind == "compute" and s.value_kind in ("tile", "mask")
        for o in s.operands if program.kinds[o] == "row"))
    before = [s for s in program.steps if s.region == "columns_before"]
    columns = tuple(dict.fromkeys(
        [o for s in (*before, *tile) for o in s.operands if program.kinds[o] == "column"]
        + [s.node for s in before]
        + [s.node for s in tile if s.value_kind == "column" and s.kind == "compute"]))
    return Layout(homes, direct, scratch, copies, work, masks, rows, blocks, _column_slots(program, before, tile, columns),
                  _table(program, tile, lives, homes), tuple(s.node for s in tile if s.accumulates))


def _widths(program: RowProgram, slot: Slot) -> tuple[int, ...]:
    return program.interface.widths(program.interface.tensor(slot.tensor).dtype)


def _column_slots(program: RowProgram, before: list[Step], tile: list[Step], columns: tuple[Node, ...]) -> dict[Node, int]:
    """The slot of each column vector; arithmetic before the rows works in place where its operand is not read again."""
    def reads(s: Step) -> set[Node]:
        found = {program.resolve(o, key) for o in s.operands for key in s.keys}
        return found | {n.operands[0] for n in found if program.is_view(n)}

    slots: dict[Node, int] = {}
    made = {s.node: (i, s) for i, s in enumerate(before)}
    for n in (*(c for c in columns if c not in made), *made):
        free = 1 + max(slots.values(), default=-1)
        if n in made:
            at, step = made[n]
            later = set().union(*map(reads, (*before[at + 1:], *tile)))
            ending = [o for o in reads(step) if o in slots and o not in later]
            # One statement per element: it may write where it reads.
            free = slots[ending[0]] if ending and len(step.instruction.text) == 1 else free
        slots[n] = free
    return {n: slots[n] for n in columns}


def _values(program: RowProgram, s: Step, key: int) -> set[Node]:
    """The tile and mask values that a step reads under a key, guards resolved."""
    found = {program.resolve(o, key) for o in s.operands}
    return {o for o in found if program.kinds[o] in ("tile", "mask") and not (over_channels(o) and s.kind == "store")}


def live_ranges(program: RowProgram, tile: list[Step], key: int) -> dict[Node, tuple[int, int]]:
    """Tile and mask values -> the first and the last step that needs them, under a tiling key."""
    ranges: dict[Node, tuple[int, int]] = {}
    for position, s in enumerate(tile):
        if key not in s.keys:
            continue
        for o in _values(program, s, key):
            ranges[o] = (ranges[o][0], position)
        if s.kind != "store" and s.value_kind in ("tile", "mask") and not s.accumulates:
            ranges[s.node] = (position, position)
    return ranges


def _overlap(a: tuple[int, int], b: tuple[int, int], tile: list[Step], first: Node) -> bool:
    """Whether two values need memory of their own; the later may take over the earlier's in place where the
    instruction has read it by the time it writes."""
    (start_a, end_a), (start_b, end_b) = a, b
    if end_a < start_b or end_b < start_a:
        return False
    if end_a == start_b and start_a < start_b:
        return _reads_late(tile[start_b], first)
    return True


def _reads_late(s: Step, operand: Node) -> bool:
    if s.kind == "load":
        return True  # a widening cast must not overlap its source
    if s.instruction is None:
        return False
    late = {s.operands[i] for i in s.instruction.late_reads}
    return bool(late) and any(operand is o or o.op == "guard" for o in late)


def _interfere(program, tile, lives, a: Node, b: Node) -> bool:
    for ranges in lives.values():
        if a in ranges and b in ranges:
            first, second = (a, b) if ranges[a][0] <= ranges[b][0] else (b, a)
            if _overlap(ranges[first], ranges[second], tile, first):
                return True
    return False


def _coalesce(program: RowProgram, tile: list[Step], lives) -> list[frozenset[Node]]:
    """The alternatives of a guard share memory where they can, so that the guard costs no code."""
    order = [s.node for s in tile if s.kind != "store" and s.value_kind in ("tile", "mask") and not s.accumulates]
    group = {n: frozenset({n}) for n in order}
    inputs = {s.node for s in tile if s.kind == "load"}
    for g in program.graph.nodes():
        if g.op != "guard" or program.kinds.get(g) not in ("tile", "mask"):
            continue
        members = {program.resolve(g, k) for k in program.keys if g in program.needed[k]}
        members = [m for m in order if m in members]
        for a, b in zip(members, members[1:]):
            if group[a] is group[b]:
                continue
            if any(_interfere(program, tile, lives, x, y) for x in group[a] for y in group[b]):
                continue
            merged = group[a] | group[b]
            if sum(m in inputs for m in merged) > 1:
                continue
            for m in merged:
                group[m] = merged
    return list(dict.fromkeys(group[n] for n in order))


def _outlives(program, s: Step, operand: Node, tile, lives) -> bool:
    position = tile.index(s)
    return any(lives[k].get(program.resolve(operand, k), (0, 0))[1] > position for k in s.keys)


def _colour(program, tile, lives, classes, homed, copies):
    """Lowest free index per class: first what has no home among input and output tiles, so that the 32-bit layout,
    which needs only those, is dense."""
    colours: dict[frozenset[Node], int] = {}
    scratch: dict[Step, tuple[int, ...]] = {}

    homes: dict[tuple[str, int], list[Node]] = {}  # what already lives in a slot

    def clashes(members, index, kind):
        return any(_interfere(program, tile, lives, x, y) for x in homes.get((kind, index), ()) for y in members)

    def scratch_clash(members, index):
        """A scratch vector lives during its step; it may replace an operand that dies there once it has been read."""
        for s, indices in scratch.items():
            if index in indices and any(_live_during(program, tile, lives, m, s) for m in members):
                return True
        return False

    def place(members):
        kind = program.kinds[next(iter(members))]
        index = 0
        while clashes(members, index, kind) or (kind == "tile" and scratch_clash(members, index)):
            index += 1
        colours[members] = index
        homes.setdefault((kind, index), []).extend(members)

    for members in [c for c in classes if homed[c] is None or program.kinds[next(iter(c))] == "mask"]:
        place(members)
    for s in tile:
        count = (s.instruction.scratch if s.instruction else 0) + (1 if s in copies else 0)
        taken: list[int] = []
        index = 0
        while len(taken) < count:
            busy = any(
                i == index and program.kinds[next(iter(c))] == "tile"
                and any(_live_during(program, tile, lives, m, s) for m in c) for c, i in colours.items())
            if not busy and index not in taken:
                taken.append(index)
            index += 1
        if taken:
            scratch[s] = tuple(taken)
    for members in [c for c in classes if c not in colours]:
        place(members)
    return colours, scratch


def _live_during(program, tile, lives, m: Node, s: Step) -> bool:
    position = tile.index(s)
    for key in s.keys:
        first, last = lives[key].get(m, (-1, -1))
        if not first <= position <= last:
            continue
        if m is s.node or last > position or first == position:
            return True
        # dies here: the scratch may take its memory if only the first statement reads it
        letters = [f"{{{letter}}}" for letter, o in zip("abc", s.operands) if program.resolve(o, key) is m]
        if s.instruction is None or any(l in text for text in s.instruction.text[1:] for l in letters):
            return True
    return False


def _slots(program, tile, key, width, homes, direct, scratch) -> int:
    used = [-1]
    for s in tile:
        if key not in s.keys:
            continue
        used += scratch.get(s, ())
        if s.kind != "store" and s.value_kind == "tile" and not s.accumulates:
            sizes = _widths(program, direct[s.node]) if s.node in direct else ()
            if not sizes or width == 2 and 2 in sizes:
                used.append(homes[s.node].index)
    return 1 + max(used)


def _table(program, tile, lives, homes) -> tuple[Range, ...]:
    rows = []
    for s in tile:
        if s.kind == "store" or s.accumulates or s.value_kind not in ("tile", "mask"):
            continue
        spans = [lives[k][s.node] for k in s.keys if s.node in lives[k]]
        if spans:
            rows.append(Range(s.name, homes[s.node], min(a for a, _ in spans), max(b for _, b in spans)))
    return tuple(rows)
