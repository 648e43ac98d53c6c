"""A two-layer perceptron goes through the stages of cube and vector work on every product."""

from dataclasses import replace
from pathlib import Path

import pytest

from compiler.cases import corners, pairwise_cases, request_of
from compiler.emulate import emulator_request
from compiler.emulator.run import emulate_many
from tests.running import assert_holds, chunks, examiner, operator

NAME = str(Path(__file__).with_name("mlp_grad.py"))
PRODUCTS = ("ascend950", "ascend910b", pytest.param("ascend910_93", marks=pytest.mark.long))


@pytest.mark.parametrize("product", PRODUCTS)
def test_corners(product):
    one = examiner(NAME, product)
    for chunk in chunks(corners(operator(NAME), one.product["cores"]["aiv"], one.tile, product), 16):
        assert_holds(chunk, NAME, product)


@pytest.mark.long
@pytest.mark.parametrize("product", PRODUCTS)
def test_pairwise(product):
    for chunk in chunks(pairwise_cases(operator(NAME), examiner(NAME, product).product["cores"]["aiv"], product)):
        assert_holds(chunk, NAME, product)


@pytest.mark.parametrize("product", PRODUCTS)
def test_bits(product):
    """Any order and number of cores, and views in place of whole tensors; nothing here is a sum over rows of vector work."""
    one = examiner(NAME, product)
    some = next(c for c in corners(operator(NAME), 64) if "unaligned" in c.name)
    call = emulator_request(request_of(operator(NAME), replace(some, leading=(3, 87))))
    calls = [call, *(replace(call, order=o) for o in ("reverse", "random:3")), *(replace(call, cores=n) for n in (1, 2, 20)),
             replace(call, strided=tuple(call.tensors))]
    first, *others = emulate_many(one.built, calls)
    assert first.status == 0 and not first.findings, (first.message, first.findings)
    assert set(one.schedule.core_invariant) == set(first.outputs)
    for other in others:
        assert other.status == 0 and not other.findings, (other.message, other.findings)
        assert {n: a.tobytes() for n, a in other.outputs.items()} == {n: a.tobytes() for n, a in first.outputs.items()}
