"""Case lists: every two settings together, and values where they are said to be."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import cases
from compiler.cases import COUNTS, Case, around, corners, leading_dimensions, pairwise, pairwise_cases, request_of
from tests.running import GENERAL, SEED, operator


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_every_two_values_occur_together(sizes):
    factors = {f"f{i}": tuple(range(n)) for i, n in enumerate(sizes)}
    found = pairwise(factors)
    for (a, x), (b, y) in itertools.combinations(factors.items(), 2):
        assert {(s[a], s[b]) for s in found} == set(itertools.product(x, y))
    assert len(found) <= 3 * math.prod(sorted(sizes)[-2:])


def test_impossible_pairs_are_left_out():
    fits = lambda s: not (s.get("a") == 1 and s.get("b") == 2) and not (s.get("b") == 3 and s.get("c") == 5)
    found = pairwise({"a": (0, 1), "b": (2, 3), "c": (4, 5)}, fits)
    assert all(map(fits, found)) and {(s["a"], s["b"]) for s in found} == {(0, 2), (0, 3), (1, 3)}


@given(st.integers(0, 3000), st.integers(1, 7))
def test_leading_dimensions_multiply_to_the_rows(rows, count):
    assert len(leading_dimensions(rows, count)) == count and math.prod(leading_dimensions(rows, count)) == rows


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_values_around_a_limit_are_neighbours(dtype):
    from ir.types import numpy_dtype

    bits = np.array(around([7.0], numpy_dtype(dtype))[2:]).astype(numpy_dtype(dtype)).view(f"i{numpy_dtype(dtype).itemsize}")
    assert sorted(bits[:3] - bits[0]) == [-1, 0, 1] and sorted(bits[3:] - bits[3]) == [-1, 0, 1]


@pytest.mark.parametrize("kind", COUNTS)
def test_sums_of_counts(kind):
    sums = {"all": 20, "some": 10, "none": 0, "above": 25, "negative": 17, "below zero": -6}
    assert cases.counts_of(kind, 6, 20, 1).sum() == sums[kind]


def test_dead_rows_hold_no_numbers():
    request = request_of(operator(), Case("", (12,), {"H": 8, "G": 3}, "bfloat16", values="dead", counts="some"))
    for name in ("x", "grad_y", "y_origin", "weight"):
        rows = np.isfinite(request.arrays[name].astype(np.float32).reshape(12, -1))
        assert rows[:6].all() and not rows[6:].any()


@pytest.mark.parametrize("name", [SEED, *GENERAL], ids=lambda n: n.rsplit("/", 1)[-1])
def test_lists_of_an_operator(name):
    """Corners are few, and every case is one that the interface accepts."""
    short, long = corners(operator(name), 64), pairwise_cases(operator(name), 64)
    assert 10 <= len(short) <= 40 < len(long) <= 400
    for case in (*short, *long):
        request = request_of(operator(name), case)
        assert request.binding.symbols["T"] == case.rows and request.specs


@pytest.mark.parametrize("dtype, most", [("float16", 65504.0), ("bfloat16", 2.0**100)])
def test_loud_gradients_fill_the_range_of_gradients_or_operands(dtype, most):
    gated = operator("TextGatedResidualGrad")
    call = lambda values: request_of(gated, Case("", (2, 7), {"C": 2, "H": 32, "R": 16}, dtype, values=values))
    loud, faint, plain = call("loud"), call("faint"), call("plain")
    names = ["grad_mixed", "grad_inject"]
    largest = max(loud.largest_operand(names), *(float(np.abs(loud.arrays[n].astype(float)).max()) for n in names))
    assert largest == pytest.approx(cases.BRIM * most, rel=0.01)
    for n in names:
        np.testing.assert_allclose(faint.arrays[n].astype(float), plain.arrays[n].astype(float) * 2**-13, atol=2**-24)
    assert all(np.array_equal(loud.arrays[n], plain.arrays[n]) for n in ("x", "w_up", "gamma", "up"))


def test_rows_of_two_tiles_are_left_out_where_they_exceed_the_limits():
    plain = operator(GENERAL[0])
    named = lambda high: {c.name for c in corners(replace(plain, interface=replace(plain.interface, limits={"H": (1, high)})), 8, lambda c: (4, 5000))}
    assert {n for n in named(5001) - named(5000) if "two tiles a row" in n}
    assert not {n for n in named(5000) if "two tiles a row" in n}


def test_sizes_that_no_document_names_are_within_the_limits():
    plain = operator("TextGatedResidualGrad")
    limits = plain.interface.limits | {"C": (1, 8)}
    undocumented = replace(plain, interface=replace(plain.interface, sizes={}, limits=limits))
    for case in (*corners(undocumented, 24), *pairwise_cases(undocumented, 24)):
        assert all(low <= case.sizes.get(s, low) <= high for s, (low, high) in limits.items()), case
