"""The static checks of kernel and host, each a function from `Sources` to findings. Nothing is compiled or run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from compiler.check import host
from compiler.check.cpp import Unreadable, blank, closing, preprocess, tokens, without_comments
from compiler.check.kernel import MEMORY, Asked, Branch, Kernel
from compiler.check.machine import Machine, Place, Scope
from compiler.check.sources import Sources
from compiler.emit.context import MEMORIES
from compiler.emit.facts import TILING_SOC
from compiler.emulator import tiling_data
from compiler.emulator.run import Finding
from compiler.products import UB_TO_L1


class Reading:
    """What several checks read of a directory, once."""

    def __init__(self, sources: Sources):
        self.sources = sources
        self._answers: dict[str, list[host.Answer]] = {}
        self._kernels: dict[str, Kernel] = {}

    def answers(self, product: dict) -> list[host.Answer]:
        if product["name"] not in self._answers:
            self._answers[product["name"]] = host.answers(self.sources, product)
        return self._answers[product["name"]]

    def kernel(self, product: dict) -> Kernel:
        if product["name"] not in self._kernels:
            if self.sources.entry(product) is None:
                raise Unreadable(f"{product['name']} has no kernel file <op>{product['kernel_suffix']}.cpp or <op>.cpp",
                                 self.sources.definition_file, 1)
            self._kernels[product["name"]] = Kernel(self.sources, product)
        return self._kernels[product["name"]]

    def pairs(self) -> Iterator[tuple[dict, Kernel, list[host.Answer]]]:
        """(product, its kernel, the host's answers), once for products that differ in nothing that these see."""
        seen = set()
        for product in self.sources.products.values():
            memory = {m: product["memory"].get(m) for m in (*MEMORIES, "system_workspace")}
            key = (self.sources.entry(product), product["npu_arch"], product["cores"]["aic"], product["cores"]["aiv"],
                   TILING_SOC.get(product["name"]), *memory.items())
            if key not in seen:
                seen.add(key)
                yield product, self.kernel(product), self.answers(product)


def _list(values) -> str:
    return ", ".join(map(str, sorted(values))) or "none"


# -- tiling keys --------------------------------------------------------------------------------------------------------


def tiling_keys(reading: Reading) -> Iterator[Finding]:
    """Every key that the host can return is asked for by the kernel, and the reverse."""
    sources = reading.sources
    for product, kernel, answers in reading.pairs():
        first = {a.key: a for a in reversed(answers)}
        wanted = {b.key: b for b in reversed(kernel.branches)}
        name, entry = product["name"], kernel.entry.file
        if not wanted and set(first) <= {0}:
            continue
        for key in sorted(set(first) - set(wanted)):
            yield sources.finding("tiling key", sources.tiling_file, first[key].key_line,
                                  f"SetTilingKey: {name} returns {key} for {first[key].text}; {entry.name} has {_list(wanted)}")
        for key in sorted(set(wanted) - set(first)):
            yield sources.finding("tiling key", entry, wanted[key].line,
                                  f"TILING_KEY_IS({key}): the host never returns it on {name}, it returns {_list(first)}")
        for branch in kernel.branches:
            if wanted[branch.key].line != branch.line:
                yield sources.finding("tiling key", entry, branch.line,
                                      f"TILING_KEY_IS({branch.key}): the key is taken at line {wanted[branch.key].line} already")


# -- synchronisation of all cores ---------------------------------------------------------------------------------------

PAIR = ("KERNEL_TYPE_MIX_AIC_1_1", "KERNEL_TYPE_MIX_AIC_1_2")
SYNCS = {  # what a kernel calls: kernel types in which it works, whether all blocks have to start together
    "SyncAll": (("KERNEL_TYPE_MIX_AIV_1_0", *PAIR), True),
    "SyncAll<false>": (PAIR, True),
    "SyncAll, soft": (("KERNEL_TYPE_AIV_ONLY", "KERNEL_TYPE_MIX_AIV_1_0", *PAIR), True),
    "flag of mode 0": (("KERNEL_TYPE_MIX_AIV_1_0", "KERNEL_TYPE_MIX_AIC_1_0", *PAIR), True),
    "flag of mode 1": (PAIR, False),
    "flag of mode 2": (PAIR, False),
    "flag of mode 4": (("KERNEL_TYPE_MIX_AIC_1_2",), False),
}
"""asc: kernel types, SyncAll, CrossCoreSetFlag, SetScheduleMode. In KERNEL_TYPE_AIV_ONLY and AIC_ONLY the hardware leaves its
scheduling module off, through which cores hear of each other (CrossCoreSetFlag, constraints; SyncAll, constraints, refers to it and
asks vector kernels for ``__mix__(0, 1)`` in place of ``__vector__``); the soft form of SyncAll goes through global memory."""


def synchronisation(reading: Reading) -> Iterator[Finding]:
    """Barriers of all cores and SetScheduleMode(1) come together, in a kernel type that has the barrier."""
    sources = reading.sources
    told = _ByPlace("sync")
    for product, kernel, answers in reading.pairs():
        together = None
        for branch in kernel.branches or (Branch(0, kernel.entry.line, {}),):
            declared = _kernel_type(kernel, branch.key)
            for what, file, line in _syncs(kernel, branch):
                works, starts_together = SYNCS[what]
                if declared is not None and declared not in works:
                    told.add(file, line, branch.key, f"{what}: {product['name']} runs", f" as {declared}, where it does not work; it does in "
                             f"{' or '.join(works)}")
                if not starts_together:
                    continue
                together = (what, file, line)
                for a in (a for a in answers if a.key == branch.key and a.schedule_mode != 1):
                    told.add(sources.tiling_file, a.schedule_line or a.function.line, branch.key, f"{a.function.name}: it sets schedule mode "
                             f"{a.schedule_mode} for", f", wants SetScheduleMode(1): {file.name}:{line} has a {what}")
        if together is None:
            for a in (a for a in answers if a.schedule_mode == 1):
                yield sources.finding("sync", sources.tiling_file, a.schedule_line, f"SetScheduleMode(1): the kernel of {product['name']} has no "
                                      "barrier of all cores, wants 0")
                break
    yield from told.findings(sources)


class _ByPlace:
    """One finding a place for all tiling keys: what the first key met there is said, and the other keys named."""

    def __init__(self, rule: str):
        self.rule, self.told = rule, {}

    def add(self, file: Path, line: int, key: int, before: str, behind: str) -> None:
        """before, behind: the words around the keys."""
        self.told.setdefault((file, line), ({}, before, behind))[0][key] = None

    def findings(self, sources: Sources) -> Iterator[Finding]:
        for (file, line), (keys, before, behind) in self.told.items():
            yield sources.finding(self.rule, file, line, f"{before} key{'s' * (len(keys) > 1)} {_list(keys)}{behind}")


def _syncs(kernel: Kernel, branch: Branch) -> Iterator[tuple[str, Path, int]]:
    for function, body in kernel.reached(branch.types):
        for i, t in enumerate(body):
            if t.text not in ("SyncAll", "CrossCoreSetFlag") or i + 1 >= len(body):
                continue
            argument = body[i + 2].text if body[i + 1].text == "<" else ""
            j = i + 1
            while body[j].text != "(":
                j += 1
            if t.text == "SyncAll":
                soft = closing(body, j) > j + 1
                yield ("SyncAll, soft" if soft else "SyncAll<false>" if argument == "false" else "SyncAll"), function.file, t.line
            else:
                mode = f"flag of mode {int(argument, 0)}" if argument[:1].isdigit() else ""
                if mode in SYNCS:
                    yield mode, function.file, t.line


def _kernel_type(kernel: Kernel, key: int) -> str | None:
    """The kernel type that the entry declares for a key; None where it declares none."""
    types, body = {}, kernel.entry.body
    for i, t in enumerate(body):
        if t.text in ("KERNEL_TASK_TYPE_DEFAULT", "KERNEL_TASK_TYPE"):
            words = [x.text for x in body[i + 2:closing(body, i + 1)] if x.text != ","]
            types[int(words[0], 0) if t.text == "KERNEL_TASK_TYPE" and words[0].isdigit() else None] = words[-1]
    return types.get(key, types.get(None))


# -- workspace ----------------------------------------------------------------------------------------------------------


def workspace(reading: Reading) -> Iterator[Finding]:
    """A workspace begins with the system's part, and a kernel type of both kinds of cores has one.

    asc: GetLibApiWorkSpaceSize, GetWorkspaceSizes; kernel types: not 0 in one of the MIX types.
    """
    sources = reading.sources
    told = _ByPlace("workspace")
    for product, kernel, answers in reading.pairs():
        system = product["memory"]["system_workspace"]
        for a in answers:
            bytes_ = a.workspaces[0] if a.workspaces else UNKNOWN
            declared = _kernel_type(kernel, a.key) or ""
            if not isinstance(bytes_, int) or bytes_ >= system or bytes_ == 0 and "MIX" not in declared:
                continue
            wants = f", wants at least {system}, the system's part, which comes first" if bytes_ else f", which runs as {declared}, wants more than 0"
            told.add(sources.tiling_file, _workspace_line(sources, a), a.key, f"{a.function.name}: a workspace of {bytes_} bytes for", wants)
    yield from told.findings(sources)


def _workspace_line(sources: Sources, answer: host.Answer) -> int:
    """Where the function of the answer sets the size: ``workspaces[0] =``, or ``GetWorkspaceSizes(1)[0] =``."""
    body = answer.function.body
    text = sources.code(sources.tiling_file).split("\n")
    name = next((m[1] for t in body if t.text == "GetWorkspaceSizes" and (m := re.search(r"(\w+)\s*=[^=]*\bGetWorkspaceSizes\b", text[t.line - 1]))),
                "GetWorkspaceSizes")
    lines = range(answer.function.line, body[-1].line + 1)
    return next((n for n in lines if re.search(rf"\b{name}\b[^=;]*\[\s*0\s*\]\s*=(?!=)", text[n - 1])), answer.function.line)


# -- tiling struct ------------------------------------------------------------------------------------------------------

_MACROS = ((r"BEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)", r"struct \1 {"), (r"TILING_DATA_FIELD_DEF\s*\(\s*([\w:]+)\s*,\s*(\w+)\s*\)", r"\1 \2"),
           (r"TILING_DATA_FIELD_DEF_ARR\s*\(\s*([\w:]+)\s*,\s*(\w+)\s*,\s*(\w+)\s*\)", r"\1 \3[\2]"), (r"\bEND_TILING_DATA_DEF\b", "}"))
_TYPES = {letter: name for name, letter in tiling_data._FORMATS.items()}


def tiling_struct(reading: Reading) -> Iterator[Finding]:
    """Host and kernel lay the tiling struct out alike, in a multiple of 8 bytes, and the host sets what the kernel reads."""
    sources = reading.sources
    text = "".join(sources.host_texts.values())
    named = re.search(r"GetTilingData\s*<\s*(?:\w+::)*(\w+)\s*>", text) or re.search(r"(?<!\w)(\w+TilingData)\s+tiling\b", text)
    if named is None:
        raise Unreadable("the host takes no tiling struct by GetTilingData<...>()", sources.tiling_file, 1)
    ours, our_file = _struct(sources.host_texts, named[1])
    if ours is None:
        yield sources.finding("tiling struct", sources.tiling_file, _line(sources, sources.tiling_file, named[1]),
                              f"{named[1]}: the host includes no definition of it")
        return
    if ours.size % 8:
        yield sources.finding("tiling struct", our_file, ours.fields[-1].line,
                              f"{ours.name}: {ours.size} bytes, wants a multiple of 8; the host hands over {-(-ours.size // 8) * 8}")
    written = set(re.findall(r"tiling(?:->|\.)(?:set_)?(\w+)\s*(?:\[[^]]*\]\s*)?(?:=(?!=)|\()", text))
    told = set()
    for product in sources.products.values():
        texts = {f: re.sub(r"\"[^\"\n]*\"", blank, t) for f, t in sources.kernel_texts(product).items()}
        for file, kernel_text in texts.items():
            for match in re.finditer(r"(?:GET_TILING_DATA_WITH_STRUCT|REGISTER_TILING_DEFAULT|GET_TILING_DATA_MEMBER)\s*\(\s*(?:\w+::)*(\w+)",
                                     kernel_text):
                line = kernel_text.count("\n", 0, match.start()) + 1
                theirs, their_file = _struct(texts, match[1])
                for finding in _differences(sources, ours, our_file, match[1], theirs, their_file, file, line):
                    if str(finding) not in told:
                        told.add(str(finding))
                        yield finding
        have = {f.name.split(".")[0].split("[")[0] for f in ours.fields}
        for file, kernel_text in texts.items():
            for match in re.finditer(r"\btiling(?:Data)?_?\s*(?:->|\.)\s*(\w+)(?!\s*\()", kernel_text):
                line = kernel_text.count("\n", 0, match.start()) + 1
                problem = f"tiling->{match[1]}: {ours.name} has no such field" if match[1] not in have else \
                    f"tiling->{match[1]}: the kernel reads it, the host never sets it" if match[1] not in written else ""
                if problem and (match[1], file) not in told:
                    told.add((match[1], file))
                    yield sources.finding("tiling struct", file, line, problem)


def _struct(texts: dict[Path, str], name: str):
    for file, text in texts.items():
        for pattern, replacement in _MACROS:
            text = re.sub(pattern, replacement, text)
        for layout in tiling_data.parse(text):
            if layout.name == name:
                return layout, file
    return None, None


def _line(sources: Sources, file: Path, word: str) -> int:
    at = sources.code(file).find(word)
    return sources.line(file, max(at, 0))


def _differences(sources, ours, our_file, name, theirs, their_file, file, line) -> Iterator[Finding]:
    if theirs is None:
        yield sources.finding("tiling struct", file, line, f"{name}: the kernel includes no definition of it")
        return
    if name != ours.name:
        yield sources.finding("tiling struct", file, line, f"{name}: the host fills {ours.name}")
    shown = lambda f: f"{_TYPES[f.format]} {f.name}{'' if f.count is None else f'[{f.count}]'} at byte {f.offset}"
    for a, b in zip(ours.fields, theirs.fields):
        if (a.name, a.format, a.offset, a.count) != (b.name, b.format, b.offset, b.count):
            yield sources.finding("tiling struct", their_file, b.line,
                                  f"{name}: the kernel has {shown(b)}, the host {shown(a)} ({our_file.name}:{a.line})")
            return
    if len(ours.fields) != len(theirs.fields):
        more, where = (ours, our_file) if len(ours.fields) > len(theirs.fields) else (theirs, their_file)
        extra = more.fields[min(len(ours.fields), len(theirs.fields))]
        yield sources.finding("tiling struct", where, extra.line,
                              f"{name}: {shown(extra)} is on {'the host' if more is ours else 'the kernel'} alone")


# -- buffers ------------------------------------------------------------------------------------------------------------

COSTS = {"bitsPerElement": "tileElements", "bytesPerRow": "rowsPerTile", "bytesPerColumn": "columns"}
"""What the host counts per unit -> its value of which there are so many units, and which the kernel gets as a field."""
UNITS = {"tileElements": 256, "rowsPerTile": 8, "columns": 8}
"""Steps by which buffers of the kernel grow: a tile is rounded up to 256 elements, vectors over rows and columns to 8."""


def buffers(reading: Reading) -> Iterator[Finding]:
    """The sum of InitBuffer per key is what the host counts, and fits the memories of the product; no length is 0."""
    sources, told = reading.sources, set()
    for product, kernel, answers in reading.pairs():
        for branch in kernel.branches or (Branch(0, kernel.entry.line, {}),):
            mine = [a for a in answers if a.key == branch.key]
            for made, init in kernel.classes(branch.types):
                found, compared = None, set()
                for a in mine:
                    ask = lambda fields: kernel.asked(made, init, branch.types, a.dtype_bytes, fields, a.struct, a.block_dim or 1)
                    variants = ask(a.fields)
                    found = next((f for v in variants if (f := _too_much(sources, product, branch, init, a, v))), None)
                    if not found and len(variants) == 1 and (a.dtype_bytes, a.fields.get("totalRows")) not in compared:
                        compared.add((a.dtype_bytes, a.fields.get("totalRows")))
                        found = _other_than_counted(sources, product, branch, init, a, variants[0], lambda fields: ask(fields)[0])
                    if found and (found.file, found.line) not in told:
                        told.add((found.file, found.line))
                        yield found
                    if found:
                        break


def _too_much(sources, product: dict, branch: Branch, init, answer: host.Answer, asked: list[Asked]) -> Finding | None:
    left = dict(product["memory"])
    for buffer in asked:
        if buffer.bytes <= 0:
            return sources.finding("buffers", init.file, buffer.line, f"{buffer.queue}: InitBuffer takes a length above 0, got none on "
                                   f"{product['name']} for key {branch.key}, {answer.text}")
        left[buffer.memory] -= buffer.bytes
        if left[buffer.memory] < 0:
            total = sum(b.bytes for b in asked if b.memory == buffer.memory)
            return sources.finding("buffers", init.file, buffer.line, f"{buffer.queue}: with it the buffers of {init.owner} exceed "
                                   f"{buffer.memory}, {total} of {product['memory'][buffer.memory]} bytes on {product['name']} "
                                   f"for key {branch.key}, {answer.text}")
    return None


def _other_than_counted(sources, product: dict, branch: Branch, init, answer: host.Answer, asked: list[Asked], ask) -> Finding | None:
    """Compares the growth of each buffer with the host's count, and what is left when nothing grows."""
    counted = _counted(sources, answer, init)
    if counted is None:
        return None
    lines, values, fields, names = counted
    key = f"on {product['name']} for key {branch.key}, {8 * answer.dtype_bytes}-bit"
    total = lambda buffers: sum(b.bytes for b in buffers if b.memory == "ub")
    rest = total(asked)
    for cost, unit in COSTS.items():
        field, step = fields.get(unit), UNITS[unit]
        if field is None:
            continue
        more = ask({**answer.fields, field: answer.fields[field] + step})
        scale = (8 if cost == "bitsPerElement" else 1) / step
        growth = {b.queue: (b.line, scale * (m.bytes - b.bytes))
                  for b, m in zip(asked, more) if b.memory == "ub" and m.bytes != b.bytes}
        taken = sum(g for _, g in growth.values())
        if taken != values[cost]:
            terms = _terms(sources, lines[cost], names)
            wrong = next((q for q in (*growth, *terms) if growth.get(q, (0, 0))[1] != terms.get(q, (0, None))[1]), None) if terms else None
            line = growth[wrong][0] if wrong in growth else init.line
            place = terms[wrong][0] if wrong in terms else lines[cost]
            what = f"{wrong}: InitBuffer takes {growth.get(wrong, (0, 0))[1]:g}, the host counts {terms.get(wrong, (0, 0))[1]:g}" if wrong else \
                f"{init.owner}: InitBuffer takes {taken:g}, the host counts {values[cost]}"
            return sources.finding("buffers", init.file, line, f"{what} {_unit(cost)} {key} ({sources.tiling_file.name}:{place})")
        units = -(-answer.fields[field] // step) * step
        rest -= units * values[cost] // (8 if cost == "bitsPerElement" else 1)
    fixed = values["fixedBytes"] - 8 * values["bytesPerRow"] - -(-values["columns"] // 8) * 8 * values["bytesPerColumn"]
    if rest != fixed and "tileElements" in fields:
        return sources.finding("buffers", init.file, asked[0].line, f"{init.owner}: InitBuffer takes {rest} bytes that do not grow with "
                               f"the tile {key}; the host counts {fixed} ({sources.tiling_file.name}:{lines['fixedBytes']})")
    return None


def _terms(sources, first: int, names: dict) -> dict[str, tuple[int, float]]:
    """Queue -> (line, value) of the terms of a sum of the host that say in a comment which buffer they are."""
    terms = {}
    for number, line in enumerate(sources.texts[sources.tiling_file].split("\n")[first - 1:], first):
        code, _, comment = line.partition("//")
        code = re.sub(r"^.*\w\s*=(?!=)", "", code).strip() if number == first else code.strip()
        if comment.split() and code and re.fullmatch(r"\w+", comment.strip()):
            scope = Scope(None, {}, None, {n: Place({"": v}, "") for n, v in names.items()})
            try:
                value = Machine(sources.host).evaluate(tokens(code.rstrip("+; "), sources.tiling_file), scope, sources.tiling_file)
            except Unreadable:
                return {}
            if isinstance(value, int) and value:
                terms[f"{comment.strip()}_"] = (number, value)
        if ";" in code:
            break
    return terms


def _unit(cost: str) -> str:
    return {"bitsPerElement": "bits per element", "bytesPerRow": "bytes per row", "bytesPerColumn": "bytes per column"}[cost]


def _counted(sources, answer: host.Answer, init):
    """(lines, values, fields, names in scope) of what the host counts for a class: its locals, and the fields that say how many units.

    In a tiling of several stages their names begin with the stage, as the fields that the class reads do. None where the class
    has no tiles. Raises Unreadable where the host has no such count.
    """
    reads = {b.text for a, b in zip(init.body, init.body[1:]) if a.text in ("->", ".")}
    tile = next((f for f in sorted(answer.fields) if f in reads and f.lower().endswith("tileelements")), None)
    if tile is None:
        return None
    stage = tile[:-len("tileElements")]
    spelled = {n: stage + n[0].upper() + n[1:] if stage else n for n in (*COSTS, *UNITS, "fixedBytes")}
    fields = {n: spelled[n] for n in UNITS if spelled[n] in answer.fields and spelled[n] in reads}
    counts = (*COSTS, "fixedBytes", "columns")
    for names in (answer.locals, *(values for _, _, values in answer.blocks)):
        if isinstance(names.get(spelled["bitsPerElement"]), int):
            text = sources.code(sources.tiling_file).split("\n")
            first = answer.function.body[0].line
            lines = {n: next((i for i, line in enumerate(text[first - 1:], first) if re.search(rf"\b{spelled[n]}\s*=(?!=)", line)), first)
                     for n in counts}
            # A count of nothing has no local.
            return lines, {n: names.get(spelled[n], 0) for n in counts}, fields, names
    raise Unreadable(f"{answer.function.name} has no {spelled['bitsPerElement']}, the count that {init.owner} is compared with",
                     sources.tiling_file, answer.function.line)


# -- APIs ---------------------------------------------------------------------------------------------------------------

_HEADERS = Path(__file__).parents[1] / "emulator" / "include"


@lru_cache(maxsize=None)
def apis(arch: int) -> frozenset[str]:
    """The names that the emulator's headers declare for an architecture: what exists there, of what ascgrad knows."""
    names: set[str] = set()
    for path in sorted((*_HEADERS.glob("*.h"), *(_HEADERS / "emulator").glob("*.h"))):
        raw = path.read_text(encoding="utf-8")
        macros = re.findall(r"#\s*define\s+(\w+)", preprocess_defines(raw, arch))
        text = preprocess(without_comments(raw), arch)
        names |= {*macros, *re.findall(r"\b(?:class|struct|using|enum(?:\s+class)?)\s+(?:\[\[\w+\]\]\s*)?(\w+)", text)}
        names |= set(re.findall(r"\b(?:inline|constexpr|auto)\b[^;{}()=]*?\b(\w+)\s*\(", text))
        names |= set(re.findall(r"^\s*ASCGRAD_[A-Z_]+\((\w+)", text, re.MULTILINE))
        if arch == 2201:
            names -= set(re.findall(r"\bX\((\w+)\s*,\s*NONE\s*,", raw))
    return frozenset(names)


def preprocess_defines(text: str, arch: int) -> str:
    """The directives #define that hold for an architecture."""
    marked = re.sub(r"^(\s*)#(\s*define\b)", r"\1@\2", without_comments(text), flags=re.MULTILINE)
    return preprocess(marked, arch).replace("@", "#")


def api_names(reading: Reading) -> Iterator[Finding]:
    """Every function of the Ascend C API that the kernel calls exists on the product."""
    sources = reading.sources
    archs = {p["npu_arch"]: p["name"] for p in sources.products.values()} | {3510: "ascend950", 2201: "ascend910b"}
    told = set()
    for product in sources.products.values():
        kernel = reading.kernel(product)
        have = apis(product["npu_arch"])
        own = set(kernel.unit.functions) | set(kernel.unit.classes) | set(kernel.unit.constants)
        for function in (f for fs in kernel.unit.functions.values() for f in fs):
            body = function.body
            for i, t in enumerate(body):
                if not _calls(body, i) or t.text in have or t.text in own or t.text.startswith("DTYPE_") or t.text in function.template:
                    continue
                if (t.text, function.file, product["npu_arch"]) in told:
                    continue
                told.add((t.text, function.file, product["npu_arch"]))
                elsewhere = [n for a, n in archs.items() if a != product["npu_arch"] and t.text in apis(a)]
                yield sources.finding("api", function.file, t.line, f"{t.text}: {product['name']} does not have it" +
                                      (f", {elsewhere[0]} does" if elsewhere else ", nor any product that ascgrad knows"))


def _calls(body, i: int) -> bool:
    """Whether a free function, named as APIs are, is called at this token."""
    t = body[i]
    if t.kind != "name" or not t.text[:1].isupper() or i + 1 >= len(body):
        return False
    before = body[i - 1] if i else None
    if before is not None and before.text == "template" and i >= 2:
        before = body[i - 2]
    if before is not None and (before.text in (".", "->", ">", "*", "&") or (before.kind == "name" and before.text not in (
            "return", "else", "template", "do"))):
        return False
    if before is not None and before.text == "::" and i >= 2 and body[i - 2].text not in ("AscendC", "MicroAPI", "Reg"):
        return False
    j = i + 1
    if body[j].text == "<":
        depth = 0
        while j < len(body) and body[j].text not in (";", "{"):
            depth += (body[j].text == "<") - (body[j].text == ">") - 2 * (body[j].text == ">>")
            j += 1
            if depth <= 0:
                break
    return j < len(body) and body[j].text == "("


# -- options of the device compiler -----------------------------------------------------------------------------------------

def compile_options(reading: Reading) -> Iterator[Finding]:
    """Where vector cores have a buffer in L1, the kernel is compiled with the option that copies into it need.

    Vector cores are those of a class with queues of vectors. Nothing is said of a directory without CMakeLists.txt.
    """
    sources = reading.sources
    texts = [re.sub(r"#[^\n]*", "", t) for p, t in sources.texts.items() if p.name == "CMakeLists.txt"]
    given = any(re.search(rf"-D{UB_TO_L1}=(?:true|1)\b", t) for t in texts)
    for product in sources.products.values() if texts and not given else ():
        if "ub_to_l1" not in product["rates"]["paths"]:
            continue
        for made in reading.kernel(product).unit.classes.values():
            held = {name: re.findall(r"\w+", kind) for name, (kind, _, _) in made.members.items()}
            vectors = any("TQue" in words and {"VECIN", "VECOUT"} & set(words) for words in held.values())
            for name, words in held.items():
                if vectors and any(MEMORY.get(w) == "l1" for w in words):
                    yield sources.finding("option", made.file, made.members[name][2], f"{name}: vector cores have it in L1; {product['name']} wants "
                                          f"-D{UB_TO_L1}=true among the options of the kernel in CMakeLists.txt, got none")
