"""The wheel, installed into an empty directory and used from another: templates and emulator headers come with it."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SEED = "SwigluGroupQuantGrad"

pytest.importorskip("hatchling", reason="building a wheel needs hatchling")
pytestmark = pytest.mark.xdist_group("wheel")  # one worker builds it


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def ascgrad(wheel, tmp_path_factory):
    """ascgrad("list") -> standard output, from an installation that cannot see the checkout."""
    site, elsewhere = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("elsewhere")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", str(site), str(wheel)]
    done = subprocess.run(pip, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | {"PYTHONPATH": str(site)}

    def run(*words) -> str:
        done = subprocess.run([sys.executable, str(site / "bin" / "ascgrad"), *words], cwd=elsewhere, env=environment,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    where = subprocess.run([sys.executable, "-c", "import compiler, ir; print(compiler.__file__, ir.__file__)"], cwd=elsewhere,
                           env=environment, capture_output=True, text=True)
    assert all(Path(p).is_relative_to(site) for p in where.stdout.split()), where.stdout
    run.folder = elsewhere
    return run


def test_the_wheel_holds_what_the_checkout_holds(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    tracked = [p for top in ("compiler", "ir", "templates") for p in (ROOT / top).rglob("*")
               if p.is_file() and "__pycache__" not in p.parts]
    wanted = {str(p.relative_to(ROOT)) if p.relative_to(ROOT).parts[0] != "templates" else f"compiler/{p.relative_to(ROOT)}"
              for p in tracked}
    assert wanted <= inside, sorted(wanted - inside)
    assert not [p for p in inside if p.startswith(("tests/", "generated/"))]


def test_list_and_version(ascgrad):
    assert SEED in ascgrad("list")
    assert ascgrad("--version").startswith("ascgrad ")


def test_prove(ascgrad):
    assert json.loads(ascgrad("prove", SEED, "--json"))["holds"] is True


def test_generate_gives_what_the_checkout_gives(ascgrad):
    ascgrad("generate", SEED, "--out", "operator")
    made = {str(p.relative_to(ascgrad.folder / "operator")): p.read_bytes()
            for p in (ascgrad.folder / "operator").rglob("*") if p.is_file()}
    kept = ROOT / "generated" / "swiglu_group_quant_grad"
    assert made == {str(p.relative_to(kept)): p.read_bytes() for p in kept.rglob("*") if p.is_file()}


def test_emulate(ascgrad):
    ran = ascgrad("emulate", SEED, "--shape", "T=5,H=8", "--seed", "1", "--check", "--json", "--out", "o.npz")
    assert json.loads(ran)["precision"]["ok"] is True and (ascgrad.folder / "o.npz").is_file()
