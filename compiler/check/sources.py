"""An operator directory as its checks see it: which file is what, the definition, and the code of each product."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from compiler import products
from compiler.check.cpp import Unit, preprocess, without_comments
from compiler.emulator.run import Finding


class NotAnOperator(ValueError):
    """A directory that is not in the emitted layout; one line says what is missing."""


@dataclass(frozen=True)
class Port:
    """An input, output or attribute of the definition. dtypes: one per column, as ge spells them without DT_."""

    name: str
    role: str  # input, output, attribute
    optional: bool
    dtypes: tuple[str, ...]
    line: int
    default: str = ""

    @property
    def camel(self) -> str:
        head, *rest = self.name.split("_")
        return head + "".join(w.capitalize() for w in rest)


@dataclass
class Sources:
    """The texts of a directory. Raises NotAnOperator when there is no definition, kernel or host tiling."""

    directory: Path
    only: dict | None = None
    """A product, of `products.load`, to look at alone."""
    texts: dict[Path, str] = field(default_factory=dict)

    def __post_init__(self):
        if not self.directory.is_dir():
            raise NotAnOperator(f"DIR: got {self.directory}, which is no folder, wants an operator directory")
        for folder in ("op_host", "op_kernel"):
            if not (self.directory / folder).is_dir():
                raise NotAnOperator(f"DIR: got {self.directory}, which has no {folder}, wants an operator directory as generate writes it")
        for path in sorted(self.directory.rglob("*")):
            if path.suffix in (".cpp", ".h", ".md", ".json", ".txt") and path.is_file():
                self.texts[path] = path.read_text(encoding="utf-8", errors="replace")
        for what, found in (("op_host/<op>_def.cpp with OP_ADD", self.definition_file), ("op_kernel/<op>.cpp", self.entries),
                            ("op_host/<op>_tiling.cpp", self.tiling_file)):
            if not found:
                raise NotAnOperator(f"DIR: got {self.directory}, which has no {what}, wants an operator directory as generate writes it")

    # -- files ----------------------------------------------------------------------------------------------------------

    def under(self, *folders: str, suffixes=(".cpp", ".h")) -> list[Path]:
        return [p for p in self.texts if p.suffix in suffixes and p.relative_to(self.directory).parts[0] in folders]

    def code(self, path: Path) -> str:
        """A text without comments, lines kept."""
        if path not in self._code:
            self._code[path] = without_comments(self.texts[path])
        return self._code[path]

    @cached_property
    def _code(self) -> dict[Path, str]:
        return {}

    def line(self, path: Path, at: int) -> int:
        return self.texts[path].count("\n", 0, at) + 1

    @cached_property
    def definition_file(self) -> Path | None:
        return next((p for p in self.under("op_host") if re.search(r"\bOP_ADD\s*\(", self.code(p))), None)

    @cached_property
    def tiling_file(self) -> Path | None:
        return next((p for p in self.under("op_host") if "SetTilingKey" in self.code(p) or "IMPL_OP_OPTILING" in self.code(p)), None)

    @cached_property
    def name(self) -> str:
        return re.search(r"\bOP_ADD\s*\(\s*(\w+)", self.code(self.definition_file))[1]

    @cached_property
    def snake(self) -> str:
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", self.name).lower()

    @cached_property
    def aclnn_header(self) -> Path | None:
        return next((p for p in self.under("op_api", "op_host") if p.name == f"aclnn_{self.snake}.h"), None)

    @cached_property
    def documents(self) -> list[Path]:
        return [p for p in self.texts if p.suffix == ".md" and p.relative_to(self.directory).parts[0] != "tests"]

    def finding(self, kind: str, path: Path, line: int, message: str) -> Finding:
        return Finding(kind, str(path), line, message)

    # -- the definition -------------------------------------------------------------------------------------------------

    @cached_property
    def ports(self) -> tuple[Port, ...]:
        text = self.code(self.definition_file)
        found = []
        for match in re.finditer(r"\bthis->(Input|Output|Attr)\s*\(\s*\"(\w+)\"\s*\)([^;]*);", text):
            role, name, chain = match.groups()
            kind = re.search(r"\.(?:ParamType|AttrType)\s*\(\s*(\w+)", chain)
            dtypes = re.search(r"\.DataType(?:List)?\s*\(\s*\{([^}]*)\}", chain)
            value = re.search(r"\.(Float|Int|Bool|String|ListInt|ListFloat)\s*\(([^()]*)\)", chain)
            spelled = tuple(re.findall(r"DT_(\w+)", dtypes[1])) if dtypes else (value[1].upper(),) if value else ()
            found.append(Port(name, {"Input": "input", "Output": "output", "Attr": "attribute"}[role],
                              kind is not None and kind[1] == "OPTIONAL", spelled, self.line(self.definition_file, match.start()),
                              value[2].strip() if value else ""))
        return tuple(found)

    @cached_property
    def products(self) -> dict[str, dict]:
        """The products of the definition that ascgrad has a file of. Raises NotAnOperator when none is left."""
        text = self.code(self.definition_file)
        named = list(dict.fromkeys(re.findall(r"AddConfig\s*\(\s*\"(\w+)\"", text)))
        if self.only is not None:
            if self.only["name"] not in named:
                raise NotAnOperator(f"--soc: got {self.only['name']}, wants one of {', '.join(named)}, which {self.definition_file} has")
            return {self.only["name"]: self.only}
        found = {n: products.load(n) for n in named if n in products.names()}
        if not found:
            raise NotAnOperator(f"DIR: {self.definition_file} has AddConfig of {', '.join(named) or 'nothing'}, wants one of "
                                f"{', '.join(products.names())}")
        return found

    # -- kernels --------------------------------------------------------------------------------------------------------

    @cached_property
    def entries(self) -> list[Path]:
        return [p for p in self.under("op_kernel") if p.suffix == ".cpp" and re.search(r"__global__", self.code(p))]

    def entry(self, product: dict) -> Path | None:
        """The file that is compiled for a product: what the definition names, else <op><suffix>.cpp, else <op>.cpp."""
        named = re.search(rf"AddConfig\s*\(\s*\"{product['name']}\"\s*,\s*(\w+)", self.code(self.definition_file))
        value = named and re.search(rf"\b{named[1]}\b[^;]*ExtendCfgInfo\s*\(\s*\"opFile\.value\"\s*,\s*\"(\w+)\"",
                                    self.code(self.definition_file))
        names = [f"{value[1]}.cpp"] if value else []
        names += [f"{self.snake}{product['kernel_suffix']}.cpp", f"{self.snake}.cpp"]
        return next((p for n in names for p in self.entries if p.name == n), None)

    def included(self, start: Path, folders: list[Path] = ()) -> list[Path]:
        """The file and what it includes of this directory, in the order in which a compiler reads them."""
        found, waiting = [], [start]
        while waiting:
            path = waiting.pop()
            if path in found:
                continue
            found.append(path)
            for name in re.findall(r"^\s*#\s*include\s*\"([^\"]+)\"", self.code(path), re.MULTILINE):
                for folder in (path.parent, *folders, self.directory / "op_kernel", self.directory / "op_host", self.directory):
                    target = Path(*_normal(folder / name))
                    if target in self.texts:
                        waiting.append(target)
                        break
        return found

    def kernel_texts(self, product: dict) -> dict[Path, str]:
        """What is compiled for a product, without comments and without branches of other products."""
        entry = self.entry(product)
        return {p: preprocess(self.code(p), product["npu_arch"]) for p in self.included(entry)} if entry else {}

    def kernel(self, product: dict) -> Unit:
        return Unit(self.kernel_texts(product))

    @cached_property
    def host_texts(self) -> dict[Path, str]:
        return {p: self.code(p) for p in self.included(self.tiling_file)}

    @cached_property
    def host(self) -> Unit:
        return Unit(self.host_texts)


def _normal(path: Path) -> tuple[str, ...]:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return tuple(parts)
