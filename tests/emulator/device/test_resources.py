"""Memory without queues, atomics, slices, scalar functions and debugging."""

import numpy as np
import pytest

from tests.emulator.device import harness

KERNEL = "resources.cpp"
X = np.random.default_rng(4).standard_normal(3 * 87).astype(np.float32)


@pytest.fixture(params=[2201, 3510])
def arch(request):
    return request.param


def run(key, arch=3510, z=None):
    z = np.zeros(3 * 87, np.float32) if z is None else z.copy()
    report = harness.run(harness.build(KERNEL, "resources", arch), [("x", X, "in"), ("z", z, "inout"), ("tiling", None, "in")], arch, key)
    return z, report


def clean(z, report):
    assert report.findings == []
    return z


def test_allocators(arch):
    z = clean(*run(0, arch))
    np.testing.assert_array_equal(z[:128], X[:128])
    assert z[128] == 512
    z, report = run(9, arch)
    np.testing.assert_array_equal(clean(z, report)[:64], X[:64])
    assert z[64] == harness.product(arch)["memory.ub"] - 1024


def test_pools(arch):
    z, report = run(1, arch)
    np.testing.assert_array_equal(clean(z, report)[:192], X[:192])
    assert report.counters["peak.ub"] == 1024  # the second pool is part of the first


@pytest.mark.parametrize("key, function", [(2, np.add), (3, np.maximum), (4, np.minimum)])
def test_atomics(arch, key, function):
    z = clean(*run(key, arch, X[::-1]))
    np.testing.assert_array_equal(z[:64], function(X[::-1][:64], X[:64]))
    np.testing.assert_array_equal(z[64:], X[::-1][64:])


def test_the_type_that_was_set_decides(arch):
    z = clean(*run(5, arch, X[::-1]))
    np.testing.assert_array_equal(z[:64].view(np.int32), X[::-1][:64].view(np.int32) + X[:64].view(np.int32))


def test_slices(arch):
    rows = X.reshape(3, 87)[::2]
    np.testing.assert_array_equal(clean(*run(6, arch))[:96].reshape(2, 48), np.concatenate([rows[:, 16:40], rows[:, 47:71]], axis=1))


def test_scalars_and_printing(arch, capfd):
    z = clean(*run(7, arch))
    assert z[:20].view(np.int64).tolist() == [12, 52, 8, 64, 4, -1, 62, -1, X[:2].view(np.int64)[0], 3]
    assert capfd.readouterr().err == "block 0 of 1: 1.500000\nDumpTensor: desc=7, position=GM, dump_size=2\n[12, 52]\n"


def test_what_a_reduction_came_to(arch):
    z = clean(*run(8, arch))
    assert z[0] == pytest.approx(X[:64].sum(), rel=1e-5)
    if arch == 2201:
        assert z[1] == X[:64].max() and z[2] == X[:64].argmax()


@pytest.mark.parametrize("key, kind", [(20, "api"), (21, "capacity"), (22, "freed"), (23, "crash"), (24, "crash"), (25, "limit"), (26, "api")])
def test_broken(key, kind):
    report = run(key)[1]
    assert (kind, KERNEL, harness.marked(KERNEL, f"K{key}")) in [f[:3] for f in report.findings], report.findings


def test_a_failed_assertion_ends_the_core():
    z, report = run(23)
    assert not z.any() and "assert GetBlockNum() == 2: block 0 stops here" in report.findings[0][3]


def test_a_register_bit_that_changes_no_number_may_be_set():
    assert run(27)[1].findings == []
