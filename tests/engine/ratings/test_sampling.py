"""Which pair comes next."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import Counts, aggregate
from ifbench_tui.engine.ratings.live import LiveRatings
from ifbench_tui.engine.ratings.sampling import (
    Pair,
    draw_pair,
    pair_records,
    smoothed_probabilities,
    variance_probabilities,
)
from tests.engine.ratings.golden import folder, simple

TRIPLES = list(combinations(range(3), 2))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def drawn(counts: Counts, pairs: list[Pair], policy: str, times: int = 400) -> Counter[Pair]:
    generator = rng()
    found: Counter[Pair] = Counter()
    for _ in range(times):
        pair = draw_pair(counts, pairs, generator, policy=policy)  # type: ignore[arg-type]
        assert pair is not None
        found[pair] += 1
    return found


def test_golden_probabilities(shared: Path) -> None:
    data = json.loads((folder(shared) / "active_sampling.json").read_text())

    def column(rule: str, field: str) -> np.ndarray:
        return np.array([pair[field] for pair in data[rule]["pairs"]], dtype=float)

    paper = variance_probabilities(column("paper_rule", "n"), column("paper_rule", "variance"))
    assert np.abs(paper - data["paper_rule"]["probability"]).max() < 1e-9
    smoothed = smoothed_probabilities(
        *(column("smoothed_rule", field) for field in ("n", "wins", "ties"))
    )
    assert np.abs(smoothed - data["smoothed_rule"]["probability"]).max() < 1e-9


def test_records_of_pairs_do_not_depend_on_sides() -> None:
    counts = aggregate(
        simple(("a", "b", "model_a", 3), ("b", "a", "model_a", 1), ("c", "a", "both_bad", 2))
    )
    n, wins, ties = pair_records(counts, [(0, 1), (1, 0), (0, 2), (1, 2)])
    assert n.tolist() == [4, 4, 2, 0]
    assert wins.tolist() == [3, 1, 0, 0]
    assert ties.tolist() == [0, 0, 2, 0]


@pytest.mark.parametrize("policy", ["active", "uniform"])
def test_pairs_that_join_components_come_first(policy: str) -> None:
    counts = aggregate(simple(("a", "b", "tie", 1), ("c", "d", "tie", 1)))
    found = drawn(counts, list(combinations(range(4), 2)), policy)
    assert {frozenset(pair) for pair in found} == {
        frozenset(pair) for pair in ((0, 2), (0, 3), (1, 2), (1, 3))
    }


def test_joining_is_impossible_when_no_such_pair_is_left() -> None:
    counts = aggregate(simple(("a", "b", "tie", 1), ("c", "d", "tie", 1)))
    assert {frozenset(p) for p in drawn(counts, [(0, 1)], "active", 10)} == {frozenset((0, 1))}


def test_active_draws_follow_the_smoothed_rule() -> None:
    counts = aggregate(
        simple(("a", "b", "model_a", 9), ("a", "c", "tie", 4), ("b", "c", "model_a", 1))
    )
    found = drawn(counts, TRIPLES, "active", 3000)
    wanted = smoothed_probabilities(*pair_records(counts, TRIPLES))
    share = np.array([found[i, j] + found[j, i] for i, j in TRIPLES]) / 3000
    assert np.abs(share - wanted).max() < 0.04


def test_sides_are_drawn_evenly() -> None:
    counts = aggregate(simple(("a", "b", "tie", 1)))
    found = drawn(counts, [(0, 1)], "uniform", 1000)
    assert 430 < found[0, 1] < 570


def test_round_robin_takes_the_pair_with_fewest_battles() -> None:
    live = LiveRatings("abcd")
    generator = rng()
    pairs = list(combinations(range(4), 2))
    for _ in range(4 * len(pairs)):
        left, right = draw_pair(live.counts(), pairs, generator, policy="round-robin") or (0, 0)
        live.add("abcd"[left], "abcd"[right], "tie")
    assert pair_records(live.counts(), pairs).n.tolist() == [4.0] * len(pairs)


def test_nothing_is_left() -> None:
    assert draw_pair(LiveRatings("ab").counts(), [], rng()) is None
