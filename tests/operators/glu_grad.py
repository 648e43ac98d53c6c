"""GluGrad: the gradients of y = silu(x @ a^T) * (x @ b^T): two products of one left operand, and a gradient of two products."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    return {"y": f.silu(f.matmul(f.x, f.a, transpose_b=True)) * f.matmul(f.x, f.b, transpose_b=True)}


INTERFACE = Interface(
    name="GluGrad",
    forward_name="Glu",
    folder="ffn",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., H", "D", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., K", "D", Text("前向输入。", "Forward input.")),
        Tensor("a", "H, K", "D", Text("门的权重。", "Weight of the gate."), ranks=(2, 2)),
        Tensor("b", "H, K", "D", Text("值的权重。", "Weight of the value."), ranks=(2, 2)),
        Tensor("grad_x", "..., K", "D", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_a", "H, K", "D", Text("a的梯度。", "Gradient of a."), role="output", like="a", ranks=(2, 2)),
        Tensor("grad_b", "H, K", "D", Text("b的梯度。", "Gradient of b."), role="output", like="b", ranks=(2, 2)),
    ),
    dtypes={"D": ("float16", "bfloat16")},
    limits={"K": (16, 8192), "H": (1, 8192)},
    precision={
        name: {"bfloat16": Precision(5.0e-3, 5e-2, 2**-7), "float16": Precision(7e-4, 8e-3, 2**-10)}
        for name in ("grad_x", "grad_a", "grad_b")
    },
    title=Text("门控线性单元的反向梯度计算", "Backward of a gated linear unit"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_a": "a", "grad_b": "b"},
    cotangents={"y": "grad_y"},
)
