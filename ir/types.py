"""Dtypes, symbolic dimensions and tensor types."""

from __future__ import annotations

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
    """A dimension from its text, for example ``2*H``."""
    names = {}
    if isinstance(text, str):
        import re

        names = {n: symbol(n) for n in re.findall(r"[A-Za-z_]\w*", text)}
    return sympy.sympify(text, locals=names)


def numpy_dtype(dtype: str):
    """The numpy dtype of that name; bfloat16 comes from ml_dtypes."""
    import numpy

    if dtype == "bfloat16":
        import ml_dtypes

        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(dtype)


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
