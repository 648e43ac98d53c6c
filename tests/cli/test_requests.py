"""What the command line refuses: one line that names the parameter, what it got and what it wants; exit status 2."""

import json

import numpy as np
import pytest

from compiler import products
from tests.cli.conftest import OPERATORS, SEED

SMALL = ("--shape", "T=5,H=8", "--seed", "1")


@pytest.mark.parametrize("words, says", [
    (["nope"], "No such command 'nope'"),
    (["list", "x"], "unexpected extra argument"),
    (["print", "nope"], "operator: got 'nope', wants one of swiglu_group_quant_grad, text_gated_residual_grad or path/to/file.py[:name]"),
    (["print", "missing.py"], "got missing.py, which is no file"),
    (["print", OPERATORS / "row_norm_grad.py:other"], "defines no operator 'other', it has RowNormGrad"),
    (["print", SEED, "--stage", "middle"], "'--stage': 'middle' is not one of"),
    (["print", SEED, "--print-after", "nope"], "--print-after: got 'nope', wants one of forward, differentiate"),
    (["prove", SEED, "--latex", "--stop-after", "nope"], "--stop-after: got 'nope'"),
    (["interpret", SEED, *SMALL], "Missing option '--out'"),
    (["interpret", SEED, "--out", "o.npz"], "inputs: got neither --shape nor --inputs"),
    (["interpret", SEED, *SMALL, "--inputs", "i.npz", "--out", "o.npz"], "inputs: got both"),
    (["interpret", SEED, *SMALL, "--out", "no/such/o.npz"], "--out: got no/such/o.npz, whose folder does not exist"),
    (["interpret", SEED, *SMALL, "--out", "."], "--out: got ., which is a folder"),
    (["interpret", SEED, "--inputs", "i.npz", "--out", "./i.npz"], "--out: got ./i.npz, which is the file of --inputs, wants another one"),
    (["interpret", SEED, *SMALL, "--out", "o.npz", "--out-inputs", "o.npz"], "--out-inputs: got o.npz, which is the file of --out"),
    (["emulate", SEED, "--inputs", "i.npz", "--out", "i.npz"], "--out: got i.npz, which is the file of --inputs"),
    (["emulate", SEED, *SMALL, "--trace", "o", "--out", "o"], "--trace: got o, which is the file of --out"),
    (["interpret", SEED, "--shape", "T=5,H=8", "--seed", "-1", "--out", "o.npz"], "'--seed': -1"),
    (["interpret", SEED, *SMALL, "--rounding", "none", "--out", "o.npz"], "'--rounding': 'none' is not one of"),
    (["interpret", SEED, *SMALL, "--without", "grad_weight", "--out", "o.npz"], "grad_weight: is null, wants a tensor"),
    (["schedule", SEED], "--shape: got nothing, wants T=..,H=.., and G=.. for group_index"),
    (["schedule", "TextGatedResidualGrad"], "--shape: got nothing, wants B=..,S=..,H=..,C=..,R=.."),
    (["schedule", SEED, "--shape"], "'--shape' requires an argument"),
    (["schedule", SEED, "--shape", "T="], "--shape: got 'T=', wants NAME=SIZE"),
    (["schedule", SEED, "--shape", "T=5,H=-1"], "--shape: got 'H=-1'"),
    (["schedule", SEED, "--shape", "T=5,T=6,H=1"], "--shape: T is given twice"),
    (["schedule", SEED, "--shape", "T=5"], "--shape: H has no size, wants one for grad_y"),
    (["schedule", SEED, "--shape", "T=5,H=0"], "--shape: H is 0, wants at least 1"),
    (["schedule", SEED, "--shape", "T=5,B=2,H=4"], "--shape: got T beside other leading dimensions"),
    (["schedule", SEED, "--shape", f"T={2**63},H=4"], f"--shape: T is {2**63}, wants at most {2**63 - 1}"),
    (["schedule", SEED, "--shape", f"A={2**62},B=4,H=4"], "rows, wants at most"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--dtype", "int64"], "--dtype: got int64, wants one of float16, bfloat16"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--attr", "limit=1"], "--attr: got limit=1, wants NAME=VALUE with NAME one of clamp_limit"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--attr", "clamp_limit=x"], "clamp_limit: got x, wants a number"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--attr", "clamp_limit=-2"], "clamp_limit: got -2.0, wants -1.0 (off) or"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--attr", "clamp_limit=1", "--attr", "clamp_limit=2"], "clamp_limit is given twice"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--without", "nope"], "--without: got nope, wants one of grad_y, x, weight"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--without", "x"], "--without: got x, which cannot be left out"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--cores", "0"], "'--cores': 0"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--cores", "65"], "--cores: got 65, wants 1 to 64"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--soc", "ascend1"], "--soc: product 'ascend1': want one of ascend"),
    (["schedule", SEED, "--shape", "T=5,H=4", "--soc-version", "Ascend1"], "soc version 'Ascend1': want one of Ascend950PR_9589"),
    (["schedule", OPERATORS / "mlp_grad.py", "--shape", "T=5,K=16,H=16,N=16", "--soc", "ascend910b", "--cores", "25"],
     "--cores: got 25, wants 1 to 24, the cube cores of Ascend910B2"),
    (["schedule", OPERATORS / "row_norm_grad.py", "--shape", "T=5,H=40960"], "--shape: H: got 40960, wants 1 to 4096"),
    (["generate", SEED], "Missing option '--out'"),
    (["generate", SEED, "--out", "o", "--layout", "flat"], "'--layout': 'flat' is not one of"),
    (["generate", SEED, "--out", "o", "--license-header", "none.txt"], "--license-header: none.txt cannot be read"),
    (["emulate"], "wants an operator, or --kernel FILE.cpp"),
    (["emulate", SEED], "inputs: got neither"),
    (["emulate", SEED, *SMALL, "--dtype", "int8"], "--dtype: got int8, wants float16 or bfloat16 or float32"),
    (["emulate", SEED, "--shape", f"T=5,H={10**15}"], "whose tensors do not fit in memory"),
    (["emulate", SEED, "--shape", f"T=5,H={10**18}"], "whose tensors do not fit in memory"),
    (["emulate", SEED, *SMALL, "--order", "sideways"], "--order: got sideways, wants forward, reverse or random:SEED"),
    (["emulate", SEED, *SMALL, "--order", "random:"], "--order: got random:, wants"),
    (["emulate", SEED, *SMALL, "--blocks", "x"], "--blocks: got x, wants a list such as 63 or 0,5-7"),
    (["emulate", SEED, *SMALL, "--blocks", "3-1"], "--blocks: got 3-1, wants a list"),
    (["emulate", SEED, *SMALL, "--blocks", "0-99999999999"], "wants blocks below 64, their number"),
    (["emulate", SEED, *SMALL, "--blocks", "5", "--cores", "5"], "wants blocks below 5"),
    (["emulate", SEED, *SMALL, "--blocks", "0", "--check"], "--check: got --blocks beside it"),
    (["emulate", SEED, *SMALL, "--cores", "65"], "--cores: got 65, wants 1 to 64"),
    (["emulate", SEED, *SMALL, "--strided", "z"], "--strided: got z, wants one of grad_y, x"),
    (["emulate", SEED, *SMALL, "--without", "weight", "--strided", "weight"], "--strided: got weight, which this call does not have"),
    (["emulate", SEED, *SMALL, "--sources", "none"], "--sources: got none, which is no directory"),
    (["emulate", SEED, *SMALL, "--sources", "."], "--sources: got ., which has no op_kernel/swiglu_group_quant_grad*.cpp"),
    (["emulate", SEED, *SMALL, "--out", "no/such/o.npz"], "--out: got no/such/o.npz"),
    (["emulate", SEED, *SMALL, "--trace", "no/such/t.json"], "--trace: got no/such/t.json"),
    (["emulate", SEED, "--client", "none.cpp"], "--client: got none.cpp, which is no file"),
    (["emulate", SEED, "--client", "none.cpp", "--seed", "1"], "--seed: got 1, but with --client the program makes its own"),
    (["verify"], "wants one operator or --all"),
    (["new", "mine"], "new: starting a definition is not in this version yet"),
])
def test_one_line_names_parameter_got_and_wants(refused, words, says):
    assert says in refused(*words)


