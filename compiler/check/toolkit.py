"""Type-checks an operator directory against the headers of an installed CANN toolkit, with the machine's own C++ compiler.

Host sources are compiled as they are, device sources in CPU-debug mode, for which the toolkit has its API in C++. Nothing is
linked or run. What lies where in a toolkit is data: FOLDERS, PROBES, ARCHITECTURES.
"""

from __future__ import annotations

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from compiler.check.sources import Sources
from compiler.emulator import toolchain
from compiler.emulator.run import _KERNEL_TYPES, Finding


class NoToolkit(ValueError):
    """A path that is not the root of a toolkit; one line says what is missing."""


HOST, API, DEVICE = "host", "api", "device"
SIDES = {HOST: "op_host and op_graph", API: "op_api", DEVICE: "op_kernel"}

FOLDERS = (  # below the root; * is the machine's <arch>-linux. asc: cmake of asc-devkit, opbase, metadef; tree of CANN 8.1.RC1
    ("include", (HOST, API, DEVICE)),
    ("*-linux/include", (HOST, API, DEVICE)),
    ("include/aclnn", (API,)),
    ("*-linux/include/aclnn", (API,)),
    ("*-linux/include/experiment/platform", (HOST, API)),
    ("*-linux/pkg_inc", (HOST, API)),
    ("*-linux/pkg_inc/base", (HOST, API)),
    ("*-linux/include/op_common", (HOST, API)),
    ("*-linux/asc/include/utils", (HOST, API)),
    ("*-linux/asc/include/adv_api", (HOST,)),
    ("*-linux/ascendc/include/highlevel_api", (HOST, API, DEVICE)),
    ("compiler/ascendc/include/highlevel_api", (HOST, API, DEVICE)),
    ("opp/built-in/op_impl/ai_core/tbe/op_api/include", (API,)),
    ("tools/tikicpulib/lib/include", (DEVICE,)),
    ("tools/cpudebug/include", (DEVICE,)),
    *((f"*-linux/asc{part}", (DEVICE,)) for part in (
        "/include", "/include/basic_api", "/include/basic_api/reg_compute", "/include/adv_api", "/include/simt_api", "/include/simt_api/cpp",
        "/include/c_api", "/include/utils", "/impl", "/impl/basic_api", "/impl/basic_api/reg_compute", "/impl/adv_api", "/impl/simt_api",
        "/impl/c_api", "/impl/utils", "")),
    *((f"{root}/tikcpp/tikcfw{part}", (DEVICE,)) for root in ("*-linux", "compiler") for part in ("", "/interface", "/impl")),
    *((f"*-linux/ascendc/include/basic_api{part}", (DEVICE,)) for part in ("", "/interface", "/impl")),
    *((f"*-linux/ascendc/include/highlevel_api{part}", (DEVICE,)) for part in ("/lib", "/lib/matmul", "/impl")),
)

PROBES = (  # header that every toolkit has for a side, what it is
    ("register/op_def_registry.h", HOST, "operator definitions"),
    ("register/op_impl_registry.h", HOST, "registration of tiling and shape inference"),
    ("exe_graph/runtime/tiling_context.h", HOST, "the tiling context"),
    ("tiling/platform/platform_ascendc.h", HOST, "the platform's figures"),
    ("graph/operator_reg.h", HOST, "operator prototypes"),
    ("aclnn/aclnn_base.h", API, "the aclnn interface"),
    ("opdev/op_executor.h", API, "the executor of aclnn operators"),
    ("aclnn_kernels/contiguous.h", API, "Contiguous and ViewCopy"),
    ("kernel_operator.h", DEVICE, "the device API"),
    ("stub_fun.h", DEVICE, "the device API's CPU-debug mode"),
)

ARCHITECTURES = {  # __NPU_ARCH__ -> folders of the device API, one of which a toolkit that serves it has; macros of its CPU-debug mode
    2201: (("dav_c220", "dav_2201"), ("__CCE_AICORE__=220", "__DAV_C220__")),
    3510: (("dav_3510", "dav_c310"), ("__CCE_AICORE__=310", "__DAV_C310__")),
}
"""asc: cpudebug/CMakeLists.txt of asc-tools, folders of asc-devkit and of CANN 8.1.RC1."""
CPU_DEBUG = ("ASCENDC_CPU_DEBUG=1", "ASCENDC_DEBUG=1", "ASCENDC_DUMP=0", "__CCE_KT_TEST__=1", "TILING_KEY_VAR=0")

