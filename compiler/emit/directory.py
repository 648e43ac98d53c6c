"""The operator directory: which template makes which file, and how files reach a folder.

A directory is rendered whole in memory, as relative path -> text, and then written, or compared with what is there.
"""

from __future__ import annotations

import difflib
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from compiler.emit import facts
from compiler.emit.render import render
from compiler.emit.view import OperatorView

BOTH = ("repo", "standalone")

@dataclass(frozen=True)
class File:
    """One output file. Its template is templates/<template or path>.jinja; {op}, {Name}, {soc} and the kernel's
    {suffix} are filled in.

    each: "product" for one file per product, "kernel" for one per kernel, with the first of the products that run it.
    when: attribute of the `OperatorView` that says whether there is such a file; always where it is ''.
    styled: whether each style of documents has a template of its own, <template>.<style>.jinja for all but nn.
    """

    path: str
    layouts: tuple[str, ...] = BOTH
    template: str = ""
    each: str = ""
    when: str = ""
    styled: bool = False


REPO = ("repo",)
STANDALONE = ("standalone",)
FILES = (
    File("CMakeLists.txt", REPO),
    File("CMakeLists.txt", STANDALONE, "standalone/CMakeLists.txt"),
    File("README.md", styled=True),
    File("README_en.md", styled=True),
    File("docs/aclnn{Name}.md", styled=True),
    File("examples/test_aclnn_{op}.cpp"),
    File("op_api/aclnn_{op}.cpp"),
    File("op_api/aclnn_{op}.h"),
    File("op_api/aclnn_{op}_check.h", when="shape_rules"),
    File("op_api/{op}.cpp"),
    File("op_api/{op}.h"),
    File("op_graph/CMakeLists.txt", REPO),
    File("op_graph/{op}_proto.h"),
    File("op_host/CMakeLists.txt", STANDALONE, "standalone/op_host/CMakeLists.txt"),
    File("op_host/config/{soc}/{op}_binary.json", REPO, "op_host/config/{op}_binary.json", "product"),
    File("op_host/{op}_def.cpp"),
    File("op_host/{op}_infershape.cpp"),
    File("op_host/{op}_tiling.cpp"),
    File("op_host/{op}_tiling_check.h"),
    File("op_host/{op}_tiling_math.h"),
    File("op_kernel/CMakeLists.txt", STANDALONE, "standalone/op_kernel/CMakeLists.txt"),
    File("op_kernel/{op}_tiling_data.h"),
    File("tests/CMakeLists.txt", REPO),
    File("tests/st/README.md"),
    File("tests/st/compare.py"),
    File("tests/st/gen_data.py"),
    File("tests/st/interface.json"),
    File("tests/st/run.py"),
    File("tests/st/runner.cpp"),
    File("tests/ut/CMakeLists.txt", REPO, "tests/CMakeLists.txt"),
    File("tests/ut/op_api/CMakeLists.txt", REPO),
    File("tests/ut/op_api/test_aclnn_{op}.cpp", REPO),
    File("tests/ut/op_host/CMakeLists.txt", REPO),
    File("tests/ut/op_host/test_{op}_infershape.cpp", REPO),
    File("tests/ut/op_host/test_{op}_tiling.cpp", REPO),
    File("tests/ut/op_kernel/CMakeLists.txt", REPO),
    File("tests/ut/op_kernel/test_{op}{suffix}.cpp", REPO, "tests/ut/op_kernel/test_{op}.cpp", "kernel"),
)


def file_table(operator, plans: dict, layout: str = "repo") -> dict[str, str]:
    """Output path -> template, without rendering anything."""
    return {path: template for path, template, _ in _entries(OperatorView(operator, plans), layout)}


def _entries(op: OperatorView, layout: str):
    if layout not in BOTH:
        raise ValueError(f"layout: got {layout!r}, wants one of {', '.join(BOTH)}")
    for f in FILES:
        if layout not in f.layouts or (f.when and not getattr(op, f.when)):
            continue
        style = f".{op.interface.style}" if f.styled and op.interface.style != "nn" else ""
        kernels = {p.kernel_suffix: p for p in reversed(op.products)}
        members = {"product": op.products, "kernel": [p for p in op.products if p in kernels.values()]}
        for product in members.get(f.each, (None,)):
            path = f.path.replace("{op}", op.snake).replace("{Name}", op.name)
            if product:
                path = path.replace("{suffix}", product.kernel_suffix).replace("{soc}", product.soc)
            yield path, f"{f.template or f.path}{style}.jinja", product


def render_directory(operator, plans: dict, layout: str = "repo", license_header: str | None = None,
                     kernel_files: dict[str, str] | None = None) -> dict[str, str]:
    """The operator directory as relative path -> text, in the order of the file table.

    operator: an `ir.interface.Operator` or `Interface`.
    plans: product -> `compiler.emit.plan.Plan` (or an object with its attributes).
    license_header: plain text, or a comment of any of the usual kinds.
    kernel_files: the kernel's files (op_kernel/...), rendered elsewhere and without header; they get it here.
    """
    from compiler.emit.context import context

    op = OperatorView(operator, plans)
    shared = context(op, layout)
    files = {}
    for path, template, product in _entries(op, layout):
        files[path] = render(template, header=header(op, path, license_header), product=product, **shared)
    for path, text in (kernel_files or {}).items():
        files[path] = header(op, path, license_header) + "\n" + text.lstrip("\n")
    return files


