"""Files by short names that tell them apart."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

from ifbench_tui.formats.source import STDIN

__all__ = ["short_name", "short_names"]


def short_name(path: str) -> str:
    """A path's last part."""
    return "standard input" if path == STDIN else os.path.basename(path.rstrip(os.sep)) or path


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """Each path with its last part; where several have the same, with as many of the folders
    before it as tell them apart."""
    parts = {path: path.rstrip(os.sep).split(os.sep) for path in paths}
    names = {path: short_name(path) for path in parts}
    alike, depth = _alike(names), 1
    while alike and depth < max(len(parts[path]) for path in alike):
        depth += 1
        names |= {path: os.sep.join(parts[path][-depth:]) for path in alike}
        alike = _alike(names) & alike
    return names


def _alike(names: dict[str, str]) -> set[str]:
    """The paths that share their name with another one."""
    counts = Counter(names.values())
    return {path for path, name in names.items() if counts[name] > 1}
