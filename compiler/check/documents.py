"""The static checks of documents against the interface that the sources declare: definition, aclnn header and its checks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from compiler.check.rules import Reading
from compiler.check.sources import Port, Sources
from compiler.emit import facts
from compiler.emit.facts import PRODUCT_ROWS, TILING_SOC
from compiler.emulator.run import Finding

GE = {ge.removeprefix("ge::DT_"): ir for ir, ge in facts.GE.items()}
"""Dtypes of a definition -> names of the documents' tables."""
ATTRIBUTES = {row["def"].upper(): {row["spelled"]} for row in facts.ATTRIBUTE.values()}
PARAMETERS, NAMES = ("参数名", "Name"), re.compile(r"[A-Za-z_]\w*")
DTYPES, SHAPES, KINDS = ("数据类型", "Data Type"), ("shape", "Shape"), ("输入/输出/属性", "Input/Output/Attribute", "输入/输出")
RANKS = ("维度(shape)",)
STATUS = {s.name: s.code for s in vars(facts).values() if isinstance(s, facts.Status)} | {"ACLNN_SUCCESS": 0}
FRAMEWORK = {0, facts.TILING.code, facts.INNER.code}
"""Codes that no line of the aclnn layer names: success, a refusal of the host tiling, a failed launch."""


@dataclass(frozen=True)
class Table:
    """A table of a document: its header, and its rows as (line, cells)."""

    file: Path
    line: int
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def column(self, names) -> int | None:
        return next((i for i, h in enumerate(self.header) if h in names), None)


