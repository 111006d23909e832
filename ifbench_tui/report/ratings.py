"""Boards as tables: ratings with their intervals drawn on one axis, style, and plain words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ifbench_tui.engine.quantity import quantity
from ifbench_tui.engine.ratings.battles import aggregate
from ifbench_tui.engine.ratings.board import Board, ModelRow, Remark
from ifbench_tui.engine.ratings.elo import EloSpread
from ifbench_tui.engine.ratings.matrices import WinMatrix, observed_wins, predicted_wins
from ifbench_tui.engine.ratings.methods import method_of
from ifbench_tui.engine.ratings.neighbours import neighbours
from ifbench_tui.formats.records import Problem
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.json import source_dicts
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet, between
from ifbench_tui.workspace import Workspace
from ifbench_tui.workspace.battles import BattleChoice, BattleFilter

__all__ = ["Axis", "RatingReport", "matrices", "matrix_sheet"]

AXIS_CELLS = 25
LEAST_CELLS = 9
BESIDE_AXIS = 49
"""Columns of a terminal that all but the axis, names and notes take."""

REFUSED_SHOWN = 3
_ROUND = 10


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale of ratings that fits into a row of cells."""

    low: float
    high: float
    cells: int

    @classmethod
    def around(cls, rows: tuple[ModelRow, ...], cells: int) -> Axis:
        """The axis on which every rating and bound of the rows has a place."""
        ends = [
            end for row in rows for end in (row.rating, row.lower, row.upper) if end is not None
        ]
        low = math.floor(min(ends) / _ROUND) * _ROUND
        high = math.ceil(max(ends) / _ROUND) * _ROUND
        return cls(low, max(high, low + _ROUND), cells)

    def place(self, rating: float) -> int:
        """The cell a rating falls into."""
        share = (rating - self.low) / (self.high - self.low)
        return min(self.cells - 1, max(0, int(share * self.cells)))

    def bar(self, row: ModelRow, glyphs: Glyphs) -> str:
        """The interval as a shaded stretch, the rating as a full block in it."""
        ground, shade, block = (".", "=", "#") if glyphs.ascii_only else ("·", "▒", "█")
        drawn = [ground] * self.cells
        if row.lower is not None and row.upper is not None:
            first, last = self.place(row.lower), self.place(row.upper)
            drawn[first : last + 1] = shade * (last + 1 - first)
        drawn[self.place(row.rating)] = block
        return "".join(drawn)

    def title(self, glyphs: Glyphs) -> str:
        """The ends of the scale, one at each end of the cells."""
        low, high = f"{self.low:.0f}", f"{self.high:.0f}"
        return low + ("." if glyphs.ascii_only else "·") * (self.cells - len(low + high)) + high


