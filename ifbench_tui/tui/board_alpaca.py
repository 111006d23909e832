"""AlpacaEval's board: columns, and numbers in words."""

from __future__ import annotations

from collections.abc import Iterator

from ifbench_tui.report.boards.base import BoardResult
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.board_column import (
    BoardColumn,
    Values,
    number,
    numbers_column,
    plus_minus,
)
from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.widgets.cell_grid import GridColumn

__all__ = ["columns", "words"]


def _error(values: Values, error: str) -> float | None:
    """A standard error; None where it says nothing: without difficulties the fit predicts every
    row alike."""
    fitted = values["glm"]
    if error == "lc_standard_error" and fitted and fitted.get("difficulty") is None:
        return None
    found: float | None = values[error]
    return found


def _with_error(values: Values, key: str, error: str, glyphs: Glyphs) -> str:
    value, se = values[key], _error(values, error)
    if value is None or se is None:
        return number(value, glyphs)
    return f"{value:.1f} {plus_minus(glyphs)} {se:.1f}"


def words(values: Values, glyphs: Glyphs) -> str:
    """A model's numbers in a sentence."""
    lc = _with_error(values, "length_controlled_winrate", "lc_standard_error", glyphs)
    raw = _with_error(values, "win_rate", "standard_error", glyphs)
    discrete = number(values["discrete_win_rate"], glyphs)
    return f"LC {lc} %, raw {raw} %, discrete {discrete} %, n {values['n']:,}"


def _fit_words(values: Values) -> str:
    fit, c = values["fit"], values["c"]
    if values["length_controlled_winrate"] is None:
        return next((text for text in values["warnings"] if "length-controlled" in text), "no fit")
    if not values["glm"] or not any(values["glm"].values()):
        return "the baseline itself: 50 by definition, no fit"
    if c is None:
        return f"preset {fit['preset']}: no C to choose"
    how = "cross-validated" if fit["cross_validated"] else "fixed, not cross-validated"
    ended = "" if fit["converged"] else "; the fit stopped without converging"
    return f"preset {fit['preset']}, C = {c:.6g} ({how}){ended}"


def columns(result: BoardResult, glyphs: Glyphs) -> Iterator[BoardColumn]:
    """The columns of the board."""
    yield _lc_column(glyphs)
    yield _raw_column(glyphs)
    if any("win_rate" in values.get("published", {}) for values in result.models.values()):
        yield from _published_columns(glyphs)
    yield numbers_column("discr. %", 10, "discrete win rate", "discrete_win_rate", lambda one: (
        f"{number(one['discrete_win_rate'], glyphs)} % with every preference rounded to a win, "
        "a loss or a tie"), 1)  # fmt: skip
    yield numbers_column("n", 6, "rows that count", "n", _rows_words)
    yield numbers_column("length", 8, "mean length", "avg_length", _length_words)
    yield BoardColumn(
        "the fit", GridColumn(("fit",), 12), lambda one: one["c"], _fit_cell, _fit_words
    )


def _lc_column(glyphs: Glyphs) -> BoardColumn:
    key = "length_controlled_winrate"

    def cell(values: Values) -> Line:
        flag = (glyphs.error, "rescued") if values["extreme_change"] else (" ", "")
        return [*_value_and_error(values, key, "lc_standard_error", glyphs), flag]

    def words(values: Values) -> str:
        if not values["extreme_change"]:
            return _fit_words(values)
        return f"length control changes this a lot; {_fit_words(values)}"

    head = f"LC % {plus_minus(glyphs)}SE "
    return BoardColumn(
        "length-controlled win rate",
        GridColumn((head,), 13),
        lambda values: values[key],
        cell,
        words,
    )


def _raw_column(glyphs: Glyphs) -> BoardColumn:
    def words(values: Values) -> str:
        wins, losses, ties = values["n_wins"], values["n_wins_base"], values["n_draws"]
        return f"{wins:,} won, {losses:,} lost, {ties:,} tied of {values['n']:,}"

    return BoardColumn(
        "raw win rate",
        GridColumn((f"raw % {plus_minus(glyphs)}SE",), 12),
        lambda values: values["win_rate"],
        lambda values: _value_and_error(values, "win_rate", "standard_error", glyphs),
        words,
    )


def _value_and_error(values: Values, key: str, error: str, glyphs: Glyphs) -> Line:
    value, se = values[key], _error(values, error)
    bounds = "" if se is None else f"{plus_minus(glyphs)}{se:.1f}"
    ink = "dim" if value is None else "strong"
    return [(number(value, glyphs), ink), (f" {bounds:>4}", "interval")]


def _published_columns(glyphs: Glyphs) -> Iterator[BoardColumn]:
    key = "length_controlled_winrate"

    def known(values: Values) -> float | None:
        found: float | None = values.get("published", {}).get(key)
        return found

    def apart(values: Values) -> float | None:
        there, own = known(values), values[key]
        return None if there is None or own is None else own - there

    def words(values: Values) -> str:
        parts = [
            f"{name} {number(there, glyphs, 2)}, ours {number(values[own], glyphs, 2)}"
            for name, own in (("length-controlled", key), ("raw", "win_rate"))
            if (there := values.get("published", {}).get(own)) is not None
        ]
        return f"published {f' {glyphs.dot} '.join(parts)}" if parts else "not on the leaderboard"

    yield BoardColumn(
        "published length-controlled win rate",
        GridColumn(("publ. LC",), 10),
        known,
        lambda values: [(number(known(values), glyphs), "" if known(values) else "dim")],
        words,
    )
    yield BoardColumn(
        "ours less the published number",
        GridColumn(("less publ.",), 12),
        apart,
        lambda values: [(_signed(apart(values), glyphs), "dim")],
        words,
    )


def _signed(value: float | None, glyphs: Glyphs) -> str:
    # Rounded first: a small difference is +0.00, never -0.00.
    return glyphs.none if value is None else f"{round(value, 2) + 0.0:+.2f}"


def _rows_words(values: Values) -> str:
    unused = values["n_rows"] - values["n"]
    words = f"{values['n']:,} of {values['n_rows']:,} rows have a preference"
    return f"{words}; {unused:,} do not and are left out" if unused else words


def _length_words(values: Values) -> str:
    mean, longer = values["avg_length"], values["avg_longer"]
    shown = "no" if mean is None else f"{mean:,}"
    than = "longer" if longer >= 0 else "shorter"
    return f"{shown} characters on average, {abs(longer):,.0f} {than} than the baseline's"


def _fit_cell(values: Values) -> Line:
    c = values["c"]
    if c is None:
        return [(values["fit"]["preset"], "dim")]
    sure = values["fit"]["cross_validated"]
    return [(f"{c:.3g} ", ""), ("cv" if sure else "fixed", "dim" if sure else "rescued")]
