"""The pane that shows what a model wrote, with evidence painted into it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.worker import get_current_worker

from ifbench_tui.report.display import Display, display_text
from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Inked
from ifbench_tui.tui.runs import Mark, Runs
from ifbench_tui.tui.wrap import Lines, wrap

__all__ = ["EMPTY_RESPONSE", "Mark", "ReadingPane"]

EMPTY_RESPONSE = "(the response is empty)"

_AT_ONCE = 500_000
"""Characters that are wrapped before the first paint; what is longer is finished in a thread."""

_FIRST_PAINT = 64_000
_GUTTER = 2
_UPRIGHT = Style(underline=False, strike=False, reverse=False)


class ReadingPane(ScrollView, Inked, can_focus=True):
    """Any text, of any length and any hostility, wrapped, with marks.

    `blank` is said where a text has nothing to read. Marks are in characters of the text given. The
    gutter says without colour which lines carry marks and which were removed. `step` walks through
    the marks that are stops.
    """

    ALLOW_MAXIMIZE = True
    BINDINGS = bindings("reader")
    DEFAULT_CSS = """
    ReadingPane { scrollbar-gutter: stable; overflow-x: hidden; }
    ReadingPane.-run-on { overflow-x: auto; }
    """

    @dataclass
    class Stepped(Message):
        """Another mark is the current one; `place` counts from 1, 0 is none."""

        pane: ReadingPane
        place: int
        total: int
        note: str

        @property
        def control(self) -> ReadingPane:
            return self.pane

    def __init__(
        self,
        *,
        gutter: bool = True,
        ascii_only: bool = False,
        blank: str = "",
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.folded = True
        self._blank = blank
        self._ascii = ascii_only
        self._gutter = _GUTTER if gutter else 0
        self._drawn = Display("")
        self._source = ""
        self._lines = wrap("", 80)
        self._wrapped_for: tuple[int, bool] | None = None
        self._runs = Runs((), Display(""))
        self._marks: tuple[Mark, ...] = ()
        self._hits: list[Mark] | None = None
        self._strips: LRUCache[int, Strip] = LRUCache(512)
        self._generation = 0

    # ---- what is shown -----------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The text as it was given."""
        return self._source

    @property
    def shown_text(self) -> str:
        """The text as it is drawn."""
        return self._drawn.text

    @property
    def line_count(self) -> int:
        """Lines as drawn at this width."""
        return len(self._lines)

    def show(self, text: str, marks: Iterable[Mark] = (), *, at: int | None = 0) -> None:
        """Show a text from its beginning, or scrolled so that the stop `at` is seen.

        `at` counts stops from 0; None keeps the scroll position. What was found in another text is
        not in this one.
        """
        if text != self._source:
            self._source = text
            self._hits = None
            self._drawn = display_text(text, ascii_only=self._ascii)
            self._wrapped_for = None
            if self.styles.height is not None and self.styles.height.is_auto:
                self.refresh(layout=True)
            if at is not None:
                self.scroll_to(y=0, x=0, animate=False, immediate=True, force=True)
        self.mark(marks, at=at)

    def mark(self, marks: Iterable[Mark], *, at: int | None = None) -> None:
        """Replace the marks of the text that is shown."""
        self._marks = tuple(marks)
        if self._hits is None:
            self._runs = Runs(self._marks, self._drawn)
        else:
            passed = (replace(mark, stop=False) for mark in self._marks)
            current = self._runs.current
            self._runs = Runs([*self._hits, *passed], self._drawn)
            # Evidence that comes later does not lose the hit one is at.
            self._runs.current = current if at is None else None
        self._rewrap()
        self._repaint()
        if at is not None and self._runs.stops:
            self._go(min(at, len(self._runs.stops) - 1))
        else:
            self._announce()

    def find(self, spans: Iterable[tuple[int, int]] | None) -> None:
        """Step through what a search found instead of the marks; None goes back to them."""
        self._hits = None if spans is None else [Mark(*span, "hit") for span in spans]
        self.mark(self._marks, at=None if spans is None else 0)

    @property
    def finding(self) -> bool:
        """Whether a search decides what `step` steps through."""
        return self._hits is not None

    def step(self, direction: int) -> None:
        """Move to the next or previous stop, round the end."""
        stops = self._runs.stops
        if stops:
            current = self._runs.current
            start = (-1 if direction > 0 else 0) if current is None else current
            self._go((start + direction) % len(stops))

    def _go(self, stop: int) -> None:
        self._runs.current = stop
        self._repaint()
        self.see(self._runs.stops[stop].start)
        self._announce()

    def _announce(self) -> None:
        runs = self._runs
        current = runs.current
        note = "" if current is None else runs.stops[current].note
        place = 0 if current is None else current + 1
        self.post_message(self.Stepped(self, place, len(runs.stops), note))

    def see(self, offset: int) -> None:
        """Scroll so that the character at an offset of the drawn text is well in view."""
        line = self._lines.line_at(offset)
        height = self.scrollable_content_region.height
        top = self.scroll_offset.y
        if height and not top <= line < top + height:
            self.scroll_to(y=max(0, line - height // 3), animate=False, immediate=True, force=True)
        if not self.folded:
            column = offset - self._lines[line][0]
            self.scroll_to(x=max(0, column - 10), animate=False, immediate=True, force=True)

    # ---- wrapping ----------------------------------------------------------------------------

    @property
    def _room(self) -> int:
        return max(2, self.scrollable_content_region.width - self._gutter)

    def _rewrap(self) -> None:
        wanted = (self._room, self.folded)
        if self._wrapped_for == wanted or not self.size:
            return
        self._wrapped_for = wanted
        self._generation += 1
        text = self._drawn.text
        if len(text) <= _AT_ONCE:
            self._take(wrap(text, self._room, fold=self.folded), self._generation)
            return
        self._take(wrap(text[:_FIRST_PAINT], self._room, fold=self.folded), self._generation)
        self._wrap_rest(text, self._room, self.folded, self._generation)

    def _wrap_rest(self, text: str, width: int, fold: bool, generation: int) -> None:
        def work() -> None:
            worker = get_current_worker()
            lines = wrap(text, width, fold=fold, cancelled=lambda: worker.is_cancelled)
            if not worker.is_cancelled:
                self.app.call_from_thread(self._take, lines, generation)

        self.run_worker(work, thread=True, exclusive=True, group="wrap", exit_on_error=False)

    def _take(self, lines: Lines, generation: int) -> None:
        if generation != self._generation:
            return
        self._lines = lines
        width = 0
        if not self.folded:
            width = self._gutter + max((end - start for start, end in lines), default=0)
        self.virtual_size = Size(width, len(lines))
        self._repaint()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        room = max(2, width - self._gutter - self.scrollbar_size_vertical)
        # Only as much as a pane of automatic height can ever show.
        return len(wrap(self._drawn.text[:20_000], room, fold=self.folded))

    def on_resize(self) -> None:
        top = self._lines[min(self.scroll_offset.y, len(self._lines) - 1)][0]
        self._rewrap()
        if self.scroll_offset.y:
            line = self._lines.line_at(top)
            self.scroll_to(y=line, animate=False, immediate=True, force=True)
        # Owners say in its title where a pane is, and that has other room now.
        self._announce()

    def action_toggle_wrap(self) -> None:
        self.folded = not self.folded
        self.set_class(not self.folded, "-run-on")
        self._rewrap()

    # ---- moving ------------------------------------------------------------------------------

    def action_scroll_lines(self, lines: int) -> None:
        self.scroll_relative(y=lines, animate=False)

    def action_scroll_pages(self, halves: int) -> None:
        page = max(1, self.scrollable_content_region.height - 1)
        self.scroll_relative(y=halves * max(1, page // 2), animate=False)

    def action_scroll_top(self) -> None:
        self.scroll_to(y=0, animate=False)

    def action_scroll_bottom(self) -> None:
        self.scroll_to(y=self.max_scroll_y, animate=False)

    # ---- selection ---------------------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The original characters under a mouse selection."""
        last = len(self._lines) - 1
        start, end = selection
        begin = 0 if start is None else self._offset(min(start.y, last), start.x)
        stop = len(self._drawn.text) if end is None else self._offset(min(end.y, last), end.x)
        display = self._drawn
        return self._source[display.to_raw(begin) : display.to_raw(stop)], "\n"

    def _offset(self, line: int, column: int) -> int:
        start, end = self._lines[line]
        return min(end, start + max(0, column - self._gutter))

    def selection_updated(self, selection: Selection | None) -> None:
        self._repaint()

    # ---- drawing -----------------------------------------------------------------------------

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()
        self.refresh()

    def _repaint(self) -> None:
        self._strips.clear()
        self.redraw()

    def line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        width = self.scrollable_content_region.width
        line = top + y
        if self._blank and y == self._blank_row:
            return self.draw([(" " * self._gutter, ""), (self._blank, "dim")], width)
        if line >= len(self._lines):
            return Strip.blank(width, self.ink(""))
        strip = self._strips.get(line)
        if strip is None:
            strip = self._strips[line] = self._strip(line)
        return strip.crop_extend(left, left + width, self.ink(""))

    @property
    def _blank_row(self) -> int | None:
        """Where on the screen to say that a text has nothing to read, which would look like a
        failure: below what is drawn of it, or in the last row there is."""
        if self._source.strip():
            return None
        drawn = len(self._lines) - self.scroll_offset.y if self._source or self._marks else 0
        return min(drawn, self.scrollable_content_region.height - 1)

    def _strip(self, line: int) -> Strip:
        start, end = self._lines[line]
        segments = []
        if self._gutter:
            segments.append(self._gutter_segment(start, end))
        text = self._drawn.text
        segments += [
            Segment(text[a:b], self.ink(ink)) for a, b, ink in self._runs.within(start, end)
        ]
        if tail := self._runs.tail(start, end):
            segments.append(Segment(tail, self.ink("dim")))
        strip = Strip(segments)
        if (selection := self.text_selection) and (span := selection.get_span(line)):
            strip = self._selected(strip, *span)
        return strip.apply_offsets(0, line)

    def _selected(self, strip: Strip, first: int, last: int) -> Strip:
        style = self.screen.get_component_rich_style("screen--selection")
        text = strip.text
        begin = cell_len(text[:first])
        end = strip.cell_length if last < 0 else cell_len(text[:last])
        before, chosen, after = strip.divide([begin, max(begin, end), strip.cell_length])
        return Strip.join([before, chosen.apply_style(style), after])

    def _gutter_segment(self, start: int, end: int) -> Segment:
        ink = self._runs.gutter(start, end)
        if not ink:
            return Segment(" " * _GUTTER, self.ink(""))
        glyphs = ASCII if self._ascii else UNICODE
        sign = glyphs.cut if ink == "removed" else glyphs.edge
        return Segment(f"{sign} ", self.ink(ink) + _UPRIGHT)
