"""LinearGrad: the gradients of y = x @ w^T: matrix products alone."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    return {"y": f.matmul(f.x, f.w, transpose_b=True)}


INTERFACE = Interface(
    name="LinearGrad",
    forward_name="Linear",
    folder="matmul",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., N", "D", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., K", "D", Text("前向输入。", "Forward input.")),
        Tensor("w", "N, K", "D", Text("权重。", "Weight."), ranks=(2, 2)),
        Tensor("grad_x", "..., K", "D", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_w", "N, K", "D", Text("权重的梯度。", "Gradient of w."), role="output", like="w", ranks=(2, 2)),
    ),
    dtypes={"D": ("float16", "bfloat16")},
    limits={"K": (1, 16384), "N": (1, 16384)},
    precision={
        name: {"bfloat16": Precision(5.0e-3, 5e-2, 2**-7), "float16": Precision(7e-4, 8e-3, 2**-10)}
        for name in ("grad_x", "grad_w")
    },
    title=Text("线性层的反向梯度计算", "Backward of a linear layer"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_w": "w"},
    cotangents={"y": "grad_y"},
)
