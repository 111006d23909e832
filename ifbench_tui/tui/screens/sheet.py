"""What all questions have in common: a small sheet over the place they were asked in."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar, cast

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen

from ifbench_tui.tui.actions import ARROWS
from ifbench_tui.tui.host import Host
from ifbench_tui.tui.ink import ASCII_SIGNS
from ifbench_tui.tui.screens.place import Place

__all__ = ["Sheet"]

T = TypeVar("T")

_NAMED = str.maketrans(ARROWS)
"""Arrows in our words are keys."""


class Sheet(ModalScreen[T]):
    """A question with a typed answer; Escape answers None."""

    HORIZONTAL_BREAKPOINTS = Place.HORIZONTAL_BREAKPOINTS
    VERTICAL_BREAKPOINTS = Place.VERTICAL_BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close", show=False)]

    @property
    def audit_app(self) -> Host:
        """The app, with its own type."""
        return cast(Host, self.app)

    def words(self, text: str) -> Content:
        """Words of our own for the border, without signs where there are none."""
        plain = text.translate(_NAMED).translate(ASCII_SIGNS)
        return Content(plain if self.app.has_class("-ascii") else text)

    def action_close(self) -> None:
        self.dismiss(cast(Any, None))
