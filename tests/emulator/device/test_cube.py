"""Matrix products on the cube cores of both architectures, and mixed kernels."""

import struct

import numpy as np
import pytest

from tests.emulator.device import harness

ml_dtypes = pytest.importorskip("ml_dtypes")
bf16 = ml_dtypes.bfloat16
CXX = {np.float32: "float", np.float16: "half", bf16: "bfloat16_t"}
ARCHES = (3510, 2201)


def groups(a, b, c0):
    """The product in the emulator's order of sums: groups of c0 products one by one, then group by group."""
    a, b = a.astype(np.float32), b.astype(np.float32)
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for start in range(0, a.shape[1], c0):
        part = np.zeros_like(total)
        for i in range(start, min(start + c0, a.shape[1])):
            part += a[:, i : i + 1] * b[i : i + 1]
        total += part
    return total


def data(kind, rows, columns, pitch=None, seed=0):
    """A matrix in the left columns of a wider one that is NaN elsewhere."""
    wide = np.full((rows, pitch or columns), np.nan, np.float32).astype(kind)
    wide[:, :columns] = np.random.default_rng(seed).standard_normal((rows, columns)).astype(np.float32).astype(kind)
    return wide


def matmul(arch, a, b, m, n, k, trans, out=np.float32, tile=(32, 48, 64, 32), pitch=None, blocks=1, **options):
    kind = a.dtype.type
    library = harness.build("matmul.cpp", "matmul", arch, [f"IN={CXX[kind]}"])
    key = trans[0] + 2 * trans[1] + 4 * (out is not np.float32)
    pitch = pitch or n
    c = np.zeros((m, pitch), out)
    tiling = np.frombuffer(struct.pack("<3Q8I", a.shape[1], b.shape[1], pitch, m, n, k, *tile, 0), np.uint8).copy()
    args = [("a", a, "in"), ("b", b, "in"), ("c", c, "out"), ("workspace", None, "out"), ("tiling", tiling, "in")]
    report = harness.run(library, args, arch, key, blocks, **options)
    return c, report


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("trans", [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("kind", [bf16, np.float16])
def test_products(arch, trans, kind):
    for m, n, k in [(32, 48, 64), (1, 1, 1), (1, 50, 300), (40, 50, 70), (17, 100, 33), (64, 96, 200), (33, 16, 16)]:
        a = data(kind, *((k, m) if trans[0] else (m, k)), seed=m)
        b = data(kind, *((n, k) if trans[1] else (k, n)), seed=n + 1)
        c, report = matmul(arch, a, b, m, n, k, trans, blocks=2)
        assert report.findings == []
        np.testing.assert_array_equal(c, groups(a.T if trans[0] else a, b.T if trans[1] else b, 16))
        assert report.counters["cube_macs"] == (m if m > 1 else 16) * n * k or m == 33  # a single row takes a block


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("out", [bf16, np.float16])
def test_pitches_and_casts(arch, out):
    m, n, k = 37, 41, 90
    for trans in ((0, 0), (1, 1)):
        a = data(out, *((k, m + 7) if trans[0] else (m, k + 5)), seed=1)
        b = data(out, *((n, k + 3) if trans[1] else (k, n + 9)), seed=2)
        left = a.T[:m, :k] if trans[0] else a[:, :k]
        right = b.T[:k] if trans[1] else b[:, :n]
        c, report = matmul(arch, a, b, m, n, k, trans, out=out, pitch=n + 6)
        assert report.findings == []
        np.testing.assert_array_equal(c[:, :n], groups(left, right[:k, :n], 16).astype(out))
        assert np.isnan(c[:, n:].astype(np.float32)).all()  # between the rows nothing is written


@pytest.mark.parametrize("arch", ARCHES)
def test_a_pitch_beyond_16_bits(arch):
    a, b = data(bf16, 5, 40, 70000, seed=1), data(bf16, 40, 16, seed=2)
    c, report = matmul(arch, a, b, 5, 16, 40, (0, 0))
    assert report.findings == []
    np.testing.assert_array_equal(c, groups(a[:, :40], b, 16))


@pytest.mark.parametrize("arch", ARCHES)
def test_tiles_of_full_size(arch):
    m, n, k = 200, 300, 520
    a, b = data(bf16, m, k, seed=3), data(bf16, k, n, seed=4)
    c, report = matmul(arch, a, b, m, n, k, (0, 0), tile=(128, 256, 256, 64), blocks=3)
    assert report.findings == []
    np.testing.assert_array_equal(c, groups(a, b, 16))
    assert np.allclose(c, a.astype(np.float64) @ b.astype(np.float64), atol=1e-3)
    counters = report.counters
    assert counters["cube_macs"] == m * n * k
    assert counters["paths.gm_to_l1"] == 2 * (2 * m * k + 2 * k * n)  # two columns of tiles read A, two rows B
    assert counters["gm_read_bytes"] == counters["paths.gm_to_l1"]
    assert counters["paths.l0c_to_gm"] == counters["gm_write_bytes"] == 4 * m * n
    assert counters["paths.l1_to_l0a"] == 2 * 2 * 208 * 528 and counters["paths.l1_to_l0b"] == 2 * 2 * 528 * 304
    assert counters["peak.l1"] == 2 * (128 + 256) * 256 * 2 and counters["peak.l0c"] == 128 * 256 * 4
    assert counters["peak.l0a"] == 2 * 128 * 64 * 2 and counters["peak.l0b"] == 2 * 256 * 64 * 2


@pytest.mark.parametrize("arch", ARCHES)
def test_tiles_do_not_change_the_bits_of_a_fixed_step(arch):
    a, b = data(bf16, 50, 160, seed=3), data(bf16, 160, 70, seed=4)
    runs = [matmul(arch, a, b, 50, 70, 160, (0, 0), tile=t, blocks=n, order=o)[0]
            for t, n, o in [((16, 16, 16, 16), 4, "reverse"), ((64, 80, 160, 32), 1, "forward"), ((32, 32, 64, 64), 3, "random:5")]]
    assert all((run == runs[0]).all() for run in runs)


def mixed(arch, key, rows=70, h=64, n=48, tile_rows=16, blocks=2, kind="KERNEL_TYPE_MIX_AIC_1_2", seed=0, **options):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, h)).astype(np.float32)
    w = rng.standard_normal((h, n)).astype(np.float32).astype(bf16)
    y = np.zeros((rows, n), np.float32)
    slots = 2 * blocks if key == 0 else -(-rows // tile_rows)
    workspace = np.zeros(slots * tile_rows * (2 * h + 4 * n), np.uint8)
    tiling = np.frombuffer(struct.pack("<7If", rows, h, n, tile_rows, 64, 32, 0, 0.75), np.uint8).copy()
    library = harness.build("mixed.cpp", "mixed", arch, [f"MIXED_TYPE={kind}"])
    args = [("x", x, "in"), ("w", w, "in"), ("y", y, "out"), ("workspace", workspace, "out"), ("tiling", tiling, "in")]
    report = harness.run(library, args, arch, key, blocks, **options)
    want = groups((x * np.float32(0.75)).astype(bf16), w, 16) + np.float32(1)
    return y, want, report


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("key", [0, 1])
def test_vector_and_cube_cores_take_turns(arch, key):
    for blocks in (1, 2, 3, 4):
        for order in ("forward", "reverse", "random:1", "random:2"):
            y, want, report = mixed(arch, key, blocks=blocks, order=order)
            assert report.findings == []
            np.testing.assert_array_equal(y, want)
    assert report.counters["sync_alls"] == (0 if key == 0 else 4 * 3 * 2)
    assert report.counters["cross_flags"] == (5 * 3 if key == 0 else 0)


@pytest.mark.parametrize(("arch", "most"), [(2201, 24), (3510, 32)])
def test_groups_are_no_more_than_the_cube_cores(arch, most):
    (finding,) = mixed(arch, 0, blocks=most + 1)[2].findings
    assert finding[3] == f"blockDim is {most + 1}, wants 1 to {most}, the groups of cube and vector cores that there are"


@pytest.mark.parametrize("arch", ARCHES)
def test_one_vector_core_and_few_rows(arch):
    for rows in (1, 15, 16, 17):
        for kind in ("KERNEL_TYPE_MIX_AIC_1_1", "KERNEL_TYPE_MIX_AIC_1_2"):
            y, want, report = mixed(arch, 0, rows=rows, blocks=2, kind=kind)
            assert report.findings == []
            np.testing.assert_array_equal(y, want)


def calls(arch, key, a, b, c, m, n, k, mode=0):
    library = harness.build("cube_calls.cpp", "cube_calls", arch)
    tiling = np.frombuffer(struct.pack("<4I", m, n, k, mode), np.uint8).copy()
    args = [("a", a, "in"), ("b", b, "in"), ("c", c, "out"), ("workspace", None, "out"), ("tiling", tiling, "in")]
    report = harness.run(library, args, arch, key)
    assert report.findings == []
    return c


@pytest.mark.parametrize("arch", ARCHES)
def test_calls_by_hand(arch):
    m, n, k = 40, 50, 70
    a, b = data(np.float16, m, k, seed=1), data(np.float16, n, k, seed=2)
    want = groups(a, b.T, 16)
    np.testing.assert_array_equal(calls(arch, 0, a, b, np.zeros((m, n), np.float32), m, n, k), want)
    np.testing.assert_array_equal(calls(arch, 0, a, b, np.zeros((m, n), np.float32), m, n, k, mode=1), np.maximum(want, 0))
    a, b = data(np.float32, m, k, seed=1), data(np.float32, n, k, seed=2)
    np.testing.assert_array_equal(calls(arch, 1, a, b, np.zeros((m, n), np.float32), m, n, k), groups(a, b.T, 8))


@pytest.mark.parametrize("arch", ARCHES)
def test_layouts_in_global_memory(arch):
    m, n, k = 32, 48, 16
    a, b = data(np.float16, m, k, seed=1), data(np.float16, n, k, seed=2)
    size = m * n // 2 + (m + 1) * n
    room = np.zeros(size + 8, np.float32)  # NZ takes an address that is a multiple of 32 bytes
    start = -(room.ctypes.data // 4) % 8
    c = calls(arch, 2, a, b, room[start : start + size], m, n, k)
    want = groups(a, b.T, 16)
    nz = c[: m * n // 2].view(np.float16).reshape(n // 16, m, 16)
    np.testing.assert_array_equal(nz.transpose(1, 0, 2).reshape(m, n), want.astype(np.float16))
    nd = c[m * n // 2 :].reshape(m + 1, n)
    np.testing.assert_array_equal(nd[[*range(16), *range(17, 33)]], want)
    assert np.isnan(nd[16]).all()


@pytest.mark.parametrize("arch", ARCHES)
def test_a_result_as_the_next_operand(arch):
    m, n = 20, 32
    a, b = data(np.float16, m, n, seed=1), data(np.float16, n, n, seed=2)
    first = groups(a, b.T, 16).astype(np.float16)
    np.testing.assert_array_equal(calls(arch, 3, a, b, np.zeros((m, n), np.float32), m, n, n), groups(first, b.T, 16))


@pytest.mark.parametrize("arch", ARCHES)
def test_transposing_loads(arch):
    for m, n, k in [(16, 16, 16), (40, 50, 70), (32, 48, 36)]:
        for kind, key, c0 in ((np.float32, 4, 8), (np.float16, 5, 16)):
            a, b = data(kind, k, m, seed=1), data(kind, k, n, seed=2)
            c = calls(arch, key, a, b, np.zeros((m, n), np.float32), m, n, k)
            np.testing.assert_array_equal(c, groups(a.T, b, c0))


@pytest.mark.parametrize("arch", ARCHES)
def test_bias_unit_flag_and_a_single_row(arch):
    n, k = 50, 100
    a, b = data(np.float16, 1, k, seed=1), data(np.float16, n, k, seed=2)
    c = calls(arch, 6, a, b, np.zeros((1, n), np.float32), 1, n, k)
    first = np.ones((1, n), np.float32)
    for _ in range(2):
        for i in range(0, k, 16):
            first += groups(a[:, i : i + 16], b[:, i : i + 16].T, 16)
    np.testing.assert_array_equal(c, first)


@pytest.mark.parametrize("dual", [0, 1, 2])
def test_paths_between_vector_and_cube_memory(dual):
    m, n, k, blocks = 64, 64, 48, 3
    x, w = data(np.float16, blocks * m, k, seed=1), data(np.float16, n, k, seed=2)
    library = harness.build("cube_950.cpp", "cube_950", 3510)
    tiling = np.frombuffer(struct.pack("<4I", m, n, k, dual), np.uint8).copy()
    for order in ("forward", "reverse", "random:3"):
        y = np.zeros((blocks * m, n), np.float32)
        args = [("x", x, "in"), ("w", w, "in"), ("y", y, "out"), ("workspace", None, "out"), ("tiling", tiling, "in")]
        report = harness.run(library, args, 3510, blocks=blocks, order=order)
        assert report.findings == []
        np.testing.assert_array_equal(y, groups(x, w.T, 16))
    assert report.counters["paths.ub_to_l1"] == x.nbytes and report.counters["paths.l0c_to_ub"] == y.nbytes
