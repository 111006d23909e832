"""What a column of a judged benchmark's board is, and how numbers are written in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.widgets.cell_grid import GridColumn

__all__ = [
    "BoardColumn",
    "Values",
    "count",
    "interval",
    "number",
    "numbers_column",
    "plus_minus",
]

Values = Mapping[str, Any]
"""One model's numbers, as in JSON."""


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column: its title in words, the value it sorts by, its cell, and the cell in words."""

    title: str
    grid: GridColumn
    value: Callable[[Values], float | None]
    cell: Callable[[Values], Line]
    words: Callable[[Values], str]


def plus_minus(glyphs: Glyphs) -> str:
    """The sign before a standard error."""
    return "+-" if glyphs.ascii_only else "±"


def number(value: float | None, glyphs: Glyphs, digits: int = 1) -> str:
    """A number, or the sign for none."""
    return glyphs.none if value is None else f"{value:,.{digits}f}"


def numbers_column(
    head: str, width: int, title: str, key: str, words: Callable[[Values], str], digits: int = 0
) -> BoardColumn:
    """A column of bare numbers."""

    def cell(values: Values) -> Line:
        value = values.get(key)
        return [("" if value is None else f"{value:,.{digits}f}", "")]

    return BoardColumn(title, GridColumn((head,), width), lambda one: one.get(key), cell, words)


def count(value: int, what: str) -> str:
    """A number of things."""
    return f"{value:,} {what}" if value == 1 else f"{value:,} {what}s"


def interval(lower: float | None, upper: float | None, glyphs: Glyphs, digits: int) -> str:
    """The bounds of an interval; "" where there is none."""
    if lower is None or upper is None:
        return ""
    return f"{lower:.{digits}f}{glyphs.none}{upper:.{digits}f}"
