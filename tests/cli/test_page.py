"""The page of a schedule: self-contained, well-formed, and a view of the very object that --json prints."""

import json
import re
import shutil
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import OPERATORS, SEED

GATED = "TextGatedResidualGrad"
REQUESTS = {
    "vector": (SEED, "--shape", "T=4096,H=2560,G=8", "--dtype", "bfloat16"),
    "float32": (SEED, "--shape", "T=1000,H=4096,G=8", "--dtype", "float32", "--attr", "clamp_limit=7"),
    "cut rows": (SEED, "--shape", "T=100,H=70000"),
    "tiny": (SEED, "--shape", "T=3,H=8"),
    "no rows": (SEED, "--shape", "T=0,H=8"),
    "mixed": (GATED, "--soc", "ascend910b", "--shape", "B=1,S=200,C=4,H=256,R=64"),
    "mixed, no options": (GATED, "--soc", "ascend950", "--shape", "B=1,S=512,C=4,H=2560,R=320", "--without", "gamma,inject"),
    "mixed, in strips": (GATED, "--soc", "ascend950", "--shape", "B=1,S=64,C=4,H=2560,R=640"),
    "mixed, result to UB": (GATED, "--soc", "ascend950", "--shape", "B=1,S=100,C=1,H=48,R=320"),
    "mixed, no rows": (GATED, "--soc", "ascend910b", "--shape", "B=0,S=200,C=4,H=256,R=64"),
    "mixed, many blocks": (GATED, "--soc", "ascend910b", "--shape", "B=100000,S=2000,C=4,H=2560,R=320"),
    "a file": (OPERATORS / "mlp_grad.py", "--soc", "ascend910b", "--shape", "T=3000,K=512,H=512,N=512"),
}


@pytest.fixture
def made(run, tmp_path):
    """made(words) -> the page as an element tree, its text, and the object of --json; both without a run, or both of the same one."""
    def make(words, option="--no-run"):
        data = json.loads(run("schedule", *words, "--json", option).out)
        assert run("schedule", *words, "--html", "page.html", option).status == 0
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        return ElementTree.fromstring(text.partition("<!DOCTYPE html>")[2]), text, data

    return make


def rows_of(page, caption=None, kind=None) -> list[list[str]]:
    """The rows of the first table with that caption or class, as texts."""
    for table in page.iter("table"):
        if caption is None and table.get("class") == kind or caption is not None and (table.findtext("caption") or "").startswith(caption):
            return [["".join(cell.itertext()).strip() for cell in row] for row in table.find("tbody")]
    raise AssertionError(f"no table {caption or kind}")


def number(value) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:g}"


@pytest.mark.parametrize("words", REQUESTS.values(), ids=REQUESTS)
def test_the_page_needs_nothing_beside_it_and_shows_the_object(made, words):
    page, text, data = made(words)
    assert not re.search(r"https?:|//\w|url\(|@import|\bsrc=|\bhref=", text.replace("// Pointing", ""))
    assert json.loads(next(s.text for s in page.iter("script") if s.get("id") == "schedule")) == data
    assert page.find("head/title").text == f"{data['operator']} on {data['soc_version']}"
    traffic = data["traffic"]
    shown = [row[:5] + [row[6]] for row in rows_of(page, kind="traffic")]
    assert shown == [[t["tensor"], t["kind"], t["dtype"], number(t["bytes"]), number(t["read"]), number(t["written"])] for t in traffic["tensors"]]
    working = [s for s in data.get("stages", [data]) if s["lives"]]
    buffers = [t for t in page.iter("table") if t.get("class") == "buffers"]
    assert len(buffers) == len(working) == len([s for s in page.iter("svg") if s.get("aria-label").startswith("memory map")])
    for table, stage in zip(buffers, working):
        cells = [["".join(c.itertext()) for c in row] for row in table.find("tbody")]
        assert cells == [[b["name"], b["dtype"], *(number(b[k]) for k in ("address", "depth", "bytes_per_tile", "bytes"))] for b in stage["buffers"]]
        assert f"{stage['ub_bytes']:,}" in "".join(table.find("tfoot").itertext())
    if "stages" in data:
        operands = lambda t: t["a"] + "^T" * t["transpose_a"] + " @ " + t["b"] + "^T" * t["transpose_b"]
        assert [row[1:] for row in rows_of(page, "Matrix products")] == [
            [p["result"] + " = " + " + ".join(map(operands, p["terms"])), number(p["m"]), number(p["n"]), number(p["k"]), p["walked_with"],
             p["comes_from"], p["goes_to"], f"{p['tile_rows']:,} × {p['tile_columns']:,}", number(p["parts"]), number(p["tiles"]),
             number(p["k_steps"]), number(p["macs"])]
            for p in data["products"]]
        assert [row[:3] for row in rows_of(page, "Workspace")] == [[w["name"], w["dtype"], number(w["bytes"])] for w in data["workspace"]]
        assert [[row[0], row[1], row[4], row[5], row[6], row[7]] for row in rows_of(page, kind="moves")] == [
            [m["stage"], m["tensor"], m["access"], number(m["once"]), number(m["bytes"]), number(m["times"])] for m in traffic["moves"]]


