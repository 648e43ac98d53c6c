"""Where the calls stand that led to a finding: a kernel compiled once more with its lines, and what those say of offsets in it.

Clean runs pay nothing: only a run that found something is repeated with such a kernel.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from compiler.emulator.toolchain import TOKEN, Unit

_FRAME = re.compile(rf"(?:^|/)(?:{TOKEN}/)+(?P<file>.*):(?P<line>\d+)(?: \(discriminator \d+\))?$")
_MOST = 2  # further out lie the kernel's loop and its entry


def available() -> bool:
    """Whether there is the tool that reads lines, which comes with g++."""
    return shutil.which("addr2line") is not None


def with_lines(unit: Unit) -> Unit:
    """The unit of a kernel, compiled for the lines of its calls: all of them are in the stack, paths are those of other objects."""
    flags = (*unit.flags, "-g1", f"-fdebug-prefix-map={unit.directory}=/{TOKEN}", "-fno-optimize-sibling-calls")
    return replace(unit, flags=flags, optimisation=unit.optimisation or "-O1")


def called_at(library: Path, directory: Path, items: Sequence[Mapping]) -> list[tuple[str, ...]]:
    """For each finding as the runtime writes it the calls in the sources of `directory` through which it was reached, `file:line`,
    innermost first; none where the finding is about another line than the one that ran."""
    offsets = list(dict.fromkeys(offset for item in items for offset in item["callers"]))
    lines = _lines(library, directory, offsets)
    chains = []
    for item in items:
        here, *outer = [line for offset in item["callers"] for line in lines[offset]] or [None]
        chains.append(tuple(outer[:_MOST]) if here == f"{item['file']}:{item['line']}" else ())
    return chains


def _lines(library: Path, directory: Path, offsets: Sequence[int]) -> dict[int, list[str]]:
    """Offset -> `file:line` of the sources in the directory, of the function that it lies in and of those that this is inlined into."""
    if not offsets:
        return {}
    words = ["addr2line", "-a", "-i", "-e", str(library), *map(hex, offsets)]
    text = subprocess.run(words, capture_output=True, text=True, errors="replace").stdout
    lines: dict[int, list[str]] = {}
    for line in text.splitlines():
        frame = _FRAME.search(line)
        if line.startswith("0x"):
            frames = lines.setdefault(int(line, 16), [])
        elif frame:
            frames.append(f"{directory}/{frame['file']}:{frame['line']}")
    return {offset: lines.get(offset, []) for offset in offsets}
