"""Interfaces and plans for the tests of the emitter: the seed operator, and one that has nothing in common with it."""

from compiler.emit.plan import Field, Plan
from ir.interface import Attribute, Interface, Option, Tensor, Text
from ir.operators.swiglu_group_quant_grad import OPERATOR as SEED

ROW_PLAN = Plan(
    fields=(Field("int64_t", "rows", "rows in all"), Field("int64_t", "features", "elements of a row"),
            Field("int64_t", "tileRows", "rows of a tile")),
    lines=("// as many rows as UB holds", "const int64_t rowBytes = 8 * H * dtypeBytes;", "tiling->rows = T;",
           "tiling->features = H;", "tiling->tileRows = std::max<int64_t>(1, ubBytes / rowBytes);"),
    block_dim="std::min(coreNum, T)",
    core_invariant=("grad_x", "grad_weight"),
)

OTHER = Interface(
    name="TunedMixBackward",
    forward_name="TunedMix",
    folder="norm",
    products=("ascend950",),
    dtypes={"D": ("float16", "bfloat16"), "A": ("float32", "float32")},
    tensors=(
        Tensor("dz", "..., 3*N", "D", Text("上游梯度。", "Upstream gradient.")),
        Tensor("signal", "..., N", "D", Text("输入。", "Input.")),
        Tensor("mix", "R, N", "D", Text("矩阵。", "Matrix.")),
        Tensor("scale", "N", "A", Text("缩放。", "Scale."), option="scale"),
        Tensor("table", "K", "int64", Text("表。", "Table."), option="table", ranks=(1, 1)),
        Tensor("dsignal", "..., N", "D", Text("signal的梯度。", "Gradient of signal."), role="output", like="signal"),
        Tensor("dmix", "R, N", "D", Text("mix的梯度。", "Gradient of mix."), role="output", like="mix"),
        Tensor("dscale", "N", "A", Text("scale的梯度。", "Gradient of scale."), role="output", option="scale",
               like="scale"),
    ),
    attributes=(
        Attribute("steps", "int", 2, Text("步数。", "Steps."), positive=True),
        Attribute("sharp", "bool", False, Text("开关。", "Switch."), option="sharp", off=False),
    ),
    options=(Option("scale", inputs=("scale",), outputs=("dscale",)), Option("table", inputs=("table",)),
             Option("sharp", attribute="sharp")),
    limits={"R": (1, 640)},
    title=Text("混合", "Mix"),
    function=Text("计算混合的梯度。", "Computes the gradients of a mix."),
    formulas=Text("$$ d = 0 $$", "$$ d = 0 $$"),
)

OTHER_PLAN = Plan(
    fields=(Field("int64_t", "rows", "rows in all"), Field("int32_t", "steps", "steps")),
    lines=("tiling->rows = CeilDiv(T, R) + N + K;", "tiling->steps = static_cast<int32_t>(hasSharp ? steps : 1);"),
    block_dim="coreNum",
    tiling_key="hasScale ? 1 : 0",
    workspace="systemWorkspace + static_cast<size_t>(4 * R * N)",
    schedule_mode=1,
    auto_sync=False,
)


def second_product(folder):
    """A product file of the user's own, named as the toolkit names another product."""
    from pathlib import Path

    import compiler

    text = (Path(compiler.__file__).parent / "products" / "ascend950.toml").read_text(encoding="utf-8")
    text = text.replace('name = "ascend950"', 'name = "ascend910b"').replace('kernel_suffix = "_apt"', 'kernel_suffix = ""')
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


__all__ = ["OTHER", "OTHER_PLAN", "ROW_PLAN", "SEED", "second_product"]
