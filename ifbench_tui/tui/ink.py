"""Inks: the names under which widgets draw, given looks by the style sheets alone.

A line is a sequence of `(text, ink)`. Texts must be safe already (`one_line`), inks may be joined
with spaces ("fail strong").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Region
from textual.scrollbar import ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget

from ifbench_tui.report.display import clip, one_line

__all__ = [
    "ASCII_SIGNS",
    "HEAT_LEVELS",
    "INKS",
    "INK_CLASSES",
    "Inked",
    "Line",
    "WholeCells",
    "cells",
    "entitle",
    "joined",
    "safe",
    "spread",
]

Line = Sequence[tuple[str, str]]

INKS = (
    "pass", "fail", "rescued", "error", "marked",
    "strong", "dim", "accent", "key", "head", "rule",
    "counts", "offends", "limit", "missing", "removed", "current", "hit",
    "side-a", "side-b", "interval", "cursor", "cursor-blurred",
)  # fmt: skip


HEAT_LEVELS = 5
"""Inks "heat-0" (none) to "heat-4" (strongest) tint the ground of a cell."""

INK_CLASSES = {f"ink--{name}" for name in INKS} | {
    f"ink--heat-{level}" for level in range(1, HEAT_LEVELS)
}
"""COMPONENT_CLASSES of the app, which alone has them: each is matched with every rule, and every
widget would do that again whenever its looks may have changed."""


ASCII_SIGNS = str.maketrans("…⟨⟩–·↑↓←→", "~<>--^v<>")
"""What `--ascii` draws instead of the signs in words of our own."""


def safe(text: str, width: int = 0) -> str:
    """A name from a file as it may be drawn on one line, cut to `width` cells if that is given."""
    shown = one_line(text if len(text) < 4096 else text[:4096])
    return clip(shown, width) if width else shown


def cells(line: Line) -> int:
    """The width of a line in terminal cells."""
    return sum(Segment(text).cell_length for text, _ in line)


class WholeCells(ScrollBarRender):
    """Scrollbars that end where a cell ends: they need no sign."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


class Inked(Widget):
    """A widget that draws lines itself; its look comes from the rules of `.ink--…`."""

    def line(self, y: int) -> Strip:
        """One line of the widget, counted from its visible top."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        strip = self._painted[y] = self.line(y)
        return strip

    @property
    def _painted(self) -> dict[int, Strip]:
        known: dict[int, Strip] = self.__dict__.setdefault("_strips_painted", {})
        return known

    def redraw(self) -> None:
        """Draw again what looks different now, and no other line: a slow terminal pays by byte.

        That is found out when the handler that changed something has ended.
        """
        if not self.__dict__.get("_redraw_due"):
            self.__dict__["_redraw_due"] = True
            self.call_next(self._redraw_changed)

    def _redraw_changed(self) -> None:
        self.__dict__["_redraw_due"] = False
        width, height = self.size
        changed = [y for y in range(height) if self._painted.get(y) != self.line(y)]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

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
                style += self.app.get_component_styles(f"ink--{name}").partial_rich_style
            known[names] = style
        return style

    def draw(self, line: Line, width: int, base: str = "") -> Strip:
        """A line as a strip of exactly `width` cells, cut with an ellipsis where it is longer."""
        style = self.ink(base)
        ascii_only = self.app.has_class("-ascii")
        used = 0
        segments: list[Segment] = []
        for text, ink in line:
            if ascii_only:
                text = text.translate(ASCII_SIGNS)
            segment = Segment(text, self.ink(f"{base} {ink}") if ink else style)
            cut = used + segment.cell_length > width
            if cut:
                segment = Segment(
                    clip(text, width - used, "~" if ascii_only else "…"), segment.style
                )
            _append(segments, segment)
            used += segment.cell_length
            if cut:
                break
        if used < width:
            _append(segments, Segment(" " * (width - used), style))
        return Strip(segments, max(used, width))


def _append(segments: list[Segment], segment: Segment) -> None:
    """Add to a line. Blanks join what stands before them where nobody can see the difference:
    each change of style is forty bytes to the terminal."""
    if not segment.text:
        return
    if segments and segment.text.isspace():
        before, style = segments[-1], segment.style
        if before.style is not None and style is not None and _plain(before.style, style):
            segments[-1] = Segment(before.text + segment.text, before.style)
            return
    segments.append(segment)


def _plain(one: Style, other: Style) -> bool:
    """Whether blanks look the same in two styles."""
    lines = (one.underline, one.reverse, one.strike, other.underline, other.reverse, other.strike)
    return one.bgcolor == other.bgcolor and not any(lines)


def entitle(pane: Widget, words: Content, *shorter: Content, below: bool = False) -> None:
    """Give a pane a title, the first that fits, above or below it; one that it has already is not
    drawn again."""
    room = pane.size.width - 4
    if room > 0:
        titles = (words, *shorter)
        words = next((one for one in titles if one.cell_length <= room), titles[-1])
        if words.cell_length > room and pane.app.has_class("-ascii"):
            # Textual would cut it with a sign of its own.
            words = Content(f" {clip(words.plain.strip(), room - 2, '~')} ")
    place = "border_subtitle" if below else "border_title"
    if getattr(pane, place) != words.markup:
        setattr(pane, place, words)


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
