"""Tile sizes of a row kernel as formulas of UB bytes, sizes, dtype and options; the buffer table they are made from.

The host tiling code of an operator and `ascgrad schedule` evaluate the same assignments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import sympy

from compiler.lower import LoweringError, RowProgram, condition
from compiler.schedule.buffers import Layout, lay_out
from compiler.schedule.cube import STRIP_ROWS
from compiler.schedule.formula import Assignment, Term, align_down, align_up, ceil_div, evaluate, floor_div, pick, slot_count, to_cpp
from ir.interface import ROWS, Attribute, Tensor, camel
from ir.types import BYTES, symbol

BLOCK = 32
"""Bytes of a data block: UB addresses and lengths are multiples of it (alignment.ub of every product)."""

TILE_ALIGNMENT = 256
"""Elements a tile is rounded up to, so that float tiles, bit masks and the counts of Compare stay aligned."""

COUNTS_BYTES = 2048
"""UB bytes for the group counts that are read at a time."""

MOST_PARTS_UNDER_WAY = 4
"""Buffers for parts of an input beside the two that any input has: as many copies are on their way at a time."""

PARTIAL_COLUMNS = 64
"""Columns of the partial sums that a core adds up at a time."""


def _max(*values) -> sympy.Expr:
    """Unevaluated: sympy would compare the values symbolically, at length, and find nothing."""
    return sympy.Max(*values, evaluate=False)


def _min(*values) -> sympy.Expr:
    return sympy.Min(*values, evaluate=False)


_OWN = ("tilingKey", "columns", "span", "blockDim", "bitsPerElement", "bytesPerRow", "bytesPerColumn", "fixedBytes", "freeBits", "coreRows")
"""What differs from stage to stage of a kernel; the rest follows from it by one formula."""

_FIT_PARAMETERS = ("span", "bitsPerElement", "bytesPerRow", "freeBits", "coreRows")

TILE = ("// The tile of a stage: its size, and the most columns of which one row would fit.", "struct Tile {",
        "    int64_t columns, rows, elements, maxColumns;", "};")
"""The C++ type that `Schedule.fit_lines` returns."""


def has(option: str) -> str:
    """The local that says whether an option is there."""
    return f"has{camel(option)[:1].upper()}{camel(option)[1:]}" if option else "true"


def indicator(keys: frozenset[int], options: tuple[str, ...]) -> sympy.Expr:
    """1 under these tiling keys, else 0."""

    def all_of(text: str) -> sympy.Expr:
        result = sympy.Integer(1)
        for literal in text.split(" && "):
            flag = sympy.Symbol(literal.strip("!()"), integer=True)
            result *= (1 - flag) if literal.startswith("!") else flag
        return result

    text = condition(keys, options, has)
    if not text:
        return sympy.Integer(1)
    if "||" in text:
        return sum(all_of(" && ".join(("" if k >> i & 1 else "!") + has(o) for i, o in enumerate(options))) for k in sorted(keys))
    return all_of(text)


@dataclass(frozen=True)
class Buffer:
    """One row of the buffer table.

    kind: input, output (queues), work (scratch vectors), mask, row, blocks, column, counts, partial.
    unit: element, row, column or fixed: what `bytes` counts for; bytes may depend on dtypeBytes and slot tables.
    keys: the tiling keys under which it is allocated.
    """

    name: str
    kind: str
    dtype: str
    unit: str
    bytes: sympy.Expr
    depth: int
    keys: frozenset[int]
    doc: str
    tensor: Tensor | None = None


@dataclass(frozen=True)
class Field:
    ctype: str
    name: str
    doc: str


@dataclass(frozen=True)
class Schedule:
    """A row program with its layout, buffers and tiling formulas for one product."""

    program: RowProgram
    layout: Layout
    product: dict
    buffers: tuple[Buffer, ...]
    stage: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    handed: str = ""
    fed: str = ""
    fed_product: str = ""

    # stage: the name of the stage in a kernel of several; empty where the program is the whole kernel.
    # parts: (input, tiling field) of the inputs that come as several parts, which the kernel adds up; the field says how many.
    # handed: the input whose tiles the cube core of the group may leave in UB, where its field of `ub_tiles` is above zero.
    # fed: the output whose strips of columns the vector cores may leave in L1, where its field of `l1_columns` is above zero, for
    # the product of that result.

    def field(self, name: str) -> str:
        """The name of a tiling field: those that other stages have too carry the stage's name."""
        own = ("columns", "rowsPerTile", "columnsPerTile", "tileElements", "channels")
        return f"{self.stage}{name[:1].upper()}{name[1:]}" if self.stage and name in own else name

    # -- what the templates print ---------------------------------------------------------------------------------

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        p = self.program
        fields = [Field("int64_t", "totalRows", "rows of the tensors"), *self.stage_fields]
        if self.counts is not None:
            fields += [Field("int64_t", "groups", f"elements of {camel(self.counts)}; -1 when it is absent")]
        for a in self.attributes:
            ctype = {"float": "float", "int": "int64_t", "bool": "int64_t"}[a.type]
            fields.append(Field(ctype, a.camel, f"attribute {a.name}"))
        return padded(fields)

    @cached_property
    def stage_fields(self) -> tuple[Field, ...]:
        """What the stage's own loops need."""
        p = self.program
        fields = [("columns", f"columns of a tile in full, {p.lanes}"), ("rowsPerTile", "most rows of a tile"),
                  ("columnsPerTile", "columns of a tile"), ("tileElements", "elements a tile buffer holds")]
        if p.channels is not None:
            fields.append(("channels", f"channels of a row, {p.channels}"))
        where = f"{self.stage}: " if self.stage else ""
        return tuple(Field("int64_t", self.field(name), where + doc) for name, doc in fields)

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        used = {n.attr("name") for n in self.program.graph.nodes() if n.op == "input" and not n.shape}
        return tuple(a for a in self.program.interface.attributes if a.name in used)

    @cached_property
    def counts(self) -> str | None:
        """The tensor of row counts, if the operator has one."""
        count = self.program.count
        if count is None:
            return None
        stack = [count]
        while stack:
            n = stack.pop()
            if n.op == "row_count":
                return n.operands[0].attr("name")
            stack += n.operands
        return None

    @property
    def schedule_mode(self) -> int:
        """1 where the kernel waits for all cores: they must start together."""
        return 1 if self.program.reduces_rows else 0

    @property
    def auto_sync(self) -> bool:
        """Whether the kernel relies on the synchronisation that the device compiler inserts."""
        return True

    @cached_property
    def core_invariant(self) -> tuple[str, ...]:
        """The outputs whose bits do not depend on the number of cores: all but sums over rows."""
        return tuple(t for t, parts in self.program.stores.items() if self.program.kinds[parts[0].node] != "column")

    @property
    def block_dim(self) -> str:
        return "blockDim"

    @property
    def tiling_key(self) -> str:
        return "tilingKey"

    @property
    def workspace(self) -> str:
        return "workspaceBytes"

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """C++ statements of the host tiling function, given locals for sizes, options, attributes and the platform."""
        lines = list(self.size_lines)
        for f in self.fields:
            if f.name == "padding":
                lines.append("tiling->padding = 0.0f;")
            elif f.name == "groups":
                lines.append(f"tiling->groups = {has(self._counts_option)} ? {self._counts_size} : -1;")
            elif f.name == "totalRows":
                lines.append(f"tiling->totalRows = {ROWS};")
            elif f not in self.stage_fields:
                lines.append(f"tiling->{f.name} = {f.name};")
        return tuple(lines)

    @cached_property
    def fit(self) -> tuple[Assignment, ...]:
        """How many rows and columns a tile may have, given what its buffers take: the same for stages of one kind."""
        return tuple(a for a in self.assignments if a.name not in (*_OWN, "rowsOfACore", "channels", "workspaceBytes"))

    @property
    def fit_name(self) -> str:
        return "fitWholeRows" if self.program.whole_rows else "fitColumns"

    @cached_property
    def fit_lines(self) -> tuple[str, ...]:
        """The C++ function of `fit`, of a stage; `Tile` is what it returns."""
        doc = "The tile of whole rows that fits." if self.program.whole_rows else "The tile that fits: whole rows, or a part of one row."
        parameters = ", ".join(f"int64_t {n}" for n in _FIT_PARAMETERS)
        body = [f"    {line}" for a in self.fit for line in a.cpp()]
        return (f"// {doc}", f"const auto {self.fit_name} = [dtypeBytes]({parameters}) {{",
                *body, "    return Tile{columnsPerTile, rowsPerTile, tileElements, maxColumns};", "};")

    @cached_property
    def stage_lines(self) -> tuple[str, ...]:
        """The statements of a stage: what its buffers take, its tile by `fit`, and the fields that it reads."""
        renamed: dict = {sympy.Symbol("blockDim", integer=True): sympy.Symbol("coreNum", integer=True)}
        lines = ["", f"// {self.stage}: {', '.join(map(camel, self.program.stores))}."]
        for a in self.assignments:
            if a.name not in _OWN or a.name in ("tilingKey", "blockDim"):
                continue
            name = f"{self.stage}{a.name[:1].upper()}{a.name[1:]}"
            terms = tuple(t for t in (Term(t.condition, t.expr.subs(renamed), t.doc) for t in a.terms) if t.expr != 0)
            expr = a.expr.subs(renamed)
            if a.name in ("span", "coreRows") and expr.is_Symbol:  # the same as of all stages
                renamed[sympy.Symbol(a.name, integer=True)] = expr
                continue
            renamed[sympy.Symbol(a.name, integer=True)] = sympy.Symbol(name, integer=True) if expr != 0 else sympy.Integer(0)
            if expr != 0:
                lines += Assignment(name, expr, a.doc, terms).cpp()
        arguments = ", ".join(to_cpp(renamed[sympy.Symbol(n, integer=True)]) for n in _FIT_PARAMETERS)
        tile = f"{self.stage}Tile"
        columns = to_cpp(renamed[sympy.Symbol("columns", integer=True)])
        lines.append(f"const Tile {tile} = {self.fit_name}({arguments});")
        found = {"rowsPerTile": f"{tile}.rows", "columnsPerTile": f"{tile}.columns", "tileElements": f"{tile}.elements",
                 "maxColumns": f"{tile}.maxColumns", "columns": columns, "channels": to_cpp(self.program.channels or 0)}
        lines += [re.sub(r"\b(rowsPerTile|maxColumns|columns)\b(?![^\"]*\"[^\"]*$)", lambda m: found[m[0]], line) for line in self.capacity_check]
        names = ("columns", "rowsPerTile", "columnsPerTile", "tileElements", *(("channels",) if self.program.channels is not None else ()))
        return (*lines, *(f"tiling->{self.field(n)} = {found[n]};" for n in names))

    @cached_property
    def size_lines(self) -> tuple[str, ...]:
        """The statements that compute the tile sizes, refuse what does not fit, and write the stage's own fields."""
        lines = []
        for a in self.assignments:
            lines += a.cpp()
        lines += self.capacity_check
        names = ("columns", "rowsPerTile", "columnsPerTile", "tileElements", *(("channels",) if self.program.channels is not None else ()))
        return (*lines, *(f"tiling->{name} = {name};" for name in names))

    @property
    def _counts_option(self) -> str:
        return self.program.interface.tensor(self.counts).option or ""

    @property
    def _counts_size(self) -> str:
        return self.program.interface.tensor(self.counts).dims[0]

    @cached_property
    def capacity_check(self) -> tuple[str, ...]:
        what = "a whole row" if self.program.whole_rows else f"{BLOCK} bytes of a row"
        return (
            "if (rowsPerTile < 1) {",
            "    OP_LOGE(context,",
            f'            "{self.program.lanes}: got %ld, wants at most %ld: {what} must fit the %ld bytes of the unified buffer",',
            "            columns, maxColumns, ubBytes);",
            "    return ge::GRAPH_FAILED;",
            "}",
        )

    # -- formulas -------------------------------------------------------------------------------------------------

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """Everything the host computes, in order. Symbols: sizes, ubBytes, coreNum, dtypeBytes, has<Option> (0 or 1)."""
        p = self.program
        s = {n: sympy.Symbol(n, integer=True) for n in (
            "ubBytes coreNum dtypeBytes tilingKey columns pitch bitsPerElement bytesPerRow bytesPerColumn fixedBytes freeBits "
            "maxColumns columnTiles columnsPerTile tilePitch rowsThatFit rowRounding tileRounding tileRowsThatFit blockDim "
            "rowsOfACore rowsPerTile span coreRows").split()}
        T = symbol(ROWS)
        key = sum(sympy.Symbol(has(o), integer=True) * (1 << i) for i, o in enumerate(p.options))
        span, rows = (s["span"], s["coreRows"]) if self.stage else (s["columns"], s["rowsOfACore"])
        out = [
            Assignment("tilingKey", sympy.sympify(key), "one bit per option that changes the computation"),
            Assignment("columns", p.lanes, "columns of a tile in full"),
            *self._spans[:1],
            Assignment("blockDim", s["coreNum"] if self.stage else _max(1, _min(s["coreNum"], T)), "vector cores"),
            self._sum("bitsPerElement", "element", 8, "bits of UB per element of a tile"),
            self._sum("bytesPerRow", "row", 1, "bytes of UB per row of a tile"),
            self._sum("bytesPerColumn", "column", 1, "bytes of UB per column of a whole row"),
            self._sum("fixedBytes", "fixed", 1, "bytes of UB that do not depend on the tile", (
                Term("", 8 * s["bytesPerRow"], "row vectors are rounded up to 8 rows"),
                Term("", s["bytesPerColumn"] * align_up(s["columns"], 8), "vectors over columns"))),
            Assignment("freeBits", 8 * (s["ubBytes"] - self.product["memory"]["ub_reserved"] - s["fixedBytes"]), "bits of UB left for tiles"),
            Assignment("pitch", align_up(span, floor_div(sympy.Integer(BLOCK), s["dtypeBytes"])), "elements from row to row of a whole row in UB"),
        ]
        # A stage that an option leaves without work has no buffer at all.
        least = (lambda bits: _max(1, bits)) if self.stage else (lambda bits: bits)

        def rows_that_fit(pitch, rounding):
            return floor_div(_max(0, s["freeBits"] - s["bitsPerElement"] * rounding),
                             least(pitch * s["bitsPerElement"] + 8 * s["bytesPerRow"]))

        def rounding(pitch):
            return pick(sympy.Mod(pitch, TILE_ALIGNMENT), sympy.Integer(TILE_ALIGNMENT - 1), sympy.Integer(0))

        out += [
            Assignment("rowRounding", rounding(s["pitch"]), "elements that rounding up a tile of whole rows may take"),
            Assignment("rowsThatFit", rows_that_fit(s["pitch"], s["rowRounding"]), "whole rows that fit"),
            Assignment("maxColumns", align_down(floor_div(_max(0, s["freeBits"] - 8 * s["bytesPerRow"]), least(s["bitsPerElement"])),
                                                TILE_ALIGNMENT), "columns of one row that fit"),
        ]
        if p.channels is not None:
            out.append(Assignment("channels", p.channels, "channels of a row"))
        if p.whole_rows:
            out += [Assignment("columnsPerTile", span, "columns of a tile: rows are whole"),
                    Assignment("tilePitch", s["pitch"], "elements from row to row of a tile"),
                    Assignment("tileRowsThatFit", s["rowsThatFit"], "rows of a tile that fit")]
        else:
            out += [
                Assignment("columnTiles", pick(s["rowsThatFit"], sympy.Integer(1), ceil_div(span, _max(1, s["maxColumns"]))),
                           "tiles along a row"),
                Assignment("columnsPerTile", pick(s["rowsThatFit"], span, align_up(ceil_div(span, s["columnTiles"]), 16)),
                           "columns of a tile, balanced"),
                Assignment("tilePitch", align_up(s["columnsPerTile"], floor_div(sympy.Integer(BLOCK), s["dtypeBytes"])),
                           "elements from row to row of a tile"),
                Assignment("tileRounding", rounding(s["tilePitch"]), "elements that rounding up a tile may take"),
                Assignment("tileRowsThatFit", _max(_min(1, s["maxColumns"]), rows_that_fit(s["tilePitch"], s["tileRounding"])),
                           "rows of a tile that fit; a part of one row that was cut to fit does"),
            ]
        out += [
            self.rows_of_a_core,
            *self._spans[1:],
            Assignment("rowsPerTile", _min(_min(sympy.Integer(self.product["limits"]["repeat"]), rows),
                                                s["tileRowsThatFit"]),
                       f"most rows of a tile; a repeat covers at most {self.product['limits']['repeat']}"),
            Assignment("tileElements", align_up(s["rowsPerTile"] * s["tilePitch"], TILE_ALIGNMENT), "elements a tile buffer holds"),
        ]
        sums = self.column_sums
        workspace = sympy.Integer(self.product["memory"]["system_workspace"])
        if sums:
            workspace += self.partial_bytes
        out.append(Assignment("workspaceBytes", workspace if sums else sympy.Integer(0), "workspace"))
        return tuple(out)

    @property
    def _spans(self) -> tuple[Assignment, ...]:
        """Of a stage: the columns that are walked at a time, and the rows of a core. Of a strip, each of two cores takes half of the rows."""
        if not self.stage:
            return ()
        columns, rows = sympy.Symbol("columns", integer=True), sympy.Symbol("rowsOfACore", integer=True)
        if self.fed:
            strip = sympy.Symbol(l1_columns(self.fed), integer=True)
            columns, rows = pick(strip, _min(strip, columns), columns), pick(strip, _max(1, _min(STRIP_ROWS // 2, ceil_div(self._rows, 2))), rows)
        return Assignment("span", columns, "columns that are walked at a time"), Assignment("coreRows", rows, "rows of the fullest core in a block")

    @property
    def _rows(self) -> sympy.Expr:
        """Rows that are walked at a time: a stage takes one block of them."""
        return _min(symbol(ROWS), sympy.Symbol("blockRows", integer=True)) if self.stage else symbol(ROWS)

    @property
    def rows_of_a_core(self) -> Assignment:
        rows = self._rows
        cores = sympy.Symbol("coreNum" if self.stage else "blockDim", integer=True)
        return Assignment("rowsOfACore", _max(1, ceil_div(rows, cores)), "rows of the fullest core" + (" in a block" if self.stage else ""))

    @cached_property
    def partial_bytes(self) -> sympy.Expr:
        """Workspace bytes of the partial sums over rows, one line per core and sum."""
        cores, columns = sympy.Symbol("blockDim", integer=True), sympy.Symbol("columns", integer=True)
        total = columns if self.program.channels is None else columns * sympy.Symbol("channels", integer=True)
        return cores * len(self.column_sums) * align_up(total, 8) * 4

    @cached_property
    def column_sums(self):
        return tuple(st.node for st in self.program.steps if st.kind == "compute" and st.value_kind == "column" and st.region == "tile")

    def _sum(self, name: str, unit: str, scale: int, doc: str, extra: tuple[Term, ...] = ()) -> Assignment:
        """What the buffers of one unit take, one term a buffer, each under the options that allocate it."""
        terms = [Term(condition(b.keys, self.program.options, has), scale * b.bytes * b.depth, b.name)
                 for b in self.buffers if b.unit == unit]
        total = sum((t.expr * indicator(b.keys, self.program.options) for t, b in zip(terms, (b for b in self.buffers if b.unit == unit))),
                    sympy.Integer(0))
        terms += extra
        total += sum(t.expr for t in extra)
        return Assignment(name, sympy.expand(total), doc, tuple(terms) if terms else ())

    @cached_property
    def tables(self) -> dict[str, tuple]:
        """The constant tables that host and kernel share: by tiling key, and for 16-bit and 32-bit dtypes where there are both."""
        listed = lambda count: tuple(count(k, self.widths[0]) if len(self.widths) == 1 else tuple(count(k, w) for w in self.widths)
                                     for k in self.program.keys)
        tables = {}
        if any(max(v.values()) for v in self.layout.work.values()):
            tables[self.table("WORK_SLOTS")] = listed(lambda key, width: self.layout.work[key][width])
        if any(self.layout.masks.values()):
            tables[self.table("MASK_SLOTS")] = listed(lambda key, width: self.layout.masks[key])
        return tables

    @property
    def widths(self) -> tuple[int, ...]:
        """The bytes per element that the tensors of varying dtype may have."""
        return self.program.interface.widths()

    def table(self, name: str) -> str:
        return f"{self.stage.upper()}_{name}" if self.stage else name

    # -- evaluation -----------------------------------------------------------------------------------------------

    def solve(self, sizes: dict[str, int], options: set[str], dtype: str, cores: int | None = None,
              attributes: dict[str, float] | None = None) -> Tiling:
        """The tiling for concrete sizes. Raises CapacityError where nothing fits."""
        cores = cores or self.product["cores"]["aiv"]
        known = {
            **sizes, "ubBytes": self.product["memory"]["ub"], "coreNum": cores, "dtypeBytes": BYTES[dtype],
            **{has(o.name): int(o.name in options) for o in self.program.interface.options}, **self.tables,
        }
        for name in self.program.interface.symbols:
            known.setdefault(name, 0)
        values = evaluate(self.assignments, known)
        if values["rowsPerTile"] < 1:
            raise CapacityError(self._capacity_message(values, known))
        return Tiling(self, known, values, dict(attributes or {}))

    def _capacity_message(self, values, known) -> str:
        what = "a whole row" if self.program.whole_rows else f"{BLOCK} bytes of a row"
        parts = ", ".join(f"{name} {size} B" for name, size in self.bytes_of(known, values, rows=1, columns=values["columns"]))
        return (f"{self.program.lanes}={values['columns']}: {what} does not fit the {known['ubBytes']} B of UB of "
                f"{self.product['name']}; at most {values['maxColumns']} fit ({parts})")

    def bytes_of(self, known, values, rows: int, columns: int) -> list[tuple[str, int]]:
        """(buffer, bytes) of each allocation, as the kernel's InitBuffer makes them."""
        key = values["tilingKey"]
        block = BLOCK // known["dtypeBytes"]
        elements = _align(rows * _align(columns, block), TILE_ALIGNMENT)
        scale = {"element": elements, "row": _align(rows, 8), "column": _align(values["columns"], 8), "fixed": 1}
        found = []
        for b in self.buffers:
            if key in b.keys:
                per = evaluate((Assignment("bits", sympy.expand(8 * b.bytes), ""),), {**known, **values})["bits"]
                size = per * scale[b.unit] // 8
                if size:
                    found.append((b.name, _align(size, BLOCK) * b.depth))
        return found


def ub_tiles(tensor: str) -> str:
    """The tiling field that says how many bytes of UB hold tiles of a product's result; 0 where it goes through the workspace."""
    return f"{camel(tensor)}UbTiles"


def may_be_handed(s: Schedule, tensor: str) -> bool:
    """Whether the stage can work on tiles of that input as they come: all its values are tiles, none a row's, column's or channel's."""
    program = s.program
    parts = [p for several in (*program.loads.values(), *program.stores.values()) for p in several]
    plain = all(program.kinds[p.node] == "tile" for p in parts) and {st.value_kind for st in program.steps} <= {"tile", "mask", "scalar"}
    always = program.present(program.interface.tensor(tensor)) == frozenset(program.keys)
    return plain and always and program.channels is None and s.counts is None and len(program.loads[tensor]) == 1


def hand_over(s: Schedule, tensor: str) -> Schedule:
    """The same stage with room for tiles of that input, at the start of UB."""
    tiles = Buffer("handedBuffer", "handed", "float32", "fixed", sympy.Symbol(ub_tiles(tensor), integer=True), 1, frozenset(s.program.keys),
                   f"two tiles of {camel(tensor)} that the cube core leaves there")
    return replace(s, buffers=(tiles, *s.buffers), handed=tensor)


def l1_columns(tensor: str) -> str:
    """The tiling field of the columns of a strip of an operand that vector cores leave in L1; 0 where it goes through the workspace."""
    return f"{camel(tensor)}L1Columns"


def may_be_fed(s: Schedule, tensor: str) -> bool:
    """Whether the stage can work strip by strip of that output's columns: nothing is summed, and rows and columns are only given values."""
    program = s.program
    stored = [p for parts in program.stores.values() for p in parts]
    plain = all(program.kinds[p.node] == "tile" for p in stored) and len(program.stores[tensor]) == 1
    pointwise = not any(st.node.op.startswith("reduce") or st.accumulates for st in program.steps if st.kind == "compute")
    before = {st.region for st in program.steps} <= {"tile", "rows_before", "columns_before"}
    always = program.present(program.interface.tensor(tensor)) == frozenset(program.keys)
    return plain and pointwise and before and always and not program.whole_rows and s.counts is None and not s.handed


class CapacityError(ValueError):
    """A request that no tile fits; lists the buffers, their bytes and the largest size that fits."""


@dataclass(frozen=True)
class Tiling:
    """Concrete tile sizes: `values` are the assignments' values."""

    schedule: Schedule
    known: dict
    values: dict[str, int]
    attributes: dict[str, float]

    @cached_property
    def buffers(self) -> list[tuple[Buffer, int]]:
        sizes = dict(self.schedule.bytes_of(self.known, self.values, self.values["rowsPerTile"], self.values["columnsPerTile"]))
        return [(b, sizes[b.name]) for b in self.schedule.buffers if b.name in sizes and self.values["tilingKey"] in b.keys]

    @property
    def ub_bytes(self) -> int:
        return sum(size for _, size in self.buffers)

    @property
    def fields(self) -> dict[str, float]:
        """The tiling data, field by field, as the host writes them."""
        result = {}
        schedule = self.schedule
        own = {schedule.field(name): value for name, value in self.values.items()}
        for f in schedule.fields:
            if f.name == "padding":
                result[f.name] = 0.0
            elif f.name == "totalRows":
                result[f.name] = self.known[ROWS]
            elif f.name == "groups":
                present = self.known[has(schedule._counts_option)]
                result[f.name] = self.known[schedule._counts_size] if present else -1
            elif f.name in own:
                result[f.name] = own[f.name]
            else:
                attribute = next(a for a in schedule.attributes if a.camel == f.name)
                import numpy

                value = self.attributes.get(attribute.name, attribute.default)
                result[f.name] = float(numpy.float32(value)) if attribute.type == "float" else value
        return result


def _align(value: int, to: int) -> int:
    return -(-value // to) * to


def padded(fields: list[Field]) -> tuple[Field, ...]:
    """8-byte fields first, then floats, filled up to a multiple of 8 bytes."""
    fields = sorted(fields, key=lambda f: f.ctype == "float")
    if sum(f.ctype == "float" for f in fields) % 2:
        fields.append(Field("float", "padding", "keeps the size a multiple of 8 bytes"))
    return tuple(fields)


def schedule(programs: Iterable[RowProgram], product: dict, stage: str = "", split: tuple[tuple[str, str], ...] = ()) -> Schedule:
    """The program that needs the fewest work slots, with buffers and tiling formulas for a product.

    programs: the same steps in several orders. split: inputs that may come as several parts, and the tiling field of their
    number; an input whose queue is a single buffer does not. Raises LoweringError when queues run out.
    """
    candidates = [(program, lay_out(program)) for program in programs]
    program, layout = min(candidates, key=lambda c: _slots_in_all(c[1]))
    dtype_bytes = sympy.Symbol("dtypeBytes", integer=True)
    prefix = f"{stage.upper()}_" if stage else ""
    blocked = program.channels is not None
    key, buffers = sympy.Symbol("tilingKey", integer=True), []

    def width(dtype: str) -> sympy.Expr:
        return sympy.Integer(BYTES[dtype]) if dtype in BYTES else dtype_bytes

    limit = product["limits"]["queue_events"]
    inputs = [(t, parts) for t, parts in program.loads.items() if program.kinds[program.graph.inputs[t]] in ("tile", "row")]
    outputs = [(t, parts) for t, parts in program.stores.items() if program.kinds[parts[0].node] in ("tile", "row")]
    for side, queues in (("input", inputs), ("output", outputs)):
        if len(queues) > limit:
            raise LoweringError(f"{len(queues)} {side} tensors of tiles and rows: {product['name']} has {limit} queue buffers per position")
        # A queue's buffer holds an event id from FreeTensor to the next AllocTensor; waits for vectors over columns take one more.
        doubled = max(0, limit - len(queues) - (1 if layout.columns else 0))
        # Tiles first: they carry the traffic.
        ranked = sorted(queues, key=lambda q: program.kinds[q[1][0].node] != "tile")
        depth = {t: 2 if i < doubled else 1 for i, (t, _) in enumerate(ranked)}
        if side == "input":  # parts are added from the buffers beside the first one's: more of them are more copies under way
            split = tuple((t, field) for t, field in split if depth.get(t, 1) > 1)
            for t, _ in split:
                depth[t] += min(MOST_PARTS_UNDER_WAY, max(0, limit - sum(depth.values()) - (1 if layout.columns else 0)))
        for t, parts in queues:
            tensor = program.interface.tensor(t)
            kind = program.kinds[parts[0].node]
            buffers.append(Buffer(
                f"{tensor.camel}Queue", side, tensor.dtype, "element" if kind == "tile" else "row",
                sympy.Integer(BLOCK) if blocked and kind == "row" else len(parts) * width(tensor.dtype),
                depth[t], program.present(tensor), f"{tensor.camel}, {'tile' if kind == 'tile' else 'one value per row'}", tensor))
    every = frozenset(program.keys)
    index = (key, dtype_bytes) if len(program.interface.widths()) > 1 else (key,)
    work = slot_count(sympy.Symbol(f"{program.interface.name}::{prefix}WORK_SLOTS"), *index)
    if keys := frozenset(k for k in program.keys if any(layout.work[k].values())):
        buffers.append(Buffer("workBuffer", "work", "float32", "element", 4 * work, 1, keys, "float tiles under computation"))
    if layout.accumulators:
        buffers.append(Buffer("accumulatorBuffer", "accumulator", "float32", "element", sympy.Integer(4 * len(layout.accumulators)), 1,
                              every, "tiles that grow from channel to channel"))
    if any(layout.masks.values()):
        masks = slot_count(sympy.Symbol(f"{program.interface.name}::{prefix}MASK_SLOTS"), *index)
        keys = frozenset(k for k in program.keys if layout.masks[k])
        buffers.append(Buffer("maskBuffer", "mask", "bit", "element", masks / sympy.Integer(8), 1, keys, "bit masks"))
    row_vectors = len(layout.rows) + (1 if _row_sums(program) and (blocked or not program.whole_rows) else 0)
    keys_of = lambda nodes: frozenset(k for k in program.keys if any(n in program.needed[k] for n in nodes))
    if layout.rows:
        buffers.append(Buffer("rowBuffer", "row", "float32", "row", sympy.Integer((BLOCK if blocked else 4) * row_vectors), 1, keys_of(layout.rows),
                              "one value per row under computation"))
    if layout.blocks and not blocked:
        buffers.append(Buffer("blockBuffer", "blocks", "float32", "row", sympy.Integer(BLOCK * len(layout.blocks)), 1,
                              keys_of(layout.blocks), "values per row, each replicated over a data block"))
    if layout.columns:
        buffers.append(Buffer("columnBuffer", "column", "float32", "column", sympy.Integer(4 * (1 + max(layout.columns.values()))), 1,
                              keys_of(layout.columns), "one value per column, for the whole kernel"))
    result = Schedule(program, layout, product, tuple(buffers), stage, split)
    extra = []
    if result.counts is not None:
        extra.append(Buffer("countBuffer", "counts", "int64", "fixed", sympy.Integer(COUNTS_BYTES), 1, every, "counts read at a time"))
    if result.column_sums and not stage:  # a stage adds them up after everything else, when all of UB is free again
        cores = sympy.Symbol("blockDim", integer=True)
        extra.append(Buffer("partialBuffer", "partial", "float32", "fixed", (cores + 1) * PARTIAL_COLUMNS * 4, 1, every,
                            "partial column sums of all cores"))
    return Schedule(program, layout, product, (*buffers, *extra), stage, split)


def _slots_in_all(layout: Layout) -> tuple[int, int]:
    return sum(n for widths in layout.work.values() for n in widths.values()), sum(layout.masks.values())


def _row_sums(program: RowProgram) -> bool:
    return any(s.node.op == "reduce_sum" and s.value_kind == "row" for s in program.steps)
