"""Cases that verification runs, derived from an operator's interface: sizes, options, attributes and values.

`corners` are the few that most faults show at; `pairwise` covers every two settings together. Neither knows any operator.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from compiler.request import Request
from ir.inputs import consistent, make_inputs
from ir.interface import ROWS, Attribute, Interface, Operator, Tensor
from ir.relation import relation
from ir.types import FLOATS, dim, finfo

WIDTHS = (1, 7, 8, 9, 16, 17, 33, 100, 127, 1000, 5000, 16384)
"""Sizes around data blocks, vector registers and tiles, beside the documented ones."""

GROUPS = (0, 1, 2, 5, 257)
"""Lengths of a tensor of counts; 257 counts take more than one load."""

COUNTS = ("all", "some", "none", "above", "negative", "below zero")
"""What the counts sum to: all rows, half of them, zero, more than there are; with a negative count, negative in all."""

VALUES = ("plain", "kinks", "large", "dead")
"""plain: random. kinks: at plus and minus each limit and one step to each side. large: +-1e4 and the ends of exp.
dead: NaN and infinities in the rows that the counts leave out."""

MATRIX_VALUES = ("plain", "uneven", "signs", "large", "faint", "loud")
"""Where there are matrices. uneven: rows of scales from 2^-6 to 2^6. signs: vectors of weights with -1, 0, 1 and their
negatives in places. large: also saved results of products up to the largest float16, or 2^100. faint: upstream gradients of
about 1e-4, which make 16-bit operands subnormal. loud: upstream gradients so large that they or an operand of a product come
near the largest float16, or 2^100."""

FAINT = 2.0**-13
"""Factor on upstream gradients that are faint."""

BRIM = 0.9
"""Share of the largest value that loud gradients come to."""

LARGE = (1e4, -1e4, 50.0, -50.0, 88.0, -88.0, 89.0, -89.0, 104.0, -104.0, 0.0, -0.0)

BUDGET = 1 << 19
"""Elements of the largest tensor of a pairwise case."""

WORK = 1 << 25
"""Most multiply-adds of a product in a pairwise case: rows times elements of the largest matrix."""

SMALL = (1, 2, 3, 7, 8, 9, 16, 17)
"""Sizes to try for symbols that attributes set (numbers of channels, of heads)."""

TYPICAL = 64
"""Of sizes that no document names, cases that are not about sizes take those nearest to it."""

MODERATE = 100
"""Where sizes span matrices, cases that are not about sizes take those nearest to it."""


@dataclass(frozen=True)
class Case:
    """One call: leading dimensions, sizes of the other symbols, dtype, options left out, attribute values and fillings.

    counts and values: of COUNTS and VALUES. cores: vector cores, None for those of the product.
    """

    name: str
    leading: tuple[int, ...]
    sizes: Mapping[str, int]
    dtype: str
    absent: frozenset[str] = frozenset()
    attributes: Mapping[str, float] = field(default_factory=dict)
    values: str = "plain"
    counts: str = "all"
    cores: int | None = None
    seed: int = 0

    @property
    def rows(self) -> int:
        return math.prod(self.leading)

    @property
    def text(self) -> str:
        """The case in a line, without its name."""
        sizes = {ROWS: "x".join(map(str, self.leading)) or "-", **self.sizes}
        parts = [",".join(f"{k}={v}" for k, v in sizes.items()), self.dtype]
        parts += [f"without {','.join(sorted(self.absent))}"] if self.absent else []
        parts += [f"{k}={v}" for k, v in self.attributes.items()]
        parts += [f"counts {self.counts}"] if self.counts != "all" else []
        parts += [f"{self.values} values"] if self.values != "plain" else []
        return ", ".join([*parts, f"{self.cores} cores"] if self.cores else parts)


# -- settings ---------------------------------------------------------------------------------------------------------


def counts_tensors(interface: Interface) -> list[Tensor]:
    """The inputs that hold counts."""
    return [t for t in interface.inputs if t.dtype == "int64" and len(t.dims) == 1 and not t.leading and not t.elements_only]


def matrices(interface: Interface) -> list[Tensor]:
    """The inputs that hold matrices of weights."""
    return [t for t in interface.inputs if not t.leading and not t.elements_only and len(t.dims) > 1]


def widths(interface: Interface, product: str | None = None) -> dict[str, tuple[int, ...]]:
    """Sizes to try for each symbol that is neither the row count nor a number of groups: documented ones first.

    Each is within the symbol's limits and possible on the product beside the least values of the others.
    """
    groups = {d for t in counts_tensors(interface) for d in t.dims}
    attributes = {a.symbol for a in interface.attributes}
    multiples = dict(m for m in (relation(r).multiple for r in interface.relations) if m)
    symbols = [s for s in interface.symbols if s not in {ROWS, *groups}]
    limits = {s: interface.limits.get(s, (1, 2**31)) for s in symbols}
    least = {s: -(-low // multiples.get(s, 1)) * multiples.get(s, 1) for s, (low, _) in limits.items()}
    found = {}
    for s in symbols:
        low, high = limits[s]
        step = multiples.get(s, 1)
        possible = lambda v: low <= v <= high and admits(interface, product, {**least, s: v})
        tried = [*interface.sizes.get(s, ()), *(SMALL if s in attributes else WIDTHS)]
        if s in interface.limits and (s in attributes or matrices(interface)):
            tried.append(high)
        elif interface.relations:
            tried.append(_largest(possible, least[s], step))
        rounded = (max(v // step * step, least[s]) if v not in interface.sizes.get(s, ()) else v for v in tried)
        found[s] = tuple(v for v in dict.fromkeys(rounded) if possible(v))
    return found


def admits(interface: Interface, product: str | None, sizes: Mapping[str, int]) -> bool:
    """Whether these sizes hold to the relations on the product (default: the first of the interface)."""
    return not interface.relations or bool(interface.admits(product or interface.products[0], {ROWS: 1, **sizes}))


def _largest(possible: Callable[[int], bool], least: int, step: int) -> int:
    """The largest of least, least + step, ... up to which everything is possible."""
    low, high = 0, 1
    while possible(least + high * step) and high < 2**31:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if possible(least + middle * step) else (low, middle)
    return least + low * step


def values_of(interface: Interface) -> tuple[str, ...]:
    """The kinds of values to try."""
    if matrices(interface):
        return MATRIX_VALUES
    return VALUES if counts_tensors(interface) else tuple(v for v in VALUES if v != "dead")


def attribute_values(attribute: Attribute) -> tuple:
    """Off (or the default), a small and a typical value, the largest one."""
    if attribute.type == "bool":
        return (False, True)
    if attribute.type == "int":
        return tuple(dict.fromkeys((attribute.default, 1, 2)))
    if not attribute.positive:
        return tuple(dict.fromkeys((attribute.default, 0.0, 1.5)))
    if attribute.off is None:
        return tuple(dict.fromkeys((attribute.default, 0.25)))
    return (attribute.off, 0.25, 7.0, math.inf)


def optional(interface: Interface) -> tuple[str, ...]:
    """The options that a caller switches on by supplying tensors."""
    return tuple(o.name for o in interface.options if o.inputs)


def ranks(interface: Interface) -> tuple[int, ...]:
    """The numbers of leading dimensions that all tensors which have them accept."""
    tensors = [t for t in interface.tensors if t.leading]
    if not tensors:
        return (0,)
    low = max(t.ranks[0] - len(t.dims) for t in tensors)
    high = min(t.ranks[1] - len(t.dims) for t in tensors)
    return tuple(range(max(low, 0), high + 1))


def leading_dimensions(rows: int, count: int) -> tuple[int, ...]:
    """`rows` as a product of `count` dimensions, none of them 1 where that can be."""
    if count == 0:
        return ()
    dimensions = []
    left = rows
    for _ in range(count - 1):
        factor = next((f for f in (2, 3, 5, 7, 11, 13) if left > f and left % f == 0), 1)
        dimensions.append(factor)
        left //= factor
    return (*dimensions, left)


def rows_around(cores: int) -> tuple[int, ...]:
    """Row counts around nothing, a few, the number of cores and twice that."""
    return tuple(sorted({0, 1, 2, 3, cores - 1, cores, cores + 1, 2 * cores - 1, 2 * cores + 1, 1000} - {-1}))


# -- case lists -------------------------------------------------------------------------------------------------------


def corners(operator: Operator, cores: int, tile: Callable[[Case], tuple[int, int | None]] | None = None,
            product: str | None = None) -> list[Case]:
    """The cases that most faults show at.

    cores: vector cores. tile: case -> (rows of its largest tile, columns that fit in one row or None), for cases on both
    sides of them. product: its name, where relations between sizes depend on it.
    """
    interface = operator.interface
    sizes, groups, spans = widths(interface, product), counts_tensors(interface), bool(matrices(interface))
    typical = {s: (interface.sizes.get(s) or (min(v, key=lambda n: (abs(n - TYPICAL), n)),))[0] for s, v in sizes.items()}
    if spans:
        fixed = {a.symbol for a in interface.attributes}
        typical |= {s: min(v, key=lambda n: (abs(n - MODERATE), n)) for s, v in sizes.items() if s not in fixed}
    typical |= {d: 4 for t in groups for d in t.dims}
    dtypes = tuple(dict.fromkeys(d for v in interface.dtypes.values() for d in v)) or ("float32",)
    on = {a.name: attribute_values(a)[-2 if a.off is not None else 0] for a in interface.attributes if a.symbol is None}
    off = {a.name: a.default if a.off is None else a.off for a in interface.attributes if a.symbol is None}
    options = frozenset(optional(interface))
    most, usual = ranks(interface)[-1], 1 if 1 in ranks(interface) else ranks(interface)[0]
    first = dtypes[0]
    last = dtypes[-1]

    def case(name, rows=cores + 1, rank=usual, dtype=first, absent=frozenset(), attributes=on, width=None, of=None, **rest):
        chosen = {s: width or v if s in sizes else v for s, v in typical.items()} | (of or {})
        return Case(name, leading_dimensions(rows, rank), chosen, dtype, absent, attributes, **rest)

    found = [case(f"{d}, all options", dtype=d) for d in dtypes]
    if options or off != on:
        found += [case(f"{d}, no option", dtype=d, absent=options, attributes=off) for d in dtypes]
    found += [case(f"{o} alone", absent=options - {o}, attributes=off) for o in sorted(options)]
    found.append(case("no rows", rows=0))
    if ranks(interface)[0] == 0:
        found.append(case("one row without leading dimensions", rows=1, rank=0, dtype=last))
    if most > 2:
        found.append(case(f"{most} leading dimensions", rows=2 ** (most - 1) * 3, rank=most, dtype=last))
    if spans:
        found += _sizes_of_matrices(case, interface, sizes, cores, last, lambda chosen: admits(interface, product, chosen))
    elif sizes:
        narrow, wide = min(min(v) for v in sizes.values()), max(max(v) for v in sizes.values())
        found += [case("narrowest", rows=3 * cores + 1, width=narrow), case("widest", rows=3, width=wide, dtype=last),
                  case("unaligned", rows=7, width=max(narrow, min(127, wide)))]
    found += [case("values at the limits", values="kinks", rows=5, dtype=d) for d in dtypes if any(a.positive for a in interface.attributes)]
    found += [case("large values", values="large", rows=5, attributes=off, dtype=d) for d in dtypes]
    if spans:
        found += [case(f"{d}, {v} values", values=v, dtype=d) for d in dtypes for v in ("uneven", "signs", "faint", "loud")]
        found += [case(f"{n} cube cores", cores=n, rows=2 * cores - 1, dtype=last) for n in (1, 2, cores // 2 - 4)]
    if groups:
        found += [case("dead rows", values="dead", counts="some"), case("a sum above the rows", counts="above", dtype=last),
                  case("a negative count", counts="negative", values="dead"), case("a negative sum", counts="below zero", rows=3),
                  case("all counts zero", counts="none", values="dead", dtype=last)]
        for name, count in (("no groups", 0), ("many groups", GROUPS[-1])):
            made = case(name, counts="some", values="dead", rows=5)
            found.append(replace(made, sizes={**made.sizes, **{d: count for t in groups for d in t.dims}}))
    if tile is not None:
        found += _around_tiles(case, tile, dtypes, min((interface.limits[s][1] for s in sizes if s in interface.limits), default=2**31))
    return [replace(c, seed=i) for i, c in enumerate(found)]


def _sizes_of_matrices(case, interface, sizes, cores, last, possible) -> list[Case]:
    """All symbols at their least, each at its largest, none a multiple of 64, the documented sizes."""
    least = {s: min(v) for s, v in sizes.items()}
    found = [case("narrowest", rows=3 * cores + 1, of=least), case("one row", rows=1), case("one narrow row", rows=1, of=least)]
    found += [case(f"largest {s}", rows=3, of={**least, s: max(v)}, dtype=last) for s, v in sizes.items()]
    odd = {s: [n for n in sorted(v, key=lambda n: abs(n - MODERATE)) if n % 64] for s, v in sizes.items()}
    for turn in range(2):
        chosen = {s: v[(i + turn) % min(3, len(v))] for i, (s, v) in enumerate(odd.items())}
        if possible(chosen):
            found.append(case("unaligned", rows=7 + 42 * turn, of=chosen))
    if all(s in interface.sizes for s in sizes):
        found.append(case("documented sizes", rows=17, of={s: interface.sizes[s][0] for s in sizes}))
    return found


def _around_tiles(case, tile, dtypes, widest: int) -> list[Case]:
    """Two tiles for each of two cores, the second a row short of the first; one column more than fit in a tile, where rows
    may be that wide."""
    found = []
    for d in dtypes:
        made = case(f"{d}, two tiles a core", rows=2, dtype=d, cores=2)
        rows, columns = tile(made)
        found.append(replace(made, leading=leading_dimensions(4 * rows - 2, len(made.leading))))
        if columns is not None and columns < widest:
            found.append(case(f"{d}, two tiles a row", rows=3, dtype=d, width=columns + 1))
    return found


def pairwise_cases(operator: Operator, cores: int, product: str | None = None) -> list[Case]:
    """Cases in which every two settings occur together, where they can."""
    interface = operator.interface
    groups = counts_tensors(interface)
    dtypes = tuple(dict.fromkeys(d for v in interface.dtypes.values() for d in v)) or ("float32",)
    factors: dict[str, Sequence] = {"dtype": dtypes, "rows": rows_around(cores), "rank": ranks(interface)}
    factors |= {f"size {s}": v for s, v in widths(interface, product).items()}
    factors |= {f"size {d}": GROUPS for t in groups for d in t.dims}
    factors |= {f"option {o}": (True, False) for o in optional(interface)}
    factors |= {f"attribute {a.name}": attribute_values(a) for a in interface.attributes if a.symbol is None}
    factors["values"] = values_of(interface)
    if groups:
        factors["counts"] = COUNTS
    lanes = {t.name: t for t in interface.tensors if t.leading}
    least = {s: min(v) for s, v in widths(interface, product).items()}

    def fits(settings: Mapping) -> bool:
        if settings.get("rank") == 0 and settings.get("rows", 1) != 1:
            return False
        sizes = {k.removeprefix("size "): v for k, v in settings.items() if k.startswith("size ")}
        width = max((math.prod(_size(d, sizes) for d in t.dims) for t in lanes.values()), default=1)
        area = max((math.prod(_size(d, sizes) for d in t.dims) for t in matrices(interface)), default=1)
        rows = settings.get("rows", 1)
        return rows * width <= BUDGET and rows * area <= WORK and area <= WORK >> 3 and admits(interface, product, {**least, **sizes})

    cases = []
    for i, s in enumerate(pairwise(factors, fits)):
        sizes = {k.removeprefix("size "): v for k, v in s.items() if k.startswith("size ")}
        absent = frozenset(o for o in optional(interface) if not s[f"option {o}"])
        attributes = {k.removeprefix("attribute "): v for k, v in s.items() if k.startswith("attribute ")}
        cases.append(Case(f"pairwise {i}", leading_dimensions(s["rows"], s["rank"]), sizes, s["dtype"], absent, attributes,
                          s["values"], s.get("counts", "all"), seed=i))
    return cases


def _size(text: str, sizes: Mapping[str, int]) -> int:
    """A dimension's value, unknown symbols taken as 1."""
    value = dim(text)
    return int(value.subs({s: sizes.get(str(s), 1) for s in value.free_symbols}))


