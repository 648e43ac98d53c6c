"""The case lists of the operator."""

import itertools
import math

from compiler.cases import Case, leading_dimensions, pairwise

WIDTHS = (512, 768, 1024, 1536, 1792, 2048, 2560, 4096, 1, 7, 8, 9, 16, 17, 33, 100, 127, 1000, 5000, 16384)
ROWS = (0, 1, 2, 3, 63, 64, 65, 127, 129, 1000, 1300)
RANKS = (1, 2, 3, 4, 5, 6, 7, 8)
DTYPES = ("bfloat16", "float16", "float32")
CLAMPS = (-1.0, 7.0, 0.5)
COUNTS = ("all", "some", "none", "above", "negative", "below zero")
GROUPS = (1, 4, 257, 0)
VALUES = ("plain", "kinks", "large", "dead")


def case(name="", rows=5, width=64, dtype="bfloat16", weight=True, counts="some", groups=4, clamp=7.0, rank=2, values="plain",
         cores=None, seed=0):
    """counts None: no group_index."""
    absent = frozenset(o for o, on in (("weight", weight), ("group_index", counts is not None)) if not on)
    return Case(name, leading_dimensions(rows, rank - 1), {"H": width, "G": groups}, dtype, absent, {"clamp_limit": clamp},
                values, counts or "all", cores, seed)


def covering(budget):
    """Every two settings together, none larger than `budget` elements of x."""
    factors = {"rows": ROWS, "width": WIDTHS, "rank": RANKS, "dtype": DTYPES, "weight": (True, False), "counts": (*COUNTS, None),
               "groups": GROUPS, "clamp": CLAMPS, "values": VALUES}

    def fits(s):
        return s.get("rows", 1) * 2 * s.get("width", 1) <= budget and not (s.get("rank") == 1 and s.get("rows", 1) != 1)

    return [case(f"pairwise {i}", seed=i, **s) for i, s in enumerate(pairwise(factors, fits))]


def corners():
    """Sizes, options and values at their extremes, all options on unless they are what it is about."""
    found = [case("options", 67, 96, d, w, c, 4, k)
             for d, w, c, k in itertools.product(DTYPES, (True, False), ("some", None), (-1.0, 7.0))]
    found += [case("largest documented width", 66, 4096, d) for d in DTYPES]
    found += [case("widest", 2, 16384, d) for d in DTYPES]
    found += [case("narrowest", 193, 1, d, values="dead") for d in DTYPES]
    found += [case("rank", math.prod((2,) * max(r - 2, 0)) * (3 if r > 1 else 1), 33, DTYPES[r % 3], rank=r, counts="all")
              for r in RANKS]
    found += [case("limits of the clamp", 4, 300, d, clamp=c, values="kinks") for d, c in itertools.product(DTYPES, (0.5, 7.0, 1.7))]
    found += [case("infinite limit", 4, 300, d, clamp=math.inf, values="large") for d in DTYPES]
    found += [case("large gates without clamp", 4, 300, d, clamp=-1.0, values="large") for d in DTYPES]
    found += [case("counts", r, 40, d, counts=c, groups=g, values="dead")
              for (r, c), g, d in zip(itertools.product((1, 70), COUNTS), itertools.cycle((1, 257, 3)), itertools.cycle(DTYPES))]
    found += [case("no groups", 70, 40, d, groups=0, values="dead") for d in DTYPES]
    found += [case("no rows", 0, 512, d, w) for d, w in itertools.product(DTYPES, (True, False))]
    return found


def everything():
    """dtype x options x width x rows in full, with ranks, counts, groups and values in turn."""
    turn = itertools.count()
    found = []
    for d, w, c, k, h, t in itertools.product(DTYPES, (True, False), (True, False), CLAMPS, WIDTHS, ROWS):
        i = next(turn)
        rank = RANKS[i % 8] if t == 1 else RANKS[1 + i % 7]
        found.append(case(f"product {i}", t, h, d, w, COUNTS[i // 3 % 6] if c else None, GROUPS[i // 5 % 4], k, rank, VALUES[i // 7 % 4],
                          seed=i))
    return found