@dataclass(frozen=True, slots=True, eq=False)
class RatingReport:
    """A board and everything a reader must know about it. `notices` are about the settings."""

    board: Board
    workspace: Workspace
    filters: BattleFilter
    left_out: Mapping[str, int]
    notices: tuple[Remark, ...] = ()
    spread: EloSpread | None = None

    @property
    def bounded(self) -> bool:
        """Whether the ratings have intervals."""
        return self.board.intervals is not None or self.board.bootstrap is not None

    @property
    def refused(self) -> list[Problem]:
        """Rows that were not read, with file, line and reason."""
        return [one for one in self.workspace.problems if one.kind == "broken"]

    @property
    def rows(self) -> tuple[ModelRow, ...]:
        """The board's rows; of Elo, with the spread over orders as bounds."""
        if self.spread is None:
            return self.board.rows
        bounds = {
            name: (low, high)
            for name, low, high in zip(
                self.spread.models,
                self.spread.lower.tolist(),
                self.spread.upper.tolist(),
                strict=True,
            )
        }
        return tuple(
            replace(row, lower=bounds[row.name][0], upper=bounds[row.name][1])
            for row in self.board.rows
        )

    @property
    def remarks(self) -> list[Remark]:
        """How the files and settings were understood."""
        held = {block.path for block in self.workspace.battles}
        told = [one for one in self.workspace.problems if one.kind == "notice"]
        where: dict[str, list[str]] = {}
        for one in told:
            if one.path in held:
                where.setdefault(one.reason, []).append(one.path)
        about = [f"{_files(paths)}: {reason}" for reason, paths in where.items()]
        others = [one for one in self.workspace.sources if one.used and one.path not in held]
        aside = [f"{one.path}: holds no battles ({one.format})" for one in others]
        return [*self.notices, *map(Remark, (*about, *aside))]

    def to_dict(self) -> dict[str, Any]:
        """The object of `rate --json`."""
        found = self.board.to_dict()
        style = self.board.style
        if style is not None:
            own = style.to_dict()["style"]
            found["style"] = {**(own if isinstance(own, dict) else {})}
        order = ("method", "settings", "n_battles")
        settings = found["settings"]
        return {
            **{name: found.pop(name) for name in order},
            "settings": {
                **(settings if isinstance(settings, dict) else {}),
                "filters": asdict(self.filters),
            },
            "refused": [problem.to_dict() for problem in self.refused],
            "components": found.pop("components"),
            "warnings": [*self.board.warnings, *(remark.words for remark in self.remarks)],
            "models": found.pop("models"),
            "style": found.pop("style"),
            "converged": found.pop("converged"),
            "iterations": found.pop("iterations"),
            "outcomes": found.pop("outcomes"),
            "left_out": dict(self.left_out),
            "neighbours": [pair.to_dict() for pair in neighbours(self.board)],
            **({"spread": self.spread.to_dict()} if self.spread else {}),
            "sources": source_dicts(self.workspace),
        }

    def notes(self, advice: Mapping[str, str]) -> Iterator[str]:
        """Counts and warnings, a line each, to stand under the tables.

        `advice` says what to do about the rows that were "refused", and how another choice is made
        ("by", "cluster").
        """

        def advised(words: str, about: str) -> str:
            return f"{words} ({advice[about]})" if about in advice else words

        won = self.board.outcomes
        yield (
            f"{quantity(self.board.n_battles, 'battle')}: side A won {won['model_a']:,}, side B "
            f"{won['model_b']:,}, ties {won['tie']:,}, both bad {won['tie (bothbad)']:,}"
        )
        for reason, count in self.left_out.items():
            yield f"left out: {quantity(count, 'battle')} ({reason})"
        rows = sum(problem.rows for problem in self.refused)
        if rows:
            yield advised(f"refused: {quantity(rows, 'row')}", "refused")
            for one in self.refused[:REFUSED_SHOWN]:
                yield f"  {one.where}: {one.reason}"
        yield from (f"warning: {warning}" for warning in self.board.warnings)
        yield from (f"note: {advised(one.words, one.choice)}" for one in self.remarks)

    def sheets(self, glyphs: Glyphs, width: int | None = None) -> list[Sheet]:
        """The tables for people: one a component, then the style coefficients.

        The axis is shorter where `width` columns leave no room for it.
        """
        cells = AXIS_CELLS
        if width is not None:
            names = max(len(row.name) + len(_note(row)) for row in self.rows)
            cells = min(cells, max(LEAST_CELLS, width - BESIDE_AXIS - names))
        axis = Axis.around(self.rows, cells)
        count = len(self.board.components)
        tables = [self._component(number, axis, glyphs) for number in range(count)]
        return [*tables, *self.style_sheets()]

    def _component(self, number: int, axis: Axis, glyphs: Glyphs) -> Sheet:
        rows = [row for row in self.rows if row.component == number]
        noted = any(_note(row) for row in rows)
        dash = between([row.lower for row in rows], glyphs)
        columns = (
            Column("rank", "rank", numeric=True),
            Column("model", "model"),
            Column("rating", "rating", numeric=True),
            Column("interval", self._interval_title(), numeric=True),
            Column("bar", axis.title(glyphs), numeric=True),
            Column("battles", "battles", numeric=True),
            Column("win_rate", "win%", numeric=True),
            *([Column("note", "note")] if noted else []),
        )
        cells = tuple(
            (
                _span(row.rank_low, row.rank_high, glyphs),
                row.name,
                f"{row.rating:.1f}",
                _interval(row, dash),
                axis.bar(row, glyphs),
                row.battles,
                _win_rate(row),
                *([_note(row)] if noted else []),
            )
            for row in rows
        )
        return Sheet(self._title(number), columns, cells)

    def _interval_title(self) -> str:
        return "95 % of orders" if self.spread else "95 %"

    def _title(self, number: int) -> str:
        settings = self.board.settings
        method = method_of(settings.method)
        style = f", style control {settings.style}" if settings.style else ""
        members, anchor = self.board.components[number], settings.fit.anchor
        gauge = method.gauge(settings)
        if anchor is not None and anchor.model in members:
            gauge = f"{anchor.model} = {anchor.rating:g}"
        count = len(self.board.components)
        parts = (
            f"group {number + 1} of {count}" if count > 1 else "",
            gauge,
            "" if self.spread is not None else self._interval_words(),
        )
        return f"{method.title}{style}: {', '.join(filter(None, parts))}"

    def _interval_words(self) -> str:
        settings = self.board.settings
        by = f" by {settings.cluster}" if settings.cluster else ""
        rounds = f" of {settings.rounds:,} rounds" if settings.interval == "bootstrap" else ""
        if not self.bounded:
            return "no intervals"
        return f"95 % intervals: {settings.interval}{rounds}{by}"

    def style_sheets(self) -> list[Sheet]:
        """The style coefficients, where style is controlled for."""
        style = self.board.style
        if style is None or not style.features:
            return []
        columns = (
            Column("feature", "feature"),
            Column("coefficient", "logit per sd", numeric=True, digits=3),
            Column("lower", "from", numeric=True, digits=3),
            Column("upper", "to", numeric=True, digits=3),
            Column("elo", "Elo per sd", numeric=True, digits=1),
        )
        numbers = (style.coefficients, style.lower, style.upper, style.elo_per_sd)
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *(float(column[i]) for column in numbers))
            for i, name in enumerate(style.features)
        )
        return [Sheet("Style: the advantage of more of a feature", columns, rows)]

    def plain_sheet(self) -> Sheet:
        """One table of numbers for machines."""
        names = (
            *("component", "rank_low", "rank_high", "name", "rating", "lower", "upper", "se"),
            *("battles", "wins", "losses", "ties", "both_bad", "win_rate"),
            *("unbounded", "regularised"),
        )
        columns = tuple(Column(name, name) for name in names)
        values = ({**asdict(row), "win_rate": _win_rate(row)} for row in self.rows)
        rows = tuple(tuple(value[name] for name in names) for value in values)
        return Sheet("Ratings", columns, rows)


