"""What Ratings draws: the board, two lines about a row, and a second pane of pages."""

from __future__ import annotations

from collections.abc import Iterator

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from ifbench_tui.engine.ratings.methods import method_of
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.board_names import board_words
from ifbench_tui.tui.ink import Line, entitle, safe
from ifbench_tui.tui.rating_jobs import Board, Page
from ifbench_tui.tui.rating_pages import PAGES, PageTable, notes, table_name
from ifbench_tui.tui.rating_rows import BoardRows, closest_words, compact
from ifbench_tui.tui.rating_wish import INTERVAL, METHOD, SOURCES, STYLE, TIES, Wish, command
from ifbench_tui.tui.screens.place import Place, title
from ifbench_tui.tui.widgets.bar import Bar
from ifbench_tui.tui.widgets.cell_grid import CellGrid
from ifbench_tui.tui.widgets.list_head import ListHead
from ifbench_tui.tui.widgets.notice import Notice
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.tui.widgets.words import Words
from ifbench_tui.tui.wrap import wrap

__all__ = ["RatingsView"]

_NOTHING = (
    "There is nothing to rate yet.\n\n"
    "Press 4 to vote: which of two responses is better, blind, one key a vote. "
    "Each vote counts here at once.\n\n"
    "Or press 1 for the Library, then o, and open battles: arena files, judgments of MT-Bench or "
    "Arena-Hard, or any table with two models and a winner."
)

_ADVICE = {
    "refused": "p in Library lists them",
    "by": "p: one of them",
    "cluster": "f: depend on each other",
}
"""What to add to the notes of a report."""

_MOST_WARNING = 2
_MOST_OF_IT = 0.55
"""Share of the screen's height that the board may take; a short one leaves it to the pages."""


