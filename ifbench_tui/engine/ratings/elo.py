"""Sequential Elo, and how much it depends on the order of the battles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ifbench_tui.engine.ratings.battles import Battles, Codes, Floats

__all__ = ["START", "Elo", "EloSpread", "elo", "elo_orders", "elo_spread", "fastchat_elo_bootstrap"]

START = 1000.0
_DECAY = math.log(10.0) / 400.0
_CHUNK_CELLS = 1 << 22
_FEWEST_LANES = 24


@dataclass(frozen=True, slots=True)
class Elo:
    """Ratings after the last battle, in the order the battles were given."""

    models: tuple[str, ...]
    ratings: Floats


@dataclass(frozen=True, slots=True)
class EloSpread:
    """Ratings over random orders or resamples of the battles (rounds x models), with quantiles."""

    models: tuple[str, ...]
    samples: Floats
    lower: Floats
    median: Floats
    upper: Floats
    level: float
    k_factor: float

    @property
    def lowest(self) -> Floats:
        """Smallest rating seen per model."""
        return np.asarray(self.samples.min(axis=0))

    @property
    def highest(self) -> Floats:
        """Largest rating seen per model."""
        return np.asarray(self.samples.max(axis=0))

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON, without the samples."""
        columns = {
            "lower": self.lower,
            "median": self.median,
            "upper": self.upper,
            "lowest": self.lowest,
            "highest": self.highest,
        }
        spread = {
            name: dict(zip(self.models, column.tolist(), strict=True))
            for name, column in columns.items()
        }
        return {
            "orders": len(self.samples),
            "level": self.level,
            "k_factor": self.k_factor,
            **spread,
        }


def elo(battles: Battles, *, k_factor: float = 4.0) -> Elo:
    """R_a += K (y - E_a) and R_b the reverse, battle by battle from 1000; ties score a half.

    Weights have no meaning here and are not used. The sum of the ratings stays 1000 per model.
    """
    ratings = [START] * len(battles.models)
    exp = math.exp
    columns = battles.a.tolist(), battles.b.tolist(), battles.y.tolist()
    for a, b, y in zip(*columns, strict=True):
        change = k_factor * (y - 1.0 / (1.0 + exp(_DECAY * (ratings[b] - ratings[a]))))
        ratings[a] += change
        ratings[b] -= change
    return Elo(battles.models, np.array(ratings))


def elo_orders(battles: Battles, orders: Codes, *, k_factor: float = 4.0) -> Floats:
    """Elo for many sequences at once: `orders` is battles x rounds, each column a list of rows."""
    rounds = orders.shape[1]
    k = len(battles.models)
    ratings = np.full(rounds * k, START)
    base = np.arange(rounds) * k
    for rows in orders:
        a, b = base + battles.a[rows], base + battles.b[rows]
        gap = ratings[b] - ratings[a]
        change = k_factor * (battles.y[rows] - 1.0 / (1.0 + np.exp(_DECAY * gap)))
        ratings[a] += change
        ratings[b] -= change
    return ratings.reshape(rounds, k)


def elo_spread(
    battles: Battles,
    *,
    rng: np.random.Generator,
    orders: int = 100,
    k_factor: float = 4.0,
    level: float = 0.95,
    progress: Callable[[int, int], bool] | None = None,
) -> EloSpread:
    """Elo over random permutations of the battles.

    `progress` is called with (orders done, orders asked); returning False keeps what is done.
    """
    n = len(battles)
    parts, done = [], 0
    for size in _chunks(orders, n):
        shuffled = [rng.permutation(n) for _ in range(size)]
        if size == 1:
            parts.append(elo(battles.select(shuffled[0]), k_factor=k_factor).ratings[None])
        else:
            parts.append(elo_orders(battles, np.stack(shuffled, axis=1), k_factor=k_factor))
        done += size
        if progress is not None and not progress(done, orders):
            break
    return _spread(battles, np.concatenate(parts), level, k_factor)


def fastchat_elo_bootstrap(
    battles: Battles,
    *,
    rounds: int = 100,
    seed: int = 42,
    k_factor: float = 4.0,
    level: float = 0.95,
) -> EloSpread:
    """The Arena's Elo bootstrap: column r of the legacy generator's `randint(0, n, (n, rounds))`
    lists the battles of round r in playing order. Reproducible to the digit."""
    n = len(battles)
    drawn = np.random.RandomState(seed).randint(0, n, size=(n, rounds))
    return _spread(battles, elo_orders(battles, drawn, k_factor=k_factor), level, k_factor)


def _chunks(orders: int, n: int) -> Iterator[int]:
    size = min(orders, _CHUNK_CELLS // max(n, 1))
    size = 1 if size < _FEWEST_LANES else size
    for first in range(0, orders, size):
        yield min(size, orders - first)


def _spread(battles: Battles, samples: Floats, level: float, k_factor: float) -> EloSpread:
    tail = (1.0 - level) / 2.0
    lower, median, upper = np.quantile(samples, (tail, 0.5, 1.0 - tail), axis=0)
    return EloSpread(battles.models, samples, lower, median, upper, level, k_factor)
