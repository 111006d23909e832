"""The files that paths stand for: directories are walked in order, hidden files left out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ifbench_tui.formats.source import STDIN

__all__ = ["Found", "files_of"]


class Found(NamedTuple):
    """A file. `named` where a person gave its path, not that of a directory around it."""

    path: str
    named: bool


def files_of(paths: Sequence[str]) -> Iterator[Found]:
    """All files in order, each once, whatever links and spellings lead to it."""
    seen: set[str] = set()
    for path in paths:
        found = _walk(path) if os.path.isdir(path) else iter((Found(path, True),))
        for file in found:
            real = file.path if file.path == STDIN else os.path.realpath(file.path)
            if real not in seen:
                seen.add(real)
                yield file


def _walk(top: str) -> Iterator[Found]:
    closed: list[OSError] = []
    seen: set[str] = set()
    for folder, folders, names in os.walk(top, onerror=closed.append, followlinks=True):
        real = os.path.realpath(folder)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(one for one in folders if one[0] != "." and one != "__pycache__")
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.startswith(".") and os.path.isfile(path):
                yield Found(path, False)
    # Opening such a folder as a file fails again, and that is reported.
    yield from (Found(str(error.filename), True) for error in closed)