class PageGrid(CellGrid):
    """A table whose cells lead nowhere and whose order is the board's."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if action in ("open", "sort") else super().check_action(action, parameters)


class RatingsView(Place):
    """Draws what the screen found out; asks for nothing itself."""

    PLACE = "Ratings"
    SHOWS_VOTES = True
    BINDINGS = bindings("ratings")
    AUTO_FOCUS = "#rows"
    CSS_PATH = "../styles/ratings.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.wish = Wish()
        self.board: Board | None = None
        self.drawn: BoardRows | None = None
        self.failure = ""
        self.busy = ""
        self.page_name = "wins"
        self.page = Page(())
        self.page_table: PageTable | None = None
        self.seek = ""
        self._sheet = 0
        self._notes: list[tuple[str, str]] = []

    def body(self) -> Iterator[Widget]:
        rows = RowList(self._row, id="rows")
        yield Words(id="warning")
        yield Vertical(ListHead(rows, self._heads), rows, id="board", classes="pane")
        yield Bar(id="what")
        yield Bar(id="standing")
        with Vertical(id="beside"):
            yield PageGrid(self._row_name, self._cell, id="table", classes="pane")
            notes = RowList(self._note, id="notes", classes="pane")
            notes.display = False
            yield notes
            yield Bar(id="under")
        yield Notice(id="message")

    @property
    def rows(self) -> RowList:
        """The board."""
        return self.query_one("#rows", RowList)

    @property
    def table(self) -> CellGrid:
        """The table of the second pane."""
        return self.query_one("#table", CellGrid)

    # ---- head --------------------------------------------------------------------------------

    def head(self) -> list[Line]:
        wish = self.wish.settled
        parts = [METHOD.words_of(wish), f"ties: {TIES.words_of(wish)}"]
        if wish.options.style is not None:
            parts.append(f"style control {STYLE.words_of(wish)}")
        shown: list[Line] = [[(parts[0], "")], [(f"  {self.glyphs.dot}  ".join(parts[1:]), "dim")]]
        return shown[: 1 if self.size.width < 72 else 2]

    def head_ends(self) -> list[Line]:
        busy: Line = [(f"{self.busy} ", "accent strong")] if self.busy else []
        if self.board is None:
            return [busy]
        found = self.board.report.board
        battles = "battle" if found.n_battles == 1 else "battles"
        counts = f"{found.n_battles:,} {battles}  {len(found.rows)} models "
        return [[*busy, (" ", ""), (counts, "dim")], busy]

    # ---- the board ---------------------------------------------------------------------------

    def show_board(self) -> None:
        """Draw the board there is, the cursor on the model it was on."""
        board = self.board
        model = self.model
        self.set_class(board is None, "-empty")
        self.query_one("#message", Notice).update(safe_lines(self._message()))
        if board is None:
            self.refresh_head()
            return
        self.drawn = BoardRows(board, self.glyphs)
        names = [row if isinstance(row, str) else row.name for row in self.drawn.rows]
        self._give_room(len(names))
        first = int(isinstance(self.drawn.rows[0], str))
        self.rows.set_rows(len(names), names.index(model) if model in names else first)
        self._show_titles()
        for head in self.query(ListHead):
            head.redraw()
        self.describe()
        self.refresh_head()

    def _give_room(self, rows: int) -> None:
        """A board of few models takes no more than it needs."""
        head_lines = 2
        most = max(head_lines + 1, int(_MOST_OF_IT * self.size.height) - 3)
        self.query_one("#board").styles.height = min(rows + head_lines, most)

    @property
    def model(self) -> str:
        """The model under the cursor, or the head of a group."""
        if self.drawn is None or not self.drawn.rows:
            return ""
        row = self.drawn.rows[min(self.rows.cursor, len(self.drawn.rows) - 1)]
        return row if isinstance(row, str) else row.name

    def _message(self) -> str:
        if self.failure:
            return self.failure
        if self.bench.progress:
            return "Loading; esc stops."
        boards = board_words(self.bench.workspace)
        more = f"\n\nb shows {boards}." if boards else ""
        return "" if self.busy else _NOTHING + more

    def _show_titles(self) -> None:
        board, drawn = self.board, self.drawn
        if board is None or drawn is None:
            return
        warnings = board.report.board.warnings
        self.set_class(bool(warnings), "-warned")
        if warnings:
            more = len(warnings) - 1
            extra = f" (+{more} more: v shows the notes)" if more else ""
            first = safe(warnings[0])
            line = [(f"{self.glyphs.error} ", "error"), (first, ""), (extra, "dim")]
            words = self.query_one("#warning", Words)
            lines = wrap("".join(text for text, _ in line), max(20, self.size.width - 2))
            words.styles.height = min(_MOST_WARNING, len(lines))
            words.show(line)
        entitle(self.query_one("#board"), title(self._board_title(board)))

    def _board_title(self, board: Board) -> str:
        settings, dot = board.report.board.settings, self.glyphs.dot
        anchor = settings.fit.anchor
        method = method_of(settings.method)
        anchored = f"{safe(anchor.model, 30)} = {anchor.rating:g}" if anchor else ""
        if method.ordered:
            orders = board.report.spread
            how = f"spread over {len(orders.samples)} orders" if orders else "one order"
        elif not board.report.bounded:
            how = "no intervals"
        else:
            by = f" by {settings.cluster}" if settings.cluster else ""
            how = f"95 % intervals: {dict(INTERVAL.values)[settings.interval]}{by}"
        source = dict(SOURCES.values)[board.wish.source]
        people = board.wish.filters.judges
        only = f" of {safe(people[0], 20)}" if people else ""
        gauge = anchored or method.gauge(settings)
        parts = [part for part in (gauge, how, f"{source}{only}") if part]
        near = None if self.drawn is None else self.drawn.closest
        if near is not None and self.size.width >= 100:
            gap = near.difference
            names = f"{safe(gap.better, 16)} and {safe(gap.worse, 16)}"
            parts.append(f"closest: {names}, {compact(near.direct)} votes short")
        return f" {dot} ".join(parts)

    def _heads(self, width: int) -> str:
        return "" if self.drawn is None else self.drawn.head(width)

    def _row(self, row: int, width: int) -> Line:
        return [] if self.drawn is None else self.drawn.draw(row, width)

    @on(RowList.Moved, "#rows")
    def describe(self) -> None:
        """Say in words what the row under the cursor is."""
        if self.drawn is not None and self.drawn.rows:
            what, standing, ends = self.drawn.words(min(self.rows.cursor, len(self.drawn.rows) - 1))
            self.query_one("#what", Bar).show(what)
            self.query_one("#standing", Bar).show(standing, *ends)

    # ---- the second pane ---------------------------------------------------------------------

    def show_page(self, page: Page) -> None:
        """Draw a page; of several tables the one that was chosen."""
        self.page = page
        self.refresh_bindings()
        self.show_tabs()
        self._sheet = min(self._sheet, max(0, len(page.sheets) - 1))
        self.page_table = None
        if self.page_name == "notes":
            self._show_notes()
        elif page.sheets:
            shown = self.page_table = PageTable(page.sheets[self._sheet], self.glyphs)
            most = 34 if self.size.width >= 100 else 18
            width = min(most, shown.names_width)
            self.table.glyphs = self.glyphs
            self.table.show(shown.columns, len(shown.sheet.rows), shown.names_head, width)
            self._find(shown)
        else:
            self.table.show((), 0, "", 12)
        self.explain()

    def wait_for_page(self) -> None:
        """Another page is on the way."""
        self.show_tabs()
        self.query_one("#under", Bar).show([(" looking", "dim")])

    def show_tabs(self) -> None:
        """Name the pages, over the widget that shows the one in use."""
        notes = self.page_name == "notes"
        table, lines = self.table, self.query_one("#notes", RowList)
        if lines.display != notes:
            focused = self.focused in (table, lines)
            table.display, lines.display = not notes, notes
            if focused:
                (lines if notes else table).focus()
        entitle((lines if notes else table), self._tabs())

    def _find(self, shown: PageTable) -> None:
        """Put the cursor on the model that was asked for."""
        names = [str(row[0]) for row in shown.sheet.rows]
        if self.seek in names:
            self.table.move(names.index(self.seek), self.table.cursor_column)
            self.seek = ""

    def _tabs(self) -> Content:
        """The pages there are; the one on screen stands out by more than its colour."""
        parts: list[tuple[str, str]] = []
        for name, words in PAGES.items():
            if name == self.page_name:
                left, right = ("[", "]") if self.glyphs.ascii_only else ("▏", "▕")
                parts.append((f"{left}{words}{right}", "bold $foreground"))
            else:
                parts.append((f" {words} ", "$quiet not bold"))
        return Content.assemble(*parts)

    def _show_notes(self) -> None:
        if self.board is None:
            return
        self._notes = []
        near = None if self.drawn is None else self.drawn.closest
        short = [] if near is None else [f"closest: {closest_words(near)}"]
        for text, ink in notes([*self.board.report.notes(_ADVICE), *short], self.command()):
            safe_text = safe(text)
            for start, end in wrap(safe_text, max(20, self.size.width - 4)):
                self._notes.append((safe_text[start:end], ink))
        self.query_one("#notes", RowList).set_rows(len(self._notes))

    def _note(self, row: int, width: int) -> Line:
        text, ink = self._notes[row]
        return [(f" {text}", ink)]

    def command(self) -> str:
        """The command line that prints what is on the screen."""
        show = {"wins": "matrix", "annotators": "annotators", "verdicts": "verdicts"}
        bench = self.bench
        session = str(bench.decisions.session.path)
        wish = self.wish if self.board is None else self.board.wish
        return command(wish, bench.paths, session, show.get(self.page_name, ""))

    def next_sheet(self) -> None:
        """Show the page's other table."""
        if len(self.page.sheets) > 1:
            self._sheet = (self._sheet + 1) % len(self.page.sheets)
            self.show_page(self.page)

    def _row_name(self, row: int, width: int) -> Line:
        return [] if self.page_table is None else self.page_table.draw_name(row, width)

    def _cell(self, row: int, column: int) -> Line:
        return [] if self.page_table is None else self.page_table.draw_cell(row, column)

    @on(CellGrid.Moved, "#table")
    def explain(self) -> None:
        """The words under the second pane: of its cell while it has the focus, else of the page."""
        shown = self.page_table
        words: Line = [(f" {safe(self.page.words)}", "dim")]
        if shown is not None and (self.focused is self.table or not self.page.words):
            words = shown.words(self.table.cursor_row, max(0, self.table.cursor_column))
        self.query_one("#under", Bar).show(words, self._other())

    def _other(self) -> Line:
        """What x shows instead."""
        sheets = self.page.sheets
        if self.page_table is None:
            return []
        now, other = (table_name(sheets[(self._sheet + step) % len(sheets)]) for step in (0, 1))
        if len(sheets) < 2:
            return [(f"{now} ", "")]
        return [(f"{now}  ", ""), ("x", "key"), (f" {other} ", "dim")]


def safe_lines(text: str) -> str:
    """Several lines, each made safe."""
    return "\n".join(map(safe, text.split("\n")))
