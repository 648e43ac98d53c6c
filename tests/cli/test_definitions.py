"""Errors in the user's own file: its line, the expression and a caret under it."""

import re
import unicodedata
from pathlib import Path

import pytest

from compiler import products
from tests.cli.conftest import OPERATORS

ROW_NORM = (OPERATORS / "row_norm_grad.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("old, new, says, expression", [
    ("f.x * f.x", "f.x * f.q", "RowNormGrad has no tensor, attribute or function 'q'", "f.q"),
    ("f.rsqrt(", "f.rsqrrt(", "did you mean rsqrt?", "f.rsqrrt"),
    ("f.x * rstd}", "f.x @ rstd}", "inner dimensions or dtypes differ", "f.x @ rstd"),
    ("f.x * rstd}", 'f.x * rstd + "a"}', "'a': wants a value or a number", 'f.x * rstd + "a"'),
    ("f.x * rstd}", "f.x * rstd / 0 ** -1}", "ZeroDivisionError", "0 ** -1"),
    ("f.x * rstd}", "f.x * rstd if f.x > 0 else f.x}", "f.select(condition, a, b)", "f.x > 0"),
    ("f.x * rstd}", "f.select(f.x > 0 and f.x < 6, f.x, rstd)}", "(a < b) & (b < c)", "f.x > 0 and f.x < 6"),
    ("f.x * rstd}", "max(f.x, rstd)}", "f.max(a, b)", "max(f.x, rstd)"),
    ("f.x * rstd}", "f.x * rstd[0]}", "a value has no parts", "rstd[0]"),
    ("f.x * rstd}", "f.x ** 0.5}", "**: wants a whole power from 1 to 8; f.sqrt(x)", "f.x ** 0.5"),
    ("f.x * rstd}", "__import__('numpy').tanh(f.x)}", "np.tanh: NumPy computes numbers, not values of a graph; write f.tanh(...)",
     "__import__('numpy').tanh(f.x)"),
    ("f.x * rstd}", "__import__('math').tanh(f.x)}", "a value is no number here", "__import__('math').tanh(f.x)"),
    ("f.x * rstd}", "f.matmul(f.x, f.x)}", "matmul(x: TxHxfloat32, x: TxHxfloat32): inner dimensions or dtypes differ; with transpose_b=True they fit",
     "f.matmul(f.x, f.x)"),
    ('{"y": f.x * rstd}', "f.x * rstd", "forward: returns a value, wants a dict of output name -> value", "forward"),
    ('{"y": f.x * rstd}', '{"y": f.x * rstd}, 1', "forward: returns a tuple, wants", "forward"),
    ('{"y": f.x * rstd}', '{"y": 1.0}', "forward: returns a dict whose 'y' is a float, wants", None),
    ('role="output"', 'role="ouput"', "grad_x: got the role 'ouput', wants input or output", "ouput"),
    ('{"y": f.x * rstd}', '{"z": f.x * rstd}', "cotangents: got 'y', wants an output of the forward: z", "y"),
    ('cotangents={"y": "grad_y"}', 'cotangents={"y": "grad_q"}', "cotangents: got 'grad_q', wants one of 'grad_y', 'x'", "grad_q"),
    ('gradients={"grad_x": "x"}', 'gradients={"grad_x": "xx"}', "gradients of grad_x: got 'xx'", "xx"),
    ('"grad_x", "..., H", "T"', '"grad_x", "..., H", "U"', "grad_x: got the dtype 'U', wants T, float32", "U"),
    ('"x", "..., H", "T"', '"x", "..., 2 H", "T"', "dimension '2 H': wants arithmetic", None),
    ('"eps", "float"', '"eps", "double"', "eps: got the type 'double', wants float, int or bool", "double"),
    ('"eps", "float"', '"x", "float"', "x: two tensors or attributes of this name", None),
    ('"eps", "float"', '"double", "float"', "double: is a word of C++", "double"),
    ('like="x"', 'like="xx"', "grad_x: like='xx' is no tensor", "xx"),
    ("def forward(f):", "def forward(f:", "SyntaxError", None),
    ("from ir.interface", "from ir.interfaces", "ModuleNotFoundError", None),
])
def test_the_line_and_the_expression(run, tmp_path, old, new, says, expression):
    assert old in ROW_NORM
    (tmp_path / "mine.py").write_text(ROW_NORM.replace(old, new, 1), encoding="utf-8")
    ran = run("print", "mine.py")
    assert ran.status == 2 and ran.out == ""
    head, source, caret = ran.lines
    number = int(head.removeprefix("ascgrad: mine.py:").split(":")[0])
    line = (tmp_path / "mine.py").read_text(encoding="utf-8").splitlines()[number - 1]
    assert says in head
    assert source.strip() == line.strip()
    if expression:
        columns = "".join(c + "\0" * (unicodedata.east_asian_width(c) in "WF") for c in source)  # as a terminal shows it
        assert columns[caret.index("^"): caret.rindex("^") + 1] == expression


def test_the_innermost_expression_of_the_file_counts(run, tmp_path):
    text = ROW_NORM.replace("def forward(f):", "def square(f, v):\n    return f.pow(v)\n\n\ndef forward(f):", 1)
    (tmp_path / "mine.py").write_text(text.replace("f.x * f.x", "square(f, f.x)", 1), encoding="utf-8")
    ran = run("generate", "mine.py", "--out", "o")
    assert "'pow'" in ran.lines[0] and ran.lines[1].strip() == "return f.pow(v)"
    assert not (tmp_path / "o").exists()


