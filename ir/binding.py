"""Arrays bound to an interface: which sizes, options and dtypes a request has, and graph shapes to and fro.

``bind(..., strict=True)`` refuses what the interface does not allow. With ``strict=False`` nothing is judged: sizes,
options and dtypes are read off as far as they can be, for callers that leave the verdict to somebody else.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import sympy

from ir.builder import graph_shape
from ir.interface import ROWS, Attribute, Interface, Tensor
from ir.interpreter import size
from ir.types import as_array, dim, dim_value, numpy_dtype, symbol


class BindError(ValueError):
    """A request that the interface does not allow: the parameter, what it got, what it wants, in one line."""


@dataclass(frozen=True)
class Binding:
    """What a request says.

    arrays: the inputs that were given, bfloat16 always as ml_dtypes has it; those of options that are off too.
    null_outputs: outputs that the caller does not want.
    symbols: size symbol -> value (all that are known); leading: the dimensions that ``...`` stands for.
    options: the options that are supplied. attributes: every attribute's value.
    column: parameter -> dtype, the column of `Interface.columns` that the arrays fit (fit best, when not strict).
    """

    interface: Interface
    arrays: dict
    null_outputs: frozenset[str]
    symbols: dict[str, int]
    leading: tuple[int, ...]
    options: frozenset[str]
    attributes: dict[str, float | int | bool]
    column: dict[str, str]

    @property
    def outputs(self) -> tuple[str, ...]:
        """The outputs that are computed: wanted, and not of an option that is off."""
        on = lambda t: t.option is None or t.option in self.options
        return tuple(t.name for t in self.interface.outputs if on(t) and t.name not in self.null_outputs)

    def graph_inputs(self) -> dict:
        """Input or attribute -> array in the shape that graphs have: ``...`` is (T, ...), ``# T`` (T, 1), a float
        vector (1, n). Inputs of options that are off are left out."""
        used = _used(self.interface, self.arrays, self.options)
        return {t.name: self._reshaped(t, self.arrays[t.name]) for t in used} | self.attributes

    def _reshaped(self, tensor: Tensor, array):
        shape = tuple(size(d, self.symbols) for d in graph_shape(tensor))
        if array.size != math.prod(shape):
            raise BindError(_shape_problem(tensor, array.shape, self))
        return array.reshape(shape)

    def shape_outputs(self, outputs: Mapping[str, object]) -> dict:
        """Outputs in graph shapes -> in the caller's shapes; dtypes stay."""
        specs = output_specs(self.interface, self)
        return {name: array.reshape(specs[name][0]) for name, array in outputs.items()}


def bind(
    interface: Interface,
    arrays: Mapping[str, object],
    attrs: Mapping[str, object] | None = None,
    strict: bool = True,
) -> Binding:
    """The binding of input arrays (absent or None: a null tensor) and attribute values (numbers or their texts).

    An output's name with None makes that output null.

    Raises BindError: always for a name that the interface does not have, an array under an output's name and an
    attribute's text that is no number; when strict also for a missing tensor, and for a dtype, a shape or an attribute
    that the interface does not allow.
    """
    given, null_outputs = _given(interface, arrays)
    attributes = _attributes(interface, attrs or {})
    options = _options(interface, given, attributes)
    if strict:
        _judge_presence(interface, given, null_outputs, options)
        _judge_attributes(interface, attributes)
    used = _used(interface, given, options)
    column = _column(interface, used, given, strict)
    leading, symbols = _sizes(interface, used, given, attributes)
    binding = Binding(interface, given, null_outputs, symbols, leading, options, attributes, column)
    if strict:
        _judge_limits(binding)
        for tensor in used:
            _judge_shape(tensor, given[tensor.name].shape, binding)
    return binding


def output_specs(interface: Interface, binding: Binding) -> dict[str, tuple[tuple[int, ...], str] | None]:
    """Output -> (the caller's shape, dtype); None for an output that is null or whose shape nothing tells."""
    return {t.name: _output_spec(t, binding) if t.name in binding.outputs else None for t in interface.outputs}


def _output_spec(tensor: Tensor, binding: Binding) -> tuple[tuple[int, ...], str] | None:
    like = binding.arrays.get(tensor.like)
    shape = like.shape if like is not None else expected_shape(tensor, binding.leading, binding.symbols)
    return None if shape is None else (tuple(shape), binding.column[tensor.name])


