"""Reads the part of C++ that tilings and kernels are written in: a `Unit` has the functions, classes and constants of some texts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/|\\\n)|(?P<directive>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)"
    r"|(?P<text>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<number>(?:0[xX][0-9a-fA-F']+|0[bB][01']+|(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><<=|>>=|<=>|\.\.\.|->\*|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[][{}()<>;:,.?~!+*/%&|^=@-])",
    re.DOTALL,
)


class Unreadable(Exception):
    """What the reader does not understand, or cannot know. `str()` is one line without the place."""

    def __init__(self, message: str, file: Path, line: int):
        super().__init__(message)
        self.file, self.line = file, line


class BeyondTable(Unreadable):
    """An index that a table of the sources does not have: what a rule then cannot read is the fault of the sources."""


@dataclass(frozen=True)
class Token:
    kind: str  # text, number, name, sign
    text: str
    line: int


@dataclass(frozen=True)
class Function:
    """A function, with its body as tokens. owner: the class of a method. template: names of its template parameters."""

    name: str
    owner: str
    template: tuple[str, ...]
    parameters: tuple[tuple[str, str, bool], ...]  # (type, name, whether it is a reference that can be written through)
    body: tuple[Token, ...]
    file: Path
    line: int


@dataclass
class Class:
    """members: name -> (type, initial value as tokens, line). constants: names that are static constexpr."""

    name: str
    template: tuple[str, ...]
    members: dict[str, tuple[str, tuple[Token, ...], int]]
    constants: frozenset[str]
    file: Path
    line: int


def blank(match_or_text) -> str:
    """The same number of lines, and nothing else."""
    text = match_or_text if isinstance(match_or_text, str) else match_or_text[0]
    return re.sub(r"[^\n]", " ", text)


def without_comments(text: str) -> str:
    """The text with comments blanked out; strings stay."""
    return re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/",
                  lambda m: m[0] if m[0][0] in "\"'" else blank(m), text, flags=re.DOTALL)


def preprocess(text: str, arch: int) -> str:
    """The text with the branches blanked out that another __NPU_ARCH__ takes. Conditions on other things count as true."""
    lines, stack = text.split("\n"), []  # of [taken already, taken now]
    for i, line in enumerate(lines):
        match = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)", line)
        if match is None:
            lines[i] = line if all(now for _, now in stack) else ""
            continue
        word, condition = match.groups()
        holds = _holds(condition, arch) if word in ("if", "elif") else True
        if word in ("if", "ifdef", "ifndef"):
            stack.append([holds, holds])
        elif word == "endif" and stack:
            stack.pop()
        elif stack:
            stack[-1] = [stack[-1][0] or holds, holds and not stack[-1][0]]
        lines[i] = ""
    return "\n".join(lines)


def _holds(condition: str, arch: int) -> bool:
    condition = re.sub(r"//.*|/\*.*?\*/", "", condition).strip()
    condition = condition.replace("defined(__NPU_ARCH__)", "True").replace("__NPU_ARCH__", str(arch))
    if not re.fullmatch(r"(?:True|[\d\s()=!<>&|])+", condition):
        return True
    return bool(eval(re.sub(r"!(?!=)", " not ", condition.replace("&&", " and ").replace("||", " or ")), {"__builtins__": {}}))


def tokens(text: str, file: Path) -> list[Token]:
    found, line, at = [], 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unreadable(f"{text[at]!r} is no token", file, line)
        if match.lastgroup not in ("space", "directive"):
            found.append(Token(match.lastgroup, match[0], line))
        line += match[0].count("\n")
        at = match.end()
    return found


def closing(items, at: int) -> int:
    """The place of the bracket that closes the one at `at`."""
    pairs, depth = {"(": ")", "[": "]", "{": "}"}, 0
    opening = items[at].text
    for i in range(at, len(items)):
        depth += (items[i].text == opening) - (items[i].text == pairs[opening])
        if depth == 0:
            return i
    raise IndexError(at)


class Unit:
    """Functions, classes and constants of some source texts."""

    def __init__(self, texts: dict[Path, str]):
        self.functions: dict[str, list[Function]] = {}
        self.classes: dict[str, Class] = {}
        self.constants: dict[str, tuple[tuple[Token, ...], Path]] = {}
        for file, text in texts.items():
            self._read(tokens(text, file), file)

    def _read(self, items: list[Token], file: Path, owner: str = "") -> None:
        at, template = 0, ()
        while at < len(items):
            word = items[at].text
            if word == "template":
                template, at = _template(items, at + 1)
            elif word == "namespace" or (word == "extern" and at + 2 < len(items) and items[at + 2].text == "{"):
                while items[at].text not in ("{", ";"):
                    at += 1
                at += 1
            elif word in ("class", "struct", "enum") and _opens(items, at):
                at = self._class(items, at, template, file, word)
                template = ()
            else:
                at = self._declaration(items, at, template, file, owner)
                template = ()

    def _class(self, items, at: int, template, file: Path, word: str) -> int:
        start = at + 1
        brace = next(i for i in range(at, len(items)) if items[i].text == "{")
        end = closing(items, brace)
        names = [t.text for t in items[start:brace] if t.kind == "name" and t.text not in ("class", "final")]
        if names and word != "enum":
            made = Class(names[0], template, {}, frozenset(), file, items[at].line)
            self.classes[names[0]] = made
            self._members(items[brace + 1:end], made, file)
        return end + 2 if end + 1 < len(items) and items[end + 1].text == ";" else end + 1

    def _members(self, items, made: Class, file: Path) -> None:
        at, template = 0, ()
        while at < len(items):
            word = items[at].text
            if word in ("public", "private", "protected"):
                at += 2
            elif word == "template":
                template, at = _template(items, at + 1)
            elif word in ("class", "struct", "enum") and _opens(items, at):
                at = self._class(items, at, template, file, word)
                template = ()
            else:
                at = self._declaration(items, at, template, file, made.name, made)
                template = ()

    def _declaration(self, items, at: int, template, file: Path, owner: str, made: Class | None = None) -> int:
        """A function with a body, or one declaration up to its semicolon."""
        i, call = at, None
        while i < len(items) and items[i].text not in (";", "{", "="):
            if items[i].text == "(" and call is None and i > at and items[i - 1].kind == "name" and items[i - 1].text not in ("alignas",
                                                                                                                "__attribute__"):
                call = i
            i = closing(items, i) + 1 if items[i].text in "([" else i + 1
        if call is not None and i < len(items) and items[i].text == "{":
            end = closing(items, i)
            name = items[call - 1].text
            if call >= 3 and items[call - 2].text == "::":
                j = call - 3
                if items[j].text == ">":
                    while items[j].text != "<":
                        j -= 1
                    j -= 1
                owner = items[j].text
            parameters = _parameters(items[call + 1:closing(items, call)])
            self.functions.setdefault(name, []).append(
                Function(name, owner, template, parameters, tuple(items[i + 1:end]), file, items[call - 1].line))
            return end + 1
        end = i
        while end < len(items) and items[end].text != ";":
            end = closing(items, end) + 1 if items[end].text in "([{" else end + 1
        head = items[at:i]
        if call is None and head and head[0].text not in ("using", "friend", "}", "typedef"):
            several = split(items[at:end]) if made is not None and not any(t.text == "<" for t in head) else [items[at:end]]
            kind = head[:-1] if len(several) > 1 and head[-1].text != "]" else []
            for n, part in enumerate(several):
                value = next((j for j, t in enumerate(part) if t.text in ("=", "{")), len(part))
                self._variable([*(kind if n else []), *part[:value]], part[value:], file, made)
        return end + 1

    def _variable(self, head, rest, file: Path, made: Class | None) -> None:
        name_at = len(head) - 1
        while name_at > 0 and head[name_at].text == "]":
            while head[name_at].text != "[":
                name_at -= 1
            name_at -= 1
        name = head[name_at]
        if name.kind != "name" or name_at == 0:
            return
        value = tuple(rest[1:]) if rest and rest[0].text == "=" else tuple(rest)
        kind = "".join(t.text if t.kind != "name" else f" {t.text}" for t in head[:name_at]).strip()
        constant = any(t.text == "constexpr" for t in head[:name_at])
        if made is not None:
            made.members[name.text] = (kind, value, name.line)
            if constant:
                made.constants |= {name.text}
        elif constant:
            self.constants[name.text] = (value, file)

    def of_class(self, name: str, method: str) -> Function | None:
        return next((f for f in self.functions.get(method, ()) if f.owner == name), None)


def _opens(items, at: int) -> bool:
    """Whether a class or struct has a body here: a brace before any semicolon or bracket."""
    for t in items[at:]:
        if t.text in (";", "(", "="):
            return False
        if t.text == "{":
            return True
    return False


def _template(items, at: int) -> tuple[tuple[str, ...], int]:
    """Parameter names of `<...>`, and the place behind it."""
    names, depth, last = [], 0, ""
    while True:
        word = items[at].text
        depth += (word == "<") - (word == ">") - 2 * (word == ">>")
        if word in (",", ">") and depth <= 1 and last:
            names.append(last)
            last = ""
        elif items[at].kind == "name" and word not in ("typename", "class"):
            last = word
        at += 1
        if depth <= 0:
            return tuple(names), at


def _parameters(items) -> tuple[tuple[str, str, bool], ...]:
    found = []
    for part in split(items):
        part = part[:next((i for i, t in enumerate(part) if t.text == "="), len(part))]
        if part and part[-1].kind == "name":
            words = [t.text for t in part[:-1]]
            found.append((" ".join(words), part[-1].text, "&" in words and "const" not in words))
        elif part:
            found.append((" ".join(t.text for t in part), "", False))
    return tuple(found)


def split(items, sign: str = ",") -> list[list[Token]]:
    """The parts between commas that no bracket encloses."""
    parts, depth = [[]], 0
    for t in items:
        depth += (t.text in ("(", "[", "{")) - (t.text in (")", "]", "}"))
        if t.text == sign and depth == 0:
            parts.append([])
        else:
            parts[-1].append(t)
    return [p for p in parts if p] if len(parts) > 1 or parts[0] else []
