"""Cores, barriers, orders, tiling, counters, sparse memory."""

import ctypes
import mmap
import struct

import numpy as np
import pytest

from tests.emulator.device import harness

KERNEL = "cores.cpp"


def launch(key, blocks=4, skip=99, scale=1.0, offset=0, defines=(), x=None, y=None, w=None, tiling=None, **options):
    x = np.arange(128, dtype=np.float32) if x is None else x
    y = np.zeros(128, np.float32) if y is None else y
    w = np.zeros(blocks * 8, np.float32) if w is None else w
    if tiling is None:
        tiling = np.frombuffer(struct.pack("<QIf", offset, skip, scale), np.uint8).copy()
    library = harness.build(KERNEL, "cores", options.get("arch", 3510), defines)
    way = options.pop("workspace", "out")
    args = [("x", x, "in"), ("y", y, "out"), ("workspace", w, way), ("tiling", tiling, "in")]
    return harness.run(library, args, key=key, blocks=blocks, **options), y


@pytest.mark.parametrize("order", ["forward", "reverse", "random:1", "random:77"])
def test_barrier(order):
    report, y = launch(0, blocks=7, scale=2.0, order=order)
    assert report.findings == []
    np.testing.assert_array_equal(y[:7], 2.0 * np.float32([2, 3, 4, 5, 6, 7, 1]))
    assert report.counters["sync_alls"] == 14


def test_a_missing_barrier_is_found_and_does_not_hang():
    report, _ = launch(0, skip=2)
    assert report.kinds() == ["deadlock"]
    assert "3 of 4 vector cores wait for ever; AIV 0 reached it 2 times, AIV 2 1 times and has ended" in report.findings[0][3]


def test_hard_barrier_needs_a_kernel_type_and_a_schedule_mode():
    report, _ = launch(0, defines=["VECTOR_ONLY"])
    assert report.findings[0][:3] == ("sync", KERNEL, harness.marked(KERNEL, "BARRIER"))
    assert "KERNEL_TYPE_MIX_AIV_1_0" in report.findings[0][3]
    report, _ = launch(0, schedule=0)
    assert "SetScheduleMode(1)" in report.findings[0][3]
    report, _ = launch(0, blocks=8, figures={"cores.aiv": 4.0})
    assert "8 blocks cannot run at once on 4 cores" in report.findings[0][3]


def test_order_shows_a_dependence_on_it():
    assert launch(1)[0].kinds() == ["hazard"]
    report, _ = launch(1, order="reverse")
    assert report.findings[0][:3] == ("poison", KERNEL, harness.marked(KERNEL, "EARLY"))
    assert report.findings[1:] == launch(1)[0].findings


def test_only_some_blocks():
    w = np.zeros(32, np.float32)
    report, y = launch(1, w=w, workspace="inout", only=[1, 3])
    assert report.findings == []
    assert np.isnan(y[[0, 2]]).all() and (y[[1, 3]] == 1).all()


def test_soft_barrier():
    w = np.zeros(32, np.float32)
    report, y = launch(4, w=w, workspace="inout")
    assert report.findings == []
    np.testing.assert_array_equal(y[:4], [1, 2, 3, 0])
    report, _ = launch(4)
    assert report.findings[0][:3] == ("poison", KERNEL, harness.marked(KERNEL, "SOFT"))


def test_mixed_kernel():
    report, y = launch(3, blocks=2, defines=["MIXED"])
    assert report.findings == []
    np.testing.assert_array_equal(y[:4], [2, 112, 202, 312])


def test_tiling_of_another_size_is_found():
    tiling = np.zeros(40, np.uint8)
    report, _ = launch(1, blocks=1, tiling=tiling)
    assert report.kinds() == ["tiling"]
    assert "16 bytes, the host handed over 40" in report.findings[0][3]


def test_wrong_requests_are_refused():
    assert launch(1, blocks=0)[0].kinds() == ["request"]
    assert "architecture" in launch(1, figures={"npu_arch": 2201.0})[0].findings[0][3]


def test_runs_are_repeatable():
    first = launch(0, blocks=7)
    second = launch(0, blocks=7)
    assert first[0] == second[0]
    np.testing.assert_array_equal(first[1], second[1])


def test_copies_and_counters():
    x = np.arange(128, dtype=np.float32)
    report, y = launch(5, blocks=1, scale=2.0, x=x)
    assert report.findings == []
    rows = np.stack([np.concatenate([x[16 * r: 16 * r + 9], [-1] * 3]) for r in range(4)]) * 2
    np.testing.assert_array_equal(y[:64].reshape(4, 16)[:, :12][:3], rows[:3])
    assert y[63] == 1
    np.testing.assert_array_equal(y[64:72], [0, 1] * 4)  # a negative stride reads one block again and again
    np.testing.assert_array_equal(y[72:88], [0, 1, 2, 4, 5, 6, 8, 9, 10, 5, 5, 5, 5, 5, 5, 5])
    c = report.counters
    assert c["paths.gm_to_ub"] == 4 * 36 + 4 * 8 + 3 * 12
    assert c["paths.ub_to_gm"] == 4 * 48 + 4 * 8 + 64
    assert c["paths.ub_to_ub"] == 32 and c["paths.gm_to_scalar"] == 4
    assert c["gm_read_bytes"] == c["paths.gm_to_ub"] + 4 and c["gm_write_bytes"] == c["paths.ub_to_gm"] + 4
    assert c["tiling_bytes"] == 16 and c["barriers"] == 6 and c["scalar_reads"] == 1
    assert c["vector_instructions"] == 1 and c["vector_elements"] == 64
    assert c["ub_bytes_loaded"] == c["ub_bytes_stored"] == 256
    assert c["peak.ub"] == 256 and c["cube_macs"] == 0


def test_sparse_memory_beyond_32_bits():
    """Ranges of 20 GiB of which a few pages are touched."""
    count = 5 << 30
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    MAP_NORESERVE = 0x4000
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
    bases = [libc.mmap(None, count * 4, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0) for _ in range(2)]
    assert all(b not in (None, ctypes.c_void_p(-1).value) for b in bases)
    x, y = (np.frombuffer((ctypes.c_float * count).from_address(b), np.float32) for b in bases)
    offset = (1 << 32) + 12345
    x[offset] = 7
    try:
        report, _ = launch(2, blocks=1, x=x, y=y, offset=offset)
        assert report.findings == []
        assert y[offset] == 8 and y[offset + 8] == 14
    finally:
        for b in bases:
            libc.munmap(b, count * 4)
