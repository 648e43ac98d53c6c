"""RowNormGrad: the gradient of y = x * (mean(x^2) + eps)^(-1/2), the mean taken over each row."""

from ir.interface import Attribute, Interface, Operator, Precision, Tensor, Text


def forward(f):
    rstd = f.rsqrt(f.mean(f.x * f.x) + f.eps)
    return {"y": f.x * rstd}


def documented(d):
    """The gradient as the document prints it."""
    rstd = d.rsqrt(d.mean(d.x * d.x) + d.eps)
    normed = d.x * rstd
    return {"grad_x": rstd * (d.grad_y - normed * d.mean(d.grad_y * normed))}


INTERFACE = Interface(
    name="RowNormGrad",
    forward_name="RowNorm",
    folder="norm",
    tensors=(
        Tensor("grad_y", "..., H", "T", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., H", "T", Text("前向输入。", "Forward input.")),
        Tensor("grad_x", "..., H", "T", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
    ),
    attributes=(
        Attribute("eps", "float", 1e-6, Text("加到均方上的小量。", "Added to the mean square."), positive=True),
    ),
    sizes={"H": (64, 512, 2048, 4096)},
    limits={"H": (1, 4096)},
    precision={
        "grad_x": {
            "bfloat16": Precision(2.2e-3, 1e-2, 1.02 * 2**-8),
            "float16": Precision(3e-4, 2e-3, 1.02 * 2**-11),
            "float32": Precision(1e-6, 4e-6, 2**-18),
        },
    },
    title=Text("行归一化的反向梯度计算", "Backward of the row normalisation"),
    function=Text("计算y = x / sqrt(mean(x^2) + eps)关于x的梯度，均值按行计算。",
                  "Computes the gradient of y = x / sqrt(mean(x^2) + eps) with respect to x; the mean is taken over each row."),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x"},
    cotangents={"y": "grad_y"},
    documented=documented,
)
