"""A curve over two axes with numbers, and single points marked on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.message import Message
from textual.strip import Strip

from ifbench_tui.report.glyphs import UNICODE, Glyphs
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Inked, Line

__all__ = ["Chart", "Plot", "Point", "ticks"]

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille cell: four rows of two dots."""

_HEIGHTS = "'-."
"""Where in its cell a curve runs, for terminals without braille: high, in the middle, low."""

_LEAST_SPAN = 10.0
_CELLS_A_LABEL = 14
_ROWS_A_LABEL = 2
_SLACK = 1e-9
"""For numbers that are round but for the last bits."""


@dataclass(frozen=True, slots=True)
class Point:
    """A mark at a place of the chart: a sign of one cell and its ink."""

    x: float
    y: float
    sign: str
    ink: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A curve through `points` in the order of x, and marks. Later marks hide earlier ones.

    Y runs between `bounds` at most and has a `unit`, `x_name` says what x counts; a line stands
    where x is 0.
    """

    points: Sequence[tuple[float, float]]
    marks: Sequence[Point] = ()
    bounds: tuple[float, float] = (0.0, 100.0)
    unit: str = ""
    x_name: str = ""


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most `most` round numbers from `low` to `high`, evenly apart."""
    if not high > low or most < 1:
        return []
    size = 10.0 ** math.floor(math.log10((high - low) / most))
    for step in (size * factor for factor in (1, 2, 5, 10, 20, 50)):
        first, last = math.ceil(low / step - _SLACK), math.floor(high / step + _SLACK)
        if last - first < most:
            return [place * step for place in range(first, last + 1)]
    return []


@dataclass(frozen=True, slots=True)
class _Frame:
    """Which part of the plane is drawn, and on how many cells."""

    left: float
    right: float
    low: float
    high: float
    width: int
    height: int

    def column(self, x: float, per_cell: int = 1) -> int:
        share = (x - self.left) / (self.right - self.left)
        return min(self.width * per_cell - 1, int(share * self.width * per_cell))

    def row(self, y: float, per_cell: int = 1) -> int:
        share = (self.high - y) / (self.high - self.low)
        return min(self.height * per_cell - 1, max(0, int(share * self.height * per_cell)))

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.low <= y <= self.high


class Plot(Inked, can_focus=True):
    """Draws one chart as large as it is given room. Its keys go to the owner: other models."""

    BINDINGS = bindings("plot")

    class Stepped(Message):
        """The next or previous thing to plot is wanted."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Opened(Message):
        """Enter."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.glyphs: Glyphs = UNICODE
        self._chart: Chart | None = None
        self._lines: list[Line] = []
        self._drawn: tuple[Chart | None, int, int, bool] | None = None

    def show(self, chart: Chart | None) -> None:
        """Draw another chart, or nothing."""
        self._chart = chart
        self.redraw()

    def action_step(self, step: int) -> None:
        self.post_message(self.Stepped(step))

    def action_open(self) -> None:
        self.post_message(self.Opened())

    def line(self, y: int) -> Strip:
        width, height = self.content_size
        drawn = (self._chart, width, height, self.glyphs.ascii_only)
        if drawn != self._drawn:
            self._drawn = drawn
            fits = self._chart is not None and self._chart.points and width > 20 and height > 3
            self._lines = chart_lines(self._chart, width, height, self.glyphs) if fits else []  # type: ignore[arg-type]
        if y >= len(self._lines):
            return Strip.blank(width, self.ink(""))
        return self.draw(self._lines[y], width)


