"""A request of the command line: sizes and options, inputs from a seed or a file, and what the graph makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial

from ir.binding import BindError, Binding, bind, output_specs
from ir.inputs import LARGEST, consistent, load_npz, make_inputs, parse_shape
from ir.interface import ROWS, Operator
from ir.types import FLOATS, dim_value


class RequestError(ValueError):
    """Options that do not go together, or a value that is none; one line."""


@dataclass(frozen=True)
class Sizes:
    """symbols: size symbol -> value; options: those supplied; dtype: of the tensors whose dtype varies."""

    symbols: dict[str, int]
    options: set[str]
    dtype: str
    attributes: dict[str, float]


@dataclass(frozen=True)
class Request:
    """Inputs, attributes and null outputs of one call."""

    operator: Operator
    arrays: dict
    attributes: dict
    strict: bool

    @cached_property
    def binding(self) -> Binding:
        return bind(self.operator.interface, self.arrays, self.attributes, strict=self.strict)

    def interpret(self, rounding: str = "exact") -> dict:
        """Output -> array in the caller's shape.

        rounding: ``exact`` float64 throughout; ``kernel`` as the kernel computes and rounds; ``documented`` the documented
        formulas in float32, rounded once: what a plain CPU implementation gives.
        """
        from compiler.casts import insert_casts
        from ir.interpreter import evaluate

        backward, expanded, documented = _graphs(self.operator)
        binding = self.binding
        exact = rounding == "exact"
        graph = backward if exact else insert_casts(documented if rounding == "documented" else expanded,
                                                    self.operator.interface, binding.column)
        values = evaluate(graph, binding.graph_inputs(), binding.symbols, binding.options, exact, binding.outputs)
        return binding.shape_outputs(values)

    def magnitudes(self) -> dict:
        """The sums of absolute terms of the outputs of sums that have no precision row, in the caller's shapes."""
        from compiler.precision import Sums, magnitude, sums_of

        backward, _, _ = _graphs(self.operator)
        binding = self.binding
        names = [o for o in binding.outputs if o not in self.operator.interface.precision and sums_of(backward, o) is not Sums.NONE]
        values = {o: magnitude(backward, o, binding.graph_inputs(), binding.symbols, binding.options) for o in names}
        return binding.shape_outputs(values)

    def judge(self, outputs: dict):
        """The verdict of `compiler.precision` on these outputs."""
        from compiler.casts import column_name
        from compiler.precision import Report, Sums, judge, sums_of

        plain = self.interpret("documented") if self.operator.documented else None
        scale, backward = self.magnitudes(), _graphs(self.operator)[0]
        verdict = partial(judge, self.operator.interface, outputs, self.interpret("exact"), scale, blocks=self.blocks, plain=plain,
                          column=column_name(self.binding.column), mixed=[o for o in scale if sums_of(backward, o) is Sums.PART])
        report = verdict()
        if report.ok or not any(n.op == "matmul" for n in _graphs(self.operator)[0].nodes()):
            return report
        roundings, coarse = self.operand_roundings()
        pairs = list(zip(report.outputs, verdict(roundings=roundings, coarse=coarse).outputs))
        return Report(tuple(wide if wide.ok else strict for strict, wide in pairs), any(wide.ok and not strict.ok for strict, wide in pairs))

    def operand_roundings(self) -> tuple[dict, set[str]]:
        """(outputs of float64 arithmetic in which the 16-bit operands of products alone are rounded, as the kernel rounds
        them; the outputs that depend on an operand for which that is coarse)."""
        from compiler.precision import is_coarse
        from ir.graph import topological
        from ir.types import numpy_dtype

        graph, outputs, operands = self._products(narrowing=True)
        coarse = {n for n, value in operands.items() if is_coarse(value, numpy_dtype(n.dtype))}
        return outputs, {o for o in outputs if coarse.intersection(topological([graph.outputs[o]]))}

    def largest_operand(self, of: Iterable[str]) -> float:
        """The largest magnitude in float64 among the operands of products that depend on these inputs; 0 where none does."""
        import numpy

        from ir.graph import topological

        graph, _, operands = self._products(narrowing=False)
        given = {graph.inputs[name] for name in of if name in graph.inputs}
        values = [value for n, value in operands.items() if given.intersection(topological([n]))]
        return max((float(numpy.abs(value).max(initial=0.0)) for value in values), default=0.0)

    def _products(self, narrowing: bool) -> tuple:
        """(graph in which 16-bit operands of products are casts, outputs, cast -> what it rounds): float64 arithmetic, with
        or without those casts."""
        from compiler.casts import insert_casts
        from compiler.simplify import choose
        from ir.graph import Graph, topological
        from ir.interpreter import evaluate
        from ir.types import BYTES

        binding = self.binding
        graph = choose(insert_casts(_graphs(self.operator)[1], self.operator.interface, binding.column, outputs=False), binding.options)
        roots = {o: graph.outputs[o] for o in binding.outputs}
        casts = [n for n in topological(roots.values()) if n.op == "cast" and BYTES[n.dtype] == 2]
        operands = {f"operand {i}": n.operands[0] for i, n in enumerate(casts)}
        values = evaluate(Graph(graph.name, graph.inputs, roots | operands), binding.graph_inputs(), binding.symbols, narrowing=narrowing)
        rounded = {n: values.pop(name) for n, name in zip(casts, operands)}
        return graph, binding.shape_outputs(values), rounded

    @property
    def blocks(self) -> dict[str, int]:
        """Output -> number of neighbouring elements that share one RMS in the pointwise bound, where that is not all."""
        tables = self.operator.interface.precision.items()
        rows = {name: row.block for name, table in tables for row in table.values() if row.block}
        return {name: dim_value(block, self.binding.symbols) for name, block in rows.items()}

    @property
    def specs(self) -> dict:
        return output_specs(self.operator.interface, self.binding)


