import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.differentiate import differentiate
from compiler.simplify import simplify, specialise
from ir.builder import build_forward
from tests.compiler.numeric import choose, draw_inputs, in_float64, operator_of, trees

OPTIONS = st.sets(st.sampled_from(("counts", "clamp")))


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(trees())
def test_simplify_is_idempotent(tree):
    operator = operator_of(tree)
    once = simplify(differentiate(operator, build_forward(operator)), operator.interface)
    again = simplify(once, operator.interface)
    assert all(once.outputs[k] is again.outputs[k] for k in once.outputs)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(trees(), OPTIONS, st.integers(0, 2**32 - 1), st.sampled_from((0, 1, 3)))
def test_simplify_preserves_values(tree, options, seed, live):
    operator = operator_of(tree)
    before = differentiate(operator, build_forward(operator))
    after = simplify(before, operator.interface)
    inputs = draw_inputs(seed)
    rows = live if "counts" in options else 3
    want = in_float64(choose(before, options), inputs, rows)
    if "sum_columns" not in repr(tree):  # the only way from a dead row to a live one
        for name in ("a", "b", "r", "grad_y"):
            inputs[name][rows:] = np.nan
    for graph in (choose(after, options), specialise(after, options)):
        got = in_float64(graph, inputs, rows)
        for k in want:
            np.testing.assert_allclose(got[k], want[k], rtol=1e-9, atol=1e-9 * np.abs(want[k]).max(initial=1.0))