def pairwise(factors: Mapping[str, Sequence], fits: Callable[[Mapping], bool] = lambda settings: True) -> list[dict]:
    """Settings (factor -> value) such that every two values of two factors occur together in one of them.

    fits: whether a partial setting is possible; pairs that no setting holds are left out. Greedy: each setting starts from
    the first pair that is missing and takes for every other factor the value that adds most new pairs. Deterministic.
    """
    names = list(factors)
    missing: dict[tuple, None] = {}
    for (i, a), (j, b) in itertools.combinations(enumerate(names), 2):
        for x, y in itertools.product(range(len(factors[a])), range(len(factors[b]))):
            if fits({a: factors[a][x], b: factors[b][y]}):
                missing[i, x, j, y] = None
    found = []
    while missing:
        i, x, j, y = next(iter(missing))
        chosen = _complete({i: x, j: y}, names, factors, missing, fits, len(found))
        missing.pop((i, x, j, y), None)
        if chosen is None:
            continue
        for (a, u), (b, v) in itertools.combinations(sorted(chosen.items()), 2):
            missing.pop((a, u, b, v), None)
        found.append({names[k]: factors[names[k]][v] for k, v in sorted(chosen.items())})
    return found


def _complete(chosen: dict[int, int], names, factors, missing, fits, turn: int) -> dict[int, int] | None:
    """The whole setting that a pair grows to, None where nothing fits."""
    values = lambda c: {names[k]: factors[names[k]][v] for k, v in c.items()}
    if not fits(values(chosen)):
        return None
    for k in sorted((k for k in range(len(names)) if k not in chosen), key=lambda k: -len(factors[names[k]])):
        best, most = None, -1
        count = len(factors[names[k]])
        for step in range(count):
            v = (step + turn) % count
            if not fits(values({**chosen, k: v})):
                continue
            new = sum((*(a, u), *(b, w)) in missing
                      for (a, u), (b, w) in (sorted(((k, v), other)) for other in chosen.items()))
            if new > most:
                best, most = v, new
        if best is None:
            return None
        chosen = {**chosen, k: best}
    return chosen


