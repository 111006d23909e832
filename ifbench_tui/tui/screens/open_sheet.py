"""A path to open, completed while it is typed."""

from __future__ import annotations

import os
from itertools import islice
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from ifbench_tui.tui.dropped import dropped_paths
from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["OpenSheet", "completions"]

_SHOWN = 10
_COMPANIONS = ("-shm", "-wal")
"""What SQLite adds to the name of a session for its own files beside it."""

_SCANNED = 2000


def completions(typed: str) -> list[str]:
    """Paths that begin with what is typed: directories end with a separator, hidden ones only
    when asked for, what belongs to an open session never. Unreadable places have none."""
    folder, name = os.path.split(os.path.expanduser(typed))
    found = []
    try:
        with os.scandir(folder or os.curdir) as entries:
            for entry in islice(entries, _SCANNED):
                if not entry.name.startswith(name) or (entry.name[0] == "." and not name):
                    continue
                path = os.path.join(folder, entry.name)
                if path.endswith(_COMPANIONS) and os.path.exists(path[: -len(_COMPANIONS[0])]):
                    continue
                found.append(path + os.sep if entry.is_dir() else path)
    except (OSError, ValueError):
        return []
    return sorted(found)


class OpenSheet(Sheet[str]):
    """Tab completes as far as there is one way on; up and down choose; Enter opens."""

    CSS = """
    OpenSheet { align: left bottom; background: transparent; }
    OpenSheet .line {
        height: auto; width: 100%; padding: 0 1; background: $panel; border-top: heavy $accent;
    }
    OpenSheet RowList { scrollbar-size: 1 1; }
    OpenSheet #problem { height: auto; color: $verdict-error; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", "Complete", show=False, priority=True),
        Binding("up", "choose(-1)", "Up", show=False, priority=True),
        Binding("down", "choose(1)", "Down", show=False, priority=True),
    ]

    def __init__(self, start: str) -> None:
        super().__init__()
        self._start = start
        self._found: list[str] = []
        self._chosen = False

    def compose(self) -> ComposeResult:
        line = Vertical(classes="line")
        line.border_title = self.words(
            "open a file or directory · tab complete · ↑ ↓ choose · enter · esc"
        )
        with line:
            yield RowList(self._draw, id="found")
            yield Static("", id="problem", markup=False)
            yield Entry(self._start, placeholder="path", select_on_focus=False, id="path")

    def on_mount(self) -> None:
        self.query_one("#found").can_focus = False
        path = self.query_one("#path", Input)
        path.focus()
        path.cursor_position = len(path.value)
        self._say("")
        self._complete(self._start)

    def _draw(self, row: int, width: int) -> Line:
        path = self._found[row]
        name = os.path.basename(path.rstrip(os.sep)) + (os.sep if path.endswith(os.sep) else "")
        return [(f" {safe(name, width - 2)}", "" if self._chosen else "dim")]

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._say("")
        self._complete(event.value)

    def _complete(self, typed: str) -> None:
        self._chosen = False
        self._found = completions(typed)
        rows = self.query_one("#found", RowList)
        rows.styles.height = min(_SHOWN, len(self._found))
        rows.set_rows(len(self._found))

    def action_choose(self, rows: int) -> None:
        found = self.query_one("#found", RowList)
        if self._chosen:
            found.cursor += rows
        self._chosen = bool(self._found)
        found.redraw()

    def action_complete(self) -> None:
        if self._found:
            chosen = self._found[self.query_one("#found", RowList).cursor]
            common = chosen if self._chosen else _common(self._found)
            path = self.query_one("#path", Input)
            if common == os.path.expanduser(path.value):
                self.action_choose(1)
                return
            path.value = common
            path.cursor_position = len(common)

    @on(RowList.Opened)
    def _clicked(self, event: RowList.Opened) -> None:
        self._enter(self._found[event.row])

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        chosen = self._found[self.query_one("#found", RowList).cursor] if self._chosen else ""
        self._enter(chosen or event.value)

    def _enter(self, typed: str) -> None:
        path = next(iter(dropped_paths(typed)), "")
        if not path:
            self._say(f"no file or directory is called {typed}" if typed else "type a path")
        elif self._chosen and path.endswith(os.sep):
            # A directory that was chosen is looked into; a second Enter opens it.
            line = self.query_one("#path", Input)
            line.value = path
            line.cursor_position = len(path)
        else:
            self.dismiss(path.rstrip(os.sep) or os.sep)

    def _say(self, words: str) -> None:
        problem = self.query_one("#problem", Static)
        problem.update(safe(words))
        problem.display = bool(words)


def _common(names: list[str]) -> str:
    """What all names, in order, begin with."""
    first, last = names[0], names[-1]
    length = 0
    for one, other in zip(first, last, strict=False):
        if one != other:
            break
        length += 1
    return first[:length]
