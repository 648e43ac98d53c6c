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


FORMULAS = Text(
    zh=r"""
记$x_0$、$x_1$为$x$最后一维的前、后两半，$t$为行号（除最后一维外各维展开），$h\in[0,H)$，$c$为`clampLimit`，$\sigma$为Sigmoid函数，$\mathbb{I}$为指示函数。

1. 有效行数。传入`groupIndex`（长度为$G$）时，仅计算前$\mathrm{trunc}$行；未传入时$\mathrm{trunc}=T$。

   $$
   \mathrm{trunc}=\min\left(\max\left(\sum_{g=0}^{G-1}\mathrm{groupIndex}[g],\,0\right),\,T\right)
   $$

2. 输入切分。

   $$
   x_0[t,h]=x[t,h],\qquad x_1[t,h]=x[t,h+H]
   $$

3. Clamp（仅当`clampLimit`启用；否则$x_0'=x_0$，$x_1'=x_1$）。

   $$
   x_0'=\min(x_0,c),\qquad x_1'=\min(\max(x_1,-c),c)
   $$

4. 上游梯度。提供`weight`时$g[t,h]=\mathrm{gradY}[t,h]\cdot\mathrm{weight}[t]$，否则$g=\mathrm{gradY}$。

5. SwiGLU反向。

   $$
   \begin{aligned}
   \sigma(x_0') &= \frac{1}{1+e^{-x_0'}},\qquad \mathrm{SiLU}(x_0')=x_0'\cdot\sigma(x_0') \\
   \frac{d\,\mathrm{SiLU}}{dx_0'} &= \sigma(x_0')\cdot\bigl(1+x_0'\cdot(1-\sigma(x_0'))\bigr) \\
   \mathrm{grad}_{x_0} &= g\cdot x_1'\cdot\frac{d\,\mathrm{SiLU}}{dx_0'} \\
   \mathrm{grad}_{x_1} &= g\cdot\mathrm{SiLU}(x_0')
   \end{aligned}
   $$

6. Clamp反向传播掩码（仅当`clampLimit`启用）。

   $$
   \mathrm{grad}_{x_0}\leftarrow\mathrm{grad}_{x_0}\cdot\mathbb{I}(x_0<c),\qquad
   \mathrm{grad}_{x_1}\leftarrow\mathrm{grad}_{x_1}\cdot\mathbb{I}(-c<x_1<c)
   $$

7. 输入梯度。

   $$
   \mathrm{gradX}[t,\,:]=\begin{cases}
   [\,\mathrm{grad}_{x_0}[t,\,:],\ \mathrm{grad}_{x_1}[t,\,:]\,] & t<\mathrm{trunc} \\
   0 & t\ge\mathrm{trunc}
   \end{cases}
   $$

8. 权重梯度（仅当提供`weight`），$y_{\mathrm{origin}}$为`yOrigin`。

   $$
   \mathrm{gradWeight}[t]=\mathbb{I}(t<\mathrm{trunc})\cdot\sum_{h=0}^{H-1}\mathrm{gradY}[t,h]\cdot y_{\mathrm{origin}}[t,h]
   $$
""".strip(),
    en=r"""
Let $x_0$ and $x_1$ be the first and the second half of the last dimension of $x$, $t$ the row (all dimensions but the last one, flattened), $h\in[0,H)$, $c$ the `clampLimit`, $\sigma$ the sigmoid and $\mathbb{I}$ the indicator function.

1. Live rows. With `groupIndex` (of length $G$) only the first $\mathrm{trunc}$ rows are computed; without it $\mathrm{trunc}=T$.

   $$
   \mathrm{trunc}=\min\left(\max\left(\sum_{g=0}^{G-1}\mathrm{groupIndex}[g],\,0\right),\,T\right)
   $$

2. Split.

   $$
   x_0[t,h]=x[t,h],\qquad x_1[t,h]=x[t,h+H]
   $$

3. Clamp, when `clampLimit` is on; otherwise $x_0'=x_0$ and $x_1'=x_1$.

   $$
   x_0'=\min(x_0,c),\qquad x_1'=\min(\max(x_1,-c),c)
   $$

4. Upstream gradient. With `weight`, $g[t,h]=\mathrm{gradY}[t,h]\cdot\mathrm{weight}[t]$; otherwise $g=\mathrm{gradY}$.

5. Backward of SwiGLU.

   $$
   \begin{aligned}
   \sigma(x_0') &= \frac{1}{1+e^{-x_0'}},\qquad \mathrm{SiLU}(x_0')=x_0'\cdot\sigma(x_0') \\
   \frac{d\,\mathrm{SiLU}}{dx_0'} &= \sigma(x_0')\cdot\bigl(1+x_0'\cdot(1-\sigma(x_0'))\bigr) \\
   \mathrm{grad}_{x_0} &= g\cdot x_1'\cdot\frac{d\,\mathrm{SiLU}}{dx_0'} \\
   \mathrm{grad}_{x_1} &= g\cdot\mathrm{SiLU}(x_0')
   \end{aligned}
   $$

6. Mask of the clamp, when `clampLimit` is on.

   $$
   \mathrm{grad}_{x_0}\leftarrow\mathrm{grad}_{x_0}\cdot\mathbb{I}(x_0<c),\qquad
   \mathrm{grad}_{x_1}\leftarrow\mathrm{grad}_{x_1}\cdot\mathbb{I}(-c<x_1<c)
   $$

7. Input gradient.

   $$
   \mathrm{gradX}[t,\,:]=\begin{cases}
   [\,\mathrm{grad}_{x_0}[t,\,:],\ \mathrm{grad}_{x_1}[t,\,:]\,] & t<\mathrm{trunc} \\
   0 & t\ge\mathrm{trunc}
   \end{cases}
   $$

8. Weight gradient, when `weight` is supplied; $y_{\mathrm{origin}}$ is `yOrigin`.

   $$
   \mathrm{gradWeight}[t]=\mathbb{I}(t<\mathrm{trunc})\cdot\sum_{h=0}^{H-1}\mathrm{gradY}[t,h]\cdot y_{\mathrm{origin}}[t,h]
   $$
""".strip(),
)

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
    model={"T": 8192, "H": 2560, "G": 8},
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
        "计算SwiGLU激活函数分组量化的反向梯度，得到输入梯度`gradX`和权重梯度`gradWeight`。支持MoE场景（传入`groupIndex`）和"
        "非MoE场景（`groupIndex`传空），支持可选的Clamp反向传播掩码，支持可选的`weight`梯度计算。",
        "Computes the gradients of the grouped SwiGLU activation: the input gradient `gradX` and the weight gradient "
        "`gradWeight`. It serves MoE (`groupIndex` supplied) and non-MoE use (`groupIndex` absent), an optional clamp "
        "and an optional weight gradient.",
    ),
    formulas=FORMULAS,
    constraints=(
        Text(
            "输入shape约束：`x`的最后一维必须为偶数，记为$2H$；`gradY`的最后一维为$H$；`x`与`gradY`其余各维必须一致。"
            "常用shape为`gradY` [T, H]、`x` [T, 2H]，或`gradY` [B, S, H]、`x` [B, S, 2H]。",
            "Shapes: the last dimension of `x` is even, $2H$; that of `gradY` is $H$; all other dimensions of `x` and "
            "`gradY` agree. Common are `gradY` [T, H] with `x` [T, 2H], and `gradY` [B, S, H] with `x` [B, S, 2H].",
        ),
        Text(
            "数据类型约束：`gradY`、`x`、`yOrigin`、`gradX`的数据类型必须一致（FLOAT16、BFLOAT16或FLOAT）；`weight`、"
            "`gradWeight`为FLOAT；`groupIndex`为INT64。",
            "Data types: `gradY`, `x`, `yOrigin` and `gradX` have one data type (FLOAT16, BFLOAT16 or FLOAT); `weight` "
            "and `gradWeight` are FLOAT, `groupIndex` is INT64.",
        ),
        Text(
            "`weight`的元素个数等于`gradY`除最后一维外各维之积，shape不限（例如[T]、[T, 1]、[B, S]）；`gradWeight`的shape与"
            "`weight`一致；`yOrigin`的shape与`gradY`一致。",
            "`weight` has as many elements as the dimensions of `gradY` without the last one multiply to, in any shape "
            "([T], [T, 1] or [B, S], say); `gradWeight` has the shape of `weight`, `yOrigin` that of `gradY`.",
        ),
        Text(
            "`groupIndex`的元素为各分组的行数（计数，不是前缀和），其INT64总和截断到[0, T]。第trunc行及之后的各行不被读取，"
            "`gradX`和`gradWeight`的对应位置为0。允许shape为[0]的`groupIndex`，此时trunc为0，输出全部为0。",
            "`groupIndex` holds the number of rows of each group (counts, no running sum); their INT64 sum is clamped to "
            "[0, T]. Rows from trunc on are not read; `gradX` and `gradWeight` are 0 there. A `groupIndex` of shape [0] "
            "is accepted: trunc is 0 and all outputs are 0.",
        ),
        Text(
            "`clampLimit`取值为-1.0或大于0.0（可为正无穷）；-1.0表示不启用Clamp。掩码为严格不等式，在未截断的`x`上以FLOAT比较："
            "恰好等于阈值时梯度为0。掩码为选择而非相乘，被屏蔽的位置恰为0。",
            "`clampLimit` is -1.0, which switches the clamp off, or above 0.0 (infinity included). The masks are strict "
            "inequalities on the unclamped `x`, compared in FLOAT: at the threshold itself the gradient is 0. They "
            "select and do not multiply, so that what is masked is exactly 0.",
        ),
        Text(
            "`yOrigin`按传入值使用，应为前向中乘以`weight`之前的激活值。内部以FLOAT计算，输出时舍入一次。",
            "`yOrigin` is used as it is given: the activation of the forward before it is multiplied by `weight`. "
            "Computation is in FLOAT, rounded once at the output.",
        ),
    ),
)

OPERATOR = Operator(
    interface=INTERFACE,
    forward=forward,
    gradients={"grad_x": "x", "grad_weight": "weight"},
    cotangents={"y": "grad_y"},
    documented=documented,
)
