"""Runs a hand-written Ascend C kernel: one file with one entry, its arguments matched by name.

kernel = build(Path("add.cpp"), products.load("ascend910b"), {"x": "float32", "y": "float32", "z": "float32"})
result = launch(kernel, {"x": x, "y": y}, {"z": Tensor((1024,), "float32")}, block_dim=8)
result.findings, result.outputs["z"]
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from compiler.emulator import device, run, toolchain
from compiler.emulator.run import Finding, RequestError, Result, Tensor
from compiler.emulator.toolchain import SourceError, Unit

__all__ = ["Entry", "Kernel", "Parameter", "build", "launch"]

TILING_KEY = "TILING_KEY_VAR"
"""The macro of the toolkit that holds the tiling key: its definition is the key of the launch."""

_RUNTIME = ("report", "memory", "placement", "trace", "kernels", "launcher")
_MARKER = re.compile(r'^# \d+ ".*$', re.MULTILINE)
_QUALIFIER = r"(?:\b(?!void\b)[A-Za-z_]\w*\s*(?:\((?:[^()]|\([^()]*\))*\))?\s*|\"C\"\s*)*"
_ENTRY = re.compile(rf"(?P<before>{_QUALIFIER})\b__global__\b(?P<after>\s*{_QUALIFIER})void\s*{_QUALIFIER}?\b(?P<name>[A-Za-z_]\w*)\s*\(")
_TYPES = {"__cube__": "KERNEL_TYPE_AIC_ONLY", "__mix__(0,1)": "KERNEL_TYPE_MIX_AIV_1_0", "__mix__(1,0)": "KERNEL_TYPE_MIX_AIC_1_0",
          "__mix__(1,1)": "KERNEL_TYPE_MIX_AIC_1_1", "__mix__(1,2)": "KERNEL_TYPE_MIX_AIC_1_2"}
"""Qualifiers of an entry -> kernel type. asc: SIMD BuiltIn keywords. A `__vector__` entry has the default, vector cores."""

_TPL_TYPES = {"0": "KERNEL_TYPE_AIV_ONLY", "1": "KERNEL_TYPE_AIC_ONLY", "4": "KERNEL_TYPE_MIX_AIV_1_0", "5": "KERNEL_TYPE_MIX_AIC_1_0",
              "6": "KERNEL_TYPE_MIX_AIC_1_1", "7": "KERNEL_TYPE_MIX_AIC_1_2"}
"""Values of ASCENDC_TPL_AIV_ONLY and the like in template_tiling.h -> kernel type."""

_SCALARS = {"float": "float32", "double": "float64", "half": "float16", "bfloat16_t": "bfloat16", "bool": "bool", "int": "int32",
            "unsigned": "uint32", "unsigned int": "uint32", "size_t": "uint64", "long": "int64",
            **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}
"""C++ type of a parameter passed by value -> dtype that its value is converted to."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of the entry; `type` is what stands in front of its name, `pointer` says that it is an address."""

    name: str
    type: str
    pointer: bool


