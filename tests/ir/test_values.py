"""What Python's operators mean on the values of a definition, and that nothing of Python takes a value for a number."""

import math

import numpy as np
import pytest

from ir.builder import Forward
from ir.graph import GraphError
from tests.running import GENERAL, operator

F = Forward(operator(GENERAL[0]).interface)
X = F.max(F.x, 0)


@pytest.mark.parametrize("made, same", [
    (X ** 1, X), (X ** 2, X * X), (X ** 3, X * X * X), (X ** 4, (X * X) * (X * X)), (abs(X), F.abs(X)),
    (np.float64(2) * X, 2 * X), (np.float32(2) - X, 2 - X), (X / np.int64(3), X / 3), (np.float64(2) < X, X > 2), (2 == X, X == 2), (X != 2, ~(X == 2)),
])
def test_operators(made, same):
    assert made.node is same.node


def test_masks():
    assert (X == 0).node.op == "eq" and (X == 0).node.dtype == "bool"
    assert (~(X < 1)).node.op == "not" and ((X < 1) & (X == X)).node.op == "and"


def test_values_have_an_identity():
    assert len({X, X, F.max(F.x, 0)}) == 2 and {X: 1}[X] == 1


@pytest.mark.parametrize("use", [
    bool, lambda v: not v, lambda v: v > 0 and v < 1, lambda v: 0 < v < 1, lambda v: max(v, 0), lambda v: v in (0, 1), lambda v: 1 if v == 0 else 2,
    list, lambda v: v[0], lambda v: 1 in v, float, int, range, math.exp, np.exp, np.maximum.reduce, lambda v: np.maximum(v, 0), lambda v: v ** 0,
    lambda v: v ** -1, lambda v: v ** True, lambda v: v ** 9, lambda v: v ** v, lambda v: 2 ** v, lambda v: np.float64(2) ** v, lambda v: v + "a",
])
def test_what_a_value_cannot_be_is_refused(use):
    with pytest.raises(GraphError):
        use(X)