def made_by(op: OperatorView) -> str:
    return f"Made by ascgrad {facts.version()} from {op.name} for {op.product_names}."


def header(op: OperatorView, path: str, license_header: str | None) -> str:
    """The licence and the line that says what made the file, as a comment of the file's language; '' for JSON."""
    lines = plain_license(license_header)
    made = made_by(op)
    if path.endswith((".cpp", ".h")):
        licence = ["/**", *(f" * {line}".rstrip() for line in lines), " */", ""] if lines else []
        return "\n".join([*licence, f"// {made}", ""])
    if path.endswith((".txt", ".py")):
        licence = [*(f"# {line}".rstrip() for line in lines), ""] if lines else []
        return "\n".join([*licence, f"# {made}"])
    if path.endswith(".md"):
        return "\n".join(["<!--", *lines, *([""] if lines else []), made, "-->"]) if lines else f"<!-- {made} -->"
    return ""


def plain_license(text: str | None) -> list[str]:
    """The lines of a licence header without comment marks."""
    lines = []
    for line in (text or "").strip().splitlines():
        line = re.sub(r"^\s*(/\*\*?!?|\*/|\*(?!\S)|//+|#+|<!--|-->)\s?", "", line.rstrip())
        lines.append(re.sub(r"\s*(\*/|-->)$", "", line).rstrip())
    while lines and (not lines[0] or set(lines[0]) <= set("-=*")):
        lines.pop(0)
    while lines and (not lines[-1] or set(lines[-1]) <= set("-=*")):
        lines.pop()
    return lines


class DirectoryError(Exception):
    """The directory cannot be written. One line: the path, what is there, what would work."""


def write_directory(files: dict[str, str], out, force: bool = False) -> None:
    """Writes the files below `out`: all of them, or none.

    Everything is written to a temporary folder first and renamed from there. A folder that holds something is refused
    unless `force`; then files of the same paths are replaced and all others are left as they are.
    """
    out = Path(out)
    try:
        _write(files, out, force)
    except OSError as error:
        raise DirectoryError(f"{out}: cannot be written: {error.strerror or error}") from None


def _write(files: dict[str, str], out: Path, force: bool) -> None:
    if out.exists() and not out.is_dir():
        raise DirectoryError(f"{out}: got a file, wants a folder that is new or empty")
    if out.is_dir() and any(out.iterdir()) and not force:
        raise DirectoryError(f"{out}: got a folder that is not empty, wants a new or empty one (or --force)")
    target = out.resolve()
    parent = target if target.is_dir() else target.parent
    parent.mkdir(parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=".ascgrad.", dir=parent))
    try:
        fresh = stage / "new"
        for path, text in files.items():
            place = fresh / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode())
        if target.is_dir():
            _replace(files, fresh, stage / "old", target)
        else:
            fresh.rename(target)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _replace(paths, fresh: Path, old: Path, target: Path) -> None:
    """Moves files from `fresh` into `target`; when one cannot be moved, all that were are taken back."""
    for path in paths:
        for place in (target / path, *(target / path).parents):
            if place == target:
                break
            wants_folder = place != target / path
            if place.exists() and place.is_dir() != wants_folder:
                kinds = ("file", "folder") if wants_folder else ("folder", "file")
                raise DirectoryError(f"{place}: got a {kinds[0]}, wants a {kinds[1]} there")
    done: list[tuple[Path, Path | None]] = []
    made: list[Path] = []
    try:
        for path in paths:
            place, kept = target / path, None
            for folder in reversed(place.parents):
                if not folder.exists():
                    folder.mkdir()
                    made.append(folder)
            if place.exists() or place.is_symlink():
                kept = old / path
                kept.parent.mkdir(parents=True, exist_ok=True)
                place.rename(kept)
            done.append((place, kept))
            (fresh / path).rename(place)
    except BaseException:
        for place, kept in reversed(done):
            place.unlink(missing_ok=True)
            if kept is not None:
                kept.rename(place)
        for folder in reversed(made):
            folder.rmdir()
        raise


def diff_directory(files: dict[str, str], out) -> str:
    """What writing would change below `out`, as a unified diff; '' when nothing. Writes nothing."""
    if Path(out).exists() and not Path(out).is_dir():
        raise DirectoryError(f"{out}: got a file, wants a folder")
    parts = []
    for path, new in sorted(files.items()):
        place = Path(out) / path
        exists = place.is_file()
        if exists and place.read_bytes() == new.encode():
            continue
        old = place.read_bytes().decode("utf-8", errors="replace") if exists else ""
        for line in difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True),
                                         f"a/{path}" if exists else "/dev/null", f"b/{path}"):
            parts.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(parts)
