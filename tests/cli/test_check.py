"""`ascgrad check`: one finding a line with file and line, and its exit statuses."""

import json

import pytest


def test_emitted_directory(run, generated):
    ran = run("check", generated)
    assert (ran.status, ran.lines) == (0, [])
    assert ran.out == "SwigluGroupQuantGrad on ascend950: no finding in 13 checks\n"


def test_edited_directory(run, sources):
    tiling = sources / "op_host/swiglu_group_quant_grad_tiling.cpp"
    text = tiling.read_text()
    line = text.split("\n").index("    context->SetScheduleMode(0);") + 1
    tiling.write_text(text.replace("SetScheduleMode(0)", "SetScheduleMode(1)"))
    ran = run("check", "sources")
    finding, count = ran.out.splitlines()
    assert ran.status == 1
    assert finding == (f"sources/op_host/swiglu_group_quant_grad_tiling.cpp:{line}: sync: SetScheduleMode(1): the kernel of ascend950 has no "
                       "barrier of all cores, wants 0")
    assert count == "SwigluGroupQuantGrad on ascend950: 1 finding in 13 checks"


def test_json(run, sources):
    kernel = sources / "op_kernel/arch35/swiglu_group_quant_grad.h"
    kernel.write_text(kernel.read_text().replace("tiling->groups;", "tiling->groupCount;"))
    ran = run("check", "sources", "--json", "--soc", "ascend950")
    data = json.loads(ran.out)
    assert ran.status == 1 and data["holds"] is False and data["operator"] == "SwigluGroupQuantGrad" and data["products"] == ["ascend950"]
    (finding,) = data["findings"]
    assert finding["kind"] == "tiling struct" and finding["file"] == "sources/op_kernel/arch35/swiglu_group_quant_grad.h"
    assert {c["name"]: c["findings"] for c in data["checks"]}["tiling struct"] == 1
    assert data["notes"] == [] and data["cann"] is None


@pytest.mark.parametrize("words, message", [
    (["nowhere"], "DIR: got nowhere, which is no folder, wants an operator directory"),
    (["."], "which has no op_host, wants an operator directory as generate writes it"),
    (["sources", "--soc", "ascend910b"], "--soc: got ascend910b, wants one of ascend950"),
])
def test_refused(refused, sources, words, message):
    assert message in refused("check", *words)
