"""Arena-Hard's boards: a score against the baseline per category, and the judge's reliability."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ifbench_tui.engine.judged.arena_hard import ArenaBoard, Reliability, board, short_name
from ifbench_tui.engine.judged.arena_style import board_with_style
from ifbench_tui.engine.judged.rows import ArenaJudgment, StyleTotals
from ifbench_tui.engine.judged.verdicts import arena_v01_label, arena_v2_label
from ifbench_tui.formats.arena_hard import ArenaAnswer
from ifbench_tui.report.boards.base import (
    MODEL,
    Board,
    BoardResult,
    bias_sheet,
    percent,
    position_rows,
    values_of,
)
from ifbench_tui.report.boards.options import BoardOptions
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.workspace import JudgedFile

__all__ = ["ArenaHard"]

_ALL = "all"


class ArenaHard(Board):
    """Arena-Hard-Auto v0.1 and v2.0."""

    id = "arena_hard"
    title = "Arena-Hard-Auto"

    def result(self, files: Sequence[JudgedFile], options: BoardOptions) -> BoardResult | None:
        rows = [row for row in values_of(files, ArenaJudgment) if _wanted(row, options)]
        if not rows:
            return None
        styles = {(one.key, one.model): one.style for one in values_of(files, ArenaAnswer)}
        boards = _boards(rows, styles, options)
        whole = boards[0]
        said = list(_board_warnings(boards))
        unused = tuple(text for text in said if "left out" in text or "are null" in text)
        warnings = [*_warnings(rows), *said]
        judge = _judge_sheets(boards[1:] or boards)
        return BoardResult(
            self.id,
            self.title,
            _models(boards, options),
            (_score_sheet(boards[1:] or boards, options), *judge),
            ("score",),
            100.0,
            tuple(warnings),
            {
                "style": whole.style,
                "settings": asdict(options.arena),
                "reliability": {
                    one.category: {
                        **one.reliability.to_dict(),
                        **({"coefficients": dict(one.coefficients)} if one.coefficients else {}),
                    }
                    for one in boards
                },
            },
            unused=unused,
            judge_sheets=judge,
        )


def _wanted(row: ArenaJudgment, options: BoardOptions) -> bool:
    judged = not options.judges or row.judge in options.judges
    return judged and (not options.categories or row.category in options.categories)


def _boards(
    rows: Sequence[ArenaJudgment],
    styles: Mapping[tuple[str, str], StyleTotals],
    options: BoardOptions,
) -> list[ArenaBoard]:
    """All rows together first, then each category where there are several."""
    groups: dict[str, list[ArenaJudgment]] = {}
    for row in rows:
        groups.setdefault(row.category, []).append(row)
    named = [(_ALL, list(rows)), *groups.items()] if len(groups) > 1 else list(groups.items())
    if options.style == "none":
        return [board(own, name, options.arena) for name, own in named]
    return [
        board_with_style(own, name, styles, options.style, options.arena) for name, own in named
    ]


def _models(boards: Sequence[ArenaBoard], options: BoardOptions) -> dict[str, dict[str, Any]]:
    whole, *categories = boards
    models = {one.model: one.to_dict() for one in whole.scores if options.wants(one.model)}
    found: dict[str, dict[str, Any]] = {name: dict(values) for name, values in models.items()}
    for name, values in found.items():
        values["by_category"] = {
            own.category: one.to_dict()
            for own in categories or [whole]
            for one in own.scores
            if one.model == name
        }
    return found


def _board_warnings(boards: Sequence[ArenaBoard]) -> Iterable[str]:
    """Warnings by category; what all say alike once."""
    for one in boards:
        for text in one.warnings:
            yield text if len(boards) == 1 else f"{one.category}: {text}"


def _warnings(rows: Sequence[ArenaJudgment]) -> Iterable[str]:
    generations = sorted({row.rules for row in rows})
    if len(generations) > 1:
        yield (
            f"judgments of {' and '.join(generations)} are loaded together: numbers over all "
            "categories mix them (choose with --category)"
        )
    judges = sorted({row.judge for row in rows})
    if len(judges) > 1:
        yield f"{len(judges)} judges are pooled: {', '.join(judges)} (choose with --judge)"
    identities = {(row.judge, short_name(row.model), row.category, row.question) for row in rows}
    if len(identities) < len(rows):
        yield f"{len(rows) - len(identities)} questions were judged twice: all count"
    differ = sum(
        _says_otherwise(row, label, text)
        for row in rows
        for label, text in ((row.label_1, row.text_1), (row.label_2, row.text_2))
    )
    if differ:
        yield f"{differ} labels are not what the reference's rule reads in their judgments"


def _says_otherwise(row: ArenaJudgment, label: str | None, text: str | None) -> bool:
    if text is None:
        return False
    parse = arena_v01_label if row.rules == "v0.1" else arena_v2_label
    return parse(text).stored != label


_COLUMNS = (
    Column("category", "category"),
    MODEL,
    Column("score", "score %", interval=True, numeric=True),
    Column("n", "outcomes", numeric=True),
    Column("null", "null", numeric=True),
    Column("note", "note"),
)


def _score_sheet(shown: Sequence[ArenaBoard], options: BoardOptions) -> Sheet:
    control = "" if options.style == "none" else f", style control: {options.style}"
    how = f"{options.arena.level:.0%} intervals, {options.arena.interval}"
    rows = tuple(row for one in shown for row in _rows(one, options))
    return Sheet(f"Arena-Hard: score against the baseline ({how}{control})", _COLUMNS, rows)


def _judge_sheets(shown: Sequence[ArenaBoard]) -> tuple[Sheet, ...]:
    biases = (row for one in shown for row in position_rows(one.category, one.reliability.position))
    position = bias_sheet("The judge: position", biases, by=Column("category", "category"))
    return _reliability_sheet(shown), position


def _rows(own: ArenaBoard, options: BoardOptions) -> Iterable[tuple[Cell, ...]]:
    for one in own.scores:
        if options.wants(one.model):
            note = "baseline" if one.is_baseline else ""
            score = percent(one.score, one.lower, one.upper)
            yield own.category, one.model, score, one.n, one.null, note


def _reliability_sheet(boards: Iterable[ArenaBoard]) -> Sheet:
    numbers = (
        ("game_agreement", "games agree %"),
        ("null_rate", "null games %"),
        ("strong_share", "strong verdicts %"),
        ("separability", "separated pairs %"),
    )
    columns = (
        Column("category", "category"),
        *(Column(name, title, numeric=True) for name, title in numbers),
    )
    rows = tuple((one.category, *_reliability(one.reliability)) for one in boards)
    return Sheet("The judge: reliability", columns, rows)


def _reliability(found: Reliability) -> tuple[Cell, ...]:
    values = (found.agreement, found.null_rate, found.strong_share, found.separability)
    return tuple(Share(value) for value in values)
