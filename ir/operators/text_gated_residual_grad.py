"""TextGatedResidualGrad: the gradient of a channel mix, each channel RMS-normalised and gated through a low-rank projection."""

from ir.interface import Attribute, Interface, Operator, Option, Precision, Sample, Tensor, Text


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


def _tensor(name: str, shape: str, zh: str, en: str, dtype: str = "T", usage: Text = Text("", ""), **more) -> Tensor:
    return Tensor(name, shape, dtype, Text(zh, en), usage=usage, **more)


FORWARD = r"""
$$
\begin{aligned}
\mathrm{invRms}_{b,s,c} &= \left(\frac{1}{H}\sum_{j=0}^{H-1}x_{b,s,c,j}^{2}+\epsilon\right)^{-1/2} \\
\mathrm{xNorm} &= x\odot\mathrm{invRms}\odot(1+\gamma) \\
\mathrm{downPreAct} &= \mathrm{xNorm}@\mathrm{wDown}^{T} \\
\mathrm{act} &= \mathrm{SiLU}(\mathrm{downPreAct}/C) \\
\mathrm{up} &= \mathrm{act}@\mathrm{wUp}^{T} \\
\mathrm{mixed}_{b,s,j} &= \frac{1}{C}\sum_{c=0}^{C-1}\mathrm{xNorm}_{b,s,c,j}\,\sigma(\mathrm{up}_{b,s,c,j}) \\
\mathrm{inject} &= 2\sigma\!\left((\mathrm{xNorm}@\mathrm{wGate}^{T})/C\right)
\end{aligned}
$$
""".strip()

LOSS = r"""
$$
L=\sum_{b,s,j}\mathrm{gradMixed}_{b,s,j}\,\mathrm{mixed}_{b,s,j}
 +\sum_{b,s,c}\mathrm{gradInject}_{b,s,c}\,\mathrm{inject}_{b,s,c}.
$$
""".strip()

GRADIENTS = r"""
$$
dx=\frac{\partial L}{\partial x},\quad
dwDown=\frac{\partial L}{\partial wDown},\quad
dwUp=\frac{\partial L}{\partial wUp},\quad
dwGate=\frac{\partial L}{\partial wGate},\quad
dgamma=\frac{\partial L}{\partial\gamma}.
$$
""".strip()

FORMULAS = Text(
    zh=r"记 $B$ 为批大小,$S$ 为序列长度,$C$ 为通道数,$H$ 为每通道的特征数,$R$ 为下投影维度,$D=C\times H$。$\odot$ 表示逐元素乘法,"
       rf"""$@$ 表示矩阵乘法,$\sigma$ 表示 Sigmoid 函数。

对应的前向计算为:

{FORWARD}

其中,归一化及通道求和时将最后一维 $D$ 视为 $[C,H]$,矩阵乘法时仍使用最后一维 $D$。`invRms` 在每个通道的 $H$ 个特征上广播,`gamma` 在 $B$、$S$ 维上广播。$\epsilon$ 是前向归一化使用的参数,本接口通过 `invRms` 接收对应的前向结果。

给定 `gradMixed` 和 `gradInject`,定义

{LOSS}

本算子的输出为:

{GRADIENTS}

`wGate` 缺省时不包含注入分支及其梯度;`gamma` 缺省时归一化缩放系数为 1,不输出 `dgamma`。`invRms`、`inject`、`downPreAct`、`up` 必须来自同一次前向计算,并与本次传入的输入、权重对应。""",
    en=r"Let $B$ denote the batch size, $S$ the sequence length, $C$ the number of channels, $H$ the number of features per "
       r"channel, $R$ the down-projection dimension, and $D=C\times H$. $\odot$ denotes element-wise multiplication, "
       rf"""$@$ denotes matrix multiplication, and $\sigma$ denotes the sigmoid function.

The corresponding forward computation is:

{FORWARD}

The last dimension $D$ is interpreted as $[C,H]$ for normalization and summation across channels, and remains $D$ for matrix multiplication. `invRms` is broadcast across the $H$ features of each channel; `gamma` is broadcast across the $B$ and $S$ dimensions. $\epsilon$ is the parameter used for forward normalization. This interface receives the corresponding forward result through `invRms`.

Given `gradMixed` and `gradInject`, define

{LOSS}

The outputs of this operator are:

{GRADIENTS}

When `wGate` is omitted, the injection branch and its gradients are excluded. When `gamma` is omitted, the normalization scale is 1 and `dgamma` is not produced. `invRms`, `inject`, `downPreAct`, and `up` must come from the same forward pass and correspond to the supplied input and weights.""",
)

