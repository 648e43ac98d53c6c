"""Kernels of several stages: vector and cube work in turns, all cores waiting for one another between levels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy

from compiler.lower import lower
from compiler.partition import CubeStage, Partition, VectorStage
from compiler.schedule.formula import Assignment, align_up, evaluate
from compiler.schedule.tiling import CapacityError, Field, Schedule, padded, schedule
from ir.graph import Graph
from ir.interface import ROWS, Interface, camel
from ir.types import BYTES

GM_ALIGNMENT = 512
"""Bytes that tensors in the workspace are aligned to (alignment.gm_argument of every product)."""


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

    auto_sync = True

    @cached_property
    def core_invariant(self) -> tuple[str, ...]:
        """Products are owned by output tiles and summed in one order, rows are whole; only sums over rows depend on the cores."""
        sums = {t for s in self.vectors.values() for t in s.program.stores if s.program.kinds[s.program.stores[t][0].node] == "column"}
        return tuple(t.name for t in self.interface.outputs if t.name not in sums)

    block_dim, tiling_key, workspace = "groups", "tilingKey", "workspaceBytes"

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Size symbols that the kernel reads."""
        return tuple(s for s in self.interface.symbols if s != ROWS)

    @cached_property
    def attributes(self):
        names = {a.name: a for s in self.vectors.values() for a in s.attributes}
        return tuple(names.values())

    @cached_property
    def workspace_sizes(self) -> tuple[tuple[str, sympy.Expr, str], ...]:
        """(tensor, bytes, dtype) of everything in the workspace, in order; partial sums over rows last."""
        width = lambda t: sympy.Integer(BYTES[t.dtype]) if t.dtype in BYTES else sympy.Symbol("dtypeBytes", integer=True)
        from ir.types import dim, symbol

        rows = [(t.name, symbol(ROWS) * dim(t.dims[-1]) * width(t), t.dtype) for t in self.partition.workspace.values()]
        return tuple(rows)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        fields = [Field("int64_t", "totalRows", "rows of the tensors")]
        fields += [Field("int64_t", f"size{s}", f"size {s}") for s in self.symbols]
        for s in self.vectors.values():
            fields += s.stage_fields
        fields += [Field("int64_t", f"{camel(n)}Offset", f"bytes before {camel(n)} in the workspace") for n, _, _ in self.workspace_sizes]
        fields += [Field("int64_t", f"{s.stage}PartialOffset", f"bytes before the partial sums of {s.stage}")
                   for s in self.vectors.values() if s.column_sums]
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
        for s in self.vectors.values():
            if s.column_sums:
                found.append(Assignment(f"{s.stage}PartialOffset", at, f"bytes before the partial sums of {s.stage}"))
                at = sympy.Symbol(f"{s.stage}PartialOffset", integer=True) + align_up(self._partial(s), GM_ALIGNMENT)
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
        for s in self.vectors.values():
            body = [line for line in s.size_lines]
            lines += [f"{{ // {s.stage}", *(f"    {line}" for line in body), "}"]
        for a in self.offsets:
            lines += a.cpp()
            if a.name != "workspaceBytes":
                lines.append(f"tiling->{a.name} = {a.name};")
        if any(f.name == "padding" for f in self.fields):
            lines.append("tiling->padding = 0.0f;")
        return tuple(lines)

    @cached_property
    def _key(self) -> Assignment:
        key = sum(sympy.Symbol(Schedule._has(o), integer=True) * (1 << i) for i, o in enumerate(self.partition.options))
        return Assignment("tilingKey", sympy.sympify(key), "one bit per option that changes the computation")

    def solve(self, sizes: dict[str, int], options: set[str], dtype: str, cores: int | None = None,
              attributes: dict[str, float] | None = None) -> MixedTiling:
        """cores: groups of one cube core. Raises CapacityError where a stage's tile does not fit."""
        groups = cores or self.product["cores"]["aic"]
        tilings = {name: s.solve(sizes, options, dtype, 2 * groups, attributes) for name, s in self.vectors.items()}
        known = {**sizes, "coreNum": 2 * groups, "dtypeBytes": BYTES[dtype]}
        return MixedTiling(self, groups, tilings, known, evaluate(self.offsets, known), dict(attributes or {}))


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
        first = next(iter(self.vectors.values()))
        return {"blockDim": self.groups, "tilingKey": first.values["tilingKey"], "workspaceBytes": self.offsets["workspaceBytes"],
                "rowsPerTile": max(t.values["rowsPerTile"] for t in self.vectors.values())}

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
            rows.append((name, dtype, evaluate((Assignment("bytes", size, ""),), self.known)["bytes"]))
        for s in self.schedule.vectors.values():
            if s.column_sums:
                rows.append((f"{s.stage} partial sums", "float32",
                             evaluate((Assignment("bytes", self.schedule._partial(s), ""),), self.known)["bytes"]))
        return rows


def schedule_mixed(graph: Graph, parts: Partition, product: dict) -> MixedSchedule:
    """The schedules of all vector stages; products are tiled by the kernel from L0 sizes."""
    vectors = {}
    for s in parts.stages:
        if isinstance(s, VectorStage):
            vectors[s.name] = schedule(lower(s.graph, s.interface, parts.options), product, s.name)
    return MixedSchedule(parts.interface, graph, product, parts, vectors)


__all__ = ["CapacityError", "CubeStage", "MixedSchedule", "MixedTiling", "schedule_mixed"]