def expected_shape(tensor: Tensor, leading: tuple[int, ...], symbols: Mapping[str, int]) -> tuple[int, ...] | None:
    """The shape that a tensor has, None where a symbol has no value. A ``# T`` tensor takes the leading dimensions."""
    if tensor.elements_only and tensor.dims == (ROWS,) and leading:
        return leading
    sizes = [dim_value(d, symbols) for d in tensor.dims]
    if None in sizes:
        return None
    return (*(leading if tensor.leading else ()), *sizes)


def attribute_value(attribute: Attribute, value) -> float | int | bool:
    """The value of an attribute from a number or its text. Raises BindError when it is not of the attribute's type."""
    text = str(value).strip()
    try:
        if attribute.type == "bool":
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        if attribute.type == "float":
            return float(text)
        whole = int(text)
        if -(2**63) <= whole < 2**63:
            return whole
    except (ValueError, KeyError):
        pass
    wants = {"float": "a number", "int": "a 64-bit integer", "bool": "true or false"}[attribute.type]
    raise BindError(f"{attribute.name}: got {value}, wants {wants}")


def _given(interface: Interface, arrays: Mapping[str, object]) -> tuple[dict, frozenset[str]]:
    inputs, outputs = ({t.name for t in side} for side in (interface.inputs, interface.outputs))
    for name, array in arrays.items():
        if name not in inputs | outputs:
            known = ", ".join(t.name for t in interface.inputs)
            raise BindError(f"{name}: unknown, {interface.name} takes {known}")
        if name in outputs and array is not None:
            raise BindError(f"{name}: got an array, but it is an output of {interface.name}")
    given = {t.name: as_array(arrays[t.name]) for t in interface.inputs if arrays.get(t.name) is not None}
    return given, frozenset(n for n in arrays if n in outputs)


def _attributes(interface: Interface, attrs: Mapping[str, object]) -> dict[str, float | int | bool]:
    known = {a.name: a for a in interface.attributes}
    for name in attrs:
        if name not in known:
            has = ", ".join(known) or "none"
            raise BindError(f"{name}: unknown attribute, {interface.name} has {has}")
    for name, a in known.items():
        if a.default is None and attrs.get(name) is None:
            raise BindError(f"{name}: is missing, wants a value ({a.type})")
    return {name: attribute_value(a, attrs.get(name, a.default)) for name, a in known.items()}


def _options(interface: Interface, given: Collection[str], attributes: Mapping[str, object]) -> frozenset[str]:
    """An option is on when its first tensor is given (any of them, of a strict group), or when its attribute is not at
    the off value."""
    off = {a.option: attributes[a.name] == a.off for a in interface.attributes if a.option is not None}
    given_by = lambda o: any(n in given for n in o.inputs) if o.strict else o.inputs[0] in given
    on = lambda o: given_by(o) if o.inputs else not off.get(o.name, True)
    return frozenset(o.name for o in interface.options if on(o))


def _used(interface: Interface, given: Collection[str], options: Collection[str]) -> list[Tensor]:
    return [t for t in interface.inputs if t.name in given and (t.option is None or t.option in options)]


def _judge_presence(interface: Interface, given, null_outputs, options) -> None:
    for t in interface.inputs:
        if t.name not in given and (t.option is None or t.option in options):
            raise BindError(f"{t.name}: is missing, wants a tensor of shape [{t.shape}]{_because(interface, t)}")
    for t in interface.outputs:
        if t.name in null_outputs and (t.option is None or t.option in options):
            raise BindError(f"{t.name}: is null, wants a tensor of shape [{t.shape}]{_because(interface, t)}")


def _because(interface: Interface, tensor: Tensor) -> str:
    if tensor.option is None:
        return ""
    option = interface.option(tensor.option)
    if option.strict:
        return f", or {', '.join((*option.inputs, *option.outputs))} all absent"
    return f" because {option.inputs[0] if option.inputs else option.attribute} is given"


