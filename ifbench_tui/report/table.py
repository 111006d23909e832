"""Sheets as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.sheets import Column, Sheet, written
from ifbench_tui.report.visible import drawn_line

__all__ = ["to_table"]

_BETWEEN = 2
"""Cells between two columns."""


def to_table(sheet: Sheet, glyphs: Glyphs) -> RenderableType:
    """The sheet as a table for rich; text from files is never read as markup.

    In a narrow terminal details are left out, which is said, then texts fold, an interval goes
    below its value, and columns go on in a second table; no number is cut.
    """
    return _Fitted(sheet, glyphs)


class _Fitted:
    """A table that knows its room only when it is drawn."""

    def __init__(self, sheet: Sheet, glyphs: Glyphs) -> None:
        self._sheet = sheet
        self._glyphs = glyphs
        self._rows = [[drawn_line(cell) for cell in row] for row in written(sheet, glyphs)]
        texts = [
            [drawn_line(column.title), *(row[index] for row in self._rows)]
            for index, column in enumerate(sheet.columns)
        ]
        self._natural = [max(map(cell_len, cells)) for cells in texts]
        self._least = [max(map(cell_len, " ".join(cells).split()), default=0) for cells in texts]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self._rows:
            yield Text(f"{drawn_line(self._sheet.title)}: none")
            return
        columns, room = self._sheet.columns, options.max_width
        shown = [index for index, column in enumerate(columns) if column.name != "benchmark"]
        details = [index for index in shown if columns[index].detail]
        left_out: list[Column] = []
        while details and self._width(shown) > room:
            shown.remove(details[-1])
            left_out.insert(0, columns[details.pop()])
        for part in self._parts(shown, room):
            yield self._table(part, room)
        if left_out:
            titles = ", ".join(drawn_line(column.title) for column in left_out)
            yield Text(f"too narrow for: {titles} (--format csv has all)", style="dim")

    def _parts(self, shown: Sequence[int], room: int) -> Iterator[Sequence[int]]:
        """The columns of one table, or of several below each other that begin with the same."""
        numeric = (at for at, index in enumerate(shown) if self._sheet.columns[index].numeric)
        head = list(shown[: next(numeric, len(shown))])
        part = list(head)
        for index in shown[len(head) :]:
            if len(part) > len(head) and self._width([*part, index]) > room:
                yield part
                part = list(head)
            part.append(index)
        yield part

    def _width(self, shown: Sequence[int]) -> int:
        """Cells below which a number or a word would be cut."""
        return sum(self._least[index] + _BETWEEN for index in shown)

    def _widths(self, shown: Sequence[int], room: int) -> dict[int, int]:
        """Columns as wide as their longest cell where all fit, else what is left goes to those
        that lack most."""
        widths = {index: self._least[index] for index in shown}
        spare = room - self._width(shown)
        while spare > 0:
            index = max(widths, key=lambda index: self._natural[index] - widths[index])
            if widths[index] >= self._natural[index]:
                break
            widths[index] += 1
            spare -= 1
        return widths

    def _table(self, shown: Sequence[int], room: int) -> Table:
        table = Table(
            title=Text(drawn_line(self._sheet.title)),
            title_justify="left",
            title_style="bold",
            box=box.ASCII2 if self._glyphs.ascii_only else box.SIMPLE_HEAD,
            padding=(0, 1, 0, 0),
            pad_edge=False,
        )
        for index, width in self._widths(shown, room).items():
            column = self._sheet.columns[index]
            table.add_column(
                Text(drawn_line(column.title)),
                justify="right" if column.numeric else "left",
                width=width,
                overflow="fold",
            )
        for row in self._rows:
            table.add_row(*(Text(row[index]) for index in shown))
        return table
