"""The board: what the `rate` command prints."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import Battles, aggregate
from ifbench_tui.engine.ratings.board import BoardSettings, rate
from ifbench_tui.engine.ratings.bradley_terry import FitSettings, fit
from ifbench_tui.engine.ratings.elo import elo
from ifbench_tui.engine.ratings.intervals import intervals
from tests.engine.ratings.golden import battles_of, finite_battles, simple

MODEL_KEYS = {
    "name",
    "rating",
    "lower",
    "upper",
    "se",
    "rank_low",
    "rank_high",
    "battles",
    "wins",
    "losses",
    "ties",
    "unbounded",
}


def test_json_contract(shared: Path) -> None:
    board = rate(battles_of(shared, "disconnected"))
    data = json.loads(json.dumps(board.to_dict()))
    assert data["method"] == "bt"
    assert data["n_battles"] == 506
    assert [len(names) for names in data["components"]] == [4, 3, 2]
    assert data["style"] is None
    assert data["converged"] is True
    assert data["iterations"] > 0
    assert data["settings"]["interval"] == "sandwich"
    assert [set(row) >= MODEL_KEYS for row in data["models"]] == [True] * 9
    assert any("never met" in note for note in data["warnings"])


def test_ranks_stay_inside_a_component(shared: Path) -> None:
    board = rate(battles_of(shared, "disconnected"))
    assert [row.component for row in board.rows] == [0] * 4 + [1] * 3 + [2] * 2
    for row in board.rows:
        assert 1 <= row.rank_low <= row.rank_high <= len(board.components[row.component])


def test_unbounded_models_have_no_interval(shared: Path) -> None:
    board = rate(battles_of(shared, "separated"))
    by_name = {row.name: row for row in board.rows}
    assert (by_name["SE"].unbounded, by_name["SF"].unbounded) == ("above", "below")
    assert by_name["SE"].lower is None
    assert by_name["SA"].lower is not None
    assert all(row.regularised for row in board.rows)


@pytest.mark.parametrize("interval", ["sandwich", "fisher", "bootstrap", "none"])
def test_interval_kinds(interval: str) -> None:
    battles = finite_battles(3, 5, 400)
    settings = BoardSettings(interval=interval, rounds=200)  # type: ignore[arg-type]
    board = rate(battles, settings)
    counts = aggregate(battles)
    full = fit(counts)
    assert [row.rating for row in board.rows] == sorted(full.ratings.tolist(), reverse=True)
    if interval == "none":
        assert all(row.lower is None for row in board.rows)
        assert [row.rank_low for row in board.rows] == [1, 2, 3, 4, 5]
    else:
        kind = "fisher" if interval == "fisher" else "sandwich"
        se = dict(zip(full.models, intervals(full, counts, kind=kind).se, strict=True))
        slack = 0.25 if interval == "bootstrap" else 1e-9
        for row in board.rows:
            assert row.se == pytest.approx(se[row.name], rel=slack)


def test_ties_conventions_and_outcomes() -> None:
    battles = simple(("a", "b", "model_a", 3), ("a", "b", "both_bad", 4), ("a", "b", "model_b", 1))
    half = rate(battles)
    drop = rate(battles, BoardSettings(ties="drop-bothbad"))
    assert half.outcomes["tie (bothbad)"] == 4
    assert (half.n_battles, drop.n_battles) == (8, 4)
    assert drop.rows[0].rating - drop.rows[1].rating == pytest.approx(400 * math.log10(3))
    assert half.rows[0].rating < drop.rows[0].rating


def test_sequential_elo_board() -> None:
    battles = finite_battles(3, 5, 100)
    board = rate(battles, BoardSettings(method="elo", k_factor=16.0))
    wanted = elo(battles, k_factor=16.0).ratings
    assert {r.name: r.rating for r in board.rows} == dict(
        zip(battles.models, wanted.tolist(), strict=True)
    )
    assert all(row.lower is None for row in board.rows)
    assert any("order" in note for note in board.warnings)


@pytest.mark.parametrize("interval", ["sandwich", "bootstrap"])
def test_clusters_widen_repeated_rows(interval: str) -> None:
    battles = finite_battles(3, 5, 300)
    thrice = battles.select(np.repeat(np.arange(len(battles)), 3))
    grouped = replace(thrice, groups={"question": np.repeat(np.arange(len(battles)), 3)})
    settings = BoardSettings(interval=interval, rounds=300)  # type: ignore[arg-type]
    rows = rate(grouped, settings).rows
    questions = rate(grouped, replace(settings, cluster="question")).rows
    for plain, clustered in zip(rows, questions, strict=True):
        assert clustered.se is not None
        assert plain.se is not None
        assert clustered.se / plain.se == pytest.approx(math.sqrt(3), rel=0.2)
    with pytest.raises(KeyError):
        rate(battles, replace(settings, cluster="question"))


@pytest.mark.parametrize("interval", ["sandwich", "bootstrap", "none"])
def test_style_board(interval: str) -> None:
    battles = finite_battles(3, 5, 400)
    rng = np.random.default_rng(0)
    sides = {"tokens": (rng.poisson(50, len(battles)) * 1.0, rng.poisson(50, len(battles)) * 1.0)}
    settings = BoardSettings(style="plain", interval=interval, rounds=50, ties="drop")  # type: ignore[arg-type]
    board = rate(battles, settings, style_sides=sides)
    data = json.loads(json.dumps(board.to_dict()))
    assert data["style"]["features"] == ["tokens"]
    assert len(data["style"]["coefficients"]) == len(data["style"]["lower"]) == 1
    assert (board.rows[0].lower is None) == (interval == "none")
    with pytest.raises(ValueError, match="style counts"):
        rate(battles, settings)


def test_no_battles_at_all() -> None:
    battles = simple(("a", "b", "tie", 1))
    for interval in ("sandwich", "bootstrap"):
        settings = BoardSettings(ties="drop", interval=interval)  # type: ignore[arg-type]
        board = rate(battles, settings)
        assert [row.rating for row in board.rows] == [1000.0, 1000.0]
        assert all(row.lower is None for row in board.rows)
    empty = rate(battles.select(np.zeros(1, dtype=bool)), BoardSettings(fit=FitSettings()))
    assert empty.n_battles == 0


def test_intervals_without_width_are_not_passed_off_as_certainty() -> None:
    battles = Battles(
        ("ant", "bee"),
        np.array([0, 0, 0, 0]),
        np.array([1, 1, 1, 1]),
        np.array([1.0, 0.0, 0.5, 0.5]),
        groups={"question": np.array([0, 0, 1, 1])},
    )
    (warning,) = rate(battles, BoardSettings(cluster="question")).warnings
    assert "ant, bee have no width" in warning
    assert rate(battles, BoardSettings()).warnings == ()
