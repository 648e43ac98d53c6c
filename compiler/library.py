"""Finding operators: those of `ir/operators`, and files of the user's own."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from dataclasses import replace
from pathlib import Path

from compiler.blame import located, mentioned
from ir.interface import Interface, Operator, snake


class OperatorError(ValueError):
    """No such operator, or a file that defines none or a contradictory one; one line."""


OWN_FILES: list[str] = []
"""The files of the user's own that this process has read, as they were spelled: errors are placed in them."""


def operator_names() -> tuple[str, ...]:
    """snake_case names of the operators that come with the compiler."""
    import ir.operators

    folder = Path(ir.operators.__file__).parent
    return tuple(sorted(p.stem for p in folder.glob("*.py") if p.stem != "__init__"))


def find(text: str) -> Operator:
    """The operator of that name in either spelling, or of ``path/to/file.py[:name]``, which it then remembers as its path.

    Raises OperatorError.
    """
    path, colon, name = text.rpartition(":")
    if not colon or not path.endswith(".py"):
        path, name = text, ""
    if path.endswith(".py"):
        return replace(_from_file(Path(path), name), path=text)
    name = snake(text)
    if name not in operator_names():
        raise OperatorError(f"operator: got {text!r}, wants one of {', '.join(operator_names())} or path/to/file.py[:name]")
    return importlib.import_module(f"ir.operators.{name}").OPERATOR


