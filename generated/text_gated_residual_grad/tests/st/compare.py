# Made by ascgrad 0.1.0 from TextGatedResidualGrad for ascend950, ascend910b, ascend910_93.
"""Compares the outputs of one call of TextGatedResidualGrad with the gradients computed in float64.

    python3 compare.py case

An output with limits in interface.json must keep both: the relative RMS error, and for each element
|error| <= atol * rms(reference) + rtol * |reference|. Every output must keep the ecosystem's standard: mean relative
error below Th and largest relative error below 10 * Th, elements below the small-value bound judged by their absolute
error. An exact zero must be an exact zero, and what is not finite must be so in both.
"""

import json
import sys
from pathlib import Path

import numpy as np

INTERFACE = json.loads((Path(__file__).resolve().parent / "interface.json").read_text(encoding="utf-8"))
# dtype -> Th, small-value bound, small-value error, largest finite value
STANDARD = {
    "float16": (2**-10, 2**-11, 2**-16, 65504.0),
    "bfloat16": (2**-7, 2**-8, 2**-16, 3.3895313892515355e38),
    "float32": (2**-13, 2**-14, 2**-30, 3.4028234663852886e38),
}


def read(path, dtype):
    if dtype == "bfloat16":
        bits = np.fromfile(path, dtype=np.uint16).astype(np.uint32) << 16
        return bits.view(np.float32).astype(np.float64)
    return np.fromfile(path, dtype=dtype).astype(np.float64)


def problems(name, dtype, actual, golden):
    """What does not hold, one line each."""
    if actual.size != golden.size:
        return [f"got {actual.size} elements, wants {golden.size}"]
    threshold, small, small_error, largest = STANDARD[dtype]
    found = []
    overflow = np.isfinite(golden) & (np.abs(golden) > largest)
    same = np.where(overflow, np.sign(actual) == np.sign(golden), np.isfinite(actual) == np.isfinite(golden))
    same &= (np.isnan(actual) == np.isnan(golden)) & (~np.isinf(golden) | (actual == golden))
    if not same.all():
        found.append(f"{np.count_nonzero(~same)} elements are finite in one and not in the other")
    if np.count_nonzero(actual[golden == 0]):
        found.append(f"{np.count_nonzero(actual[golden == 0])} elements are not zero, as they must be")
    use = np.isfinite(golden) & np.isfinite(actual) & ~overflow
    a, g = actual[use], golden[use]
    if not g.size:
        return found
    error = np.abs(a - g)
    rms = np.sqrt(np.mean(g**2))
    limits = INTERFACE["precision"].get(name, {}).get(dtype)
    if limits:
        relative = np.sqrt(np.mean(error**2)) / rms if rms else 0.0
        if relative > limits["rms"]:
            found.append(f"relative RMS error {relative:.3g}, limit {limits['rms']:.3g}")
        beyond = error > limits["atol"] * rms + limits["rtol"] * np.abs(g)
        if beyond.any():
            found.append(f"{np.count_nonzero(beyond)} elements beyond atol and rtol, error up to {error[beyond].max():.3g}")
    relative = error / (np.abs(g) + 1e-7)
    if relative.mean() >= threshold or relative.max() >= 10 * threshold:
        large = np.abs(g) >= small
        mean, most = (relative[large].mean(), relative[large].max()) if large.any() else (0.0, 0.0)
        if mean >= threshold or most >= 10 * threshold:
            found.append(f"mean and largest relative error {mean:.3g}, {most:.3g}, limits {threshold:.3g}, {10 * threshold:.3g}")
        count = np.count_nonzero(error[~large] > small_error)
        rounded = np.count_nonzero(np.abs(g[~large]) * threshold > small_error)
        if count > 2 * max(rounded, 1):
            found.append(f"{count} small elements with an absolute error above {small_error:.3g}")
    return found


def main():
    case = Path(sys.argv[1] if len(sys.argv) > 1 else "case")
    golden = np.load(case / "golden.npz")
    failed = False
    for line in (case / "case.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[0] != "output" or words[2] == "absent":
            continue
        name, dtype = words[1], words[2]
        found = problems(name, dtype, read(case / f"{name}.bin", dtype), golden[name].reshape(-1).astype(np.float64))
        failed = failed or bool(found)
        print(f"{name}: {'; '.join(found) if found else 'fine'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
