"""How products are cut for the cube cores: what fits, how many cores have work, and that nothing but shape and product decide."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import sympy

from compiler import products
from compiler.schedule.cube import DEEP_K, FRACTAL, LEAST_PART_K, LEAST_SIDE, MOST_PARTS, STEP_K, CubeFigures
from compiler.schedule.formula import evaluate, evaluate_arrays, pick, to_cpp

PRODUCTS = ("ascend950", "ascend910b", "ascend910_93")
SPLITS = list(itertools.product(PRODUCTS, (0, 1)))
SIZES = (1, 7, 16, 17, 48, 64, 112, 128, 200, 320, 336, 512, 1000, 1024, 2560, 4096, 10240, 60800, 96000)
SHAPES = np.array([s for s in itertools.product(SIZES, repeat=3)], np.int64).T


def test_a_choice_of_equal_values_is_that_value():
    k = sympy.Symbol("k")
    assert to_cpp(pick(k - 1023, 256, 256)) == "256" and to_cpp(pick(k - 1023, 256, 128)) == "k - 1023 > 0 ? 256 : 128"


def figures(product) -> CubeFigures:
    return CubeFigures.of(products.load(product))


def cuts(product, split):
    m, n, k = SHAPES
    return (m, n, k), evaluate_arrays(figures(product).assignments, {"m": m, "n": n, "k": k, "split": split})


def cut(product, m, n, k, split=1):
    return evaluate(figures(product).assignments, {"m": m, "n": n, "k": k, "split": split})


def up(a, b):
    return -(-a // b)


@pytest.mark.parametrize("product, split", SPLITS)
def test_tiles_fit_the_memories(product, split):
    """Two buffers of each operand in L0A, L0B and, of the fewest elements of k, L1; one tile in L0C, two where k is short."""
    f, ((m, n, k), c) = figures(product), cuts(product, split)
    rows, columns = c["rows"], c["columns"]
    assert (rows % FRACTAL == 0).all() and (columns % FRACTAL == 0).all() and (c["partK"] % STEP_K == 0).all()
    assert (2 * 2 * STEP_K * rows <= f.l0a).all() and (2 * 2 * STEP_K * columns <= f.l0b).all()
    assert (4 * rows * columns * np.where(k < DEEP_K, 2, 1) <= f.l0c).all()
    bursts = f.l1 // (2 * 2 * (rows + columns)) // STEP_K * STEP_K
    assert (2 * np.minimum(bursts, 512) >= 512).all()  # bytes of a burst where k is contiguous


@pytest.mark.parametrize("product, split", SPLITS)
def test_tiles_and_parts_cover_the_product(product, split):
    (m, n, k), c = cuts(product, split)
    assert (c["rows"] < m + FRACTAL).all() and (c["columns"] < n + FRACTAL).all()
    assert (c["parts"] * c["partK"] >= k).all() and ((c["parts"] - 1) * c["partK"] < k).all()  # no part is empty
    assert (c["parts"] <= (MOST_PARTS if split else 1)).all()


@pytest.mark.parametrize("product, split", SPLITS)
def test_half_of_the_cores_have_work_wherever_there_is_enough(product, split):
    """Tiles times parts reach half of the cores, or tiles are as narrow and parts as short and as many as they may be.

    A side or a k that does not divide evenly loses one of its pieces at most to rounding, hence the half.
    """
    f, ((m, n, k), c) = figures(product), cuts(product, split)
    units = up(m, c["rows"]) * up(n, c["columns"]) * c["parts"]
    finest = np.maximum(1, m // LEAST_SIDE) * np.maximum(1, n // LEAST_SIDE)
    finest = finest * (np.clip(k // LEAST_PART_K, 1, MOST_PARTS) if split else 1)
    wanted = np.minimum(f.cores, finest)
    assert (2 * np.minimum(units, f.cores) >= wanted).all(), SHAPES[:, 2 * np.minimum(units, f.cores) < wanted].T[:5]


@pytest.mark.parametrize("product", PRODUCTS)
def test_the_fullest_core_has_little_more_than_its_share(product):
    """Where every core has work for several tiles, none is given more than a quarter above the mean."""
    f, ((m, n, k), c) = figures(product), cuts(product, 0)
    tiles = up(m, c["rows"]) * up(n, c["columns"])
    many = tiles >= 2 * f.cores
    fullest = up(tiles, f.cores) * np.minimum(c["rows"], m) * np.minimum(c["columns"], n)
    assert (fullest * f.cores <= 1.5 * m * n)[many].all()
    assert np.mean((fullest * f.cores <= 1.25 * m * n)[many]) > 0.9


@pytest.mark.parametrize("product, cores", [("ascend950", 32), ("ascend910b", 24)])
def test_few_rows_of_the_model_take_all_cores(product, cores):
    """gradAct at the model's shape, 64 rows: two tiles of the largest size, narrowed and k in parts."""
    c = cut(product, 64, 320, 10240)
    assert c["parts"] == MOST_PARTS and up(320, c["columns"]) * c["parts"] == cores


