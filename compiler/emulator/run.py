"""Builds the emitted sources of an operator for the CPU and calls it through its aclnn interface.

built = build(directory, products.load("ascend950"), op="RowNormGrad")
result = emulate(built, {"grad_y": array, ..., "grad_x": Tensor(shape, "bfloat16")}, {"eps": 1e-6})
result.status, result.findings, result.outputs["grad_x"]
"""

import functools
import json
import mmap
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from compiler import products
from compiler.emulator import callers, device, tiling_data, toolchain
from compiler.emulator.toolchain import SourceError, ToolchainError, Unit

__all__ = [
    "Built", "ClientResult", "Finding", "Request", "RequestError", "Result", "SourceError", "Tensor", "ToolchainError",
    "build", "emulate", "emulate_many", "run_client",
]  # fmt: skip

_HERE = Path(__file__).parent
_INCLUDE = _HERE / "include"
_RUNTIME = ("report", "definitions", "memory", "platform", "matmul_tiling", "acl", "tensor", "executor", "placement", "trace", "kernels")

# dtype of NumPy -> ge::DataType, C++ type in kernels (DTYPE_<NAME>)
_DTYPES = {
    "float32": ("DT_FLOAT", "float"),
    "float16": ("DT_FLOAT16", "half"),
    "bfloat16": ("DT_BF16", "bfloat16_t"),
    "float64": ("DT_DOUBLE", "double"),
    "int8": ("DT_INT8", "int8_t"),
    "int16": ("DT_INT16", "int16_t"),
    "int32": ("DT_INT32", "int32_t"),
    "int64": ("DT_INT64", "int64_t"),
    "uint8": ("DT_UINT8", "uint8_t"),
    "uint16": ("DT_UINT16", "uint16_t"),
    "uint32": ("DT_UINT32", "uint32_t"),
    "uint64": ("DT_UINT64", "uint64_t"),
    "bool": ("DT_BOOL", "bool"),
}
_KERNEL_TYPES = {ge: cpp for ge, cpp in _DTYPES.values()}
_NAMES_OF_GE = {ge: name for name, (ge, _) in _DTYPES.items()}
_CUBE = re.compile(r"(?:KERNEL_TYPE|ASCENDC_TPL)_(?:MIX_AIC|AIC_ONLY)")
_SMALL = 1 << 26  # outputs up to this size are copied out of the file that the run wrote


class RequestError(ValueError):
    """A request that does not fit the interface of the operator; one line says which name, what it got and wants."""


@dataclass(frozen=True)
class Finding:
    """A rule that does not hold; `file` and `line` are empty and 0 when it belongs to no line. `called_at`: where functions of the sources
    were called on the way to that line, `file:line`, innermost first; for repeated runs with `Request.callers`."""

    kind: str
    file: str
    line: int
    message: str
    called_at: tuple[str, ...] = ()

    def __str__(self) -> str:
        calls = f" (called at {', from '.join(Path(call).name for call in self.called_at)})" if self.called_at else ""
        return f"{f'{self.file}:{self.line}: ' if self.file else ''}{self.kind}: {self.message}{calls}"


def read_findings(items: Sequence[dict], library: Path, directory: Path, absent: Sequence[str] = ()) -> list[Finding]:
    """Findings as the runtime writes them; library: the kernel that ran; absent: parameters that are null."""
    chains = callers.called_at(library, directory, items)
    lacks = f"; nothing is given for {', '.join(absent)}" if absent else ""
    return [Finding(item["kind"], item["file"], item["line"], item["message"] + (lacks if "a null address" in item["message"] else ""), chain)
            for item, chain in zip(items, chains, strict=True)]


def with_callers(findings: Iterable[Finding], again: Iterable[Finding]) -> list[Finding]:
    """The findings of a run, with the calls that its repetition found."""
    known = {replace(f, called_at=()): f for f in again if f.called_at}
    return [f if f.called_at else known.get(f, f) for f in findings]


@dataclass(frozen=True)
class Tensor:
    """A tensor by description: an output, an input of zeros that takes no memory, or one whose bytes lie in a file.

    Strides and offset are in elements; `storage_shape` is the allocation behind a view. `path` names the raw bytes of
    the storage (sparse files of any size are fine: they are mapped, never read whole). An output without a path goes to
    a temporary file.
    """

    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...] | None = None
    offset: int = 0
    storage_shape: tuple[int, ...] | None = None
    path: Path | None = None

    @property
    def storage(self) -> tuple[int, ...]:
        return tuple(self.shape if self.storage_shape is None else self.storage_shape)


