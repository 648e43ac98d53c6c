"""Each check of documents against the interface, with faults put into documents and into sources."""

import re
import shutil

import pytest

from compiler.check import RULES, check
from tests.compiler.check.test_rules import GENERATED, RESIDUAL, SWIGLU, TILING, Fault, faulty, line_of

README, ENGLISH = "README.md", "README_en.md"
PAGE = "docs/aclnnSwigluGroupQuantGrad.md"
MIXED_PAGE = "docs/aclnnTextGatedResidualGrad.md"
DEFINITION = "op_host/swiglu_group_quant_grad_def.cpp"
HEADER = "op_api/aclnn_swiglu_group_quant_grad.h"
MIXED_TILING = "op_host/text_gated_residual_grad_tiling.cpp"
MIXED_API = "op_api/aclnn_text_gated_residual_grad.cpp"

FAULTS = {
    "parameter renamed in the definition": Fault(
        SWIGLU, "parameters", DEFINITION, 'Input("group_index")', 'Input("group_list")',
        (ENGLISH, "| groupIndex |"), "groupIndex: swiglu_group_quant_grad_def.cpp defines no such parameter"),
    "parameter missing in one document": Fault(
        SWIGLU, "parameters", ENGLISH, "| groupIndex |", "| group |",
        (ENGLISH, "| Name |"), r"groupIndex: the table lacks it, swiglu_group_quant_grad_def.cpp:\d+ defines it"),
    "order of the parameters": Fault(
        SWIGLU, "parameters", DEFINITION, 'Input("weight")', 'Input("y_origin")',
        (README, "| weight |"), "weight: swiglu.*defines no such parameter"),
    "optional": Fault(
        RESIDUAL, "parameters", MIXED_PAGE, "| gamma(const aclTensor*) | 可选输入", "| gamma(const aclTensor*) | 输入",
        (MIXED_PAGE, "| gamma(const"), "gamma: the table says '输入', the definition has it OPTIONAL"),
    "dtype": Fault(
        SWIGLU, "parameters", README, "| 每个专家分组的行数（计数，不是前缀和）。 | INT64 |", "| 每个专家分组的行数（计数，不是前缀和）。 | INT32 |",
        (README, "| groupIndex |"), r"groupIndex: the table has INT32, the definition INT64"),
    "dtype added to the definition": Fault(
        SWIGLU, "parameters", DEFINITION, "ge::DT_INT64, ge::DT_INT64, ge::DT_INT64", "ge::DT_FLOAT, ge::DT_INT64, ge::DT_INT64",
        (PAGE, "| groupIndex（"), "groupIndex: the table has INT64, the definition FLOAT, INT64"),
    "type of an attribute": Fault(
        RESIDUAL, "parameters", ENGLISH, "| Number of channels C. | INT64", "| Number of channels C. | FLOAT",
        (ENGLISH, "| channels |"), "channels: the table has FLOAT, the definition INT"),
    "default": Fault(
        SWIGLU, "parameters", DEFINITION, ".Float(-1.0f)", ".Float(0.0f)",
        (README, "| clampLimit |"), r"clampLimit: the table's default is -1.0, the definition's 0.0f"),
    "shape": Fault(
        RESIDUAL, "shapes", README, "| ND | [R,D] |\n| wUp", "| ND | [D,R] |\n| wUp",
        (README, "| wDown |"), r"wDown: the table has \[D,R\], interface.json \[R, C\*H\]"),
    "rank": Fault(
        SWIGLU, "shapes", TILING, '"x", *request.x, 1, 8)', '"x", *request.x, 1, 4)',
        (PAGE, "| x（const"), "x: the table has rank 2-8, the host accepts 1 to 4"),
    "parameters of the prototype": Fault(
        SWIGLU, "prototypes", HEADER, "const aclTensor* groupIndex, double clampLimit,", "double clampLimit, const aclTensor* groupIndex,",
        (PAGE, "aclnnStatus aclnnSwigluGroupQuantGradGetWorkspaceSize("),
        "parameter 5 is const aclTensor. groupIndex, the header has double clampLimit"),
    "type in the table": Fault(
        SWIGLU, "prototypes", PAGE, "| clampLimit（double）", "| clampLimit（float）",
        (PAGE, "| clampLimit（"), "clampLimit: the table has float, the header double"),
    "number of a code": Fault(
        SWIGLU, "statuses", PAGE, "| ACLNN_ERR_PARAM_INVALID | 161002 |", "| ACLNN_ERR_PARAM_INVALID | 161001 |",
        (PAGE, "| ACLNN_ERR_PARAM_INVALID |"), "the table has 161001, wants 161002"),
    "code that nothing returns": Fault(
        SWIGLU, "statuses", PAGE, "| ACLNN_ERR_INNER_CREATE_EXECUTOR | 561101 |", "| ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR | 561102 |",
        (PAGE, "| ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR |"), "op_api never returns it"),
    "code that the table lacks": Fault(
        SWIGLU, "statuses", PAGE, "| ACLNN_ERR_INNER_NULLPTR |", "| ACLNN_ERR_RUNTIME_ERROR |",
        (PAGE, "| 返回码 |"), r"ACLNN_ERR_INNER_NULLPTR: the tables lack it, aclnn_swiglu_group_quant_grad.cpp:\d+ returns it"),
    "code that the header's comment lacks": Fault(
        SWIGLU, "statuses", HEADER, "@return 561002:", "@note",
        (PAGE, "| ACLNN_ERR_INNER_TILING_ERROR |"), "the comment of aclnn_swiglu_group_quant_grad.h has no @return 561002"),
    "limit of an attribute": Fault(
        RESIDUAL, "limits", MIXED_PAGE, "channels 不在 [1,20]", "channels 不在 [1,24]",
        (MIXED_PAGE, "channels 不在 [1,24]"), "the sources check 1 to 20"),
    "limit changed in the sources": Fault(
        RESIDUAL, "limits", MIXED_TILING, '"R", request.R, 1, 640', '"R", request.R, 1, 512',
        (README, "和 `R ≤ 640`"), "R ≤ 640: the sources check 1 to 512"),
    "limit of one layer": Fault(
        RESIDUAL, "limits", MIXED_API, "request.channels, 1, 20", "request.channels, 1, 16",
        (MIXED_API, "request.channels, 1, 16"), "channels: the aclnn layer has 1 to 16, the host 1 to 20"),
    "multiple": Fault(
        RESIDUAL, "limits", MIXED_TILING, '"H", request.H, 16', '"H", request.H, 32',
        (ENGLISH, "<!-- Made by"), "H: the document does not say that it is a multiple of 32"),
    "inequality": Fault(
        RESIDUAL, "limits", ENGLISH, "13H &\\le K", "12H &\\le K",
        (ENGLISH, "12H &\\le K"), "12H: no check of the host has this limit"),
    "constant of a product": Fault(
        RESIDUAL, "limits", README, "K = 39664", "K = 39660",
        (README, "K = 39660"), "the host has the numbers 39664, 16, 8 for ascend910_93"),
    "sizes that differ between languages": Fault(
        SWIGLU, "limits", ENGLISH, "| S | 0~131072 |", "| S | 0~65536 |",
        (ENGLISH, "| S | 0~65536 |"), r"S: 0~65536 here, 0, 131072 in README.md:\d+"),
    "product that is not configured": Fault(
        SWIGLU, "products", README, "| <term>Atlas A2 训练系列产品/Atlas A2 推理系列产品</term> | × |",
        "| <term>Atlas A2 训练系列产品/Atlas A2 推理系列产品</term> | √ |",
        (README, "<term>Atlas A2 训练"), "the document says √, swiglu_group_quant_grad_def.cpp has no AddConfig of ascend910b"),
    "product that the page denies": Fault(
        RESIDUAL, "products", MIXED_PAGE, "<term>Atlas A3系列产品</term>:支持", "<term>Atlas A3系列产品</term>:不支持",
        (MIXED_PAGE, "<term>Atlas A3系列产品</term>:不支持"), "the document says 不支持, .* has AddConfig of ascend910_93"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named_with_file_and_line(tmp_path, name):
    fault = FAULTS[name]
    folder = faulty(tmp_path / "sources", fault)
    found = check(folder, names=[fault.rule]).findings
    file, text = fault.at
    place = (str(folder / file), line_of(folder / file, text))
    assert place in [(f.file, f.line) for f in found], "\n".join(map(str, found)) or "nothing was found"
    assert any(re.search(fault.words, f.message) for f in found if (f.file, f.line) == place), found


def test_spaces_in_a_shape_are_none_of_its_business(tmp_path):
    shutil.copytree(GENERATED / RESIDUAL, tmp_path / "sources")
    described = tmp_path / "sources" / "tests/st/interface.json"
    described.write_text(described.read_text().replace("C*H", "C * H"))
    assert not [f for f in check(tmp_path / "sources").findings if f.kind == "shapes"]


def test_every_rule_of_documents_has_a_fault():
    from tests.compiler.check.test_rules import FAULTS as CODE_FAULTS

    assert {f.rule for f in (*FAULTS.values(), *CODE_FAULTS.values())} == {r.name for r in RULES}


def test_order_of_inputs(tmp_path):
    """Two inputs exchanged in the definition: documents list them in the other order."""
    folder = tmp_path / "sources"
    shutil.copytree(GENERATED / SWIGLU, folder)
    text = (folder / DEFINITION).read_text()
    first, second = (re.search(rf' *this->Input\("{n}"\)[^;]*;\n', text)[0] for n in ("grad_y", "x"))
    (folder / DEFINITION).write_text(text.replace(first + second, second + first))
    found = check(folder, names=["parameters"]).findings
    assert {f.file for f in found} == {str(folder / f) for f in (README, ENGLISH, PAGE)}
    assert all("the order of inputs is gradY, x, weight, yOrigin, groupIndex; the definition has x, gradY, " in f.message for f in found)
