"""The public Ascend C API by name, what of it the emulator has, and what to say of the rest.

`apis.tsv` lists the names with the page that documents each; what the emulator has is read from its own headers.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compiler.emulator import toolchain

_HERE = Path(__file__).parent
_INCLUDE = _HERE / "include"
ARCHES = {2201: "A2, A3", 3510: "950"}
"""__NPU_ARCH__ -> the products that have it."""

_NAME = r"['\"‘](?:AscendC::|class |struct )*(?P<name>[A-Za-z_]\w*)(?:<.*?>)?(?P<call>\(.*\))?['\"’]"
_UNKNOWN = [re.compile(pattern) for pattern in (
    rf"{_NAME} is not a member of ['\"]AscendC",
    rf"{_NAME} was not declared in this scope",
    rf"{_NAME} has not been declared",
    rf"{_NAME}(?: in namespace ['\"]AscendC.*?['\"])? does not name a (?:template )?type",
    rf"there are no arguments to {_NAME} that depend",
    rf"['\"](?:class|struct) AscendC::\w+.*?['\"] has no member named {_NAME}",
    rf"use of undeclared identifier {_NAME}",
    rf"no (?:member|type|template) named {_NAME} in (?:namespace )?['\"]AscendC",
)]  # fmt: skip
_FORM = re.compile(rf"no matching (?:member )?function for call to {_NAME}")
_HEADER = re.compile(r"(?P<name>[\w./]+\.h): No such file or directory|['\"](?P<quoted>[\w./]+\.h)['\"] file not found")
_TOOLKIT = re.compile(r"^(?:lib/|adv_api/|basic_api/|tensor_api/|simt_api/|c_api/|kernel_operator|kernel_\w+_intf|hccl)")


@dataclass(frozen=True)
class Api:
    """A name of the API. `on`: __NPU_ARCH__ -> whether the page says that the product has it; None where it says nothing."""

    name: str
    on: dict[int, bool | None]
    page: str


@functools.cache
def table() -> dict[str, Api]:
    """The public names."""
    rows = [line.split("\t") for line in (_HERE / "apis.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    said = {"yes": True, "no": False, "-": None}
    return {name: Api(name, {2201: said[first], 3510: said[second]}, page) for name, first, second, page in rows}


def explained(lines: Sequence[str], arch: int | None = None) -> list[str]:
    """Compiler errors that come from something that the emulator or the product lacks, named as such; without one, the
    errors as they are.

    What else the compiler says then mostly follows from it and is left out.
    """
    named = dict.fromkeys(line for line in (_named(line, arch) for line in lines) if line)
    return list(named) or list(lines)


def _named(line: str, arch: int | None) -> str | None:
    place, _, message = line.partition(": ")
    header = _HEADER.search(message)
    if header:
        name = header["name"] or header["quoted"]
        return f"{place}: the header {name} is not emulated" if _TOOLKIT.match(name) else None
    for pattern in _UNKNOWN:
        match = pattern.search(message)
        if match and match["name"] in table():
            api = table()[match["name"]]
            lacks = "does not exist on this product" if api.on.get(arch) is False else "is not emulated"
            if arch and api.name in declared(arch)[1]:
                lacks = "is not emulated as it is used here"
            return f"{place}: {api.name} {lacks} (Ascend C API, {api.page})"
        if "AscgradCoreType" in message and "constexpr" in message:
            return f"{place}: g_coreType is no constant where both kinds of core run one program, wants if (ASCEND_IS_AIV) or if (ASCEND_IS_AIC)"
        if match and match["name"] == "AscgradDefaultTiling":
            return f"{place}: GET_TILING_DATA: no tiling struct is registered, wants REGISTER_TILING_DEFAULT(struct) or GET_TILING_DATA_WITH_STRUCT"
    form = _FORM.search(message)
    if form and form["name"] in table():
        return f"{place}: {form['name']}{form['call'] or ''} is no form that is emulated (Ascend C API, {table()[form['name']].page})"
    return None


@dataclass(frozen=True)
class Overload:
    """One declaration in the emulator's headers; parameters without the place of the call, which most end with."""

    name: str
    parameters: tuple[str, ...]


