"""SiluChainGrad: the gradients of y = silu(silu(silu(x) @ v^T * row_scale) @ w^T), both products saved: vector work, product, vector work, product."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    inner = f.saved("inner", f.matmul(f.silu(f.x), f.v, transpose_b=True))
    outer = f.saved("outer", f.matmul(f.silu(inner * f.row_scale), f.w, transpose_b=True))
    return {"y": f.silu(outer)}


INTERFACE = Interface(
    name="SiluChainGrad",
    forward_name="SiluChain",
    folder="ffn",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., N", "D", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., K", "D", Text("前向输入。", "Forward input.")),
        Tensor("v", "M, K", "D", Text("第一个权重。", "First weight."), ranks=(2, 2)),
        Tensor("w", "N, M", "D", Text("第二个权重。", "Second weight."), ranks=(2, 2)),
        Tensor("inner", "..., M", "D", Text("前向的第一个矩阵乘结果。", "First product of the forward.")),
        Tensor("outer", "..., N", "D", Text("前向的第二个矩阵乘结果。", "Second product of the forward.")),
        Tensor("row_scale", "# T", "float32", Text("每行的系数。", "Scale of each row.")),
        Tensor("grad_x", "..., K", "D", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_v", "M, K", "D", Text("第一个权重的梯度。", "Gradient of v."), role="output", like="v", ranks=(2, 2)),
        Tensor("grad_w", "N, M", "D", Text("第二个权重的梯度。", "Gradient of w."), role="output", like="w", ranks=(2, 2)),
    ),
    dtypes={"D": ("float16", "bfloat16")},
    limits={"K": (16, 4096), "M": (16, 8192), "N": (16, 8192)},
    precision={
        name: {"bfloat16": Precision(6.0e-3, 6e-2, 2**-7), "float16": Precision(9e-4, 1e-2, 2**-10)}
        for name in ("grad_x", "grad_v", "grad_w")
    },
    title=Text("两层激活线性层的反向梯度计算", "Backward of two linear layers with an activation before and after each"),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_v": "v", "grad_w": "w"},
    cotangents={"y": "grad_y"},
)
