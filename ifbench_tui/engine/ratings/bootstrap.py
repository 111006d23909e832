"""Bootstrap intervals: battles or whole clusters resampled, every round solved to convergence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ifbench_tui.engine.ratings.battles import (
    Battles,
    Codes,
    Counts,
    Floats,
    aggregate,
)
from ifbench_tui.engine.ratings.bradley_terry import ELO_PER_NAT, Anchor, Fit
from ifbench_tui.engine.ratings.resampling import BatchSolver

__all__ = [
    "Bootstrap",
    "Progress",
    "bootstrap",
    "cluster_bootstrap",
    "fastchat_bootstrap",
    "summary",
]

Progress: TypeAlias = Callable[[int, int], bool]
"""Called with (rounds done, rounds asked); returning False ends the bootstrap early."""

_BATCH_CELLS = 1 << 18
_FEWEST_VALUES = 0.5
_NOTHING = "there is no battle to resample"


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Quantiles per model (Elo) over the rounds, and how each round came about.

    `samples`: rounds x models, nan where a round had no battle of the model. `present`: rounds with
    a value per model. Bounds are nan where a model has no finite rating in the full data or a value
    in less than half of the rounds. `regularised_rounds`: fitted under the prior, because the
    resampled data had no finite maximum. `rounds` is smaller than `asked` after a cancel.
    """

    models: tuple[str, ...]
    samples: Floats
    present: Codes
    lower: Floats
    median: Floats
    upper: Floats
    variance: Floats
    level: float
    rounds: int
    asked: int
    finite_rounds: int
    clustered: bool

    @property
    def regularised_rounds(self) -> int:
        """Rounds that needed the prior."""
        return self.rounds - self.finite_rounds

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the reader must know beside the bounds."""
        notes = []
        if self.rounds < self.asked:
            notes.append(f"the bootstrap was stopped after {self.rounds} of {self.asked} rounds")
        if self.regularised_rounds:
            notes.append(
                f"{self.regularised_rounds} of {self.rounds} bootstrap rounds had no finite "
                "maximum and were fitted with a prior"
            )
        partly = int((self.present < self.rounds).sum())
        if partly:
            notes.append(f"{partly} models had no battle in some bootstrap rounds")
        return tuple(notes)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON, without the samples."""

        def plain(values: Floats) -> dict[str, float | None]:
            return {
                m: None if math.isnan(v) else v
                for m, v in zip(self.models, values.tolist(), strict=True)
            }

        return {
            "interval": "bootstrap",
            "clustered": self.clustered,
            "level": self.level,
            "rounds": self.rounds,
            "asked": self.asked,
            "regularised_rounds": self.regularised_rounds,
            "lower": plain(self.lower),
            "median": plain(self.median),
            "upper": plain(self.upper),
            "variance": plain(self.variance),
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class _Rows:
    """Distinct outcomes of pairs, i < j, with the number of battles of each."""

    i: Codes
    j: Codes
    y: Floats
    weight: Floats
    count: Codes


def bootstrap(
    full: Fit,
    counts: Counts,
    *,
    rounds: int,
    rng: np.random.Generator,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Bootstrap:
    """Resample battles: multinomial over the distinct outcomes of unordered pairs."""
    rows = _fold(counts)
    return _multinomial(full, counts, rows, rounds, rng, level, progress, reference=False)


def fastchat_bootstrap(
    battles: Battles,
    full: Fit,
    *,
    rounds: int = 100,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Bootstrap:
    """The Arena's bootstrap, reproducible to the digit: its generator and its order of outcomes.

    Models are indexed by first appearance (side A's column, then side B's), outcomes are sorted by
    (index a, index b, score) with sides kept apart, and `default_rng(seed).multinomial` draws.
    As there, a model without a battle in a round counts with the centre, and unbounded models get
    the quantiles of their regularised rounds.
    """
    k = len(battles.models)
    column = np.concatenate([battles.a, battles.b])
    seen, first = np.unique(column, return_index=True)
    index = np.zeros(k, dtype=np.int64)
    index[seen[np.argsort(first)]] = np.arange(len(seen))
    plain = Battles(battles.models, battles.a, battles.b, battles.y)
    counts = aggregate(plain)
    order = np.lexsort((counts.y, index[counts.b], index[counts.a]))
    rows = _Rows(
        counts.a[order], counts.b[order], counts.y[order], counts.weight, counts.count[order]
    )
    rng = np.random.default_rng(seed)
    return _multinomial(full, counts, rows, rounds, rng, level, progress, reference=True)


def cluster_bootstrap(
    full: Fit,
    battles: Battles,
    clusters: Codes,
    *,
    rounds: int,
    rng: np.random.Generator,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Bootstrap:
    """Resample whole clusters (all votes of a judge, of a session, or on a question)."""
    k = len(full.models)
    _, dense = np.unique(clusters, return_inverse=True)
    size = int(dense.max()) + 1 if len(dense) else 0
    mass = np.ones(len(battles)) if battles.weight is None else battles.weight
    forward = battles.a.astype(np.int64) * k + battles.b
    backward = battles.b.astype(np.int64) * k + battles.a

    def draw(batch: int) -> Floats:
        scores = np.empty((batch, k * k))
        for r in range(batch):
            times = np.bincount(rng.integers(0, size, size=size), minlength=size)
            drawn = mass * times[dense]
            scores[r] = np.bincount(forward, drawn * battles.y, k * k)
            scores[r] += np.bincount(backward, drawn * (1.0 - battles.y), k * k)
        return scores.reshape(batch, k, k)

    whole = aggregate(battles).score_matrix()
    samples, finite = _run(full, whole, draw, rounds, progress)
    return summary(full, samples, level, rounds, finite, clustered=True)


def _fold(counts: Counts) -> _Rows:
    """Forget sides: rows with the same pair, score and weight are one outcome."""
    swap = counts.a > counts.b
    i, j = np.where(swap, counts.b, counts.a), np.where(swap, counts.a, counts.b)
    y = np.where(swap, 1.0 - counts.y, counts.y)
    order = np.lexsort((counts.weight, y, j, i))
    i, j, y, weight = i[order], j[order], y[order], counts.weight[order]
    change = np.ones(len(order), dtype=bool)
    change[1:] = (np.diff(i) != 0) | (np.diff(j) != 0) | (np.diff(y) != 0) | (np.diff(weight) != 0)
    start = np.flatnonzero(change)
    count = np.add.reduceat(counts.count[order], start) if len(start) else counts.count
    return _Rows(i[start], j[start], y[start], weight[start], count)


def _multinomial(
    full: Fit,
    counts: Counts,
    rows: _Rows,
    rounds: int,
    rng: np.random.Generator,
    level: float,
    progress: Progress | None,
    *,
    reference: bool,
) -> Bootstrap:
    k = len(full.models)
    total = int(rows.count.sum())
    if not total:
        raise ValueError(_NOTHING)
    share = rows.count / total
    forward, backward = rows.i * k + rows.j, rows.j * k + rows.i
    by_forward, by_backward = _Grouped(forward), _Grouped(backward)

    def draw(batch: int) -> Floats:
        drawn = rng.multinomial(total, share, size=batch) * rows.weight
        scores = np.zeros((batch, k * k))
        by_forward.add(scores, drawn * rows.y)
        by_backward.add(scores, drawn * (1.0 - rows.y))
        return scores.reshape(batch, k, k)

    whole = counts.score_matrix()
    samples, finite = _run(full, whole, draw, rounds, progress)
    if reference:
        samples = np.nan_to_num(samples, nan=0.0)
    return summary(full, samples, level, rounds, finite, every=reference)


class _Grouped:
    """Sums columns that fall into the same cell, for all rounds at once."""

    def __init__(self, cells: Codes) -> None:
        self.order = np.argsort(cells, kind="stable")
        ordered = cells[self.order]
        self.start = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        self.cell = ordered[self.start]

    def add(self, table: Floats, values: Floats) -> None:
        table[:, self.cell] += np.add.reduceat(values[:, self.order], self.start, axis=1)


def _run(
    full: Fit,
    whole: Floats,
    draw: Callable[[int], Floats],
    rounds: int,
    progress: Progress | None,
) -> tuple[Floats, int]:
    """Strengths of every round, and how many rounds had a finite maximum."""
    k = len(full.models)
    if not whole.any():
        raise ValueError(_NOTHING)
    solver = BatchSolver(whole, full)
    samples = np.empty((rounds, k))
    finite = done = 0
    for batch in _batches(rounds, k):
        found = solver.solve(draw(batch))
        samples[done : done + batch] = found.beta
        finite += int(found.finite.sum())
        done += batch
        if progress is not None and not progress(done, rounds):
            break
    return samples[:done], finite


def _batches(rounds: int, k: int) -> Iterator[int]:
    size = max(1, min(rounds, _BATCH_CELLS // (k * k)))
    for first in range(0, rounds, size):
        yield min(size, rounds - first)


def _gauged(beta: Floats, full: Fit) -> Floats:
    values = full.settings.centre + ELO_PER_NAT * beta
    anchor: Anchor | None = full.settings.anchor
    if anchor is not None:
        model = full.models.index(anchor.model)
        component = next(list(m) for m in full.structure.weak if model in m)
        values[:, component] += anchor.rating - values[:, [model]]
    return values


def summary(
    full: Fit,
    beta: Floats,
    level: float,
    asked: int,
    finite: int,
    *,
    clustered: bool = False,
    every: bool = False,
) -> Bootstrap:
    """Quantiles of the strengths of each round; `every`: of unbounded models too."""
    values = _gauged(beta, full)
    rounds, k = values.shape
    present = np.isfinite(values).sum(axis=0)
    tail = (1.0 - level) / 2.0
    quantiles = np.full((3, k), math.nan)
    variance = np.full(k, math.nan)
    bounded = np.array([every or u is None for u in full.structure.unbounded], dtype=bool)
    enough = bounded & (present >= max(2, math.ceil(_FEWEST_VALUES * rounds)))
    for model in np.flatnonzero(enough):
        column = values[:, model]
        column = column[np.isfinite(column)]
        quantiles[:, model] = np.quantile(column, (tail, 0.5, 1.0 - tail))
        variance[model] = column.var(ddof=1)
    lower, median, upper = quantiles
    return Bootstrap(
        full.models,
        values,
        present,
        lower,
        median,
        upper,
        variance,
        level,
        rounds,
        asked,
        finite,
        clustered,
    )
