"""Functions that overflow when expanded, as opaque sympy functions with a derivative rule of their own.

exp(x)/(1+exp(x)) is NaN in fp32 above 88.7 and the derivative of the expanded form is NaN below -88 and has the wrong
sign long before, so nothing may see the exponential inside. Each rule is proven once against `definition` in tests.
"""

from __future__ import annotations

import sympy


class sigmoid(sympy.Function):
    """1/(1+exp(-x))."""

    nargs = 1

    def fdiff(self, argindex: int = 1):
        return self * (1 - self)

    @classmethod
    def definition(cls, x):
        return 1 / (1 + sympy.exp(-x))

    def _eval_evalf(self, prec):
        return self.definition(self.args[0])._eval_evalf(prec)


class softplus(sympy.Function):
    """log(1+exp(x))."""

    nargs = 1

    def fdiff(self, argindex: int = 1):
        return sigmoid(self.args[0])

    @classmethod
    def definition(cls, x):
        return sympy.log(1 + sympy.exp(x))

    def _eval_evalf(self, prec):
        return self.definition(self.args[0])._eval_evalf(prec)


class tanh(sympy.Function):
    """Hyperbolic tangent; sympy's own rewrites itself to exponentials under simplification."""

    nargs = 1

    def fdiff(self, argindex: int = 1):
        return 1 - self**2

    @classmethod
    def definition(cls, x):
        return sympy.tanh(x)

    def _eval_evalf(self, prec):
        return sympy.tanh(self.args[0])._eval_evalf(prec)


OPAQUE = (sigmoid, softplus, tanh)


def expand_definitions(expr):
    """`expr` with every opaque function replaced by its definition."""
    for function in OPAQUE:
        expr = expr.replace(function, function.definition)
    return expr
