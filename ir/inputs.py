"""Inputs of an operator: random ones of a given shape, and npz files."""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path

from ir.binding import BindError, attribute_value, bind, expected_shape, output_specs
from ir.builder import build_forward
from ir.files import write_whole
from ir.graph import Graph
from ir.interface import ROWS, Interface, Operator, Tensor
from ir.interpreter import evaluate
from ir.types import FLOATS, as_array, dim, numpy_dtype

LARGEST = 2**63 - 1
"""Sizes are 64-bit integers."""

__all__ = ["BindError", "consistent", "load_npz", "make_inputs", "output_specs", "parse_shape", "save_npz"]

LARGE = 10.0
"""Factor on the few large values among activations: they reach the limits of clamps and the flat ends of sigmoids."""


def parse_shape(text: str) -> dict[str, int]:
    """``B=2,S=100,H=512`` as symbol -> size, in the order given.

    Raises BindError for anything else, a symbol given twice and a negative size.
    """
    sizes: dict[str, int] = {}
    for part in text.split(","):
        name, _, value = (p.strip() for p in part.partition("="))
        if not name.isidentifier() or not value.isascii() or not value.isdigit():
            got = part.strip() or text
            raise BindError(f"shape: got {got!r}, wants NAME=SIZE separated by commas, as in T=513,H=1536")
        if name in sizes:
            raise BindError(f"shape: {name} is given twice")
        sizes[name] = int(value)
        if sizes[name] > LARGEST:
            raise BindError(f"shape: {name} is {value}, wants at most {LARGEST}")
    return sizes


def make_inputs(
    interface: Interface,
    shape: Mapping[str, int],
    dtype: str,
    without: Collection[str] = (),
    attrs: Mapping[str, object] | None = None,
    seed: int = 0,
) -> tuple[dict, dict]:
    """Random inputs and attributes of that shape, the same for the same arguments: ready for `ir.binding.bind`.

    shape: symbols of the interface; further names are the leading dimensions in the order given. T alone is one leading
        dimension. Without any there are no leading dimensions and one row. A symbol that is an attribute sets it.
    dtype: the dtype of the tensors whose dtype may vary.
    without: tensors or options to leave out; leaving out an input of an option leaves out the option, leaving out an
        output makes that output null (None in the result).
    An option whose symbols have no size is left out. Each tensor's values depend on the seed, its name and its shape
    alone, so that leaving out an option does not change the others.

    Raises BindError for a symbol without a size, T beside other leading dimensions, an unknown dtype, tensor or
    attribute.
    """
    column = _column(interface, dtype)
    absent = _absent(interface, without)
    values, symbols = _attributes(interface, shape, attrs or {})
    leading = _leading(interface, shape, symbols)
    off = {o for o in _optional(interface) if o in absent or not _has_sizes(interface, o, symbols)}
    arrays: dict = {t.name: None for t in interface.outputs if t.name in absent}
    for t in interface.inputs:
        if t.name in absent or t.option in off:
            continue
        wanted = expected_shape(t, leading, symbols)
        if wanted is None:
            missing = [s for s in _symbols_of(t) if s not in symbols]
            raise BindError(f"shape: {', '.join(missing)} has no size, wants one for {t.name} [{t.shape}]")
        arrays[t.name] = _random(t, wanted, column[t.name], symbols.get(ROWS, 0), seed)
    return arrays, values


def consistent(operator: Operator, arrays: Mapping[str, object], attributes: Mapping[str, object]) -> dict:
    """The arrays with the saved tensors among them replaced by what the forward makes of the others, in their dtypes."""
    forward = build_forward(operator)
    saved = {n.attr("name"): n for n in forward.nodes() if n.op == "saved" and arrays.get(n.attr("name")) is not None}
    binding = bind(operator.interface, arrays, attributes, strict=False)
    inputs = binding.graph_inputs() | operator.unknowns
    graph = Graph(forward.name, forward.inputs, saved)
    values = evaluate(graph, inputs, binding.symbols, binding.options)
    return {**arrays, **{k: v.reshape(arrays[k].shape).astype(arrays[k].dtype) for k, v in values.items()}}


def _column(interface: Interface, dtype: str) -> dict[str, str]:
    varying = [t.name for t in interface.inputs if t.dtype in interface.dtypes]
    fitting = [c for c in interface.columns if not varying or c[varying[0]] == dtype]
    if not fitting:
        wants = " or ".join(dict.fromkeys(c[varying[0]] for c in interface.columns))
        raise BindError(f"dtype: got {dtype}, wants {wants}")
    return fitting[0]


def _optional(interface: Interface) -> list[str]:
    return [o.name for o in interface.options if o.inputs]


def _absent(interface: Interface, without: Collection[str]) -> set[str]:
    """Names of options and of tensors outside options that are left out, and of null outputs."""
    absent: set[str] = set()
    tensors = {t.name: t for t in interface.tensors}
    for name in without:
        if name not in tensors and name not in _optional(interface):
            raise BindError(f"without: got {name}, wants one of {', '.join(tensors)}")
        t = tensors.get(name)
        absent.add(t.option if t is not None and t.role == "input" and t.option else name)
    return absent


