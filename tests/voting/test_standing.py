"""Ratings after a vote are those of a full fit, and go back exactly."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import aggregate
from ifbench_tui.engine.ratings.bradley_terry import FitSettings, fit
from ifbench_tui.voting.arena import VoteRow
from ifbench_tui.voting.standing import Standings, battles_of

MODELS = ("gamma", "alpha", "beta")


def some_votes(number: int) -> list[VoteRow]:
    rng = random.Random(3)
    outcomes = ("model_a", "model_b", "tie", "both_bad")
    return [VoteRow(*rng.sample(MODELS, 2), rng.choice(outcomes)) for _ in range(number)]


def test_votes_one_by_one_give_the_ratings_of_a_full_fit() -> None:
    votes, live = some_votes(40), Standings(MODELS)
    before: dict[str, float] = dict.fromkeys(MODELS, 1000.0)
    for count in range(1, len(votes) + 1):
        live.follow(votes[:count])
        found = live.standings()
        full = fit(
            aggregate(battles_of(MODELS, votes[:count])), settings=FitSettings(prior="always")
        )
        ratings = [found[model].rating for model in full.models]
        np.testing.assert_allclose(ratings, full.ratings, atol=1e-6)
        for model in MODELS:
            assert found[model].change == pytest.approx(found[model].rating - before[model])
        before = {model: found[model].rating for model in MODELS}
    one = live.standings()["alpha"]
    assert one.lower is not None
    assert one.upper is not None
    assert one.lower < one.rating < one.upper
    assert 1 <= one.rank_low <= one.rank_high <= 3


def test_a_vote_that_was_not_blind_changes_no_rating() -> None:
    votes, live = some_votes(12), Standings(MODELS)
    live.follow(votes)
    before = live.standings()
    seen = VoteRow("gamma", "alpha", "model_a", blind=False)
    live.follow([*votes, seen])
    after = live.standings()
    assert {m: one.rating for m, one in after.items()} == {
        m: one.rating for m, one in before.items()
    }
    assert {one.change for one in after.values()} == {0.0}
    live.follow([*votes, seen, some_votes(13)[-1]])
    live_alone = Standings(MODELS)
    live_alone.follow(some_votes(13))
    for model, one in live.standings().items():
        assert one.rating == pytest.approx(live_alone.standings()[model].rating)


def test_undo_gives_the_same_numbers_back() -> None:
    votes, live = some_votes(12), Standings(MODELS)
    live.follow(votes[:-1])
    before = live.standings()
    live.follow(votes)
    live.follow(votes[:-1])
    after = live.standings()
    assert {m: s.rating for m, s in after.items()} == {m: s.rating for m, s in before.items()}
    assert all(standing.change == 0 for standing in after.values())


def test_votes_that_are_no_continuation_are_counted_anew() -> None:
    votes, live = some_votes(12), Standings(MODELS)
    for count in (1, 2, 3):
        live.follow(votes[:count])
    live.follow(votes[3:9])
    fresh = Standings(MODELS)
    fresh.follow(votes[3:9])
    ratings = {model: one.rating for model, one in live.standings().items()}
    assert ratings == {model: one.rating for model, one in fresh.standings().items()}


def test_without_losses_there_is_no_interval_yet() -> None:
    live = Standings(("alpha", "beta"))
    live.follow([VoteRow("alpha", "beta", "model_a")])
    found = live.standings()
    assert found["alpha"].rating > 1000 > found["beta"].rating
    assert found["alpha"].lower is None


def test_votes_on_models_that_are_not_here_are_left_out() -> None:
    live = Standings(("alpha", "beta"))
    live.follow([VoteRow("alpha", "elsewhere", "model_a")])
    assert live.standings()["alpha"].rating == 1000.0
