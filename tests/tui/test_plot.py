"""A curve on two axes: what is drawn where."""

from __future__ import annotations

import pytest

from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.tui.ink import Line, cells
from ifbench_tui.tui.widgets.plot import Chart, Point, chart_lines, ticks

RISING = Chart(
    [(float(x), 20.0 + 0.01 * (x + 1000)) for x in range(-1000, 1001, 100)],
    [Point(0.0, 30.0, "#", "accent")],
    unit=" %",
    x_name="characters longer",
)


def text(lines: list[Line]) -> list[str]:
    return ["".join(part for part, _ in line) for line in lines]


@pytest.mark.parametrize(
    ("low", "high", "most", "found"),
    [
        (0.0, 100.0, 3, [0, 50, 100]),
        (73.0, 92.0, 3, [80, 90]),
        (-2345.0, 412.0, 5, [-2000, -1500, -1000, -500, 0]),
        (-2345.0, 412.0, 4, [-2000, -1000, 0]),
        (1.0, 1.4, 3, [1.0, 1.2, 1.4]),
        (5.0, 5.0, 3, []),
    ],
)
def test_ticks_are_round_and_few(low: float, high: float, most: int, found: list[float]) -> None:
    assert ticks(low, high, most) == pytest.approx(found)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", [(78, 9), (118, 24), (40, 5)], ids=str)
def test_a_chart_fills_its_room_and_no_more(glyphs: object, size: tuple[int, int]) -> None:
    width, height = size
    lines = chart_lines(RISING, width, height, glyphs)  # type: ignore[arg-type]
    assert len(lines) == height
    assert {cells(line) for line in lines[:-1]} <= {width, width - 1}
    assert cells(lines[-1]) <= width


def test_the_curve_rises_from_the_lower_left_and_the_mark_is_on_the_zero_line() -> None:
    rows = text(chart_lines(RISING, 78, 12, ASCII))
    drawn = [(row, column) for row, line in enumerate(rows[:10])
             for column, sign in enumerate(line[7:], start=7) if sign in "'-."]  # fmt: skip
    first, last = (end(drawn, key=lambda place: place[1]) for end in (min, max))
    assert first[0] > last[0]
    mark = next((row, line.index("#")) for row, line in enumerate(rows) if "#" in line)
    assert all(rows[row][mark[1]] in "|#'-." for row in range(10))
    assert sum(rows[row][mark[1]] == "|" for row in range(10)) >= 7
    zero = rows[11].index(" 0 ") + 1
    assert abs(zero - mark[1]) <= 1


def test_both_axes_have_numbers_and_x_a_name() -> None:
    rows = text(chart_lines(RISING, 78, 12, UNICODE))
    assert sum("%" in row for row in rows) >= 3
    assert any("┤" in row for row in rows)
    assert "┬" in rows[10]
    assert "+500" in rows[11]
    assert "-500" in rows[11]


def test_a_steep_curve_has_no_holes() -> None:
    step = Chart([(0.0, 0.0), (49.0, 0.0), (50.0, 100.0), (100.0, 100.0)])
    rows = text(chart_lines(step, 78, 14, ASCII))[:12]
    columns = list(zip(*(row[7:].ljust(71) for row in rows), strict=True))
    inked = [row for row in range(12) if any(column[row] in "'-.|" for column in columns[1:])]
    assert len(inked) >= 11


def test_marks_outside_are_left_out_and_a_flat_curve_has_room_around_it() -> None:
    flat = Chart([(-5.0, 50.0), (5.0, 50.0)], [Point(9.0, 50.0, "@", ""), Point(0, 50, "#", "")])
    rows = text(chart_lines(flat, 60, 10, ASCII))
    assert not any("@" in row for row in rows)
    assert 2 <= next(number for number, row in enumerate(rows) if "#" in row) <= 5