def chart_lines(chart: Chart, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """The chart on `height` lines of `width` cells: curve, axis, numbers under it."""
    low, high = _range_of(chart)
    rows = height - 2
    labels = {y: f"{y:g}{chart.unit}" for y in ticks(low, high, max(2, rows // _ROWS_A_LABEL))}
    gutter = max((len(text) for text in labels.values()), default=1) + 2
    left, right = _sides_of(chart)
    frame = _Frame(left, right, low, high, width - gutter - 1, rows)
    cells = _zero_line(frame, glyphs)
    cells |= _ascii_curve(chart, frame) if glyphs.ascii_only else _braille_curve(chart, frame)
    for mark in chart.marks:
        if frame.holds(mark.x, mark.y):
            cells[frame.column(mark.x), frame.row(mark.y)] = mark.sign, mark.ink
    by_row = {frame.row(y): text for y, text in labels.items()}
    lines = [_row(row, by_row.get(row, ""), gutter, cells, frame, glyphs) for row in range(rows)]
    return [*lines, *_x_axis(frame, gutter, chart.x_name, glyphs)]


def _range_of(chart: Chart) -> tuple[float, float]:
    """The values of the curve and of marks, with some room around them."""
    values = [y for _, y in chart.points] + [mark.y for mark in chart.marks]
    low, high = min(values), max(values)
    room = max(0.06 * (high - low), (_LEAST_SPAN - (high - low)) / 2.0)
    least, most = chart.bounds
    return max(least, low - room), min(most, high + room)


def _sides_of(chart: Chart) -> tuple[float, float]:
    xs = [x for x, _ in chart.points]
    left, right = min(xs), max(xs)
    return (left, right) if right > left else (left - 1.0, right + 1.0)


_Cells = dict[tuple[int, int], tuple[str, str]]


def _zero_line(frame: _Frame, glyphs: Glyphs) -> _Cells:
    if not frame.left <= 0 <= frame.right:
        return {}
    sign = "|" if glyphs.ascii_only else "┊"
    column = frame.column(0.0)
    return {(column, row): (sign, "rule") for row in range(frame.height)}


def _heights(chart: Chart, frame: _Frame, per_cell: int) -> Iterator[float]:
    """The curve's value at the middle of every dot column, straight between its points."""
    points = sorted(chart.points)
    place = 0
    count = frame.width * per_cell
    for dot in range(count):
        x = frame.left + (frame.right - frame.left) * (dot + 0.5) / count
        while place + 2 < len(points) and points[place + 1][0] < x:
            place += 1
        (x0, y0), (x1, y1) = points[place], points[min(place + 1, len(points) - 1)]
        yield y0 if x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def _braille_curve(chart: Chart, frame: _Frame) -> _Cells:
    bits: dict[tuple[int, int], int] = {}
    before = None
    for dot, value in enumerate(_heights(chart, frame, 2)):
        here = frame.row(value, 4)
        steps = [here] if before is None else _between(before, here)
        for row in steps:
            cell = dot // 2, row // 4
            bits[cell] = bits.get(cell, 0) | _DOTS[row % 4][dot % 2]
        before = here
    return {cell: (chr(0x2800 + bit), "accent") for cell, bit in bits.items()}


def _between(before: int, here: int) -> Sequence[int]:
    """The rows that join two columns, the earlier one's own row left out."""
    if abs(here - before) < 2:
        return [here]
    return range(before + 1, here + 1) if here > before else range(here, before)


def _ascii_curve(chart: Chart, frame: _Frame) -> _Cells:
    found: _Cells = {}
    before = None
    for column, value in enumerate(_heights(chart, frame, 1)):
        fine = frame.row(value, len(_HEIGHTS))
        row = fine // len(_HEIGHTS)
        if before is not None and abs(row - before) > 1:
            for between in list(_between(before, row)):
                found[column, between] = "|", "accent"
        found[column, row] = _HEIGHTS[fine % len(_HEIGHTS)], "accent"
        before = row
    return found


def _row(row: int, label: str, gutter: int, cells: _Cells, frame: _Frame, glyphs: Glyphs) -> Line:
    edge = ("+" if label else "|") if glyphs.ascii_only else "┤" if label else "│"
    line: list[tuple[str, str]] = [(f"{label:>{gutter - 1}} ", "dim"), (edge, "rule")]
    run, ink = "", ""
    for column in range(frame.width):
        sign, own = cells.get((column, row), (" ", ""))
        if own != ink and run:
            line.append((run, ink))
            run = ""
        run, ink = run + sign, own
    return [*line, (run, ink)]


def _x_axis(frame: _Frame, gutter: int, name: str, glyphs: Glyphs) -> list[Line]:
    corner, flat, tick = ("+", "-", "+") if glyphs.ascii_only else ("└", "─", "┬")
    axis = [flat] * frame.width
    numbers = [" "] * (frame.width + gutter + 1)
    free, first = 0, len(numbers)
    for x in ticks(frame.left, frame.right, max(2, frame.width // _CELLS_A_LABEL)):
        column = frame.column(x)
        axis[column] = tick
        text = f"{x:+,.0f}" if x else "0"
        start = min(max(0, gutter + 1 + column - len(text) // 2), len(numbers) - len(text))
        if start >= free:
            numbers[start : start + len(text)] = text
            free, first = start + len(text) + 2, min(first, start - 2)
    if len(numbers) - free >= len(name):
        numbers[len(numbers) - len(name) :] = name
    elif first >= len(name):
        numbers[: len(name)] = name
    return [
        [(" " * gutter, ""), (corner + "".join(axis), "rule")],
        [("".join(numbers), "dim")],
    ]