@dataclass(frozen=True)
class Request:
    """One call of the operator: the arguments of `emulate` as data."""

    tensors: Mapping[str, Any]
    attrs: Mapping[str, Any] = field(default_factory=dict)
    cores: int | None = None  # vector cores, or groups of cube and vector cores for a mixed operator
    order: str = "forward"  # forward | reverse | random:SEED
    blocks: Sequence[int] = ()
    strided: Sequence[str] = ()  # tensors presented as views of a wider storage
    auto_sync: bool = True
    check: bool = True
    unlisted: bool = False
    deterministic: bool = False
    phase1_only: bool = False
    null: str | None = None  # "workspaceSize" or "executor": a null pointer in its place
    twice: bool = False  # runs the second phase twice with one executor
    timeline: bool = True  # cycles are modelled
    callers: bool = False  # findings say through which calls they were reached; the kernel is compiled with its lines
    numbers: bool = True  # False: nothing is computed and no output made; counters and cycles of large shapes
    trace: Path | None = None  # where the timeline is written as Chrome trace JSON


@dataclass
class Result:
    """What `ascgrad emulate --json` prints, and the outputs. What a version cannot say yet is None."""

    status: int | None  # of aclnn; None when the host code crashed
    phase: str  # the phase that ended the call: aclnn, infershape, tiling, kernel (look-up), run
    message: str
    findings: list[Finding]
    block_dim: int | None = None
    tiling_key: int | None = None
    schedule_mode: int | None = None
    workspace_bytes: int | None = None
    tiling: dict[str, Any] | None = None
    counters: dict[str, Any] | None = None
    cycles: dict[str, Any] | None = None
    roof: dict[str, Any] | None = None
    precision: dict[str, Any] | None = None
    log: list[dict] = field(default_factory=list, repr=False)
    launches: list[dict] = field(default_factory=list, repr=False)
    second_status: int | None = None
    outputs: dict[str, Any] = field(default_factory=dict, repr=False)

    def to_json(self) -> dict[str, Any]:
        fields = "status phase message findings block_dim workspace_bytes tiling counters cycles roof precision".split()
        return {
            name: [asdict(item) for item in self.findings] if name == "findings" else getattr(self, name)
            for name in fields
        }


@dataclass(frozen=True)
class Parameter:
    """One parameter of aclnn<Op>GetWorkspaceSize: its name in the definition and in C++, and what it takes."""

    name: str
    cpp_name: str
    kind: str  # "tensor" or "attribute"
    cpp_type: str


@dataclass(frozen=True)
class Built:
    """An operator directory, compiled for the host; kernels are compiled when a run first needs their dtypes."""

    directory: Path
    op: str
    product: dict
    harness: Path
    objects: tuple[Path, ...]  # of everything but the harness, for client programs
    description: dict
    parameters: tuple[Parameter, ...]
    aclnn_include: Path
    kernel_file: Path
    kernel_entry: Path
    mixed: bool  # blocks are groups of one cube core, not vector cores
    layouts: tuple[tiling_data.Layout, ...]
    tiling_header: Path | None

    @property
    def outputs(self) -> list[str]:
        return [port["name"] for port in self.description["outputs"]]

    @property
    def columns(self) -> int:
        return len(self.description["inputs"][0]["dtypes"])

    def column(self, dtypes: Mapping[str, str]) -> int | None:
        """The first dtype column of the definition that has these NumPy dtypes, None when there is none."""
        ports = [*self.description["inputs"], *self.description["outputs"]]
        for index in range(self.columns):
            if all(
                port["name"] not in dtypes or port["dtypes"][index] == _DTYPES[dtypes[port["name"]]][0]
                for port in ports
            ):
                return index
        return None

    def kernel(self, column: int, lines: bool = False) -> Path:
        """The shared object of the kernel for one dtype column; lines: which `callers` can read.

        Raises SourceError when it does not compile.
        """
        defines = []
        for port in [*self.description["inputs"], *self.description["outputs"]]:
            ge = port["dtypes"][column]
            name = port["name"].upper()
            defines += [
                f"-DDTYPE_{name}={_KERNEL_TYPES[ge]}",
                f"-DORIG_DTYPE_{name}={ge}",
                f"-DFORMAT_{name}=FORMAT_ND",
            ]
        unit = Unit(
            self.kernel_entry,
            (
                *toolchain.compiler().kernel_flags,
                *defines,
                f"-D__NPU_ARCH__={int(self.product['npu_arch'])}",
                f'-DASCGRAD_KERNEL_FILE="{self.kernel_file}"',
                f"-DASCGRAD_KERNEL_NAME={_snake(self.op)}",
                f"-I{_INCLUDE}",
                f"-I{self.directory / 'op_kernel'}",
                f"-I{self.directory}",
            ),
            self.directory,
        )
        return device.link(unit, int(self.product["npu_arch"]), lines=lines)

    def kernels(self, columns: Iterable[int], lines: bool = False) -> dict[int, Path]:
        """Several columns, compiled side by side. Raises SourceError."""
        wanted = sorted(set(columns))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(zip(wanted, pool.map(lambda column: self.kernel(column, lines), wanted), strict=True))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _camel(name: str) -> str:
    return name if name[:1].isupper() else "".join(part.capitalize() for part in name.split("_"))