@dataclass(frozen=True)
class Entry:
    """The one `__global__` function of a file. `templates` are the names of its template parameters."""

    name: str
    parameters: tuple[Parameter, ...]
    templates: tuple[str, ...]
    kernel_type: str | None

    def __str__(self) -> str:
        return f"{self.name}({', '.join(p.name for p in self.parameters)})"

    @property
    def tiling(self) -> str | None:
        """The parameter that takes the tiling data: the first whose name begins with tiling."""
        return next((p.name for p in self.parameters if _words(p.name).startswith("tiling")), None)

    @property
    def workspace(self) -> str | None:
        """The parameter that takes the workspace: the first whose name has the word, in one piece or two."""
        return next((p.name for p in self.parameters if "workspace" in _words(p.name).replace("_", "")), None)


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel of one product."""

    file: Path
    entry: Entry
    product: dict
    unit: Unit
    launcher: Path
    tiling_key: int
    mixed: bool

    def library(self, lines: bool = False) -> Path:
        """The shared object; lines: of its calls, which `callers` reads. Raises SourceError."""
        # Sections that nobody calls are dropped: host code beside the kernel may need libraries that are not here.
        return device.link(self.unit, int(self.product["npu_arch"]), ("-Wl,--gc-sections",), lines)

    @property
    def cores(self) -> int:
        """As many blocks as can run at once."""
        return self.product["cores"]["aic" if self.mixed else "aiv"]

    @property
    def most_blocks(self) -> int:
        """As many blocks as can be launched: groups of cube and vector cores have to run all at once (asc: numBlocks)."""
        return self.cores if self.mixed else self.product["limits"]["blocks"]


def _words(name: str) -> str:
    """gradY, GradY, grad_y: one parameter in several spellings."""
    return re.sub(r"_+", "_", run._snake(name)).strip("_").lower()


def _split(text: str) -> list[str]:
    """The parts between commas that no bracket encloses."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "(<[{") - (c in ")>]}")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def _closing(text: str, start: int, pair: str) -> int:
    """The index of the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i
    return len(text) - 1


def _parameter(text: str) -> Parameter:
    text = " ".join(re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", " ", text.split("=")[0]).split())
    match = re.match(r"(.*?)\b(\w+)\s*((?:\[[^\]]*\])*)$", text)
    if match is None or not match[1]:
        return Parameter("", text, "*" in text)
    kind = " ".join(re.sub(r"\b(?:const|volatile|struct)\b|&", " ", match[1]).split())
    return Parameter(match[2], kind, "*" in kind or bool(match[3]))


def _template_names(text: str) -> tuple[str, ...]:
    """The parameters of the template header that `text` ends with."""
    match = re.search(r"\btemplate\s*<((?:[^<>;{}]|<[^<>]*>)*)>\s*$", text)
    return tuple(re.sub(r"=.*", "", part, flags=re.DOTALL).split()[-1].lstrip(".&*") for part in _split(match[1])) if match else ()


def entries(text: str) -> list[Entry]:
    """The `__global__` functions of preprocessed or plain text; a declaration and its definition are one."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", _MARKER.sub("", text), flags=re.DOTALL)
    found: dict[str, Entry] = {}
    for qualifier in re.finditer(r"\b__global__\b", text):
        # Only in its own declaration: preprocessed text is megabytes long.
        start = 1 + max(text.rfind(c, 0, qualifier.start()) for c in ";{}")
        end = re.compile("[;{]").search(text, qualifier.end())
        match = _ENTRY.search(text, start, end.start() if end else len(text))
        if match is None:
            continue
        end = _closing(text, match.end() - 1, "()")
        parameters = [part for part in _split(text[match.end():end]) if part != "void"]
        qualifiers = re.sub(r"\s", "", match["before"] + match["after"])
        kind = next((kind for name, kind in _TYPES.items() if name in qualifiers), None)
        entry = Entry(match["name"], tuple(map(_parameter, parameters)), _template_names(text[:match.start()]), kind)
        if entry.name not in found or text[end + 1:].lstrip().startswith("{"):
            found[entry.name] = entry
    return list(found.values())


def selected_type(text: str, values: Mapping[str, str]) -> str | None:
    """The kernel type that ASCENDC_TPL_KERNEL_TYPE_SEL gives to template arguments, or None, in preprocessed text, which keeps
    selections as `ascgrad_selection(...)`. asc: template parameter definitions

    values: template parameter -> argument. The first selection decides that takes all of them.
    """
    text = _MARKER.sub("", text)
    for match in re.finditer(r"\bascgrad_selection\s*\(", text):
        kind, fits = None, True
        for part in _split(text[match.end():_closing(text, match.end() - 1, "()")]):
            what, _, listed = part.partition("(")
            name, *choices = _split(listed.rstrip()[:-1])
            if what.strip() == "ascgrad_type":
                kind = _TPL_TYPES.get(name)
            elif what.strip() == "ascgrad_numbers":
                fits = fits and _among(values.get(name, ""), *choices)
            elif what.strip() == "ascgrad_values":
                fits = fits and _argument(values.get(name, "")) in map(_argument, choices)
        if fits and kind:
            return kind
    return None