def _from_file(path: Path, name: str) -> Operator:
    if not path.is_file():
        raise OperatorError(f"operator: got {path}, which is no file, wants path/to/file.py[:name]")
    OWN_FILES.append(str(path))
    spec = importlib.util.spec_from_file_location(f"ascgrad_user_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:  # the user's own code may raise anything
        raise OperatorError(located(error, [str(path)]) or f"{path}: {type(error).__name__}: {error}") from error
    found = {k: v for k, v in vars(module).items() if isinstance(v, Operator)}
    distinct = list({id(v): v for v in found.values()}.values())
    names = ", ".join(v.name for v in distinct) or "none"
    if name:
        match = [v for k, v in found.items() if name in (k, v.name, v.interface.snake)]
        if not match:
            raise OperatorError(f"{path}: defines no operator {name!r}, it has {names}")
        operator = match[0]
    elif len(distinct) != 1:
        raise OperatorError(f"{path}: wants one operator or path.py:name, it has {names}")
    else:
        operator = distinct[0]
    try:
        judge(operator)
    except OperatorError as error:
        raise OperatorError(mentioned(str(error), str(path)) or f"{path}: {error}") from None
    return operator


def product_of(operator: Operator, soc: str | None = None, version: str | None = None, unlisted: bool = False) -> dict:
    """The figures of a product that the operator lists, or of any with `unlisted`; soc, version: as of `products.load`.

    soc is by default the first of the list, where products may stand that are known from their files alone. Raises PipelineError and,
    for a listed one that is known from nowhere, OperatorError.
    """
    from compiler import products
    from compiler.pipeline import PipelineError

    listed, soc = operator.interface.products, soc or operator.interface.products[0]
    try:
        product = products.load(soc, version)
    except products.ProductError as error:
        if soc not in listed or soc in products.names():
            raise PipelineError(f"--soc: {error}") from None
        message = f"products: got {soc!r}, wants one of {', '.join(map(repr, products.names()))}, or its product file with --soc"
        raise OperatorError(mentioned(message, operator.file) or message) from None
    if product["name"] not in listed and not unlisted:
        raise PipelineError(f"--soc: got {product['name']}, wants one of {', '.join(listed)} (the products of {operator.name}'s document), "
                            "or --unlisted")
    return product


def judge(operator: Operator) -> None:
    """Refuses a definition whose parts do not fit together, or whose interface cannot be emitted, before any work is done on it.

    Raises OperatorError that names the part.
    """
    from sympy.printing.cxx import reserved

    from compiler import products
    from compiler.emit.checks import UnsupportedInterface, check_interface

    interface = operator.interface
    taken = {*reserved["C++17"], "workspace", "tiling"}
    inputs, outputs = {t.name for t in interface.inputs}, {t.name for t in interface.outputs}
    names = [t.name for t in interface.tensors] + [a.name for a in interface.attributes]
    wants = lambda what, got, known: OperatorError(f"{what}: got {got!r}, wants one of {', '.join(map(repr, sorted(known)))}")
    for name in names:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise OperatorError(f"{name!r}: wants a snake_case name of a tensor or attribute")
        if name in taken:
            raise OperatorError(f"{name}: is a word of C++ or an argument of every kernel, wants another name")
        if names.count(name) > 1:
            raise OperatorError(f"{name}: two tensors or attributes of this name")
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", interface.name):
        raise OperatorError(f"name: got {interface.name!r}, wants CamelCase")
    if not interface.products:
        raise OperatorError(f"products: got none, wants one of {', '.join(map(repr, products.names()))}")
    _judge_tensors(interface)
    if not inputs or not outputs:
        raise OperatorError(f"{interface.name}: wants at least one input and one output")
    for output, source in operator.gradients.items():
        if output not in outputs:
            raise wants("gradients", output, outputs)
        if source not in inputs:
            raise wants(f"gradients of {output}", source, inputs)
    for output in sorted(outputs - set(operator.gradients)):
        raise OperatorError(f"{output}: gradients does not say which input it is the gradient of")
    for value in operator.cotangents.values():
        if value not in inputs:
            raise wants("cotangents", value, inputs)
    if not callable(operator.forward):
        raise OperatorError(f"forward: got {operator.forward!r}, wants a function")
    try:
        check_interface(interface)
    except UnsupportedInterface as error:
        raise OperatorError(str(error)) from None


def _judge_tensors(interface: Interface) -> None:
    from ir.types import DTYPES, dim

    columns = {len(v) for v in interface.dtypes.values()}
    if len(columns) > 1 or 0 in columns:
        raise OperatorError("dtypes: wants lists of one length, one entry per supported combination")
    for variable, dtypes in interface.dtypes.items():
        for d in dtypes:
            if d not in DTYPES:
                raise OperatorError(f"dtypes {variable}: got {d!r}, wants {', '.join(DTYPES)}")
    options = {o.name for o in interface.options}
    for t in interface.tensors:
        if t.role not in ("input", "output"):
            raise OperatorError(f"{t.name}: got the role {t.role!r}, wants input or output")
        if t.dtype not in interface.dtypes and t.dtype not in DTYPES:
            raise OperatorError(f"{t.name}: got the dtype {t.dtype!r}, wants {', '.join([*interface.dtypes, *DTYPES])}")
        if t.option is not None and t.option not in options:
            raise OperatorError(f"{t.name}: got the option {t.option!r}, wants one of {', '.join(sorted(options)) or '(no options)'}")
        if t.like is not None and t.like not in {x.name for x in interface.tensors}:
            raise OperatorError(f"{t.name}: like={t.like!r} is no tensor of {interface.name}")
        for d in t.dims:
            try:
                dim(d)
            except ValueError as error:
                raise OperatorError(f"{t.name}: {error}") from None
    for o in interface.options:
        for name in (*o.inputs, *o.outputs):
            if name not in {t.name for t in interface.tensors}:
                raise OperatorError(f"option {o.name}: {name!r} is no tensor of {interface.name}")
        if not o.inputs and o.attribute not in {a.name for a in interface.attributes}:
            raise OperatorError(f"option {o.name}: wants inputs or an attribute that switches it")
    for a in interface.attributes:
        if a.type not in ("float", "int", "bool"):
            raise OperatorError(f"{a.name}: got the type {a.type!r}, wants float, int or bool")
        if a.option is not None and a.option not in options:
            raise OperatorError(f"{a.name}: got the option {a.option!r}, wants one of {', '.join(sorted(options)) or '(no options)'}")
