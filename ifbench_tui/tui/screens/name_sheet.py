"""Who is voting: asked once."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from ifbench_tui.config import annotator_fault
from ifbench_tui.tui.screens.sheet import Sheet

__all__ = ["NameSheet"]


class NameSheet(Sheet[str]):
    """Answers the annotator's name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._proposed = name

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "who is voting?"
        sheet.border_subtitle = self.words("enter keep · esc as proposed · asked only once")
        with sheet:
            yield Static(
                "Votes, marks and notes are kept under this name.", markup=False, classes="label"
            )
            yield Input(self._proposed, placeholder="your name", id="name")
            yield Static("", markup=False, classes="label", id="fault")

    def on_mount(self) -> None:
        self.query_one("#name").focus()

    @on(Input.Submitted)
    def _written(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        if fault := annotator_fault(name):
            self.query_one("#fault", Static).update(fault)
        else:
            self.dismiss(name)
