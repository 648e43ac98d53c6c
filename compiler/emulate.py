"""Running an operator on the emulator: a fresh emission or a directory of the user's, one request or many."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

from compiler.emulator import callers, toolchain
from compiler.emulator import run as runner
from compiler.request import Request, RequestError
from compiler.roof import Roof, roof_of_launch, roof_of_request
from ir.interface import Operator


@dataclass
class Outcome:
    """What `ascgrad emulate` prints. result: of `compiler.emulator.run`; report: the verdict, where one was asked for."""

    result: runner.Result
    report: object | None = None
    outputs: dict = field(default_factory=dict)
    roof: Roof | None = None
    spellings: dict[str, str] = field(default_factory=dict)
    """How emitted code spells a parameter -> how the user does."""

    @property
    def status(self) -> int:
        """The aclnn status; -1 where the host code crashed."""
        return -1 if self.result.status is None else self.result.status

    @property
    def holds(self) -> bool:
        return self.status == 0 and not self.result.findings and (self.report is None or self.report.ok)

    @property
    def exit_status(self) -> int:
        """0 fine, 1 something does not hold (a crash too), 2 the operator refused the call."""
        return 2 if self.status > 0 else int(not self.holds)

    @property
    def message(self) -> str:
        """The operator's message, with parameters as the user spells them."""
        return re.sub(r"[A-Za-z_]\w*", lambda m: self.spellings.get(m[0], m[0]), " ".join(self.result.message.split()))

    def status_line(self) -> str:
        """A refusal or a crash in one line."""
        r = self.result
        return f"crashed in {r.phase}: {self.message}" if r.status is None else f"status {r.status} in {r.phase}: {self.message}"

    def to_json(self) -> dict:
        data = self.result.to_json() | {"message": self.message}
        if self.roof is not None:
            data["roof"] = self.roof.to_json(self.result.cycles["total"])
        if self.report is not None:
            data["precision"] = {
                "ok": self.report.ok,
                "outputs": {o.output: {"dtype": o.dtype, "elements": o.elements, "rms": o.rms, "worst": o.worst, "mere": o.mere,
                                       "mare": o.mare, "ok": o.ok} for o in self.report.outputs},
                "misses": [str(m) for m in self.report.misses],
            }
        return data

    def to_text(self) -> str:
        r = self.result
        if r.status != 0:
            return "\n".join([self.status_line(), *map(str, r.findings)])
        lines = [f"block dim {r.block_dim}, tiling key {r.tiling_key}, workspace {r.workspace_bytes} bytes"]
        c = r.counters or {}
        lines.append(f"GM read {c.get('gm_read_bytes', 0)} bytes, written {c.get('gm_write_bytes', 0)}; "
                     f"{c.get('vector_instructions', 0)} vector instructions; UB peak {c.get('peak', {}).get('ub', 0)} bytes")
        if self.roof is not None:
            lines.append(f"modelled {cycles_text(r.cycles['total'], self.roof)}")
        lines += [str(f) for f in r.findings] or ["no finding"]
        if self.report is not None:
            lines += map(str, self.report.outputs)
            if self.report.by_operands:
                lines.append("a documented limit is below what the 16-bit operands of the products cost in float64: judged by 1.5 times that too")
            lines += [str(m) for m in self.report.misses]
            lines += self.report.remarks
        return "\n".join(lines)


def cycles_text(cycles: float, roof: Roof) -> str:
    """Cycles beside their roof, for people."""
    ratio = roof.ratio(cycles)
    return f"{cycles:.0f} cycles; roof {roof.cycles:.0f} ({roof.bound})" + ("" if ratio is None else f", ratio {ratio:.2f}")


