"""What templates are given besides the operator: texts computed from it, and the cases of examples and tests."""

from __future__ import annotations

import json

from compiler.emit import cases, checks, facts, specification
from compiler.emit.cases import off_value
from compiler.emit.cpp import literal
from compiler.emit.view import OperatorView
from ir.interface import ROWS, Text


def context(op: OperatorView, layout: str) -> dict:
    """The names that every template may use."""
    interface = op.interface
    likes = {v.tensor.like for v in op.outputs}
    sources = {v.name: _dtype_source(op, v) for v in op.outputs if v.variable}
    used = {op.tensor(n).camel for n in likes} | {s.camel for s in sources.values()}
    example = cases.example(op)
    return {
        "op": op,
        "layout": layout,
        "used_inputs": used,
        "dtype_sources": sources,
        "aclnn_helpers": _helpers(op.aclnn_rules),
        "aclnn_shape_helpers": _helpers((*op.shape_rules, *op.relation_rules)),
        "tiling_helpers": _helpers(op.tiling_rules),
        "plan_locals": [_locals(op, plan) for _, plan in op.plan_groups],
        "soc_versions": tiling_versions(op),
        "requested": {s: f"request.{s}" for s in op.symbols},
        "binary": binary(op),
        "kernel_defines": " ".join(f"-DDTYPE_{v.name.upper()}={facts.DEVICE[v.dtypes[example.column]]}"
                                   for v in op.tensors),
        "kernel_arguments": [f"GM_ADDR {n}" for n in [*op.tensor_names, "workspace", "tiling"]],
        "rows": facts.PRODUCT_ROWS,
        "example": example,
        "accepted": cases.accepted(interface),
        "refused": cases.refused(interface),
        "api_cases": cases.api_cases(op),
        "infershape_cases": cases.infershape_cases(op),
        "unit_locals": {p.soc: _unit_locals(op, p, example) for p in op.products},
        "shape_argument": shape_argument(op, example),
        "runner_arguments": [*(f'loaded.tensors["{v.name}"].tensor' for v in op.inputs),
                             *(_runner_attribute(a) for a in op.attributes),
                             *(f'loaded.tensors["{v.name}"].tensor' for v in op.outputs)],
        "st_cases": _system_cases(op, example),
        "unit_arguments": unit_arguments(op, example),
        "cases": cases,
        "interface_json": json.dumps(cases.spec_text(interface), indent=2, ensure_ascii=False),
        "sizes": size_rows(interface),
        "option_values": {o.name: _option_text(op, o)[0] for o in op.options if not o.first},
        "option_off": {o.name: _option_text(op, o)[1] for o in op.options if not o.first},
        "described": described,
        **(_specification(op, example) if interface.style == "transformer" else {}),
        "facts": facts,
        "zh_list": checks.zh_list,
        "en_list": checks.en_list,
    }


def _specification(op: OperatorView, example) -> dict:
    """What the documents of the style transformer are given."""
    spec = specification.Specification(op)
    values = {o.name: _option_text(op, o) for o in op.options if not o.first}
    plain = specification.code(v.camel for v in op.reduced_outputs if not v.variable)
    spelled = facts.SPELLED_IN["transformer"]
    variable = dict.fromkeys(spelled[d] for dtypes in op.interface.dtypes.values() for d in dtypes)
    return {
        "spec": spec,
        "code": specification.code,
        "en_series": specification.en_series,
        "zh_count": specification.ZH_COUNT.__getitem__,
        "en_count": specification.EN_COUNT.__getitem__,
        "dtype_names": list(variable),
        "dtype_sentences": specification.dtype_sentences(op),
        "option_cells": lambda o: specification.option_cells(o, values),
        "expected": specification.expected_sentences(op, example),
        "plain_zeros": Text(f"和 {checks.zh_list(plain)} " if plain else "",
                            f" and {specification.en_series(plain)}" if plain else ""),
        "empty_rows": specification.code(f"{r}=0" for r in op.interface.rows or (ROWS,)),
    }


