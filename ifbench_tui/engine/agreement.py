"""Agreement of raters on the same items, beyond chance: Cohen, Fleiss, Krippendorff."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass

from ifbench_tui.engine.intervals import Z95

__all__ = [
    "Alpha",
    "FleissKappa",
    "Kappa",
    "cohen_kappa",
    "cohen_kappa_from_table",
    "fleiss_kappa",
    "krippendorff_alpha",
    "majority_label",
]


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa of two raters; None where it is undefined (chance agreement is 1, or n is 0).

    `se` is the large-sample standard error under the observed table; bounds are cut to [-1, 1].
    """

    n: int
    observed: float | None
    expected: float | None
    kappa: float | None
    se: float | None
    lower: float | None
    upper: float | None

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FleissKappa:
    """Fleiss' kappa of items that all have the same number of ratings; None where undefined."""

    items: int
    raters: int
    observed: float | None
    expected: float | None
    kappa: float | None

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's nominal alpha over `items` with at least two ratings; None where undefined."""

    items: int
    ratings: int
    alpha: float | None

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values for JSON."""
        return asdict(self)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable], z: float = Z95) -> Kappa:
    """(po - pe) / (1 - pe) of two raters who labelled the same items, pe from their two marginals.

    Raises ValueError when the raters have different numbers of labels.
    """
    return cohen_kappa_from_table(Counter(zip(first, second, strict=True)), z)


def cohen_kappa_from_table(table: Counter[tuple[Hashable, Hashable]], z: float = Z95) -> Kappa:
    """`cohen_kappa` from how often each pair of labels occurred.

    Standard error: Fleiss, Cohen & Everitt (1969), equation 13.
    """
    n = table.total()
    if not n:
        return Kappa(0, None, None, None, None, None, None)
    rows: Counter[Hashable] = Counter()
    columns: Counter[Hashable] = Counter()
    for (x, y), count in table.items():
        rows[x] += count
        columns[y] += count
    agreed = sum(count for (x, y), count in table.items() if x == y)
    chance = sum(count * columns[label] for label, count in rows.items())
    po, pe = agreed / n, chance / n**2
    if chance == n * n:
        return Kappa(n, po, pe, None, None, None, None)
    kappa = (po - pe) / (1.0 - pe)
    total = 0.0
    for (x, y), count in table.items():
        if x == y:
            total += count / n * ((1.0 - pe) - (columns[x] + rows[x]) / n * (1.0 - po)) ** 2
        else:
            total += count / n * ((1.0 - po) * (columns[x] + rows[y]) / n) ** 2
    variance = (total - (po * pe - 2.0 * pe + po) ** 2) / (n * (1.0 - pe) ** 4)
    se = math.sqrt(max(0.0, variance))
    return Kappa(n, po, pe, kappa, se, max(-1.0, kappa - z * se), min(1.0, kappa + z * se))


def fleiss_kappa(items: Sequence[Sequence[Hashable]]) -> FleissKappa:
    """(P - Pe) / (1 - Pe), P the mean share of agreeing pairs per item, Pe the sum of p_c squared.

    Raises ValueError unless every item has the same number of ratings, at least two.
    """
    if not items:
        return FleissKappa(0, 0, None, None, None)
    raters = len(items[0])
    if raters < 2 or any(len(ratings) != raters for ratings in items):
        raise ValueError("Fleiss' kappa needs the same number of ratings, at least 2, on each item")
    totals: Counter[Hashable] = Counter()
    agreeing = 0
    for ratings in items:
        counts = Counter(ratings)
        totals.update(counts)
        agreeing += sum(c * (c - 1) for c in counts.values())
    everything = len(items) * raters
    observed = agreeing / (everything * (raters - 1))
    expected = sum(c * c for c in totals.values()) / everything**2
    kappa = (observed - expected) / (1.0 - expected) if len(totals) > 1 else None
    return FleissKappa(len(items), raters, observed, expected, kappa)


def krippendorff_alpha(items: Sequence[Sequence[Hashable]]) -> Alpha:
    """1 - Do/De for nominal labels and any number of ratings per item.

    Items with one rating are left out. Do: disagreeing ordered pairs, each item's divided by its
    ratings less one; De: disagreeing pairs of all ratings pooled, divided by their number less one.
    """
    totals: Counter[Hashable] = Counter()
    disagreeing = 0.0
    used = 0
    for ratings in items:
        m = len(ratings)
        if m < 2:
            continue
        used += 1
        counts = Counter(ratings)
        totals.update(counts)
        disagreeing += (m * m - sum(c * c for c in counts.values())) / (m - 1)
    n = totals.total()
    expected = n * n - sum(c * c for c in totals.values())
    alpha = 1.0 - disagreeing * (n - 1) / expected if expected else None
    return Alpha(used, n, alpha)


def majority_label(labels: Sequence[str], tie: str = "tie") -> str:
    """The label given strictly more often than any other, else `tie`."""
    ranked = Counter(labels).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return tie
    return ranked[0][0]
