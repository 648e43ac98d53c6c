"""Several sums over rows: each reaches its own output, in whatever order the definition, the interface and the kernel have them."""

from pathlib import Path

import pytest

from compiler.cases import Case
from compiler.emit.kernel import KernelText
from tests.running import assert_holds, examiner

AFFINE, AFFINE_LINEAR = (str(Path(__file__).with_name(f"{name}.py")) for name in ("affine_grad", "affine_linear_grad"))
PRODUCTS = ("ascend950", "ascend910b")


def case(rows, dtype, **sizes):
    return Case("", (rows,), sizes, dtype, values="plain")


def places(schedule):
    """Where among the partial sums the outputs that are sums over rows find theirs, in the order of the outputs."""
    schedules = schedule.vectors.values() if hasattr(schedule, "vectors") else [schedule]
    return [place for s in schedules if s.column_sums for _, place, _ in KernelText(s).column_results]


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("name, count", [(AFFINE, 3), (AFFINE_LINEAR, 2)], ids=["rows", "stage"])
def test_kernel_and_outputs_have_orders_of_their_own(name, count, product):
    """Else no run could tell one sum's place from another's."""
    found = places(examiner(name, product).schedule)
    assert sorted(found) == list(range(count)) != found


@pytest.mark.parametrize("product", PRODUCTS)
def test_sums_over_rows(product):
    assert_holds([case(65, "bfloat16", H=100), case(3, "float32", H=17), case(129, "float16", H=2048), case(0, "float32", H=24)], AFFINE, product)


@pytest.mark.parametrize("product", PRODUCTS)
def test_sums_over_rows_of_a_stage(product):
    assert_holds([case(65, "bfloat16", K=100, N=33), case(3, "float16", K=17, N=48), case(300, "float16", K=257, N=130)], AFFINE_LINEAR, product)
