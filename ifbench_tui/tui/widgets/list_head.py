"""The titles of a list's columns, laid out like its rows."""

from __future__ import annotations

from collections.abc import Callable

from textual.strip import Strip

from ifbench_tui.tui.ink import Inked
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["ListHead"]


class ListHead(Inked):
    """One line above a `RowList`, drawn for the width that its rows have."""

    DEFAULT_CSS = "ListHead { height: 1; width: 1fr; }"

    def __init__(self, rows: RowList, words: Callable[[int], str]) -> None:
        super().__init__()
        self._rows = rows
        self._words = words

    def line(self, y: int) -> Strip:
        width = self._rows.scrollable_content_region.width
        return self.draw([(self._words(width), "head")], self.size.width)
