"""Sequential Elo against the reference, and its dependence on order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import aggregate
from ifbench_tui.engine.ratings.bradley_terry import fit
from ifbench_tui.engine.ratings.elo import elo, elo_orders, elo_spread, fastchat_elo_bootstrap
from tests.engine.ratings.golden import (
    BATTLE_SETS,
    battles_of,
    expected,
    finite_battles,
    simple,
    worst,
)


@pytest.mark.parametrize("name", BATTLE_SETS)
def test_sequential_elo_of_the_golden_sets(shared: Path, name: str) -> None:
    battles = battles_of(shared, name)
    want = expected(shared, name)["fastchat"]
    reverse = battles.select(np.arange(len(battles))[::-1])
    runs = {
        "compute_elo_K4": elo(battles),
        "compute_elo_K4_reversed_order": elo(reverse),
        "compute_elo_K32": elo(battles, k_factor=32.0),
    }
    for key in runs.keys() & want.keys():
        assert worst(battles.models, runs[key].ratings, want[key]) < 1e-6
    assert runs["compute_elo_K4"].ratings.mean() == pytest.approx(1000.0)
    if "bootstrap_elo_100_npseed42" in want:
        found = fastchat_elo_bootstrap(battles)
        quantiles = want["bootstrap_elo_100_npseed42"]
        for ours, key in ((found.lower, "q025"), (found.median, "q50"), (found.upper, "q975")):
            assert worst(battles.models, ours, quantiles[key]) < 1e-6


def test_elo_depends_on_the_order_where_bradley_terry_does_not() -> None:
    first = simple(("A", "B", "model_a", 50), ("A", "B", "model_b", 50))
    second = simple(("A", "B", "model_b", 50), ("A", "B", "model_a", 50))
    assert elo(first).ratings.round(2).tolist() == [967.07, 1032.93]
    assert elo(second).ratings.round(2).tolist() == [1032.93, 967.07]
    for battles in (first, second):
        assert fit(aggregate(battles)).ratings.round(6).tolist() == [1000.0, 1000.0]
    assert elo(simple(("A", "B", "model_a", 1))).ratings.tolist() == [1002.0, 998.0]


def test_many_orders_at_once_equal_one_at_a_time() -> None:
    battles = finite_battles(2, 5, 60)
    orders = np.stack([np.random.default_rng(s).permutation(len(battles)) for s in range(7)], 1)
    together = elo_orders(battles, orders, k_factor=16.0)
    for column, ratings in zip(orders.T, together, strict=True):
        assert np.allclose(elo(battles.select(column), k_factor=16.0).ratings, ratings)


def test_the_spread_covers_the_orders_and_can_be_stopped() -> None:
    battles = finite_battles(2, 5, 200)
    spread = elo_spread(battles, rng=np.random.default_rng(0), k_factor=32.0)
    assert spread.samples.shape == (100, 5)
    assert (spread.lowest <= spread.lower).all()
    assert (spread.highest >= spread.upper).all()
    assert (spread.highest - spread.lowest > 5.0).all()
    stopped = elo_spread(
        battles, rng=np.random.default_rng(0), orders=100_000, progress=lambda done, asked: False
    )
    assert len(stopped.samples) < 100_000
    assert spread.to_dict()["orders"] == 100


def test_orders_of_a_long_log_are_played_one_by_one() -> None:
    battles = finite_battles(2, 5, 200)
    few = elo_spread(battles, rng=np.random.default_rng(1), orders=3)
    rng = np.random.default_rng(1)
    assert len(few.samples) == 3
    for ratings in few.samples:
        shuffled = battles.select(rng.permutation(len(battles)))
        assert np.allclose(ratings, elo(shuffled).ratings)
