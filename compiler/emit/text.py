"""C++ text in the style of the target repositories: 4 spaces, 120 columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from itertools import groupby

COLUMNS = 120


def formatted(text: str) -> str:
    """The text with every line that is too long broken."""
    lines: list[str] = []
    for (indent, comment), group in groupby(text.split("\n"), _kind):
        own = list(group)
        if comment and max(map(len, own)) > COLUMNS:
            own = [statement(" ".join(["//", *(line.strip()[3:] for line in own)]), indent)]
        elif not comment:
            own = [statement(line, 0) if len(line) > COLUMNS and not line.lstrip().startswith("*") else line for line in own]
        lines += own
    return "\n".join(lines)


def _kind(line: str) -> tuple[int, bool]:
    """Lines of one comment are alike: its indent, and that it is one."""
    code = line.lstrip(" ")
    return (len(line) - len(code), True) if code.startswith("// ") else (0, False)


def statement(line: str, indent: int) -> str:
    """One statement, its trailing comment moved above it and its arguments broken where it is too long."""
    code = line.lstrip(" ")
    indent, line = indent + len(line) - len(code), code.replace("  // ", " // ")
    pad = " " * indent
    if len(pad + line) <= COLUMNS:
        return (pad + line).rstrip()
    if line.startswith("// "):
        return "\n".join(f"{pad}// {part}" for part in textwrap.wrap(line[3:], COLUMNS - len(pad) - 3, break_on_hyphens=False))
    code, _, comment = line.partition(" // ")
    if comment:
        return f"{pad}// {comment}\n{statement(code, indent)}"
    template = code.startswith("template")
    lines, current, rest = [], pad, code
    opened = [len(pad) + 4 if template else _operand(pad, code)]  # columns that continuation lines align with
    while len(current + rest) > COLUMNS:
        breaks = list(_breaks(rest, opened, len(current)))
        fitting = [b for b in breaks if len(current) + b[0] <= COLUMNS + 1] or breaks[:1]
        if not fitting:
            break
        end, _, opened = max(fitting) if template else min(fitting, key=lambda b: (b[1], -b[0]))
        lines.append((current + rest[:end]).rstrip())
        current, rest = " " * (opened[0] if template else opened[-1]), rest[end:].lstrip()
    return "\n".join([*lines, (current + rest).rstrip()])


CHOICE = (" ? ", " : ")
LOOSE = {", ": 0, **dict.fromkeys(CHOICE, 1), " && ": 2, " || ": 2, " + ": 3, " - ": 3, " * ": 4, " / ": 4}
"""What a line is broken after, or before where it is a choice; what binds loosely first."""


ARGUMENTS = re.compile(r"(?<=\w)<[^<>()]*>(?=[(:])")
"""Template arguments of a call."""


def _operand(pad: str, code: str) -> int:
    """The column of the first operand of an assignment, near enough, else one indent further in."""
    column = code.find(" = ") + 3
    return len(pad) + (column if 3 <= column < COLUMNS // 2 else 4)


def _breaks(code: str, opened: list[int], column: int):
    """(end, (depth, how tightly it binds), columns to align with after it) of the places that code at this column may be broken
    at: not in strings and template arguments."""
    stack, quoted, i = list(opened), False, 0
    while i < len(code):
        arguments = None if quoted else ARGUMENTS.match(code, i)
        if arguments:
            i = arguments.end()
            continue
        c = code[i]
        quoted ^= c == '"' and code[i - 1 : i] != "\\"
        if not quoted and c in "([{":
            here = column + i + 1
            stack.append(here if here <= (COLUMNS // 2 if len(stack) == 1 else 2 * COLUMNS // 3) else stack[-1])
        elif not quoted and c in ")]}" and len(stack) > 1:
            stack.pop()
        elif not quoted:
            mark = next((m for m in LOOSE if code.startswith(m, i)), None)
            if mark:
                yield i + (1 if mark in CHOICE else len(mark)), (len(stack), LOOSE[mark]), list(stack)
        i += 1


def block(condition: str, lines: Sequence[str], indent: int) -> str:
    """Statements, under ``if constexpr`` where there is a condition."""
    pad = " " * indent
    if not condition:
        return "\n".join(statement(line, indent) for line in lines)
    inner = "\n".join(statement(line, indent + 4) for line in lines)
    return f"{pad}if constexpr ({condition}) {{\n{inner}\n{pad}}}"


def joined(text: str) -> str:
    """Blocks under one ``if constexpr`` that follow one another as one block. What they declare must have names of its own."""
    lines: list[str] = []
    opened: dict[str, str] = {}  # indent -> the line that opened the last block there
    for line in text.split("\n"):
        pad = line[: len(line) - len(line.lstrip(" "))]
        if line.startswith(f"{pad}if constexpr (") and line == opened.get(pad) and lines[-1] == f"{pad}}}":
            lines.pop()
            continue
        if line.endswith("{"):
            opened[pad] = line
        lines.append(line)
    return "\n".join(lines)
