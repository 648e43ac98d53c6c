"""Running the command line, in process where that is enough."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
OPERATORS = ROOT / "tests" / "operators"
SEED = "SwigluGroupQuantGrad"


@dataclass
class Ran:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """Standard error without what long work says of itself."""
        return [line for line in self.err.splitlines() if not line.endswith(" ...")]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """run("emulate", OP, ...) -> status, standard output, standard error; relative paths are in tmp_path."""
    from compiler import library
    from compiler.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(library, "OWN_FILES", [])

    def invoke(*words) -> Ran:
        result = CliRunner().invoke(main, [str(w) for w in words])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert "Traceback" not in result.stderr
        return Ran(result.exit_code, result.stdout, result.stderr)

    return invoke


@pytest.fixture
def refused(run):
    """refused("schedule", ...) -> the one line; status 2 and nothing on standard output."""

    def invoke(*words) -> str:
        ran = run(*words)
        assert ran.status == 2, (ran.out, ran.err)
        assert ran.out == ""
        assert len(ran.lines) == 1, ran.err
        assert ran.lines[0].startswith("ascgrad: ")
        return ran.lines[0].removeprefix("ascgrad: ")

    return invoke


@pytest.fixture(scope="session")
def arrays():
    """Inputs of 5 rows of H = 8 in bfloat16."""
    random = np.random.default_rng(7)
    values = lambda *shape: random.standard_normal(shape).astype(ml_dtypes.bfloat16)
    return {"grad_y": values(5, 8), "x": values(5, 16)}


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    """A generated directory of the seed operator."""
    from compiler.cli import main

    folder = tmp_path_factory.mktemp("generated") / "operator"
    assert CliRunner().invoke(main, ["generate", SEED, "--out", str(folder)]).exit_code == 0
    return folder


@pytest.fixture
def sources(generated, tmp_path):
    """A copy of it to edit."""
    return Path(shutil.copytree(generated, tmp_path / "sources"))
