"""The texts of a kernel of several stages that its entry prints: levels in order, their vector stages and products."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import sympy

from compiler.emit.kernel import CPP_TYPES, KernelText, instances, upper
from compiler.lower import LoweringError, condition
from compiler.partition import CubeStage, Product, Stack, stacks
from compiler.schedule.cube import FRACTAL, MOST_LOAD_K, STEP_K, STRIP_BUFFERS, CubeFigures
from compiler.schedule.formula import to_cpp
from compiler.schedule.mixed import CUT, MixedSchedule
from compiler.schedule.tiling import l1_columns, ub_tiles
from ir.interface import ROWS, camel
from ir.types import dim

RUN_BYTES = 8192
"""UB bytes of a run of zeros, or of float32 results that are added up."""


@dataclass(frozen=True)
class CubeText:
    """The constants of the header of products."""

    figures: CubeFigures
    fractal: int = FRACTAL
    step_k: int = STEP_K
    most_load_k: int = MOST_LOAD_K
    hands_over: bool = False
    takes_strips: bool = False
    strip_buffers: int = STRIP_BUFFERS


@dataclass(frozen=True)
class VectorText:
    class_name: str
    file: str
    condition: str
    template_arguments: str
    init_arguments: str
    sums_arguments: str  # empty where it sums nothing over rows
    sums_condition: str

    @property
    def process(self) -> tuple[str, ...]:
        """Statements that run it on a block."""
        index = ", block.index" if self.sums_arguments else ""
        return self._run(f"stage.Init({self.init_arguments}, tiling, &pipe, block.rows{index});", "stage.Process();")

    @property
    def finish(self) -> tuple[str, ...]:
        """Statements that add up its sums over rows."""
        return self._run(f"stage.InitSums({self.sums_arguments}, tiling, &pipe);", "stage.FinishColumns();")

    def _run(self, *calls: str) -> tuple[str, ...]:
        return ("PipeBarrier<PIPE_ALL>(); // the memory of what ran before is free", "pipe.Reset();",
                f"{self.class_name}<{self.template_arguments}> stage;", *calls)


@dataclass(frozen=True)
class ProductText:
    """A stack of products. formulas: one a product, its condition included; lines: its statements."""

    condition: str
    formulas: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """after: what comes before it that may go to the other kind of core's memory: its level and the next one are then one step."""

    level: int
    after: tuple[str, ...] = ()
    vectors: tuple[VectorText, ...] = ()
    products: tuple[ProductText, ...] = ()


