"""The questions of Judge: a value to type, and whether something really is to be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from ifbench_tui.tui.ink import safe
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry

__all__ = ["ConfirmSheet", "EntrySheet"]


class EntrySheet(Sheet[str]):
    """Answers what was typed, once `check` takes it: it raises `ValueError` in words."""

    CSS = """
    EntrySheet Static { height: auto; }
    EntrySheet #problem { color: $verdict-error; }
    """

    def __init__(self, name: str, hint: str, value: str, check: Callable[[str], object]) -> None:
        super().__init__()
        self._name_shown = name
        self._hint = hint
        self._value = value
        self._check = check

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = self._name_shown
        sheet.border_subtitle = self.words("enter take · esc leave it")
        with sheet:
            yield Static(self._hint, markup=False, classes="label")
            yield Entry(self._value, id="value")
            yield Static("", id="problem", markup=False)

    def on_mount(self) -> None:
        self.query_one("#value").focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        try:
            self._check(event.value)
        except ValueError as error:
            self.query_one("#problem", Static).update(safe(f"wanted: {error}"))
        else:
            self.dismiss(event.value)


class ConfirmSheet(Sheet[bool]):
    """Says what will be done; Enter agrees, Escape does not."""

    CSS = "ConfirmSheet Static { height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "agree", "Agree", show=False),
        Binding("n,q", "close", "Close", show=False),
    ]

    def __init__(self, question: str, lines: Sequence[str], agree: str) -> None:
        super().__init__()
        self._question = question
        self._lines = lines
        self._agree = agree

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = self._question
        sheet.border_subtitle = self.words(f"enter {self._agree} · esc leave it")
        with sheet:
            yield Static("\n".join(map(safe, self._lines)), markup=False)

    def action_agree(self) -> None:
        self.dismiss(True)
