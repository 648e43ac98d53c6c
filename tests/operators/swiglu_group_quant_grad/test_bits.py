"""Calls that must give the same bits."""

from dataclasses import replace

import numpy as np
import pytest

from compiler.cases import request_of
from compiler.emulate import emulator_request
from compiler.emulator.run import emulate_many
from tests.operators.swiglu_group_quant_grad.lists import DTYPES, case
from tests.running import examiner, operator


def outputs(*requests):
    results = emulate_many(examiner().built, requests)
    for r in results:
        assert r.status == 0 and not r.findings, (r.message, r.findings)
    return [{n: a.tobytes() for n, a in r.outputs.items()} for r in results]


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_order_of_the_cores_and_repeated_runs(dtype):
    call = emulator_request(request_of(operator(), case("", 321, 100, dtype, values="dead")))
    orders = ("forward", "forward", "reverse", "random:0", "random:1", "random:77")
    first, *others = outputs(*(replace(call, order=o) for o in orders))
    assert all(o == first for o in others)


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_number_of_cores(dtype):
    """Tiles differ with the rows of a core; every row is computed on its own."""
    call = emulator_request(request_of(operator(), case("", 131, 96, dtype)))
    first, *others = outputs(*(replace(call, cores=n) for n in (64, 1, 2, 3, 8, 40)))
    assert all(o == first for o in others)


@pytest.mark.parametrize("clamp", [-1.0, 7.0])
@pytest.mark.parametrize("dtype", DTYPES)
def test_absent_group_index_is_one_group_of_all_rows(dtype, clamp):
    request = request_of(operator(), case("", 70, 100, dtype, counts=None, clamp=clamp))
    given = replace(request, arrays={**request.arrays, "group_index": np.array([70])})
    absent, present = outputs(emulator_request(request), emulator_request(given))
    assert absent == present


@pytest.mark.parametrize("dtype", DTYPES)
def test_live_rows_do_not_depend_on_dead_ones(dtype):
    """The same bits as a call with the live rows alone, whatever the dead rows hold."""
    request = request_of(operator(), case("", 12, 100, dtype, values="dead"))
    live = int(request.arrays["group_index"].sum())
    assert 0 < live < 12
    short = replace(request, arrays={n: a if n == "group_index" else a[:live].copy() for n, a in request.arrays.items()})
    whole, alone = outputs(emulator_request(request), emulator_request(short))
    for name, bits in alone.items():
        assert whole[name][:len(bits)] == bits
        assert not any(whole[name][len(bits):])


@pytest.mark.parametrize("dtype", DTYPES)
def test_views_of_wider_storage(dtype):
    call = emulator_request(request_of(operator(), case("", 70, 33, dtype)))
    plain, strided = outputs(call, replace(call, strided=("grad_y", "x", "weight", "y_origin", "group_index", "grad_x", "grad_weight")))
    assert plain == strided


def test_attributes_are_not_remembered():
    """Two calls of the same shape with other limits in one process, then the first again."""
    request = request_of(operator(), case("", 5, 300, values="kinks"))
    calls = [emulator_request(replace(request, attributes={"clamp_limit": c})) for c in (7.0, 5.0, -1.0, 7.0)]
    first, second, off, again = outputs(*calls)
    assert first == again and len({first["grad_x"], second["grad_x"], off["grad_x"]}) == 3
