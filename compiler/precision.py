"""Whether outputs are right: measured against the float64 reference, by the interface's figures and the ecosystem's.

For each output with a row in ``Interface.precision``: relative RMS error, and pointwise
``|err| <= atol * rms(block) + rtol * |ref|``. Outputs without a row are held to `DEFAULT`; a float32 output of sums is held
to `SUM_ERROR` times the sum of the absolute terms (`magnitude`), and where factors or addends of the sums can cancel as well
(`Sums.PART`), an element within the pointwise bound of `DEFAULT` is right too. Half of the dtype's smallest subnormal is
always allowed: no kernel can be closer than the nearest representable value.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

import numpy

from ir.graph import Graph, Node, node, topological
from ir.interface import Interface, Precision
from ir.interpreter import evaluate
from ir.types import as_array, finfo

SUM_ERROR = 1e-6
"""Error of a float32 sum, relative to the sum of its absolute terms."""

DEFAULT = {
    "bfloat16": Precision(2.2e-3, 1e-6, 1.02 * 2**-8),
    "float16": Precision(3e-4, 1e-6, 1.02 * 2**-11),
    "float32": Precision(1e-6, 4e-6, 2**-18),
}
"""For an output without a row in the interface: one rounding of a float32 computation. The figures are those documented for
a gated activation's gradient, a function of single elements with a root; atol is what cancels there."""

SUBNORMAL = 1.5
"""Factor on the error that rounding the reference's subnormal elements alone causes; that much is added (in squares) to
the RMS limit. Nothing is added where the reference has no subnormal elements in the output's dtype."""


OPERANDS = 1.5
"""Factor on the error that rounding the operands of matrix products alone causes in float64 arithmetic."""

TAIL = 1e-4
"""Share of an output's elements that may be held to that error where no operand is `coarse`. A sum of few products in which
one factor is 30 times its RMS carries the rounding of the other undiluted: over one to three rows of activations with an
outlier in 256, up to 2e-5 of a weight gradient's elements leave the documented bound for that reason alone."""

SUBNORMAL_SHARE = 0.1
"""An operand is coarse where, in one of its rows, this much of the squared rounding error lies on subnormal elements."""

FEW = 16
"""An operand of fewer elements is coarse: documented figures are those of rounding errors that average out. (The one element
of a gate's gradient over one row and one channel carries 2^-8 of a bfloat16 by itself.)"""

ROUNDED = 1.02
"""The RMS limit is never below this many times the error of the reference rounded to the dtype: where few elements carry
the RMS, the nearest representable values alone may exceed the figure."""


@dataclass(frozen=True)
class Miss:
    """One criterion that an output does not meet.

    index: the worst element, None where the criterion is on the whole output. got, wanted, bound: as text; bound says how far
    from `wanted` is right, and is empty where `wanted` says that.
    """

    output: str
    criterion: str
    index: tuple[int, ...] | None
    got: str
    wanted: str
    bound: str = ""

    def __str__(self) -> str:
        place = "" if self.index is None else f"[{', '.join(map(str, self.index))}]"
        return f"{self.output}{place}: {self.criterion}: got {self.got}, wanted {self.wanted}" + (f", {self.bound}" if self.bound else "")


@dataclass(frozen=True)
class OutputReport:
    """Figures of one output; None for those that do not apply.

    rms, rms_limit: RMS error relative to the reference's RMS, and what it may be. worst: largest error in units of its bound.
    mere, mare: mean and largest relative error without small values; small_errors: small values that are off.
    default: whether the figures are those of outputs without a precision row. unmeasured: which elements the RMS error leaves out
    although the reference has them, as text.
    """

    output: str
    dtype: str
    elements: int
    rms: float | None
    worst: float | None
    mere: float | None
    mare: float | None
    small_errors: int | None
    misses: tuple[Miss, ...]
    rms_limit: float | None = None
    default: bool = False
    unmeasured: str = ""

    @property
    def ok(self) -> bool:
        return not self.misses

    def __str__(self) -> str:
        if self.rms is None or self.rms_limit is None or not self.ok and self.rms == 0:
            figures = ""
        else:
            figures = f" RMS error {self.rms:.3g} of at most {self.rms_limit:.3g}"
        return f"{self.output}: {'right' if self.ok else 'WRONG'}{figures}" + (f" without {self.unmeasured}" if figures and self.unmeasured else "")


