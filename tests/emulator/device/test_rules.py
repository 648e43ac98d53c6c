"""Each rule, broken once: the finding has the right kind and line; kernels that keep the rules have no finding."""

import numpy as np
import pytest

from tests.emulator.device import harness

KERNEL = "rules.cpp"


def run(key, arch=3510, check=True, figures=None):
    x = np.arange(128, dtype=np.float32)
    y = np.zeros(128, np.float32)
    w = np.zeros(128, np.float32)
    tiling = np.uint32([128])
    library = harness.build(KERNEL, "rules", arch)
    args = [("x", x, "in"), ("y", y, "out"), ("workspace", w, "out"), ("tiling", tiling, "in")]
    return harness.run(library, args, arch, key, check=check, figures=figures), x, y


BROKEN = {
    1: "bounds", 2: "bounds", 3: "bounds", 4: "bounds", 5: "bounds", 6: "bounds", 7: "bounds", 8: "bounds", 9: "bounds",
    10: "alignment", 11: "alignment", 12: "alignment", 13: "alignment",
    20: "count", 21: "limit", 22: "mask", 23: "limit", 24: "limit", 25: "limit", 26: "alignment", 27: "limit", 28: "limit",
    30: "api", 31: "api", 32: "api", 35: "alignment",
    40: "overlap", 41: "overlap",
    50: "queue", 51: "queue", 52: "freed", 53: "queue", 54: "queue", 55: "queue", 56: "queue", 57: "queue", 58: "capacity",
    59: "queue", 60: "queue", 61: "queue", 62: "queue",
    70: "event", 71: "event", 72: "event", 73: "event", 74: "event", 75: "api",
    80: "poison", 81: "poison", 82: "poison", 83: "poison", 84: "poison", 85: "poison", 86: "poison", 87: "poison", 88: "poison",
    90: "state", 91: "queue", 92: "crash",
}


@pytest.mark.parametrize("key", BROKEN)
def test_broken(key):
    report = run(key)[0]
    line = harness.marked(KERNEL, f"K{key}")
    assert (BROKEN[key], KERNEL, line) in [f[:3] for f in report.findings], report.findings
    assert all(f[2] in (line, line + (key == 73)) for f in report.findings), report.findings


@pytest.mark.parametrize("key", [33, 34, 36, 37, 38, 39])
def test_broken_on_2201(key):
    report = run(key, arch=2201)[0]
    assert ("api", KERNEL, harness.marked(KERNEL, f"K{key}")) in [f[:3] for f in report.findings]


@pytest.mark.parametrize("key", [36, 37, 38, 39])
def test_3510_has_more(key):
    assert run(key)[0].findings == []


def test_zero_count_is_legal_on_2201():
    assert run(20, arch=2201)[0].findings == []


def test_nothing_broken():
    assert run(0)[0].findings == []
    report, x, y = run(100)
    assert report.findings == []
    want = np.where(x[:100] ** 2 >= 0.5, x[:100] ** 2, 0)
    np.testing.assert_array_equal(y[:100], want)
    assert np.isnan(y[101:]).all()  # never written
    assert y[100] == pytest.approx(want.sum())


def test_messages_say_what_they_got_and_want():
    assert run(58)[0].findings[0][3] == (
        "InitBuffer: 256000 bytes are asked for, 247552 of 253952 in the unified buffer are left")
    assert "bytes 256 to 768 of x are read, which has 512 bytes" in run(4)[0].findings[0][3]
    assert "x is written, which is an input" in run(5)[0].findings[0][3]
    assert "count 100 of float is 400 bytes, which is no multiple of 256" in run(11)[0].findings[0][3]


def test_unchecked_runs_report_bounds_alone():
    assert run(80, check=False)[0].findings == []
    assert run(1, check=False)[0].kinds() == ["bounds"]
    assert run(10, check=False)[0].findings == [] and run(53, check=False)[0].findings == []


def test_inputs_survive_a_write():
    report, x, _ = run(5)
    np.testing.assert_array_equal(x, np.arange(128, dtype=np.float32))
