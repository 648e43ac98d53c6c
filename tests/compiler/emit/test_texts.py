"""What the emitted files say: documents, checks, and that templates know no operator."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.emit import checks, facts
from compiler.emit.directory import render_directory
from compiler.emit.render import templates_folder
from compiler.emit.text import block, joined
from compiler.emit.view import capital
from ir.interface import Interface, Tensor, Text
from tests.compiler.emit.operators import OTHER, OTHER_PLAN, ROW_PLAN, SEED
from tests.compiler.emit.text_gated_residual import INTERFACE, PLANS

EMIT = Path(checks.__file__).parent


@pytest.fixture(scope="module")
def seed():
    return render_directory(SEED, {"ascend950": ROW_PLAN})


@pytest.fixture(scope="module")
def other():
    return render_directory(OTHER, {"ascend950": OTHER_PLAN})


@pytest.fixture(scope="module")
def gated():
    return render_directory(INTERFACE, PLANS)


def test_nothing_names_an_operator():
    names = {"x0", "x1"}
    for interface in (SEED.interface, INTERFACE):
        names |= {interface.name, interface.snake, *(o.name for o in interface.options)}
        for thing in (*interface.tensors, *interface.attributes):
            names |= {thing.name, thing.camel}
    pattern = re.compile(rf"\b({'|'.join(sorted(n for n in names if len(n) > 2))})\b")
    words = re.compile("weight gradient|corresponding weight")  # what documents call sums over rows
    places = [*templates_folder().rglob("*.jinja"), *EMIT.glob("*.py")]
    # Kernels and reports of schedules have channels of their own: groups of a row's columns.
    places = [p for p in places if p.name not in ("kernel.py", "tiling.py") and not {"op_kernel", "report"} & set(p.parts)]
    found = [f"{p}:{n}: {line.strip()}" for p in places
             for n, line in enumerate(p.read_text(encoding="utf-8").splitlines(), 1) if pattern.search(words.sub("", line))]
    assert len(places) > 30 and not found


def test_the_other_operator_has_nothing_of_the_seed(other):
    text = "\n".join(other.values())
    for word in ("Swiglu", "swiglu", "grad_y", "gradY", "y_origin", "group_index", "clamp", "weight"):
        assert word not in text, word


def test_the_other_operator(other):
    tiling = other["op_host/tuned_mix_backward_tiling.cpp"]
    assert 'HasDim(context, "dz", *request.dz, 1, Product({3, request.N}), "3 * N")' in tiling
    assert 'IsWithin(context, "mix", *request.mix, "R", request.R, 1, 640)' in tiling
    assert 'HasRank(context, "mix", *request.mix, 2, 2)' in tiling
    assert 'IsAccepted(context, "steps", static_cast<double>(request.steps), request.steps > 0' in tiling
    assert "context->SetScheduleMode(1); // all blocks start together" in tiling
    assert "const bool hasSharp = request.sharp;" in tiling
    assert "const size_t systemWorkspace = platform.GetLibApiWorkSpaceSize();" in tiling
    assert "but to write the zeros of a sum over rows" in tiling
    api = other["op_api/aclnn_tuned_mix_backward.cpp"]
    assert "HasDtypeFor(" in api and "{DataType::DT_FLOAT16, DataType::DT_FLOAT}" in api
    assert "AUTO_SYNC false" in other["CMakeLists.txt"]
    assert "dmix、dscale的所有元素置0" in other["README.md"]
    assert "`sharp`为true" in other["README.md"]


def test_checks_of_the_seed():
    rules = checks.aclnn_rules(SEED.interface)
    assert [r.status.code for r in rules] == [161001, 161001, 161002, 161002, 161002]
    assert rules[0].doc.zh == "必选参数gradY、x、gradX、workspaceSize或executor为空指针。"
    assert [c.call for c in rules[1].checks] == ['IsGiven("gradWeight", gradWeight)']
    tiling = checks.tiling_rules(SEED.interface)
    assert {r.status for r in tiling} == {facts.TILING}
    calls = [c.call.split("(")[0] for r in tiling for c in r.checks]
    assert calls.index("IsAccepted") < calls.index("HasRank") < calls.index("CountRows") < calls.index("HasDim")


def test_each_case_is_in_the_documents(seed):
    page = seed["docs/aclnnSwigluGroupQuantGrad.md"]
    for rule in (*checks.aclnn_rules(SEED.interface), *checks.tiling_rules(SEED.interface)):
        if rule.doc:
            assert rule.doc.zh in page
            row = next(line for line in page.splitlines() if rule.doc.zh in line)
            assert f"| {rule.status.name} | {rule.status.code} |" in row


def test_documents(seed):
    page, readme, english = (seed[p] for p in ("docs/aclnnSwigluGroupQuantGrad.md", "README.md", "README_en.md"))
    for tag, n in (("950", 1), ("A3", 2), ("910b", 3), ("310b", 4), ("310p", 5), ("910", 6)):
        assert f'<!-- npu="{tag}" id{n} -->' in page and f"<!-- end id{n} -->" in page
    assert readme.count("| √ |") == 1 and readme.count("| × |") == 5
    for text in (page, readme, english):
        assert text.count("$$") % 2 == 0 and text.count("$$") >= 14
        assert text.count("```") % 2 == 0
        assert "512" in text and "4096" in text and "1~31" in text
    for heading in ("产品支持情况", "功能说明", "函数原型", "约束说明", "调用示例"):
        assert f"## {heading}\n" in page
    assert "gradX、gradWeight的结果与核数无关" in page and "do not depend on the number of cores" in english
    row = next(line for line in page.splitlines() if line.startswith("  | yOrigin"))
    assert row.count("|") == 9 and "可选输入" in row and "2-8" in row and row.endswith("| √ |")
    assert "object Object" not in page + readme + english
    example = seed["examples/test_aclnn_swiglu_group_quant_grad.cpp"]
    assert example.split("#include", 1)[1].strip() in page


def test_prototype_order(seed):
    header = seed["op_api/aclnn_swiglu_group_quant_grad.h"]
    names = re.findall(r"(?:const aclTensor\*|double) (\w+)[,)]", header)
    assert names == ["gradY", "x", "weight", "yOrigin", "groupIndex", "clampLimit", "gradX", "gradWeight"]


def test_attributes_are_part_of_the_cache_key(seed):
    api = seed["op_api/aclnn_swiglu_group_quant_grad.cpp"]
    call = api[api.index("L2_DFX_PHASE_1("):].split(");", 1)[0]
    assert "clampLimit" in call


def test_unprintable_interfaces_are_refused():
    t = lambda name, shape, **more: Tensor(name, shape, "T", Text("", ""), **more)
    bad = Interface("A", "B", "c", (t("a", "..., H+1"), t("b", "..., H+1", role="output", like="a")))
    with pytest.raises(checks.UnsupportedInterface, match="wants a product of symbols and integers"):
        render_directory(bad, {"ascend950": ROW_PLAN})
    bad = Interface("A", "B", "c", (t("a", "..., H*K"), t("b", "..., H*K", role="output", like="a")))
    with pytest.raises(checks.UnsupportedInterface, match="no dimension tells the size of H, K"):
        render_directory(bad, {"ascend950": ROW_PLAN})
    bad = Interface("A", "B", "c", (t("a", "..., H"), t("b", "..., H", role="output")))
    with pytest.raises(checks.UnsupportedInterface, match="output b names no tensor whose shape it repeats"):
        render_directory(bad, {"ascend950": ROW_PLAN})


STYLE = ("{BasedOnStyle: Google, ColumnLimit: 120, AccessModifierOffset: -4, SortIncludes: Never, BreakBeforeBraces: "
         "Custom, BraceWrapping: {AfterFunction: true, SplitEmptyFunction: false}, PenaltyBreakAssignment: 1000, "
         "AlignEscapedNewlines: Left, AlwaysBreakBeforeMultilineStrings: false, AlwaysBreakTemplateDeclarations: Yes, "
         "BreakBeforeTernaryOperators: false, SpacesBeforeTrailingComments: 1, DerivePointerAlignment: false, "
         "AllowShortIfStatementsOnASingleLine: Never, AllowShortLoopsOnASingleLine: false, IndentWidth: 4, TabWidth: 4}")


@pytest.mark.skipif(shutil.which("clang-format") is None, reason="no clang-format")
@pytest.mark.parametrize("which", ["seed", "other", "gated"])
def test_format(which, request, tmp_path):
    for path, text in request.getfixturevalue(which).items():
        if path.endswith((".cpp", ".h")):
            result = subprocess.run(["clang-format", f"--style={STYLE}", f"--assume-filename={path}"], input=text,
                                    capture_output=True, text=True, check=True)
            assert result.stdout == text, path


def test_scripts_compile(seed, gated):
    for path, text in (*seed.items(), *gated.items()):
        if path.endswith(".py"):
            compile(text, path, "exec")
            assert max(map(len, text.splitlines())) <= 130


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("which", ["seed", "other", "gated"])
def test_emitted_sources_type_check(which, request, tmp_path):
    check_types(request.getfixturevalue(which), tmp_path, ("op_host", "op_api", "examples", "tests/st"))


def check_types(files, tmp_path, folders):
    """Against the emulator's stand-in headers."""
    import compiler

    include = Path(compiler.__file__).parent / "emulator" / "include"
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    public = tmp_path / "include" / "aclnnop"
    public.mkdir(parents=True)
    for path in (tmp_path / "op_api").glob("aclnn_*.h"):
        shutil.copy(path, public)
    sources = [p for p in files if p.endswith(".cpp") and p.startswith(folders)]
    for path in sources:
        result = subprocess.run(["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}",
                                 f"-I{tmp_path / 'include'}", f"-I{tmp_path / 'op_api'}", str(tmp_path / path)],
                                capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.parametrize("interface, plans", [
    (replace(SEED.interface, shape_checks="aclnn", style="transformer"), {"ascend950": ROW_PLAN}),
    (replace(OTHER, shape_checks="aclnn", relations=("N % 8 == 0", "N <= 512 * R")), {"ascend950": OTHER_PLAN}),
    (replace(INTERFACE, shape_checks="tiling", style="nn", sample=None, sizes={}), PLANS),
    (replace(INTERFACE, options=tuple(replace(o, strict=False) for o in INTERFACE.options)), PLANS),
], ids=["rows of any rank", "other", "in tiling", "loose groups"])
def test_features_in_any_combination(interface, plans, tmp_path):
    files = render_directory(interface, plans)
    check_types(files, tmp_path, ("op_host", "op_api", "examples"))
    rows = "".join(files[f"docs/aclnn{interface.name}.md"].splitlines(keepends=True))
    for code in (161001, 161002, 561101, 561103):
        assert f"| {code} |" in rows
    assert ("| 561002 |" in rows) == (interface.shape_checks == "tiling")


def test_the_sample_is_checked_against_the_gradient():
    from compiler.emit.operator import SampleError, check_sample
    from ir.interface import Sample

    values = {"grad_y": 1.0, "y_origin": 1.0, "weight": 1.0, "group_index": 3.0}
    sample = Sample({"T": 3, "H": 8, "G": 1}, values, {"grad_weight": 8.0})
    check_sample(replace(SEED, interface=replace(SEED.interface, sample=sample)))
    wrong = replace(sample, expected={"grad_weight": 7.0})
    with pytest.raises(SampleError, match="grad_weight is 7.0 everywhere, the gradient is 8.0 to 8.0"):
        check_sample(replace(SEED, interface=replace(SEED.interface, sample=wrong)))


def test_a_sentence_leaves_identifiers_as_they_are():
    names = ("gradY", "x", "clampLimit")
    assert [capital(t, names) for t in ("gradY, x are null", "x-shaped", "the rank", "gradYs", "")] == [
        "gradY, x are null", "x-shaped", "The rank", "GradYs", ""]


def test_blocks_under_one_condition_become_one():
    one, other = block("A", ["x();"], 4), block("B", ["y();"], 4)
    assert joined(f"{one}\n{one}\n{other}\n{one}") == f"{block('A', ['x();', 'x();'], 4)}\n{other}\n{one}"
    assert joined(f"{one} else {{\n        z();\n    }}\n{one}") == f"{one} else {{\n        z();\n    }}\n{one}"
    nested = "    for (;;) {\n" + block("A", ["x();"], 8) + "\n    }"
    assert joined(f"{nested}\n{one}") == f"{nested}\n{one}"
