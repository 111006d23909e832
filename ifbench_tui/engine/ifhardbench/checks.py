"""What the requirement types have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifhardbench.counts import (
    Bound,
    counted,
    figure,
    numbered,
    quantity,
    read_bound,
)
from ifbench_tui.engine.ifhardbench.once import once
from ifbench_tui.engine.ifhardbench.params import Params
from ifbench_tui.engine.ifhardbench.text import Pair, Text, read
from ifbench_tui.engine.verdict import CheckFailed, Measure, Span, SpanRole

__all__ = ["Check", "Counted", "Each", "failed", "found", "nowhere", "place", "role", "sizes"]

_SIZES = 12


class Check(Constraint):
    """A requirement. A distance decides where there is one, else the value does."""

    def __init__(self, params: Params) -> None:
        self.params = params

    @abstractmethod
    def look(self, text: Text) -> Measure:
        """Measure a text. Reads parameters where the reference reads them."""

    @abstractmethod
    def wanted(self) -> str:
        """The requirement in words. Raises `CheckFailed` where a parameter is unusable."""

    def measure(self, text: str) -> Measure:
        return self.look(read(text))

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value) if measure.distance is None else measure.distance >= 0

    def required(self) -> str:
        return self._required

    @once
    def _required(self) -> str:
        try:
            return self.wanted()
        except CheckFailed as failure:
            return f"cannot be said: {failure.error.message}"


def nowhere() -> Iterable[Span]:
    """No evidence."""
    return ()


def failed(said: str, locate: Callable[[], Iterable[Span]] = nowhere) -> Measure:
    """A measure that fails without a number."""
    return Measure(False, said, locate=locate)


def found(value: bool, said: str, locate: Callable[[], Iterable[Span]] = nowhere) -> Measure:
    """A measure that no number decides."""
    return Measure(value, said, locate=locate)


def role(good: bool) -> SpanRole:
    """The role of a part that is as it should be, or is not."""
    return "counts" if good else "offends"


def place(number: int) -> str:
    """`1st`, `2nd`, `11th`."""
    if number % 100 in (11, 12, 13):
        return f"{figure(number)}th"
    return f"{figure(number)}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def sizes(numbers: Sequence[int]) -> str:
    """Several counts in a row: `3, 4, 4`."""
    dots = ", …" if len(numbers) > _SIZES else ""
    return ", ".join(map(figure, numbers[:_SIZES])) + dots


class Counted(Check):
    """A number of things stands in a relation to a number."""

    unit: ClassVar[str]

    @abstractmethod
    def find(self, text: Text) -> Iterable[Pair]:
        """Where the counted things are, in reading order."""

    def count(self, text: Text) -> int:
        """How many there are; overridden where counting is cheaper than finding."""
        return sum(1 for _ in self.find(text))

    @once
    def bound(self) -> Bound:
        return read_bound(self.params)

    def look(self, text: Text) -> Measure:
        bound = self.bound
        return counted(
            self.count(text),
            bound,
            self.unit,
            lambda: numbered(self.find(text), self.unit, bound),
        )

    def wanted(self) -> str:
        return self.bound.required(self.unit)


class Each(Check):
    """There is a part, and in every part a number of things stands in a relation to a number."""

    part: ClassVar[str]
    unit: ClassVar[str]

    @abstractmethod
    def parts(self, text: Text) -> Sequence[Pair]:
        """Where the parts are."""

    @abstractmethod
    def size(self, piece: str) -> int:
        """How many things a part has."""

    @once
    def bound(self) -> Bound:
        params = self.params
        return read_bound(params.inner("each") if "each" in params else params)

    def look(self, text: Text) -> Measure:
        parts = self.parts(text)
        if not parts:
            return failed(f"no {self.part}s")
        bound = self.bound
        counts = [self.size(text.source[start:end]) for start, end in parts]
        gaps = _gaps(bound, counts)
        worst = min(gaps)
        distance, threshold = worst, bound.threshold(counts[gaps.index(worst)])
        unit = self.unit if counts == [1] else f"{self.unit}s"
        said = f"{quantity(len(parts), self.part)} of {sizes(counts)} {unit}"
        if worst < 0:
            bad = [gap for gap in gaps if gap < 0]
            distance = sum(bad)
            said += f", {len(bad):,} not as required"

        def locate() -> Iterable[Span]:
            for number, (pair, count, gap) in enumerate(zip(parts, counts, gaps, strict=True), 1):
                note = f"{self.part} {number}: {quantity(count, self.unit)}"
                yield Span(*pair, role(gap >= 0), note + (bound.gap(count) if gap < 0 else ""))

        return Measure(counts, said, distance, threshold, locate)

    def wanted(self) -> str:
        return f"{self.bound.required(self.unit)} in every {self.part}"


def _gaps(bound: Bound, counts: Sequence[int]) -> list[int]:
    """The distance of each count. Once one fails the verdict stands, and nothing can raise."""
    if bound.flaw is None:
        return [bound.distance(count) for count in counts]
    gaps: list[int] = []
    failing = False
    for count in counts:
        try:
            gap = bound.distance(count)
        except CheckFailed:
            if not failing:
                raise
            gap = 0
        failing = failing or gap < 0
        gaps.append(gap)
    return gaps
