"""Bootstrap of a style-controlled fit: battles or clusters resampled, features left as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ifbench_tui.engine.ratings.battles import Codes, Floats
from ifbench_tui.engine.ratings.bootstrap import Bootstrap, Progress, summary
from ifbench_tui.engine.ratings.connectivity import structure_of
from ifbench_tui.engine.ratings.covariates import CovariateRows, refit_covariates
from ifbench_tui.engine.ratings.style import StyleFit

__all__ = ["StyleBootstrap", "fastchat_style_bootstrap", "style_bootstrap"]


@dataclass(frozen=True, slots=True)
class StyleBootstrap:
    """Quantiles of the ratings and of the coefficients (`samples`: rounds x features)."""

    ratings: Bootstrap
    samples: Floats
    lower: Floats
    upper: Floats


def style_bootstrap(
    style: StyleFit,
    *,
    rounds: int,
    rng: np.random.Generator,
    clusters: Codes | None = None,
    level: float = 0.95,
    progress: Progress | None = None,
) -> StyleBootstrap:
    """Refit every round to convergence; `clusters` resamples whole clusters of battles."""
    n = len(style.rows.y)
    owner = np.arange(n)
    if clusters is not None:
        _, owner = np.unique(clusters, return_inverse=True)
    size = int(owner.max(initial=-1)) + 1

    def draws() -> Iterator[Codes]:
        for _ in range(rounds):
            yield np.bincount(rng.integers(0, size, size=size), minlength=size)[owner]

    return _run(style, draws(), rounds, level, progress, clustered=clusters is not None)


def fastchat_style_bootstrap(
    style: StyleFit, *, rounds: int = 100, seed: int = 0, level: float = 0.95
) -> StyleBootstrap:
    """The Arena's resamples: the legacy generator's `randint(0, n, size=(rounds, n))`."""
    n = len(style.rows.y)
    generator = np.random.RandomState(seed)
    draws = (np.bincount(generator.randint(0, n, size=n), minlength=n) for _ in range(rounds))
    return _run(style, draws, rounds, level, None, clustered=False)


def _run(
    style: StyleFit,
    draws: Iterator[Codes],
    rounds: int,
    level: float,
    progress: Progress | None,
    *,
    clustered: bool,
) -> StyleBootstrap:
    k = len(style.fit.models)
    if not len(style.rows.y):
        raise ValueError("there is no battle to resample")
    start = np.concatenate([style.fit.beta, style.coefficients])
    samples = np.empty((rounds, len(start)))
    finite = done = 0
    for times in draws:
        samples[done], was_finite = _refit(style, times, start)
        finite += was_finite
        done += 1
        if progress is not None and not progress(done, rounds):
            break
    ratings = summary(style.fit, samples[:done, :k], level, rounds, finite, clustered=clustered)
    gamma = samples[:done, k:]
    tail = (1.0 - level) / 2.0
    lower, upper = np.quantile(gamma, (tail, 1.0 - tail), axis=0)
    return StyleBootstrap(ratings, gamma, lower, upper)


def _refit(style: StyleFit, times: Codes, start: Floats) -> tuple[Floats, bool]:
    """One round; a round without a finite maximum gets the prior on all strengths."""
    rows, k = style.rows, len(style.fit.models)
    mass = times.astype(np.float64) if rows.mass is None else times * rows.mass
    cells = np.bincount(rows.a * np.int64(k) + rows.b, mass * rows.y, k * k)
    cells += np.bincount(rows.b * np.int64(k) + rows.a, mass * (1.0 - rows.y), k * k)
    scores: Floats = cells.reshape(k, k).astype(np.float64)
    structure = structure_of(scores)
    ridge = style.ridge
    if not structure.mle_finite:
        ridge = ridge.copy()
        ridge[:k] = style.fit.settings.prior_precision
    drawn: CovariateRows = replace(rows, mass=mass)
    theta, _ = refit_covariates(drawn, structure, ridge=ridge, start=start)
    absent = np.flatnonzero(scores.sum(axis=0) + scores.sum(axis=1) == 0.0)
    theta[absent] = np.nan
    return theta, structure.mle_finite