_known_graphs: dict[int, tuple] = {}


def _graphs(operator: Operator) -> tuple:
    """(backward, backward in the forms that are emitted, the documented formulas or else the first), built once."""
    from compiler.pipeline import backward_of
    from ir.builder import build_documented

    if id(operator) not in _known_graphs:
        _, backward, expanded = backward_of(operator)
        _known_graphs[id(operator)] = (operator, backward, expanded, build_documented(operator) or backward)
    return _known_graphs[id(operator)][1:]


def make_request(operator: Operator, shape: str | None, dtype: str | None, without: str, attrs: Iterable[str],
                 seed: int | None, inputs: str | None, strict: bool) -> Request:
    """The request of the common options. Raises RequestError and BindError, each one line."""
    values = parse_attributes(operator, attrs)
    left_out = tensor_names("--without", without, operator)
    if (shape is None) == (inputs is None):
        got = "neither --shape nor --inputs" if shape is None else "both --shape and --inputs"
        raise RequestError(f"inputs: got {got}, wants --shape NAME=SIZE,... or --inputs IN.npz")
    if inputs is not None:
        for option, value in (("--dtype", dtype), ("--seed", seed)):
            if value is not None:
                raise RequestError(f"{option}: got {value}, but the arrays of --inputs say it")
        arrays = load_npz(inputs, operator.interface)
        for name in _tensors_left_out(operator, left_out):
            arrays[name] = None
        values = _sizes_told(operator, arrays) | values
        return Request(operator, arrays, values, strict)
    try:
        sizes = parse_shape(shape)
        arrays, values = make_inputs(operator.interface, sizes, dtype or default_dtype(operator), left_out, values, seed or 0)
        arrays = consistent(operator, arrays, values)
    except BindError as error:
        raise RequestError(_as_option(str(error))) from None
    except (MemoryError, ValueError) as error:  # NumPy's own ValueError: more elements than an address has
        if isinstance(error, ValueError) and "too" not in str(error) and "dimension" not in str(error):
            raise
        raise RequestError(f"--shape: got {shape}, whose tensors do not fit in memory") from None
    return Request(operator, arrays, values, strict)


def _sizes_told(operator: Operator, arrays: dict) -> dict[str, int]:
    """The values of attributes that are sizes, where the shape of an array has that size as a dimension of its own."""
    found = {}
    for a in operator.interface.attributes:
        for t in operator.interface.inputs if a.symbol is not None and a.default is None else ():
            array = arrays.get(t.name)
            if array is not None and a.symbol in t.dims and array.ndim >= len(t.dims) and not t.elements_only:
                found.setdefault(a.name, array.shape[array.ndim - len(t.dims) + t.dims.index(a.symbol)])
    return found


def _as_option(message: str) -> str:
    """An error about a shape, a dtype or a name to leave out, with the option's name in front."""
    return f"--{message}" if message.startswith(("shape:", "dtype:", "without:")) else message


def tensor_names(option: str, text: str, operator: Operator) -> list[str]:
    """The names of a comma-separated list, each of a tensor or, for --without, of an option. Raises RequestError."""
    interface = operator.interface
    known = [t.name for t in interface.tensors]
    if option == "--without":
        known += [o.name for o in interface.options if o.inputs and o.name not in known]
    for name in _names(text):
        if name not in known:
            raise RequestError(f"{option}: got {name}, wants one of {', '.join(known)}")
    return _names(text)


def _tensors_left_out(operator: Operator, names: Iterable[str]) -> list[str]:
    """The tensors that go when these are left out: an option goes as a whole, an output alone."""
    found = []
    for name in names:
        option = next((o for o in operator.interface.options if name == o.name or name in o.inputs), None)
        found += option.inputs if option else [name]
    return found


