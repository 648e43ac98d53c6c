"""What is checked in is what the compiler emits."""

import pytest

from tests.regenerate import FOLDERS, difference


@pytest.mark.parametrize("folder", FOLDERS)
def test_checked_in_text_is_what_the_compiler_emits(folder):
    changes = difference(folder)
    assert not changes, f"{folder} differs; if that is meant, run python -m tests.regenerate\n{changes}"
