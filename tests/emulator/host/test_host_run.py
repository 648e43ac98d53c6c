"""The fixture operator through its aclnn interface: statuses, phases, views, empty tensors, sweeps."""

import time

import numpy as np
import pytest
from ml_dtypes import bfloat16

from compiler.emulator.run import Request, RequestError, Tensor, emulate, emulate_many

rng = np.random.default_rng(1)
GRAD_Y = rng.normal(size=(5, 16)).astype(np.float32)
X = rng.normal(size=(5, 16)).astype(np.float32)
WEIGHT = rng.normal(size=16).astype(np.float32)
GRAD_X = Tensor((5, 16), "float32")
PLAIN = {"grad_y": GRAD_Y, "x": X, "grad_x": GRAD_X}
WEIGHTED = PLAIN | {"weight": WEIGHT, "grad_weight": Tensor((16,), "float32")}


def kinds(result):
    return [finding.kind for finding in result.findings]


def test_values_and_facts(built):
    result = emulate(built, WEIGHTED, {"scale": 2.0})
    assert (result.status, result.phase, result.message, result.findings) == (0, "run", "", [])
    np.testing.assert_array_equal(result.outputs["grad_x"], GRAD_Y * np.float32(2) * WEIGHT)
    np.testing.assert_allclose(result.outputs["grad_weight"], (GRAD_Y * X).sum(0), rtol=1e-5, atol=1e-6)
    assert result.block_dim == 5 and result.tiling_key == 1 and result.schedule_mode == 1
    assert result.tiling["rows"] == 5 and result.tiling["scale"] == 2.0 and result.tiling["shift"] == [2, 3]
    assert result.counters["blocks"] == 5 and result.counters["paths"] == {"gm_to_ub": 320}
    # The kernel's workspace starts behind the 16 MiB of the system, which the size includes.
    assert result.counters["bytes_of"]["workspace"] == 5 * 16 * 4
    assert result.workspace_bytes == 16 * 2**20 + 512
    assert result.counters["bytes_of"]["grad_x"] == 320
    assert set(result.to_json()) >= {"status", "findings", "cycles", "precision"}


def test_an_absent_optional_shifts_instance_indices(built):
    result = emulate(built, PLAIN)
    assert result.tiling["shift"] == [1, 2] and result.tiling["hasWeight"] == 0
    np.testing.assert_array_equal(result.outputs["grad_x"], GRAD_Y)
    assert list(result.outputs) == ["grad_x"]


@pytest.mark.parametrize("dtype", [np.float16, bfloat16])
def test_dtype_columns(built, dtype):
    result = emulate(
        built,
        {"grad_y": GRAD_Y.astype(dtype), "x": X.astype(dtype), "grad_x": Tensor((5, 16), np.dtype(dtype).name)},
        {"scale": 3},
    )
    assert result.status == 0
    expected = (GRAD_Y.astype(dtype).astype(np.float32) * 3).astype(dtype)
    np.testing.assert_array_equal(result.outputs["grad_x"].astype(np.float32), expected.astype(np.float32))


@pytest.mark.parametrize(
    "changes, options, status, phase, words",
    [
        ({"grad_y": None}, {}, 161001, "aclnn", "gradY"),
        ({"weight": WEIGHT}, {}, 161001, "aclnn", "gradWeight"),
        ({}, {"null": "executor"}, 161001, "aclnn", "executor"),
        ({}, {"null": "workspaceSize"}, 161001, "aclnn", "workspaceSize"),
        ({"x": X[:, :8].copy()}, {}, 161002, "aclnn", "x: got shape [5, 8], want [5, 16]"),
        ({"x": X.astype(np.int32)}, {}, 161002, "aclnn", "DT_INT32"),
        (
            {"grad_y": GRAD_Y.astype(float), "x": X.astype(float)},
            {},
            561002,
            "kernel",
            "no dtype column of the definition of RowScaleGrad matches: grad_y DT_DOUBLE",
        ),
    ],
)
def test_statuses(built, changes, options, status, phase, words):
    result = emulate(built, PLAIN | changes, **options)
    assert (result.status, result.phase) == (status, phase)
    assert words in result.message
    assert result.outputs == {} and result.findings == []


def test_tiling_refuses(built):
    big = Tensor((2, 5000), "float32")
    result = emulate(built, {"grad_y": big, "x": big, "grad_x": big})
    assert (result.status, result.phase) == (561002, "tiling")
    assert result.message == "grad_y: got last dimension 5000, want at most 4096"
    assert result.log[0]["file"].endswith("fixture_op/op_host/row_scale_grad_tiling.cpp")


def test_a_product_that_the_definition_does_not_list(built):
    from dataclasses import replace

    other = replace(built, product=built.product | {"name": "ascend910b"})
    result = emulate(other, PLAIN)
    assert result.phase == "kernel" and 'lists no AddConfig("ascend910b")' in result.message
    assert emulate(other, PLAIN, unlisted=True).status == 0


def test_views(built):
    strided = emulate(built, WEIGHTED, strided=["grad_y", "x", "weight", "grad_x", "grad_weight"])
    plain = emulate(built, WEIGHTED)
    assert strided.findings == []
    np.testing.assert_array_equal(strided.outputs["grad_x"], plain.outputs["grad_x"])
    np.testing.assert_array_equal(strided.outputs["grad_weight"], plain.outputs["grad_weight"])
    assert strided.counters["host_copy_bytes"] > 0 and "host_copy_bytes" not in plain.counters
    # Copies of the inputs and results that wait for their copy live in the workspace.
    assert strided.workspace_bytes > plain.workspace_bytes