def tiling_versions(op: OperatorView) -> list[list[str]]:
    """The toolkit's enumerators per group of products that share a plan.

    Raises UnsupportedInterface when two groups are one product to the host tiling.
    """
    groups = [list(dict.fromkeys(facts.TILING_SOC.get(p.soc, p.soc.upper()) for p in products))
              for products, _ in op.plan_groups]
    versions = [v for group in groups for v in group]
    for v in versions:
        if versions.count(v) > 1:
            raise checks.UnsupportedInterface(f"{op.name}: products with different plans are all {v} to the host tiling")
    return groups


def _dtype_source(op: OperatorView, output):
    """The input that an output's dtype is read from: the one it repeats, or a required one of the same dtype."""
    like = op.tensor(output.tensor.like)
    same = [v for v in op.inputs if v.tensor.dtype == output.tensor.dtype and not v.optional]
    return like if not like.optional or not same else same[0]


def _locals(op: OperatorView, plan) -> list[str]:
    """Declarations of the locals that a plan names."""
    lines = []
    for memory, kind in MEMORIES.items():
        if plan.names(f"{memory}Bytes"):
            lines += [f"uint64_t {memory}Size = 0;",
                      f"platform.GetCoreMemSize(platform_ascendc::CoreMemType::{kind}, {memory}Size);",
                      f"const int64_t {memory}Bytes = static_cast<int64_t>({memory}Size);"]
    if plan.names("cubeCoreNum"):
        lines.append("const int64_t cubeCoreNum = static_cast<int64_t>(platform.GetCoreNumAic());")
    if plan.names("coreNum"):
        lines.append("const int64_t coreNum = static_cast<int64_t>(platform.GetCoreNumAiv());")
    if plan.names("systemWorkspace"):
        lines.append("const size_t systemWorkspace = platform.GetLibApiWorkSpaceSize();")
    for name in ["dtypeBytes", *op.symbols]:
        if plan.names(name):
            lines.append(f"const int64_t {name} = request.{name};")
    for o in op.options:
        if plan.names(o.flag):
            lines.append(f"const bool {o.flag} = {o.on};")
    for a in op.attributes:
        if plan.names(a.camel):
            lines.append(f"const {a.type['ctype']} {a.camel} = request.{a.camel};")
    return lines


def _unit_locals(op: OperatorView, product, example) -> list[str]:
    """The same locals with the figures of the product file and the sizes of the example."""
    plan = op.plans[product.soc]
    values = {**{f"{m}Bytes": product.memory[m] for m in MEMORIES}, "cubeCoreNum": product.aic, "coreNum": product.aiv,
              "dtypeBytes": BYTES[op.dtype_tensor.dtypes[example.column]], **example.sizes}
    lines = [f"const int64_t {n} = {v};" for n, v in values.items() if plan.names(n)]
    if plan.names("systemWorkspace"):
        lines.append("const size_t systemWorkspace = SYSTEM_WORKSPACE;")
    lines += [f"const bool {o.flag} = true;" for o in op.options if plan.names(o.flag)]
    return lines + [f"const {a.type['ctype']} {a.camel} = {literal(example.attributes[a.name])};"
                    for a in op.attributes if plan.names(a.camel)]


def _runner_attribute(attribute) -> str:
    value = f'loaded.attributes["{attribute.name}"]'
    return {"double": value, "bool": f"{value} != 0"}.get(attribute.type["api"],
                                                         f"static_cast<{attribute.type['api']}>({value})")


def _system_cases(op: OperatorView, example) -> list[str]:
    """Command lines that cover the dtypes and options that the example does not."""
    shape = f"--shape {shape_argument(op, example)}"
    others = [d for d in op.dtype_tensor.distinct_dtypes if d != op.dtype_tensor.dtypes[example.column]]
    lines = [f"{shape} --dtype {d}" for d in others]
    lines += [f"{shape} --without {o.name}" for o in op.interface.options if o.inputs and o.name in o.inputs]
    return lines + [f"{shape} --attr {a.name}={example.attributes[a.name]}" for a in op.attributes
                    if example.attributes[a.name] != a.default and not a.attribute.symbol]


