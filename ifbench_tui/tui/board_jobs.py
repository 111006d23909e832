"""Makes the boards of judged benchmarks in a thread: reads the rows, then what is quick, then the
full fits.

A job carries a generation number; what an older one reports is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.message import Message

from ifbench_tui.errors import IfbenchError
from ifbench_tui.tui.board_names import needs_reading
from ifbench_tui.tui.board_state import Made, Shelf
from ifbench_tui.workspace import LoadCancelled, LoadOptions, Workspace, load, with_companions

if TYPE_CHECKING:
    # The code that scores is imported by the thread: keys do not wait for it.
    from ifbench_tui.report.boards.base import Board
    from ifbench_tui.report.boards.options import BoardOptions

__all__ = ["BoardJob", "BoardMade", "BoardProgress", "BoardsEnded", "ShelfRead", "make_boards"]


@dataclass
class ShelfRead(Message):
    """The judged rows are read."""

    generation: int
    shelf: Shelf


@dataclass
class BoardMade(Message):
    """One benchmark's board."""

    generation: int
    benchmark: str
    made: Made


@dataclass
class BoardProgress(Message):
    """What is being done, in words."""

    generation: int
    words: str

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, BoardProgress)


@dataclass
class BoardsEnded(Message):
    """Nothing more comes; `failure` says why that is less than was wanted."""

    generation: int
    failure: str = ""


Post = Callable[[Message], object]
Stopped = Callable[[], bool]


@dataclass(frozen=True, slots=True, eq=False)
class BoardJob:
    """What to make: boards by their wishes, those of `wanted` (all where it is empty) in order."""

    generation: int
    workspace: Workspace
    paths: Sequence[str]
    options: LoadOptions
    shelf: Shelf | None
    wishes: Mapping[str, BoardOptions]
    wanted: Sequence[str]


class _StoppedError(Exception):
    """The fits were told to stop."""


def make_boards(job: BoardJob, post: Post, stopped: Stopped) -> None:
    """Make the boards and post each as soon as it is there. To be run in a thread."""
    generation = job.generation
    try:
        shelf = job.shelf
        if shelf is None:
            shelf = _read(job, post, stopped)
            post(ShelfRead(generation, shelf))
        _make(job, shelf, post, stopped)
    except _StoppedError:
        post(BoardsEnded(generation))
    except LoadCancelled:
        post(BoardsEnded(generation, "Reading was stopped. F reads again."))
    except (IfbenchError, ValueError) as error:
        post(BoardsEnded(generation, str(error)))
    else:
        post(BoardsEnded(generation))


# ---- rows ----------------------------------------------------------------------------------------


def _read(job: BoardJob, post: Post, stopped: Stopped) -> Shelf:
    """The rows that are on the bench, or those of the files once more. Raises `LoadError`,
    `LoadCancelled`."""
    whole, judged = job.workspace, replace(job.options, judged=True)
    if needs_reading(whole):

        def progress(path: str, done: int, total: int) -> None:
            share = f" {100 * done // total} %" if total else ""
            post(BoardProgress(job.generation, f"reading judgments{share}"))

        whole = load(job.paths, judged, progress=progress, cancelled=stopped)
    return _shelf(with_companions(whole, judged))


def _shelf(workspace: Workspace) -> Shelf:
    from ifbench_tui.engine.judged.mt_bench import category_of
    from ifbench_tui.engine.judged.rows import (
        ArenaJudgment,
        JudgeScore,
        PairJudgment,
        SingleJudgment,
    )
    from ifbench_tui.formats.judged import Question

    judges: dict[str, dict[str, None]] = {}
    categories: dict[str, dict[str, None]] = {}
    rivals: dict[str, None] = {}
    values = [row.value for file in workspace.judged for row in file.rows]
    known = {
        one.key: one.category
        for one in values
        if isinstance(one, Question) and one.benchmark == "mt_bench"
    }
    for row in values:
        if isinstance(row, SingleJudgment | PairJudgment):
            judges.setdefault("mt_bench", {})[row.judge[0]] = None
            if name := category_of(row.question, known):
                categories.setdefault("mt_bench", {})[name] = None
            if isinstance(row, PairJudgment):
                rivals |= {row.model_1: None, row.model_2: None}
        elif isinstance(row, ArenaJudgment):
            judges.setdefault("arena_hard", {})[row.judge] = None
            categories.setdefault("arena_hard", {})[row.category] = None
        elif isinstance(row, JudgeScore):
            judges.setdefault("judge_bias", {})[row.judge] = None
    return Shelf(
        workspace.judged,
        workspace.problems,
        {benchmark: tuple(names) for benchmark, names in judges.items()},
        {benchmark: tuple(names) for benchmark, names in categories.items()},
        tuple(rivals),
    )


# ---- boards --------------------------------------------------------------------------------------


def _make(job: BoardJob, shelf: Shelf, post: Post, stopped: Stopped) -> None:
    """What takes no time first; then the cross-validated fits that were only sketched."""
    from ifbench_tui.report.boards.alpaca_eval import AlpacaEval
    from ifbench_tui.report.boards.options import BoardOptions

    slow = []
    for board in _ordered(job.wanted):
        if stopped():
            raise _StoppedError
        wish = job.wishes.get(board.id) or BoardOptions()
        if not isinstance(board, AlpacaEval) or not _cross_validates(wish):
            result = board.result(shelf.files, wish)
            post(BoardMade(job.generation, board.id, Made(result, wish, True)))
            continue
        sketch = fixed(wish)
        result = board.result(shelf.files, sketch)
        post(BoardMade(job.generation, board.id, Made(result, sketch, result is None)))
        if result is not None:
            slow.append((board, wish))

    def progress(done: int, total: int) -> None:
        if stopped():
            raise _StoppedError
        post(BoardProgress(job.generation, f"cross-validating {done} of {total}, esc stops"))

    for alpaca, wish in slow:
        result = alpaca.result(shelf.files, wish, progress)
        post(BoardMade(job.generation, alpaca.id, Made(result, wish, True)))


def _ordered(wanted: Sequence[str]) -> list[Board]:
    from ifbench_tui.report.boards.registry import BOARDS

    return [board for board in BOARDS if not wanted or board.id in wanted]


def _cross_validates(wish: BoardOptions) -> bool:
    return wish.lc_c is None and wish.lc_preset != "simple"


def fixed(wish: BoardOptions) -> BoardOptions:
    """The same with the C that is taken while there is no time to cross-validate."""
    from ifbench_tui.engine.judged.length_control import FAST_C

    return replace(wish, lc_c=FAST_C)
