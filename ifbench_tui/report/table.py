"""Sheets as tables for a terminal."""

from __future__ import annotations

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.sheets import Sheet, plain
from ifbench_tui.report.visible import one_line

__all__ = ["to_table"]


def to_table(sheet: Sheet, glyphs: Glyphs) -> Table:
    """The sheet as a rich table; text from files is never read as markup.

    In a narrow terminal texts fold and an interval goes below its value; no number is cut.
    """
    table = Table(
        title=Text(one_line(sheet.title)),
        title_justify="left",
        title_style="bold",
        box=box.ASCII2 if glyphs.ascii_only else box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    shown = [index for index, column in enumerate(sheet.columns) if column.name != "benchmark"]
    rows = [[one_line(plain(row[index], glyphs)) for index in shown] for row in sheet.rows]
    for place, index in enumerate(shown):
        column = sheet.columns[index]
        words = " ".join([column.title, *(row[place] for row in rows)]).split()
        table.add_column(
            Text(one_line(column.title)),
            justify="right" if column.numeric else "left",
            min_width=max(map(cell_len, words)) if column.numeric else None,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*map(Text, row))
    return table