def _argument(text: str) -> str:
    """One spelling of a template argument: of a bool, of a type that has a C_DT_ name."""
    types = {cpp: f"C_{ge}" for ge, cpp in run._DTYPES.values()}
    return {"true": "1", "false": "0"}.get(text, types.get(text, text))


def _among(value: str, kind: str, *numbers: str) -> bool:
    """Whether an ASCENDC_TPL_UINT_SEL takes a value. kind: 0 ranges, 1 a list, 2 both; ranges begin with their number."""
    try:
        wanted, listed = int(value, 0), [int(n.rstrip("uUlL"), 0) for n in numbers]
    except ValueError:
        return value in numbers
    ranges = 2 * listed[0] if kind != "1" and listed else -1
    bounds, single = (listed[1:1 + ranges], listed[1 + ranges:]) if ranges >= 0 else ([], listed)
    return wanted in single or any(low <= wanted <= high for low, high in zip(bounds[::2], bounds[1::2], strict=False))


def _without_launches(text: str) -> str:
    """Host code in the same file, `kernel<<<blocks, nullptr, stream>>>(x)`, as plain calls that nobody makes."""
    return re.sub(r"<<<(.*?)>>>", lambda match: "\n" * match[1].count("\n"), text, flags=re.DOTALL)


def _source(file: Path) -> Path:
    """The file as it is compiled; a copy stands for it where it has to be changed, under the same name and lines."""
    text = file.read_text(encoding="utf-8", errors="replace")
    changed = _without_launches(text)
    if changed == text:
        return file
    return toolchain.stored("kernels", ".cpp", f'#line 1 "{toolchain.TOKEN}/{file.name}"\n{changed}'.encode(), file.name)


def _names_of(tensors: Mapping[str, str]) -> list[str]:
    """The macros that an operator project gives its kernels: DTYPE_X, ORIG_DTYPE_X and FORMAT_X for a tensor x."""
    flags = []
    for name, dtype in tensors.items():
        ge, cpp = run._DTYPES[dtype]
        flags += [f"-DDTYPE_{_words(name).upper()}={cpp}", f"-DORIG_DTYPE_{_words(name).upper()}={ge}",
                  f"-DFORMAT_{_words(name).upper()}=FORMAT_ND"]
    return flags


def build(file: Path, product: dict, tensors: Mapping[str, str] | None = None, defines: Mapping[str, str] | None = None,
          entry: str | None = None) -> Kernel:
    """Compiles the kernel of a file; what did not change comes from the cache.

    tensors: name -> dtype of what the entry will be called with, for the macros DTYPE_<NAME> and ORIG_DTYPE_<NAME>.
    entry: the name of the entry; None where the file has one.
    defines: macros, and the values of the entry's template parameters; TILING_KEY_VAR is the tiling key of the launch.

    Raises RequestError when the file has not that entry, a template parameter has no value or the key is no number;
    SourceError for code that does not compile; ToolchainError when there is no compiler.
    """
    file = Path(file).resolve()
    defines = dict(defines or {})
    key = defines.pop(TILING_KEY, "0")
    if not re.fullmatch(r"\d+|0[xX][0-9a-fA-F]+", key):
        raise RequestError(f"--define: got {TILING_KEY}={key}, wants a number that is no negative one")
    source = _source(file)
    flags = (f"-D__NPU_ARCH__={int(product['npu_arch'])}", f"-I{run._INCLUDE}", f"-I{file.parent}", *_names_of(tensors or {}))
    # A value for a template parameter of the entry must not replace that parameter's name.
    templates = {name for entry in entries(source.read_text(encoding="utf-8", errors="replace")) for name in entry.templates}
    flags += tuple(f"-D{name}={value}" for name, value in defines.items() if name not in templates)
    with _own_lines(file, source):
        scanned = toolchain.preprocess(source, (*flags, "-DASCGRAD_SCAN", "-include", "kernel_operator.h"))
        entry = _entry(file, scanned, entry)
        missing = [name for name in entry.templates if name not in defines]
        if missing:
            raise RequestError(f"--define: {entry.name} is a template, wants {missing[0]}=VALUE")
        kind = entry.kernel_type or selected_type(scanned, {name: defines[name] for name in entry.templates})
        arguments = f"<{', '.join(defines[name] for name in entry.templates)}>" if entry.templates else ""
        unit = Unit(
            run._HERE / "runtime" / "kernel_entry.cpp",
            (
                *toolchain.compiler().kernel_flags,
                "-ffunction-sections",
                *flags,
                f'-DASCGRAD_KERNEL_FILE="{source}"',
                f"-DASCGRAD_KERNEL_NAME={entry.name}{arguments}",
                *((f"-DASCGRAD_KERNEL_TYPE={kind}",) if kind else ()),
            ),
            file.parent,
        )
        text = source.read_text(encoding="utf-8", errors="replace")
        mixed = "AIC" in kind if kind else run._CUBE.search(text) is not None
        launcher = toolchain.link(toolchain.compile_all(run.runtime_units(_RUNTIME)), ["-ldl"], "launcher")
        kernel = Kernel(file, entry, product, unit, launcher, int(key, 0), mixed)
        kernel.library()
    return kernel


