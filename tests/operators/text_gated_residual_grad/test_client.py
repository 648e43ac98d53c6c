"""The calling example of the specification, unmodified: it compiles against the emitted operator and prints what it says."""

from pathlib import Path

import pytest

from compiler.emulate import emulate_client
from compiler import products
from tests.operators.text_gated_residual_grad.lists import PRODUCTS
from tests.running import operator

CLIENT = Path(__file__).with_name("client.cpp")


@pytest.mark.parametrize("product", PRODUCTS)
def test_calling_example(product):
    done = emulate_client(operator("TextGatedResidualGrad"), products.load(product), str(CLIENT))
    assert done.holds, done.stderr
    assert "dx[0] = 125.0 (expected 125.0)" in done.stdout
