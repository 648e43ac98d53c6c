"""Each limit, kept and broken: the kernel at the limit has no finding, the one beyond it has one of the right kind and line.

Cross-core flags are in test_cube_rules.py; SyncAll, its kernel types and its counts in test_cores.py.
"""

import numpy as np
import pytest

from tests.emulator.device import harness

KERNEL = "limits.cpp"


def run(key, arch, defines=(), **options):
    x = np.zeros(8, np.float32)
    args = [("x", x, "in"), ("workspace", None, "out"), ("tiling", None, "in")]
    return harness.run(harness.build(KERNEL, "limits", arch, defines), args, arch, key, **options)


def lines(mark):
    text = (harness.HERE / "kernels" / KERNEL).read_text().splitlines()
    return {number for number, line in enumerate(text, 1) if line.endswith(f"// {mark}")}


LIMITS = {  # key beyond the limit: (what is limited, kind of the finding, words of its message); the key before it keeps the limit
    1: ("depth of a queue", "queue", "2 tensors wait already, the queue's depth is 2"),
    3: ("buffers of a TPipe", "queue", "this is buffer 65 of the kernel, at most 64 are allowed"),
    5: ("buffers of queues at a position", "queue", "VECIN have 9 buffers, events suffice for 8"),
    19: ("waits for a flag", "event", "flag 0 was not set"),
    21: ("flags at the end", "event", "flag 5 is still set"),
    23: ("reserved ids", "event", "id 7 is reserved"),
    25: ("tensors never freed", "queue", "FreeTensor is missing"),
    27: ("atomics at the end", "state", "an atomic operation is still in force when the kernel ends"),
    29: ("counter mode at the end", "state", "SetMaskCount is still in force when the kernel ends"),
    31: ("mask at the end", "state", "the mask is still changed when the kernel ends"),
    33: ("elements of a mask", "mask", "65"),
    35: ("repeats", "limit", "256"),
}  # fmt: skip

ON_2201 = {  # where queues hold event ids
    7: ("ids of freed buffers", "event", "FetchEventID: all 8 ids of V_MTE2 are taken, 8 of them by buffers of queues"),
    9: ("ids of queued tensors", "event", "AllocEventID: all 8 ids of MTE2_V are taken, 8 of them by buffers of queues"),
    11: ("ids taken by hand", "event", "FreeTensor: all 8 ids of V_MTE2 are taken, 7 of them by buffers of queues"),
    13: ("ids of a queue of depth 0", "event", "AllocEventID: all 8 ids of V_MTE2 are taken, 8 of them by buffers of queues"),
    15: ("flag of a queue set by hand", "event", "SetFlag<MTE2_V>: flag 0 is set already"),
    17: ("flag set by hand before the queue", "event", "EnQue: flag 0 of MTE2_V, which the queue takes, is set already"),
}  # fmt: skip


@pytest.mark.parametrize("arch", [2201, 3510])
@pytest.mark.parametrize("key", LIMITS, ids=[what for what, _, _ in LIMITS.values()])
def test_limit(key, arch):
    _, kind, words = LIMITS[key]
    assert run(key - 1, arch).findings == []
    findings = run(key, arch).findings
    assert findings[0][0] == kind and words in findings[0][3], findings
    assert {f[2] for f in findings} <= lines(f"K{key}"), findings


@pytest.mark.parametrize("key", ON_2201, ids=[what for what, _, _ in ON_2201.values()])
def test_queues_draw_from_the_ids_of_their_events(key):
    _, kind, words = ON_2201[key]
    assert run(key - 1, 2201).findings == []
    findings = run(key, 2201).findings
    assert findings[0][:3] == (kind, KERNEL, *lines(f"K{key}")) and words in findings[0][3], findings


@pytest.mark.parametrize("key", [7, 9, 11, 13])
def test_vector_cores_of_3510_lock_buffers_and_need_no_ids(key):
    assert [f for f in run(key, 3510).findings if "taken" in f[3]] == []


@pytest.mark.parametrize("arch", [2201, 3510])
def test_a_cube_core_has_five_ids_for_its_operands(arch):
    assert run(50, arch, ["CUBE"]).findings == []
    findings = run(51, arch, ["CUBE"]).findings
    assert findings[0][:3] == ("event", KERNEL, *lines("K51")) and "all 8 ids of M_MTE1 are taken, 5 of them" in findings[0][3]


@pytest.mark.parametrize("arch", [2201, 3510])
def test_flags_that_a_cube_core_keeps_for_the_matmul_library(arch):
    findings = run(53, arch, ["CUBE"]).findings
    assert ("event", KERNEL, *lines("K53")) in [f[:3] for f in findings]
    assert "flag 0 is set already" in findings[-1][3]


def test_zero_is_a_count_on_2201_alone():
    for key in (37, 39):
        assert run(key - 1, 3510).findings == [] and run(key - 1, 2201).findings == []
        findings = run(key, 3510).findings
        assert findings and findings[0][2] in lines(f"K{key}"), findings
        assert run(key, 2201).findings == []


def test_blocks():
    """Without barriers more blocks than cores may be launched, one after another, up to a figure of the product."""
    assert run(0, 3510, blocks=65).findings == []
    assert run(0, 3510, blocks=65535, only=[0]).findings == []
    assert run(0, 3510, blocks=65536, only=[0]).findings[0][3] == "blockDim is 65536, wants 1 to 65535, the blocks that can be launched"
    assert run(0, 3510, blocks=65536, only=[0], figures={"limits.blocks": 65536}).findings == []
