"""Product files: complete, with a source for every figure, and the parts that differ."""

import re
from pathlib import Path

import pytest

from compiler import products

FOLDER = Path(products.__file__).parent


@pytest.mark.parametrize("name", products.names())
def test_same_keys(name):
    """Kernels and emulator ask every product for the same figures."""
    reference = products.flatten(products.load("ascend950"))
    figures = products.flatten(products.load(name))
    paths = {f"rates.paths.{way}" for way in ("l1_to_ub", "ub_to_l1", "l0c_to_ub")}  # of the 950 alone
    assert set(reference) - paths <= set(figures)
    assert figures["name"] == name and not [k for k in figures if k.startswith("variants")]
    assert figures["cores.aiv"] == 2 * figures["cores.aic"]


@pytest.mark.parametrize("name", products.names())
def test_every_figure_has_a_source(name):
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    main = text.split("[variants.")[0].split("[cores]")[1]
    lines = [line for line in main.splitlines() if re.match(r"\w+ = [\d.]+", line)]
    assert len(lines) > 30 and not [line for line in lines if "#" not in line]


@pytest.mark.parametrize("name, memory", [
    ("ascend950", dict(ub=253952, l1=524288, l0a=65536, l0b=65536, l0c=262144)),
    ("ascend910b", dict(ub=196608 - 256, l1=524288 - 256, l0a=65536, l0b=65536, l0c=131072)),
    ("ascend910_93", dict(ub=196608 - 256, l1=524288 - 256, l0a=65536, l0b=65536, l0c=131072)),
])
def test_memories(name, memory):
    figures = products.load(name)["memory"]
    assert {k: figures[k] for k in memory} == memory


@pytest.mark.parametrize("name, version, cores, clock, l2", [
    ("ascend950", None, 32, 1650, 128), ("ascend950", "Ascend950PR_9589", 32, 1650, 128),
    ("ascend950", "Ascend950PR_9579", 28, 1650, 128), ("ascend950", "Ascend950DT_9572", 28, 1650, 128),
    ("ascend950", "Ascend950DT_9582", 32, 1650, 128), ("ascend910b", None, 24, 1800, 192),
    ("ascend910b", "Ascend910B1", 24, 1850, 192), ("ascend910b", "Ascend910B3", 20, 1800, 192),
    ("ascend910b", "Ascend910B4", 20, 1500, 96), ("ascend910_93", None, 24, 1850, 192),
    ("ascend910_93", "Ascend910_9362", 20, 1500, 168), ("ascend910_93", "Ascend910_9381", 24, 1800, 192),
])
def test_parts(name, version, cores, clock, l2):
    product = products.load(name, version)
    assert product["cores"] == {"aic": cores, "aiv": 2 * cores, "clock_mhz": clock}
    assert product["memory"]["l2"] == l2 * 2**20 and product["memory"]["ub"] == products.load(name)["memory"]["ub"]
    assert product["soc_version"] == (version or products.load(name)["soc_version"])


def test_l1_holds_what_l0a_and_l0b_do(tmp_path):
    """Two buffers of each operand that crosses into L1, of the fewest elements of k."""
    text = (FOLDER / "ascend950.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace("\nl1 = 524288", "\nl1 = 131072"), encoding="utf-8")
    assert products.load(tmp_path / "mine.toml")["memory"]["l1"] == 131072
    (tmp_path / "mine.toml").write_text(text.replace("\nl1 = 524288", "\nl1 = 131040"), encoding="utf-8")
    with pytest.raises(products.ProductError, match="mine.toml: memory.l1: got 131040, want at least 131072: memory.l0a and memory.l0b together"):
        products.load(tmp_path / "mine.toml")


def test_a_part_that_does_not_exist():
    with pytest.raises(products.ProductError, match="soc version 'Ascend910B9': want one of Ascend910B2, Ascend910B1"):
        products.load("ascend910b", "Ascend910B9")