PRELUDE = """// What the toolkit's build writes for each operator.
#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, tiling_data, tiling_arg) \\
    tiling_struct tiling_data = *reinterpret_cast<const tiling_struct*>(tiling_arg)
#define GET_TILING_DATA_MEMBER(tiling_type, member, var, tiling_arg) \\
    auto var = reinterpret_cast<const tiling_type*>(tiling_arg)->member
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, dst_ptr, tiling_arg) \\
    const tiling_struct* dst_ptr = reinterpret_cast<const tiling_struct*>(tiling_arg)
"""


@dataclass(frozen=True)
class Toolkit:
    """The include folders of an installed toolkit, by side."""

    root: Path
    folders: dict[str, tuple[Path, ...]]

    def find(self, header: str, side: str) -> Path | None:
        return next((f / header for f in self.folders[side] if (f / header).is_file()), None)

    def serves(self, arch: int) -> bool:
        return any((f / name).is_dir() for f in self.folders[DEVICE] for name in ARCHITECTURES[arch][0])


@dataclass
class Compiled:
    """One translation unit: what was compiled for which products, in which include folders, and the compiler's errors."""

    source: Path
    side: str
    products: tuple[str, ...]
    dtypes: tuple[str, ...]
    includes: tuple[Path, ...]
    flags: tuple[str, ...]
    output: str = ""
    errors: int = 0

    def to_json(self) -> dict:
        return {"source": str(self.source), "side": self.side, "products": list(self.products), "dtypes": list(self.dtypes),
                "includes": list(map(str, self.includes)), "flags": list(self.flags), "errors": self.errors}

    def to_text(self) -> str:
        what = f" for {', '.join(self.products)} with {', '.join(self.dtypes)}" if self.side == DEVICE else ""
        verdict = "compiles" if not self.errors else f"{self.errors} error{'s' * (self.errors != 1)}"
        return "\n".join([f"{self.source}{what}: {verdict}", *(f"    -I {path}" for path in self.includes)])


@dataclass
class ToolkitReport:
    """units: what was compiled. skipped: what was not, a finding each."""

    toolkit: Toolkit
    units: list[Compiled] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def to_json(self) -> dict:
        return {"root": str(self.toolkit.root), "compiler": " ".join(toolchain.compiler().command), "units": [u.to_json() for u in self.units]}


def locate(path: str | Path) -> Toolkit:
    """The toolkit at a path. Raises NoToolkit."""
    root = Path(path)
    folders: dict[str, list[Path]] = {side: [] for side in SIDES}
    for pattern, sides in FOLDERS:
        for folder in sorted(root.glob(pattern)) if root.is_dir() else ():
            real = folder.resolve()
            for side in sides if folder.is_dir() else ():
                if real not in [f.resolve() for f in folders[side]]:
                    folders[side].append(folder)
    toolkit = Toolkit(root, {side: tuple(found) for side, found in folders.items()})
    if not any(toolkit.find(header, side) for header, side, _ in PROBES):
        raise NoToolkit(f"--cann: got {path}, which has none of {', '.join(h for h, _, _ in PROBES[:3])}, ... in include, *-linux/include or "
                        "tikcpp/tikcfw; wants the root of an installed CANN toolkit (ASCEND_HOME_PATH)")
    return toolkit


def compile_against(sources: Sources, path: str | Path) -> ToolkitReport:
    """Compiles every translation unit of a directory that the toolkit has the headers for.

    Raises NoToolkit, and ToolchainError when there is no C++ compiler.
    """
    report = ToolkitReport(locate(path))
    toolkit, units = report.toolkit, []
    own = tuple(sources.directory / name for name in ("", "op_host", "op_api", "op_kernel", "op_graph"))
    for side, folder in ((HOST, "op_host"), (HOST, "op_graph"), (API, "op_api")):
        for source in sources.under(folder, suffixes=(".cpp", ".h") if folder == "op_graph" else (".cpp",)):
            units.append(Compiled(source, side, (), (), (*own, *toolkit.folders[side]), ("-D_GLIBCXX_USE_CXX11_ABI=0",)))
    units += _device_units(sources, report)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(_compile, units))
    report.units = units
    report.findings += _findings(sources, toolkit, units)
    return report


