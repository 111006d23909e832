"""Tables about a judge as lines of a list, fitted to its width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.report.sheets import Share, Sheet, plain
from ifbench_tui.tui.columns import left, right
from ifbench_tui.tui.ink import Line, safe

__all__ = ["bias_lines"]

_GAP = 2
_LEAST = 12
_NOTE = "note"


def bias_lines(
    boards: Sequence[tuple[str, Sequence[Sheet]]], width: int, glyphs: Glyphs
) -> list[Line]:
    """Every table under its benchmark; a note has a line of its own where there is no room."""
    lines: list[Line] = []
    for title, sheets in boards:
        for sheet in sheets:
            if lines:
                lines.append([])
            lines.append([(f" {title}", "strong"), (f"  {safe(sheet.title)}", "accent")])
            lines += _table(sheet, width - 1, glyphs)
    return lines


def _table(sheet: Sheet, width: int, glyphs: Glyphs) -> Iterator[Line]:
    texts = [[safe(plain(cell, glyphs)) for cell in row] for row in sheet.rows]
    titles = [_title(sheet, number) for number in range(len(sheet.columns))]
    widths = [
        max(map(cell_len, (titles[number], *(row[number] for row in texts))))
        for number in range(len(titles))
    ]
    note = next((n for n, column in enumerate(sheet.columns) if column.name == _NOTE), None)
    apart = note is not None and _total(widths, _GAP) > width
    shown = [number for number in range(len(titles)) if not (apart and number == note)]
    gap = _shrink(sheet, widths, shown, width)

    def put(text: str, number: int) -> str:
        numeric = sheet.columns[number].numeric
        return (right if numeric else left)(text, widths[number]) + " " * gap

    yield [(" " + "".join(put(titles[number], number) for number in shown), "head")]
    for cells, row in zip(sheet.rows, texts, strict=True):
        yield [(" ", "")] + [
            (put(row[number], number), "dim" if cells[number] in (None, Share(None)) else "")
            for number in shown
        ]
        if apart and note is not None and row[note]:
            yield [(f"   {glyphs.dot} {row[note]}", "dim")]


def _title(sheet: Sheet, number: int) -> str:
    column = sheet.columns[number]
    return f"{safe(column.title)}{', 95 %' if column.interval else ''}"


def _total(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _shrink(sheet: Sheet, widths: list[int], shown: Sequence[int], width: int) -> int:
    """Take room from names first, then from the gaps, then from the widest texts, never from
    numbers; the gap that is left."""

    def over(gap: int) -> int:
        return _total([widths[number] for number in shown], gap) - width

    words = [number for number in shown if not sheet.columns[number].numeric]
    if words:
        widths[words[0]] -= max(0, min(over(_GAP), widths[words[0]] - _LEAST))
    if over(_GAP) <= 0:
        return _GAP
    while over(1) > 0 and words:
        widest = max(words, key=lambda number: widths[number])
        if widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return 1
