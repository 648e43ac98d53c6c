"""Values, traffic, tiling and bits over the case lists on every product."""

import pytest

from tests.operators.text_gated_residual_grad.lists import PRODUCTS, case, corners, covering, everything
from tests.running import assert_holds, chunks

NAME = "TextGatedResidualGrad"
BUDGET, WORK = 1 << 18, 1 << 25
CORNERS = {p: chunks(corners(p), 16) for p in PRODUCTS}
COVERING = {p: chunks(covering(p, BUDGET, WORK), 30) for p in PRODUCTS}
WIDE = {p: chunks(covering(p, 1 << 21, 1 << 29), 10) for p in PRODUCTS}
ALL = chunks(everything(), 60)
pytestmark = pytest.mark.optimised


def numbered(lists, long=()):
    """Products and numbers of parts of their lists; those of some products only with --long."""
    return [pytest.param(p, i, marks=[pytest.mark.long] if p in long else []) for p in PRODUCTS for i in range(len(lists[p]))]


@pytest.mark.parametrize("product, number", numbered(CORNERS))
def test_corners(product, number):
    assert_holds(CORNERS[product][number], NAME, product)


# Atlas A3 runs the text of Atlas A2 (tests/mutants holds the two against each other).
@pytest.mark.parametrize("product, number", numbered(COVERING, long=("ascend910_93",)))
def test_every_two_settings_together(product, number):
    assert_holds(COVERING[product][number], NAME, product)


@pytest.mark.parametrize("product", PRODUCTS)
def test_the_sizes_of_the_model(product):
    rows, dtype = {"ascend950": (200, "bfloat16"), "ascend910b": (131, "float16"), "ascend910_93": (97, "bfloat16")}[product]
    assert_holds([case("model", rows, 4, 2560, 320, dtype)], NAME, product)


@pytest.mark.parametrize("product", PRODUCTS)
def test_faint_gradients_over_long_sums(product):
    """Operands are subnormal float16 values, of which sums in another order round some the other way."""
    assert_holds([case("faint", 65, 5, 272, 496, "float16", inject=False, gamma=False, values="faint", seed=29)], NAME, product)


@pytest.mark.long
@pytest.mark.parametrize("product, number", numbered(WIDE))
def test_every_two_settings_together_when_large(product, number):
    assert_holds(WIDE[product][number], NAME, product)


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(ALL)))
@pytest.mark.parametrize("product", PRODUCTS)
def test_full_product(product, number):
    assert_holds([c for c in ALL[number] if c.sizes["H"] <= 2560], NAME, product)
