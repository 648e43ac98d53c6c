"""Dtypes, symbolic dimensions and tensor types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import sympy

DTYPES = ("float32", "float16", "bfloat16", "int64", "bool")
BYTES = {"float32": 4, "float16": 2, "bfloat16": 2, "int64": 8, "bool": 1}
FLOATS = ("float32", "float16", "bfloat16")


@lru_cache(maxsize=None)
def symbol(name: str) -> sympy.Symbol:
    """The size symbol of that name: a non-negative integer."""
    return sympy.Symbol(name, integer=True, nonnegative=True)


@lru_cache(maxsize=None)
def dim(text: str | int) -> sympy.Expr:
    """A dimension from its text, for example ``2*H``.

    Raises ValueError for anything but arithmetic of names and integers: the text may come from a file, and sympify
    evaluates what it is given.
    """
    if not isinstance(text, str):
        return sympy.sympify(text)
    try:
        if not re.fullmatch(r"[A-Za-z0-9_+\-*/() ]+", text) or re.search(r"\w\s+\w", text):
            raise SyntaxError
        result = sympy.sympify(text, locals={n: symbol(n) for n in re.findall(r"[A-Za-z_]\w*", text)})
        if not isinstance(result, sympy.Expr) or result.is_integer is False:
            raise SyntaxError
    except (SyntaxError, TypeError, AttributeError, sympy.SympifyError):
        raise ValueError(f"dimension {text!r}: wants arithmetic of names and integers, as in 2*H") from None
    return result


def dim_value(text: str | int | sympy.Expr, symbols: Mapping[str, int]) -> int | None:
    """A dimension as a number; None where a symbol has no value or the result is no natural number."""
    return _dim_value(str(text), tuple(sorted(symbols.items())))


@lru_cache(maxsize=4096)
def _dim_value(text: str, symbols: tuple[tuple[str, int], ...]) -> int | None:
    value = dim(text).subs({symbol(k): v for k, v in symbols})
    return int(value) if value.is_Integer and value >= 0 else None


def numpy_dtype(dtype: str):
    """The numpy dtype of that name; bfloat16 comes from ml_dtypes."""
    import numpy

    if dtype == "bfloat16":
        import ml_dtypes

        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(dtype)


def as_array(value):
    """value as a numpy array. bfloat16 may come as ``V2``, which is how NumPy reads back what ml_dtypes stored."""
    import numpy

    array = numpy.asarray(value)
    return array.view(numpy_dtype("bfloat16")) if array.dtype == numpy.dtype("V2") else array


def finfo(dtype):
    """Largest value, smallest subnormal and so on of a float dtype, bfloat16 included."""
    import ml_dtypes

    return ml_dtypes.finfo(dtype)


@dataclass(frozen=True)
class TensorType:
    """shape: symbolic dimensions, () for a scalar; dtype: one of DTYPES."""

    shape: tuple[sympy.Expr, ...]
    dtype: str

    @property
    def rank(self) -> int:
        return len(self.shape)

    def with_dtype(self, dtype: str) -> TensorType:
        return TensorType(self.shape, dtype)

    def __str__(self) -> str:
        return "x".join([str(d).replace(" ", "") for d in self.shape] + [self.dtype])
