"""Graphs as MLIR text, in the generic form that every MLIR tool reads with ``--allow-unregistered-dialect``.

A tensor type carries its symbolic dimensions as its encoding: ``tensor<?x?xf32, ["T", "2*H"]>``. Inputs and outputs
have their names in ``arg_attrs`` and ``res_attrs``. A value's name is its SSA id, or, where the id had to differ
(taken, or not an identifier), its location: ``loc("x0")``. Names of values that no output needs are not printed.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

import sympy

from ir.graph import Graph, GraphError, Node, node
from ir.types import TensorType, dim

DIALECT = "ascgrad"
ELEMENTS = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "int64": "i64", "bool": "i1"}

_DTYPES = {text: dtype for dtype, text in ELEMENTS.items()}
_IDENTIFIER = r"[A-Za-z_$.-][\w$.-]*"
_INPUT_ATTRS = {"name", "shape", "dtype"}


class ParseError(GraphError):
    """Text that is no graph. The first line says where and what was expected, the next two show the place.

    line, column: the place, counted from 1.
    """

    def __init__(self, text: str, at: int, problem: str):
        before = text[:at]
        self.line, self.column = before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1
        source = (text.split("\n")[self.line - 1]).rstrip("\r")
        pad = re.sub(r"[^\t]", " ", source[: self.column - 1])
        super().__init__(f"{self.line}:{self.column}: {problem}\n{source}\n{pad}^")


# ---- printing


def print_graph(graph: Graph) -> str:
    """The graph as one ``builtin.module`` with one ``func.func``; ends with a newline.

    Raises GraphError for an attribute that the text cannot hold.
    """
    ids = _ids(graph)
    arguments = [f"{ids[n]}: {_type(n.type)}{_location(graph, n, ids)}" for n in graph.inputs.values()]
    body = [_operation(graph, n, ids) for n in graph.nodes() if n.op != "input"]
    results = graph.outputs.values()
    signature = _signature(graph.inputs.values(), results)
    properties = {
        "arg_attrs": _named_dicts(graph.inputs),
        "function_type": signature,
        "res_attrs": _named_dicts(graph.outputs),
        "sym_name": _string(graph.name),
    }
    lines = [
        '"builtin.module"() ({',
        f'  "func.func"() <{{{", ".join(f"{k} = {v}" for k, v in properties.items())}}}> ({{',
        f"  ^bb0({', '.join(arguments)}):" if arguments else "  ^bb0:",
        *(f"    {line}" for line in body),
        f'    "func.return"({", ".join(ids[n] for n in results)}) : {_signature(results, ())}',
        "  }) : () -> ()",
        "}) : () -> ()",
    ]
    return "\n".join(lines) + "\n"


def _ids(graph: Graph) -> dict[Node, str]:
    """Value -> SSA id: the name where there is one, else a number."""
    ids: dict[Node, str] = {}
    taken: set[str] = set()

    def claim(wanted: str) -> str:
        free, count = wanted, 0
        while free in taken:
            count += 1
            free = f"{wanted}_{count}"
        taken.add(free)
        return f"%{free}"

    for name, n in graph.inputs.items():
        _check_input(name, n)
        clean = re.sub(r"[^A-Za-z0-9_$.-]", "_", name)
        ids[n] = claim(clean if re.fullmatch(_IDENTIFIER, clean, re.ASCII) else f"arg_{clean}")
    number = 0
    for n in graph.nodes():
        if n in ids:
            continue
        name = graph.names.get(n)
        if name is not None and re.fullmatch(_IDENTIFIER, name, re.ASCII):
            ids[n] = claim(name)
        else:
            ids[n], number = f"%{number}", number + 1
    return ids


def _check_input(name: str, n: Node) -> None:
    """What block arguments cannot say is refused rather than lost."""
    if n.op != "input" or set(dict(n.attrs)) != _INPUT_ATTRS or n.attr("name") != name:
        raise GraphError(f"input {name}: is {n!r}, wants input(name={name}, shape, dtype)")
    written = n.attr("shape")
    if written != _dims(n.type):
        raise GraphError(f"input {name}: shape is written {written}, wants {_dims(n.type)}")


def _operation(graph: Graph, n: Node, ids: dict[Node, str]) -> str:
    operands = ", ".join(ids[o] for o in n.operands)
    attrs = ", ".join(f"{k} = {_attribute(n, k, v)}" for k, v in n.attrs)
    attrs = f" {{{attrs}}}" if attrs else ""
    signature = _signature(n.operands, [n])
    return f'{ids[n]} = "{DIALECT}.{n.op}"({operands}){attrs} : {signature}{_location(graph, n, ids)}'


def _location(graph: Graph, n: Node, ids: dict[Node, str]) -> str:
    name = graph.names.get(n)
    says_it = n.op != "input" and ids[n] == f"%{name}" and not name.isdigit()
    return "" if name is None or says_it else f" loc({_string(name)})"


def _attribute(n: Node, name: str, value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return f"{value} : i64"
    if isinstance(value, float):
        return f"{_float(value)} : f64"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, tuple):
        return f"[{', '.join(_attribute(n, name, v) for v in value)}]"
    raise GraphError(f"{n!r}: attribute {name} is {value!r}, wants bool, int64, float, str or a tuple of these")


def _float(value: float) -> str:
    text = repr(value)
    if not re.search(r"\d", text):  # inf, nan
        return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
    mantissa, *exponent = text.split("e")
    return "e".join([mantissa if "." in mantissa else f"{mantissa}.0", *exponent])


def _string(text: str) -> str:
    plain = lambda b: 0x20 <= b < 0x7F and b not in b'"\\'
    return '"' + "".join(chr(b) if plain(b) else f"\\{b:02X}" for b in text.encode()) + '"'


def _named_dicts(values) -> str:
    return f"[{', '.join(f'{{{DIALECT}.name = {_string(name)}}}' for name in values)}]"


def _signature(operands, results) -> str:
    left, right = ([_type(n.type) for n in values] for values in (operands, results))
    return f"({', '.join(left)}) -> " + (right[0] if len(right) == 1 else f"({', '.join(right)})")


def _dims(type: TensorType) -> tuple[str, ...]:
    return tuple(str(d) for d in type.shape)


def _type(type: TensorType) -> str:
    sizes = "".join(f"{d if _is_static(d) else '?'}x" for d in type.shape)
    symbolic = any(not _is_static(d) for d in type.shape)
    encoding = f", [{', '.join(_string(d) for d in _dims(type))}]" if symbolic else ""
    return f"tensor<{sizes}{ELEMENTS[type.dtype]}{encoding}>"


def _is_static(d: sympy.Expr) -> bool:
    return bool(d.is_Integer and d >= 0)


# ---- parsing


def parse_graph(text: str) -> Graph:
    """The graph that `print_graph` printed as this text, verified.

    Raises ParseError with line, column and what was expected there.
    """
    return _Parser(text).module()


class _Reader:
    """A place in a text. White space and ``//`` comments are skipped before everything that is read."""

    def __init__(self, text: str):
        self.text, self.at = text, 0

    def fail(self, problem: str, at: int | None = None):
        raise ParseError(self.text, self.at if at is None else at, problem) from None

    def skip(self) -> None:
        self.at = re.compile(r"(?:\s|//[^\n]*)*").match(self.text, self.at).end()

    def maybe(self, pattern: str) -> re.Match | None:
        self.skip()
        found = re.compile(pattern, re.ASCII).match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def match(self, pattern: str, wanted: str) -> re.Match:
        found = self.maybe(pattern)
        if not found:
            rest = self.text[self.at :].split("\n")[0].split()
            self.fail(f"expected {wanted}, got {rest[0][:40] if rest else 'the end'}")
        return found

    def take(self, literal: str) -> bool:
        return self.maybe(re.escape(literal)) is not None

    def expect(self, literal: str) -> None:
        self.match(re.escape(literal), repr(literal))

    def list_of(self, item: Callable, opening: str, closing: str) -> list:
        """``opening item, item closing``."""
        self.expect(opening)
        found: list = []
        while not self.take(closing):
            if found:
                self.match(",", f"',' or {closing!r}")
            found.append(item())
        return found


