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
)


class ProductError(ValueError):
    """A product that does not exist, or whose file is not one."""


def names() -> list[str]:
    """The products that come with ascgrad."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.toml"))


def load(name_or_path: str | Path, version: str | None = None) -> dict:
    """The figures of a product: a name from `names`, or the path of a file of the user's own.

    version: the part that is meant, as the toolkit names it; by default the one that the file describes.
    Raises ProductError, with one line, when there is no such file or part, or a figure is missing or of the wrong type.
    """
    path = Path(__file__).parent / f"{name_or_path}.toml"
    if not path.is_file():
        path = Path(name_or_path)
    if not path.is_file():
        raise ProductError(
            f"product {str(name_or_path)!r}: want one of {', '.join(names())} or the path of a product file"
        )
    try:
        product = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProductError(f"{path}: {error}") from None
    variants = product.pop("variants", {})
    if version is not None and version != product.get("soc_version"):
        if version not in variants:
            wants = ", ".join([str(product.get("soc_version")), *sorted(variants)])
            raise ProductError(f"--soc-version: got {version}, wants one of {wants} ({product.get('name')})")
        product = _merged(product, {**variants[version], "soc_version": version})
    figures = flatten(product)
    for key in TEXTS:
        if not isinstance(figures.get(key), str):
            raise ProductError(f"{path}: {key}: got {figures.get(key)!r}, want a text")
    for key in NUMBERS:
        value = figures.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            raise ProductError(f"{path}: {key}: got {value!r}, want a positive number")
    return product


def _merged(base: dict, changes: dict) -> dict:
    """`base` with the keys of `changes` in place of its own, table by table."""
    result = dict(base)
    for key, value in changes.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        result[key] = _merged(base[key], value) if both else value
    return result


def flatten(product: dict, prefix: str = "") -> dict[str, str | int | float | bool]:
    """Nested tables as dotted names: {"memory": {"ub": 1}} becomes {"memory.ub": 1}."""
    result = {}
    for key, value in product.items():
        if isinstance(value, dict):
            result |= flatten(value, f"{prefix}{key}.")
        else:
            result[prefix + key] = value
    return result
