"""Choose what counts and by which conventions; the board follows every change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from ifbench_tui.tui.conditions import Condition, chosen, turned
from ifbench_tui.tui.ink import Line, safe
from ifbench_tui.tui.screens.model_sheet import ModelSheet
from ifbench_tui.tui.screens.sheet import Sheet
from ifbench_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["ChoiceSheet"]

T = TypeVar("T", bound="DataclassInstance")
_MOST_SHOWN = 12


class ChoiceSheet(Sheet[T]):
    """One line a choice. Enter keeps, Escape puts back what was.

    `usual` is the state without any choice; `settled` leaves out choices that have no part in the
    others.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h,left", "turn(-1)", "Previous value", show=False),
        Binding("l,right,space", "turn(1)", "Next value", show=False),
        Binding("slash,i", "pick", "Choose by name", show=False),
        Binding("F,backspace", "clear", "Clear", show=False),
    ]

    def __init__(
        self,
        wish: T,
        usual: T,
        choices: Sequence[Condition],
        apply: Callable[[T], None],
        settled: Callable[[T], T],
    ) -> None:
        super().__init__()
        self._wish = wish
        self._usual = usual
        self._choices = choices
        self._apply = apply
        self._settled = settled

    def compose(self) -> ComposeResult:
        sheet = Vertical(classes="sheet")
        sheet.border_title = "what counts, and how"
        sheet.border_subtitle = self.words("h/l change · / by name · F clear · enter keep")
        with sheet:
            yield RowList(self._draw, id="choices")

    def on_mount(self) -> None:
        rows = self.query_one("#choices", RowList)
        rows.styles.height = min(_MOST_SHOWN, len(self._choices))
        rows.set_rows(len(self._choices))
        rows.focus()

    @property
    def _choice(self) -> Condition:
        return self._choices[self.query_one("#choices", RowList).cursor]

    def _draw(self, row: int, width: int) -> Line:
        choice = self._choices[row]
        set_now = choice.value(self._wish) != choice.value(self._usual)
        idle = choice.value(self._settled(self._wish)) != choice.value(self._wish)
        words = safe(choice.words_of(self._wish), 28)
        if idle:
            words += "  (has no part in this)"
        return [
            (f" {choice.words:<20} ", "" if set_now else "dim"),
            (words, "accent strong" if set_now and not idle else "dim"),
        ]

    def action_turn(self, step: int) -> None:
        self._change(turned(self._wish, self._choice, step))

    def action_clear(self) -> None:
        self._change(self._usual)

    def action_pick(self) -> None:
        choice = self._choice
        by_words = {safe(words): value for value, words in choice.values}

        def done(words: str | None) -> None:
            if words is not None:
                self._change(chosen(self._wish, choice, by_words[words]))

        self.app.push_screen(ModelSheet(choice.words, list(by_words)), done)

    def _change(self, wish: T) -> None:
        self._wish = wish
        self.query_one("#choices", RowList).redraw()
        self._apply(wish)

    @on(RowList.Opened)
    def _keep(self) -> None:
        self.dismiss(self._wish)
