"""What the votes say about the voters: position bias, suspicious raters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from ifbench_tui.engine.ratings.battles import Battles, Codes, Counts, Floats
from ifbench_tui.engine.ratings.bradley_terry import ELO_PER_NAT, PRIOR_PRECISION
from ifbench_tui.engine.ratings.connectivity import structure_of
from ifbench_tui.engine.ratings.covariates import CovariateRows, fit_covariates
from ifbench_tui.engine.ratings.distributions import binomial_two_sided, chi_square_quantile

__all__ = ["PositionBias", "SuspiciousRater", "position_bias", "suspicious_raters"]

_MOST_VOTES = 100
_NO_END = 100.0
"""Variance of a side's logit (a standard error of 1737 Elo) at which it is held to be infinite."""


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Preference for side A.

    `p_value`: exact two-sided binomial test of the decisive votes against 1/2. `intercept`: logit
    for side A beside the strengths of the models, with its Fisher standard error and in Elo; nan
    where there is no finite fit. `regularised`: the strengths needed a prior.
    """

    wins_a: int
    wins_b: int
    p_value: float
    intercept: float
    se: float
    elo: float
    regularised: bool

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            k: None if isinstance(v, float) and math.isnan(v) else v
            for k, v in asdict(self).items()
        }


def position_bias(counts: Counts) -> PositionBias:
    """Does side A win more often than chance, and than the strengths of the models explain?"""
    outcomes = counts.outcomes()
    wins_a, wins_b = outcomes["model_a"], outcomes["model_b"]
    k = len(counts.models)
    structure = structure_of(counts.score_matrix())
    separated = structure.separated()
    rows = CovariateRows(counts.a, counts.b, counts.y, np.ones((1, len(counts.y))), counts.mass)
    ridge = np.append(np.where(separated, PRIOR_PRECISION, 0.0), 0.0)
    intercept = se = math.nan
    if counts.total:
        found = fit_covariates(k, rows, structure, ridge=ridge)
        variance = float(found.fisher[k, k])
        # A side that wins whatever the models are runs off to infinity, where no information is.
        if found.solution.converged and not found.collinear and 0.0 < variance < _NO_END:
            intercept = float(found.gamma[0])
            se = math.sqrt(variance)
    return PositionBias(
        wins_a,
        wins_b,
        binomial_two_sided(wins_a, wins_a + wins_b),
        intercept,
        se,
        ELO_PER_NAT * intercept,
        bool(separated.any()),
    )


@dataclass(frozen=True, slots=True)
class SuspiciousRater:
    """A voter whose votes disagree with everyone else's more than chance allows.

    `evidence` is the largest test statistic divided by its threshold; above 1 is suspicious.
    """

    judge: int
    votes: int
    evidence: float
    suspicious: bool


def suspicious_raters(
    battles: Battles,
    judges: Codes,
    *,
    rule: str = "fastchat",
    alpha: float = 0.05,
    rng: np.random.Generator | None = None,
) -> tuple[SuspiciousRater, ...]:
    """Test every judge with at least 5 votes on its first 100.

    "fastchat": for each vote, oriented by sorted names, the share of the pair's decisive history at
    or below it and at or above it; suspicious when the running product of 1/(2 share) passes
    1/alpha on either side. "paper": p = (1 + others at or above the vote)/(others + 1) and Fisher's
    M_j = -2 sum ln p against chi-square(2 j, 1 - alpha/5) at five random j (needs `rng`).
    Raises ValueError for an unknown rule, or for "paper" without a generator.
    """
    if rule not in ("fastchat", "paper") or (rule == "paper" and rng is None):
        raise ValueError("the rule is 'fastchat', or 'paper' with a generator")
    k = len(battles.models)
    swap = battles.a > battles.b
    score = np.where(swap, 1.0 - battles.y, battles.y)
    pair = np.minimum(battles.a, battles.b).astype(np.int64) * k + np.maximum(battles.a, battles.b)
    history = _History(pair, score)
    found = []
    for judge, rows in _by_judge(judges):
        if len(rows) < 5:
            continue
        first = rows[:_MOST_VOTES]
        if rng is None or rule == "fastchat":
            evidence = alpha * history.betting(pair[first], score[first])
        else:
            evidence = history.fisher(pair[first], score[first], alpha, rng)
        found.append(SuspiciousRater(judge, len(rows), evidence, evidence > 1.0))
    return tuple(found)


class _History:
    """Votes of everyone per pair, for the share of votes at or beyond a given one."""

    def __init__(self, pair: Codes, score: Floats) -> None:
        order = np.lexsort((score, pair))
        self.pair, self.score = pair[order], score[order]
        decisive = self.score != 0.5
        self.decisive = self.pair[decisive], self.score[decisive]

    def betting(self, pair: Codes, score: Floats) -> float:
        """Largest running product of 1 / (2 share), over both directions."""
        up, low = [], []
        for p, y in zip(pair.tolist(), score.tolist(), strict=True):
            history = _slice(*self.decisive, p)
            if len(history):
                least = 1.0 / (len(history) + 1)
                up.append(max(float((history <= y).mean()), least))
                low.append(max(float((history >= y).mean()), least))
        best = 0.0
        for shares in (up, low):
            running = np.cumsum(-np.log(2.0 * np.array(shares)))
            best = max(best, math.exp(min(700.0, float(running.max(initial=-700.0)))))
        return best

    def fisher(self, pair: Codes, score: Floats, alpha: float, rng: np.random.Generator) -> float:
        """Largest M_j over its chi-square bound, at five random j."""
        terms = []
        for p, y in zip(pair.tolist(), score.tolist(), strict=True):
            history = _slice(self.pair, self.score, p)
            others = len(history) - 1
            terms.append(math.log(int((history >= y).sum()) / (others + 1)))
        m = -2.0 * np.cumsum(terms)
        stops = np.minimum(rng.integers(1, _MOST_VOTES + 1, size=5), len(m))
        bounds = (chi_square_quantile(1.0 - alpha / 5.0, 2.0 * j) for j in stops.tolist())
        return max(float(m[j - 1]) / bound for j, bound in zip(stops.tolist(), bounds, strict=True))


def _slice(pairs: Codes, scores: Floats, pair: int) -> Floats:
    start, stop = np.searchsorted(pairs, (pair, pair + 1))
    return scores[start:stop]


def _by_judge(judges: Codes) -> Iterator[tuple[int, Codes]]:
    order = np.argsort(judges, kind="stable")
    labels, start = np.unique(judges[order], return_index=True)
    yield from zip(labels.tolist(), np.split(order, start[1:]), strict=True)
