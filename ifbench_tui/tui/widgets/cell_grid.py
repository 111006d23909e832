"""A table with a cursor on one cell: names and heads stay, whole columns scroll into view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ifbench_tui.report.glyphs import UNICODE, Glyphs
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.columns import left, right
from ifbench_tui.tui.ink import Inked, Line, cells

__all__ = ["NAMES", "CellGrid", "GridColumn"]

NAMES = -1
"""The number of the column that names the rows."""


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A column: the lines of its head, right-aligned like its cells, and its width in cells."""

    head: tuple[str, ...]
    width: int


class CellGrid(ScrollView, Inked, can_focus=True):
    """Cells drawn on demand. The owner keeps the data and sorts; rows and columns are numbers."""

    BINDINGS = bindings("grid")
    DEFAULT_CSS = "CellGrid { overflow-x: hidden; height: auto; }"

    @dataclass
    class Moved(Message):
        """The cursor is on another cell; only the newest of several matters."""

        grid: CellGrid
        row: int
        column: int

        @property
        def control(self) -> CellGrid:
            return self.grid

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, CellGrid.Moved) and message.grid is self.grid

    @dataclass
    class Opened(Message):
        """Enter, or a click on the cell under the cursor."""

        grid: CellGrid
        row: int
        column: int

        @property
        def control(self) -> CellGrid:
            return self.grid

    @dataclass
    class Sorted(Message):
        """A column to sort by: its head was clicked, or the key pressed on it."""

        grid: CellGrid
        column: int

        @property
        def control(self) -> CellGrid:
            return self.grid

    def __init__(
        self,
        draw_name: Callable[[int, int], Line],
        draw_cell: Callable[[int, int], Line],
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.glyphs: Glyphs = UNICODE
        self.cursor_row = 0
        self.cursor_column = 0
        self.sorting: tuple[int, bool] | None = None
        """The column sorted by, and whether downwards."""
        self._draw_name = draw_name
        self._draw_cell = draw_cell
        self._columns: Sequence[GridColumn] = ()
        self._count = 0
        self._names_head = ""
        self._names_width = 12
        self._first = 0

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count

    @property
    def _head_lines(self) -> int:
        return max((len(column.head) for column in self._columns), default=1)

    def show(
        self, columns: Sequence[GridColumn], rows: int, names_head: str, names_width: int
    ) -> None:
        """Draw a table; the cursor stays where it is as far as there are rows and columns."""
        taller = (rows, len(columns)) != (self._count, len(self._columns))
        filled = bool(rows) != bool(self._count)
        self._columns, self._count = columns, rows
        self._names_head, self._names_width = names_head, names_width
        self.virtual_size = Size(0, rows + self._head_lines)
        self._first = min(self._first, max(0, len(columns) - 1))
        self.move(self.cursor_row, self.cursor_column)
        if taller:
            self.refresh(layout=True)
        if filled:
            self.refresh_bindings()

    def move(self, row: int, column: int) -> None:
        """Put the cursor on a cell, or the nearest there is, and bring it into view."""
        self.cursor_row = max(0, min(row, self._count - 1))
        self.cursor_column = max(NAMES, min(column, max(0, len(self._columns) - 1)))
        self._keep_in_view()
        self.redraw()
        if self._count:
            self.post_message(self.Moved(self, self.cursor_row, self.cursor_column))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._count + self._head_lines

    # ---- what is visible ---------------------------------------------------------------------

    def _room(self) -> int:
        # One cell on either side says that there are more columns.
        return self.scrollable_content_region.width - self._names_width - 2

    def _end(self, first: int) -> int:
        """One past the last column that fits when `first` is the first one shown."""
        room = self._room()
        end = first
        while end < len(self._columns) and room >= self._columns[end].width:
            room -= self._columns[end].width
            end += 1
        return max(end, first + 1) if self._columns else first

    def _keep_in_view(self) -> None:
        region = self.scrollable_content_region
        if not region.width or not region.height:
            return
        column = max(0, self.cursor_column)
        if column < self._first:
            self._first = column
        while self._end(self._first) <= column < len(self._columns):
            self._first += 1
        while self._first and self._end(self._first - 1) == len(self._columns):
            self._first -= 1
        height, top = region.height - self._head_lines, self.scroll_offset.y
        if height > 0 and not top <= self.cursor_row < top + height:
            row = self.cursor_row
            target = row if row < top else row - height + 1
            self.scroll_to(y=target, animate=False, immediate=True, force=True)

    def on_resize(self) -> None:
        self._keep_in_view()
        self.refresh()

    # ---- keys and mouse ----------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        of_cells = action in ("cursor", "page", "row", "column", "open", "sort")
        return None if of_cells and not self._count else True

    def action_cursor(self, rows: int, columns: int) -> None:
        self.move(self.cursor_row + rows, self.cursor_column + columns)

    def action_page(self, halves: int) -> None:
        page = max(1, self.scrollable_content_region.height - self._head_lines - 1)
        self.move(self.cursor_row + halves * max(1, page // 2), self.cursor_column)

    def action_row(self, which: str) -> None:
        self.move(0 if which == "first" else self._count - 1, self.cursor_column)

    def action_column(self, which: str) -> None:
        self.move(self.cursor_row, NAMES if which == "first" else len(self._columns) - 1)

    def action_open(self) -> None:
        if self._count:
            self.post_message(self.Opened(self, self.cursor_row, self.cursor_column))

    def action_sort(self) -> None:
        self.post_message(self.Sorted(self, self.cursor_column))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        column = self._column_at(offset.x)
        if column is None:
            return
        if offset.y < self._head_lines:
            self.post_message(self.Sorted(self, column))
            return
        row = offset.y - self._head_lines + self.scroll_offset.y
        if row >= self._count:
            return
        if (row, column) == (self.cursor_row, self.cursor_column):
            self.action_open()
        else:
            self.move(row, column)

    def _column_at(self, x: int) -> int | None:
        at = self._names_width + 1
        if x < at:
            return NAMES
        for column in range(self._first, self._end(self._first)):
            at += self._columns[column].width
            if x < at:
                return column
        return None

    # ---- drawing -----------------------------------------------------------------------------

    def ink(self, names: str) -> Style:
        known: dict[str, Style] = self.__dict__.setdefault("_inks", {})
        if names not in known and "heat-" in names:
            plain = " ".join(name for name in names.split() if not name.startswith("heat-"))
            style = super().ink(plain)
            for name in set(names.split()) - set(plain.split()):
                # Textual draws a component's ground as if it were opaque.
                ground = self.app.get_component_styles(f"ink--{name}").background
                style += Style(bgcolor=(self.background_colors[1] + ground).rich_color)
            known[names] = style
        return known[names] if names in known else super().ink(names)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.refresh()

    def line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if y < self._head_lines:
            return self.draw(self._head(y), width)
        row = y - self._head_lines + self.scroll_offset.y
        if row >= self._count:
            return Strip.blank(width, self.ink(""))
        base = ""
        if row == self.cursor_row:
            base = "cursor" if self.has_focus else "cursor-blurred"
        return self.draw(self._row(row), width, base)

    def _head(self, y: int) -> Line:
        last = y == self._head_lines - 1
        sorted_by, down = self.sorting or (None, False)
        arrow = self.glyphs.down if down else self.glyphs.up

        def part(column: int, text: str) -> tuple[str, str]:
            ink = "head"
            if column == self.cursor_column and self.has_focus:
                ink = "accent strong"
            elif column == sorted_by:
                ink = "accent"
            return text, ink

        name = self._names_head if last else ""
        name = f" {name}{f' {arrow}' if sorted_by == NAMES and last else ''}"
        line = [part(NAMES, left(name, self._names_width))]
        end = self._end(self._first)
        line.append((self.glyphs.back[-1] if self._first and last else " ", "accent"))
        for number in range(self._first, end):
            column = self._columns[number]
            lines = ("",) * (self._head_lines - len(column.head)) + column.head
            text = lines[y] + (arrow if number == sorted_by and last else "")
            line.append(part(number, right(text, column.width)))
        if end < len(self._columns) and last:
            line.append((self.glyphs.arrow[-1], "accent"))
        return line

    def _row(self, row: int) -> Line:
        name = self._draw_name(row, self._names_width)
        here = row == self.cursor_row and self.has_focus
        if here and self.cursor_column == NAMES:
            name = [(text, f"{ink} current") for text, ink in name]
        if row == self.cursor_row and name and name[0][0].startswith(" "):
            # Colour alone is no sign of where the cursor is.
            (text, ink), *rest = name
            name = [(self.glyphs.opens, "accent"), (text[1:], ink), *rest]
        line = [*name, (" " * (self._names_width - cells(name) + 1), "")]
        for number in range(self._first, self._end(self._first)):
            cell = self._draw_cell(row, number)
            room = self._columns[number].width - cells(cell)
            if here and number == self.cursor_column:
                cell = [(text, f"{ink} current") for text, ink in cell]
            line += [(" " * room, ""), *cell]
        return line
