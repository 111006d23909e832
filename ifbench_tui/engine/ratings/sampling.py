"""Which pair to show next, and on which side each model stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ifbench_tui.engine.ratings.battles import Bools, Codes, Counts, Floats
from ifbench_tui.engine.ratings.connectivity import structure_of

__all__ = [
    "Pair",
    "Policy",
    "draw_pair",
    "pair_records",
    "smoothed_probabilities",
    "variance_probabilities",
]

Pair: TypeAlias = tuple[int, int]
Policy: TypeAlias = Literal["active", "uniform", "round-robin"]


class PairRecords(NamedTuple):
    """Battles, wins of the first and ties of each pair."""

    n: Floats
    wins: Floats
    ties: Floats


def pair_records(counts: Counts, pairs: Sequence[Pair]) -> PairRecords:
    """What `counts` holds about each of `pairs`; weights are not used."""
    k = len(counts.models)
    cells = np.array([i * k + j for i, j in pairs], dtype=np.int64)

    def per_pair(of_a: Bools, of_b: Bools) -> Floats:
        table = np.bincount(counts.a * k + counts.b, counts.count * of_a, k * k)
        table += np.bincount(counts.b * k + counts.a, counts.count * of_b, k * k)
        return np.asarray(table[cells], dtype=np.float64)

    won, lost, tied = counts.y > 0.5, counts.y < 0.5, counts.y == 0.5
    return PairRecords(
        per_pair(tied | ~tied, tied | ~tied), per_pair(won, lost), per_pair(tied, tied)
    )


def variance_probabilities(n: Floats, variance: Floats) -> Floats:
    """Chance of each pair, proportional to sqrt(v/n) - sqrt(v/(n+1)): the fall of its error."""
    gain = np.sqrt(variance / n) - np.sqrt(variance / (n + 1.0))
    return np.asarray(gain / gain.sum())


def smoothed_probabilities(n: Floats, wins: Floats, ties: Floats) -> Floats:
    """`variance_probabilities` with theta = (wins + ties/2 + 1)/(n + 2), v = theta (1 - theta) and
    n + 1 for n, so that unseen pairs are finite and come first."""
    theta = (wins + 0.5 * ties + 1.0) / (n + 2.0)
    return variance_probabilities(n + 1.0, theta * (1.0 - theta))


def draw_pair(
    counts: Counts,
    pairs: Sequence[Pair],
    rng: np.random.Generator,
    *,
    policy: Policy = "active",
) -> Pair | None:
    """The next (left, right) among `pairs`, sides at random; None when `pairs` is empty.

    "active" and "uniform" first join components: while the models of `pairs` are not connected by
    battles, only pairs across components are drawn. "round-robin" takes the first of the pairs with
    the fewest battles.
    """
    if not pairs:
        return None
    if policy == "round-robin":
        first = int(np.argmin(pair_records(counts, pairs).n))
        return _seated(pairs[first], rng)
    candidates = _joining(counts, pairs) or pairs
    chances = None
    if policy == "active":
        chances = smoothed_probabilities(*pair_records(counts, candidates))
    return _seated(candidates[int(rng.choice(len(candidates), p=chances))], rng)


def _joining(counts: Counts, pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs whose models lie in different components of what was voted on so far."""
    component: Codes = np.asarray(structure_of(counts.score_matrix()).component_of())
    return [(i, j) for i, j in pairs if component[i] != component[j]]


def _seated(pair: Pair, rng: np.random.Generator) -> Pair:
    return pair if rng.random() < 0.5 else (pair[1], pair[0])