@functools.cache
def declared(arch: int) -> tuple[list[Overload], set[str]]:
    """The functions of the emulator's headers on one product, and all names that it declares there, types and macros too.

    Raises ToolchainError when there is no compiler.
    """
    source = _INCLUDE / "kernel_operator.h"
    text = toolchain.preprocess(source, [f"-D__NPU_ARCH__={arch}", f"-I{_INCLUDE}", "-dD"])
    own = "".join(part for name, part in _files(text) if str(_INCLUDE) in name)
    macros = set(re.findall(r"^#define (\w+)", own, re.MULTILINE))
    own = re.sub(r"^#.*$", "", own, flags=re.MULTILINE)
    spaces = re.sub(r",?\s*::emulator::Site site = ::emulator::Site\(__builtin_FILE\(\), __builtin_LINE\(\)\)", "", "\n".join(_bodies(own)))
    types = set(re.findall(r"\b(?:class|struct|enum class|enum)\s+(\w+)", spaces)) | set(re.findall(r"\busing (\w+) =", spaces))
    overloads = []
    for match in re.finditer(r"\b([A-Za-z_]\w*)\s*\(((?:[^(){};]|\([^(){};]*\))*)\)\s*(?:const\s*)?\{", spaces):
        if match[1] not in ("if", "for", "while", "switch", "catch", "decltype", "sizeof"):
            overloads.append(Overload(match[1], _parameters(match[2])))
    return overloads, macros | types | {overload.name for overload in overloads}


def _files(text: str):
    """The pieces of preprocessed text with the file that each comes from."""
    parts = re.split(r'^# \d+ "([^"]*)".*$', text, flags=re.MULTILINE)
    return zip(parts[1::2], parts[2::2], strict=True)


def _bodies(text: str) -> list[str]:
    """What stands in namespace AscendC."""
    bodies = []
    for match in re.finditer(r"\bnamespace AscendC\s*\{", text):
        depth, end = 1, match.end()
        for brace in re.finditer(r"[{}]", text[match.end():]):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                end = match.end() + brace.start()
                break
        bodies.append(text[match.end():end])
    return bodies


def _parameters(text: str) -> tuple[str, ...]:
    """The names of a parameter list, with [] behind arrays."""
    depth, parts, start = 0, [], 0
    for i, c in enumerate(text + ","):
        depth += (c in "(<[{") - (c in ")>]}")
        if c == "," and depth == 0:
            parts.append((text + ",")[start:i])
            start = i + 1
    names = []
    for part in parts:
        part = part.split("=")[0].strip()
        match = re.search(r"(\w+)\s*(\[[^\]]*\])?$", part)
        if match:
            names.append(match[1] + ("[]" if match[2] else ""))
    return tuple(names)


_TYPES = {"I8": "int8", "U8": "uint8", "I16": "int16", "U16": "uint16", "I32": "int32", "U32": "uint32", "I64": "int64", "U64": "uint64",
          "F16": "half", "BF16": "bfloat16", "F32": "float", "F64": "double"}


def _union(text: str, bits: dict[str, int]) -> int:
    """The value of names joined by |, the last of which may be taken away by & ~."""
    text, _, without = text.partition("& ~")
    value = 0
    for name in text.split("|"):
        value |= bits[name.strip()]
    return value & ~bits[without.strip()] if without else value


@functools.cache
def dtypes() -> dict[str, dict[int, tuple[str, str]]]:
    """API -> __NPU_ARCH__ -> (dtypes of all forms, dtypes of the form with a count alone), from the rows of rules.h."""
    text = (_INCLUDE / "emulator" / "rules.h").read_text(encoding="utf-8")
    bits = {name: 1 << i for i, name in enumerate(_TYPES)} | {"NONE": 0}
    for name, value in re.findall(r"\b(B8|B64|ARITH|WIDE|FLOATS|MOVED)\s*=\s*([^;,]+)", text):
        bits[name] = _union(value, bits)
    listed = lambda value: ", ".join(title for name, title in _TYPES.items() if value & bits[name])
    result = {}
    for name, *cells in re.findall(r"X\((\w+), ([A-Z0-9 |&~]+), ([A-Z0-9 |&~]+), ([A-Z0-9 |&~]+)\)", text):
        first, second, count = (_union(cell, bits) for cell in cells)
        result[name] = {2201: (listed(first), ""), 3510: (listed(second), listed(count & ~second))}
    return result


_ROW_OF = {"CompareScalar": "Compares", **{f"{group}Reduce{kind}": row for group, row in (("Whole", "ReduceRepeat"), ("Block", "ReduceDataBlock"))
                                           for kind in ("Sum", "Max", "Min")}, "RepeatReduceSum": "ReduceRepeat", "PairReduceSum": "ReducePairElem"}
"""Names that share the row of another."""


