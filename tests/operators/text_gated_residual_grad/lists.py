"""The case lists of the operator."""

import itertools

from compiler.cases import MATRIX_VALUES, Case, leading_dimensions, pairwise
from ir.operators.text_gated_residual_grad import INTERFACE

PRODUCTS = ("ascend950", "ascend910b", "ascend910_93")
LARGEST = {"ascend950": 4800, "ascend910b": 3040, "ascend910_93": 3040}
CHANNELS = (1, 2, 3, 4, 7, 8, 9, 16, 20)
FEATURES = (16, 32, 48, 112, 240, 496, 1040)
RANKS = (16, 32, 320, 640)
ROWS = (0, 1, 2, 7, 47, 48, 49, 63, 64, 65, 127, 129, 200, 513)
DTYPES = ("bfloat16", "float16")
OPTIONS = tuple(itertools.product((True, False), (True, False)))  # inject, gamma


def case(name="", rows=7, C=4, H=48, R=32, dtype="bfloat16", inject=True, gamma=True, values="plain", cores=None, seed=0):
    """cores: cube cores."""
    absent = frozenset(o for o, on in (("inject", inject), ("gamma", gamma)) if not on)
    return Case(name, leading_dimensions(rows, 2), {"C": C, "H": H, "R": R}, dtype, absent, {}, values, "all", cores, seed)


def corners(product):
    """Options, sizes, rows and values at their extremes."""
    found = [case("options", 33, 3, 80, 48, d, i, g, "signs") for d, (i, g) in itertools.product(DTYPES, OPTIONS)]
    found += [case("values", 49, 4, 48, 32, d, values=v) for d, v in itertools.product(DTYPES, MATRIX_VALUES)]
    found += [case("largest H", 5, C, LARGEST[product], 16, d) for C, d in zip((1, 3, 4), ("bfloat16", "float16", "bfloat16"))]
    found += [case("most channels", r, 20, 16, 16, d) for r, d in ((1, "float16"), (130, "bfloat16"))]
    found += [case("most channels and the largest R", 17, 20, 112, 640, "float16", values="uneven")]
    found += [case("least of everything", r, 1, 16, 16, d) for r, d in ((1, "bfloat16"), (513, "float16"))]
    found += [case("no rows", 0, 3, 48, 32, d, i, g) for d, (i, g) in itertools.product(DTYPES, ((True, True), (False, False)))]
    found += [case("tails", r, C, H, R, d, values="uneven") for r, C, H, R, d in (
        (15, 5, 144, 144, "bfloat16"), (17, 7, 176, 208, "float16"), (129, 9, 16, 272, "bfloat16"), (255, 1, 272, 16, "float16"))]
    found += [case("last block of one row", 257, 2, 32, 16, d) for d in DTYPES]
    return found


def covering(product, budget, work):
    """Every two settings together; budget: elements of x, work: rows times elements of w_down."""
    factors = {"rows": ROWS, "C": CHANNELS, "H": (*FEATURES, LARGEST[product]), "R": RANKS, "dtype": DTYPES, "inject": (True, False),
               "gamma": (True, False), "values": MATRIX_VALUES}

    def fits(s):
        elements = s.get("C", 1) * s.get("H", 16)
        rows, matrix = s.get("rows", 1), elements * s.get("R", 16)
        admitted = INTERFACE.admits(product, {"T": rows, "C": s.get("C", 1), "H": s.get("H", 16), "R": s.get("R", 16)})
        return rows * elements <= budget and max(rows, 8) * matrix <= work and admitted

    return [case(f"pairwise {i}", seed=i, **s) for i, s in enumerate(pairwise(factors, fits))]


def everything():
    """C x H x R x rows in full, with dtypes, options and values in turn."""
    found = []
    for i, (C, H, R, rows) in enumerate(itertools.product(CHANNELS, (*FEATURES, 2560), RANKS, ROWS)):
        if rows * C * H * R <= 1 << 28:
            inject, gamma = OPTIONS[i // 2 % 4]
            found.append(case(f"product {i}", rows, C, H, R, DTYPES[i % 2], inject, gamma, MATRIX_VALUES[i // 8 % len(MATRIX_VALUES)], seed=i))
    return found
