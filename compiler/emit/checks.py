"""The checks of an interface: each is described once and printed as a C++ condition, a status and a document row.

A rule is refused with one status and one sentence. Its checks are C++ expressions over helpers that the templates
define once (``HasRank``, ``HasDtype``, ...); each is true when the check holds and logs one line when it does not.

Checks of shapes are printed in the layer that the interface names: in the host tiling alone, or first in the aclnn
interface, with its statuses, and in the host tiling once more for callers that come another way.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from compiler.emit import facts, formula
from compiler.emit.cpp import literal, string
from ir.interface import ROWS, Attribute, Interface, Tensor, Text
from ir.relation import RelationError, expression, relation


@dataclass(frozen=True)
class Check:
    """call: C++ expression, true when the check holds; when: the condition under which it applies, or ''."""

    call: str
    when: str = ""

    @property
    def refused(self) -> str:
        return f"{self.when} && !{self.call}" if self.when else f"!{self.call}"


@dataclass(frozen=True)
class Rule:
    """status: what a caller gets; doc: the case in which, or None where no caller can meet it.

    before: statements that define what the checks use.
    brief: the case in a few words, for the documents that name groups of cases; rules of one group have the same words.
    """

    status: facts.Status
    doc: Text | None
    checks: tuple[Check, ...]
    before: tuple[str, ...] = ()
    brief: Text | None = None


@dataclass(frozen=True)
class Layer:
    """Where checks of shapes are printed.

    where: the first argument of their helpers, which their log lines need; status: what a refused caller gets.
    documented: whether the documents show its cases.
    """

    where: str
    status: facts.Status
    camel: bool
    documented: bool = True

    def name(self, thing: Tensor | Attribute) -> str:
        """A parameter as the log lines of the layer spell it, quoted."""
        return string(thing.camel if self.camel else thing.name)


TILING = Layer("context", facts.TILING, camel=False)
TILING_AGAIN = Layer("context", facts.TILING, camel=False, documented=False)
ACLNN = Layer("ACLNN_ERR_PARAM_INVALID", facts.INVALID, camel=True)
ACLNN_SPECIFICATION = Layer("ACLNN_ERR_INNER_NULLPTR", facts.INNER_NULL, camel=True)

TABLE = Text("Tensor 的数据类型、维度或 shape 不符合参数表",
             "The data type, rank, or shape of a tensor does not match the parameter table")
"""What breaking any row of the parameter table is, in brief."""


class UnsupportedInterface(ValueError):
    """The interface asks for something that the templates cannot print."""


def zh_list(names) -> str:
    return "、".join(names)


def en_list(names, last: str = "and") -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def leader(interface: Interface, tensor: Tensor) -> Tensor | None:
    """The tensor whose presence decides over `tensor`: the first input of its option, unless that is itself."""
    if tensor.option is None:
        return None
    inputs = interface.option(tensor.option).inputs
    return interface.tensor(inputs[0]) if inputs and inputs[0] != tensor.name else None


def aclnn_rules(interface: Interface) -> list[Rule]:
    """What the first phase of the aclnn interface checks of pointers, dtypes and formats, in its order."""
    return [r for r in (_null(interface), _groups(interface), _option_outputs(interface), *_dtypes(interface),
                        _formats(interface)) if r]


def aclnn_shape_rules(interface: Interface) -> list[Rule]:
    """What the aclnn interface checks of shapes and attributes; nothing where the host tiling alone does."""
    return _shape_rules(interface, ACLNN) if interface.shape_checks == "aclnn" else []


def aclnn_relation_rules(interface: Interface) -> list[Rule]:
    """What the aclnn interface checks of the specification, after everything else."""
    return _relation_rules(interface, ACLNN_SPECIFICATION) if interface.shape_checks == "aclnn" else []


def tiling_rules(interface: Interface) -> list[Rule]:
    """What the host tiling checks, in its order."""
    layer = TILING_AGAIN if interface.shape_checks == "aclnn" else TILING
    rules = [*_shape_rules(interface, layer), *_relation_rules(interface, layer)]
    return [r if layer.documented else replace(r, doc=None) for r in rules]


def _shape_rules(interface: Interface, layer: Layer) -> list[Rule]:
    at = interface, layer
    required = None if layer.camel else _required(*at)
    sizes = [_rows(*at), _dims(*at), _extents(*at)]
    if layer.camel:  # documents name the bounds of the features first
        sizes = sizes[1:] + sizes[:1]
    rules = [required, _attributes(*at), _bounds_of_attributes(*at), _members(*at), _ranks(*at), *sizes, _elements(*at),
             _outputs(*at), _bytes(*at)]
    return [r for r in rules if r and (r.checks or r.before)]


def check_interface(interface: Interface) -> None:
    """Raises UnsupportedInterface for what the templates cannot print.

    Every command asks for it, so that the first one refuses such an operator.
    """
    for t in interface.outputs:
        if t.like is None:
            raise UnsupportedInterface(f"{interface.name}: output {t.name} names no tensor whose shape it repeats (like=...)")
    definitions(interface)
    if interface.shape_checks not in ("tiling", "aclnn"):
        raise UnsupportedInterface(f"{interface.name}: shape_checks is {interface.shape_checks!r}, wants 'tiling' or 'aclnn'")
    if interface.style not in ("nn", "transformer"):
        raise UnsupportedInterface(f"{interface.name}: style is {interface.style!r}, wants 'nn' or 'transformer'")
    try:
        interface.check_relations()
    except RelationError as error:
        raise UnsupportedInterface(f"{interface.name}: {error}") from None


def _null(interface: Interface) -> Rule:
    required = [t.camel for t in interface.tensors if not t.optional]
    doc = Text(f"必选参数{zh_list([*required, 'workspaceSize'])}或executor为空指针。",
               f"{en_list([*required, 'workspaceSize', 'executor'], 'or')} is a null pointer.")
    brief = Text("必选 Tensor、workspaceSize 或 executor 为空指针",
                 "A required tensor, workspaceSize, or executor is a null pointer")
    return Rule(facts.NULL, doc, tuple(Check(f"IsGiven({string(n)}, {n})") for n in required), brief=brief)


def _groups(interface: Interface) -> Rule | None:
    """Groups of which all members are given or none is."""
    checks, zh, en = [], [], []
    for o in interface.options:
        members = [interface.tensor(n).camel for n in (*o.inputs, *o.outputs)]
        if not o.strict or len(members) < 2:
            continue
        checks.append(Check(f"IsWholeGroup({{{', '.join(f'{{{string(n)}, {n}}}' for n in members)}}})"))
        zh.append(f"{zh_list(members)}中只提供了一部分")
        en.append(f"only some of {en_list(members)} are supplied")
    if not checks:
        return None
    return Rule(facts.NULL, Text("；".join(zh) + "。", "; ".join(en) + "."), tuple(checks),
                brief=Text("可选参数未按要求成组提供", "optional parameters are not supplied in the required groups"))


def _option_outputs(interface: Interface) -> Rule | None:
    pairs = [(interface.tensor(o.inputs[0]).camel, interface.tensor(out).camel)
             for o in interface.options if o.inputs and not o.strict for out in o.outputs]
    if not pairs:
        return None
    doc = Text("；".join(f"提供{first}时{out}为空指针" for first, out in pairs) + "。",
               "; ".join(f"{first} is supplied and {out} is a null pointer" for first, out in pairs) + ".")
    return Rule(facts.NULL, doc, tuple(Check(f"IsGiven({string(out)}, {out})", f"{first} != nullptr")
                                       for first, out in pairs))


def _dtypes(interface: Interface) -> list[Rule]:
    rules = []
    firsts: list[Tensor] = []
    for variable, dtypes in interface.dtypes.items():
        tensors = [t for t in interface.tensors if t.dtype == variable]
        if not tensors:
            continue
        first = next((t for t in tensors if not t.optional), tensors[0])
        wanted = list(dict.fromkeys(dtypes))
        checks = [_dtype_is(first, wanted)]
        if firsts:
            checks.append(_dtype_pair(interface, firsts[0], first))
        firsts.append(first)
        for t in tensors:
            if t is not first:
                both = [x.camel for x in (first, t) if x.optional]
                call = f"HasSameDtype({string(t.camel)}, {t.camel}, {string(first.camel)}, {first.camel})"
                checks.append(Check(call, " && ".join(f"{n} != nullptr" for n in both)))
        names = [t.camel for t in tensors]
        listed = [facts.SPELLED[d] for d in wanted]
        differ = len(names) > 1
        doc = Text(f"{zh_list(names)}的数据类型不在支持范围（{zh_list(listed)}）内{'，或彼此不一致' if differ else ''}。",
                   f"the data type of {en_list(names, 'or')} is none of {en_list(listed, 'or')}"
                   f"{', or they differ' if differ else ''}.")
        rules.append(Rule(facts.INVALID, doc, tuple(checks), brief=TABLE))
    fixed: dict[str, list[Tensor]] = {}
    for t in interface.tensors:
        if t.dtype not in interface.dtypes:
            fixed.setdefault(t.dtype, []).append(t)
    if fixed:
        doc = Text("；".join(f"{'或'.join(t.camel for t in ts)}的数据类型不是{facts.SPELLED[d]}"
                            for d, ts in fixed.items()) + "。",
                   "; ".join(f"the data type of {en_list([t.camel for t in ts], 'or')} is not {facts.SPELLED[d]}"
                             for d, ts in fixed.items()) + ".")
        rules.append(Rule(facts.INVALID, doc, tuple(_dtype_is(t, [d]) for d, ts in fixed.items() for t in ts),
                          brief=TABLE))
    return rules


def _dtype_is(t: Tensor, wanted: list[str]) -> Check:
    listed = ", ".join(facts.GE[d].replace("ge::", "DataType::") for d in wanted)
    spelled = en_list([facts.SPELLED[d] for d in wanted], "or")
    return Check(f"HasDtype({string(t.camel)}, {t.camel}, {{{listed}}}, {string(spelled)})",
                 f"{t.camel} != nullptr" if t.optional else "")


def _dtype_pair(interface: Interface, first: Tensor, second: Tensor) -> Check:
    pairs = list(dict.fromkeys(zip(interface.dtypes_of(first), interface.dtypes_of(second))))
    spell = lambda d: facts.GE[d].replace("ge::", "DataType::")
    listed = ", ".join(f"{{{spell(a)}, {spell(b)}}}" for a, b in pairs)
    call = f"HasDtypeFor({string(second.camel)}, {second.camel}, {string(first.camel)}, {first.camel}, {{{listed}}})"
    return Check(call, " && ".join(f"{t.camel} != nullptr" for t in (first, second) if t.optional))


def needs_dtype_pairs(interface: Interface) -> bool:
    return sum(any(t.dtype == v for t in interface.tensors) for v in interface.dtypes) > 1


def _formats(interface: Interface) -> Rule:
    checks = tuple(Check(f"HasPlainFormat({string(t.camel)}, {t.camel})", f"{t.camel} != nullptr" if t.optional else "")
                   for t in interface.tensors)
    return Rule(facts.INVALID, Text("Tensor的数据格式为私有格式。", "the format of a tensor is a private one."), checks,
                brief=TABLE)


def _shape(t: Tensor) -> str:
    return f"*request.{t.camel}"


def _present(t: Tensor) -> str:
    return f"request.{t.camel} != nullptr" if t.optional else ""


def _free(interface: Interface) -> list[Tensor]:
    """Tensors whose shape is no repetition of another's."""
    return [t for t in interface.tensors if t.like is None]


