"""Instruction rows of composite functions, statement by statement in float32."""

import math
import re

import numpy as np
import pytest

from compiler.instructions import ERF, TANH, Instruction

OPERATIONS = {"Maxs": np.maximum, "Mins": np.minimum, "Muls": np.multiply, "Adds": np.add, "Mul": np.multiply, "Div": np.divide}
DRAWS = np.random.default_rng(0)
POINTS = np.concatenate([DRAWS.uniform(-12, 12, 60000), 10 ** DRAWS.uniform(-30, 1.2, 40000), -(10 ** DRAWS.uniform(-30, 1.2, 40000)),
                         np.linspace(-4, 4, 60001)]).astype(np.float32)
POINTS = POINTS[POINTS != 0]
EXACT = {"tanh": np.tanh(POINTS.astype(np.float64)), "erf": np.array([math.erf(x) for x in POINTS.astype(np.float64)])}


def computed(row: Instruction, x):
    """The result of the statements; every name is a float32 vector."""
    values = {"a": x}
    for text in row.text:
        name, arguments = re.fullmatch(r"(\w+)\((.*), \{n\}\);", text).groups()
        to, *operands = arguments.split(", ")
        read = [values[o[1]] if o.startswith("{") else np.float32(o.removesuffix("f")) for o in operands]
        values[to[1]] = OPERATIONS[name](*read).astype(np.float32)
    return values["d"]


def error(row, name):
    """The largest relative error, in units of 2^-24."""
    got = computed(row, POINTS).astype(np.float64)
    return float((np.abs(got - EXACT[name]) / np.abs(EXACT[name])).max()) * 2**24


@pytest.mark.parametrize("name, row", [("tanh", TANH), ("erf", ERF)])
def test_the_relative_error_is_a_few_roundings_everywhere(name, row):
    assert error(row, name) < 6
    assert np.abs(computed(row, POINTS)).max() == 1
    ends = computed(row, np.array([0.0, -0.0, np.inf, -np.inf, 1e-38, 100.0], np.float32))
    np.testing.assert_allclose(ends, [0, 0, 1, -1, 1e-38 * (1 if name == "tanh" else 2 / math.sqrt(math.pi)), 1], rtol=1e-6)


@pytest.mark.parametrize("name, row", [("tanh", TANH), ("erf", ERF)])
@pytest.mark.parametrize("old, new", [(r"(\d)e-0", r"\1e-1"), ("Mins", "Maxs"), (r"Mul\(\{t\}", "Adds({t}")])
def test_another_coefficient_limit_or_power_shows(name, row, old, new):
    places = [i for i, text in enumerate(row.text) if re.search(old, text)]
    for i in places[:6]:
        text = re.sub(old, new, row.text[i]).replace("Adds({t}, {t}, {t}", "Adds({t}, {t}, 0.0f")
        with np.errstate(all="ignore"):
            assert not error(Instruction((*row.text[:i], text, *row.text[i + 1:])), name) < 6, text
