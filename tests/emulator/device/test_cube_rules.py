"""Each rule of the cube side, broken once: the finding has the right kind and line."""

import numpy as np
import pytest

from tests.emulator.device import harness

KERNEL = "cube_rules.cpp"
M, N, K = 16, 32, 48


def run(key, arch, defines=(), **options):
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((rows, K)).astype(np.float16) for rows in (M, N))
    c = np.zeros((M, N), np.float32)
    args = [("a", a, "in"), ("b", b, "in"), ("c", c, "out"), ("workspace", None, "out"), ("tiling", None, "in")]
    library = harness.build(KERNEL, "cube_rules", arch, defines)
    return harness.run(library, args, arch, key, **options), a, b, c


def line(mark):
    text = (harness.HERE / "kernels" / KERNEL).read_text().splitlines()
    return next(number for number, line in enumerate(text, 1) if mark in line.partition("// ")[2].split())


BROKEN = {
    1: "bounds", 2: "bounds", 3: "limit", 4: "overlap", 5: "alignment", 6: "alignment", 7: "alignment", 8: "limit", 10: "poison",
    11: "poison", 12: "order", 13: "limit", 14: "api", 15: "bounds", 16: "overlap", 17: "limit", 18: "sync", 19: "position",
    20: "position", 21: "capacity", 22: "event", 23: "poison", 24: "poison", 30: "event", 33: "bounds", 34: "poison", 35: "sync",
    40: "deadlock", 41: "sync", 42: "sync", 43: "limit", 44: "sync", 45: "sync", 46: "api", 47: "api", 48: "api", 49: "deadlock",
    51: "deadlock", 53: "sync",
}  # fmt: skip
ONLY = {
    (9, 2201): "api", (25, 2201): "position", (29, 2201): "limit", (52, 2201): "api", (54, 2201): "api",
    (25, 3510): "api", (26, 3510): "limit", (28, 3510): "api", (31, 3510): "overlap", (32, 3510): "api",
}  # fmt: skip


@pytest.mark.parametrize("arch", [3510, 2201])
@pytest.mark.parametrize("key", BROKEN)
def test_broken(key, arch):
    findings = [f[:3] for f in run(key, arch)[0].findings]
    assert (BROKEN[key], KERNEL, line(f"K{key}")) in findings
    allowed = {line(f"K{key}"), *([line("BARRIER")] if key == 49 else [line("OTHER")] if key == 51 else [])}
    assert {f[2] for f in findings} <= allowed, findings


@pytest.mark.parametrize(("key", "arch"), ONLY)
def test_broken_on_one_product(key, arch):
    findings = [f[:3] for f in run(key, arch)[0].findings]
    assert (ONLY[key, arch], KERNEL, line(f"K{key}")) in findings


@pytest.mark.parametrize("arch", [3510, 2201])
def test_nothing_broken(arch):
    report, a, b, c = run(0, arch)
    assert report.findings == []
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32).T, rtol=1e-4, atol=1e-4)
    assert run(50, arch, blocks=3)[0].findings == []
    assert [run(key, 3510)[0].findings for key in (52, 54)] == [[], []]


@pytest.mark.parametrize("order", ["forward", "reverse", "random:1"])
def test_an_operand_in_l1_is_ordered_both_ways(order):
    """Vector cores write it before the cube core reads it, and the next one after it: by flags of the pipes that copy."""
    assert run(57, 3510, order=order)[0].findings == []
    for key in (55, 56):
        findings = run(key, 3510, order=order)[0].findings
        assert {f[0] for f in findings} == {"hazard"} and {f[2] for f in findings} <= {line("LEAVE"), line("TAKE")}
        assert all("MTE3" in f[3] and "MTE1" in f[3] and "of L1" in f[3] for f in findings)


def test_flags_need_the_right_kernel_and_host():
    report = run(41, 3510, ["CUBE_ONLY"])[0]
    assert report.findings == []  # no vector cores, so nothing is set
    report = run(40, 3510, ["CUBE_ONLY"])[0]
    assert report.findings[0][0] == "sync" and "KERNEL_TYPE_MIX_AIC_1_1 or 1_2 does" in report.findings[0][3]
    report = run(50, 3510, schedule=0)[0]
    assert report.findings[0][:3] == ("sync", KERNEL, line("K50")) and "SetScheduleMode(1)" in report.findings[0][3]


@pytest.mark.parametrize("order", ["forward", "reverse", "random:1"])
def test_a_deadlock_says_who_waits_for_whom(order):
    findings = run(51, 3510, order=order, blocks=2)[0].findings
    assert [f[0] for f in findings] == ["deadlock", "deadlock"]
    messages = {f[2]: f[3] for f in findings}
    other, own = line("OTHER"), line("K51")
    assert messages[own] == (
        f"CrossCoreWaitFlag: AIC 0 waits for flag 1 for ever; AIV 0 waits for flag 2 at {KERNEL}:{other}; AIV 1 waits for flag 2 at {KERNEL}:{other}")
    findings = run(49, 3510, order=order)[0].findings
    messages = {f[2]: f[3] for f in findings}
    assert f"AIV 0 waits in SyncAll at {KERNEL}:{line('BARRIER')}" in messages[line("K49")]
    assert messages[line("BARRIER")].endswith(f"cores wait for ever; AIV 0 reached it 1 times, AIC 0 0 times and waits for flag 1 at {KERNEL}:{line('K49')}")


def test_messages_say_what_they_got_and_want():
    def message(key, arch=3510):
        return run(key, arch)[0].findings[0][3]

    assert message(10) == "Mmad: filter holds no defined value at n 27, k 0"
    assert "(m / 16) * (n / 16) is 2: below 10 PipeBarrier<PIPE_M> has to come between" in message(12)
    assert "raised 16 times and not waited for, its counter ends at 15" in message(45)
    assert message(14) == "Fixpipe: quantPre has to be F322F16 for a destination of half"
    assert message(21) == "LocalTensor: bytes 1024 to 66560 are asked for, L0A has 65536"
