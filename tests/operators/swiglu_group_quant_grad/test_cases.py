"""Values, traffic, tiling and bits over the case lists: what the compiler promises for every supported call."""

import numpy as np
import pytest

from compiler.cases import request_of
from tests.operators.swiglu_group_quant_grad.lists import corners, covering, everything
from tests.running import assert_holds, chunks, operator

BUDGET = 1 << 21
CORNERS, COVERING, ALL = chunks(corners()), chunks(covering(BUDGET)), chunks(everything(), 60)

pytestmark = pytest.mark.optimised


@pytest.mark.parametrize("number", range(len(CORNERS)))
def test_corners(number):
    assert_holds(CORNERS[number])


@pytest.mark.parametrize("number", range(len(COVERING)))
def test_every_two_settings_together(number):
    assert_holds(COVERING[number])


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(ALL)))
def test_full_product(number):
    assert_holds(ALL[number])


def test_reference_is_the_documented_gradient():
    """The reference that cases are judged by, against the formulas written out in NumPy."""
    for case in corners()[:24]:
        request = request_of(operator(), case)
        a = {n: v.astype(np.float64) for n, v in request.arrays.items() if n != "group_index"}
        rows, width, c = case.rows, case.sizes["H"], case.attributes["clamp_limit"]
        live = rows
        if "group_index" in request.arrays:
            live = min(max(int(request.arrays["group_index"].sum()), 0), rows)
        x = a["x"].reshape(rows, 2 * width)[:live]
        grad_y = a["grad_y"].reshape(rows, width)[:live]
        x0, x1 = x[:, :width], x[:, width:]
        c = np.inf if c == -1.0 else c
        low, high = np.minimum(x0, c), np.clip(x1, -c, c)
        sigma = 1 / (1 + np.exp(-low))
        g = grad_y * (a["weight"].reshape(rows, 1)[:live] if "weight" in a else 1)
        want = np.zeros((rows, 2 * width))
        want[:live, :width] = np.where(x0 < c, g * high * sigma * (1 + low * (1 - sigma)), 0)
        want[:live, width:] = np.where((-c < x1) & (x1 < c), g * low * sigma, 0)
        exact = request.interpret()
        np.testing.assert_allclose(exact["grad_x"].reshape(rows, -1), want, rtol=1e-12, atol=1e-14)
        if "weight" in a:
            sums = np.zeros(rows)
            sums[:live] = (grad_y * a["y_origin"].reshape(rows, width)[:live]).sum(1)
            np.testing.assert_allclose(exact["grad_weight"].ravel(), sums, rtol=1e-12, atol=1e-14)
