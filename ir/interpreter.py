"""Graphs executed in NumPy: ``exact`` in float64 throughout, else each value in its own dtype, rounded by the casts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ir.graph import Graph, Node, topological
from ir.ops import OPS
from ir.types import BYTES, FLOATS, as_array, dim, dim_value, numpy_dtype


class InterpretError(ValueError):
    """A graph that cannot be executed on what was given; one line that names the input, symbol or operation."""


def evaluate(
    graph: Graph,
    inputs: Mapping[str, object],
    symbols: Mapping[str, int],
    options: Collection[str] = (),
    exact: bool = True,
    outputs: Iterable[str] | None = None,
    narrowing: bool = False,
) -> dict:
    """The outputs of the graph: name -> array of the graph's shape.

    inputs: name -> array of the graph's shape (numbers for attributes); absent or None where nothing needs it.
    symbols: size symbol -> value. options: the options that are supplied; the other side of a guard is not computed.
    exact: float64 throughout, and casts between floats do nothing; else every value has its own dtype.
    narrowing: in exact, casts to 16-bit dtypes round all the same: their effect alone, on float64 arithmetic.
    outputs: the names to compute, all by default; nothing else is computed.

    A number for a scalar input is taken as the float32 that the device gets, also in exact: a comparison with a limit
    is one with float32(limit).

    Raises InterpretError for an input that is needed and absent or of another shape, a symbol without a value, an
    unknown output, and an operation that cannot be carried out.
    """
    import numpy

    names = list(graph.outputs) if outputs is None else list(outputs)
    for name in names:
        if name not in graph.outputs:
            raise InterpretError(f"output {name}: {graph.name} has none, it has {', '.join(graph.outputs)}")
    roots = [graph.outputs[name] for name in names]
    run = _Run(graph, inputs, dict(symbols), frozenset(options), exact, narrowing)
    with numpy.errstate(all="ignore"):
        values = run.values(roots)
    return {name: values[root] for name, root in zip(names, roots)}


def size(text, symbols: Mapping[str, int]) -> int:
    """A dimension as a number. Raises InterpretError when a symbol has no value or the result is no natural number."""
    value = dim_value(text, symbols)
    if value is not None:
        return value
    missing = ", ".join(sorted({str(s) for s in dim(str(text)).free_symbols} - set(symbols)))
    if missing:
        raise InterpretError(f"symbol {missing}: has no value, and the size {text} needs it")
    known = ", ".join(f"{k}={v}" for k, v in symbols.items())
    raise InterpretError(f"size {text}: is no natural number for {known}")


class _Run:
    """One execution: inputs, sizes, options and rounding."""

    def __init__(self, graph: Graph, inputs, symbols, options, exact, narrowing=False):
        self.graph, self.inputs, self.symbols, self.options = graph, inputs, symbols, options
        self.exact, self.narrowing = exact, narrowing

    def operands(self, n: Node) -> tuple[Node, ...]:
        """What a value is computed from here: one side of a guard."""
        if n.op == "guard":
            return (n.operands[0 if n.attr("option") in self.options else 1],)
        return n.operands

    def values(self, roots: list[Node]) -> dict:
        """The values of the roots; those in between are dropped after their last use."""
        order = topological(roots, self.operands)
        last_use = {o: n for n in order for o in self.operands(n)}
        for root in roots:
            last_use.pop(root, None)
        values: dict = {}
        for n in order:
            operands = self.operands(n)
            values[n] = self.shaped(n, self.value(n, [values[o] for o in operands]))
            for o in set(operands):
                if last_use.get(o) is n:
                    del values[o]
        return values

    def value(self, n: Node, operands: list):
        special = getattr(self, f"_{n.op}", None)
        if special:
            return special(n, *operands)
        attrs = {k: self.concrete(k, v) for k, v in n.attrs}
        try:
            return OPS[n.op].numpy(*operands, **attrs)
        except (ValueError, TypeError) as error:
            shapes = ", ".join(str(o.shape) for o in operands)
            raise InterpretError(f"{self.label(n)}: NumPy refuses shapes {shapes}: {error}") from error

    def concrete(self, key: str, value):
        """Shapes and bounds in attributes as numbers."""
        if key == "shape":
            return tuple(size(d, self.symbols) for d in value)
        return size(value, self.symbols) if key in ("start", "stop", "rows") else value

    def shaped(self, n: Node, result):
        """The result in the value's dtype and shape: a guard may have picked a scalar for a tensor."""
        import numpy

        result = numpy.asarray(result, dtype=self.dtype(n))
        shape = tuple(size(d, self.symbols) for d in n.shape)
        if result.shape == shape:
            return result
        if result.shape == ():
            return numpy.broadcast_to(result, shape)
        raise InterpretError(f"{self.label(n)}: shape is {result.shape}, wants {shape}")

    def dtype(self, n: Node):
        return numpy_dtype("float64" if self.exact and n.dtype in FLOATS else n.dtype)

    def label(self, n: Node) -> str:
        return n.attr("name") if n.op == "input" else f"{self.graph.names.get(n, n.op)} = {n!r}"

    def _input(self, n: Node):
        name = n.attr("name")
        given = self.inputs.get(name)
        if given is None:
            raise InterpretError(f"{name}: is needed and was not given")
        array = as_array(given)
        return array.astype(numpy_dtype(n.dtype)) if not n.shape else array

    def _constant(self, n: Node):
        return n.attr("value")

    def _size(self, n: Node):
        return size(n.attr("of"), self.symbols)

    def _guard(self, n: Node, chosen):
        return chosen

    def _saved(self, n: Node, definition):
        return definition

    def _cast(self, n: Node, value):
        if self.narrowing and n.dtype in FLOATS and BYTES[n.dtype] == 2:
            return value.astype(numpy_dtype(n.dtype))
        return value  # `shaped` rounds
