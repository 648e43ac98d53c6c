"""What is checked in is what the compiler emits."""

import pytest

from tests.regenerate import FOLDERS, ROOT, difference


@pytest.mark.parametrize("folder", FOLDERS)
def test_checked_in_text_is_what_the_compiler_emits(folder):
    changes = difference(folder)
    assert not changes, f"{folder} differs; if that is meant, run python -m tests.regenerate\n{changes}"


def test_kernels_count_cores_by_a_name_that_every_toolkit_has():
    """GetSubBlockNum is in CANN 8.1.RC1 and later; what later ones call GetTaskRatio, and has the same value, is GetTaskRation there."""
    kernels = [p for p in ROOT.glob("generated/*/op_kernel/**/*") if p.is_file()]
    texts = [p.read_text(encoding="utf-8") for p in kernels]
    assert any("GetSubBlockNum()" in text for text in texts) and not any("GetTaskRatio" in text for text in texts)
