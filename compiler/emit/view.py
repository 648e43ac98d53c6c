"""An interface as templates see it: names in every spelling, positions in the definition, columns of dtypes."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property

from compiler import products
from compiler.emit import checks, facts
from compiler.emit.checks import en_list, zh_list
from compiler.emit.plan import PlanView, merged_fields
from ir.interface import ROWS, Attribute, Interface, Option, Tensor, Text

DEFINITION = "definition.py"
"""The operator's own file among the scripts of tests/st."""


class TensorView:
    """A tensor. index: its position among the inputs, or the outputs, of the definition."""

    def __init__(self, interface: Interface, tensor: Tensor, index: int):
        self._interface = interface
        self.tensor = tensor
        self.index = index
        self.name = tensor.name
        self.camel = tensor.camel
        self.upper = f"{tensor.role.upper()}_{tensor.name.upper()}"
        self.optional = tensor.optional
        self.input = tensor.role == "input"
        self.doc = tensor.doc
        self.dtypes = interface.dtypes_of(tensor)
        self.distinct_dtypes = tuple(dict.fromkeys(self.dtypes))
        self.variable = tensor.dtype in interface.dtypes
        first = checks.leader(interface, tensor)
        self.leader = first.camel if first else None
        comma = "," if interface.style == "transformer" else ", "
        self.shape = "[" + comma.join(self._shape_parts()) + "]" if not tensor.elements_only else None

    def _shape_parts(self):
        """The dimensions as documents call them."""
        called = {text: name for name, text in self._interface.names.items()}
        dims = [called.get(d.replace(" ", ""), d.replace(" ", "")) for d in self.tensor.dims]
        rows = self._interface.rows if self.tensor.lead else ["..."]
        return [*rows, *dims] if self.tensor.leading else dims

    @property
    def kind(self) -> Text:
        if self.input:
            return Text("可选输入", "Optional input") if self.optional else Text("输入", "Input")
        return Text("可选输出", "Optional output") if self.optional else Text("输出", "Output")

    @property
    def shape_text(self) -> Text:
        if self.shape:
            return Text(self.shape, self.shape)
        dim = ", ".join(self.tensor.dims)
        return Text(f"任意shape，元素个数为{dim}", f"any shape of {dim} elements")

    @property
    def group(self) -> tuple[str, ...]:
        """The other tensors of the strict group that it belongs to."""
        option = self._interface.option(self.tensor.option) if self.optional else None
        members = (*option.inputs, *option.outputs) if option and option.strict else ()
        return tuple(self._interface.tensor(n).camel for n in members if n != self.name)

    @cached_property
    def anchor(self) -> Tensor:
        """The tensor that documents name when they speak of dtypes: the one whose gradient the first output is."""
        first = self._interface.outputs[0] if self._interface.outputs else self.tensor
        return self._interface.tensor(first.like) if first.like else first

    @property
    def notes(self) -> Text:
        """`usage` in the few words of the style transformer."""
        t, interface = self.tensor, self._interface
        anchored = t is self.anchor
        zh = [f"{name}={text}" for name, text in interface.names.items() if anchored]
        en = list(zh)
        zh += [t.usage.zh.rstrip("。")] if t.usage.zh else []
        en += [t.usage.en.rstrip(".")] if t.usage.en else []
        if t.like:
            other = interface.tensor(t.like)
            if t.dtype == other.dtype and self.variable:
                zh.append(f"shape{'、' if other is self.anchor else ' 和'}数据类型与 {other.camel} 一致")
                en.append(f"the shape and data type are those of {other.camel}")
            else:
                zh.append(f"shape 与 {other.camel} 一致")
                en.append(f"the shape is that of {other.camel}")
        elif self.variable and not anchored and t.dtype == self.anchor.dtype:
            zh.append(f"与 {self.anchor.camel} 数据类型一致")
            en.append(f"the data type is that of {self.anchor.camel}")
        if self.group:
            zh.append(f"与 {zh_list(self.group)} 同时提供或同时缺省")
            en.append(f"supplied together with {en_list(self.group)}, or omitted together with "
                      f"{'them' if len(self.group) > 1 else 'it'}")
        sentence = "; ".join(en)
        return Text(";".join(zh) + "。" if zh else "", sentence[:1].upper() + sentence[1:] + "." if en else "")

    @property
    def usage(self) -> Text:
        """How to use it: what the interface says, and what follows from its shape, dtype and option."""
        t, interface = self.tensor, self._interface
        if interface.style == "transformer":
            return self.notes
        zh, en = [], []
        if t.elements_only:
            dim_zh, dim_en = checks.rows_text(interface, ", ".join(t.dims))
            zh.append(f"元素个数等于{dim_zh}。")
            en.append(f"Its number of elements is {dim_en}.")
        else:
            zh.append(f"shape为{self.shape}。")
            en.append(f"Its shape is {self.shape}.")
        if t.like:
            other = interface.tensor(t.like)
            same_type = t.dtype == other.dtype
            zh.append(f"shape{'和数据类型' if same_type else ''}与{other.camel}一致。")
            en.append(f"Its shape {'and data type are' if same_type else 'is'} that of {other.camel}.")
        elif self.variable:
            first = next(x for x in interface.tensors if x.dtype == t.dtype)
            if first is not t:
                zh.append(f"数据类型与{first.camel}一致。")
                en.append(f"Its data type is that of {first.camel}.")
        if t.usage.zh:
            zh.append(t.usage.zh)
        if t.usage.en:
            en.append(t.usage.en)
        return Text("".join(zh), " ".join(en))

    @property
    def dtype_text(self) -> Text:
        names = [facts.SPELLED_IN[self._interface.style][d] for d in self.distinct_dtypes]
        return Text("、".join(names), ", ".join(names))

    @property
    def dtype_cell(self) -> Text:
        """`dtype_text`, or a reference for the gradient of the tensor that sets it."""
        if self.tensor.like and self._interface.tensor(self.tensor.like) is self.anchor:
            return Text(f"同 {self.anchor.camel}", f"Same as {self.anchor.camel}")
        return self.dtype_text

    @property
    def proto_dtypes(self) -> str:
        return ", ".join(facts.GE[d].replace("ge::", "") for d in self.distinct_dtypes)

    @property
    def rank_text(self) -> str:
        return self.tensor.rank_text if self.tensor.leading or self.tensor.elements_only else str(len(self.tensor.dims))


