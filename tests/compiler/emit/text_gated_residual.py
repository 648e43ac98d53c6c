"""The second seed operator's interface with a plan that has nothing of its schedule, and requests for it."""

from pathlib import Path

from compiler.emit.plan import Field, Plan
from ir.operators.text_gated_residual_grad import INTERFACE

SNAKE = INTERFACE.snake
PLAN = Plan(
    fields=(Field("int64_t", "rows", "rows in all"), Field("int64_t", "channels", "channels of a row"),
            Field("int64_t", "features", "features of a channel"), Field("int64_t", "lowRank", "width of the projection")),
    lines=("tiling->rows = T;", "tiling->channels = C;", "tiling->features = H;", "tiling->lowRank = R;"),
    block_dim="std::min(cubeCoreNum, T)",
    workspace="systemWorkspace + static_cast<size_t>(4 * T * C * H)",
    schedule_mode=1,
    mixed=True,
    core_invariant=("dx", "dw_down"),
)
PLANS = {product: PLAN for product in INTERFACE.products}
_NAMES = ["grad_mixed", "x", "w_down", "w_up", "inv_rms", "down_pre_act", "up", "grad_inject", "w_gate", "gamma", "inject",
          "dx", "dw_down", "dw_up", "dw_gate", "dgamma"]
KERNEL = f"""#include "kernel_operator.h"
extern "C" __global__ __aicore__ void {SNAKE}({", ".join(f"GM_ADDR {n}" for n in _NAMES)}, GM_ADDR workspace, GM_ADDR tiling)
{{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
}}
"""
KERNELS = {f"op_kernel/{SNAKE}_apt.cpp": KERNEL, f"op_kernel/{SNAKE}.cpp": KERNEL}


def shapes(B=1, S=2, C=4, H=16, R=16) -> dict[str, tuple[int, ...]]:
    """The documented shape of every tensor."""
    D = C * H
    return {
        "grad_mixed": (B, S, H), "x": (B, S, D), "w_down": (R, D), "w_up": (D, R), "inv_rms": (B, S, C),
        "down_pre_act": (B, S, R), "up": (B, S, D), "grad_inject": (B, S, C), "w_gate": (C, D), "gamma": (D,),
        "inject": (B, S, C), "dx": (B, S, D), "dw_down": (R, D), "dw_up": (D, R), "dw_gate": (C, D), "dgamma": (D,),
    }


def specified(name: str) -> str:
    """A document of the specification."""
    return (Path(__file__).parent / "specification" / name).read_text(encoding="utf-8")
