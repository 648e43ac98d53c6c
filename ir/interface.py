"""What a caller sees of an operator: tensors, attributes, options, checks, products and texts.

Nothing here needs sympy, numpy or jinja2, so that listing operators is instant. Shapes are written as text
(``"..., 2*H"``) and become symbolic expressions where a graph is built (`ir.types.dims`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

ROWS = "T"
"""The symbol of the row count: the product of the dimensions that ``...`` stands for."""


@dataclass(frozen=True)
class Text:
    """A text of the documents in both languages."""

    zh: str
    en: str


@dataclass(frozen=True)
class Tensor:
    """One tensor of the interface.

    name: snake_case, as in npz files and in the operator definition.
    shape: ``"..., H"`` (any leading dimensions, then H), ``"G"`` (rank 1), ``"# T"`` (any shape of T elements);
        ``"B, S, H"`` where the interface names its leading dimensions (`Interface.rows`).
    dtype: a dtype's name, or a key of `Interface.dtypes` whose members go together.
    role: ``input`` or ``output``.
    option: the option that supplies it; None for a required tensor.
    ranks: smallest and largest rank accepted; documented_ranks: what the documents promise.
    like: the tensor whose shape an output must repeat.
    lead: how many of its first dimensions are the named leading ones; the interface fills it in.
    """

    name: str
    shape: str
    dtype: str
    doc: Text
    role: str = "input"
    option: str | None = None
    ranks: tuple[int, int] = (1, 8)
    documented_ranks: tuple[int, int] | None = None
    like: str | None = None
    usage: Text = Text("", "")
    lead: int = 0

    @property
    def optional(self) -> bool:
        return self.option is not None

    @property
    def camel(self) -> str:
        """gradX for grad_x: the name in documents."""
        return camel(self.name)

    @property
    def leading(self) -> bool:
        """Whether the shape starts with the shared leading dimensions."""
        return self.lead > 0 or self.shape.startswith("...")

    @property
    def elements_only(self) -> bool:
        """Whether only the number of elements is prescribed."""
        return self.shape.startswith("#")

    @property
    def dims(self) -> tuple[str, ...]:
        """The named dimensions, without the leading ones and ``#``."""
        return tuple(d.strip() for d in self.shape.lstrip("#").split(",") if d.strip() not in ("", "..."))[self.lead :]

    @property
    def rank_text(self) -> str:
        low, high = self.documented_ranks or self.ranks
        return str(low) if low == high else f"{low}-{high}"


@dataclass(frozen=True)
class Attribute:
    """A scalar attribute.

    default: None for one that every call must give.
    off: the value that switches `option` off; every other value must be `positive` (> 0) when that is set.
    symbol: the size symbol in shapes that this attribute is the value of; its bounds are those of the symbol.
    """

    name: str
    type: str  # float | int | bool
    default: float | int | bool | None
    doc: Text
    option: str | None = None
    off: float | None = None
    positive: bool = False
    symbol: str | None = None
    usage: Text = Text("", "")

    @property
    def camel(self) -> str:
        return camel(self.name)


@dataclass(frozen=True)
class Option:
    """Something a caller may leave out.

    inputs, outputs: the tensors that come with it. Leaving out one of `inputs` on the command line leaves out all.
    strict: all of its tensors are given or none is: an incomplete group is refused (161001). Otherwise its first input
        decides, and without it the others are ignored.
    title: what documents call it; absent: what leaving it out means besides.
    """

    name: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    attribute: str | None = None
    strict: bool = False
    title: Text = Text("", "")
    absent: Text = Text("", "")


@dataclass(frozen=True)
class Sample:
    """The call that the documents show.

    sizes: symbol -> value; values: tensor -> what each element is, 0 where it is not named, None for values that differ
    from element to element; expected: output -> what each element must be, 0 where it is not named.
    about: how the values belong together, for the documents.
    """

    sizes: dict[str, int]
    values: dict[str, float] | None = None
    expected: dict[str, float] = field(default_factory=dict)
    about: Text = Text("", "")


@dataclass(frozen=True)
class Precision:
    """What counts as right for an output of one dtype, measured against float64.

    rms: largest RMS of the error over the RMS of the output. atol, rtol: an element may be off by atol times the RMS of the
        output plus rtol times its own value.
    ecosystem: whether the ecosystem's MERE/MARE thresholds must hold too.
    block: number of neighbouring elements that share one RMS in the pointwise bound, as a dimension; None: the whole tensor.
    """

    rms: float
    atol: float
    rtol: float
    ecosystem: bool = False
    block: str | None = None


