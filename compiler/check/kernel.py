"""What the kernel of a directory does under each tiling key, read from its text: what it reaches, and the buffers it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from compiler.check.cpp import Class, Function, Token, Unit, Unreadable, closing, split
from compiler.check.machine import INTEGERS, UNKNOWN, Machine, Object, Place, Scope
from compiler.check.sources import Sources

MEMORY = {"VECIN": "ub", "VECOUT": "ub", "VECCALC": "ub", "LCM": "ub", "A1": "l1", "B1": "l1", "C1": "l1", "TSCM": "l1", "A2": "l0a",
          "B2": "l0b", "CO1": "l0c", "C2": "bias_table", "C2PIPE2GM": "fixpipe"}
"""Position of a queue or buffer -> memory of the product file. asc: general constraints"""
BLOCK = 32  # asc: InitBuffer rounds up to a data block
WIDTHS = {2: "half", 4: "float"}


@dataclass(frozen=True)
class Branch:
    """What the entry does for a tiling key: the template arguments by name, as the called function declares them."""

    key: int
    line: int
    types: dict = field(hash=False)


@dataclass(frozen=True)
class Asked:
    """One InitBuffer of an evaluated Init: bytes in all, rounded up."""

    queue: str
    memory: str
    number: int
    bytes: int
    line: int


@dataclass
class Kernel:
    """The kernel of one product. Raises Unreadable from whatever has to be evaluated."""

    sources: Sources
    product: dict

    @cached_property
    def unit(self) -> Unit:
        return self.sources.kernel(self.product)

    @cached_property
    def entry(self) -> Function:
        file = self.sources.entry(self.product)
        entries = [f for fs in self.unit.functions.values() for f in fs if f.file == file and f.name == self.sources.snake]
        if not entries:
            raise Unreadable(f"there is no function {self.sources.snake}", file, 1)
        return entries[0]

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The keys that the entry asks for by TILING_KEY_IS, with what it instantiates for each."""
        body, found = self.entry.body, []
        for i, t in enumerate(body):
            if t.text != "TILING_KEY_IS":
                continue
            end = closing(body, i + 1)
            key = Machine(self.unit).evaluate(body[i + 2:end], Scope(self.entry, {}, None), self.entry.file)
            if not isinstance(key, int):
                raise Unreadable("TILING_KEY_IS of what is no constant", self.entry.file, t.line)
            found.append(Branch(key, t.line, self._instantiated(body, end + 2)))
        return tuple(found)

    def _instantiated(self, body, at: int) -> dict:
        """Template arguments of the first call with any that starts in the block at `at`."""
        end = closing(body, at) if at < len(body) and body[at].text == "{" else len(body)
        for i in range(at, end - 1):
            functions = self.unit.functions.get(body[i].text, [])
            if body[i].kind == "name" and body[i + 1].text == "<" and functions and functions[0].template:
                depth, j = 0, i + 1
                while True:
                    depth += (body[j].text == "<") - (body[j].text == ">")
                    if depth == 0:
                        break
                    j += 1
                words = ["".join(t.text for t in part) for part in split(body[i + 2:j])]
                return {n: {"true": True, "false": False}.get(w, int(w) if w.isdigit() else w) for n, w in zip(functions[0].template, words)}
        return {}

    # -- what a key reaches ---------------------------------------------------------------------------------------------

    def live(self, function: Function, types: dict) -> list[Token]:
        """The body without the branches of `if constexpr` that the template arguments rule out."""
        kept: list[Token] = []
        self._keep(function.body, function, types, kept)
        return kept

    def _keep(self, body, function: Function, types: dict, kept: list[Token]) -> None:
        at = 0
        while at < len(body):
            if body[at].text == "if" and at + 1 < len(body) and body[at + 1].text == "constexpr":
                end = closing(body, at + 2)
                holds = self._holds(body[at + 3:end], function, types)
                yes_end = _statement(body, end + 1)
                no, behind = (), yes_end
                if yes_end < len(body) and body[yes_end].text == "else":
                    behind = _statement(body, yes_end + 1)
                    no = body[yes_end + 1:behind]
                if holds is UNKNOWN or holds:
                    self._keep(body[end + 1:yes_end], function, types, kept)
                if holds is UNKNOWN or not holds:
                    self._keep(no, function, types, kept)
                at = behind
            else:
                kept.append(body[at])
                at += 1

    def _holds(self, condition, function: Function, types: dict):
        this = Object(function.owner) if function.owner else None
        try:
            value = Machine(self.unit).evaluate(condition, Scope(function, types, this), function.file)
        except Unreadable:
            return UNKNOWN
        value = value.get() if hasattr(value, "get") and not isinstance(value, (dict,)) else value
        return value if isinstance(value, (bool, int)) else UNKNOWN

    def reached(self, types: dict) -> list[tuple[Function, list[Token]]]:
        """The functions that a key reaches, each with its live body. Members are found by name, whatever their object."""
        waiting, seen, found = [self.entry], set(), []
        while waiting:
            function = waiting.pop()
            if id(function) in seen:
                continue
            seen.add(id(function))
            body = self.live(function, types)
            found.append((function, body))
            for t in body:
                if t.kind == "name":
                    waiting += self.unit.functions.get(t.text, [])
        return found

    # -- buffers --------------------------------------------------------------------------------------------------------

    def classes(self, types: dict) -> list[tuple[Class, Function]]:
        """The classes that a key makes objects of and that ask for buffers, with the method that does."""
        names = {t.text for _, body in self.reached(types) for t in body if t.kind == "name"}
        return [(self.unit.classes[f.owner], f) for fs in self.unit.functions.values() for f in fs
                if f.owner in names and f.owner in self.unit.classes and any(t.text == "InitBuffer" for t in f.body)]

    def asked(self, made: Class, init: Function, types: dict, width: int, tiling: dict, struct: str, blocks: int) -> list[list[Asked]]:
        """The buffers that a class asks for, with the fields of the tiling struct as given: once for each call of `init`.

        An argument that is neither the pipe nor the tiling struct is what the call says, and unknown where that needs a run.
        """
        known = {n: WIDTHS.get(width, t) if isinstance(t, str) and t.startswith("DTYPE_") else t for n, t in types.items()}
        for name in made.template:
            known.setdefault(name, WIDTHS[width] if name == "T" else UNKNOWN)
        data = lambda: Object(struct, dict(tiling))
        plain = [data() if struct in kind.split() else Object("TPipe") if "TPipe" in kind.split() else
                 1 if set(kind.split()) & INTEGERS and "*" not in kind.split() else UNKNOWN for kind, _, _ in init.parameters]
        if any(isinstance(a, Object) and a.kind == struct for a in plain) or not any(a is UNKNOWN for a in plain):
            return [self._evaluated(made, init, known, plain, blocks)]
        found = []
        for function, arguments in self._calls(init, types):
            scope = Scope(function, known, None, {n: Place({"": data()}, "") for n in ("tiling", "tilingData")})
            values = [self._value(a, scope, function) for a in arguments]
            found.append(self._evaluated(made, init, known, [p if v is UNKNOWN else v for v, p in zip(values, plain)], blocks))
        return found or [self._evaluated(made, init, known, plain, blocks)]

    def _calls(self, init: Function, types: dict):
        """(caller, arguments as tokens) of each call of a method that a key reaches."""
        for function, body in self.reached(types):
            for i in range(len(body) - 2):
                if body[i].text in (".", "->") and body[i + 1].text == init.name and body[i + 2].text == "(":
                    arguments = split(body[i + 3:closing(body, i + 2)])
                    if len(arguments) == len(init.parameters):
                        yield function, arguments

    def _value(self, items, scope: Scope, function: Function):
        try:
            value = Machine(self.unit).evaluate(items, scope, function.file)
        except Unreadable:
            return UNKNOWN
        return value.get() if isinstance(value, Place) else value

    def _evaluated(self, made: Class, init: Function, known: dict, arguments: list, blocks: int) -> list[Asked]:
        this = Object(made.name)
        found: list[Asked] = []

        def hook(holder, name, values, places, templates, items, line, reader):
            if name != "InitBuffer":
                return NotImplemented
            queue = split(items)[0][-1].text
            number, each = (values[1], values[2]) if len(values) > 2 else (1, values[1])
            if not isinstance(number, int) or not isinstance(each, int):
                raise Unreadable(f"the bytes of {queue} are not known without running it", init.file, line)
            kind = made.members.get(queue, ("",))[0]
            position = re.search(r"(?:TQue|TBuf|TQueBind)\s*<\s*(?:\w+\s*::\s*)*(\w+)", kind.replace(" ", ""))
            memory = MEMORY.get(position[1] if position else "VECCALC", "ub")
            found.append(Asked(queue, memory, number, -(-each // BLOCK) * BLOCK * number, line))
            return UNKNOWN

        natives = {"GetBlockNum": lambda: blocks, "GetBlockIdx": lambda: 0, "GetTaskRatio": lambda: self.ratio, "GetSubBlockNum": lambda: self.ratio}
        Machine(self.unit, natives, hook).call(init, arguments, known, this)
        return found

    @cached_property
    def ratio(self) -> int:
        """Vector cores of a block."""
        text = "".join(self.sources.kernel_texts(self.product).values())
        return 2 if "MIX_AIC_1_2" in text else 1


def _statement(body, at: int) -> int:
    """The place behind the statement at `at`."""
    if at >= len(body):
        return at
    if body[at].text == "{":
        return closing(body, at) + 1
    if body[at].text in ("if", "for", "while", "switch"):
        i = at + 1
        while body[i].text != "(":
            i += 1
        behind = _statement(body, closing(body, i) + 1)
        return _statement(body, behind + 1) if behind < len(body) and body[behind].text == "else" else behind
    while at < len(body) and body[at].text != ";":
        at = closing(body, at) + 1 if body[at].text in ("(", "{", "[") else at + 1
    return at + 1
