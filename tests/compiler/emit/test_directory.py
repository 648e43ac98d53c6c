"""Rendering and writing operator directories."""

import json
import os
from pathlib import Path

import pytest

from compiler.emit import cases, directory
from compiler.emit.directory import DirectoryError, diff_directory, render_directory, write_directory
from compiler.emit.plan import Plan, PlanView
from tests.compiler.emit.operators import OTHER, OTHER_PLAN, ROW_PLAN, SEED, second_product

PLANS = {"ascend950": ROW_PLAN}


@pytest.fixture(scope="module")
def files():
    return render_directory(SEED, PLANS)


def test_file_list(files):
    snake = "swiglu_group_quant_grad"
    assert set(files) >= {
        "CMakeLists.txt", "README.md", "README_en.md", "docs/aclnnSwigluGroupQuantGrad.md",
        f"examples/test_aclnn_{snake}.cpp", f"op_api/aclnn_{snake}.h", f"op_api/aclnn_{snake}.cpp", f"op_api/{snake}.h",
        f"op_api/{snake}.cpp", f"op_graph/{snake}_proto.h", f"op_host/{snake}_def.cpp", f"op_host/{snake}_tiling.cpp",
        f"op_host/{snake}_infershape.cpp", f"op_host/config/ascend950/{snake}_binary.json",
        f"op_kernel/{snake}_tiling_data.h", f"tests/ut/op_host/test_{snake}_tiling.cpp", "tests/st/run.py",
    }
    assert list(directory.file_table(SEED, PLANS)) == list(files)


def test_standalone_layout():
    files = render_directory(SEED, PLANS, layout="standalone")
    assert "find_package(ASC REQUIRED)" in files["CMakeLists.txt"]
    assert not [p for p in files if p.startswith(("tests/ut", "op_host/config"))]
    assert "../../../docs/" not in "".join(files.values())
    with pytest.raises(ValueError, match="layout: got 'flat', wants one of repo, standalone"):
        render_directory(SEED, PLANS, layout="flat")


def test_same_bytes_every_time(files):
    assert render_directory(SEED, PLANS) == files


def test_every_file_ends_with_one_newline_and_has_no_trailing_space(files):
    for path, text in files.items():
        assert text.endswith("\n") and not text.endswith("\n\n"), path
        assert not [n for n, line in enumerate(text.splitlines(), 1) if line != line.rstrip()], path
        assert "\t" not in text and "{{" not in text.replace("{{{", "").replace("{{\"", ""), path


@pytest.mark.parametrize("licence", [
    "Copyright (c) Somebody.\nAll rights reserved.",
    "/**\n * Copyright (c) Somebody.\n * All rights reserved.\n */\n",
    "# ------------\n# Copyright (c) Somebody.\n# All rights reserved.\n# ------------\n",
    "// Copyright (c) Somebody.\n// All rights reserved.\n",
])
def test_licence_header(licence):
    files = render_directory(SEED, PLANS, license_header=licence, kernel_files={"op_kernel/k.cpp": "int main;\n"})
    for path, text in files.items():
        if path.endswith(".json"):
            json.loads(text)
            continue
        assert "Copyright (c) Somebody.\n" in text and "All rights reserved." in text, path
        assert "Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950." in text, path
    cpp = files["op_api/swiglu_group_quant_grad.cpp"]
    assert cpp.startswith("/**\n * Copyright (c) Somebody.\n * All rights reserved.\n */\n\n// Made by ascgrad ")
    assert files["op_kernel/k.cpp"].endswith("for ascend950.\n\nint main;\n")
    assert files["tests/st/run.py"].startswith("# Copyright (c) Somebody.\n# All rights reserved.\n\n# Made by")


def test_binary_json_follows_the_definition(files):
    table = json.loads(files["op_host/config/ascend950/swiglu_group_quant_grad_binary.json"])
    assert table["op_type"] == "SwigluGroupQuantGrad"
    assert [e["bin_filename"].split("_")[1] for e in table["op_list"]] == ["float16", "bfloat16", "float32"]
    first = table["op_list"][0]
    assert [i["name"] for i in first["inputs"]] == ["grad_y", "x", "weight", "y_origin", "group_index"]
    assert first["inputs"][2] == {"name": "weight", "index": 2, "dtype": "float32", "format": "ND",
                                  "paramType": "optional", "shape": [-2]}
    assert first["attrs"] == [{"name": "clamp_limit", "dtype": "float", "value": -1.0}]


def test_kernel_unit_test(files):
    """Named as the build looks for it; the kernel is linked, not included; the tiling refuses nothing in it."""
    text = files["tests/ut/op_kernel/test_swiglu_group_quant_grad_apt.cpp"]
    assert 'extern "C" __global__ __aicore__ void swiglu_group_quant_grad(GM_ADDR gradY, ' in text
    assert "_apt.cpp\"" not in text and "GRAPH_FAILED" not in text and "OP_LOGE" not in text
    assert "ICPU_SET_TILING_KEY(launch.tilingKey);" in text


