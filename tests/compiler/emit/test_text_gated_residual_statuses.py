"""Statuses of the second seed operator in the cases that its documents list, on every product, through the host code."""

import shutil

import pytest

from compiler import products
from compiler.emit.directory import render_directory, write_directory
from tests.compiler.emit.text_gated_residual import INTERFACE, KERNELS, PLANS, shapes

run = pytest.importorskip("compiler.emulator.run")
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
FLOAT32 = ("inv_rms", "gamma", "dgamma")
GATE = ("w_gate", "grad_inject", "inject", "dw_gate")
GAMMA = ("gamma", "dgamma")


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    out = tmp_path_factory.mktemp("op")
    write_directory(render_directory(INTERFACE, PLANS, kernel_files=KERNELS), out)
    return out


def request(sizes=None, dtype="bfloat16", attrs=None, **change) -> "run.Request":
    """The call of those sizes, with some tensors changed: a shape, a dtype, a whole tensor, or None."""
    sizes = sizes or {}
    tensors = {}
    for name, shape in shapes(**sizes).items():
        of = "float32" if name in FLOAT32 else dtype
        new = change.get(name, shape)
        if isinstance(new, str):
            new = run.Tensor(shape, new)
        elif isinstance(new, tuple):
            new = run.Tensor(new, of)
        if new is not None:
            tensors[name] = new
    return run.Request(tensors, attrs or {"channels": sizes.get("C", 4)}, phase1_only=True)


def without(*names):
    return {n: None for n in names}


def all_of(sizes, **change):
    return dict(sizes=sizes, **change)


LARGEST = {"ascend950": 4800, "ascend910b": 3040, "ascend910_93": 3040}