def shape_argument(op: OperatorView, example) -> str:
    """The sizes of the example as the command line takes them."""
    named = [s for s in example.sizes if s != ROWS] if op.interface.rows else example.sizes
    return ",".join(f"{s}={example.sizes[s]}" for s in named)


def unit_arguments(op: OperatorView, example) -> str:
    """The command line that makes the data of the kernel's unit test."""
    dtype = op.dtype_tensor.dtypes[example.column]
    shape = shape_argument(op, example)
    attributes = "".join(f" --attr {a.name}={example.attributes[a.name]}" for a in op.attributes if not a.attribute.symbol)
    return f" --shape {shape} --dtype {dtype}{attributes}"


MEMORIES = {"ub": "UB", "l1": "L1", "l0a": "L0_A", "l0b": "L0_B", "l0c": "L0_C", "l2": "L2"}
"""Memory of the product file -> enumerator of platform_ascendc::CoreMemType."""
BYTES = {"float32": 4, "float16": 2, "bfloat16": 2, "int64": 8, "bool": 1}


def binary(op: OperatorView) -> str:
    """The list of precompiled kernels: one per dtype column of the definition, of any shape."""
    def entry(v, column):
        return {"name": v.name, "index": v.index, "dtype": v.dtypes[column], "format": "ND",
                "paramType": "optional" if v.optional else "required", "shape": [-2]}

    entries = []
    for column in range(len(op.columns)):
        distinct = dict.fromkeys(v.dtypes[column] for v in op.tensors if v.variable)
        item = {"bin_filename": "_".join([op.name, *distinct]),
                "inputs": [entry(v, column) for v in op.inputs],
                "outputs": [entry(v, column) for v in op.outputs]}
        if op.attributes:
            item["attrs"] = [{"name": a.name, "dtype": a.type["json"], **({} if a.required else {"value": a.default})}
                             for a in op.attributes]
        entries.append(item)
    return json.dumps({"op_type": op.name, "op_list": entries}, indent=2)


def _helpers(rules) -> set[str]:
    """The helper functions that the checks call."""
    return {check.call.split("(", 1)[0] for rule in rules for check in rule.checks}


def described(views, change) -> list[str]:
    """Tensors of the shape inference test: with the shape that `change` gives them, or none."""
    return [f"Describe({{{', '.join(map(str, change(v))) if change else ''}}}, {facts.GE[v.dtypes[0]]})" for v in views]


def _option_text(op: OperatorView, option) -> tuple[Text, Text]:
    """How an option that an attribute switches is switched on and off."""
    a = next(a for a in op.attributes if a.camel == option.attribute)
    off = off_value(a.attribute)
    shown = str(off).lower() if isinstance(off, bool) else off
    if isinstance(off, bool):
        on = Text(f"`{a.camel}`为{str(not off).lower()}", f"`{a.camel}` is {str(not off).lower()}")
    elif a.attribute.positive:
        on = Text(f"`{a.camel}`大于0", f"`{a.camel}` is above 0")
    else:
        on = Text(f"`{a.camel}`不等于{shown}", f"`{a.camel}` is not {shown}")
    return on, Text(f"`{a.camel}`等于{shown}", f"`{a.camel}` is {shown}")


def size_rows(interface) -> list[tuple[str, str]]:
    """The specification table: a symbol and the sizes that the documents promise."""
    rows = [(s, f"{low}~{high}") for s, (low, high) in interface.limits.items()]
    return rows + [(s, "、".join(map(str, values))) for s, values in interface.sizes.items()
                   if s != ROWS and s not in interface.limits]
