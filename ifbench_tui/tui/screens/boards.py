"""Boards of judged benchmarks: what `score` prints for them, with the rows they come from."""

from __future__ import annotations

from dataclasses import replace
from threading import Event as Flag
from typing import TYPE_CHECKING

from textual import on
from textual.worker import Worker, WorkerState, get_current_worker

from ifbench_tui.report.sheets import Sheet
from ifbench_tui.tui.board_jobs import (
    BoardJob,
    BoardMade,
    BoardProgress,
    BoardsEnded,
    ShelfRead,
    make_boards,
)
from ifbench_tui.tui.board_pages import BENCHMARKS, pages_of
from ifbench_tui.tui.board_state import BoardState, Made
from ifbench_tui.tui.screens.boards_view import BoardsView
from ifbench_tui.tui.screens.save_sheet import SaveSheet, as_markdown, as_tsv
from ifbench_tui.tui.widgets.cell_grid import CellGrid
from ifbench_tui.tui.widgets.plot import Plot

if TYPE_CHECKING:
    from ifbench_tui.report.boards.options import BoardOptions

__all__ = ["BoardsScreen"]


class BoardsScreen(BoardsView):
    """Makes boards in a thread when files or choices changed; what is on the screen stays."""

    def __init__(self) -> None:
        super().__init__()
        self._generation = 0
        self._stop = Flag()

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        bench = self.bench
        if bench.boards is None:
            bench.boards = BoardState()
        if bench.boards is not self.state:
            self.state = bench.boards
            self.make()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        # Another such screen may have made boards meanwhile.
        self.show_board()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_board)

    # ---- jobs --------------------------------------------------------------------------------

    def make(self, *wanted: str) -> None:
        """Make boards in a thread, all of them where none is named."""
        self._stop.set()
        self._stop = stop = Flag()
        self._generation += 1
        bench, state, self.failure = self.bench, self.state, ""
        if bench.workspace is None or not bench.workspace.sources:
            self.busy = ""
            self.show_board()
            return
        job = BoardJob(
            self._generation, bench.workspace, bench.paths, bench.options, state.shelf,
            dict(state.wishes), wanted,
        )  # fmt: skip
        self.busy = "scoring"
        self.show_board()

        def work() -> None:
            worker = get_current_worker()
            make_boards(job, self.post_message, lambda: worker.is_cancelled or stop.is_set())

        self.in_thread("boards", work)

    def on_shelf_read(self, message: ShelfRead) -> None:
        if message.generation == self._generation:
            self.state.shelf = message.shelf

    def on_board_made(self, message: BoardMade) -> None:
        if message.generation != self._generation:
            return
        state = self.state
        state.boards[message.benchmark] = message.made
        if not state.benchmark and message.made.result is not None:
            state.benchmark = message.benchmark
        if state.benchmark:
            self.show_board()

    def on_board_progress(self, message: BoardProgress) -> None:
        if message.generation == self._generation and self.busy:
            self.busy = message.words
            self.refresh_head()

    def on_boards_ended(self, message: BoardsEnded) -> None:
        if message.generation != self._generation:
            return
        self.busy, self.failure = "", message.failure
        self._settle_for_sketches()
        self.show_board()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A fault that no one foresaw: the app says it, here nothing is waited for any more."""
        if event.state is WorkerState.ERROR:
            self.busy = ""
            self.refresh_head()

    def _settle_for_sketches(self) -> None:
        """A fit that was stopped before it was cross-validated: its fixed C is the choice now."""
        for name, made in self.state.boards.items():
            if not made.final:
                self.state.wishes[name] = made.options
                self.state.boards[name] = Made(made.result, made.options, True)

    def leave(self) -> bool:
        """Escape ends the reading or the cross-validation; what is there stays."""
        if not self.busy or self._stop.is_set():
            return False
        self._stop.set()
        return True

    # ---- choices -----------------------------------------------------------------------------

    def want(self, wish: BoardOptions) -> None:
        """Ask for another board of this benchmark."""
        state = self.state
        if wish != self._wish:
            state.wishes[state.benchmark] = wish
            self.make(*self._unmade())

    def _unmade(self) -> list[str]:
        """The benchmark in use, then others whose boards are not what is wanted of them."""
        state = self.state
        if len(state.boards) < len(BENCHMARKS):
            return []
        late = [name for name, made in state.boards.items() if not made.final]
        return list(dict.fromkeys([state.benchmark, *late]))

    @property
    def _wish(self) -> BoardOptions:
        from ifbench_tui.report.boards.options import BoardOptions

        return self.state.wishes.get(self.state.benchmark) or BoardOptions()

    def action_choices(self) -> None:
        from ifbench_tui.report.boards.options import BoardOptions
        from ifbench_tui.tui.board_wish import choices_of, settled
        from ifbench_tui.tui.screens.choice_sheet import ChoiceSheet

        state, before = self.state, self._wish
        if state.shelf is None or not state.benchmark:
            self.audit_app.say("there is no board to choose for yet")
            return

        def done(wish: BoardOptions | None) -> None:
            self.want(before if wish is None else wish)

        choices = choices_of(state.benchmark, state.shelf)
        sheet = ChoiceSheet(before, BoardOptions(), choices, self.want, settled)
        self.app.push_screen(sheet, done)

    def action_clear(self) -> None:
        state = self.state
        if state.shelf is None:
            self.make()
        elif state.benchmark in state.wishes:
            del state.wishes[state.benchmark]
            self.make(*self._unmade())

    def action_control(self) -> None:
        from ifbench_tui.tui.board_wish import CONTROLS
        from ifbench_tui.tui.conditions import turned

        if control := CONTROLS.get(self.state.benchmark):
            self.want(turned(self._wish, control, 1))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "other":
            return self.pane.has_other or None
        if action in ("page", "choices", "yank", "yank_markdown", "yank_command", "write"):
            return self.state.result is not None or None
        if action == "control":
            return self.state.benchmark in ("alpaca_eval", "arena_hard") or None
        if action == "benchmark":
            return len(self.state.shown) > 1 or None
        return True

    # ---- moving about ------------------------------------------------------------------------

    @on(CellGrid.Moved, "#models")
    def _moved(self) -> None:
        changed = self.model != self.state.model
        self.describe()
        if changed:
            self.show_page()

    @on(CellGrid.Sorted, "#models")
    def _sort(self, message: CellGrid.Sorted) -> None:
        state = self.state
        column, down = state.sorting.get(state.benchmark) or (0, True)
        turn = not down if column == message.column else message.column >= 0
        state.sorting[state.benchmark] = message.column, turn
        self.show_board()

    @on(Plot.Stepped)
    def _step(self, message: Plot.Stepped) -> None:
        models = self.models
        models.move(models.cursor_row + message.step, models.cursor_column)

    @on(CellGrid.Opened, "#models")
    @on(Plot.Opened)
    def _read(self) -> None:
        """The judgments behind the model under the cursor."""
        from ifbench_tui.tui.screens.judgments import JudgmentsScreen

        shelf = self.state.shelf
        if shelf is not None and self.model:
            self.app.push_screen(JudgmentsScreen(shelf.files, self.state.benchmark, self.model))

    def action_page(self, step: int) -> None:
        if self.state.result is None:
            return
        names = list(pages_of(self.state.benchmark))
        place = names.index(self.page_name) + step
        self.state.pages[self.state.benchmark] = names[place % len(names)]
        self.pane.first_sheet()
        self.show_page()

    def action_other(self) -> None:
        self.pane.next_sheet()

    def action_benchmark(self, step: int) -> None:
        state, names = self.state, self.state.shown
        if len(names) < 2:
            self.audit_app.say("only one judged benchmark is loaded")
            return
        state.benchmark = names[(names.index(state.benchmark) + step) % len(names)]
        self.pane.first_sheet()
        self.models.move(0, 0)
        self.show_board()

    # ---- take away ---------------------------------------------------------------------------

    def _tables(self) -> list[Sheet]:
        """The table in use first, then the others of the board."""
        result = self.state.result
        if result is None:
            return []
        page = self.pane.sheets
        first = page if self.focused is not self.models or not result.models else []
        board = [self._sorted(result.sheets[0]), *result.sheets[1:]] if result.sheets else []
        return [*first, *(sheet for sheet in board if sheet not in first)]

    def _sorted(self, sheet: Sheet) -> Sheet:
        """The board's table in the order of the screen, where it has one row a model."""
        if not sheet.columns or sheet.columns[0].name != "model":
            return sheet
        places = {name: place for place, name in enumerate(self.order)}
        rows = sorted(sheet.rows, key=lambda row: places.get(str(row[0]), len(places)))
        return replace(sheet, rows=tuple(rows))

    def action_yank(self) -> None:
        if tables := self._tables():
            self.audit_app.yank(as_tsv(tables[0]), f"{tables[0].title}, tab-separated")

    def action_yank_markdown(self) -> None:
        if tables := self._tables():
            if self.focused is not self.models:
                tables = tables[:1]
            text = as_markdown(tables, self.glyphs)
            self.audit_app.yank(text, f"{tables[0].title}, Markdown")

    def action_yank_command(self) -> None:
        if command := self.command():
            self.audit_app.yank(command, "the command that prints these numbers")

    def action_write(self) -> None:
        if self._tables():
            self.app.push_screen(SaveSheet(self._tables, f"{self.state.benchmark}.csv"))
