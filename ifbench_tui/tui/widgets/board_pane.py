"""The pane below a board: a table, a chart or lines, under the names of the pages there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from textual import events, on
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from ifbench_tui.report.glyphs import UNICODE, Glyphs
from ifbench_tui.report.sheets import Sheet
from ifbench_tui.tui.board_pages import BoardPage
from ifbench_tui.tui.board_table import BoardTable
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.cell_grid import CellGrid
from ifbench_tui.tui.widgets.plot import Plot
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.tui.wrap import wrap

__all__ = ["BoardPane"]

_LEAST_LINE = 20


class PageGrid(CellGrid):
    """A table whose cells lead nowhere and whose order is the board's."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if action in ("open", "sort") else True


class BoardPane(Vertical):
    """Shows one page; of several tables one, the others with `next_sheet`."""

    DEFAULT_CSS = "BoardPane > .pane { height: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.glyphs: Glyphs = UNICODE
        self.page = BoardPage()
        self._drawn: BoardTable | None = None
        self._digits = 3
        self._sheet = 0
        self._lines: list[tuple[str, str]] = []

    def compose(self) -> Iterator[Widget]:
        yield PageGrid(self._row_name, self._cell, id="table", classes="pane")
        yield RowList(self._line, id="lines", classes="pane")
        yield Plot(id="plot", classes="pane")
        yield Bar(id="under")

    @property
    def table(self) -> CellGrid:
        """The table."""
        return self.query_one("#table", CellGrid)

    @property
    def plot(self) -> Plot:
        """The chart."""
        return self.query_one("#plot", Plot)

    @property
    def lines(self) -> RowList:
        """The lines."""
        return self.query_one("#lines", RowList)

    @property
    def used(self) -> Widget:
        """The widget that shows the page."""
        if self.page.lines:
            return self.lines
        return self.table if self.page.chart is None else self.plot

    def show(self, page: BoardPage, names: Mapping[str, str], now: str, *, digits: int) -> None:
        """Draw a page, `now` by its name among those there are."""
        self.page, self._digits = page, digits
        self._sheet = min(self._sheet, max(0, len(page.sheets) - 1))
        self._drawn = None
        used = self.used
        if used is self.lines:
            self._show_lines()
        elif used is self.plot:
            self.plot.glyphs = self.glyphs
            self.plot.show(page.chart)
        else:
            self._show_table()
        panes: tuple[Widget, ...] = (self.table, self.lines, self.plot)
        focused = self.screen.focused in panes
        for pane in panes:
            pane.display = pane is used
        if focused and self.screen.focused is not used:
            used.focus()
        entitle(used, self._tabs(names, now))
        self._explain()

    def first_sheet(self) -> None:
        """Begin with the first table of the page that is shown next."""
        self._sheet = 0

    def next_sheet(self) -> None:
        """Show the page's next table."""
        if self.has_other:
            self._sheet = (self._sheet + 1) % len(self.page.sheets)
            self._show_table()
            self._explain()

    @property
    def has_other(self) -> bool:
        """Whether the page has tables that are not on the screen."""
        return len(self.page.sheets) > 1 and self.used is self.table

    @property
    def sheets(self) -> list[Sheet]:
        """The tables of the page, that on the screen first."""
        sheets = list(self.page.sheets)
        return sheets[self._sheet :] + sheets[: self._sheet]

    def seek(self, name: str) -> None:
        """Put the cursor on the first row with a name, unless it is in somebody's hands."""
        names = [] if self._drawn is None else [row[0] for row in self._drawn.sheet.rows]
        table = self.table
        if name in names and not table.has_focus:
            table.move(names.index(name), table.cursor_column)

    # ---- drawing -----------------------------------------------------------------------------

    def _show_table(self) -> None:
        sheets, table = self.page.sheets, self.table
        table.glyphs = self.glyphs
        if not sheets:
            table.show((), 0, "", 12)
            return
        shown = self._drawn = BoardTable(sheets[self._sheet], self.glyphs, self._digits)
        width = min(34 if self.size.width >= 100 else 18, shown.names_width)
        table.show(shown.columns, len(shown.sheet.rows), shown.names_head, width)

    def _show_lines(self) -> None:
        self._lines = []
        for text, ink in self.page.lines:
            safe_text = safe(text)
            for start, end in wrap(safe_text, max(_LEAST_LINE, self.screen.size.width - 4)):
                self._lines.append((safe_text[start:end], ink))
        self.lines.set_rows(len(self._lines))

    def _tabs(self, names: Mapping[str, str], now: str) -> Content:
        """The pages there are; the one on screen stands out by more than its colour."""
        parts: list[tuple[str, str]] = []
        for name, words in names.items():
            if name == now:
                left, right = ("[", "]") if self.glyphs.ascii_only else ("▏", "▕")
                parts.append((f"{left}{words}{right}", "bold $foreground"))
            else:
                parts.append((f" {words} ", "$quiet not bold"))
        return Content.assemble(*parts)

    def _line(self, row: int, width: int) -> Line:
        text, ink = self._lines[row]
        return [(f" {text}", ink)]

    def _row_name(self, row: int, width: int) -> Line:
        return [] if self._drawn is None else self._drawn.draw_name(row, width)

    def _cell(self, row: int, column: int) -> Line:
        return [] if self._drawn is None else self._drawn.draw_cell(row, column)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._explain()

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        self._explain()

    @on(CellGrid.Moved, "#table")
    def _explain(self) -> None:
        """The words under the page: of the table's cell while it has the focus, else of it all."""
        shown, page = self._drawn, self.page
        words: Line = [(f" {safe(page.words)}", "dim")]
        if shown is not None and (self.table.has_focus or not page.words):
            words = shown.words(self.table.cursor_row, max(0, self.table.cursor_column))
        other: Line = []
        if self.has_other:
            following = page.sheets[(self._sheet + 1) % len(page.sheets)]
            other = [("x", "key"), (f" {safe(following.title, 40)} ", "dim")]
        self.query_one("#under", Bar).show(words, other)
