"""`pytest --long` also runs the full product of the case lists (hours); without it they are covered pairwise."""

import pytest

from compiler.emulator import kernel, run
from tests.running import quick_unit


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the full product of the case lists")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--long"):
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="only with --long"))


@pytest.fixture(autouse=True)
def quick_compilation(request, monkeypatch):
    """Most kernels of the tests run a few small cases: they are compiled quickly, but for tests marked `optimised`."""
    if "optimised" not in request.keywords:
        for module in (run, kernel):
            monkeypatch.setattr(module, "Unit", quick_unit)
