"""What the second pane of Ratings shows: tables drawn in a grid, and words about a cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.sheets import Cell, Share, Sheet, plain
from ifbench_tui.tui.ink import Line, cells, safe
from ifbench_tui.tui.rating_rows import LEAST_P
from ifbench_tui.tui.widgets.cell_grid import GridColumn

__all__ = ["PAGES", "PageTable", "notes", "table_name"]

PAGES = {
    "wins": "who beats whom",
    "style": "style",
    "annotators": "annotators",
    "verdicts": "votes and verdicts",
    "notes": "notes",
}
"""The pages in order, with their titles."""

_MATRIX_CELL = 8
_WIDEST = 24
_SMALL_P = 0.05
_DIGITS = {"elo": 1, "side_elo": 0, "side_se": 0, "evidence": 2, "kappa": 2, "lower": 2, "upper": 2}


class PageTable:
    """A sheet as a grid whose first column names the rows."""

    def __init__(self, sheet: Sheet, glyphs: Glyphs) -> None:
        self.sheet = sheet
        self.glyphs = glyphs
        self._matrix = sheet.title.startswith("Wins,")
        self.columns = self._columns()

    def _columns(self) -> Sequence[GridColumn]:
        if self._matrix:
            heads = [("", "mean")] + [
                (str(number), safe(column.title, _MATRIX_CELL - 1))
                for number, column in enumerate(self.sheet.columns[2:], start=1)
            ]
            return [GridColumn(head, _MATRIX_CELL) for head in heads]
        return [
            GridColumn((safe(column.title, _WIDEST),), 2 + self._width(number))
            for number, column in enumerate(self.sheet.columns[1:], start=1)
        ]

    def _width(self, column: int) -> int:
        texts = [self.sheet.columns[column].title]
        texts += [self._text(row[column], column) for row in self.sheet.rows[:200]]
        return min(_WIDEST, max(cells([(safe(text), "")]) for text in texts))

    @property
    def names_head(self) -> str:
        """The title of the first column."""
        return self.sheet.columns[0].title

    @property
    def names_width(self) -> int:
        """Cells the first column needs."""
        widest = max(
            (cells([(self._name(row), "")]) for row in range(len(self.sheet.rows))), default=4
        )
        return max(widest, len(self.names_head)) + 2

    def _name(self, row: int) -> str:
        number = f"{row + 1:>3} " if self._matrix else ""
        return number + safe(str(self.sheet.rows[row][0]), 32)

    def draw_name(self, row: int, width: int) -> Line:
        """The name of a row."""
        return [(f" {safe(self._name(row), width - 2)} ", "")]

    def draw_cell(self, row: int, column: int) -> Line:
        """One cell of a row."""
        cell = self.sheet.rows[row][column + 1]
        return [(safe(self._text(cell, column + 1), _WIDEST), self._ink(column, cell))]

    def _text(self, cell: Cell, column: int) -> str:
        if not isinstance(cell, float):
            return plain(cell, self.glyphs)
        name = self.sheet.columns[column].name
        if name == "p_value" and cell < LEAST_P:
            return f"<{LEAST_P}"
        return f"{cell:.{_DIGITS.get(name, 3)}f}"

    def _ink(self, column: int, cell: Cell) -> str:
        name = self.sheet.columns[column + 1].name
        if name == "evidence" and isinstance(cell, float) and cell > 1.0:
            return "error"
        if name == "p_value" and isinstance(cell, float) and cell < _SMALL_P:
            return "accent strong"
        if isinstance(cell, Share) and self._matrix and column:
            return "" if cell.value is None or cell.value < 0.5 else "strong"
        return "dim" if cell is None or cell == Share(None) else ""

    def words(self, row: int, column: int) -> Line:
        """The cell in words, or the row where the cursor is on its name."""
        if not self.sheet.rows:
            return []
        name = safe(str(self.sheet.rows[row][0]), 30)
        if self._matrix and column > 0:
            other = safe(self.sheet.columns[column + 1].title, 30)
            return self._duel(name, other, row, column)
        title = safe(self.sheet.columns[column + 1].title, 30)
        text = safe(self._text(self.sheet.rows[row][column + 1], column + 1))
        return [(f" {name}", "strong"), (f"  {title} ", "dim"), (text, "")]

    def _duel(self, name: str, other: str, row: int, column: int) -> Line:
        cell = self.sheet.rows[row][column + 1]
        if row == column - 1 or not isinstance(cell, Share) or cell.value is None:
            words = "itself" if row == column - 1 else "never decided between them"
            return [(f" {name}", "strong"), (f"  {words}", "dim")]
        share = f"{100 * cell.value:.1f} %"
        return [(f" {name}", "strong"), (" beats ", "dim"), (other, "strong"), (f" in {share}", "")]


_TABLES = {
    "Wins, predicted (%)": "predicted, %",
    "Wins, observed (%)": "observed, %",
    "Votes and strict verdicts": "strict verdicts",
    "Votes and loose verdicts": "loose verdicts",
    "Annotators": "sides",
    "Agreement of annotators": "agreement",
}


def table_name(sheet: Sheet) -> str:
    """A table of a page in a word or two."""
    return _TABLES.get(sheet.title, "")


def notes(lines: Iterable[str], command: str) -> Iterator[tuple[str, str]]:
    """Texts and inks: warnings first, then all else that the reader of the board should know."""
    ranked = sorted(lines, key=lambda line: not line.startswith("warning: "))
    for line in ranked:
        yield line, "" if line.startswith("warning: ") else "dim"
    yield "", ""
    yield "headless, the same numbers (C copies the line):", "dim"
    yield command, ""
