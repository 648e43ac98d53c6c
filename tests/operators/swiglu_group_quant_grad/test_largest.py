"""The largest documented case, B*S = 31 * 131072 rows of H = 4096: the last rows are read and written where they belong.

Tensors are sparse files of up to 133 GB that take no room; only the last block runs, and a device of many cores, which
launches more blocks than a real one, makes its share a few rows.
"""

import os
from dataclasses import replace

import numpy as np
import pytest

from compiler.cases import request_of
from compiler.emulator.run import Tensor, emulate
from ir.types import numpy_dtype
from tests.operators.swiglu_group_quant_grad.lists import case
from tests.running import examiner, operator

LARGEST = 31 * 131072


def sparse(folder, name, shape, dtype, rows=None):
    """A sparse file of zeros whose last rows are given, as a Tensor."""
    path = folder / name
    size = int(np.prod(shape)) * numpy_dtype(dtype).itemsize
    with open(path, "wb") as file:
        file.truncate(size)
        if rows is not None:
            file.seek(size - rows.nbytes)
            file.write(rows.tobytes())
    return Tensor(shape, dtype, path=path)


def call(folder, rows, width, cores, dtype, written, blocks, counts=None, built=None, judged=True):
    """The last `written` rows hold random values, all others zeros. Returns these rows as a request, outputs and result."""
    small = request_of(operator(), case("", written, width, dtype, counts=None))
    tensors = {n: sparse(folder, n, (rows,) if n == "weight" else (rows, a.shape[-1]), str(a.dtype), a) for n, a in small.arrays.items()}
    if counts is not None:
        tensors["group_index"] = np.array(counts)
    tensors["grad_x"] = sparse(folder, "grad_x", (rows, 2 * width), dtype)
    tensors["grad_weight"] = sparse(folder, "grad_weight", (rows,), "float32")
    built = built or examiner().built
    built = replace(built, product=built.product | {"limits": built.product["limits"] | {"blocks": cores}})
    result = emulate(built, tensors, small.attributes, cores=cores, blocks=blocks)
    if judged:
        assert result.status == 0 and not result.findings, (result.message, result.findings)
    assert result.block_dim == cores and result.tiling["totalRows"] == rows
    return small, tensors, result


@pytest.mark.parametrize("rows, width, cores, dtype", [
    (LARGEST, 4096, 131072, "bfloat16"),
    (LARGEST, 4096, 131072, "float32"),
    (131073, 8192, 131073, "float16"),  # row 131072 of x starts at element 2^31
], ids=["bfloat16", "float32", "element 2^31"])
def test_last_rows(tmp_path, rows, width, cores, dtype):
    share = rows // cores
    written = min(3, share)
    small, tensors, result = call(tmp_path, rows, width, cores, dtype, written, [cores - 1])
    grad_x, grad_weight = result.outputs["grad_x"], result.outputs["grad_weight"]
    report = small.judge({"grad_x": np.array(grad_x[-written:]), "grad_weight": np.array(grad_weight[-written:])})
    assert report.ok, str(report)
    assert not np.asarray(grad_x[-share:-written]).any() and not np.asarray(grad_weight[-share:-written]).any()
    size = numpy_dtype(dtype).itemsize
    assert result.counters["gm_read_bytes"] == share * (4 * width * size + 4)
    assert result.counters["gm_write_bytes"] == share * (2 * width * size + 4)
    # Nothing was written elsewhere: the file holds the share and a few pages around it.
    assert tensors["grad_x"].path.stat().st_blocks * 512 <= share * 2 * width * size + (1 << 16)


def test_last_rows_are_dead(tmp_path):
    """The zeros of the last rows, beyond element 2^32 of grad_x, are written by the first cores."""
    width, dead = 768, 7
    _, tensors, result = call(tmp_path, LARGEST, width, 131072, "bfloat16", dead, [*range(42), 131071], [LARGEST - 8, 1])
    assert not np.asarray(result.outputs["grad_x"][-31:]).any()
    assert not np.asarray(result.outputs["grad_weight"][-dead:]).any()  # it starts as NaN
    with open(tensors["grad_x"].path, "rb") as file:  # grad_x starts as a hole
        start = LARGEST * 4 * width - dead * 4 * width
        assert os.lseek(file.fileno(), start, os.SEEK_DATA) == start