def test_a_contiguous_view_is_passed_without_a_copy(built, tmp_path):
    path = tmp_path / "storage"
    np.concatenate([np.zeros(32, np.float32), GRAD_Y.ravel()]).tofile(path)
    view = Tensor((5, 16), "float32", offset=32, storage_shape=(112,), path=path)
    result = emulate(built, PLAIN | {"grad_y": view})
    assert "host_copy_bytes" not in result.counters
    np.testing.assert_array_equal(result.outputs["grad_x"], GRAD_Y)


def test_a_view_that_leaves_its_storage(built):
    view = Tensor((5, 16), "float32", strides=(17, 1), storage_shape=(5, 16))
    result = emulate(built, PLAIN | {"grad_y": view})
    assert result.status == 561103 and "leaves its storage" in result.message


def test_empty_tensors(built):
    empty = np.zeros((0, 16), np.float32)
    without = emulate(built, {"grad_y": empty, "x": empty, "grad_x": Tensor((0, 16), "float32")})
    assert without.status == 0 and without.workspace_bytes == 0 and without.launches == []
    assert without.outputs["grad_x"].shape == (0, 16)
    weighted = emulate(
        built,
        {
            "grad_y": empty,
            "x": empty,
            "weight": WEIGHT,
            "grad_x": Tensor((0, 16), "float32"),
            "grad_weight": Tensor((16,), "float32"),
        },
    )
    assert weighted.status == 0 and weighted.block_dim == 1
    np.testing.assert_array_equal(weighted.outputs["grad_weight"], np.zeros(16, np.float32))


def test_outputs_start_poisoned(built):
    result = emulate(built, PLAIN, blocks=[0])
    assert np.isfinite(result.outputs["grad_x"][0]).all() and np.isnan(result.outputs["grad_x"][1:]).all()


def test_machine_options(built):
    result = emulate(built, PLAIN, cores=2)
    assert result.block_dim == 2 and result.tiling["rowsPerBlock"] == 3
    result = emulate(built, PLAIN, order="reverse")
    assert kinds(result) == ["order"] and result.findings[0].file.endswith("stub_entry.cpp")


def test_an_executor_serves_one_second_phase(built):
    result = emulate(built, PLAIN, twice=True)
    assert result.status == 0 and result.second_status != 0
    assert kinds(result) == ["executor"]


@pytest.mark.parametrize(
    "tensors, attrs, options, words",
    [
        ({"grad_z": X}, {}, {}, "tensor grad_z: the interface has grad_y, x, weight, grad_x, grad_weight"),
        ({}, {"scale": [1, 2]}, {}, r"attribute scale: got \[1, 2\], want a number"),
        ({}, {"scales": 1}, {}, "attribute scales: the interface has scale"),
        ({"x": [1.0]}, {}, {}, "tensor x: got list"),
        ({"x": X.astype(complex)}, {}, {}, "tensor x: got dtype complex128"),
        ({}, {}, {"order": "backward"}, "order: got 'backward'"),
        ({}, {}, {"cores": 0}, "cores: got 0"),
        ({}, {}, {"strided": ["weight"]}, "strided weight"),
    ],
)
def test_requests_that_do_not_fit(built, tensors, attrs, options, words):
    with pytest.raises(RequestError, match="^" + words.replace("(", r"\(")):
        emulate(built, PLAIN | tensors, attrs, **options)


def test_sparse_files_of_tens_of_gigabytes(built, tmp_path):
    """One row for each block, and one block that runs: nothing else is touched."""
    shape = (3_900_000, 4096)
    for name in ("grad_y", "grad_x"):
        with open(tmp_path / name, "wb") as file:
            file.truncate(shape[0] * shape[1] * 4)
    row = np.memmap(tmp_path / "grad_y", np.float32, "r+", shape=shape)
    row[-1] = 7.0
    row.flush()
    result = emulate(
        built,
        {
            "grad_y": Tensor(shape, "float32", path=tmp_path / "grad_y"),
            "x": Tensor(shape, "float32"),
            "grad_x": Tensor(shape, "float32", path=tmp_path / "grad_x"),
        },
        cores=shape[0],
        blocks=[shape[0] - 1],
    )
    assert result.status == 0 and result.findings == []
    np.testing.assert_array_equal(result.outputs["grad_x"][-1], np.full(4096, 7, np.float32))
    assert (tmp_path / "grad_x").stat().st_blocks * 512 < 2**20


def test_sweep(built):
    requests = []
    for rows in range(1, 2001):
        tensor = Tensor((rows, 4096), "float32")
        requests.append(Request({"grad_y": tensor, "x": tensor, "grad_x": tensor}, phase1_only=True))
    start = time.perf_counter()
    results = emulate_many(built, requests)
    assert time.perf_counter() - start < 10
    assert len(results) == 2000
    for rows, result in enumerate(results, 1):
        assert result.status == 0 and result.tiling["rows"] == rows and result.block_dim == -(-rows // -(-rows // 64))