def _entry(file: Path, text: str, name: str | None) -> Entry:
    found = entries(text)
    fits = [entry for entry in found if name in (None, entry.name)]
    if len(fits) != 1:
        names = ", ".join(entry.name for entry in found)
        has = f"{len(found)} __global__ functions ({names})" if found else "no __global__ function"
        wants = f"none is {name}" if name and found else "wants FILE.cpp:NAME" if found else "wants one"
        raise RequestError(f"--kernel: {file} has {has}, {wants}")
    return fits[0]


@contextmanager
def _own_lines(file: Path, source: Path) -> Iterator[None]:
    """Messages about the file that is compiled name the user's."""
    try:
        yield
    except SourceError as error:
        lines = list(error.lines)
        entry = f"{run._HERE / 'runtime' / 'kernel_entry.cpp'}:"
        if all(line.startswith(entry) for line in lines):  # the call of the entry, with the template arguments of --define
            raise RequestError(f"--define: {file}: the entry cannot be made with these values: {lines[0].partition(': ')[2]}") from None
        for compiled in (f"{source}:", f"{toolchain.TOKEN}/{file.name}:"):
            lines = [f"{file}:{line[len(compiled):]}" if line.startswith(compiled) else line for line in lines]
        raise SourceError(lines, error.output) from None


def launch(kernel: Kernel, inputs: Mapping[str, Any], outputs: Mapping[str, Tensor], *, block_dim: int, workspace: int | None = None,
           tiling: bytes | None = None, order: str = "forward", blocks: Sequence[int] = (), auto_sync: bool = True, trace: Path | None = None,
           callers: bool = False) -> Result:
    """Runs the kernel once. A name among both inputs and outputs is one tensor, whose content the kernel changes.

    Cycles are modelled where all blocks run at once. callers: findings say through which calls they were reached, see `run.Request`.

    Raises RequestError for a name that is no parameter and for a value that a parameter cannot take.
    """
    with tempfile.TemporaryDirectory(prefix="ascgrad-") as temporary:
        call = _Call(kernel, Path(temporary))
        call.give(inputs, outputs)
        call.give_bytes(workspace, tiling)
        options = {"auto_sync": int(auto_sync), "order": order, "timeline": int(block_dim <= kernel.cores and not callers),
                   "callers": int(callers), **({"blocks": ",".join(map(str, blocks))} if blocks else {}),
                   **({"trace": Path(trace).resolve()} if trace else {})}
        lines = [*(f"option {name} {value}" for name, value in options.items()), f"block_dim {block_dim}", f"tiling_key {kernel.tiling_key}",
                 *call.ranges, *call.arguments()]
        library = kernel.library(callers)
        data = _serve(kernel, library, lines, Path(temporary))
        if not callers:
            sys.stderr.write(data.get("printed", ""))
        counters = run._nested(data["counters"])
        findings = run.read_findings(data["findings"], library, kernel.file.parent, call.absent())
        for finding in findings:
            if finding.kind == "request":
                raise RequestError(finding.message)
        result = Result(status=None if "crash" in data else 0, phase="run", message=data.get("crash", ""), findings=findings, block_dim=block_dim,
                        tiling_key=kernel.tiling_key, workspace_bytes=workspace or 0, cycles=counters.pop("cycles", None), counters=counters or None)
        result.outputs = {name: run.read_output(tensor) for name, tensor in call.outputs.items()}
        return result


