"""What is loaded: prompts, models, responses, and every row that was not used, with its reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ifbench_tui.formats.battle_block import BattleBlock
from ifbench_tui.formats.limits import Limits, LoadOptions
from ifbench_tui.formats.preview import Preview, preview
from ifbench_tui.formats.records import Problem, Recorded
from ifbench_tui.formats.source import LoadCancelled, Progress
from ifbench_tui.workspace.account import SourceReport
from ifbench_tui.workspace.companions import with_companions
from ifbench_tui.workspace.contents import JudgedFile, LoadError, Response, Suite, Workspace
from ifbench_tui.workspace.loading import Loader

__all__ = [
    "BattleBlock",
    "JudgedFile",
    "Limits",
    "LoadCancelled",
    "LoadError",
    "LoadOptions",
    "Preview",
    "Problem",
    "Progress",
    "Recorded",
    "Response",
    "SourceReport",
    "Suite",
    "Workspace",
    "load",
    "preview",
    "with_companions",
]


def load(
    paths: Sequence[str],
    options: LoadOptions | None = None,
    *,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Workspace:
    """Load files, directories (walked) and standard input ("-") into one workspace.

    `progress` gets a path, the bytes read of it and its size, several times for a large file.
    Raises `LoadError` where there are neither prompts nor battles nor judged rows, `LoadCancelled`
    soon after `cancelled` answers True. Whatever else is wrong is in the workspace's problems.
    """
    return Loader(options or LoadOptions(), progress, cancelled).load(paths)
