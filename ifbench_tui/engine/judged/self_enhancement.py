"""Whether a judge favours models of its own family (spec 5)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ifbench_tui.engine.judged.bias import Estimate
from ifbench_tui.engine.judged.rows import JudgeScore
from ifbench_tui.engine.judged.verdicts import MISSING_RATING

__all__ = ["SelfEnhancement", "self_enhancement"]


@dataclass(frozen=True, slots=True)
class SelfEnhancement:
    """How much more a judge likes its own family than a reference judge does.

    `effect` = mean gap (judge - reference) over own-family items minus that over all others.
    """

    judge: str
    reference: str
    n_own: int
    n_other: int
    own_gap: float | None
    other_gap: float | None
    effect: Estimate

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "judge": self.judge,
            "reference": self.reference,
            "n_own": self.n_own,
            "n_other": self.n_other,
            "own_gap": self.own_gap,
            "other_gap": self.other_gap,
            "self_enhancement": self.effect.value,
            "lower": self.effect.lower,
            "upper": self.effect.upper,
            "enough": self.effect.enough,
        }


def self_enhancement(
    scores: Iterable[JudgeScore], judge: str, reference: str, *, rounds: int = 1000, seed: int = 0
) -> SelfEnhancement:
    """Difference in differences over items both judges scored; -1 and None are left out.

    Interval: percentile bootstrap over questions.
    """
    mine: dict[tuple[Hashable, str], tuple[bool, float]] = {}
    theirs: dict[tuple[Hashable, str], float] = {}
    for one in scores:
        if one.score is None or one.score == MISSING_RATING:
            continue
        if one.judge == judge:
            mine[one.question, one.model] = one.family == one.judge_family, one.score
        elif one.judge == reference:
            theirs[one.question, one.model] = one.score
    gaps = [
        (item[0], is_own, score - theirs[item])
        for item, (is_own, score) in mine.items()
        if item in theirs
    ]
    own = [gap for _, is_own, gap in gaps if is_own]
    other = [gap for _, is_own, gap in gaps if not is_own]
    own_gap = math.fsum(own) / len(own) if own else None
    other_gap = math.fsum(other) / len(other) if other else None
    effect = Estimate(min(len(own), len(other)), None)
    if own_gap is not None and other_gap is not None:
        bounds = _bootstrap_gap(gaps, rounds, np.random.default_rng(seed))
        effect = Estimate(effect.n, own_gap - other_gap, *bounds)
    return SelfEnhancement(judge, reference, len(own), len(other), own_gap, other_gap, effect)


def _bootstrap_gap(
    gaps: Sequence[tuple[Hashable, bool, float]], rounds: int, rng: np.random.Generator
) -> tuple[float | None, float | None]:
    """2.5 % and 97.5 % quantiles over resampled questions; None where too few rounds have both."""
    places: dict[Hashable, int] = {}
    for question, _, _ in gaps:
        places.setdefault(question, len(places))
    sums = np.zeros((4, len(places)))
    for question, is_own, gap in gaps:
        kind = 0 if is_own else 2
        sums[kind, places[question]] += gap
        sums[kind + 1, places[question]] += 1.0
    times = rng.multinomial(len(places), np.full(len(places), 1.0 / len(places)), size=rounds)
    own, n_own, other, n_other = (times @ row for row in sums)
    both = (n_own > 0) & (n_other > 0)
    if 2 * int(both.sum()) < rounds:
        return None, None
    effects = own[both] / n_own[both] - other[both] / n_other[both]
    lower, upper = np.quantile(effects, (0.025, 0.975)).tolist()
    return lower, upper
