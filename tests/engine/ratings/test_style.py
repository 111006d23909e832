"""Style control against golden fits, its presets, and degenerate features."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import Battles, Floats
from ifbench_tui.engine.ratings.bradley_terry import (
    ELO_PER_NAT,
    Anchor,
    FitSettings,
    arena_anchor,
)
from ifbench_tui.engine.ratings.matrices import anchored_win_rate
from ifbench_tui.engine.ratings.style import (
    FEATURES,
    StyleFit,
    feature_total,
    fit_style,
    fit_style_matrix,
    relative_difference,
    standardised,
)
from ifbench_tui.engine.ratings.style_bootstrap import (
    fastchat_style_bootstrap,
    style_bootstrap,
)
from tests.engine.ratings.golden import (
    battles_of,
    coded,
    expected,
    finite_battles,
    folder,
    rows_of,
    simple,
    worst,
    worst_ratio,
)

Sides = dict[str, tuple[Floats, Floats]]
FIELDS = {
    "tokens": "sum_assistant_{}_tokens",
    "header": "header_count_{}",
    "list": "list_count_{}",
    "bold": "bold_count_{}",
}


def golden_sides(shared: Path, features: Sequence[str] = FEATURES) -> Sides:
    rows = [row["conv_metadata"] for row in rows_of(shared, "medium_style")]

    def column(feature: str, side: str) -> Floats:
        field = FIELDS[feature].format(side)
        return np.array([feature_total(row[field]) for row in rows], dtype=float)

    return {feature: (column(feature, "a"), column(feature, "b")) for feature in features}


def random_sides(seed: int, n: int, features: Sequence[str] = FEATURES) -> Sides:
    rng = np.random.default_rng(seed)
    return {f: (rng.poisson(20, n) * 1.0, rng.poisson(20, n) * 1.0) for f in features}


def close(found: StyleFit, coefficients: Sequence[float], ratings: dict[str, float]) -> bool:
    return bool(
        np.abs(found.coefficients - coefficients).max() < 1e-6
        and worst(found.fit.models, found.fit.ratings, ratings) < 1e-4
    )


def test_fastchat_preset_is_the_exact_optimum(shared: Path) -> None:
    battles = battles_of(shared, "medium_style")
    want = expected(shared, "medium_style")["style"]
    for key, features in (
        ("exact_reg0.5", FEATURES),
        ("exact_reg0.5_length_only", FEATURES[:1]),
        ("exact_reg0.5_markdown_only", FEATURES[1:]),
    ):
        found = fit_style(battles, golden_sides(shared, features), preset="fastchat")
        wanted = want[key].get("coefs", want[key].get("coefs_token_header_list_bold"))
        assert close(found, wanted, want[key]["ratings_noanchor"])
        assert found.features == tuple(features)
    anchored = FitSettings(anchor=arena_anchor(battles.models))
    found = fit_style(battles, golden_sides(shared), preset="fastchat", settings=anchored)
    assert worst(battles.models, found.fit.ratings, want["exact_reg0.5"]["ratings_anchor1114"]) < (
        1e-4
    )
    as_run = want["fastchat_as_run"]
    assert worst(battles.models, found.fit.ratings, as_run["ratings"]) < 0.05
    assert np.abs(found.coefficients - as_run["coefs_token_header_list_bold"]).max() < 5e-4


def test_unregularised_optimum_and_its_sandwich(shared: Path) -> None:
    battles = battles_of(shared, "medium_style")
    want = expected(shared, "medium_style")["style"]
    sides = golden_sides(shared)
    z = np.array([standardised(relative_difference(*s, 1.0))[0] for s in sides.values()])
    assert np.abs(z[:, :3].T - want["feature_first3_standardised"]).max() < 1e-8
    found = fit_style_matrix(battles, z, FEATURES)
    exact = want["exact_unregularised"]
    assert close(found, exact["coefs_token_header_list_bold"], exact["ratings_mean1000"])
    errors = exact["sandwich_se_elo_meanzero"]
    assert worst_ratio(battles.models, found.intervals.se, errors) < 1e-5
    assert np.allclose(found.se, exact["sandwich_se_coefs"], rtol=1e-5)
    assert np.allclose(found.upper - found.lower, 2 * 1.959963984540054 * found.se)
    assert np.allclose(found.elo_per_sd, ELO_PER_NAT * found.coefficients)


def test_arena_rank_and_plain_presets(shared: Path) -> None:
    battles = battles_of(shared, "medium_style")
    want = expected(shared, "medium_style")["arena_rank"]
    sides = golden_sides(shared, ("tokens", "header", "bold", "list"))
    for key, preset in (
        ("contextual_default_reg1_reweighted", "arena-rank"),
        ("contextual_reg1e-12_unweighted", "plain"),
    ):
        found = fit_style(battles, sides, preset=preset)
        wanted = want[key]
        exact = wanted["exact_coefs_token_header_bold_list"]
        assert close(found, exact, wanted["exact_ratings_mean1000"])
        assert np.abs(found.coefficients - wanted["coefs_token_header_bold_list"]).max() < 5e-5
        assert worst(battles.models, found.fit.ratings, wanted["ratings"]) < 0.1


def test_fastchat_style_bootstrap_as_run(shared: Path) -> None:
    battles = battles_of(shared, "medium_style")
    want = expected(shared, "medium_style")["style"]["fastchat_bootstrap_50_npseed7"]
    anchored = FitSettings(anchor=arena_anchor(battles.models))
    full = fit_style(battles, golden_sides(shared), preset="fastchat", settings=anchored)
    found = fastchat_style_bootstrap(full, rounds=50, seed=7)
    assert worst(battles.models, found.ratings.lower, want["q025"]) < 0.05
    assert worst(battles.models, found.ratings.upper, want["q975"]) < 0.05
    assert np.abs(found.lower - want["coef_q025"]).max() < 5e-4
    assert np.abs(found.upper - want["coef_q975"]).max() < 5e-4


def test_a_slow_twin_agrees() -> None:
    battles = finite_battles(1, 4, 120)
    sides = random_sides(1, len(battles), ("tokens", "bold"))
    found = fit_style(battles, sides, intercept=True)
    z = np.array([standardised(relative_difference(*s))[0] for s in sides.values()])
    x = np.zeros((len(battles), 7))
    x[np.arange(len(battles)), battles.a] = 1.0
    x[np.arange(len(battles)), battles.b] = -1.0
    x[:, 4:6], x[:, 6] = z.T, 1.0
    theta = np.zeros(7)
    for _ in range(60_000):
        step = x.T @ (battles.y - 1.0 / (1.0 + np.exp(-x @ theta)))
        theta += step * 0.01
    assert np.abs(found.coefficients - theta[4:]).max() < 1e-6
    assert np.abs(found.fit.beta - theta[:4]).max() < 1e-6
    assert found.features == ("tokens", "bold", "side A")


def test_shifts_compare_with_the_fit_without_style(shared: Path) -> None:
    battles = battles_of(shared, "medium_style")
    found = fit_style(battles, golden_sides(shared))
    plain = expected(shared, "medium_style")["exact_mle"]["ratings_mean1000"]
    models = battles.models
    assert worst(models, found.fit.ratings - found.rating_shift, plain) < 1e-4
    before = sorted(plain, key=plain.__getitem__, reverse=True)
    after = [models[i] for i in np.argsort(-found.fit.ratings)]
    for model, shift in zip(models, found.rank_shift.tolist(), strict=True):
        assert shift == before.index(model) - after.index(model)
    assert any(found.rank_shift)


def test_half_longer_is_worth_a_fifth_of_the_relative_difference() -> None:
    battles = finite_battles(2, 4, 300)
    sides = random_sides(2, len(battles), ("tokens",))
    found = fit_style(battles, sides)
    sd = float(relative_difference(*sides["tokens"]).std())
    assert found.longer == pytest.approx(found.elo_per_sd[0] * 0.2 / sd)
    assert fit_style(battles, random_sides(2, len(battles), ("bold",))).longer is None


def test_a_constant_feature_is_left_out_with_a_message() -> None:
    battles = finite_battles(2, 4, 100)
    sides = random_sides(2, len(battles), ("tokens",))
    sides["bold"] = (np.full(len(battles), 3.0), np.full(len(battles), 1.0))
    found = fit_style(battles, sides)
    assert found.features == ("tokens",)
    assert any("'bold' is the same in every battle" in note for note in found.warnings)


def test_collinear_features_are_reported_and_do_not_stop_the_fit() -> None:
    battles = finite_battles(2, 4, 100)
    sides = random_sides(2, len(battles), ("tokens",))
    sides["copy"] = sides["tokens"]
    found = fit_style(battles, sides)
    assert any("collinear" in note for note in found.warnings)
    alone = fit_style(battles, {"tokens": sides["tokens"]})
    assert np.abs(found.fit.ratings - alone.fit.ratings).max() < 1e-4
    assert np.allclose(found.coefficients, alone.coefficients[0] / 2.0, atol=1e-6)


def test_a_feature_that_decides_every_battle_is_reported() -> None:
    battles = finite_battles(2, 4, 100)
    decided = battles.select(battles.y != 0.5)
    won = decided.y > 0.5
    sides = {"tokens": (np.where(won, 30.0, 10.0), np.where(won, 10.0, 30.0))}
    found = fit_style(decided, sides)
    assert not found.fit.converged
    assert any("did not converge" in note for note in found.warnings)


def test_empty_responses_have_no_difference() -> None:
    zero = np.zeros(2)
    assert relative_difference(zero, zero).tolist() == [0.0, 0.0]
    assert relative_difference(zero, zero, 1.0).tolist() == [0.0, 0.0]
    assert relative_difference(np.array([3.0]), np.array([1.0])).tolist() == [0.5]
    assert relative_difference(np.array([3.0]), np.array([1.0]), 1.0).tolist() == [0.4]


def test_separated_models_are_held_by_the_prior_in_style_too() -> None:
    battles = simple(("a", "b", "model_a", 8), ("b", "c", "model_a", 5), ("b", "c", "model_b", 5))
    found = fit_style(battles, random_sides(0, len(battles), ("tokens",)))
    assert found.fit.converged
    assert found.fit.regularised.all()
    assert math.isnan(found.intervals.se[0])


def test_cluster_and_bootstrap_errors_of_coefficients() -> None:
    battles = finite_battles(6, 4, 1500)
    sides = random_sides(6, len(battles), ("tokens", "bold"))
    plain = fit_style(battles, sides)
    alone = fit_style(battles, sides, clusters=np.arange(len(battles)))
    assert np.allclose(plain.se, alone.se)
    twice = np.tile(np.arange(len(battles)), 2)
    doubled = battles.select(twice)
    both = {name: (a[twice], b[twice]) for name, (a, b) in sides.items()}
    clustered = fit_style(doubled, both, clusters=twice)
    assert np.allclose(clustered.se, plain.se)
    assert np.allclose(clustered.intervals.se, plain.intervals.se)
    found = style_bootstrap(plain, rounds=300, rng=np.random.default_rng(0))
    assert np.abs(found.samples.std(axis=0) / plain.se - 1.0).max() < 0.15
    assert np.abs(np.sqrt(found.ratings.variance) / plain.intervals.se - 1.0).max() < 0.15
    stopped = style_bootstrap(
        plain,
        rounds=300,
        rng=np.random.default_rng(0),
        clusters=np.arange(len(battles)) // 3,
        progress=lambda done, asked: done < 5,
    )
    assert stopped.ratings.rounds == len(stopped.samples) == 5


def test_a_column_of_wrong_length_is_an_error() -> None:
    battles = finite_battles(2, 4, 10)
    with pytest.raises(ValueError, match="one value per battle"):
        fit_style(battles, {"tokens": (np.ones(3), np.ones(3))})


def test_to_dict_is_plain_json(shared: Path) -> None:
    found = fit_style(battles_of(shared, "medium_style"), golden_sides(shared))
    data = json.loads(json.dumps(found.to_dict()))
    assert data["style"]["features"] == list(FEATURES)
    assert len(data["rating_shift"]) == 20


def arena_hard_v01(shared: Path) -> tuple[Battles, list[tuple[dict[str, Any], dict[str, Any]]]]:
    """Rows of the first Arena-Hard generation: baseline on side A, strong verdicts threefold."""
    path = folder(shared) / "arena_hard_v01"
    style = {
        (row["question_id"], row["model"]): row["conv_metadata"]
        for row in map(json.loads, (path / "style_metadata.jsonl").read_text().splitlines())
    }
    winners = {"A>B": "model_a", "A>>B": "model_a", "B>A": "model_b", "B>>A": "model_b"}
    mirror = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
    rows, metadata = [], []
    for line in (path / "judgments.jsonl").read_text().splitlines():
        judgment = json.loads(line)
        for number, game in enumerate(judgment["games"]):
            winner = {**winners, "A=B": "tie"}.get(game["score"])
            if winner is None:
                continue
            times = 3 if ">>" in game["score"] else 1
            winner = winner if number == 0 else mirror[winner]
            row = {"model_a": "gpt-4-0314", "model_b": judgment["model"], "winner": winner}
            question = judgment["question_id"]
            pair = (style[question, "gpt-4-0314"], style[question, judgment["model"]])
            rows += [row] * times
            metadata += [pair] * times
    return coded(rows).battles, metadata


def test_arena_hard_v01_style_fits_are_exact(shared: Path) -> None:
    battles, metadata = arena_hard_v01(shared)
    want = expected(shared, "arena_hard_v01")["expected"]
    assert len(battles) == want["n_battle_rows_weight3"]
    fields = ("token_len", "header_count", "list_count", "bold_count")
    sides = {
        feature: tuple(
            np.array([feature_total(pair[side][field]) for pair in metadata], dtype=float)
            for side in (0, 1)
        )
        for feature, field in zip(FEATURES, fields, strict=True)
    }
    settings = FitSettings(anchor=Anchor("gpt-4-0314", 1000.0))
    for key, features in (
        ("style", FEATURES),
        ("length_only", FEATURES[:1]),
        ("markdown_only", FEATURES[1:]),
    ):
        chosen = {feature: sides[feature] for feature in features}
        found = fit_style(battles, chosen, preset="fastchat", settings=settings)
        assert np.abs(found.coefficients - want[key]["exact_coefs"]).max() < 1e-6
        for model, percent in want[key]["exact_win_rate_percent"].items():
            rating = found.fit.ratings[battles.models.index(model)]
            assert anchored_win_rate(rating) == pytest.approx(percent, abs=1e-6)


def test_arena_hard_v2_style_fits_are_exact(shared: Path) -> None:
    path = folder(shared) / "arena_hard_v2"
    want = expected(shared, "arena_hard_v2")["expected"]
    style = {
        (row["uid"], row["model"]): row["metadata"]
        for row in map(json.loads, (path / "style_metadata.jsonl").read_text().splitlines())
    }
    scores = {"A>B": [1.0], "A>>B": [1.0] * 3, "A=B": [0.5], "B=A": [0.5], "B>A": [0.0]}
    scores |= {"A<B": [0.0], "B>>A": [0.0] * 3, "A<<B": [0.0] * 3, "B<A": [1.0], "B<<A": [1.0] * 3}
    rows: dict[str, list[tuple[str, str, float, Any, Any]]] = {}
    for line in (path / "judgments.jsonl").read_text().splitlines():
        j = json.loads(line)
        if any(game is None or game["score"] is None for game in j["games"]):
            continue
        first, second = (scores[game["score"]] for game in j["games"])
        pair = (style[j["uid"], j["model"]], style[j["uid"], j["baseline"]])
        rows.setdefault(j["category"], []).extend(
            (j["model"].rsplit("/")[-1], j["baseline"], y, *pair)
            for y in [*second, *(1.0 - s for s in first)]
        )
    for category, records in rows.items():
        names = sorted({name for record in records for name in record[:2]})
        battles = Battles(
            tuple(names),
            np.array([names.index(record[0]) for record in records]),
            np.array([names.index(record[1]) for record in records]),
            np.array([record[2] for record in records]),
        )
        z = np.array([arena_hard_features(*record[3:]) for record in records]).T
        z = (z - z.mean(axis=1, keepdims=True)) / z.std(axis=1, ddof=1, keepdims=True)
        for key, chosen in (
            ("markdown+length", [0, 1, 2, 3]),
            ("markdown", [1, 2, 3]),
            ("length", [0]),
        ):
            wanted = want[category][f"exact_style_{key}"]
            found = fit_style_matrix(battles, z[chosen], tuple(FEATURES[i] for i in chosen))
            assert np.abs(found.coefficients - wanted["coefs"]).max() < 1e-6
            base = found.fit.ratings[names.index(records[0][1])]
            for model, percent in wanted["win_rate_percent"].items():
                rate = anchored_win_rate(found.fit.ratings[names.index(model)], base)
                assert rate == pytest.approx(percent, abs=1e-6)


def arena_hard_features(model: dict[str, Any], baseline: dict[str, Any]) -> list[float]:
    lengths = model["token_len"], baseline["token_len"]
    features = [(lengths[0] - lengths[1]) / (lengths[0] + lengths[1])]
    for field in ("header_count", "list_count", "bold_count"):
        q = [feature_total(side[field]) / (side["token_len"] + 1) for side in (model, baseline)]
        features.append((q[0] - q[1]) / (q[0] + q[1] + 1))
    return features
