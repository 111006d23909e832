"""A board's sheet as a grid: the first column names the rows, texts stand left, numbers right."""

from __future__ import annotations

from collections.abc import Sequence

from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.sheets import Cell, Share, Sheet, plain
from ifbench_tui.tui.columns import left, right
from ifbench_tui.tui.ink import Line, cells, safe
from ifbench_tui.tui.widgets.cell_grid import GridColumn

__all__ = ["BoardTable"]

_WIDEST = 40
_GAP = 2
_MEASURED = 200
"""Rows looked at for the width of a column."""


class BoardTable:
    """Draws one sheet, its bare numbers with `digits` after the point."""

    def __init__(self, sheet: Sheet, glyphs: Glyphs, digits: int) -> None:
        self.sheet = sheet
        self._digits = digits
        self.glyphs = glyphs
        numbers = range(1, len(sheet.columns))
        self._widths = [self._width(column) for column in range(len(sheet.columns))]
        self.columns: Sequence[GridColumn] = [self._column(number) for number in numbers]

    def _width(self, column: int) -> int:
        texts = [self.sheet.columns[column].title]
        texts += [self._text(row[column]) for row in self.sheet.rows[:_MEASURED]]
        return min(_WIDEST, max(cells([(safe(text), "")]) for text in texts))

    def _column(self, number: int) -> GridColumn:
        width = self._widths[number]
        return GridColumn((self._aligned(self.sheet.columns[number].title, number),), width + _GAP)

    def _aligned(self, text: str, column: int) -> str:
        align = right if self.sheet.columns[column].numeric else left
        return align(text, self._widths[column])

    def _text(self, cell: Cell) -> str:
        return f"{cell:.{self._digits}f}" if isinstance(cell, float) else plain(cell, self.glyphs)

    @property
    def names_head(self) -> str:
        """The title of the first column."""
        return self.sheet.columns[0].title

    @property
    def names_width(self) -> int:
        """Cells the first column needs."""
        return self._widths[0] + _GAP

    def draw_name(self, row: int, width: int) -> Line:
        """The name of a row."""
        return [(f" {safe(self._text(self.sheet.rows[row][0]), width - 2)} ", "")]

    def draw_cell(self, row: int, column: int) -> Line:
        """One cell of a row."""
        cell = self.sheet.rows[row][column + 1]
        ink = "dim" if cell is None or cell == Share(None) else ""
        return [(self._aligned(self._text(cell), column + 1), ink)]

    def words(self, row: int, column: int) -> Line:
        """The cell in words."""
        if not self.sheet.rows:
            return []
        cells_of = self.sheet.rows[row]
        title = safe(self.sheet.columns[column + 1].title, 30)
        text = safe(self._text(cells_of[column + 1]))
        return [
            (f" {safe(self._text(cells_of[0]), 30)}", "strong"),
            (f"  {title}  ", "dim"),
            (text, ""),
        ]