_NOTES = {
    "LoadData": (
        "`LoadData` with `LoadData2DParams`: a call copies fractals one after another, and which blocks of the matrix they are is up to",
        "the loop around it. A2 and A3 have the blocks of the left matrix in L0A row by row (ZZ), 950 has them column by column (NZ; the",
        "guide's pages on cube programming and on C++ tensors say so, the page of `LoadData_2D` says ZZ or NZ). `Mmad` reads L0A so on each",
        "product: a loop written for A2 or A3 can run on 950 without a finding and multiply other blocks. On 950 `dstGap` has no effect by",
        "the page and one by the public headers, which also take `startIndex` for a number of strides where the page counts fractals: a",
        "value other than 0 is a finding. `LoadData2DParamsV2`, which only 950 has, places a whole tile.",
    ),
}
"""API -> what its forms and dtypes do not say."""


_TAKEN_FOR_GRANTED = (
    "What the device compiler inserts by default (`--cce-auto-sync=on`) is taken for granted, on vector cores: the order of vector",
    "instructions among themselves on A2 and A3 (on 950 the hardware keeps it), and waits between the scalar unit and V, MTE2 and MTE3 in",
    "both directions for `GetValue`, `SetValue` of local tensors, `operator()` and the results of reductions and of `MrgSort`: `MTE2_S`",
    "before a `GetValue`, for one. Between V, MTE2 and MTE3, for copies that overlap, and on cube cores nothing is inserted",
    "(基础API/同步控制/核内同步/关键特性说明.md). `ascgrad emulate --no-auto-sync` leaves all of it out, for kernels that are built with",
    "`--cce-auto-sync=off`.",
)
"""Order that no line of a kernel makes."""


def page() -> str:
    """docs/emulated_api.md."""
    have = {arch: declared(arch) for arch in ARCHES}
    lines = [
        "# What the emulator has of the Ascend C API",
        "",
        "Written by `python -m tests.regenerate` from the emulator's headers (`compiler/emulator/include/`) and from the list of public",
        "names (`compiler/emulator/apis.tsv`). Forms are the parameter lists that are declared; dtypes are those that a call may have without",
        "a finding (`rules.h`), `count:` marks those of the form with a count alone. Conversions of `Cast` are listed by `CastModes` in",
        "`rules.h`. The last column is the page of the Ascend C documentation (asc-devkit, `docs/zh/api`) that the behaviour follows.",
        "Pages call A2 and A3 products with `__NPU_ARCH__` 2201, 950 those with 3510.",
        "",
        *_TAKEN_FOR_GRANTED,
        "",
    ]
    emulated = {name: api for name, api in table().items() if any(name in names for _, names in have.values())}
    for group in sorted({_group(api) for api in emulated.values()}):
        lines += [f"## {group}", "", "| API | forms | A2, A3 | 950 | page |", "|---|---|---|---|---|"]
        for name, api in emulated.items():
            if _group(api) == group:
                found = dict.fromkeys(o.parameters for overloads, _ in have.values() for o in overloads if o.name == name)
                forms = [f"({', '.join(parameters)})" for parameters in found if parameters or len(found) == 1]
                cells = [_cell(api, arch, name in have[arch][1]) for arch in ARCHES]
                lines.append(f"| {name} | {'<br>'.join(forms) or '-'} | {' | '.join(cells)} | {api.page.removeprefix('SIMD-API/')} |")
        lines.append("")
        for name in (n for n in _NOTES if n in emulated and _group(emulated[n]) == group):
            lines += [*_NOTES[name], ""]
    lines += ["## Not emulated", "", "A call of one of these ends compilation with a line that names it. Register programming (`RegTensor`), SIMT and the",
              "tensor API are not emulated as a whole.", ""]
    missing = [api for name, api in table().items() if name not in emulated]
    wide = lambda api: "/".join(_group(api).split("/")[:2])
    for group in sorted(set(map(wide, missing))):
        lines += [f"- {group}: {', '.join(api.name for api in missing if wide(api) == group)}"]
    return "\n".join(lines) + "\n"


def _group(api: Api) -> str:
    return "/".join(api.page.removeprefix("SIMD-API/").split("/")[:-1]) or "Utils-API"


def _cell(api: Api, arch: int, here: bool) -> str:
    row = dtypes().get(_ROW_OF.get(api.name, api.name))
    if row is not None:
        every, count = row[arch]
        return "; ".join(filter(None, (every, f"count: {count}" if count else ""))) or "no"
    return "no" if api.on[arch] is False or not here else "yes"
