"""Each static check, with faults put into emitted sources: it names the file and the line of every one of them."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from compiler import products
from compiler.check import RULES, check

GENERATED = Path(__file__).parents[3] / "generated"
SWIGLU, RESIDUAL = "swiglu_group_quant_grad", "text_gated_residual_grad"
KERNEL = "op_kernel/arch35/swiglu_group_quant_grad.h"
ENTRY = "op_kernel/swiglu_group_quant_grad_apt.cpp"
STRUCT = "op_kernel/swiglu_group_quant_grad_tiling_data.h"
TILING = "op_host/swiglu_group_quant_grad_tiling.cpp"
MIXED_ENTRY = "op_kernel/text_gated_residual_grad.cpp"
MIXED_TILING = "op_host/text_gated_residual_grad_tiling.cpp"
MIXED_VECTOR = "op_kernel/arch22/text_gated_residual_grad_vector1.h"


@dataclass(frozen=True)
class Fault:
    """`text` of `file` becomes `replacement`; the check then names `at` (file, text of its line) with `words`."""

    operator: str
    rule: str
    file: str
    text: str
    replacement: str
    at: tuple[str, str]
    words: str


FAULTS = {
    "key that the kernel lacks": Fault(
        SWIGLU, "tiling key", ENTRY, "} else if (TILING_KEY_IS(3)) {", "} else if (TILING_KEY_IS(5)) {",
        (TILING, "SetTilingKey(tilingKey)"), r"ascend950 returns 3 for .*with weight.*; swiglu_group_quant_grad_apt.cpp has 0, 1, 2, 5"),
    "key that the host never returns": Fault(
        SWIGLU, "tiling key", TILING, "2 * hasClamp + hasWeight;", "2 * hasClamp;",
        (ENTRY, "TILING_KEY_IS(1)"), "the host never returns it on ascend950, it returns 0, 2"),
    "key asked for twice": Fault(
        SWIGLU, "tiling key", ENTRY, "} else if (TILING_KEY_IS(3)) {", "} else if (TILING_KEY_IS(2)) {",
        (ENTRY, "TILING_KEY_IS(2)) { // weight, clamp"), "the key is taken at line"),
    "key that the tables lack": Fault(
        RESIDUAL, "tiling key", MIXED_TILING, "tilingKey = 2 * hasGamma + hasInject;", "tilingKey = 4 * hasGamma + hasInject;",
        (MIXED_TILING, "VECTOR1_WORK_SLOTS[tilingKey]"), "index 4: the table has 4 elements"),
    "barrier without batch mode": Fault(
        RESIDUAL, "sync", MIXED_TILING, "context->SetScheduleMode(1); // all blocks start together: the kernel synchronises them\n",
        "context->SetScheduleMode(0);\n", (MIXED_TILING, "context->SetScheduleMode(0)"), "wants SetScheduleMode.1.: .* has a SyncAll<false>"),
    "batch mode forgotten": Fault(
        RESIDUAL, "sync", MIXED_TILING, "context->SetScheduleMode(1); // all blocks start together: the kernel synchronises them\n", "\n",
        (MIXED_TILING, "ge::graphStatus SetTiling1("), "it sets schedule mode 0 for keys 0, 1, 2, 3, wants SetScheduleMode.1."),
    "batch mode without a barrier": Fault(
        SWIGLU, "sync", TILING, "context->SetScheduleMode(0);", "context->SetScheduleMode(1);",
        (TILING, "context->SetScheduleMode(1);"), "the kernel of ascend950 has no barrier of all cores"),
    "barrier in a kernel type that has none": Fault(
        SWIGLU, "sync", KERNEL, "    ZeroDeadRows();\n}", "    SyncAll();\n    ZeroDeadRows();\n}",
        (KERNEL, "    SyncAll();"), "runs keys 0, 1, 2, 3 as KERNEL_TYPE_AIV_ONLY, where it does not work"),
    "barrier of cube cores in a vector kernel": Fault(
        RESIDUAL, "sync", MIXED_ENTRY, "KERNEL_TYPE_MIX_AIC_1_2", "KERNEL_TYPE_MIX_AIV_1_0",
        (MIXED_ENTRY, "SyncAll<false>();"), "SyncAll<false>: ascend910b runs keys 0, 1, 2, 3 as KERNEL_TYPE_MIX_AIV_1_0"),
    "workspace without the system's part": Fault(
        RESIDUAL, "workspace", MIXED_TILING, "dwGatePartsOffset + 16777216;", "dwGatePartsOffset;",
        (MIXED_TILING, "workspaces[0] = workspaceBytes;"),
        r"SetTiling1: a workspace of \d+ bytes for keys 0, 1, 2, 3, wants at least 16777216, the system's part"),
    "no workspace in a kernel type with the scheduler": Fault(
        SWIGLU, "workspace", ENTRY, "KERNEL_TYPE_AIV_ONLY", "KERNEL_TYPE_MIX_AIV_1_0", (TILING, "workspaces[0] = workspaceBytes;"),
        "a workspace of 0 bytes for keys 0, 1, 2, 3, which runs as KERNEL_TYPE_MIX_AIV_1_0, wants more than 0"),
    "field that the host does not set": Fault(
        SWIGLU, "tiling struct", TILING, "    tiling->columnsPerTile = columnsPerTile;\n", "\n",
        (KERNEL, "columnsPerTile_ = tiling->columnsPerTile;"), "the kernel reads it, the host never sets it"),
    "field that does not exist": Fault(
        SWIGLU, "tiling struct", KERNEL, "groups_ = tiling->groups;", "groups_ = tiling->groupCount;",
        (KERNEL, "tiling->groupCount"), "has no such field"),
    "buffer larger than counted": Fault(
        SWIGLU, "buffers", KERNEL, "pipe->InitBuffer(xQueue_, 2, 2 * tileElements_ * sizeof(T));",
        "pipe->InitBuffer(xQueue_, 2, 3 * tileElements_ * sizeof(T));",
        (KERNEL, "InitBuffer(xQueue_"), "xQueue_: InitBuffer takes 96, the host counts 64 bits per element on ascend950 for key 0, 16-bit"),
    "tile larger than what was counted": Fault(
        SWIGLU, "buffers", TILING, "tiling->tileElements = tileElements;", "tiling->tileElements = 2 * tileElements;",
        (KERNEL, "InitBuffer(workBuffer_"), "exceed ub, 352256 of 253952 bytes on ascend950 for key 0, .*H=4800, .*T=1, 16-bit"),
    "buffer smaller than counted": Fault(
        SWIGLU, "buffers", KERNEL, "WORK_SLOTS[KEY][IS_FLOAT] * tileElements_ * sizeof(float)",
        "WORK_SLOTS[KEY][IS_FLOAT] * tileElements_ * sizeof(T)",
        (KERNEL, "InitBuffer(workBuffer_"), r"InitBuffer takes 64, the host counts 128 bits per element .*16-bit \(swiglu.*_tiling.cpp:\d+\)"),
    "buffer of no length": Fault(
        SWIGLU, "buffers", KERNEL, "WORK_SLOTS[KEY][IS_FLOAT] * tileElements_ * sizeof(float)", "0 * tileElements_ * sizeof(float)",
        (KERNEL, "InitBuffer(workBuffer_"), "workBuffer_: InitBuffer takes a length above 0, got none on ascend950 for key 0, "),
    "one buffer instead of two": Fault(
        RESIDUAL, "buffers", MIXED_VECTOR, "InitBuffer(upQueue_, 2,", "InitBuffer(upQueue_, 1,",
        (MIXED_VECTOR, "InitBuffer(upQueue_"), "upQueue_: InitBuffer takes 16, the host counts 32 bits per element on ascend910b"),
    "vector over rows not counted": Fault(
        SWIGLU, "buffers", TILING, "        (hasWeight ? 32 : 0); // blockBuffer", "        0;",
        (KERNEL, "InitBuffer(blockBuffer_"), "blockBuffer_: InitBuffer takes 32, the host counts 0 bytes per row on ascend950 for key 1"),
    "fixed buffer not counted": Fault(
        SWIGLU, "buffers", TILING, "        2048 + // countBuffer\n", "        1024 +\n",
        (KERNEL, "InitBuffer(gradYQueue_"), "takes 2048 bytes that do not grow with the tile .* the host counts 1024"),
    "L0B beyond its size": Fault(
        RESIDUAL, "buffers", "op_kernel/arch22/text_gated_residual_grad_cube.h", "InitBuffer(b2Queue_, 2,", "InitBuffer(b2Queue_, 3,",
        ("op_kernel/arch22/text_gated_residual_grad_cube.h", "InitBuffer(b2Queue_, 3"), "exceed l0b, 98304 of 65536 bytes on ascend910b"),
    "API of another product": Fault(
        RESIDUAL, "api", "op_kernel/arch22/text_gated_residual_grad_vector2.h", "Adds(", "Subs(",
        ("op_kernel/arch22/text_gated_residual_grad_vector2.h", "Subs("), "Subs: ascend910b does not have it, ascend950 does"),
    "API that does not exist": Fault(
        SWIGLU, "api", KERNEL, "Muls(Work(1), x0Clamped", "Scale(Work(1), x0Clamped",
        (KERNEL, "Scale(Work(1)"), "Scale: ascend950 does not have it, nor any product"),
    "option of a copy to L1 forgotten": Fault(
        RESIDUAL, "option", "CMakeLists.txt", 'OPTIONS "-DENABLE_CV_COMM_VIA_SSBUF=true")', '# OPTIONS "-DENABLE_CV_COMM_VIA_SSBUF=true"\n)',
        ("op_kernel/arch35/text_gated_residual_grad_vector1.h", "TBuf<QuePosition::A1> stripBuffer_"),
        "stripBuffer_: vector cores have it in L1; ascend950 wants -DENABLE_CV_COMM_VIA_SSBUF=true among the options"),
    "option of a copy to L1 switched off": Fault(
        RESIDUAL, "option", "CMakeLists.txt", "SSBUF=true", "SSBUF=false",
        ("op_kernel/arch35/text_gated_residual_grad_vector1.h", "TBuf<QuePosition::A1> stripBuffer_"), "got none"),
}


def faulty(folder: Path, fault: Fault) -> Path:
    """A copy of the emitted directory with the fault."""
    shutil.copytree(GENERATED / fault.operator, folder)
    source = (folder / fault.file).read_text(encoding="utf-8")
    assert fault.text in source, f"{fault.file} has no {fault.text}"
    (folder / fault.file).write_text(source.replace(fault.text, fault.replacement), encoding="utf-8")
    return folder


def line_of(path: Path, text: str) -> int:
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if text in line)


@pytest.mark.parametrize("operator", [SWIGLU, RESIDUAL])
def test_emitted_directories_hold(operator):
    report = check(GENERATED / operator)
    assert report.holds and not report.notes, report.to_text()
    assert list(report.checks) == [r.name for r in RULES]


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named_with_file_and_line(tmp_path, name):
    fault = FAULTS[name]
    folder = faulty(tmp_path / "sources", fault)
    soc = "ascend910b" if "arch22" in fault.file or fault.file == MIXED_ENTRY else None
    found = check(folder, soc and products.load(soc), [fault.rule]).findings
    file, text = fault.at
    place = (str(folder / file), line_of(folder / file, text))
    assert place in [(f.file, f.line) for f in found], "\n".join(map(str, found)) or "nothing was found"
    assert any(re.search(fault.words, f.message) for f in found if (f.file, f.line) == place), found
    assert fault.rule not in ("sync", "workspace") or len(found) == len({(f.file, f.line) for f in found}), "one line for all keys"


def test_kernel_with_a_struct_of_its_own(tmp_path):
    """Host and kernel include different definitions of one struct."""
    folder = tmp_path / "sources"
    shutil.copytree(GENERATED / SWIGLU, folder)
    own = (folder / STRUCT).read_text().replace("int64_t rowsPerTile", "int32_t rowsPerTile")
    (folder / "op_kernel/arch35/tiling.h").write_text(own)
    for file in (ENTRY, KERNEL):
        text = (folder / file).read_text()
        (folder / file).write_text(text.replace('"swiglu_group_quant_grad_tiling_data.h"', '"arch35/tiling.h"').replace(
            '"../swiglu_group_quant_grad_tiling_data.h"', '"tiling.h"'))
    (found,) = check(folder, names=["tiling struct"]).findings
    assert (found.kind, found.file, found.line) == (
        "tiling struct", str(folder / "op_kernel/arch35/tiling.h"), line_of(folder / "op_kernel/arch35/tiling.h", "int32_t rowsPerTile"))
    assert re.search(r"the kernel has int32_t rowsPerTile at byte 16, the host int64_t rowsPerTile at byte 16 \(swiglu.*_data.h:\d+\)",
                     found.message)


def test_struct_of_no_whole_words(tmp_path):
    """28 bytes: the host hands over 32."""
    folder = tmp_path / "sources"
    shutil.copytree(GENERATED / SWIGLU, folder)
    source = (folder / STRUCT).read_text()
    (folder / STRUCT).write_text(re.sub(r"    float padding[^\n]*\n", "", source.replace("int64_t", "int32_t")))
    (found,) = check(folder, names=["tiling struct"]).findings
    assert (found.file, found.line) == (str(folder / STRUCT), line_of(folder / STRUCT, "float clampLimit"))
    assert found.message == "SwigluGroupQuantGradTilingData: 28 bytes, wants a multiple of 8; the host hands over 32"


def test_what_cannot_be_read_is_said(tmp_path):
    """A tiling that only a run can know leaves out the checks that need it, each with a line."""
    folder = tmp_path / "sources"
    shutil.copytree(GENERATED / SWIGLU, folder)
    source = (folder / TILING).read_text()
    changed = source.replace("    const int64_t columns = H;\n",
                             "    int64_t columns = H;\n    if (Measure(H) > 3) {\n        columns = 2 * H;\n    }\n")
    assert changed != source
    (folder / TILING).write_text(changed)
    report = check(folder)
    assert report.holds
    assert [n.kind for n in report.notes] == ["tiling key", "sync", "workspace", "buffers"]
    assert report.notes[0].line == line_of(folder / TILING, "if (Measure(H) > 3)")
    assert report.notes[0].message == "not checked: a branch depends on what is not known without running it"
