"""What is checked in is what the compiler emits."""

import re

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


KERNELS = sorted(p for folder in FOLDERS for p in (ROOT / folder).glob("op_kernel/arch*/*.h"))


def idle(text: str) -> set[str]:
    """Members that a kernel header only sets, parameters that a function does not use, and functions that do nothing."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    found = set()
    for member in re.finditer(r"^    [\w<>:, ]+ (\w+_)(?: = [^;]*)?;", code, re.MULTILINE):
        uses = [m.start() for m in re.finditer(rf"\b{member[1]}\b(?!\s*=[^=])", code)]
        found |= set() if set(uses) - {member.start(1)} else {member[1]}
    for function in re.finditer(r"::(\w+)\(([^)]*)\)\n\{\n(.*?)^\}", code, re.DOTALL | re.MULTILINE):
        names = [p.split()[-1].lstrip("&*") for p in function[2].split(",") if p.strip()]
        found |= {f"{function[1]}({n})" for n in names if not re.search(rf"\b{n}\b", function[3])}
        found |= set() if function[3].strip() else {f"{function[1]}()"}
    return found


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_kernels_have_nothing_that_does_nothing(path):
    assert idle(path.read_text(encoding="utf-8")) == set()


def test_what_does_nothing_is_found():
    text = "    int32_t used_ = 0;\n    int32_t set_ = 0;\n};\nvoid A::F(int row, int rows)\n{\n    set_ = used_ + row;\n}\nvoid A::G()\n{\n}\n"
    assert idle(text) == {"set_", "F(rows)", "G()"}


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_the_table_of_steps_has_every_step_it_refers_to(path):
    table = path.read_text(encoding="utf-8").partition("UB buffers")[0]
    steps = re.findall(r"^ \* {3,5}(\d+)  .*?(?: to (\d+))?$", table, re.MULTILINE)
    assert bool(steps) == ("last step that reads it" in table)
    assert {last for _, last in steps if last} <= {step for step, _ in steps}
