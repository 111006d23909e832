"""The lattice: every constraint on every variant of one response, with a cursor on one cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ifbench_tui.engine.verdict import Lattice
from ifbench_tui.report.glyphs import UNICODE, Glyphs, Sign, cell_sign, loose_sign, strict_sign
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.ink import Inked, Line, safe

__all__ = ["LatticeRow", "LatticeView", "column_name"]

_ROOMY, _TIGHT, _ROOMY_FROM = 9, 6, 72
_CELL = 4
_LEAST_WORDS = 24


@dataclass(frozen=True, slots=True)
class LatticeRow:
    """One constraint: its lattice (None while pending), and what a person or a file says of it."""

    type: str
    lattice: Lattice | None
    marked: frozenset[int | str] = frozenset()
    differs: bool = False


def column_name(columns: Sequence[int | str], column: int) -> int | str:
    """What a mark calls a column: "strict", "loose" or the number of a variant."""
    return columns[max(0, min(column, len(columns) - 1))]


class LatticeView(ScrollView, Inked, can_focus=True):
    """Rows are constraints, columns strict, the variants, loose. Marked cells carry a dot.

    With one variant there is only one column. The owner sets `place`; the widget only asks.
    """

    BINDINGS = bindings("lattice")
    DEFAULT_CSS = "LatticeView { height: auto; overflow-x: hidden; }"

    room: reactive[int] = reactive(1, layout=True)
    """Rows there is room for, whatever is shown: a frame that moves with every text is no frame."""

    @dataclass
    class Picked(Message):
        """A cell was clicked."""

        row: int
        column: int

    def __init__(self, *, id: str | None = None, most_rows: int = 8) -> None:  # noqa: A002
        super().__init__(id=id)
        self.glyphs: Glyphs = UNICODE
        self._rows: Sequence[LatticeRow] = ()
        self._labels: Sequence[str] = ()
        self._most_rows = most_rows
        self._row = 0
        self._column = 0
        self.columns: list[int | str] = ["strict"]

    def show(
        self, rows: Sequence[LatticeRow], labels: Sequence[str], place: tuple[int, int]
    ) -> None:
        """Draw constraints under the labels of the variants, the cursor on (row, column)."""
        self._rows, self._labels = rows, labels
        many = len(labels) > 1
        self.columns = ["strict", *range(len(labels)), "loose"] if many else ["strict"]
        self._row, self._column = place
        self.virtual_size = Size(0, len(rows) + 1)
        height = self.scrollable_content_region.height
        if height > 1:
            top = max(0, self._row + 2 - height)
            self.scroll_to(y=top, animate=False, immediate=True, force=True)
        self.redraw()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return min(self.room, self._most_rows) + 1

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        row = -1 if place is None else place.y + self.scroll_offset.y - 1
        if place is None or place.y == 0 or not 0 <= row < len(self._rows):
            return
        at = self._name_width(self.size.width)
        column = self._column
        for index, width in enumerate(self._column_widths(self.size.width)):
            if at <= place.x < at + width:
                column = index
            at += width
        self.post_message(self.Picked(row, column))

    # ---- drawing -----------------------------------------------------------------------------

    def _column_widths(self, width: int) -> list[int]:
        """Cells of each column, the rules beside strict and loose included."""
        outer = _ROOMY if width >= _ROOMY_FROM else _TIGHT
        if len(self._labels) < 2:
            return [outer]
        cells = [max(_CELL, len(label) + 1) for label in self._labels]
        return [outer + 1, *cells, outer + 1]

    def _name_width(self, width: int) -> int:
        longest = max((len(self._short_name(row, width)) for row in self._rows), default=0)
        rest = sum(self._column_widths(width))
        return max(10, min(longest + 4, width - rest, 44))

    @staticmethod
    def _short_name(row: LatticeRow, width: int) -> str:
        """Types are named in full where there is room."""
        name = safe(row.type)
        return name if width >= 140 else name.rpartition(":")[2] or name

    def line(self, y: int) -> Strip:
        width = self.size.width
        if y == 0:
            return self.draw(self._titles(width) if self._rows else (), width)
        row = y - 1 + self.scroll_offset.y
        if row >= len(self._rows):
            return Strip.blank(width, self.ink(""))
        base = ""
        if row == self._row:
            base = "cursor" if self.has_focus else "cursor-blurred"
        return self.draw(self._row_line(row, width), width, base)

    def _titles(self, width: int) -> Line:
        name_width = self._name_width(width)
        titles = ["strict", *self._labels, "loose"] if len(self._labels) > 1 else ["verdict"]
        line: list[tuple[str, str]] = [("  constraint"[:name_width].ljust(name_width), "head")]
        for column, room in enumerate(self._column_widths(width)):
            ink = "accent strong" if column == self._column else "head"
            line += self._framed(column, room, (titles[column], ink))
        return [*line, *self._if_room(width, [(f" measured {self.glyphs.arrow} required", "head")])]

    def _framed(self, column: int, room: int, middle: tuple[str, str]) -> Line:
        """Something in the middle of its column, with the rule that parts strict and loose."""
        outer = len(self.columns) > 1 and not isinstance(self.columns[column], int)
        around = room - outer - cell_len(middle[0])
        before = around // 2
        parts: Line = [(" " * before, ""), middle, (" " * (around - before), "")]
        if not outer:
            return parts
        rule = (self.glyphs.rule, "rule")
        return [*parts, rule] if column == 0 else [rule, *parts]

    def _if_room(self, width: int, words: Line) -> Line:
        """Words beside the cells only where a useful part of them fits."""
        used = self._name_width(width) + sum(self._column_widths(width))
        return words if width - used >= _LEAST_WORDS else ()

    def _row_line(self, number: int, width: int) -> Line:
        row = self._rows[number]
        glyphs = self.glyphs
        pointer = glyphs.opens if number == self._row else " "
        name_width = self._name_width(width)
        name = safe(self._short_name(row, width), name_width - 4)
        differs = glyphs.differs if row.differs else " "
        line: list[tuple[str, str]] = [
            (f"{pointer} ", "accent"),
            (name + " " * (name_width - 4 - cell_len(name)), ""),
            (f" {differs}", "marked"),
        ]
        widths = self._column_widths(width)
        for column, (sign, ink) in enumerate(self._signs(row)):
            line += self._cell(row, number, column, (sign, ink), widths[column])
        return [*line, *self._if_room(width, self._words(row))]

    def _signs(self, row: LatticeRow) -> list[Sign]:
        lattice = row.lattice
        if lattice is None:
            return [(self.glyphs.pending, "dim")] * len(self.columns)
        if len(self.columns) == 1:
            return [strict_sign(self.glyphs, lattice)]
        cells = [cell_sign(self.glyphs, lattice, index) for index in range(len(lattice.cells))]
        return [strict_sign(self.glyphs, lattice), *cells, loose_sign(self.glyphs, lattice)]

    def _cell(self, row: LatticeRow, number: int, column: int, sign: Sign, room: int) -> Line:
        glyph, ink = sign
        here = number == self._row and column == self._column
        dot = self.glyphs.marked if self.columns[column] in row.marked else " "
        return self._framed(column, room, (f" {glyph}{dot}", f"{ink} current" if here else ink))

    def _words(self, row: LatticeRow) -> Line:
        lattice = row.lattice
        if lattice is None:
            return [(" pending", "dim")]
        if lattice.error is not None and not lattice.strict:
            return [(f" {safe(lattice.error.message)}", "error")]
        measured = safe(lattice.measured)
        return [
            (f" {measured}", "" if lattice.strict else "fail"),
            (f" {self.glyphs.arrow} {safe(lattice.required)}", "dim"),
        ]