def _host_sources(directory: Path, arch_folder: str) -> list[Path]:
    host = directory / "op_host"
    folders = [
        host,
        host / arch_folder,
        host / "op_tiling",
        host / "op_tiling" / arch_folder,
        host / "op_api",
        directory / "op_api",
    ]
    return [source for folder in folders for source in sorted(folder.glob("*.cpp"))]


def _parameters(header: Path, op: str, description: dict) -> tuple[Parameter, ...]:
    """The parameters of the first phase, read from its declaration."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", header.read_text(encoding="utf-8"), flags=re.DOTALL)
    match = re.search(rf"\baclnn{op}GetWorkspaceSize\s*\(([^)]*)\)", text)
    if match is None:
        raise SourceError([f"{header}:1: no declaration of aclnn{op}GetWorkspaceSize"])
    known = {port["name"] for group in ("inputs", "outputs") for port in description[group]}
    known |= {attr["name"] for attr in description["attrs"]}
    result = []
    for declaration in match[1].split(",")[:-2]:  # workspaceSize and executor come last
        cpp_type, cpp_name = re.match(r"\s*(.*?)(\w+)\s*$", declaration, re.DOTALL).groups()
        name = _snake(cpp_name)
        # gradXOut, weightOptional, gradWeightOutOptional, xRef are the interface's spellings of grad_x, weight, ...
        for suffix in ("_optional", "_out", "_ref"):
            if name not in known:
                name = name.removesuffix(suffix)
        kind = "tensor" if "aclTensor" in cpp_type else "attribute"
        result.append(Parameter(name, cpp_name, kind, " ".join(cpp_type.replace("*", " *").split())))
    return tuple(result)


def _figures(product: dict) -> str:
    lines = []
    for name, value in products.flatten(product).items():
        if isinstance(value, (bool, int, float)):
            lines.append(f"figure {name} {float(value)!r}")
        elif isinstance(value, str):
            lines.append(f"text {name} {value}")
    return "\n".join(lines) + "\n"


def runtime_units(names: Iterable[str]) -> list[Unit]:
    """Parts of the host runtime. Most run a few times a launch, the simulation of its cycles runs for every instruction."""
    return [Unit(_HERE / "runtime" / f"{name}.cpp", (f"-I{_INCLUDE}",), optimisation="-O2" if name == "placement" else "-O1") for name in names]


def build(directory: Path, product: dict, *, op: str, kernel_entry: Path | None = None) -> Built:
    """Compiles the host side of an operator directory in repository layout; what did not change comes from the cache.

    `op` is the operator's name in either spelling; `product` a dict of `products.load`.
    Raises SourceError for sources that do not compile, whose definition contradicts itself, its proto or the interface;
    ToolchainError when there is no compiler.
    """
    directory = Path(directory).resolve()
    op = _camel(op)
    snake = _snake(op)
    kernel_file = directory / "op_kernel" / f"{snake}{product['kernel_suffix']}.cpp"
    if not kernel_file.is_file():
        kernel_file = directory / "op_kernel" / f"{snake}.cpp"
    header = next((path for path in directory.glob(f"op_*/**/aclnn_{snake}.h")), None)
    sources = _host_sources(directory, product["arch_folder"])
    for what, found in (
        ("op_kernel entry", kernel_file.is_file()),
        ("op_api/aclnn header", header),
        ("op_host sources", sources),
    ):
        if not found:
            raise SourceError([f"{directory}:0: no {what} of {op}"])

    aclnn_header = toolchain.stored("interfaces", ".h", header.read_bytes(), f"aclnnop/aclnn_{snake}.h")
    aclnn_include = aclnn_header.parent.parent
    common = (
        f"-I{_INCLUDE}",
        f"-I{aclnn_include}",
        *(f"-I{directory / name}" for name in ("", "op_host", "op_api", "op_kernel")),
    )
    protos = "".join(
        f'#include "{path.relative_to(directory)}"\n' for path in sorted(directory.glob("op_graph/*_proto.h"))
    )
    # Host code runs a few times a launch: the compiler need not try hard.
    units = [Unit(source, common, directory, optimisation="-O1") for source in sources]
    if protos:
        units.append(Unit(toolchain.stored("protos", ".cpp", protos.encode()), common, directory, optimisation="-O1"))
    units += runtime_units(_RUNTIME)
    defines = (
        f'-DACLNN_HEADER="aclnnop/aclnn_{snake}.h"',
        f"-DACLNN_GET_WORKSPACE=aclnn{op}GetWorkspaceSize",
        f"-DACLNN_EXECUTE=aclnn{op}",
    )
    units += runtime_units(("harness",))
    units.append(Unit(_HERE / "runtime" / "interface.cpp", (*defines, f"-I{_INCLUDE}", f"-I{aclnn_include}"), optimisation="-O1"))
    objects = toolchain.compile_all(units)
    harness = toolchain.link(objects, ["-ldl"], "harness")

    described = _describe(harness, _figures(product), str(directory))
    problems = [f"{item['file']}:{item['line']}: {item['message']}" for item in described["problems"]]
    description = next((item for item in described["operators"] if item["type"] == op), None)
    if description is None:
        names = ", ".join(item["type"] for item in described["operators"])
        problems.append(f"{directory}:0: no OP_ADD({op}); the sources define {names or 'nothing'}")
    if problems:
        raise SourceError(problems)
    tiling_header = next(iter(sorted(directory.glob(f"op_kernel/**/{snake}_tiling_data.h"))), None)
    kernel_text = "".join(
        path.read_text(encoding="utf-8", errors="replace") for path in _kernel_texts(kernel_file, product)
    )
    return Built(
        directory=directory,
        op=op,
        product=product,
        harness=harness,
        objects=tuple(objects[:-2]),
        description=description,
        parameters=_parameters(header, op, description),
        aclnn_include=aclnn_include,
        kernel_file=kernel_file,
        kernel_entry=Path(kernel_entry or _HERE / "runtime" / "kernel_entry.cpp").resolve(),
        mixed=_CUBE.search(kernel_text) is not None,
        layouts=tuple(tiling_data.parse(tiling_header.read_text(encoding="utf-8"))) if tiling_header else (),
        tiling_header=tiling_header,
    )


def _kernel_texts(kernel_file: Path, product: dict) -> list[Path]:
    folder = kernel_file.parent
    return [kernel_file, *sorted(folder.glob("*.h")), *sorted((folder / product["arch_folder"]).glob("*.h"))]


@functools.lru_cache(maxsize=256)
def _describe(harness: Path, figures: str, directory: str) -> dict:
    manifest = toolchain.stored("manifests", ".txt", f"{figures}text directory {directory}\n".encode())
    done = subprocess.run(
        [harness, "--describe"], capture_output=True, text=True, env=os.environ | {"ASCGRAD_MANIFEST": str(manifest)}
    )
    if done.returncode != 0:
        raise SourceError(
            [f"{directory}:0: the definition cannot be read: {done.stderr.strip() or f'exit status {done.returncode}'}"]
        )
    return json.loads(done.stdout)


def _is_array(value: Any) -> bool:
    return hasattr(value, "__array_interface__")


def _dtype_name(array: Any) -> str:
    name = str(array.dtype)
    return "bfloat16" if name in ("|V2", "V2", "void16") else name


def _describe_tensor(name: str, value: Any) -> Tensor | None:
    if value is None or isinstance(value, Tensor):
        tensor = value
    elif _is_array(value):
        tensor = Tensor(tuple(value.shape), _dtype_name(value))
    else:
        raise RequestError(f"tensor {name}: got {type(value).__name__}, want an array, a Tensor or None")
    if tensor is not None and tensor.dtype not in _DTYPES:
        raise RequestError(f"tensor {name}: got dtype {tensor.dtype}, want one of {', '.join(_DTYPES)}")
    return tensor


def _widened(tensor: Tensor) -> Tensor:
    """The same tensor as a view of a storage whose last dimension is wider: a slice of columns."""
    if not tensor.shape:
        return tensor
    storage = (*tensor.shape[:-1], 2 * tensor.shape[-1] + 3)
    strides = [1] * len(storage)
    for axis in reversed(range(len(storage) - 1)):
        strides[axis] = strides[axis + 1] * storage[axis + 1]
    strides[-1] = 2
    return replace(tensor, strides=tuple(strides), offset=2, storage_shape=storage)


def _view(storage: Any, tensor: Tensor) -> Any:
    import numpy as np

    if tensor.strides is None and tensor.offset == 0 and tensor.storage == tuple(tensor.shape):
        return storage.reshape(tensor.shape)
    flat = storage.reshape(-1)[tensor.offset :]
    if 0 in tensor.shape:
        return flat[:0].reshape(tensor.shape)
    strides = tensor.strides
    if strides is None:
        strides, step = [], 1
        for dim in reversed(tensor.shape):
            strides.insert(0, step)
            step *= dim
    return np.lib.stride_tricks.as_strided(
        flat, tensor.shape, [stride * flat.itemsize for stride in strides], writeable=True
    )


def _numpy_dtype(name: str) -> Any:
    import numpy as np

    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def _mapped_file(array: Any) -> Path | None:
    """The file of an array that is one whole mapped file, which then need not be copied."""
    import numpy as np

    if isinstance(array, np.memmap) and array.filename and array.flags.c_contiguous and array.offset == 0:
        path = Path(array.filename)
        if path.is_file() and path.stat().st_size == array.nbytes:
            return path
    return None


class _Prepared:
    """One request as the harness reads it."""

    def __init__(self, built: Built, request: Request, folder: Path):
        for kind, given in (("tensor", request.tensors), ("attribute", request.attrs)):
            names = [item.name for item in built.parameters if item.kind == kind]
            for name in given:
                if name not in names:
                    raise RequestError(f"{kind} {name}: the interface has {', '.join(names) or 'none'}")
        for name in request.strided:
            if request.tensors.get(name) is None:
                raise RequestError(f"strided {name}: the request has no such tensor")
        self.built = built
        self.request = request
        self.tensors: dict[str, Tensor] = {}
        self.absent: list[str] = []
        self.lines: list[str] = []
        self._options()
        for parameter in built.parameters:
            if parameter.kind == "tensor":
                self._tensor(parameter.name, request.tensors.get(parameter.name), folder)
            else:
                self.lines.append(f"attr {self._attribute(parameter)}")
        if request.null:
            self.lines.append(f"null {request.null}")
        if request.twice:
            self.lines.append("twice")
        self.lines.append("end")
        self.column = built.column({name: tensor.dtype for name, tensor in self.tensors.items()})
        self.library: Path | None = None  # the kernel

    def _options(self) -> None:
        request = self.request
        if not re.fullmatch(r"forward|reverse|random:\d+", request.order):
            raise RequestError(f"order: got {request.order!r}, want forward, reverse or random:SEED")
        if request.cores is not None and request.cores < 1:
            raise RequestError(f"cores: got {request.cores}, want at least 1")
        options = {
            name: int(getattr(request, name))
            for name in ("auto_sync", "check", "unlisted", "deterministic", "phase1_only", "timeline", "numbers", "callers")
        }
        options |= {"order": request.order}
        if request.cores is not None:
            options["cores"] = request.cores
        if request.blocks:
            options["blocks"] = ",".join(map(str, request.blocks))
        if request.trace is not None:
            options["trace"] = Path(request.trace).resolve()
        self.lines += [f"option {name} {value}" for name, value in options.items()]

    def _attribute(self, parameter: Parameter) -> str:
        value = self.request.attrs.get(parameter.name)
        if value is None:
            known = next((attr for attr in self.built.description["attrs"] if attr["name"] == parameter.name), {})
            if "default" not in known:
                raise RequestError(f"attribute {parameter.name}: missing, and the definition has no default")
            return {"true": "1", "false": "0"}.get(known["default"], known["default"])
        if hasattr(value, "item"):  # a scalar of NumPy
            value = value.item()
        number = isinstance(value, (int, float))
        if "Array" in parameter.cpp_type:
            wanted, fits = "a list", isinstance(value, (list, tuple))
        elif "char" in parameter.cpp_type:
            wanted, fits = "a text", isinstance(value, str)
        elif re.search(r"\b(?:double|float)\b", parameter.cpp_type):
            wanted, fits = "a number", number
        else:
            wanted, fits = "an integer", number and value == value // 1
        if not fits:
            raise RequestError(f"attribute {parameter.name}: got {value!r}, want {wanted}")
        if isinstance(value, (list, tuple)):
            return ",".join(map(str, value)) or "-"
        return str(int(value) if wanted == "an integer" else value)

    def _tensor(self, name: str, value: Any, folder: Path) -> None:
        tensor = _describe_tensor(name, value)
        if tensor is None:
            self.absent.append(name)
            self.lines.append(f"tensor {name} null")
            return
        output = name in self.built.outputs
        if name in self.request.strided:
            tensor = _widened(tensor)
        source = "none"
        if not self.request.phase1_only:
            if output and self.request.numbers:
                tensor = self._output_file(name, tensor, folder)
            elif _is_array(value):
                tensor = self._input_file(name, tensor, value, folder)
            source = f"file {tensor.path}" if tensor.path else "zero"
        self.tensors[name] = tensor

        def text(numbers: Sequence[int] | None) -> str:
            return ",".join(map(str, numbers)) if numbers else "-"

        self.lines.append(
            f"tensor {name} {tensor.dtype} {'out' if output else 'in'} {text(tensor.shape)} {text(tensor.strides)} "
            f"{tensor.offset} {text(tensor.storage)} {source}"
        )

    def _output_file(self, name: str, tensor: Tensor, folder: Path) -> Tensor:
        path = Path(tensor.path or folder / f"{name}.bin").resolve()
        with open(path, "wb") as file:
            # Whole pages: the system clears what lies between a file's end and its page's end whenever it writes the page.
            file.truncate(_bytes(tensor) if tensor.path else -(-_bytes(tensor) // mmap.PAGESIZE) * mmap.PAGESIZE)
        return replace(tensor, path=path)

    def _input_file(self, name: str, tensor: Tensor, array: Any, folder: Path) -> Tensor:
        import numpy as np

        mapped = None if tensor.strides else _mapped_file(array)
        if mapped:
            return replace(tensor, path=mapped.resolve())
        path = folder / f"{name}.bin"
        if tensor.strides:
            # What lies between the elements is NaN or -1: reading it shows.
            storage = np.full(_bytes(tensor), 0xFF, np.uint8).view(_numpy_dtype(tensor.dtype))
            _view(storage, tensor)[...] = array.view(storage.dtype)
        else:
            storage = np.ascontiguousarray(array)
        path.write_bytes(storage.reshape(-1).view(np.uint8).data)
        return replace(tensor, path=path)

    def result(self, data: dict) -> Result:
        built = self.built
        findings = read_findings(data.get("findings", ()), self.library, built.directory, self.absent)
        if "crash" in data:
            message = f"the host code {data['crash']} in phase {data['phase']}"
            return Result(None, data["phase"], message, [Finding("crash", "", 0, message)])
        launch = next((item for item in data["launches"] if item["op"] == built.op), None)
        tiling = None
        if launch:
            raw = bytes.fromhex(launch["tiling"])
            layout = next((item for item in reversed(built.layouts) if item.size == len(raw)), None)
            if layout:
                tiling = layout.decode(raw)
                for entry in layout.unwritten(raw):
                    findings.append(
                        Finding(
                            "tiling",
                            str(built.tiling_header),
                            entry.line,
                            f"the tiling function never writes {entry.name}",
                        )
                    )
        counters = _nested(data["counters"])
        result = Result(
            status=data["status"],
            phase=data["phase"],
            message=data["message"],
            findings=findings,
            block_dim=launch and launch["block_dim"],
            tiling_key=launch and launch["tiling_key"],
            schedule_mode=launch and launch["schedule_mode"],
            workspace_bytes=data["workspace_bytes"],
            tiling=tiling,
            cycles=counters.pop("cycles", None),
            counters=counters or None,
            log=data["log"],
            launches=data["launches"],
            second_status=data.get("second_status"),
        )
        if data["status"] == 0 and not self.request.phase1_only and self.request.numbers:
            result.outputs = {name: read_output(self.tensors[name]) for name in built.outputs if name in self.tensors}
        return result


def read_output(tensor: Tensor) -> Any:
    """The content of an output's file, as an array of its shape."""
    import numpy as np

    dtype = _numpy_dtype(tensor.dtype)
    if _bytes(tensor) == 0:
        return np.zeros(tensor.shape, dtype)
    storage = np.memmap(tensor.path, np.uint8, "r+", shape=(_bytes(tensor),)).view(dtype)  # the mapping outlives a temporary file
    view = _view(storage, tensor)
    return np.array(view) if _bytes(tensor) <= _SMALL else view


