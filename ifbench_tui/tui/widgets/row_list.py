"""A list of any length that draws only what is visible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Inked, Line

__all__ = ["DrawRow", "RowList"]

DrawRow = Callable[[int, int], Line]
"""(row, width in cells) -> the row as a line; called for visible rows only."""


class RowList(ScrollView, Inked, can_focus=True):
    """Rows drawn on demand, with a cursor. The owner keeps the data; rows are numbers here."""

    BINDINGS = bindings("list")
    DEFAULT_CSS = "RowList { overflow-x: hidden; }"

    cursor: reactive[int] = reactive(0, repaint=False)

    @dataclass
    class Moved(Message):
        """The cursor is on another row; only the newest of several matters."""

        rows: RowList
        row: int

        @property
        def control(self) -> RowList:
            return self.rows

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, RowList.Moved) and message.rows is self.rows

    @dataclass
    class Opened(Message):
        """Enter, or a click on the row under the cursor."""

        rows: RowList
        row: int

        @property
        def control(self) -> RowList:
            return self.rows

    def __init__(
        self,
        draw_row: DrawRow,
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._draw_row = draw_row
        self._count = 0

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count

    def set_rows(self, count: int, cursor: int = 0) -> None:
        """Show `count` rows with the cursor on one of them. Posts `Moved` if there is a row."""
        self._count = count
        self.virtual_size = Size(0, count)
        self.set_reactive(RowList.cursor, max(0, min(cursor, count - 1)))
        self._keep_in_view()
        self.redraw()
        if count:
            self.post_message(self.Moved(self, self.cursor))

    def redraw(self, row: int | None = None) -> None:
        """Draw one row again, or all: their data changed."""
        if row is None:
            super().redraw()
        else:
            self.refresh(Region(0, row - self.scroll_offset.y, self.size.width, 1))

    # ---- cursor ------------------------------------------------------------------------------

    def validate_cursor(self, row: int) -> int:
        return max(0, min(row, self._count - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        self._keep_in_view()
        self.redraw(old)
        self.redraw(new)
        self.post_message(self.Moved(self, new))

    def _keep_in_view(self) -> None:
        height = self.scrollable_content_region.height
        top = self.scroll_offset.y
        if height and not top <= self.cursor < top + height:
            target = self.cursor if self.cursor < top else self.cursor - height + 1
            self.scroll_to(y=target, animate=False, immediate=True, force=True)

    def on_resize(self) -> None:
        self._keep_in_view()

    @property
    def _page(self) -> int:
        return max(1, self.scrollable_content_region.height - 1)

    def action_cursor(self, rows: int) -> None:
        self.cursor += rows

    def action_page(self, halves: int) -> None:
        self.cursor += halves * max(1, self._page // 2)

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = self._count - 1

    def action_open(self) -> None:
        if self._count:
            self.post_message(self.Opened(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        row = -1 if place is None else place.y + self.scroll_offset.y
        if 0 <= row < self._count:
            if row == self.cursor:
                self.action_open()
            else:
                self.cursor = row

    # ---- drawing -----------------------------------------------------------------------------

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.refresh()

    def line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        if row >= self._count:
            return Strip.blank(width, self.ink(""))
        line = self._draw_row(row, width)
        if row != self.cursor:
            return self.draw(line, width)
        base = "cursor" if self.has_focus else "cursor-blurred"
        return self.draw(self._pointed(line), width, base)

    def _pointed(self, line: Line) -> Line:
        """A row that begins with a space has the pointer there: colour alone is no sign."""
        if not line or not line[0][0].startswith(" "):
            return line
        glyphs = ASCII if self.app.has_class("-ascii") else UNICODE
        (text, ink), *rest = line
        return [(glyphs.opens, "accent"), (text[1:], ink), *rest]
