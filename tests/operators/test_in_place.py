"""Kernels that compute in place, or only copy: what needs no work buffer asks for none."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from compiler import emulate, products
from compiler.cases import Case
from compiler.check import check
from compiler.verify import Examiner
from tests.running import operator

PRODUCTS = ("ascend950", pytest.param("ascend910b", marks=pytest.mark.long))
DTYPES = ("bfloat16", "float16", "float32")
SHIFT = operator(str(Path(__file__).with_name("shift_grad.py")))


def of(dtypes, forward=SHIFT.forward, gradients=SHIFT.gradients):
    """The operator with another forward, which has these gradients alone, for these dtypes."""
    kept = tuple(t for t in SHIFT.interface.tensors if t.name in ("grad_y", *gradients, *gradients.values()))
    precision = {name: p for name, p in SHIFT.interface.precision.items() if name in gradients}
    interface = replace(SHIFT.interface, tensors=kept, dtypes={"T": dtypes}, precision=precision)
    return replace(SHIFT, interface=interface, forward=forward, gradients=gradients)


FLOAT = of(("float32",))

OPERATORS = {
    "float in place, 16 bits in work buffers": (of(DTYPES), True),
    "float alone": (FLOAT, False),
    "16 bits alone": (of(("bfloat16", "float16")), True),
    "float without a variable": (replace(FLOAT, interface=replace(FLOAT.interface, dtypes={}, tensors=tuple(
        replace(t, dtype="float32") for t in FLOAT.interface.tensors))), False),
    "scaled": (of(("float32",), lambda f: {"y": 2 * f.x}, {"grad_x": "x"}), False),
    "copied": (of(DTYPES, lambda f: {"y": f.x}, {"grad_x": "x"}), True),
}


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("name", OPERATORS)
def test_work_buffers_are_asked_for_where_they_are_needed(name, product):
    chosen, works = OPERATORS[name]
    product = products.load(product)
    built = emulate.built(chosen, product)
    kernel = "".join(p.read_text() for p in sorted(built.directory.glob("op_*/**/*")) if p.is_file())
    assert bool(re.search(r"workBuffer|WORK_SLOTS|Work\(", kernel)) == works
    cases = [Case("", (rows,), {"H": width}, d, values="plain") for rows, width in ((65, 100), (3, 17)) 
             for d in chosen.interface.dtypes.get("T", ("float32",))]
    checks = Examiner(chosen, product, emulate._schedule(chosen, product), built).examine(list(enumerate(cases)))
    assert all(c.holds for _, c in checks), [c.problems for _, c in checks]
    report = check(built.directory)
    assert report.holds, report.to_text()