def _required(interface: Interface, layer: Layer) -> Rule:
    return Rule(layer.status, None, tuple(Check(f"IsGiven({layer.where}, {layer.name(t)}, request.{t.camel})")
                                          for t in interface.tensors if not t.optional))


def _attributes(interface: Interface, layer: Layer) -> Rule | None:
    checks, zh, en = [], [], []
    for a in interface.attributes:
        if not a.positive or a.symbol in interface.limits:
            continue
        value = f"request.{a.camel}"
        off = None if a.off is None else (float(a.off) if a.type == "float" else int(a.off))
        holds = f"{value} > 0" if off is None else f"({value} == {literal(off)} || {value} > 0)"
        wanted = "a value above 0" if off is None else f"{off} or a value above 0"
        shown = value if a.type == "float" else f"static_cast<double>({value})"
        checks.append(Check(f"IsAccepted({layer.where}, {layer.name(a)}, {shown}, {holds.strip('()')}, {string(wanted)})"))
        zh.append(f"{a.camel}{'' if off is None else f'既不等于{off}，也'}不大于0")
        en.append(f"{a.camel} is {'' if off is None else f'neither {off} nor '}{'not ' if off is None else ''}above 0")
    if not checks:
        return None
    nan = any(a.positive and a.type == "float" for a in interface.attributes)
    return Rule(layer.status, Text("；".join(zh) + ("（包括NaN）。" if nan else "。"),
                                   "; ".join(en) + (" (NaN included)." if nan else ".")), tuple(checks),
                brief=Text(";".join(zh), "; ".join(en)))