def test_every_value_has_its_place_in_the_map(made):
    page, _, data = made(REQUESTS["float32"])
    figure = next(s for s in page.iter("svg") if s.get("aria-label").startswith("memory map"))
    titles = [t.text for t in figure.iter("title")]
    for life in data["lives"]:
        assert any(t.startswith(f"{life['name']} (") and t.endswith(f"{life['bytes']:,} bytes at {life['address']:,}") for t in titles), life
    limit = max(float(r.get("x")) + float(r.get("width")) for r in figure.iter("rect"))
    assert limit <= float(figure.get("viewBox").split()[2])


@pytest.mark.parametrize("words", [(SEED, "--shape", "T=40,H=512,G=3"), (OPERATORS / "mlp_grad.py", "--soc", "ascend910b", "--shape", "T=300,K=48,H=80,N=64")])
def test_a_run_adds_cycles_and_the_ratio_to_the_roof(made, words):
    page, _, data = made(words, "--run")
    assert data["not_run"] is None and data["cycles"]["total"] > 0
    assert data["roof"]["ratio"] == pytest.approx(data["cycles"]["total"] / data["roof"]["cycles"])
    rows = {row[0]: row for row in rows_of(page, kind="roof")}
    assert rows["run"][2] == f"{data['cycles']['total']:,}" and rows["run"][4] == f"{data['roof']['ratio']:.2f}"
    assert rows[data["roof"]["bound"]][4] == "1.00"
    cores = data["timeline"]["cores"]
    assert len(cores) == data["timeline"]["of_cores"] and {c["core"].split()[0] for c in cores} == ({"AIC", "AIV"} if "stages" in data else {"AIV"})
    assert {(row[0].split()[1], row[1]) for row in rows_of(page, kind="busy")} == {(c["core"].split()[0], p["pipe"]) for c in cores for p in c["pipes"]}
    longest = data["timeline"]["microseconds"] * data["clock_mhz"]
    assert longest == pytest.approx(data["cycles"]["total"], rel=1e-3)
    assert set(data["roof"]["bounds"]) | {"run"} == set(rows)


def test_a_page_without_a_run_says_why(made):
    page, _, data = made((SEED, "--shape", f"T={2**62},H=64"), "--run")
    assert data["cycles"] is None and "do not fit in memory" in data["not_run"]
    assert data["not_run"] in "".join(page.itertext())


def test_names_are_escaped(made, tmp_path):
    name = 'a <b> & "c".py'
    shutil.copy(OPERATORS / "row_norm_grad.py", tmp_path / name)
    page, text, data = made((name, "--shape", "T=5,H=64"))
    assert "<b> &" in page.find(".//p[@class='made']/code").text and "<b> &" not in text
    assert name in data["command"]


def test_a_page_is_replaced_and_another_file_only_when_forced(run, refused, tmp_path):
    words = ("schedule", SEED, "--shape", "T=5,H=64", "--html", "page.html", "--no-run")
    assert run(*words).out == "page.html\n"
    first = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert run(*words[:3], "T=6,H=64", *words[4:]).status == 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8") != first
    (tmp_path / "page.html").write_text("mine")
    assert "--html: got page.html, which is there and is no page of ascgrad" in refused(*words)
    assert (tmp_path / "page.html").read_text() == "mine"
    assert run(*words, "--force").status == 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == first
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("words, says", [
    (("--html", "no/page.html"), "--html: got no/page.html, whose folder does not exist"),
    (("--html", "."), "--html: got ., which is a folder"),
    (("--html", "p.html", "--json"), "--json and --html: got both"),
    (("--force",), "--force: got no --html beside it"),
])
def test_bad_requests(run, words, says):
    ran = run("schedule", SEED, "--shape", "T=5,H=64", "--no-run", *words)
    assert ran.status == 2 and says in ran.err and len(ran.lines) == 1


@pytest.mark.parametrize("name", ["vector", "mixed", "mixed, no options", "mixed, many blocks"])
def test_the_text_has_the_same_figures(run, name):
    text = run("schedule", *REQUESTS[name]).out
    data = json.loads(run("schedule", *REQUESTS[name], "--json").out)
    for stage in data.get("stages", [data]):
        for b in stage["buffers"]:
            assert re.search(rf"^{b['name']} .* {b['address']} +{b['depth']} +{b['bytes_per_tile']} +{b['bytes']} ", text, re.M), b
    if "blocks" in data:
        blocks, tile = data["blocks"], data["cube"]["tile"]
        assert f"{blocks['count']} blocks of {blocks['rows']} rows" in text and f"cube tile {tile['m']} x {tile['n']}" in text
    assert re.search(rf"^in all +{data['traffic']['read']} +{data['traffic']['written']}$", text, re.M)


def test_a_trace_that_has_no_room_for_all_cores_says_so(made):
    page, text, data = made((SEED, "--shape", "T=64,H=8,G=3000"), "--run")
    shown = len(data["timeline"]["cores"])
    assert shown < data["timeline"]["of_cores"] == 64
    assert f"The trace of the run has room for the steps of {shown} of the 64 cores: the one that ends last, then the first ones." in text


@pytest.mark.parametrize("words, said", [(REQUESTS["vector"], "none"), (REQUESTS["mixed"], " bytes, the system part included")])
def test_no_workspace_is_said_once(made, words, said):
    page, _, data = made(words)
    name, value, remark = next(["".join(e.itertext()) for e in div] for div in page.iter("div") if div.findtext("h2") == "workspace")
    assert (value, remark) == ("none", "") if not data["workspace_bytes"] else remark.endswith(said)
