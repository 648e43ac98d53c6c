"""SwigluGroupQuantGrad: the gradient of a grouped, clamped, weighted SwiGLU."""

from ir.interface import Attribute, Interface, Operator, Option, Precision, Tensor, Text


def forward(f):
    """y = silu(min(x0, c)) * clamp(x1, -c, c) * weight on live rows; y_origin is the value before the weight."""
    limit = f.clamp_limit
    x0, x1 = f.split(f.x, 2)
    x0_clamped = f.when("clamp", f.min(x0, limit), x0)
    x1_clamped = f.when("clamp", f.clamp(x1, -limit, limit), x1)
    y_origin = f.saved("y_origin", f.silu(x0_clamped) * x1_clamped)
    y_weighted = f.when("weight", y_origin * f.weight, y_origin)
    trunc = f.when("group_index", f.row_count(f.group_index), f.rows)
    return {"y": f.live_rows(y_weighted, trunc)}


def documented(d):
    """The gradients as the document prints them."""
    limit = d.clamp_limit
    x0, x1 = d.split(d.x, 2)
    x0_clamped = d.when("clamp", d.min(x0, limit), x0)
    x1_clamped = d.when("clamp", d.min(d.max(x1, -limit), limit), x1)
    sigma = d.sigmoid(x0_clamped)
    d_silu = sigma * (1 + x0_clamped * (1 - sigma))
    grad_y0 = d.when("weight", d.grad_y * d.weight, d.grad_y)
    grad_x0 = grad_y0 * x1_clamped * d_silu
    grad_x1 = grad_y0 * (x0_clamped * sigma)
    grad_x0 = d.when("clamp", d.select(x0 < limit, grad_x0, 0), grad_x0)
    grad_x1 = d.when("clamp", d.select((-limit < x1) & (x1 < limit), grad_x1, 0), grad_x1)
    grad_weight = d.sum(d.grad_y * d.y_origin)
    trunc = d.when("group_index", d.row_count(d.group_index), d.rows)
    return {
        "grad_x": d.live_rows(d.concat(grad_x0, grad_x1), trunc),
        "grad_weight": d.live_rows(grad_weight, trunc),
    }


INTERFACE = Interface(
    name="SwigluGroupQuantGrad",
    forward_name="SwigluGroupQuant",
    folder="activation",
    products=("ascend950",),
    tensors=(
        Tensor("grad_y", "..., H", "T", Text("前向输出y的梯度。", "Gradient of the forward output y."),
               documented_ranks=(2, 8)),
        Tensor("x", "..., 2*H", "T",
               Text("前向输入，最后一维的前半部分为x0，后半部分为x1。",
                    "Forward input; the first half of its last dimension is x0, the second half is x1."),
               documented_ranks=(2, 8)),
        Tensor("weight", "# T", "float32", Text("每行的权重。", "Weight of each row."), option="weight",
               usage=Text("提供时必须同时提供yOrigin。", "When supplied, yOrigin must be supplied too.")),
        Tensor("y_origin", "..., H", "T",
               Text("前向乘以weight之前的SwiGLU激活值。", "SwiGLU activation of the forward before it is multiplied by weight."),
               option="weight", documented_ranks=(2, 8),
               usage=Text("仅用于计算gradWeight；未提供weight时被忽略。",
                          "Used for gradWeight alone; ignored when weight is absent.")),
        Tensor("group_index", "G", "int64",
               Text("每个专家分组的行数（计数，不是前缀和）。", "Number of rows of each expert group (counts, not a running sum)."),
               option="group_index", ranks=(1, 1),
               usage=Text("总和被截断到[0, T]；其后的行不被读取，对应输出为0。",
                          "The sum is clamped to [0, T]; rows beyond it are not read and their outputs are 0.")),
        Tensor("grad_x", "..., 2*H", "T", Text("x的梯度。", "Gradient of x."), role="output", like="x",
               documented_ranks=(2, 8)),
        Tensor("grad_weight", "# T", "float32", Text("weight的梯度。", "Gradient of weight."), role="output",
               option="weight", like="weight",
               usage=Text("提供weight时必须提供。", "Must be supplied when weight is.")),
    ),
    attributes=(
        Attribute("clamp_limit", "float", -1.0,
                  Text("Clamp反向传播掩码的阈值c。", "Threshold c of the clamp."), option="clamp", off=-1.0, positive=True,
                  usage=Text("-1.0表示不启用；启用时必须大于0.0。", "-1.0 switches the clamp off; otherwise it must be above 0.0.")),
    ),
    options=(
        Option("weight", inputs=("weight", "y_origin"), outputs=("grad_weight",)),
        Option("group_index", inputs=("group_index",)),
        Option("clamp", attribute="clamp_limit"),
    ),
    sizes={"H": (512, 768, 1024, 1536, 1792, 2048, 2560, 4096)},
    limits={"B": (1, 31), "S": (0, 131072)},
    precision={
        "grad_x": {
            "bfloat16": Precision(2.2e-3, 1e-6, 1.02 * 2**-8, ecosystem=True),
            "float16": Precision(3e-4, 1e-6, 1.02 * 2**-11, ecosystem=True),
            "float32": Precision(1e-6, 4e-6, 2**-18, ecosystem=True),
        },
    },
    title=Text("SwiGLU激活函数分组量化的反向梯度计算", "Backward of the grouped, quantisation-aware SwiGLU activation"),
    function=Text(
        "计算SwiGLU激活函数分组量化的反向梯度，得到输入梯度gradX和权重梯度gradWeight。支持MoE场景（传入groupIndex）和"
        "非MoE场景（groupIndex传空），支持可选的Clamp反向传播掩码，支持可选的weight梯度计算。",
        "Computes the gradients of the grouped SwiGLU activation: the input gradient gradX and the weight gradient "
        "gradWeight. It serves MoE (groupIndex supplied) and non-MoE use (groupIndex absent), an optional clamp and an "
        "optional weight gradient.",
    ),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_weight": "weight"},
    cotangents={"y": "grad_y"},
    documented=documented,
)
