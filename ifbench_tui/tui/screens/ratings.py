"""Ratings: what the votes say. Fits run in a thread; the board on screen says when it is old."""

from __future__ import annotations

from threading import Event as Flag

from textual import events, on
from textual.worker import get_current_worker

from ifbench_tui.engine.benchmark import JudgedResponse
from ifbench_tui.report.sheets import Sheet
from ifbench_tui.store import Event
from ifbench_tui.tui.conditions import turned
from ifbench_tui.tui.rating_jobs import (
    BoardReady,
    Desk,
    Page,
    PageReady,
    Resampling,
    page_of,
    rate_in_steps,
)
from ifbench_tui.tui.rating_pages import PAGES
from ifbench_tui.tui.rating_wish import (
    DECIDERS,
    INTERVAL,
    METHOD,
    SOURCES,
    STYLE,
    TIES,
    Wish,
    conditions,
)
from ifbench_tui.tui.screens.rating_sheet import RatingSheet
from ifbench_tui.tui.screens.ratings_view import RatingsView
from ifbench_tui.tui.screens.save_sheet import SaveSheet, as_markdown, as_tsv
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["RatingsScreen"]

_TOGGLES = {
    "source": SOURCES,
    "deciders": DECIDERS,
    "method": METHOD,
    "ties": TIES,
    "style": STYLE,
    "interval": INTERVAL,
}


class RatingsScreen(RatingsView):
    """Refits when battles, votes or choices changed, but only while it is looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(None, (), "", (), None)
        self._generation = 0
        self._stop = Flag()
        self._stale = True
        self.asked = ""
        """The page that is on its way."""

    # ---- what changed ------------------------------------------------------------------------

    def bench_changed(self) -> None:
        bench = self.bench
        session = bench.decisions.session
        self.desk = Desk(
            bench.workspace, self._votes(), str(session.path), bench.paths, bench.options
        )
        self._changed()

    def decisions_changed(self) -> None:
        votes = self._votes()
        if votes != self.desk.votes:
            self.desk = self.desk.with_votes(votes)
            self._changed()

    def verdicts_changed(self) -> None:
        if self.page_name == "verdicts" and self.is_current and not self._pending():
            self._ask_page()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self.decisions_changed()
        if self._stale:
            self.refit()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_board)
        # Not the page there is now: another may arrive before the next refresh.
        self.call_after_refresh(lambda: self.show_page(self.page))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.explain()

    def _votes(self) -> list[Event]:
        return list(self.bench.decisions.session.state().live("vote").values())

    def _pending(self) -> bool:
        workspace = self.bench.workspace
        known = map(self.bench.verdicts_of, () if workspace is None else workspace.suites)
        return any(verdicts is not None and verdicts.done < verdicts.total for verdicts in known)

    def _changed(self) -> None:
        self._stale = True
        if self.is_current:
            self.refit()

    # ---- jobs --------------------------------------------------------------------------------

    def refit(self) -> None:
        """Rate again in a thread; what is on the screen stays and is marked as old."""
        self._stop.set()
        self._stop = stop = Flag()
        self._stale = False
        self._generation += 1
        generation, desk, wish = self._generation, self.desk, self.wish
        if not desk.votes and not desk.workspace.battles:
            self.board, self.failure, self.busy = None, "", ""
            self.show_board()
            return
        self.busy = "old: fitting"
        self.refresh_head()

        def work() -> None:
            worker = get_current_worker()
            rate_in_steps(
                desk,
                wish,
                generation,
                self.post_message,
                lambda: worker.is_cancelled or stop.is_set(),
            )

        self.in_thread("ratings", work)

    def on_board_ready(self, message: BoardReady) -> None:
        if message.generation != self._generation:
            return
        self.board, self.failure = message.board, message.failure
        self.busy = "" if message.final else "resampling"
        self.show_board()
        self.asked = ""
        if message.board is not None:
            self._ask_page()

    def on_resampling(self, message: Resampling) -> None:
        if message.generation == self._generation and self.busy:
            self.busy = f"resampling {100 * message.done // message.total} %, esc stops"
            self.refresh_head()

    def leave(self) -> bool:
        """Escape ends the resampling; the rounds done so far count, and the notes say how many."""
        if not self.busy.startswith("resampling"):
            return False
        self._stop.set()
        return True

    def _ask_page(self) -> None:
        board, name, desk, generation = self.board, self.page_name, self.desk, self._generation
        if board is None:
            return
        if name == "notes":
            self.asked = ""
            self.show_page(Page(()))
            return

        def work() -> None:
            page = page_of(name, desk, board, self._judged)
            self.post_message(PageReady(generation, name, page))

        self.asked = name
        self.in_thread("ratings page", work)

    def on_page_ready(self, message: PageReady) -> None:
        if message.generation == self._generation and message.name == self.page_name:
            self.asked = ""
            self.show_page(message.page)

    def _judged(self, benchmark: str, model: str, key: str) -> JudgedResponse | None:
        verdicts = self.bench.verdicts_of(benchmark)
        return None if verdicts is None else verdicts.get(model, key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "other":
            return len(self.page.sheets) > 1 or None
        if action in ("page", "yank", "yank_markdown", "yank_command", "write"):
            return self.board is not None or None
        if action in ("turn", "choices"):
            return bool(self.desk.workspace.battles or self.desk.votes) or None
        return True

    # ---- actions -----------------------------------------------------------------------------

    def want(self, wish: Wish) -> None:
        """Ask for another board."""
        if wish != self.wish:
            self.wish = wish
            self.refit()

    def action_turn(self, name: str) -> None:
        self.want(turned(self.wish, _TOGGLES[name], 1))

    def action_choices(self) -> None:
        before = self.wish
        votes = [self.desk.vote_block()] if self.desk.votes else []
        choices = conditions([*self.desk.workspace.battles, *votes])

        def done(wish: Wish | None) -> None:
            self.want(before if wish is None else wish)

        self.app.push_screen(RatingSheet(before, choices, self.want), done)

    def action_clear(self) -> None:
        self.want(Wish())

    def action_page(self, step: int) -> None:
        names = list(PAGES)
        self.page_name = names[(names.index(self.page_name) + step) % len(names)]
        self.wait_for_page()
        self._ask_page()

    def action_other(self) -> None:
        self.next_sheet()

    @on(RowList.Opened, "#rows")
    def _open(self) -> None:
        """The duels of the model under the cursor."""
        self.seek = self.model
        if self.page_name == "wins":
            self.show_page(self.page)
        else:
            self.page_name = "wins"
            self.wait_for_page()
            self._ask_page()
        self.table.focus()

    # ---- take away ---------------------------------------------------------------------------

    def _tables(self) -> list[Sheet]:
        """The table in use first."""
        if self.board is None:
            return []
        board = [self.board.report.plain_sheet()]
        page = [self.page_table.sheet] if self.page_table else []
        return [*page, *board] if self.focused is self.table else [*board, *page]

    def action_yank(self) -> None:
        if tables := self._tables():
            self.audit_app.yank(as_tsv(tables[0]), f"{tables[0].title}, tab-separated")

    def action_yank_markdown(self) -> None:
        if self.board is not None:
            tables = self.board.report.sheets(self.glyphs)
            if self.focused is self.table and self.page_table:
                tables = [self.page_table.sheet]
            self.audit_app.yank(as_markdown(tables, self.glyphs), f"{tables[0].title}, Markdown")

    def action_yank_command(self) -> None:
        self.audit_app.yank(self.command(), "the command that prints these numbers")

    def action_write(self) -> None:
        if self._tables():
            self.app.push_screen(SaveSheet(self._tables, "ratings.csv"))
