"""Kernels of several stages: vector and cube work on blocks of rows, as a pipeline.

In step s a stage of level l works on block s - l, so that vector and cube cores are busy at the same time, on different
blocks; after each step all cores wait for one another. What one stage hands to another lives in a ring of as many blocks
as the two are apart, plus one; operands of products over all rows are kept for all rows, and those products come last.

Where the product has the path, a result may instead go tile by tile to the unified buffers of the cube core's own vector
cores (`handed`); their stage then works in the same step, and all levels after it one step earlier. The same holds the other
way round where vector cores leave an operand in L1 (`fed`): each group then computes the strips of k that it multiplies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from types import SimpleNamespace

import sympy

from compiler.lower import lower
from compiler.partition import CubeStage, Partition, Product, Stack, VectorStage, stacks
from compiler.products import UB_TO_L1
from compiler.schedule.cube import FRACTAL, CubeFigures
from compiler.schedule.formula import Assignment, align_down, align_up, ceil_div, evaluate, floor_div, pick, to_cpp
from compiler.schedule.tiling import (
    TILE, TILE_ALIGNMENT, CapacityError, Field, Schedule, hand_over, has, indicator, l1_columns, may_be_fed, may_be_handed, padded, schedule,
    ub_tiles,
)
from ir.graph import Graph
from ir.interface import ROWS, Interface, Tensor, camel
from ir.types import BYTES, dim, symbol

BLOCK_ROWS = 128
"""Rows of a block are a multiple of it: whole tiles of products of any depth."""

CUT = (("rows", "TileRows", "rows of an output tile"), ("columns", "TileColumns", "columns of an output tile"),
       ("partK", "PartK", "elements of k in a part"), ("parts", "Parts", "parts of k"))
"""What the kernel needs to know of a product's cut: name in the formulas, ending of the tiling field, meaning."""

BLOCKS = 8
"""Blocks that the rows are cut into where L2 does not ask for more: the pipeline fills and drains over a few."""

INT64_MAX = 2**63 - 1

GM_ALIGNMENT = 512
"""Bytes that tensors in the workspace are aligned to (alignment.gm_argument of every product)."""


@dataclass(frozen=True)
class Feed:
    """operand: that vector cores may leave in L1. level: of their stage. lanes: the columns that it walks at a time."""

    operand: str
    level: int
    lanes: sympy.Expr


