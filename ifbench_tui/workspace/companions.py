"""Tables that belong to annotations and lie beside them: found, read, and told."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from ifbench_tui.engine.judged.rows import Annotation
from ifbench_tui.formats.alpaca_eval_tables import COMPANIONS, DifficultyRow, GamedRow
from ifbench_tui.formats.limits import LoadOptions
from ifbench_tui.formats.records import Problem
from ifbench_tui.workspace.contents import JudgedFile, LoadError, Workspace
from ifbench_tui.workspace.loading import Loader

__all__ = ["with_companions"]

_LEVELS = 3
"""Folders looked into: leaderboards keep annotations in a folder per model and annotator."""

FOUND = "read for the length-controlled win rates of the annotations beside it"


def with_companions(workspace: Workspace, options: LoadOptions | None = None) -> Workspace:
    """The workspace with the difficulty and gamed-baseline tables that lie in the folder of an
    annotations file or up to two folders above, where none were named."""
    wanted = {DifficultyRow, GamedRow} - _kinds(workspace.judged)
    found = [path for path in _paths(workspace) if wanted]
    if not found:
        return workspace
    try:
        more = Loader(options or LoadOptions(judged=True), None, lambda: False).load(found)
    except LoadError:
        return workspace
    fresh = [file for file in more.judged if _kinds([file]) & wanted]
    paths = {file.path for file in fresh}
    return replace(
        workspace,
        judged=(*workspace.judged, *fresh),
        sources=(*workspace.sources, *(one for one in more.sources if one.path in paths)),
        problems=(
            *workspace.problems,
            *(Problem(path, None, "notice", FOUND) for path in sorted(paths)),
            *(problem for problem in more.problems if problem.path in paths),
        ),
    )


def _kinds(files: Iterable[JudgedFile]) -> set[type]:
    return {type(row.value) for file in files for row in file.rows}


def _paths(workspace: Workspace) -> list[str]:
    """One file of each kind: the nearest, by the first name under which it is known."""
    loaded = {os.path.realpath(source.path) for source in workspace.sources}
    folders: dict[str, None] = {}
    for file in workspace.judged:
        if file.of(Annotation):
            folder = os.path.abspath(file.path)
            for _ in range(_LEVELS):
                folder = os.path.dirname(folder)
                folders[folder] = None
    found: dict[str, str] = {}
    for folder in folders:
        for name in COMPANIONS:
            path = os.path.join(folder, name)
            kind = "difficulty" if "difficulty" in name else "gamed"
            if os.path.isfile(path) and os.path.realpath(path) not in loaded:
                found.setdefault(kind, path)
    return list(found.values())