# -- inputs -----------------------------------------------------------------------------------------------------------


def request_of(operator: Operator, case: Case) -> Request:
    """The call of a case, with its arrays."""
    interface = operator.interface
    shape = dict(zip(interface.rows or (f"D{i}" for i in range(len(case.leading))), case.leading)) | dict(case.sizes)
    arrays, attributes = make_inputs(interface, shape, case.dtype, case.absent, case.attributes, case.seed)
    for t in counts_tensors(interface):
        if arrays.get(t.name) is not None:
            arrays[t.name] = counts_of(case.counts, arrays[t.name].size, case.rows, case.seed)
    if case.values == "kinks":
        limits = [attributes[a.name] for a in interface.attributes if a.type == "float" and a.positive
                  and (a.off is None or attributes[a.name] != a.off)]
        sprinkle(operator, arrays, lambda dtype: around(limits, dtype), case.seed)
    elif case.values == "large":
        sprinkle(operator, arrays, lambda dtype: LARGE, case.seed)
    elif case.values == "uneven":
        scale_rows(interface, arrays, case.rows, case.seed)
    elif case.values == "signs":
        mark_vectors(interface, arrays, case.seed)
    elif case.values == "dead":
        live = live_rows(interface, arrays, case.rows)
        spoil(interface, arrays, live, case.rows)
    if matrices(interface):  # where saved tensors are no products, any values will do
        arrays = consistent(operator, arrays, attributes)
    if case.values == "large":
        exceed(operator, arrays, case.seed)
    elif case.values == "faint":
        scale_gradients(operator, arrays, FAINT)
    elif case.values == "loud":
        scale_gradients(operator, arrays, _room(operator, arrays, attributes))
    return Request(operator, arrays, attributes, False)