def _judge_attributes(interface: Interface, attributes: Mapping[str, object]) -> None:
    for a in interface.attributes:
        value = attributes[a.name]
        on_device = _float32(value) if a.type == "float" else value
        if a.positive and not on_device > 0 and (a.off is None or value != a.off):
            off = f"{a.off} (off) or " if a.off is not None else ""
            raise BindError(f"{a.name}: got {value}, wants {off}a value above 0")


def _float32(value: float) -> float:
    """The float32 that a device gets."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def _column(interface: Interface, used: list[Tensor], given: Mapping, strict: bool) -> dict[str, str]:
    columns = list(interface.columns)
    if not strict:
        return max(columns, key=lambda c: sum(_is(given[t.name], c[t.name]) for t in used))
    for t in used:
        fitting = [c for c in columns if _is(given[t.name], c[t.name])]
        if not fitting:
            wants = " or ".join(dict.fromkeys(c[t.name] for c in columns))
            raise BindError(f"{t.name}: dtype is {given[t.name].dtype}, wants {wants}")
        columns = fitting
    return columns[0]


def _is(array, dtype: str) -> bool:
    return array.dtype == numpy_dtype(dtype)


def _sizes(interface: Interface, used: list[Tensor], given: Mapping, attributes: Mapping):
    """(leading dimensions, symbol -> value), each from the first tensor that tells it."""
    symbols = {a.symbol: int(attributes[a.name]) for a in interface.attributes if a.symbol}
    leading = None
    facts: list[tuple[str, int]] = []
    for t in used:
        shape, count = given[t.name].shape, len(t.dims)
        if t.leading and len(shape) >= count:
            own = shape[: len(shape) - count]
            leading = own if leading is None else leading
            facts += zip(t.dims, shape[len(own) :])
        elif t.elements_only:
            facts += [(t.dims[0], given[t.name].size)] if count == 1 else []
        elif not t.leading and len(shape) == count:
            facts += zip(t.dims, shape)
    if leading is not None:
        symbols[ROWS] = math.prod(leading)
        symbols |= zip(interface.rows, leading)
    while _learn(facts, symbols):
        pass
    return leading or (), symbols


def _learn(facts: list[tuple[str, int]], symbols: dict[str, int]) -> bool:
    """Adds the first symbol that one dimension determines, plain names before expressions."""
    for text, value in sorted(facts, key=lambda fact: not fact[0].isidentifier()):
        left = dim(text).subs({symbol(k): v for k, v in symbols.items()})
        unknown = list(left.free_symbols)
        if len(unknown) == 1:
            roots = [r for r in sympy.solve(left - value, unknown[0]) if r.is_Integer and r >= 0]
            if len(roots) == 1:
                symbols[str(unknown[0])] = int(roots[0])
                return True
    return False


def _judge_limits(binding: Binding) -> None:
    """The bounds of sizes that the caller chooses; relations belong to products, which a binding does not know."""
    interface = binding.interface
    chosen = {a.symbol: a.name for a in interface.attributes if a.symbol}
    for symbol, (low, high) in interface.limits.items():
        value = binding.symbols.get(symbol)
        if value is not None and not low <= value <= high:
            raise BindError(f"{chosen.get(symbol, symbol)}: got {value}, wants {low} to {high}")


def _judge_shape(tensor: Tensor, shape: tuple[int, ...], binding: Binding) -> None:
    low, high = tensor.ranks
    if not low <= len(shape) <= high:
        wants = str(low) if low == high else f"{low} to {high}"
        raise BindError(f"{tensor.name}: rank is {len(shape)}, wants {wants}")
    if tensor.elements_only:
        fits = [dim_value(d, binding.symbols) for d in tensor.dims] == [math.prod(shape)]
    else:
        fits = expected_shape(tensor, binding.leading, binding.symbols) == shape
    if not fits:
        raise BindError(_shape_problem(tensor, shape, binding))


def _shape_problem(tensor: Tensor, shape: tuple[int, ...], binding: Binding) -> str:
    got = f"{tensor.name}: shape is {list(shape)}"
    if tensor.elements_only:
        count = dim_value(tensor.dims[0], binding.symbols)
        return f"{got}, {math.prod(shape)} elements, wants {tensor.dims[0]} = {count} elements"
    wants = expected_shape(tensor, binding.leading, binding.symbols)
    concrete = f"{list(wants)}, which is " if wants is not None else ""
    return f"{got}, wants {concrete}[{tensor.shape}]"
