"""TanhGateGrad: the gradient of y = tanh(x0) * x1, where x0 and x1 are the halves of x."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    x0, x1 = f.split(f.x, 2)
    return {"y": f.tanh(x0) * x1}


def documented(d):
    """The gradients as the document prints them."""
    x0, x1 = d.split(d.x, 2)
    gate = d.tanh(x0)
    return {"grad_x": d.concat(d.grad_y * x1 * (1 - gate * gate), d.grad_y * gate)}


INTERFACE = Interface(
    name="TanhGateGrad",
    forward_name="TanhGate",
    folder="activation",
    tensors=(
        Tensor("grad_y", "..., H", "T", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., 2*H", "T",
               Text("前向输入，最后一维的前半部分为x0，后半部分为x1。",
                    "Forward input; the first half of its last dimension is x0, the second half is x1.")),
        Tensor("grad_x", "..., 2*H", "T", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
    ),
    sizes={"H": (64, 512, 1536, 4096)},
    precision={
        "grad_x": {
            # 1 - tanh^2 cancels where tanh is near 1: an absolute 2^-24 there, times grad_y * x1, is all that fp32 holds.
            "bfloat16": Precision(2.2e-3, 1e-4, 1.02 * 2**-8),
            "float16": Precision(3e-4, 1e-4, 1.02 * 2**-11),
            "float32": Precision(1e-6, 1e-4, 2**-18),
        },
    },
    title=Text("tanh门控的反向梯度计算", "Backward of the tanh gate"),
    function=Text("计算y = tanh(x0) * x1关于x的梯度。", "Computes the gradient of y = tanh(x0) * x1 with respect to x."),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x"},
    cotangents={"y": "grad_y"},
    documented=documented,
)