def sources_of(operator: Operator, product: dict) -> Path:
    """A fresh emission for one product, in the cache: a directory named after its content."""
    from compiler.emit.operator import emit

    files = emit(operator, {product["name"]: _schedule(operator, product)})
    key = toolchain.digest(*(f"{p}\0{t}\0" for p, t in sorted(files.items())))
    folder = toolchain.cache_directory() / "emitted" / f"{operator.interface.snake}-{key[:16]}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent))
        for path, text in files.items():
            target = temporary / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        try:
            os.rename(temporary, folder)
        except OSError:  # another process was faster
            shutil.rmtree(temporary, ignore_errors=True)
    return folder


_schedules: dict[tuple[int, str], tuple] = {}


def _schedule(operator: Operator, product: dict):
    from compiler.pipeline import compile_operator

    key = (id(operator), repr(sorted(product.items(), key=str)))
    if key not in _schedules:
        _schedules[key] = (operator, compile_operator(operator, product).schedule)
    return _schedules[key][1]


def built(operator: Operator, product: dict, sources: str | Path | None = None) -> runner.Built:
    """The compiled sources. Raises SourceError with file and line where they do not compile."""
    if sources is not None:
        folder, snake = Path(sources), operator.interface.snake
        if not folder.is_dir():
            raise RequestError(f"--sources: got {sources}, which is no directory")
        parts = {f"op_kernel/{snake}*.cpp": folder.glob(f"op_kernel/{snake}*.cpp"), "op_host/*.cpp": folder.glob("op_host/**/*.cpp"),
                 f"op_api/aclnn_{snake}.h": folder.glob(f"op_*/**/aclnn_{snake}.h")}
        missing = [name for name, found in parts.items() if not any(found)]
        if missing:
            raise RequestError(f"--sources: got {sources}, which has no {missing[0]}, wants the directory of {operator.name}")
    return runner.build(Path(sources) if sources else sources_of(operator, product), product, op=operator.interface.name)


def _with_callers(result: runner.Result, order: str, repeat: Callable[[str], runner.Result]) -> list:
    """The findings, with the calls behind those of a line of the kernel.

    order: of the cores in that run. repeat: runs the same again in an order, with `callers`. A hazard of two cores is placed at the
    lower one's access, whose calls only an order in which it comes last can tell.
    """
    findings, other = result.findings, "reverse" if order == "forward" else "forward"
    for again, wanted in ((order, lambda f: f.line), (other, lambda f: f.kind == "hazard" and f.line and not f.called_at)):
        if callers.available() and any(map(wanted, findings)):
            findings = runner.with_callers(findings, repeat(again).findings)
    return findings


def emulator_request(request: Request, **options) -> runner.Request:
    """The call as the emulator takes it: inputs as given, outputs of the shapes and dtypes that go with them."""
    specs = request.specs
    tensors: dict = dict(request.binding.arrays)
    for t in request.operator.interface.outputs:
        spec = specs.get(t.name)
        tensors[t.name] = None if spec is None else runner.Tensor(tuple(spec[0]), spec[1])
    return runner.Request(tensors, request.binding.attributes, **options)


def emulate_request(operator: Operator, product: dict, request: Request, *, sources=None, cores: int | None = None,
                    order: str = "forward", blocks: Sequence[int] = (), strided: Sequence[str] = (), auto_sync: bool = True,
                    check: bool = False, unlisted: bool = False, trace: str | Path | None = None) -> Outcome:
    """One call; judged against the exact interpretation where `check` asks for it. trace: where its timeline goes."""
    call = emulator_request(request, cores=cores, order=order, blocks=tuple(blocks), strided=tuple(strided), auto_sync=auto_sync,
                            unlisted=unlisted, trace=trace)
    for name in strided:
        if call.tensors.get(name) is None:
            raise RequestError(f"--strided: got {name}, which this call does not have")
    made = built(operator, product, sources)
    result = runner.emulate_many(made, [call])[0]
    if result.block_dim is not None and blocks and max(blocks) >= result.block_dim:
        raise RequestError(f"--blocks: got {max(blocks)}, wants at most {result.block_dim - 1}: tiling makes {result.block_dim} blocks")
    _judge_blocks(result.findings)
    result.findings = _with_callers(
        result, order, lambda again: runner.emulate_many(made, [replace(call, order=again, callers=True, timeline=False, trace=None)])[0])
    spellings = {t.camel: t.name for t in (*operator.interface.tensors, *operator.interface.attributes)}
    outcome = Outcome(result, outputs=result.outputs, spellings=spellings)
    if result.status == 0 and result.cycles and not blocks:
        outcome.roof = roof_of_request(operator, product, request)
    if trace is not None and result.status == 0 and not result.launches:
        Path(trace).write_text('{"traceEvents": []}\n', encoding="utf-8")
    if check and result.status == 0:
        outcome.report = request.judge(result.outputs)
    return outcome


