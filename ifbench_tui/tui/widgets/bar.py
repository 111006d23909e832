"""One line of chrome: a head, a table's titles, a status."""

from __future__ import annotations

from textual.strip import Strip

from ifbench_tui.tui.ink import Inked, Line, cells, spread

__all__ = ["Bar"]


class Bar(Inked):
    """One line: `left` is kept, `right` shows where there is room for both."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._left: Line = ()
        self._right: tuple[Line, ...] = ((),)

    def show(self, left: Line, *right: Line) -> None:
        """Draw a line. Of several right ends the first that fits is taken: the fullest first."""
        if (left, right or ((),)) != (self._left, self._right):
            self._left, self._right = left, right or ((),)
            self.redraw()

    def line(self, y: int) -> Strip:
        width = self.size.width
        if y:
            return Strip.blank(width, self.ink(""))
        room = width - cells(self._left)
        right = next((line for line in self._right if cells(line) < room), ())
        return self.draw(spread(self._left, right, width), width)
