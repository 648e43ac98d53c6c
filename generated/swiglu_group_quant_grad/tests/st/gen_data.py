# Made by ascgrad 0.1.0 from SwigluGroupQuantGrad for ascend950.
"""Writes the inputs of one call of SwigluGroupQuantGrad and its gradients in float64, for a run on a device.

    python3 gen_data.py --out case --shape T=8,H=512,G=2 --dtype bfloat16

Below --out: in.npz, golden.npz, one <tensor>.bin per input, and case.txt, which the runner reads. The gradients come
from `ascgrad interpret`; ascgrad must be installed.
"""

import argparse
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

INTERFACE = json.loads((Path(__file__).resolve().parent / "interface.json").read_text(encoding="utf-8"))
OPERATOR = INTERFACE["name"]
ROWS = "T"


def to_bfloat16(values):
    """float32 -> bfloat16 bits, rounded to nearest, ties to even, as two opaque bytes per element."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return rounded.astype(np.uint16).view("V2")


def convert(values, dtype):
    return to_bfloat16(values) if dtype == "bfloat16" else values.astype(dtype)


def parse_shape(text):
    """T=8,H=512,G=2 -> sizes and leading dimensions. Names that no tensor uses are leading dimensions."""
    known = set(re.findall(r"[A-Za-z_]\w*", " ".join(t["shape"] for t in INTERFACE["tensors"])))
    sizes, leading = dict(INTERFACE["sizes"]), []
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name in known:
            sizes[name] = int(value)
        else:
            leading.append(int(value))
    if leading:
        sizes[ROWS] = math.prod(leading)
    return sizes, leading or [sizes.get(ROWS, 1)]


def shape_of(tensor, sizes, leading):
    text = tensor["shape"]
    dims = []
    for dim in text.lstrip("#").split(","):
        if dim.strip() not in ("", "..."):
            dims.append(math.prod(int(f) if f.strip().isdigit() else sizes[f.strip()] for f in dim.split("*")))
    return [*leading, *dims] if text.startswith("...") else dims


def absent(names):
    """The tensors left out: leaving out one input of an option leaves out the option."""
    found = set(names)
    for option in INTERFACE["options"]:
        if found & set(option["inputs"]):
            found |= {*option["inputs"], *option["outputs"]}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--shape", default="")
    parser.add_argument("--dtype", default=next(iter(INTERFACE["dtypes"].values()))[0])
    parser.add_argument("--without", default="")
    parser.add_argument("--attr", action="append", default=[])
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    rng = np.random.default_rng(arguments.seed)
    sizes, leading = parse_shape(arguments.shape)
    without = absent(filter(None, arguments.without.split(",")))
    attributes = {a["name"]: a["default"] for a in INTERFACE["attributes"]}
    for text in arguments.attr:
        name, _, value = text.partition("=")
        attributes[name] = type(attributes[name])(float(value))
    variable = next(iter(INTERFACE["dtypes"].values()))
    if arguments.dtype not in variable:
        sys.exit(f"--dtype: got {arguments.dtype}, wants one of {', '.join(variable)}")
    column = variable.index(arguments.dtype)

    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    inputs, lines = {}, []
    for tensor in INTERFACE["tensors"]:
        name = tensor["name"]
        if name in without:
            lines.append(f"{tensor['role']} {name} absent")
            continue
        shape = shape_of(tensor, sizes, leading)
        dtype = INTERFACE["dtypes"].get(tensor["dtype"], [tensor["dtype"]] * (column + 1))[column]
        lines.append(" ".join(map(str, [tensor["role"], name, dtype, len(shape), *shape])))
        if tensor["role"] == "output":
            continue
        if dtype == "int64":  # counts whose sum is three quarters of the rows
            count = math.prod(shape)
            live = sizes.get(ROWS, 0) * 3 // 4
            values = np.full(shape, live // max(count, 1))
            values.reshape(-1)[: live % max(count, 1)] += 1
        else:
            values = rng.standard_normal(shape, dtype=np.float32)
        inputs[name] = convert(values, dtype)
        inputs[name].tofile(out / f"{name}.bin")
    lines += [f"attribute {name} {value}" for name, value in attributes.items()]
    (out / "case.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    np.savez(out / "in.npz", **inputs)
    command = ["ascgrad", "interpret", OPERATOR, "--inputs", str(out / "in.npz"), "--rounding", "exact",
               "--out", str(out / "golden.npz")]
    for name, value in attributes.items():
        command += ["--attr", f"{name}={value}"]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
