"""The checks of an interface: each is described once and printed as a C++ condition, a status and a document row.

A rule is refused with one status and one sentence. Its checks are C++ expressions over helpers that the templates
define once (``HasRank``, ``HasDtype``, ...); each is true when the check holds and logs one line when it does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compiler.emit import facts
from compiler.emit.cpp import literal, string
from ir.interface import ROWS, Interface, Tensor, Text


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
    """

    status: facts.Status
    doc: Text | None
    checks: tuple[Check, ...]
    before: tuple[str, ...] = ()


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
    """What the first phase of the aclnn interface checks, in its order: null pointers, then dtypes and formats."""
    return [r for r in (_null(interface), _option_outputs(interface), *_dtypes(interface), _formats(interface)) if r]


def _null(interface: Interface) -> Rule:
    required = [t.camel for t in interface.tensors if not t.optional]
    doc = Text(f"必选参数{zh_list([*required, 'workspaceSize'])}或executor为空指针。",
               f"{en_list([*required, 'workspaceSize', 'executor'], 'or')} is a null pointer.")
    return Rule(facts.NULL, doc, tuple(Check(f"IsGiven({string(n)}, {n})") for n in required))


def _option_outputs(interface: Interface) -> Rule | None:
    pairs = [(interface.tensor(o.inputs[0]).camel, interface.tensor(out).camel)
             for o in interface.options if o.inputs for out in o.outputs]
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
        rules.append(Rule(facts.INVALID, doc, tuple(checks)))
    fixed: dict[str, list[Tensor]] = {}
    for t in interface.tensors:
        if t.dtype not in interface.dtypes:
            fixed.setdefault(t.dtype, []).append(t)
    if fixed:
        doc = Text("；".join(f"{'或'.join(t.camel for t in ts)}的数据类型不是{facts.SPELLED[d]}"
                            for d, ts in fixed.items()) + "。",
                   "; ".join(f"the data type of {en_list([t.camel for t in ts], 'or')} is not {facts.SPELLED[d]}"
                             for d, ts in fixed.items()) + ".")
        rules.append(Rule(facts.INVALID, doc, tuple(_dtype_is(t, [d]) for d, ts in fixed.items() for t in ts)))
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
    return Rule(facts.INVALID, Text("Tensor的数据格式为私有格式。", "the format of a tensor is a private one."), checks)


def tiling_rules(interface: Interface) -> list[Rule]:
    """What the host tiling checks, in its order."""
    rules = [_required(interface), _attributes(interface), _members(interface), _ranks(interface),
             _rows(interface), _dims(interface), _extents(interface), _elements(interface), _outputs(interface),
             _bytes(interface)]
    return [r for r in rules if r and (r.checks or r.before)]


def _shape(t: Tensor) -> str:
    return f"*request.{t.camel}"


def _present(t: Tensor) -> str:
    return f"request.{t.camel} != nullptr" if t.optional else ""


def _free(interface: Interface) -> list[Tensor]:
    """Tensors whose shape is no repetition of another's."""
    return [t for t in interface.tensors if t.like is None]


def _required(interface: Interface) -> Rule:
    return Rule(facts.TILING, None, tuple(Check(f"IsGiven(context, {string(t.name)}, request.{t.camel})")
                                          for t in interface.tensors if not t.optional))


def _attributes(interface: Interface) -> Rule | None:
    checks, zh, en = [], [], []
    for a in interface.attributes:
        if not a.positive:
            continue
        value = f"request.{a.camel}"
        off = None if a.off is None else (float(a.off) if a.type == "float" else int(a.off))
        holds = f"{value} > 0" if off is None else f"({value} == {literal(off)} || {value} > 0)"
        wanted = "a value above 0" if off is None else f"{off} or a value above 0"
        shown = value if a.type == "float" else f"static_cast<double>({value})"
        checks.append(Check(f"IsAccepted(context, {string(a.name)}, {shown}, {holds.strip('()')}, {string(wanted)})"))
        zh.append(f"{a.camel}{'' if off is None else f'既不等于{off}，也'}不大于0")
        en.append(f"{a.camel} is {'' if off is None else f'neither {off} nor '}{'not ' if off is None else ''}above 0")
    if not checks:
        return None
    nan = any(a.positive and a.type == "float" for a in interface.attributes)
    return Rule(facts.TILING, Text("；".join(zh) + ("（包括NaN）。" if nan else "。"),
                                   "; ".join(en) + (" (NaN included)." if nan else ".")), tuple(checks))


