"""Marks on a text, flattened into runs that can be drawn from left to right."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ifbench_tui.report.display import Display

__all__ = ["Mark", "Runs", "Stop"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters `start:end` of a text and the ink they are drawn in.

    A mark of no width points between two characters. Marks that are no stops are passed over by
    stepping; `tail` is said at the end of the line on which the mark ends.
    """

    start: int
    end: int
    ink: str
    note: str = ""
    stop: bool = True
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """A mark to step to, in characters of the drawn text."""

    start: int
    end: int
    ink: str
    note: str


class Runs:
    """Marks of one text, ready to draw. `current` is the stop that stands out."""

    def __init__(self, marks: Iterable[Mark], display: Display) -> None:
        self.current: int | None = None
        drawn = []
        self.stops: list[Stop] = []
        self._tails: list[tuple[int, str]] = []
        for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
            start = display.to_display(mark.start)
            end = display.to_display(mark.end)
            if mark.tail:
                self._tails.append((max(start, end - 1), mark.tail))
            if end == start:
                end = min(start + 1, len(display.text))
                start = max(0, end - 1)
            if start < end:
                drawn.append((start, end, mark.ink))
            if mark.stop:
                self.stops.append(Stop(start, end, mark.ink, mark.note))
        self._tails.sort()
        self._text = display.text
        self._runs = list(_flatten(drawn))
        self._ends = [end for _, end, _ in self._runs]
        self._tail_places = [place for place, _ in self._tails]

    def within(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Consecutive (start, end, inks) that make up a range of the text."""
        stop = None if self.current is None else self.stops[self.current]
        for first, last, inks in self._plain(start, end):
            if stop is None or stop.end <= first or stop.start >= last:
                yield first, last, inks
                continue
            begin, close = max(first, stop.start), min(last, stop.end)
            if first < begin:
                yield first, begin, inks
            yield begin, close, f"{inks} current".lstrip()
            if close < last:
                yield close, last, inks

    def _plain(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        at = start
        for index in range(bisect_right(self._ends, start), len(self._runs)):
            first, last, inks = self._runs[index]
            if first >= end:
                break
            if first > at:
                yield at, first, ""
            at = min(last, end)
            yield max(first, start), at, inks
        if at < end:
            yield at, end, ""

    def gutter(self, start: int, end: int) -> str:
        """The ink of a line's gutter: its first mark that is evidence, "removed" if all of the
        line was, "" for none."""
        removed = 0
        for first, last, inks in self._plain(start, end):
            names = inks.split()
            if "removed" in names:
                removed += last - first
            if evidence := [name for name in names if name != "removed"]:
                return evidence[0]
        return "removed" if removed and removed == end - start else ""

    def tail(self, start: int, end: int) -> str:
        """What is said at the end of a line."""
        index = bisect_left(self._tail_places, start)
        if index == len(self._tails):
            return ""
        place, tail = self._tails[index]
        # Where a line is wrapped its end is the beginning of the next.
        last = end - 1 if end < len(self._text) and self._text[end] != "\n" else end
        return f"  {tail}" if place <= last else ""


def _flatten(marks: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Overlapping marks as disjoint runs; where marks overlap their inks add up."""
    events = sorted(
        [(start, 1, ink) for start, _, ink in marks] + [(end, 0, ink) for _, end, ink in marks]
    )
    open_inks: dict[str, int] = {}
    at = 0
    for place, opens, ink in events:
        if place > at and open_inks:
            yield at, place, " ".join(open_inks)
        at = place
        if opens:
            open_inks[ink] = open_inks.get(ink, 0) + 1
        else:
            open_inks[ink] -= 1
            if not open_inks[ink]:
                del open_inks[ink]