@pytest.mark.parametrize("change, says", [
    ({"y": None}, "has the key y, SwigluGroupQuantGrad takes grad_y, x, weight"),
    ({"grad_x": None}, "has the key grad_x"),
    ({"x": "float64"}, "x: dtype is float64, wants bfloat16"),
    ({"x": "complex64"}, "x: dtype is complex64"),
    ({"grad_y": ">f4"}, "grad_y: dtype is >f4"),
    ({"x": np.array([["text"]])}, "x: dtype is <U4"),
    ({"x": np.array([None])}, "is no npz file of numeric arrays"),
    ({"x": np.zeros((5, 15))}, "x: dtype is float64"),
    ({"group_index": np.array([3], np.int32)}, "group_index: dtype is int32, wants int64"),
    ({"group_index": np.array([[3]])}, "group_index: rank is 2, wants 1"),
    ({"weight": np.ones(5, np.float32)}, "y_origin: is missing, wants a tensor of shape [..., H] because weight is given"),
])
def test_npz_files_that_do_not_fit(refused, arrays, change, says):
    changed = dict(arrays)
    for name, value in change.items():
        changed[name] = arrays["x"] if value is None else arrays[name].astype(value) if isinstance(value, str) else value
    np.savez("in.npz", **changed)
    assert says in refused("interpret", SEED, "--inputs", "in.npz", "--out", "o.npz")


