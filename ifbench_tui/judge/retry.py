"""When a failed call is tried again, and how long after."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["Retry", "asked_wait", "passing"]

_PASSING = frozenset(
    {f"http_{status}" for status in (408, 409, 425, 429, 500, 502, 503, 504, 529)}
    | {"timeout", "connect", "stream_cut", "bad_json"}
)


def passing(outcome: str) -> bool:
    """Whether the same call may well succeed later."""
    return outcome in _PASSING


@dataclass(frozen=True, slots=True)
class Retry:
    """Attempts in all, and the waits between them in seconds.

    Before attempt k + 1 the wait is drawn evenly from half to all of `first`·2^(k - 1), at most
    `longest`. A server may ask for more; what it asks above `patience` ends the call.
    """

    attempts: int = 6
    first: float = 1.0
    longest: float = 60.0
    patience: float = 300.0

    def wait(self, attempt: int, asked: float | None, chance: float) -> float:
        """Seconds to wait after attempt number `attempt` (from 1); `chance` is in [0, 1).

        What the server asked is kept to the full, with the jitter after it, so that calls that
        were turned away together do not come back together.
        """
        own = min(self.longest, self.first * 2.0 ** min(attempt - 1, 60)) * (0.5 + chance / 2.0)
        return own if asked is None else asked + own * chance / 2.0


def asked_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that `retry-after-ms` or `Retry-After` (seconds or a date) ask to wait."""
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if value:
            seconds = _number(value)
            if seconds is not None:
                return seconds * unit
            if name == "retry-after":
                return _until(value, now)
    return None


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if number >= 0 and math.isfinite(number) else None


def _until(value: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())
