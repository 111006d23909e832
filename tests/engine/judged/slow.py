"""A second, naive way to the numbers: plain loops, one coordinate at a time, no linear algebra."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["slow_choice", "slow_fit"]

Rows = Sequence[tuple[Sequence[float], float, float]]
"""Features, target, weight."""


def _slope(rows: Rows, w: list[float], j: int, c: float) -> float:
    total = 0.0
    for x, t, weight in rows:
        z = sum(a * b for a, b in zip(x, w, strict=True))
        p = 1.0 / (1.0 + math.exp(-z)) if z > -700 else 0.0
        total += weight * (p - t) * x[j]
    return c * total


def _best(rows: Rows, w: list[float], j: int, c: float) -> float:
    """The minimum along one coordinate: 0 where the slope is within the penalty, else bisection."""
    at_zero = [*w]
    at_zero[j] = 0.0
    slope = _slope(rows, at_zero, j, c)
    if abs(slope) <= 1.0:
        return 0.0
    sign = -1.0 if slope > 0 else 1.0
    low, high = 0.0, 1.0

    def uphill(size: float) -> bool:
        at_zero[j] = sign * size
        return sign * _slope(rows, at_zero, j, c) + 1.0 > 0

    while not uphill(high) and high < 1e4:
        low, high = high, 2.0 * high
    for _ in range(70):
        middle = (low + high) / 2.0
        if uphill(middle):
            high = middle
        else:
            low = middle
    return sign * (low + high) / 2.0


def slow_fit(rows: Rows, c: float) -> list[float]:
    """Minimise |w|_1 + C times the weighted loss by cycling through the coordinates."""
    w = [0.0] * len(rows[0][0])
    for _ in range(2000):
        moved = 0.0
        for j in range(len(w)):
            new = _best(rows, w, j, c)
            moved = max(moved, abs(new - w[j]))
            w[j] = new
        if moved < 1e-10:
            break
    return w


def slow_choice(rows: Rows, grid: Sequence[float], folds: int = 5) -> tuple[float, list[float]]:
    """The C of the best cross-validation score and all scores."""
    n = len(rows)
    held: list[list[int]] = [[] for _ in range(folds)]
    for place, row in enumerate(reversed(range(n))):
        held[place % folds].append(row)
    scores = []
    for c in grid:
        of_folds = []
        for fold in held:
            w = slow_fit([row for i, row in enumerate(rows) if i not in fold], c)
            loss = 0.0
            for i in fold:
                x, t, weight = rows[i]
                z = sum(a * b for a, b in zip(x, w, strict=True))
                p = min(max(1.0 / (1.0 + math.exp(-z)), 1e-15), 1 - 1e-15)
                loss -= weight * (t * math.log(p) + (1 - t) * math.log(1 - p))
            of_folds.append(-loss / len(fold))
        scores.append(sum(of_folds) / folds)
    return grid[scores.index(max(scores))], scores
