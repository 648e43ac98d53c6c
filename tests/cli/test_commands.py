"""What each command prints and writes when all is well."""

import json
import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from compiler import products
from compiler.pipeline import PASSES
from ir.text import parse_graph
from tests.cli.conftest import OPERATORS, ROOT, SEED

HEAVY = ("sympy", "numpy", "jinja2", "networkx", "mpmath", "rich", "ml_dtypes")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["list"], ["list", "--json"], ["emulate", "--help"]])
def test_what_must_be_instant_imports_nothing_heavy(words):
    program = (f"import sys\nfrom compiler.cli import main\ntry: main({words!r})\nexcept SystemExit as end: assert not end.code\n"
               f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == "[]" and done.stdout


def test_list(run):
    assert SEED in run("list").out
    operators = json.loads(run("list", "--json").out)["operators"]
    seed = next(o for o in operators if o["name"] == SEED)
    assert seed["snake"] == "swiglu_group_quant_grad" and seed["products"] == ["ascend950"]
    assert seed["inputs"] == ["grad_y", "x", "weight", "y_origin", "group_index"]


def test_either_spelling_and_a_file(run):
    texts = {run("print", name).out for name in (SEED, "swiglu_group_quant_grad")}
    assert len(texts) == 1 and "func.func" in texts.pop()
    assert "row_norm_grad" in run("print", OPERATORS / "row_norm_grad.py").out


@pytest.mark.parametrize("stage", ["forward", "backward"])
def test_printed_graphs_parse(run, stage):
    parse_graph(run("print", SEED, "--stage", stage).out)


def test_prove(run):
    file = OPERATORS / "row_norm_grad.py"
    proof = json.loads(run("prove", file, "--json").out)
    assert proof["operator"] == "RowNormGrad" and proof["holds"] is True and proof["results"]
    assert r"\frac" in run("prove", file, "--latex").out or "\\" in run("prove", file, "--latex").out


def test_a_wrong_documented_formula_ends_with_1(run, tmp_path):
    text = (OPERATORS / "row_norm_grad.py").read_text(encoding="utf-8").replace("d.grad_y - normed", "d.grad_y + normed")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    assert run("prove", "mine.py").status == 1


def test_interpret_writes_float64_or_the_documented_dtypes(run, tmp_path):
    shape = ("--shape", "B=2,S=3,H=8,G=2", "--seed", "3")
    assert run("interpret", SEED, *shape, "--out", "exact.npz", "--out-inputs", "in.npz").status == 0
    assert run("interpret", SEED, *shape, "--rounding", "kernel", "--out", "kernel.npz").status == 0
    exact, kernel = np.load("exact.npz"), np.load("kernel.npz")
    assert {n: (exact[n].shape, exact[n].dtype) for n in exact} == {
        "grad_x": ((2, 3, 16), np.float64), "grad_weight": ((2, 3), np.float64)}
    assert kernel["grad_x"].dtype == "V2" and kernel["grad_weight"].dtype == np.float32
    assert np.allclose(kernel["grad_x"].view(ml_dtypes.bfloat16).astype(float), exact["grad_x"], atol=0.1)
    assert run("interpret", SEED, "--inputs", "in.npz", "--out", "again.npz").status == 0
    assert np.array_equal(np.load("again.npz")["grad_x"], exact["grad_x"])


def test_both_spellings_of_bfloat16(run, arrays):
    np.savez("mine.npz", **arrays)  # NumPy writes ml_dtypes arrays as V2
    with open("other.npz", "wb") as file:
        np.savez(file, **{n: a.view("V2") for n, a in arrays.items()})
    for name in ("mine", "other"):
        assert run("interpret", SEED, "--inputs", f"{name}.npz", "--out", f"{name}_out.npz").status == 0
    assert np.array_equal(np.load("mine_out.npz")["grad_x"], np.load("other_out.npz")["grad_x"])


def test_npz_files_appear_whole_or_not_at_all(run, tmp_path, monkeypatch):
    (tmp_path / "o.npz").write_bytes(b"what was there")
    os.chmod("o.npz", 0o600)
    savez = np.savez

    def full_disk(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full_disk)
    ran = run("interpret", SEED, "--shape", "T=2,H=8", "--out", "o.npz")
    assert ran.status == 2 and ran.lines == ["ascgrad: o.npz: cannot be written: No space left on device"]
    assert (tmp_path / "o.npz").read_bytes() == b"what was there" and os.listdir() == ["o.npz"]
    monkeypatch.setattr(np, "savez", savez)
    assert run("interpret", SEED, "--shape", "T=2,H=8", "--out", "o.npz").status == 0
    assert os.listdir() == ["o.npz"] and os.stat("o.npz").st_mode & 0o777 == 0o600


def test_writing_to_a_device_does_not_replace_it(run):
    assert run("interpret", SEED, "--shape", "T=2,H=8", "--out", os.devnull).status == 0
    assert not os.path.isfile(os.devnull)


def test_schedule_json(run):
    ran = run("schedule", SEED, "--shape", "T=4096,H=2560,G=8", "--dtype", "bfloat16", "--json")
    data = json.loads(ran.out)
    assert ran.status == 0 and ran.lines == [] and ran.out.count("\n") == 1
    assert data["soc_version"] == "Ascend950PR_9589" and data["block_dim"] == 64 and data["ub_bytes"] <= data["ub_limit"]
    assert {"tiling", "buffers", "live_ranges", "split", "workspace_bytes", "cycles", "roof"} <= set(data)
    assert data["tiling"]["totalRows"] == 4096


def test_soc_version_has_its_own_figures(run):
    shape = ("schedule", SEED, "--shape", "T=4096,H=2560", "--json")
    assert json.loads(run(*shape, "--soc-version", "Ascend950PR_9579").out)["block_dim"] == 56
    assert json.loads(run(*shape, "--soc-version", "Ascend950PR_9589").out)["block_dim"] == 64
    assert json.loads(run(*shape, "--cores", "7").out)["block_dim"] == 7


def test_a_product_file_of_the_users_own(run, tmp_path):
    text = (products.Path(products.__file__).parent / "ascend950.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace('name = "ascend950"', 'name = "mine"').replace("aiv = 64", "aiv = 40", 1),
                                        encoding="utf-8")
    words = ("--soc", "mine.toml", "--unlisted")
    assert json.loads(run("schedule", SEED, *words, "--shape", "T=4096,H=512", "--json").out)["block_dim"] == 40
    assert run("generate", SEED, *words, "--out", "o").status == 0
    assert "for mine." in (tmp_path / "o" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [
    ["print", SEED], ["prove", SEED], ["interpret", SEED, "--shape", "T=2,H=8", "--out", "o.npz"], ["verify", SEED, "--quick"],
    ["schedule", SEED, "--shape", "T=2,H=8"], ["generate", SEED, "--out", "o"], ["emulate", SEED, "--shape", "T=2,H=8"],
], ids=lambda words: words[0])
@pytest.mark.parametrize("name", PASSES)
def test_passes_can_be_watched_and_stopped_everywhere(run, tmp_path, words, name):
    ran = run(*words, "--print-after", name, "--stop-after", name)
    assert ran.status == 0 and ran.out.strip(), ran.err
    assert ("func.func" in ran.out) == (name not in ("lower", "schedule"))
    assert not (tmp_path / "o").exists() and not (tmp_path / "o.npz").exists()


def test_programs_do_not_disturb_json(run):
    ran = run("schedule", SEED, "--shape", "T=2,H=8", "--json", "--print-after", "lower")
    json.loads(ran.out)
    assert "compute" in ran.err
