"""ScaledProductGrad: the gradients of y = sigmoid(a) * b * row_scale * column_scale."""

from ir.interface import Interface, Operator, Precision, Tensor, Text


def forward(f):
    return {"y": f.sigmoid(f.a) * f.b * f.row_scale * f.column_scale}


_POINTWISE = {
    "bfloat16": Precision(2.2e-3, 1e-6, 1.02 * 2**-8),
    "float16": Precision(3e-4, 1e-6, 1.02 * 2**-11),
    "float32": Precision(1e-6, 4e-6, 2**-18),
}
# 1 - sigmoid cancels where sigmoid is near 1.
_GATE = {dtype: Precision(p.rms, 1e-4, p.rtol) for dtype, p in _POINTWISE.items()}
_SUM = {dtype: Precision(1e-5, 1e-5, 2**-16) for dtype in ("bfloat16", "float16", "float32")}

INTERFACE = Interface(
    name="ScaledProductGrad",
    forward_name="ScaledProduct",
    folder="activation",
    tensors=(
        Tensor("grad_y", "..., H", "T", Text("前向输出y的梯度。", "Gradient of the forward output y.")),
        Tensor("a", "..., H", "T", Text("门控输入。", "Gate.")),
        Tensor("b", "..., H", "T", Text("被门控的输入。", "What is gated.")),
        Tensor("row_scale", "# T", "float32", Text("每行的系数。", "Scale of each row.")),
        Tensor("column_scale", "H", "float32", Text("每列的系数。", "Scale of each column."), ranks=(1, 1)),
        Tensor("grad_a", "..., H", "T", Text("a的梯度。", "Gradient of a."), role="output", like="a"),
        Tensor("grad_b", "..., H", "T", Text("b的梯度。", "Gradient of b."), role="output", like="b"),
        Tensor("grad_row_scale", "# T", "float32", Text("rowScale的梯度。", "Gradient of rowScale."), role="output",
               like="row_scale"),
        Tensor("grad_column_scale", "H", "float32", Text("columnScale的梯度，对所有行求和。", "Gradient of columnScale, summed over all rows."),
               role="output", like="column_scale", ranks=(1, 1)),
    ),
    sizes={"H": (64, 512, 1536, 4096)},
    precision={"grad_a": _GATE, "grad_b": _POINTWISE, "grad_row_scale": _SUM, "grad_column_scale": _SUM},
    title=Text("带行列系数的门控乘积的反向梯度计算", "Backward of the gated product with row and column scales"),
    function=Text("计算y = sigmoid(a) * b * rowScale * columnScale关于a、b、rowScale和columnScale的梯度。",
                  "Computes the gradients of y = sigmoid(a) * b * rowScale * columnScale with respect to a, b, rowScale and "
                  "columnScale."),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_a": "a", "grad_b": "b", "grad_row_scale": "row_scale", "grad_column_scale": "column_scale"},
    cotangents={"y": "grad_y"},
)