@dataclass(frozen=True)
class Interface:
    """The whole interface of one backward operator.

    name: CamelCase operator type; forward_name: the operator whose gradient it is.
    folder: class folder of the repository (activation, norm, ...).
    dtypes: dtype variable -> the dtypes it ranges over (one column of the definition each).
    products: products the documents support.
    sizes: documented values per symbol, as rows of the specification table and as cases for verification.
    model: symbol -> value, rows too, at the shape of the model that the operator serves; what is modelled is judged there.
    limits: documented bounds per symbol (smallest, largest).
    precision: output -> dtype of the tensors whose dtype varies -> what counts as right.
    rows: names of the leading dimensions where their number is fixed: their product is the number of rows.
    names: what documents call a product of symbols: {"D": "C*H"}.
    meanings: symbol -> what it is, in words.
    shape_checks: who refuses bad shapes: ``tiling`` (561002) or ``aclnn`` (161002).
    relations: what the sizes must satisfy beyond the shapes, as `ir.relation` reads it. A call that breaks one is refused
        after the parameter checks (561103).
    constants: name in the relations -> product -> expression.
    style: whose documents the documents look like: ``nn`` or ``transformer``, two folders of the public repositories.
    sample: the call of the example; None for one of small sizes and varied values.
    """

    name: str
    forward_name: str
    folder: str
    tensors: tuple[Tensor, ...]
    attributes: tuple[Attribute, ...] = ()
    options: tuple[Option, ...] = ()
    dtypes: dict[str, tuple[str, ...]] = field(default_factory=lambda: {"T": ("float16", "bfloat16", "float32")})
    products: tuple[str, ...] = ("ascend950",)
    sizes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    model: dict[str, int] = field(default_factory=dict)
    limits: dict[str, tuple[int, int]] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    meanings: dict[str, Text] = field(default_factory=dict)
    shape_checks: str = "tiling"
    relations: tuple[str, ...] = ()
    constants: dict[str, dict[str, str]] = field(default_factory=dict)
    style: str = "nn"
    sample: Sample | None = None
    precision: dict[str, dict[str, Precision]] = field(default_factory=dict)
    title: Text = Text("", "")
    function: Text = Text("", "")
    formulas: Text = Text("", "")
    constraints: tuple[Text, ...] = ()

    def __post_init__(self):
        count = len(self.rows)
        if not count:
            return
        tensors = []
        for t in self.tensors:
            dims = [d.strip() for d in t.shape.split(",")]
            led = tuple(dims[:count]) == self.rows
            tensors.append(replace(t, lead=count, ranks=(len(dims), len(dims))) if led else t)
        object.__setattr__(self, "tensors", tuple(tensors))

    @cached_property
    def snake(self) -> str:
        return snake(self.name)

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.tensors if t.role == "input")

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.tensors if t.role == "output")

    def tensor(self, name: str) -> Tensor:
        return next(t for t in self.tensors if t.name == name)

    def option(self, name: str) -> Option:
        return next(o for o in self.options if o.name == name)

    def dtypes_of(self, tensor: Tensor) -> tuple[str, ...]:
        """One dtype per column of the operator definition."""
        columns = max((len(v) for v in self.dtypes.values()), default=1)
        return self.dtypes.get(tensor.dtype, (tensor.dtype,) * columns)

    def widths(self, dtype: str | None = None) -> tuple[int, ...]:
        """The bytes per element that a dtype of the interface may have, ascending: of a variable those of its range.

        By default of all variables, and of float32 in an interface that has none.
        """
        from ir.types import BYTES

        ranges = self.dtypes.values() or [("float32",)] if dtype is None else [self.dtypes.get(dtype, (dtype,))]
        return tuple(sorted({BYTES[d] for dtypes in ranges for d in dtypes}))

    @property
    def columns(self) -> tuple[dict[str, str], ...]:
        """The supported dtype combinations: parameter name -> dtype."""
        lists = {t.name: self.dtypes_of(t) for t in self.tensors}
        return tuple({n: v[i] for n, v in lists.items()} for i in range(len(next(iter(lists.values())))))

    @property
    def symbols(self) -> tuple[str, ...]:
        """The size symbols that occur in shapes, rows first."""
        found = [ROWS] if any(t.leading or ROWS in t.dims for t in self.tensors) else []
        for t in self.tensors:
            for dim in t.dims:
                found += [s for s in re.findall(r"[A-Za-z_]\w*", dim) if s not in found]
        return tuple(found)

    def check_relations(self) -> None:
        """Raises RelationError where a relation or constant is no text of `ir.relation`, or names what nothing defines."""
        from ir.relation import RelationError, expression, names, relation

        known = {*self.symbols, *self.rows}
        for name, table in self.constants.items():
            for product in self.products:
                if product not in table:
                    raise RelationError(f"constant {name}: has no value on {product}")
            for text in table.values():
                for unknown in set(names(expression(text))) - known:
                    raise RelationError(f"constant {name}: {text!r} names {unknown}, the sizes are {', '.join(sorted(known))}")
        for text in self.relations:
            for unknown in set(relation(text).names) - known - set(self.constants):
                raise RelationError(f"relation {text!r}: {unknown} is no size and no constant")

    def bounds(self, product: str, symbols: Mapping[str, object]) -> dict[str, object]:
        """The constants of the relations on a product, for these sizes (numbers or arrays)."""
        from ir.relation import evaluate, expression

        return {name: evaluate(expression(table[product]), symbols) for name, table in self.constants.items()}

    def admits(self, product: str, symbols: Mapping[str, object]):
        """Whether these sizes are within the limits and relations on a product: a bool, or an array of them."""
        from ir.relation import relation

        values = {**symbols, **self.bounds(product, symbols)}
        result = True
        for symbol, (low, high) in self.limits.items():
            if symbol in symbols:
                result = result & (low <= symbols[symbol]) & (symbols[symbol] <= high)
        for text in self.relations:
            result = result & relation(text).holds(values)
        return result

    def refusal(self, product: str, symbols: Mapping[str, int]) -> str | None:
        """What of the limits and relations does not hold on a product, in one line; None when all of them do."""
        from ir.relation import number, relation

        for symbol, (low, high) in self.limits.items():
            if symbol in symbols and not low <= symbols[symbol] <= high:
                return f"{symbol}: got {symbols[symbol]}, wants {low} to {high}"
        values = {**symbols, **self.bounds(product, symbols)}
        for text in self.relations:
            rule = relation(text)
            if not rule.holds(values):
                sizes = [n for n in rule.names if n not in self.constants]
                if rule.multiple:
                    return f"{sizes[0]}: got {values[sizes[0]]}, wants a multiple of {rule.multiple[1]}"
                if rule.simple:
                    return f"{sizes[0]}: got {values[sizes[0]]}, wants {rule.comparison} {number(rule.right)}"
                got = ", ".join(f"{n}={values[n]}" for n in sizes)
                constants = "".join(f", where {n} is {values[n]}" for n in rule.names if n in self.constants)
                return f"{', '.join(sizes)}: got {got}, wants {text} on {product}{constants}"
        return None


