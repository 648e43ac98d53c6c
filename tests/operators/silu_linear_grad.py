"""SiluLinearGrad: the gradients of y = silu(x) @ w^T: vector work on one product, value by value."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    return {"y": f.matmul(f.silu(f.x), f.w, transpose_b=True)}


INTERFACE = Interface(
    name="SiluLinearGrad",
    forward_name="SiluLinear",
    folder="ffn",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., N", "D", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., K", "D", Text("前向输入。", "Forward input.")),
        Tensor("w", "N, K", "D", Text("权重。", "Weight."), ranks=(2, 2)),
        Tensor("grad_x", "..., K", "D", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_w", "N, K", "D", Text("权重的梯度。", "Gradient of w."), role="output", like="w", ranks=(2, 2)),
    ),
    dtypes={"D": ("float16", "bfloat16")},
    limits={"K": (16, 8192), "N": (16, 8192)},
    precision={
        name: {"bfloat16": Precision(5.0e-3, 5e-2, 2**-7), "float16": Precision(7e-4, 8e-3, 2**-10)}
        for name in ("grad_x", "grad_w")
    },
    title=Text("激活线性层的反向梯度计算", "Backward of a linear layer with an activation before it"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_w": "w"},
    cotangents={"y": "grad_y"},
)