def _bytes(tensor: Tensor) -> int:
    total = _numpy_dtype(tensor.dtype).itemsize
    for dim in tensor.storage:
        total *= max(dim, 0)
    return total


def _nested(counters: dict[str, float]) -> dict[str, Any]:
    """ "paths.gm_to_ub": 1 becomes {"paths": {"gm_to_ub": 1}}; counts are whole numbers."""
    result: dict[str, Any] = {}
    for name, value in counters.items():
        *groups, leaf = name.split(".")
        target = result
        for group in groups:
            target = target.setdefault(group, {})
        target[leaf] = int(value) if float(value).is_integer() else value
    return result


def emulate(
    built: Built,
    tensors: Mapping[str, Any] | Iterable[tuple[str, Any]],
    attrs: Mapping[str, Any] | None = None,
    *,
    timeout: float | None = None,
    **options: Any,
) -> Result:
    """Calls the operator once through aclnn.

    `tensors` maps the names of the definition to arrays (inputs), `Tensor`s (outputs and described inputs) or None for
    a null pointer; a missing name is a null pointer too. `attrs` that are missing take the default of the definition.
    `options` are the fields of `Request`.
    Raises RequestError for names and values that the interface does not have; SourceError when the kernel does not
    compile.
    What the operator itself refuses is a status in the result.
    """
    return emulate_many(built, [Request(dict(tensors), dict(attrs or {}), **options)], timeout=timeout)[0]


