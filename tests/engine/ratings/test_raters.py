"""Position bias, suspicious raters, daily caps."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import Battles, aggregate
from ifbench_tui.engine.ratings.raters import position_bias, suspicious_raters
from tests.engine.ratings.golden import (
    BATTLE_SETS,
    coded,
    counts_of,
    expected,
    folder,
    random_battles,
    simple,
)


@pytest.mark.parametrize("name", BATTLE_SETS)
def test_position_bias_of_the_golden_sets(shared: Path, name: str) -> None:
    want = expected(shared, name)["position_bias"]
    found = position_bias(counts_of(shared, name))
    assert (found.wins_a, found.wins_b) == (want["wins_side_a"], want["wins_side_b"])
    assert found.p_value == pytest.approx(want["binomial_two_sided_p"], abs=1e-9)
    if "bt_intercept_logit" in want:
        assert found.intercept == pytest.approx(want["bt_intercept_logit"], abs=1e-8)
        assert found.se == pytest.approx(want["bt_intercept_fisher_se"], rel=1e-5)
        assert found.elo == pytest.approx(want["bt_intercept_elo"], abs=1e-6)
        assert not found.regularised


def test_position_bias_of_the_human_votes(shared: Path) -> None:
    votes = json.loads((folder(shared) / "agreement" / "human_votes.json").read_text())
    want = expected(shared, "agreement")["position_bias_human_all"]
    found = position_bias(aggregate(coded(votes).battles))
    assert (found.wins_a, found.wins_b) == (want["side_a"], want["side_b"])
    assert found.p_value == pytest.approx(want["p"], abs=1e-9)


def test_a_strong_preference_for_side_a_is_found_beside_the_strengths() -> None:
    rng = np.random.default_rng(1)
    battles = random_battles(rng, 5, 2000, ties=0.0)
    y = np.where(rng.random(2000) < 0.2, 1.0, battles.y)
    found = position_bias(aggregate(Battles(battles.models, battles.a, battles.b, y)))
    assert found.p_value < 1e-6
    assert found.intercept / found.se > 4


def test_position_bias_that_cannot_be_told_from_strength_is_not_given() -> None:
    found = position_bias(aggregate(simple(("a", "b", "model_a", 3), ("a", "b", "model_b", 2))))
    assert np.isnan(found.intercept)
    assert found.to_dict()["intercept"] is None
    nothing = position_bias(aggregate(simple(("a", "b", "tie", 1))).with_ties("drop"))
    assert nothing.p_value == 1.0


def with_judges(seed: int = 0, *, contrary: bool) -> tuple[Battles, np.ndarray]:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, 2000)
    b = (a + rng.integers(1, 4, 2000)) % 4
    judges = rng.integers(0, 25, 2000)
    y = (rng.random(2000) < 1.0 / (1.0 + np.exp(1.5 * (b - a)))).astype(float)
    if contrary:
        y = np.where(judges == 7, (a < b).astype(float), y)
    return Battles(tuple("abcd"), a, b, y), judges


@pytest.mark.parametrize("rule", ["fastchat", "paper"])
def test_a_contrary_judge_is_flagged_and_others_are_not(rule: str) -> None:
    battles, judges = with_judges(contrary=True)
    found = suspicious_raters(battles, judges, rule=rule, rng=np.random.default_rng(0))
    assert len(found) == 25
    evidence = {rater.judge: rater.evidence for rater in found}
    assert max(evidence, key=evidence.__getitem__) == 7
    assert next(r for r in found if r.judge == 7).suspicious
    assert sum(r.suspicious for r in found) <= 4


def test_swapping_sides_does_not_change_the_evidence() -> None:
    battles, judges = with_judges(contrary=True)
    swapped = Battles(battles.models, battles.b, battles.a, 1.0 - battles.y)
    assert suspicious_raters(battles, judges) == suspicious_raters(swapped, judges)


def test_the_betting_rule_by_hand() -> None:
    battles = simple(("a", "b", "model_a", 9), ("a", "b", "model_b", 6))
    judges = np.array([0] * 5 + [1] * 4 + [2] * 6)
    found = {r.judge: r for r in suspicious_raters(battles, judges)}
    assert set(found) == {0, 2}
    assert found[0].evidence == pytest.approx(0.05 / (2 * 0.6) ** 1)
    assert found[2].evidence == pytest.approx(0.05 / (2 * 0.4) ** 6)
    assert (found[2].votes, found[2].suspicious) == (6, False)


def test_an_unknown_rule_or_a_missing_generator_is_an_error() -> None:
    battles, judges = with_judges(contrary=False)
    for rule in ("paper", "guess"):
        with pytest.raises(ValueError, match="the rule is"):
            suspicious_raters(battles, judges, rule=rule)


def test_a_side_that_always_wins_has_no_finite_advantage() -> None:
    few = Battles(("a", "b"), np.array([0, 0, 1]), np.array([1, 1, 0]), np.array([0.5, 1.0, 1.0]))
    always = Battles(("a", "b"), np.array([0, 1] * 5), np.array([1, 0] * 5), np.ones(10))
    for battles in (few, always):
        found = position_bias(aggregate(battles))
        assert found.wins_b == 0
        assert math.isnan(found.intercept)
        assert math.isnan(found.se)
        assert math.isnan(found.elo)