def _files(paths: list[str]) -> str:
    """The one file a remark is about, or how many."""
    several = len(set(paths))
    return paths[0] if several == 1 else f"{paths[0]} and {several - 1:,} more files"


def matrices(board: Board, choice: BattleChoice) -> dict[str, WinMatrix]:
    """Shares of wins, ties left out, as observed and (of Bradley-Terry) as predicted; models in
    the order of the board."""
    counts = aggregate(choice.battles.select(choice.battles.with_ties(board.settings.ties)))
    found = {"observed": observed_wins(counts)}
    if board.fit is not None:
        found["predicted"] = predicted_wins(board.fit)
    order = [row.name for row in board.rows]
    return {name: matrix.ordered(order) for name, matrix in found.items()}


def matrix_sheet(name: str, matrix: WinMatrix) -> Sheet:
    """How often the model of a row beats that of a column, in percent."""
    columns = (
        Column("model", "model"),
        Column("average", "mean", numeric=True),
        *(Column(model, model, numeric=True) for model in matrix.models),
    )
    means, cells = matrix.average.tolist(), matrix.cells.tolist()
    rows = zip(matrix.models, means, cells, strict=True)
    return Sheet(
        f"Wins, {name} (%)",
        columns,
        tuple((model, *map(_share, (mean, *row))) for model, mean, row in rows),
    )


def _share(value: float) -> Share:
    return Share(None if math.isnan(value) else value)


def _win_rate(row: ModelRow) -> Share:
    return Share((row.wins + 0.5 * row.ties) / row.battles if row.battles else None)


def _span(low: int, high: int, glyphs: Glyphs) -> str:
    return str(low) if low == high else f"{low}{glyphs.none}{high}"


def _interval(row: ModelRow, dash: str) -> Cell:
    if row.lower is None or row.upper is None:
        return None
    return f"{row.lower:.0f}{dash}{row.upper:.0f}"


def _note(row: ModelRow) -> str:
    if row.unbounded is not None:
        return f"unbounded {row.unbounded}"
    return "by prior" if row.regularised else ""