def test_refusals_are_left_out():
    plan = Plan((), ("int64_t a = T;", "if (a < 1) {", '    OP_LOGE(context, "a: got %ld", a);',
                     "    return ge::GRAPH_FAILED;", "}", "if (a > 8) {", "    a = 8;", "}"))
    assert PlanView(plan).accepted_lines == ("int64_t a = T;", "if (a > 8) {", "    a = 8;", "}")


def test_dimensions_of_unit_tests_fit_int64():
    for operator in (SEED, OTHER):
        for call in cases.refused(getattr(operator, "interface", operator)):
            assert all(dim < 2**63 for shape in call.shapes.values() for dim in shape), call.name


def test_write_to_a_new_folder_and_again(files, tmp_path):
    out = tmp_path / "deep" / "op"
    write_directory(files, out)
    assert {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()} == set(files)
    assert [p.name for p in out.parent.iterdir()] == ["op"]
    assert diff_directory(files, out) == ""
    with pytest.raises(DirectoryError) as error:
        write_directory(files, out)
    assert str(error.value) == f"{out}: got a folder that is not empty, wants a new or empty one (or --force)"


def test_write_to_an_empty_folder(files, tmp_path):
    write_directory(files, tmp_path)
    assert diff_directory(files, tmp_path) == ""


def test_force_replaces_its_files_and_keeps_the_others(files, tmp_path):
    write_directory(files, tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "op_host" / "mine.cpp").write_text("mine")
    (tmp_path / "README.md").write_text("edited")
    changes = diff_directory(files, tmp_path)
    assert changes.startswith("--- a/README.md\n+++ b/README.md\n") and "-edited\n" in changes
    assert (tmp_path / "README.md").read_text() == "edited"
    write_directory(files, tmp_path, force=True)
    assert diff_directory(files, tmp_path) == ""
    assert (tmp_path / "notes.txt").read_text() == "mine" and (tmp_path / "op_host" / "mine.cpp").exists()
    assert not list(tmp_path.glob(".ascgrad*"))


def test_diff_of_a_missing_folder_writes_nothing(files, tmp_path):
    changes = diff_directory(files, tmp_path / "none")
    assert "--- /dev/null\n+++ b/CMakeLists.txt\n" in changes
    assert not (tmp_path / "none").exists()


def test_a_file_in_the_way(files, tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(DirectoryError, match="got a file, wants a folder"):
        write_directory(files, tmp_path / "out", force=True)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "op_host").write_text("a file")
    with pytest.raises(DirectoryError, match="op_host: got a file, wants a folder there"):
        write_directory(files, folder, force=True)
    assert [p.name for p in folder.iterdir()] == ["op_host"]


def test_a_failure_leaves_the_folder_as_it_was(files, tmp_path, monkeypatch):
    write_directory(files, tmp_path)
    (tmp_path / "README.md").write_text("edited")
    rename, count = Path.rename, [0]

    def failing(self, target):
        count[0] += 1
        if count[0] == 20:
            raise OSError("disk")
        return rename(self, target)

    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(DirectoryError, match="disk"):
        write_directory({**files, "new/file.txt": "x"}, tmp_path, force=True)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


def test_writing_into_the_working_folder(files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_directory(files, ".")
    assert os.path.isfile("op_host/swiglu_group_quant_grad_def.cpp")


def test_products_with_different_plans(tmp_path):
    mine = second_product(tmp_path)
    from dataclasses import replace

    other = replace(OTHER_PLAN, lines=("tiling->rows = T;",), block_dim="1")
    files = render_directory(OTHER, {"ascend950": OTHER_PLAN, mine: other})
    tiling = files["op_host/tuned_mix_backward_tiling.cpp"]
    assert "case platform_ascendc::SocVersion::ASCEND950:" in tiling
    assert "case platform_ascendc::SocVersion::ASCEND910B:" in tiling
    definition = files["op_host/tuned_mix_backward_def.cpp"]
    assert '.ExtendCfgInfo("opFile.value", "tuned_mix_backward_apt")' in definition
    assert 'AddConfig("ascend910b", ascend910bConfig)' in definition
    assert "op_host/config/ascend910b/tuned_mix_backward_binary.json" in files
    readme = files["README.md"]
    assert "| <term>Atlas A2 训练系列产品/Atlas A2 推理系列产品</term> | √ |" in readme
    same = render_directory(OTHER, {"ascend950": OTHER_PLAN, mine: OTHER_PLAN})
    assert "SocVersion" not in same["op_host/tuned_mix_backward_tiling.cpp"]


def test_tiling_fields_that_disagree(tmp_path):
    from dataclasses import replace

    from compiler.emit.plan import Field

    other = replace(OTHER_PLAN, fields=(Field("int32_t", "rows"),))
    with pytest.raises(ValueError, match="tiling field rows: int64_t in one product, int32_t in another"):
        render_directory(OTHER, {"ascend950": OTHER_PLAN, second_product(tmp_path): other})
