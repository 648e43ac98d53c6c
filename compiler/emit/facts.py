"""Facts of the toolkit and of the repositories' conventions that templates print: spellings, codes, product rows."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ir.interface import Text

GE = {"float16": "ge::DT_FLOAT16", "bfloat16": "ge::DT_BF16", "float32": "ge::DT_FLOAT", "int64": "ge::DT_INT64",
      "bool": "ge::DT_BOOL"}
ACL = {"float16": "ACL_FLOAT16", "bfloat16": "ACL_BF16", "float32": "ACL_FLOAT", "int64": "ACL_INT64",
       "bool": "ACL_BOOL"}
SPELLED = {"float16": "FLOAT16", "bfloat16": "BFLOAT16", "float32": "FLOAT", "int64": "INT64", "bool": "BOOL"}
"""Dtypes as log lines spell them, and documents of the style nn."""
SPELLED_IN = {"nn": SPELLED, "transformer": {**SPELLED, "float32": "FLOAT32"}}
"""Dtypes as documents spell them, by style."""
DEVICE = {"float16": "half", "bfloat16": "bfloat16_t", "float32": "float", "int64": "int64_t", "bool": "bool"}
"""Dtypes in kernel code, as DTYPE_<NAME> macros hold them."""
HOST = {"float16": "uint16_t", "bfloat16": "uint16_t", "float32": "float", "int64": "int64_t", "bool": "uint8_t"}
"""What a host program holds an element in; 16-bit floats as their bits."""

ATTRIBUTE = {
    "float": {"def": "Float", "proto": "Float", "api": "double", "l0": "float", "get": "GetFloat", "ctype": "float",
              "json": "float", "spelled": "FLOAT"},
    "int": {"def": "Int", "proto": "Int", "api": "int64_t", "l0": "int64_t", "get": "GetInt", "ctype": "int64_t",
            "json": "int", "spelled": "INT64"},
    "bool": {"def": "Bool", "proto": "Bool", "api": "bool", "l0": "bool", "get": "GetBool", "ctype": "bool",
             "json": "bool", "spelled": "BOOL"},
}
"""An attribute's type in the places that name it."""


@dataclass(frozen=True)
class Status:
    name: str
    code: int


NULL = Status("ACLNN_ERR_PARAM_NULLPTR", 161001)
INVALID = Status("ACLNN_ERR_PARAM_INVALID", 161002)
TILING = Status("ACLNN_ERR_INNER_TILING_ERROR", 561002)
EXECUTOR = Status("ACLNN_ERR_INNER_CREATE_EXECUTOR", 561101)
INNER_NULL = Status("ACLNN_ERR_INNER_NULLPTR", 561103)
INNER = Status("ACLNN_ERR_INNER", 561000)


@dataclass(frozen=True)
class ProductRow:
    """A row of the product support table: the tag that marks its lines, its titles, the products it stands for.

    title: as documents of the style nn have it; series: as those of the style transformer do.
    """

    tag: str
    title: Text
    products: tuple[str, ...]
    series: Text


PRODUCT_ROWS = (
    ProductRow("950", Text("Ascend 950PR/Ascend 950DT", "Ascend 950PR/Ascend 950DT"), ("ascend950",),
               Text("Ascend 950PR&950DT系列产品", "Ascend 950PR & 950DT Series")),
    ProductRow("A3", Text("Atlas A3 训练系列产品/Atlas A3 推理系列产品",
                          "Atlas A3 training products/Atlas A3 inference products"), ("ascend910_93",),
               Text("Atlas A3系列产品", "Atlas A3 Series")),
    ProductRow("910b", Text("Atlas A2 训练系列产品/Atlas A2 推理系列产品",
                            "Atlas A2 training products/Atlas A2 inference products"), ("ascend910b",),
               Text("Atlas A2系列产品", "Atlas A2 Series")),
    ProductRow("310b", Text("Atlas 200I/500 A2 推理产品", "Atlas 200I/500 A2 inference products"), (),
               Text("Atlas 200I/500 A2推理产品", "Atlas 200I/500 A2 Inference Products")),
    ProductRow("310p", Text("Atlas 推理系列产品", "Atlas inference products"), (),
               Text("Atlas推理系列产品", "Atlas Inference Series")),
    ProductRow("910", Text("Atlas 训练系列产品", "Atlas training products"), (),
               Text("Atlas训练系列产品", "Atlas Training Series")),
)

API_SOC = {"ascend950": "ASCEND950", "ascend910b": "ASCEND910B", "ascend910_93": "ASCEND910_93"}
"""Enumerators of op::SocVersion, which the aclnn layer asks (opbase: opdev/platform.h)."""
TILING_SOC = {"ascend950": "ASCEND950", "ascend910b": "ASCEND910B", "ascend910_93": "ASCEND910B"}
"""Enumerators of platform_ascendc::SocVersion, which the host tiling asks: Atlas A3 parts answer as A2 parts do
(asc-devkit: impl/utils/tiling/platform/platform_ascendc.cpp)."""

UNIT_TEST_SOC = {"ascend950": "ascend950pr_9599", "ascend910b": "ascend910B1", "ascend910_93": "ascend910_9391"}
"""The name by which the repositories' kernel unit tests know a product."""


@dataclass(frozen=True)
class Product:
    """What templates need of a product file. soc: the name that the toolkit's build gives the product."""

    soc: str
    title: str
    npu_arch: int
    kernel_suffix: str
    aic: int
    aiv: int
    memory: dict[str, int]

    @property
    def ub(self) -> int:
        return self.memory["ub"]

    @property
    def unit_test_soc(self) -> str:
        return UNIT_TEST_SOC.get(self.soc, self.soc)


def product(data: dict) -> Product:
    """What templates need of a product's figures."""
    return Product(data["name"], data["title"], data["npu_arch"], data.get("kernel_suffix", ""), data["cores"]["aic"],
                   data["cores"]["aiv"], data["memory"])


@lru_cache(maxsize=None)
def version() -> str:
    """The version of this ascgrad: of the checkout that runs, else of the installed distribution."""
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    if project.is_file():
        return tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    from importlib.metadata import version as installed

    return installed("ascgrad")
