"""The figures of the products: one TOML file each, and nowhere else a hardware number.

A file describes one part of the product. A table ``[variants.NAME]`` holds what differs in the part that the toolkit
calls NAME; its keys are those of the file.
"""

import tomllib
from pathlib import Path

TEXTS = ("name", "title", "soc_version", "kernel_suffix", "arch_folder", "npu_tag")
NUMBERS = (
    "npu_arch",
    "cores.aic",
    "cores.aiv",
    "cores.clock_mhz",
    "memory.ub",
    "memory.l1",
    "memory.l0a",
    "memory.l0b",
    "memory.l0c",
    "memory.l2",
    "memory.hbm",
    "memory.system_workspace",
    "alignment.ub",
    "limits.blocks",
    "limits.repeat",
    "limits.queue_events",
    *(f"rates.{name}" for name in (
        "hbm_bytes_per_second", "hbm_efficiency", "hbm_burst", "l2_bytes_per_second", "l2_sector", "gm_latency_ns", "gm_cold_latency_ns",
        "copy_start", "copy_request", "unaligned_rows", "atomic_add", "load_start", "vector", "vector_issue", "vector_overhead",
        "vector_start", "cube_macs_16", "cube_macs_32", "cube_efficiency", "cube_latency", "scalar_issue", "scalar_access", "event",
        "queue", "kernel_head_ns", "pipe_start_ns", "sync_all_ns", "flag_all_ns", "flag_group_ns", "paths.gm_to_ub", "paths.ub_to_gm",
        "slots.default",
    )),
)

UB_TO_L1 = "ENABLE_CV_COMM_VIA_SSBUF"
"""Without this macro a copy from UB to L1 goes through GM and waits for a Matmul object (asc: DataCopy, UB -> L1)."""


class ProductError(ValueError):
    """A product that does not exist, or whose file is not one."""


def names() -> list[str]:
    """The products that come with ascgrad."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.toml"))


def load(name_or_path: str | Path, version: str | None = None) -> dict:
    """The parsed file of a product: a name from `names`, or the path of a file of the user's own.

    version: a SoC version among the file's variants, whose figures take the place of the product's.

    Raises ProductError, with one line, when there is no such file or version or a figure is missing or of the wrong
    type.
    """
    path = Path(name_or_path)
    if str(name_or_path) in names():
        path = Path(__file__).parent / f"{name_or_path}.toml"
    if not path.is_file():
        raise ProductError(
            f"product {str(name_or_path)!r}: want one of {', '.join(names())} or the path of a product file"
        )
    try:
        product = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProductError(f"{path}: {error}") from None
    variants = product.pop("variants", {})
    if version is not None and version != product.get("soc_version"):
        if not isinstance(variants, dict) or version not in variants:
            known = [str(product.get("soc_version")), *variants]
            raise ProductError(f"soc version {version!r}: want one of {', '.join(known)}")
        product = _merged(product, variants[version]) | {"soc_version": version}
    figures = flatten(product)
    for key in TEXTS:
        if not isinstance(figures.get(key), str):
            raise ProductError(f"{path}: {key}: got {figures.get(key)!r}, want a text")
    for key in NUMBERS:
        value = figures.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            raise ProductError(f"{path}: {key}: got {value!r}, want a positive number")
    reserved = figures.get("memory.ub_reserved")
    if isinstance(reserved, bool) or not isinstance(reserved, int) or not 0 <= reserved < figures["memory.ub"]:
        raise ProductError(f"{path}: memory.ub_reserved: got {reserved!r}, want bytes below memory.ub")
    loaded = figures["memory.l0a"] + figures["memory.l0b"]  # two buffers each: so much of both operands crosses into L1 at a time, or more
    if figures["memory.l1"] < loaded:
        raise ProductError(f"{path}: memory.l1: got {figures['memory.l1']!r}, want at least {loaded}: memory.l0a and memory.l0b together")
    return product


def _merged(product: dict, changes: dict) -> dict:
    """The product with a variant's figures in place of its own."""
    return product | {
        key: _merged(product.get(key, {}), value) if isinstance(value, dict) else value for key, value in changes.items()
    }


def flatten(product: dict, prefix: str = "") -> dict[str, str | int | float | bool]:
    """Nested tables as dotted names: {"memory": {"ub": 1}} becomes {"memory.ub": 1}."""
    result = {}
    for key, value in product.items():
        if isinstance(value, dict):
            result |= flatten(value, f"{prefix}{key}.")
        else:
            result[prefix + key] = value
    return result
