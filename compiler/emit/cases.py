"""Calls for examples and unit tests, derived from an interface: sizes, shapes, and one call per refused case."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import prod

from compiler.emit import checks, facts
from compiler.emit.cpp import literal
from compiler.emit.view import OperatorView
from ir.interface import ROWS, Interface, Tensor
from ir.relation import relation

EXAMPLE_ROWS, EXAMPLE_FEATURES, EXAMPLE_COUNTS = 8, 64, 2


def sizes(interface: Interface) -> dict[str, int]:
    """A small size per symbol: that of the sample, or a documented one where the documents list sizes."""
    if interface.sample is not None:
        found = dict(interface.sample.sizes)
        found.setdefault(ROWS, prod(found[r] for r in interface.rows))
        return found
    features = checks.positive_symbols(interface)
    found = {}
    for s in interface.symbols:
        low, high = interface.limits.get(s, (0, 2**31))
        if s in interface.sizes:
            found[s] = interface.sizes[s][0]
        else:
            default = EXAMPLE_ROWS if s == ROWS else EXAMPLE_FEATURES if s in features else EXAMPLE_COUNTS
            found[s] = min(max(default, low), high)
    if interface.rows:
        found |= {name: 1 for name in interface.rows[:-1]} | {interface.rows[-1]: found[ROWS]}
    return found


def shape(tensor: Tensor, values: dict[str, int], rows: tuple[int, ...] | None = None) -> list[int]:
    """The shape of a tensor for those sizes; `rows` are the leading dimensions, by default those named, or one."""
    dims = []
    for dim in tensor.dims:
        size = 1
        for term in checks.product_terms(dim):
            size *= int(term) if term.isdigit() else values[term]
        dims.append(size)
    named = tuple(values[name] for name in _lead(tensor))
    return [*(rows or named or (values[ROWS],)), *dims] if tensor.leading else dims


def _lead(tensor: Tensor) -> list[str]:
    return [d.strip() for d in tensor.shape.split(",")[: tensor.lead]]


def symbolic(tensor: Tensor, called: dict[str, str] | None = None) -> list[str]:
    """The same as C++ expressions of the symbols; `called` names products of them."""
    names = {text: name for name, text in (called or {}).items()}
    dims = [names.get(d.replace(" ", ""), " * ".join(checks.product_terms(d))) for d in tensor.dims]
    return [*(_lead(tensor) or [ROWS]), *dims] if tensor.leading else dims


@dataclass(frozen=True)
class Example:
    """column: the dtype column used; sizes: symbol -> value; attributes: name -> value.

    constants: C++ names of the sizes -> expression, in the order of their definition.
    values, expected: as in `ir.interface.Sample`; None where the elements vary.
    """

    column: int
    sizes: dict[str, int]
    attributes: dict[str, object]
    constants: dict[str, str]
    values: dict[str, float] | None = None
    expected: dict[str, float] = field(default_factory=dict)


def example(op: OperatorView) -> Example:
    """A call with every option switched on."""
    interface = op.interface
    columns = interface.columns
    column = next((i for i, c in enumerate(columns) if "bfloat16" in c.values()), 0)
    values = sizes(interface)
    named = [*interface.meanings, *interface.rows, *(s for s in interface.symbols if not interface.rows or s != ROWS)]
    constants = {s: str(values[s]) for s in named}
    constants |= {name: " * ".join(checks.product_terms(text)) for name, text in interface.names.items()}
    attributes = attribute_values(interface, values)
    if interface.sample is None:
        return Example(column, values, attributes, constants)
    return Example(column, values, attributes, constants, interface.sample.values, interface.sample.expected)


def attribute_values(interface: Interface, values: dict[str, int], options: bool = True) -> dict[str, object]:
    """A value per attribute: the size that it is, or one that switches its option on, or off."""
    return {a.name: values[a.symbol] if a.symbol else on_value(a) if options else off_value(a)
            for a in interface.attributes}


def on_value(attribute):
    """A value of an attribute that its checks accept and that switches its option on."""
    if attribute.default is None:
        return 1
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
        values = {**values, ROWS: prod(rows)}
    shapes = {t.name: shape(t, values, rows) for t in interface.tensors if options or not t.optional}
    attributes = attribute_values(interface, values, options)
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
    if interface.rows:
        ones = (1,) * (len(interface.rows) - 1)
        found.append(replace(base(interface, rows=(3, *ones)), name="other_rows", note="More rows."))
        for i, name in enumerate(interface.rows):
            rows = tuple(0 if i == j else 2 for j in range(len(interface.rows)))
            found.append(replace(base(interface, rows=rows), name=f"{name}_is_0", note="An empty tensor is no error."))
    elif leading:
        found.append(replace(base(interface, rows=(2, 3)), name="three_dimensions", note="Two leading dimensions."))
        found.append(replace(base(interface, rows=(0,)), name="no_rows", note="An empty tensor is no error."))
        if all(t.ranks[0] <= len(t.dims) for t in leading):
            flat = base(interface, values={**sizes(interface), ROWS: 1})
            shapes = {t.name: flat.shapes[t.name][1:] if t.leading else flat.shapes[t.name] for t in interface.tensors}
            found.append(replace(flat, name="one_row", note="No leading dimension: a single row.", shapes=shapes))
    return found


def refused(interface: Interface) -> list[Call]:
    """Calls that the host tiling refuses: one per check, each wrong in one place.

    Where the aclnn layer checks shapes first, `status` is its own.
    """
    good = base(interface)
    found: list[Call] = []
    early = interface.shape_checks == "aclnn"

    def add(name: str, note: str, status: facts.Status = facts.INVALID if early else facts.TILING, **change):
        found.append(replace(good, name=name, note=note, status=status, **change))

    for a in interface.attributes:
        if a.symbol is not None:
            low, high = interface.limits.get(a.symbol, (1, None))
            for spelled, value in (("too_small", low - 1), ("negative", -1), ("too_large", high and high + 1)):
                if value is not None:
                    add(f"{a.name}_{spelled}", f"{a.name} is {value}.", attributes={**good.attributes, a.name: value})
            other = next((v for v in range(low, high or 64) if v not in _divisors(interface, a.symbol)), None)
            if other is not None:
                add(f"{a.name}_no_divisor", f"{a.name} is {other}.", attributes={**good.attributes, a.name: other})
        if not a.positive or a.symbol is not None:
            continue
        for spelled, value in (("zero", 0), ("negative", -2), ("nan", float("nan"))):
            if value == a.off or (a.type != "float" and value != value):
                continue
            cast = float(value) if a.type == "float" else value
            add(f"{a.name}_{spelled}", f"{a.name} is {value}.", attributes={**good.attributes, a.name: cast})
    for o in interface.options:
        for name in (*o.inputs, *o.outputs) if o.strict else ():
            add(f"{o.name}_without_{name}", f"All of {o.name} but {name} is supplied.",
                facts.NULL if early else facts.TILING, shapes={n: s for n, s in good.shapes.items() if n != name})
        for name in () if o.strict else o.inputs[1:]:
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
    defined = checks.definitions(interface)
    bounded = [s for s in checks.positive_symbols(interface) if s in defined]
    for s in bounded:
        empty = base(interface, values={**sizes(interface), s: 0})
        late = early and s not in interface.limits and interface.relations
        add(f"no_{s}", f"{s} is 0.", *([facts.INNER_NULL] if late else []), shapes=empty.shapes)
    found += _beyond(interface) if interface.relations else []
    for s, (low, high) in interface.limits.items():
        if s in defined:
            large = base(interface, values={**sizes(interface), s: high + 1})
            add(f"large_{s}", f"{s} is {high + 1}.", shapes=large.shapes)
    if interface.rows:
        count = len(interface.rows)
        add("negative_rows", "A number of rows is negative.", shapes=base(interface, rows=(-1,) * count).shapes)
        if count > 1:
            add("too_many_rows", "The number of rows exceeds int64.", shapes=base(interface, rows=(2**32,) * count).shapes)
    elif first is not None and all(t.ranks[1] >= 3 for t in interface.tensors if t.leading):
        huge = base(interface, rows=(2**31, 2**31, 2**31), options=False)
        shapes = {n: [min(dim, 2**63 - 1) for dim in dims] for n, dims in huge.shapes.items()}
        add("too_many_rows", "The number of rows exceeds int64.", shapes=shapes, attributes=huge.attributes)
    return found


def _divisors(interface: Interface, symbol: str) -> list[int]:
    """Values of a size that divide the dimensions of which it is a factor, at the sizes of the sample."""
    values = sizes(interface)
    wholes = [shape(t, values)[t.lead + i] for t, i, parts in checks.definitions(interface).values() if symbol in parts.symbols]
    return [v for v in range(1, 65) if all(w % v == 0 for w in wholes)]


def _beyond(interface: Interface) -> list[Call]:
    """Per relation a call that breaks it on every product and is within all other bounds."""
    found = []
    status = facts.INNER_NULL if interface.shape_checks == "aclnn" else facts.TILING
    values = sizes(interface)
    for text in interface.relations:
        rule = relation(text)
        if rule.multiple:
            symbol, of = rule.multiple
            name, wrong = f"{symbol}_no_multiple", {**values, symbol: values[symbol] + 1}
            note = f"{symbol} is no multiple of {of}."
        elif rule.bound:
            scale, symbol = rule.bound
            step = _step(interface, symbol)
            largest = max(largest_within(interface, p, symbol, values) for p in interface.products)
            name, wrong = f"{symbol}_beyond", {**values, symbol: largest + step}
            note = f"{symbol} is {wrong[symbol]}, beyond the specification of every product."
        else:
            continue
        call = base(interface, values=wrong)
        found.append(replace(call, name=name, note=note, status=status))
    return found


def largest_within(interface: Interface, product: str, symbol: str, values: dict[str, int]) -> int:
    """The largest value of a size that the relations admit on a product, the other sizes given."""
    low, high = 1, 1
    holds = lambda v: all(relation(t).holds({**values, symbol: v, **interface.bounds(product, {**values, symbol: v})})
                          for t in interface.relations if relation(t).comparison == "<=")
    while holds(high):
        high *= 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low // _step(interface, symbol) * _step(interface, symbol)


def _step(interface: Interface, symbol: str) -> int:
    """The number that a size is a multiple of."""
    multiples = [relation(text).multiple for text in interface.relations]
    return next((m[1] for m in multiples if m and m[0] == symbol), 1)


def _defines(interface: Interface, tensor: Tensor) -> bool:
    return any(t is tensor and i == len(tensor.dims) - 1 and parts.whole
               for t, i, parts in checks.definitions(interface).values())


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
        for name in o.outputs if o.inputs and not o.strict else ():
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
    if interface.shape_checks == "aclnn":
        for call in refused(interface):
            add(call, f"refuses_{call.name}", call.note, call.status)
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
        "attributes": [{"name": a.name, "type": a.type, "default": a.default, "on": on_value(a), "off": a.off,
                        **({"symbol": a.symbol} if a.symbol else {})} for a in interface.attributes],
        "options": [{"name": o.name, "inputs": list(o.inputs), "outputs": list(o.outputs), "attribute": o.attribute}
                    for o in interface.options],
        "dtypes": {k: list(v) for k, v in interface.dtypes.items()},
        "sizes": sizes(interface),
        **({"rows": list(interface.rows)} if interface.rows else {}),
        "precision": {name: {d: {"rms": p.rms, "atol": p.atol, "rtol": p.rtol} for d, p in table.items()}
                      for name, table in interface.precision.items()},
    }
