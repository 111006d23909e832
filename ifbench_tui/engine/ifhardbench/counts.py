"""Bounds on counts as the data state them, their distance in units, and their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ifbench_tui.engine.ifhardbench.params import Params, fail
from ifbench_tui.engine.ifhardbench.text import Pair
from ifbench_tui.engine.verdict import CheckFailed, Measure, Span

__all__ = ["Bound", "clamp", "counted", "exactly", "figure", "numbered", "quantity", "read_bound"]

_WORDS = {
    "eq": "exactly",
    "ne": "any number but",
    "le": "at most",
    "lt": "fewer than",
    "ge": "at least",
    "gt": "more than",
}
_LARGE = 1 << 53


def figure(number: int) -> str:
    """A number in words of a sentence; data may hold numbers with thousands of digits."""
    return f"{number:,}" if -_LARGE < number < _LARGE else "a number too large to show"


def quantity(number: int, unit: str) -> str:
    """`1 word`, `2 words`."""
    return f"{figure(number)} {unit}" if number == 1 else f"{figure(number)} {unit}s"


def clamp(number: int) -> int:
    """The number, or one of the same sign that a float can hold."""
    if -_LARGE < number < _LARGE:
        return number
    return _LARGE if number > 0 else -_LARGE


@dataclass(slots=True)
class Bound:
    """A relation to a number, or to both ends of a range.

    `flaw` is why the upper end of a range cannot be read; it counts only once a count gets there.
    """

    op: str
    low: int
    high: int
    flaw: CheckFailed | None = None

    def distance(self, count: int) -> int:
        """At least 0 exactly when the count satisfies the bound; else minus the units to change."""
        op, low = self.op, self.low
        if op == "eq":
            return clamp(-abs(count - low))
        if op == "ge":
            return clamp(count - low)
        if op == "le":
            return clamp(low - count)
        if op == "between":
            if self.flaw:
                if count >= low:
                    raise self.flaw
                return clamp(count - low)
            return clamp(min(count - low, self.high - count))
        if op == "gt":
            return clamp(count - low - 1)
        if op == "lt":
            return clamp(low - 1 - count)
        return clamp(abs(count - low) - 1)

    def threshold(self, count: int) -> int:
        """The number that decides for this count."""
        return clamp(self.low if count <= self.low else self.high)

    @property
    def most(self) -> int | None:
        """The greatest count allowed, where there is one."""
        if self.op in ("eq", "le"):
            return self.low
        if self.op == "lt":
            return self.low - 1
        return self.high if self.op == "between" and not self.flaw else None

    def gap(self, count: int) -> str:
        """What is wrong with the count, in words; "" when it satisfies the bound."""
        distance = self.distance(count)
        if distance >= 0:
            return ""
        if self.op == "ne":
            return ", the one number not allowed"
        side = "short" if self.op in ("ge", "gt") or count < self.low else "too many"
        return f", {figure(-distance)} {side}"

    def required(self, unit: str) -> str:
        """`at least 3 words`, `from 3 to 5 words`."""
        if self.op == "between":
            if self.flaw:
                raise self.flaw
            return f"from {figure(self.low)} to {quantity(self.high, unit)}"
        return f"{_WORDS[self.op]} {quantity(self.low, unit)}"


def exactly(number: int) -> Bound:
    """The bound `== number`."""
    return Bound("eq", number, number)


def read_bound(params: Params) -> Bound:
    """The bound in `op` and `value`, or in `min` and `max`. Raises `CheckFailed`."""
    op = params.get("op", "eq")
    if op == "between":
        low = params.integer("min")
        try:
            return Bound(op, low, params.integer("max"))
        except CheckFailed as flaw:
            return Bound(op, low, low, flaw)
    number = params.integer("value")
    if not isinstance(op, str) or op not in _WORDS:
        message = f"op must be one of {', '.join(_WORDS)}, between; not {op!r}"
        fail("invalid_parameter", message[:200], "ValueError")
    return Bound(op, number, number)


def counted(
    count: int,
    bound: Bound,
    unit: str,
    locate: Callable[[], Iterable[Span]],
    said: str = "",
) -> Measure:
    """A measure that a number decides."""
    distance = bound.distance(count)
    words = (said or quantity(count, unit)) + bound.gap(count)
    return Measure(count, words, distance, bound.threshold(count), locate)


def numbered(found: Iterable[Pair], unit: str, bound: Bound) -> Iterator[Span]:
    """Each counted thing with its number; those beyond an upper bound offend."""
    most = bound.most
    for number, (start, end) in enumerate(found, start=1):
        beyond = most is not None and number > most
        yield Span(start, end, "offends" if beyond else "counts", f"{unit} {number}")
