"""`ascgrad verify`: what it reports of an operator that holds and of one that does not."""

import json
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from compiler.cli import main
from tests.running import GENERAL

TANH = GENERAL[0]


def ascgrad(*words):
    return CliRunner().invoke(main, list(words))


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """An operator whose precision no kernel meets: the values are right, the limits are not."""
    text = Path(TANH).read_text(encoding="utf-8").replace("Precision(3e-4, 1e-4, 1.02 * 2**-11)", "Precision(3e-4, 0.0, 2**-14)")
    path = tmp_path_factory.mktemp("operators") / "strict.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_operator_that_holds(tmp_path):
    done = ascgrad("verify", TANH, "--quick", "--json", "--junit", str(tmp_path / "report.xml"))
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    proof, product = data["suites"]
    assert data["holds"] and proof["product"] is None and product["product"] == "ascend950"
    assert 10 <= product["cases"] < product["checks"] and product["findings"] == 0
    assert 0 < product["worst_rms_to_limit"] <= 1 and product["failures"] == []
    assert [m["name"] for m in product["modelled"]] == ["small", "medium", "model"]
    assert all(m["cycles"] and m["roof"]["ratio"] > 1 and not m["message"] for m in product["modelled"]), product["modelled"]
    suites = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert [int(s.get("tests")) for s in suites] == [proof["checks"], product["checks"]]
    assert not suites.findall(".//failure")


def test_an_operator_that_does_not_hold(wrong, tmp_path):
    """Each failing case comes with a command that shows the same again."""
    done = ascgrad("verify", str(wrong), "--quick", "--junit", str(tmp_path / "report.xml"))
    assert done.exit_code == 1
    assert "TanhGateGrad, proof: holds" in done.stdout and "checks fail" in done.stdout
    assert re.search(r"modelled cycles over the roof: small \d+\.\d\d \(hbm\), medium \d+\.\d\d \(hbm\), model \d+\.\d\d \(hbm\)", done.stdout)
    command = next(line.strip() for line in done.stdout.splitlines() if line.strip().startswith("$ "))
    again = ascgrad(*shlex.split(command)[2:])
    assert again.exit_code == 1 and "grad_x: WRONG" in again.stdout
    assert ElementTree.parse(tmp_path / "report.xml").getroot().findall(".//failure")


def test_the_default_bounds_are_named_once():
    from compiler.verify import Check, Suite, VerifyReport

    missed = Check("case", 0.0, ("grad_x[0]: pointwise",))
    suites = [Suite("SwishGrad", product, (missed,), by_default=("grad_x",)) for product in ("ascend950", "ascend910b")]
    lines = VerifyReport(tuple(suites)).summary().splitlines()
    assert [line for line in lines if "default" in line] == [
        "SwishGrad: bounds of grad_x are the default of one float32 rounding; Interface(precision=...) sets others (README, Your own operator)"]
    assert "default" not in VerifyReport((Suite("SwishGrad", "ascend950", (missed,)),)).summary()


def test_sources_that_do_not_compile(tmp_path):
    from compiler.verify import verify_product
    from tests.running import examiner, operator
    import shutil

    shutil.copytree(examiner(TANH).built.directory, tmp_path / "sources")
    tiling = tmp_path / "sources/op_host/tanh_gate_grad_tiling.cpp"
    tiling.write_text(tiling.read_text().replace("const int64_t columns =", "const int64_t column ="))
    suite = verify_product(operator(TANH), examiner(TANH).product, quick=True, sources=tmp_path / "sources")
    assert not suite.holds and "tanh_gate_grad_tiling.cpp:" in suite.failures[0].problems[0]


def test_static_checks_are_part_of_it(tmp_path):
    """A schedule mode that the kernel does not need runs well on the emulator; the text shows it."""
    from compiler.check import RULES
    from compiler.verify import static_checks
    from tests.running import examiner
    import shutil

    holds = static_checks(examiner(TANH).built.directory, examiner(TANH).product)
    assert [c.name for c in holds] == [r.title for r in RULES] and all(c.holds for c in holds), holds
    shutil.copytree(examiner(TANH).built.directory, tmp_path / "sources")
    tiling = tmp_path / "sources/op_host/tanh_gate_grad_tiling.cpp"
    tiling.write_text(tiling.read_text().replace("SetScheduleMode(0)", "SetScheduleMode(1)"))
    (failure,) = [c for c in static_checks(tmp_path / "sources", examiner(TANH).product) if not c.holds]
    assert failure.name == "barriers of all cores and the schedule mode agree"
    assert failure.problems[0].startswith(f"{tiling}:") and "has no barrier of all cores" in failure.problems[0]


@pytest.mark.parametrize("words, message", [
    (["verify"], "wants one operator or --all"),
    (["verify", "SwigluGroupQuantGrad", "--all"], "wants one operator or --all"),
    (["verify", "NoSuchGrad"], "NoSuchGrad"),
    (["verify", "SwigluGroupQuantGrad", "--soc", "ascend1"], "ascend1"),
    (["verify", TANH, "--quick", "--junit", "/nowhere/report.xml"], "--junit: got /nowhere/report.xml, whose folder does not exist"),
])
def test_requests_that_cannot_be_served(words, message):
    done = ascgrad(*words)
    assert done.exit_code == 2 and message in done.stderr


@pytest.mark.parametrize("sizes, rows, absent", [
    (dict(C=2, H=32, R=32), 48, ("gamma",)), (dict(C=4, H=16, R=64), 1, ("gamma", "inject")), (dict(C=3, H=48, R=32), 257, ())])
def test_bytes_and_multiply_adds_of_mixed_kernels(sizes, rows, absent):
    """One byte or one multiply-add more or less than the schedule says is a fault."""
    from dataclasses import replace

    from compiler.cases import Case, request_of
    from compiler.emulate import emulator_request
    from compiler.emulator.run import emulate_many
    from compiler.verify import mixed_traffic
    from tests.running import examiner, operator

    name = "TextGatedResidualGrad"
    one, request = examiner(name, "ascend910b"), request_of(operator(name), Case("", (1, rows), sizes, "float16", frozenset(absent)))
    result, = emulate_many(one.built, [emulator_request(request)])
    tiling = one.solve(request)
    assert one.wrong_traffic(request, result, tiling) == []
    for counter, wanted in mixed_traffic(tiling).items():
        for wrong in (wanted - 1, wanted + 1):
            counters = {**result.counters, counter: wrong}
            assert one.wrong_traffic(request, replace(result, counters=counters), tiling) == [f"{counter}: {wrong}, wants {wanted}"]
