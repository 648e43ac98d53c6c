"""SiluPairGrad: the gradients of y = silu(silu(x) @ w^T) * row_scale * column_scale, the product saved: vector work before it and after it."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    hidden = f.saved("hidden", f.matmul(f.silu(f.x), f.w, transpose_b=True))
    return {"y": f.silu(hidden) * f.row_scale * f.column_scale}


INTERFACE = Interface(
    name="SiluPairGrad",
    forward_name="SiluPair",
    folder="ffn",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., N", "D", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., K", "D", Text("前向输入。", "Forward input.")),
        Tensor("w", "N, K", "D", Text("权重。", "Weight."), ranks=(2, 2)),
        Tensor("hidden", "..., N", "D", Text("前向的矩阵乘结果。", "Product of the forward.")),
        Tensor("row_scale", "# T", "float32", Text("每行的系数。", "Scale of each row.")),
        Tensor("column_scale", "N", "float32", Text("每列的系数。", "Scale of each column."), ranks=(1, 1)),
        Tensor("grad_x", "..., K", "D", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_w", "N, K", "D", Text("权重的梯度。", "Gradient of w."), role="output", like="w", ranks=(2, 2)),
    ),
    dtypes={"D": ("float16", "bfloat16")},
    limits={"K": (16, 8192), "N": (16, 8192)},
    precision={
        name: {"bfloat16": Precision(5.0e-3, 5e-2, 2**-7), "float16": Precision(7e-4, 8e-3, 2**-10)}
        for name in ("grad_x", "grad_w")
    },
    title=Text("两次激活线性层的反向梯度计算", "Backward of a linear layer with an activation before and after it"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_w": "w"},
    cotangents={"y": "grad_y"},
)