@dataclass(frozen=True)
class MixedSchedule:
    """vectors: the schedule of each vector stage by its name."""

    interface: Interface
    graph: Graph
    product: dict
    partition: Partition
    vectors: dict[str, Schedule]

    @property
    def schedule_mode(self) -> int:
        """All cores wait for one another between stages, so they start together."""
        return 1

    auto_sync, mixed = True, True

    @property
    def kernel_options(self) -> dict[str, str]:
        """Options of the device compiler -> what for."""
        why = "Copies from UB to L1 take the path of the hardware instead of one through GM"
        return {f"-D{UB_TO_L1}=true": why} if self.fed else {}

    @cached_property
    def core_invariant(self) -> tuple[str, ...]:
        """Products are owned by output tiles and summed in one order, rows are whole; only vector sums over rows depend on the cores."""
        sums = {t for s in self.vectors.values() for t in s.program.stores if s.program.kinds[s.program.stores[t][0].node] == "column"}
        return tuple(t.name for t in self.interface.outputs if t.name not in sums)

    block_dim, tiling_key, workspace = "groups", "tilingKey", "workspaceBytes"

    def slots(self, tensor: str) -> int:
        """Blocks of a tensor in its ring; 0 where it is kept for all rows."""
        life = self.partition.lifetime(tensor)
        return 0 if life is None else life[1] - life[0] + 1

    @cached_property
    def stacks(self) -> tuple[Stack, ...]:
        """All products, in the order of their levels, those over all rows last."""
        levels = [s for s in self.partition.stages if isinstance(s, CubeStage)]
        return (*(stack for s in levels for stack in s.stacks), *stacks(self.partition.sums))

    @cached_property
    def handed(self) -> dict[str, int]:
        """Results that may go to UB -> the level of their product."""
        levels = {p.result: s.level for s in self.partition.stages if isinstance(s, CubeStage) for p in s.products}
        return {s.handed: levels[s.handed] for s in self.vectors.values() if s.handed}

    @cached_property
    def fed(self) -> dict[str, Feed]:
        """Results of products whose left operand may come from L1 -> that operand."""
        levels = {s.name: s.level for s in self.partition.stages if isinstance(s, VectorStage)}
        return {s.fed_product: Feed(s.fed, levels[name], s.program.lanes) for name, s in self.vectors.items() if s.fed}

    @cached_property
    def in_one_step(self) -> dict[str, tuple[int, str]]:
        """What may go from the memory of one kind of core to the other's -> the level that makes it, and the tiling field that is
        above zero where it does: the next level then works in the same step."""
        found = {f.operand: (f.level, l1_columns(f.operand)) for f in self.fed.values()}
        return found | {t: (level, ub_tiles(t)) for t, level in self.handed.items()}

    @cached_property
    def figures(self) -> CubeFigures:
        return CubeFigures.of(self.product)

    def shape(self, stack: Stack) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr]:
        """m, n and k of what is walked at a time: the rows of a block, or everything for products over all rows."""
        block = sympy.Min(symbol(ROWS), sympy.Symbol("blockRows", integer=True), evaluate=False)
        every = range(1 << len(self.partition.options))
        present = lambda keys: indicator(keys, self.partition.options) if len(keys) < len(every) else sympy.Integer(1)
        first = stack.products[0]
        size = lambda e: block if e == symbol(ROWS) and first not in self.partition.sums else e
        joined = lambda sizes: sum((align_up(size(e), sympy.Integer(FRACTAL)) * present(p.keys) for p, e in zip(stack.products, sizes)), sympy.Integer(0))
        m, n = size(first.m), first.n
        if len(stack.products) > 1:
            m = joined([p.m for p in stack.products]) if stack.axis == "m" else m
            n = joined([p.n for p in stack.products]) if stack.axis == "n" else n
        k = sum((t.k * present(t.keys) for t in first.terms), sympy.Integer(0))
        positive = lambda e: sympy.Max(1, e, evaluate=False) if any(str(s) not in self.symbols for s in e.free_symbols) else e
        return positive(m), positive(n), positive(k)

    def splits(self, stack: Stack) -> bool:
        """Whether its products may be summed in parts: who reads them adds the parts, at the end where they are outputs."""
        readers = lambda p: [s for s in self.vectors.values() if p.result in s.program.loads]
        return all(p.result not in self.partition.workspace or all(dict(s.parts).get(p.result) for s in readers(p)) for p in stack.products)

    def parts(self, tensor: str) -> sympy.Expr:
        """Parts that a product's result is in; one of everything else."""
        stack = next((s for s in self.stacks if any(p.result == tensor for p in s.products)), None)
        return sympy.Symbol(f"{camel(stack.name)}Parts", integer=True) if stack and self.splits(stack) else sympy.Integer(1)

    @cached_property
    def split_outputs(self) -> tuple[tuple[Product, sympy.Expr], ...]:
        """(product, bytes of its parts) of every output that may be summed in parts."""
        found = []
        for p in (p for s in self.stacks if self.splits(s) for p in s.products):
            if p.result not in self.partition.workspace:
                parts = self.parts(p.result)
                found.append((p, pick(parts - 1, parts * p.m * p.n * 4, sympy.Integer(0))))
        return tuple(found)

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Size symbols that the kernel reads."""
        return tuple(s for s in self.interface.symbols if s != ROWS)

    @cached_property
    def attributes(self):
        names = {a.name: a for s in self.vectors.values() for a in s.attributes}
        return tuple(names.values())

    def row_bytes(self, tensor: Tensor) -> sympy.Expr:
        """Bytes of one row of a tensor."""
        width = sympy.Integer(BYTES[tensor.dtype]) if tensor.dtype in BYTES else sympy.Symbol("dtypeBytes", integer=True)
        return width * sympy.prod([dim(d) for d in tensor.dims])

    @cached_property
    def workspace_sizes(self) -> tuple[tuple[str, sympy.Expr, str], ...]:
        """(tensor, bytes, dtype) of everything in the workspace, in order."""
        rows = []
        for t in self.partition.workspace.values():
            slots = self.slots(t.name)
            count = slots * sympy.Symbol("blockRows", integer=True) * self.parts(t.name) if slots else symbol(ROWS)
            size = self.row_bytes(t) * count
            if t.name in self.handed:
                size = pick(sympy.Symbol(ub_tiles(t.name), integer=True), sympy.Integer(0), size)
            rows.append((t.name, size, t.dtype))
        return tuple(rows)

    @cached_property
    def partial_sizes(self) -> tuple[tuple[str, str, sympy.Expr], ...]:
        """(offset's name, what it is, bytes) of partial results, after the tensors: of vector sums over rows, and of outputs."""
        rows = [(f"{s.stage}PartialOffset", f"the partial sums of {s.stage}", self._partial(s)) for s in self.vectors.values() if s.column_sums]
        return (*rows, *((f"{camel(p.result)}PartsOffset", f"the parts of {camel(p.result)}", size) for p, size in self.split_outputs))

    @cached_property
    def block_assignments(self) -> tuple[Assignment, ...]:
        """The rows of a block: what a block touches stays in half of L2, and there are enough blocks to overlap."""
        touched = [t for t in self.interface.tensors if t.leading] + list(self.partition.workspace.values())
        per_row, least = sympy.Symbol("rowBytes", integer=True), sympy.Symbol("mostRows", integer=True)
        half = self.product["memory"]["l2"] // 2
        return (
            Assignment("rowBytes", sum((self.row_bytes(t) for t in touched), sympy.Integer(0)), "bytes that all stages touch per row"),
            Assignment("mostTotalRows", floor_div(sympy.Integer(INT64_MAX // 64), sympy.Max(1, per_row)),
                       "rows whose workspace is counted in 64 bits, rings and partial sums included"),
            Assignment("mostRows", sympy.Max(BLOCK_ROWS, align_down(floor_div(sympy.Integer(half), per_row), BLOCK_ROWS), evaluate=False),
                       "rows of a block whose bytes stay in half of L2"),
            Assignment("blockRows", sympy.Min(least, align_up(ceil_div(sympy.Max(1, symbol(ROWS)), BLOCKS), BLOCK_ROWS), evaluate=False),
                       "rows of a block"),
        )

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        fields = [Field("int64_t", "totalRows", "rows of the tensors"), Field("int64_t", "blockRows", "rows of a block")]
        fields += [Field("int64_t", f"size{s}", f"size {s}") for s in self.symbols]
        for s in self.vectors.values():
            fields += s.stage_fields
        fields += [Field("int64_t", f"{camel(n)}Offset", f"bytes before {camel(n)} in the workspace") for n, _, _ in self.workspace_sizes]
        fields += [Field("int64_t", name, f"bytes before {what}") for name, what, _ in self.partial_sizes]
        fields += [Field("int64_t", f"{camel(s.name)}{ending}", f"{camel(s.name)}: {meaning}") for s in self.stacks for _, ending, meaning in CUT]
        fields += [Field("int64_t", l1_columns(f.operand), f"columns of a strip of {camel(f.operand)} in L1; 0 where it goes through the workspace")
                   for f in self.fed.values()]
        fields += [Field("int64_t", ub_tiles(t), f"bytes of UB for tiles of {camel(t)}; 0 where it goes through the workspace") for t in self.handed]
        for a in self.attributes:
            fields.append(Field({"float": "float", "int": "int64_t", "bool": "int64_t"}[a.type], a.camel, f"attribute {a.name}"))
        return padded(fields)

    @cached_property
    def tables(self) -> dict:
        tables: dict = {}
        for s in self.vectors.values():
            tables.update(s.tables)
        return tables

    @cached_property
    def offsets(self) -> tuple[Assignment, ...]:
        """Where each tensor lies in the workspace."""
        found, at = [], sympy.Integer(0)
        for name, size, _ in self.workspace_sizes:
            found.append(Assignment(f"{camel(name)}Offset", at, f"bytes before {camel(name)} in the workspace"))
            at = sympy.Symbol(f"{camel(name)}Offset", integer=True) + align_up(size, GM_ALIGNMENT)
        for name, what, size in self.partial_sizes:
            found.append(Assignment(name, at, f"bytes before {what}"))
            at = sympy.Symbol(name, integer=True) + align_up(size, GM_ALIGNMENT)
        found.append(Assignment("workspaceBytes", at + self.product["memory"]["system_workspace"], "workspace, the system's part included"))
        return tuple(found)

    @staticmethod
    def _partial(s: Schedule) -> sympy.Expr:
        program = s.program
        total = program.lanes if program.channels is None else program.lanes * program.channels
        return sympy.Symbol("coreNum", integer=True) * len(s.column_sums) * align_up(total, 8) * 4

    @cached_property
    def lines(self) -> tuple[str, ...]:
        lines = ["// Groups of one cube core and its vector cores.", "const int64_t groups = cubeCoreNum;"]
        lines += self._key.cpp()
        lines += ["tiling->totalRows = T;", *(f"tiling->size{s} = {s};" for s in self.symbols),
                  *(f"tiling->{a.camel} = {a.camel};" for a in self.attributes)]
        for a in self.block_assignments:
            lines += a.cpp()
            if a.name == "mostTotalRows":
                lines += ["if (T > mostTotalRows) {", '    OP_LOGE(context, "rows: got %ld, wants at most %ld", T, mostTotalRows);',
                          "    return ge::GRAPH_FAILED;", "}"]
        lines += ["tiling->blockRows = blockRows;", *self._cut_lines, *self._tile_lines]
        for a in self.offsets:
            lines += a.cpp()
            if a.name != "workspaceBytes":
                lines.append(f"tiling->{a.name} = {a.name};")
        if any(f.name == "padding" for f in self.fields):
            lines.append("tiling->padding = 0.0f;")
        return tuple(lines)

    @property
    def _tile_lines(self) -> list[str]:
        """The tile of each vector stage, by one formula for each kind of stage."""
        stages = self.vectors.values()
        if not stages:
            return []
        fits = (line for lines in dict.fromkeys(s.fit_lines for s in stages) for line in lines)
        return [*next(iter(stages)).rows_of_a_core.cpp(), *TILE, *fits, *(line for s in stages for line in s.stage_lines), ""]

    @property
    def _cut_lines(self) -> list[str]:
        """How each product is cut, by one formula."""
        names = ", ".join(name for name, _, _ in CUT)
        lines = ["// How a product of m x n elements, summed over k, is cut.", "struct Cut {", f"    int64_t {names};", "};",
                 "const auto cut = [](int64_t m, int64_t n, int64_t k, int64_t split) {"]
        lines += [f"    {line}" for a in self.figures.assignments for line in a.cpp()]
        lines += [f"    return Cut{{{names}}};", "};"]
        if self.handed:
            lines += ["// Bytes of UB for the tiles of a result that vector cores take from there; 0 where it goes through the workspace.",
                      f"const auto handOver = [blockRows, {ROWS}](int64_t m, int64_t n, int64_t k, const Cut& whole, const Cut& split) {{",
                      *(f"    {line}" for a in self.figures.hand_over for line in a.cpp()), "    return ubTiles;", "};"]
        if self.fed:
            lines += ["// The same product where the vector cores of a group compute a strip of the left operand and leave it in L1.",
                      "const auto cutInStrips = [](int64_t m, int64_t n, int64_t k) {",
                      *(f"    {line}" for a in self.figures.strips for line in a.cpp()), f"    return Cut{{{names}}};", "};",
                      "// Columns of such a strip; 0 where the operand goes through the workspace.",
                      f"const auto feed = [blockRows, {ROWS}](int64_t m, int64_t n, int64_t k, int64_t lanes, const Cut& strips, "
                      "const Cut& whole, const Cut& split, int64_t ubTiles) {",
                      *(f"    {line}" for a in self.figures.feed for line in a.cpp()), "    return l1Columns;", "};"]
        for s in self.stacks:
            lines += self._cut_of(s)
            name = camel(s.name)
            lines += [f"tiling->{name}{ending} = {name}Cut.{part};" for part, ending, _ in CUT]
            if self.splits(s):
                lines.append(f"const int64_t {name}Parts = {name}Cut.parts;")
        return lines

    def _cut_of(self, s: Stack) -> list[str]:
        """The cut of a product, where there is a choice with the field that says which way its result or its left operand goes."""
        sizes, name, splits = ", ".join(to_cpp(e) for e in self.shape(s)), camel(s.name), int(self.splits(s))
        if s.name not in self.handed and s.name not in self.fed:
            return [f"const Cut {name}Cut = cut({sizes}, {splits});"]
        lines = [f"const Cut {name}Whole = cut({sizes}, 0);", f"const Cut {name}Split = cut({sizes}, {splits});"]
        field, tiles, chosen = ub_tiles(s.name), "0", f"{name}Split"
        if s.name in self.handed:
            tiles, chosen = f"{name}Tiles" if s.name in self.fed else field, f"{field} > 0 ? {name}Whole : {chosen}"
            lines.append(f"const int64_t {tiles} = handOver({sizes}, {name}Whole, {name}Split);")
        if s.name in self.fed:
            feed = self.fed[s.name]
            strip = l1_columns(feed.operand)
            lines += [f"const Cut {name}Strips = cutInStrips({sizes});",
                      f"const int64_t {strip} = feed({sizes}, {to_cpp(feed.lanes)}, {name}Strips, {name}Whole, {name}Split, {tiles});",
                      f"tiling->{strip} = {strip};"]
            chosen = f"{strip} > 0 ? {name}Strips : {chosen}"
            if s.name in self.handed:
                lines.append(f"const int64_t {field} = {strip} > 0 ? 0 : {tiles};")
        if s.name in self.handed:
            lines.append(f"tiling->{field} = {field};")
        return [*lines, f"const Cut {name}Cut = {chosen};"]

    def cuts(self, known: dict) -> dict[str, int]:
        """The tiling fields of all products' cuts, of the results that may go to UB and of the operands that may come from L1."""
        found = {}
        for s in self.stacks:
            sizes = evaluate(tuple(Assignment(name, e, "") for name, e in zip("mnk", self.shape(s))), known)
            values = evaluate(self.figures.assignments, {**sizes, "split": int(self.splits(s))})
            if s.name in self.handed or s.name in self.fed:
                cuts = {"whole": evaluate(self.figures.assignments, {**sizes, "split": 0}), "split": values,
                        "strips": evaluate(self.figures.strips, sizes)}
                given = {**known, **sizes, **{name: SimpleNamespace(**c) for name, c in cuts.items()}}
                tiles = evaluate(self.figures.hand_over, given)["ubTiles"] if s.name in self.handed else 0
                if s.name in self.fed:
                    feed = self.fed[s.name]
                    lanes = evaluate((Assignment("lanes", feed.lanes, ""),), known)["lanes"]
                    strip = evaluate(self.figures.feed, {**given, "lanes": lanes, "ubTiles": tiles})["l1Columns"]
                    found[l1_columns(feed.operand)] = strip
                    tiles, values = (0, cuts["strips"]) if strip else (tiles, values)
                if s.name in self.handed:
                    found[ub_tiles(s.name)] = tiles
                values = cuts["whole"] if tiles else values
            found |= {f"{camel(s.name)}{ending}": values[name] for name, ending, _ in CUT}
        return found

    @cached_property
    def _key(self) -> Assignment:
        key = sum(sympy.Symbol(has(o), integer=True) * (1 << i) for i, o in enumerate(self.partition.options))
        return Assignment("tilingKey", sympy.sympify(key), "one bit per option that changes the computation")

    def solve(self, sizes: dict[str, int], options: set[str], dtype: str, cores: int | None = None,
              attributes: dict[str, float] | None = None) -> MixedTiling:
        """cores: groups of one cube core. Raises CapacityError where a stage's tile does not fit."""
        groups = cores or self.product["cores"]["aic"]
        known = {**sizes, "coreNum": 2 * groups, "dtypeBytes": BYTES[dtype],
                 **{has(o.name): int(o.name in options) for o in self.interface.options}}
        values = evaluate((self._key, *self.block_assignments), known)
        values |= self.cuts({**known, **values})
        blocks = {**sizes, "blockRows": values["blockRows"], **{field: values[field] for _, field in self.in_one_step.values()}}
        tilings = {name: s.solve(blocks, options, dtype, 2 * groups, attributes) for name, s in self.vectors.items()}
        values |= evaluate(self.offsets, {**known, **values})
        if sizes[ROWS] > values["mostTotalRows"]:
            raise CapacityError(f"rows: got {sizes[ROWS]}, wants at most {values['mostTotalRows']}")
        return MixedTiling(self, groups, tilings, known, values, dict(attributes or {}))


@dataclass(frozen=True)
class MixedTiling:
    schedule: MixedSchedule
    groups: int
    vectors: dict
    known: dict
    offsets: dict[str, int]
    attributes: dict

    @cached_property
    def values(self) -> dict[str, int]:
        """What the host says of the launch beside the tiling data; the largest tile of any stage."""
        return {"blockDim": self.groups, "tilingKey": self.offsets["tilingKey"], "workspaceBytes": self.offsets["workspaceBytes"],
                "rowsPerTile": max([1, *(t.values["rowsPerTile"] for t in self.vectors.values())])}

    @cached_property
    def handed(self) -> tuple[str, ...]:
        """The results that go to UB."""
        return tuple(t for t in self.schedule.handed if self.offsets[ub_tiles(t)])

    @cached_property
    def fed(self) -> dict[str, str]:
        """Results of products -> their left operand, where that comes from L1."""
        return {result: f.operand for result, f in self.schedule.fed.items() if self.offsets[l1_columns(f.operand)]}

    def strip(self, stage: str) -> tuple[int, int] | None:
        """Rows and columns of the strips that a vector stage works in, where it leaves an operand in L1."""
        s = self.schedule.vectors[stage]
        columns = self.offsets[l1_columns(s.fed)] if s.fed else 0
        return (self.offsets[f"{camel(s.fed_product)}TileRows"], columns) if columns else None

    def load_k(self, stack: Stack) -> int:
        """Elements of k that cross into L1 at a time."""
        cut, figures = self.cut(stack), self.schedule.figures
        if stack.name in self.fed:
            return figures.load_k_beside(cut["rows"], cut["columns"], cut["partK"])
        return figures.load_k(cut["rows"], cut["columns"])

    @property
    def steps(self) -> int:
        """Steps of the pipeline: blocks of rows, and one more for each level that waits for the one before it."""
        blocks = -(-self.known[ROWS] // self.offsets["blockRows"])
        return blocks + self.schedule.partition.levels - 1 - len(self.handed) - len(self.fed) if blocks else 0

    def cut(self, stack: Stack) -> dict[str, int]:
        """rows, columns, partK and parts of a product."""
        return {name: self.offsets[f"{camel(stack.name)}{ending}"] for name, ending, _ in CUT}

    @property
    def fields(self) -> dict[str, float]:
        """The tiling data, field by field, as the host writes them."""
        import numpy

        result: dict = {"totalRows": self.known[ROWS], "padding": 0.0}
        result |= {f"size{s}": self.known[s] for s in self.schedule.symbols}
        for name, t in self.vectors.items():
            s = self.schedule.vectors[name]
            result |= {s.field(n): t.values[n] for n in ("columns", "rowsPerTile", "columnsPerTile", "tileElements", "channels") if n in t.values}
        result |= self.offsets
        for a in self.schedule.attributes:
            value = self.attributes.get(a.name, a.default)
            result[a.camel] = float(numpy.float32(value)) if a.type == "float" else value
        return {f.name: result[f.name] for f in self.schedule.fields}

    @property
    def workspace(self) -> list[tuple[str, str, int]]:
        """(tensor, dtype, bytes) of the workspace."""
        rows = []
        for name, size, dtype in self.schedule.workspace_sizes:
            rows.append((name, dtype, evaluate((Assignment("bytes", size, ""),), {**self.known, **self.offsets})["bytes"]))
        for _, what, size in self.schedule.partial_sizes:
            found = evaluate((Assignment("bytes", size, ""),), {**self.known, **self.offsets})["bytes"]
            if found:
                rows.append((what.removeprefix("the "), "float32", found))
        return rows


def schedule_mixed(graph: Graph, parts: Partition, product: dict) -> MixedSchedule:
    """The schedules of all vector stages; products are cut by their shape and the product's figures."""
    vectors = {}
    levels = [s for s in parts.stages if isinstance(s, CubeStage)]
    results = tuple((p.result, f"{camel(stack.name)}Parts") for s in levels for stack in s.stacks for p in stack.products)
    for s in parts.stages:
        if isinstance(s, VectorStage):
            vectors[s.name] = schedule(lower(s.graph, s.interface, parts.options), product, s.name, results)
            tensor = _to_hand_over(parts, s, product)
            if tensor and may_be_handed(vectors[s.name], tensor):
                vectors[s.name] = hand_over(vectors[s.name], tensor)
    for s in parts.stages:
        if isinstance(s, VectorStage):
            p = _to_feed(parts, s, product, vectors)
            if p and may_be_fed(vectors[s.name], p.terms[0].a):
                vectors[s.name] = replace(vectors[s.name], fed=p.terms[0].a, fed_product=p.result)
    return MixedSchedule(parts.interface, graph, product, parts, vectors)


def _to_hand_over(parts: Partition, stage: VectorStage, product: dict) -> str | None:
    """The result that the stage might take from UB: that of the one product of the level before, which nothing else reads.

    The stage is the only one of its level, so that the levels after both may come a step earlier.
    """
    if "l0c_to_ub" not in product["rates"]["paths"] or CubeFigures.of(product).side_b > TILE_ALIGNMENT:  # a tile's row fits any buffer
        return None
    before = [s for s in parts.stages if s.level == stage.level - 1]
    if [s for s in parts.stages if s.level == stage.level] != [stage] or len(before) != 1 or not isinstance(before[0], CubeStage):
        return None
    p = before[0].products[0]
    readers = [s for s in parts.stages if isinstance(s, VectorStage) and p.result in s.graph.inputs]
    always = len(p.keys) == 1 << len(parts.options)
    return p.result if len(before[0].products) == 1 and always and p.result in parts.workspace and readers == [stage] else None


def _to_feed(parts: Partition, stage: VectorStage, product: dict, vectors: dict[str, Schedule]) -> Product | None:
    """The product whose left operand the stage might leave in L1: the one of the next level, which needs nothing else of the kernel.

    Its result is read by vector cores that add up its parts, one a strip of k. Stages of one level share rows between cores in one
    way, and so may read what the core has written before; one that works in strips has other values of other rows.
    """
    if "ub_to_l1" not in product["rates"]["paths"]:
        return None
    beside = [s for s in parts.stages if s.level == stage.level and s is not stage]
    if any(set(one.graph.inputs) & set(other.graph.outputs) for s in beside for one, other in ((stage, s), (s, stage))):
        return None
    after = [s for s in parts.stages if s.level == stage.level + 1]
    if len(after) != 1 or not isinstance(after[0], CubeStage) or len(after[0].products) != 1:
        return None
    p = after[0].products[0]
    always = len(p.keys) == 1 << len(parts.options)
    readers = [s for s in parts.stages if isinstance(s, VectorStage) and p.result in s.graph.inputs]
    added = all(p.result in dict(vectors[s.name].parts) for s in readers)
    (first, *others), stored = p.terms, p.operands & set(parts.workspace)
    alone = not others and not first.transpose_a and stored == {first.a} and first.a in stage.graph.outputs
    return p if always and p.result in parts.workspace and added and alone else None


__all__ = ["CapacityError", "CubeStage", "MixedSchedule", "MixedTiling", "schedule_mixed"]
