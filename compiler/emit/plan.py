"""What the host tiling template needs to know of a product's schedule.

Any object with these attributes will do; `directory.render_directory` takes one per product.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Field:
    """A member of the tiling struct. ctype: a C type name; doc: one line in English."""

    ctype: str
    name: str
    doc: str = ""


@dataclass(frozen=True)
class Plan:
    """One product's tiling.

    lines: C++ statements that set ``tiling->field`` from these locals: the interface's size symbols (``int64_t T``),
        ``ubBytes``, ``l1Bytes``, ``l0aBytes``, ``l0bBytes``, ``l0cBytes``, ``l2Bytes``, ``coreNum`` (vector cores),
        ``cubeCoreNum``, ``dtypeBytes``, ``has<Option>``, the attributes in camelCase,
        ``CeilDiv``, ``AlignUp``, ``AlignDown``, and ``systemWorkspace`` (size_t, in `workspace` alone).
        Only the locals that they name are declared. They may return ge::GRAPH_FAILED.
    block_dim, tiling_key, workspace: C++ expressions of the same locals and of ``tiling``. A block count below 1, as
        an empty tensor gives, becomes 1.
    schedule_mode: 1 where the kernel synchronises all cores.
    mixed: whether the kernel runs on cube and vector cores; a block is then one cube core with its vector cores.
    auto_sync: whether the device compiler inserts synchronisation.
    kernel_options: other options of the device compiler -> what for.
    core_invariant: outputs whose bits are the same on any number of cores, for the documents.
    tables: constants that host and kernel share: name -> rows by tiling key, each (16-bit, 32-bit dtypes).
    """

    fields: tuple[Field, ...]
    lines: tuple[str, ...]
    block_dim: str = "1"
    tiling_key: str = "0"
    workspace: str = "0"
    schedule_mode: int = 0
    auto_sync: bool = True
    kernel_options: dict[str, str] = dataclasses.field(default_factory=dict)
    mixed: bool = False
    core_invariant: tuple[str, ...] = ()
    tables: dict = dataclasses.field(default_factory=dict)


class PlanView:
    """A plan as templates see it: optional attributes filled in, lines grouped, names found."""

    def __init__(self, plan):
        self.fields = tuple(plan.fields)
        self.lines = tuple(plan.lines)
        self.block_dim = str(plan.block_dim)
        self.tiling_key = str(plan.tiling_key)
        self.workspace = str(plan.workspace)
        self.schedule_mode = int(plan.schedule_mode)
        self.auto_sync = bool(getattr(plan, "auto_sync", True))
        self.kernel_options = dict(getattr(plan, "kernel_options", {}))
        self.mixed = bool(getattr(plan, "mixed", False))
        self.core_invariant = tuple(getattr(plan, "core_invariant", ()))
        self.tables = dict(getattr(plan, "tables", {}))

    @property
    def accepted_lines(self) -> tuple[str, ...]:
        """The lines without the blocks that refuse: what a call does that is known to be accepted."""
        found, rest = [], list(self.lines)
        while rest:
            line = rest.pop(0)
            if line.startswith("if (") and line.endswith("{") and "}" in rest:
                end = rest.index("}")
                if "    return ge::GRAPH_FAILED;" in rest[:end]:
                    del rest[:end + 1]
                    continue
            found.append(line)
        return tuple(found)

    def key(self) -> tuple:
        """Plans with equal keys share one function of the tiling file."""
        return self.lines, self.block_dim, self.tiling_key, self.workspace, self.schedule_mode

    def names(self, name: str) -> bool:
        """Whether the plan names that local."""
        text = "\n".join([*self.lines, self.block_dim, self.tiling_key, self.workspace])
        text = re.sub(r"//[^\n]*|\"[^\"\n]*\"", "", text)
        return re.search(rf"(?<![\w.>]){re.escape(name)}(?!\w)", text) is not None


def merged_fields(views) -> tuple:
    """The fields of all plans in one struct. Raises ValueError where two plans disagree on a field's type."""
    found: dict[str, object] = {}
    for view in views:
        for f in view.fields:
            if f.name in found and found[f.name].ctype != f.ctype:
                raise ValueError(f"tiling field {f.name}: {found[f.name].ctype} in one product, {f.ctype} in another")
            found.setdefault(f.name, f)
    return tuple(found.values())