class AttributeView:
    """An attribute. default: its value as texts show it, None where every call must give it."""

    def __init__(self, interface: Interface, attribute: Attribute, index: int):
        self.attribute = attribute
        self.required = attribute.default is None
        self.index = index
        self.name = attribute.name
        self.camel = attribute.camel
        self.upper = f"ATTR_{attribute.name.upper()}"
        self.type = facts.ATTRIBUTE[attribute.type]
        self.default = float(attribute.default) if attribute.type == "float" and not self.required else attribute.default
        self.zero = {"float": 0.0, "int": 0, "bool": False}[attribute.type] if self.required else self.default
        self.doc = attribute.doc
        self.usage = attribute.usage
        if attribute.symbol and not attribute.usage.zh:
            s = attribute.symbol
            high = f"{s} ≤ {interface.limits[s][1]}" if s in interface.limits else ""
            self.usage = Text(f"{s} 为正整数{',' + high if high else ''}。",
                              f"{s} is a positive integer{', ' + high if high else ''}.")


class OptionView:
    """An option. flag: the local that tells whether it is on; on: the C++ condition over the request."""

    def __init__(self, interface: Interface, option: Option):
        self.name = option.name
        self.strict = option.strict
        self.title = option.title if option.title.zh else Text(option.name, option.name)
        self.absent = option.absent
        self.flag = "has" + "".join(p.capitalize() for p in option.name.split("_"))
        self.inputs = tuple(interface.tensor(n).camel for n in option.inputs)
        self.outputs = tuple(interface.tensor(n).camel for n in option.outputs)
        self.first = self.inputs[0] if self.inputs else None
        self.followers = (*self.inputs[1:], *self.outputs)
        self.attribute = None
        if self.first:
            self.on = f"request.{self.first} != nullptr"
        else:
            attribute = next(a for a in interface.attributes if a.name == option.attribute)
            self.attribute = attribute.camel
            off = attribute.off
            if attribute.type == "bool":
                self.on = f"request.{attribute.camel}"
            elif off is None:
                self.on = "true"
            else:
                value = f"{float(off)!r}f" if attribute.type == "float" else str(int(off))
                self.on = f"request.{attribute.camel} != {value}"


def capital(text: str, names: Collection[str]) -> str:
    """The text with a capital at its beginning, where no identifier stands there."""
    word = re.match(r"\w*", text)[0]
    return text if word in names else text[:1].upper() + text[1:]


def _phrases(texts: list[Text], names: Collection[str]) -> Text:
    """Cases of one status as one sentence; names: the identifiers that they may begin with."""
    if len(texts) < 3:
        zh = ",或".join(t.zh.rstrip("。") for t in texts)
        en = ", or ".join(t.en.rstrip(".") for t in texts)
    else:
        zh = ";".join(t.zh.rstrip("。") for t in texts)
        en = "; ".join(t.en.rstrip(".") for t in texts)
    return Text(zh + "。", capital(en, names) + ".")


