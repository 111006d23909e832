"""Exact Bradley-Terry fits: golden values, properties, and a slow twin."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.ratings.battles import Battles, Floats, aggregate
from ifbench_tui.engine.ratings.bradley_terry import (
    ELO_PER_NAT,
    PRIOR_PRECISION,
    Anchor,
    Fit,
    FitSettings,
    arena_anchor,
    fit,
    fit_scores,
)
from ifbench_tui.engine.ratings.matrices import predicted_wins
from tests.engine.ratings.golden import (
    BATTLE_SETS,
    battle_sets,
    coded,
    counts_of,
    expected,
    finite_battles,
    folder,
    real_counts,
    reweighted,
    simple,
    worst,
)

ELO = 1e-4
ALWAYS = FitSettings(prior="always")
FINITE_SETS = [name for name in BATTLE_SETS if name != "separated"]
seeds = st.integers(0, 10_000)


def slow_twin(scores: Floats, ridge: float = 0.0) -> Floats:
    """Ratings by plain gradient ascent with a step below 2 / (largest curvature)."""
    n = scores + scores.T
    beta = np.zeros(len(scores))
    rate = 1.0 / (n.sum(axis=1).max() * 0.5 + ridge)
    for _ in range(200_000):
        p = 1.0 / (1.0 + np.exp(beta[None, :] - beta[:, None]))
        gradient = scores.sum(axis=1) - (n * p).sum(axis=1) - ridge * beta
        beta = beta + rate * gradient
        if np.abs(gradient).max() < 1e-10:
            break
    return 1000.0 + ELO_PER_NAT * (beta - beta.mean())


def rated(battles: Battles, settings: FitSettings | None = None) -> Fit:
    return fit(aggregate(battles), settings=settings)


@pytest.mark.parametrize("name", FINITE_SETS)
def test_exact_maximum_of_the_golden_sets(shared: Path, name: str) -> None:
    counts = counts_of(shared, name)
    want = expected(shared, name)
    found = fit(counts)
    assert found.converged
    assert not found.regularised.any()
    assert worst(found.models, found.ratings, want["exact_mle"]["ratings_mean1000"]) < ELO
    assert found.log_likelihood == pytest.approx(-want["exact_mle"]["neg_loglik_nats"], abs=1e-6)
    if "ratings_anchor1114" in want["exact_mle"]:
        anchored = fit(counts, settings=FitSettings(anchor=arena_anchor(counts.models)))
        assert worst(found.models, anchored.ratings, want["exact_mle"]["ratings_anchor1114"]) < ELO
    if "choix_0.4.1" in want:
        third = want["choix_0.4.1"]["ilsr_pairwise_dense_ties_half_mean1000"]
        assert worst(found.models, found.ratings, third) < ELO


@pytest.mark.parametrize("name", BATTLE_SETS)
def test_exact_mode_under_the_prior(shared: Path, name: str) -> None:
    found = fit(counts_of(shared, name), settings=ALWAYS)
    want = expected(shared, name)["map_reg0.5"]["ratings_mean1000"]
    assert found.regularised.all()
    assert worst(found.models, found.ratings, want) < ELO


@pytest.mark.parametrize("name", FINITE_SETS)
def test_ratings_of_the_references_as_run(shared: Path, name: str) -> None:
    counts = counts_of(shared, name)
    want = expected(shared, name)
    loose = 0.5 if name == "sparse129" else 0.01
    theirs = want["fastchat"]["compute_bt"]
    plain = fit(counts, settings=FitSettings(anchor=arena_anchor(counts.models)))
    assert worst(counts.models, plain.ratings, theirs) < loose
    for key, mine in (("unweighted", counts), ("reweighted_min50", reweighted(counts))):
        theirs = want["arena_rank"][key]["ratings"]
        assert worst(counts.models, fit(mine).ratings, theirs) < loose


def test_real_arena_data(shared: Path) -> None:
    counts = real_counts(shared)
    want = expected(shared, "real_arena_20240814")
    found = fit(counts)
    assert counts.total == want["n_battles"]
    assert worst(found.models, found.ratings, want["exact_mle_mean1000"]) < ELO
    anchored = fit(counts, settings=FitSettings(anchor=arena_anchor(counts.models)))
    assert worst(found.models, anchored.ratings, want["exact_mle_anchor1114"]) < ELO
    as_run = want["fastchat_compute_bt_anchor1114_as_run"]
    assert worst(found.models, anchored.ratings, as_run) < 1.5


def test_official_decisive_counts_of_the_top_25(shared: Path) -> None:
    path = folder(shared) / "official_20240329" / "top25_decisive_counts.json"
    data = json.loads(path.read_text())
    wins = np.array(data["wins_row_over_col"], dtype=float)
    found = fit_scores(tuple(data["models"]), wins)
    assert worst(found.models, found.ratings, data["exact_mle_mean1000"]) < ELO


def test_analytic_cases(shared: Path) -> None:
    for case in json.loads((folder(shared) / "analytic.json").read_text()):
        counts = aggregate(coded(case["battles"]).battles)
        anchor = next((Anchor(*item) for item in (case.get("anchor") or {}).items()), None)
        for key, settings in (
            ("ratings", FitSettings(anchor=anchor)),
            ("ratings_mean1000", FitSettings()),
            ("map_reg0.5_mean1000", FitSettings()),
        ):
            if key in case:
                found = fit(counts, settings=settings)
                assert worst(found.models, found.ratings, case[key]) < case["tolerance"], case["id"]


@given(seeds)
def test_order_of_the_battles_does_not_matter(seed: int) -> None:
    battles = finite_battles(seed, 6, 80)
    shuffled = battles.select(np.random.default_rng(seed).permutation(len(battles)))
    assert np.abs(rated(battles).ratings - rated(shuffled).ratings).max() < 1e-9


@given(seeds)
def test_swapping_the_sides_does_not_matter(seed: int) -> None:
    battles = finite_battles(seed, 6, 80)
    swapped = replace(battles, a=battles.b, b=battles.a, y=1.0 - battles.y)
    assert np.abs(rated(battles).ratings - rated(swapped).ratings).max() < 1e-9


@given(seeds, st.integers(2, 5))
def test_duplicating_or_splitting_the_data_keeps_the_ratings(seed: int, times: int) -> None:
    battles = finite_battles(seed, 5, 60)
    once = rated(battles).ratings
    repeated = battles.select(np.tile(np.arange(len(battles)), times))
    weighted = replace(battles, weight=np.full(len(battles), float(times)))
    split = replace(repeated, weight=np.full(len(repeated), 1.0 / times))
    for other in (repeated, weighted, split):
        assert np.abs(rated(other).ratings - once).max() < 1e-7


@given(seeds)
def test_renaming_changes_only_the_names(seed: int) -> None:
    battles = finite_battles(seed, 6, 80)
    renamed = replace(battles, models=tuple(f"x{m}" for m in battles.models))
    assert np.array_equal(rated(battles).ratings, rated(renamed).ratings)
    turned = np.arange(6)[::-1]
    mirrored = replace(battles, a=turned[battles.a], b=turned[battles.b])
    assert np.abs(rated(mirrored).ratings[::-1] - rated(battles).ratings).max() < 1e-9


@given(seeds)
def test_observed_scores_equal_expected_scores(seed: int) -> None:
    scores = aggregate(finite_battles(seed, 7, 100)).score_matrix()
    found = fit_scores(tuple("abcdefg"), scores)
    p = 1.0 / (1.0 + 10 ** ((found.ratings[None, :] - found.ratings[:, None]) / 400.0))
    expectation = ((scores + scores.T) * p).sum(axis=1)
    assert np.abs(scores.sum(axis=1) - expectation).max() < 1e-9


@given(seeds)
def test_one_more_win_raises_the_difference(seed: int) -> None:
    battles = finite_battles(seed, 5, 40)
    rng = np.random.default_rng(seed)
    i, j = rng.choice(5, 2, replace=False)
    more = replace(
        battles,
        a=np.append(battles.a, i),
        b=np.append(battles.b, j),
        y=np.append(battles.y, 1.0),
    )
    before, after = rated(battles).ratings, rated(more).ratings
    assert after[i] - after[j] > before[i] - before[j]


@pytest.mark.parametrize(("wins", "ties", "losses"), [(75, 0, 25), (50, 50, 0)])
def test_three_to_one_is_190_elo(wins: int, ties: int, losses: int) -> None:
    found = rated(
        simple(("a", "b", "model_a", wins), ("a", "b", "tie", ties), ("a", "b", "model_b", losses))
    )
    difference = found.ratings[0] - found.ratings[1]
    assert difference == pytest.approx(190.848501887865, abs=1e-9)
    assert difference == pytest.approx(400 * math.log10(3), abs=1e-9)


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), min_size=1, max_size=6))
def test_star_graph_predicts_the_observed_scores(record: list[tuple[int, int]]) -> None:
    rows = []
    for number, (won, lost) in enumerate(record):
        rows += [("base", f"m{number}", "model_b", won), ("base", f"m{number}", "model_a", lost)]
    counts = aggregate(simple(*rows))
    predicted = predicted_wins(fit(counts)).cells[1:, 0]
    observed = [won / (won + lost) for won, lost in record]
    assert np.abs(predicted - observed).max() < 1e-9


def test_textbook_strengths() -> None:
    wins = np.zeros((4, 4))
    for i, j, won, lost in ((0, 1, 2, 3), (0, 3, 1, 4), (1, 2, 5, 3), (2, 3, 1, 3)):
        wins[i, j], wins[j, i] = won, lost
    strengths = np.exp(fit_scores(tuple("ABCD"), wins).beta)
    assert strengths.round(3).tolist() == [0.64, 1.043, 0.66, 2.27]
    assert np.prod(strengths) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(4))
def test_a_slow_twin_agrees(seed: int) -> None:
    counts = aggregate(finite_battles(seed, 5, 60))
    scores = counts.score_matrix()
    assert np.abs(fit(counts).ratings - slow_twin(scores)).max() < 1e-5
    under_prior = fit(counts, settings=ALWAYS).ratings
    assert np.abs(under_prior - slow_twin(scores, PRIOR_PRECISION)).max() < 1e-5


@given(battle_sets())
def test_any_data_converge_with_a_mean_of_1000_per_component(battles: Battles) -> None:
    found = rated(battles)
    assert found.converged
    for members in found.structure.weak:
        assert found.ratings[list(members)].mean() == pytest.approx(1000.0, abs=1e-6)
    assert found.regularised.tolist() == found.structure.separated().tolist()


@pytest.mark.parametrize("wins", [10, 10_000, 10**6, 10**9])
def test_extreme_records_converge_to_the_closed_form(wins: int) -> None:
    scores = np.array([[0.0, wins, 0.0], [1.0, 0.0, wins], [0.0, 1.0, 0.0]])
    found = fit_scores(("a", "b", "c"), scores)
    assert found.converged
    step = 400 * math.log10(wins)
    assert np.abs(found.ratings - [1000 + step, 1000, 1000 - step]).max() < ELO


def test_a_loop_that_is_barely_connected_converges() -> None:
    k = 40
    scores = np.triu(np.full((k, k), 1000.0), 1)
    scores[k - 1, 0] = 0.5
    found = fit_scores(tuple(map(str, range(k))), scores)
    assert found.converged
    assert found.gradient_norm < 1e-9


def test_islands_are_rated_apart_and_the_reader_is_warned() -> None:
    found = rated(
        simple(
            ("A", "B", "model_a", 3),
            ("A", "B", "model_b", 1),
            ("C", "D", "model_a", 9),
            ("C", "D", "model_b", 3),
        )
    )
    assert found.ratings.round(2).tolist() == [1095.42, 904.58, 1095.42, 904.58]
    assert found.structure.weak == ((0, 1), (2, 3))
    assert any("never met" in note for note in found.warnings)


def test_separated_data_name_the_order_and_are_marked_as_regularised(shared: Path) -> None:
    found = fit(counts_of(shared, "separated"))
    assert found.regularised.all()
    assert any("{SE} > {SA, SB} > {SC, SD} > {SF}" in note for note in found.warnings)


def test_only_the_separated_component_is_regularised() -> None:
    found = rated(
        simple(("a", "b", "model_a", 3), ("a", "b", "model_b", 1), ("c", "d", "model_a", 2))
    )
    assert found.regularised.tolist() == [False, False, True, True]
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * math.log10(3))


def test_ties_are_half_a_win_each() -> None:
    level = rated(simple(("A", "B", "tie", 1), ("B", "C", "tie", 1), ("A", "C", "tie", 1)))
    assert np.abs(level.ratings - 1000.0).max() < 1e-9
    won = rated(simple(("A", "B", "model_a", 1), ("A", "B", "tie", 1)))
    assert won.ratings.round(2).tolist() == [1095.42, 904.58]


def test_an_anchor_moves_its_component_and_no_difference() -> None:
    battles = simple(
        ("a", "b", "model_a", 3),
        ("a", "b", "model_b", 1),
        ("c", "d", "model_a", 2),
        ("c", "d", "model_b", 1),
    )
    free, held = rated(battles), rated(battles, FitSettings(anchor=Anchor("b", 1114.0)))
    assert held.ratings[1] == 1114.0
    assert np.diff(held.ratings)[0] == pytest.approx(np.diff(free.ratings)[0])
    assert held.ratings[2:].tolist() == free.ratings[2:].tolist()
    with pytest.raises(KeyError, match="not among the models"):
        rated(battles, FitSettings(anchor=Anchor("nobody", 1000.0)))


def test_arena_anchor_only_when_the_model_takes_part() -> None:
    even = simple(
        ("mixtral-8x7b-instruct-v0.1", "B", "model_a", 1),
        ("mixtral-8x7b-instruct-v0.1", "B", "model_b", 1),
    )
    anchor = arena_anchor(even.models)
    assert rated(even, FitSettings(anchor=anchor)).ratings.tolist() == [1114.0, 1114.0]
    assert arena_anchor(("X", "B")) is None


def test_a_warm_start_ends_at_the_same_ratings() -> None:
    counts = aggregate(finite_battles(5, 12, 400))
    cold = fit(counts)
    warm = fit(counts, start=cold.beta + 0.01)
    assert warm.iterations < cold.iterations
    assert np.abs(warm.ratings - cold.ratings).max() < 1e-7


def test_no_battles_and_no_models() -> None:
    assert fit_scores(("a", "b"), np.zeros((2, 2))).ratings.tolist() == [1000.0, 1000.0]
    assert fit_scores((), np.zeros((0, 0))).ratings.tolist() == []


def test_to_dict_is_plain_json(shared: Path) -> None:
    found = fit(counts_of(shared, "separated"))
    data = json.loads(json.dumps(found.to_dict()))
    assert data["unbounded"] == {"SE": "above", "SF": "below"}
    assert data["strong_components"][0] == ["SE"]
    assert data["converged"] is True
