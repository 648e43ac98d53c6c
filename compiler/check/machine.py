"""Evaluates functions of a `Unit` without a compiler.

Integers are unbounded, division truncates as in C++, and what cannot be known without a run is `UNKNOWN`, which spreads through
expressions. A branch that depends on it raises `Unreadable` with file and line, and so does a statement that is not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from compiler.check.cpp import BeyondTable, Function, Token, Unit, Unreadable, _opens, _parameters, closing, split

INTEGERS = frozenset(
    "char short int long unsigned signed size_t bool int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t uintptr_t".split())
SIZES = {"bool": 1, "char": 1, "int8_t": 1, "uint8_t": 1, "half": 2, "bfloat16_t": 2, "int16_t": 2, "uint16_t": 2, "float": 4,
         "int32_t": 4, "uint32_t": 4, "int": 4, "double": 8, "int64_t": 8, "uint64_t": 8, "size_t": 8}
_QUALIFIERS = frozenset("const constexpr static inline auto mutable volatile typename struct class __gm__ __ubuf__ __aicore__ __global__ "
                        "explicit virtual friend extern typedef enum unsigned signed long".split())
_WORDS = frozenset("if else for while do switch case default return break continue using namespace template public private protected "
                   "sizeof static_assert new delete throw try catch operator goto nullptr true false this".split())


class _Unknown:
    def __repr__(self) -> str:
        return "unknown"

    def __bool__(self) -> bool:
        raise TypeError("unknown has no truth value")


UNKNOWN = _Unknown()


@dataclass
class Object:
    """A value with members: a struct, the tiling data, the arguments of a call."""

    kind: str
    members: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Lambda:
    """A local function with what it sees of where it was written."""

    function: Function
    places: dict = field(hash=False)


class _Return(Exception):
    def __init__(self, value):
        self.value = value


class _Leave(Exception):
    """break or continue."""


class Machine:
    """Evaluates functions of a unit.

    natives: name -> Python function of the values of a call's arguments; they come before functions of the unit. hook: called with
    (object, method, argument values, argument tokens, line) for a method call; NotImplemented where it does not know it.
    """

    STEPS = 200_000
    intercept = None
    """Called with (function, argument values) before a function of the unit; NotImplemented where it is to be evaluated."""

    def __init__(self, unit: Unit, natives: dict | None = None, hook=None):
        self.unit, self.natives, self.hook = unit, natives or {}, hook
        self.file, self.steps = Path(), 0
        self.locals: dict[str, dict] = {}  # of the last call of each function
        self.blocks: list[tuple[int, int, dict]] = []  # first line, last line, locals of each block that was left
        self._constants: dict[str, object] = {}

    # -- functions and names --------------------------------------------------------------------------------------------

    def call(self, function: Function, arguments: list, types: dict | None = None, this: Object | None = None, seen: dict | None = None):
        """The function's value. arguments: values, or `Place` for what a reference names. seen: what a lambda captures."""
        if self.intercept is not None and (done := self.intercept(function, arguments)) is not NotImplemented:
            return done
        scope = Scope(function, dict(types or {}), this, dict(seen or {}))
        for (_, name, reference), value in zip(function.parameters, arguments):
            scope.places[name] = value if isinstance(value, Place) and reference else Place({"": _load(value)}, "")
        saved, self.file = self.file, function.file
        try:
            _Reader(self, function.body, scope).block()
        except _Return as done:
            return done.value
        finally:
            self.file = saved
            self.locals[function.name] = {n: _load(p) for n, p in scope.places.items()}
        return None

    def evaluate(self, items, scope: "Scope", file: Path):
        """The value of an expression or an initialiser."""
        saved, self.file = self.file, file
        try:
            return _Reader(self, tuple(items), scope).initialiser()
        finally:
            self.file = saved

    def constant(self, name: str, scope: "Scope"):
        if name in self._constants:
            return self._constants[name]
        if name in self.unit.constants:
            items, file = self.unit.constants[name]
            value = self.evaluate(items, Scope(None, {}, None), file)
            self._constants[name] = value
            return value
        return UNKNOWN

    def make(self, kind: str) -> Object:
        """A struct with its default values."""
        made = self.unit.classes[kind]
        value = Object(kind)
        for name, (_, items, _) in made.members.items():
            value.members[name] = self.evaluate(items, Scope(None, {}, value), made.file) if items else UNKNOWN
        return value