def counts_of(kind: str, groups: int, rows: int, seed: int = 0):
    """int64 counts of one of the kinds in COUNTS."""
    import numpy

    generator = numpy.random.default_rng(seed)
    counts = numpy.zeros(groups, numpy.int64)
    if groups == 0 or kind == "none":
        return counts
    if kind == "below zero":
        return counts - 1
    total = rows // 2 if kind == "some" else rows
    counts += generator.multinomial(total, numpy.full(groups, 1 / groups))
    if kind == "above":
        counts[-1] += 5
    elif kind == "negative":
        counts[0] -= 3
    return counts


def live_rows(interface: Interface, arrays: Mapping, rows: int) -> int:
    """How many rows the counts leave, all where there are none."""
    for t in counts_tensors(interface):
        if arrays.get(t.name) is not None:
            return max(0, min(rows, int(arrays[t.name].sum())))
    return rows


def around(limits: Sequence[float], dtype) -> list[float]:
    """Plus and minus each limit as the dtype holds it, and the next values to each side; zero and its sign."""
    import numpy

    found = [0.0, -0.0]
    for limit in limits:
        if math.isfinite(limit):
            for sign in (1, -1):
                at = numpy.array(sign * limit, dtype)
                found += [float(at), *(float(numpy.nextafter(at, numpy.array(s * math.inf, dtype))) for s in (1, -1))]
    return found