@dataclass(frozen=True)
class Report:
    """The verdict on all outputs. by_operands: whether an output is right for the errors of the planned 16-bit operands alone."""

    outputs: tuple[OutputReport, ...]
    by_operands: bool = False

    @property
    def ok(self) -> bool:
        return all(o.ok for o in self.outputs)

    @property
    def misses(self) -> tuple[Miss, ...]:
        return tuple(m for o in self.outputs for m in o.misses)

    @property
    def by_default(self) -> tuple[str, ...]:
        """Outputs that miss a bound which nobody chose: `default_remarks` says so."""
        return tuple(o.output for o in self.outputs if o.default and any(m.criterion in BOUNDS for m in o.misses))

    @property
    def remarks(self) -> list[str]:
        """What to know about the misses: one line or none."""
        return default_remarks(self.by_default)

    def __str__(self) -> str:
        return "\n".join(map(str, self.misses))


BOUNDS = ("pointwise", "relative RMS error")
"""The criteria that `Interface.precision` sets."""


def default_remarks(outputs: Collection[str]) -> list[str]:
    """What to know about bounds of outputs without a precision row: one line, none without such outputs."""
    return [f"bounds of {', '.join(outputs)} are the default of one float32 rounding; Interface(precision=...) sets others "
            "(README, Your own operator)"] if outputs else []


def judge(
    interface: Interface,
    outputs: Mapping[str, object],
    exact: Mapping[str, object],
    scale: Mapping[str, object] | None = None,
    blocks: Mapping[str, int] | None = None,
    plain: Mapping[str, object] | None = None,
    column: str | None = None,
    roundings: Mapping[str, object] | None = None,
    coarse: Collection[str] = (),
    mixed: Collection[str] = (),
) -> Report:
    """The verdict on `outputs` against the float64 reference `exact`, for every output that `exact` has.

    scale: output -> sum of the absolute terms of each element (`magnitude`), for outputs of sums without a precision row.
    mixed: those of them that are sums in part (`Sums.PART`).
    blocks: output -> number of neighbouring elements that share one RMS in the pointwise bound; default all.
    plain: outputs of a plain computation in the same dtypes (the documented formulas, ``exact=False``). The ecosystem's
        rule allows twice as many small values to be off as there, and ten times the largest relative error; without it
        the rounded reference takes its place, which is too strict for float32, where formulas cancel.
    column: the dtype of the tensors whose dtype varies, which chooses the precision row; by default each output's own. It
        matters for a float32 output of 16-bit matrix products.
    roundings: outputs in float64 arithmetic on the planned 16-bit operands of matrix products. coarse: the outputs that
        depend on an operand that `is_coarse`: there `OPERANDS` times the error of these roundings is a limit too, of an element
        the largest one in its row: an operand that float32 sums leave near the middle between two values may be rounded to
        either, which moves a whole row of the product. Elsewhere the element's own is one for a `TAIL` of the elements, and none
        for the RMS error.
    Shapes of an output and its reference must agree, and so must NaNs. A reference of exactly zero wants exactly zero;
    where reference plus bound exceeds the dtype, infinity and the largest value are right too.
    """
    aids = {"scale": scale or {}, "block": blocks or {}, "plain": plain or {}, "roundings": roundings or {},
            "coarse": {name: True for name in coarse}, "mixed": {name: True for name in mixed}}
    verdict = lambda name, ref: _judge_output(
        interface, name, outputs.get(name), numpy.asarray(ref), column, **{k: v.get(name) for k, v in aids.items()}
    )
    return Report(tuple(verdict(name, ref) for name, ref in exact.items()))


def magnitude(
    graph: Graph, output: str, inputs: Mapping[str, object], symbols: Mapping[str, int], options: Collection[str] = ()
) -> numpy.ndarray:
    """The sum of the absolute terms of each element of a summed output: the same graph with the operands of its
    outermost reductions and matrix products made absolute. Arguments and errors as for `ir.interpreter.evaluate`."""
    absolute = Graph(f"{graph.name}_magnitude", graph.inputs, {output: _absolute(graph.outputs[output])})
    return evaluate(absolute, inputs, symbols, options)[output]


_SUMS = ("reduce_sum", "matmul")
_KEEPS = {  # operations through which an element's terms pass: positions of the operands that hold terms
    "mul": (0, 1), "div": (0, 1), "cast": (0,), "broadcast": (0,), "reshape": (0,), "slice": (0,), "saved": (0,), "live_rows": (0,),
    "guard": (0, 1), "select": (1, 2), "concat": None,
}  # fmt: skip


