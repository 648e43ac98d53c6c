"""The C++ compiler of the machine, and a cache of what it made.

An object is found again by content: compiler, flags, source and every file that the source includes. Directories that
move (a fresh emission goes to a new temporary directory) are left out of the key and out of the object: their path is
mapped to a token, and messages that carry the token are completed when they are shown.
"""

import fcntl
import functools
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

FLAGS = ("-std=c++17", "-O2", "-ffp-contract=off", "-fPIC")
TOKEN = "@"  # stands for the operator directory inside objects and keys
HERE_TOKEN = "%"  # stands for the emulator's own directory inside keys

_HERE = str(Path(__file__).parent)
_HEADERS = Path(_HERE) / "include"
_PLACE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)?\s+(?P<text>.*)$")
_ERROR = re.compile(r"(?:fatal )?error: (?P<message>.*)")
_CAUSE = re.compile(
    r"note: (?:in expansion of macro|expanded from macro|in instantiation|in definition of macro)|required from"
)


class ToolchainError(RuntimeError):
    """There is no C++ compiler, or it fails without naming a line."""


class SourceError(Exception):
    """C++ sources do not compile. `str()` is a line `file:line: message` for each error; `output` is all of it."""

    def __init__(self, lines: Sequence[str], output: str = ""):
        super().__init__("\n".join(lines))
        self.lines = list(lines)
        self.output = output


@dataclass(frozen=True)
class Compiler:
    command: tuple[str, ...]
    version: str

    @property
    def gcc(self) -> bool:
        return "Free Software Foundation" in self.version

    @property
    def kernel_flags(self) -> tuple[str, ...]:
        """Kernels loaded into one process share no symbols; GCC alone has names that would be shared all the same."""
        return ("-fvisibility=hidden", *(("-fno-gnu-unique", "-fvect-cost-model=dynamic") if self.gcc else ()))


@functools.cache
def compiler() -> Compiler:
    """The first of $CXX, g++, clang++ and the ziglang wheel.

    Raises ToolchainError when there is none.
    """
    candidates = [tuple(os.environ["CXX"].split())] if os.environ.get("CXX") else []
    candidates += [("g++",), ("clang++",)]
    if importlib.util.find_spec("ziglang"):
        candidates.append((sys.executable, "-m", "ziglang", "c++"))
    for command in candidates:
        if shutil.which(command[0]):
            done = subprocess.run([*command, "--version"], capture_output=True, text=True)
            if done.returncode == 0:
                return Compiler(command, done.stdout)
    raise ToolchainError("no C++ compiler: set CXX, install g++ or clang++, or pip install ascgrad[zig]")


