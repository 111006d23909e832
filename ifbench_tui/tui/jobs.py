"""Work that must not hold up the keys: loading and judging, in threads, one of each at a time.

A job carries a generation number. A thread that was told to stop may still finish a step; what it
then reports is of an older generation and is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message
from textual.worker import get_current_worker

from ifbench_tui import workspace
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.verdicts import Verdicts
from ifbench_tui.workspace import LoadCancelled, LoadError, LoadOptions, Workspace

__all__ = ["Judging", "LoadEnded", "Loading", "load", "score"]


@dataclass
class Loading(Message):
    """How far loading is."""

    generation: int
    path: str
    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Loading)


@dataclass
class LoadEnded(Message):
    """A workspace, or why there is none."""

    generation: int
    workspace: Workspace | None
    failure: str = ""


@dataclass
class Judging(Message):
    """More responses are judged; `running` is false when the work has ended."""

    generation: int
    done: int
    total: int
    running: bool = True

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Judging) and message.generation <= self.generation


Post = Callable[[Message], object]


def load(paths: list[str], options: LoadOptions, generation: int, post: Post) -> None:
    """Load files and post how that goes; to be run in a worker thread."""
    worker = get_current_worker()

    def progress(path: str, done: int, total: int) -> None:
        post(Loading(generation, path, done, total))

    try:
        loaded = workspace.load(
            paths, options, progress=progress, cancelled=lambda: worker.is_cancelled
        )
    except LoadCancelled:
        post(LoadEnded(generation, None, "loading was stopped"))
    except LoadError as error:
        # The Library shows what was tried and why it failed.
        nothing = Workspace({}, error.sources, error.problems)
        post(LoadEnded(generation, nothing, str(error)))
    else:
        post(LoadEnded(generation, loaded))


def score(verdicts: Verdicts, bench: Bench, generation: int, post: Post) -> None:
    """Judge all that is pending, the model in use first; to be run in a worker thread."""
    worker = get_current_worker()
    total = verdicts.total
    for done in verdicts.judge_all(bench.model, lambda: worker.is_cancelled):
        if worker.is_cancelled:
            break
        post(Judging(generation, done, total))
    post(Judging(generation, verdicts.done, total, running=False))