def _members(interface: Interface) -> Rule | None:
    checks, zh, en = [], [], []
    for o in interface.options:
        if not o.inputs:
            continue
        first = interface.tensor(o.inputs[0])
        for name in (*o.inputs[1:], *o.outputs):
            t = interface.tensor(name)
            checks.append(Check(f"IsGiven(context, {string(t.name)}, request.{t.camel}, {string(first.name)})",
                                f"request.{first.camel} != nullptr"))
        for name in o.inputs[1:]:
            t = interface.tensor(name)
            zh.append(f"提供{first.camel}时未提供{t.camel}")
            en.append(f"{first.camel} is supplied without {t.camel}")
    doc = Text("；".join(zh) + "。", "; ".join(en) + ".") if zh else None
    return Rule(facts.TILING, doc, tuple(checks)) if checks else None


def rank_range(t: Tensor) -> tuple[int, int]:
    if t.leading:
        return max(t.ranks[0], len(t.dims)), t.ranks[1]
    return t.ranks if t.elements_only else (len(t.dims), len(t.dims))


def _ranks(interface: Interface) -> Rule:
    checks = []
    for t in _free(interface):
        low, high = rank_range(t)
        checks.append(Check(f"HasRank(context, {string(t.name)}, {_shape(t)}, {low}, {high})", _present(t)))
    return Rule(facts.TILING, Text("Tensor的维数不受支持。", "the rank of a tensor is not supported."), tuple(checks))


def row_tensor(interface: Interface) -> Tensor | None:
    """The tensor that sets the leading dimensions: the first required one that has them."""
    return next((t for t in interface.tensors if t.leading and not t.optional),
                next((t for t in interface.tensors if t.leading), None))


def _rows(interface: Interface) -> Rule | None:
    first = row_tensor(interface)
    if first is None:
        return None
    checks = [Check(f"CountRows(context, {string(first.name)}, {_shape(first)}, {len(first.dims)}, request.{ROWS})",
                    _present(first))]
    others = [t for t in _free(interface) if t.leading and t is not first]
    for t in others:
        call = (f"HasRowsOf(context, {string(t.name)}, {_shape(t)}, {len(t.dims)}, {string(first.name)}, "
                f"{_shape(first)}, {len(first.dims)})")
        checks.append(Check(call, _present(t)))
    names = [t.camel for t in others]
    return Rule(facts.TILING, Text(f"{zh_list(names)}除末尾特征维以外的各维与{first.camel}不一致。",
                                   f"the leading dimensions of {en_list(names, 'or')} are not those of {first.camel}."
                                   ) if names else None, tuple(checks))


def product_terms(dim: str) -> tuple[str, ...]:
    """The factors of a dimension: symbols and integers. Raises UnsupportedInterface for anything but a product."""
    terms = tuple(p.strip() for p in dim.split("*"))
    if not all(re.fullmatch(r"\d+|[A-Za-z_]\w*", p) for p in terms):
        raise UnsupportedInterface(f"dimension {dim!r}: wants a product of symbols and integers, such as 2*H")
    return terms


def _symbols(dim: str) -> list[str]:
    return [p for p in product_terms(dim) if not p.isdigit()]


def definitions(interface: Interface) -> dict[str, tuple[Tensor, int, int]]:
    """Symbol -> (tensor, position in its dims, divisor): where the symbol's value is read from."""
    found: dict[str, tuple[Tensor, int, int]] = {}
    required = [t for t in interface.tensors if not t.optional]
    optional = [t for t in interface.tensors if t.optional]
    for bare in (True, False):
        for t in (*required, *optional):
            if t.elements_only:
                continue
            for i, dim in enumerate(t.dims):
                names = _symbols(dim)
                if len(names) == 1 and names[0] not in found and (dim.strip() == names[0]) == bare:
                    factor = 1
                    for p in product_terms(dim):
                        factor *= int(p) if p.isdigit() else 1
                    found[names[0]] = (t, i, factor)
    missing = [s for s in interface.symbols if s not in found and s != ROWS]
    if missing:
        raise UnsupportedInterface(f"{interface.name}: no dimension tells the size of {', '.join(missing)}")
    return found


def _back(t: Tensor, position: int) -> int:
    return len(t.dims) - position


def cpp_product(dim: str) -> str:
    """A dimension as C++; a product is safe against overflow."""
    terms = [p if p.isdigit() else f"request.{p}" for p in product_terms(dim)]
    return terms[0] if len(terms) == 1 else f"Product({{{', '.join(terms)}}})"


