"""The board as lines: ranks, ratings, intervals on one axis, and what parts neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ifbench_tui.engine.ratings.board import ModelRow
from ifbench_tui.engine.ratings.neighbours import Neighbours, closest
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.ratings import Axis
from ifbench_tui.tui.columns import left
from ifbench_tui.tui.ink import Line, cells, safe
from ifbench_tui.tui.rating_jobs import Board

__all__ = ["LEAST_P", "BoardRows", "closest_words", "compact", "lacking"]

Row = ModelRow | str
"""A model, or the head of a group of models that never met the others."""

_BESIDE = 7 + 9 + 9 + 7
"""Cells of rank, rating, battles and win rate."""

_INTERVAL, _NEXT = 13, 9
LEAST_P = 0.001
"""p-values below it are not told apart."""


@dataclass(frozen=True, slots=True)
class _Room:
    """Widths of the columns that share what a window has."""

    names: int
    interval: int
    axis: int


def compact(count: float) -> str:
    """A count of battles in at most five cells: 34, 1.2k, 56k, 7M."""
    if not math.isfinite(count):
        return "even"
    whole = math.ceil(count)
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if whole >= size:
            digits = 1 if whole < 10 * size else 0
            return f"{whole / size:.{digits}f}{unit}"
    return str(whole)


class BoardRows:
    """Draws one board."""

    def __init__(self, board: Board, glyphs: Glyphs) -> None:
        self.board = board
        self.glyphs = glyphs
        self._below = {pair.difference.better: pair for pair in board.pairs}
        rows = board.report.rows
        groups = board.report.board.components
        self.rows: list[Row] = []
        for row in rows:
            if len(groups) > 1 and (not self.rows or row.component != self._last_component):
                self.rows.append(self._group(row.component, groups))
            self.rows.append(row)
        self._names = max((cells([(safe(row.name), "")]) for row in rows), default=8)
        self._rows = rows
        self._scale: Axis | None = None

    @property
    def _last_component(self) -> int:
        last = self.rows[-1]
        return -1 if isinstance(last, str) else last.component

    def _group(self, number: int, groups: Sequence[Sequence[str]]) -> str:
        size = len(groups[number])
        models = "1 model" if size == 1 else f"{size} models"
        return f"group {number + 1} of {len(groups)}: {models}, ranked among themselves"

    def below(self, name: str) -> Neighbours | None:
        """A model and the next one, where their difference is known."""
        return self._below.get(name)

    @property
    def closest(self) -> Neighbours | None:
        """The pair that lacks the fewest battles."""
        return closest(self.board.pairs)

    # ---- columns -----------------------------------------------------------------------------

    def _room(self, width: int) -> _Room:
        interval = _INTERVAL if width >= 96 else 0
        rest = width - _BESIDE - interval - _NEXT - 3
        names = max(10, min(self._names, rest - 22, 36))
        return _Room(names, interval, max(8, rest - names - 1))

    def head(self, width: int) -> str:
        """Titles of the columns; the axis says its ends."""
        room = self._room(width)
        ends = self._axis(room).title(self.glyphs).replace("·", " ").replace(".", " ")
        spread = self.board.report.spread is not None
        interval = f"{'95% orders' if spread else '95 %':>{room.interval}}" if room.interval else ""
        return (
            f" {'rank':>6} {left('model', room.names)} {'rating':>8}{interval}  {ends}"
            f"{'battles':>9}{'win %':>7}{'to next':>{_NEXT}}"
        )

    def _axis(self, room: _Room) -> Axis:
        if self._scale is None or self._scale.cells != room.axis:
            self._scale = Axis.around(self._rows, room.axis)
        return self._scale

    def draw(self, number: int, width: int) -> Line:
        """One row."""
        row = self.rows[number]
        if isinstance(row, str):
            return [(f" {row}", "head")]
        room, none = self._room(width), self.glyphs.none
        rank = str(row.rank_low)
        if row.rank_high != row.rank_low:
            rank += f"{none}{row.rank_high}"
        rate = (row.wins + 0.5 * row.ties) / row.battles if row.battles else None
        line: list[tuple[str, str]] = [
            (f" {rank:>6} ", "dim"),
            (f"{left(row.name, room.names)} ", ""),
            (f"{row.rating:>8.1f}", "strong"),
        ]
        if room.interval:
            line.append((f"{self._bounds(row):>{room.interval}}", "interval"))
        return [
            *line,
            ("  ", ""),
            *self._bar(row, self._axis(room)),
            (f"{row.battles:>9,}" if row.battles < 1e6 else f"{compact(row.battles):>9}", ""),
            (f"{none:>7}" if rate is None else f"{100 * rate:>7.1f}", ""),
            *self._next(row),
        ]

    def _bounds(self, row: ModelRow) -> str:
        if row.unbounded:
            arrow = self.glyphs.up if row.unbounded == "above" else self.glyphs.down
            return f"no bound {arrow}"
        if row.lower is None or row.upper is None:
            return self.glyphs.none
        dash = ".." if row.lower < 0 else self.glyphs.none
        return f"{row.lower:.0f}{dash}{row.upper:.0f}"

    def _bar(self, row: ModelRow, axis: Axis) -> Line:
        """The interval as a stretch, the rating as a block in it; what has no bound runs on."""
        ground, shade, block = (".", "=", "#") if self.glyphs.ascii_only else ("·", "━", "█")
        here = axis.place(row.rating)
        first = here if row.lower is None else axis.place(row.lower)
        last = here if row.upper is None else axis.place(row.upper)
        if row.unbounded == "above":
            last = axis.cells - 1
        elif row.unbounded == "below":
            first = 0
        return [
            (ground * first, "rule"),
            (shade * (here - first), "interval"),
            (block, "accent"),
            (shade * (last - here), "interval"),
            (ground * (axis.cells - 1 - last), "rule"),
        ]

    def _next(self, row: ModelRow) -> Line:
        pair = self.below(row.name)
        if pair is None:
            return [(" " * _NEXT, "")]
        if pair.difference.separated:
            return [(f"{'apart':>{_NEXT - 2}} ", "dim"), (self.glyphs.holds, "pass")]
        more = compact(pair.direct)
        words = more if more == "even" else f"+{more}"
        return [(f"{words:>{_NEXT}}", "rescued")]

    # ---- words -------------------------------------------------------------------------------

    def words(self, number: int) -> tuple[Line, Line, Sequence[Line]]:
        """Two lines about a row: the model, and how it stands to the next one, with what else
        may be said at its end, the fullest first."""
        row, dot = self.rows[number], self.glyphs.dot
        if isinstance(row, str):
            words = "these models met no model of another group: their ratings do not compare"
            return [(f" {row}", "strong")], [(f" {words}", "dim")], ()
        both_bad = f", {row.both_bad:,} of them both bad" if row.both_bad else ""
        counts = f"{row.wins:,} won, {row.losses:,} lost, {row.ties:,} tied{both_bad}"
        error = "" if row.se is None else f" {dot} SE {row.se:.1f}"
        first: Line = [
            (f" {safe(row.name)}", "accent strong"),
            (f"  {row.rating:.1f}{self._bounded(row)} {dot} {counts}{error}", ""),
        ]
        pair = None if row.unbounded else self.below(row.name)
        if pair is None or pair.difference.separated:
            return first, self._standing(row), ()
        short = f"{compact(pair.direct)} more between them "
        return first, self._standing(row), ([(f"{lacking(pair)} ", "")], [(short, "")])

    def _bounded(self, row: ModelRow) -> str:
        if row.lower is None or row.upper is None:
            return ""
        return f" [{row.lower:.1f}, {row.upper:.1f}]"

    def _standing(self, row: ModelRow) -> Line:
        if row.unbounded is not None:
            what = "never lost a point to" if row.unbounded == "above" else "never took one from"
            words = f"unbounded {row.unbounded}: it {what} the others; held by a prior"
            return [(f" {self.glyphs.error} ", "error"), (words, "")]
        pair = self.below(row.name)
        if pair is None:
            return [(f" {self._alone(row)}", "dim")]
        gap = pair.difference
        p = "" if math.isnan(gap.p_value) else f", p {gap.p_value:.2g}"
        if gap.p_value < LEAST_P:
            p = f", p <{LEAST_P}"
        apart = gap.separated
        line: list[tuple[str, str]] = [
            (f" {gap.elo:.1f} above ", ""),
            (safe(gap.worse, 24), "strong"),
            (f" [{gap.lower:.1f}, {gap.upper:.1f}]{p}: ", ""),
        ]
        if apart:
            return [*line, ("apart", "pass strong")]
        return [*line, ("not apart", "rescued strong")]

    def _alone(self, row: ModelRow) -> str:
        if self.board.report.spread is not None:
            return "the interval is how far the order of the battles moves Elo"
        if row.lower is None:
            return "no interval"
        return "the last of its group" if self.rows[-1] is row else "nothing is known to the next"


def closest_words(pair: Neighbours) -> str:
    """The pair and what it lacks."""
    gap = pair.difference
    return f"{gap.better} and {gap.worse} are not apart; {lacking(pair)}"


def lacking(pair: Neighbours) -> str:
    """Which battles would part a pair, if its distance stays as it is."""
    if not math.isfinite(pair.direct):
        return "equal ratings: no number of battles parts them"
    direct = math.ceil(pair.direct)
    battles = "battle" if direct == 1 else "battles"
    just = f"about {direct:,} more {battles} of just these two"
    return f"{just}, or {pair.growth:.1f} times all, may do"
