"""Why one response is better: optional, stored with the vote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["REASONS", "ReasonSheet"]

REASONS = (
    "follows the instructions",
    "correct",
    "complete",
    "clear",
    "style",
    "concise",
    "safe",
)


class ReasonSheet(Sheet[tuple[str, ...]]):
    """Space or a digit sets and unsets a reason, Enter keeps them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "flip", "Set or unset", show=False),
        *(
            Binding(str(number), f"flip({number - 1})", reason, show=False)
            for number, reason in enumerate(REASONS, start=1)
        ),
    ]

    def __init__(self, chosen: Iterable[str]) -> None:
        super().__init__()
        self._chosen = dict.fromkeys(chosen)

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "what decides"
        sheet.border_subtitle = self.words(
            "space or digit choose · enter keep · esc leave as it is"
        )
        with sheet:
            yield RowList(self._draw, id="reasons")

    def on_mount(self) -> None:
        rows = self.query_one("#reasons", RowList)
        rows.set_rows(len(REASONS))
        rows.focus()

    def _draw(self, row: int, width: int) -> Line:
        glyphs = self.audit_app.bench.glyphs
        chosen = REASONS[row] in self._chosen
        return [
            (f" {row + 1} ", "key"),
            (f" {glyphs.marked if chosen else glyphs.pending} ", "marked" if chosen else "dim"),
            (REASONS[row], "strong" if chosen else ""),
        ]

    def action_flip(self, row: int | None = None) -> None:
        rows = self.query_one("#reasons", RowList)
        reason = REASONS[rows.cursor if row is None else row]
        if reason in self._chosen:
            del self._chosen[reason]
        else:
            self._chosen[reason] = None
        rows.redraw()

    @on(RowList.Opened)
    def _keep(self) -> None:
        self.dismiss(tuple(reason for reason in REASONS if reason in self._chosen))
