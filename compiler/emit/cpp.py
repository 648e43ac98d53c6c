"""C++ layout in the target repositories' clang-format style: 4 spaces, 120 columns, filled argument lists."""

from __future__ import annotations

import json
import textwrap

WIDTH = 120


def call(arguments, head: str, tail: str = ";", indent: int = 0) -> str:
    """``head(arguments)tail``, its arguments filled and aligned behind the bracket.

    The first line carries no indent: the template supplies it.
    """
    arguments = list(arguments)
    first, close = f"{head}(", f"){tail}"
    column = indent + len(first)
    aligned = _fill(arguments, column, len(close))
    broken = _fill(arguments, indent + 4, len(close))
    fits = max(column + len(line) for line in [*aligned[:-1], aligned[-1] + close]) <= WIDTH
    declares = all(" " in a for a in arguments)
    if fits and len(aligned) <= len(broken) + (3 if declares else 1):
        return first + f"\n{' ' * column}".join(aligned) + close
    return first + "".join(f"\n{' ' * (indent + 4)}{line}" for line in broken) + close


def _fill(arguments: list[str], column: int, reserve: int) -> list[str]:
    lines = [""]
    for i, argument in enumerate(arguments):
        last = i == len(arguments) - 1
        text = argument if last else argument + ","
        joined = f"{lines[-1]} {text}" if lines[-1] else text
        if lines[-1] and column + len(joined) + (reserve if last else 0) > WIDTH:
            lines.append(text)
        else:
            lines[-1] = joined
    return lines


def chain(calls, head: str, tail: str = ";", indent: int = 0) -> str:
    """``head.a().b();`` on one line where it fits, else one call a line."""
    calls = [c for c in calls if c]
    line = head + "".join(f".{c}" for c in calls) + tail
    if indent + len(line) <= WIDTH:
        return line
    return head + "".join(f"\n{' ' * (indent + 4)}.{c}" for c in calls) + tail


def condition(check, indent: int = 0) -> str:
    """``if (when && !call(...))``, broken behind ``&&`` first, then between the arguments."""
    line = f"if ({check.refused})"
    if indent + len(line) + 2 <= WIDTH:
        return line
    name, arguments = _split(check.call)
    if not check.when:
        return call(arguments, f"if (!{name}", ")", indent)
    parts = [f"{p} &&" for p in check.when.split(" && ")]
    lines = [parts[0]]
    for part in parts[1:]:
        joined = f"{lines[-1]} {part}"
        lines[-1:] = [joined] if indent + 4 + len(joined) <= WIDTH else [lines[-1], part]
    head = f"\n{' ' * (indent + 4)}".join(lines)
    last = call(arguments, f"!{name}", ") {", indent + 4).removesuffix(" {")
    return f"if ({head}\n{' ' * (indent + 4)}{last}"


def _split(text: str) -> tuple[str, list[str]]:
    """The function and the arguments of a call."""
    name, rest = text.split("(", 1)
    arguments, depth, quoted, current = [], 0, False, ""
    for c in rest[:-1]:
        quoted ^= c == '"'
        depth += (c in "([{") - (c in ")]}") if not quoted else 0
        if c == "," and not depth and not quoted:
            arguments.append(current.strip())
            current = ""
        else:
            current += c
    return name, [*arguments, current.strip()]


def comment(text: str, indent: int = 0, mark: str = "//") -> str:
    """A comment, wrapped; the first line carries no indent."""
    lines = []
    for paragraph in text.splitlines():
        lines += textwrap.wrap(paragraph, WIDTH - indent - len(mark) - 1, break_on_hyphens=False) or [""]
    return f"\n{' ' * indent}".join(f"{mark} {line}".rstrip() for line in lines)


def short_function(body: str, head: str, indent: int = 0) -> str:
    """A function of one statement, on one line where it fits."""
    pad = " " * indent
    line = f"{head} {{ {body} }}"
    return line if indent + len(line) <= WIDTH else f"{head}\n{pad}{{\n{pad}    {body}\n{pad}}}"


def file_block(brief: str, name: str) -> str:
    """The comment that opens a file."""
    return "\n".join(["/*!", f" * \\file {name}", *(f" * {line}" for line in textwrap.wrap(
        f"\\brief {brief}", WIDTH - 3, break_on_hyphens=False)), " */"])


def tagged(text: str, tag: str) -> str:
    """A line of a documentation comment: ``@param [in] text``, wrapped behind the star."""
    head = {"in": "@param [in] ", "out": "@param [out] ", "return": "@return ", "brief": "@brief ", "li": "@li "}[tag]
    lines = textwrap.wrap(head + text, WIDTH - 3, subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join(f" * {line}" for line in lines)


def literal(value) -> str:
    """A number or a bool as C++ prints it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value!r}f"
    return str(value)


def number(value) -> str:
    """A value for a test: as `literal`, and NaN and infinity."""
    if isinstance(value, float) and value != value:
        return "std::nanf(\"\")"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return ("-" if value < 0 else "") + "std::numeric_limits<float>::infinity()"
    return literal(value)


def string(text: str) -> str:
    """A C string literal."""
    return json.dumps(text, ensure_ascii=False)


def indented(text: str, indent: int) -> str:
    """Every line of a text, indented, blank ones left blank."""
    return textwrap.indent(text, " " * indent)


def fields(plan_fields) -> str:
    """Members of a struct with their comments: behind the members, aligned, where all fit; else above them."""
    members = [f"{f.ctype} {f.name} = {'0.0f' if f.ctype == 'float' else '0'};" for f in plan_fields]
    width = max(map(len, members), default=0)
    behind = [f"    {m:<{width}} // {f.doc}" if f.doc else f"    {m}" for m, f in zip(members, plan_fields)]
    if all(len(line) <= WIDTH for line in behind):
        return "\n".join(behind)
    above = []
    for m, f in zip(members, plan_fields):
        above += ([f"    {comment(f.doc, 4)}"] if f.doc else []) + [f"    {m}"]
    return "\n".join(above)
