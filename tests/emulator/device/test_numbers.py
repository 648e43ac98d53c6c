"""Vector instructions against NumPy."""

import struct

import numpy as np
import pytest

from tests.emulator.device import harness

ml_dtypes = pytest.importorskip("ml_dtypes")
bf16 = ml_dtypes.bfloat16
CXX = {np.float32: "float", np.float16: "half", np.int32: "int32_t", np.int16: "int16_t", bf16: "bfloat16_t"}


def ops(key, x, y=None, out=None, scalar=0.0, mode=0, repeat=1, stride=(1, 1, 1, 8, 8, 8), arch=3510, casts=False):
    """Runs the op of a key; returns the output and the report."""
    kind = x.dtype.type
    defines = ["OPS_CASTS"] if casts else [f"OPS_TYPE={CXX[kind]}"]
    if kind in (np.int32, np.int16, bf16) and not casts:
        defines += ["OPS_INTEGER"] + (["OPS_BF16"] if kind is bf16 else [])
    library = harness.build("ops.cpp", "ops", arch, defines)
    z = out if out is not None else np.zeros(x.shape, x.dtype)
    y = x if y is None else y
    tiling = np.frombuffer(struct.pack("<IIfII6I", x.size, z.nbytes, scalar, mode, repeat, *stride), np.uint8).copy()
    args = [("x", x, "in"), ("y", y, "in"), ("z", z, "out"), ("workspace", None, "out"), ("tiling", tiling, "in")]
    return z, harness.run(library, args, arch, key)


def clean(z, report):
    assert report.findings == []
    return z


def data(kind, n, seed=0, low=-4.0, high=4.0):
    rng = np.random.default_rng(seed)
    if np.issubdtype(kind, np.integer):
        return rng.integers(-1000, 1000, n).astype(kind)
    return rng.uniform(low, high, n).astype(np.float32).astype(kind)