def _bounds_of_attributes(interface: Interface, layer: Layer) -> Rule | None:
    """Attributes that are sizes: within the bounds of the size, and a divisor of the dimension that has it as a factor."""
    checks, before, zh, en = [], [], [], []
    for a in interface.attributes:
        if a.symbol is None:
            continue
        before.append(f"request.{a.symbol} = request.{a.camel};")
        low, high = interface.limits.get(a.symbol, (1, None))
        if high is None:
            checks.append(Check(f"IsAccepted({layer.where}, {layer.name(a)}, static_cast<double>(request.{a.camel}), "
                                f"request.{a.camel} >= {low}, {string(f'a value from {low} on')})"))
            zh.append(f"{a.camel}小于{low}")
            en.append(f"{a.camel} is below {low}")
        else:
            checks.append(Check(f"IsInRange({layer.where}, {layer.name(a)}, request.{a.camel}, {low}, {high})"))
            zh.append(f"{a.camel} 不在 [{low},{high}] 范围内")
            en.append(f"{a.camel} is outside [{low},{high}]")
        for whole in _divided(interface, a.symbol):
            zh[-1] += f"或不能整除 {whole}"
            en[-1] += f" or does not divide {whole}"
    if not before:
        return None
    return Rule(layer.status, Text("；".join(zh) + "。", "; ".join(en) + "."), tuple(checks), tuple(before),
                brief=Text(";".join(zh), "; ".join(en)))


