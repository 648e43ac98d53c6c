"""What the command line says of refused calls, of other products, and of sources edited by hand."""

import json
import shutil

import pytest
from click.testing import CliRunner

from compiler.cli import main
from tests.running import SEED, examiner

SMALL = (SEED, "--shape", "T=5,H=33,G=2", "--dtype", "float32")


def ascgrad(*words):
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize("words, line", [
    (("--attr", "clamp_limit=0.0"), "status 561002 in tiling: "),
    (("--attr", "clamp_limit=nan"), "status 561002 in tiling: "),
    (("--without", "grad_weight"), "status 161001 in aclnn: "),
])
def test_refused_calls_are_one_line(words, line):
    done = ascgrad("emulate", *SMALL, *words)
    assert done.exit_code == 2
    text = (done.stdout + done.stderr).strip()
    assert line in text and "\n" not in text and ("clamp_limit" in text or "grad_weight" in text)


def test_refused_calls_as_json():
    done = ascgrad("emulate", *SMALL, "--attr", "clamp_limit=-2", "--json")
    data = json.loads(done.stdout)
    assert done.exit_code == 2 and data["status"] == 561002 and data["phase"] == "tiling" and "clamp_limit" in data["message"]


def test_another_product_only_unlisted(tmp_path):
    from pathlib import Path

    import compiler.products

    text = (Path(compiler.products.__file__).parent / "ascend950.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('name = "ascend950"', 'name = "mine"'), encoding="utf-8")
    shape = ("schedule", SEED, "--shape", "T=100,H=512,G=4", "--soc", str(path))
    refused = ascgrad(*shape)
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1 and "--unlisted" in refused.stderr
    assert ascgrad(*shape, "--unlisted").exit_code == 0


def test_edited_sources(tmp_path):
    """`--sources` runs a directory as it is: right before the edit, wrong after it, and refused when it does not compile."""
    folder = tmp_path / "sources"
    shutil.copytree(examiner().built.directory, folder)
    words = ("emulate", *SMALL, "--attr", "clamp_limit=0.5", "--check", "--sources", str(folder))
    assert ascgrad(*words).exit_code == 0
    kernel = folder / "op_kernel/arch35/swiglu_group_quant_grad.h"
    text = kernel.read_text()
    kernel.write_text(text.replace("Mins(x0Clamped, x0, clampLimit_, count)", "Mins(x0Clamped, x0, 2 * clampLimit_, count)"))
    done = ascgrad(*words)
    assert done.exit_code == 1 and "grad_x: WRONG" in done.stdout
    kernel.write_text(text.replace("Mins(x0Clamped, x0,", "Mins(x0Clamped, x9,"))
    done = ascgrad(*words)
    assert done.exit_code == 1 and "swiglu_group_quant_grad.h:" in done.stderr and "x9" in done.stderr


def test_some_blocks_and_another_order():
    done = ascgrad("emulate", *SMALL, "--blocks", "0,2-3", "--cores", "5", "--order", "random:3", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["counters"]["gm_write_bytes"] == 3 * (2 * 33 * 4 + 4)