def _attributes(interface: Interface, shape: Mapping[str, int], attrs: Mapping[str, object]):
    """(attribute values, symbol -> size): a symbol that is an attribute has one value in both."""
    known = {a.name: a for a in interface.attributes}
    for name in attrs:
        if name not in known:
            raise BindError(f"{name}: unknown attribute, {interface.name} has {', '.join(known) or 'none'}")
    values = {}
    for name, a in known.items():
        value = attrs.get(name, shape.get(a.symbol, a.default) if a.symbol else a.default)
        if value is None:
            sized = f", or {a.symbol}=... in the shape" if a.symbol else ""
            raise BindError(f"{name}: is missing, wants a value ({a.type}){sized}")
        values[name] = attribute_value(a, value)
    symbols = {name: value for name, value in shape.items() if name in interface.symbols}
    for a in interface.attributes:
        if a.symbol in shape:
            if a.name in attrs and values[a.name] != shape[a.symbol]:
                raise BindError(f"{a.name}: got {values[a.name]}, but the shape says {a.symbol}={shape[a.symbol]}")
            values[a.name] = symbols[a.symbol] = shape[a.symbol]
        elif a.symbol is not None:
            symbols[a.symbol] = values[a.name]
    return values, symbols


def _leading(interface: Interface, shape: Mapping[str, int], symbols: dict[str, int]) -> tuple[int, ...]:
    """The leading dimensions; adds the number of rows to the symbols."""
    known = {*interface.symbols, *(a.symbol for a in interface.attributes)} - {ROWS}
    names = [n for n in shape if n not in known]
    if ROWS in names and len(names) > 1:
        others = ", ".join(n for n in names if n != ROWS)
        raise BindError(f"shape: T is the product of the leading dimensions, got both T and {others}")
    if interface.rows:
        if names == [ROWS]:  # all rows along the last leading dimension
            leading = (1,) * (len(interface.rows) - 1) + (shape[ROWS],)
        else:
            for name in [*(n for n in names if n not in interface.rows), *(n for n in interface.rows if n not in names)]:
                raise BindError(f"shape: got {', '.join(names) or 'no leading dimension'}, wants {', '.join(interface.rows)}"
                                f" ({name} is {'missing' if name in interface.rows else 'no size of ' + interface.name})")
            leading = tuple(shape[n] for n in interface.rows)
        symbols |= zip(interface.rows, leading)
    else:
        leading = tuple(shape[n] for n in names)
    symbols[ROWS] = math.prod(leading)
    return leading


def _symbols_of(tensor: Tensor) -> list[str]:
    return sorted({str(s) for d in tensor.dims for s in dim(d).free_symbols})


def _has_sizes(interface: Interface, option: str, symbols: Mapping[str, int]) -> bool:
    """Whether the symbols that only this option's tensors have are known; the others' absence is an error."""
    required = {s for t in interface.inputs if t.option is None for s in _symbols_of(t)}
    tensors = [interface.tensor(n) for n in interface.option(option).inputs]
    return all(s in symbols or s in required for t in tensors for s in _symbols_of(t))


def _random(tensor: Tensor, shape: tuple[int, ...], dtype: str, rows: int, seed: int):
    """Counts that sum to the rows; activations around 0, a few of them large; matrices of the scale that keeps row sums
    of squares near 1; other weights and saved statistics in (0.1, 1)."""
    import numpy

    generator = numpy.random.default_rng([seed, zlib.crc32(tensor.name.encode())])
    if dtype == "int64":
        return _counts(generator, math.prod(shape), rows).reshape(shape)
    if dtype not in FLOATS:
        return generator.integers(0, 2, shape).astype(numpy_dtype(dtype))
    statistic = tensor.leading and tensor.dtype == dtype  # of one dtype beside activations of many: norms and the like
    matrix = not tensor.leading and len(tensor.dims) > 1
    if statistic or not (tensor.leading or matrix):
        return generator.uniform(0.1, 1.0, shape).astype(numpy_dtype(dtype))
    values = generator.standard_normal(shape, dtype=numpy.float32)
    if matrix:
        values /= math.sqrt(max(shape[-1], 1))
    else:
        flat = values.reshape(-1)
        flat[generator.integers(0, max(flat.size, 1), flat.size // 256)] *= numpy.float32(LARGE)
    return values.astype(numpy_dtype(dtype))


def _counts(generator, groups: int, rows: int):
    """int64 counts of the groups that sum to the rows, about a quarter of them zero."""
    import numpy

    counts = numpy.zeros(groups, numpy.int64)
    if groups:
        empty = max(1, groups // 4) if groups > 1 else 0
        filled = generator.permutation(groups)[empty:]
        counts[filled] = generator.multinomial(rows, numpy.full(len(filled), 1 / len(filled)))
    return counts


def load_npz(path: str | Path, interface: Interface | None = None) -> dict:
    """The arrays of an npz file; bfloat16 comes back as bfloat16.

    Raises BindError when there is no such file, it is no npz, holds Python objects, or has a key that the interface's
    inputs do not have.
    """
    import numpy

    try:
        with numpy.load(path, allow_pickle=False) as archive:
            arrays = {name: as_array(archive[name]) for name in archive.files}
    except FileNotFoundError:
        raise BindError(f"{path}: no such file") from None
    except (ValueError, OSError, EOFError, AttributeError, TypeError, zipfile.BadZipFile, zlib.error):
        raise BindError(f"{path}: is no npz file of numeric arrays") from None
    known = [t.name for t in interface.inputs] if interface else list(arrays)
    for name in arrays:
        if name not in known:
            raise BindError(f"{path}: has the key {name}, {interface.name} takes {', '.join(known)}")
    return arrays


def save_npz(path: str | Path, arrays: Mapping[str, object]) -> None:
    """Writes the arrays (those that are None left out) under exactly that path: all of the file, or none of it.

    Raises BindError when it cannot.
    """
    import numpy

    arrays = {name: as_array(a) for name, a in arrays.items() if a is not None}
    try:
        write_whole(path, lambda file: numpy.savez(file, **arrays))
    except OSError as error:
        raise BindError(f"{path}: cannot be written: {error.strerror or error}") from None
