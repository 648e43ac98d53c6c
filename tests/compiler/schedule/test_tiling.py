"""Tiles, buffers and the split over cores; the emitted C++ and the Python scheduler compute the same ones."""

import itertools
import random

import pytest

from compiler.emulator.run import emulate_many
from compiler.report import schedule_json
from compiler.request import Sizes
from compiler.schedule.tiling import CapacityError
from compiler.verify import TilingPoint
from tests.running import GENERAL, SEED, examiner, operator

DTYPES = ("bfloat16", "float16", "float32")
OPTIONS = [frozenset(o for o, on in zip(("weight", "group_index", "clamp"), bits) if on) for bits in itertools.product((0, 1), repeat=3)]
WIDTHS = operator().interface.sizes["H"]
ROWS = (1, 2, 63, 64, 65, 127, 129, 1000, 4097, 131072, 31 * 131072)


def solved(rows, width, dtype, options, cores=None):
    sizes = {"T": rows, "H": width, "G": 8}
    tiling = examiner().schedule.solve(sizes, set(options), dtype, cores)
    return tiling, schedule_json(tiling, Sizes(sizes, set(options), dtype, {}))


@pytest.mark.parametrize("width", WIDTHS)
def test_ub_is_used_and_never_exceeded(width):
    """At least 85 % of UB, unless one more row does not fit or a tile holds a core's whole share."""
    for rows, dtype, options in itertools.product(ROWS, DTYPES, OPTIONS):
        tiling, data = solved(rows, width, dtype, options)
        where = f"T={rows}, H={width}, {dtype}, {sorted(options)}: {data['ub_bytes']} of {data['ub_limit']} bytes"
        assert data["ub_limit"] == examiner().product["memory"]["ub"]
        assert data["ub_bytes"] == sum(b["bytes"] for b in data["buffers"]) <= data["ub_limit"], where
        share = -(-rows // data["block_dim"])
        if data["ub_use"] < 0.85:
            assert data["one_more_row_bytes"] > data["ub_limit"] or data["rows_per_tile"] >= share, where


@pytest.mark.parametrize("width", WIDTHS)
def test_rows_are_whole_and_balanced(width):
    for rows, dtype, options in itertools.product(ROWS, DTYPES, OPTIONS):
        tiling, data = solved(rows, width, dtype, options)
        assert data["columns_per_tile"] == width and data["column_tiles"] == 1
        assert data["block_dim"] == min(rows, 64)
        split = data["split"]
        assert split["base"] * split["cores"] + split["extra"] == rows and 0 <= split["extra"] < split["cores"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_wide_rows_are_cut_into_balanced_tiles(dtype):
    """No tile is narrower than its neighbours by more than the alignment asks for (never 2032 + 16)."""
    for width, options in itertools.product((5000, 8192, 16384, 20000, 65536, 100_003, 2**20 + 1), OPTIONS):
        _, data = solved(1000, width, dtype, options)
        tiles, columns = data["column_tiles"], data["columns_per_tile"]
        assert tiles == -(-width // columns)
        last = width - (tiles - 1) * columns
        # Tiles are multiples of 16 columns: all but the last are the even share rounded up.
        assert columns - last <= 16 * tiles, f"H={width}, {dtype}, {sorted(options)}: {tiles} tiles of {columns}, the last {last}"


def test_a_product_with_little_memory():
    """Every hardware figure comes from the product."""
    from compiler.pipeline import compile_operator

    product = examiner().product
    small = {**product, "memory": {**product["memory"], "ub": 40_000}}
    schedule = compile_operator(operator(), small).schedule
    for width, options in itertools.product((1, 512, 4096, 16384), OPTIONS):
        tiling = schedule.solve({"T": 1000, "H": width, "G": 8}, set(options), "bfloat16")
        assert tiling.ub_bytes <= 40_000
    tiny = {**product, "memory": {**product["memory"], "ub": 2048}}
    with pytest.raises(CapacityError, match="H=512: 32 bytes of a row does not fit the 2048 B of UB of ascend950"):
        compile_operator(operator(), tiny).schedule.solve({"T": 10, "H": 512, "G": 8}, set(), "float32")


def sweep():
    """Over 2000 shapes: the documented ones, random ones, and rows and widths far beyond 32 bits."""
    draw = random.Random(7)
    widths = (*WIDTHS, 1, 7, 8, 9, 16, 17, 33, 100, 127, 1000, 5000, 16384)
    listed = [(t, h) for t in (1, 3, 64, 65, 1000, 31 * 131072, 2**40) for h in widths]
    drawn = [(int(2 ** draw.uniform(0, 40)), int(2 ** draw.uniform(0, 17))) for _ in range(600)]
    huge = [(t, h) for t in (1, 65, 2**20) for h in (2**24, 2**31 - 1, 2**31, 2**31 + 1, 2**32 + 17, 2**35)]
    for i, (t, h) in enumerate((*listed, *drawn, *huge)):
        for dtype in DTYPES:
            options = OPTIONS[(i + len(dtype)) % 8] if i >= len(listed) else OPTIONS[i % 8]
            cores = draw.choice((None, None, 1, 2, 40))
            attributes = {"clamp_limit": draw.choice((0.5, 7.0, 1e-3, 3.3)) if "clamp" in options else -1.0}
            yield TilingPoint({"T": t, "H": h, "G": draw.choice((0, 1, 8, 257))}, options, dtype, attributes, cores)


def test_host_code_and_scheduler_agree():
    points = list(sweep())
    assert len(points) >= 2000
    results = emulate_many(examiner().built, [p.call(operator()) for p in points])
    assert sum(r.status == 0 for r in results) >= 2000
    problems = [f"{p.text}: {text}" for p, r in zip(points, results) for text in examiner().tiling_problems(p, r)]
    assert not problems, f"{len(problems)} of {len(points)}: " + "\n".join(problems[:10])


@pytest.mark.parametrize("name", GENERAL)
def test_host_code_and_scheduler_agree_on_other_operators(name):
    """Both refuse the widths that do not fit where rows must be whole."""
    draw = random.Random(3)
    points = []
    for i in range(400):
        width = int(2 ** draw.uniform(0, 12)) if i % 4 else draw.choice((4096, 4095, 2048, 1000, 1))
        points.append(TilingPoint({"T": int(2 ** draw.uniform(0, 36)), "H": width}, frozenset(), DTYPES[i % 3], {}, draw.choice((None, 1, 7))))
    results = emulate_many(examiner(name).built, [p.call(operator(name)) for p in points])
    problems = [f"{p.text}: {text}" for p, r in zip(points, results) for text in examiner(name).tiling_problems(p, r)]
    assert not problems, f"{len(problems)} of {len(points)}: " + "\n".join(problems[:10])


def test_every_tiling_key_has_a_kernel():
    keys = set(examiner().schedule.program.keys)
    reachable = {examiner().schedule.solve({"T": 5, "H": 64, "G": 1}, set(o), "float32").values["tilingKey"] for o in OPTIONS}
    assert reachable == keys
    entry = next((examiner(SEED).built.directory / "op_kernel").glob("*.cpp")).read_text()
    assert {k for k in keys if f"TILING_KEY_IS({k})" in entry} == keys
