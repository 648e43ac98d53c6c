"""`pytest --long` also runs the full product of the case lists (hours); without it they are covered pairwise."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the full product of the case lists")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--long"):
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="only with --long"))
