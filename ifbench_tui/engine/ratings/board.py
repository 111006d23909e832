"""One board from battles: fit, interval, ranks and counts per model, with every warning."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from ifbench_tui.engine.ratings.battles import Battles, Codes, Counts, Floats, Ties, aggregate
from ifbench_tui.engine.ratings.bootstrap import (
    Bootstrap,
    Progress,
    bootstrap,
    cluster_bootstrap,
)
from ifbench_tui.engine.ratings.bradley_terry import Fit, FitSettings, fit
from ifbench_tui.engine.ratings.connectivity import Unbounded
from ifbench_tui.engine.ratings.elo import Elo, elo
from ifbench_tui.engine.ratings.intervals import (
    Intervals,
    Simultaneous,
    intervals,
    rank_intervals,
    ranks_from_bounds,
)
from ifbench_tui.engine.ratings.style import StyleFit, StylePreset, fit_style
from ifbench_tui.engine.ratings.style_bootstrap import style_bootstrap

__all__ = ["Board", "BoardSettings", "IntervalKind", "ModelRow", "rate"]

IntervalKind: TypeAlias = Literal["sandwich", "fisher", "bootstrap", "none"]


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Every choice that shapes a board. `cluster` names one of the battles' groups."""

    method: Literal["bt", "elo"] = "bt"
    ties: Ties = "half"
    style: StylePreset | None = None
    interval: IntervalKind = "sandwich"
    level: float = 0.95
    rounds: int = 1000
    seed: int = 0
    cluster: str | None = None
    simultaneous: Simultaneous = "none"
    k_factor: float = 4.0
    fit: FitSettings = field(default_factory=FitSettings)


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model of a board. Ranks count inside its component; None where nothing can be said."""

    name: str
    component: int
    rating: float
    lower: float | None
    upper: float | None
    se: float | None
    rank_low: int
    rank_high: int
    battles: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    unbounded: Unbounded | None
    regularised: bool


@dataclass(frozen=True, slots=True)
class Board:
    """Rows by component, then by falling rating."""

    settings: BoardSettings
    n_battles: int
    outcomes: Mapping[str, int]
    components: tuple[tuple[str, ...], ...]
    warnings: tuple[str, ...]
    rows: tuple[ModelRow, ...]
    fit: Fit | None
    intervals: Intervals | None
    bootstrap: Bootstrap | None
    style: StyleFit | None
    converged: bool
    iterations: int

    def to_dict(self) -> dict[str, object]:
        """The JSON contract of the `rate` command, without the refused rows."""
        style = None
        if self.style is not None:
            style = {
                "features": list(self.style.features),
                "coefficients": self.style.coefficients.tolist(),
                "lower": self.style.lower.tolist(),
                "upper": self.style.upper.tolist(),
            }
        return {
            "method": self.settings.method,
            "settings": asdict(self.settings),
            "n_battles": self.n_battles,
            "outcomes": dict(self.outcomes),
            "components": [list(names) for names in self.components],
            "warnings": list(self.warnings),
            "models": [asdict(row) for row in self.rows],
            "style": style,
            "converged": self.converged,
            "iterations": self.iterations,
        }


@dataclass(frozen=True, slots=True)
class _Parts:
    """What was computed for a board."""

    fit: Fit
    bars: Intervals | None = None
    rounds: Bootstrap | None = None
    style: StyleFit | None = None
    sequential: Elo | None = None

    @property
    def ratings(self) -> Floats:
        return self.fit.ratings if self.sequential is None else self.sequential.ratings

    @property
    def warnings(self) -> tuple[str, ...]:
        if self.sequential is not None:
            return ("sequential Elo depends on the order of the battles: see its spread",)
        notes = self.fit.warnings if self.style is None else self.style.warnings
        return notes + (() if self.rounds is None else self.rounds.warnings)


def rate(
    battles: Battles,
    settings: BoardSettings | None = None,
    *,
    style_sides: Mapping[str, tuple[Floats, Floats]] | None = None,
    progress: Progress | None = None,
) -> Board:
    """Rate `battles` by the settings; `style_sides` holds the style counts of both sides.

    Raises KeyError for an unknown anchor or cluster, ValueError where style control is asked for
    without counts.
    """
    settings = settings or BoardSettings()
    keep = battles.with_ties(settings.ties)
    if not keep.all():
        battles = battles.select(keep)
        sides = (style_sides or {}).items()
        style_sides = {name: (a[keep], b[keep]) for name, (a, b) in sides}
    clusters = None if settings.cluster is None else battles.groups[settings.cluster]
    counts = aggregate(battles)
    if settings.method == "elo":
        sequential = elo(battles, k_factor=settings.k_factor)
        parts = _Parts(fit(counts), sequential=sequential)
    elif settings.style is not None:
        if not style_sides:
            raise ValueError("style control needs style counts of both sides")
        parts = _style_parts(battles, style_sides, clusters, settings, progress)
    else:
        parts = _plain_parts(battles, counts, clusters, settings, progress)
    return _assemble(settings, counts, parts)


def _plain_parts(
    battles: Battles,
    counts: Counts,
    clusters: Codes | None,
    settings: BoardSettings,
    progress: Progress | None,
) -> _Parts:
    fitted = fit(counts, settings=settings.fit)
    if settings.interval == "none" or not counts.total:
        return _Parts(fitted)
    if settings.interval != "bootstrap":
        bars = intervals(
            fitted,
            counts,
            kind=settings.interval,
            level=settings.level,
            clustered=None if clusters is None else (battles, clusters),
        )
        return _Parts(fitted, bars=bars)
    resample = (
        partial(bootstrap, fitted, counts)
        if clusters is None
        else partial(cluster_bootstrap, fitted, battles, clusters)
    )
    rng = np.random.default_rng(settings.seed)
    rounds = resample(rounds=settings.rounds, rng=rng, level=settings.level, progress=progress)
    return _Parts(fitted, rounds=rounds)


def _style_parts(
    battles: Battles,
    sides: Mapping[str, tuple[Floats, Floats]],
    clusters: Codes | None,
    settings: BoardSettings,
    progress: Progress | None,
) -> _Parts:
    style = fit_style(
        battles,
        sides,
        preset=settings.style or "plain",
        settings=settings.fit,
        level=settings.level,
        clusters=clusters,
    )
    if settings.interval != "bootstrap":
        bars = None if settings.interval == "none" else style.intervals
        return _Parts(style.fit, bars=bars, style=style)
    resampled = style_bootstrap(
        style,
        rounds=settings.rounds,
        rng=np.random.default_rng(settings.seed),
        clusters=clusters,
        level=settings.level,
        progress=progress,
    )
    return _Parts(style.fit, rounds=resampled.ratings, style=style)


def _assemble(settings: BoardSettings, counts: Counts, parts: _Parts) -> Board:
    fitted = parts.fit
    rows = _rows(settings, counts, parts)
    return Board(
        settings,
        counts.total,
        counts.outcomes(),
        tuple(tuple(fitted.models[m] for m in members) for members in fitted.structure.weak),
        parts.warnings,
        tuple(sorted(rows, key=lambda row: (row.component, -row.rating, row.name))),
        None if parts.sequential is not None else fitted,
        parts.bars,
        parts.rounds,
        parts.style,
        fitted.converged,
        fitted.iterations,
    )


def _rows(settings: BoardSettings, counts: Counts, parts: _Parts) -> list[ModelRow]:
    fitted, names, tally = parts.fit, parts.fit.models, counts.tally()
    owner = np.asarray(fitted.structure.component_of(), dtype=np.int64)
    lower, upper, se = _bounds(len(names), parts.bars, parts.rounds)
    if parts.bars is not None:
        ranks = rank_intervals(parts.bars, simultaneous=settings.simultaneous)
    else:
        bounds = (parts.ratings, parts.ratings) if parts.rounds is None else (lower, upper)
        ranks = ranks_from_bounds(names, *bounds, owner, settings.level)
    plain = parts.sequential is None
    return [
        ModelRow(
            name,
            int(owner[i]),
            float(parts.ratings[i]),
            _number(lower[i]),
            _number(upper[i]),
            _number(se[i]),
            int(ranks.best[i]),
            int(ranks.worst[i]),
            int(tally.battles[i]),
            int(tally.wins[i]),
            int(tally.losses[i]),
            int(tally.ties[i]),
            int(tally.both_bad[i]),
            fitted.structure.unbounded[i] if plain else None,
            plain and bool(fitted.regularised[i]),
        )
        for i, name in enumerate(names)
    ]


def _bounds(
    k: int, bars: Intervals | None, rounds: Bootstrap | None
) -> tuple[Floats, Floats, Floats]:
    if bars is not None:
        return bars.lower, bars.upper, bars.se
    if rounds is not None:
        return rounds.lower, rounds.upper, np.sqrt(rounds.variance)
    nothing = np.full(k, math.nan)
    return nothing, nothing, nothing


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
