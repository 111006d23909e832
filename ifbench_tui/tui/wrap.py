"""Where lines of a text begin on a pane of a given width.

Only offsets are kept, never copies, so that painting evidence or moving a search hit does not wrap
again: 250,000 lines are 250,000 integers.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator

from rich.cells import cell_len, split_graphemes

__all__ = ["Lines", "wrap"]

_WORD = re.compile(r"\S+\s*|\s+")


class Lines:
    """The lines a text is drawn as: half-open ranges of its characters, newlines left out."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str, starts: array[int]) -> None:
        self._text = text
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, line: int) -> tuple[int, int]:
        start, end = self._starts[line], self._starts[line + 1]
        if end > len(self._text) or (end > start and self._text[end - 1] == "\n"):
            end -= 1
        return start, end

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return (self[line] for line in range(len(self)))

    def line_at(self, offset: int) -> int:
        """The line that draws the character at `offset`."""
        return max(0, min(bisect_right(self._starts, offset) - 1, len(self) - 1))


def wrap(
    text: str, width: int, *, fold: bool = True, cancelled: Callable[[], bool] = lambda: False
) -> Lines:
    """Break `text` into lines of at most `width` cells, between words where that is possible.

    Spaces at a break hang over the edge. A word wider than the pane is cut between characters as
    people see them, never inside one. With `fold` off only newlines break.
    """
    starts = array("q", [0])
    start = 0
    count = 0
    while (end := text.find("\n", start)) >= 0 or start <= len(text):
        if end < 0:
            end = len(text)
        if fold and end - start > 0:
            line = text[start:end]
            if not (len(line) <= width and line.isascii()):
                starts.extend(start + at for at in _breaks(line, width))
        start = end + 1
        starts.append(start)
        count += 1
        if count % 4096 == 0 and cancelled():
            break
    return Lines(text, starts)


def _breaks(line: str, width: int) -> Iterator[int]:
    if cell_len(line) <= width:
        return
    column = 0
    for match in _WORD.finditer(line):
        start, word = match.start(), match.group()
        solid = cell_len(word.rstrip())
        if column + solid > width and column:
            yield start
            column = 0
        if solid > width:
            for at, used in _fold(word, width):
                if at:
                    yield start + at
                column = used
        else:
            column += cell_len(word)


def _fold(word: str, width: int) -> Iterator[tuple[int, int]]:
    """Offsets in the word where a line begins, and the cells of the word on that line."""
    if word.isascii():
        for at in range(0, len(word), width):
            yield at, min(width, len(word) - at)
        return
    begin = used = 0
    for start, _, cells in split_graphemes(word)[0]:
        if used + cells > width:
            yield begin, used
            begin, used = start, 0
        used += cells
    yield begin, used