@dataclass
class Scope:
    function: Function | None
    types: dict[str, object]  # template parameters: a type's name, or a value
    this: Object | None
    places: dict = field(default_factory=dict)


class Place:
    """Something that can be assigned to: an entry of a dict or list."""

    def __init__(self, holder, key):
        self.holder, self.key = holder, key

    def get(self):
        try:
            return self.holder[self.key]
        except (KeyError, IndexError, TypeError):
            return UNKNOWN

    def set(self, value) -> None:
        if isinstance(self.holder, (dict, list)):
            self.holder[self.key] = value


class _Target(Place):
    """What a pointer points to: assigning replaces the members of the object and keeps who it is."""

    def get(self):
        return self.holder

    def set(self, value) -> None:
        if isinstance(value, Object):
            self.holder.members.clear()
            self.holder.members.update(value.members)


def _load(value):
    return value.get() if isinstance(value, Place) else value


_LEVELS = [("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%")]
_PRECEDENCE = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}


class _Reader:
    """Executes tokens as it reads them. With `live` False it reads only."""

    def __init__(self, machine: Machine, items: tuple[Token, ...], scope: Scope):
        self.machine, self.items, self.scope, self.at, self.live = machine, items, scope, 0, True

    # -- tokens ---------------------------------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> str:
        return self.items[self.at + ahead].text if self.at + ahead < len(self.items) else ""

    def take(self, text: str | None = None) -> Token:
        if self.at >= len(self.items) or (text is not None and self.items[self.at].text != text):
            raise self.error(f"{self.peek() or 'the end'} where {text or 'more'} is expected")
        self.at += 1
        return self.items[self.at - 1]

    def accept(self, text: str) -> bool:
        if self.peek() == text:
            self.at += 1
            return True
        return False

    def line(self) -> int:
        return self.items[min(self.at, len(self.items) - 1)].line if self.items else 0

    def error(self, message: str) -> Unreadable:
        return Unreadable(message, self.machine.file, self.line())

    # -- statements -----------------------------------------------------------------------------------------------------

    def block(self) -> None:
        while self.at < len(self.items) and self.peek() != "}":
            self.statement()

    def statement(self) -> None:
        self.machine.steps += self.live
        if self.machine.steps > Machine.STEPS:
            raise self.error("it does not come to an end")
        word = self.peek()
        if word == "{":
            first = self.take().line
            names = dict(self.scope.places)
            self.block()
            # What the block declared itself is gone; assignments through places stay.
            inner, self.scope.places = self.scope.places, names
            if self.live:
                self.machine.blocks.append((first, self.line(), {n: _load(p) for n, p in inner.items()}))
            self.take("}")
        elif word == ";":
            self.take()
        elif word == "if":
            self.conditional()
        elif word in ("for", "while"):
            self.loop(word)
        elif word == "switch":
            self.switch()
        elif word == "return":
            self.take()
            value = None if self.peek() == ";" else self.initialiser()
            self.accept(";")
            if self.live:
                raise _Return(_load(value))
        elif word in ("break", "continue"):
            self.take()
            self.accept(";")
            if self.live:
                raise _Leave(word)
        elif word in ("struct", "class", "enum") and _opens(self.items, self.at):
            self.at = self.machine.unit._class(self.items, self.at, (), self.machine.file, word)
        elif word in ("do", "goto", "try", "throw", "delete", "asm") and self.live:
            raise self.error(f"{word} is not read")
        elif word in ("using", "static_assert", "do", "goto"):
            while not self.accept(";"):
                self.at = closing(self.items, self.at) + 1 if self.peek() in ("(", "{", "[") else self.at + 1
        elif (kind := self.declared()) is not None:
            self.declaration(kind)
        else:
            self.expression()
            if not self.accept(";") and self.peek() not in ("}", ""):
                raise self.error(f"{self.peek()} where ; is expected")

    def truth(self, value) -> bool:
        value = _load(value)
        if not self.live:
            return False
        if value is UNKNOWN:
            raise self.error("a branch depends on what is not known without running it")
        return value is not None and bool(value if not isinstance(value, Object) else True)

    def conditional(self) -> None:
        self.take("if")
        self.accept("constexpr")
        if self.peek() == "(":
            self.take()
            holds = self.truth(self.condition())
            self.take(")")
        else:  # a macro in place of a condition
            holds = self.truth(self.expression())
        self.branch(holds)
        if self.accept("else"):
            self.branch(not holds)

    def condition(self):
        if (kind := self.declared()) is not None:
            self.declaration(kind)
        return self.expression()

    def branch(self, taken: bool) -> None:
        live, self.live = self.live, self.live and taken
        try:
            self.statement()
        finally:
            self.live = live

    def loop(self, word: str) -> None:
        self.take()
        end = closing(self.items, self.at)
        start = self.at + 1
        body = end + 1
        if not self.live:
            self.at = body
            self.statement()
            return
        parts = split(self.items[start:end], ";") if word == "for" else []
        after = self._behind(body)
        if word == "for" and ";" not in [t.text for t in self.items[start:end]]:
            self._each(start, end, body)
        else:
            names = dict(self.scope.places)
            if word == "for" and len(parts) == 3:
                self.at = start
                self.statement()
                test = self.at
                step = next(i for i in range(test, end) if self.items[i].text == ";") + 1
            else:
                test, step = start, end
            while True:
                self.at = test
                if self.peek() != ";" and not self.truth(self.expression()):
                    break
                self.at = body
                try:
                    self.statement()
                except _Leave as leave:
                    if leave.args[0] == "break":
                        break
                if step < end:
                    self.at = step
                    self.expression()
            self.scope.places = names
        self.at = after

    def _each(self, start: int, end: int, body: int) -> None:
        colon = next(i for i in range(start, end) if self.items[i].text == ":")
        name = self.items[colon - 1].text
        self.at = colon + 1
        values = _load(self.expression())
        if not isinstance(values, list):
            raise self.error("a loop over what is not known without running it")
        for value in values:
            self.scope.places[name] = Place({"": value}, "")
            self.at = body
            try:
                self.statement()
            except _Leave as leave:
                if leave.args[0] == "break":
                    break

    def _behind(self, at: int) -> int:
        """The place behind the statement at `at`."""
        saved, live, self.at, self.live = self.at, self.live, at, False
        self.statement()
        behind, self.at, self.live = self.at, saved, live
        return behind

    def switch(self) -> None:
        self.take()
        self.take("(")
        value = _load(self.expression())
        self.take(")")
        end = closing(self.items, self.at)
        self.take("{")
        live, found = self.live, False
        places = []
        depth = 0
        for i in range(self.at, end):
            depth += (self.items[i].text == "{") - (self.items[i].text == "}")
            if depth == 0 and self.items[i].text in ("case", "default"):
                places.append(i)
        if live and value is UNKNOWN:
            raise self.error("a branch depends on what is not known without running it")
        start = None
        for i in places if live else ():
            self.at = i
            if self.take().text == "default":
                self.take(":")
                start = self.at if start is None else start
            elif _load(self.expression()) == value:
                self.take(":")
                start, found = self.at, True
            if found:
                break
        if start is not None:
            self.at = start
            try:
                while self.at < end:
                    while self.peek() in ("case", "default"):
                        if self.take().text == "case":
                            live, self.live = self.live, False
                            self.expression()
                            self.live = live
                        self.take(":")
                    if self.at < end:
                        self.statement()
            except _Leave:
                pass
        self.at = end + 1

    def declared(self) -> str | None:
        """The type, when a declaration starts here; the place is then at its name."""
        start = self.at
        words = self.type()
        if words and self.at < len(self.items) and self.items[self.at].kind == "name" and self.peek() not in _WORDS and \
                self.peek(1) in ("=", "{", ";", "(", "[", ","):
            return words
        self.at = start
        return None

    def type(self) -> str:
        """The words of a type from here on, '' when there is none; the place is behind it then."""
        start, words = self.at, []
        named = False
        while self.at < len(self.items):
            t = self.items[self.at]
            if t.text == "[" and self.peek(1) == "[":
                self.at = closing(self.items, self.at) + 1
                continue
            if t.kind == "name" and t.text in _QUALIFIERS:
                words.append(t.text)
                named = named or t.text in ("auto", "unsigned", "long", "signed")
            elif t.kind == "name" and not named and t.text not in _WORDS:
                words.append(t.text)
                named = True
                self.at += 1
                if self.peek() == "<":
                    arguments = self.template_arguments()
                    if arguments is None:
                        break
                    words[-1] += "<" + ",".join(arguments) + ">"
                if self.peek() == "::":
                    words[-1] += "::"
                    named = False
                    self.at += 1
                continue
            elif t.text in ("*", "&", "&&") and named:
                words.append(t.text)
            else:
                break
            self.at += 1
        if not named:
            self.at = start
            return ""
        return " ".join(words).replace(":: ", "::")

    def template_arguments(self) -> list[str] | None:
        """The arguments of `<...>` from here on; None, without moving, when this is a comparison."""
        start, depth, end = self.at, 0, None
        for i in range(self.at, len(self.items)):
            t = self.items[i]
            if t.text == "<":
                depth += 1
            elif t.text in (">", ">>"):
                depth -= len(t.text)
                if depth <= 0:
                    end = i
                    break
            elif t.text == "(" or (t.text in ("&&", "||", ";", "{", "}", "?", "=", "==", ")") ):
                return None
        if end is None or (end + 1 < len(self.items) and self.items[end + 1].kind == "number"):
            return None
        parts = split(self.items[start + 1:end])
        self.at = end + 1
        return ["".join(t.text for t in p) for p in parts]

    def declaration(self, kind: str) -> None:
        while True:
            name = self.take().text
            dimension = None
            while self.peek() == "[":
                self.take()
                dimension = None if self.peek() == "]" else _load(self.expression())
                self.take("]")
            value = UNKNOWN
            if self.accept("="):
                value = self.initialiser()
            elif self.peek() == "{":
                value = self.construct(kind, self.list())
            elif self.peek() == "(":
                self.take()
                arguments = self.arguments()
                value = _load(arguments[0]) if len(arguments) == 1 and self.bare(kind) in INTEGERS else self.construct(kind, arguments)
            elif self.live:
                value = [UNKNOWN] * dimension if isinstance(dimension, int) else self.construct(kind, [])
            if self.live:
                if "&" in kind.split() and isinstance(value, Place):
                    self.scope.places[name] = value
                else:
                    self.scope.places[name] = Place({"": self.convert(kind, _load(value))}, "")
            if not self.accept(","):
                break
        self.accept(";")

    def bare(self, kind: str) -> str:
        words = [w for w in re.split(r"[\s*&]+", kind) if w and w not in _QUALIFIERS] or kind.split()[-1:]
        return words[-1].split("::")[-1] if words else ""

    def construct(self, kind: str, arguments):
        name = self.bare(kind).split("<")[0]
        if name in self.machine.unit.classes and self.live and "*" not in kind:
            made = self.machine.make(name)
            for member, value in zip(made.members, arguments if isinstance(arguments, list) else []):
                made.members[member] = _load(value)
            return made
        if name in self.machine.natives and self.live:
            return self.machine.natives[name](*[_load(a) for a in arguments])
        return [_load(a) for a in arguments] if isinstance(arguments, list) and arguments and kind == "auto" else UNKNOWN

    def convert(self, kind: str, value):
        name = self.bare(kind)
        if isinstance(value, float) and name in INTEGERS:
            return int(value)
        return bool(value) if name == "bool" and isinstance(value, (int, float)) and "*" not in kind else value

    # -- expressions ----------------------------------------------------------------------------------------------------

    def initialiser(self):
        if self.peek() == "{":
            return self.list()
        return self.expression()

    def list(self):
        self.take("{")
        values = []
        while not self.accept("}"):
            values.append(_load(self.initialiser()))
            self.accept(",")
        return values

    def arguments(self, close: str = ")") -> list:
        values = []
        while not self.accept(close):
            values.append(self.initialiser())
            if not self.accept(",") and self.peek() != close:
                raise self.error(f"{self.peek()} where , or {close} is expected")
        return values

    def expression(self):
        left = self.ternary()
        word = self.peek()
        if word in ("=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="):
            self.take()
            value = _load(self.initialiser())
            if word != "=":
                value = self.apply(word[:-1], _load(left), value)
            if self.live and isinstance(left, Place):
                left.set(value)
            return left
        return left

    def ternary(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        live = self.live
        value = _load(condition)
        if live and value is UNKNOWN:
            self.live = False
            self.expression()
            self.take(":")
            self.expression()
            self.live = live
            return UNKNOWN
        holds = live and self.truth(value)
        self.live = live and holds
        yes = self.expression()
        self.take(":")
        self.live = live and not holds
        no = self.expression()
        self.live = live
        return yes if holds else no

    def binary(self, least: int):
        left = self.unary()
        while (level := _PRECEDENCE.get(self.peek(), -1)) >= least:
            sign = self.take().text
            if sign in ("&&", "||"):
                known = _load(left)
                decided = self.live and known is not UNKNOWN and self.truth(known) == (sign == "||")
                live, self.live = self.live, self.live and not decided
                right = _load(self.binary(level + 1))
                self.live = live
                if decided:
                    left = sign == "||"
                elif known is UNKNOWN or right is UNKNOWN:
                    left = (sign == "||") if right is not UNKNOWN and live and self.truth(right) == (sign == "||") else UNKNOWN
                else:
                    left = live and self.truth(right)
            else:
                left = self.apply(sign, _load(left), _load(self.binary(level + 1)))
        return left

    def apply(self, sign: str, a, b):
        if not self.live:
            return UNKNOWN
        if sign in ("==", "!="):
            if a is UNKNOWN or b is UNKNOWN:
                return UNKNOWN
            same = a is b if isinstance(a, Object) or isinstance(b, Object) else a == b
            return same == (sign == "==")
        if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
            return UNKNOWN
        whole = isinstance(a, int) and isinstance(b, int)
        if sign in ("/", "%") and b == 0:
            if whole:
                raise self.error("a division by zero")
            return UNKNOWN
        if sign == "/":
            return a / b if not whole else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        if sign == "%":
            return abs(a) % abs(b) * (1 if a >= 0 else -1) if whole else UNKNOWN
        if sign in ("<<", ">>", "&", "|", "^") and not whole:
            return UNKNOWN
        return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "<": lambda: a < b, ">": lambda: a > b, "<=": lambda: a <= b,
                ">=": lambda: a >= b, "&": lambda: a & b, "|": lambda: a | b, "^": lambda: a ^ b, "<<": lambda: a << b,
                ">>": lambda: a >> b}[sign]()

    def unary(self):
        word = self.peek()
        if word in ("-", "+", "!", "~"):
            self.take()
            value = _load(self.unary())
            if not self.live or value is UNKNOWN:
                return UNKNOWN
            if word == "!":
                return not self.truth(value)
            if not isinstance(value, (int, float)):
                return UNKNOWN
            return -value if word == "-" else ~value if word == "~" else value
        if word in ("++", "--"):
            self.take()
            place = self.unary()
            return self.step(place, 1 if word == "++" else -1)
        if word in ("*", "&"):
            self.take()
            value = self.unary()
            return _Target(_load(value), "") if word == "*" and isinstance(_load(value), Object) else value
        if word == "sizeof":
            return self.size()
        if word == "(" and self.cast():
            return self.unary()
        return self.postfix(self.primary())

    def step(self, place, by: int):
        if self.live and isinstance(place, Place) and isinstance(place.get(), int):
            place.set(place.get() + by)
        return place

    def cast(self) -> bool:
        """Takes a cast in the old style, if there is one."""
        start = self.at
        end = closing(self.items, self.at)
        self.at += 1
        words = self.type()
        ends = self.at == end
        following = self.items[end + 1] if end + 1 < len(self.items) else None
        if words and ends and following is not None and (following.kind in ("name", "number") or following.text in ("(", "&", "*")) and (
                "*" in words.split() or self.bare(words) in SIZES or words == "void"):
            self.at = end + 1
            return True
        self.at = start
        return False

    def size(self):
        self.take("sizeof")
        self.take("(")
        start = self.at
        words = self.type()
        if not words or self.peek() != ")":
            self.at = start
            self.expression()
        self.take(")")
        if "*" in words.split():
            return 8
        name = self.bare(words) if words else ""
        return SIZES.get(self.scope.types.get(name, name), UNKNOWN)

    def primary(self):
        t = self.take()
        if t.kind == "number":
            digits = t.text.replace("'", "")
            if re.fullmatch(r"0[xX][0-9a-fA-F]+[uUlL]*", digits):
                return int(digits.rstrip("uUlL"), 16)
            if re.search(r"[.eE]", digits) or digits[-1] in "fF":
                return float(digits.rstrip("fFlL"))
            return int(digits.rstrip("uUlL"), 0) if digits.rstrip("uUlL") not in ("0",) else 0
        if t.kind == "text":
            while self.at < len(self.items) and self.items[self.at].kind == "text":
                self.take()
            return t.text
        if t.text == "(":
            value = self.expression()
            self.take(")")
            return value
        if t.text in ("true", "false"):
            return t.text == "true"
        if t.text == "nullptr":
            return None
        if t.text == "this":
            return self.scope.this
        if t.text == "[":
            return self.closure(t.line)
        if t.text == "{":
            self.at -= 1
            return self.list()
        if t.kind != "name":
            raise self.error(f"{t.text} where a value is expected")
        return self.named(t)

    def closure(self, line: int):
        self.at = closing(self.items, self.at - 1) + 1
        parameters = ()
        while self.peek() != "{":
            if self.peek() == "(":
                end = closing(self.items, self.at)
                parameters = _parameters(self.items[self.at + 1:end])
                self.at = end
            self.at += 1
        end = closing(self.items, self.at)
        body, self.at = self.items[self.at + 1:end], end + 1
        function = Function("", "", (), parameters, tuple(body), self.machine.file, line)
        return Lambda(function, self.scope.places) if self.live else UNKNOWN

    def named(self, t: Token):
        path = [t.text]
        arguments: list[str] = []
        while True:
            if self.peek() == "::" and self.at + 1 < len(self.items):
                self.take()
                self.accept("template")
                path.append(self.take().text)
            elif self.peek() == "<" and (found := self.template_arguments()) is not None:
                arguments = found
            else:
                break
        name = path[-1]
        if self.peek() == "(":
            self.take()
            first = self.at
            values = self.arguments()
            local = _load(self.scope.places.get(name))
            if isinstance(local, Lambda) and self.live:
                return self.machine.call(local.function, values, self.scope.types, self.scope.this, local.places)
            return self.invoke(name, arguments, values, self.items[first:self.at - 1], t.line)
        if self.peek() == "{" and (name in self.machine.unit.classes or name in INTEGERS):
            values = self.list()
            return self.construct(name, values) if name in self.machine.unit.classes else (values or [0])[0]
        if not self.live:
            return UNKNOWN
        if len(path) == 1 and name in self.scope.places:
            return self.scope.places[name]
        if name in self.scope.types:
            return self.scope.types[name]
        this = self.scope.this
        if this is not None and name in this.members:
            return Place(this.members, name)
        if this is not None and this.kind in self.machine.unit.classes and name in self.machine.unit.classes[this.kind].constants:
            made = self.machine.unit.classes[this.kind]
            return self.machine.evaluate(made.members[name][1], Scope(None, self.scope.types, this), made.file)
        if "::".join(path[-2:]) in self.machine.natives:
            return self.machine.natives["::".join(path[-2:])]
        if name in self.machine.natives and not callable(self.machine.natives[name]):
            return self.machine.natives[name]
        if this is not None and name.endswith("_"):
            return Place(this.members, name)
        return self.machine.constant(name, self.scope)

    def invoke(self, name: str, templates: list[str], values: list, items, line: int):
        if not self.live:
            return UNKNOWN
        if name in ("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"):
            return self.convert(templates[0] if templates else "", _load(values[0]))
        if name in ("max", "min"):
            known = [_load(v) for v in values]
            return (max if name == "max" else min)(known) if all(isinstance(v, (int, float)) for v in known) else UNKNOWN
        if name in SIZES or name in INTEGERS:
            return self.convert(name, _load(values[0])) if values else 0
        if callable(self.machine.natives.get(name)):
            return self.machine.natives[name](*[_load(v) for v in values])
        this = self.scope.this
        candidates = [f for f in self.machine.unit.functions.get(name, ()) if len(f.parameters) >= len(values)
                      and (not f.owner or (this is not None and f.owner == this.kind))]
        if candidates:
            function = self._best(candidates, values)
            types = {p: self._type_argument(a) for p, a in zip(function.template, templates)}
            if function.owner:
                types = {**self.scope.types, **types}
            return self.machine.call(function, values, types, this if function.owner else None)
        return UNKNOWN

    def _best(self, candidates, values):
        """The overload whose parameters fit the values best: a list wants initializer_list, an object does not."""
        def score(f):
            fits = 0
            for (kind, _, _), value in zip(f.parameters, values):
                fits += ("initializer_list" in kind) == isinstance(_load(value), list)
            return len(f.parameters) == len(values), fits
        return max(candidates, key=score)

    def _type_argument(self, text: str):
        if text in ("true", "false"):
            return text == "true"
        if text.isdigit():
            return int(text)
        return self.scope.types.get(text, text)

    def postfix(self, value):
        while True:
            word = self.peek()
            if word in (".", "->"):
                self.take()
                self.accept("template")
                name = self.take().text
                arguments = self.template_arguments() if self.peek() == "<" else None
                holder = _load(value)
                if self.peek() == "(":
                    line = self.items[self.at - 1].line
                    self.take()
                    first = self.at
                    values = self.arguments()
                    value = self.method(holder, name, values, arguments or [], self.items[first:self.at - 1], line, value)
                else:
                    value = Place(holder.members, name) if isinstance(holder, Object) else UNKNOWN
            elif word == "[":
                self.take()
                index = _load(self.expression())
                self.take("]")
                holder = _load(value)
                if self.live and isinstance(holder, list) and isinstance(index, int) and not 0 <= index < len(holder):
                    raise BeyondTable(f"index {int(index)}: the table has {len(holder)} elements", self.machine.file, self.line())
                value = Place(holder, int(index)) if isinstance(holder, list) and isinstance(index, int) else UNKNOWN
            elif word in ("++", "--"):
                self.take()
                before = _load(value)
                self.step(value, 1 if word == "++" else -1)
                value = before
            elif word == "(":
                self.take()
                self.arguments()
                value = UNKNOWN
            else:
                return value

    def method(self, holder, name: str, values: list, templates, items, line: int, place):
        if not self.live:
            return UNKNOWN
        if self.machine.hook is not None:
            done = self.machine.hook(holder, name, [_load(v) for v in values], values, templates, items, line, self)
            if done is not NotImplemented:
                return done
        if isinstance(holder, Object) and (function := self.machine.unit.of_class(holder.kind, name)) is not None:
            return self.machine.call(function, values, self.scope.types, holder)
        return UNKNOWN

