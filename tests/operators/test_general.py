"""Forwards that live only here go through every pass: a tanh gate, a row norm, and scales per row and per column."""

import re
from dataclasses import replace

import numpy as np
import pytest

from compiler import emulate, products
from compiler.cases import Case, corners, leading_dimensions, pairwise_cases, request_of
from compiler.emulate import emulator_request
from compiler.emulator.run import emulate_many
from compiler.prove import prove
from compiler.verify import Examiner
from tests.running import GENERAL, assert_holds, chunks, examiner, operator

DTYPES = ("bfloat16", "float16", "float32")
NAMES = [name.rsplit("/", 1)[-1].removesuffix(".py") for name in GENERAL]
ROW_NORM, COLUMN_SUMS = GENERAL[1:]


def case(rows, width, dtype, rank=2, values="plain", cores=None, seed=0):
    return Case("", leading_dimensions(rows, rank - 1), {"H": width}, dtype, values=values, cores=cores, seed=seed)


@pytest.mark.parametrize("name", GENERAL, ids=NAMES)
def test_gradients_are_proven(name):
    proof = prove(operator(name))
    assert proof.holds, str(proof)


@pytest.mark.parametrize("name", GENERAL, ids=NAMES)
def test_corners(name):
    for chunk in chunks(corners(operator(name), 64, examiner(name).tile)):
        assert_holds(chunk, name)


@pytest.mark.parametrize("name", GENERAL, ids=NAMES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_shapes(name, dtype):
    """Ranks, unaligned widths, rows around the number of cores.

    A row of one element normed is its sign: its gradient is what rounding leaves, so that norms start at 7.
    """
    widths = (7 if name == ROW_NORM else 1, 7, 8, 9, 16, 17, 33, 100, 127, 1000, 2048, 4096)
    rows = (1, 2, 3, 63, 64, 65, 129)
    cases = [case(rows[i % 7], w, dtype, 2 + i % 7, seed=i) for i, w in enumerate(widths)]
    cases += [case(1, 50, dtype, 1), case(300, 24, dtype), case(0, 24, dtype)]
    assert_holds(cases, name)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_over_rows_have_the_same_bits_in_any_order(dtype):
    """A sum over rows depends on shape, options, product and cores, never on when a core arrives."""
    for rows, width, cores in ((300, 100, None), (65, 4096, None), (1000, 64, 3), (7, 33, 40)):
        call = emulator_request(request_of(operator(COLUMN_SUMS), case(rows, width, dtype)), cores=cores)
        orders = ("forward", "forward", "reverse", "random:0", "random:5", "random:6")
        first, *others = emulate_many(examiner(COLUMN_SUMS).built, [replace(call, order=o) for o in orders])
        assert first.status == 0 and not first.findings
        for other in others:
            assert {n: a.tobytes() for n, a in other.outputs.items()} == {n: a.tobytes() for n, a in first.outputs.items()}


@pytest.mark.parametrize("rows", [1, 2, 63, 64, 65, 128, 255, 256, 257])
def test_sum_of_ones_over_rows(rows):
    """Every row is added once: with a = 0, b = 2 and unit scales the gradient of the column scale counts the rows."""
    request = request_of(operator(COLUMN_SUMS), case(rows, 20, "float32"))
    filled = {"grad_y": 1, "a": 0, "b": 2, "row_scale": 1, "column_scale": 1}
    arrays = {n: np.full_like(a, filled[n]) for n, a in request.arrays.items()}
    result, = emulate_many(examiner(COLUMN_SUMS).built, [emulator_request(replace(request, arrays=arrays))])
    assert result.status == 0 and not result.findings
    np.testing.assert_array_equal(result.outputs["grad_column_scale"], np.full(20, rows, np.float32))


@pytest.mark.parametrize("width", [1, 7, 8, 63, 64, 65, 127, 128, 192, 320, 448, 512, 513, 4095, 4096])
def test_sum_of_ones_along_a_row(width):
    """Every column is added once: the gradient of the row scale counts the columns."""
    request = request_of(operator(COLUMN_SUMS), case(5, width, "float32"))
    filled = {"grad_y": 1, "a": 0, "b": 2, "row_scale": 1, "column_scale": 1}
    arrays = {n: np.full_like(a, filled[n]) for n, a in request.arrays.items()}
    result, = emulate_many(examiner(COLUMN_SUMS).built, [emulator_request(replace(request, arrays=arrays))])
    np.testing.assert_array_equal(result.outputs["grad_row_scale"].ravel(), np.full(5, width, np.float32))


@pytest.mark.long
@pytest.mark.parametrize("name", GENERAL, ids=NAMES)
def test_pairwise(name):
    conditioned = [c for c in pairwise_cases(operator(name), 64) if name != ROW_NORM or c.sizes["H"] > 1]
    for chunk in chunks(conditioned):
        assert_holds(chunk, name)


@pytest.mark.parametrize("dtypes", [("bfloat16", "float16"), ("float32",)], ids=["16 bits", "32 bits"])
def test_an_operator_of_one_width_has_the_code_of_that_width_alone(dtypes):
    """No table by width, no tile that is computed on here or there: 16 bits are cast into work buffers, float is worked on in place."""
    product = products.load("ascend950")
    base = operator(ROW_NORM)
    one = replace(base, interface=replace(base.interface, dtypes={"T": dtypes}))
    built = emulate.built(one, product)
    kernel = "".join(p.read_text() for p in sorted(built.directory.glob("op_kernel/**/*")) if p.is_file())
    assert not re.search(r"WORK_SLOTS\[\d+\]\[2\]|IS_FLOAT|InPlaceOrWork", kernel) and "WORK_SLOTS[" in kernel
    assert ("Work(" in kernel) and ("LocalTensor<float> x = xTile" in kernel) == (dtypes == ("float32",))
    checks = Examiner(one, product, emulate._schedule(one, product), built).examine(
        [(i, case(rows, width, dtypes[0])) for i, (rows, width) in enumerate([(1, 7), (65, 100), (129, 2048)])])
    assert all(c.holds for _, c in checks), [c.problems for _, c in checks]
