"""Bradley-Terry: the exact maximum of the likelihood, with intervals and style control."""

from __future__ import annotations

from functools import partial

import numpy as np

from ifbench_tui.engine.ratings.bootstrap import Bootstrap, bootstrap, cluster_bootstrap
from ifbench_tui.engine.ratings.bradley_terry import Fit, fit
from ifbench_tui.engine.ratings.intervals import Intervals, intervals
from ifbench_tui.engine.ratings.method import Found, Method, RateTask
from ifbench_tui.engine.ratings.style import StyleFit, fit_style
from ifbench_tui.engine.ratings.style_bootstrap import style_bootstrap

__all__ = ["METHOD"]


class _BradleyTerry(Method):
    id = "bt"
    title = "Bradley-Terry"
    words = "Bradley-Terry"
    takes = frozenset({"style", "anchor", "cluster", "weights"})

    def rate(self, task: RateTask) -> Found:
        return _plain(task) if task.settings.style is None else _styled(task)


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
    return Found(fitted, notes, fitted.ratings, bars, rounds, style)


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
