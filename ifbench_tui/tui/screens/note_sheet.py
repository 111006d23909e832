"""A note on a response."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry

__all__ = ["NoteSheet"]


class NoteSheet(Sheet[str]):
    """Answers the text; an empty one removes the note."""

    def __init__(self, about: str, note: str) -> None:
        super().__init__()
        self._about = about
        self._note = note

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "note"
        sheet.border_subtitle = self.words("enter keep · esc leave as it is")
        with sheet:
            yield Static(self._about, markup=False, classes="label")
            yield Entry(self._note, placeholder="what should be remembered", id="note")

    def on_mount(self) -> None:
        self.query_one("#note").focus()

    @on(Input.Submitted)
    def _written(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())
