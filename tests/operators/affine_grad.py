"""AffineGrad: the gradients of y = silu(x * scale + shift) * gain: three sums over rows."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    return {"y": f.silu(f.x * f.scale + f.shift) * f.gain}


def documented(d):
    inner = d.x * d.scale + d.shift
    sigma = d.sigmoid(inner)
    grad_inner = d.grad_y * d.gain * sigma * (1 + inner * (1 - sigma))
    return {"grad_x": grad_inner * d.scale, "grad_shift": d.sum(grad_inner, 0), "grad_gain": d.sum(d.grad_y * inner * sigma, 0),
            "grad_scale": d.sum(grad_inner * d.x, 0)}


def _of(name):
    return Text(f"{name}的梯度，对所有行求和。", f"Gradient of {name}, summed over all rows.")


_SUM = {dtype: Precision(1e-5, 1e-5, 2**-16) for dtype in ("bfloat16", "float16", "float32")}

INTERFACE = Interface(
    name="AffineGrad",
    forward_name="Affine",
    folder="activation",
    products=("ascend950", "ascend910b", "ascend910_93"),
    tensors=(
        Tensor("grad_y", "..., H", "T", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("x", "..., H", "T", Text("前向输入。", "Forward input.")),
        Tensor("scale", "H", "float32", Text("每列的系数。", "Scale of each column."), ranks=(1, 1)),
        Tensor("shift", "H", "float32", Text("每列的偏移。", "Shift of each column."), ranks=(1, 1)),
        Tensor("gain", "H", "float32", Text("每列的增益。", "Gain of each column."), ranks=(1, 1)),
        Tensor("grad_x", "..., H", "T", Text("x的梯度。", "Gradient of x."), role="output", like="x"),
        Tensor("grad_shift", "H", "float32", _of("shift"), role="output", like="shift", ranks=(1, 1)),
        Tensor("grad_gain", "H", "float32", _of("gain"), role="output", like="gain", ranks=(1, 1)),
        Tensor("grad_scale", "H", "float32", _of("scale"), role="output", like="scale", ranks=(1, 1)),
    ),
    precision={name: _SUM for name in ("grad_shift", "grad_gain", "grad_scale")},
    title=Text("带列系数的激活的反向梯度计算", "Backward of an activation with scales and shifts per column"),
    function=Text("计算y = silu(x * scale + shift) * gain关于x、scale、shift和gain的梯度。",
                  "Computes the gradients of y = silu(x * scale + shift) * gain with respect to x, scale, shift and gain."),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_scale": "scale", "grad_shift": "shift", "grad_gain": "gain"},
    cotangents={"y": "grad_y"},
    documented=documented,
)