def sprinkle(operator: Operator, arrays: dict, values: Callable, seed: int) -> None:
    """Puts the values (dtype -> list) at a seventh of the places of each differentiated tensor, at least one of each."""
    import numpy

    generator = numpy.random.default_rng([seed, 7])
    for name in dict.fromkeys(operator.gradients.values()):
        array = arrays.get(name)
        if array is None or not operator.interface.tensor(name).leading or not array.size:
            continue
        flat = array.reshape(-1)
        chosen = numpy.array(values(array.dtype)).astype(array.dtype)
        places = generator.permutation(flat.size)[: max(len(chosen), flat.size // 7)]
        flat[places] = numpy.resize(chosen, len(places))


def scale_rows(interface: Interface, arrays: dict, rows: int, seed: int) -> None:
    """Multiplies each row of the activations by a power of two from 2^-6 to 2^6, one for each tensor and row."""
    import numpy

    generator = numpy.random.default_rng([seed, 11])
    for t in interface.inputs:
        array = arrays.get(t.name)
        if array is not None and t.leading and t.dtype in interface.dtypes and array.size:
            scales = numpy.exp2(generator.integers(-6, 7, rows)).astype(array.dtype)
            array.reshape(rows, -1)[:] *= scales[:, None]


def mark_vectors(interface: Interface, arrays: dict, seed: int) -> None:
    """Changes signs in vectors of weights, and sets some of their elements to -1, 0 and 1."""
    import numpy

    generator = numpy.random.default_rng([seed, 13])
    for t in interface.inputs:
        array = arrays.get(t.name)
        if array is not None and not t.leading and not t.elements_only and len(t.dims) == 1 and str(array.dtype) in FLOATS:
            array *= generator.choice([-1, 1], array.shape).astype(array.dtype)
            places = generator.permutation(array.size)[: max(1, array.size // 4)]
            array[places] = numpy.resize(numpy.array([-1, -1, 0, 1]), len(places)).astype(array.dtype)


def exceed(operator: Operator, arrays: dict, seed: int) -> None:
    """The largest values of the dtype at a few places of the saved tensors that are products."""
    import numpy

    from ir.builder import build_forward

    generator = numpy.random.default_rng([seed, 17])
    for n in build_forward(operator).nodes():
        array = arrays.get(n.attr("name")) if n.op == "saved" and n.operands[0].op == "matmul" else None
        if array is not None and array.size:
            most = _most(array.dtype)
            places = generator.permutation(array.size)[: max(1, array.size // 64)]
            array.reshape(-1)[places] = numpy.resize(numpy.array([most, -most, most / 2, -60.0]), len(places)).astype(array.dtype)


def _most(dtype) -> float:
    """The largest value of which sums in float32 stay finite."""
    return min(float(finfo(dtype).max), 2.0**100)


def upstream(operator: Operator, arrays: Mapping) -> list[str]:
    """The upstream gradients among the arrays; every output is linear in them."""
    return [name for name in dict.fromkeys(operator.cotangents.values()) if arrays.get(name) is not None and arrays[name].size]


def scale_gradients(operator: Operator, arrays: dict, factor: float) -> None:
    """Multiplies every upstream gradient by one factor."""
    for name in upstream(operator, arrays):
        arrays[name] = (arrays[name].astype("float64") * factor).astype(arrays[name].dtype)


def _room(operator: Operator, arrays: dict, attributes: Mapping) -> float:
    """The factor on upstream gradients that brings the largest of them, or of the operands of products, to `BRIM` of the most."""
    import numpy

    names = upstream(operator, arrays)
    if not names:
        return 1.0
    largest = max(float(numpy.abs(arrays[n].astype("float64")).max()) for n in names)
    most = min(_most(arrays[n].dtype) for n in names)
    # Operands are linear in the gradients, or do not depend on them.
    operands = Request(operator, arrays, dict(attributes), False).largest_operand(names)
    return BRIM * most / max(largest, operands)


def spoil(interface: Interface, arrays: dict, live: int, rows: int) -> None:
    """NaN and infinities in every row from `live` on."""
    import numpy

    for t in interface.inputs:
        array = arrays.get(t.name)
        if array is None or str(array.dtype) not in FLOATS or not (t.leading or t.elements_only) or not array.size:
            continue
        lines = array.reshape(rows, -1)
        lines[live:] = numpy.resize(numpy.array([math.nan, math.inf, -math.inf]), lines[live:].shape).astype(array.dtype)
