"""What the emulator says it has: the page is current, and what it lacks is named at the line that asks for it."""

from pathlib import Path

import pytest

from compiler.emulator import apis

ROOT = Path(__file__).parents[2]


def test_the_page_is_current():
    assert (ROOT / "docs" / "emulated_api.md").read_text(encoding="utf-8") == apis.page()


def test_the_readme_links_to_the_page():
    assert "docs/emulated_api.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_row_of_dtypes_is_a_public_name():
    assert set(apis.dtypes()) - set(apis.table()) - {"FusedAbsSub"} == set()


def test_dtypes_are_those_of_the_rules():
    assert apis.dtypes()["Add"] == {2201: ("int16, int32, half, float", ""),
                                    3510: ("int16, uint16, int32, uint32, half, bfloat16, float", "int8, uint8, int64, uint64")}
    assert apis.dtypes()["Scatter"][2201] == ("", "")
    assert apis.dtypes()["ReduceMax"][3510][0] == "int16, uint16, int32, uint32, half, float"


def test_forms_are_those_of_the_headers():
    forms = {(o.name, o.parameters) for o in apis.declared(2201)[0]}
    assert {("Add", ("dst", "src0", "src1", "count")), ("Add", ("dst", "src0", "src1", "mask[]", "repeatTime", "repeatParams")),
            ("DataCopyPad", ("dst", "src", "p", "pad")), ("GetBlockIdx", ())} <= forms
    assert "SetLoopModePara" not in apis.declared(2201)[1] and "SetLoopModePara" in apis.declared(3510)[1]


SORT = "SIMD-API/高阶API/排序操作/Sort.md"


@pytest.mark.parametrize("message, says", [
    ("'Sort' is not a member of 'AscendC'", f"Sort is not emulated (Ascend C API, {SORT})"),
    ("'Sort' was not declared in this scope; did you mean 'Sort32'?", f"Sort is not emulated (Ascend C API, {SORT})"),
    ("there are no arguments to 'Sort' that depend on a template parameter, so a declaration of 'Sort' must be available",
     f"Sort is not emulated (Ascend C API, {SORT})"),
    ("use of undeclared identifier 'Sort'", f"Sort is not emulated (Ascend C API, {SORT})"),
    ("no member named 'Sort' in namespace 'AscendC'", f"Sort is not emulated (Ascend C API, {SORT})"),
    ("'class AscendC::LocalTensor<float>' has no member named 'SetShapeInfo'",
     "SetShapeInfo is not emulated (Ascend C API, SIMD-API/基础API/数据结构/GlobalTensor/SetShapeInfo.md)"),
    ("'SetLoopModePara' was not declared in this scope", "SetLoopModePara does not exist on this product (Ascend C API, "
     "SIMD-API/基础API/Memory矢量计算/数据搬运辅助配置接口/SetLoopModePara.md)"),
    ("no matching function for call to 'Exp(AscendC::LocalTensor<float>&, int)'", "Exp(AscendC::LocalTensor<float>&, int) is no form that is "
     "emulated (Ascend C API, SIMD-API/基础API/Memory矢量计算/基础算术/Exp.md)"),
    ("adv_api/pad/broadcast.h: No such file or directory", "the header adv_api/pad/broadcast.h is not emulated"),
    ("call to non-'constexpr' function 'AscgradCoreType::operator int32_t() const'", "g_coreType is no constant where both kinds of core run "
     "one program, wants if (ASCEND_IS_AIV) or if (ASCEND_IS_AIC)"),
    ("'AscgradDefaultTiling' does not name a type", "GET_TILING_DATA: no tiling struct is registered, wants REGISTER_TILING_DEFAULT(struct) or "
     "GET_TILING_DATA_WITH_STRUCT"),
])
def test_what_is_lacking_is_named(message, says):
    follows = "k.cpp:8: expected primary-expression before '>' token"
    assert apis.explained([f"k.cpp:7: {message}", follows], 2201) == [f"k.cpp:7: {says}"]


@pytest.mark.parametrize("message", ["'tiel' was not declared in this scope; did you mean 'tile'?", "mine.h: No such file or directory"])
def test_other_errors_stay_as_they_are(message):
    assert apis.explained([f"k.cpp:7: {message}"], 2201) == [f"k.cpp:7: {message}"]
