"""What tests share that run an operator on the emulator."""

import re
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

from compiler import emulate, products
from compiler.cases import request_of
from compiler.emulate import emulator_request
from compiler.emulator import toolchain
from compiler.emulator.run import emulate_many
from compiler.library import find
from compiler.verify import Examiner

HERE = Path(__file__).parent
SEED = "SwigluGroupQuantGrad"
GENERAL = tuple(str(HERE / "operators" / f"{name}.py") for name in ("tanh_gate_grad", "row_norm_grad", "scaled_product_grad"))


@cache
def operator(name=SEED):
    return find(name)


@cache
def examiner(name=SEED, soc="ascend950"):
    """The compiled emission of an operator and what judges its runs."""
    product = products.load(soc)
    schedule = emulate._schedule(operator(name), product)
    return Examiner(operator(name), product, schedule, emulate.built(operator(name), product))


def chunks(items, size=12):
    return [items[i:i + size] for i in range(0, len(items), size)]


def assert_holds(cases, name=SEED, soc="ascend950"):
    """Every case: no finding, right values, exact traffic, the scheduler's tiling, the same bits in any order of cores."""
    checks = examiner(name, soc).examine(list(enumerate(cases)))
    failed = [f"{c.name}\n  " + "\n  ".join((*c.problems, f"$ {c.command}")) for _, c in checks if not c.holds]
    assert not failed, "\n".join(failed)


def findings_without(pattern, header, case, name, folder):
    """What two groups find in one case when the one place in ``*_HEADER.h`` that matches the pattern is not there; folder: for the sources."""
    one = examiner(name)
    shutil.copytree(emulate.sources_of(operator(name), one.product), folder / "sources")
    (path,) = (folder / "sources").glob(f"op_kernel/arch35/*_{header}.h")
    text, times = re.subn(pattern, "", path.read_text(encoding="utf-8"))
    assert times == 1
    path.write_text(text, encoding="utf-8")
    built = emulate.built(operator(name), one.product, folder / "sources")
    result, = emulate_many(built, [replace(emulator_request(request_of(operator(name), case)), cores=2)], timeout=60)
    return result.findings


def quick_unit(source, *rest, **options):
    """A source to compile; the compiler need not try hard for a kernel that runs a few small cases."""
    unit = toolchain.Unit(source, *rest, **options)
    return replace(unit, optimisation="-O0") if source.name == "kernel_entry.cpp" else unit