def make_sizes(operator: Operator, shape: str | None, dtype: str | None, without: str, attrs: Iterable[str]) -> Sizes:
    """Sizes and options without any data, for schedules of shapes that no memory holds."""
    from math import prod

    interface = operator.interface
    if shape is None:
        raise RequestError(f"--shape: got nothing, wants {_wanted_sizes(interface)}")
    try:
        given = parse_shape(shape)
    except BindError as error:
        raise RequestError(_as_option(str(error))) from None
    values = {a.name: a.default for a in interface.attributes}
    values |= {a.name: given[a.symbol] for a in interface.attributes if a.symbol in given}
    values |= parse_attributes(operator, attrs)
    for a in interface.attributes:
        if values[a.name] is None:
            raise RequestError(f"{a.name}: got nothing, wants a value (--attr {a.name}=...)")
        if a.symbol in given and values[a.name] != given[a.symbol]:
            raise RequestError(f"{a.name}: got {values[a.name]}, but the shape says {a.symbol}={given[a.symbol]}")
    known = set(interface.symbols)
    leading = [v for k, v in given.items() if k not in known]
    if leading and ROWS in given:
        raise RequestError(f"--shape: got {ROWS} beside other leading dimensions, wants one or the other")
    for name in given if interface.rows else ():
        if name not in known and name not in interface.rows:
            wants = ", ".join((*interface.rows, *interface.symbols[1:]))
            raise RequestError(f"--shape: {name} is no size of {operator.name}, wants {wants}")
    symbols = {k: v for k, v in given.items() if k in known}
    for a in interface.attributes:
        if a.symbol is not None:
            values[a.name] = symbols[a.symbol] = symbols.get(a.symbol, values[a.name])
    if ROWS in known and ROWS not in symbols:
        symbols[ROWS] = prod(leading)
    if symbols.get(ROWS, 0) > LARGEST:
        raise RequestError(f"--shape: got {shape}, {symbols[ROWS]} rows, wants at most {LARGEST}")
    absent = set(tensor_names("--without", without, operator))
    for t in interface.tensors:
        if t.name in absent and t.option is None:
            raise RequestError(f"--without: got {t.name}, which cannot be left out")
    options = set()
    for o in interface.options:
        if o.attribute is not None:
            attribute = next(a for a in interface.attributes if a.name == o.attribute)
            if values[o.attribute] != attribute.off:
                options.add(o.name)
            continue
        sized = all(s in symbols for name in o.inputs for d in interface.tensor(name).dims for s in _symbols(d))
        if sized and not absent & {o.name, *o.inputs}:
            options.add(o.name)
    from ir.binding import _judge_attributes

    _judge_attributes(interface, values)
    for t in interface.tensors:
        if t.option is None or t.option in options:
            for d in t.dims:
                for s in _symbols(d):
                    if s not in symbols:
                        raise RequestError(f"--shape: {s} has no size, wants one for {t.name} [{t.shape}]")
                    if s != ROWS and symbols[s] == 0 and s != "G":
                        raise RequestError(f"--shape: {s} is 0, wants at least 1")
    dtype = dtype or default_dtype(operator)
    if dtype not in {d for v in interface.dtypes.values() for d in v}:
        raise RequestError(f"--dtype: got {dtype}, wants one of {', '.join(d for v in interface.dtypes.values() for d in v)}")
    return Sizes(symbols, options, dtype, values)


def _wanted_sizes(interface) -> str:
    """The sizes that a shape of the operator gives, those that only options need last."""
    rows = lambda symbols: [r for s in symbols for r in (interface.rows if s == ROWS and interface.rows else (s,))]
    always = {s for t in interface.tensors if t.option is None for d in t.dims for s in _symbols(d)} | {ROWS}
    text = ",".join(f"{s}=.." for s in rows(s for s in interface.symbols if s in always))
    for o in interface.options:
        more = {s for name in o.inputs for d in interface.tensor(name).dims for s in _symbols(d)} - always
        text += "".join(f", and {s}=.. for {o.name}" for s in interface.symbols if s in more)
    return text


def _symbols(text: str) -> list[str]:
    import re

    return re.findall(r"[A-Za-z_]\w*", text)


def default_dtype(operator: Operator) -> str:
    """bfloat16 where the operator has it, else its first dtype."""
    dtypes = [d for v in operator.interface.dtypes.values() for d in v if d in FLOATS]
    return "bfloat16" if "bfloat16" in dtypes or not dtypes else dtypes[0]


def parse_attributes(operator: Operator, attrs: Iterable[str]) -> dict:
    """``name=value`` texts -> values. Raises BindError for a text that is no number, RequestError for an unknown name."""
    from ir.binding import attribute_value

    known = {a.name: a for a in operator.interface.attributes}
    values = {}
    for text in attrs:
        name, equals, value = text.partition("=")
        if name in values:
            raise RequestError(f"--attr: {name} is given twice")
        if not equals or name not in known:
            raise RequestError(f"--attr: got {text}, wants NAME=VALUE with NAME one of {', '.join(known) or '(no attributes)'}")
        values[name] = attribute_value(known[name], value)
    return values


def _names(text: str) -> list[str]:
    return [n.strip() for n in text.split(",") if n.strip()]


__all__ = ["BindError", "Request", "RequestError", "Sizes", "make_request", "make_sizes"]
