"""A few lines of words that wrap."""

from __future__ import annotations

from textual.strip import Strip

from ifbench_tui.tui.ink import Inked, Line
from ifbench_tui.tui.wrap import wrap

__all__ = ["Words"]


class Words(Inked):
    """One line of words on as many rows as the style sheet gives; the last row is cut."""

    DEFAULT_CSS = "Words { height: 2; width: 1fr; padding: 0 1; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._words: Line = ()

    def show(self, line: Line) -> None:
        """Draw other words."""
        if line != self._words:
            self._words = line
            self.redraw()

    def line(self, y: int) -> Strip:
        width, height = self.size
        text = "".join(part for part, _ in self._words)
        rows = wrap(text, width)
        if y >= len(rows):
            return Strip.blank(width, self.ink(""))
        start, end = rows[y]
        # What has no row of its own stands behind the last one, which is then cut.
        return self.draw(self._between(start, len(text) if y == height - 1 else end), width)

    def _between(self, start: int, end: int) -> Line:
        parts = []
        at = 0
        for text, ink in self._words:
            part = text[max(0, start - at) : max(0, end - at)]
            if part:
                parts.append((part, ink))
            at += len(text)
        return parts