def _divided(interface: Interface, symbol: str) -> list[str]:
    """The dimensions that the size must divide, as documents call them."""
    called = {text: name for name, text in interface.names.items()}
    found = dict.fromkeys(t.dims[i] for t, i, parts in definitions(interface).values()
                          if symbol in parts.symbols)
    return [called.get(text.replace(" ", ""), text) for text in found]


def _members(interface: Interface, layer: Layer) -> Rule | None:
    checks, zh, en = [], [], []
    for o in interface.options:
        if not o.inputs:
            continue
        if o.strict and layer.camel:
            continue  # refused before, with another status
        if o.strict:
            group = [interface.tensor(n) for n in (*o.inputs, *o.outputs)]
            for t in group[1:]:
                checks.append(Check(f"IsGivenWith({layer.where}, {layer.name(t)}, request.{t.camel}, "
                                    f"{layer.name(group[0])}, request.{group[0].camel})"))
            zh.append(f"{zh_list(t.camel for t in group)}中只提供了一部分")
            en.append(f"only some of {en_list(t.camel for t in group)} are supplied")
            continue
        first = interface.tensor(o.inputs[0])
        for name in (*o.inputs[1:], *o.outputs):
            t = interface.tensor(name)
            helper = "IsGivenToo" if layer.camel else "IsGiven"  # the aclnn layer has an IsGiven for tensors
            checks.append(Check(f"{helper}({layer.where}, {layer.name(t)}, request.{t.camel}, {layer.name(first)})",
                                f"request.{first.camel} != nullptr"))
        for name in o.inputs[1:]:
            t = interface.tensor(name)
            zh.append(f"提供{first.camel}时未提供{t.camel}")
            en.append(f"{first.camel} is supplied without {t.camel}")
    doc = Text("；".join(zh) + "。", "; ".join(en) + ".") if zh else None
    return Rule(layer.status, doc, tuple(checks)) if checks else None


