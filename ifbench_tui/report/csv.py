"""CSV that no spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ifbench_tui.report.sheets import Cell, Share, Sheet
from ifbench_tui.report.visible import visible

__all__ = ["to_csv"]

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def to_csv(sheet: Sheet) -> Iterator[str]:
    """The sheet as lines: full precision, shares in [0, 1], intervals in columns of their own."""
    head: list[str] = []
    for column in sheet.columns:
        head.append(column.name)
        if column.interval:
            head += [f"{column.name}_lower", f"{column.name}_upper"]
    yield _line(head)
    for row in sheet.rows:
        cells: list[str] = []
        for column, cell in zip(sheet.columns, row, strict=True):
            cells.append(_written(cell))
            if column.interval:
                share = cell if isinstance(cell, Share) else Share(None)
                cells += [_written(share.lower), _written(share.upper)]
        yield _line(cells)


def _written(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case Share():
            return _written(cell.value)
        case int() | float():
            return repr(cell)
    text = visible(cell)
    return "'" + text if text.lstrip(" ").startswith(_FORMULA_STARTS) else text


def _line(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
