"""The texts of a row kernel that its template prints: statements per region, buffers, loads and stores.

All decisions are the schedule's; here they become C++ names and statements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import sympy

from compiler.lower import LoweringError, Step, condition
from compiler.schedule.buffers import Slot
from compiler.schedule.tiling import BLOCK, COUNTS_BYTES, PARTIAL_COLUMNS, TILE_ALIGNMENT, Buffer, Schedule, l1_columns, ub_tiles
from ir.graph import Node
from ir.interface import Tensor, camel, snake
from ir.types import BYTES, dim

CPP_TYPES = {"float32": "float", "float16": "half", "bfloat16": "bfloat16_t", "int64": "int64_t", "bool": "bool"}


def upper(name: str) -> str:
    """hasWeight style macro name: grad_weight -> GRAD_WEIGHT."""
    return name.upper()


def pascal(name: str) -> str:
    text = camel(name)
    return text[:1].upper() + text[1:]


def instances(options: tuple[str, ...]) -> tuple[tuple[int, str, str], ...]:
    """(tiling key, template arguments, what it means) of every instance of a kernel."""
    rows = []
    for k in range(1 << len(options)):
        flags = ["true" if k >> i & 1 else "false" for i in range(len(options))]
        rows.append((k, ", ".join(flags), ", ".join(o for i, o in enumerate(options) if k >> i & 1) or "no option"))
    return tuple(rows)


@dataclass(frozen=True)
class Queue:
    """A queue of the kernel: name, element type, depth, elements per part times parts, condition of its presence."""

    tensor: Tensor
    name: str
    type: str
    depth: int
    parts: int
    unit: str
    condition: str
    side: str

    @property
    def tile(self) -> str:
        return f"{self.tensor.camel}{'Tile' if self.unit == 'element' else 'Row'}"


@dataclass(frozen=True)
class Copy:
    """One DataCopyPad of a tile: part of the tensor at a column offset."""

    queue: Queue
    part: int
    offset: str
    stride: str


class KernelText:
    """What the kernel templates need to know, by name."""

    def __init__(self, schedule: Schedule):
        self.schedule = schedule
        self.program = schedule.program
        self.interface = self.program.interface
        self.layout = schedule.layout
        self.tile_steps = [s for s in self.program.steps if s.region == "tile"]
        self.used_helpers: set[str] = set()
        self.sizes: set[str] = set()
        self._declared: set[str] = set()
        self.compute = self._tile_statements()
        self.prepare_rows = self._prepare_rows()
        self.finish_rows = self._finish_rows()
        self.finish_columns = self._finish_columns() if schedule.column_sums else ()

    # -- names ------------------------------------------------------------------------------------------------------

    @property
    def class_name(self) -> str:
        return f"{self.interface.name}{pascal(self.schedule.stage) if self.schedule.stage else 'Kernel'}"

    @property
    def file(self) -> str:
        """The header's name without its ending."""
        return snake(self.interface.name) + (f"_{self.schedule.stage}" if self.schedule.stage else "")

    def field(self, name: str) -> str:
        return self.schedule.field(name)

    @property
    def channels(self) -> bool:
        return self.program.channels is not None

    @property
    def namespace(self) -> str:
        return self.interface.name

    @cached_property
    def options(self) -> tuple[str, ...]:
        return tuple(f"HAS_{upper(o)}" for o in self.program.options)

    @staticmethod
    def flag(option: str) -> str:
        return f"HAS_{upper(option)}"

    def when(self, keys: frozenset[int]) -> str:
        return condition(keys, self.program.options, self.flag)

    @cached_property
    def keys(self) -> tuple[tuple[int, str, str], ...]:
        return instances(self.program.options)

    @cached_property
    def key_expression(self) -> str:
        return " + ".join(f"({o} ? {1 << i} : 0)" for i, o in enumerate(self.options)) or "0"

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The GM_ADDR parameters of the kernel's Init, in definition order."""
        return tuple(t.camel for t in self.global_tensors)

    @cached_property
    def dtype_macro(self) -> str:
        """The tensor whose DTYPE_ macro gives the dtype variable."""
        variable = next((t for t in self.interface.tensors if t.dtype in self.interface.dtypes), None)
        return f"DTYPE_{upper(variable.name)}" if variable else "float"

    def type_of(self, tensor: Tensor) -> str:
        return CPP_TYPES.get(tensor.dtype, "T")

    # -- tensors ----------------------------------------------------------------------------------------------------

    @cached_property
    def queues(self) -> tuple[Queue, ...]:
        found = []
        for b in self.schedule.buffers:
            if b.kind in ("input", "output"):
                parts = (self.program.loads if b.kind == "input" else self.program.stores)[b.tensor.name]
                found.append(Queue(b.tensor, f"{b.tensor.camel}Queue_", self.type_of(b.tensor), b.depth, len(parts), b.unit,
                                   self.when(b.keys), b.kind))
        return tuple(found)

    def queues_of(self, side: str, unit: str) -> tuple[Queue, ...]:
        return tuple(q for q in self.queues if q.side == side and q.unit == unit)

    @cached_property
    def buffers(self) -> tuple[tuple[str, str, str], ...]:
        """(name, bytes in C++, condition) of each TBuf."""
        width = "[IS_FLOAT]" if self.is_float_or_not else ""
        texts = {
            "work": f"{self.schedule.table('WORK_SLOTS')}[KEY]{width} * tileElements_ * sizeof(float)",
            "accumulator": f"{_times(len(self.layout.accumulators))}tileElements_ * sizeof(float)",
            "mask": f"{self.schedule.table('MASK_SLOTS')}[KEY]{width} * tileElements_ / BITS_PER_BYTE",
            "handed": f"tiling->{self.handed_field}",
            "counts": "COUNTS_PER_LOAD * sizeof(int64_t)",
            "partial": "(cores_ + 1) * PARTIAL_COLUMNS * sizeof(float)",
        }
        rows = []
        for b in self.schedule.buffers:
            if b.kind in ("input", "output"):
                continue
            if b.kind == "row":
                text = (f"{_times(int(b.bytes) // BLOCK)}rowCapacity_ * BLOCK_BYTES" if self.channels
                        else f"{_times(int(b.bytes) // 4)}rowCapacity_ * sizeof(float)")
            elif b.kind == "blocks":
                text = f"{_times(int(b.bytes) // BLOCK)}rowCapacity_ * BLOCK_BYTES"
            elif b.kind == "column":
                text = f"{_times(int(b.bytes) // 4)}columnCapacity_ * sizeof(float)"
            else:
                text = texts[b.kind]
            condition = self.when(b.keys)
            if b.kind == "work" and any(not n for k in b.keys for n in self.layout.work[k].values()):
                condition = f"{self.schedule.table('WORK_SLOTS')}[KEY]{width} > 0"  # not for dtypes of every width
            rows.append((f"{b.name}_", text, condition))
        return tuple(rows)

    @cached_property
    def init_buffers(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(condition, InitBuffer statements), what is always there first."""
        statements = []
        for q in self.queues:
            capacity = "tileElements_" if q.unit == "element" else "rowCapacity_"
            size = f"{_times(q.parts)}{capacity} * sizeof({q.type})"
            if q.unit == "row" and self.channels:
                size = "rowCapacity_ * BLOCK_BYTES"
            statements.append((q.condition, f"pipe->InitBuffer({q.name}, {q.depth}, {size});"))
        statements += [(condition, f"pipe->InitBuffer({name}, {size});") for name, size, condition in self.buffers if name != "handedBuffer_"]
        emitter = _Groups()
        if self.fed:
            emitter.add("", ["if (stripColumns_ > 0) {",
                             "    // At the start of L1, as on cube cores.",
                             "    pipe->InitBuffer(stripBuffer_, tileRows_ * stripColumns_ * sizeof(T));", "}"])
        if self.handed:
            tiles = f"tiling->{self.handed_field}"
            emitter.add("", [f"if ({tiles} > 0) {{", f"    pipe->InitBuffer(handedBuffer_, {tiles}); // at the start of UB, as on cube cores", "}"])
        for condition in dict.fromkeys(["", *(c for c, _ in statements)]):
            emitter.add(condition, [text for c, text in statements if c == condition])
        return emitter.groups()

    @property
    def row_capacity(self) -> bool:
        """Whether a buffer holds something for each row of a tile."""
        return any("rowCapacity_" in line for _, lines in self.init_buffers for line in lines)

    @cached_property
    def buffer_table(self) -> tuple[tuple[str, str, str, str], ...]:
        """(buffer, dtype, bytes, what) rows for the comment at the top of the kernel."""
        unit = {"element": "E", "row": "R", "column": "C", "fixed": ""}
        rows = []
        for b in self.schedule.buffers:
            text = _bytes_text(b, self)
            where = self.when(b.keys)
            rows.append((b.name, b.dtype, f"{text}{' x ' + unit[b.unit] if unit[b.unit] else ''}", b.doc + (f" ({where})" if where else "")))
        return tuple(rows)

    @cached_property
    def value_table(self) -> tuple[tuple[int, str, str, str], ...]:
        """(position, formula, memory, last use) of each step on a tile, those on values per row and column included."""
        ranges = {r.value: r for r in self.layout.ranges}
        rows = []
        for position, s in enumerate(self.tile_steps):
            r = ranges.get(s.name) if s.kind != "store" else None
            where = self.when(s.keys)
            memory = f"{r.slot.memory} {r.slot.index}" if r else "output" if s.kind == "store" else s.value_kind
            formula = self._stored(s.part) if s.kind == "store" else s.formula
            rows.append((position, formula + (f"   ({where})" if where else ""), memory, f"to {r.last}" if r else ""))
        return tuple(rows)

    def _stored(self, part) -> str:
        """dx[H:] = gradX1; just the name where the value has that of the tensor."""
        whole = len(self.program.stores[part.tensor.name]) == 1
        to, value = part.tensor.camel + ("" if whole else f"[{part.start}:]"), self.program.names[part.node]
        return to if to == value else f"{to} = {value}"

    def _multiple(self, expr: sympy.Expr) -> str:
        """A width or column offset as C++ in terms of columns_."""
        ratio = sympy.simplify(expr / self.program.lanes)
        if self.channels and sympy.simplify(ratio - self.program.channels) == 0:
            return "channels_ * columns_"
        if not ratio.is_Integer:
            raise LoweringError(f"{expr} is no multiple of the tile's full width {self.program.lanes}")
        return "0" if ratio == 0 else "columns_" if ratio == 1 else f"{ratio} * columns_"

    def copies(self, side: str) -> tuple[Copy, ...]:
        found = []
        for q in self.queues_of(side, "element"):
            parts = (self.program.loads if side == "input" else self.program.stores)[q.tensor.name]
            width = dim(q.tensor.dims[-1])
            for p in parts:
                offset = self._multiple(p.start)
                if len(p.node.shape) == 3 and p.node.shape[1] != 1:
                    offset = "channel_ * columns_"
                found.append(Copy(q, p.index, offset, self._multiple(width)))
        return tuple(found)

    @cached_property
    def zero_outputs(self) -> tuple[tuple[Queue, str], ...]:
        """(queue, elements per row) of every output that has a row of its own for each row of the input."""
        rows = []
        for q in self.queues:
            if q.side == "output":
                rows.append((q, self._multiple(dim(q.tensor.dims[-1])) if q.unit == "element" else "1"))
        return tuple(rows)

    @cached_property
    def zero_source(self) -> Queue:
        """The output queue whose buffer serves as the source of zeros: the largest that is always there."""
        always = [q for q in self.queues if q.side == "output" and not q.condition]
        return (sorted(always, key=lambda q: q.unit != "element") or [q for q in self.queues if q.side == "output"])[0]

    @cached_property
    def column_inputs(self) -> tuple[tuple[Tensor, int], ...]:
        found = []
        for i, n in enumerate(self.layout.columns):
            source = n.operands[0] if n.op == "reshape" else n
            if source.op == "input":
                tensor = self.interface.tensor(source.attr("name"))
                if tensor.dtype != "float32":
                    raise LoweringError(f"{tensor.name}: a vector over columns must be float32")
                found.append((tensor, i))
        return tuple(found)

    @cached_property
    def column_sums(self) -> tuple[tuple[int, str, int, str], ...]:
        """(place among the partial sums, name, column vector, condition) of each sum over rows."""
        return tuple((place, self.program.names[n], list(self.layout.columns).index(n), self._needed(n))
                     for place, n in enumerate(self.schedule.column_sums))

    @property
    def column_wait(self) -> str:
        """The condition under which vectors over columns are prepared, where all have one."""
        conditions = {self.presence(t) for t, _ in self.column_inputs} | {condition for *_, condition in self.column_sums}
        return conditions.pop() if len(conditions) == 1 else ""

    def _needed(self, n: Node) -> str:
        return self.when(frozenset(k for k in self.program.keys if n in self.program.needed[k]))

    @cached_property
    def column_outputs(self) -> tuple[tuple[Tensor, Node], ...]:
        return tuple((parts[0].tensor, parts[0].node) for parts in self.program.stores.values()
                     if self.program.kinds[parts[0].node] == "column")

    @cached_property
    def global_tensors(self) -> tuple[Tensor, ...]:
        touched = {*self.program.loads, *self.program.stores}
        if self.schedule.counts:
            touched.add(self.schedule.counts)
        return tuple(t for t in self.interface.tensors if t.name in touched)

    def presence(self, tensor: Tensor) -> str:
        if tensor.name == self.schedule.counts:
            return ""
        return self.when(self.program.present(tensor))

    @cached_property
    def row_blocks(self) -> tuple[tuple[str, int], ...]:
        """(constant name, index) of each row vector that is replicated over data blocks."""
        if self.channels:
            return ()
        return tuple((self._constant(n) + "_BLOCKS", i) for i, n in enumerate(self.layout.blocks))

    @cached_property
    def row_vectors(self) -> tuple[tuple[str, int], ...]:
        names = [(self._constant(n) + "_ROW", i) for i, n in enumerate(self.layout.rows)]
        if self.accumulates_rows or self.sums_to_blocks:
            names.append(("TILE_SUM_ROW", len(names)))
        return tuple(names)

    @cached_property
    def column_vectors(self) -> tuple[tuple[str, int], ...]:
        return tuple((self._constant(n) + "_COLUMN", slot) for n, slot in self.layout.columns.items())

    @cached_property
    def accumulates_rows(self) -> bool:
        """Whether row sums add up over the tiles along a row."""
        return not self.program.whole_rows and any(s.node.op == "reduce_sum" and s.value_kind == "row" for s in self.tile_steps)

    @cached_property
    def sums_to_blocks(self) -> bool:
        """Whether row sums are spread over data blocks, as all values per row and channel are."""
        if self.channels and self.accumulates_rows:
            raise LoweringError("sums over columns of a channel that is cut into tiles are not available")
        return self.channels and any(s.node.op == "reduce_sum" and s.value_kind == "row" for s in self.tile_steps)

    def _constant(self, n: Node) -> str:
        return snake(self.program.names[n]).upper()

    @property
    def helpers(self) -> set[str]:
        """The helpers of the tile header that the kernel calls."""
        used = set(self.used_helpers)
        if self.over_channels:
            used.add("CopyFromFloat")
        if any(len(self._widths(slot.tensor)) > 1 for slot in self.layout.direct.values()):
            used.add("InPlaceOrWork")
        return used

    def _widths(self, tensor: str) -> tuple[int, ...]:
        """The bytes per element that a tensor may have."""
        return self.interface.widths(self.interface.tensor(tensor).dtype)

    @property
    def is_float_or_not(self) -> bool:
        """Whether T may be float or have 16 bits."""
        return len(self.schedule.widths) > 1

    @cached_property
    def has_work(self) -> bool:
        return any(b.kind == "work" for b in self.schedule.buffers)

    @cached_property
    def has_masks(self) -> bool:
        return any(self.layout.masks.values())

    @property
    def zeroes(self) -> bool:
        return self.program.count is not None

    @property
    def counts(self) -> str:
        """The parameter that holds the row counts, or nothing."""
        return camel(self.schedule.counts) if self.schedule.counts else ""

    @property
    def attributes(self):
        return self.schedule.attributes

    @property
    def uses_float_max(self) -> bool:
        return any("FLOAT_MAX" in line for _, lines in self.compute for line in lines)

    @cached_property
    def compute_parameters(self) -> str:
        """Compute sees the column only where vectors over columns take part."""
        return ("int64_t column, " if self.layout.columns else "") + "const TileShape& shape"

    @cached_property
    def compute_arguments(self) -> str:
        return ("column, " if self.layout.columns else "") + "shape"

    @cached_property
    def column_results(self):
        """(output, place of its partial sums as in `column_sums`, condition) of each output that is a sum over rows."""
        found = []
        for tensor, n in self.column_outputs:
            if n not in self.schedule.column_sums:
                raise LoweringError(f"{tensor.name}: arithmetic after a sum over rows; scale the terms before they are added")
            if tensor.dtype != "float32":
                raise LoweringError(f"{tensor.name}: a sum over rows is stored as float32")
            found.append((tensor, self.schedule.column_sums.index(n), self._needed(n)))
        return tuple(found)

    @property
    def handed_field(self) -> str:
        """The tiling field of the bytes of UB that hold tiles of the input that cube cores may hand over."""
        return ub_tiles(self.schedule.handed)

    @property
    def handed(self) -> str:
        """That input, or nothing."""
        return camel(self.schedule.handed)

    @property
    def fed(self) -> str:
        """The output whose strips the stage may leave in L1, or nothing."""
        return camel(self.schedule.fed)

    @property
    def fed_product(self) -> str:
        """The product that it is an operand of."""
        return camel(self.schedule.fed_product)

    @property
    def fed_field(self) -> str:
        """The tiling field of the columns of such a strip."""
        return l1_columns(self.schedule.fed)

    def copy_in(self, queue: Queue) -> list[str]:
        lines = [f"LocalTensor<{queue.type}> {queue.tile} = {queue.name}.template AllocTensor<{queue.type}>();"]
        for c in (c for c in self.copies("input") if c.queue is queue):
            lines.append(f"LoadTile({self._part(queue, c.part)}, {self._gm(c)}, {c.stride}, shape);")
        if queue.tensor.name == self.schedule.handed:
            lines[1:] = ["if (handed_) {", f"    Muls({queue.tile}, {queue.tensor.camel}Handed_, 1.0f, shape.rows * shape.pitch);", "} else {",
                         f"    {lines[1]}", "}"]
        lines.append(f"{queue.name}.EnQue({queue.tile});")
        if queue.tensor.name in dict(self.schedule.parts):
            lines += self._add_parts(queue)
        return lines

    @cached_property
    def parts(self) -> tuple[tuple[str, str, str], ...]:
        """(input, tiling field of its parts, elements from one part to the next) of inputs that come as several parts."""
        return tuple((camel(t), field, f"tiling->blockRows * {self._factor(self._multiple(dim(self.interface.tensor(t).dims[-1])))}")
                     for t, field in self.schedule.parts)

    @staticmethod
    def _factor(text: str) -> str:
        return f"({text})" if " " in text else text

    def _add_parts(self, queue: Queue) -> list[str]:
        """The other parts onto the first one's tile, in ascending order."""
        (c,) = [c for c in self.copies("input") if c.queue is queue]
        name, part = queue.tensor.camel, f"{queue.tensor.camel}Part"
        source = self._gm(c).replace("Gm_[", f"Gm_[part * {part}Elements_ + ", 1)
        return [f"{queue.tile} = {queue.name}.template DeQue<{queue.type}>();", f"for (int64_t part = 1; part < {name}Parts_; ++part) {{",
                f"    LocalTensor<{queue.type}> {part} = {queue.name}.template AllocTensor<{queue.type}>();",
                f"    LoadTile({part}, {source}, {c.stride}, shape);", f"    {queue.name}.EnQue({part});",
                f"    {part} = {queue.name}.template DeQue<{queue.type}>();",
                f"    Add({queue.tile}, {queue.tile}, {part}, shape.rows * shape.pitch);", f"    {queue.name}.FreeTensor({part});", "}",
                f"{queue.name}.EnQue({queue.tile});"]

    def copy_out(self, queue: Queue) -> list[str]:
        lines = [f"LocalTensor<{queue.type}> {queue.tile} = {queue.name}.template DeQue<{queue.type}>();"]
        for c in (c for c in self.copies("output") if c.queue is queue):
            lines.append(f"StoreTile({self._gm(c)}, {self._part(queue, c.part)}, {c.stride}, shape);")
        if queue.tensor.name == self.schedule.fed:
            lines += ["if (stripColumns_ > 0) {", f"    LeaveInL1({queue.tile}, row, column, shape);", "}"]
        return lines + [f"{queue.name}.FreeTensor({queue.tile});"]

    @staticmethod
    def _part(queue: Queue, part: int) -> str:
        return queue.tile if part == 0 else f"{queue.tile}[{'' if part == 1 else f'{part} * '}tileElements_]"

    @staticmethod
    def _gm(c: Copy) -> str:
        stride = f"({c.stride})" if " " in c.stride else c.stride
        offset = "" if c.offset == "0" else f" + {c.offset}"
        return f"{c.queue.tensor.camel}Gm_[row * {stride}{offset} + column]"

    # -- scalars ----------------------------------------------------------------------------------------------------

    def scalar(self, n: Node) -> str:
        """A scalar value as a C++ expression over the kernel's members."""
        if n.op == "constant":
            value = n.attr("value")
            return f"{value!r}f"
        if n.op == "input":
            return f"{camel(n.attr('name'))}_"
        if n.op == "size":
            return self._size(n.attr("of"))
        if n.op == "cast":
            return f"static_cast<{CPP_TYPES[n.attr('to')]}>({self.scalar(n.operands[0])})"
        if n.op == "neg":
            inner = self.scalar(n.operands[0])
            return f"-{inner}" if n.operands[0].op in ("input", "constant") else f"-({inner})"
        if n.op == "guard":
            a, b = (self.scalar(o) for o in n.operands)
            return f"({self.flag(n.attr('option'))} ? {a} : {b})"
        infix = {"add": "+", "sub": "-", "mul": "*", "div": "/"}.get(n.op)
        if infix is None:
            raise LoweringError(f"{n.op}: no C++ for it on scalars")
        a, b = (self.scalar(o) for o in n.operands)
        return f"({a} {infix} {b})"

    def _size(self, symbol: str) -> str:
        if symbol == "T":
            return "totalRows_"
        if self.channels and dim(symbol) == self.program.channels:
            return "channels_"
        try:
            return self._multiple(dim(symbol))
        except LoweringError:
            self.sizes.add(symbol)
            return f"size{symbol}_"

    # -- tile statements ----------------------------------------------------------------------------------------------

    @property
    def over_channels(self) -> bool:
        return self.program.over_channels

    @cached_property
    def finish_channels(self) -> tuple[str, ...]:
        """What the last channel of a tile does: the accumulated tiles are stored."""
        lines = []
        for s in self.tile_steps:
            if s.kind == "store":
                q = next(q for q in self.queues if q.tensor is s.part.tensor)
                lines += [f"LocalTensor<{q.type}> {q.tile} = {q.name}.template AllocTensor<{q.type}>();",
                          f"CopyFromFloat({q.tile}, {self._home(s.part.node)}, count);", f"{q.name}.EnQue({q.tile});"]
        return tuple(lines)

    def _home(self, n: Node) -> str:
        """Where a tile or mask value lives, as a C++ expression."""
        if n in self.layout.accumulators:
            return f"Accumulator({self.layout.accumulators.index(n)})"
        slot = self.layout.homes[n]
        if slot.memory == "mask":
            return f"Mask({slot.index})"
        direct = self.layout.direct.get(n)
        if direct is None:
            return f"Work({slot.index})"
        part = self._tile_part(direct)
        return f"InPlaceOrWork({part}, {slot.index})" if len(self._widths(direct.tensor)) > 1 else part

    def _tile_part(self, slot: Slot) -> str:
        tensor = self.interface.tensor(slot.tensor)
        name = f"{tensor.camel}Tile"
        parts = len((self.program.loads if slot.memory == "input" else self.program.stores)[slot.tensor])
        if parts == 1 or slot.index == 0:
            return name
        return f"{name}[tileElements_]" if slot.index == 1 else f"{name}[{slot.index} * tileElements_]"

    def _same_home(self, nodes: set[Node]) -> bool:
        return len({(self.layout.homes[n], self.layout.direct.get(n)) for n in nodes}) == 1

    def _operand(self, o: Node, s: Step) -> str:
        while self.program.is_view(o):
            o = o.operands[0]
        kind = self.program.kinds[o]
        if kind == "scalar":
            return self.scalar(o)
        if kind == "row":
            if s.value_kind == "row" or self.channels:
                return self._row(o)
            self.used_helpers.add("ReplicateRows")
            return f"RowBlocks({self._constant(o)}_BLOCKS)"
        if kind == "column":
            return f"Column({self._constant(o)}_COLUMN, column)"
        return self._tile_name(o)

    def _tile_name(self, o: Node) -> str:
        return self.program.names[o]

    def _row(self, o: Node) -> str:
        source = o.operands[0] if o.op == "reshape" else o
        if source.op == "input":
            return f"{self.interface.tensor(source.attr('name')).camel}Row_"
        return f"RowVector({self._constant(o)}_ROW)"

    def _tile_statements(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(condition, statements) groups of Compute, in order."""
        emitter = _Groups()
        program, steps = self.program, self.tile_steps
        release = self._releases()
        for position, s in enumerate(steps):
            cond = self.when(s.keys)
            if s.kind == "load":
                emitter.add(cond, self._load(s, emitter))
            elif s.kind == "store":
                if s.value_kind == "tile" and not self.over_channels:
                    self._choose(s.part.node, emitter)
                    emitter.add(cond, self._store(s))
            else:
                for o in s.operands:
                    self._choose(o, emitter)
                emitter.add(cond, self._compute(s, emitter))
            for cond_free, text in release.get(position, ()):
                emitter.add(cond_free, [text])
        return emitter.groups()

    def _declare(self, s: Step, emitter: _Groups) -> None:
        """Declares a step's value by its home, once; names of one home under several options are one variable."""
        if s.name not in self._declared:
            self._declared.add(s.name)
            kind = "uint8_t" if s.value_kind == "mask" else "float"
            emitter.declare(self.when(s.keys), f"LocalTensor<{kind}> {s.name} = {self._home(s.node)};")

    def _choose(self, o: Node, emitter) -> None:
        """Declares the variable of a guard before its first use, unless its alternatives share it already."""
        while self.program.is_view(o):
            o = o.operands[0]
        if o.op != "guard" or self.program.kinds[o] not in ("tile", "mask"):
            return
        name = self.program.names[o]
        nodes = {k: self.program.resolve(o, k) for k in self.program.keys if o in self.program.needed[k]}
        if self._same_home(set(nodes.values())):
            if name not in self._declared:
                self._declared.add(name)
                first = next(iter(nodes.values()))
                emitter.declare("", f"LocalTensor<float> {name} = {self._home(first)};")
            return
        chosen = f"{name}Chosen"
        self.program.names[o] = chosen
        self._declared.add(chosen)
        by_node: dict[Node, set[int]] = {}
        for k, n in nodes.items():
            by_node.setdefault(n, set()).add(k)
        text = self._home(next(iter(by_node)))
        if len(by_node) > 1:
            given, absent = (self._home(self.program.resolve(o, key)) for key in (max(self.program.keys), 0))
            text = f"{self.flag(o.attr('option'))} ? {given} : {absent}"
        emitter.declare("", f"LocalTensor<float> {chosen} = {text};")

    def _load(self, s: Step, emitter: _Groups) -> list[str]:
        part = self._tile_part(Slot("input", s.part.index, s.part.tensor.name))
        self._declare(s, emitter)
        comment = f"  // {s.formula}" if " = " in s.formula else ""
        return [f"ToFloat({s.name}, {part}, count);{comment}"]

    def _store(self, s: Step) -> list[str]:
        slot = Slot("output", s.part.index, s.part.tensor.name)
        value = self._tile_name(s.part.node)
        homed = all(self.layout.direct.get(self.program.resolve(s.part.node, k)) == slot for k in s.keys)
        helper = "FromFloat" if homed or 4 not in self._widths(slot.tensor) else "CopyFromFloat"
        self.used_helpers.add(helper)
        return [f"{helper}({self._tile_part(slot)}, {value}, count);"]

    def _compute(self, s: Step, emitter: _Groups) -> list[str]:
        lines = []
        operands = [self._operand(o, s) for o in s.operands]
        if s.accumulates:
            home = self._home(s.node)
            (text,) = s.instruction.text
            return ["if (channel_ == 0) {" + f"  // {s.formula}", f"    Muls({home}, {operands[0]}, 1.0f, count);", "} else {",
                    "    " + text.format(d=home, a=operands[0], n="count"), "}"]
        scratch = list(self.layout.scratch.get(s, ()))
        if s in self.layout.copies:
            spare = f"Work({scratch.pop(0)})"
            lines.append(f"Muls({spare}, {operands[0]}, 1.0f, count);")
            operands[0] = spare
        if s.value_kind in ("tile", "mask"):
            self._declare(s, emitter)
            result = s.name
        elif s.value_kind == "row":
            result = self._row(s.node)
        else:
            result = f"Column({self._constant(s.node)}_COLUMN, column)"
        count = "count"
        if s.value_kind == "row" and s.node.op != "reduce_sum":
            count = "shape.rows * BLOCK_FLOATS" if self.channels else "shape.rows"
        spread = self.sums_to_blocks and s.value_kind == "row" and s.node.op == "reduce_sum"
        accumulate = self.accumulates_rows and s.value_kind == "row" and s.node.op == "reduce_sum"
        names = {"d": "RowVector(TILE_SUM_ROW)" if accumulate or spread else result, "n": count, "shape": "shape"}
        names.update(zip("abc", operands))
        names.update((letter, f"Work({index})") for letter, index in zip("tu", scratch))
        statements = []
        for text in s.instruction.text:
            statements.append(text.format(**_masks(text, names)))
            for helper in ("ApplyRows", "ApplyColumns", "SumRows", "AddRowsTo"):
                if helper in text:
                    self.used_helpers.add(helper)
        if accumulate:
            statements.append(f"Add({result}, {result}, RowVector(TILE_SUM_ROW), shape.rows);")
        if spread:
            self.used_helpers.add("ReplicateRows")
            statements.append(f"ReplicateRows({result}, RowVector(TILE_SUM_ROW), shape.rows);")
        lines += statements
        lines[-len(statements)] += f"  // {s.formula}"
        if s.value_kind == "row" and s.node in self.layout.blocks and not self.channels:
            self.used_helpers.add("ReplicateRows")
            lines.append(f"ReplicateRows(RowBlocks({self._constant(s.node)}_BLOCKS), {result}, shape.rows);")
        return lines

    def _releases(self) -> dict[int, list[tuple[str, str]]]:
        """Where loaded tiles are freed: after the cast where there is one, after the last use in place where not."""
        found: dict[int, list[tuple[str, str]]] = {}
        for q in self.queues_of("input", "element"):
            casts, uses = 0, 0
            for position, s in enumerate(self.tile_steps):
                touched = [s.node] if s.kind != "store" else []
                for o in s.operands:
                    touched += [self.program.resolve(o, k) for k in s.keys]
                if s.kind == "load" and s.part.tensor is q.tensor:
                    casts = position
                if any((d := self.layout.direct.get(n)) and d.memory == "input" and d.tensor == q.tensor.name for n in touched):
                    uses = max(uses, position)
            if uses <= casts or q.type == "float":
                found.setdefault(max(casts, uses), []).append((q.condition, f"{q.name}.FreeTensor({q.tile});"))
            else:
                self.used_helpers.add("FreeEarly")
                found.setdefault(casts, []).append((q.condition, f"FreeAfterCast({q.name}, {q.tile});"))
                found.setdefault(uses, []).append((q.condition, f"FreeAfterUse({q.name}, {q.tile});"))
        return found

    # -- rows and columns ---------------------------------------------------------------------------------------------

    def _prepare_rows(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        emitter = _Groups()
        for s in (s for s in self.program.steps if s.region == "rows_before"):
            emitter.add(self.when(s.keys), self._row_step(s))
        for n in self.layout.blocks if not self.channels else ():
            if n.op == "input":
                self.used_helpers.add("ReplicateRows")
                keys = frozenset(k for k in self.program.keys if n in self.program.needed[k])
                emitter.add(self.when(keys), [f"ReplicateRows(RowBlocks({self._constant(n)}_BLOCKS), {self._row(n)}, rows);"])
        for s in self.program.steps:
            if s.region == "rows_before" and s.node in self.layout.blocks and not self.channels:
                self.used_helpers.add("ReplicateRows")
                emitter.add(self.when(s.keys), [f"ReplicateRows(RowBlocks({self._constant(s.node)}_BLOCKS), {self._row(s.node)}, rows);"])
        if self.accumulates_rows:
            for s in self.tile_steps:
                if s.node.op == "reduce_sum" and s.value_kind == "row":
                    emitter.add(self.when(s.keys), [f"Duplicate({self._row(s.node)}, 0.0f, rows);"])
        return emitter.groups()

    def _row_step(self, s: Step) -> list[str]:
        names = {"d": self._row(s.node), "n": "rows * BLOCK_FLOATS" if self.channels else "rows"}
        names.update(zip("abc", (self.scalar(o) if self.program.kinds[o] == "scalar" else self._row(o) for o in s.operands)))
        if s.instruction.scratch:
            raise LoweringError(f"{s.node.op}: not available on one value per row")
        lines = [t.format(**names) for t in s.instruction.text]
        lines[0] += f"  // {s.formula}"
        return lines

    @property
    def stores_rows(self) -> bool:
        """Whether something is done with each row of a tile at its end, beside freeing what was loaded."""
        return any(s.region == "rows_after" for s in self.program.steps)

    def _finish_rows(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        emitter = _Groups()
        for s in (s for s in self.program.steps if s.region == "rows_after"):
            if s.kind == "store" and self.channels:
                raise LoweringError(f"{s.part.tensor.name}: an output of one value per row and channel is not available")
            if s.kind == "store":
                value = self.program.resolve(s.part.node, next(iter(s.keys)))
                emitter.add(self.when(s.keys), [f"StoreRow({s.part.tensor.camel}Queue_, {s.part.tensor.camel}Gm_, {self._row(value)}, row, rows);"])
                self.used_helpers.add("StoreRow")
            else:
                emitter.add(self.when(s.keys), self._row_step(s))
        for q in self.queues_of("input", "row"):
            emitter.add(q.condition, [f"{q.name}.FreeTensor({q.tile}_);"])
        return emitter.groups()

    @cached_property
    def prepare_columns(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Arithmetic on vectors over columns, before the rows."""
        emitter = _Groups()
        first, count = ("column", "RoundUpTo(static_cast<int32_t>(columns), BLOCK_FLOATS)") if self.fed else ("0", "columnCapacity_")
        for s in (s for s in self.program.steps if s.region == "columns_before"):
            def operand(o):
                while self.program.is_view(o):
                    o = o.operands[0]
                return self.scalar(o) if self.program.kinds[o] == "scalar" else f"Column({self._constant(o)}_COLUMN, {first})"

            if s.instruction.scratch:
                raise LoweringError(f"{s.node.op}: not available on one value per column")
            names = {"d": f"Column({self._constant(s.node)}_COLUMN, {first})", "n": count}
            names.update(zip("abc", map(operand, s.operands)))
            lines = [t.format(**names) for t in s.instruction.text]
            lines[0] += f"  // {s.formula}"
            emitter.add(self.when(s.keys), lines)
        return emitter.groups()

    def _finish_columns(self) -> tuple[str, ...]:
        """Statements on the summed columns of one piece; vectors are ColumnPiece(i)."""
        lines = []
        for s in (s for s in self.program.steps if s.region == "columns_after" and s.kind == "compute"):
            raise LoweringError(f"{s.node.op}: not available on sums over rows")
        return tuple(lines)


def _times(factor: int) -> str:
    return "" if factor == 1 else f"{factor} * "


def _masks(text: str, names: dict[str, str]) -> dict[str, str]:
    """And, Or and Not work on 16-bit words."""
    if not text.startswith(("And(", "Or(", "Not(")):
        return names
    return {k: f"{v}.ReinterpretCast<uint16_t>()" if k in "dab" else v for k, v in names.items()}


def _bytes_text(b: Buffer, text: KernelText) -> str:
    depth = f"{b.depth} x " if b.depth > 1 else ""
    if b.kind in ("input", "output") and b.unit == "row" and text.channels:
        return f"{depth}{BLOCK}"  # a data block for each value
    if b.kind in ("input", "output"):
        parts = len((text.program.loads if b.kind == "input" else text.program.stores)[b.tensor.name])
        size = str(BYTES[b.dtype]) if b.dtype in BYTES else "b"
        return f"{depth}{f'{parts} x ' if parts > 1 else ''}{size}"
    if b.kind == "work":
        return "4 x WORK_SLOTS"
    if b.kind == "mask":
        return "MASK_SLOTS / 8"
    return f"{depth}{b.bytes}"


class _Groups:
    """Statements in order, those under one condition joined into one block.

    A declaration only names memory, so it may stand before the block it is first needed in: it does where a later
    block needs it too.
    """

    def __init__(self):
        self._groups: list[tuple[str, list[str]]] = []
        self._declarations: list[tuple[int, int, str, str]] = []

    def add(self, condition: str, lines: list[str]) -> None:
        if self._groups and self._groups[-1][0] == condition:
            self._groups[-1][1].extend(lines)
        else:
            self._groups.append((condition, list(lines)))

    def declare(self, condition: str, line: str) -> None:
        """A declaration needed from here on by statements under that condition."""
        at = len(self._groups) - 1
        if at < 0 or self._groups[at][0] != condition:
            at += 1
            position = 0
        else:
            position = len(self._groups[at][1])
        self._declarations.append((at, position, condition, line))

    def groups(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        before: dict[int, list[str]] = {}
        inside: dict[int, list[tuple[int, str]]] = {}
        for at, position, condition, line in self._declarations:
            name = line.split(" = ")[0].split()[-1]
            later = any(_mentions(text, name) for _, lines in self._groups[at + 1:] for text in lines)
            at = min(at, len(self._groups) - 1)
            if self._groups[at][0] and (later or not condition):
                elsewhere = not condition or any(
                    c != condition and _mentions(text, name) for c, lines in self._groups for text in lines)
                if elsewhere:
                    before.setdefault(at, []).append(line)
                else:
                    before.setdefault(at, []).append(line.split(" = ")[0] + ";")
                    inside.setdefault(at, []).append((position, line.split(" ", 1)[1]))
            else:
                inside.setdefault(at, []).append((position, line))
        result: list[tuple[str, list[str]]] = []
        for at, (condition, lines) in enumerate(self._groups):
            merged, pending = [], list(inside.get(at, ()))
            for i, text in enumerate([*lines, None]):
                merged += [line for position, line in pending if position == i]
                if text is not None:
                    merged.append(text)
            if before.get(at):
                if result and not result[-1][0]:
                    result[-1][1].extend(before[at])
                else:
                    result.append(("", before[at]))
            if result and result[-1][0] == condition:
                result[-1][1].extend(merged)
            else:
                result.append((condition, merged))
        return tuple((c, tuple(lines)) for c, lines in result if lines)


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


CONSTANTS = {"BLOCK_BYTES": BLOCK, "TILE_ALIGNMENT": TILE_ALIGNMENT, "COUNTS_PER_LOAD": COUNTS_BYTES // 8,
             "PARTIAL_COLUMNS": PARTIAL_COLUMNS}
