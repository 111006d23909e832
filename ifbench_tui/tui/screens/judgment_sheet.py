"""Choose which judgments are listed; the list follows every change, Escape puts it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from ifbench_tui.report.judgments.listing import STATES, Judgment, Wanted, counts
from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.row_list import RowList

__all__ = ["JudgmentSheet"]

Value = tuple[str, str, int]
"""What a field of the filter may be, in words, and how many judgments are so."""


class JudgmentSheet(Sheet[Wanted]):
    """Two lines, what is so and the category, each with how many judgments it would leave."""

    CSS = """
    JudgmentSheet RowList { height: 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h,left", "turn(-1)", "Previous value", show=False),
        Binding("l,right,space", "turn(1)", "Next value", show=False),
        Binding("F,backspace", "clear", "Clear", show=False),
    ]

    def __init__(
        self, wanted: Wanted, judgments: Sequence[Judgment], apply: Callable[[Wanted], None]
    ) -> None:
        super().__init__()
        self._wanted = wanted
        self._apply = apply
        found = counts(judgments)
        total = len(judgments)
        states = [(name, STATES[name], found[Wanted(name)]) for name in STATES]
        categories = dict.fromkeys(one.category for one in judgments if one.category)
        named = [(name, name, found[Wanted(category=name)]) for name in categories]
        self._values: dict[str, list[Value]] = {
            "state": [("", "any", total), *(one for one in states if one[2])],
            "category": [("", "any", total), *named],
        }

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "judgments"
        sheet.border_subtitle = self.words("h/l change · F clear · enter keep")
        with sheet:
            yield RowList(self._draw, id="conditions")

    def on_mount(self) -> None:
        rows = self.query_one("#conditions", RowList)
        rows.set_rows(len(self._values))
        rows.focus()

    def _draw(self, row: int, width: int) -> Line:
        name = list(self._values)[row]
        current: Any = getattr(self._wanted, name)
        words, many = next((w, n) for value, w, n in self._values[name] if value == current)
        return [
            (f" {name:<10} ", "" if current else "dim"),
            (f"{safe(words, 32)} ", "accent strong" if current else "dim"),
            (f"({many:,})", "dim"),
        ]

    def action_turn(self, step: int) -> None:
        name = list(self._values)[self.query_one("#conditions", RowList).cursor]
        values = [value for value, _, _ in self._values[name]]
        place = values.index(getattr(self._wanted, name))
        turned: dict[str, Any] = {name: values[(place + step) % len(values)]}
        self._change(replace(self._wanted, **turned))

    def action_clear(self) -> None:
        self._change(Wanted())

    def _change(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self.query_one("#conditions", RowList).redraw()
        self._apply(wanted)

    @on(RowList.Opened)
    def _keep(self) -> None:
        self.dismiss(self._wanted)
