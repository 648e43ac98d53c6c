"""TextGatedResidualGrad: the gradient of a channel mix, each channel RMS-normalised and gated through a low-rank projection."""

from ir.interface import Attribute, Interface, Operator, Option, Precision, Tensor, Text


def forward(f):
    """mixed = mean over channels of x_norm * sigmoid(up); inject = 2 * sigmoid(x_norm @ w_gate^T / C)."""
    channels = f.size("C")
    x = f.channels(f.x, "C")
    inv_rms = f.saved("inv_rms", f.flatten(f.rsqrt(f.mean(x * x) + f.epsilon)))
    x_hat = x * f.reshape(inv_rms, "T", "C", 1)
    x_scaled = f.when("gamma", x_hat * (1 + f.channels(f.gamma, "C")), x_hat)
    x_norm = f.flatten(x_scaled)
    down_pre_act = f.saved("down_pre_act", f.matmul(x_norm, f.w_down, transpose_b=True))
    act = f.silu(down_pre_act / channels)
    up = f.saved("up", f.matmul(act, f.w_up, transpose_b=True))
    mixed = f.mean(x_scaled * f.sigmoid(f.channels(up, "C")), axis=1)
    gate = f.matmul(x_norm, f.w_gate, transpose_b=True)
    inject = f.saved("inject", 2 * f.sigmoid(gate / channels))
    return {"mixed": f.flatten(mixed), "inject": inject}


def _tensor(name: str, shape: str, zh: str, en: str, dtype: str = "D", **more) -> Tensor:
    rank = len(shape.replace("...", "B, S").split(","))
    return Tensor(name, shape, dtype, Text(zh, en), ranks=(rank, rank), **more)


_PRECISION = {
    "dx": ((3.0e-3, 2e-2, 2**-7), (4e-4, 3e-3, 2**-10), "H"),
    "dw_down": ((5.0e-3, 5e-2, 2**-7), (7e-4, 8e-3, 2**-10), None),
    "dw_up": ((4.5e-3, 5e-2, 2**-7), (7e-4, 8e-3, 2**-10), None),
    "dw_gate": ((4.5e-3, 4e-2, 2**-7), (6e-4, 6e-3, 2**-10), None),
    "dgamma": ((1.5e-3, 2e-2, 2**-9), (2e-4, 3e-3, 2**-12), None),
}

INTERFACE = Interface(
    name="TextGatedResidualGrad",
    forward_name="TextGatedResidual",
    folder="norm",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        _tensor("grad_mixed", "..., H", "混合输出mixed的上游梯度。", "Upstream gradient of the mixed output mixed."),
        _tensor("x", "..., C*H", "前向输入。", "Forward input."),
        _tensor("w_down", "R, C*H", "下投影权重。", "Down-projection weight."),
        _tensor("w_up", "C*H, R", "上投影权重。", "Up-projection weight."),
        _tensor("inv_rms", "..., C", "前向保存的各通道均方根倒数。",
                "Per-channel reciprocal root mean square saved during the forward pass.", "float32"),
        _tensor("down_pre_act", "..., R", "前向保存的下投影结果xNorm@wDownᵀ。",
                "Down-projection result xNorm@wDownᵀ saved during the forward pass."),
        _tensor("up", "..., C*H", "前向保存的上投影结果act@wUpᵀ。",
                "Up-projection result act@wUpᵀ saved during the forward pass."),
        _tensor("grad_inject", "..., C", "注入输出inject的上游梯度。", "Upstream gradient of the injection output inject.",
                option="inject"),
        _tensor("w_gate", "C, C*H", "注入分支权重。", "Injection branch weight.", option="inject"),
        _tensor("gamma", "C*H", "归一化缩放权重，实际缩放系数为1+gamma。",
                "Normalization scale weight; the actual scale is 1+gamma.", "float32", option="gamma"),
        _tensor("inject", "..., C", "前向保存的注入输出2*sigmoid((xNorm@wGateᵀ)/C)。",
                "Injection output 2*sigmoid((xNorm@wGateᵀ)/C) saved during the forward pass.", option="inject"),
        _tensor("dx", "..., C*H", "x的梯度。", "Gradient of x.", role="output", like="x"),
        _tensor("dw_down", "R, C*H", "wDown的梯度。", "Gradient of wDown.", role="output", like="w_down"),
        _tensor("dw_up", "C*H, R", "wUp的梯度。", "Gradient of wUp.", role="output", like="w_up"),
        _tensor("dw_gate", "C, C*H", "wGate的梯度。", "Gradient of wGate.", role="output", like="w_gate", option="inject"),
        _tensor("dgamma", "C*H", "gamma的梯度。", "Gradient of gamma.", "float32", role="output", like="gamma",
                option="gamma"),
    ),
    attributes=(
        Attribute("channels", "int", 4, Text("通道数C。", "Number of channels C."), positive=True, symbol="C"),
    ),
    options=(
        Option("inject", inputs=("w_gate", "grad_inject", "inject"), outputs=("dw_gate",)),
        Option("gamma", inputs=("gamma",), outputs=("dgamma",)),
    ),
    dtypes={"D": ("float16", "bfloat16")},
    limits={"C": (1, 20), "H": (16, 4800), "R": (16, 640)},
    precision={
        name: {"bfloat16": Precision(*bfloat16, block=block), "float16": Precision(*float16, block=block)}
        for name, (bfloat16, float16, block) in _PRECISION.items()
    },
    title=Text("TextGatedResidual的反向梯度计算", "Backward of TextGatedResidual"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"dx": "x", "dw_down": "w_down", "dw_up": "w_up", "dw_gate": "w_gate", "dgamma": "gamma"},
    cotangents={"mixed": "grad_mixed", "inject": "grad_inject"},
    unknowns={"epsilon": 1e-6},
)