def tables(sources: Sources, file: Path) -> list[Table]:
    lines, found, i = sources.texts[file].split("\n"), [], 0
    cells = lambda text: tuple(c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", text.strip())[1:-1])
    while i < len(lines) - 1:
        if lines[i].strip().startswith("|") and re.fullmatch(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*", lines[i + 1]):
            start, rows = i, []
            i += 2
            while i < len(lines) and lines[i].strip().startswith("|"):
                rows.append((i + 1, cells(lines[i])))
                i += 1
            found.append(Table(file, start + 1, cells(lines[start]), tuple(rows)))
        i += 1
    return found


def _parameter_tables(sources: Sources) -> Iterator[Table]:
    """The tables of the operator's parameters: README's, and that of the first phase."""
    for file in sources.documents:
        for table in tables(sources, file):
            if table.header[:1] and table.header[0] in PARAMETERS and table.column(DTYPES) is not None:
                yield table


def _name(cell: str) -> str:
    match = NAMES.match(cell.strip("` "))
    return match[0] if match else cell


def _note(sources: Sources, kind: str, table: Table, line: int, message: str) -> Finding:
    return sources.finding(kind, table.file, line, message)


def parameters(reading: Reading) -> Iterator[Finding]:
    """Documents list the parameters of the definition: names, order, which may be absent, dtypes and defaults."""
    sources = reading.sources
    ports = {p.camel: p for p in sources.ports}
    for table in _parameter_tables(sources):
        named = {_name(cells[0]): (line, cells) for line, cells in table.rows}
        for name in ports.keys() - named.keys():
            yield _note(sources, "parameters", table, table.line,
                        f"{name}: the table lacks it, {sources.definition_file.name}:{ports[name].line} defines it")
        for name in named.keys() - ports.keys() - {"workspaceSize", "executor"}:
            yield _note(sources, "parameters", table, named[name][0], f"{name}: {sources.definition_file.name} defines no such parameter")
        for role in ("input", "output"):
            wanted = [n for n, p in ports.items() if p.role == role and n in named]
            got = [n for n in named if n in wanted]
            wrong = next((g for g, w in zip(got, wanted) if g != w), None)
            if wrong:
                yield _note(sources, "parameters", table, named[wrong][0],
                            f"{wrong}: the order of {role}s is {', '.join(got)}; the definition has {', '.join(wanted)}")
        kind_at, dtype_at = table.column(KINDS), table.column(DTYPES)
        for name, (line, cells) in named.items():
            port = ports.get(name)
            if port is None or len(cells) != len(table.header):
                continue
            if kind_at is not None and port.role != "attribute" and _optional(cells[kind_at]) != port.optional:
                yield _note(sources, "parameters", table, line, f"{name}: the table says {cells[kind_at]!r}, the definition has it "
                            f"{'OPTIONAL' if port.optional else 'REQUIRED'} ({sources.definition_file.name}:{port.line})")
            yield from _dtypes(sources, table, line, name, cells[dtype_at], port)
            yield from _default(sources, table, line, name, " ".join(cells), port)


def _optional(cell: str) -> bool:
    return "可选" in cell or "optional" in cell.lower()


def _dtypes(sources, table: Table, line: int, name: str, cell: str, port: Port) -> Iterator[Finding]:
    got = set(re.findall(r"[A-Z][A-Z0-9]+", cell))
    if re.match(r"同|与|Same|That of", cell):
        return
    spelled = {style[GE[d]]: d for style in facts.SPELLED_IN.values() for d in port.dtypes if d in GE}
    wanted = set(port.dtypes) & set(GE)
    if port.role == "attribute":
        if got != ATTRIBUTES.get(port.dtypes[0] if port.dtypes else "", got):
            yield _note(sources, "parameters", table, line, f"{name}: the table has {cell}, the definition {port.dtypes[0]}")
        return
    if {spelled.get(g, g) for g in got} != wanted:
        names = ", ".join(dict.fromkeys(facts.SPELLED[GE[d]] for d in port.dtypes if d in GE))
        yield _note(sources, "parameters", table, line,
                    f"{name}: the table has {cell}, the definition {names} ({sources.definition_file.name}:{port.line})")


def _default(sources, table: Table, line: int, name: str, text: str, port: Port) -> Iterator[Finding]:
    match = re.search(r"(?:默认值为|The default is )`?(-?[\d.]*\d(?:e[-+]?\d+)?|true|false)", text)
    if match and port.role == "attribute" and port.default:
        number = lambda t: float(t.rstrip("fFlL")) if re.fullmatch(r"-?[\d.]+(?:e[-+]?\d+)?[fFlL]*", t) else t
        if number(match[1]) != number(port.default):
            yield _note(sources, "parameters", table, line,
                        f"{name}: the table's default is {match[1]}, the definition's {port.default} ({sources.definition_file.name}:{port.line})")


def shapes(reading: Reading) -> Iterator[Finding]:
    """Shapes and ranks of the documents are those of tests/st/interface.json and of the checks of the host.

    Documents may promise fewer ranks than the host accepts, as published ones do (2-8 of 1-8), never more.
    """
    sources = reading.sources
    described = next((p for p in sources.texts if p.name == "interface.json"), None)
    if described is None:
        return
    wanted = {}
    for t in json.loads(sources.texts[described]).get("tensors", []):
        wanted[Port(t["name"], "", False, (), 0).camel] = t
    ranks = {}
    for match in re.finditer(r"HasRank\s*\(\s*\w+\s*,\s*\"(\w+)\"[^,]*,[^,]*,\s*(\d+)\s*,\s*(\d+)\s*\)", sources.code(sources.tiling_file)):
        ranks[Port(match[1], "", False, (), 0).camel] = (int(match[2]), int(match[3]), sources.line(sources.tiling_file, match.start()))
    for table in _parameter_tables(sources):
        short = _abbreviations(sources.texts[table.file])
        shape_at, rank_at = table.column(SHAPES), table.column(RANKS)
        for line, cells in table.rows:
            name = _name(cells[0])
            tensor = wanted.get(name)
            if tensor is None or len(cells) != len(table.header):
                continue
            text = cells[shape_at] if shape_at is not None else " ".join(cells)
            match = re.search(r"\[([^]]*)\]", text)
            if match and tensor["shape"].startswith("#") is False:
                got = [_dimension(d, short) for d in match[1].split(",")]
                want = [_dimension(d, {}) for d in tensor["shape"].split(",")]
                if got != want:
                    yield _note(sources, "shapes", table, line, f"{name}: the table has [{match[1]}], {described.name} [{tensor['shape']}]")
            if rank_at is not None and name in ranks and re.fullmatch(r"\d+(?:-\d+)?", cells[rank_at]):
                low, high = (int(n) for n in (cells[rank_at].split("-") * 2)[:2])
                least, most, at = ranks[name]
                if low < least or high > most:
                    yield _note(sources, "shapes", table, line,
                                f"{name}: the table has rank {cells[rank_at]}, the host accepts {least} to {most} ({sources.tiling_file.name}:{at})")


def _abbreviations(text: str) -> dict[str, str]:
    """D=C\\times H -> {"D": "C*H"}."""
    return {m[1]: f"{m[2]}*{m[3]}" for m in re.finditer(r"\b([A-Z])\s*=\s*([A-Z])\s*\\times\s*([A-Z])\b", text)}


def _dimension(text: str, short: dict[str, str]) -> str:
    bare = re.sub(r"\s*\*\s*", "*", text.strip().strip("`$"))
    bare = re.sub(r"(\d)([A-Z])", r"\1*\2", bare)
    return "*".join(sorted(short.get(bare, bare).split("*")))


def prototypes(reading: Reading) -> Iterator[Finding]:
    """The page shows the functions as the header declares them, and says the C++ types of the parameters."""
    sources = reading.sources
    header = sources.aclnn_header
    if header is None:
        yield sources.finding("prototypes", sources.definition_file, 1, f"there is no op_api/aclnn_{sources.snake}.h")
        return
    declared = {}
    for match in re.finditer(rf"\baclnnStatus\s+(aclnn{sources.name}\w*)\s*\(([^)]*)\)", sources.code(header)):
        declared[match[1]] = (_signature(match[2]), sources.line(header, match.start()))
    for file in sources.documents:
        text = sources.texts[file]
        for match in re.finditer(rf"\baclnnStatus\s+(aclnn{sources.name}\w*)\s*\(([^)]*)\)\s*;", text):
            got = _signature(match[2])
            line = text.count("\n", 0, match.start()) + 1
            if match[1] not in declared:
                yield sources.finding("prototypes", file, line, f"{match[1]}: {header.name} declares no such function")
                continue
            want, at = declared[match[1]]
            if got != want:
                i = next((i for i, (g, w) in enumerate(zip(got, want)) if g != w), min(len(got), len(want)))
                shown = lambda s: " ".join(s[i]) if i < len(s) else "nothing"
                yield sources.finding("prototypes", file, line,
                                      f"{match[1]}: parameter {i + 1} is {shown(got)}, the header has {shown(want)} ({header.name}:{at})")
        types = {n: t for t, n in declared.get(f"aclnn{sources.name}GetWorkspaceSize", ((), 0))[0]}
        for table in (t for t in tables(sources, file) if t.header[:1] and t.header[0] in PARAMETERS and t.column(DTYPES) is not None):
            for line, cells in table.rows:
                match = re.match(r"(\w+)[（(]([^）)]*)[）)]", cells[0])
                if match and match[1] in types and _signature(f"{match[2]} x")[0][0] != types[match[1]]:
                    yield sources.finding("prototypes", file, line, f"{match[1]}: the table has {match[2]}, the header {types[match[1]]}")


def _signature(text: str) -> tuple[tuple[str, str], ...]:
    found = []
    for part in text.split(","):
        words = re.findall(r"\w+|[*&]", part)
        if words:
            found.append((" ".join(words[:-1]).replace(" *", "*"), words[-1]))
    return tuple(found)


def statuses(reading: Reading) -> Iterator[Finding]:
    """The page lists the codes that the aclnn layer returns, under their numbers, and the header's comment says the same."""
    sources = reading.sources
    used = {}
    for file in sources.under("op_api"):
        for match in re.finditer(r"\bACLNN_ERR_\w+", sources.code(file)):
            used.setdefault(match[0], (file, sources.line(file, match.start())))
    said = set(map(int, re.findall(r"@return\s+(\d+)", sources.texts[sources.aclnn_header]))) if sources.aclnn_header else set()
    for file in sources.documents:
        listed, first = {}, None
        for table in tables(sources, file):
            for line, cells in table.rows:
                if cells and re.fullmatch(r"ACLNN_\w+", cells[0]):
                    first = first or table
                    listed.setdefault(cells[0], (line, cells))
        if first is None:
            continue
        for name, (line, cells) in listed.items():
            code = int(cells[1]) if cells[1].isdigit() else None
            if STATUS.get(name, code) != code:
                yield sources.finding("statuses", file, line, f"{name}: the table has {cells[1]}, wants {STATUS[name]}")
            elif code not in FRAMEWORK and used and name not in used:
                yield sources.finding("statuses", file, line, f"{name}: op_api never returns it")
            elif code not in FRAMEWORK - {facts.TILING.code} and said and code not in said:
                yield sources.finding("statuses", file, line, f"{code}: the comment of {sources.aclnn_header.name} has no @return {code}")
        for name, (where, line) in used.items():
            if name not in listed:
                yield sources.finding("statuses", file, first.line, f"{name}: the tables lack it, {where.name}:{line} returns it")


# -- limits -------------------------------------------------------------------------------------------------------------

_CHECKS = (  # helper of the emitted checks: its arguments -> (what is limited, low, high)
    (r"IsInRange\s*\(\s*\w+\s*,\s*\"(\w+)\"\s*,[^,]*,\s*(-?\d+)\s*,\s*(-?\d+)\s*\)", "range"),
    (r"IsWithin\s*\(\s*\w+\s*,\s*\"\w+\"\s*,[^,]*,\s*\"(\w+)\"\s*,[^,]*,\s*(-?\d+)\s*,\s*(-?\d+)\s*\)", "range"),
    (r"IsMultiple\s*\(\s*\w+\s*,\s*\"(\w+)\"\s*,[^,]*,\s*(\d+)()\s*\)", "multiple"),
    (r"IsAtMost\s*\(\s*\w+\s*,\s*\"([^\"]+)\"\s*,.*?\"(\w+)\"()\s*,", "most"),
)


def limits(reading: Reading) -> Iterator[Finding]:
    """Limits of the documents are those that the sources check, in the aclnn layer and in the host tiling alike."""
    sources = reading.sources
    layers = {name: _limits(sources, files) for name, files in (
        ("op_host", [sources.tiling_file]), ("op_api", [p for p in sources.under("op_api") if p.suffix == ".cpp"]))}
    host, api = layers["op_host"], layers["op_api"]
    for key in host.keys() & api.keys():
        if host[key][0] != api[key][0]:
            (low, high), file, line = api[key]
            yield sources.finding("limits", file, line, f"{key[1]}: the aclnn layer has {_shown(low, high)}, the host "
                                  f"{_shown(*host[key][0])} ({host[key][1].name}:{host[key][2]})")
    symbols = {Port(m[2], "", False, (), 0).camel: m[1] for m in re.finditer(r"request\.([A-Z])\s*=\s*request\.(\w+)\s*;",
                                                                            sources.code(sources.tiling_file))}
    for file in sources.documents:
        text = sources.texts[file]
        for (kind, name), ((low, high), where, at) in host.items():
            place = f"{where.name}:{at}"
            if kind == "range":
                yield from _range(sources, file, text, {name, symbols.get(name, name)}, low, high, place)
            elif kind == "multiple":
                if not re.search(rf"\b{name}\b`?[^|\n]*(?:\b{low}\b[^|\n]*(?:整数倍|倍数)|multiples? of {low}\b)", text):
                    yield sources.finding("limits", file, 1, f"{name}: the document does not say that it is a multiple of {low} ({place})")
            elif kind == "most":
                formula = name.replace(" ", "").replace("*", "")
                if formula not in re.sub(r"[ &]", "", text):
                    yield sources.finding("limits", file, 1, f"{formula}: the document has no such limit, {place} checks {name} <= {low}")
        if any(kind == "most" for kind, _ in host):
            checked = {n.replace(" ", "").replace("*", "") for k, n in host if k == "most"}
            for match in re.finditer(r"([\dA-Z+]+)\s*&?\\le\s*K\b", text):
                if match[1] not in checked:
                    yield sources.finding("limits", file, text.count("\n", 0, match.start()) + 1, f"{match[1]}: no check of the host has this limit")
        yield from _constants(sources, file, text)
    yield from _size_tables(sources)


def _shown(low, high) -> str:
    return f"{low} to {high}" if high else f"{low}"


def _limits(sources: Sources, files: list[Path]) -> dict:
    found = {}
    for file in files:
        code = sources.code(file)
        for pattern, kind in _CHECKS:
            for match in re.finditer(pattern, code):
                found[kind, match[1]] = ((match[2], match[3]), file, sources.line(file, match.start()))
    return found


def _range(sources, file: Path, text: str, names: set[str], low: str, high: str, place: str) -> Iterator[Finding]:
    said = False
    spelled = "|".join(map(re.escape, sorted(names)))
    patterns = (rf"(?<![\w])(?:{spelled})`?\s*(?:≤|<=|\\le)\s*()(\d+)\b",
                rf"(?<![\w])(?:{spelled})`?\s*(?:不在|not in|outside|is not in)\s*\[(\d+),\s*(\d+)\]",
                rf"\|\s*(?:{spelled})\s*\|\s*(\d+)~(\d+)\s*\|")
    for pattern in patterns:
        for match in re.finditer(pattern, text):
            said = True
            if match[2] != high or (match[1] and match[1] != low):
                yield sources.finding("limits", file, text.count("\n", 0, match.start()) + 1,
                                      f"{match[0].strip('`| ')}: the sources check {low} to {high} ({place})")
    if not said:
        yield sources.finding("limits", file, 1, f"{' or '.join(sorted(names))}: the document does not say that it is at most {high} ({place})")


def _constants(sources: Sources, file: Path, text: str) -> Iterator[Finding]:
    """Numbers of a formula per product, which a switch of the host returns."""
    code = sources.code(sources.tiling_file)
    cases = {m[1]: ([int(n) for n in re.findall(r"\b\d+\b", m[2])], sources.line(sources.tiling_file, m.start()))
             for m in re.finditer(r"SocVersion::(\w+)\s*:\s*return\s+(\d[^;]*);", code)}
    for match in re.finditer(r"<!-- npu=\"([^\"]+)\" id\d+ -->((?:(?!<!-- end).)*?)<!-- end", text, re.DOTALL):
        formula = re.search(r"\b[A-Z]\s*=\s*(\d[^\n$]*)", match[2])
        if formula is None:
            continue
        got = [int(n) for n in re.findall(r"\d+", formula[1])]
        line = text.count("\n", 0, match.start(2) + formula.start()) + 1
        for row in (r for r in PRODUCT_ROWS if r.tag in match[1].split(",")):
            for product in row.products:
                want, at = cases.get(TILING_SOC.get(product, ""), (got, 0))
                if got != want:
                    yield sources.finding("limits", file, line, f"{formula[0].strip()}: the host has the numbers {', '.join(map(str, want))} for "
                                          f"{product} ({sources.tiling_file.name}:{at})")


def _size_tables(sources: Sources) -> Iterator[Finding]:
    """Tables of sizes say the same in every document."""
    first: dict[str, tuple[list[str], Path, int]] = {}
    for file in sources.documents:
        for table in tables(sources, file):
            if table.header[:1] and table.header[0] in ("规格项", "Item"):
                for line, cells in table.rows:
                    numbers = re.findall(r"\d+", cells[1])
                    want, where, at = first.setdefault(cells[0], (numbers, file, line))
                    if numbers != want:
                        yield sources.finding("limits", file, line, f"{cells[0]}: {cells[1]} here, {', '.join(want)} in {where.name}:{at}")


def products(reading: Reading) -> Iterator[Finding]:
    """Documents say the products that the definition has."""
    sources = reading.sources
    configured = set(re.findall(r"AddConfig\s*\(\s*\"(\w+)\"", sources.code(sources.definition_file)))
    for file in sources.documents:
        for number, line in enumerate(sources.texts[file].split("\n"), 1):
            match = re.search(r"<term>([^<]*)</term>\s*(?:\|\s*([√×])\s*\||[:：]\s*(支持|不支持)\s*$)", line)
            if match is None:
                continue
            row = next((r for r in PRODUCT_ROWS if match[1] in (r.title.zh, r.title.en, r.series.zh, r.series.en)), None)
            got = match[2] == "√" or match[3] == "支持"
            if row is not None and got != bool(configured & set(row.products)):
                named = " or ".join(row.products) or "none of its products"
                yield sources.finding("products", file, number, f"{match[1]}: the document says {match[2] or match[3]}, "
                                      f"{sources.definition_file.name} has {'' if not got else 'no '}AddConfig of {named}")
