"""Statuses of the emitted host code, on the emulator: which check finds what, and what the line says."""

import shutil

import pytest

from compiler.emit.directory import render_directory, write_directory
from tests.compiler.emit.operators import ROW_PLAN, SEED

run = pytest.importorskip("compiler.emulator.run")
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void swiglu_group_quant_grad(GM_ADDR gradY, GM_ADDR x, GM_ADDR weight, GM_ADDR yOrigin,
    GM_ADDR groupIndex, GM_ADDR gradX, GM_ADDR gradWeight, GM_ADDR workspace, GM_ADDR tiling) {}
"""
NAN, INF = float("nan"), float("inf")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    from compiler import products

    out = tmp_path_factory.mktemp("op")
    files = render_directory(SEED, {"ascend950": ROW_PLAN},
                             kernel_files={"op_kernel/swiglu_group_quant_grad_apt.cpp": KERNEL})
    write_directory(files, out)
    return run.build(out, products.load("ascend950"), op="SwigluGroupQuantGrad")


def t(*shape, dtype="bfloat16"):
    return run.Tensor(shape, dtype)


def f(*shape):
    return t(*shape, dtype="float32")


ROWS_0 = dict(grad_y=t(0, 64), x=t(0, 128), y_origin=t(0, 64), grad_x=t(0, 128), weight=f(0), grad_weight=f(0))
FEATURES_0 = dict(grad_y=t(3, 5, 0), x=t(3, 5, 0), y_origin=t(3, 5, 0), grad_x=t(3, 5, 0))
NO_WEIGHT = dict(weight=None, y_origin=None, grad_weight=None)
ONE_ROW = dict(grad_y=t(64), x=t(128), y_origin=t(64), grad_x=t(128), weight=f(1), grad_weight=f(1))
CASES = [
    ("all options", 0, {}, {}, ""),
    ("clamp", 0, {}, {"clamp_limit": 7.0}, ""),
    ("clamp at infinity", 0, {}, {"clamp_limit": INF}, ""),
    ("no weight", 0, NO_WEIGHT, {}, ""),
    ("no group_index", 0, {"group_index": None}, {}, ""),
    ("no groups", 0, {"group_index": t(0, dtype="int64")}, {}, ""),
    ("y_origin without weight", 0, {"weight": None, "grad_weight": None}, {}, ""),
    ("y_origin of any shape without weight", 0, {"weight": None, "grad_weight": None, "y_origin": t(7)}, {}, ""),
    ("grad_weight without weight", 0, {"weight": None, "y_origin": None}, {}, ""),
    ("weight of another rank", 0, {"weight": f(15), "grad_weight": f(15)}, {}, ""),
    ("weight with a last dimension of 1", 0, {"weight": f(3, 5, 1), "grad_weight": f(3, 5, 1)}, {}, ""),
    ("no rows", 0, ROWS_0, {}, ""),
    ("one row", 0, ONE_ROW, {}, ""),
    *[(f"null {n}", 161001, {n: None}, {}, "got a null pointer") for n in ("grad_y", "x", "grad_x", "grad_weight")],
    ("x of another dtype", 161002, {"x": t(3, 5, 128, dtype="float16")}, {}, "x: got data type"),
    ("weight of bfloat16", 161002, {"weight": t(3, 5)}, {}, "weight: got data type"),
    ("grad_weight of bfloat16", 161002, {"grad_weight": t(3, 5)}, {}, "gradWeight: got data type"),
    ("group_index of int32", 161002, {"group_index": t(2, dtype="int32")}, {}, "groupIndex: got data type"),
    ("grad_x of float32", 161002, {"grad_x": f(3, 5, 128)}, {}, "gradX: got data type"),
    ("null before dtype", 161001, {"grad_x": None, "x": f(3, 5, 128)}, {}, "gradX"),
    ("dtype before shape", 161002, {"x": f(3, 5, 100)}, {}, "x"),
    *[(f"clamp_limit {v}", 561002, {}, {"clamp_limit": v}, "clamp_limit: got") for v in (0.0, -2.0, -0.5, NAN, -INF)],
    ("weight without y_origin", 561002, {"y_origin": None}, {}, "y_origin: got no tensor"),
    ("nine dimensions", 561002, {"grad_y": t(1, 1, 1, 1, 1, 1, 3, 5, 64)}, {}, "grad_y: got shape"),
    ("no dimension", 561002, {**NO_WEIGHT, "grad_y": t(), "x": t(), "grad_x": t()}, {}, "grad_y: got shape [] of rank 0"),
    ("odd last dimension", 561002, {"x": t(3, 5, 127), "grad_x": t(3, 5, 127)}, {}, "x: got shape [3, 5, 127]"),
    ("other rows", 561002, {"x": t(5, 3, 128), "grad_x": t(5, 3, 128)}, {}, "x: got shape [5, 3, 128]"),
    ("other y_origin", 561002, {"y_origin": t(3, 5, 63)}, {}, "y_origin: got shape [3, 5, 63]"),
    ("no features", 561002, FEATURES_0, {}, "wants H above 0"),
    ("a weight too few", 561002, {"weight": f(14), "grad_weight": f(14)}, {}, "weight: got shape [14]"),
    ("other grad_weight", 561002, {"grad_weight": f(15)}, {}, "grad_weight: got shape [15]"),
    ("other grad_x", 561002, {"grad_x": t(15, 128)}, {}, "grad_x: got shape [15, 128]"),
    ("group_index of rank 2", 561002, {"group_index": t(2, 1, dtype="int64")}, {}, "group_index: got shape [2, 1]"),
    ("no rows, bad attribute", 561002, ROWS_0, {"clamp_limit": 0.0}, "clamp_limit"),
    ("no rows, bad shape", 561002, {**ROWS_0, "x": t(0, 127)}, {}, "x: got shape [0, 127]"),
    ("no rows, no features", 561002, {**ROWS_0, "grad_y": t(0, 0), "x": t(0, 0), "y_origin": t(0, 0), "grad_x": t(0, 0)},
     {}, "wants H above 0"),
]


@pytest.fixture(scope="module")
def results(built):
    requests = []
    for _, _, tensors, attributes, _ in CASES:
        given = dict(grad_y=t(3, 5, 64), x=t(3, 5, 128), weight=f(3, 5), y_origin=t(3, 5, 64),
                     group_index=t(2, dtype="int64"), grad_x=t(3, 5, 128), grad_weight=f(3, 5))
        given = {n: v for n, v in {**given, **tensors}.items() if v is not None}
        requests.append(run.Request(given, attributes, phase1_only=True))
    return run.emulate_many(built, requests)


@pytest.mark.parametrize("index", range(len(CASES)), ids=[c[0] for c in CASES])
def test_status(results, index):
    result, status, message = results[index], CASES[index][1], CASES[index][4]
    assert result.status == status, result.message
    assert message in result.message
    assert not result.findings
    if status == 0:
        assert 1 <= result.block_dim <= 64


@pytest.mark.parametrize("name", ["workspaceSize", "executor"])
def test_null_results(built, name):
    given = dict(grad_y=t(3, 64), x=t(3, 128), grad_x=t(3, 128))
    assert run.emulate(built, given, {}, phase1_only=True, null=name).status == 161001