def cache_directory() -> Path:
    """$ASCGRAD_CACHE, or ascgrad under $XDG_CACHE_HOME or ~/.cache."""
    if os.environ.get("ASCGRAD_CACHE"):
        return Path(os.environ["ASCGRAD_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ascgrad"


def digest(*parts: str | bytes) -> str:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()[:40]


def write_atomically(path: Path, data: bytes) -> None:
    """So that another process sees all of the file or none of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    os.replace(temporary, path)


def stored(kind: str, suffix: str, data: bytes, name: str | None = None) -> Path:
    """A generated file in the cache, under a name made of its content."""
    path = cache_directory() / kind / digest(data) / (name or f"file{suffix}")
    if not path.exists():
        write_atomically(path, data)
    return path


@contextmanager
def _locked(path: Path):
    """One process compiles, the others wait and find the result."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True)
class Unit:
    """One source to compile. `directory` is the operator directory whose path must not matter.

    `header` is one that the source includes first, a unit by itself whose flags are among this one's: GCC keeps it parsed.
    """

    source: Path
    flags: tuple[str, ...] = ()
    directory: Path | None = None
    optimisation: str | None = None  # in place of the -O2 of FLAGS
    header: "Unit | None" = None

    @property
    def is_header(self) -> bool:
        return self.source.suffix == ".h"

    def arguments(self) -> list[str]:
        flags = [self.optimisation if self.optimisation and flag == "-O2" else flag for flag in FLAGS]
        if self.directory:
            flags.append(f"-fmacro-prefix-map={self.directory}={TOKEN}")
        return [*flags, *self.flags]


@functools.cache
def _hash_file(path: str, _size: int, _modified: int) -> str:
    return digest(Path(path).read_bytes())


def _content(path: str) -> str | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return _hash_file(path, status.st_size, status.st_mtime_ns)


@dataclass
class _Objects:
    """What one unit compiled to before, a record for each state of the files that it includes."""

    path: Path
    records: list[dict] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> "_Objects":
        try:
            return cls(path, json.loads(path.read_bytes()))
        except (OSError, ValueError):
            return cls(path)

    def find(self, expand: Callable[[str], str]) -> tuple[Path, list[str]] | None:
        """The object for what is included now, and the paths of that."""
        for record in self.records:
            object_path = self.path.parent / record["object"]
            includes = {expand(name): made for name, made in record["includes"].items()}
            # A machine that stopped while it wrote may have left an object that is cut off.
            whole = object_path.exists() and object_path.stat().st_size == record.get("bytes")
            if whole and all(_content(path) == made for path, made in includes.items()):
                return object_path, list(includes)
        return None

    def add(self, name: str, includes: dict[str, str], keep: int) -> None:
        """One more record; of the others the last `keep` stay, with their objects."""
        others = [record for record in self.records if record["object"] != name]
        record = {"object": name, "bytes": (self.path.parent / name).stat().st_size, "includes": includes}
        first = max(len(others) - keep, 0)
        for record in others[:first]:
            (self.path.parent / record["object"]).unlink(missing_ok=True)
        write_atomically(self.path, json.dumps([*others[first:], record]).encode())


def compile_unit(unit: Unit) -> Path:
    """The object of one source, from the cache if nothing that it depends on has changed.

    Raises SourceError when the source does not compile, ToolchainError when there is no compiler.
    """
    return _compiled(unit)[0]


def _compiled(unit: Unit) -> tuple[Path, list[str]]:
    """What `compile_unit` gives, and the files that it was made of."""
    # A parsed header knows the places of its files: it is another one wherever they are.
    roots = {} if unit.is_header else {HERE_TOKEN: _HERE} | ({TOKEN: str(unit.directory)} if unit.directory else {})

    def contract(text: str) -> str:
        for token, root in roots.items():
            text = text.replace(root, token)
        return text

    def expand(text: str) -> str:
        return roots[text[0]] + text[1:] if text[:1] in roots else text

    arguments = unit.arguments()
    key = digest(
        compiler().version,
        *compiler().command,
        contract("\0".join(arguments)),
        contract(str(unit.source)),
        unit.source.read_bytes(),
    )
    folder = cache_directory() / "objects" / key[:2]
    index = folder / f"{key}.json"
    found = _Objects.read(index).find(expand)
    if found:
        return found
    with _locked(folder / f"{key}.lock"):
        objects = _Objects.read(index)
        found = objects.find(expand)
        if found:
            return found
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            made, paths = _compile(unit, arguments, Path(temporary))
            includes = {contract(path): _content(path) for path in paths}
            name = f"{digest(key, json.dumps(includes, sort_keys=True))}{'.h.gch' if unit.is_header else '.o'}"
            if unit.is_header:
                write_atomically(folder / name.removesuffix(".gch"), f'#include "{unit.source}"\n'.encode())
            os.replace(made, folder / name)
        objects.add(name, includes, 0 if unit.is_header else 15)  # parsed headers are large
        return folder / name, paths


def _compile(unit: Unit, arguments: list[str], folder: Path) -> tuple[Path, list[str]]:
    """The object of one source in a folder, and the files that it includes."""
    made, dependencies = folder / "made", folder / "made.d"
    last = ["-MMD", "-MF", str(dependencies), "-c", str(unit.source), "-o", str(made)]
    paths: list[str] = []
    if unit.header and compiler().gcc:
        header, paths = _compiled(unit.header)
        try:
            run(["-include", str(header.with_suffix("")), *arguments, *last])
        except SourceError:  # said again below; some systems do not let GCC load what it parsed before
            run([*arguments, *last])
    else:
        run([*arguments, *last])
    words = dependencies.read_text().replace("\\\n", " ").split(": ", 1)[1]
    return made, list(dict.fromkeys([*paths, *(path.replace("\\ ", " ") for path in re.findall(r"(?:\\ |\S)+", words))]))


def compile_all(units: Iterable[Unit]) -> list[Path]:
    """The objects of several sources, compiled side by side.

    Raises SourceError with the errors of all of them, ToolchainError when there is no compiler.
    """

    def attempt(unit: Unit) -> Path | SourceError:
        try:
            return compile_unit(unit)
        except SourceError as error:
            return error

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(attempt, units))
    errors = [result for result in results if isinstance(result, SourceError)]
    if errors:
        lines = dict.fromkeys(line for error in errors for line in error.lines)  # one header, many sources
        raise SourceError(list(lines), "\n".join(error.output for error in errors))
    return results


def link(objects: Sequence[Path], flags: Sequence[str], name: str) -> Path:
    """The program or shared object `name` of some objects of `compile_unit`.

    Raises SourceError when a symbol is missing or defined twice.
    """
    key = digest(compiler().version, *compiler().command, *flags, *(path.name for path in objects))
    target = cache_directory() / "linked" / key / name
    if not target.exists():
        with _locked(target.parent / "lock"):
            if not target.exists():
                with tempfile.TemporaryDirectory(dir=target.parent) as temporary:
                    made = Path(temporary) / name
                    run([*map(str, objects), *flags, "-o", str(made)])
                    os.replace(made, target)
    return target


def preprocess(source: Path, flags: Sequence[str]) -> str:
    """The preprocessed text of a source.

    Raises SourceError when an included file is missing or a directive is wrong.
    """
    return run([*FLAGS, *flags, "-E", "-x", "c++", str(source)])


def run(arguments: Sequence[str]) -> str:
    """Runs the compiler; returns what it printed.

    Raises SourceError when it reports errors.
    """
    environment = os.environ | {"LC_ALL": "C"}
    done = subprocess.run([*compiler().command, *arguments], capture_output=True, text=True, errors="replace", env=environment)
    if done.returncode == 0:
        return done.stdout
    lines = _error_lines(done.stderr)
    if not lines:
        lines = [
            line for line in done.stderr.splitlines() if "undefined reference" in line or "multiple definition" in line
        ]
    from compiler.emulator.apis import explained  # which asks this module what the headers declare

    arch = next((int(word.partition("=")[2]) for word in arguments if word.startswith("-D__NPU_ARCH__=")), None)
    raise SourceError(explained(list(dict.fromkeys(lines)), arch) or [done.stderr.strip() or "the compiler failed"], done.stderr)


def _error_lines(output: str) -> list[str]:
    """`file:line: message` for each error; one in a header of the emulator is placed at the code that caused it."""
    lines: list[str] = []
    cause = None  # of the next error: compilers name instantiations in front of it, expansions of macros behind
    pending = None  # an error in a header whose cause is still to come
    for text in output.splitlines():
        place = _PLACE.match(text)
        if place is None:
            continue
        foreign = Path(place["file"]).is_relative_to(_HEADERS)
        error = _ERROR.match(place["text"])
        where = f"{place['file']}:{place['line']}"
        if error:
            pending = error["message"] if foreign and cause is None else None
            lines.append(f"{cause if foreign and cause else where}: {error['message']}")
            cause = None
        elif _CAUSE.search(place["text"]) and not foreign:
            if pending is not None:
                lines[-1] = f"{where}: {pending}"
                pending = None
            else:
                cause = where
    return lines
