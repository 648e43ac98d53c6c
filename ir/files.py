"""Writing a file: all of it, or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import BinaryIO


def write_whole(path: str | Path, write: Callable[[BinaryIO], object]) -> None:
    """Makes the file of what `write` writes to the file object it is given. A link stays one, and so do the file's permissions.

    Raises OSError when it cannot, and what `write` raises; then the file is as it was.
    """
    path, temporary = Path(path), None
    try:
        if path.exists() and not path.is_file():  # a pipe or a device: there is nothing to replace, nor to seek in
            content = BytesIO()
            write(content)
            path.write_bytes(content.getvalue())
            return
        target = path.resolve()
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(descriptor, "wb") as file:
            write(file)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
        os.replace(temporary, target)
        temporary = None
    finally:
        if temporary is not None:
            os.unlink(temporary)
