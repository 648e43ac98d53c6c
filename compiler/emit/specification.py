"""The constraints of an interface in words and formulas, for the documents of the style transformer."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.emit import checks, facts, formula
from compiler.emit.checks import zh_list
from ir.interface import Text
from ir.relation import Relation, expression, names, number, relation

ZH_COUNT = {1: "一", 2: "两", 3: "三", 4: "四", 5: "五", 6: "六", 7: "七", 8: "八", 9: "九"}
EN_COUNT = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


def en_series(values, last: str = "and") -> str:
    """a; a and b; a, b, and c."""
    values = list(values)
    return f" {last} ".join(values) if len(values) < 3 else f"{', '.join(values[:-1])}, {last} {values[-1]}"


def code(values) -> list[str]:
    return [f"`{v}`" for v in values]


@dataclass(frozen=True)
class Block:
    """What holds on some products only: its mark in the documents, the products' titles, the formula."""

    number: int
    tag: str
    titles: tuple[Text, ...]
    latex: str


class Specification:
    """sizes: the symbols that documents speak of, in their order; multiples: divisor -> symbols.

    bounded: (attribute's symbol, largest value, what it is); blocks: the constants by product; related: symbols of the
    inequalities; boxed: the inequalities in LaTeX; maxima: (symbol, what it depends on, LaTeX of its largest value).
    """

    ROUNDING_ZH = {"lceil": r"$\lceil\cdot\rceil$ 表示向上取整", "lfloor": r"$\lfloor\cdot\rfloor$ 表示向下取整"}
    ROUNDING_EN = {"lceil": r"$\lceil\cdot\rceil$ denotes rounding up",
                   "lfloor": r"$\lfloor\cdot\rfloor$ denotes rounding down"}

    def __init__(self, op):
        interface = op.interface
        self._op = op
        order = [*interface.meanings, *(s for s in interface.symbols if s not in interface.meanings)]
        features = {*checks.positive_symbols(interface), *interface.limits}
        self.sizes = [s for s in order if s in features]
        self._rules: list[Relation] = [relation(text) for text in interface.relations]
        self.multiples: dict[int, list[str]] = {}
        for rule in self._rules:
            if rule.multiple:
                self.multiples.setdefault(rule.multiple[1], []).append(rule.multiple[0])
        self.bounded = [(a.symbol, interface.limits[a.symbol][1], interface.meanings.get(a.symbol, Text(a.symbol, a.symbol)))
                        for a in interface.attributes if a.symbol in interface.limits]
        inequalities = [r for r in self._rules if r.comparison == "<="]
        self.related = [s for s in order if any(s in names(r.left) for r in inequalities)]
        self.boxed = formula.aligned(inequalities)
        self.limited = [(s, interface.limits[s][1]) for s in self.related if s in interface.limits]
        self.maxima = [m for m in map(self._maximum, inequalities) if m]
        self.subjects = [symbol for symbol, _, _ in self.maxima]
        self.brackets = [b for b in ("lceil", "lfloor") if b in self._all_latex()]

    def _maximum(self, rule: Relation) -> tuple[str, list[str], str] | None:
        if not rule.bound:
            return None
        scale, symbol = rule.bound
        step = next((n for n, symbols in self.multiples.items() if symbol in symbols), 1)
        constants = self._op.interface.constants
        depends: list[str] = []
        for name in names(rule.right):
            for text in constants.get(name, {}).values():
                depends += [n for n in names(expression(text)) if n not in depends]
        floor = rf"\left\lfloor\frac{{{formula.latex(rule.right)}}}{{{scale * step}}}\right\rfloor"
        return symbol, depends, rf"{symbol}_{{\max}}={step if step > 1 else ''}{floor}."

    def _all_latex(self) -> str:
        return " ".join([*(m for _, _, m in self.maxima), *(b.latex for _, blocks in self.blocks for b in blocks)])

    @property
    def blocks(self) -> list[tuple[str, list[Block]]]:
        """Per constant the blocks of the documents, numbered after those of the product support."""
        number_of, found = len(facts.PRODUCT_ROWS), []
        for constant in self._op.bounds:
            blocks = []
            for products, value in constant.groups:
                number_of += 1
                rows = [r for r in facts.PRODUCT_ROWS if set(r.products) & set(products)]
                titles = tuple(next(r.series for r in facts.PRODUCT_ROWS if p in r.products) for p in products)
                blocks.append(Block(number_of, ",".join(r.tag for r in rows), titles, f"{constant.name} = {formula.latex(value)}"))
            found.append((constant.name, blocks))
        return found

    @property
    def shown(self) -> dict[str, int]:
        """Sizes that all products accept: the first of those that the documents list."""
        interface = self._op.interface
        shown = {s: interface.sizes[s][0] for s in self.sizes if s in interface.sizes}
        if set(shown) != set(self.sizes):
            return {}
        for p in self._op.products:
            refused = interface.refusal(p.soc, shown)
            if refused:
                raise checks.UnsupportedInterface(f"{interface.name}: the documented sizes: {refused}")
        return shown

    @property
    def lone(self) -> list[tuple[str, str]]:
        """Lower bounds and multiples that `multiples` and `sizes` do not say."""
        return [(r.text, formula.plain(r)) for r in self._rules
                if r.comparison not in ("<=",) and not r.multiple and not (r.simple and number(r.right) == 1)]


