"""MlpGrad: the gradients of y = silu(x @ w1^T) @ w2^T."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    hidden = f.matmul(f.x, f.w1, transpose_b=True)
    return {"y": f.matmul(f.silu(hidden), f.w2, transpose_b=True)}


def documented(d):
    """The gradients as a document would print them."""
    hidden = d.matmul(d.x, d.w1, transpose_b=True)
    sigma = d.sigmoid(hidden)
    grad_hidden = d.grad_y @ d.w2 * (sigma * (1 + hidden * (1 - sigma)))
    return {
        "grad_x": grad_hidden @ d.w1,
        "grad_w1": d.matmul(grad_hidden, d.x, transpose_a=True),
        "grad_w2": d.matmul(d.grad_y, hidden * sigma, transpose_a=True),
    }


INTERFACE = Interface(
    name="MlpGrad",
    forward_name="Mlp",
    folder="ffn",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., N", "D", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., K", "D", Text("前向输入。", "Forward input.")),
        Tensor("w1", "H, K", "D", Text("第一个权重。", "First weight."), ranks=(2, 2)),
        Tensor("w2", "N, H", "D", Text("第二个权重。", "Second weight."), ranks=(2, 2)),
        Tensor("grad_x", "..., K", "D", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_w1", "H, K", "D", Text("w1的梯度。", "Gradient of w1."), role="output", like="w1", ranks=(2, 2)),
        Tensor("grad_w2", "N, H", "D", Text("w2的梯度。", "Gradient of w2."), role="output", like="w2", ranks=(2, 2)),
    ),
    dtypes={"D": ("float16", "bfloat16")},
    limits={"K": (16, 4096), "H": (16, 4096), "N": (16, 4096)},
    precision={
        name: {"bfloat16": Precision(5.0e-3, 5e-2, 2**-7), "float16": Precision(7e-4, 8e-3, 2**-10)}
        for name in ("grad_x", "grad_w1", "grad_w2")
    },
    title=Text("两层感知机的反向梯度计算", "Backward of a two-layer perceptron"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_w1": "w1", "grad_w2": "w2"},
    cotangents={"y": "grad_y"},
    documented=documented,
)
