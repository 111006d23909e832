"""The command line: one line at the bottom, with what fits above it."""

from __future__ import annotations

import inspect
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from ifbench_tui.tui.ink import Line
from ifbench_tui.tui.palette import Target, action_targets, data_targets
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.entry import Entry
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["CommandLine"]

_SHOWN = 8
_EXAMPLES = "filter strict:fail loose:pass, model NAME, prompt KEY, open PATH"


class CommandLine(Sheet[None]):
    """Type the beginning of a name; Tab completes, up and down choose, Enter runs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", "Complete", show=False, priority=True),
        Binding("up", "choose(-1)", "Up", show=False, priority=True),
        Binding("down", "choose(1)", "Down", show=False, priority=True),
        Binding("ctrl+p", "recall(-1)", "Earlier", show=False, priority=True),
        Binding("ctrl+n", "recall(1)", "Later", show=False, priority=True),
    ]

    def compose(self) -> ComposeResult:
        self._found: list[Target] = []
        self._recalled = 0
        app = self.audit_app
        below = app.screen_stack[-2] if len(app.screen_stack) > 1 else app.screen
        self._actions = list(action_targets(app, below))
        line = Vertical(classes="line")
        line.border_title = self.words(
            "command · tab complete · ctrl+p earlier · enter run · esc close"
        )
        with line:
            yield RowList(self._draw, id="found")
            with Horizontal():
                yield Static(":", markup=False)
                yield Entry(placeholder=_EXAMPLES, id="typed")

    def on_mount(self) -> None:
        self.query_one("#found").can_focus = False
        self.query_one("#typed").focus()
        self._find("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._find(event.value)

    def _find(self, typed: str) -> None:
        """What holds every word typed; what begins with them comes first."""
        wanted = typed.casefold().strip()
        words = wanted.split()

        def fits(name: str) -> bool:
            name = name.casefold()
            return all(word in name for word in words)

        found = [target for target in self._actions if fits(target.name)]
        if words:
            found += data_targets(self.audit_app, fits)
        found.sort(key=lambda target: not target.name.casefold().startswith(wanted))
        self._found = found[:_SHOWN]
        rows = self.query_one("#found", RowList)
        rows.styles.height = len(self._found)
        rows.set_rows(len(self._found))

    def _draw(self, row: int, width: int) -> Line:
        target = self._found[row]
        return [(f" {target.name:<34} ", ""), (target.help, "dim")]

    def action_choose(self, rows: int) -> None:
        self.query_one("#found", RowList).cursor += rows

    def action_complete(self) -> None:
        if self._found:
            name = self._found[self.query_one("#found", RowList).cursor].name
            typed = self.query_one("#typed", Input)
            typed.value = name
            typed.cursor_position = len(name)

    def action_recall(self, step: int) -> None:
        history = self.audit_app.command_history
        place = self._recalled + step
        if history and -len(history) <= place <= -1:
            self._recalled = place
            self.query_one("#typed", Input).value = history[place]

    @on(RowList.Opened)
    async def _clicked(self, event: RowList.Opened) -> None:
        await self._run(self._found[event.row])

    @on(Input.Submitted)
    async def _enter(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        app = self.audit_app
        if typed:
            app.command_history.append(typed)
        if typed.startswith("filter"):
            self.dismiss(None)
            await app.audit(where=typed.removeprefix("filter").strip())
        elif typed.startswith("open "):
            self.dismiss(None)
            app.load([*app.bench.paths, typed.removeprefix("open ").strip()])
        elif self._found:
            await self._run(self._found[self.query_one("#found", RowList).cursor])
        elif typed:
            app.say(f"nothing is called {typed}; Tab shows what there is", "warning")

    async def _run(self, target: Target) -> None:
        self.dismiss(None)
        made = target.run()
        if inspect.isawaitable(made):
            await made