@pytest.mark.parametrize("content", [None, b"", b"no zip", b"PK\x03\x04 cut off"])
def test_files_that_are_no_npz(refused, content, tmp_path):
    if content is not None:
        (tmp_path / "in.npz").write_bytes(content)
    says = "no such file" if content is None else "is no npz file of numeric arrays"
    for command in ("interpret", "emulate"):
        assert f"in.npz: {says}" in refused(command, SEED, "--inputs", "in.npz", "--out", "o.npz")
    assert not (tmp_path / "o.npz").exists()


def test_a_half_written_npz_is_refused(refused, arrays, tmp_path):
    np.savez("whole.npz", **arrays)
    whole = (tmp_path / "whole.npz").read_bytes()
    (tmp_path / "in.npz").write_bytes(whole[: len(whole) // 2])
    assert "is no npz file" in refused("emulate", SEED, "--inputs", "in.npz")


@pytest.mark.parametrize("option", [("--dtype", "float16"), ("--seed", "1")])
def test_what_an_inputs_file_says_is_not_said_again(refused, arrays, option):
    np.savez("in.npz", **arrays)
    assert f"{option[0]}: got {option[1]}, but the arrays of --inputs say it" in refused("emulate", SEED, "--inputs", "in.npz", *option)


@pytest.mark.parametrize("edit, says", [
    (lambda t: "garbage", "Expected '='"),
    (lambda t: t.replace("ub = 253952", 'ub = "large"'), "memory.ub: got 'large', want a positive number"),
    (lambda t: t.replace("\nrepeat = 255", "\n"), "limits.repeat: got None"),
    (lambda t: t.replace("ub_reserved = 0", "ub_reserved = 999999"), "memory.ub_reserved: got 999999"),
    (lambda t: t.replace('name = "ascend950"', ""), "name: got None, want a text"),
    (lambda t: t.replace('name = "ascend950"', 'name = "mine"'), "--soc: got mine, wants one of ascend950"),
])
def test_product_files_that_do_not_fit(refused, tmp_path, edit, says):
    text = (products.Path(products.__file__).parent / "ascend950.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(edit(text), encoding="utf-8")
    assert says in refused("schedule", SEED, "--shape", "T=5,H=8", "--soc", "mine.toml")


def test_an_architecture_without_kernels_is_refused(refused, tmp_path):
    text = (products.Path(products.__file__).parent / "ascend950.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace("npu_arch = 3510", "npu_arch = 9999"), encoding="utf-8")
    assert "npu_arch of ascend950: got 9999" in refused("generate", SEED, "--soc", "mine.toml", "--out", "o")
    assert not (tmp_path / "o").exists()


def test_json_failures_are_objects_too(run):
    ran = run("emulate", SEED, *SMALL, "--dtype", "int8", "--json")
    data = json.loads(ran.out)
    assert ran.status == 2 and data["status"] is None and data["phase"] == "request" and "--dtype" in data["message"]
    ran = run("schedule", SEED, "--json")
    assert ran.status == 2 and "--shape" in json.loads(ran.out)["error"]


def test_an_internal_error_is_one_line(run, monkeypatch):
    monkeypatch.setattr("compiler.library.operator_names", lambda: 1 / 0)
    ran = run("list")
    assert ran.status == 2 and ran.lines == [
        "ascgrad: internal error, please report it: ZeroDivisionError: division by zero (ASCGRAD_TRACEBACK=1 shows where)"]


def test_inputs_tell_the_attributes_that_are_sizes(run, tmp_path):
    """interpret --out-inputs writes a sample of inputs; the number of channels stands in their shapes."""
    words = ["interpret", "TextGatedResidualGrad", "--rounding", "kernel"]
    assert run(*words, "--shape", "B=1,S=2,C=3,H=16,R=16", "--out", "a.npz", "--out-inputs", "in.npz").status == 0
    assert run(*words, "--inputs", "in.npz", "--out", "b.npz").status == 0
    with np.load(tmp_path / "a.npz") as a, np.load(tmp_path / "b.npz") as b:
        assert a.files == b.files and all(a[n].tobytes() == b[n].tobytes() for n in a.files)
    assert run(*words, "--inputs", "in.npz", "--attr", "channels=4", "--out", "c.npz").status == 2  # what is said counts


def test_sizes_that_a_product_does_not_take(refused):
    call = lambda sizes: refused("schedule", "TextGatedResidualGrad", "--soc", "ascend950", "--shape", f"B=1,S=2,C=4,{sizes}")
    assert "H: got 250, wants a multiple of 16" in call("H=250,R=16")
    assert "H: got H=9600, wants 13*H <= K on ascend950, where K is 62432" in call("H=9600,R=16")
