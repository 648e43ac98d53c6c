"""Modelled cycles of an operator at shapes of its model, beside their roofs.

The emitted kernel runs without numbers: what it would do is recorded and placed in time (`runtime/placement.h` of the
emulator), nothing is computed, so that shapes of hundreds of megabytes take seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from compiler import cases
from compiler.emulator import run as runner
from compiler.roof import Roof, roof, work_of
from ir.interface import ROWS, Operator

SHARES = {"small": 128, "medium": 8, "model": 1}
"""Name of a shape -> the part of the model's rows that it has."""

MODEL_ROWS = 8192
"""Rows of the model's shape where the interface names none."""


@dataclass(frozen=True)
class Modelled:
    """One shape. cycles: None where the operator refuses it, `message` says why."""

    name: str
    shape: str
    cycles: float | None
    roof: Roof
    message: str = ""

    @property
    def ratio(self) -> float | None:
        return None if self.cycles is None else self.roof.ratio(self.cycles)

    @property
    def text(self) -> str:
        return f"{self.name} {'-' if self.ratio is None else f'{self.ratio:.2f}'} ({self.roof.bound})"

    def to_json(self) -> dict:
        return {"name": self.name, "shape": self.shape, "cycles": self.cycles, "roof": self.roof.to_json(self.cycles), "message": self.message}


def model_sizes(operator: Operator) -> dict[str, int]:
    """Size symbol -> value at the model's shape: as the interface says, else its first documented sizes."""
    interface = operator.interface
    known = {s: (interface.sizes.get(s) or (64,))[0] for s in interface.symbols}
    return {**known, ROWS: MODEL_ROWS, **interface.model}


def modelled(operator: Operator, product: dict, built: runner.Built, shares: Mapping[str, int] = SHARES) -> tuple[Modelled, ...]:
    """Every named shape on a product, all options present, in the operator's default dtype."""
    from compiler.request import default_dtype
    from compiler.verify import TilingPoint

    interface, dtype = operator.interface, default_dtype(operator)
    switches = {a.name: 7.0 for a in interface.attributes if a.option and a.symbol is None and a.type == "float"}
    options = frozenset((*cases.optional(interface), *(a.option for a in interface.attributes if a.name in switches)))
    column = next((c for c in interface.columns if dtype in c.values()), interface.columns[0])
    model = model_sizes(operator)
    points = {name: TilingPoint({**model, ROWS: max(1, model[ROWS] // share)}, options, dtype, switches) for name, share in shares.items()}
    results = runner.emulate_many(built, [request_of(operator, p) for p in points.values()])
    found = []
    for (name, p), result in zip(points.items(), results):
        bound = roof(product, work_of(operator, product, p.sizes, p.options, column))
        cycles = result.cycles["total"] if result.status == 0 and result.cycles else None
        found.append(Modelled(name, p.text, cycles, bound, result.message))
    return tuple(found)


def request_of(operator: Operator, point) -> runner.Request:
    """A run without numbers of a `compiler.verify.TilingPoint`; counts of groups are real, every row is live."""
    call = point.call(operator)
    counts = {t.name: even_counts(call.tensors[t.name].shape[0], point.sizes[ROWS]) for t in cases.counts_tensors(operator.interface)
              if t.name in call.tensors}
    return replace(call, tensors={**call.tensors, **counts}, phase1_only=False, numbers=False, check=False)


def even_counts(groups: int, rows: int):
    """int64 counts that sum to the rows and differ by at most one."""
    import numpy

    base, extra = divmod(rows, groups)
    return numpy.array([base + (i < extra) for i in range(groups)], numpy.int64)
