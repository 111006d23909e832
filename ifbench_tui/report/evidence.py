"""Evidence in a text: cut into pieces to paint, and said as lines to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ifbench_tui.engine.benchmark import Ranges
from ifbench_tui.engine.verdict import Span
from ifbench_tui.report.visible import drawn_line

__all__ = ["Piece", "evidence_lines", "pieces", "removed_lines"]

_EXCERPT = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that the same spans cover; empty where an empty span stands."""

    text: str
    spans: tuple[Span, ...]


def pieces(text: str, spans: Sequence[Span]) -> Iterator[Piece]:
    """`text` cut at the ends of all spans; joined, the pieces are `text`."""
    opening: dict[int, list[Span]] = {}
    closing: dict[int, list[Span]] = {}
    for span in spans:
        opening.setdefault(span.start, []).append(span)
        closing.setdefault(span.end, []).append(span)
    edges = sorted({0, len(text), *opening, *closing})
    active: list[Span] = []
    for position, edge in enumerate(edges):
        for span in opening.get(edge, ()):
            if span.start < span.end:
                active.append(span)
            else:
                yield Piece("", (span,))
        for span in closing.get(edge, ()):
            if span.start < span.end:
                active.remove(span)
        if position + 1 < len(edges):
            yield Piece(text[edge : edges[position + 1]], tuple(active))


def evidence_lines(text: str, spans: Sequence[Span], limit: int) -> Iterator[str]:
    """A line for each of the first spans: line:column, role, excerpt, note."""
    for span in spans[:limit]:
        excerpt = f" “{_excerpt(text[span.start : span.end])}”" if span.start < span.end else ""
        note = f" {drawn_line(span.note)}" if span.note else ""
        yield f"{_place(text, span.start)} {span.role}{excerpt}{note}"
    if len(spans) > limit:
        yield f"… and {len(spans) - limit:,} more"


def removed_lines(response: str, kept: Ranges) -> Iterator[str]:
    """What a variant removed from the response: equal parts are counted together."""
    gaps, done = [], 0
    for start, end in (*kept, (len(response), len(response))):
        if done < start:
            gaps.append((done, start))
        done = max(done, end)
    counts = Counter(response[start:end] for start, end in gaps)
    for start, end in gaps:
        part = response[start:end]
        count = counts.pop(part, 0)
        if count:
            times = f" ({count} times)" if count > 1 else ""
            yield f"{_place(response, start)} “{_excerpt(part)}”{times}"


def _place(text: str, offset: int) -> str:
    """Line and column, both from 1."""
    return f"{text.count(chr(10), 0, offset) + 1}:{offset - text.rfind(chr(10), 0, offset)}"


def _excerpt(text: str) -> str:
    line = drawn_line(text[: _EXCERPT + 1])
    return line if len(text) <= _EXCERPT else line[:_EXCERPT] + "…"
