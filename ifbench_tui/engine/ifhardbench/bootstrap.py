"""Bootstrap intervals over questions, the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["intervals"]

_REPLICATES = 1000
_DRAWN_AT_ONCE = 1 << 21
_TAILS = (2.5, 97.5)

Interval = tuple[float | None, float | None]


def intervals(
    rates: Sequence[float | None],
    verdicts: Sequence[Sequence[tuple[int, bool]]],
    types: int,
    floor: float,
    seed: int,
) -> tuple[Interval, Interval]:
    """Percentile intervals (95 %) of the mean rate and of the balance over types.

    Both draw whole questions with replacement, `len(rates)` of them in each of 1000 replicates.
    `verdicts` holds (type, passed) of each question, for the types that count in the sample: which
    ones count is held fixed, since a type near the limit would come and go. A type not drawn is
    left out of its replicate. (None, None) where there is nothing to draw.
    """
    n = len(rates)
    if n == 0:
        return (None, None), (None, None)
    there = np.array([rate is not None for rate in rates], dtype=np.float64)
    values = np.array([rate or 0.0 for rate in rates], dtype=np.float64)
    seen = np.zeros((n, types))
    passed = np.zeros((n, types))
    for row, one in enumerate(verdicts):
        for column, good in one:
            seen[row, column] += 1
            passed[row, column] += good
    rng = np.random.default_rng(seed)
    means: list[NDArray[np.float64]] = []
    balances: list[NDArray[np.float64]] = []
    left = _REPLICATES
    while left:
        size = min(left, max(1, _DRAWN_AT_ONCE // n))
        left -= size
        weights = rng.multinomial(n, np.full(n, 1 / n), size=size).astype(np.float64)
        means.append(_ratio(weights @ values, weights @ there))
        balances.append(_balance(weights @ passed, weights @ seen, floor))
    return _interval(means, bool(there.any())), _interval(balances, types > 0)


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _balance(
    passed: NDArray[np.float64], seen: NDArray[np.float64], floor: float
) -> NDArray[np.float64]:
    drawn = seen > 0
    logs = np.log(np.maximum(_ratio(passed, seen), floor)) * drawn
    counted = drawn.sum(axis=1)
    return np.where(counted > 0, np.exp(_ratio(logs.sum(axis=1), counted.astype(np.float64))), 0.0)


def _interval(found: Sequence[NDArray[np.float64]], known: bool) -> Interval:
    if not known:
        return None, None
    lower, upper = np.percentile(np.concatenate(found), _TAILS)
    return float(lower), float(upper)
