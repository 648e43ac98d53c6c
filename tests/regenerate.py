"""Emitted text that is checked in, so that a change of the compiler shows as a diff of its output.

``python -m tests.regenerate`` writes it anew: generated/<op>/ is what ``ascgrad generate`` writes for each operator of
ir/operators; tests/golden/<op>/ is kernel and tiling of the operators that live in tests/operators; docs/emulated_api.md is
what the emulator has of the Ascend C API.
"""

import sys
from pathlib import Path

from compiler import products
from compiler.emit.directory import diff_directory, write_directory
from compiler.emit.operator import emit
from compiler.emulator import apis
from compiler.library import find, operator_names
from compiler.pipeline import compile_operator

ROOT = Path(__file__).resolve().parents[1]
GENERAL = ("row_norm_grad", "scaled_product_grad", "tanh_gate_grad")
FOLDERS = {f"generated/{name}": name for name in operator_names()} | {
    f"tests/golden/{name}": f"{ROOT}/tests/operators/{name}.py" for name in GENERAL
}
"""Folder -> operator."""


def files_of(folder: str) -> dict[str, str]:
    """What belongs there: relative path -> text."""
    operator = find(FOLDERS[folder])
    names = operator.interface.products
    files = emit(operator, {name: compile_operator(operator, products.load(name)).schedule for name in names})
    if folder.startswith("generated/"):
        return files
    return {path: text for path, text in files.items() if path.startswith("op_kernel/") or path.startswith("op_host/") and "_tiling" in path}


def difference(folder: str) -> str:
    """What regenerating would change, as a unified diff; files that nobody generates any more are named."""
    files, place = files_of(folder), ROOT / folder
    present = {str(p.relative_to(place)) for p in place.rglob("*") if p.is_file()}
    return diff_directory(files, place) + "".join(f"only there: {path}\n" for path in sorted(present - set(files)))


def main() -> None:
    for folder in FOLDERS:
        files, place = files_of(folder), ROOT / folder
        for path in sorted(place.rglob("*"), reverse=True):
            if path.is_file() and str(path.relative_to(place)) not in files:
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        changed = bool(diff_directory(files, place))
        write_directory(files, place, force=True)
        print(f"{folder}: {len(files)} files{', changed' if changed else ''}")
    page = ROOT / "docs" / "emulated_api.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(apis.page(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
