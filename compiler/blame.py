"""Where in an operator's own file an error belongs: file, line, expression and a caret under it."""

from __future__ import annotations

import re
import traceback
import unicodedata
from collections.abc import Collection
from pathlib import Path


def located(error: BaseException, paths: Collection[str]) -> str | None:
    """`file:line: message` with the expression and a caret below it, for an error that one of these files caused.

    paths: the files that define operators. An error that was raised while the file's own code ran is placed at the
    innermost expression of that file; another at the first quoted name of its message that the file has; None when
    neither is found.
    """
    if isinstance(error, SyntaxError) and error.filename in paths:
        return _text(error.filename, error.lineno or 1, error.offset and error.offset - 1,
                     error.end_offset and error.end_offset - 1, f"SyntaxError: {error.msg}")
    message = _message(error)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in paths and frame.lineno:
            one_line = frame.end_lineno in (None, frame.lineno)
            line = _line(frame.filename, frame.lineno)
            start, end = (_characters(line, frame.colno), _characters(line, frame.end_colno)) if one_line else (None, None)
            return _text(frame.filename, frame.lineno, start, end, message)
    return None


def mentioned(message: str, path: str) -> str | None:
    """The message placed where the file spells a name that it is about as a string, or defines or calls a function of that
    name; None where it does neither. What the message is about stands in quotes, or at its start before a colon."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    for name in [*re.findall(r"'([A-Za-z_]\w*)'", message), *re.findall(r"[A-Za-z_]\w*", message.partition(":")[0])]:
        for number, line in enumerate(lines, 1):
            found = re.search(rf"(?<=[\"']){name}(?=[\"'])|(?<=def ){name}(?=\()|(?<=\.){name}(?=\()", line)
            if found:
                return _text(path, number, *found.span(), message)
    return None


def _message(error: BaseException) -> str:
    """What the compiler's own errors say is for users; Python's own need their kind in front."""
    text = " ".join(str(error).split())
    module = type(error).__module__
    return text if module.startswith(("ir.", "compiler.")) else f"{type(error).__name__}: {text}"


def _line(path: str, number: int) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()[number - 1]
    except (OSError, UnicodeDecodeError, IndexError):
        return ""


def _characters(line: str, offset: int | None) -> int | None:
    """A position that Python counts in bytes of UTF-8, in characters."""
    return None if offset is None else len(line.encode()[:offset].decode(errors="ignore"))


def _text(path: str, number: int, start: int | None, end: int | None, message: str) -> str:
    line = _line(path, number)
    head = f"{path}:{number}: {message}"
    if not line.strip():
        return head
    indent = len(line) - len(line.lstrip())
    start = indent if start is None else max(start, indent)
    end = len(line.rstrip()) if end is None or end <= start else min(end, len(line))
    wide = lambda text: sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return f"{head}\n    {line.strip()}\n    {' ' * wide(line[indent:start])}{'^' * max(1, wide(line[start:end]))}"
