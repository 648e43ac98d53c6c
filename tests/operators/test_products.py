"""Products that are stacked, fused and summed in parts give the right values, and the same bits on any number of cores."""

from dataclasses import replace
from pathlib import Path

import pytest

from compiler.cases import Case, request_of
from compiler.emulate import emulator_request
from compiler.emulator.run import emulate_many
from tests.running import assert_holds, examiner, operator

LINEAR = str(Path(__file__).with_name("linear_grad.py"))
GLU = str(Path(__file__).with_name("glu_grad.py"))
PRODUCTS = ("ascend950", "ascend910b", pytest.param("ascend910_93", marks=pytest.mark.long))


def case(rows, K, H, dtype="bfloat16", values="plain", seed=0):
    return Case("", (rows,), {"K": K, "H": H}, dtype, values=values, seed=seed)


CASES = (
    case(1, 16, 16), case(2, 17, 33, "float16"), case(3, 48, 17), case(7, 100, 130, "float16", "uneven"), case(129, 31, 65, values="signs"),
    case(17, 272, 257, "float16"), case(260, 80, 40), case(0, 32, 48), case(5, 2056, 48), case(33, 130, 1537, "float16"), case(1600, 16, 48), case(20, 48, 1), case(1, 16, 1, "float16"),
)


@pytest.mark.parametrize("product", PRODUCTS)
def test_values(product):
    """Every two sizes around whole fractals, tiles and steps; long k with few tiles in parts."""
    assert_holds(CASES, GLU, product)


def linear(rows, K, N, dtype="bfloat16", values="plain", seed=0):
    return Case("", (rows,), {"K": K, "N": N}, dtype, values=values, seed=seed)


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_linear_layer(product):
    """Products alone: around whole fractals and tiles, gradients in parts of k, no rows (zeros)."""
    assert_holds([linear(1, 1, 1), linear(2, 16, 17, "float16"), linear(0, 33, 48), linear(33, 257, 130, values="uneven"), linear(300, 129, 31, "float16"),
                  linear(3, 48, 2056), linear(1300, 17, 40, "float16"), linear(64, 513, 1100, values="signs")], LINEAR, product)


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("rows, K, N", [(3, 48, 2056), (1300, 17, 40)])
def test_a_linear_layer_has_the_same_bits_on_any_number_of_cores(product, rows, K, N):
    assert_same_bits(LINEAR, product, linear(rows, K, N))


def test_no_rows_of_a_linear_layer_give_zeros():
    result, = emulate_many(examiner(LINEAR, "ascend950").built, [emulator_request(request_of(operator(LINEAR), linear(0, 33, 48)))])
    assert result.status == 0 and not result.findings and result.outputs["grad_w"].shape == (48, 33)
    assert not any(result.outputs["grad_w"].tobytes())


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("rows, K, H", [(5, 2056, 48), (33, 130, 1537), (1600, 16, 48)])
def test_parts_of_k_have_the_same_bits_on_any_number_of_cores(product, rows, K, H):
    assert_same_bits(GLU, product, case(rows, K, H))


def assert_same_bits(name, product, some):
    """Of a case with parts of k, on any number of cores and in any order."""
    one, request = examiner(name, product), request_of(operator(name), some)
    call, fields = emulator_request(request), one.solve(request).fields
    assert any(fields[name] > 1 for name in fields if name.endswith("Parts"))
    cores = one.product["cores"]["aic"]
    calls = [call, *(replace(call, cores=n) for n in (1, 3, cores - 1)), replace(call, order="reverse"), replace(call, order="random:5")]
    first, *others = emulate_many(one.built, calls)
    assert first.status == 0 and not first.findings, (first.message, first.findings)
    for other in others:
        assert other.status == 0 and not other.findings, (other.message, other.findings)
        assert {n: a.tobytes() for n, a in other.outputs.items()} == {n: a.tobytes() for n, a in first.outputs.items()}
