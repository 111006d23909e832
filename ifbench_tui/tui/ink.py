"""Inks: the names under which widgets draw, given looks by the style sheets alone.

A line is a sequence of `(text, ink)`. Texts must be safe already (`one_line`), inks may be joined
with spaces ("fail strong").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from ifbench_tui.report.display import clip, one_line

__all__ = ["INKS", "INK_CLASSES", "Inked", "Line", "cells", "joined", "safe", "spread"]

Line = Sequence[tuple[str, str]]

INKS = (
    "pass", "fail", "rescued", "error", "marked",
    "strong", "dim", "accent", "key", "head", "rule",
    "counts", "offends", "limit", "missing", "removed", "current", "hit",
    "side-a", "side-b", "interval", "cursor", "cursor-blurred",
)  # fmt: skip


INK_CLASSES = {f"ink--{name}" for name in INKS}
"""For COMPONENT_CLASSES, which are inherited from the first base class only."""


_ASCII = str.maketrans("…⟨⟩–", "~<>-")


def safe(text: str, width: int = 0) -> str:
    """A name from a file as it may be drawn on one line, cut to `width` cells if that is given."""
    shown = one_line(text if len(text) < 4096 else text[:4096])
    return clip(shown, width) if width else shown


def cells(line: Line) -> int:
    """The width of a line in terminal cells."""
    return sum(Segment(text).cell_length for text, _ in line)


class Inked(Widget):
    """A widget that draws lines itself; its look comes from the rules of `.ink--…`."""

    COMPONENT_CLASSES = INK_CLASSES

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.__dict__.pop("_inks", None)

    def ink(self, names: str) -> Style:
        """The style of one or more inks on this widget's own background."""
        known: dict[str, Style] = self.__dict__.setdefault("_inks", {})
        style = known.get(names)
        if style is None:
            style = self.rich_style
            for name in names.split():
                style += self.get_component_rich_style(f"ink--{name}", partial=True)
            known[names] = style
        return style

    def draw(self, line: Line, width: int, base: str = "") -> Strip:
        """A line as a strip of exactly `width` cells, cut with an ellipsis where it is longer."""
        style = self.ink(base)
        ascii_only = self.app.has_class("-ascii")
        used = 0
        segments = []
        for text, ink in line:
            if ascii_only:
                text = text.translate(_ASCII)
            segment = Segment(text, self.ink(f"{base} {ink}") if ink else style)
            if used + segment.cell_length > width:
                cut = clip(text, width - used, "~" if ascii_only else "…")
                segment = Segment(cut, segment.style)
                segments.append(segment)
                used += segment.cell_length
                break
            segments.append(segment)
            used += segment.cell_length
        return Strip(segments, used).adjust_cell_length(width, style)


def spread(left: Line, right: Line, width: int) -> Line:
    """Two lines as one: the right one at the edge, if both fit; the left one is kept."""
    room = width - cells(left) - cells(right)
    return [*left, (" " * room, ""), *right] if room > 0 else left


def joined(parts: Iterable[Line], between: str = "   ") -> Line:
    """Several lines as one."""
    line: list[tuple[str, str]] = []
    for part in parts:
        if part:
            line += [(between, ""), *part] if line else part
    return line
