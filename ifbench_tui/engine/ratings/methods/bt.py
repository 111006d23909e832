"""Bradley-Terry: the exact maximum of the likelihood, with intervals and style control."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ifbench_tui.engine.ratings.bootstrap import Bootstrap, bootstrap, cluster_bootstrap
from ifbench_tui.engine.ratings.bradley_terry import Fit, fit
from ifbench_tui.engine.ratings.intervals import Intervals, intervals
from ifbench_tui.engine.ratings.method import BoardSettings, Found, Method, RateTask
from ifbench_tui.engine.ratings.style import StyleFit, fit_style
from ifbench_tui.engine.ratings.style_bootstrap import style_bootstrap

__all__ = ["METHOD"]

_NOTHING = 1e-6
"""Elo: a standard error below this is none."""

_NAMED = 3


class _BradleyTerry(Method):
    id = "bt"
    title = "Bradley-Terry"
    words = "Bradley-Terry"
    takes = frozenset({"style", "anchor", "cluster", "weights"})

    def rate(self, task: RateTask) -> Found:
        return _plain(task) if task.settings.style is None else _styled(task)

    def gauge(self, settings: BoardSettings) -> str:
        return f"mean {settings.fit.centre:g}"


METHOD = _BradleyTerry()


def _found(
    fitted: Fit,
    *,
    bars: Intervals | None = None,
    rounds: Bootstrap | None = None,
    style: StyleFit | None = None,
) -> Found:
    notes = fitted.warnings if style is None else style.warnings
    notes += () if rounds is None else rounds.warnings
    notes += () if bars is None else tuple(_useless(bars, fitted))
    return Found(fitted, notes, fitted.ratings, bars, rounds, style)


def _useless(bars: Intervals, fitted: Fit) -> Iterator[str]:
    """Where the scores within every cluster cancel out, the sandwich is zero: no one is sure."""
    for members in fitted.structure.weak:
        if len(members) > 1 and np.all(bars.se[list(members)] < _NOTHING):
            names = ", ".join(fitted.models[m] for m in members[:_NAMED])
            yield (
                f"the intervals of {names} have no width, for the votes in each cluster cancel "
                "out: believe none of them, and let each vote count alone"
            )


def _plain(task: RateTask) -> Found:
    battles, counts, clusters, settings = task.battles, task.counts, task.clusters, task.settings
    fitted = fit(counts, settings=settings.fit)
    if settings.interval == "none" or not counts.total:
        return _found(fitted)
    if settings.interval != "bootstrap":
        bars = intervals(
            fitted,
            counts,
            kind=settings.interval,
            level=settings.level,
            clustered=None if clusters is None else (battles, clusters),
        )
        return _found(fitted, bars=bars)
    resample = (
        partial(bootstrap, fitted, counts)
        if clusters is None
        else partial(cluster_bootstrap, fitted, battles, clusters)
    )
    rng = np.random.default_rng(settings.seed)
    rounds = resample(rounds=settings.rounds, rng=rng, level=settings.level, progress=task.progress)
    return _found(fitted, rounds=rounds)


def _styled(task: RateTask) -> Found:
    settings = task.settings
    if not task.sides:
        raise ValueError("style control needs style counts of both sides")
    style = fit_style(
        task.battles,
        task.sides,
        preset=settings.style or "plain",
        settings=settings.fit,
        level=settings.level,
        clusters=task.clusters,
    )
    if settings.interval != "bootstrap":
        bars = None if settings.interval == "none" else style.intervals
        return _found(style.fit, bars=bars, style=style)
    resampled = style_bootstrap(
        style,
        rounds=settings.rounds,
        rng=np.random.default_rng(settings.seed),
        clusters=task.clusters,
        level=settings.level,
        progress=task.progress,
    )
    return _found(style.fit, rounds=resampled.ratings, style=style)
