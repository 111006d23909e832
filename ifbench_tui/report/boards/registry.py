"""The boards of all judged benchmarks; a new one is listed here."""

from __future__ import annotations

from collections.abc import Sequence

from ifbench_tui.report.boards.alpaca_eval import AlpacaEval
from ifbench_tui.report.boards.arena_hard import ArenaHard
from ifbench_tui.report.boards.base import Board, BoardResult
from ifbench_tui.report.boards.judge_bias import JudgeBias
from ifbench_tui.report.boards.mt_bench import MtBench
from ifbench_tui.report.boards.options import BoardOptions
from ifbench_tui.workspace import JudgedFile

__all__ = ["BOARDS", "boards_of"]

BOARDS: tuple[Board, ...] = (AlpacaEval(), MtBench(), ArenaHard(), JudgeBias())


def boards_of(
    files: Sequence[JudgedFile], options: BoardOptions | None = None
) -> list[BoardResult]:
    """The boards of all benchmarks that some of the files belong to."""
    made = [board.result(files, options or BoardOptions()) for board in BOARDS]
    return [one for one in made if one is not None]
