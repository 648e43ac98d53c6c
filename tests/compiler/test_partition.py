"""What the partition into stages of vector and cube work refuses, and the names it gives."""

from dataclasses import replace

import pytest

from compiler import products
from compiler.casts import column_name
from compiler.lower import LoweringError
from compiler.partition import CubeStage, Partition, partition, stacks, sums_of_products
from compiler.pipeline import backward_of, compile_operator
from ir.graph import Graph, node
from ir.operators.text_gated_residual_grad import OPERATOR as GATED
from tests.operators.gated_residual_tanh_grad import OPERATOR as TANH
from tests.operators.glu_grad import OPERATOR as GLU
from tests.operators.linear_grad import OPERATOR as LINEAR
from tests.operators.mlp_grad import OPERATOR


def compiled(**changes):
    return compile_operator(replace(OPERATOR, **changes), products.load("ascend950"))


def test_products_take_16_bit_operands():
    (name,) = OPERATOR.interface.dtypes
    interface = replace(OPERATOR.interface, dtypes={name: ("bfloat16", "float32")})
    with pytest.raises(LoweringError, match=f"^matmul: dtypes of {name}: got float32, wants float16 or bfloat16"):
        compiled(interface=interface)


def test_a_product_that_is_multiplied_again_is_refused():
    def forward(f):
        return {"y": f.matmul(f.matmul(f.x, f.w1, transpose_b=True), f.w2, transpose_b=True)}

    with pytest.raises(LoweringError, match="^matmul: [^\n]* multiplied again as it is; put a pointwise step between the products$"):
        compiled(forward=forward)


def test_a_constant_operand_is_refused():
    """The gradient of a plain sum is a product with ones."""
    x, w = (node("input", name=n, shape=shape, dtype="float32") for n, shape in (("x", ("T", "K")), ("w1", ("H", "K"))))
    ones = node("broadcast", node("constant", value=1.0, dtype="float32"), shape=("T", "H"))
    graph = Graph("ones", {"x": x, "w1": w}, {"grad_x": node("matmul", ones, w)})
    with pytest.raises(LoweringError, match="^matmul: [^\n]* has no tensor in it; a product with a constant is a sum, write that$"):
        partition(graph, OPERATOR.interface)


def test_products_alone_have_no_block_and_no_vector_stage():
    """Nothing waits for what has inputs for operands and an output for its result: it is walked once, over all rows."""
    parts = stages_of(LINEAR)
    assert not parts.stages and not parts.workspace and [p.result for p in parts.sums] == ["grad_x", "grad_w"]


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


# Products that are fused, and products that are walked together.


def stages_of(operator) -> Partition:
    return partition(backward_of(operator)[2], operator.interface)


def walked(parts: Partition) -> list[tuple[str, ...]]:
    levels = [s for s in parts.stages if isinstance(s, CubeStage)]
    return [tuple(p.result for p in stack.products) for stack in (*(k for s in levels for k in s.stacks), *stacks(parts.sums))]


@pytest.mark.parametrize("operator", [GATED, TANH], ids=lambda o: o.name)
def test_a_sum_of_products_is_one_product(operator):
    """grad_x_norm is stored once; the term of the option is there with the option alone."""
    parts = stages_of(operator)
    product = next(p for s in parts.stages if isinstance(s, CubeStage) for p in s.products if p.result == "grad_x_norm")
    assert [(t.a, t.b) for t in product.terms] == [("grad_down_pre_act", "w_down"), ("factor_of_w_gate", "w_gate")]
    always, optional = (t.keys for t in product.terms)
    assert always == frozenset(range(4)) and optional == frozenset(k for k in range(4) if k >> parts.options.index("inject") & 1)
    assert not [t for t in parts.workspace if "_by_" in t]


@pytest.mark.parametrize("operator", [GATED, TANH], ids=lambda o: o.name)
def test_weight_gradients_that_share_an_operand_are_walked_together(operator):
    assert ("dw_down", "dw_gate") in walked(stages_of(operator))
    assert sorted(map(len, walked(stages_of(operator))))[-2:] == [1, 2]


def test_products_of_one_left_operand_lie_side_by_side():
    """x @ a^T and x @ b^T: x is read once for both. The gradient of x is one product of two terms."""
    first, _, third = stages_of(GLU).stages
    (stack,) = first.stacks
    assert (first.level, third.level) == (0, 2)
    assert stack.axis == "n" and len(stack.products) == 2 and {t.a for p in stack.products for t in p.terms} == {"x"}
    assert [(p.result, len(p.terms)) for p in third.products] == [("grad_x", 2)]


def test_a_product_that_is_read_twice_is_no_term():
    x, w = (node("input", name=n, shape=("T", "K"), dtype="float32") for n in ("x", "w"))
    a, b = (node("matmul", v, node("input", name=m, shape=("K", "K"), dtype="float32")) for v, m in ((x, "p"), (w, "q")))
    total = node("add", a, b)
    twice = Graph("twice", {}, {"y": total, "z": node("mul", a, total)})
    assert set(sums_of_products(twice)) == {a, b}
    once = Graph("once", {}, {"y": node("neg", total)})
    assert sums_of_products(once) == {total: (b, a)}
    same = Graph("same", {}, {"y": node("neg", node("add", a, a))})
    assert set(sums_of_products(same)) == {a}