def emulate_many(built: Built, requests: Iterable[Request], *, timeout: float | None = None) -> list[Result]:
    """Calls the operator for each request, in one process as long as nothing crashes.

    `timeout` in seconds ends a process that hangs: a finding of kind "timeout".
    Raises as `emulate`.
    """
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="ascgrad-") as temporary:
        folder = Path(temporary)
        prepared = []
        for index, request in enumerate(requests):
            own = folder / str(index)
            if not request.phase1_only:
                own.mkdir()
            prepared.append(_Prepared(built, request, own))
        columns = {item.column for item in prepared if item.column is not None and not item.request.phase1_only}
        manifest = folder / "manifest"
        kernels = built.kernels(columns, any(item.request.callers for item in prepared))
        for item in prepared:
            item.library = kernels.get(item.column)
        manifest.write_text(_manifest(built) + "".join(f"kernel {column} {path}\n" for column, path in kernels.items()))
        while len(results) < len(prepared):
            pending = prepared[len(results) :]
            results += _serve(built, pending, manifest, folder, timeout)
    return results


def _manifest(built: Built) -> str:
    return f"{_figures(built.product)}text directory {built.directory}\nmixed {int(built.mixed)}\n"


def _serve(
    built: Built, prepared: Sequence[_Prepared], manifest: Path, folder: Path, timeout: float | None
) -> list[Result]:
    """The results of one process: all of them, or those up to the first crash."""
    request_file, result_file = folder / "requests", folder / "results"
    request_file.write_text("".join(line + "\n" for item in prepared for line in item.lines))
    result_file.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASCGRAD_")}
    environment["ASCGRAD_MANIFEST"] = str(manifest)
    hung, stderr, code = False, "", 0
    try:
        done = subprocess.run(
            [built.harness, request_file, result_file],
            env=environment,
            timeout=timeout,
            capture_output=True,
            text=True,
            errors="replace",
        )
        stderr, code = done.stderr, done.returncode
    except subprocess.TimeoutExpired:
        hung = True
    lines = result_file.read_text().splitlines() if result_file.exists() else []
    results = [item.result(json.loads(line)) for item, line in zip(prepared, lines, strict=False)]
    if len(results) < len(prepared) and (not results or results[-1].status is not None):
        if hung:
            message = f"no result after {timeout:g} s"
            results.append(Result(None, "run", message, [Finding("timeout", "", 0, message)]))
        elif code == 2:
            raise RequestError(stderr.strip())
        else:
            message = f"the process ended with {f'signal {-code}' if code < 0 else f'exit status {code}'}"
            results.append(Result(None, "run", message, [Finding("crash", "", 0, message)]))
    return results


