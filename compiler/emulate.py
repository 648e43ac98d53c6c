"""Running an operator on the emulator: a fresh emission or a directory of the user's, one request or many."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compiler.emulator import run as runner
from compiler.emulator import toolchain
from compiler.request import Request, RequestError
from ir.interface import Operator


@dataclass
class Outcome:
    """What `ascgrad emulate` prints. result: of `compiler.emulator.run`; report: the verdict, where one was asked for."""

    result: runner.Result
    report: object | None = None
    outputs: dict = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The aclnn status; -1 where the host code crashed."""
        return -1 if self.result.status is None else self.result.status

    @property
    def holds(self) -> bool:
        return self.status == 0 and not self.result.findings and (self.report is None or self.report.ok)

    def to_json(self) -> dict:
        data = self.result.to_json()
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
            status = "crashed" if r.status is None else f"status {r.status}"
            return "\n".join([f"{status} in {r.phase}: {r.message}", *map(str, r.findings)])
        lines = [f"block dim {r.block_dim}, tiling key {r.tiling_key}, workspace {r.workspace_bytes} bytes"]
        c = r.counters or {}
        lines.append(f"GM read {c.get('gm_read_bytes', 0)} bytes, written {c.get('gm_write_bytes', 0)}; "
                     f"{c.get('vector_instructions', 0)} vector instructions; UB peak {c.get('peak', {}).get('ub', 0)} bytes")
        lines += [str(f) for f in r.findings] or ["no finding"]
        if self.report is not None:
            for o in self.report.outputs:
                figures = "" if o.rms is None else f"RMS error {o.rms:.3g}"
                lines.append(f"{o.output}: {'right' if o.ok else 'WRONG'} {figures}".rstrip())
            lines += [str(m) for m in self.report.misses]
        return "\n".join(lines)


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
    if sources is not None and not Path(sources).is_dir():
        raise RequestError(f"--sources: {sources} is no directory")
    return runner.build(Path(sources) if sources else sources_of(operator, product), product, op=operator.interface.name)


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
                    check: bool = False, unlisted: bool = False) -> Outcome:
    """One call; judged against the exact interpretation where `check` asks for it."""
    call = emulator_request(request, cores=cores, order=order, blocks=tuple(blocks), strided=tuple(strided), auto_sync=auto_sync,
                            unlisted=unlisted)
    result = runner.emulate_many(built(operator, product, sources), [call])[0]
    outcome = Outcome(result, outputs=result.outputs)
    if check and result.status == 0:
        outcome.report = request.judge(result.outputs)
    return outcome


def emulate_requests(operator: Operator, product: dict, requests: Iterable[runner.Request], sources=None) -> list[runner.Result]:
    """Many calls in one process."""
    return runner.emulate_many(built(operator, product, sources), requests)


def emulate_client(operator: Operator, product: dict, client: str, sources=None) -> tuple[int, str, str]:
    """(exit status, standard output, standard error) of a program that calls the operator through acl and aclnn."""
    if not Path(client).is_file():
        raise RequestError(f"--client: {client} is no file")
    outcome = runner.run_client(built(operator, product, sources), Path(client))
    status = outcome.status if not outcome.findings else outcome.status or 1
    return status, outcome.stdout, outcome.stderr


def parse_blocks(text: str | None) -> list[int]:
    """``63`` or ``0,5-7`` as block indices. Raises RequestError."""
    if text is None:
        return []
    blocks: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdigit() or (dash and not high.isdigit()) or (dash and int(high) < int(low)):
            raise RequestError(f"--blocks: got {text}, wants a list such as 63 or 0,5-7")
        blocks += range(int(low), int(high if dash else low) + 1)
    return blocks
