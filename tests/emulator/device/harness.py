"""Compiles hand-written kernels and runs them through the launch contract."""

import ctypes
import pathlib
from dataclasses import dataclass, field

import numpy as np

from compiler import products
from compiler.emulator import device, toolchain

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
EMULATOR = ROOT / "compiler" / "emulator"
INCLUDE = f"-I{EMULATOR / 'include'}"
_libraries = {}


def build(kernel, name, arch=3510, defines=()):
    """The loaded shared object of a kernel file beside this one."""
    key = (kernel, name, arch, tuple(defines))
    if key not in _libraries:
        names = [f"__NPU_ARCH__={arch}", f'ASCGRAD_KERNEL_FILE="{HERE / "kernels" / kernel}"', f"ASCGRAD_KERNEL_NAME={name}", *defines]
        flags = (*toolchain.compiler().kernel_flags, INCLUDE, *(f"-D{d}" for d in names))
        unit = toolchain.Unit(EMULATOR / "runtime" / "kernel_entry.cpp", flags, optimisation="-O0")
        _libraries[key] = ctypes.CDLL(str(device.link(unit, arch)))
    return _libraries[key]


def _driver():
    if "driver" not in _libraries:
        unit = toolchain.Unit(HERE / "driver.cpp", (INCLUDE,), optimisation="-O0")
        d = ctypes.CDLL(str(toolchain.link([toolchain.compile_unit(unit)], ["-shared"], "driver.so")))
        d.launch_new.restype = ctypes.c_void_p
        d.launch_finding.restype = ctypes.c_char_p
        d.launch_counter.restype = ctypes.c_double
        for f in (d.launch_free, d.launch_findings):
            f.argtypes = [ctypes.c_void_p]
        d.launch_figure.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double]
        d.launch_option.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
        d.launch_block.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
        d.launch_arg.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_int, ctypes.c_int]
        d.launch_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        d.launch_finding.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_int)]
        d.launch_counter.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        _libraries["driver"] = d
    return _libraries["driver"]


def product(arch=3510, **changes):
    """Ascend 950's figures, flattened; for 2201 those that differ for these tests."""
    data = products.load("ascend950")
    flat = {k: float(v) for k, v in products.flatten(data).items() if not isinstance(v, (str, list))}
    if arch == 2201:
        flat.update({"npu_arch": 2201.0, "memory.ub": 196352.0, "memory.ub_reserved": 8192.0, "limits.zero_count_is_nop": 1.0,
                     "limits.copy_ub_stride": 2.0**32 - 1, "limits.copy_gm_stride": 2.0**32 - 1, "cores.aic": 24.0, "cores.aiv": 48.0,
                     "memory.l1": 524032.0, "memory.l0c": 131072.0, "memory.bias_table": 1024.0, "memory.fixpipe": 2048.0,
                     "limits.nd2nz_pitch": 65535.0, "limits.nd2nz_matrix_stride": 65535.0, "limits.nd2nz_l1_matrix_stride": 65535.0,
                     "limits.fixpipe_rows_nd": 8192.0, "limits.vector_order_in_hardware": 0.0})
    flat.update(changes)
    return flat


@dataclass
class Report:
    findings: list = field(default_factory=list)  # (kind, file name, line, message)
    counters: dict = field(default_factory=dict)

    def kinds(self):
        return [f[0] for f in self.findings]


COUNTERS = [
    "gm_read_bytes", "gm_write_bytes", "tiling_bytes", "vector_instructions", "vector_elements", "vector_function_launches",
    "ub_bytes_loaded", "ub_bytes_stored", "cube_macs", "scalar_reads", "barriers", "sync_alls", "paths.gm_to_ub", "paths.ub_to_gm",
    "paths.ub_to_ub", "paths.gm_to_scalar", "peak.ub", "cross_flags", "paths.gm_to_l1", "paths.l1_to_gm", "paths.l1_to_l0a",
    "paths.l1_to_l0b", "paths.l0c_to_gm", "paths.l0c_to_ub", "paths.l0c_to_l1", "paths.ub_to_l1", "peak.l1", "peak.l0a", "peak.l0b",
    "peak.l0c",
]


def _aligned(array):
    """The array at an address as global memory has it: of whole cache lines."""
    if array.ctypes.data % 64 == 0:
        return array
    room = np.empty(array.nbytes + 64, np.uint8)
    begin = -room.ctypes.data % 64
    placed = room[begin: begin + array.nbytes].view(array.dtype).reshape(array.shape)
    placed[...] = array
    return placed


def run(library, args, arch=3510, key=0, blocks=1, schedule=1, check=True, order="forward", only=(), figures=None, auto_sync=True):
    """args: (name, array or None, "in" | "out" | "inout"). Arrays are contiguous; outputs are written in place."""
    d = _driver()
    s = d.launch_new()
    placements = []
    try:
        for k, v in product(arch, **(figures or {})).items():
            d.launch_figure(s, k.encode(), v)
        d.launch_option(s, key, blocks, schedule, check, order.encode(), auto_sync)
        for block in only:
            d.launch_block(s, block)
        for name, array, way in args:
            if array is None:
                d.launch_arg(s, None, 0, name.encode(), 0, 0)
            else:
                assert array.flags.c_contiguous
                placed = _aligned(array)
                placements.append((array, placed, way))
                d.launch_arg(s, placed.ctypes.data, placed.nbytes, name.encode(), way != "in", way == "out")
        d.launch_run(s, ctypes.cast(library.ascgrad_run, ctypes.c_void_p))
        for array, placed, way in placements:
            if placed is not array and way != "in":
                array[...] = placed
        report = Report()
        line = ctypes.c_int()
        for i in range(d.launch_findings(s)):
            kind, file, message = (d.launch_finding(s, i, f, ctypes.byref(line)).decode() for f in range(3))
            report.findings.append((kind, pathlib.PurePath(file).name, line.value, message))
        report.counters = {name: int(d.launch_counter(s, name.encode())) for name in COUNTERS}
        return report
    finally:
        d.launch_free(s)


def marked(kernel, mark):
    """The line of a kernel file that carries a comment `// MARK`."""
    for number, text in enumerate((HERE / "kernels" / kernel).read_text().splitlines(), 1):
        if text.endswith(f"// {mark}"):
            return number
    raise KeyError(mark)
