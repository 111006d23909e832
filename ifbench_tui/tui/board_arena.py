"""Arena-Hard's board: columns, and numbers in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ifbench_tui.report.boards.base import BoardResult
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.board_column import (
    BoardColumn,
    Values,
    interval,
    number,
    numbers_column,
)
from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.widgets.cell_grid import GridColumn

__all__ = ["columns", "words"]

_NAMED = 16


def columns(result: BoardResult, glyphs: Glyphs) -> Iterator[BoardColumn]:
    """The columns of the board."""
    baselines = _baselines(result)
    names = list(baselines)
    if len(names) > 1 and len(set().union(*baselines.values())) == 1:
        # Numbers over all categories mean something only against one baseline.
        yield _score_column("all categories", ("all", ""), lambda one: one, glyphs)
    for name in names:
        against = ", ".join(baselines[name])
        heads = (safe(name, _NAMED), safe(f"vs {against}", _NAMED) if against else "")

        def own(values: Values, name: str = name) -> Values:
            found: Values = values["by_category"].get(name, {})
            return found

        yield _score_column(safe(name, 30), heads, own, glyphs, against)
    yield numbers_column("outcomes", 10, "outcomes that count", "n", lambda one: (
        f"{one['n']:,} outcomes; a strong verdict counts "
        f"{result.extra['settings']['weight']} times"))  # fmt: skip
    yield numbers_column("null", 7, "no verdict", "null", lambda one: (
        f"{one['null']:,} without a usable verdict: left out"))  # fmt: skip


def _baselines(result: BoardResult) -> dict[str, list[str]]:
    """The baselines of every category."""
    found: dict[str, list[str]] = {name: [] for name in _categories(result)}
    for model, values in result.models.items():
        for name, score in values["by_category"].items():
            if score["baseline"]:
                found[name].append(model)
    return found


def _categories(result: BoardResult) -> list[str]:
    return [name for name in result.extra["reliability"] if name != "all"]


def _score_column(
    title: str,
    head: tuple[str, str],
    own: Callable[[Values], Values],
    glyphs: Glyphs,
    against: str = "",
) -> BoardColumn:
    def cell(values: Values) -> Line:
        score = own(values)
        if score.get("score") is None:
            return [(glyphs.none, "dim"), (" " * 11, "")]
        if score["baseline"]:
            return [(number(score["score"], glyphs), "dim"), ("   baseline", "dim")]
        bounds = interval(score["lower"], score["upper"], glyphs, 1)
        return [(number(score["score"], glyphs), "strong"), (f" {bounds:>10}", "interval")]

    def words(values: Values) -> str:
        score = own(values)
        if not score:
            return "not judged in this category"
        if score["baseline"]:
            return "the baseline: 50 by definition"
        rival = f", against {against}" if against else ""
        bounds = interval(score["lower"], score["upper"], glyphs, 1)
        shown = f"{number(score['score'], glyphs)} % [{bounds}]" if bounds else "no interval"
        return f"{shown}, {score['n']:,} outcomes, {score['null']:,} null{rival}"

    return BoardColumn(title, GridColumn(head, 18), lambda one: own(one).get("score"), cell, words)


def words(values: Values, glyphs: Glyphs) -> str:
    """A model's numbers in a sentence."""
    parts = [
        f"{safe(name, 24)} {number(score['score'], glyphs)}"
        for name, score in values["by_category"].items()
        if not score["baseline"]
    ]
    if not parts:
        return "the baseline: 50 by definition"
    return f"{', '.join(parts)} %"
