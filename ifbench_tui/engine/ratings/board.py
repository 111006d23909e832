"""One board from battles: fit, interval, ranks and counts per model, with every warning."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from ifbench_tui.engine.ratings.battles import Battles, Counts, Floats, aggregate
from ifbench_tui.engine.ratings.bootstrap import (
    Bootstrap,
    Progress,
)
from ifbench_tui.engine.ratings.bradley_terry import Fit
from ifbench_tui.engine.ratings.connectivity import Unbounded
from ifbench_tui.engine.ratings.intervals import (
    Intervals,
    rank_intervals,
    ranks_from_bounds,
)
from ifbench_tui.engine.ratings.method import BoardSettings, Found, IntervalKind, RateTask
from ifbench_tui.engine.ratings.methods import method_of
from ifbench_tui.engine.ratings.style import StyleFit

__all__ = ["Board", "BoardSettings", "IntervalKind", "ModelRow", "Remark", "rate"]


@dataclass(frozen=True, slots=True)
class Remark:
    """What to say about the settings, and the choice that would change it; how to make that choice
    is for whoever shows it to add."""

    words: str
    choice: str = ""


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
    task = RateTask(battles, counts, settings, clusters, style_sides, progress)
    return _assemble(settings, counts, method_of(settings.method).rate(task))


def _assemble(settings: BoardSettings, counts: Counts, found: Found) -> Board:
    fitted = found.fit
    rows = _rows(settings, counts, found)
    return Board(
        settings,
        counts.total,
        counts.outcomes(),
        tuple(tuple(fitted.models[m] for m in members) for members in fitted.structure.weak),
        found.warnings,
        tuple(sorted(rows, key=lambda row: (row.component, -row.rating, row.name))),
        fitted if found.likelihood else None,
        found.bars,
        found.rounds,
        found.style,
        fitted.converged,
        fitted.iterations,
    )


def _rows(settings: BoardSettings, counts: Counts, found: Found) -> list[ModelRow]:
    fitted, names, tally = found.fit, found.fit.models, counts.tally()
    owner = np.asarray(fitted.structure.component_of(), dtype=np.int64)
    lower, upper, se = _bounds(len(names), found.bars, found.rounds)
    if found.bars is not None:
        ranks = rank_intervals(found.bars, simultaneous=settings.simultaneous)
    else:
        bounds = (found.ratings, found.ratings) if found.rounds is None else (lower, upper)
        ranks = ranks_from_bounds(names, *bounds, owner)
    plain = found.likelihood
    return [
        ModelRow(
            name,
            int(owner[i]),
            float(found.ratings[i]),
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