@dataclass(frozen=True)
class Operator:
    """An interface with its forward definition.

    forward: ``forward(f) -> dict of forward output name -> value``, on a `ir.builder.Forward`.
    gradients: output tensor -> the input it is the gradient of.
    cotangents: forward output -> the input tensor that holds its cotangent.
    documented: ``documented(d) -> dict of output name -> value``, the gradient formulas of the documents, or None.
    unknowns: positive scalars that the forward uses and the gradient does not need (an epsilon inside a saved tensor), with
        the value that random inputs are made with.

    A forward output whose cotangent belongs to an option exists only with that option.
    """

    interface: Interface
    forward: Callable
    gradients: dict[str, str]
    cotangents: dict[str, str]
    documented: Callable | None = None
    path: str = ""
    unknowns: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.interface.name

    @property
    def file(self) -> str:
        """The file of a definition of the user's own, `path` without a name behind it; empty for what comes with the compiler."""
        file, colon, _ = self.path.rpartition(":")
        return file if colon and file.endswith(".py") else self.path


def camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def snake(name: str) -> str:
    """The kernel's file name as the toolkit derives it: an underscore before each upper-case letter that follows a
    lower-case letter or digit, or that starts a word after an upper-case run (Conv2DCustom -> conv2_d_custom)."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
