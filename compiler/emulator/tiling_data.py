"""The tiling struct of an operator: its fields read from the header that host and kernel share."""

import re
import struct
from dataclasses import dataclass

_FORMATS = dict(
    pair.split(":")
    for pair in (
        "int8_t:b uint8_t:B bool:? int16_t:h uint16_t:H int32_t:i uint32_t:I int64_t:q uint64_t:Q float:f double:d"
    ).split()
)
# Order of the toolkit's TCubeTiling: 50 int32 (kernel_tiling/kernel_tiling.h).
_CUBE = """
    usedCoreNum M N Ka Kb singleCoreM singleCoreN singleCoreK baseM baseN baseK depthA1 depthB1 stepM stepN isBias
    transLength iterateOrder shareMode shareL1Size shareL0CSize shareUbSize batchM batchN singleBatchM singleBatchN
    stepKa stepKb depthAL1CacheUB depthBL1CacheUB dbL0A dbL0B dbL0C ALayoutInfoB ALayoutInfoS ALayoutInfoN ALayoutInfoG
    ALayoutInfoD BLayoutInfoB BLayoutInfoS BLayoutInfoN BLayoutInfoG BLayoutInfoD CLayoutInfoB CLayoutInfoS1
    CLayoutInfoN CLayoutInfoG CLayoutInfoS2 BatchNum reserved
""".split()

_STRUCT = re.compile(
    r"\bstruct\s+(?:alignas\s*\(\s*(?P<align>\d+)\s*\)\s*)?(?P<name>\w+)\s*\{(?P<body>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\s*;"
)
_FIELD = re.compile(r"(?:const\s+)?(?P<type>[\w:]+)\s+(?P<names>[^;]+);")
_NAME = re.compile(r"\s*(?P<name>\w+)\s*(?:\[\s*(?P<count>\w+)\s*\])?\s*(?:=.*|\{.*\})?$", re.DOTALL)
_CONSTANT = re.compile(r"\bconstexpr\s+\w+\s+(\w+)\s*=\s*(\d+)[uUlL]*\s*;")

POISON = 0xCD  # what the emulator fills tiling data with before the tiling function runs


@dataclass(frozen=True)
class Field:
    name: str  # dotted for fields of nested structs
    format: str  # a letter of module struct
    offset: int
    count: int | None  # None: no array
    line: int


@dataclass(frozen=True)
class Layout:
    name: str
    fields: tuple[Field, ...]
    size: int
    alignment: int

    def decode(self, data: bytes) -> dict[str, int | float | bool | list]:
        """field -> value; list fields give a list."""
        values = {}
        for entry in self.fields:
            items = list(struct.unpack_from(f"<{entry.count or 1}{entry.format}", data, entry.offset))
            values[entry.name] = items[0] if entry.count is None else items
        return values

    def unwritten(self, data: bytes) -> list[Field]:
        """Fields of at least 4 bytes that still hold the pattern from before the tiling function."""
        return [
            entry
            for entry in self.fields
            if (size := struct.calcsize(f"<{entry.format}")) >= 4
            and data[entry.offset : entry.offset + size] == bytes([POISON]) * size
        ]


def parse(text: str) -> list[Layout]:
    """The plain structs of a header, laid out at natural alignment as C++ does on both sides."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.DOTALL)
    constants = {name: int(value) for name, value in _CONSTANT.findall(text)}
    cube = tuple(Field(name, "i", 4 * index, None, 0) for index, name in enumerate(_CUBE))
    known = {"TCubeTiling": Layout("TCubeTiling", cube, 4 * len(cube), 8)}
    layouts = []
    for match in _STRUCT.finditer(text):
        fields, offset, alignment = [], 0, int(match["align"] or 1)
        for declaration in _FIELD.finditer(match["body"]):
            line = text.count("\n", 0, match.start("body") + declaration.start()) + 1
            kind = declaration["type"].removeprefix("std::")
            for declared in re.split(r",(?![^{]*\})", declaration["names"]):
                name = _NAME.match(declared)
                if name is None or (kind not in _FORMATS and kind.split("::")[-1] not in known):
                    continue
                count = name["count"]
                count = None if count is None else int(constants.get(count, count if count.isdigit() else 1))
                nested = known.get(kind.split("::")[-1])
                size = nested.size if nested else struct.calcsize(f"<{_FORMATS[kind]}")
                align = nested.alignment if nested else size
                offset = -(-offset // align) * align
                if nested:
                    for index in range(count or 1):
                        label = name["name"] + (f"[{index}]" if count is not None else "")
                        fields += [
                            Field(
                                f"{label}.{inner.name}",
                                inner.format,
                                offset + index * size + inner.offset,
                                inner.count,
                                line,
                            )
                            for inner in nested.fields
                        ]
                else:
                    fields.append(Field(name["name"], _FORMATS[kind], offset, count, line))
                offset += size * (count or 1)
                alignment = max(alignment, align)
        layout = Layout(match["name"], tuple(fields), -(-offset // alignment) * alignment, alignment)
        known[layout.name] = layout
        layouts.append(layout)
    return layouts