class _Parser(_Reader):
    def __init__(self, text: str):
        super().__init__(text)
        self.values: dict[str, Node] = {}
        self.names: dict[Node, str] = {}

    def module(self) -> Graph:
        self.head("builtin.module")
        self.attributes()
        self.expect("(")
        self.expect("{")
        graph = self.function()
        self.expect("}")
        self.expect(")")
        self.tail()
        self.skip()
        if self.at < len(self.text):
            self.match(r"\Z", "the end")
        return graph

    def function(self) -> Graph:
        self.skip()
        start = self.at
        self.head("func.func")
        properties = self.attributes()
        self.expect("(")
        self.expect("{")
        inputs = self.arguments(properties, start)
        outputs = self.body(properties, start)
        self.expect("}")
        self.expect(")")
        self.tail()
        declared = properties.get("function_type")
        found = ([n.type for n in inputs.values()], [n.type for n in outputs.values()])
        if declared != found:
            self.fail("function_type is not the type of the arguments and of what func.return returns", start)
        name = properties.get("sym_name")
        if not isinstance(name, str):
            self.fail('expected sym_name = "..." among the properties of func.func', start)
        try:
            return Graph(name, inputs, outputs, self.names).verify()
        except GraphError as error:
            self.fail(str(error), start)

    def head(self, op: str) -> None:
        self.match(rf'"{re.escape(op)}"\s*\(\s*\)', f'"{op}"()')

    def tail(self) -> None:
        self.attributes()
        self.match(r":\s*\(\s*\)\s*->\s*\(\s*\)", ": () -> ()")
        self.location()

    def result_names(self, properties: dict, key: str, count: int, start: int) -> list[str]:
        names = [d.get(f"{DIALECT}.name") if isinstance(d, dict) else None for d in properties.get(key, ())]
        if len(names) != count or len(set(names)) != count or not all(isinstance(n, str) for n in names):
            self.fail(f"expected {key} to give {count} different names, as in [{{{DIALECT}.name = ...}}]", start)
        return names

    def arguments(self, properties: dict, start: int) -> dict[str, Node]:
        self.match(rf"\^{_IDENTIFIER}", "a block label, as in ^bb0")
        self.skip()
        arguments = self.list_of(self.argument, "(", ")") if self.text.startswith("(", self.at) else []
        self.expect(":")
        names = self.result_names(properties, "arg_attrs", len(arguments), start)
        inputs = {}
        for name, (at, id, type, location) in zip(names, arguments):
            inputs[name] = node("input", name=name, shape=_dims(type), dtype=type.dtype)
            self.define(id, inputs[name], at)
            if location is not None:
                self.names[inputs[name]] = location
        return inputs

    def argument(self):
        at, id = self.ssa_id()
        self.expect(":")
        return at, id, self.type(), self.location()

    def body(self, properties: dict, start: int) -> dict[str, Node]:
        while not self.maybe(r'"func\.return"'):
            self.operation()
        returned = self.list_of(self.use, "(", ")")
        self.attributes()
        self.skip()
        at = self.at
        self.expect(":")
        if self.signature() != ([n.type for n in returned], []):
            self.fail("the types are not those of the returned values", at)
        self.location()
        names = self.result_names(properties, "res_attrs", len(returned), start)
        return dict(zip(names, returned))

    def operation(self) -> None:
        id_at, id = self.ssa_id('a value, as in %0 = "ascgrad.add"..., or "func.return"')
        self.expect("=")
        self.skip()
        at = self.at
        op = self.match(rf'"{DIALECT}\.(\w+)"', f'an operation, as in "{DIALECT}.add"').group(1)
        operands = self.list_of(self.use, "(", ")")
        attrs = self.attributes()
        self.expect(":")
        self.skip()
        types_at = self.at
        signature = self.signature()
        location = self.location()
        if op == "input":
            self.fail("an input is an argument of the block", at)
        try:
            value = node(op, *operands, **attrs)
        except KeyError as missing:
            self.fail(f"{op}: attribute {missing} is missing", at)
        except GraphError as error:
            self.fail(str(error), at)
        except TypeError as error:  # an attribute of another type than the operation takes
            self.fail(f"{op}: {error}", at)
        if signature != ([o.type for o in operands], [value.type]):
            self.fail(f"expected {_signature(operands, [value])}", types_at)
        self.define(id, value, id_at)
        name = location if location is not None else None if id.isdigit() else id
        if name is not None:
            self.names.setdefault(value, name)

    def ssa_id(self, wanted: str = "a value, as in %x") -> tuple[int, str]:
        self.skip()
        at = self.at
        return at, self.match(rf"%(\d+|{_IDENTIFIER})", wanted).group(1)

    def define(self, id: str, value: Node, at: int) -> None:
        if id in self.values:
            self.fail(f"%{id} is defined twice", at)
        self.values[id] = value

    def use(self) -> Node:
        at, id = self.ssa_id()
        if id not in self.values:
            self.fail(f"%{id} is not defined here", at)
        return self.values[id]

    def location(self) -> str | None:
        if not self.maybe(r"loc\s*\("):
            return None
        name = None if self.take("unknown") else self.string()
        self.expect(")")
        return name

    def attributes(self) -> dict:
        """Properties ``<{...}>`` and attributes ``{...}``, both optional."""
        found: dict = {}
        if self.take("<"):
            found.update(self.dictionary())
            self.expect(">")
        self.skip()
        if self.text.startswith("{", self.at):
            found.update(self.dictionary())
        return found

    def dictionary(self) -> dict:
        return dict(self.list_of(self.entry, "{", "}"))

    def entry(self) -> tuple[str, object]:
        key = self.match(r"[A-Za-z_][\w$.]*", "an attribute's name").group()
        self.expect("=")
        return key, self.attribute()

    def attribute(self):
        self.skip()
        here = self.text[self.at : self.at + 1]
        if here == '"':
            return self.string()
        if here == "[":
            return tuple(self.list_of(self.attribute, "[", "]"))
        if here == "{":
            return self.dictionary()
        if here == "(":
            return self.signature()
        word = self.maybe(r"true\b|false\b")
        return word.group() == "true" if word else self.number()

    def number(self):
        real = self.maybe(r"[-+]?\d+\.\d*(?:[eE][-+]?\d+)?")
        bits = None if real else self.maybe(r"0x([0-9A-Fa-f]{16})\b")
        if bits:
            value = struct.unpack(">d", bytes.fromhex(bits.group(1)))[0]
        elif real:
            value = float(real.group())
        else:
            value = int(self.match(r"-?\d+", "an attribute: a string, a number, true, false or a list").group())
        if self.take(":"):
            self.match("f64" if isinstance(value, float) else "i64", "f64" if isinstance(value, float) else "i64")
        return value

    def string(self) -> str:
        self.skip()
        at = self.at
        inside = self.match(r'"((?:[^"\\\n]|\\["\\nt]|\\[0-9A-Fa-f]{2})*)"', "a string").group(1)
        short = {b'"': b'"', b"\\": b"\\", b"n": b"\n", b"t": b"\t"}
        escape = lambda m: short.get(m.group(1)) or bytes.fromhex(m.group(1).decode())
        try:
            return re.sub(rb'\\(["\\nt]|[0-9A-Fa-f]{2})', escape, inside.encode()).decode()
        except UnicodeDecodeError:
            self.fail("expected a string of UTF-8", at)

    def signature(self) -> tuple[list[TensorType], list[TensorType]]:
        operands = self.list_of(self.type, "(", ")")
        self.expect("->")
        self.skip()
        results = self.list_of(self.type, "(", ")") if self.text.startswith("(", self.at) else [self.type()]
        return operands, results

    def type(self) -> TensorType:
        self.match(r"tensor\s*<", 'a type, as in tensor<?xf32, ["T"]>')
        self.skip()
        at = self.at
        wanted = f"dimensions and one of {', '.join(_DTYPES)}, as in ?x1xf32"
        shape = self.match(rf"((?:(?:\?|\d+)x)*)({'|'.join(_DTYPES)})\b", wanted)
        sizes = shape.group(1).split("x")[:-1]
        dims = self.encoding() if self.take(",") else tuple(sizes)
        if len(dims) != len(sizes) or any(s not in ("?", d) for s, d in zip(sizes, dims)) or "?" in dims:
            self.fail(f'expected a text for each of the {len(sizes)} dimensions, as in tensor<?x1xf32, ["T", "1"]>', at)
        self.expect(">")
        return TensorType(tuple(dim(d) for d in dims), _DTYPES[shape.group(2)])

    def encoding(self) -> tuple[str, ...]:
        return tuple(self.list_of(self.dimension, "[", "]"))

    def dimension(self) -> str:
        self.skip()
        at, text = self.at, self.string()
        try:
            return str(dim(text))
        except ValueError as error:
            self.fail(str(error), at)
