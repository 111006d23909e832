"""Closed-form intervals: golden values, a slow twin, differences and ranks."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.ratings.battles import Battles, Codes, Floats, aggregate
from ifbench_tui.engine.ratings.bradley_terry import (
    ELO_PER_NAT,
    PRIOR_PRECISION,
    Anchor,
    FitSettings,
    arena_anchor,
    fit,
)
from ifbench_tui.engine.ratings.distributions import chi_square_quantile
from ifbench_tui.engine.ratings.intervals import (
    Intervals,
    intervals,
    rank_intervals,
    ranks_from_bounds,
)
from ifbench_tui.engine.ratings.matrices import anchored_win_rate
from tests.engine.ratings.golden import (
    battles_of,
    counts_of,
    expected,
    finite_battles,
    folder,
    real_counts,
    reweighted,
    rows_of,
    simple,
    worst_ratio,
)

WITH_ERRORS = ("tiny", "duplicates", "medium_ties", "medium_style", "sparse129")


def bars_of(battles: Battles, **options: object) -> Intervals:
    counts = aggregate(battles)
    return intervals(fit(counts), counts, **options)  # type: ignore[arg-type]


def slow_sandwich(battles: Battles, beta: Floats, clusters: Codes, ridge: float = 0.0) -> Floats:
    """Battle by battle, with the pseudo-inverse."""
    k = len(beta)
    h, sums = ridge * np.eye(k), {}
    weight = np.ones(len(battles)) if battles.weight is None else battles.weight
    for row, cluster in enumerate(clusters.tolist()):
        x = np.zeros(k)
        x[battles.a[row]], x[battles.b[row]] = 1.0, -1.0
        p = 1.0 / (1.0 + math.exp(-float(x @ beta)))
        h += weight[row] * p * (1.0 - p) * np.outer(x, x)
        sums[cluster] = sums.get(cluster, 0.0) + weight[row] * (battles.y[row] - p) * x
    meat = sum(np.outer(g, g) for g in sums.values())
    bread = np.linalg.pinv(h) if ridge == 0 else np.linalg.inv(h)
    return ELO_PER_NAT * np.sqrt(np.diag(bread @ meat @ bread))


@pytest.mark.parametrize("name", WITH_ERRORS)
def test_standard_errors_of_the_golden_sets(shared: Path, name: str) -> None:
    counts = counts_of(shared, name)
    want = expected(shared, name)
    found = fit(counts)
    for kind in ("sandwich", "fisher"):
        bars = intervals(found, counts, kind=kind)
        assert worst_ratio(bars.models, bars.se, want["exact_se"][f"{kind}_meanzero_elo"]) < 1e-6
    ranks = rank_intervals(intervals(found, counts))
    assert (
        dict(zip(ranks.models, ranks.best.tolist(), strict=True)) == (want["rank_ub_from_sandwich"])
    )
    if "sandwich_anchored_elo" in want["exact_se"]:
        held = fit(counts, settings=FitSettings(anchor=arena_anchor(counts.models)))
        bars = intervals(held, counts)
        anchored = want["exact_se"]["sandwich_anchored_elo"]
        assert worst_ratio(bars.models, bars.se, anchored) < 1e-6
        assert [s for s, v in zip(bars.se, bars.models, strict=True) if not anchored[v]] == [0.0]


@pytest.mark.parametrize("name", [*WITH_ERRORS, "disconnected"])
def test_arena_rank_variances(shared: Path, name: str) -> None:
    counts = counts_of(shared, name)
    want = expected(shared, name)["arena_rank"]
    cases = (("unweighted", counts, 1e-5 * counts.total), ("reweighted_min50", None, 1e-5))
    for key, mine, ridge in cases:
        mine = mine or reweighted(counts)
        found = fit(mine)
        theirs = intervals(found, mine, information_ridge=ridge)
        assert worst_ratio(mine.models, theirs.se**2, want[key]["variances"]) < 0.005
        if "exact_sandwich_se_elo" in want[key]:
            exact = intervals(found, mine)
            assert worst_ratio(mine.models, exact.se, want[key]["exact_sandwich_se_elo"]) < 1e-5


def test_real_arena_intervals_and_ranks(shared: Path) -> None:
    counts = real_counts(shared)
    want = expected(shared, "real_arena_20240814")
    bars = intervals(fit(counts), counts)
    assert worst_ratio(bars.models, bars.se, want["sandwich_se_meanzero"]) < 1e-5
    ranks = rank_intervals(bars)
    assert (
        dict(zip(ranks.models, ranks.best.tolist(), strict=True))
        == (want["rank_ub_sandwich95_meanzero"])
    )


def test_official_ranks_follow_from_the_official_bounds(shared: Path) -> None:
    board = json.loads((folder(shared) / "official_20240329" / "leaderboard.json").read_text())
    models = tuple(board["models"])
    rounds = np.array([board["bootstrap_rounds"][m] for m in models])
    lower, upper = np.quantile(rounds, (0.025, 0.975), axis=1)
    for m, low, high in zip(models, lower, upper, strict=True):
        assert low == pytest.approx(board["q025"].get(m, low), abs=1e-9)
        assert high == pytest.approx(board["q975"].get(m, high), abs=1e-9)
    ranks = ranks_from_bounds(models, lower, upper, np.zeros(len(models), dtype=int))
    for m, best in zip(models, ranks.best.tolist(), strict=True):
        assert best == 1 + sum(low > upper[models.index(m)] for low in lower)


@pytest.mark.parametrize("seed", range(3))
def test_a_slow_twin_agrees(seed: int) -> None:
    battles = finite_battles(seed, 5, 70)
    rng = np.random.default_rng(seed)
    battles = replace(battles, weight=rng.uniform(0.5, 2.0, len(battles)))
    counts = aggregate(battles)
    found = fit(counts)
    alone = np.arange(len(battles))
    assert np.allclose(intervals(found, counts).se, slow_sandwich(battles, found.beta, alone))
    judges = rng.integers(0, 9, len(battles))
    clustered = intervals(found, counts, clustered=(battles, judges))
    assert np.allclose(clustered.se, slow_sandwich(battles, found.beta, judges))
    held = fit(counts, settings=FitSettings(prior="always"))
    twin = slow_sandwich(battles, held.beta, alone, PRIOR_PRECISION)
    assert np.allclose(intervals(held, counts).se, twin)


def test_clusters_of_one_are_the_plain_sandwich_and_many_blocks_add_up() -> None:
    battles = finite_battles(1, 30, 60_000)
    counts = aggregate(battles)
    found = fit(counts)
    plain = intervals(found, counts).se
    alone = intervals(found, counts, clustered=(battles, np.arange(len(battles)))).se
    assert np.allclose(plain, alone, rtol=1e-9)


@given(st.integers(0, 5000), st.integers(2, 6))
def test_duplicating_divides_the_error_by_the_root(seed: int, times: int) -> None:
    battles = finite_battles(seed, 5, 60)
    repeated = battles.select(np.tile(np.arange(len(battles)), times))
    assert np.allclose(bars_of(repeated).se * math.sqrt(times), bars_of(battles).se)
    copies = np.tile(np.arange(len(battles)), times)
    counts = aggregate(repeated)
    clustered = intervals(fit(counts), counts, clustered=(repeated, copies))
    assert np.allclose(clustered.se, bars_of(battles).se)


def test_side_swap_and_renaming_keep_the_error() -> None:
    battles = finite_battles(3, 6, 90)
    swapped = replace(battles, a=battles.b, b=battles.a, y=1.0 - battles.y)
    assert np.allclose(bars_of(swapped).se, bars_of(battles).se, rtol=1e-9)


def test_a_difference_has_its_own_interval() -> None:
    battles = finite_battles(2, 6, 300)
    bars = bars_of(battles)
    counts = aggregate(battles)
    gap = bars.difference(0, 3)
    anchored = intervals(fit(counts, settings=FitSettings(anchor=Anchor("m03", 1000.0))), counts)
    assert gap.se == pytest.approx(anchored.se[0])
    assert gap.elo == pytest.approx(bars.ratings[0] - bars.ratings[3])
    assert (gap.lower + gap.upper) / 2 == pytest.approx(gap.elo)
    assert gap.separated == (gap.p_value < 0.05)
    back = bars.difference(3, 0)
    assert (back.elo, back.lower) == (-gap.elo, pytest.approx(-gap.upper))


def test_a_difference_can_be_sure_where_the_bars_overlap() -> None:
    counts = aggregate(
        simple(
            ("a", "b", "model_a", 290),
            ("a", "b", "model_b", 210),
            ("a", "c", "model_a", 10),
            ("a", "c", "model_b", 10),
        )
    )
    bars = intervals(fit(counts, settings=FitSettings(anchor=Anchor("c", 1000.0))), counts)
    assert bars.lower[0] < bars.upper[1]
    assert bars.difference(0, 1).separated


def test_no_interval_across_components_or_without_a_bound() -> None:
    bars = bars_of(
        simple(
            ("a", "b", "model_a", 3),
            ("a", "b", "model_b", 1),
            ("c", "d", "model_a", 3),
            ("c", "d", "model_b", 3),
            ("e", "c", "model_a", 1),
        )
    )
    assert np.isnan(bars.se).tolist() == [False, False, False, False, True]
    assert math.isnan(bars.difference(0, 2).elo)
    assert not bars.difference(0, 2).separated
    ranks = rank_intervals(bars)
    assert ranks.worst.tolist() == [2, 2, 3, 3, 3]
    assert ranks.best.tolist() == [1, 1, 1, 1, 1]
    assert bars.to_dict()["lower"]["e"] is None  # type: ignore[index]


def test_an_unbounded_anchor_leaves_no_interval() -> None:
    battles = simple(("a", "b", "model_a", 3), ("a", "b", "model_b", 1), ("c", "a", "model_a", 1))
    counts = aggregate(battles)
    held = fit(counts, settings=FitSettings(anchor=Anchor("c", 1000.0)))
    assert np.isnan(intervals(held, counts).se).all()


def test_level_scales_the_width() -> None:
    battles = finite_battles(2, 6, 300)
    wide, narrow = bars_of(battles, level=0.99), bars_of(battles, level=0.5)
    assert np.allclose(wide.se, narrow.se)
    assert np.allclose((wide.upper - wide.ratings) / wide.se, 2.5758293035489004)
    assert np.allclose((narrow.upper - narrow.ratings) / narrow.se, 0.6744897501960817)


def test_simultaneous_ranks_are_no_narrower_than_plain_ones() -> None:
    bars = bars_of(finite_battles(8, 12, 4000))
    plain = rank_intervals(bars)
    ellipsoid = rank_intervals(bars, simultaneous="ellipsoid")
    bonferroni = rank_intervals(bars, simultaneous="bonferroni")
    assert (ellipsoid.best <= plain.best).all()
    assert (ellipsoid.worst >= plain.worst).all()
    assert plain.best.max() > 6
    width = bars.se * math.sqrt(chi_square_quantile(0.95, 11))
    lower, upper = bars.ratings - width, bars.ratings + width
    assert ellipsoid.best.tolist() == [1 + int((lower > u).sum()) for u in upper]
    z = 3.367847180032718
    for i in range(12):
        sure = sum((gap := bars.difference(j, i)).elo > z * gap.se for j in range(12) if j != i)
        assert bonferroni.best[i] == 1 + sure


def test_question_clusters_widen_real_arena_hard_intervals(shared: Path) -> None:
    battles = battles_of(shared, "arena_hard_real")
    rows = rows_of(shared, "arena_hard_real")
    questions = np.array([row["question_id"] for row in rows])
    want = expected(shared, "arena_hard_real")
    counts = aggregate(battles)
    base = Anchor(want["baseline"], 1000.0)
    found = fit(counts, settings=FitSettings(anchor=base))
    for model, percent in want["exact_win_rate_percent"].items():
        rating = found.ratings[found.models.index(model)]
        assert anchored_win_rate(rating) == pytest.approx(percent, abs=1e-6)
    plain = intervals(found, counts)
    clustered = intervals(found, counts, clustered=(battles, questions))
    i = found.models.index("claude-3-5-sonnet-20240620")
    assert 1.6 < clustered.se[i] / plain.se[i] < 2.0
    low, high = want["question_clustered_bootstrap_2000_rng0_win_rate_95"][found.models[i]]
    assert anchored_win_rate(clustered.lower[i]) == pytest.approx(low, abs=1.0)
    assert anchored_win_rate(clustered.upper[i]) == pytest.approx(high, abs=1.0)
