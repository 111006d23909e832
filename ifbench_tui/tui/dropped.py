"""Paths in text that a terminal pasted, or typed for a file dropped on it."""

from __future__ import annotations

import os
import shlex
from urllib.parse import unquote, urlsplit

__all__ = ["dropped_paths"]

_MOST = 32_768


def dropped_paths(text: str) -> list[str]:
    """The files and directories a pasted text names: plain, quoted, escaped, as file:// URLs, one
    or several. Empty where any part of it is something else."""
    text = text[:_MOST].strip().strip("\x00")
    whole = _path(text)
    if whole:
        return [whole]
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError:
        words = []
    for parts in (text.splitlines(), words):
        paths = [_path(part.strip()) for part in parts if part.strip()]
        if paths and all(paths):
            return [path for path in dict.fromkeys(paths) if path]
    return []


def _path(text: str) -> str | None:
    if text.startswith("file://"):
        text = unquote(urlsplit(text).path)
    text = os.path.expanduser(text.strip("'\""))
    try:
        return text if text and os.path.exists(text) else None
    except ValueError:
        return None
