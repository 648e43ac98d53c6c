"""ShiftGrad: the gradients of y = x + shift: in float32 nothing is computed outside of the tiles that are copied."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    return {"y": f.x + f.shift}


INTERFACE = Interface(
    name="ShiftGrad",
    forward_name="Shift",
    folder="activation",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., H", "T", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., H", "T", Text("前向输入。", "Forward input.")),
        Tensor("shift", "H", "float32", Text("每列的偏移。", "Shift of each column."), ranks=(1, 1)),
        Tensor("grad_x", "..., H", "T", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_shift", "H", "float32", Text("shift的梯度，对所有行求和。", "Gradient of shift, summed over all rows."), role="output",
               like="shift", ranks=(1, 1)),
    ),
    precision={"grad_shift": {dtype: Precision(1e-5, 1e-5, 2**-16) for dtype in ("bfloat16", "float16", "float32")}},
    title=Text("带列偏移的加法的反向梯度计算", "Backward of an addition of shifts per column"),
    function=Text("计算y = x + shift关于x和shift的梯度。", "Computes the gradients of y = x + shift with respect to x and shift."),
)

OPERATOR = Operator(interface=INTERFACE, forward=forward, gradients={"grad_x": "x", "grad_shift": "shift"}, cotangents={"y": "grad_y"})