def _device_units(sources: Sources, report: ToolkitReport) -> list[Compiled]:
    prelude = toolchain.stored("prelude", ".h", PRELUDE.encode())
    units: dict[tuple, Compiled] = {}
    tensors = [p for p in sources.ports if p.role != "attribute"]
    for name, product in sources.products.items():
        entry, arch = sources.entry(product), product["npu_arch"]
        if report.toolkit.find("kernel_operator.h", DEVICE) is None:
            continue
        if arch not in ARCHITECTURES or not report.toolkit.serves(arch):
            wanted = " or ".join(ARCHITECTURES.get(arch, ((f"architecture {arch}",),))[0])
            lacks = f"{name}: its device API has no {wanted}, the folder of architecture {arch}; the kernel is not compiled"
            report.findings.append(Finding("toolkit", str(report.toolkit.root), 0, lacks))
            continue
        for column in range(len(tensors[0].dtypes)) if entry else ():
            dtypes = {p.name: p.dtypes[column] for p in tensors}
            defines = [d for n, t in dtypes.items() for d in (f"DTYPE_{n.upper()}={_KERNEL_TYPES[f'DT_{t}']}", f"ORIG_DTYPE_{n.upper()}=DT_{t}",
                                                             f"FORMAT_{n.upper()}=FORMAT_ND")]
            defines += [*CPU_DEBUG, *ARCHITECTURES[arch][1], f"__NPU_ARCH__={arch}"]
            key = (entry, arch, column)
            if key in units:
                units[key].products += (name,)
                continue
            includes = (sources.directory / "op_kernel", sources.directory, *report.toolkit.folders[DEVICE])
            units[key] = Compiled(entry, DEVICE, (name,), tuple(dict.fromkeys(dtypes.values())), includes,
                                  (*(f"-D{d}" for d in defines), "-include", str(prelude)))
    return list(units.values())


def _compile(unit: Compiled) -> None:
    command = [*toolchain.compiler().command, "-std=c++17", "-fsyntax-only", "-w", *unit.flags,
               *(f"-I{path}" for path in unit.includes), *(("-x", "c++") if unit.source.suffix == ".h" else ()), str(unit.source)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=os.environ | {"LC_ALL": "C"})
    unit.output = done.stderr if done.returncode else ""


_PLACE = re.compile(r"^(?:In file included from |\s+from |)(?P<file>[^\s:][^:\n]*):(?P<line>\d+)[:,](?:\d+[:,]?)?\s*(?P<text>.*)$")


def _findings(sources: Sources, toolkit: Toolkit, units: list[Compiled]) -> list[Finding]:
    """A finding for each place and message, whichever units have it; a missing header is one, wherever it is included."""
    found: dict[tuple, tuple[str, int, str, dict]] = {}
    for header, side, what in PROBES:
        if toolkit.find(header, side) is None:
            found["header", header] = (str(toolkit.root), 0, f"{header}, {what}, is in none of its include folders; what includes it in "
                                       f"{SIDES[side]} is not compiled", {})
    for unit in units:
        for file, line, message in _errors(sources.directory, unit):
            unit.errors += 1
            header = re.match(r"([^\s:]+): No such file or directory", message)
            key = ("header", header[1]) if header else (file, line, message)
            first = found.setdefault(key, (file, line, message, {}))
            first[3].update(dict.fromkeys(unit.products))
    total = len(sources.products)
    return [Finding("toolkit", file, line, message + (f" ({', '.join(names)})" if names and len(names) < total else ""))
            for file, line, message, names in found.values()]


def _errors(directory: Path, unit: Compiled) -> list[tuple[str, int, str]]:
    """(file, line, message) of the errors of a unit, each in the directory's own code.

    An error in a header of the toolkit is placed at the code that instantiates it. Those that no code of the directory causes are the
    toolkit's own: one line for all of them, at the include.
    """
    found, foreign = [], []
    included = cause = None
    for text in unit.output.splitlines():
        place = _PLACE.match(text)
        if place is None:
            continue
        own, here = _within(Path(place["file"]), directory), (place["file"], int(place["line"]))
        error = re.match(r"(?:fatal )?error: (.*)", place["text"])
        if error is None:
            if text.startswith("In file included from "):
                included = None
            if own and (text.startswith("In file included from ") or re.match(r"\s+from ", text)):
                included = here
            elif own and ("required from" in text or "in expansion" in text):
                cause = here
            continue
        message = error[1] if own else f"{error[1]} [{place['file']}:{place['line']}]"
        if own or cause:
            found.append((*(here if own else cause), message))
        elif "No such file or directory" in message:
            found.append((*(included or (str(unit.source), 1)), message))
        else:
            foreign.append((included or (str(unit.source), 1), message))
        cause = None
    if foreign:
        found.append((*foreign[0][0], f"{len(foreign)} error{'s' * (len(foreign) != 1)} in the toolkit's own headers, the first: {foreign[0][1]}"))
    if unit.output and not found:
        found.append((str(unit.source), 1, unit.output.strip().splitlines()[-1]))
    # A name that a template uses is reported before and when it is instantiated; the second says more.
    again = {(file, line, name) for file, line, message in found for name in re.findall(r"'(\w+)' was not declared", message)}
    return [f for f in dict.fromkeys(found)
            if not (m := re.match(r"there are no arguments to '(\w+)'", f[2])) or (f[0], f[1], m[1]) not in again]


def _within(path: Path, directory: Path) -> bool:
    return path.is_relative_to(directory) or path.resolve().is_relative_to(directory.resolve())
