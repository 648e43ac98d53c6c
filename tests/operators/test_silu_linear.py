"""A result that goes from L0C to the unified buffers of the group's vector cores, and the same one through the workspace."""

from pathlib import Path

import pytest

from compiler.cases import Case, request_of
from compiler.emulate import emulator_request
from compiler.emulator.run import emulate_many
from compiler.traffic import moves
from tests.operators.text_gated_residual_grad import lists as gated
from tests.running import assert_holds, examiner, findings_without, operator

NAME = str(Path(__file__).with_name("silu_linear_grad.py"))
GATED = "TextGatedResidualGrad"
PRODUCT = "grad_y_by_w"
PRODUCTS = ("ascend950", "ascend910b")


def case(rows, K, N, dtype="bfloat16", values="plain", seed=0):
    return Case("", (rows,), {"K": K, "N": N}, dtype, values=values, seed=seed)


HANDED = (
    case(1, 16, 16), case(2, 32, 17, "float16"), case(3, 48, 17), case(33, 272, 130, "float16", "uneven"), case(100, 512, 256), case(128, 2048, 64),
    case(127, 8192, 100, values="uneven"), case(129, 80, 33, "float16"), case(256, 144, 160, values="signs"), case(0, 32, 48),
)
"""One tile and several in a group, odd rows, rows of one core alone, two blocks."""

THROUGH_THE_WORKSPACE = (case(64, 17, 64), case(3, 40, 48), case(100, 64, 8000), case(300, 64, 32, "float16"))
"""Columns that are no whole fractals, k in parts, more blocks."""


def tiling(some, product="ascend950", name=NAME):
    return examiner(name, product).solve(request_of(operator(name), some))


def run(some, product="ascend950", name=NAME, **options):
    result, = emulate_many(examiner(name, product).built, [emulator_request(request_of(operator(name), some), **options)])
    assert result.status == 0 and not result.findings, (result.message, result.findings)
    return result


@pytest.mark.parametrize("product", PRODUCTS)
def test_values(product):
    assert_holds(HANDED + THROUGH_THE_WORKSPACE, NAME, product)


def test_the_shape_decides_which_way_a_result_goes():
    assert all(tiling(c).handed == (PRODUCT,) for c in HANDED)
    assert not any(tiling(c).handed for c in THROUGH_THE_WORKSPACE)
    assert tiling(case(100, 64, 8000)).fields["gradYByWParts"] > 1


def test_products_without_the_path_go_through_the_workspace():
    assert not tiling(case(100, 512, 256), "ascend910_93").handed and not tiling(case(100, 512, 256), "ascend910b").handed
    assert run(case(100, 512, 256), "ascend910b").counters["paths"]["l0c_to_ub"] == 0


@pytest.mark.parametrize("rows, K, N", [(100, 512, 256), (33, 272, 130), (256, 144, 160)])
def test_bytes(rows, K, N):
    """float32 of every element, and a row more where those of a tile are odd; nothing of it in GM."""
    some = case(rows, K, N)
    found = tiling(some)
    fields = found.fields
    blocks = [min(fields["blockRows"], rows - at) for at in range(0, rows, fields["blockRows"])]
    heights = [min(fields["gradYByWTileRows"], block - at) for block in blocks for at in range(0, block, fields["gradYByWTileRows"])]
    paths = run(some).counters["paths"]
    assert paths["l0c_to_ub"] == sum(-(-h // 2) * 2 for h in heights) * K * 4 > 0
    assert not any(m.tensor == PRODUCT for m in moves(found))
    assert dict((name, size) for name, _, size in found.workspace)[PRODUCT] == 0


def test_the_workspace_instead_moves_every_part():
    some = case(100, 64, 8000)
    moved = {m.access: m.bytes for m in moves(tiling(some)) if m.tensor == PRODUCT}
    assert moved["write"] == moved["read"] == tiling(some).fields["gradYByWParts"] * 100 * 64 * 4
    assert run(some).counters["paths"]["l0c_to_ub"] == 0


@pytest.mark.parametrize("rows, K, N", [(100, 512, 256), (127, 2048, 33), (200, 144, 160)])
def test_bits(rows, K, N):
    """Any order and number of cores."""
    first = run(case(rows, K, N)).outputs
    for options in ({"cores": 1}, {"cores": 3}, {"cores": 31}, {"order": "reverse"}, {"order": "random:3"}, {"order": "random:5", "cores": 2}):
        other = run(case(rows, K, N), **options).outputs
        assert {n: a.tobytes() for n, a in other.items()} == {n: a.tobytes() for n, a in first.items()}, options


def test_a_gated_residual_goes_either_way():
    handed, stored = gated.case("", 100, 1, 48, 320), gated.case("", 100, 4, 2560, 320)
    assert tiling(handed, name=GATED).handed == ("grad_act",) and not tiling(stored, name=GATED).handed
    assert run(handed, name=GATED).counters["paths"]["l0c_to_ub"] == 100 * 320 * 4
    assert_holds([handed, gated.case("", 127, 1, 32, 160, inject=False), gated.case("", 200, 1, 16, 48, gamma=False)], GATED)


FAULTS = (
    ("cube", r" +CrossCoreWaitFlag<4, PIPE_FIX>\(PLACE_IS_FREE\);\n", "the first vector core's place is not waited for"),
    ("cube", r" +CrossCoreSetFlag<4, PIPE_FIX>\(TILE_IS_THERE \+ SECOND_VECTOR_CORE\);\n", "the second vector core waits for ever"),
    ("vector2", r" +CrossCoreWaitFlag<4, PIPE_V>\(TILE_IS_THERE\);\n", "a tile is read before it is there"),
    ("vector2", r" +if \(tile \+ 2 \* groups < tiles\) \{\n +CrossCoreSetFlag<4, PIPE_V>\(PLACE_IS_FREE\);\n +\}\n", "the cube core waits for ever"),
)


@pytest.mark.parametrize("header, dropped, what", FAULTS, ids=[what for *_, what in FAULTS])
def test_a_dropped_flag_is_found(header, dropped, what, tmp_path):
    assert findings_without(dropped, header, case(128, 2048, 64), NAME, tmp_path), what
