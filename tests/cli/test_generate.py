"""Operator directories: the same bytes every time, all of a directory or none, nothing overwritten unasked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, SEED


def contents(folder) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


def test_a_fresh_process_writes_the_same_bytes(generated, tmp_path):
    for seed in ("1", "2"):
        done = subprocess.run([sys.executable, "-m", "compiler.cli", "generate", SEED, "--out", str(tmp_path / seed)],
                              cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert contents(tmp_path / seed) == contents(generated)


def test_a_directory_that_holds_something_is_left_alone(run, refused, tmp_path):
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "mine.txt").write_text("mine")
    assert "o: got a folder that is not empty" in refused("generate", SEED, "--out", "o")
    assert contents("o") == {"mine.txt": b"mine"}
    (tmp_path / "o" / "README.md").write_text("old")
    assert run("generate", SEED, "--out", "o", "--force").status == 0
    assert contents("o")["mine.txt"] == b"mine" and contents("o")["README.md"] != b"old"


@pytest.mark.parametrize("out, says", [("file", "file: got a file, wants a folder"), ("file/o", "file/o: cannot be written"),
                                       ("/proc/none/o", "/proc/none/o: cannot be written")])
def test_places_that_cannot_be_written(refused, tmp_path, out, says):
    (tmp_path / "file").write_text("mine")
    assert says in refused("generate", SEED, "--out", out)
    assert contents(tmp_path) == {"file": b"mine"}


def test_an_interruption_leaves_nothing(run, tmp_path, monkeypatch):
    write, count = Path.write_bytes, []

    def full_disk(self, data):
        count.append(self)
        if len(count) == 10:
            raise OSError(28, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    ran = run("generate", SEED, "--out", "o")
    assert ran.status == 2 and ran.lines == ["ascgrad: o: cannot be written: No space left on device"]
    assert os.listdir() == []


def test_diff_shows_and_writes_nothing(run, sources, tmp_path):
    readme = sources / "README.md"
    assert run("generate", SEED, "--out", "sources", "--diff").out == ""
    readme.write_text(readme.read_text(encoding="utf-8") + "mine\n", encoding="utf-8")
    before = contents(sources)
    ran = run("generate", SEED, "--out", "sources", "--diff")
    assert ran.status == 0 and "--- a/README.md\n+++ b/README.md\n" in ran.out and "\n-mine\n" in ran.out
    assert contents(sources) == before
    ran = run("generate", SEED, "--out", "new", "--diff")
    assert "--- /dev/null\n+++ b/README.md\n" in ran.out and not (tmp_path / "new").exists()


def test_licence_headers(run, generated, tmp_path):
    (tmp_path / "licence.txt").write_text("/*\n * Copyright (c) Somebody.\n */\n")
    assert run("generate", SEED, "--out", "o", "--license-header", "licence.txt").status == 0
    assert list(contents("o")) == list(contents(generated))
    for path, data in contents("o").items():
        text = data.decode()
        if not path.endswith(".json"):
            assert "Copyright (c) Somebody." in text[:300], path
            assert text.count("Made by ascgrad ") == 1, path


def test_the_standalone_layout(run, tmp_path):
    assert run("generate", SEED, "--out", "o", "--layout", "standalone").status == 0
    files = contents("o")
    assert {"CMakeLists.txt", "op_host/CMakeLists.txt", "op_kernel/CMakeLists.txt"} <= set(files)
    assert not any(path.startswith("tests/ut") for path in files)
