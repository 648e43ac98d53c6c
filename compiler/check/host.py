"""What the host tiling of a directory answers, evaluated from its text for sampled calls."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

from compiler.check.cpp import Function, Unreadable
from compiler.check.machine import UNKNOWN, Machine, Object, Place
from compiler.check.sources import Sources
from compiler.emit.context import MEMORIES
from compiler.emit.facts import TILING_SOC

SIZES = (1, 16, 64, 512, 2560, 4800)
"""Values of sizes of a call; rows take ROWS. The host refuses what does not fit."""
ROWS = (0, 1, 7, 1000, 131073)
DTYPE_BYTES = {"FLOAT16": 2, "BF16": 2, "FLOAT": 4}


@dataclass
class Answer:
    """One evaluated call: what the tiling function set. blocks and locals: values by name, for the budget; workspaces: bytes."""

    product: dict
    sample: dict
    dtype_bytes: int
    key: int | None = None
    key_line: int = 0
    block_dim: int | None = None
    schedule_mode: int = 0
    schedule_line: int = 0
    workspaces: list = field(default_factory=list)
    fields: dict = field(default_factory=dict)
    struct: str = ""
    blocks: list = field(default_factory=list)
    locals: dict = field(default_factory=dict)
    function: Function | None = None

    @property
    def text(self) -> str:
        shown = [f"{n}={v}" for n, v in self.sample.items() if isinstance(v, (int, float)) and n != "dtypeBytes"]
        given = [n for n, v in self.sample.items() if isinstance(v, Object)]
        return f"{', '.join(shown)}, {8 * self.dtype_bytes}-bit" + (f", with {', '.join(given)}" if given else "")


def answers(sources: Sources, product: dict) -> list[Answer]:
    """Answers to calls of every set of options, every width of dtypes and a few sizes; refused ones are left out.

    Raises Unreadable where the tiling function cannot be evaluated.
    """
    tiling = registered(sources)
    return [answer for sample in samples(sources, tiling) if (answer := ask(sources, product, tiling, sample)) is not None]


def registered(sources: Sources) -> Function:
    """The function that IMPL_OP_OPTILING registers. Raises Unreadable."""
    file = sources.tiling_file
    named = re.search(r"\.Tiling\s*\(\s*(\w+)\s*\)", sources.code(file))
    functions = sources.host.functions.get(named[1], []) if named else []
    if not functions:
        raise Unreadable("no tiling function is registered by IMPL_OP_OPTILING(...).Tiling(...)", file, 1)
    return functions[0]


def samples(sources: Sources, tiling: Function) -> list[dict]:
    """Members of the struct Request: name -> value."""
    request = sources.host.classes.get("Request")
    if request is None:
        raise Unreadable("there is no struct Request of what a call asks for", tiling.file, tiling.line)
    names = {n: kind for n, (kind, _, _) in request.members.items()}
    defaults = Machine(sources.host).make("Request").members
    read = set(re.findall(r"\brequest\s*\.\s*(\w+)", "".join(
        " ".join(t.text for t in f.body) for fs in sources.host.functions.values() for f in fs if not _fills(f))))
    pointers = [n for n, kind in names.items() if "*" in kind and n in read]
    inputs = {p.camel for p in sources.ports if p.role == "input" and p.optional}
    optional = [n for n in pointers if n in inputs]
    switches = [n for n, kind in names.items() if n in read and re.search(r"\b(float|double|bool)$", kind)]
    integers = [n for n, kind in names.items() if re.search(r"int\d*_t$|\bint$", kind)]
    symbols = [n for n in integers if n not in ("dtypeBytes", "T")]
    widths = sorted({DTYPE_BYTES[d] for p in sources.ports[:1] for d in p.dtypes if d in DTYPE_BYTES})
    found = []
    for chosen in itertools.product((False, True), repeat=len(optional) + len(switches)):
        given = dict(zip(optional + switches, chosen))
        for width in widths:
            for i, rows in enumerate(ROWS):
                for j, size in enumerate(SIZES if i in (1, 3) else SIZES[2:3]):
                    values = {n: Object("gert::Shape") if given.get(n, True) else None for n in pointers}
                    values |= {n: _switched(defaults.get(n), given[n]) for n in switches}
                    values |= {n: size if k == 0 else SIZES[(j + k) % 4] for k, n in enumerate(symbols)}
                    found.append(values | {"T": rows, "dtypeBytes": width})
    return found


def _switched(default, on: bool):
    if isinstance(default, bool):
        return not default if on else default
    return (7.0 if on else default) if isinstance(default, (int, float)) else UNKNOWN


def _fills(function: Function) -> bool:
    """Whether a function reads the call into a Request or judges it, which samples take the place of."""
    return any(re.search(r"\bRequest &$", kind) and reference for kind, _, reference in function.parameters)


def ask(sources: Sources, product: dict, tiling: Function, sample: dict) -> Answer | None:
    """The answer to one call, None where it is refused. Raises Unreadable."""
    answer = Answer(product, sample, sample["dtypeBytes"])
    unit = sources.host

    def hook(holder, name, values, places, templates, items, line, reader):
        if name == "GetTilingData":
            answer.struct = templates[0].split("::")[-1] if templates else ""
            made = Object(answer.struct, answer.fields)
            return made
        if name == "SetTilingKey":
            answer.key, answer.key_line = values[0], line
        elif name == "SetBlockDim":
            answer.block_dim = values[0]
        elif name == "SetScheduleMode":
            answer.schedule_mode, answer.schedule_line = values[0], line
        elif name == "GetWorkspaceSizes":
            answer.workspaces = [UNKNOWN] * 4
            return answer.workspaces
        elif name == "GetPlatformInfo":
            return Object("platform")
        elif name in ("GetCoreMemSize",):
            kind = next((t.text for t in reversed(items) if t.text in MEMORIES.values()), None)
            memory = next((m for m, k in MEMORIES.items() if k == kind), None)
            if memory is not None and isinstance(places[1], Place):
                places[1].set(product["memory"][memory])
        elif name == "GetCoreNumAiv":
            return product["cores"]["aiv"]
        elif name in ("GetCoreNumAic", "GetCoreNum"):
            return product["cores"]["aic"]
        elif name == "GetLibApiWorkSpaceSize":
            return product["memory"]["system_workspace"]
        elif name == "GetSocVersion":
            return TILING_SOC.get(product["name"], product["name"].upper())
        else:
            return NotImplemented
        return UNKNOWN

    socs = set(TILING_SOC.values())
    natives = {f"SocVersion::{s}": s for s in socs} | {
        "OP_LOGE": lambda *_: UNKNOWN, "OP_LOGD": lambda *_: UNKNOWN, "GRAPH_SUCCESS": 0, "GRAPH_FAILED": -1,
        "PlatformAscendC": lambda *_: Object("platform")}
    machine = Machine(unit, natives, hook)
    machine.intercept = lambda function, values: _serve(function, values, sample)
    status = machine.call(tiling, [Object("gert::TilingContext")])
    if status != 0 or answer.key is None:
        return None
    answer.blocks = machine.blocks
    setter = next((f for f in (g for gs in unit.functions.values() for g in gs)
                   if f.body and f.body[0].line <= answer.key_line <= f.body[-1].line and f.file == tiling.file), tiling)
    answer.function, answer.locals = setter, machine.locals.get(setter.name, {})
    return answer


def _serve(function: Function, values: list, sample: dict):
    if not _fills(function):
        return NotImplemented
    for (kind, _, reference), value in zip(function.parameters, values):
        value = value.get() if isinstance(value, Place) else value
        if reference and isinstance(value, Object):
            value.members.update(sample)
    return 0
