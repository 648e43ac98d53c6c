"""Calls that must give the same bits, and what a call without rows writes."""

import copy
from dataclasses import replace

import pytest

from compiler import emulate, products
from compiler.cases import request_of
from compiler.emulate import emulator_request
from compiler.emulator.run import emulate_many
from tests.operators.text_gated_residual_grad.lists import OPTIONS, PRODUCTS, case
from tests.running import examiner, operator

NAME = "TextGatedResidualGrad"


def call_of(some):
    return emulator_request(request_of(operator(NAME), some))


def bits(built, *calls):
    """Output -> bytes of each call, none of which may fail or leave a finding."""
    results = emulate_many(built, calls)
    for r in results:
        assert r.status == 0 and not r.findings, (r.message, r.findings)
    return [{n: a.tobytes() for n, a in r.outputs.items()} for r in results]


@pytest.mark.parametrize("product", PRODUCTS)
def test_any_order_of_the_cores_and_repeated_runs(product):
    call = call_of(case("", 261, 3, 48, 32))
    orders = ("forward", "forward", "reverse", "random:0", "random:1", "random:77")
    first, *others = bits(examiner(NAME, product).built, *(replace(call, order=o) for o in orders))
    assert all(o == first for o in others)


@pytest.mark.parametrize("product, dtype", [
    *((p, "bfloat16") for p in PRODUCTS), ("ascend950", "float16"), *(pytest.param(p, "float16", marks=pytest.mark.long) for p in PRODUCTS[1:])])
def test_any_number_of_cores(product, dtype):
    """Every output but the sum over rows that vector cores share keeps its bits; the schedule says which these are."""
    one = examiner(NAME, product)
    call = call_of(case("", 261, 3, 48, 32, dtype))
    cores = [n for n in (1, 2, 3, 20, 24, 28, 32) if n <= one.product["cores"]["aic"]]
    first, *others = bits(one.built, *(replace(call, cores=n) for n in cores))
    kept = one.schedule.core_invariant
    assert set(kept) == {"dx", "dw_down", "dw_up", "dw_gate"}
    for o in others:
        assert [n for n in kept if o[n] != first[n]] == []


@pytest.mark.parametrize("product", PRODUCTS)
def test_more_cores_than_the_product_has(product):
    """A product file of 36 cube cores: right values, and the bits of the product's own count where they are kept."""
    mine = copy.deepcopy(products.load(product))
    mine["cores"]["aic"], mine["cores"]["aiv"] = 36, 72
    built = emulate.built(operator(NAME), mine)
    request = request_of(operator(NAME), case("", 261, 3, 48, 32))
    call = emulator_request(request)
    result, = emulate_many(built, [call])
    assert result.status == 0 and not result.findings and result.block_dim == 36
    assert request.judge(result.outputs).ok
    usual, = bits(examiner(NAME, product).built, call)
    for name in examiner(NAME, product).schedule.core_invariant:
        assert result.outputs[name].tobytes() == usual[name]


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("inject, gamma", OPTIONS)
def test_views_of_wider_storage(product, inject, gamma):
    call = call_of(case("", 50, 3, 48, 32, inject=inject, gamma=gamma))
    names = [n for n, t in call.tensors.items() if t is not None]
    plain, inputs, outputs, every = bits(
        examiner(NAME, product).built, call, replace(call, strided=tuple(n for n in names if not n.startswith("d") or n.startswith("down"))),
        replace(call, strided=("dx", "dw_down", "dw_up")), replace(call, strided=tuple(names)))
    assert plain == inputs == outputs == every


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("leading", [(0, 5), (5, 0), (0, 0)])
def test_no_rows_give_zeros(product, leading):
    """Weight gradients are filled with zeros and dx has no element."""
    for inject, gamma in OPTIONS:
        some = replace(case("", 0, 3, 48, 32, inject=inject, gamma=gamma), leading=leading)
        result, = emulate_many(examiner(NAME, product).built, [call_of(some)])
        assert result.status == 0 and not result.findings, (result.message, result.findings)
        assert result.outputs["dx"].shape == (*leading, 144)
        sums = [n for n in result.outputs if n != "dx"]
        assert len(sums) == 2 + inject + gamma
        for n in sums:
            assert not any(result.outputs[n].tobytes())


@pytest.mark.parametrize("product", PRODUCTS)
def test_calls_do_not_remember_one_another(product):
    """Sizes and options that change from call to call in one process, then the first call again."""
    calls = [call_of(c) for c in (case("", 50, 3, 48, 32), case("", 200, 4, 16, 64, gamma=False), case("", 3, 1, 112, 16, inject=False),
                                  case("", 50, 3, 48, 32))]
    first, _, _, again = bits(examiner(NAME, product).built, *calls)
    assert first == again
