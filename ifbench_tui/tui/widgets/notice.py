"""Words in a few lines."""

from __future__ import annotations

from textual.content import Content
from textual.visual import VisualType
from textual.widgets import Static

__all__ = ["Notice"]


class Notice(Static):
    """Words where a screen has nothing else to show, or about what is under its cursor.

    The same words again cost nothing: a layout would draw the whole screen.
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__("", id=id, markup=False)

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show other words."""
        if not _same(content, self.content):
            super().update(content, layout=layout)


def _same(one: VisualType, other: VisualType) -> bool:
    if isinstance(one, Content) and isinstance(other, Content):
        return one.is_same(other)
    return type(one) is type(other) and one == other