def emulate_requests(operator: Operator, product: dict, requests: Iterable[runner.Request], sources=None) -> list[runner.Result]:
    """Many calls in one process."""
    return runner.emulate_many(built(operator, product, sources), requests)


@dataclass(frozen=True)
class ClientOutcome:
    """What a program that calls the operator did. exit_status: its own, or 1 where findings are all that is wrong."""

    exit_status: int
    stdout: str
    stderr: str
    findings: list

    @property
    def holds(self) -> bool:
        return self.exit_status == 0 and not self.findings

    def to_json(self) -> dict:
        return {"status": self.exit_status, "stdout": self.stdout, "stderr": self.stderr,
                "findings": [asdict(f) for f in self.findings]}


def emulate_client(operator: Operator, product: dict, client: str, sources=None, **machine) -> ClientOutcome:
    """Compiles and runs a program that calls the operator through acl and aclnn. Raises SourceError."""
    if not Path(client).is_file():
        raise RequestError(f"--client: got {client}, which is no file")
    outcome = runner.run_client(built(operator, product, sources), Path(client), **machine)
    return ClientOutcome(outcome.status, outcome.stdout, outcome.stderr, outcome.findings)


def parse_kernel(text: str) -> tuple[str, str | None]:
    """(file, entry or None) of ``FILE.cpp[:ENTRY]``; a file whose own name has a colon is a file."""
    file, colon, entry = text.rpartition(":")
    return (file, entry) if colon and not Path(text).is_file() else (text, None)


def emulate_kernel(file: str, soc: str | None, soc_version: str | None = None, *, inputs: str | None = None, outputs: Sequence[str] = (),
                   block_dim: int | None = None, workspace: int | None = None, tiling: str | None = None, defines: Sequence[str] = (),
                   order: str = "forward", blocks: str | None = None, auto_sync: bool = True, trace: str | None = None) -> Outcome:
    """One launch of a kernel that nobody generated.

    file: FILE.cpp, or FILE.cpp:ENTRY where it has several entries. workspace: bytes. Raises RequestError, one line, and SourceError for code
    that does not compile.
    """
    from compiler import products
    from compiler.emulator import kernel as kernels
    from ir.inputs import load_npz

    file, entry = parse_kernel(file)
    if not Path(file).is_file():
        raise RequestError(f"--kernel: got {file}, which is no file")
    if soc is None:
        raise RequestError(f"--soc: missing, wants one of {', '.join(products.names())}, or the path of a product file")
    if block_dim is None:
        raise RequestError("--block-dim: missing, wants the number of blocks to launch")
    try:
        product = products.load(soc, soc_version)
    except products.ProductError as error:
        raise RequestError(f"--soc: {error}") from None
    arrays = load_npz(inputs) if inputs is not None else {}
    if inputs is not None and not arrays:
        raise RequestError(f"--inputs: got {inputs}, which has no arrays")
    wanted = dict(map(parse_output, outputs))
    macros = dict(map(_parse_define, defines))
    data = _tiling_bytes(tiling) if tiling is not None else None
    built = kernels.build(Path(file), product, {n: runner._dtype_name(a) for n, a in arrays.items() if runner._dtype_name(a) in runner._DTYPES}
                          | {n: t.dtype for n, t in wanted.items()}, macros, entry)
    if block_dim > built.most_blocks:
        what = f"the cube cores of {product['soc_version']}" if built.mixed else "the blocks that one launch may have"
        raise RequestError(f"--block-dim: got {block_dim}, wants 1 to {built.most_blocks}, {what}")
    if trace is not None and block_dim > built.cores:
        raise RequestError(f"--trace: got --block-dim {block_dim} beside it, wants at most {built.cores} blocks, which all run at once")
    launch = partial(kernels.launch, built, arrays, wanted, block_dim=block_dim, workspace=workspace, tiling=data,
                     blocks=parse_blocks(blocks, block_dim), auto_sync=auto_sync)
    result = launch(order=order, trace=trace)
    _judge_blocks(result.findings)
    result.findings = _with_callers(result, order, lambda again: launch(order=again, callers=True))
    outcome = Outcome(result, outputs=result.outputs)
    if result.cycles and not blocks:
        given = {n: a.nbytes for n, a in arrays.items()} | {n: runner._bytes(t) for n, t in wanted.items()}
        both = sum(arrays[n].nbytes for n in wanted if n in arrays)  # read and written
        outcome.roof = roof_of_launch(product, sum(given.values()) + both, result.cycles)
    return outcome


