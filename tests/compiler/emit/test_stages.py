"""The entry of a kernel of several stages: one pipe per core, one scope per statement block, and barriers where they are needed."""

import re

import pytest

from compiler import products
from compiler.emit.operator import kernel_files
from compiler.pipeline import compile_operator
from ir.operators.text_gated_residual_grad import OPERATOR as GATED
from tests.operators.glu_grad import OPERATOR as GLU
from tests.operators.linear_grad import OPERATOR as LINEAR


def entry(operator, soc="ascend950") -> str:
    product = products.load(soc)
    files = kernel_files(operator, compile_operator(operator, product).schedule, product["title"])
    return files[f"op_kernel/{operator.interface.snake}{product['kernel_suffix']}.cpp"]


@pytest.mark.parametrize("operator", [GATED, GLU, LINEAR], ids=lambda o: o.name)
def test_a_core_makes_one_pipe(operator):
    """One in Run, and one where there is no row and Run ends before its own."""
    text = entry(operator)
    run = text[text.index("inline void Run("):]
    assert text.count("TPipe pipe;") == 2 and run.count("TPipe pipe;") == 1
    stages, sums = run.count("stage.Init("), run.count("stage.InitSums(")
    assert run.count("pipe.Reset();") == stages + sums == run.count("> stage;")


@pytest.mark.parametrize("operator", [GATED, GLU, LINEAR], ids=lambda o: o.name)
def test_no_scope_holds_a_scope_alone(operator):
    assert not re.search(r"\{\n *\{\n", entry(operator).replace("if (block.rows > 0) {\n", ""))


def test_the_list_of_steps_names_conditions():
    listed = [line for line in entry(GATED).split("*/")[0].split("\n") if "cube" in line or "vector" in line]
    assert any("gradXNorm = gradDownPreAct @ wDown + (HAS_INJECT ? factorOfWGate @ wGate : 0)" in line for line in listed)
    assert any(line.endswith("dwGate = factorOfWGate^T @ xNorm   (HAS_INJECT)") for line in listed)


def test_zeros_take_the_outputs_and_the_sizes():
    signature = re.search(r"inline void ZeroSums\(([^)]*)\)", entry(GATED)).group(1)
    assert re.findall(r"GM_ADDR (\w+)", signature) == ["dwDown", "dwUp", "dwGate", "dgamma"]


def test_products_over_all_rows_do_not_wait_for_the_last_step():
    """They need what earlier levels wrote; so no barrier follows the last step."""
    text = entry(GATED)
    loop = text[text.index("for (int64_t step = 0;"):text.index("// dwUp =")]
    assert re.search(r"if \(step \+ 1 < steps\) \{[^\n]*\n *SyncAll<false>\(\);", loop) and loop.count("SyncAll") == 1


def test_products_alone_walk_no_blocks():
    text = entry(LINEAR)
    assert "for (int64_t step" not in text and "BlockAt" not in text and "KERNEL_TYPE_MIX_AIC_1_2" in text