class _Call:
    """The memory of one launch and the parameter that each piece goes to."""

    def __init__(self, kernel: Kernel, folder: Path):
        self.kernel, self.entry, self.folder = kernel, kernel.entry, folder
        self.given: dict[str, str] = {}  # parameter -> range
        self.ranges: list[str] = []
        self.outputs: dict[str, Tensor] = {}

    def _match(self, option: str, name: str) -> Parameter:
        """The parameter of a name: that very name, or another spelling of it."""
        fits = [p for p in self.entry.parameters if p.name == name] or [p for p in self.entry.parameters if _words(p.name) == _words(name)]
        if not fits:
            raise RequestError(f"{option}: got {name}, which is no parameter of {self.entry}")
        if fits[0].name in self.given:
            raise RequestError(f"{option}: got {name}, a second value for the parameter {fits[0].name} of {self.entry.name}")
        return fits[0]

    def _judge_dtype(self, option: str, name: str, parameter: Parameter, dtype: str) -> None:
        """Refuses what the elements of a pointer are not. Bytes, the workspace and types that are the kernel's own take any dtype."""
        wanted = _SCALARS.get(parameter.type.replace("*", "").strip().removeprefix("std::")) if parameter.type.count("*") == 1 else None
        if wanted not in (None, "uint8", dtype) and parameter.name != self.entry.workspace:
            raise RequestError(f"{option}: {name} has dtype {dtype}, {' '.join(parameter.type.split())} {parameter.name} wants {wanted}")

    def _add(self, parameter: str, size: int, role: str, path: Path | str = "") -> None:
        # Memory of a name that the emulator knows: it counts reads of tiling apart, and shows no workspace to anybody.
        special = {self.entry.tiling: "tiling", self.entry.workspace: "workspace"}
        self.given[parameter] = special.get(parameter) or parameter
        self.ranges.append(f"range {self.given[parameter]} {size} {role} {path}".rstrip())

    def give(self, inputs: Mapping[str, Any], outputs: Mapping[str, Tensor]) -> None:
        written = {_words(name): name for name in outputs}
        for name, array in inputs.items():
            parameter = self._match("--inputs", name)
            output = written.pop(_words(name), None)
            data = _content(parameter, array)
            self._judge_dtype("--inputs", name, parameter, run._dtype_name(array))
            path = self._file(parameter.name, data)
            if output is None:
                role = "inout" if parameter.name == self.entry.workspace else "in"
            else:
                role = "inout"
                wanted = outputs[output]
                if run._bytes(wanted) != len(data) or wanted.dtype != run._dtype_name(array):
                    raise RequestError(f"--output: got {output}={wanted.dtype}{list(wanted.shape)}, which is an input too: "
                                       f"{run._dtype_name(array)}{list(array.shape)}")
                self.outputs[output] = replace(wanted, path=path)
            self._add(parameter.name, len(data), role, path)
        for name in written.values():
            parameter = self._match("--output", name)
            if not parameter.pointer:
                raise RequestError(f"--output: got {name}, which {self.entry.name} takes by value")
            tensor = outputs[name]
            self._judge_dtype("--output", name, parameter, tensor.dtype)
            path = self._file(parameter.name, bytes(run._bytes(tensor)))
            self.outputs[name] = replace(tensor, path=path)
            self._add(parameter.name, run._bytes(tensor), "out", path)

    def give_bytes(self, workspace: int | None, tiling: bytes | None) -> None:
        for option, parameter, what, value in (("--workspace", self.entry.workspace, "workspace", workspace),
                                               ("--tiling", self.entry.tiling, "tiling", tiling)):
            if value is None:
                continue
            if parameter is None:
                raise RequestError(f"{option}: {self.entry} has no parameter {what}")
            if parameter in self.given:
                raise RequestError(f"{option}: --inputs has the {what} already")
            if option == "--workspace":
                self._add(parameter, value, "out")
            else:
                self._add(parameter, len(value), "in", self._file(parameter, value))

    def arguments(self) -> list[str]:
        for parameter in self.entry.parameters:
            if parameter.name not in self.given and not parameter.pointer:
                wants = "--tiling FILE" if parameter.name == self.entry.tiling else f"an array {parameter.name} among --inputs"
                raise RequestError(f"{self.entry} takes {parameter.name} by value ({parameter.type}), wants {wants}")
        return [f"arg {self.given.get(parameter.name, '-')}" for parameter in self.entry.parameters]

    def absent(self) -> list[str]:
        """The parameters that are null, with the options that the special ones have."""
        options = {self.entry.tiling: " (--tiling)", self.entry.workspace: " (--workspace)"}
        return [p.name + options.get(p.name, "") for p in self.entry.parameters if p.name not in self.given]

    def _file(self, name: str, data: bytes) -> Path:
        path = self.folder / f"{name}.bin"
        with open(path, "wb") as file:
            file.write(data)
            file.truncate(-(-len(data) // run.mmap.PAGESIZE) * run.mmap.PAGESIZE)
        return path


def _content(parameter: Parameter, array: Any) -> bytes:
    """The bytes of an array as the parameter takes them; a number by value is converted to the parameter's type."""
    import numpy as np

    name = run._dtype_name(array)
    if name not in run._DTYPES:
        raise RequestError(f"--inputs: {parameter.name} has dtype {name}, wants one of {', '.join(run._DTYPES)}")
    wanted = None if parameter.pointer else _SCALARS.get(parameter.type.removeprefix("std::"))
    if wanted:
        if array.size != 1:
            raise RequestError(f"--inputs: {parameter.name} has {array.size} elements, {parameter.type} {parameter.name} takes one")
        value = array.reshape(()).astype(run._numpy_dtype(wanted))
        if name.lstrip("u").startswith("int") and "int" in wanted and int(value) != int(array.reshape(())):
            raise RequestError(f"--inputs: {parameter.name} is {int(array.reshape(()))}, which does not fit {parameter.type}")
        array = value
    return np.ascontiguousarray(array).tobytes()


def _serve(kernel: Kernel, library: Path, lines: Sequence[str], folder: Path) -> dict:
    """What the launcher says, or how it ended."""
    manifest, request, answer = folder / "manifest", folder / "request", folder / "answer"
    manifest.write_text(f"{run._figures(kernel.product)}text directory {kernel.file.parent}\nmixed {int(kernel.mixed)}\n"
                        f"kernel 0 {library}\n")
    request.write_text("".join(f"{line}\n" for line in lines))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASCGRAD_")}
    done = subprocess.run([kernel.launcher, request, answer], env=environment | {"ASCGRAD_MANIFEST": str(manifest)},
                          capture_output=True, text=True, errors="replace")
    if done.returncode == 0 and answer.exists():
        return json.loads(answer.read_text()) | {"printed": done.stderr}
    how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
    message = " ".join(f"the process ended with {how}: {done.stderr.strip()}".split()).rstrip(":")
    return {"crash": message, "counters": {}, "findings": [{"kind": "crash", "file": "", "line": 0, "message": message, "callers": []}]}
