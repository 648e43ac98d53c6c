"""The template environment: one Jinja2 environment per process, made when the first template is rendered."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path


def templates_folder() -> Path:
    """Where the templates are: beside the packages in a checkout, inside `compiler` in an installed wheel."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "templates", package.parent / "templates"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no templates folder in {package} or {package.parent}: the installation is incomplete")


@lru_cache(maxsize=None)
def environment():
    """The cached environment. A name that a template uses and nobody supplies is an error."""
    import jinja2

    from compiler.emit import cpp, facts, text

    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_folder()),
        bytecode_cache=_bytecode_cache(),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    env.filters.update(
        call=cpp.call,
        chain=cpp.chain,
        comment=cpp.comment,
        condition=cpp.condition,
        short_function=cpp.short_function,
        file=cpp.file_block,
        ge_name=facts.GE.__getitem__,
        cstring=cpp.string,
        literal=cpp.literal,
        number=cpp.number,
        nth=lambda values, i: values[i],
        named_in=lambda name, table: table[name],
        tick=lambda name: f"`{name}`",
        cell=lambda text: text.replace("|", "\\|"),
        lines=cpp.indented,
        joined=text.joined,
        statement=text.statement,
        param=cpp.tagged,
        zh=lambda text: text.zh,
        en=lambda text: text.en,
    )
    env.globals.update(block=text.block, fields=cpp.fields, ge=facts.GE, acl=facts.ACL, spelled=facts.SPELLED)
    return env


def _bytecode_cache():
    """Compiled templates from run to run, by content, where the cache can be written: parsing them takes as long as all
    else of an emission."""
    import jinja2

    from compiler.emulator.toolchain import cache_directory

    folder = cache_directory() / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return jinja2.FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


def render(template: str, **context) -> str:
    """The text of one template, with no blank line at its start and exactly one newline at its end."""
    text = environment().get_template(template).render(**context)
    return text.strip("\n") + "\n"
