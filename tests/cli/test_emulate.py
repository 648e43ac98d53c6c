"""`emulate`: exit statuses, the JSON object, refusals by the emitted code in the user's spelling, sources and clients."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import OPERATORS, SEED

SMALL = ("--shape", "T=5,H=8", "--seed", "1")
FIELDS = ["status", "phase", "message", "findings", "block_dim", "workspace_bytes", "tiling", "counters", "cycles", "roof", "precision"]
COUNTERS = {"gm_read_bytes", "gm_write_bytes", "vector_instructions", "vector_elements", "vector_function_launches", "ub_bytes_loaded",
            "ub_bytes_stored", "cube_macs", "scalar_reads", "barriers", "paths", "peak"}


def test_a_run_that_holds(run):
    ran = run("emulate", SEED, *SMALL, "--check", "--out", "o.npz")
    assert ran.status == 0 and ran.lines == []
    assert "no finding" in ran.out and "grad_x: right" in ran.out and "grad_weight: right" in ran.out
    outputs = np.load("o.npz")
    assert outputs["grad_x"].shape == (5, 16) and outputs["grad_x"].dtype == "V2" and outputs["grad_weight"].dtype == np.float32


def test_outputs_without_an_rms_limit_are_right_without_figures(run):
    ran = run("emulate", str(Path(__file__).parents[1] / "operators/linear_grad.py"), "--shape", "T=0,K=48,N=16", "--seed", "1", "--check")
    assert ran.status == 0 and ran.out.splitlines()[-2:] == ["grad_x: right", "grad_w: right"]


def test_json_is_one_object_with_every_field(run):
    ran = run("emulate", SEED, *SMALL, "--check", "--json")
    data = json.loads(ran.out)
    assert ran.status == 0 and ran.lines == [] and ran.out.count("\n") == 1
    assert list(data) == FIELDS
    assert data["status"] == 0 and data["findings"] == [] and data["block_dim"] == 5
    assert data["tiling"]["totalRows"] == 5 and data["precision"]["ok"] is True
    assert COUNTERS <= set(data["counters"])
    assert json.loads(run("emulate", SEED, *SMALL, "--json").out)["precision"] is None


def test_json_knows_no_infinity(run):
    data = json.loads(run("emulate", SEED, *SMALL, "--attr", "clamp_limit=inf", "--json").out, parse_constant=lambda c: 1 / 0)
    assert data["tiling"]["clampLimit"] is None


@pytest.mark.parametrize("words, line", [
    (["--without", "grad_x"], "status 161001 in aclnn: grad_x: got a null pointer, wants a tensor"),
    (["--without", "grad_weight"], "status 161001 in aclnn: grad_weight: got a null pointer, wants a tensor"),
    (["--attr", "clamp_limit=0"], "status 561002 in tiling: clamp_limit: got 0, wants -1.0 or a value above 0"),
    (["--attr", "clamp_limit=nan"], "status 561002 in tiling: clamp_limit: got nan, wants -1.0 or a value above 0"),
])
def test_the_operator_refuses_in_one_line(run, refused, words, line):
    assert refused("emulate", SEED, *SMALL, *words) == line
    ran = run("emulate", SEED, *SMALL, *words, "--json")
    data = json.loads(ran.out)
    assert ran.status == 2 and list(data) == FIELDS and ran.lines == [f"ascgrad: {line}"]
    assert line == f"status {data['status']} in {data['phase']}: {data['message']}"


@pytest.mark.parametrize("change, line", [
    ({"x": np.float64}, "status 161002 in aclnn: x: got data type DT_DOUBLE"),
    ({"grad_y": np.float32}, "status 161002 in aclnn: x: got data type DT_BF16, wants that of grad_y, which is DT_FLOAT"),
    ({"group_index": np.array([3], np.int32)}, "status 161002 in aclnn: group_index: got data type DT_INT32, wants INT64"),
    ({"group_index": np.array([[3]])}, "status 561002 in tiling: group_index: got shape [1, 1] of rank 2, wants rank 1"),
    ({"x": None}, "status 161001 in aclnn: x: got a null pointer"),
])
def test_inputs_are_judged_by_the_operator(refused, arrays, change, line):
    changed = dict(arrays)
    for name, value in change.items():
        changed[name] = arrays[name].astype(value) if isinstance(value, type) else value
    np.savez("in.npz", **{n: a for n, a in changed.items() if a is not None})
    assert refused("emulate", SEED, "--inputs", "in.npz").startswith(line)


def test_only_an_output_that_holds_is_written(run, tmp_path):
    assert run("emulate", SEED, *SMALL, "--attr", "clamp_limit=0", "--out", "o.npz").status == 2
    assert not (tmp_path / "o.npz").exists()


def test_orders_cores_and_strides_do_not_change_the_bits(run):
    results = []
    for i, words in enumerate((["--order", "forward"], ["--order", "reverse"], ["--order", "random:3"], ["--cores", "2"],
                               ["--strided", "x,grad_x"])):
        assert run("emulate", SEED, *SMALL, *words, "--out", f"{i}.npz").status == 0
        results.append({n: a.tobytes() for n, a in np.load(f"{i}.npz").items()})
    assert all(r == results[0] for r in results)


def test_blocks(run, refused):
    whole = json.loads(run("emulate", SEED, *SMALL, "--json").out)["counters"]["gm_write_bytes"]
    ran = run("emulate", SEED, *SMALL, "--blocks", "0,2-3", "--json")
    assert ran.status == 0 and json.loads(ran.out)["counters"]["gm_write_bytes"] == whole * 3 // 5
    assert refused("emulate", SEED, *SMALL, "--blocks", "5") == "--blocks: got 5, wants at most 4: tiling makes 5 blocks"


def test_blocks_that_wait_for_each_other_run_all_or_not_at_all(run, refused):
    """A sum over rows is made of the parts of all blocks."""
    words = ("emulate", OPERATORS / "scaled_product_grad.py", "--shape", "T=5,H=33", "--dtype", "float32")
    line = refused(*words, "--blocks", "1")
    assert line.startswith("--blocks: got a part of the blocks, wants all of them: SyncAll waits for all blocks (scaled_product_grad.h:")
    assert run(*words, "--blocks", "0-4").status == 0


def test_wrong_numbers_end_with_1(run, sources):
    tile = sources / "op_kernel" / "arch35" / "swiglu_group_quant_grad_tile.h"
    text = tile.read_text(encoding="utf-8")
    assert "Mul(" in text
    tile.write_text(text.replace("Mul(", "Add(", 1), encoding="utf-8")
    ran = run("emulate", SEED, *SMALL, "--sources", "sources", "--check", "--json")
    assert ran.status == 1 and json.loads(ran.out)["precision"]["ok"] is False
    assert run("emulate", SEED, *SMALL, "--sources", "sources").status == 0  # nobody asked for a verdict


@pytest.mark.parametrize("old, new, kind", [
    ("LoadTile(yOriginTile, yOriginGm_[row * columns_ + column], ", "LoadTile(yOriginTile, yOriginGm_[row * columns_ + column + 8], ", "bounds"),
    ("FreeAfterUse(xQueue_, xTile);", "FreeAfterUse(xQueue_, xTile); StoreTile(gradXGm_[0], xTile, 2 * columns_, shape);", "freed"),
    ("StoreTile(gradXGm_[row * (2 * columns_) + column], ", "StoreTile(gradXGm_[column], ", "hazard"),
])
def test_findings_in_helpers_name_the_line_that_calls_them(run, sources, old, new, kind):
    """An edit of the kernel shows in the helpers that all of it calls: the finding says from where."""
    file = sources / "op_kernel" / "arch35" / "swiglu_group_quant_grad.h"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines, 1) if new in line)
    ran = run("emulate", SEED, *SMALL, "--sources", "sources", "--json")
    found = [f for f in json.loads(ran.out)["findings"] if f["kind"] == kind]
    assert ran.status == 1 and len(found) == 1 and found[0]["file"].endswith("_tile.h")
    assert found[0]["called_at"][0] == f"{file}:{number}" and len(found[0]["called_at"]) == 2
    assert f" (called at {file.name}:{number}, from {file.name}:" in run("emulate", SEED, *SMALL, "--sources", "sources").out


@pytest.mark.parametrize("path, old, new", [
    ("op_host/swiglu_group_quant_grad_tiling.cpp", "GRAPH_FAILED", "GRAPH_FAILD"),
    ("op_kernel/arch35/swiglu_group_quant_grad_tile.h", "Mul(", "Mull("),
])
def test_sources_that_do_not_compile_end_with_1_and_lines(run, sources, path, old, new):
    file = sources / path
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    number = next(i for i, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if new in line)
    ran = run("emulate", SEED, *SMALL, "--sources", "sources")
    assert ran.status == 1 and ran.out == ""
    assert all(line.startswith(f"{file}:{number}: ") for line in ran.lines) and ran.lines
    data = json.loads(run("emulate", SEED, *SMALL, "--sources", "sources", "--json").out)
    assert list(data) == FIELDS and data["phase"] == "compile"
    assert {(f["kind"], f["file"], f["line"]) for f in data["findings"]} == {("compile", str(file), number)}


def test_clients(run, generated, tmp_path):
    example = (generated / "examples" / "test_aclnn_swiglu_group_quant_grad.cpp").read_text(encoding="utf-8")
    (tmp_path / "main.cpp").write_text(example, encoding="utf-8")
    ran = run("emulate", SEED, "--client", "main.cpp", "--sources", generated)
    assert ran.status == 0 and "gradX[0] = " in ran.out and ran.lines == []
    (tmp_path / "fails.cpp").write_text('#include <cstdio>\nint main() { puts("hello"); return 3; }\n')
    ran = run("emulate", SEED, "--client", "fails.cpp", "--sources", generated)
    assert (ran.status, ran.out, ran.lines) == (1, "hello\n", ["ascgrad: fails.cpp: exit status 3"])
    data = json.loads(run("emulate", SEED, "--client", "fails.cpp", "--sources", generated, "--json").out)
    assert data == {"status": 3, "stdout": "hello\n", "stderr": "", "findings": []}
    (tmp_path / "wrong.cpp").write_text("int main() { return missing; }\n")
    ran = run("emulate", SEED, "--client", "wrong.cpp", "--sources", generated)
    assert ran.status == 1 and ran.lines == [f"{tmp_path / 'wrong.cpp'}:1: 'missing' was not declared in this scope"]


# -- cycles ------------------------------------------------------------------------------------------------------------


def test_json_says_the_cycles_and_the_roof(run):
    ran = run("emulate", SEED, *SMALL, "--json")
    data = json.loads(ran.out)
    cycles, roof = data["cycles"], data["roof"]
    assert set(cycles["aiv"]) == {"S", "V", "MTE2", "MTE3"} and all(0 < busy < cycles["total"] for busy in cycles["aiv"].values())
    assert cycles["gm_bytes"] == data["counters"]["gm_read_bytes"] + data["counters"]["gm_write_bytes"]
    assert roof["bound"] == "hbm" and roof["cycles"] == roof["bounds"]["hbm"] and roof["ratio"] == cycles["total"] / roof["cycles"] > 1
    text = run("emulate", SEED, *SMALL).out
    assert f"modelled {cycles['total']} cycles; roof {roof['cycles']:.0f} (hbm), ratio {roof['ratio']:.2f}" in text
    known = json.loads(run("schedule", SEED, "--shape", "T=5,H=8", "--json").out)
    assert known["roof"] == {"cycles": roof["cycles"], "bound": "hbm", "bounds": roof["bounds"]}


def test_a_part_of_the_blocks_has_no_ratio(run):
    data = json.loads(run("emulate", SEED, *SMALL, "--blocks", "0", "--json").out)
    assert data["cycles"]["total"] > 0 and data["roof"] is None


def test_a_run_without_work_has_cycles_and_no_ratio(run):
    data = json.loads(run("emulate", SEED, "--shape", "T=0,H=8", "--seed", "1", "--json").out)
    assert data["status"] == 0 and (data["roof"] is None or data["roof"]["ratio"] is None)


def test_a_product_file_with_another_rate(run, tmp_path):
    """Half the bytes per second at HBM: the roof doubles, the run gets longer."""
    from compiler import products

    text = (products.Path(products.__file__).parent / "ascend950.toml").read_text()
    (tmp_path / "half.toml").write_text(text.replace("hbm_bytes_per_second = 1.6e12", "hbm_bytes_per_second = 0.8e12"))
    wide = ("--shape", "T=128,H=512", "--seed", "1")
    full, half = (json.loads(run("emulate", SEED, *wide, "--soc", soc, "--json").out) for soc in ("ascend950", "half.toml"))
    assert half["roof"]["cycles"] == 2 * full["roof"]["cycles"] and half["cycles"]["total"] > full["cycles"]["total"]
    (tmp_path / "none.toml").write_text(text.replace("vector_start = 20", "vector_began = 20"))
    ran = run("emulate", SEED, *wide, "--soc", "none.toml")
    assert ran.status == 2 and "rates.vector_start: got None, want a positive number" in ran.lines[0]


def test_the_trace_shows_every_instruction_in_its_place(run, tmp_path):
    ran = run("emulate", SEED, *SMALL, "--trace", "t.json", "--json")
    data, trace = json.loads(ran.out), json.loads((tmp_path / "t.json").read_text())
    names = {e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"}
    pipes = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
    assert sorted(names.values()) == [f"AIV {i}" for i in range(5)] and set(pipes.values()) == {"S", "V", "MTE2", "MTE3"}
    work = [e for e in trace["traceEvents"] if e.get("cat") == "work"]
    vector = [e for e in work if pipes[e["pid"], e["tid"]] == "V"]
    assert len(vector) == data["counters"]["vector_instructions"]
    exp = next(e for e in vector if e["name"] == "Exp")
    file, line = exp["args"]["at"].rsplit(":", 1)
    assert file == "op_kernel/arch35/swiglu_group_quant_grad.h" and int(line) > 0 and exp["args"]["repeats"] == 1
    moved = sum(e["args"]["bytes"] for e in work if pipes[e["pid"], e["tid"]] in ("MTE2", "MTE3"))
    assert moved == data["cycles"]["gm_bytes"]
    assert any(e["name"] == "wait for MTE2" for e in trace["traceEvents"] if e.get("cat") == "wait")
    assert max(e["ts"] + e["dur"] for e in work) <= data["cycles"]["total"] / trace["otherData"]["clock_mhz"]
    for place in pipes:
        events = sorted((e["ts"], e["dur"]) for e in trace["traceEvents"] if e["ph"] == "X" and (e["pid"], e["tid"]) == place)
        assert all(start + length <= after + 1e-3 for (start, length), (after, _) in zip(events, events[1:]))


def test_the_trace_of_a_long_run_shows_some_cores(run, tmp_path):
    """More steps than a trace takes, since every core reads 3000 counts: the core that ends last and the first ones."""
    ran = run("emulate", SEED, "--shape", "T=64,H=8,G=3000", "--seed", "1", "--trace", "t.json")
    trace = json.loads((tmp_path / "t.json").read_text())
    steps = sum(e.get("cat") == "work" for e in trace["traceEvents"])
    assert ran.status == 0 and trace["otherData"]["cores"] == 64 and 30 < trace["otherData"]["cores_shown"] < 64 and steps <= 100000
    shown = [e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"]
    assert {"AIV 0", "AIV 1", "AIV 2"} <= set(shown) and len(shown) == trace["otherData"]["cores_shown"]
