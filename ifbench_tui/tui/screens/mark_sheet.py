"""A person's own verdict on one cell of a lattice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from ifbench_tui.tui.decisions import OPINIONS
from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["MarkAnswer", "MarkSheet"]

_KEYS = {"agree": "a", "should_pass": "p", "should_fail": "f", "unclear": "u"}


@dataclass(frozen=True, slots=True)
class MarkAnswer:
    """An opinion (None takes the mark back) and the note on the cell."""

    opinion: str | None
    note: str


class MarkSheet(Sheet[MarkAnswer]):
    """One key decides; Tab leads to the note, which goes with the decision."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, f"decide('{opinion}')", OPINIONS[opinion], show=False)
            for opinion, key in _KEYS.items()
        ),
        Binding("x", "decide('')", "no mark", show=False),
        Binding("i,tab", "to_note", "Note", show=False),
    ]

    def __init__(self, question: str, opinion: str | None, note: str) -> None:
        super().__init__()
        self._question = question
        self._opinion = opinion
        self._note = note
        self._choices = [*OPINIONS, ""]

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "your verdict"
        sheet.border_subtitle = self.words("tab note · enter choose · esc leave as it is")
        with sheet:
            yield Static(self._question, markup=False, classes="label")
            yield RowList(self._draw, id="opinions")
            yield Entry(self._note, placeholder="note (i)", id="note")

    def on_mount(self) -> None:
        rows = self.query_one("#opinions", RowList)
        rows.set_rows(len(self._choices), self._choices.index(self._opinion or "agree"))
        rows.focus()

    def _draw(self, row: int, width: int) -> Line:
        opinion = self._choices[row]
        here = opinion == (self._opinion or "")
        words = OPINIONS.get(opinion, "no mark")
        glyphs = self.audit_app.bench.glyphs
        return [
            (f" {_KEYS.get(opinion, 'x')} ", "key"),
            (f" {words}", ""),
            (f"  {glyphs.marked} now" if here else "", "marked"),
        ]

    def action_to_note(self) -> None:
        self.query_one("#note").focus()

    def action_decide(self, opinion: str) -> None:
        self.dismiss(MarkAnswer(opinion or None, self.query_one("#note", Input).value.strip()))

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        self.action_decide(self._choices[event.row])

    @on(Input.Submitted)
    def _written(self) -> None:
        self.query_one("#opinions").focus()
