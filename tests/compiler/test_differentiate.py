import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.differentiate import DifferentiationError, differentiate
from ir.builder import build_forward
from tests.compiler.numeric import choose, draw_inputs, in_float64, operator_of, random_operator, trees

OPTIONS = st.sets(st.sampled_from(("counts", "clamp")))


def loss(forward, inputs, live):
    return float((in_float64(forward, inputs, live)["y"] * inputs["grad_y"]).sum())


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(trees(), OPTIONS, st.integers(0, 2**32 - 1), st.sampled_from((0, 1, 3)))
def test_agrees_with_finite_differences(tree, options, seed, live):
    operator = operator_of(tree)
    forward = build_forward(operator)
    backward = differentiate(operator, forward)
    inputs = draw_inputs(seed)
    chosen = choose(forward, options)
    given_rows = live if "counts" in options else 3
    gradients = in_float64(choose(backward, options), inputs, given_rows)
    draw = np.random.default_rng(seed)
    for output, source in operator.gradients.items():
        assert gradients[output].shape == inputs[source].shape
        direction = draw.normal(size=inputs[source].shape)
        slopes = []
        for step in (1e-5, -1e-5, 2e-5, -2e-5):
            moved = {**inputs, source: inputs[source] + step * direction}
            slopes.append(loss(chosen, moved, given_rows))
        base = loss(chosen, inputs, given_rows)
        right, left = (slopes[0] - base) / 1e-5, (base - slopes[1]) / 1e-5
        scale = 1 + abs(right) + abs(base)
        if abs(right - left) > 1e-3 * scale:  # a kink lies between
            continue
        central = (8 * (slopes[0] - slopes[1]) - (slopes[2] - slopes[3])) / 12e-5
        assert (gradients[output] * direction).sum() == pytest.approx(central, rel=1e-5, abs=1e-6 * scale)
