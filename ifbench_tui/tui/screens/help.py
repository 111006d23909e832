"""The keys of the pane in use, made from the bindings that are active there; searchable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Input

from ifbench_tui.tui.actions import BY_ID, SCOPES, Action, key_words
from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry
from ifbench_tui.tui.widgets.row_list import RowList
from ifbench_tui.tui.widgets.words import Words

__all__ = ["HelpSheet"]


class HelpSheet(Sheet[None]):
    """Keys, grouped from the focused pane outwards."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,question_mark", "close", "Close", show=False),
        Binding("slash", "search", "Search", show=False),
    ]

    def __init__(self, screen: Screen[object]) -> None:
        super().__init__()
        ascii_only = screen.app.has_class("-ascii")
        self._actions = [
            (key_words(keys, ascii_only=ascii_only), action) for keys, action in _active(screen)
        ]
        self._keys_width = max((len(keys) for keys, _ in self._actions), default=0)
        self._rows: list[Action | str] = []

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "keys"
        sheet.border_subtitle = self.words("/ search · esc close")
        with sheet:
            yield Entry(placeholder="type to search", id="query")
            yield RowList(self._draw, id="keys")
            yield Words(id="about")

    def on_mount(self) -> None:
        self._list("")
        self.query_one("#keys", RowList).focus()

    def action_search(self) -> None:
        self.query_one("#query", Input).focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._list(event.value.casefold())

    @on(Input.Submitted)
    def _done(self) -> None:
        self.query_one("#keys", RowList).focus()

    def _list(self, wanted: str) -> None:
        self._rows = []
        scope = ""
        for keys, action in self._actions:
            if wanted not in f"{keys} {action.title} {action.help} {action.id}".casefold():
                continue
            if action.scope != scope:
                scope = action.scope
                self._rows.append(SCOPES[scope].words or scope)
            self._rows.append(action)
        self.query_one("#keys", RowList).set_rows(len(self._rows))

    @on(RowList.Moved)
    def _moved(self, event: RowList.Moved) -> None:
        entry = self._rows[event.row] if event.row < len(self._rows) else ""
        about = [] if isinstance(entry, str) else [(f"{entry.help}  ", ""), (entry.id, "dim")]
        self.query_one("#about", Words).show(about)

    def _draw(self, row: int, width: int) -> Line:
        entry = self._rows[row]
        if isinstance(entry, str):
            return [(entry, "accent strong")]
        keys = next(keys for keys, action in self._actions if action is entry)
        return [
            (f"  {keys:<{self._keys_width}} ", "key"),
            (f"{entry.title:<22} ", ""),
            (entry.help, "dim"),
        ]


def _active(screen: Screen[object]) -> Iterator[tuple[str, Action]]:
    keys: dict[str, list[str]] = {}
    for key, active in screen.active_bindings.items():
        if active.binding.id in BY_ID:
            keys.setdefault(active.binding.id, []).append(key)
    for name, used in keys.items():
        yield ",".join(sorted(used, key=len)), BY_ID[name]