def parse_output(text: str) -> tuple[str, runner.Tensor]:
    """``y=float32[3,4]`` as name and tensor; no dimension stands for one element. Raises RequestError."""
    match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*=\s*(\w+)\s*\[([\d\s,]*)\]\s*", text)
    if match is None:
        raise RequestError(f"--output: got {text}, wants NAME=DTYPE[DIM,...], as in y=float32[3,4]")
    name, dtype, dims = match.groups()
    if dtype not in runner._DTYPES:
        raise RequestError(f"--output: got {text}, whose dtype {dtype} is none of {', '.join(runner._DTYPES)}")
    return name, runner.Tensor(tuple(int(d) for d in dims.split(",") if d.strip()), dtype)


def _parse_define(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise RequestError(f"--define: got {text}, wants NAME=VALUE")
    return name, value


def _tiling_bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise RequestError(f"--tiling: {path} cannot be read: {error.strerror}") from None


def failure(phase: str, message: str, lines: Sequence[str]) -> dict:
    """The object of `emulate --json` for a request that never reached the operator; lines: compiler errors."""
    findings = []
    for line in lines:
        place = re.match(r"(.*?):(\d+): (.*)", line)
        findings.append(runner.Finding("compile", place[1], int(place[2]), place[3]) if place else runner.Finding("compile", "", 0, line))
    return runner.Result(None, phase, message, findings).to_json()


def judge_order(text: str) -> None:
    if not re.fullmatch(r"forward|reverse|random:\d{1,18}", text):
        raise RequestError(f"--order: got {text}, wants forward, reverse or random:SEED")


def _judge_blocks(findings: Iterable[runner.Finding]) -> None:
    """Refuses a part of the blocks where those that run wait for those that do not."""
    for finding in findings:
        if finding.kind == "blocks":
            raise RequestError(f"--blocks: got a part of the blocks, wants all of them: {finding.message} ({Path(finding.file).name}:{finding.line})")


def parse_blocks(text: str | None, most: int) -> list[int]:
    """``63`` or ``0,5-7`` as block indices below `most`. Raises RequestError."""
    if text is None:
        return []
    blocks: set[int] = set()
    for part in text.split(","):
        numbers = re.fullmatch(r"\s*([0-9]+)(?:-([0-9]+))?\s*", part)
        low, high = (int(numbers[1]), int(numbers[2] or numbers[1])) if numbers else (1, 0)
        if high < low:
            raise RequestError(f"--blocks: got {text}, wants a list such as 63 or 0,5-7")
        if high >= most:
            raise RequestError(f"--blocks: got {text}, wants blocks below {most}, their number")
        blocks.update(range(low, high + 1))
    return sorted(blocks)
