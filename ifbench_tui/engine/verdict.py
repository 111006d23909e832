"""The vocabulary of every verifier: what was measured, where, and what follows from it.

A constraint measures a text once; its verdict, its explanation and its distance to passing are all
read off that one `Measure`, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

__all__ = [
    "MAX_SPANS",
    "CheckError",
    "CheckFailed",
    "ErrorKind",
    "Explanation",
    "Lattice",
    "Measure",
    "Span",
    "SpanRole",
]

SpanRole = Literal["counts", "offends", "limit", "missing"]
"""counts: was counted or matched; offends: breaks the constraint; limit: where a bound is reached;
missing: where something wanted should have been (may be empty)."""

ErrorKind = Literal[
    "unknown_constraint",
    "missing_parameter",
    "invalid_parameter",
    "unknown_parameter",
    "bad_pattern",
    "pattern_timeout",
    "pattern_failed",
    "too_deep",
    "unreadable_answer",
]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start:end` of the exact text that was checked, and why they matter."""

    start: int
    end: int
    role: SpanRole = "counts"
    note: str = ""


MAX_SPANS = 20_000
"""More evidence than a person reads, and few enough that no text makes finding it slow."""


def _nowhere() -> Iterable[Span]:
    return ()


@dataclass(frozen=True, slots=True)
class Measure:
    """What a constraint found in a text.

    `value` decides. `said` is the value in words ("288 words"). `distance` is signed, in the unit
    of the value: at least 0 exactly when the constraint holds, and otherwise minus the number of
    units missing or too many; None where no number decides. `threshold` is the number required.
    Spans are found only when asked for, since scoring never needs them.
    """

    value: Any
    said: str
    distance: float | None = None
    threshold: float | None = None
    locate: Callable[[], Iterable[Span]] = _nowhere

    @property
    def spans(self) -> tuple[Span, ...]:
        """Evidence in the measured text in reading order, at most `MAX_SPANS` pieces of it."""
        found = islice(self.locate(), MAX_SPANS)
        return tuple(sorted(found, key=lambda span: (span.start, span.end)))


@dataclass(frozen=True, slots=True)
class CheckError:
    """Why a constraint could not be checked.

    `raises` names the exception the reference implementation raises here, "random" where it would
    draw a parameter at random, or "" where it does neither.
    """

    kind: ErrorKind
    message: str
    raises: str = ""

    def to_dict(self) -> dict[str, str]:
        return {"kind": self.kind, "message": self.message, "raises": self.raises}


class CheckFailed(Exception):  # noqa: N818 - an outcome of a check, not a fault of the program
    """Carries a `CheckError` out of building or measuring a constraint."""

    def __init__(self, error: CheckError) -> None:
        super().__init__(error.message)
        self.error = error


@dataclass(frozen=True, slots=True)
class Explanation:
    """One constraint on one exact text: the verdict and everything a reader needs to believe it."""

    holds: bool
    measured: str
    required: str
    distance: float | None
    threshold: float | None
    spans: tuple[Span, ...]
    error: CheckError | None = None


@dataclass(frozen=True, slots=True)
class Lattice:
    """One constraint on every variant of one response.

    `cells[i]` is the verdict on variant i: True, False, or None where the check raised. Measure,
    distance and threshold are those of the first variant, the strict one.
    """

    constraint: str
    cells: tuple[bool | None, ...]
    required: str
    measured: str
    distance: float | None = None
    threshold: float | None = None
    error: CheckError | None = None

    @property
    def strict_cell(self) -> bool | None:
        """The verdict on the untouched text; None when it raised."""
        return self.cells[0]

    @property
    def loose_cell(self) -> bool | None:
        """The first cell that is not False (None: that check raised), as the reference walks."""
        return next((cell for cell in self.cells if cell is not False), False)

    @property
    def strict(self) -> bool:
        """Followed on the untouched text. A check that raised counts as not followed."""
        return self.cells[0] is True

    @property
    def loose(self) -> bool:
        """Followed on some variant before any check raised."""
        return self.loose_cell is True

    @property
    def rescued_by(self) -> int | None:
        """Index of the variant that turns a strict failure into a loose pass."""
        return self.cells.index(True) if self.loose and not self.strict else None

    @property
    def near_miss(self) -> bool:
        """Strictly failed by one unit, or by at most 5 % of the threshold."""
        if self.strict or self.distance is None or self.threshold is None:
            return False
        # Multiplied, not divided: a file may state a number too large for a float.
        return -self.distance <= 1 or -20 * self.distance <= abs(self.threshold)