BINARY = {0: np.add, 1: np.subtract, 2: np.multiply, 4: np.maximum, 5: np.minimum}


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int32, bf16])
@pytest.mark.parametrize("n", [1, 100, 1024])
def test_binary(kind, n):
    a, b = data(kind, n), data(kind, n, 1)
    for key, function in BINARY.items():
        if np.issubdtype(kind, np.integer) if kind is not bf16 else False:
            want = function(a, b)
        else:
            want = function(a.astype(np.float32), b.astype(np.float32)).astype(kind)
        np.testing.assert_array_equal(clean(*ops(key, a, b)), want)
    for key, function in {6: np.add, 7: np.multiply, 8: np.maximum, 9: np.minimum}.items():
        want = function(a.astype(np.float32), np.float32(3)).astype(kind)
        np.testing.assert_array_equal(clean(*ops(key, a, scalar=3.0)), want)


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_mask_forms(kind):
    lanes = 256 // np.dtype(kind).itemsize
    a, b = data(kind, 4 * lanes), data(kind, 4 * lanes, 1)
    sum_ = a + b
    z = clean(*ops(10, a, b, mode=lanes - 3, repeat=4)).reshape(4, lanes)
    want = sum_.reshape(4, lanes).copy()
    want[:, lanes - 3:] = 0
    np.testing.assert_array_equal(z, want)
    # The second source's first data block is used for every block and repeat.
    per = 32 // np.dtype(kind).itemsize
    z = clean(*ops(10, a, b, mode=lanes, repeat=4, stride=(1, 1, 0, 8, 8, 0)))
    np.testing.assert_array_equal(z, a + np.tile(b[:per], 4 * lanes // per))
    # Repeats that skip: blocks of stride 2, repeats of stride 16.
    z = clean(*ops(10, a, b, mode=lanes, repeat=2, stride=(2, 2, 2, 16, 16, 16))).reshape(-1, 2, per)
    np.testing.assert_array_equal(z[:, 0], sum_.reshape(-1, 2, per)[:, 0])
    assert not z[:, 1].any()
    z = clean(*ops(11, a, b, repeat=4)).reshape(4, lanes)
    bits = np.array([0x5555555555555555 >> i & 1 for i in range(64)] + [0x00ff00ff00ff00ff >> i & 1 for i in range(64)][: lanes - 64])
    np.testing.assert_array_equal(z, np.where(bits, (a * b).reshape(4, lanes), 0))
    z = clean(*ops(14, a, b, mode=3 * lanes + 5))
    np.testing.assert_array_equal(z, np.where(np.arange(4 * lanes) < 3 * lanes + 5, sum_, 0))


def ulp(got, want):
    want = want.astype(np.float64)
    return np.abs(got.astype(np.float64) - want) / np.spacing(np.abs(want.astype(got.dtype))).astype(np.float64)


def test_functions():
    a, b = data(np.float32, 1000), data(np.float32, 1000, 1, 0.5, 3.0)
    positive = np.abs(a) + np.float32(1e-3)
    wide = data(np.float32, 4000, 2, -87.0, 88.5)
    assert ulp(clean(*ops(100, wide)), np.exp(wide.astype(np.float64))).max() < 0.52
    assert ulp(clean(*ops(101, positive)), np.log(positive.astype(np.float64))).max() < 1
    np.testing.assert_array_equal(clean(*ops(102, positive)), np.sqrt(positive))
    assert ulp(clean(*ops(103, positive)), 1 / np.sqrt(positive.astype(np.float64))).max() <= 0.5
    np.testing.assert_array_equal(clean(*ops(104, a)), np.float32(1) / a)
    np.testing.assert_array_equal(clean(*ops(105, a)), np.abs(a))
    np.testing.assert_array_equal(clean(*ops(106, a)), np.maximum(a, 0))
    np.testing.assert_array_equal(clean(*ops(107, a, scalar=0.25)), np.where(a > 0, a, a * np.float32(0.25)))
    fused = lambda p, q, r: (p.astype(np.float64) * q.astype(np.float64) + r.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(clean(*ops(108, a, b, scalar=1.5)), fused(a, np.float32([1.5]), b))
    np.testing.assert_array_equal(clean(*ops(109, a, b)), fused(a, b, b + np.float32(1)))
    np.testing.assert_array_equal(clean(*ops(110, a, b)), fused(a, b + np.float32(1), b))
    np.testing.assert_array_equal(clean(*ops(111, a, b)), a / b)
    np.testing.assert_array_equal(clean(*ops(112, a)), -a)
    np.testing.assert_array_equal(clean(*ops(113, a, scalar=2.0)), np.float32(2) - a)
    np.testing.assert_array_equal(clean(*ops(114, a, scalar=3.0)), a / np.float32(3))
    np.testing.assert_array_equal(clean(*ops(115, a, b)), a / b[8])
    special = np.float32([np.inf, -np.inf, np.nan, 200, -200, 0, -0.0, 88.8])
    np.testing.assert_array_equal(clean(*ops(100, special)), np.float32([np.inf, 0, np.nan, np.inf, 0, 1, 1, np.inf]))


def test_half_functions():
    a = data(np.float16, 640)
    np.testing.assert_array_equal(clean(*ops(100, a)), np.exp(a.astype(np.float64)).astype(np.float16))
    b = data(np.float16, 640, 1, 0.5, 2.0)
    np.testing.assert_array_equal(clean(*ops(111, a, b)), a / b)


def test_subnormals_are_flushed_on_3510_only():
    x = np.float32([-100.0, -88.0, -87.0])
    assert clean(*ops(100, x))[:2].tolist() == [0, 0]
    assert clean(*ops(100, x, arch=2201))[1] > 0
    assert clean(*ops(116, x))[1] > 0  # the algorithm that keeps them


@pytest.mark.parametrize("arch", [3510, 2201])
@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_compare_select(kind, arch):
    n = 512
    a, b = data(kind, n), data(kind, n, 1)
    b[::5] = a[::5]
    for mode, function in enumerate([np.less, np.greater, np.equal, np.less_equal, np.greater_equal, np.not_equal]):
        np.testing.assert_array_equal(clean(*ops(200, a, b, mode=mode, arch=arch)), np.where(function(a, b), a, b))
        np.testing.assert_array_equal(clean(*ops(201, a, scalar=0.5, mode=mode, arch=arch)), np.where(function(a, kind(0.5)), a, kind(-1)))
    lanes = 256 // np.dtype(kind).itemsize
    first = (a < b)[:lanes]
    np.testing.assert_array_equal(clean(*ops(202, a, b, mode=0, repeat=n // lanes, arch=arch)), np.where(np.tile(first, n // lanes), a, b))


def test_gather_mask():
    a = data(np.float32, 256)
    z = clean(*ops(203, a, scalar=0.0, mode=1))
    kept = a[a > 0]
    assert z[-1] == kept.size
    np.testing.assert_array_equal(z[: kept.size], kept)
    np.testing.assert_array_equal(clean(*ops(204, a, mode=1, repeat=4))[:128], a[::2])
    np.testing.assert_array_equal(clean(*ops(204, a, mode=6, repeat=4))[:64], a[3::4])


def tree(v):
    v = v.copy()
    while v.size > 1:
        v = v[0::2] + v[1::2]
    return v[0]


def repeats(a):
    lanes = 256 // a.itemsize
    padded = np.zeros((a.size + lanes - 1) // lanes * lanes, a.dtype)
    padded[: a.size] = a
    return padded.reshape(-1, lanes)


def sum_2201(a):
    total = None
    for row in repeats(a):
        total = tree(row) if total is None else total + tree(row)
    return total


def sum_3510(a):
    rows = repeats(a)
    if len(rows) == 1:
        return tree(rows[0])
    if len(rows) == 2:
        return tree(rows[0] + rows[1])
    if len(rows) == 3:
        return tree(rows[0] + rows[1] + rows[2])
    if len(rows) == 4:
        return tree((rows[0] + rows[1]) + (rows[2] + rows[3]))
    while len(rows) > 1:
        rows = repeats(np.array([tree(r) for r in rows], a.dtype))
    return tree(rows[0])


@pytest.mark.parametrize("n", [1, 63, 64, 100, 128, 190, 256, 257, 1000, 5000])
def test_sum_order(n):
    a = data(np.float32, n)
    out = lambda: np.zeros(8, np.float32)
    assert clean(*ops(300, a, out=out()))[0] == sum_3510(a)
    assert clean(*ops(300, a, out=out(), arch=2201))[0] == sum_2201(a)
    h = a.astype(np.float16)
    assert clean(*ops(300, h, out=np.zeros(16, np.float16), arch=2201))[0] == sum_2201(h)


def test_reductions():
    lanes, rep = 64, 6
    a = data(np.float32, lanes * rep)
    rows = a.reshape(rep, lanes)
    out = lambda: np.zeros(lanes * rep, np.float32)
    z = clean(*ops(301, a, out=out()))
    assert z[0] == a.max() and z[1:2].view(np.uint32)[0] == a.argmax()
    z = clean(*ops(302, a, out=out(), arch=2201))
    assert z[0] == a.min() and z[1:2].view(np.uint32)[0] == a.argmin()
    masked = np.where(np.arange(lanes) < 50, rows, np.float32(0))
    np.testing.assert_array_equal(clean(*ops(303, a, out=out(), mode=50, repeat=rep))[:rep], [tree(r) for r in masked])
    np.testing.assert_array_equal(clean(*ops(310, a, out=out(), mode=50, repeat=rep))[:rep], [tree(r) for r in masked])
    z = clean(*ops(304, a, out=out(), mode=50, repeat=rep))
    np.testing.assert_array_equal(z[: 2 * rep : 2], rows[:, :50].max(1))
    np.testing.assert_array_equal(z[1 : 2 * rep : 2].view(np.uint32), rows[:, :50].argmax(1))
    np.testing.assert_array_equal(clean(*ops(305, a, out=out(), repeat=rep))[: rep * 8], [tree(r) for r in a.reshape(-1, 8)])
    np.testing.assert_array_equal(clean(*ops(306, a, out=out(), repeat=rep))[: rep * 32], a[0::2] + a[1::2])
    assert clean(*ops(307, a, out=out(), mode=50, repeat=rep))[0] == tree(repeats(np.array([tree(r) for r in masked]))[0])
    np.testing.assert_array_equal(clean(*ops(308, a, out=out(), mode=50, repeat=rep))[:rep], rows[:, :50].min(1))
    np.testing.assert_array_equal(clean(*ops(309, a, out=out(), repeat=rep))[: rep * 8], a.reshape(-1, 8).max(1))
    assert clean(*ops(311, a, out=out(), mode=50, repeat=rep))[0] == rows[:, :50].max()


def test_brcb_duplicate():
    a = data(np.float32, 512)
    np.testing.assert_array_equal(clean(*ops(13, a, repeat=2))[:128], np.repeat(a[:16], 8))
    np.testing.assert_array_equal(clean(*ops(12, a, scalar=2.5)), np.full(512, 2.5, np.float32))
    np.testing.assert_array_equal(clean(*ops(15, a, scalar=3.0)), np.arange(3, 515, dtype=np.float32))
    ints = data(np.int32, 512)
    np.testing.assert_array_equal(clean(*ops(16, ints, scalar=3.0)), ints << 3)
    np.testing.assert_array_equal(clean(*ops(17, ints, scalar=3.0)), ints >> 3)
    np.testing.assert_array_equal(clean(*ops(18, ints, ints[::-1].copy())), ints & ints[::-1])
    np.testing.assert_array_equal(clean(*ops(19, ints)), ~ints)


NONE, RINT, FLOOR, CEIL, ROUND, TRUNC, ODD = range(7)


def cast(key, x, kind, mode, arch=3510):
    return clean(*ops(key, x, out=np.zeros(x.shape, kind), mode=mode, arch=arch, casts=True))


def test_widening_casts():
    bits = np.arange(65536, dtype=np.uint32).astype(np.uint16)
    for piece in bits.reshape(4, -1):
        np.testing.assert_array_equal(cast(0, piece.view(np.float16), np.float32, NONE), piece.view(np.float16).astype(np.float32))
        np.testing.assert_array_equal(cast(1, piece.view(bf16), np.float32, NONE), piece.view(bf16).astype(np.float32))


def test_narrowing_casts():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2**32, 12000, dtype=np.uint64).astype(np.uint32).view(np.float32)
    near = rng.standard_normal(6000).astype(np.float32) * np.float32(2.0) ** rng.integers(-27, 17, 6000).astype(np.float32)
    ties = (rng.integers(0, 2**16, 4000).astype(np.uint32) << 16 | 0x8000).view(np.float32)
    half_ties = (rng.integers(0x38000000 >> 13, 0x47000000 >> 13, 2000).astype(np.uint32) << 13 | 0x1000).view(np.float32)
    x = np.concatenate([x, near, ties, half_ties, np.float32([65504, 65519.99, 65520, 2.0**-25, 2.0**-24, 1.5 * 2.0**-24])])
    x = x[~np.isnan(x)]
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(cast(2, x, np.float16, RINT), x.astype(np.float16))
        np.testing.assert_array_equal(cast(2, x, np.float16, NONE), x.astype(np.float16))
        np.testing.assert_array_equal(cast(3, x, bf16, RINT), x.astype(bf16))
    inside = x[np.abs(x) < 60000]
    down, up = cast(2, inside, np.float16, FLOOR).astype(np.float64), cast(2, inside, np.float16, CEIL).astype(np.float64)
    exact = inside.astype(np.float16).astype(np.float32) == inside
    assert (down <= inside).all() and (up >= inside).all() and (down[exact] == up[exact]).all()
    assert (np.nextafter(down[~exact].astype(np.float16), np.float16(np.inf)).astype(np.float64) == up[~exact]).all()
    toward = cast(2, inside, np.float16, TRUNC).astype(np.float64)
    np.testing.assert_array_equal(toward, np.where(inside > 0, down, up))
    away = cast(2, inside, np.float16, ROUND).astype(np.float64)
    middle = np.abs(inside - down) * 2 == np.abs(up - down)
    assert (np.abs(away)[middle & ~exact] == np.maximum(np.abs(down), np.abs(up))[middle & ~exact]).all()
    odd = cast(2, inside[~exact], np.float16, ODD)
    assert (odd.view(np.uint16) & 1).all()


def test_integer_casts():
    x = np.float32([0.5, 1.5, 2.5, -0.5, -1.5, 2.4, -2.6, 3e9, -3e9, 0.0])
    np.testing.assert_array_equal(cast(4, x, np.int32, RINT)[:7], np.rint(x[:7]))
    np.testing.assert_array_equal(cast(4, x, np.int32, FLOOR)[:7], np.floor(x[:7]))
    np.testing.assert_array_equal(cast(4, x, np.int32, ROUND)[:7], [1, 2, 3, -1, -2, 2, -3])
    np.testing.assert_array_equal(cast(4, x, np.int32, TRUNC)[7:9], [2**31 - 1, -(2**31)])
    np.testing.assert_array_equal(cast(9, x, np.float32, CEIL), np.ceil(x))
    np.testing.assert_array_equal(cast(6, x, np.int64, TRUNC), np.trunc(x).astype(np.int64))
    big = np.int64([2**35 + 2**12 + 2**11, 2**53 + 1, -(2**40) - 2**16, 7, -(2**63)])
    np.testing.assert_array_equal(cast(7, big, np.float32, RINT), big.astype(np.float32))
    assert cast(7, big, np.float32, FLOOR)[0] == 2**35 + 2**12  # the example of the documentation
    assert cast(7, big, np.float32, ROUND)[0] == 2**35 + 2**13
    np.testing.assert_array_equal(cast(8, np.int64([5, 2**31, -(2**40)]), np.int32, NONE), [5, 2**31 - 1, -(2**31)])
    ints = np.int32([2**25 + 3, -7, 2**31 - 1])
    np.testing.assert_array_equal(cast(5, ints, np.float32, RINT), ints.astype(np.float32))
    assert cast(5, ints, np.float32, FLOOR)[0] == 2**25
    np.testing.assert_array_equal(cast(13, np.int16([2**12 + 2, -3]), np.float16, CEIL), np.float16([2**12 + 4, -3]))
    np.testing.assert_array_equal(cast(12, np.uint8([0, 255, 17]), np.float16, NONE), np.float16([0, 255, 17]))
    np.testing.assert_array_equal(cast(11, np.float16([127.5, -1.5, 3.4]), np.int8, RINT), np.int8([127, -2, 3]))