def cases(product):
    """(name, status, request, part of the log line)."""
    h = LARGEST[product]
    found = [
        ("the example", 0, request(), ""),
        ("float16", 0, request(dtype="float16"), ""),
        ("no option", 0, request(**without(*GATE, *GAMMA)), ""),
        ("injection alone", 0, request(**without(*GAMMA)), ""),
        ("gamma alone", 0, request(**without(*GATE)), ""),
        ("B is 0", 0, request(dict(B=0, S=3)), ""),
        ("S is 0", 0, request(dict(B=3, S=0)), ""),
        ("one channel", 0, request(dict(C=1)), ""),
        ("the model", 0, request(dict(B=2, S=100, C=4, H=2560, R=320)), ""),
        ("largest H", 0, request(dict(H=h)), ""),
        ("largest H, C and R", 0, request(dict(C=20, H=h, R=640)), ""),
        ("C 20", 0, request(dict(C=20)), ""),
        ("R 640", 0, request(dict(R=640)), ""),
        ("H beyond", 561103, request(dict(H=h + 16)), "13 * H: got"),
        ("H beyond, no rows", 561103, request(dict(S=0, H=h + 16)), "13 * H: got"),
        ("H far beyond", 561103, request(dict(H=2**20)), "13 * H: got"),
        ("H 24", 561103, request(dict(H=24)), "H: got 24, wants a multiple of 16"),
        ("H 8", 561103, request(dict(H=8)), "H: got 8, wants a multiple of 16"),
        ("H 0", 561103, request(dict(H=0)), "H: got 0, wants at least 1"),
        ("R 24", 561103, request(dict(R=24)), "R: got 24, wants a multiple of 16"),
        ("R 8", 561103, request(dict(R=8)), "R: got 8"),
        ("R 0", 161002, request(dict(R=0)), "R = 0, wants R from 1 to 640"),
        ("R 656", 161002, request(dict(R=656)), "R = 656, wants R from 1 to 640"),
        ("R 641", 161002, request(dict(R=641)), "R = 641"),
        ("C 21", 161002, request(dict(C=21)), "channels: got 21, wants 1 to 20"),
        ("C 0", 161002, request(attrs={"channels": 0}), "channels: got 0, wants 1 to 20"),
        ("C -4", 161002, request(attrs={"channels": -4}), "channels: got -4"),
        ("C is no divisor", 161002, request(attrs={"channels": 3}), "channels: got 3, wants a divisor of"),
        ("C of another divisor", 161002, request(attrs={"channels": 2}), "gradMixed: got shape"),
        ("B negative", 161002, request(dict(B=-1)), "gradMixed: got shape [-1, 2, 16]"),
        ("S negative, B 0", 161002, request(dict(B=0, S=-2)), "gradMixed: got shape [0, -2, 16]"),
        ("too many rows", 161002, request(dict(B=2**32, S=2**32)), "whose product fits in int64"),
        ("too many bytes", 161002, request(dict(B=2**30, S=2**30)), "number of bytes"),
        ("D negative", 161002, request(dict(H=-16)), "x: got shape"),
    ]
    required = [t.name for t in INTERFACE.tensors if not t.optional]
    found += [(f"null {n}", 161001, request(**{n: None}), "got a null pointer") for n in required]
    found += [(f"injection without {n}", 161001, request(**{n: None}), "or null for all of them") for n in GATE]
    found += [(f"{n} alone", 161001, request(**without(*(m for m in GATE if m != n))), "or null for all") for n in GATE]
    found += [(f"{n} is missing", 161001, request(**{n: None}), "or null for all") for n in GAMMA]
    found += [(f"placeholder {n}", 161002, request(**{n: (0,)}), "got shape [0]") for n in (*GATE, *GAMMA)]
    found += [(f"all placeholders of {group[0]}", 161002, request(**{n: (0,) for n in group}), "got shape [0]")
              for group in (GATE, GAMMA)]
    for tensor in INTERFACE.tensors:
        n, shape = tensor.name, shapes()[tensor.name]
        wrong = "bfloat16" if n in FLOAT32 else "float16"
        spelled = "gradMixed" if n == "grad_mixed" else tensor.camel  # the first one is what the others are compared with
        found.append((f"{n} of {wrong}", 161002, request(**{n: wrong}), "got data type" if n == "grad_mixed" else f"{spelled}: got data type"))
        found.append((f"{n} of int32", 161002, request(**{n: "int32"}), f"{spelled}: got data type"))
        found.append((f"{n} of another rank", 161002, request(**{n: (1, *shape)}), "got shape"))
        for axis in range(len(shape)):
            other = tuple(d + 1 if axis == i else d for i, d in enumerate(shape))
            found.append((f"{n} with another dimension {axis}", 161002, request(**{n: other}), "got"))
    found.append(("all float32", 161002, request(dtype="float32"), "gradMixed: got data type"))
    found.append(("null before dtype", 161001, request(dx=None, x="int32"), "dx"))
    found.append(("group before dtype", 161001, request(gamma=None, x="int32"), "gamma"))
    found.append(("dtype before specification", 161002, request(dict(H=24), x="int32"), "x"))
    found.append(("shape before specification", 161002, request(dict(H=24), dgamma=(95,)), "dgamma"))
    return found


@pytest.mark.parametrize("name", INTERFACE.products)
def test_statuses(directory, name):
    product = products.load(name)
    built = run.build(directory, product, op=INTERFACE.name)
    listed = cases(name)
    results = run.emulate_many(built, [c[2] for c in listed])
    wrong = []
    for (case, status, _, message), result in zip(listed, results):
        if result.status != status or message not in result.message or result.findings:
            wrong.append(f"{case}: got {result.status} {result.message!r} {result.findings}, wants {status} {message!r}")
        elif status == 0:
            assert 1 <= result.block_dim <= product["cores"]["aic"], case
    assert not wrong, "\n".join(wrong)
    for null in ("workspaceSize", "executor"):
        assert run.emulate(built, request().tensors, {"channels": 4}, phase1_only=True, null=null).status == 161001
