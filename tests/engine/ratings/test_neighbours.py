"""Who is apart, and how many battles would part the others."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import Battles
from ifbench_tui.engine.ratings.board import Board, BoardSettings, rate
from ifbench_tui.engine.ratings.neighbours import closest, neighbours

FISHER = BoardSettings(interval="fisher")


def battles(seed: int = 3, n: int = 400, k: int = 5) -> Battles:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, k, n)
    b = (a + rng.integers(1, k, n)) % k
    strength = np.array([0.0, 0.15, 1.1, 1.3, 2.4])
    p = 1 / (1 + np.exp(strength[b] - strength[a]))
    y = np.where(rng.random(n) < 0.1, 0.5, (rng.random(n) < p).astype(float))
    return Battles(tuple("abcde"[:k]), a, b, y)


def with_more(old: Battles, better: str, worse: str, weight: float, score: float) -> Battles:
    """One row more that stands for `weight` battles of two models."""
    names = old.models
    return replace(
        old,
        a=np.append(old.a, names.index(better)),
        b=np.append(old.b, names.index(worse)),
        y=np.append(old.y, score),
        weight=np.append(np.ones(len(old)), weight),
    )


def test_pairs_follow_the_board_and_know_whether_they_are_apart() -> None:
    board = rate(battles(), FISHER)
    pairs = neighbours(board)
    names = [row.name for row in board.rows]
    assert [(p.difference.better, p.difference.worse) for p in pairs] == list(pairwise(names))
    for pair in pairs:
        assert pair.difference.separated == (pair.growth <= 1.0) == (pair.direct == 0.0)
    assert any(pair.difference.separated for pair in pairs)
    assert not all(pair.difference.separated for pair in pairs)


def test_so_many_more_battles_of_just_two_models_part_them() -> None:
    found = battles()
    open_pairs = [p for p in neighbours(rate(found, FISHER)) if not p.difference.separated]
    assert open_pairs
    for pair in open_pairs:
        gap = pair.difference
        score = 1 / (1 + 10 ** (-gap.elo / 400))
        grown = with_more(found, gap.better, gap.worse, pair.direct, score)
        after = _pair(rate(grown, FISHER), gap.better, gap.worse)
        assert after.elo == pytest.approx(gap.elo, abs=1e-6)
        assert after.lower == pytest.approx(0.0, abs=1e-6)


def _pair(board: Board, better: str, worse: str):  # type: ignore[no-untyped-def]
    return next(
        pair.difference
        for pair in neighbours(board)
        if (pair.difference.better, pair.difference.worse) == (better, worse)
    )


def test_the_closest_pair_lacks_the_fewest_battles() -> None:
    pairs = neighbours(rate(battles(), FISHER))
    near = closest(pairs)
    assert near is not None
    assert near.direct == min(p.direct for p in pairs if not p.difference.separated)
    assert closest([pair for pair in pairs if pair.difference.separated]) is None


def test_equal_ratings_are_parted_by_no_number_of_battles() -> None:
    even = Battles(("a", "b"), np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.0]))
    (pair,) = neighbours(rate(even, FISHER))
    assert math.isinf(pair.direct)
    assert math.isinf(pair.growth)
    assert pair.to_dict()["direct_battles"] is None


def test_bootstrap_rounds_give_differences_too() -> None:
    found = battles(n=2000)
    wanted = {
        (p.difference.better, p.difference.worse): p.difference
        for p in neighbours(rate(found, BoardSettings()))
    }
    resampled = neighbours(rate(found, BoardSettings(interval="bootstrap", rounds=800)))
    assert len(resampled) == len(wanted)
    for pair in resampled:
        gap = pair.difference
        want = wanted[gap.better, gap.worse]
        assert gap.elo == pytest.approx(want.elo, abs=1e-6)
        assert gap.se == pytest.approx(want.se, rel=0.1)


def test_nothing_is_said_across_groups_or_without_a_bound() -> None:
    apart = Battles(
        ("a", "b", "c", "d"),
        np.array([0, 1, 2, 3]),
        np.array([1, 0, 3, 2]),
        np.array([1.0, 1.0, 1.0, 1.0]),
    )
    assert len(neighbours(rate(apart, FISHER))) == 2
    never_lost = Battles(("a", "b"), np.array([0]), np.array([1]), np.array([1.0]))
    assert neighbours(rate(never_lost, FISHER)) == ()


def test_so_many_times_the_battles_part_them() -> None:
    found = battles()
    open_pairs = [p for p in neighbours(rate(found, FISHER)) if not p.difference.separated]
    assert open_pairs
    for pair in open_pairs:
        grown = replace(found, weight=np.full(len(found), pair.growth))
        after = _pair(rate(grown, FISHER), pair.difference.better, pair.difference.worse)
        assert after.elo == pytest.approx(pair.difference.elo, abs=1e-6)
        assert after.lower == pytest.approx(0.0, abs=1e-6)


def test_models_that_lack_less_than_a_battle_lack_one() -> None:
    found = battles()
    pair = min(
        (p for p in neighbours(rate(found, FISHER)) if not p.difference.separated),
        key=lambda pair: pair.growth,
    )
    almost = replace(found, weight=np.full(len(found), 0.9999 * pair.growth))
    names = pair.difference.better, pair.difference.worse
    (near,) = (
        p
        for p in neighbours(rate(almost, FISHER))
        if (p.difference.better, p.difference.worse) == names
    )
    assert not near.difference.separated
    assert near.direct == 1.0
