"""An interface as templates see it: names in every spelling, positions in the definition, columns of dtypes."""

from __future__ import annotations

from functools import cached_property

from compiler import products
from compiler.emit import checks, facts
from compiler.emit.plan import PlanView, merged_fields
from ir.interface import ROWS, Attribute, Interface, Option, Tensor, Text


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
        self.shape = "[" + ", ".join(self._shape_parts()) + "]" if not tensor.elements_only else None

    def _shape_parts(self):
        dims = [d.replace(" ", "") for d in self.tensor.dims]
        return ["...", *dims] if self.tensor.leading else dims

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
    def usage(self) -> Text:
        """How to use it: what the interface says, and what follows from its shape, dtype and option."""
        t, interface = self.tensor, self._interface
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
        names = [facts.SPELLED[d] for d in self.distinct_dtypes]
        return Text("、".join(names), ", ".join(names))

    @property
    def proto_dtypes(self) -> str:
        return ", ".join(facts.GE[d].replace("ge::", "") for d in self.distinct_dtypes)

    @property
    def rank_text(self) -> str:
        return self.tensor.rank_text if self.tensor.leading or self.tensor.elements_only else str(len(self.tensor.dims))


class AttributeView:
    def __init__(self, attribute: Attribute, index: int):
        self.attribute = attribute
        self.index = index
        self.name = attribute.name
        self.camel = attribute.camel
        self.upper = f"ATTR_{attribute.name.upper()}"
        self.type = facts.ATTRIBUTE[attribute.type]
        self.default = float(attribute.default) if attribute.type == "float" else attribute.default
        self.doc = attribute.doc
        self.usage = attribute.usage


class OptionView:
    """An option. flag: the local that tells whether it is on; on: the C++ condition over the request."""

    def __init__(self, interface: Interface, option: Option):
        self.name = option.name
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


class OperatorView:
    """The whole operator, for one set of plans (product -> plan)."""

    def __init__(self, operator, plans: dict):
        interface = getattr(operator, "interface", operator)
        self.interface = interface
        self.name = interface.name
        self.snake = interface.snake
        self.upper = interface.snake.upper()
        self.folder = interface.folder
        self.forward_name = interface.forward_name
        self.inputs = [TensorView(interface, t, i) for i, t in enumerate(interface.inputs)]
        self.outputs = [TensorView(interface, t, i) for i, t in enumerate(interface.outputs)]
        self.tensors = [*self.inputs, *self.outputs]
        for v in self.outputs:
            if v.tensor.like is None:
                raise checks.UnsupportedInterface(
                    f"{interface.name}: output {v.name} names no tensor whose shape it repeats (like=...)")
        self.attributes = [AttributeView(a, i) for i, a in enumerate(interface.attributes)]
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
        self.tiling_rules = checks.tiling_rules(interface)
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

    @cached_property
    def status_rows(self) -> list[tuple[facts.Status, Text]]:
        """The return values of the first phase: a status with its cases."""
        rows: dict[facts.Status, list[Text]] = {}
        for rule in (*self.aclnn_rules, *self.tiling_rules):
            if rule.doc:
                rows.setdefault(rule.status, []).append(rule.doc)
        capital = lambda text: text[:1].upper() + text[1:]
        joined = [(s, Text("".join(t.zh for t in texts), capital(" ".join(capital(t.en) for t in texts))))
                  for s, texts in rows.items()]
        return [*joined,
                (facts.EXECUTOR, Text("执行器创建失败。", "The executor cannot be created.")),
                (facts.INNER_NULL, Text("中间Tensor创建失败，或非连续Tensor超出其存储范围。",
                                        "An intermediate tensor cannot be created, or a strided tensor exceeds its "
                                        "storage."))]

    @cached_property
    def invariant(self) -> list[str]:
        """Outputs that keep their bits on any number of cores, under every plan."""
        return [v.camel for v in self.outputs if all(v.name in p.core_invariant for p in self.plans.values())]

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
        return [*(f"const aclTensor* {v.camel}" for v in self.inputs),
                *(f"{a.type['api']} {a.camel}" for a in self.attributes),
                *(f"const aclTensor* {v.camel}" for v in self.outputs)]

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
