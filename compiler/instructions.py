"""Vector instructions of the memory-based Ascend C API, one row per graph operation and kinds of operands.

Operand kinds: v a vector of the region's count (a tile, or one value per row), s a scalar, r one value per row
(replicated over one data block), c one value per column, m a bit mask.
In a text {d} is the result, {a} {b} {c} the operands, {t} and {u} scratch vectors, {n} the element count, {shape} the tile's
shape. Sources: Ascend C API pages of the named calls; `ApplyRows`, `ApplyColumns`, `SumRows` and `AddRowsTo` are the
kernel's own helpers (templates/op_kernel).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Instruction:
    """text: C++ statements in order.

    scratch: vectors of the region's count needed besides the result.
    late_reads: operands (by position) still read after the result is first written; the result must not share memory.
    clobbers: the operand (by position) is overwritten: it must die here, or is copied first.
    """

    text: tuple[str, ...]
    scratch: int = 0
    late_reads: tuple[int, ...] = ()
    clobbers: tuple[int, ...] = ()


def _binary(name: str, symbol: str) -> dict[tuple[str, str], Instruction]:
    upper = name.upper()
    rows = {
        (symbol, "vv"): Instruction((f"{name}({{d}}, {{a}}, {{b}}, {{n}});",)),
        (symbol, "vr"): Instruction((f"ApplyRows<VectorOp::{upper}>({{d}}, {{a}}, {{b}}, {{shape}});",)),
        (symbol, "vc"): Instruction((f"ApplyColumns<VectorOp::{upper}>({{d}}, {{a}}, {{b}}, {{shape}});",)),
    }
    if symbol in ("add", "mul", "min", "max"):
        for kind in "rc":
            text = rows[symbol, "v" + kind].text[0].replace("{a}, {b}", "{b}, {a}")
            rows[symbol, kind + "v"] = Instruction((text,))
    return rows


def _with_scalar(name: str, symbol: str) -> dict[tuple[str, str], Instruction]:
    return {
        (symbol, "vs"): Instruction((f"{name}({{d}}, {{a}}, {{b}}, {{n}});",)),
        (symbol, "sv"): Instruction((f"{name}({{d}}, {{b}}, {{a}}, {{n}});",)),
    }


def _unary(name: str, symbol: str) -> dict[tuple[str, str], Instruction]:
    return {(symbol, "v"): Instruction((f"{name}({{d}}, {{a}}, {{n}});",))}


def _compare(mode: str, symbol: str, mirrored: str) -> dict[tuple[str, str], Instruction]:
    """Compare works on whole repeats of 64 floats: the count is rounded up, buffers are large enough."""
    return {
        (symbol, "vv"): Instruction((f"Compare({{d}}, {{a}}, {{b}}, CMPMODE::{mode}, RoundUpTo({{n}}, REPEAT_FLOATS));",)),
        (symbol, "vs"): Instruction((
            f"CompareScalar({{d}}, {{a}}, {{b}}, CMPMODE::{mode}, RoundUpTo({{n}}, REPEAT_FLOATS));",)),
        (symbol, "sv"): Instruction((
            f"CompareScalar({{d}}, {{b}}, {{a}}, CMPMODE::{mirrored}, RoundUpTo({{n}}, REPEAT_FLOATS));",)),
    }


def _logic(name: str, symbol: str) -> dict[tuple[str, str], Instruction]:
    return {(symbol, "mm"): Instruction((f"{name}({{d}}, {{a}}, {{b}}, RoundUpTo({{n}}, MASK_BITS) / MASK_BITS);",))}


def _odd_quotient(limit: str, over: tuple[str, ...], under: tuple[str, ...]) -> Instruction:
    """x * over(x^2) / under(x^2) with x brought to [-limit, limit] and the result to [-1, 1]. Coefficients: highest power first."""

    def horner(to: str, coefficients: tuple[str, ...]) -> list[str]:
        first, second, *rest = coefficients
        lines = [f"Muls({to}, {{t}}, {first}f, {{n}});", f"Adds({to}, {to}, {second}f, {{n}});"]
        for c in rest:
            lines += [f"Mul({to}, {to}, {{t}}, {{n}});", f"Adds({to}, {to}, {c}f, {{n}});"]
        return lines

    clamped = [f"Maxs({{t}}, {{a}}, -{limit}f, {{n}});", f"Mins({{t}}, {{t}}, {limit}f, {{n}});"]
    return Instruction((*clamped, "Mul({t}, {t}, {t}, {n});", *horner("{d}", over), *horner("{u}", under), *clamped,
                        "Mul({d}, {d}, {t}, {n});", "Div({d}, {d}, {u}, {n});", "Maxs({d}, {d}, -1.0f, {n});",
                        "Mins({d}, {d}, 1.0f, {n});"), 2, late_reads=(0,))


TANH = _odd_quotient("9.02", ("1.33197311e-08", "2.05840105e-05", "3.49406889e-03", "1.33797482e-01", "1.0"),
                     ("7.76230502e-07", "3.28314723e-04", "2.58712061e-02", "4.67130631e-01", "1.0"))
"""Relative error below 6 * 2^-24 everywhere: 2 / (1 + exp(-2x)) - 1 loses all digits near zero. The coefficients are fitted to
the least relative error over [0, 9.02], where tanh rounds to 1 in float32."""

ERF = _odd_quotient("3.92", ("2.05012406e-06", "2.84878857e-04", "3.76542937e-03", "5.27481474e-02", "1.90401992e-01", "1.12837911"),
                    ("3.80919010e-05", "1.16249081e-03", "1.49688423e-02", "1.14107281e-01", "5.02072096e-01", "1.0"))
"""Relative error below 6 * 2^-24 everywhere; fitted likewise, over [0, 3.92]."""

INSTRUCTIONS: dict[tuple[str, str], Instruction] = {
    **_binary("Add", "add"), **_binary("Sub", "sub"), **_binary("Mul", "mul"), **_binary("Div", "div"),
    **_binary("Max", "max"), **_binary("Min", "min"),
    **_with_scalar("Adds", "add"), **_with_scalar("Muls", "mul"),
    **_with_scalar("Maxs", "max"), **_with_scalar("Mins", "min"),
    **_unary("Exp", "exp"), **_unary("Ln", "log"), **_unary("Sqrt", "sqrt"), **_unary("Abs", "abs"),
    **_compare("LT", "lt", "GT"), **_compare("LE", "le", "GE"), **_compare("GT", "gt", "LT"),
    **_compare("GE", "ge", "LE"), **_compare("EQ", "eq", "EQ"),
    **_logic("And", "and"), **_logic("Or", "or"),
    ("not", "m"): Instruction(("Not({d}, {a}, RoundUpTo({n}, MASK_BITS) / MASK_BITS);",)),
    ("neg", "v"): Instruction(("Muls({d}, {a}, -1.0f, {n});",)),
    ("sub", "vs"): Instruction(("Adds({d}, {a}, -({b}), {n});",)),
    ("sub", "sv"): Instruction(("Muls({d}, {b}, -1.0f, {n});", "Adds({d}, {d}, {a}, {n});")),
    ("div", "vs"): Instruction(("Muls({d}, {a}, 1.0f / ({b}), {n});",)),
    ("div", "sv"): Instruction(("Duplicate({d}, {a}, {n});", "Div({d}, {d}, {b}, {n});"), late_reads=(1,)),
    # Sqrt and Div: Rsqrt and Reciprocal miss the precision standard by their own documentation.
    ("rsqrt", "v"): Instruction(("Sqrt({t}, {a}, {n});", "Duplicate({d}, 1.0f, {n});", "Div({d}, {d}, {t}, {n});"), 1),
    # 1 / (1 + exp(-x)) is finite for every finite x; exp(x) / (1 + exp(x)) is NaN above 88.7.
    ("sigmoid", "v"): Instruction((
        "Muls({t}, {a}, -1.0f, {n});", "Exp({t}, {t}, {n});", "Adds({t}, {t}, 1.0f, {n});",
        "Duplicate({d}, 1.0f, {n});", "Div({d}, {d}, {t}, {n});"), 1),
    ("tanh", "v"): TANH,
    ("erf", "v"): ERF,
    # max(x, 0) + log(1 + exp(-|x|))
    ("softplus", "v"): Instruction((
        "Abs({t}, {a}, {n});", "Muls({t}, {t}, -1.0f, {n});", "Exp({t}, {t}, {n});", "Adds({t}, {t}, 1.0f, {n});",
        "Ln({t}, {t}, {n});", "Maxs({d}, {a}, 0.0f, {n});", "Add({d}, {d}, {t}, {n});"), 1),
    ("finite", "v"): Instruction(("Maxs({d}, {a}, -FLOAT_MAX, {n});", "Mins({d}, {d}, FLOAT_MAX, {n});")),
    ("select", "mvs"): Instruction((
        "Select({d}, {a}, {b}, {c}, SELMODE::VSEL_TENSOR_SCALAR_MODE, {n});",)),
    ("select", "mvv"): Instruction((
        "Select({d}, {a}, {b}, {c}, SELMODE::VSEL_TENSOR_TENSOR_MODE, {n});",)),
    ("select", "msv"): Instruction((
        "Duplicate({d}, {b}, {n});", "Select({d}, {a}, {d}, {c}, SELMODE::VSEL_TENSOR_TENSOR_MODE, {n});"),
        late_reads=(2,)),
    ("select", "mss"): Instruction((
        "Duplicate({d}, {b}, {n});", "Select({d}, {a}, {d}, {c}, SELMODE::VSEL_TENSOR_SCALAR_MODE, {n});")),
    ("broadcast", "r"): Instruction((
        "Duplicate({d}, 0.0f, {n});", "ApplyRows<VectorOp::ADD>({d}, {d}, {a}, {shape});")),
    ("broadcast", "c"): Instruction((
        "Duplicate({d}, 0.0f, {n});", "ApplyColumns<VectorOp::ADD>({d}, {d}, {a}, {shape});")),
    ("broadcast", "s"): Instruction(("Duplicate({d}, {a}, {n});",)),
    # Over channels: the first one is taken, the others join it.
    ("channel_sum", "v"): Instruction(("Add({d}, {d}, {a}, {n});",)),
    ("channel_max", "v"): Instruction(("Max({d}, {d}, {a}, {n});",)),
    ("cast", "m"): Instruction((
        "Duplicate({d}, 1.0f, {n});", "Select({d}, {a}, {d}, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, {n});")),
    ("row_sum", "v"): Instruction(("SumRows({d}, {a}, {shape});",), clobbers=(0,)),
    ("column_sum", "v"): Instruction(("AddRowsTo({d}, {a}, {shape});",), clobbers=(0,)),
}
