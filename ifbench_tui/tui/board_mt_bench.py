"""MT-Bench's board: columns, and numbers in words."""

from __future__ import annotations

from collections.abc import Iterator

from ifbench_tui.report.boards.base import BoardResult
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.board_column import (
    BoardColumn,
    Values,
    count,
    interval,
    number,
    numbers_column,
)
from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.widgets.cell_grid import GridColumn

__all__ = ["columns", "words"]


def columns(result: BoardResult, glyphs: Glyphs) -> Iterator[BoardColumn]:
    """The columns of the board."""
    models = result.models.values()
    if any(values["n"] for values in models):
        for key, title in (
            ("average", "mean of both turns"), ("turn_1", "turn 1"), ("turn_2", "turn 2"),
        ):  # fmt: skip
            yield _rating_column(key, title, glyphs)
        yield numbers_column("n", 6, "ratings that count", "n", lambda one: (
            f"{count(one['n'], 'rating')} of both turns"))  # fmt: skip
        yield numbers_column("missing", 9, "ratings that are missing", "missing", lambda one: (
            f"{count(one.get('missing', 0), 'judgment')} without a rating: left out"))  # fmt: skip
    if any("win" in values for values in models):
        yield from _pair_columns(glyphs)


def _rating_column(key: str, title: str, glyphs: Glyphs) -> BoardColumn:
    whole = key == "average"
    head = "average" if whole else title

    def mean(values: Values) -> Values:
        found: Values = values.get("intervals", {}).get(key, {})
        return found

    def bounds(values: Values) -> str:
        found = mean(values)
        return interval(found.get("lower"), found.get("upper"), glyphs, 2)

    def cell(values: Values) -> Line:
        value = values[key]
        line = [(number(value, glyphs, 2), "strong" if whole else "" if value else "dim")]
        return [*line, (f" {bounds(values):>10}", "interval")] if whole else line

    def words(values: Values) -> str:
        shown = f"{number(values[key], glyphs, 2)} of 10"
        interval = f" [{bounds(values)}]" if bounds(values) else ""
        return f"{shown}{interval} over {count(mean(values).get('n', 0), 'rating')}"

    width = 18 if whole else 8
    return BoardColumn(title, GridColumn((head,), width), lambda one: one[key], cell, words)


def _pair_columns(glyphs: Glyphs) -> Iterator[BoardColumn]:
    def record(values: Values) -> str:
        return f"{values['win']}/{values['tie']}/{values['loss']}" if "win" in values else ""

    def share(values: Values) -> float | None:
        found: float | None = values.get("win_rate_adjusted")
        return found

    def words(values: Values) -> str:
        if "win" not in values:
            return "in no pair"
        rates = (100.0 * (values[name] or 0.0) for name in ("win_rate", "loss_rate"))
        won, lost = (f"{rate:.1f} %" for rate in rates)
        half = number(None if (s := share(values)) is None else 100.0 * s, glyphs)
        return f"{half} % with a tie as half a win; {won} won, {lost} lost of {values['n_pairs']:,}"

    yield BoardColumn(
        "pairs won, a tie as half",
        GridColumn(("win %",), 8),
        share,
        lambda one: [(number(None if (s := share(one)) is None else 100.0 * s, glyphs), "")],
        words,
    )
    yield BoardColumn(
        "pairs won, tied and lost",
        GridColumn(("won/tied/lost",), 15),
        lambda one: one.get("win"),
        lambda one: [(record(one), "")],
        words,
    )


def words(values: Values, glyphs: Glyphs) -> str:
    """A model's numbers in a sentence."""
    parts = []
    if values["n"]:
        parts.append(f"{number(values['average'], glyphs, 2)} of 10, n {values['n']:,}")
    if "win" in values:
        won, tied, lost = values["win"], values["tie"], values["loss"]
        parts.append(f"pairs: {won:,} won, {tied:,} tied, {lost:,} lost")
    return f" {glyphs.dot} ".join(parts)
