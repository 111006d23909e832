"""Choose one of several models."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.screens.place import title
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["ModelSheet"]


class ModelSheet(Sheet[str]):
    """A list that typing narrows down."""

    CSS = """
    ModelSheet RowList { height: auto; max-height: 12; }
    """

    def __init__(self, question: str, models: Sequence[str]) -> None:
        super().__init__()
        self._question = question
        self._models = list(models)
        self._found = list(models)

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = title(self._question)
        sheet.border_subtitle = self.words("type to narrow · ↑ ↓ choose · enter · esc")
        with sheet:
            yield Entry(placeholder="part of the name", id="typed")
            yield RowList(self._draw, id="found")

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        rows = self.query_one("#found", RowList)
        rows.styles.height = max(1, min(12, len(self._found)))
        rows.set_rows(len(self._found))

    def _draw(self, row: int, width: int) -> Line:
        return [(f" {safe(self._found[row], width - 2)}", "")]

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        words = event.value.casefold().split()
        self._found = [m for m in self._models if all(word in m.casefold() for word in words)]
        self._show()

    def key_down(self) -> None:
        self.query_one("#found", RowList).cursor += 1

    def key_up(self) -> None:
        self.query_one("#found", RowList).cursor -= 1

    @on(Input.Submitted)
    def _enter(self) -> None:
        if self._found:
            self.dismiss(self._found[self.query_one("#found", RowList).cursor])

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        self.dismiss(self._found[event.row])
