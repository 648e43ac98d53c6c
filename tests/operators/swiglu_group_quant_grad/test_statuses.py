"""What the emitted host code refuses, with which status, and what it accepts."""

import math

import numpy as np
import pytest

from compiler.emulator.run import Request, Tensor, emulate, emulate_many
from tests.running import examiner

NAN, INF = math.nan, math.inf
NULL, INVALID, TILING = 161001, 161002, 561002


def t(*shape, dtype="bfloat16"):
    return Tensor(shape, dtype)


def f(*shape):
    return t(*shape, dtype="float32")


def i(*shape, dtype="int64"):
    return t(*shape, dtype=dtype)


ALL = dict(grad_y=t(3, 5, 64), x=t(3, 5, 128), weight=f(3, 5), y_origin=t(3, 5, 64), group_index=i(2), grad_x=t(3, 5, 128),
           grad_weight=f(3, 5))
PLAIN = dict(weight=None, y_origin=None, grad_weight=None)


def sized(h, *rows, dtype="bfloat16"):
    return dict(grad_y=t(*rows, h, dtype=dtype), x=t(*rows, 2 * h, dtype=dtype), y_origin=t(*rows, h, dtype=dtype),
                grad_x=t(*rows, 2 * h, dtype=dtype), weight=f(*rows or (1,)), grad_weight=f(*rows or (1,)))


REFUSED = {
    "grad_y null": (NULL, {"grad_y": None}, {}, "gradY"),
    "x null": (NULL, {"x": None}, {}, "x"),
    "grad_x null": (NULL, {"grad_x": None}, {}, "gradX"),
    "weight without grad_weight": (NULL, {"grad_weight": None}, {}, "gradWeight"),
    "grad_y of float64": (INVALID, {"grad_y": t(3, 5, 64, dtype="float64")}, {}, "gradY"),
    "everything of int32": (INVALID, sized(64, 3, 5, dtype="int32"), {}, "DT_INT32"),
    "x of another dtype": (INVALID, {"x": t(3, 5, 128, dtype="float16")}, {}, "x"),
    "y_origin of another dtype": (INVALID, {"y_origin": f(3, 5, 64)}, {}, "yOrigin"),
    "grad_x of another dtype": (INVALID, {"grad_x": f(3, 5, 128)}, {}, "gradX"),
    "weight of bfloat16": (INVALID, {"weight": t(3, 5)}, {}, "weight"),
    "grad_weight of bfloat16": (INVALID, {"grad_weight": t(3, 5)}, {}, "gradWeight"),
    "group_index of int32": (INVALID, {"group_index": i(2, dtype="int32")}, {}, "groupIndex"),
    "odd last dimension": (TILING, {"x": t(3, 5, 127), "grad_x": t(3, 5, 127)}, {}, "x: got shape [3, 5, 127]"),
    "H of 0": (TILING, sized(0, 3, 5), {}, "H"),
    "H of 0 without rows": (TILING, sized(0, 0), {}, "H"),
    "x of other rows": (TILING, {"x": t(5, 3, 128), "grad_x": t(5, 3, 128)}, {}, "x: got shape [5, 3, 128]"),
    "x of another rank": (TILING, {"x": t(15, 128), "grad_x": t(15, 128)}, {}, "x: got shape [15, 128]"),
    "nine dimensions": (TILING, sized(8, 1, 1, 1, 1, 1, 1, 1, 2), {}, "rank"),
    "no dimension": (TILING, {**PLAIN, "grad_y": t(), "x": t(), "grad_x": t()}, {}, "grad_y"),
    "x of another width": (TILING, {"x": t(3, 5, 130), "grad_x": t(3, 5, 130)}, {}, "x: got shape [3, 5, 130]"),
    "y_origin of another width": (TILING, {"y_origin": t(3, 5, 63)}, {}, "y_origin: got shape [3, 5, 63]"),
    "grad_x not shaped as x": (TILING, {"grad_x": t(15, 128)}, {}, "grad_x: got shape [15, 128]"),
    "weight of 14 elements": (TILING, {"weight": f(14), "grad_weight": f(14)}, {}, "weight: got shape [14]"),
    "grad_weight not shaped as weight": (TILING, {"grad_weight": f(15)}, {}, "grad_weight: got shape [15]"),
    "group_index of rank 2": (TILING, {"group_index": i(2, 1)}, {}, "group_index: got shape [2, 1]"),
    "group_index of rank 0": (TILING, {"group_index": i()}, {}, "group_index"),
    "weight without y_origin": (TILING, {"y_origin": None}, {}, "y_origin"),
    **{f"clamp_limit {v}": (TILING, {}, {"clamp_limit": v}, "clamp_limit") for v in (0.0, -0.0, -2.0, NAN, -INF, 1e-60)},
    "no rows, but another width": (TILING, {**sized(64, 0), "x": t(0, 127)}, {}, "x: got shape [0, 127]"),
}
ACCEPTED = {
    **{f"rank {r}": (sized(16, *(2,) * (r - 1)), {}) for r in range(1, 9)},
    "no rows": (sized(16, 0), {}),
    "no rows in the middle": (sized(16, 5, 0, 3), {}),
    "y_origin without weight": ({"weight": None, "grad_weight": None}, {}),
    "y_origin of any shape without weight": ({"weight": None, "grad_weight": None, "y_origin": t(7)}, {}),
    "no groups": ({"group_index": i(0)}, {}),
    "weight of shape [T]": ({"weight": f(15), "grad_weight": f(15)}, {}),
    "weight of shape [B, S, 1]": ({"weight": f(3, 5, 1), "grad_weight": f(3, 5, 1)}, {}),
    "infinite clamp_limit": ({}, {"clamp_limit": INF}),
    "clamp_limit -1.0": ({}, {"clamp_limit": -1.0}),
    "clamp_limit left out": ({}, {}),
    "smallest clamp_limit": ({}, {"clamp_limit": 1e-40}),
}


