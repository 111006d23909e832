"""Themes, each worn while the cursor is on it; Escape puts the old one back."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.settings import keep_setting
from ifbench_tui.tui.themes import HOUSE, load_themes
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["ThemePicker"]


class ThemePicker(Sheet[None]):
    """Pick a theme with the eyes."""

    def compose(self) -> ComposeResult:
        ours = load_themes()[0]
        others = [
            name
            for name in sorted(self.app.available_themes)
            if name not in ours and not name.startswith(("ansi", "textual-ansi"))
        ]
        self._names = [*sorted(ours, key=lambda name: (name != HOUSE, name)), *others]
        self._ours = len(ours)
        self._before = self.app.theme
        sheet = Vertical(classes="sheet")
        sheet.border_title = "theme"
        sheet.border_subtitle = self.words("enter keep · esc back")
        with sheet:
            yield RowList(self._draw, id="themes")

    def on_mount(self) -> None:
        rows = self.query_one("#themes", RowList)
        rows.styles.height = min(20, len(self._names))
        now = self._names.index(self._before) if self._before in self._names else 0
        rows.set_rows(len(self._names), now)
        rows.focus()

    def _draw(self, row: int, width: int) -> Line:
        return [(f" {self._names[row]}", "" if row < self._ours else "dim")]

    @on(RowList.Moved)
    def _preview(self, event: RowList.Moved) -> None:
        self.app.theme = self._names[event.row]

    @on(RowList.Opened)
    def _keep(self, event: RowList.Opened) -> None:
        keep_setting(self.audit_app, "theme", self._names[event.row])
        self.dismiss(None)

    def action_close(self) -> None:
        self.app.theme = self._before
        self.dismiss(None)
