"""AffineLinearGrad: the gradients of y = silu(x * scale + shift) @ w^T: two sums over rows in a stage of vector work."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    return {"y": f.matmul(f.silu(f.x * f.scale + f.shift), f.w, transpose_b=True)}


_PRODUCT = {"bfloat16": Precision(5.0e-3, 5e-2, 2**-7), "float16": Precision(7e-4, 8e-3, 2**-10)}

INTERFACE = Interface(
    name="AffineLinearGrad",
    forward_name="AffineLinear",
    folder="ffn",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., N", "D", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., K", "D", Text("前向输入。", "Forward input.")),
        Tensor("scale", "K", "float32", Text("每列的系数。", "Scale of each column."), ranks=(1, 1)),
        Tensor("shift", "K", "float32", Text("每列的偏移。", "Shift of each column."), ranks=(1, 1)),
        Tensor("w", "N, K", "D", Text("权重。", "Weight."), ranks=(2, 2)),
        Tensor("grad_x", "..., K", "D", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_scale", "K", "float32", Text("scale的梯度。", "Gradient of scale."), role="output", like="scale", ranks=(1, 1)),
        Tensor("grad_shift", "K", "float32", Text("shift的梯度。", "Gradient of shift."), role="output", like="shift", ranks=(1, 1)),
        Tensor("grad_w", "N, K", "D", Text("权重的梯度。", "Gradient of w."), role="output", like="w", ranks=(2, 2)),
    ),
    dtypes={"D": ("float16", "bfloat16")},
    limits={"K": (16, 4096), "N": (16, 4096)},
    precision={name: _PRODUCT for name in ("grad_x", "grad_scale", "grad_shift", "grad_w")},
    title=Text("带列系数的激活线性层的反向梯度计算", "Backward of a linear layer with a scaled and shifted activation before it"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_shift": "shift", "grad_scale": "scale", "grad_w": "w"},
    cotangents={"y": "grad_y"},
)