@dataclass(frozen=True)
class ClientResult:
    """What a client program did. `status` is its exit status, or 1 when it ended well and left findings."""

    status: int
    stdout: str
    stderr: str
    findings: list[Finding]

    def __iter__(self):
        return iter((self.status, self.stdout, self.stderr, self.findings))


def run_client(
    built: Built, client: Path, arguments: Sequence[str] = (), *, timeout: float | None = None, **options: Any
) -> ClientResult:
    """Compiles a program that calls the operator through acl/acl.h and aclnnop/aclnn_<op>.h, and runs it.

    `options` are those of `Request` that describe the machine: cores, order, blocks, auto_sync, check, unlisted.
    Kernels are compiled when the program first launches them.
    Raises SourceError when the program does not compile or link; subprocess.TimeoutExpired after `timeout` seconds.
    """
    client = Path(client).resolve()
    unit = Unit(client, (f"-I{_INCLUDE}", f"-I{built.aclnn_include}", f"-I{client.parent}"), optimisation="-O1")
    program = toolchain.link([*built.objects, toolchain.compile_unit(unit)], ["-ldl"], "client")
    request = Request({}, {}, **options)
    settings = {name: int(getattr(request, name)) for name in ("auto_sync", "check", "unlisted", "deterministic")}
    settings |= {"timeline": 0, "order": request.order, "cores": request.cores, "blocks": ",".join(map(str, request.blocks))}
    with tempfile.TemporaryDirectory(prefix="ascgrad-") as temporary:
        folder = Path(temporary)
        order = folder / "build.json"
        order.write_text(
            json.dumps(
                {
                    "directory": str(built.directory),
                    "op": built.op,
                    "product": built.product,
                    "kernel_entry": str(built.kernel_entry),
                }
            )
        )
        kernels = ""
        for column in range(built.columns):
            target = folder / f"kernel{column}.so"
            words = [sys.executable, "-m", "compiler.emulator.run", str(order), str(column), str(target)]
            command = f"PYTHONPATH={shlex.quote(str(_HERE.parent.parent))} {shlex.join(words)}"
            kernels += f"kernel {column} {target}\ncommand {column} {command}\n"
        manifest = folder / "manifest"
        manifest.write_text(_manifest(built) + kernels)
        report = folder / "report"
        environment = os.environ | {
            "ASCGRAD_MANIFEST": str(manifest),
            "ASCGRAD_REPORT": str(report),
            "ASCGRAD_OPTIONS": "\n".join(
                f"{name} {value}" for name, value in settings.items() if value not in (None, "")
            ),
        }
        done = subprocess.run(
            [program, *arguments], env=environment, capture_output=True, text=True, errors="replace", timeout=timeout
        )
        lines = report.read_text().splitlines() if report.exists() else []
    findings = read_findings([json.loads(line) for line in lines], program, built.directory)
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return ClientResult(status or int(bool(findings)), done.stdout, done.stderr, findings)


def _build_kernel(order: str, column: str, target: str) -> int:
    """What a client program calls when it launches a kernel that is not compiled yet."""
    data = json.loads(Path(order).read_text())
    try:
        built = build(Path(data["directory"]), data["product"], op=data["op"], kernel_entry=Path(data["kernel_entry"]))
        os.symlink(built.kernel(int(column)), target)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_build_kernel(*sys.argv[1:]))