class OperatorView:
    """The whole operator, for one set of plans (product -> plan)."""

    def __init__(self, operator, plans: dict):
        interface = getattr(operator, "interface", operator)
        checks.check_interface(interface)
        self.interface = interface
        self.name = interface.name
        self.snake = interface.snake
        self.upper = interface.snake.upper()
        self.folder = interface.folder
        path = getattr(operator, "path", "")
        self.definition = DEFINITION + path[len(operator.file):] if path else ""  # of an operator that does not come with the compiler
        self.forward_name = interface.forward_name
        gradients = Text(f"计算{self.forward_name}的梯度。", f"Computes the gradients of {self.forward_name}.")
        self.function = interface.function if interface.function.en else gradients
        self.inputs = [TensorView(interface, t, i) for i, t in enumerate(interface.inputs)]
        self.outputs = [TensorView(interface, t, i) for i, t in enumerate(interface.outputs)]
        self.tensors = [*self.inputs, *self.outputs]
        self.attributes = [AttributeView(interface, a, i) for i, a in enumerate(interface.attributes)]
        self.options = [OptionView(interface, o) for o in interface.options]
        order = {p: i for i, p in enumerate(interface.products)}
        names = sorted(plans, key=lambda p: order.get(p, len(order)))
        self.products = [facts.product(getattr(plans[n], "product", None) or products.load(n)) for n in names]
        self.plans = {p.soc: PlanView(plans[n]) for p, n in zip(self.products, names)}
        self.fields = merged_fields(self.plans.values())
        self.symbols = list(interface.symbols)
        self.feature_symbols = [s for s in self.symbols if s != ROWS]
        self.rows = ROWS
        self.columns = interface.columns
        self.aclnn_rules = checks.aclnn_rules(interface)
        self.shape_rules = checks.aclnn_shape_rules(interface)
        self.relation_rules = checks.aclnn_relation_rules(interface)
        self.tiling_rules = checks.tiling_rules(interface)
        for table in interface.constants.values():
            for p in self.products:
                if p.soc not in table:
                    raise checks.UnsupportedInterface(f"{interface.name}: {p.soc} is no product of its documents")
        self.dtype_pairs = checks.needs_dtype_pairs(interface)

    def tensor(self, name: str) -> TensorView:
        return next(v for v in self.tensors if v.name == name)

    @cached_property
    def dtype_tensor(self) -> TensorView:
        """The tensor whose element size is `dtypeBytes`."""
        return next((v for v in self.inputs if v.variable and not v.optional), self.inputs[0])

    @cached_property
    def product_names(self) -> str:
        return ", ".join(p.soc for p in self.products)

    @cached_property
    def plan_groups(self) -> list[tuple[list, PlanView]]:
        """Products that share a plan, with the plan."""
        groups: list[tuple[list, PlanView]] = []
        for product in self.products:
            plan = self.plans[product.soc]
            for members, other in groups:
                if other.key() == plan.key():
                    members.append(product)
                    break
            else:
                groups.append(([product], plan))
        return groups

    def supports(self, row: facts.ProductRow) -> bool:
        return any(p.soc in row.products for p in self.products)

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The names of tensors and attributes as documents spell them."""
        return tuple(p.camel for p in (*self.interface.tensors, *self.interface.attributes))

    @cached_property
    def status_rows(self) -> list[tuple[facts.Status, Text]]:
        """The return values of the first phase: a status with its cases."""
        rules = (*self.aclnn_rules, *self.shape_rules, *self.relation_rules, *self.tiling_rules)
        if self.interface.style == "transformer":
            return self._brief_rows([r for r in rules if r not in self.tiling_rules or r.doc])
        rows: dict[facts.Status, list[Text]] = {}
        for rule in rules:
            if rule.doc:
                rows.setdefault(rule.status, []).append(rule.doc)
        last = rows.pop(facts.INNER_NULL, [])
        joined = [(s, Text("".join(t.zh for t in texts), " ".join(capital(t.en, self.identifiers) for t in texts)))
                  for s, texts in rows.items()]
        last.append(Text("中间Tensor创建失败，或非连续Tensor超出其存储范围。",
                         "An intermediate tensor cannot be created, or a strided tensor exceeds its storage."))
        return [*joined,
                (facts.EXECUTOR, Text("执行器创建失败。", "The executor cannot be created.")),
                (facts.INNER_NULL, Text("".join(t.zh for t in last), " ".join(capital(t.en, self.identifiers) for t in last)))]

    def _brief_rows(self, rules) -> list[tuple[facts.Status, Text]]:
        """The rows in the few words of the style transformer: one phrase per group of cases."""
        rows: dict[facts.Status, dict[Text, None]] = {}
        for rule in rules:
            brief = rule.brief or rule.doc
            if brief:
                rows.setdefault(rule.status, {})[brief] = None
        last = rows.pop(facts.INNER_NULL, {})
        last[Text("计算所需 Tensor 创建失败", "a tensor needed for the computation cannot be created")] = None
        rows[facts.EXECUTOR] = {Text("执行器创建失败", "The executor cannot be created"): None}
        rows[facts.INNER_NULL] = last
        return [(status, _phrases(list(texts), self.identifiers)) for status, texts in rows.items()]

    @cached_property
    def bounds(self) -> list[checks.Constant]:
        """The constants of the relations, by product."""
        return checks.constants(self.interface, [p.soc for p in self.products])

    @cached_property
    def invariant(self) -> list[str]:
        """Outputs that keep their bits on any number of cores, under every plan."""
        return [v.camel for v in self.outputs if all(v.name in p.core_invariant for p in self.plans.values())]

    @cached_property
    def mixed(self) -> bool:
        """Whether some product's kernel runs on cube and vector cores."""
        return any(p.mixed for p in self.plans.values())

    @cached_property
    def row_outputs(self) -> list[TensorView]:
        """Outputs that have no element when there is no row."""
        return [v for v in self.outputs if v.tensor.leading or ROWS in v.tensor.dims]

    @cached_property
    def reduced_outputs(self) -> list[TensorView]:
        """Outputs that are sums over rows: zeros when there is no row."""
        return [v for v in self.outputs if v not in self.row_outputs]

    @cached_property
    def parameters(self) -> list[str]:
        """The parameters of the first aclnn phase, without workspaceSize and executor."""
        written = "aclTensor*" if self.interface.style == "transformer" else "const aclTensor*"
        return [*(f"const aclTensor* {v.camel}" for v in self.inputs),
                *(f"{a.type['api']} {a.camel}" for a in self.attributes),
                *(f"{written} {v.camel}" for v in self.outputs)]

    @cached_property
    def request_parameters(self) -> list[str]:
        return [*self.tensor_parameters, *(f"{a.type['api']} {a.camel}" for a in self.attributes)]

    @cached_property
    def request_names(self) -> list[str]:
        return [*self.tensor_names, *(a.camel for a in self.attributes)]

    @cached_property
    def tensor_parameters(self) -> list[str]:
        return [f"const aclTensor* {v.camel}" for v in self.tensors]

    @cached_property
    def tensor_names(self) -> list[str]:
        return [v.camel for v in self.tensors]

    @cached_property
    def input_names(self) -> list[str]:
        """Inputs and attributes: both are part of the key under which the toolkit keeps a prepared call."""
        return [v.camel for v in self.inputs] + [a.camel for a in self.attributes]

    @cached_property
    def output_names(self) -> list[str]:
        return [v.camel for v in self.outputs]

    @cached_property
    def l0_parameters(self) -> list[str]:
        return [*(f"const aclTensor* {v.camel}" for v in self.inputs),
                *(f"{a.type['l0']} {a.camel}" for a in self.attributes),
                *(f"const aclTensor* {v.camel}" for v in self.outputs), "aclOpExecutor* executor"]

    @cached_property
    def l0_arguments(self) -> list[str]:
        cast = lambda a: a.camel if a.type["l0"] == a.type["api"] else f"static_cast<{a.type['l0']}>({a.camel})"
        return [*(v.camel for v in self.inputs), *map(cast, self.attributes),
                *(f"{v.camel}Result" for v in self.outputs)]

    @cached_property
    def example_arguments(self) -> list[str]:
        return [*(f"{v.camel}.tensor" for v in self.inputs), *(a.camel for a in self.attributes),
                *(f"{v.camel}.tensor" for v in self.outputs)]

    @cached_property
    def launch(self) -> list[str]:
        parts = [self.name, f"OP_INPUT({', '.join(v.camel for v in self.inputs)})",
                 f"OP_OUTPUT({', '.join(self.output_names)})"]
        if self.attributes:
            parts.append(f"OP_ATTR({', '.join(a.camel for a in self.attributes)})")
        return parts

    @cached_property
    def arguments(self) -> list[str]:
        return [v.camel for v in self.inputs] + [a.camel for a in self.attributes] + [v.camel for v in self.outputs]
