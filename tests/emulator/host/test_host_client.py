"""A program of a user's own, linked with the runtime; its argument chooses a mistake."""

from pathlib import Path

import pytest

from compiler.emulator.run import run_client

CLIENT = Path(__file__).parent / "fixture_op" / "examples" / "test_aclnn_row_scale_grad.cpp"


def test_a_client_without_mistakes(built):
    status, stdout, stderr, findings = run_client(built, CLIENT)
    assert (status, findings, stderr) == (0, [], "")
    assert stdout == "second aclInit: 100002\nresult 3.000000\nsecond aclFinalize: 100037\n"


@pytest.mark.parametrize(
    "mistake, kind, words",
    [
        ("host_pointer", "bounds", "x is not device memory"),
        ("kind", "acl", "the kind says host"),
        ("small_workspace", "workspace", "got 16 bytes, want"),
        ("twice", "executor", "used before"),
        ("free", "freed", "workspace was freed before the kernel ran"),
        ("no_wait", "order", "1 tasks that no synchronise call waited for"),
        ("host_access", "host_access", "the program touches the aclrtMalloc of 128 bytes, number 1 on the host"),
        ("unused_executor", "executor", "1 executors that no second phase ran"),
    ],
)
def test_mistakes(built, mistake, kind, words):
    result = run_client(built, CLIENT, [mistake])
    assert result.status != 0
    assert any(finding.kind == kind and words in finding.message for finding in result.findings), result
    assert words in result.stderr
    if mistake == "no_wait":
        assert "result nan" in result.stdout or "result -nan" in result.stdout


def test_findings_of_the_kernel_name_file_and_line(built):
    result = run_client(built, CLIENT, order="reverse")
    assert result.status == 1 and "result 3.0" in result.stdout
    assert "stub_entry.cpp:" in result.stderr and ": order: the stub reports" in result.stderr
