"""Constraints that hold when a count stands in a relation to a number."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.params import Params, fail
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["AT_LEAST", "Counted", "Relation", "exactly", "read_relation", "spans_of"]

AT_LEAST = "at least"
_LESS_THAN = "less than"
_EXACTLY = "exactly"


@dataclass(frozen=True, slots=True)
class Relation:
    """A bound on a count: at least n (>=), less than n (<), exactly n (==)."""

    name: str
    number: int

    def distance(self, count: int) -> int:
        """At least 0 exactly when the count satisfies the bound; else minus the units to change."""
        if self.name == AT_LEAST:
            return count - self.number
        if self.name == _LESS_THAN:
            return self.number - 1 - count
        return -abs(count - self.number)

    def gap(self, count: int) -> str:
        """What is wrong with the count, in words; "" when it satisfies the bound."""
        distance = self.distance(count)
        if distance >= 0:
            return ""
        side = "short" if count < self.number else "too many"
        return f", {-distance:,} {side}"

    def required(self, unit: str) -> str:
        """`at least 300 words`."""
        return f"{self.name} {quantity(self.number, unit)}"


def exactly(number: int) -> Relation:
    """The bound `== number`."""
    return Relation(_EXACTLY, number)


def read_relation(params: Params, name: str, number: int) -> Relation:
    """The relation parameter, spelled exactly as the data set does."""
    relation = params.value(name)
    if relation not in (AT_LEAST, _LESS_THAN):
        message = f"{name} must be 'at least' or 'less than', not {relation!r}"
        fail("invalid_parameter", message, "ValueError")
    return Relation(relation, number)


def spans_of(found: Iterable[tuple[int, int]], bound: Relation, unit: str) -> Iterator[Span]:
    """Each counted item with its number; those beyond an upper bound offend."""
    last = None
    if bound.name == _LESS_THAN:
        last = bound.number - 1
    elif bound.name == _EXACTLY:
        last = bound.number
    for number, (start, end) in enumerate(found, start=1):
        beyond = last is not None and number > last
        yield Span(start, end, "offends" if beyond else "counts", f"{unit} {number}")


class Counted(Constraint):
    """Holds when the number of things found stands in a relation to a number."""

    unit: ClassVar[str]

    def __init__(self, bound: Relation) -> None:
        self.bound = bound

    @abstractmethod
    def find(self, text: str) -> Iterable[tuple[int, int]]:
        """Where the counted things are, in reading order."""

    def count(self, text: str) -> int:
        """How many there are; overridden where counting is cheaper than finding."""
        return sum(1 for _ in self.find(text))

    def locate(self, text: str) -> Iterable[Span]:
        """Evidence: every counted thing."""
        return spans_of(self.find(text), self.bound, self.unit)

    def said(self, count: int) -> str:
        """The count in words."""
        return quantity(count, self.unit)

    def measure(self, text: str) -> Measure:
        count = self.count(text)
        return Measure(
            count,
            self.said(count) + self.bound.gap(count),
            self.bound.distance(count),
            self.bound.number,
            partial(self.locate, text),
        )

    def holds(self, measure: Measure) -> bool:
        return self.bound.distance(measure.value) >= 0

    def required(self) -> str:
        return self.bound.required(self.unit)
