"""SignedCubeGrad: the gradient of y = x^3 + x within (-2, 2) but for 1, where it is 5 * x, and |x| outside: Python's operators on values."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    outside = ~((f.x > -2) & (f.x < 2))
    return {"y": f.select(outside, abs(f.x), f.select(f.x == 1, 5 * f.x, f.x**3 + f.x))}


INTERFACE = Interface(
    name="SignedCubeGrad",
    forward_name="SignedCube",
    folder="activation",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., H", "T", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., H", "T", Text("前向输入。", "Forward input.")),
        Tensor("grad_x", "..., H", "T", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
    ),
    precision={"grad_x": {"bfloat16": Precision(2.2e-3, 1e-6, 1.02 * 2**-8), "float16": Precision(3e-4, 1e-6, 1.02 * 2**-11),
                          "float32": Precision(1e-6, 4e-6, 2**-18)}},
    title=Text("分段立方的反向梯度计算", "Backward of a cube in pieces"),
    function=Text("计算分段立方关于x的梯度。", "Computes the gradient of a cube in pieces with respect to x."),
)

OPERATOR = Operator(interface=INTERFACE, forward=forward, gradients={"grad_x": "x"}, cotangents={"y": "grad_y"})