class StagesText:
    """What the entry template needs to know, by name."""

    run_bytes = RUN_BYTES

    def __init__(self, schedule: MixedSchedule):
        self.schedule = schedule
        self.interface = schedule.interface
        self.kernels = {name: KernelText(s) for name, s in schedule.vectors.items()}
        options = schedule.partition.options
        self.keys, self.options, self.dtype_macro = instances(options), tuple(map(KernelText.flag, options)), self._dtype_macro()

    def _dtype_macro(self) -> str:
        variable = next(t for t in self.interface.tensors if t.dtype in self.interface.dtypes)
        return f"DTYPE_{upper(variable.name)}"

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        return tuple(t.camel for t in (*self.interface.inputs, *self.interface.outputs))

    @cached_property
    def vectors(self) -> tuple[KernelText, ...]:
        return tuple(self.kernels.values())

    @property
    def own_helpers(self) -> set[str]:
        """The helpers of the tile header that the entry itself calls."""
        return {"CopyFromFloat"} if self.split_outputs else set()

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        found: dict[int, list] = {}
        for s in self.schedule.partition.stages:
            found.setdefault(s.level, []).append(s)
        levels = []
        for level in sorted(found):
            stages = found[level]
            if isinstance(stages[0], CubeStage):
                levels.append(Level(level, self._handed(level), products=tuple(self._stack(s) for s in stages[0].stacks)))
            else:
                levels.append(Level(level, self._handed(level), vectors=tuple(self._vector(s.name) for s in stages)))
        return tuple(levels)

    def _handed(self, level: int) -> tuple[str, ...]:
        return tuple(camel(t) for t, (at, _) in self.schedule.in_one_step.items() if at < level)

    @cached_property
    def handed(self) -> tuple[tuple[str, str, str], ...]:
        """(tensor, tiling field, where it goes to) of the results that may go to UB and the operands that may go to L1."""
        ub = "tile by tile to the unified buffers of the group's vector cores"
        l1 = "in strips of columns to the L1 of the group's cube core"
        return tuple((camel(t), field, ub if t in self.schedule.handed else l1) for t, (_, field) in self.schedule.in_one_step.items())

    @cached_property
    def summary(self) -> tuple[str, ...]:
        lines = []
        for level in self.levels:
            lines += [f"{level.level}  cube    {formula}" for p in level.products for formula in p.formulas]
            for v in level.vectors:
                kernel = next(k for k in self.vectors if k.class_name == v.class_name)
                lines.append(f"{level.level}  vector  {', '.join(camel(t) for t in kernel.program.stores)}" + (f"   ({v.condition})" if v.condition else ""))
        lines += [f"-  cube    {formula}" for p in self.sum_products for formula in p.formulas]
        return tuple(lines)

    @cached_property
    def depth(self) -> int:
        return self.schedule.partition.levels

    @cached_property
    def sum_products(self) -> tuple[ProductText, ...]:
        return tuple(self._stack(s) for s in stacks(self.schedule.partition.sums))

    @property
    def sums_wait(self) -> bool:
        """Whether products over all rows need what the last step writes. Else cube cores take them up while vector cores are
        still in it."""
        parts = self.schedule.partition
        return any(parts.ready(p) == self.depth - 1 for p in parts.sums)

    @cached_property
    def finishing(self) -> tuple[VectorText, ...]:
        """The vector stages whose sums over rows are added up over the cores at the end."""
        return tuple(self._vector(name) for name, s in self.schedule.vectors.items() if s.column_sums)

    def _vector(self, name: str) -> VectorText:
        kernel = self.kernels[name]
        keys = frozenset(k for k in kernel.program.keys if any(
            k in kernel.program.present(parts[0].tensor) for parts in kernel.program.stores.values()))
        arguments = [self._address(t.name) for t in kernel.global_tensors]
        partial = [f"workspace + tiling->{name}PartialOffset"] if self.schedule.vectors[name].column_sums else []
        sums = [tensor.camel for tensor, *_ in kernel.column_results]
        summed = frozenset(k for k in keys if any(n in kernel.program.needed[k] for n in kernel.schedule.column_sums))
        return VectorText(kernel.class_name, kernel.file, kernel.when(keys), ", ".join(["T", *self.options]),
                          ", ".join([*arguments, *partial]), ", ".join([*sums, *partial]) if partial else "", kernel.when(summed))

    def _address(self, tensor: str, whole: bool = False) -> str:
        """Where a tensor's rows of the block start; `whole`: where the tensor starts."""
        t = self.schedule.partition.workspace.get(tensor)
        if t is None:
            t = self.interface.tensor(tensor)
            base = camel(tensor)
            return f"RowsOf({base}, block, {camel(tensor)}Row)" if (t.leading or t.elements_only) and not whole else base
        base = f"workspace + tiling->{camel(tensor)}Offset"
        slots = self.schedule.slots(tensor)
        if whole:
            return base
        if slots:
            parts = to_cpp(self.schedule.parts(tensor))
            blocks = "tiling->blockRows" if parts == "1" else f"tiling->{parts} * tiling->blockRows"
            return f"SlotOf({base}, block, {slots}, {blocks} * {camel(tensor)}Row)"
        return f"RowsOf({base}, block, {camel(tensor)}Row)"

    @cached_property
    def row_bytes(self) -> tuple[tuple[str, str], ...]:
        """(tensor, bytes of one row) of every tensor that is walked block by block."""
        tensors = [t for t in self.interface.tensors if t.leading or t.elements_only] + list(self.schedule.partition.workspace.values())
        text = "\n".join([*(line for p in self.products for line in p.lines), *(v.init_arguments for level in self.levels for v in level.vectors)])
        return tuple((t.camel, self._row_bytes(t)) for t in tensors if re.search(rf"\b{t.camel}Row\b", text))

    @cached_property
    def products(self) -> tuple[ProductText, ...]:
        return (*(p for level in self.levels for p in level.products), *self.sum_products)

    def _row_bytes(self, t) -> str:
        size = f"sizeof({CPP_TYPES.get(t.dtype, 'T')})"
        return size if t.elements_only else f"{self.size(sympy.prod([dim(d) for d in t.dims]))} * {size}"

    def _type(self, tensor: str) -> str:
        t = self.schedule.partition.workspace.get(tensor) or self.interface.tensor(tensor)
        return CPP_TYPES.get(t.dtype, "T")

    def size(self, expr: sympy.Expr) -> str:
        """A size as C++ over the size symbols."""
        text = to_cpp(sympy.sympify(expr))
        return re.sub(rf"\b{ROWS}\b", "tiling->totalRows", text)

    def symbols(self, texts) -> tuple[str, ...]:
        """The size symbols that texts of C++ name."""
        return tuple(s for s in self.schedule.symbols if any(re.search(rf"\b{s}\b", t) for t in texts))

    @cached_property
    def sum_symbols(self) -> tuple[str, ...]:
        return self.symbols([count for _, _, count, _ in self.sums])

    @cached_property
    def run_symbols(self) -> tuple[str, ...]:
        return self.symbols([*(b for _, b in self.row_bytes), *(line for p in self.products for line in p.lines),
                             *(elements for _, _, elements, _, _ in self.split_outputs)])

    def _columns(self, tensor: str) -> str:
        t = self.schedule.partition.workspace.get(tensor) or self.interface.tensor(tensor)
        return self.size(dim(t.dims[-1]))

    def _matrix(self, tensor: str, whole: bool, part: str = "") -> str:
        """The rows of a block of a tensor as a matrix, or all of them; part: where it is one of several, the bytes before it."""
        return f"Gm<{self._type(tensor)}>({self._address(tensor, whole)}{f' + {part}' if part else ''}, {self._columns(tensor)})"

    def _whole(self, p: Product) -> bool:
        """Whether it is walked once, over all rows."""
        return p in self.schedule.partition.sums

    def _when(self, keys: frozenset[int]) -> str:
        return condition(keys, self.schedule.partition.options, KernelText.flag)

    def _formula(self, p: Product) -> str:
        name = lambda tensor, transposed: camel(tensor) + ("^T" if transposed else "")
        where = self._when(p.keys)
        terms = []
        for t in p.terms:
            text = f"{name(t.a, t.transpose_a)} @ {name(t.b, t.transpose_b)}"
            terms.append(f"({self._when(t.keys)} ? {text} : 0)" if t.keys != p.keys else text)
        return f"{camel(p.result)} = {' + '.join(terms)}" + (f"   ({where})" if where else "")

    def _stack(self, s: Stack) -> ProductText:
        for tensor in sorted(set().union(*(p.operands for p in s.products))):
            if self._type(tensor) != "T":
                raise LoweringError(f"matmul: {tensor} is {self._type(tensor)}; cubes take operands of the dtype variable")
        first, flag, name = s.products[0], lambda x: "true" if x else "false", camel(s.name)
        whole = self._whole(first)
        size = lambda expr: self.size(expr) if whole or expr != dim(ROWS) else "block.rows"
        cut = f"CubeCut{{{', '.join(f'tiling->{name}{ending}' for _, ending, _ in CUT)}}}"
        m, n, before = size(first.m), size(first.n), []
        joined = len(s.products) > 1
        if joined:
            before.append(f"Stack<T, {len(s.products)}> stack;")
            for p in s.products:
                t, where = p.terms[0], self._when(p.keys)
                operand, length = (t.a, p.m) if s.axis == "m" else (t.b, p.n)
                length = f"{where} ? {size(length)} : 0" if where and p.keys != s.keys else size(length)
                before.append(f"stack.Add({self._matrix(operand, whole)}, {length});")
            m, n = ("stack.Size()", n) if s.axis == "m" else (m, "stack.Size()")
        inner = []
        feed = self.schedule.fed.get(s.name)
        strip = f"tiling->{l1_columns(feed.operand)} > 0" if feed else ""
        for t in first.terms:
            a, b = self._matrix(t.a, whole), self._matrix(t.b, whole)
            if joined:
                a, b = ("stack", b) if s.axis == "m" else (a, "stack")
            lines = [f"cube.template Accumulate<{flag(t.transpose_a)}, {flag(t.transpose_b)}>({a}, {b}, {size(t.k)});"]
            if feed:
                taken = f"cube.template AccumulateStrip<{flag(t.transpose_b)}>({b}, {size(t.k)});"
                lines = [f"if ({strip}) {{", f"    {taken}", "} else {", f"    {lines[0]}", "}"]
            inner += self._under(t.keys, s.keys, lines)
        for i, p in enumerate(s.products):
            part = f"stack.Range{s.axis.upper()}({i})" if joined else ""
            inner += self._under(p.keys, s.keys, self._store(p, part, self.schedule.splits(s), name))
        tiles = f"tiling->{ub_tiles(s.name)}" if s.name in self.schedule.handed else ""
        if tiles:
            store = inner[-1]
            inner[-1:] = [f"if ({tiles} > 0) {{", "    cube.HandOver();", "} else {", f"    {store}", "}"]
        ways = [tiles or "0", strip] if strip else [tiles] if tiles else []
        start = f"cube.Start({', '.join([cut, m, n, *(ways if self.schedule.handed or not feed else ways[1:])])});"
        lines = (*before, start, "while (cube.Next()) {", *(f"    {line}" for line in inner), "}")
        if joined and not self._when(s.keys):  # the stack is a local
            lines = ("{", *(f"    {line}" for line in lines), "}")
        return ProductText(self._when(s.keys), tuple(self._formula(p) for p in s.products), lines)

    def _under(self, keys: frozenset[int], outer: frozenset[int], lines: list[str]) -> list[str]:
        """Lines under the condition of these keys, where it is not that of what is around them."""
        where = self._when(keys)
        if not where or keys == outer:
            return lines
        return [f"if constexpr ({where}) {{", *(f"    {line}" for line in lines), "}"]

    def _store(self, p: Product, place: str, splits: bool, name: str) -> list[str]:
        """The result's tile to GM: to where its part lies if it is summed in parts."""
        more, columns, whole = f", {place}" if place else "", self._columns(p.result), self._whole(p)
        if p.result in self.schedule.partition.workspace:
            part = f"cube.Part() * tiling->blockRows * {camel(p.result)}Row" if splits else ""
            return [f"cube.Store({self._matrix(p.result, whole, part)}{more});"]
        plain = f"cube.Store({self._matrix(p.result, whole)}{more});"
        if not splits:
            return [plain]
        rows = self.size(p.m)
        first = "" if whole else f" + block.first * {columns}"
        at = f"workspace + tiling->{camel(p.result)}PartsOffset + (cube.Part() * {rows} * {columns}{first}) * sizeof(float)"
        return [f"if (tiling->{name}Parts == 1) {{", f"    {plain}", "} else {", f"    cube.Store(Gm<float>({at}, {columns}){more});", "}"]

    @cached_property
    def split_outputs(self) -> tuple[tuple[str, str, str, str, str], ...]:
        """(output, type, elements, tiling field of its parts, condition) of the outputs that may be summed in parts."""
        found = []
        for p, _ in self.schedule.split_outputs:
            elements = self.size(p.m * p.n)
            found.append((camel(p.result), self._type(p.result), elements, to_cpp(self.schedule.parts(p.result)), self._when(p.keys)))
        return tuple(found)

    @property
    def split_fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(field for _, _, _, field, _ in self.split_outputs))

    @cached_property
    def sums(self) -> tuple[tuple[str, str, str, str], ...]:
        """(output, type, elements, condition) of the outputs that are sums over rows."""
        found = []
        for t in self.interface.outputs:
            if t.leading or t.elements_only:
                continue
            elements = sympy.prod([dim(d) for d in t.dims])
            option = t.option if t.option in self.schedule.partition.options else None
            found.append((t.camel, CPP_TYPES.get(t.dtype, "T"), self.size(elements), KernelText.flag(option) if option else ""))
        return tuple(found)
