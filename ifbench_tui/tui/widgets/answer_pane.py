"""A response in a vote: a reading pane that leaves the arrow keys to the vote and says how it is
scrolled, so that two can move together."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.widgets.reading_pane import ReadingPane

__all__ = ["AnswerPane"]


class AnswerPane(ReadingPane, inherit_bindings=False):
    """`follow` scrolls without saying so; whatever else scrolls sends `Scrolled`."""

    BINDINGS = bindings("reader")

    @dataclass
    class Scrolled(Message):
        """The pane was scrolled by a person."""

        pane: AnswerPane

        @property
        def control(self) -> AnswerPane:
            return self.pane

    @dataclass
    class WrapWanted(Message):
        """Lines should be wrapped, or not, on both sides alike."""

        pane: AnswerPane

    _following = False

    def follow(self, x: float, y: float) -> None:
        """Scroll as the other side did, as far as this text goes."""
        self._following = True
        self.scroll_to(x=x, y=y, animate=False, immediate=True, force=True)
        self._following = False

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._say_scrolled()

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        self._say_scrolled()

    def _say_scrolled(self) -> None:
        if not self._following:
            self.post_message(self.Scrolled(self))

    def action_toggle_wrap(self) -> None:
        self.post_message(self.WrapWanted(self))

    def fold(self, folded: bool) -> None:
        """Wrap lines, or let them run."""
        if folded != self.folded:
            super().action_toggle_wrap()