def rank_range(t: Tensor) -> tuple[int, int]:
    if t.leading and not t.lead:
        return max(t.ranks[0], len(t.dims)), t.ranks[1]
    return t.ranks if t.elements_only else (t.lead + len(t.dims),) * 2


def _ranks(interface: Interface, layer: Layer) -> Rule:
    checks = []
    for t in _free(interface):
        low, high = rank_range(t)
        checks.append(Check(f"HasRank({layer.where}, {layer.name(t)}, {_shape(t)}, {low}, {high})", _present(t)))
    return Rule(layer.status, Text("Tensor的维数不受支持。", "the rank of a tensor is not supported."), tuple(checks),
                brief=TABLE)


def row_tensor(interface: Interface) -> Tensor | None:
    """The tensor that sets the leading dimensions: the first required one that has them."""
    return next((t for t in interface.tensors if t.leading and not t.optional),
                next((t for t in interface.tensors if t.leading), None))


def _rows(interface: Interface, layer: Layer) -> Rule | None:
    first = row_tensor(interface)
    if first is None:
        return None
    checks = [Check(f"CountRows({layer.where}, {layer.name(first)}, {_shape(first)}, {len(first.dims)}, request.{ROWS})",
                    _present(first))]
    others = [t for t in _free(interface) if t.leading and t is not first]
    for t in others:
        call = (f"HasRowsOf({layer.where}, {layer.name(t)}, {_shape(t)}, {len(t.dims)}, {layer.name(first)}, "
                f"{_shape(first)}, {len(first.dims)})")
        checks.append(Check(call, _present(t)))
    names = [t.camel for t in others]
    rows = interface.rows
    brief = Text(f"{zh_list(rows)} 为负数或 {'*'.join(rows)} 超出 INT64 表示范围",
                 f"{en_list(rows, 'or')} is negative, or {'*'.join(rows)} exceeds the INT64 range") if rows else None
    return Rule(layer.status, Text(f"{zh_list(names)}除末尾特征维以外的各维与{first.camel}不一致。",
                                   f"the leading dimensions of {en_list(names, 'or')} are not those of {first.camel}."
                                   ) if names else None, tuple(checks), brief=brief)


def product_terms(dim: str) -> tuple[str, ...]:
    """The factors of a dimension: symbols and integers. Raises UnsupportedInterface for anything but a product."""
    terms = tuple(p.strip() for p in dim.split("*"))
    if not all(re.fullmatch(r"\d+|[A-Za-z_]\w*", p) for p in terms):
        raise UnsupportedInterface(f"dimension {dim!r}: wants a product of symbols and integers, such as 2*H")
    return terms


def _symbols(dim: str) -> list[str]:
    return [p for p in product_terms(dim) if not p.isdigit()]