def dtype_sentences(op) -> Text:
    """Which tensors share a dtype, and which have one of their own."""
    interface = op.interface
    spelled = facts.SPELLED_IN[interface.style]
    zh, en = [], []
    for variable, dtypes in interface.dtypes.items():
        outputs = code(t.camel for t in interface.outputs if t.dtype == variable)
        kinds = list(dict.fromkeys(spelled[d] for d in dtypes))
        if outputs and len(kinds) > 1:
            zh.append(f"所有 {'/'.join(kinds)} 输入以及 {zh_list(outputs)} 的数据类型必须一致")
            en.append(f"All {'/'.join(kinds)} inputs and {en_series(outputs)} must have the same data type.")
    reduced = [v for v in op.reduced_outputs if v.tensor.like]
    if zh and reduced:
        zh[-1] += ";各权重梯度与对应权重的数据类型相同"
        en.append("Each weight gradient must have the same data type as its corresponding weight.")
    fixed: dict[str, list[str]] = {}
    for t in interface.tensors:
        if t.dtype not in interface.dtypes:
            fixed.setdefault(t.dtype, []).append(f"`{t.camel}`")
    for dtype, called in fixed.items():
        last = f"{zh_list(called[:-1])} 和 {called[-1]}" if len(called) > 1 else called[0]
        zh.append(f"{last} 为 {spelled[dtype]}")
        en.append(f"{en_series(called)} {'are' if len(called) > 1 else 'is'} {spelled[dtype]}.")
    return Text("。".join(zh) + "。", " ".join(en))


def option_cells(option, by_value: dict[str, tuple[Text, Text]]) -> tuple[Text, Text]:
    """The cells of the table of optional parameters: what to supply, and what to leave out.

    by_value: the cells of options that an attribute switches.
    """
    if option.name in by_value:
        return by_value[option.name]
    if not option.strict and option.followers:
        members, rest = code((option.first, *option.followers)), code(option.followers)
        supplied = Text(f"{zh_list(members)} 必须同时提供",
                        f"{en_series(members)} must {'both' if len(members) == 2 else 'all'} be supplied")
        return supplied, Text(f"{members[0]} 传入 `nullptr`,忽略 {zh_list(rest)}",
                              f"{members[0]} is `nullptr`; {en_series(rest)} {'is' if len(rest) == 1 else 'are'} ignored")
    members = code((*option.inputs, *option.outputs))
    n = len(members)
    both = {2: ("两者", "Both")}.get(n, (f"{ZH_COUNT.get(n, n)}者", f"All {EN_COUNT.get(n, n)}"))
    if n == 1:
        return Text(f"提供 {members[0]}", f"{members[0]} is supplied"), Text("传入 `nullptr`", "`nullptr`")
    supplied = Text(f"{zh_list(members)} {'' if n == 2 else both[0] + ' '}必须同时提供".replace("者 必须", "者必须"),
                    f"{en_series(members)} must {'both' if n == 2 else 'all'} be supplied")
    zh, en = f"{both[0]}必须全部传入 `nullptr`", f"{both[1]} must be `nullptr`"
    if option.absent.zh:
        zh, en = f"{zh},{option.absent.zh}", f"{en}; {option.absent.en}"
    return supplied, Text(zh, en)


def expected_sentences(op, example) -> Text:
    """What the outputs of the sample are."""
    groups: dict[float, list[str]] = {}
    for v in op.outputs:
        groups.setdefault(example.expected.get(v.name, 0.0), []).append(f"`{v.camel}`")
    zh = ",".join(f"{zh_list(called)} 的所有元素为 {value:g}" for value, called in groups.items())
    en = "; ".join(f"all elements of {en_series(called)} are {value:g}" for value, called in groups.items())
    return Text(f"预期 {zh}。", en[:1].upper() + en[1:] + ".")
