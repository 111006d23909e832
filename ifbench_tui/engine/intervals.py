"""Intervals and exact tests on shares, each with its formula and source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "Z95",
    "PairedComparison",
    "clustered",
    "compare_paired",
    "wilson",
]

Z95 = 1.959963984540054


def wilson(hits: float, n: float, z: float = Z95) -> tuple[float, float] | None:
    """Score interval of a share (Wilson, 1927); None when n is 0.

    Centre (p + z²/2n) / (1 + z²/n), half width z·sqrt(p(1-p)/n + z²/4n²) / (1 + z²/n).
    `hits` and `n` may be fractional, as an effective sample size is.
    """
    if n <= 0:
        return None
    share = hits / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    lower = 0.0 if hits <= 0 else max(0.0, centre - half)
    upper = 1.0 if hits >= n else min(1.0, centre + half)
    return lower, upper


def clustered(
    hits: Sequence[int], sizes: Sequence[int], z: float = Z95
) -> tuple[float, float] | None:
    """Interval of the share sum(hits)/sum(sizes) when units come in clusters (prompts).

    The variance of the ratio is linearised, C/(C-1) · Σ(hᵢ - p·mᵢ)² / M² over C clusters of size
    mᵢ (Cochran, 1977, 6.3). It gives the effective sample size p(1-p)/variance, at most M, on
    which the Wilson interval is taken (Korn & Graubard, 1998). Where the variance is 0 every
    cluster counts once. None when there is no unit.
    """
    total = sum(sizes)
    filled = [(hit, size) for hit, size in zip(hits, sizes, strict=True) if size]
    if not total:
        return None
    share = sum(hits) / total
    clusters = len(filled)
    effective = float(clusters)
    if clusters > 1:
        squares = math.fsum((hit - share * size) ** 2 for hit, size in filled)
        variance = clusters / (clusters - 1) * squares / (total * total)
        if variance > 0:
            effective = min(share * (1 - share) / variance, float(total))
    return wilson(share * effective, effective, z)


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two models on the same prompts: who passes where the other fails.

    `difference` is share(a) - share(b) with a 95 % interval; `p_value` is exact McNemar.
    """

    n: int
    both: int
    only_a: int
    only_b: int
    neither: int
    difference: float | None
    lower: float | None
    upper: float | None
    p_value: float

    def to_dict(self) -> dict[str, int | float | None]:
        return {
            "n": self.n,
            "both": self.both,
            "only_a": self.only_a,
            "only_b": self.only_b,
            "neither": self.neither,
            "difference": self.difference,
            "lower": self.lower,
            "upper": self.upper,
            "p_value": self.p_value,
        }


def compare_paired(a: Sequence[bool], b: Sequence[bool], z: float = Z95) -> PairedComparison:
    """Compare two verdicts on each of n prompts.

    The p-value is the two-sided exact McNemar test: the discordant pairs are a fair coin under
    the null, p = min(1, 2·P(X <= min(b, c))) with X ~ Binomial(b + c, 1/2). The interval is the
    adjusted one of Bonett & Price (2012): with p₁₂ = (b+1)/(n+2) and p₂₁ = (c+1)/(n+2), it is
    p₁₂ - p₂₁ ± z·sqrt((p₁₂ + p₂₁ - (p₁₂ - p₂₁)²)/(n+2)), cut to [-1, 1]. Empty input has no
    difference and p = 1. Raises ValueError when the lengths differ.
    """
    pairs = list(zip(a, b, strict=True))
    n = len(pairs)
    both = sum(1 for x, y in pairs if x and y)
    only_a = sum(1 for x, y in pairs if x and not y)
    only_b = sum(1 for x, y in pairs if y and not x)
    neither = n - both - only_a - only_b
    p_value = _mcnemar(only_a, only_b)
    if not n:
        return PairedComparison(0, 0, 0, 0, 0, None, None, None, p_value)
    p12, p21 = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    centre = p12 - p21
    half = z * math.sqrt((p12 + p21 - centre * centre) / (n + 2))
    return PairedComparison(
        n,
        both,
        only_a,
        only_b,
        neither,
        (only_a - only_b) / n,
        max(-1.0, centre - half),
        min(1.0, centre + half),
        p_value,
    )


def _mcnemar(b: int, c: int) -> float:
    discordant = b + c
    tail = sum(math.comb(discordant, k) for k in range(min(b, c) + 1))
    return min(1.0, 2 * tail / (1 << discordant))
