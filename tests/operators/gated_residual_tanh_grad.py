"""GatedResidualTanhGrad: TextGatedResidualGrad with tanh for the inner SiLU, the largest channel for the mean, no saved up."""

from dataclasses import replace

from ir.interface import Operator
from ir.operators import text_gated_residual_grad as original


def forward(f):
    """mixed = max over channels of x_norm * sigmoid(tanh(x_norm @ w_down^T / C) @ w_up^T); inject as in the original."""
    channels = f.size("C")
    x = f.channels(f.x, "C")
    inv_rms = f.saved("inv_rms", f.flatten(f.rsqrt(f.mean(x * x) + f.epsilon)))
    x_hat = x * f.reshape(inv_rms, "T", "C", 1)
    x_scaled = f.when("gamma", x_hat * (1 + f.channels(f.gamma, "C")), x_hat)
    x_norm = f.flatten(x_scaled)
    down_pre_act = f.saved("down_pre_act", f.matmul(x_norm, f.w_down, transpose_b=True))
    act = f.tanh(down_pre_act / channels)
    up = f.matmul(act, f.w_up, transpose_b=True)
    mixed = f.amax(x_scaled * f.sigmoid(f.channels(up, "C")), axis=1)
    gate = f.matmul(x_norm, f.w_gate, transpose_b=True)
    inject = f.saved("inject", 2 * f.sigmoid(gate / channels))
    return {"mixed": f.flatten(mixed), "inject": inject}


INTERFACE = replace(
    original.INTERFACE,
    name="GatedResidualTanhGrad",
    forward_name="GatedResidualTanh",
    sample=None,
    tensors=tuple(t for t in original.INTERFACE.tensors if t.name != "up"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients=original.OPERATOR.gradients,
    cotangents=original.OPERATOR.cotangents,
    unknowns=original.OPERATOR.unknowns,
)
