"""What the partition into stages of vector and cube work refuses, and the names it gives."""

from dataclasses import replace

import pytest

from compiler import products
from compiler.casts import column_name
from compiler.lower import LoweringError
from compiler.pipeline import compile_operator
from tests.operators.mlp_grad import OPERATOR


def compiled(**changes):
    return compile_operator(replace(OPERATOR, **changes), products.load("ascend950"))


def test_products_take_16_bit_operands():
    (name,) = OPERATOR.interface.dtypes
    interface = replace(OPERATOR.interface, dtypes={name: ("bfloat16", "float32")})
    with pytest.raises(LoweringError, match=f"^matmul: dtypes of {name}: got float32, wants float16 or bfloat16"):
        compiled(interface=interface)


def test_products_alone_are_refused():
    def forward(f):
        return {"y": f.matmul(f.matmul(f.x, f.w1, transpose_b=True), f.w2, transpose_b=True)}

    with pytest.raises(LoweringError, match="^matmul: [^\n]*$"):
        compiled(forward=forward)


def test_names_of_the_kernel_are_not_taken():
    """A forward may call its values as it likes; tensors of the workspace do not hide the kernel's own arguments."""
    def forward(f):
        workspace = f.matmul(f.x, f.w1, transpose_b=True)
        tiling = f.silu(workspace)
        return {"y": f.matmul(tiling, f.w2, transpose_b=True)}

    assert not {"workspace", "tiling"} & set(compiled(forward=forward).schedule.partition.workspace)


def test_the_narrow_dtype_names_a_column():
    assert column_name({"grad_y": "float32", "x": "bfloat16", "counts": "int64"}) == "bfloat16"
    assert column_name({"x": "float32", "y": "float32"}) == "float32"