def test_a_file_with_several_operators(run, refused, tmp_path):
    (tmp_path / "mine.py").write_text(ROW_NORM + "\nimport dataclasses\nOTHER = dataclasses.replace(OPERATOR, interface="
                                      "dataclasses.replace(INTERFACE, name='OtherGrad'))\n", encoding="utf-8")
    assert "wants one operator or path.py:name, it has RowNormGrad, OtherGrad" in refused("print", "mine.py")
    for name in ("OTHER", "OtherGrad", "other_grad"):
        assert "other_grad" in run("print", f"mine.py:{name}").out


@pytest.mark.parametrize("forward, says, expression", [
    ("f.concat(*reversed(f.split(f.x * rstd, 2)))", "only outputs are put together from parts", None),
    ("f.x * f.sum(f.sum(f.x), 0)", "a reduction to one number; keep rows or columns", None),
    ("f.x * f.amax(f.x)", "amax: the largest of a row or a column is not available", "amax"),
])
def test_what_later_passes_refuse_names_the_file(run, tmp_path, forward, says, expression):
    (tmp_path / "mine.py").write_text(ROW_NORM.replace("f.x * rstd}", forward + "}", 1), encoding="utf-8")
    ran = run("generate", "mine.py", "--out", "o")
    assert ran.status == 2 and says in ran.lines[0] and ran.lines[0].startswith("ascgrad: mine.py:")
    if expression:
        assert ran.lines[1][ran.lines[2].index("^"): ran.lines[2].rindex("^") + 1] == expression


def test_a_local_variable_that_nothing_uses_does_no_harm(run, tmp_path):
    (tmp_path / "mine.py").write_text(ROW_NORM.replace("f.x * rstd}", "f.x * f.eps}", 1), encoding="utf-8")
    assert run("generate", "mine.py", "--out", "o").status == 0


@pytest.mark.parametrize("command", [("prove",), ("print",), ("generate", "--out", "o"), ("schedule", "--shape", "T=2,H=3,K=4")], ids=lambda c: c[0])
@pytest.mark.parametrize("old, new, says", [
    ('"..., H"', '"..., H*K"', "RowNormGrad: no dimension tells the size of H, K; a tensor with H as a dimension does"),
    ('"..., H"', '"..., H+1"', "dimension 'H+1': wants a product of symbols and integers, such as 2*H"),
    (', like="x"', "", "RowNormGrad: output grad_x names no tensor whose shape it repeats"),
    ("    sizes=", '    style="baroque",\n    sizes=', "RowNormGrad: style is 'baroque', wants 'nn' or 'transformer'"),
    ("    sizes=", "    products=(),\n    sizes=", "products: got none, wants one of 'ascend910_93', 'ascend910b', 'ascend950'"),
    ("    sizes=", '    relations=("H <= Q",),\n    sizes=', "Q is no size and no constant"),
])
def test_what_cannot_be_emitted_is_refused_by_whichever_command_comes_first(run, tmp_path, command, old, new, says):
    (tmp_path / "mine.py").write_text(ROW_NORM.replace(old, new), encoding="utf-8")
    ran = run(command[0], "mine.py", *command[1:])
    assert ran.status == 2 and ran.out == "" and says in ran.lines[0]
    assert not (tmp_path / "o").exists()


def test_a_product_that_a_product_file_alone_has(run, tmp_path):
    """What needs no product, or gets the file, works; the rest names it."""
    text = (products.Path(products.__file__).parent / "ascend950.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace('name = "ascend950"', 'name = "ascend960"'), encoding="utf-8")
    (tmp_path / "mine.py").write_text(ROW_NORM.replace("    sizes=", '    products=("ascend960",),\n    sizes='), encoding="utf-8")
    assert run("print", "mine.py").status == 0
    for words in (("schedule", "mine.py", "--shape", "T=2,H=3"), ("generate", "mine.py", "--out", "o")):
        assert run(*words, "--soc", "mine.toml").status == 0
    for words in (("schedule", "mine.py", "--shape", "T=2,H=3"), ("generate", "mine.py", "--out", "o"), ("verify", "mine.py", "--quick")):
        ran = run(*words)
        assert ran.status == 2 and ran.lines[0].startswith("ascgrad: mine.py:")
        assert ran.lines[0].endswith("products: got 'ascend960', wants one of 'ascend910_93', 'ascend910b', 'ascend950', or its product file with --soc")
        assert ran.lines[1][ran.lines[2].index("^"): ran.lines[2].rindex("^") + 1] == "ascend960"
    ran = run("generate", "mine.py", "--soc", "mine.toml", "--soc", "ascend950", "--out", "both")
    assert ran.status == 2 and "--soc: got ascend950, wants one of ascend960" in ran.lines[0]


def test_the_readme_names_every_function_of_a_forward():
    from ir.builder import Forward

    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    listed = text.partition("`f.x` is the tensor or attribute x")[2].partition("explains them")[0]
    assert set(re.findall(r"`([a-z_]+)`", listed)) == {name for name in dir(Forward) if not name.startswith("_")}
