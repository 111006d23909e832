"""Bootstrap intervals: the reproducible one, the batched one, clusters, and hard rounds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import Battles, aggregate
from ifbench_tui.engine.ratings.bootstrap import (
    bootstrap,
    cluster_bootstrap,
    fastchat_bootstrap,
    summary,
)
from ifbench_tui.engine.ratings.bradley_terry import (
    ELO_PER_NAT,
    PRIOR_PRECISION,
    Anchor,
    FitSettings,
    arena_anchor,
    fit,
    fit_scores,
    solve,
)
from ifbench_tui.engine.ratings.connectivity import structure_of
from ifbench_tui.engine.ratings.intervals import intervals
from ifbench_tui.engine.ratings.matrices import anchored_win_rate
from ifbench_tui.engine.ratings.resampling import BatchSolver
from tests.engine.ratings.golden import (
    BATTLE_SETS,
    battles_of,
    expected,
    finite_battles,
    folder,
    rows_of,
    simple,
    worst,
    worst_ratio,
)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("name", BATTLE_SETS)
def test_the_arena_bootstrap_is_reproduced_to_the_digit(shared: Path, name: str) -> None:
    battles = battles_of(shared, name)
    want = expected(shared, name)["bootstrap_exact_100_seed0"]
    anchor = arena_anchor(battles.models) if want["anchored"] else None
    full = fit(aggregate(battles), settings=FitSettings(anchor=anchor))
    found = fastchat_bootstrap(battles, full)
    assert (found.rounds, found.finite_rounds) == (100, want["finite_rounds"])
    for ours, key in ((found.lower, "q025"), (found.median, "q50"), (found.upper, "q975")):
        assert worst(found.models, ours, want[key]) < 0.01
    assert worst_ratio(found.models, found.variance, want["var_ddof1"]) < 1e-5


def test_the_order_of_the_file_sets_the_arena_bootstrap() -> None:
    battles = finite_battles(3, 5, 60)
    full = fit(aggregate(battles))
    first = fastchat_bootstrap(battles, full, rounds=20)
    turned = fastchat_bootstrap(battles.select(np.arange(len(battles))[::-1]), full, rounds=20)
    assert not np.allclose(first.samples, turned.samples)


def test_official_quantiles_and_variances(shared: Path) -> None:
    board = json.loads((folder(shared) / "official_20240329" / "leaderboard.json").read_text())
    models = tuple(board["models"])
    rounds = np.array([board["bootstrap_rounds"][m] for m in models]).T
    full = fit_scores(models, 1.0 - np.eye(len(models)))
    found = summary(full, (rounds - 1000.0) / ELO_PER_NAT, 0.95, 100, 100)
    assert worst(models, found.lower, board["q025"]) < 1e-9
    assert worst(models, found.upper, board["q975"]) < 1e-9
    assert worst(models, found.variance, board["variance_ddof1"]) < 1e-6


def test_batched_rounds_are_exact_fits() -> None:
    battles = finite_battles(4, 9, 30)
    counts = aggregate(battles)
    scores = counts.score_matrix()
    noise = rng(1).poisson(scores, size=(60, 9, 9)).astype(float)
    found = BatchSolver(scores, fit(counts)).solve(noise)
    finite = 0
    for drawn, beta, was_finite in zip(noise, found.beta, found.finite, strict=True):
        structure = structure_of(drawn)
        assert was_finite == structure.mle_finite
        ridge = np.full(9, 0.0 if was_finite else PRIOR_PRECISION)
        exact = solve(drawn, structure, ridge).beta
        finite += int(was_finite)
        known = np.isfinite(beta)
        assert np.abs(beta[known] - exact[known]).max() * ELO_PER_NAT < 0.001
        assert np.array_equal(known, drawn.sum(axis=0) + drawn.sum(axis=1) > 0)
    assert 0 < finite < 60


def test_rounds_under_the_prior_when_the_fit_is() -> None:
    counts = aggregate(finite_battles(4, 5, 100))
    full = fit(counts, settings=FitSettings(prior="always"))
    scores = counts.score_matrix()
    found = BatchSolver(scores, full).solve(scores[None])
    assert np.abs(found.beta[0] - full.beta).max() < 1e-6


def test_bootstrap_errors_resemble_the_sandwich() -> None:
    counts = aggregate(finite_battles(7, 8, 3000))
    full = fit(counts)
    found = bootstrap(full, counts, rounds=600, rng=rng())
    ratio = np.sqrt(found.variance) / intervals(full, counts).se
    assert np.abs(ratio - 1.0).max() < 0.12
    assert found.warnings == ()
    assert (found.lower < full.ratings).all()
    assert (found.upper > full.ratings).all()


def test_the_same_seed_gives_the_same_rounds_and_sides_do_not_matter() -> None:
    battles = finite_battles(7, 6, 300)
    turned = Battles(battles.models, battles.b, battles.a, 1.0 - battles.y)
    results = []
    for data in (battles, battles, turned):
        counts = aggregate(data)
        results.append(bootstrap(fit(counts), counts, rounds=30, rng=rng(5)).samples)
    assert np.array_equal(results[0], results[1])
    assert np.abs(results[0] - results[2]).max() < 1e-3


def test_progress_counts_up_and_can_stop() -> None:
    counts = aggregate(finite_battles(7, 6, 300))
    full = fit(counts)
    calls: list[tuple[int, int]] = []

    def watch(done: int, asked: int) -> bool:
        calls.append((done, asked))
        return done < 8_000

    found = bootstrap(full, counts, rounds=100_000, rng=rng(), progress=watch)
    assert calls[-1][0] == found.rounds
    assert 8_000 <= found.rounds < 100_000
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert any("stopped after" in note for note in found.warnings)


def test_an_undefeated_model_has_no_band() -> None:
    battles = simple(("A", "B", "model_a", 60), ("A", "B", "model_b", 40), ("C", "A", "model_a", 1))
    counts = aggregate(battles)
    found = bootstrap(fit(counts), counts, rounds=200, rng=rng())
    assert np.isnan(found.lower).tolist() == [False, False, True]
    assert found.to_dict()["lower"]["C"] is None  # type: ignore[index]
    assert found.present[2] < 160


def test_a_round_without_the_model_gives_it_no_value() -> None:
    battles = simple(
        ("A", "B", "model_a", 60),
        ("A", "B", "model_b", 40),
        ("C", "A", "model_a", 1),
        ("C", "A", "model_b", 1),
    )
    counts = aggregate(battles)
    found = bootstrap(fit(counts), counts, rounds=400, rng=rng())
    absent = np.isnan(found.samples[:, 2])
    assert absent.sum() == 400 - found.present[2]
    assert absent.mean() == pytest.approx(np.exp(-2), abs=0.06)
    assert not (found.samples[:, 2] == 1000.0).any()
    assert any("no battle in some" in note for note in found.warnings)
    assert any("fitted with a prior" in note for note in found.warnings)


def test_an_anchored_model_has_no_width() -> None:
    counts = aggregate(finite_battles(7, 6, 300))
    full = fit(counts, settings=FitSettings(anchor=Anchor("m02", 1200.0)))
    found = bootstrap(full, counts, rounds=50, rng=rng())
    assert found.lower[2] == found.upper[2] == 1200.0
    assert (np.delete(found.upper - found.lower, 2) > 1.0).all()


def test_clusters_of_one_battle_resemble_the_plain_bootstrap() -> None:
    battles = finite_battles(9, 5, 400)
    counts = aggregate(battles)
    full = fit(counts)
    plain = bootstrap(full, counts, rounds=600, rng=rng())
    alone = cluster_bootstrap(full, battles, np.arange(len(battles)), rounds=600, rng=rng(1))
    assert np.abs(np.sqrt(alone.variance / plain.variance) - 1.0).max() < 0.15
    assert alone.clustered


def test_question_clusters_on_real_arena_hard_verdicts(shared: Path) -> None:
    battles = battles_of(shared, "arena_hard_real")
    rows = rows_of(shared, "arena_hard_real")
    want = expected(shared, "arena_hard_real")
    full = fit(aggregate(battles), settings=FitSettings(anchor=Anchor(want["baseline"], 1000.0)))
    questions = np.array([row["question_id"] for row in rows])
    found = cluster_bootstrap(full, battles, questions, rounds=2000, rng=rng())
    for model, (low, high) in want["question_clustered_bootstrap_2000_rng0_win_rate_95"].items():
        i = found.models.index(model)
        assert anchored_win_rate(found.lower[i]) == pytest.approx(low, abs=0.5)
        assert anchored_win_rate(found.upper[i]) == pytest.approx(high, abs=0.5)


def test_nothing_to_resample_is_an_error() -> None:
    counts = aggregate(simple(("a", "b", "tie", 1))).with_ties("drop")
    with pytest.raises(ValueError, match="no battle"):
        bootstrap(fit(counts), counts, rounds=10, rng=rng())


def test_separated_data_never_get_a_finite_round(shared: Path) -> None:
    battles = battles_of(shared, "separated")
    counts = aggregate(battles)
    found = bootstrap(fit(counts), counts, rounds=40, rng=rng())
    assert found.finite_rounds == 0
    assert np.isnan(found.lower).sum() == 2
