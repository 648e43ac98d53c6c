"""Kernels written by hand in the styles that the public documents recommend: right in numbers and without a finding, in any
order of the cores; and their illegal twins, each of which is reported.

A twin is a kernel without the lines that end in ``// twin NUMBER``, or with the text in quotes in place of the line. Braces
hold words of the finding that it gives, and after them the architectures on which it is illegal, where that is not all.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from compiler import products
from compiler.emulator import kernel
from compiler.emulator.run import Tensor

KERNELS = Path(__file__).parents[1] / "kernels"
ALL = ("ascend910b", "ascend910_93", "ascend950")
ORDERS = ("forward", "reverse", "random:3")
RANDOM = np.random.default_rng(11)


def floats(*shape, dtype=np.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


def integers(*shape, dtype=np.float32):
    """Sums of these are exact in any order."""
    return RANDOM.integers(-8, 9, shape).astype(dtype)


@dataclass(frozen=True)
class Style:
    """blocks: of the launch. results: inputs -> outputs. An output that is an input, too, is changed in place.

    automatic: whether the device compiler inserts synchronisation; the kernel has to hold without where it is off.
    """

    file: str
    blocks: int
    inputs: dict
    results: Callable
    products: tuple = ALL
    workspace: int | None = None
    automatic: bool = True
    close: dict = field(default_factory=lambda: dict(rtol=0, atol=0))

    def run(self, path, product, order="forward"):
        """(findings, outputs)"""
        wanted = self.wanted()
        outputs = {n: Tensor(a.shape, str(a.dtype)) for n, a in wanted.items()}
        dtypes = {n: str(a.dtype) for n, a in (wanted | self.inputs).items()}
        built = kernel.build(path, products.load(product), dtypes)
        result = kernel.launch(built, self.inputs, outputs, block_dim=self.blocks, workspace=self.workspace, order=order,
                               auto_sync=self.automatic)
        return result.findings, result.outputs

    def wanted(self):
        return self.results(**self.inputs)


def flags_after(flags):
    """The flag, the number, and a line of each core."""
    after = flags.copy()
    after[::16] = [6, 41, 6, 6, 6, 6]
    return after


def first_of_line(lines):
    """1 for the first of each 16 words."""
    return np.tile(np.uint32([1] + [0] * 15), lines)


def bfloat16s(*shape):
    return floats(*shape).astype(ml_dtypes.bfloat16)


def row_statistics(x):
    """Rows without their mean, values and places of the largest of each 64 as bits, sums of pairs."""
    parts = x.reshape(2, 32, 64)
    largest = np.stack([parts.max(-1).view(np.uint32), parts.argmax(-1).astype(np.uint32)], axis=-1)
    return {"y": x - x.mean(-1, keepdims=True), "places": largest, "pairs": x.reshape(2, 8, 128, 2).sum(-1)}


ULP = dict(rtol=2e-7, atol=0)
HALF_ULP = dict(rtol=1e-3, atol=0)

STYLES = (
    Style("queues", 8, {"x": floats(8, 1536), "y": floats(8, 1536)}, lambda x, y: {"z": x + y}),
    Style("bound_queue", 8, {"x": floats(8, 2560, dtype=np.float16)}, lambda x: {"y": x}),
    Style("event_ids", 4, {"x": floats(4, 1792)}, lambda x: {"y": 2 * x}),
    Style("scratch", 4, {"x": floats(4, 960, dtype=np.float16)},
          lambda x: {"y": np.sqrt(x.astype(np.float32) ** 2 + 1).astype(np.float16)}, automatic=False, close=HALF_ULP),
    Style("scalars", 4, {"x": floats(4, 4, 64) + 3}, lambda x: {"y": x / x.sum(-1, keepdims=True)}, automatic=False,
          close=dict(rtol=2e-6, atol=0)),
    Style("scalar_writes", 4, {"x": floats(4, 64)},
          lambda x: {"y": x + np.arange(64, dtype=np.float32), "steps": np.tile(np.arange(64, 72, dtype=np.int32), (4, 1))}, automatic=False),
    Style("static_tensors", 8, {"x": floats(8, 1024), "y": floats(8, 1024)}, lambda x, y: {"z": x + y}, automatic=False),
    Style("ping_pong", 4, {"x": floats(4, 960)}, lambda x: {"y": np.exp(x)}, automatic=False, close=dict(rtol=1e-6, atol=0)),
    Style("barriers", 4, {"x": floats(4, 1024)}, lambda x: {"y": np.abs(x)}, automatic=False),
    Style("overlapping_copies", 3, {"x": floats(3, 128), "ones": np.full(16, 5, np.float32)},
          lambda x, ones: {"y": np.concatenate([x[:, :112], np.full((3, 8), 5, np.float32), np.ones((3, 8), np.float32)], axis=1)}),
    Style("reduction", 8, {"x": integers(8, 512)}, lambda x: {"y": x.sum(keepdims=True).reshape(1)}, workspace=8 * 32),
    Style("soft_sync", 5, {"x": floats(5, 64), "workspace": np.zeros(5 * (8 + 64), np.int32)},
          lambda x, workspace: {"y": 2 * x + 2 * np.roll(x, -1, axis=0)}, close=ULP),
    Style("posts", 4, {"x": integers(4, 64), "workspace": np.zeros(2 * 4 * 8 + 8, np.int32)}, lambda x, workspace: {"y": x.cumsum(0)}),
    Style("turns", 4, {"x": floats(4, 2, 64), "y": np.zeros(64, np.float32)},
          lambda x, y: {"y": reduce(np.add, [x[i, k] for k in range(2) for i in range(4)], y)}, workspace=4 * 32),
    Style("polled_flag", 4, {"x": np.full(8, 41, np.int32), "flags": np.zeros(6 * 16, np.int32), "y": np.zeros((4, 16), np.int32)},
          lambda x, flags, y: {"y": np.int32([[170], [42], [43], [44]]) * (np.arange(16) == 0).astype(np.int32), "flags": flags_after(flags)}),
    Style("old_names", 2, {"x": floats(2, 128)}, lambda x: {"y": x + np.arange(128, dtype=np.float32)}, automatic=False),
    Style("mutex", 2, {"x": floats(2, 320)}, lambda x: {"y": np.abs(x)}, ("ascend950",), automatic=False),
    Style("masks", 3, {"x": integers(3, 72), "limit": np.float32(5)},
          lambda x, limit: {"y": np.where(abs(x) <= limit, x, x.mean(-1, keepdims=True, dtype=np.float32)),
                            "bits": np.packbits(abs(x) <= limit, axis=-1, bitorder="little")},
          automatic=False, close=dict(rtol=3e-7, atol=0)),
    Style("bit_masks", 2, {"x": integers(2, 256, dtype=np.float16)},
          lambda x: {"y": x * np.where(np.arange(256) % 2, -1, 2).astype(np.float16),
                     "z": np.where(np.arange(256) < 100, 2 * (x + 3), 3).astype(np.float16)}, automatic=False),
    Style("repeat_reductions", 2, {"x": integers(2, 8, 256)}, row_statistics, automatic=False),
    Style("conversions", 2, {"x": bfloat16s(2, 128)},
          lambda x: {"y": np.exp(x.astype(np.float32)).astype(x.dtype), "halves": x.astype(np.float16),
                     "small": np.rint(16 * x.astype(np.float32)).astype(np.int8), "wide": np.floor(16 * x.astype(np.float32)).astype(np.int64)}, automatic=False),
    Style("padded_rows", 3, {"x": floats(3, 3, 21, dtype=np.float16)},
          lambda x: {"y": np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1)), constant_values=-np.inf), 3, -1).max(-1)},
          automatic=False),
    Style("data_cache", 3, {"x": np.arange(16, dtype=np.int32), "counts": np.zeros((3, 16), np.int32)},
          lambda x, counts: {"y": np.tile(x + 2, (3, 1)), "counts": np.int32([[102], [203], [304]]) * (np.arange(16) < 8).astype(np.int32)}, workspace=64),
    Style("scalar_atomics", 3, {"x": floats(6, 64), "words": np.repeat(np.uint32([0, 0, 0, 0, 9]), 16) * first_of_line(5)},
          lambda x, words: {"y": x, "words": np.repeat(np.uint32([9, 0, 3, 2, 0]), 16) * first_of_line(5)}, ("ascend950",)),
    Style("atomics", 6, {"x": integers(6, 256), "y": integers(256)}, lambda x, y: {"y": y + x.sum(0), "copies": x}),
    Style("matmul", 3, {"a": integers(3, 32, 96, dtype=np.float16), "b": integers(96, 48, dtype=np.float16)},
          lambda a, b: {"c": a.astype(np.float32) @ b.astype(np.float32)}),
    Style("vector_modes", 3, {"x": integers(3, 2, 64)},
          lambda x: {"y": np.repeat(x.sum(1, keepdims=True) - np.roll(x, -1, axis=0).sum(1, keepdims=True), 2, axis=1)},
          workspace=2 * 6 * 64 * 4, automatic=False),
    Style("unit_flags", 2, {"a": integers(2, 32, 160, dtype=np.float16), "b": integers(160, 32, dtype=np.float16)},
          lambda a, b: {"c": a.astype(np.float32) @ b.astype(np.float32)}, automatic=False),
    Style("mixed", 2, {"a": integers(2, 3, 32, 16, dtype=np.float16), "b": integers(16, 32, dtype=np.float16)},
          lambda a, b: {"y": np.maximum(a.astype(np.float32) @ b.astype(np.float32), 0)}, workspace=2 * 32 * 32 * 4, automatic=False),
    Style("pair_flags", 2, {"a": integers(2, 5, 32, 16, dtype=np.float16), "b": integers(16, 32, dtype=np.float16)},
          lambda a, b: {"y": 2 * (a.astype(np.float32) @ b.astype(np.float32))}, ("ascend950",), workspace=2 * 2 * 32 * 32 * 4),
)

TWIN = re.compile(r"^(?P<line>.*?)\s*// twin (?P<number>\d+)(?: \"(?P<instead>.*?)\")?(?: \{(?P<words>.*?)\}(?: (?P<archs>[\d ]+))?)?$")


def twins(file):
    """Number -> (words, architectures; none: all)."""
    found = {}
    for line in (KERNELS / f"{file}.cpp").read_text().splitlines():
        match = TWIN.match(line)
        if match and match["words"] is not None:
            assert match["number"] not in found, f"{file}: twin {match['number']} says twice what it gives"
            found[match["number"]] = (match["words"], tuple(map(int, (match["archs"] or "").split())))
    return found


def twin_of(file, number):
    """The text of a twin; every line stays where it was."""
    lines = []
    for line in (KERNELS / f"{file}.cpp").read_text().splitlines():
        match = TWIN.match(line)
        lines.append((match["instead"] or "") if match and match["number"] == number else line)
    return "\n".join(lines) + "\n"


def right_ones():
    """Every style on every product in every order; on Atlas A3, which has the rules of Atlas A2, and in reverse with --long."""
    for s in STYLES:
        for product in s.products:
            like_a2 = product == "ascend910_93" and "ascend910b" in s.products
            for order in ORDERS:
                marks = [pytest.mark.long] if like_a2 or order == "reverse" else []
                yield pytest.param(s, product, order, id=f"{s.file}-{product}-{order}", marks=marks)


def test_every_kernel_of_the_folder_is_tried():
    own = {p.stem for p in KERNELS.glob("*.cpp") if "// twin" in p.read_text()}
    assert own == {s.file for s in STYLES} and len(own) >= 12


@pytest.mark.parametrize("style", STYLES, ids=lambda s: s.file)
def test_every_kernel_has_twins(style):
    assert len(twins(style.file)) >= 2


@pytest.mark.parametrize("style, product, order", list(right_ones()))
def test_a_right_kernel_is_right_and_has_no_finding(style, product, order):
    findings, outputs = style.run(KERNELS / f"{style.file}.cpp", product, order)
    assert [str(f) for f in findings] == []
    for name, wanted in style.wanted().items():
        np.testing.assert_allclose(outputs[name].astype(np.float64), wanted.astype(np.float64), **style.close)


@pytest.mark.parametrize("order", ORDERS)
def test_a_post_that_two_cores_wait_for_lets_one_of_them_go(order, tmp_path):
    (posts,) = (style for style in STYLES if style.file == "posts")
    path = tmp_path / "posts.cpp"
    path.write_text((KERNELS / "posts.cpp").read_text().replace("IBWait(postGm, work, core - 1, 0)", "IBWait(postGm, work, core == 3 ? 1 : core - 1, 0)"))
    findings, _ = posts.run(path, "ascend910b", order)
    assert any(re.search("deadlock: IBWait.*which nobody sets", str(f)) for f in findings), findings


def test_what_a_kernel_prints_is_seen(tmp_path, capsys):
    path = tmp_path / "print.cpp"
    path.write_text('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void say(GM_ADDR x) { AscendC::printf("core %d\\n", 7); }\n')
    built = kernel.build(path, products.load("ascend950"), {})
    assert kernel.launch(built, {}, {}, block_dim=2).findings == []
    assert capsys.readouterr().err == "core 7\ncore 7\n"


def pairs():
    """A twin on the first product where it is illegal; on the others, where it may be legal, with --long."""
    for style in STYLES:
        for number, (_, architectures) in twins(style.file).items():
            illegal = [p for p in style.products if not architectures or products.load(p)["npu_arch"] in architectures]
            for product in style.products:
                marks = [] if product == illegal[0] else [pytest.mark.long]
                yield pytest.param(style, product, number, id=f"{style.file}-{product}-{number}", marks=marks)


@pytest.mark.parametrize("style, product, number", list(pairs()))
def test_an_illegal_twin_is_reported(style, product, number, tmp_path):
    words, architectures = twins(style.file)[number]
    path = tmp_path / f"{style.file}.cpp"
    path.write_text(twin_of(style.file, number))
    findings, _ = style.run(path, product)
    found = [str(f) for f in findings]
    if architectures and products.load(product)["npu_arch"] not in architectures:
        assert found == []  # legal there
    else:
        assert any(re.search(words, f) for f in found), found or "nothing was found"
