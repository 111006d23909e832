"""One line to type a search into; every change is searched at once."""

from __future__ import annotations

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Static

from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry

__all__ = ["FindLine"]


class FindLine(Sheet[str]):
    """Answers the query on Enter. `typed` hears every change meanwhile."""

    def __init__(self, typed: Callable[[str], None], query: str = "") -> None:
        super().__init__()
        self._typed = typed
        self._query = query

    def compose(self) -> ComposeResult:
        with Horizontal(classes="line"):
            yield Static("/", markup=False)
            yield Entry(self._query, placeholder="text, or /regular expression/", id="find")

    def on_mount(self) -> None:
        self.query_one("#find").focus()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._typed(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)
