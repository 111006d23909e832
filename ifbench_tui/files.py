"""Writing files whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["write_file"]


def write_file(path: Path, chunks: Iterable[str]) -> None:
    """Replace `path` by the text in one step; devices and pipes are written through."""
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.writelines(chunks)
        return
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with draft.open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            draft.chmod(target.stat().st_mode & 0o7777)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
