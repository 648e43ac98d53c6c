"""C++ text in the style of the target repositories: 4 spaces, 120 columns."""

from __future__ import annotations

from collections.abc import Sequence

COLUMNS = 120


def formatted(text: str) -> str:
    """The text with every line that is too long broken."""
    lines = []
    for line in text.split("\n"):
        code = line.lstrip(" ")
        lines.append(statement(code, len(line) - len(code)) if len(line) > COLUMNS and not code.startswith("*") else line)
    return "\n".join(lines)


def statement(line: str, indent: int) -> str:
    """One statement, its trailing comment moved above it and its arguments broken where it is too long."""
    code = line.lstrip(" ")
    indent, line = indent + len(line) - len(code), code.replace("  // ", " // ")
    pad = " " * indent
    if len(pad + line) <= COLUMNS or line.startswith("// "):
        return pad + line
    code, _, comment = line.partition(" // ")
    if comment:
        return f"{pad}// {comment}\n{statement(code, indent)}"
    opening = code.find("(")
    lines, current, hang = [], pad, pad + " " * 4
    if 0 < opening < COLUMNS // 2 and not code.startswith("template"):
        hang = pad + " " * (opening + 1)
    for word in _words(code):
        if len(current + word.rstrip()) > COLUMNS and current.strip():
            lines.append(current.rstrip())
            current = hang
        current += word
    return "\n".join([*lines, current.rstrip()])


def _words(code: str) -> list[str]:
    """Pieces that a line may be broken after: arguments."""
    words, depth, start = [], 0, 0
    for i, c in enumerate(code):
        if c == "," and i + 1 < len(code) and code[i + 1] == " ":
            words.append(code[start : i + 2])
            start = i + 2
    return [*words, code[start:]]


def block(condition: str, lines: Sequence[str], indent: int) -> str:
    """Statements, under ``if constexpr`` where there is a condition."""
    pad = " " * indent
    if not condition:
        return "\n".join(statement(line, indent) for line in lines)
    inner = "\n".join(statement(line, indent + 4) for line in lines)
    return f"{pad}if constexpr ({condition}) {{\n{inner}\n{pad}}}"
