"""Gather, Scatter, transposes, sorting, interleaving and instructions that convert, against NumPy."""

import numpy as np
import pytest

from tests.emulator.device import harness

CXX = {np.float32: "float", np.float16: "half", np.int32: "int32_t", np.int16: "int16_t", np.uint16: "uint16_t", np.int8: "int8_t"}
ARCHES = [2201, 3510]


def place(key, x, y, z, n=None, repeat=1, mask=0, arch=3510):
    """Runs the instruction of a key over copies of x and y; z is what the destination holds before. Returns z and the report."""
    library = harness.build("rearrange.cpp", "rearrange", arch, [f"TYPE={CXX[x.dtype.type]}"])
    z = z.copy()
    tiling = np.uint32([x.nbytes, y.nbytes, z.nbytes, x.size if n is None else n, repeat, mask])
    report = harness.run(library, [("x", x, "in"), ("y", y, "in"), ("z", z, "inout"), ("tiling", tiling, "in")], arch, key)
    return z, report


def clean(z, report):
    assert report.findings == []
    return z


def data(kind, n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(-100, 100, n).astype(kind) if np.issubdtype(kind, np.integer) else rng.uniform(-4, 4, n).astype(kind)


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_gather(kind, arch):
    a, size = data(kind, 256), np.dtype(kind).itemsize
    lanes = 256 // size
    places = np.random.default_rng(1).integers(0, 250, 256)
    offsets = (places * size).astype(np.uint32)
    zero = np.zeros(256, kind)
    np.testing.assert_array_equal(clean(*place(0, a, offsets, zero, n=100, arch=arch))[:100], a[places[:100]])
    z = clean(*place(1, a, offsets, zero, repeat=2, mask=lanes - 5, arch=arch)).reshape(-1, lanes)
    np.testing.assert_array_equal(z[:2, :-5], a[places + 2][: 2 * lanes].reshape(2, lanes)[:, :-5])
    assert not z[:2, -5:].any()
    z = clean(*place(2, a, offsets, np.zeros(4 * lanes, kind), repeat=2, arch=arch)).reshape(4, lanes)
    bits = np.array([0x5555555555555555 >> i & 1 for i in range(64)] + [0x00ff00ff00ff00ff >> i & 1 for i in range(64)])[:lanes]
    np.testing.assert_array_equal(z[::2], np.where(bits, a[places][: 2 * lanes].reshape(2, lanes), 0))
    assert not z[1::2].any()


@pytest.mark.parametrize("arch", ARCHES)
def test_gather_of_data_blocks(arch):
    a = data(np.uint16, 512)
    blocks = np.random.default_rng(2).permutation(32)[:16]
    z = clean(*place(3, a, (blocks * 32).astype(np.uint32), np.zeros(256, np.uint16), repeat=2, arch=arch))
    np.testing.assert_array_equal(z.reshape(16, 16), a.reshape(-1, 16)[blocks])


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_scatter(kind):
    a, size = data(kind, 128), np.dtype(kind).itemsize
    places = np.random.default_rng(3).permutation(256)[:128]
    offsets = (places * size).astype(np.uint32)
    for key, n, options in ((4, 100, {"n": 100}), (5, 50, {"mask": 50, "repeat": 1})):
        want = np.full(256, 7, kind)
        want[places[:n]] = a[:n]
        np.testing.assert_array_equal(clean(*place(key, a, offsets, np.full(256, 7, kind), **options)), want)


@pytest.mark.parametrize("arch", ARCHES)
def test_transposes_of_16_data_blocks(arch):
    none = np.zeros(8, np.uint32)
    for kind in (np.float16, np.float32):
        a = data(kind, 16 * 32 // np.dtype(kind).itemsize)
        z = clean(*place(6, a, none, np.zeros_like(a), arch=arch))
        np.testing.assert_array_equal(z.reshape(-1, 16), a.reshape(16, -1).T)
    planes = data(np.float16, 16 * 64).reshape(16, 64)  # sixteen planes of 64, so four repeats
    z = clean(*place(6, planes.reshape(-1), none, np.zeros(16 * 64, np.float16), repeat=4, arch=arch))
    np.testing.assert_array_equal(z.reshape(64, 16), planes.T)
    a = data(np.int8, 16 * 32)
    z = clean(*place(7, a, none, np.full(16 * 32, 9, np.int8), arch=arch)).reshape(16, 32)
    np.testing.assert_array_equal(z[:, 16:], a.reshape(16, 32)[:, :16].T)
    assert (z[:, :16] == 9).all()


def pairs(z, kind):
    """Scores and indices of sorted elements."""
    return z.view(np.uint8).reshape(-1, 8)[:, : np.dtype(kind).itemsize].copy().view(kind)[:, 0], z.view(np.uint32).reshape(-1, 2)[:, 1]


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_sort(kind, arch):
    a = np.round(data(kind, 128), 1)  # with ties
    index = np.arange(1000, 1128, dtype=np.uint32)
    out = np.zeros(128 * 8 // np.dtype(kind).itemsize, kind)
    order = lambda values: np.argsort(-values.astype(np.float64), kind="stable")
    scores, indices = pairs(clean(*place(8, a, index, out, repeat=4, arch=arch)), kind)
    for row in range(4):
        rows = slice(32 * row, 32 * row + 32)
        np.testing.assert_array_equal(scores[rows], a[rows][order(a[rows])])
        np.testing.assert_array_equal(indices[rows], index[rows][order(a[rows])])
    scores, indices = pairs(clean(*place(9, a, index, out, arch=arch)), kind)
    np.testing.assert_array_equal(scores, a[order(a)])
    np.testing.assert_array_equal(indices, index[order(a)])
    z = clean(*place(10, a, index, out, arch=arch))
    scores, indices = pairs(z, kind)
    taken = z.view(np.uint16)[-2:]
    assert 32 in taken and taken.sum() < 64  # the instruction stops with the first queue that is empty
    both = order(a[:64])[: taken.sum()]
    np.testing.assert_array_equal(scores[: taken.sum()], a[:64][both])
    np.testing.assert_array_equal(indices[: taken.sum()], index[:64][both])


def test_what_950_adds():
    a, b = data(np.float32, 128), data(np.float32, 128, 1)
    zero = np.zeros(128, np.float32)
    np.testing.assert_array_equal(clean(*place(11, a, b, zero)), np.where(a >= 0, a, a * b))
    np.testing.assert_array_equal(clean(*place(12, a, b, zero)), np.abs(a - b))
    np.testing.assert_allclose(clean(*place(13, a, b, zero)), np.exp((a - b).astype(np.float64)), rtol=1e-6)
    both = np.zeros(256, np.float32)
    woven = np.stack([a, b], 1).reshape(-1)
    np.testing.assert_array_equal(clean(*place(14, a, b, both)), woven)
    np.testing.assert_array_equal(clean(*place(15, woven[:128].copy(), woven[128:].copy(), both)), np.concatenate([a, b]))
    np.testing.assert_array_equal(clean(*place(16, woven, b, both)), np.concatenate([a, b]))
    ints = data(np.int16, 128)
    np.testing.assert_array_equal(clean(*place(31, ints, b, np.zeros(128, np.int16))), ints & 0x55)
    np.testing.assert_array_equal(clean(*place(32, ints, b, np.zeros(128, np.int16))), ints | 0x55)


@pytest.mark.parametrize("arch", ARCHES)
def test_conversions_of_results(arch):
    a, b = data(np.float32, 128), data(np.float32, 128, 1)
    np.testing.assert_array_equal(clean(*place(17, a, b, np.zeros(64, np.float32), arch=arch)).view(np.float16),
                                  np.maximum(a + b, 0).astype(np.float16))
    np.testing.assert_array_equal(clean(*place(18, a, b, np.zeros(64, np.float32), repeat=2, arch=arch)).view(np.float16),
                                  np.maximum(a - b, 0).astype(np.float16))
    h, k = a.astype(np.float16), b.astype(np.float16)
    np.testing.assert_array_equal(clean(*place(19, h, k, np.zeros(64, np.float16), arch=arch)).view(np.int8), np.rint(h * k).astype(np.int8))
    ints = data(np.int16, 256)
    np.testing.assert_array_equal(clean(*place(29, ints, b, np.zeros(256, np.int16), repeat=2, arch=arch)), (ints + 4) >> 3)
    bits = np.array([0x5555555555555555 >> i & 1 for i in range(64)] + [0x00ff00ff00ff00ff >> i & 1 for i in range(64)])
    np.testing.assert_array_equal(clean(*place(30, ints, b, np.zeros(256, np.int16), repeat=2, arch=arch)),
                                  np.where(np.tile(bits, 2), ints << 2, 0))


BROKEN = {20: ("bounds", np.float32, 3510), 21: ("alignment", np.float32, 2201), 22: ("poison", np.float32, 2201), 23: ("overlap", np.float32, 2201),
          24: ("api", np.float32, 2201), 25: ("bounds", np.float16, 3510), 26: ("bounds", np.uint16, 2201), 27: ("limit", np.float32, 3510),
          28: ("api", np.float32, 3510), 41: ("overlap", np.float32, 2201), 42: ("bounds", np.float32, 2201), 43: ("bounds", np.float32, 3510),
          44: ("limit", np.float32, 3510), 45: ("limit", np.int16, 2201), 46: ("limit", np.int16, 3510), 49: ("api", np.float16, 2201),
          50: ("limit", np.float16, 3510), 53: ("api", np.float32, 2201), 55: ("bounds", np.float16, 3510), 56: ("limit", np.float32, 3510)}


@pytest.mark.parametrize("key", BROKEN)
def test_broken(key):
    kind, dtype, arch = BROKEN[key]
    a = data(dtype, 128)
    offsets = np.full(128, a.nbytes - 32, np.uint32) if key == 26 else np.zeros(128, np.uint32)
    report = place(key, a, offsets, np.zeros(256, dtype), n=64, arch=arch)[1]
    assert (kind, "rearrange.cpp", harness.marked("rearrange.cpp", f"K{key}")) in [f[:3] for f in report.findings], report.findings


@pytest.mark.parametrize("key", [11, 14, 4])
def test_what_2201_lacks(key):
    a = data(np.float32, 128)
    report = place(key, a, np.arange(128, dtype=np.uint32) * 4, np.zeros(256, np.float32), arch=2201)[1]
    assert "api" in report.kinds()


def test_poison_travels_with_an_element():
    """Elements beyond what was loaded are undefined: gathering one is fine, storing it is not."""
    a = data(np.float32, 100)
    offsets = np.uint32([4 * 99, 4 * 110] + [0] * 62)
    z, report = place(0, a, offsets, np.zeros(64, np.float32), n=64)
    assert report.kinds() == ["poison"] and "stores element 4 of block 0" in report.findings[0][3]


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int8])
def test_channels_last_and_back(kind, arch):
    plane = 4 * (32 // np.dtype(kind).itemsize // 4)
    images, none = data(kind, 6 * plane).reshape(3, 2, plane), np.zeros(8, np.uint32)
    last = np.ascontiguousarray(images.transpose(0, 2, 1))
    zero = np.zeros(images.size, kind)
    np.testing.assert_array_equal(clean(*place(33, images.reshape(-1), none, zero, arch=arch)), last.reshape(-1))
    np.testing.assert_array_equal(clean(*place(34, last.reshape(-1), none, zero, arch=arch)), images.reshape(-1))


@pytest.mark.parametrize("arch", ARCHES)
def test_copy_in_counter_mode_counts_the_elements_of_a_repeat(arch):
    # asc: Copy; the mask counts the elements of one repeat, repeatTime and the repeat strides hold. 80 floats are ten blocks.
    a = data(np.float32, 8 * 40)
    z = clean(*place(35, a, np.zeros(8, np.uint32), np.zeros(160, np.float32), n=10, mask=80, arch=arch))
    np.testing.assert_array_equal(z, a.reshape(40, 8)[::2].reshape(-1))


@pytest.mark.parametrize("arch", ARCHES)
def test_half_bytes(arch):
    # asc: Cast; the first of two elements is in the lower half of the byte
    a, none = np.linspace(-9, 9, 256).astype(np.float16), np.zeros(8, np.uint32)
    packed = clean(*place(47, a, none, np.zeros(64, np.float16), n=256, arch=arch)).view(np.uint8)
    rounded = np.clip(np.trunc(a.astype(np.float64) + np.copysign(0.5, a)), -8, 7).astype(np.int8)
    np.testing.assert_array_equal(packed, (rounded[::2] & 15 | (rounded[1::2] & 15) << 4).view(np.uint8))
    np.testing.assert_array_equal(clean(*place(48, a, packed.copy(), np.zeros(256, np.float16), repeat=2, arch=arch)), rounded.astype(np.float16))


@pytest.mark.parametrize("arch", ARCHES)
def test_indices_under_a_mask(arch):
    # each repeat goes on where the one before would have ended; what the mask leaves out stays
    z = clean(*place(51, data(np.float16, 128), np.zeros(8, np.uint32), np.full(512, -1, np.float16), repeat=2, arch=arch)).reshape(2, 256)
    bits = np.array([0x5555555555555555 >> i & 1 for i in range(64)] + [0x00ff00ff00ff00ff >> i & 1 for i in range(64)])
    np.testing.assert_array_equal(z[:, :128], np.where(bits, 3 + np.arange(256).reshape(2, 128), -1))
    assert (z[:, 128:] == -1).all()


@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize("arch", ARCHES)
def test_select_by_the_mask_register(kind, arch):
    n = 256 // np.dtype(kind).itemsize
    a, b = data(kind, n), data(kind, n, seed=1)
    np.testing.assert_array_equal(clean(*place(52, a, b, np.zeros(n, kind), arch=arch)), np.minimum(a, b))


@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize("arch", ARCHES)
def test_the_mask_register_is_stored_and_loaded(kind, arch):
    # asc: GetCmpMask, SetCmpMask; another comparison in between leaves no trace
    n = 256 // np.dtype(kind).itemsize
    a, b = data(kind, n), data(kind, n, seed=1)
    z = clean(*place(54, a, b, np.zeros(2 * n, kind), n=n, arch=arch))
    np.testing.assert_array_equal(z[:n], np.minimum(a, b))
    np.testing.assert_array_equal(z[n:].view(np.uint8)[:n // 8], np.packbits(a < b, bitorder="little"))


def test_shifts_keep_the_sign():
    # asc: ShiftLeft; 0xAAAA of int16_t by one bit is 0xD554
    a, none = np.full(64, 0xAAAA, np.uint16).view(np.int16), np.zeros(8, np.uint32)
    bits = np.tile(np.int16([0, 1, 3, 15]), 16)
    left, right = (clean(*place(key, a, bits.view(np.uint32), np.zeros(64, np.int16), n=64)) for key in (39, 40))
    assert left.view(np.uint16)[:4].tolist() == [0xAAAA, 0xD554, 0xD550, 0x8000]
    assert right.view(np.uint16)[:4].tolist() == [0xAAAA, 0xD555, 0xF555, 0xFFFF]


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.int8])
def test_copies_of_several_dimensions(kind):
    a, none = data(kind, 64), np.zeros(8, np.uint32)
    window = a.reshape(8, 8)[:3, :5]
    for key, options in ((36, {"constant_values": 7}), (37, {"mode": "edge"})):
        want = np.pad(window, ((1, 2), (2, 1)), **options)
        np.testing.assert_array_equal(clean(*place(key, a, none, np.zeros(48, kind))).reshape(6, 8), want)
    a = data(kind, 48)
    z = clean(*place(38, a, none, np.zeros(48, kind)))
    np.testing.assert_array_equal(z, a.reshape(2, 3, 4, 2).transpose(3, 2, 1, 0).reshape(-1))


def test_copy_of_bytes_takes_all_256_of_a_repeat():
    a = data(np.int8, 1024)
    z = clean(*place(58, a, np.zeros(8, np.int8), np.full(1024, 9, np.int8), repeat=2, mask=256))
    np.testing.assert_array_equal(z, [*a[:512], *[9] * 512])
    z = clean(*place(58, a, np.zeros(8, np.int8), np.full(1024, 9, np.int8), repeat=2, mask=200)).reshape(4, 256)
    np.testing.assert_array_equal(z[:2, :200], a.reshape(4, 256)[:2, :200])
    assert (z[:2, 200:] == 9).all() and (z[2:] == 9).all()
    z = clean(*place(59, a, np.zeros(8, np.int8), np.full(1024, 9, np.int8), repeat=2)).reshape(4, 256)
    np.testing.assert_array_equal(z[:2, :64], np.where(np.arange(64) % 2 == 0, a.reshape(4, 256)[:2, :64], 9))
    assert (z[:2, 64:] == 9).all() and (z[2:] == 9).all()


def test_compact_blocks_begin_at_a_data_block():
    _, report = place(60, data(np.float32, 64), np.zeros(8, np.float32), np.zeros(64, np.float32))
    assert report.findings[0][:3] == ("alignment", "rearrange.cpp", harness.marked("rearrange.cpp", "K60"))


def test_a_copy_of_five_dimensions_touches_nothing_behind_its_last_element():
    a = data(np.float32, 64)
    z = clean(*place(61, a, np.zeros(8, np.float32), np.zeros(128, np.float32)))
    np.testing.assert_array_equal(z[0:64:2], a[:32])
    assert (z[64:] == 5).all()
