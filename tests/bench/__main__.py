"""What ascgrad costs: ``python -m tests.bench [--json] [--rows N] [--repeat N] [--compile]``.

Every figure is a median of repeated runs in one go: seconds of wall clock and of processor time, child processes
included. On a busy machine the processor time is the one to compare.
--compile also compiles a kernel and the host sources anew, in a cache of its own (about a minute).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SEED = "SwigluGroupQuantGrad"
COLUMNS = 2560


@dataclass(frozen=True)
class Time:
    wall: float
    cpu: float

    def __rtruediv__(self, amount: float) -> Time:
        """How much per second."""
        return Time(amount / self.wall, amount / self.cpu)


def processor_time() -> float:
    """Of this process and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usages)


def seconds(action, repeat: int) -> Time:
    """The medians of several runs."""
    taken = []
    for _ in range(repeat):
        start, before = time.perf_counter(), processor_time()
        action()
        taken.append((time.perf_counter() - start, processor_time() - before))
    return Time(*map(statistics.median, zip(*taken)))


def process(*words: str):
    """A fresh Python process."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True, cwd=ROOT, env=environment)


def start_up(repeat: int) -> dict[str, Time]:
    bare = seconds(process("-c", "pass"), repeat)
    return {
        "python": bare,
        "cli_import": seconds(process("-c", "import compiler.cli"), repeat),
        "cli_help": seconds(process("-m", "compiler.cli", "--help"), repeat),
        "cli_list": seconds(process("-m", "compiler.cli", "list"), repeat),
        "sympy_import": seconds(process("-c", "import sympy"), repeat),
    }


def generation(repeat: int) -> dict[str, Time]:
    from compiler import products
    from compiler.emit.operator import emit
    from compiler.library import find
    from compiler.pipeline import compile_operator

    operator, product = find(SEED), products.load("ascend950")
    compiled = lambda: compile_operator(operator, product).schedule
    generate = lambda: emit(operator, {"ascend950": compiled()})
    generate()
    figures = {"generate_warm": seconds(generate, 3 * repeat), "passes_warm": seconds(compiled, 3 * repeat)}
    with tempfile.TemporaryDirectory() as folder:
        words = ("-m", "compiler.cli", "generate", SEED, "--out", folder, "--force")
        figures["generate_fresh_process"] = seconds(process(*words), repeat)
    return figures


def proof(repeat: int) -> dict[str, Time]:
    from compiler.library import find
    from compiler.prove import prove

    operator = find(SEED)
    return {"prove": seconds(lambda: prove(operator), min(repeat, 2))}


EMULATED = {  # operator: (shape, attributes, rows of --rows to one of its own)
    SEED: (f"T={{rows}},H={COLUMNS},G=8", ["clamp_limit=7"], 1),
    "TextGatedResidualGrad": ("B=1,S={rows},C=4,H=640,R=64", [], 8),
}
"""bfloat16 on ascend950, all options."""


def emulation(rows: int, repeat: int) -> dict[str, Time]:
    """Rows per second with checking and without; the sources are compiled before the clock starts."""
    from compiler import products
    from compiler.emulate import built, emulator_request
    from compiler.emulator.run import emulate_many
    from compiler.library import find
    from compiler.request import make_request

    figures = {}
    ways = {"checked": {}, "unchecked": {"check": False}, "untimed": {"timeline": False}, "unnumbered": {"check": False, "numbers": False}}
    for name, (shape, attributes, share) in EMULATED.items():
        operator, own = find(name), rows // share
        operator_built = built(operator, products.load("ascend950"))
        request = make_request(operator, shape.format(rows=own), "bfloat16", "", attributes, 1, None, False)
        for way, choices in ways.items():
            call = emulator_request(request, **choices)
            result = emulate_many(operator_built, [call])[0]
            assert result.status == 0 and not result.findings, result.findings
            figures[f"{name} {way}_rows_per_second"] = own / seconds(lambda: emulate_many(operator_built, [call]), repeat)
        figures[f"{name} interpreted_rows_per_second"] = own / seconds(lambda: request.interpret("exact"), repeat)
    return figures


def compilation() -> dict[str, Time]:
    """The C++ compiler on the kernel and on all of the host side of each operator, nothing cached but what all kernels share."""
    from compiler import products
    from compiler.emulate import built
    from compiler.emulator import device, toolchain
    from compiler.library import find

    product = products.load("ascend950")
    kept = os.environ.get("ASCGRAD_CACHE")
    figures = {}
    for name in EMULATED:
        operator = find(name)
        with tempfile.TemporaryDirectory() as cache:
            os.environ["ASCGRAD_CACHE"] = cache
            try:
                figures[f"{name} compile host"] = seconds(lambda: built(operator, product), 1)
                operator_built = built(operator, product)
                figures["compile what kernels share"] = seconds(lambda: toolchain.compile_all(device.units(product["npu_arch"])), 1)
                column = operator_built.column({operator_built.parameters[0].name: "bfloat16"})
                figures[f"{name} compile kernel"] = seconds(lambda: operator_built.kernel(column), 1)
            finally:
                os.environ.pop("ASCGRAD_CACHE")
                if kept is not None:
                    os.environ["ASCGRAD_CACHE"] = kept
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--rows", type=int, default=2048, help="rows that the emulator runs (default 2048; of products an eighth)")
    parser.add_argument("--repeat", type=int, default=5, help="runs per figure (default 5)")
    parser.add_argument("--compile", action="store_true", help="also compile anew")
    options = parser.parse_args()
    figures = start_up(options.repeat) | generation(options.repeat) | proof(options.repeat)
    figures |= emulation(options.rows, options.repeat)
    if options.compile:
        figures |= compilation()
    ratios = {
        "generate_fresh_process / sympy_import": figures["generate_fresh_process"].cpu / figures["sympy_import"].cpu,
        "cli_help / python": figures["cli_help"].cpu / figures["python"].cpu,
    }
    for name in EMULATED:
        checked = figures[f"{name} checked_rows_per_second"].cpu
        for way in ("unchecked", "untimed"):
            ratios[f"{name} {way} / checked"] = figures[f"{name} {way}_rows_per_second"].cpu / checked
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "load": os.getloadavg()[0], "rows": options.rows}
    if options.json:
        print(json.dumps({"machine": machine, "figures": {k: asdict(v) for k, v in figures.items()}, "ratios": ratios}))
        return
    print("  ".join(f"{k} {v}" for k, v in machine.items()))
    print(f"{'':36}{'wall':>12}{'cpu':>12}")
    for name, value in figures.items():
        rate = name.endswith("per_second")
        wall, cpu = (f"{x:12.0f}" if rate else f"{1000 * x:12.1f}" for x in (value.wall, value.cpu))
        print(f"{name.removesuffix('_rows_per_second'):36}{wall}{cpu} {'rows/s' if rate else 'ms'}")
    for name, value in ratios.items():
        print(f"{name:44}{value:8.2f}")


if __name__ == "__main__":
    main()