def first_phases(calls):
    """The results of (tensors that differ from ALL, attributes)."""
    given = [({n: v for n, v in {**ALL, **tensors}.items() if v is not None}, attributes) for tensors, attributes in calls]
    return emulate_many(examiner().built, [Request(*call, phase1_only=True) for call in given])


@pytest.fixture(scope="module")
def refused():
    return dict(zip(REFUSED, first_phases(row[1:3] for row in REFUSED.values())))


@pytest.fixture(scope="module")
def accepted():
    return dict(zip(ACCEPTED, first_phases(ACCEPTED.values())))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(refused, name):
    status, _, _, words = REFUSED[name]
    result = refused[name]
    assert (result.status, result.phase) == (status, "tiling" if status == TILING else "aclnn"), result.message
    assert words in result.message and "\n" not in result.message
    assert not result.findings and not result.outputs


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(accepted, name):
    result = accepted[name]
    assert result.status == 0, result.message
    assert not result.findings


@pytest.mark.parametrize("name", ["workspaceSize", "executor"])
def test_null_results(name):
    result = emulate(examiner().built, {n: ALL[n] for n in ("grad_y", "x", "grad_x")}, null=name)
    assert (result.status, result.phase) == (NULL, "aclnn") and name in result.message


def test_no_rows_write_nothing():
    result = emulate(examiner().built, {**ALL, **sized(16, 0)})
    assert result.status == 0 and not result.findings
    assert result.outputs["grad_x"].shape == (0, 32) and result.outputs["grad_weight"].shape == (0,)
    assert result.counters["gm_write_bytes"] == 0


def test_no_groups_give_zeros():
    shaped = sized(16, 70)
    given = {n: np.full(v.shape, np.nan, np.float32) for n, v in shaped.items() if not n.startswith("grad_x") and n != "grad_weight"}
    wide = {**given, "grad_x": f(70, 32), "grad_weight": f(70), "group_index": np.zeros(0, np.int64)}
    result = emulate(examiner().built, wide)
    assert result.status == 0 and not result.findings
    assert result.outputs["grad_x"].tobytes() == bytes(70 * 32 * 4) and result.outputs["grad_weight"].tobytes() == bytes(70 * 4)