class Sums(Enum):
    """How an output is made of sums. PART: other arithmetic than factors and masks of given values is around them."""

    NONE, PART, WHOLE = range(3)


def sums_of(graph: Graph, output: str) -> Sums:
    """How one output is made of sums and matrix products."""
    summed = _summed(graph.outputs[output])
    if not summed[graph.outputs[output]]:
        return Sums.NONE
    around = [n for n, found in summed.items() if found and n.op not in _SUMS]
    given = lambda n: n.op in ("input", "constant") or n.dtype in ("bool", "int64")
    plain = all(n.op in (*_KEEPS, "neg") and all(summed[o] or given(o) for o in n.operands) for n in around)
    return Sums.WHOLE if plain else Sums.PART


def _summed(root: Node) -> dict[Node, bool]:
    """The nodes down to the outermost sums, operands first -> whether a sum is in them."""
    summed: dict[Node, bool] = {}
    for n in topological([root], lambda n: () if n.op in _SUMS else n.operands):
        summed[n] = n.op in _SUMS or any(summed[o] for o in n.operands)
    return summed


def _absolute(root: Node) -> Node:
    """The root with absolute terms under its outermost sums, and absolute factors around them."""
    absolute = lambda n: node("abs", n)
    summed = _summed(root)
    new: dict[Node, Node] = {}
    for n in summed:
        if n.op in _SUMS:
            new[n] = node(n.op, *map(absolute, n.operands), **dict(n.attrs))
        elif n.op in ("add", "sub") and summed[n]:
            new[n] = node("add", *(new[o] for o in n.operands))
        elif n.op in _KEEPS and summed[n]:
            terms = _KEEPS[n.op] or range(len(n.operands))
            operands = [new[o] if i in terms else o for i, o in enumerate(n.operands)]
            new[n] = node(n.op, *operands, **dict(n.attrs))
        elif n.op == "neg" and summed[n]:
            new[n] = new[n.operands[0]]
        else:
            new[n] = absolute(n) if n.dtype not in ("bool", "int64") else n
    return new[root]


def is_coarse(operand, dtype) -> bool:
    """Whether rounding a float64 operand to the dtype costs more than documented figures assume: it has few elements, or a
    row of it loses much at elements that become subnormal."""
    with numpy.errstate(over="ignore", invalid="ignore"):  # what overflows loses nothing to subnormal elements
        error = numpy.square(operand.astype(dtype).astype(numpy.float64) - operand)
    lost = numpy.where(numpy.abs(operand) < float(finfo(dtype).smallest_normal), error, 0.0)
    return operand.size < FEW or bool((lost.sum(axis=-1) > SUBNORMAL_SHARE * error.sum(axis=-1)).any())


def _judge_output(interface, name, got, ref, column, scale, block, plain, roundings, coarse, mixed) -> OutputReport:
    if got is None:
        return _refused(name, "none", ref, Miss(name, "presence", None, "no output", f"shape {ref.shape}", "required"))
    got = as_array(got)
    dtype = str(got.dtype)
    documented = interface.dtypes_of(interface.tensor(name))
    if dtype not in documented:
        wanted = " or ".join(dict.fromkeys(documented))
        return _refused(name, dtype, ref, Miss(name, "dtype", None, dtype, wanted, "documented"))
    if got.shape != ref.shape:
        return _refused(name, dtype, ref, Miss(name, "shape", None, str(got.shape), str(ref.shape), "required"))
    if dtype not in DEFAULT:
        return _judge_discrete(name, dtype, got, ref)
    row = interface.precision.get(name, {}).get(column or dtype)
    with numpy.errstate(all="ignore"):
        return _Floats(name, dtype, got, ref.astype(numpy.float64), row, scale, block, plain, roundings, coarse, mixed).report()


def _refused(name: str, dtype: str, ref, miss: Miss) -> OutputReport:
    return OutputReport(name, dtype, ref.size, None, None, None, None, None, (miss,))


def _judge_discrete(name: str, dtype: str, got, ref) -> OutputReport:
    """Integers and booleans agree bit for bit."""
    wrong = got != ref
    misses = (_element(name, "value", wrong, wrong, got, ref, None),) if wrong.any() else ()
    return OutputReport(name, dtype, ref.size, None, None, None, None, None, misses)