@dataclass(frozen=True)
class Parts:
    """What a dimension is divided by to get the one symbol that it defines: an integer and sizes that attributes give."""

    factor: int
    symbols: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the dimension is the symbol itself."""
        return self.factor == 1 and not self.symbols


def definitions(interface: Interface) -> dict[str, tuple[Tensor, int, Parts]]:
    """Symbol -> (tensor, position in its dims, what it is divided by): where the symbol's value is read from.

    Sizes that attributes give are not in it. A dimension that has one of them as a factor comes first: it is there that
    the attribute may be wrong.
    """
    given = {a.symbol for a in interface.attributes if a.symbol}
    found: dict[str, tuple[Tensor, int, Parts]] = {}
    required = [t for t in interface.tensors if not t.optional]
    optional = [t for t in interface.tensors if t.optional]
    kinds = (lambda d, n: len(n) > 1, lambda d, n: d.strip() == n[0], lambda d, n: len(n) == 1)
    for kind in kinds:
        for t in (*required, *optional):
            if t.elements_only:
                continue
            for i, dim in enumerate(t.dims):
                terms = product_terms(dim)
                wanted = [p for p in terms if not p.isdigit() and p not in given]
                symbols = [p for p in terms if not p.isdigit()]
                if len(wanted) != 1 or wanted[0] in found or not kind(dim, symbols):
                    continue
                factor = 1
                for p in terms:
                    factor *= int(p) if p.isdigit() else 1
                found[wanted[0]] = (t, i, Parts(factor, tuple(p for p in symbols if p in given)))
    missing = [s for s in interface.symbols if s not in found and s not in given and s != ROWS]
    if missing:
        raise UnsupportedInterface(f"{interface.name}: no dimension tells the size of {', '.join(missing)}; "
                                   f"a tensor with {missing[0]} as a dimension does, or Attribute(..., symbol=\"{missing[0]}\")")
    return found


def _back(t: Tensor, position: int) -> int:
    return len(t.dims) - position


def cpp_product(dim: str) -> str:
    """A dimension as C++; a product is safe against overflow."""
    terms = [p if p.isdigit() else f"request.{p}" for p in product_terms(dim)]
    return terms[0] if len(terms) == 1 else f"Product({{{', '.join(terms)}}})"


def _dims(interface: Interface, layer: Layer) -> Rule:
    defined = definitions(interface)
    given = {a.symbol: a for a in interface.attributes if a.symbol}
    before, checks, zh, en = [], [], [], []
    for symbol, (t, i, parts) in defined.items():
        divided = "".join(f" / {p}" for p in ([str(parts.factor)] if parts.factor > 1 else [])
                          + [f"request.{p}" for p in parts.symbols])
        value = f"DimFromEnd({_shape(t)}, {_back(t, i)}){divided}"
        before.append(f"request.{symbol} = {f'request.{t.camel} == nullptr ? 0 : ' if t.optional else ''}{value};")
        for p in parts.symbols:
            checks.append(Check(f"Divides({layer.where}, {layer.name(given[p])}, request.{given[p].camel}, "
                                f"{layer.name(t)}, {_shape(t)}, {_back(t, i)})", _present(t)))
    for t in _free(interface):
        if t.elements_only:
            continue
        wrong = []
        for i, dim in enumerate(t.dims):
            if any(defined.get(s) == (t, i, Parts(1)) for s in _symbols(dim)):
                continue
            text = " * ".join(product_terms(dim))
            call = f"HasDim({layer.where}, {layer.name(t)}, {_shape(t)}, {_back(t, i)}, {cpp_product(dim)}, {string(text)})"
            checks.append(Check(call, _present(t)))
            wrong.append(text.replace(" * ", "*"))
        if wrong:
            wanted = ", ".join(wrong)
            zh.append(f"{t.camel}的末尾{'' if len(wrong) == 1 else f'{len(wrong)}'}维不等于{wanted}")
            en.append(f"the last {'dimension' if len(wrong) == 1 else f'{len(wrong)} dimensions'} of {t.camel} "
                      f"{'is' if len(wrong) == 1 else 'are'} not {wanted}")
    doc = Text("；".join(zh) + "。", "; ".join(en) + ".") if zh else None
    return Rule(layer.status, doc, tuple(checks), tuple(before), TABLE)


def positive_symbols(interface: Interface) -> list[str]:
    """Sizes that may not be 0: those of the features of a row. The row count and the length of a vector of counts may."""
    found = []
    for t in interface.tensors:
        if t.leading:
            for dim in t.dims:
                found += [s for s in _symbols(dim) if s not in found and s != ROWS]
    return found


def _extents(interface: Interface, layer: Layer) -> Rule | None:
    defined = definitions(interface)
    limits = {s: b for s, b in interface.limits.items() if s in defined}
    related = [r.left.id for r in map(relation, interface.relations) if r.comparison == ">=" and r.simple]
    checks, zh, en = [], [], []
    for s in dict.fromkeys([*positive_symbols(interface), *limits]):
        if s not in defined or (s in related and s not in limits):
            continue
        t = defined[s][0]
        low, high = limits.get(s, (1, None))
        if high is None:
            checks.append(Check(f"IsPositive({layer.where}, {layer.name(t)}, {_shape(t)}, {string(s)}, request.{s})", _present(t)))
            zh.append(f"{s}为0")
            en.append(f"{s} is 0")
        else:
            call = f"IsWithin({layer.where}, {layer.name(t)}, {_shape(t)}, {string(s)}, request.{s}, {low}, {high})"
            checks.append(Check(call, _present(t)))
            zh.append(f"{s}不在[{low}, {high}]范围内")
            en.append(f"{s} is outside [{low}, {high}]")
    if not checks:
        return None
    brief = Text(";".join(zh).replace("不在[", " 不在 [").replace("]范", "] 范").replace(", ", ","),
                 "; ".join(en).replace(", ", ","))
    return Rule(layer.status, Text("；".join(zh) + "。", "; ".join(en) + "."), tuple(checks), brief=brief)


@dataclass(frozen=True)
class Constant:
    """A constant of the relations. groups: (products that share a value, its expression)."""

    name: str
    groups: tuple[tuple[tuple[str, ...], ast.expr], ...]

    def cases(self, enumerators: dict[str, str], called: dict[str, str]) -> list[tuple[list[str], str]]:
        """(enumerators, C++ value) per group, for a switch. Raises UnsupportedInterface where two groups share one."""
        found = [(list(dict.fromkeys(enumerators[p] for p in products)), formula.cpp(value, called))
                 for products, value in self.groups]
        labels = [label for group, _ in found for label in group]
        if len(set(labels)) < len(labels):
            raise UnsupportedInterface(f"constant {self.name}: products with different values are one to the toolkit")
        return found


def constants(interface: Interface, products: list[str]) -> list[Constant]:
    found = []
    for name, table in interface.constants.items():
        groups: dict[str, list[str]] = {}
        for p in products:
            groups.setdefault(table[p], []).append(p)
        found.append(Constant(name, tuple((tuple(ps), expression(text)) for text, ps in groups.items())))
    return found


def _relation_rules(interface: Interface, layer: Layer) -> list[Rule]:
    """The specification: what sizes must satisfy together. One rule, which documents the relations by their formulas."""
    if not interface.relations:
        return []
    known = {s: f"request.{s}" for s in interface.symbols} | {name: name for name in interface.constants}
    bounded = {*interface.limits, *interface.constants}
    checks, texts = [], []
    for text in interface.relations:
        rule = relation(text)
        texts.append(formula.plain(rule))
        if rule.multiple:
            symbol, of = rule.multiple
            checks.append(Check(f"IsMultiple({layer.where}, {string(symbol)}, {known[symbol]}, {of})"))
        elif rule.comparison == ">=" and rule.simple:
            checks.append(Check(f"IsAtLeast({layer.where}, {string(rule.left.id)}, {known[rule.left.id]}, {rule.right.value})"))
        elif rule.comparison == "<=" and formula.is_sum_of_products(rule.left) and set(rule.right_names) <= bounded:
            checks.append(Check(f"IsAtMost({layer.where}, {string(formula.text(rule.left))}, "
                                f"{formula.safe_sum(rule.left, known)}, {string(formula.text(rule.right))}, "
                                f"{formula.cpp(rule.right, known)})"))
        else:
            raise UnsupportedInterface(
                f"{interface.name}: relation {text!r}: wants a multiple (H % 16 == 0), a lower bound (H >= 1), or a sum of "
                f"products of sizes at most a constant or bounded size (3*H + 8*R <= K)")
    before = tuple(f"const int64_t {name} = {name}OfProduct({'context, ' if not layer.camel else ''}request);"
                   for name in interface.constants)
    doc = Text(f"不满足规格约束{'、'.join(texts)}。", f"the specification does not hold: {', '.join(texts)}.")
    return [Rule(layer.status, doc, tuple(checks), before,
                 Text("请求的形状组合不满足规格约束", "The combination of sizes does not satisfy the specification"))]


def _elements(interface: Interface, layer: Layer) -> Rule | None:
    tensors = [t for t in _free(interface) if t.elements_only]
    checks, zh, en = [], [], []
    for t in tensors:
        dim = ", ".join(t.dims)
        call = (f"HasElements({layer.where}, {layer.name(t)}, {_shape(t)}, {cpp_product(dim)}, "
                f"{string(' * '.join(product_terms(dim)))})")
        checks.append(Check(call, _present(t)))
        meaning_zh, meaning_en = rows_text(interface, dim)
        zh.append(f"{t.camel}的元素个数不等于{meaning_zh}")
        en.append(f"the number of elements of {t.camel} is not {meaning_en}")
    if not checks:
        return None
    return Rule(layer.status, Text("；".join(zh) + "。", "; ".join(en) + "."), tuple(checks), brief=TABLE)


def rows_text(interface: Interface, dim: str) -> tuple[str, str]:
    """An element count in words."""
    first = row_tensor(interface)
    if dim != ROWS or first is None:
        return dim, dim
    return (f"{first.camel}除末尾特征维以外各维之积", f"the product of the leading dimensions of {first.camel}")


def _outputs(interface: Interface, layer: Layer) -> Rule | None:
    checks, zh, en = [], [], []
    for t in interface.outputs:
        if t.like is None:
            continue
        other = interface.tensor(t.like)
        call = f"HasShapeOf({layer.where}, {layer.name(t)}, {_shape(t)}, {layer.name(other)}, {_shape(other)})"
        both = [x for x in (t, other) if x.optional]
        checks.append(Check(call, " && ".join(f"request.{x.camel} != nullptr" for x in both)))
        zh.append(f"{t.camel}的shape与{other.camel}不一致")
        en.append(f"the shape of {t.camel} is not that of {other.camel}")
    if not checks:
        return None
    return Rule(layer.status, Text("；".join(zh) + "。", "; ".join(en) + "."), tuple(checks), brief=TABLE)


def _bytes(interface: Interface, layer: Layer) -> Rule:
    checks = tuple(Check(f"FitsMemory({layer.where}, {layer.name(t)}, {_shape(t)}, request.dtypeBytes)", _present(t))
                   for t in _free(interface) if t.dtype in interface.dtypes)
    return Rule(layer.status, Text("Tensor的字节数超出INT64表示范围。",
                                   "the number of bytes of a tensor exceeds what INT64 holds."), checks, brief=TABLE)
