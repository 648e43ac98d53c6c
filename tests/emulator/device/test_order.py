"""Order among pipes and cores: each pair of kernels differs in the one thing that makes the order."""

import numpy as np
import pytest

from tests.emulator.device import harness

KERNEL = "order.cpp"
VECTOR, CORES, CUBE, MIXED = range(20), range(30, 37), range(40, 44), 50


def run(key, broken=False, arch=3510, defines=(), blocks=1, **options):
    x, y, w = (np.zeros(1024, np.float32) for _ in range(3))
    x[:] = np.arange(1024) % 7
    args = [("x", x, "inout"), ("y", y, "out"), ("workspace", w, "out")]
    library = harness.build(KERNEL, "order", arch, defines)
    return harness.run(library, args, arch, 2 * key + broken, blocks=blocks, **options).findings


def line(mark):
    text = (harness.HERE / "kernels" / KERNEL).read_text().splitlines()
    return next(number for number, line in enumerate(text, 1) if mark in line.partition("// ")[2].split())


def options(key):
    """What a pair needs: several cores, a cube core, the device compiler's flags left out."""
    if key in (11, 12, 19):
        return {"auto_sync": False}
    return {"blocks": 3} if key in CORES else {"defines": ["CUBE"]} if key in CUBE or key == MIXED else {}


def pairs(keys):
    only_one = {12: [2201], 32: [3510], 35: [3510]}  # V after V is in order on 3510; a wait holds all pipes on 2201
    return [(key, arch) for key in keys for arch in only_one.get(key, [3510, 2201])]


@pytest.mark.parametrize(("key", "arch"), pairs([*VECTOR, *CORES, *CUBE, MIXED]))
def test_order_that_is_kept_is_no_finding(key, arch):
    assert run(key, arch=arch, **options(key)) == []


@pytest.mark.parametrize(("key", "arch"), pairs([*VECTOR, *CORES, *CUBE, MIXED]))
def test_what_is_left_out_is_found(key, arch):
    findings = run(key, broken=True, arch=arch, **options(key))
    assert ("hazard", KERNEL, line(f"K{key}")) in [f[:3] for f in findings], findings
    assert all(f[0] == "hazard" for f in findings), findings
    assert any(f"{KERNEL}:{line(f'F{key}')}" in f[3] for f in findings if f[2] == line(f"K{key}")), findings


@pytest.mark.parametrize("key", [*CORES, MIXED])
@pytest.mark.parametrize("order", ["reverse", "random:1", "random:2"])
def test_the_order_of_the_cores_changes_no_verdict(key, order):
    for broken in (False, True):
        assert run(key, broken, order=order, **options(key)) == run(key, broken, **options(key))


def test_a_hazard_names_both_lines_both_pipes_and_the_bytes():
    (finding,) = run(3, broken=True)
    assert finding[3] == (
        f"DataCopy on PIPE_MTE2 of AIV 0 writes bytes 0 to 256 of VECIN, in the buffer of InitBuffer at {KERNEL}:{line('QUEUE3')}, "
        f"which DataCopy on PIPE_MTE3 reads at {KERNEL}:{line('F3')}: a queue or a flag MTE3_MTE2 has to come between")
    (finding,) = run(30, broken=True, blocks=3)
    assert finding[3] == (
        f"DataCopy on PIPE_MTE3 of AIV 0 writes bytes 0 to 256 of workspace, which DataCopy on PIPE_MTE2 of AIV 2 reads at "
        f"{KERNEL}:{line('F30')}: neither SyncAll nor a flag between the cores orders them")
    (finding,) = run(7, broken=True)
    assert finding[3].endswith("PipeBarrier<PIPE_MTE2> has to come between")


@pytest.mark.parametrize("order", ["forward", "reverse"])
def test_what_two_cores_lack_is_said_before_what_one_core_lacks(order):
    """The flag that would be enough for one core is not for two: whoever sets it has to learn of the other core, too."""
    between, within = run(36, broken=True, blocks=3, order=order)
    assert between[:3] == ("hazard", KERNEL, line("K36")) and within[:3] == ("hazard", KERNEL, line("F36"))
    assert between[3] == (
        f"DataCopy on PIPE_MTE3 of AIV 0 writes bytes 0 to 256 of workspace, which DataCopy on PIPE_MTE2 of AIV 1 reads at "
        f"{KERNEL}:{line('F36')}: neither SyncAll nor a flag between the cores orders them")
    assert within[3].endswith(f"which DataCopy on PIPE_MTE3 writes at {KERNEL}:{line('K36')}: a queue or a flag MTE3_MTE2 has to come between")


@pytest.mark.parametrize("arch", [3510, 2201])
def test_the_device_compiler_orders_what_its_documents_say(arch):
    # V after V, and the scalar unit's accesses to local memory, with V and MTE2 on vector cores; never MTE2 with V.
    assert run(12, True, arch) == run(11, True, arch) == run(19, True, arch) == []
    assert [f[0] for f in run(12, True, arch, auto_sync=False)] == ["hazard"] * (arch == 2201)
    assert [f[0] for f in run(11, True, arch, auto_sync=False)] == ["hazard"]
    assert run(0, True, arch) == run(0, True, arch, auto_sync=False) != []


def test_a_wait_holds_the_whole_core_on_2201():
    assert run(32, True, 2201, blocks=3) == []


def test_without_checks_nothing_is_looked_at():
    assert run(0, broken=True, check=False) == []