def _element(name, criterion, wrong, severity, got, ref, bound) -> Miss:
    """The worst of the wrong elements. severity: how wrong each one is."""
    ranked = numpy.where(wrong, numpy.nan_to_num(severity.astype(numpy.float64), nan=numpy.inf), -1.0)
    index = tuple(int(i) for i in numpy.unravel_index(int(ranked.argmax()), ranked.shape))
    count = f"{int(wrong.sum())} of {wrong.size} elements"
    error = abs(float(got[index]) - float(ref[index]))
    limit = count if bound is None else f"error {error:.3g}, bound {float(bound[index]):.3g}, {count}"
    return Miss(name, criterion, index, _number(got[index]), _number(ref[index]), limit)


def _number(value) -> str:
    return f"{float(value):.9g}"


class _Floats:
    """One float output beside its reference, both as float64."""

    def __init__(self, name, dtype, got, ref, row: Precision | None, scale, block, plain, roundings, coarse, mixed):
        self.name, self.dtype, self.ref, self.row = name, dtype, ref, row
        self.limits = finfo(got.dtype)
        self.largest = float(self.limits.max)
        self.rounded = ref.astype(got.dtype).astype(numpy.float64)
        self.plain = self.rounded if plain is None else as_array(plain).astype(numpy.float64)
        self.got = got.astype(numpy.float64)
        self.error = numpy.abs(self.got - ref)
        self.by_scale = row is None and scale is not None and dtype == "float32"
        self.mixed = bool(mixed)
        self.figures = row or DEFAULT[dtype]
        self.planned = None if roundings is None else _finite(numpy.abs(roundings - ref))
        self.narrowed = None if roundings is None else roundings.astype(got.dtype).astype(numpy.float64)
        self.coarse = self.planned is not None and bool(coarse)
        if self.coarse and self.planned.ndim and self.planned.size:
            self.planned = self.planned.max(axis=-1, keepdims=True)
        self.bound = self._bound(scale, block)
        self.overflows = numpy.abs(ref) + self.bound > self.largest
        self.measured = numpy.isfinite(self.got) & numpy.isfinite(ref) & ~self.overflows

    def _bound(self, scale, block):
        nearest = float(self.limits.smallest_subnormal) / 2
        by_terms = SUM_ERROR * numpy.asarray(scale, numpy.float64) + nearest if self.by_scale else 0.0
        if self.by_scale and not self.mixed:
            return by_terms
        absolute = self.figures.atol * _block_rms(self.ref, block, self.largest)
        rest = self.figures.rtol * numpy.abs(self.ref) + nearest
        if self.planned is None:
            return numpy.maximum(by_terms, absolute + rest)
        absolute = numpy.maximum(absolute, by_terms)
        wide = numpy.maximum(absolute, OPERANDS * self.planned) + rest
        beyond = (self.error > absolute + rest) & (self.error <= wide)
        few = beyond.sum() <= TAIL * beyond.size
        return wide if self.coarse or few else absolute + rest

    def report(self) -> OutputReport:
        pointwise = self._special() + self._pointwise()
        rms, limit, by_rms = self._rms()
        mere, mare, small, by_standard = self._ecosystem()
        misses = tuple(pointwise + by_rms + by_standard)
        ratio = (self.error / self.bound)[self.measured]
        worst = float(ratio.max()) if ratio.size else 0.0
        return OutputReport(self.name, self.dtype, self.ref.size, rms, worst, mere, mare, small, misses, limit, self.row is None, self._unmeasured())

    def _unmeasured(self) -> str:
        lost = numpy.isfinite(self.ref) & ~numpy.isfinite(self.got) & ~self.overflows
        kinds = {"NaN": numpy.isnan, "infinite": numpy.isinf}
        counts = {kind: int((lost & of(self.got)).sum()) for kind, of in kinds.items()}
        text = " and ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        return f"the {text} of {self.ref.size} elements" if text else ""

    def _special(self) -> list[Miss]:
        """NaNs where the reference has them and nowhere else, zeros where it has them."""
        nan = numpy.isnan(self.got) != numpy.isnan(self.ref)
        zero = (self.ref == 0) & (self.got != 0) & ~nan
        found = []
        if nan.any():
            found.append(_element(self.name, "NaN", nan, nan, self.got, self.ref, None))
        if zero.any():
            found.append(_element(self.name, "exact zero", zero, self.error, self.got, self.ref, None))
        return found

    def _pointwise(self) -> list[Miss]:
        comparable = ~numpy.isnan(self.got) & ~numpy.isnan(self.ref) & (self.ref != 0)
        close = (self.error <= self.bound) & numpy.isfinite(self.ref)
        same_sign = numpy.sign(self.got) == numpy.sign(self.ref)
        saturated = self.overflows & (numpy.abs(self.got) >= self.largest) & same_sign
        wrong = comparable & ~(close | saturated)
        if not wrong.any():
            return []
        return [_element(self.name, "pointwise", wrong, self.error / self.bound, self.got, self.ref, self.bound)]

    def _rms(self) -> tuple[float | None, float | None, list[Miss]]:
        if self.by_scale:
            return None, None, []
        level = _rms(self.ref[self.measured])
        if level == 0:  # all zeros: the zero rule says everything
            return 0.0, None, []
        relative = _rms(self.error[self.measured]) / level
        rounding = ROUNDED * _rms((self.rounded - self.ref)[self.measured]) / level
        figure = self.figures.rms
        if self.coarse:  # the result of rounded operands is rounded once more
            figure = max(figure, OPERANDS * _rms(_finite(self.narrowed - self.ref)[self.measured]) / level)
        limit = max(math.hypot(figure, SUBNORMAL * self._subnormal_rounding() / level), rounding)
        if relative <= limit:
            return relative, limit, []
        return relative, limit, [Miss(self.name, "relative RMS error", None, f"{relative:.3g}", f"at most {limit:.3g}")]

    def _subnormal_rounding(self) -> float:
        """RMS over all elements of the error that rounding the subnormal ones causes."""
        subnormal = self.measured & (numpy.abs(self.ref) < float(self.limits.smallest_normal))
        return _rms(numpy.where(subnormal, self.rounded - self.ref, 0.0)[self.measured])

    def _ecosystem(self) -> tuple[float | None, float | None, int | None, list[Miss]]:
        """MERE and MARE over values that are not small; of the small ones, how many are off."""
        if self.row is None:
            return None, None, None, []
        standard = _standard()
        small = self.measured & (numpy.abs(self.rounded) < standard["small_bound"][self.dtype])
        off = lambda values: small & (numpy.abs(values - self.ref) > standard["small_error"][self.dtype])
        allowed = standard["small_count_ratio"] * max(int(off(self.plain).sum()), 1)
        wrong = off(self.got)
        count = int(wrong.sum())
        normal = self.measured & ~small
        distance = lambda error: (error / (numpy.abs(self.ref) + standard["epsilon"]))[normal]
        relative = distance(self.error)
        mere, mare = (float(relative.mean()), float(relative.max())) if relative.size else (0.0, 0.0)
        if not self.row.ecosystem:
            return mere, mare, count, []
        threshold = standard["threshold"][self.dtype]
        misses = []
        if mere >= threshold:
            misses.append(Miss(self.name, "MERE", None, f"{mere:.3g}", f"below {threshold:.3g}"))
        # Where formulas cancel a plain computation is off as well; its own figure then sets the scale.
        plain = float(distance(numpy.abs(self.plain - self.ref)).max(initial=0.0))
        largest = max(threshold * standard["mare_factor"], plain * standard["mare_cross_check"])
        if mare >= largest:
            bound = largest * (numpy.abs(self.ref) + standard["epsilon"])
            at = normal & (self.error >= bound)
            misses.append(_element(self.name, "MARE", at, self.error / bound, self.got, self.ref, bound))
        if count > allowed:
            miss = _element(self.name, "small values", wrong, self.error, self.got, self.ref, None)
            limit = f"error above {standard['small_error'][self.dtype]:.3g} in {miss.bound}, {allowed} may be"
            misses.append(Miss(self.name, miss.criterion, miss.index, miss.got, miss.wanted, limit))
        return mere, mare, count, misses


def _finite(values):
    return numpy.where(numpy.isfinite(values), values, 0.0)


def _rms(values) -> float:
    return float(numpy.sqrt(numpy.square(values).mean())) if values.size else 0.0


def _block_rms(ref, block: int | None, largest: float):
    """The RMS of the block that each element is in; values beyond the dtype do not count."""
    counted = numpy.where(numpy.abs(ref) <= largest, ref, 0.0)  # NaN compares false
    if block is None or not ref.size:
        return _rms(counted[numpy.abs(ref) <= largest])
    rows = counted.reshape(-1, block)
    present = (numpy.abs(ref) <= largest).reshape(-1, block).sum(axis=1, keepdims=True)
    level = numpy.sqrt(numpy.square(rows).sum(axis=1, keepdims=True) / numpy.maximum(present, 1))
    return numpy.broadcast_to(level, rows.shape).reshape(ref.shape)


@cache
def _standard() -> dict:
    return json.loads(Path(__file__).with_name("precision_standard.json").read_text())