_A2 = "39664 - 16 * ceil_div(C, 8)"
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
    folder="mhc",
    products=("ascend950", "ascend910b", "ascend910_93"),
    style="transformer",
    rows=("B", "S"),
    names={"D": "C*H"},
    meanings={
        "B": Text("批大小", "batch size"),
        "S": Text("序列长度", "sequence length"),
        "C": Text("通道数", "number of channels"),
        "H": Text("每通道的特征数", "number of features per channel"),
        "R": Text("下投影维度", "down-projection dimension"),
    },
    tensors=(
        _tensor("grad_mixed", "B, S, H", "混合输出 mixed 的上游梯度。", "Upstream gradient of the mixed output mixed."),
        _tensor("x", "B, S, C*H", "前向输入。", "Forward input."),
        _tensor("w_down", "R, C*H", "下投影权重。", "Down-projection weight."),
        _tensor("w_up", "C*H, R", "上投影权重。", "Up-projection weight."),
        _tensor("inv_rms", "B, S, C", "前向保存的各通道均方根倒数。",
                "Per-channel reciprocal root mean square saved during the forward pass.", "float32",
                Text("对应前向的归一化结果,包含前向 epsilon 的作用。",
                     "The result of the forward normalization, which includes the effect of its epsilon.")),
        _tensor("down_pre_act", "B, S, R", "前向保存的下投影结果 xNorm@wDownᵀ。",
                "Down-projection result xNorm@wDownᵀ saved during the forward pass.",
                usage=Text("保存未除以 C、未经过 SiLU 的结果。", "Saved before the division by C and before SiLU.")),
        _tensor("up", "B, S, C*H", "前向保存的上投影结果 act@wUpᵀ。",
                "Up-projection result act@wUpᵀ saved during the forward pass.",
                usage=Text("保存 Sigmoid 之前的值。", "Saved before the sigmoid.")),
        _tensor("grad_inject", "B, S, C", "注入输出 inject 的上游梯度。",
                "Upstream gradient of the injection output inject.", option="inject"),
        _tensor("w_gate", "C, C*H", "注入分支权重。", "Injection branch weight.", option="inject"),
        _tensor("gamma", "C*H", "归一化缩放权重,实际缩放系数为 1+gamma。",
                "Normalization scale weight; the actual scale is 1+gamma.", "float32",
                Text("传入原始 gamma。", "The gamma itself, without the 1."), option="gamma"),
        _tensor("inject", "B, S, C", "前向保存的注入输出 2*sigmoid((xNorm@wGateᵀ)/C)。",
                "Injection output 2*sigmoid((xNorm@wGateᵀ)/C) saved during the forward pass.", option="inject"),
        _tensor("dx", "B, S, C*H", "x 的梯度。", "Gradient of x.", role="output", like="x"),
        _tensor("dw_down", "R, C*H", "wDown 的梯度。", "Gradient of wDown.", role="output", like="w_down"),
        _tensor("dw_up", "C*H, R", "wUp 的梯度。", "Gradient of wUp.", role="output", like="w_up"),
        _tensor("dw_gate", "C, C*H", "wGate 的梯度。", "Gradient of wGate.", role="output", like="w_gate", option="inject"),
        _tensor("dgamma", "C*H", "gamma 的梯度。", "Gradient of gamma.", "float32", role="output", like="gamma",
                option="gamma"),
    ),
    attributes=(
        Attribute("channels", "int", None, Text("通道数 C。", "Number of channels C."), symbol="C"),
    ),
    options=(
        Option("inject", inputs=("w_gate", "grad_inject", "inject"), outputs=("dw_gate",), strict=True,
               title=Text("注入分支", "Injection branch")),
        Option("gamma", inputs=("gamma",), outputs=("dgamma",), strict=True,
               title=Text("归一化缩放", "Normalization scaling"), absent=Text("缩放系数取 1", "the scale is 1")),
    ),
    dtypes={"T": ("float16", "bfloat16")},
    shape_checks="aclnn",
    limits={"C": (1, 20), "R": (1, 640)},
    relations=("H >= 1", "H % 16 == 0", "R % 16 == 0", "13*H <= K", "3*H + 8*R <= K", "7*H + 6*R <= K"),
    constants={"K": {"ascend950": "62448 - 16 * ceil_div(C, 8)", "ascend910b": _A2, "ascend910_93": _A2}},
    sizes={"C": (4,), "H": (2560,), "R": (320,)},
    model={"T": 8192, "C": 4, "H": 2560, "R": 320},
    sample=Sample(
        sizes={"B": 1, "S": 2, "C": 4, "H": 16, "R": 16},
        values={"grad_mixed": 1.0, "grad_inject": 1.0, "inv_rms": 1000.0, "inject": 1.0},
        expected={"dx": 125.0},
        about=Text(
            "同时计算注入分支和 gamma 梯度。\n输入 `x`、全部权重及 `gamma` 为 0,前向取 `epsilon=1e-6`,因此 `invRms=1000`、"
            "`downPreAct=0`、`up=0`、`inject=1`;两个上游梯度均为 1。",
            "with the injection branch and the gradient of gamma.\nThe input `x`, all weights and `gamma` are 0 and the "
            "forward used `epsilon=1e-6`, so that `invRms=1000`, `downPreAct=0`, `up=0` and `inject=1`; both upstream "
            "gradients are 1.",
        ),
    ),
    precision={
        name: {"bfloat16": Precision(*bfloat16, block=block), "float16": Precision(*float16, block=block)}
        for name, (bfloat16, float16, block) in _PRECISION.items()
    },
    title=Text("文本门控残差的反向梯度计算", "Backward of the text-gated residual"),
    function=Text(
        "`TextGatedResidualGrad` 是 `TextGatedResidual` 的反向算子。根据混合输出和注入输出的上游梯度,以及前向保存的张量,计算输入 "
        "`x` 和权重 `wDown`、`wUp`、`wGate`、`gamma` 的梯度。",
        "`TextGatedResidualGrad` is the backward operator of `TextGatedResidual`. It computes gradients of input `x` and "
        "weights `wDown`, `wUp`, `wGate`, and `gamma` from the upstream gradients of the mixed and injection outputs and "
        "tensors saved during the forward pass.",
    ),
    formulas=FORMULAS,
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"dx": "x", "dw_down": "w_down", "dw_up": "w_up", "dw_gate": "w_gate", "dgamma": "gamma"},
    cotangents={"mixed": "grad_mixed", "inject": "grad_inject"},
    unknowns={"epsilon": 1e-6},
)
