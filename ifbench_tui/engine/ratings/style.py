"""Style control: ratings with the influence of length and markdown taken out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from ifbench_tui.engine.ratings.battles import Battles, Codes, Floats, aggregate, pair_weights
from ifbench_tui.engine.ratings.bradley_terry import (
    ELO_PER_NAT,
    Fit,
    FitSettings,
    fit_scores,
    gauge,
)
from ifbench_tui.engine.ratings.covariates import CovariateFit, CovariateRows, fit_covariates
from ifbench_tui.engine.ratings.distributions import normal_quantile
from ifbench_tui.engine.ratings.intervals import Intervals, intervals_from
from ifbench_tui.engine.ratings.style_text import StyleCounts, feature_total, style_counts

__all__ = [
    "FEATURES",
    "StyleCounts",
    "StyleFit",
    "StylePreset",
    "feature_total",
    "fit_style",
    "fit_style_matrix",
    "relative_difference",
    "standardised",
    "style_counts",
]

StylePreset: TypeAlias = Literal["plain", "fastchat", "arena-rank"]
Sides: TypeAlias = tuple[Floats, Floats]
FEATURES = ("tokens", "header", "list", "bold")
INTERCEPT = "side A"
_HALF_LONGER = 0.5 / 2.5


@dataclass(frozen=True, slots=True)
class StyleFit:
    """Style-controlled ratings, the coefficients of the style features, and what control changed.

    Coefficients are logits per standard deviation of the feature ("side A": logits for standing on
    side A). `longer` is the rating advantage in Elo of being half as long again as the opponent.
    Shifts are against the same fit without style; rank shifts count places gained (positive) inside
    the component.
    """

    fit: Fit
    intervals: Intervals
    preset: StylePreset
    features: tuple[str, ...]
    coefficients: Floats
    se: Floats
    lower: Floats
    upper: Floats
    longer: float | None
    rating_shift: Floats
    rank_shift: Codes
    condition: float
    rows: CovariateRows
    ridge: Floats
    warnings: tuple[str, ...]

    @property
    def elo_per_sd(self) -> Floats:
        """Coefficients in Elo."""
        return ELO_PER_NAT * self.coefficients

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        models = self.fit.models
        return {
            "style": {
                "preset": self.preset,
                "features": list(self.features),
                "coefficients": self.coefficients.tolist(),
                "se": self.se.tolist(),
                "lower": self.lower.tolist(),
                "upper": self.upper.tolist(),
                "elo_per_sd": self.elo_per_sd.tolist(),
                "elo_of_half_longer": self.longer,
            },
            "fit": self.fit.to_dict(),
            "rating_shift": dict(zip(models, self.rating_shift.tolist(), strict=True)),
            "rank_shift": dict(zip(models, self.rank_shift.tolist(), strict=True)),
            "settings": asdict(self.fit.settings),
            "warnings": list(self.warnings),
        }


def relative_difference(side_a: Floats, side_b: Floats, plus: float = 0.0) -> Floats:
    """(A - B) / (A + B + plus), and 0 where the denominator is 0."""
    total = side_a + side_b + plus
    return np.asarray(
        np.divide(side_a - side_b, total, out=np.zeros(len(total)), where=total != 0.0)
    )


def standardised(raw: Floats, ddof: int = 0) -> tuple[Floats, float]:
    """(raw - mean) / sd over all battles, and the sd (0 where the feature is constant)."""
    centred = raw - raw.mean() if len(raw) else raw
    sd = float(np.sqrt((centred**2).sum() / max(1, len(raw) - ddof)))
    if sd <= 1e-12 * float(np.abs(raw).max(initial=0.0)):
        return np.zeros(len(raw)), 0.0
    return centred / sd, sd


def fit_style(
    battles: Battles,
    sides: Mapping[str, Sides],
    *,
    preset: StylePreset = "plain",
    intercept: bool = False,
    settings: FitSettings | None = None,
    level: float = 0.95,
    clusters: Codes | None = None,
) -> StyleFit:
    """Rate `battles` with the style features of `sides` (name to counts of side A and side B).

    "plain": unregularised, (A - B)/(A + B). "fastchat": (A - B)/(A + B + 1), ridge 0.5 on the
    coefficients and on r = beta / ln 10. "arena-rank": (A - B)/(A + B), pairs reweighted by
    1/max(n, 50), ridge of one per battle on the coefficients. Features are standardised over all
    battles; a constant one is dropped with a message. Raises ValueError when a column's length is
    not the number of battles.
    """
    names, columns, notes, length_sd = [], [], [], math.nan
    for name, (side_a, side_b) in sides.items():
        if len(side_a) != len(battles) or len(side_b) != len(battles):
            raise ValueError(f"the style feature {name!r} does not have one value per battle")
        raw = relative_difference(side_a, side_b, 1.0 if preset == "fastchat" else 0.0)
        column, sd = standardised(raw)
        if sd == 0.0:
            notes.append(f"the style feature {name!r} is the same in every battle and was left out")
            continue
        names.append(name)
        columns.append(column)
        length_sd = sd if name == "tokens" else length_sd
    z = np.array(columns).reshape(len(columns), len(battles))
    result = fit_style_matrix(
        battles,
        z,
        tuple(names),
        preset=preset,
        intercept=intercept,
        settings=settings,
        level=level,
        clusters=clusters,
    )
    longer = None
    if "tokens" in names:
        longer = float(result.elo_per_sd[names.index("tokens")]) * _HALF_LONGER / length_sd
    return replace(result, longer=longer, warnings=(*result.warnings, *notes))


def fit_style_matrix(
    battles: Battles,
    z: Floats,
    features: tuple[str, ...],
    *,
    preset: StylePreset = "plain",
    intercept: bool = False,
    settings: FitSettings | None = None,
    level: float = 0.95,
    clusters: Codes | None = None,
) -> StyleFit:
    """`fit_style` with ready-made features: `z` is features x battles, used as it stands."""
    k, n = len(battles.models), len(battles)
    settings = settings or FitSettings()
    if preset == "fastchat":
        settings = replace(settings, prior="always")
    if intercept:
        features, z = (*features, INTERCEPT), np.concatenate([z, np.ones((1, n))])
    weighted = _arena_weights(battles) if preset == "arena-rank" else battles
    plain = fit_scores(battles.models, aggregate(weighted).score_matrix(), settings=settings)
    penalty = {"plain": 0.0, "fastchat": 0.5, "arena-rank": float(n)}[preset]
    ridge_style = np.array([0.0 if name == INTERCEPT else penalty for name in features])
    rows = CovariateRows(battles.a, battles.b, battles.y, z, weighted.weight)
    ridge = np.concatenate([plain.ridge, ridge_style])
    found = fit_covariates(k, rows, plain.structure, ridge=ridge, clusters=clusters)
    controlled = _controlled(plain, found, settings)
    se = np.sqrt(np.maximum(found.sandwich.diagonal()[k:], 0.0))
    half = normal_quantile(level) * se
    v, clustered = found.sandwich[:k, :k], clusters is not None
    return StyleFit(
        controlled,
        intervals_from(controlled, v, kind="sandwich", level=level, clustered=clustered),
        preset,
        features,
        found.gamma,
        se,
        found.gamma - half,
        found.gamma + half,
        None,
        controlled.ratings - plain.ratings,
        _places(plain) - _places(controlled),
        found.condition,
        rows,
        ridge,
        controlled.warnings,
    )


def _arena_weights(battles: Battles) -> Battles:
    """Weights 1/max(battles of the pair, 50), divided by their mean."""
    weight = pair_weights(len(battles.models), battles.a, battles.b, 50)
    return replace(battles, weight=weight / weight.mean() if len(weight) else weight)


def _controlled(plain: Fit, found: CovariateFit, settings: FitSettings) -> Fit:
    solution = found.solution
    notes = list(plain.warnings)
    if found.collinear:
        notes.append("the style features cannot be told apart (collinear): coefficients are loose")
    if not solution.converged:
        notes.append(
            "the style fit did not converge: some combination of features may decide every battle"
        )
    return replace(
        plain,
        ratings=gauge(plain.models, solution.beta, plain.structure, settings),
        beta=solution.beta,
        log_likelihood=found.log_likelihood,
        iterations=solution.iterations,
        converged=solution.converged,
        largest_step=solution.largest_step,
        gradient_norm=solution.gradient_norm,
        warnings=tuple(notes),
    )


def _places(fit: Fit) -> Codes:
    """Rank of each model inside its component by rating alone (1 is best)."""
    component = np.asarray(fit.structure.component_of(), dtype=np.int64)
    higher = fit.ratings[:, None] > fit.ratings[None, :]
    return np.asarray(1 + (higher & (component[:, None] == component[None, :])).sum(axis=0))
