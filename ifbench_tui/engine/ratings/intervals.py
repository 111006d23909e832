"""Intervals of ratings, of differences and of ranks, from a covariance of the strengths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np

from ifbench_tui.engine.ratings.battles import Battles, Bools, Codes, Counts, Floats
from ifbench_tui.engine.ratings.bradley_terry import ELO_PER_NAT, Fit
from ifbench_tui.engine.ratings.covariance import CovarianceKind, covariance
from ifbench_tui.engine.ratings.distributions import chi_square_quantile, normal_quantile

__all__ = [
    "Difference",
    "Intervals",
    "RankIntervals",
    "Simultaneous",
    "intervals",
    "intervals_from",
    "rank_intervals",
    "ranks_from_bounds",
]

Simultaneous: TypeAlias = Literal["none", "bonferroni", "ellipsoid"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Rating of one model minus another (Elo) with its own interval; nan where they never met."""

    better: str
    worse: str
    elo: float
    se: float
    lower: float
    upper: float
    p_value: float

    @property
    def separated(self) -> bool:
        """The interval of the difference leaves out zero."""
        return self.lower > 0.0 or self.upper < 0.0


@dataclass(frozen=True, slots=True)
class Intervals:
    """Standard errors and bounds in Elo; nan where no rating, and so no interval, exists.

    `covariance` is that of the natural strengths, mean-zero inside each component. An anchored
    model has width 0 and the others of its component carry the error of their distance to it.
    """

    models: tuple[str, ...]
    ratings: Floats
    covariance: Floats
    component: Codes
    undefined: Bools
    se: Floats
    lower: Floats
    upper: Floats
    kind: CovarianceKind
    clustered: bool
    level: float

    def difference(self, i: int, j: int) -> Difference:
        """Interval of R_i - R_j, from V_ii + V_jj - 2 V_ij (not from the overlap of two bars)."""
        v = self.covariance
        se = ELO_PER_NAT * math.sqrt(max(0.0, float(v[i, i] + v[j, j] - 2.0 * v[i, j])))
        elo = float(self.ratings[i] - self.ratings[j])
        if self.component[i] != self.component[j] or self.undefined[i] or self.undefined[j]:
            elo, se = (math.nan, math.nan)
        half = normal_quantile(self.level) * se
        p_value = 2.0 * NormalDist().cdf(-abs(elo / se)) if se > 0 else math.nan
        names = self.models[i], self.models[j]
        return Difference(*names, elo, se, elo - half, elo + half, p_value)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON; None stands for a bound that does not exist."""

        def plain(values: Floats) -> dict[str, float | None]:
            return {
                m: None if math.isnan(v) else v
                for m, v in zip(self.models, values.tolist(), strict=True)
            }

        return {
            "interval": self.kind,
            "clustered": self.clustered,
            "level": self.level,
            "se": plain(self.se),
            "lower": plain(self.lower),
            "upper": plain(self.upper),
        }


@dataclass(frozen=True, slots=True)
class RankIntervals:
    """Best and worst rank of each model inside its own component (1 is best; ranks may skip)."""

    models: tuple[str, ...]
    best: Codes
    worst: Codes


def intervals(
    fit: Fit,
    counts: Counts,
    *,
    kind: CovarianceKind = "sandwich",
    level: float = 0.95,
    clustered: tuple[Battles, Codes] | None = None,
    information_ridge: float = 0.0,
) -> Intervals:
    """Normal intervals R +- z * (400 / ln 10) * sqrt(V) for every model that has a rating.

    Models whose likelihood is unbounded and models without battles get nan. Under a prior the
    interval is that of the regularised rating. See `covariance` for the other arguments.
    """
    v = covariance(fit, counts, kind=kind, clustered=clustered, information_ridge=information_ridge)
    return intervals_from(fit, v, kind=kind, level=level, clustered=clustered is not None)


def intervals_from(
    fit: Fit, v: Floats, *, kind: CovarianceKind, level: float = 0.95, clustered: bool = False
) -> Intervals:
    """`intervals` from a covariance of the natural strengths that the caller has already."""
    component = np.asarray(fit.structure.component_of(), dtype=np.int64)
    alone = np.bincount(component, minlength=len(fit.structure.weak))[component] == 1
    undefined = alone | np.array([u is not None for u in fit.structure.unbounded], dtype=bool)
    variance = v.diagonal().copy()
    if fit.settings.anchor is not None:
        anchor = fit.models.index(fit.settings.anchor.model)
        moved = component == component[anchor]
        distance = variance + variance[anchor] - 2.0 * v[:, anchor]
        variance = np.where(moved, distance, variance)
        variance[anchor] = 0.0
        if undefined[anchor]:
            undefined = undefined | moved
    se = ELO_PER_NAT * np.sqrt(np.maximum(variance, 0.0))
    se = np.where(undefined, math.nan, se)
    half = normal_quantile(level) * se
    return Intervals(
        fit.models,
        fit.ratings,
        v,
        component,
        undefined,
        se,
        fit.ratings - half,
        fit.ratings + half,
        kind,
        clustered,
        level,
    )


def rank_intervals(of: Intervals, *, simultaneous: Simultaneous = "none") -> RankIntervals:
    """Ranks the data allow: best = 1 + models surely above, worst = size - models surely below.

    "none": surely above means disjoint per-model intervals (the public board). "bonferroni": the
    interval of the difference, widened for all k (k - 1) one-sided claims, leaves out zero.
    "ellipsoid": disjoint intervals of half width se * sqrt(chi-square quantile, k - 1).
    A model without an interval is never surely above or below another.
    """
    if simultaneous == "none":
        lower, upper = of.lower, of.upper
    elif simultaneous == "ellipsoid":
        size = np.bincount(of.component)[of.component]
        widths = {
            n: math.sqrt(chi_square_quantile(of.level, n - 1)) for n in set(size.tolist()) - {1}
        }
        half = of.se * np.array([widths.get(n, math.nan) for n in size.tolist()])
        lower, upper = of.ratings - half, of.ratings + half
    else:
        return _ranks(of.models, _surely_above(of), of.component)
    return ranks_from_bounds(of.models, lower, upper, of.component)


def ranks_from_bounds(
    models: tuple[str, ...], lower: Floats, upper: Floats, component: Codes
) -> RankIntervals:
    """`rank_intervals` from any lower and upper bounds, such as bootstrap quantiles."""
    return _ranks(models, lower[:, None] > upper[None, :], component)


def _surely_above(of: Intervals) -> Bools:
    v = of.covariance
    variance = v.diagonal()[:, None] + v.diagonal()[None, :] - 2.0 * v
    size = np.bincount(of.component)[of.component]
    pairs = np.maximum(size * (size - 1) // 2, 1)
    z = {n: normal_quantile(1.0 - (1.0 - of.level) / n) for n in set(pairs.tolist())}
    widths = np.array([z[n] for n in pairs.tolist()])
    half = widths[:, None] * ELO_PER_NAT * np.sqrt(np.maximum(variance, 0.0))
    gap = of.ratings[:, None] - of.ratings[None, :]
    known = ~of.undefined
    return np.asarray((gap > half) & known[:, None] & known[None, :])


def _ranks(models: tuple[str, ...], above: Bools, component: Codes) -> RankIntervals:
    """`above[i, j]`: i is surely above j; pairs from different components do not count."""
    together = component[:, None] == component[None, :]
    sure = above & together
    best = 1 + sure.sum(axis=0)
    worst = together.sum(axis=1) - sure.sum(axis=1)
    return RankIntervals(models, best, worst)
