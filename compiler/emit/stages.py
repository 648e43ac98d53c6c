"""The texts of a kernel of several stages that its entry prints: levels in order, their vector stages and products."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import sympy

from compiler.emit.kernel import CPP_TYPES, KernelText, upper
from compiler.lower import LoweringError, condition
from compiler.partition import CubeStage, Product
from compiler.schedule.formula import to_cpp
from compiler.schedule.mixed import MixedSchedule
from ir.interface import ROWS, camel
from ir.types import dim

ZERO_BYTES = 8192
"""UB bytes of zeros that a burst of the zero fill stores."""


@dataclass(frozen=True)
class CubeTile:
    """Elements of an output tile and of a step along k: two of each operand fit L0A and L0B, one result L0C, on every product."""

    m: int = 128
    n: int = 128
    k: int = 128


@dataclass(frozen=True)
class VectorText:
    class_name: str
    file: str
    condition: str
    template_arguments: str
    init_arguments: str


@dataclass(frozen=True)
class ProductText:
    condition: str
    formula: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    level: int
    vectors: tuple[VectorText, ...] = ()
    products: tuple[ProductText, ...] = ()


class StagesText:
    """What the entry template needs to know, by name."""

    zero_bytes = ZERO_BYTES

    def __init__(self, schedule: MixedSchedule):
        self.schedule = schedule
        self.interface = schedule.interface
        self.kernels = {name: KernelText(s) for name, s in schedule.vectors.items()}
        first = next(iter(self.kernels.values()))
        self.keys, self.options, self.dtype_macro = first.keys, first.options, self._dtype_macro()

    def _dtype_macro(self) -> str:
        variable = next(t for t in self.interface.tensors if t.dtype in self.interface.dtypes)
        return f"DTYPE_{upper(variable.name)}"

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        return tuple(t.camel for t in (*self.interface.inputs, *self.interface.outputs))

    @cached_property
    def vectors(self) -> tuple[KernelText, ...]:
        return tuple(self.kernels.values())

    @cached_property
    def helpers(self) -> set[str]:
        return set().union(*(k.helpers for k in self.vectors))

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        found: dict[int, list] = {}
        for s in self.schedule.partition.stages:
            found.setdefault(s.level, []).append(s)
        levels = []
        for level in sorted(found):
            stages = found[level]
            if isinstance(stages[0], CubeStage):
                levels.append(Level(level, products=tuple(self._product(p) for p in stages[0].products)))
            else:
                levels.append(Level(level, vectors=tuple(self._vector(s.name) for s in stages)))
        return tuple(levels)

    @cached_property
    def summary(self) -> tuple[str, ...]:
        lines = []
        for level in self.levels:
            for p in level.products:
                lines.append(f"{level.level}  cube    {p.formula}" + (f"   ({p.condition})" if p.condition else ""))
            for v in level.vectors:
                kernel = next(k for k in self.vectors if k.class_name == v.class_name)
                lines.append(f"{level.level}  vector  {', '.join(camel(t) for t in kernel.program.stores)}" + (f"   ({v.condition})" if v.condition else ""))
        lines += [f"-  cube    {p.formula}" + (f"   ({p.condition})" if p.condition else "") for p in self.sum_products]
        return tuple(lines)

    @cached_property
    def depth(self) -> int:
        return self.schedule.partition.levels

    @cached_property
    def sum_products(self) -> tuple[ProductText, ...]:
        return tuple(self._product(p) for p in self.schedule.partition.sums)

    @cached_property
    def finishing(self) -> tuple[VectorText, ...]:
        """The vector stages whose sums over rows are added up over the cores at the end."""
        return tuple(self._vector(name) for name, s in self.schedule.vectors.items() if s.column_sums)

    def _vector(self, name: str) -> VectorText:
        kernel = self.kernels[name]
        keys = frozenset(k for k in kernel.program.keys if any(
            k in kernel.program.present(parts[0].tensor) for parts in kernel.program.stores.values()))
        arguments = [self._address(t.name) for t in kernel.global_tensors]
        partial = f"workspace + tiling->{name}PartialOffset" if self.schedule.vectors[name].column_sums else "workspace"
        return VectorText(kernel.class_name, kernel.file, kernel.when(keys), ", ".join(["T", *self.options]),
                          ", ".join([*arguments, partial]))

    def _address(self, tensor: str, whole: bool = False) -> str:
        """Where a tensor's rows of the block start; `whole`: where the tensor starts."""
        t = self.schedule.partition.workspace.get(tensor)
        if t is None:
            t = self.interface.tensor(tensor)
            base = camel(tensor)
            return f"RowsOf({base}, block, {camel(tensor)}Row)" if t.leading and not whole else base
        base = f"workspace + tiling->{camel(tensor)}Offset"
        slots = self.schedule.slots(tensor)
        if whole:
            return base
        if slots:
            return f"SlotOf({base}, block, {slots}, tiling->blockRows * {camel(tensor)}Row)"
        return f"RowsOf({base}, block, {camel(tensor)}Row)"

    @cached_property
    def row_bytes(self) -> tuple[tuple[str, str], ...]:
        """(tensor, bytes of one row) of every tensor with rows."""
        tensors = [t for t in self.interface.tensors if t.leading] + list(self.schedule.partition.workspace.values())
        return tuple((t.camel, self._row_bytes(t)) for t in tensors)

    def _row_bytes(self, t) -> str:
        columns = self.size(sympy.prod([dim(d) for d in t.dims]))
        return f"{columns} * sizeof({CPP_TYPES.get(t.dtype, 'T')})"

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
        products = [p for level in self.levels for p in level.products] + list(self.sum_products)
        return self.symbols([*(b for _, b in self.row_bytes), *(line for p in products for line in p.lines)])

    def _columns(self, tensor: str) -> str:
        t = self.schedule.partition.workspace.get(tensor) or self.interface.tensor(tensor)
        return self.size(dim(t.dims[-1]))

    def _matrix(self, tensor: str, whole: bool) -> str:
        return f"Gm<{self._type(tensor)}>({self._address(tensor, whole)}, {self._columns(tensor)})"

    def _product(self, p: Product) -> ProductText:
        flag = lambda x: "true" if x else "false"
        for tensor in (p.a, p.b):
            if self._type(tensor) != "T":
                raise LoweringError(f"matmul: {tensor} is {self._type(tensor)}; cubes take operands of the dtype variable")
        name = lambda tensor, transposed: camel(tensor) + ("^T" if transposed else "")
        where = condition(p.keys, self.schedule.partition.options, KernelText.flag)
        c, a, b = (self._matrix(t, p.sums_rows) for t in (p.result, p.a, p.b))
        rows = self.size(p.m) if p.sums_rows else "block.rows"
        lines = (
            f"const auto result = {c};", f"const auto left = {a};", f"const auto right = {b};",
            f"cube.template Multiply<{flag(p.transpose_a)}, {flag(p.transpose_b)}>(result, left, right, {rows}, {self.size(p.n)}, "
            f"{self.size(p.k)}, turn);",
        )
        return ProductText(where, f"{camel(p.result)} = {name(p.a, p.transpose_a)} @ {name(p.b, p.transpose_b)}", lines)

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
