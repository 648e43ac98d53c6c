"""Calls for examples and unit tests, derived from an interface: sizes, shapes, and one call per refused case."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from compiler.emit import checks, facts
from compiler.emit.cpp import literal
from compiler.emit.view import OperatorView
from ir.interface import ROWS, Interface, Tensor

EXAMPLE_ROWS, EXAMPLE_FEATURES, EXAMPLE_COUNTS = 8, 64, 2


def sizes(interface: Interface) -> dict[str, int]:
    """A small size per symbol: a documented one where the documents list sizes."""
    features = checks.positive_symbols(interface)
    found = {}
    for s in interface.symbols:
        low, high = interface.limits.get(s, (0, 2**31))
        if s in interface.sizes:
            found[s] = interface.sizes[s][0]
        else:
            default = EXAMPLE_ROWS if s == ROWS else EXAMPLE_FEATURES if s in features else EXAMPLE_COUNTS
            found[s] = min(max(default, low), high)
    return found


def shape(tensor: Tensor, values: dict[str, int], rows: tuple[int, ...] | None = None) -> list[int]:
    """The shape of a tensor for those sizes; `rows` are the leading dimensions, one by default."""
    dims = []
    for dim in tensor.dims:
        size = 1
        for term in checks.product_terms(dim):
            size *= int(term) if term.isdigit() else values[term]
        dims.append(size)
    return [*(rows or (values[ROWS],)), *dims] if tensor.leading else dims


def symbolic(tensor: Tensor) -> list[str]:
    """The same as C++ expressions of the symbols."""
    dims = [" * ".join(checks.product_terms(d)) for d in tensor.dims]
    return [ROWS, *dims] if tensor.leading else dims


@dataclass(frozen=True)
class Example:
    """column: the dtype column used; sizes: symbol -> value; attributes: name -> value."""

    column: int
    sizes: dict[str, int]
    attributes: dict[str, object]


def example(op: OperatorView) -> Example:
    """A call with every option switched on."""
    interface = op.interface
    columns = interface.columns
    column = next((i for i, c in enumerate(columns) if "bfloat16" in c.values()), 0)
    return Example(column, sizes(interface), {a.name: on_value(a) for a in interface.attributes})


def on_value(attribute):
    """A value of an attribute that its checks accept and that switches its option on."""
    if attribute.type == "bool" or not attribute.positive:
        return attribute.default
    return 1.5 if attribute.type == "float" else max(1, int(attribute.default))


def off_value(attribute):
    return attribute.default if attribute.off is None else attribute.off


@dataclass(frozen=True)
class Call:
    """One call of the host side. shapes: tensor -> shape, only what is given; note: what it is about.
    status: what it is refused with, None when it is accepted.
    """

    name: str
    note: str
    shapes: dict[str, list[int]]
    attributes: dict[str, object] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    status: facts.Status | None = None


def base(interface: Interface, column: int = 0, options: bool = True, rows: tuple[int, ...] | None = None,
         values: dict[str, int] | None = None) -> Call:
    """An accepted call, with every option on or off."""
    values = values or sizes(interface)
    if rows is not None:
        count = 1
        for r in rows:
            count *= r
        values = {**values, ROWS: count}
    shapes = {t.name: shape(t, values, rows) for t in interface.tensors if options or not t.optional}
    attributes = {a.name: on_value(a) if options else off_value(a) for a in interface.attributes}
    return Call("", "", shapes, attributes, dict(interface.columns[column]))


def accepted(interface: Interface) -> list[Call]:
    """Calls that the host side accepts."""
    found = []
    for i, column in enumerate(interface.columns):
        spelled = "_".join(dict.fromkeys(column[t.name] for t in interface.tensors if t.dtype in interface.dtypes))
        found.append(replace(base(interface, i), name=f"{spelled}_all_options", note="Every option is supplied."))
        if interface.options:
            found.append(replace(base(interface, i, False), name=f"{spelled}_no_option", note="No option is supplied."))
    for o in interface.options:
        if not o.inputs:
            continue
        call = base(interface, 0, False)
        values = sizes(interface)
        names = (*o.inputs, *o.outputs)
        shapes = {t.name: shape(t, values) for t in interface.tensors if t.name in call.shapes or t.name in names}
        found.append(replace(call, name=f"only_{o.name}", note=f"Of the options, {o.name} alone.", shapes=shapes))
    leading = [t for t in interface.tensors if t.leading]
    if leading:
        found.append(replace(base(interface, rows=(2, 3)), name="three_dimensions", note="Two leading dimensions."))
        found.append(replace(base(interface, rows=(0,)), name="no_rows", note="An empty tensor is no error."))
        if all(t.ranks[0] <= len(t.dims) for t in leading):
            flat = base(interface, values={**sizes(interface), ROWS: 1})
            shapes = {t.name: flat.shapes[t.name][1:] if t.leading else flat.shapes[t.name] for t in interface.tensors}
            found.append(replace(flat, name="one_row", note="No leading dimension: a single row.", shapes=shapes))
    return found


def refused(interface: Interface) -> list[Call]:
    """Calls that the host tiling refuses: one per check, each wrong in one place."""
    good = base(interface)
    found: list[Call] = []

    def add(name: str, note: str, **change):
        found.append(replace(good, name=name, note=note, status=facts.TILING, **change))

    for a in interface.attributes:
        if not a.positive:
            continue
        for spelled, value in (("zero", 0), ("negative", -2), ("nan", float("nan"))):
            if value == a.off or (a.type != "float" and value != value):
                continue
            cast = float(value) if a.type == "float" else value
            add(f"{a.name}_{spelled}", f"{a.name} is {value}.", attributes={**good.attributes, a.name: cast})
    for o in interface.options:
        for name in o.inputs[1:]:
            add(f"{o.inputs[0]}_without_{name}", f"{o.inputs[0]} is supplied without {name}.",
                shapes={n: s for n, s in good.shapes.items() if n != name})
    first = checks.row_tensor(interface)
    for t in interface.tensors:
        def changed(new):
            return {**good.shapes, t.name: new}

        old = good.shapes[t.name]
        high = checks.rank_range(t)[1]
        add(f"{t.name}_rank", f"{t.name} has too many dimensions.", shapes=changed([1] * (high + 1 - len(old)) + old))
        if t.leading and t is not first:
            add(f"{t.name}_rows", f"{t.name} has other leading dimensions.", shapes=changed([old[0] + 1, *old[1:]]))
        if t.elements_only:
            add(f"{t.name}_elements", f"{t.name} has an element too many.", shapes=changed([old[0] + 1, *old[1:]]))
        elif t.like or (t.dims and not _defines(interface, t)):
            add(f"{t.name}_last", f"The last dimension of {t.name} is one too long.",
                shapes=changed([*old[:-1], old[-1] + 1]))
    for s in checks.positive_symbols(interface):
        empty = base(interface, values={**sizes(interface), s: 0})
        add(f"no_{s}", f"{s} is 0.", shapes=empty.shapes)
    for s, (low, high) in interface.limits.items():
        if s in checks.definitions(interface):
            large = base(interface, values={**sizes(interface), s: high + 1})
            add(f"large_{s}", f"{s} is {high + 1}.", shapes=large.shapes)
    if first is not None and all(t.ranks[1] >= 3 for t in interface.tensors if t.leading):
        huge = base(interface, rows=(2**31, 2**31, 2**31), options=False)
        shapes = {n: [min(dim, 2**63 - 1) for dim in dims] for n, dims in huge.shapes.items()}
        add("too_many_rows", "The number of rows exceeds int64.", shapes=shapes, attributes=huge.attributes)
    return found


def _defines(interface: Interface, tensor: Tensor) -> bool:
    return any(t is tensor and i == len(tensor.dims) - 1 and f == 1
               for t, i, f in checks.definitions(interface).values())


@dataclass(frozen=True)
class ApiCase:
    """A call of the first aclnn phase as its unit test writes it."""

    name: str
    note: str
    shapes: dict[str, list[int]]
    dtypes: dict[str, str]
    inputs: list[str]
    outputs: list[str]
    status: facts.Status | None = None


def api_cases(op: OperatorView) -> list[ApiCase]:
    """Accepted calls, a null pointer for each parameter that must not be one, and wrong data types."""
    interface = op.interface
    found: list[ApiCase] = []

    def add(call: Call, name: str, note: str, status=None, without: str = "", dtypes=None):
        shapes = {n: s for n, s in call.shapes.items() if n != without}
        argument = lambda t: t.camel if t.name in shapes else "nullptr"
        attributes = [literal(call.attributes[a.name]) for a in interface.attributes]
        found.append(ApiCase(name, note, shapes, dtypes or call.dtypes,
                             [*map(argument, interface.inputs), *attributes], list(map(argument, interface.outputs)),
                             status))

    for call in accepted(interface):
        add(call, f"accepts_{call.name}", call.note)
    plain, full = base(interface, options=False), base(interface)
    for t in interface.tensors:
        if not t.optional:
            add(plain, f"refuses_null_{t.name}", f"{t.camel} is a null pointer.", facts.NULL, t.name)
    for o in interface.options:
        for name in o.outputs if o.inputs else ():
            camel = interface.tensor(name).camel
            add(full, f"refuses_null_{name}", f"{interface.tensor(o.inputs[0]).camel} is supplied and {camel} is null.",
                facts.NULL, name)
    for t in interface.tensors:
        allowed = set(interface.dtypes_of(t))
        wrong = next(d for d in ("int64", "float32") if d not in allowed)
        add(full, f"refuses_{t.name}_of_{wrong}", f"The data type of {t.camel} is {facts.SPELLED[wrong]}.",
            facts.INVALID, dtypes={**full.dtypes, t.name: wrong})
        other = next((d for d in interface.dtypes.get(t.dtype, ()) if d != full.dtypes[t.name]), None)
        shared = sum(x.dtype == t.dtype for x in interface.tensors) > 1
        if other and shared:
            add(full, f"refuses_mixed_{t.name}", f"{t.camel} alone is {facts.SPELLED[other]}.", facts.INVALID,
                dtypes={**full.dtypes, t.name: other})
    return found


def infershape_cases(op: OperatorView) -> list[tuple]:
    """(name, note, function from a tensor's view to its input shape)."""
    values = sizes(op.interface)

    def known(v):
        return shape(v.tensor, values)

    def unknown_dims(v):
        return [-1] * len(known(v))

    def unknown_rank(v):
        return [-2]

    return [("known_shapes", "Every dimension is known.", known),
            ("unknown_dimensions", "No dimension is known.", unknown_dims),
            ("unknown_ranks", "Not even the ranks are known.", unknown_rank)]


def spec_text(interface: Interface) -> dict:
    """The interface as the scripts of the system test read it."""
    return {
        "name": interface.name,
        "snake": interface.snake,
        "tensors": [{"name": t.name, "role": t.role, "shape": t.shape, "dtype": t.dtype, "option": t.option,
                     "like": t.like} for t in interface.tensors],
        "attributes": [{"name": a.name, "type": a.type, "default": a.default, "on": on_value(a), "off": a.off}
                       for a in interface.attributes],
        "options": [{"name": o.name, "inputs": list(o.inputs), "outputs": list(o.outputs), "attribute": o.attribute}
                    for o in interface.options],
        "dtypes": {k: list(v) for k, v in interface.dtypes.items()},
        "sizes": sizes(interface),
        "precision": {name: {d: {"rms": p.rms, "atol": p.atol, "rtol": p.rtol} for d, p in table.items()}
                      for name, table in interface.precision.items()},
    }