def test_the_cut_is_of_the_product_not_of_a_launch():
    """A part with fewer cores than the product's file says has the same cut, and so the same bits."""
    known = {str(s) for a in figures("ascend950").assignments for s in a.expr.free_symbols}
    assert known - {a.name for a in figures("ascend950").assignments} == {"m", "n", "k", "split"}


def test_memories_decide_the_tile():
    """Half the L0C, half the tile."""
    f = figures("ascend950")
    assert f.most(1) == (256, 256) and f.most(2) == (128, 256)
    small = replace(f, l0c=f.l0c // 4)
    assert np.prod(small.most(1)) * 4 == small.l0c and np.prod(small.most(2)) * 8 == small.l0c


def test_strips_fit_the_memories_and_no_more_of_them_than_cores():
    """Of the rows of a block: a fractal of rows for each vector core; the tile in L0C and L0B; as few parts as that makes."""
    f, (m, n, k) = figures("ascend950"), SHAPES
    m, n, k = (a[m <= 128] for a in (m, n, k))
    c = evaluate_arrays(f.strips, {"m": m, "n": n, "k": k})
    assert np.all((c["rows"] % FRACTAL == 0) & (c["rows"] <= 2 * FRACTAL) & (c["columns"] % FRACTAL == 0) & (c["columns"] <= f.side_b))
    assert np.all(2 * 4 * c["rows"] * c["columns"] <= f.l0c)
    assert np.all(c["partK"] % STEP_K == 0) and np.all((c["parts"] - 1) * c["partK"] < k) and np.all(c["parts"] * c["partK"] >= k)
    assert np.all(up(m, c["rows"]) * c["parts"] <= f.cores)


def fed(m, n, k, lanes=None, blocks=1, tiles=0, **memories):
    f = replace(figures("ascend950"), **memories)
    sizes = {"m": m, "n": n, "k": k}
    cuts = {"whole": evaluate(f.assignments, {**sizes, "split": 0}), "split": evaluate(f.assignments, {**sizes, "split": 1}),
            "strips": evaluate(f.strips, sizes)}
    known = {**sizes, **{name: SimpleNamespace(**c) for name, c in cuts.items()}, "lanes": lanes or k, "blockRows": m, "T": m * blocks, "ubTiles": tiles}
    return evaluate(f.feed, known)["l1Columns"]


def test_where_an_operand_goes_to_l1():
    assert fed(64, 320, 10240) == 640 and fed(16, 320, 10240) == 320
    assert not fed(64, 320, 10240, lanes=2568)  # columns that are no whole fractals
    assert fed(128, 64, 10240, blocks=2) and not fed(128, 64, 10240, blocks=3)
    assert not fed(64, 640, 160_000)  # a strip takes more than half of L1
    assert not fed(128, 320, 10240)  # the right operand crosses into L1 four times
    assert fed(64, 320, 512, tiles=16384) and not fed(64, 320, 64, tiles=16384)  # the result to UB moves fewer bytes


def test_the_right_operand_is_read_beside_a_strip_in_equal_loads():
    f = figures("ascend950")
    for rows, columns, strip in itertools.product((16, 32), (16, 160, 256), (64, 320, 640, 1280, 4096)):
        k = f.load_k_beside(rows, columns, strip)
        assert k % STEP_K == 0 and 2 * rows * strip + 4 * 2 * columns * k <= f.l1 and up(strip, k) * (k - STEP_K) < strip


@pytest.mark.parametrize("l0b", (1 << 15, 1 << 16, 1 << 17))
@pytest.mark.parametrize("l1", (128, 192, 256, 384, 512, 1024))
def test_a_strip_leaves_room_for_the_right_operand_on_any_product(l1, l0b):
    """The fewest elements of k of it, four times."""
    f = replace(figures("ascend950"), l1=l1 << 10, l0b=l0b)
    for m, n, k in itertools.product((16, 128), (16, 256, 512, 4096), (64, 1024, 10240, 20480, 50_000)):
        strip = fed(m, n, k, l1=f.l1, l0b=l0b)
        if strip:
            c = evaluate(f.strips, {"m": m, "n": n, "k": k})
            load = f.load_k_beside(c["rows"], c["columns"], strip)
            assert load >= STEP_K and 2 * c["rows"] * strip + 4 * 2 * c["columns"] * load <= f.l1
