"""The documents of the second seed operator: their facts, and section by section those of the specification."""

import re

import pytest

from compiler.emit.directory import render_directory
from tests.compiler.emit.text_gated_residual import INTERFACE, KERNELS, PLANS, SNAKE, shapes, specified

NAME = INTERFACE.name


@pytest.fixture(scope="module")
def files():
    return render_directory(INTERFACE, PLANS, kernel_files=KERNELS)


@pytest.fixture(scope="module")
def page(files):
    return files[f"docs/aclnn{NAME}.md"]


def sections(text: str) -> dict[str, str]:
    """Heading -> what stands below it."""
    outside, inside = [], False
    for line in text.splitlines():
        inside ^= line.startswith("```")
        outside.append("#" + line if inside and line.startswith("#") else line)
    parts = re.split(r"^(#{1,2} .*)$", "\n".join(outside), flags=re.MULTILINE)
    return dict(zip((h.strip() for h in parts[1::2]), parts[2::2]))


def table_rows(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip().startswith("|")]


def sentences(text: str) -> set[str]:
    """Sentences and formulas, without layout."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    parts = re.split(r"(?<=。)|(?<=[.:;])\s|\n\s*\n|\n- |\n", text)
    return {re.sub(r"\s+", " ", p).strip() for p in parts if p.strip()}


def test_headings(files, page):
    headings = lambda text: list(sections(text))
    assert headings(files["README.md"]) == [f"# {NAME}", "## 产品支持情况", "## 功能说明", "## 参数说明", "## 约束说明", "## 调用说明"]
    assert headings(files["README_en.md"]) == [f"# {NAME}", "## Supported Products", "## Function", "## Parameters",
                                               "## Constraints", "## Calling the Operator"]
    assert headings(page) == [f"# aclnn{NAME}", "## 产品支持情况", "## 功能说明", "## 函数原型", f"## aclnn{NAME}GetWorkspaceSize",
                              f"## aclnn{NAME}", "## 约束说明", "## 调用示例"]


def test_status_rows(page):
    rows = table_rows(sections(page)[f"## aclnn{NAME}GetWorkspaceSize"])
    assert rows[-5:] == [
        "| ACLNN_SUCCESS | 0 | 参数校验及执行准备成功。 |",
        "| ACLNN_ERR_PARAM_NULLPTR | 161001 | 必选 Tensor、workspaceSize 或 executor 为空指针,或可选参数未按要求成组提供。 |",
        "| ACLNN_ERR_PARAM_INVALID | 161002 | Tensor 的数据类型、维度或 shape 不符合参数表;channels 不在 [1,20] 范围内或不能整除 D;"
        "R 不在 [1,640] 范围内;B、S 为负数或 B*S 超出 INT64 表示范围。 |",
        "| ACLNN_ERR_INNER_CREATE_EXECUTOR | 561101 | 执行器创建失败。 |",
        "| ACLNN_ERR_INNER_NULLPTR | 561103 | 请求的形状组合不满足规格约束,或计算所需 Tensor 创建失败。 |",
    ]
    assert table_rows(sections(page)[f"## aclnn{NAME}"])[-2:] == [
        "| ACLNN_SUCCESS | 0 | 计算任务提交成功。 |", "| ACLNN_ERR_INNER | 561000 | 计算任务提交失败。 |"]


def test_product_blocks(files, page):
    """Blocks are numbered in order of appearance, and one block has one number in all documents."""
    marks = re.findall(r'<!-- npu="([^"]+)" (id\d+) -->', page)
    assert marks == [("950", "id1"), ("A3", "id2"), ("910b", "id3"), ("310b", "id4"), ("310p", "id5"), ("910", "id6"),
                     ("950", "id7"), ("A3,910b", "id8")]
    assert re.findall(r"<!-- end (id\d+) -->", page) == [i for _, i in marks]
    for path in ("README.md", "README_en.md"):
        assert re.findall(r'<!-- npu="([^"]+)" (id\d+) -->', files[path]) == marks[6:]
    assert "- <term>Atlas A2系列产品</term>、<term>Atlas A3系列产品</term>:" in page
    assert files["README.md"].count("| √ |") == 3 and files["README.md"].count("| × |") == 3


def test_formulas_of_the_specification(page):
    for text in (r"K = 62448-16\left\lceil C/8\right\rceil", r"K = 39664-16\left\lceil C/8\right\rceil", r"13H &\le K,\\",
                 r"3H+8R &\le K,\\", r"7H+6R &\le K.", r"H_{\max}=16\left\lfloor\frac{K}{208}\right\rfloor."):
        assert text in page


def test_prototype(files):
    header = files[f"op_api/aclnn_{SNAKE}.h"]
    declared = re.search(r"GetWorkspaceSize\(([^)]*)\)", header)[1]
    names = [p.split()[-1] for p in declared.split(",")]
    assert names == ["gradMixed", "x", "wDown", "wUp", "invRms", "downPreAct", "up", "gradInject", "wGate", "gamma", "inject",
                     "channels", "dx", "dwDown", "dwUp", "dwGate", "dgamma", "workspaceSize", "executor"]


def test_example(files, page):
    program = files[f"examples/test_aclnn_{SNAKE}.cpp"]
    assert program.split("#include", 1)[1].strip() in page
    assert 'Show("dx", dxHost, FromBf16, 125.0F);' in program and 'Show("dgamma", dgammaHost' in program
    assert "预期 `dx` 的所有元素为 125,`dwDown`、`dwUp`、`dwGate`、`dgamma` 的所有元素为 0。" in page
    assert "`B=1、S=2、C=4、H=16、R=16`" in page


def test_data_of_the_system_test(files, tmp_path):
    """gen_data.py makes the documented shapes."""
    (tmp_path / "interface.json").write_text(files["tests/st/interface.json"], encoding="utf-8")
    room = {"__file__": str(tmp_path / "gen_data.py"), "__name__": "gen_data"}
    exec(compile(files["tests/st/gen_data.py"], "gen_data.py", "exec"), room)
    values = dict(B=2, S=3, C=5, H=32, R=48)
    sizes, leading = room["parse_shape"](",".join(f"{k}={v}" for k, v in values.items()))
    assert sizes["T"] == 6 and leading == [2, 3]
    made = {t["name"]: tuple(room["shape_of"](t, sizes, leading)) for t in room["INTERFACE"]["tensors"]}
    assert made == shapes(**values)
    assert room["absent"](["gamma"]) == {"gamma", "dgamma"}
    assert "--shape B=1,S=2,C=4,H=16,R=16 --without gamma" in files["tests/st/README.md"]
    with pytest.raises(SystemExit, match="got Q, wants B, C, H, R, S"):
        room["parse_shape"]("Q=1")


# Where our documents say more than the specification: (theirs, ours)
MORE = {
    "支持非连续输入 Tensor。": "支持非连续输入 Tensor,也支持非连续输出 Tensor。",
    "默认执行确定性计算。": "默认执行确定性计算,",
    "Non-contiguous input tensors are supported.": "Non-contiguous input tensors are supported, and so are",
    "Computation is deterministic by default.": "Computation is deterministic by default: ",
}


@pytest.mark.parametrize("path, seed", [
    ("README.md", f"{NAME}_README.zh.md"), ("README_en.md", f"{NAME}_README.en.md"), (f"docs/aclnn{NAME}.md", f"aclnn{NAME}.zh.md")])
def test_every_fact_of_the_specification(files, path, seed):
    ours, theirs = sections(files[path]), sections(specified(seed))
    assert list(ours) == list(theirs)
    for heading, text in theirs.items():
        assert table_rows(ours[heading]) == table_rows(text), heading
        said = re.sub(r"\s+", " ", re.sub(r"```.*?```", "", ours[heading], flags=re.DOTALL))
        for sentence in sentences(text):
            expected = next((m for s, m in MORE.items() if sentence.endswith(s)), sentence).removeprefix("- ")
            assert expected in said, f"{heading}: {sentence}"


def test_each_kernel_is_tested_with_the_figures_of_a_product_that_runs_it(files):
    tests = {suffix: files[f"tests/ut/op_kernel/test_{SNAKE}{suffix}.cpp"] for suffix in ("", "_apt")}
    assert "const int64_t cubeCoreNum = 24;" in tests[""] and "const int64_t cubeCoreNum = 32;" in tests["_apt"]
    for suffix, text in tests.items():
        assert f"\\file test_{SNAKE}{suffix}.cpp" in text and "constexpr size_t SYSTEM_WORKSPACE = 16777216;" in text
