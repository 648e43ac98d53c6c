"""Finding operators: those of `ir/operators`, and files of the user's own."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

from ir.interface import Operator, snake


class OperatorError(ValueError):
    """No such operator, or a file that defines none; one line."""


def operator_names() -> tuple[str, ...]:
    """snake_case names of the operators that come with the compiler."""
    import ir.operators

    folder = Path(ir.operators.__file__).parent
    return tuple(sorted(p.stem for p in folder.glob("*.py") if p.stem != "__init__"))


def find(text: str) -> Operator:
    """The operator of that name in either spelling, or of ``path/to/file.py[:name]``, which it then remembers as its path.

    Raises OperatorError.
    """
    path, _, name = text.partition(":")
    if path.endswith(".py"):
        return replace(_from_file(Path(path), name), path=text)
    name = snake(text)
    if name not in operator_names():
        raise OperatorError(f"operator: got {text!r}, wants one of {', '.join(operator_names())} or path/to/file.py[:name]")
    return importlib.import_module(f"ir.operators.{name}").OPERATOR


def _from_file(path: Path, name: str) -> Operator:
    if not path.is_file():
        raise OperatorError(f"operator: {path} is no file")
    spec = importlib.util.spec_from_file_location(f"ascgrad_user_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # the user's own code may raise anything
        line = _line_in(error, path)
        raise OperatorError(f"{path}{f':{line}' if line else ''}: {type(error).__name__}: {error}") from error
    found = {k: v for k, v in vars(module).items() if isinstance(v, Operator)}
    if name:
        match = [v for k, v in found.items() if name in (k, v.name, v.interface.snake)]
        if not match:
            raise OperatorError(f"{path}: defines no operator {name!r}, it has {', '.join(v.name for v in found.values()) or 'none'}")
        return match[0]
    distinct = list({id(v): v for v in found.values()}.values())
    if len(distinct) != 1:
        names = ", ".join(v.name for v in distinct) or "none"
        raise OperatorError(f"{path}: wants one operator or path.py:name, it has {names}")
    return distinct[0]


def _line_in(error: BaseException, path: Path) -> int | None:
    line, trace = None, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path.resolve():
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).resolve() == path.resolve():
        line = error.lineno
    return line
