"""Powers, abs, == and ~ on values, as a definition spells them, down to the bits of the kernel."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from compiler.cases import Case, request_of
from compiler.emulate import emulator_request
from compiler.emulator.run import emulate_many
from compiler.prove import prove
from tests.running import assert_holds, examiner, operator

NAME = str(Path(__file__).with_name("signed_cube_grad.py"))


def test_gradient_is_proven():
    proof = prove(operator(NAME))
    assert proof.holds, str(proof)


@pytest.mark.parametrize("product", ["ascend950", "ascend910b"])
def test_values(product):
    assert_holds([Case("", (65,), {"H": 100}, "bfloat16", values="plain"), Case("", (3,), {"H": 17}, "float16", values="plain")], NAME, product)


@pytest.mark.parametrize("product", ["ascend950", "ascend910b"])
def test_each_piece_is_taken(product):
    request = request_of(operator(NAME), Case("", (1,), {"H": 6}, "float32"))
    arrays = {**request.arrays, "grad_y": np.ones((1, 6), np.float32), "x": np.array([[-3, -1, 0.5, 1, 1.5, 4]], np.float32)}
    result, = emulate_many(examiner(NAME, product).built, [emulator_request(replace(request, arrays=arrays))])
    assert result.status == 0 and not result.findings
    np.testing.assert_array_equal(result.outputs["grad_x"], np.array([[-1, 4, 1.75, 5, 7.75, 1]], np.float32))
