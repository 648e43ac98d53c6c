import shutil
from pathlib import Path

import pytest

from compiler import products
from compiler.emulator import run

HERE = Path(__file__).parent
FIXTURE = HERE / "fixture_op"


@pytest.fixture(scope="session")
def product():
    return products.load("ascend950")


@pytest.fixture(scope="session")
def built(product):
    return run.build(FIXTURE, product, op="RowScaleGrad", kernel_entry=HERE / "stub_entry.cpp")


@pytest.fixture
def variant(tmp_path, product):
    """Builds a copy of the fixture with some texts replaced: variant({file: [(old, new), ...]})."""

    def make(changes):
        directory = tmp_path / "row_scale_grad"
        shutil.copytree(FIXTURE, directory, dirs_exist_ok=True)
        for name, replacements in changes.items():
            text = (directory / name).read_text()
            for old, new in replacements:
                assert old in text
                text = text.replace(old, new)
            (directory / name).write_text(text)
        return run.build(directory, product, op="row_scale_grad", kernel_entry=HERE / "stub_entry.cpp")

    return make
