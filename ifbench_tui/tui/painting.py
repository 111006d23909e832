"""From an explanation on a variant's text to marks on the response as the file has it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ifbench_tui.engine.benchmark import Benchmark, Ranges
from ifbench_tui.engine.verdict import Span
from ifbench_tui.report.glyphs import Glyphs
from ifbench_tui.tui.ink import safe
from ifbench_tui.tui.runs import Mark

__all__ = ["evidence_marks", "removed_marks"]


def evidence_marks(spans: Sequence[Span], kept: Ranges, glyphs: Glyphs) -> list[Mark]:
    """Spans of a variant's text as marks on the whole response.

    A span that reaches over removed characters becomes a mark over them too; one of no width says
    its note at the end of the line.
    """
    starts = []
    length = 0
    for start, end in kept:
        starts.append(length)
        length += end - start

    def place(offset: int, *, closing: bool) -> int:
        if not kept:
            return 0
        # The end of a span belongs to the character before it.
        index = max(0, bisect_right(starts, offset - closing) - 1)
        start, end = kept[index]
        return min(end, start + offset - starts[index])

    marks = []
    for span in spans:
        begin = place(span.start, closing=False)
        end = max(begin, place(span.end, closing=span.end > span.start))
        note = safe(span.note)
        tail = f"{glyphs.back} {note}" if note and span.start == span.end else ""
        marks.append(Mark(begin, end, span.role, note, tail=tail))
    return marks


def removed_marks(benchmark: Benchmark, text: str, variant: int, glyphs: Glyphs) -> list[Mark]:
    """What a variant leaves out of a response, each cut line with the reason at its end."""
    kept = benchmark.kept(text, variant)
    gaps = []
    at = 0
    for start, end in (*kept, (len(text), len(text))):
        if start > at:
            gaps.append((at, start))
        at = end
    tail = f"{glyphs.back} removed by {benchmark.variant_names[variant]}"
    return [_removed(text, start, end, tail) for start, end in gaps]


def _removed(text: str, start: int, end: int, tail: str) -> Mark:
    """Whole lines say at their end why they are gone; a lone star says enough itself."""
    cut = text[start:end]
    if not cut.strip("*").strip():
        return Mark(start, end, "removed", stop=False)
    return Mark(start, start + len(cut.rstrip()), "removed", stop=False, tail=tail)