def _dims(interface: Interface) -> Rule:
    defined = definitions(interface)
    before = []
    for symbol, (t, i, factor) in defined.items():
        divided = f" / {factor}" if factor > 1 else ""
        value = f"DimFromEnd({_shape(t)}, {_back(t, i)}){divided}"
        before.append(f"request.{symbol} = {f'request.{t.camel} == nullptr ? 0 : ' if t.optional else ''}{value};")
    checks, zh, en = [], [], []
    for t in _free(interface):
        if t.elements_only:
            continue
        wrong = []
        for i, dim in enumerate(t.dims):
            if any(defined.get(s) == (t, i, 1) for s in _symbols(dim)):
                continue
            text = " * ".join(product_terms(dim))
            call = f"HasDim(context, {string(t.name)}, {_shape(t)}, {_back(t, i)}, {cpp_product(dim)}, {string(text)})"
            checks.append(Check(call, _present(t)))
            wrong.append(text.replace(" * ", "*"))
        if wrong:
            wanted = ", ".join(wrong)
            zh.append(f"{t.camel}的末尾{'' if len(wrong) == 1 else f'{len(wrong)}'}维不等于{wanted}")
            en.append(f"the last {'dimension' if len(wrong) == 1 else f'{len(wrong)} dimensions'} of {t.camel} "
                      f"{'is' if len(wrong) == 1 else 'are'} not {wanted}")
    doc = Text("；".join(zh) + "。", "; ".join(en) + ".") if zh else None
    return Rule(facts.TILING, doc, tuple(checks), tuple(before))


def positive_symbols(interface: Interface) -> list[str]:
    """Sizes that may not be 0: those of the features of a row. The row count and the length of a vector of counts may."""
    found = []
    for t in interface.tensors:
        if t.leading:
            for dim in t.dims:
                found += [s for s in _symbols(dim) if s not in found and s != ROWS]
    return found


def _extents(interface: Interface) -> Rule | None:
    defined = definitions(interface)
    limits = {s: b for s, b in interface.limits.items() if s in defined}
    checks, zh, en = [], [], []
    for s in dict.fromkeys([*positive_symbols(interface), *limits]):
        t = defined[s][0]
        low, high = limits.get(s, (1, None))
        if high is None:
            checks.append(Check(f"IsPositive(context, {string(t.name)}, {_shape(t)}, {string(s)}, request.{s})", _present(t)))
            zh.append(f"{s}为0")
            en.append(f"{s} is 0")
        else:
            call = f"IsWithin(context, {string(t.name)}, {_shape(t)}, {string(s)}, request.{s}, {low}, {high})"
            checks.append(Check(call, _present(t)))
            zh.append(f"{s}不在[{low}, {high}]范围内")
            en.append(f"{s} is outside [{low}, {high}]")
    if not checks:
        return None
    return Rule(facts.TILING, Text("；".join(zh) + "。", "; ".join(en) + "."), tuple(checks))


def _elements(interface: Interface) -> Rule | None:
    tensors = [t for t in _free(interface) if t.elements_only]
    checks, zh, en = [], [], []
    for t in tensors:
        dim = ", ".join(t.dims)
        call = (f"HasElements(context, {string(t.name)}, {_shape(t)}, {cpp_product(dim)}, "
                f"{string(' * '.join(product_terms(dim)))})")
        checks.append(Check(call, _present(t)))
        meaning_zh, meaning_en = rows_text(interface, dim)
        zh.append(f"{t.camel}的元素个数不等于{meaning_zh}")
        en.append(f"the number of elements of {t.camel} is not {meaning_en}")
    if not checks:
        return None
    return Rule(facts.TILING, Text("；".join(zh) + "。", "; ".join(en) + "."), tuple(checks))


def rows_text(interface: Interface, dim: str) -> tuple[str, str]:
    """An element count in words."""
    first = row_tensor(interface)
    if dim != ROWS or first is None:
        return dim, dim
    return (f"{first.camel}除末尾特征维以外各维之积", f"the product of the leading dimensions of {first.camel}")


def _outputs(interface: Interface) -> Rule | None:
    checks, zh, en = [], [], []
    for t in interface.outputs:
        if t.like is None:
            continue
        other = interface.tensor(t.like)
        call = f"HasShapeOf(context, {string(t.name)}, {_shape(t)}, {string(other.name)}, {_shape(other)})"
        both = [x for x in (t, other) if x.optional]
        checks.append(Check(call, " && ".join(f"request.{x.camel} != nullptr" for x in both)))
        zh.append(f"{t.camel}的shape与{other.camel}不一致")
        en.append(f"the shape of {t.camel} is not that of {other.camel}")
    if not checks:
        return None
    return Rule(facts.TILING, Text("；".join(zh) + "。", "; ".join(en) + "."), tuple(checks))


def _bytes(interface: Interface) -> Rule:
    checks = tuple(Check(f"FitsMemory(context, {string(t.name)}, {_shape(t)}, request.dtypeBytes)", _present(t))
                   for t in _free(interface) if t.dtype in interface.dtypes)
    return Rule(facts.TILING, Text("Tensor的字节数超出INT64表示范围。",
                                   "the number of bytes of a tensor exceeds what INT64 holds."), checks)
