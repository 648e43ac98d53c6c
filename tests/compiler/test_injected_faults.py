"""Faults put into emitted sources by hand: verification names every one of them."""

import re
import shutil
from functools import partial

import pytest

from compiler import emulate
from compiler.emulator import run, toolchain
from compiler.verify import Examiner, tiling_points
from tests.operators.swiglu_group_quant_grad.lists import case
from tests.operators.swiglu_group_quant_grad.test_largest import call
from tests.running import examiner, operator

KERNEL = "op_kernel/arch35/swiglu_group_quant_grad.h"
TILE = "op_kernel/arch35/swiglu_group_quant_grad_tile.h"
TILING = "op_host/swiglu_group_quant_grad_tiling.cpp"

FAULTS = {  # name: (file, text, what replaces it, words of a problem that verification reports)
    "gradient not selected": (KERNEL, r"Select\(gradX0, x0IsBelow[^;]*;", "", "grad_x.*exact zero|pointwise"),
    "limit itself counts as inside": (KERNEL, "clampLimit_, CMPMODE::LT", "clampLimit_, CMPMODE::LE", "grad_x.*exact zero"),
    "lower limit itself counts as inside": (KERNEL, "CMPMODE::GT", "CMPMODE::GE", "grad_x.*exact zero"),
    "rounded down": (TILE, "CAST_RINT", "CAST_FLOOR", "grad_x.*pointwise|relative RMS"),
    "halves swapped": (KERNEL, r"StoreTile\(gradXGm_\[row \* \(2 \* columns_\) \+ column\], gradXTile,",
                       "StoreTile(gradXGm_[row * (2 * columns_) + column], gradXTile[tileElements_],", "grad_x.*pointwise"),
    "second half stored over the first": (KERNEL, r"StoreTile\(gradXGm_\[row \* \(2 \* columns_\) \+ columns_ \+ column\]",
                                          "StoreTile(gradXGm_[row * (2 * columns_) + column]", "grad_x.*NaN"),
    "work buffer too small": (KERNEL, r"WORK_SLOTS\[KEY\]\[IS_FLOAT\] \* tileElements_", "WORK_SLOTS[KEY][IS_FLOAT] * tileElements_ / 2",
                              "bounds|outside|beyond"),
    "last tile of a core dropped": (KERNEL, "done < share; done", "done + step <= share; done", "grad_x.*NaN"),
    "dead rows not zeroed": (KERNEL, r"    ZeroDeadRows\(\);\n", "", "grad_x.*NaN"),
    "zeros one row too early": (KERNEL, r"ZeroFill\(gradWeightGm_, liveRows_, dead\)", "ZeroFill(gradWeightGm_, liveRows_ - 1, dead + 1)",
                                "gm_write_bytes|grad_weight"),
    "every core zeroes everything": (KERNEL, r"core_ \* share;", "0;", "gm_write_bytes"),
    "sum of the counts not limited": (KERNEL, r"\(total > totalRows_ \? totalRows_ : total\)", "total", "bounds|outside|beyond"),
    "counts of one load only": (KERNEL, "begin < groups_; begin", "begin < COUNTS_PER_LOAD; begin", "grad_x|gm_read_bytes|bounds"),
    "sigmoid by exp(x) / (1 + exp(x))": (
        KERNEL, r"Muls\(Work\(1\), x0Clamped, -1.0f, count\);[^\n]*\n(.*?)Duplicate\(sigmoid, 1.0f, count\);",
        "Exp(Work(1), x0Clamped, count);\nMuls(sigmoid, Work(1), 1.0f, count);\nAdds(Work(1), Work(1), 1.0f, count);", "grad_x.*NaN"),
    "tile never freed": (KERNEL, r"gradXQueue_\.FreeTensor\(gradXTile\);", "", "queue|AllocTensor|limit"),
    "tile never queued": (KERNEL, r"yOriginQueue_\.EnQue\(yOriginTile\);", "", "DeQue|queue"),
    "counts of Compare not aligned": (KERNEL, r"RoundUpTo\(count, REPEAT_FLOATS\)", "count", "256"),
    "weights of too many rows": (KERNEL, r"LoadRun\(weightRow, weightGm_\[row\], rows\)", "LoadRun(weightRow, weightGm_[row], rows + 1)",
                                 "gm_read_bytes|bounds"),
    "tiles too high": (TILING, "tiling->rowsPerTile = rowsPerTile;", "tiling->rowsPerTile = 2 * rowsPerTile;", "tiling field rowsPerTile"),
    "one core left out": (TILING, r"SetBlockDim\(static_cast<uint32_t>\(std::max<int64_t>\(1, blockDim\)\)\)",
                          "SetBlockDim(static_cast<uint32_t>(std::max<int64_t>(1, blockDim - 1)))", "block dim"),
}


@pytest.fixture(autouse=True)
def quick_compilation(monkeypatch):
    """Each fault is a kernel of its own, compiled for a few small cases."""
    monkeypatch.setattr(run, "Unit", partial(toolchain.Unit, optimisation="-O0"))


def mutant(folder, file, text, replacement):
    """A copy of the emitted sources with one text replaced everywhere."""
    shutil.copytree(examiner().built.directory, folder)
    source = (folder / file).read_text()
    changed = re.sub(text if text in FAULT_PATTERNS else re.escape(text), lambda m: replacement, source, flags=re.DOTALL)
    assert changed != source, f"{file} has no {text}"
    (folder / file).write_text(changed)
    return Examiner(operator(), examiner().product, examiner().schedule, emulate.built(operator(), examiner().product, folder), folder)


FAULT_PATTERNS = {text for _, text, _, _ in FAULTS.values() if "\\" in text or "[^" in text}


def cases():
    rows, _ = examiner().tile(case("", 2, 512, cores=2))
    return [case("dead rows", 67, 96, values="dead"), case("limits", 4, 300, values="kinks", counts="all"),
            case("large", 4, 300, clamp=-1.0, values="large", counts="all"), case("tail", 4 * rows - 2, 512, counts="all", cores=2),
            case("too many", 5, 40, counts="above", groups=300)]


def problems(examined):
    found = [p for _, c in examined.examine(list(enumerate(cases()))) for p in c.problems]
    return found + list(examined.compare_tilings(tiling_points(operator(), quick=True)[:40]).problems)


def test_the_sources_themselves_hold():
    assert problems(examiner()) == []


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_found(tmp_path, name):
    file, text, replacement, words = FAULTS[name]
    found = problems(mutant(tmp_path / "sources", file, text, replacement))
    assert any(re.search(words, p) for p in found), found or "nothing was found"


def test_offset_of_32_bits_is_found(tmp_path):
    """Row 131072 of 16384 elements starts at element 2^31: a 32-bit offset leaves the tensor."""
    changed = mutant(tmp_path / "sources", KERNEL, "xGm_[row * (2 * columns_) + column]",
                     "xGm_[static_cast<int32_t>(row * (2 * columns_)) + column]")
    _, _, result = call(tmp_path, 131073, 8192, 131073, "bfloat16", 1, [131072], built=changed.built, judged=False)
    assert result.findings
