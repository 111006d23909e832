"""Ratings vote by vote."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.ratings.battles import aggregate
from ifbench_tui.engine.ratings.bradley_terry import FitSettings, fit
from ifbench_tui.engine.ratings.connectivity import structure_of
from ifbench_tui.engine.ratings.live import LiveRatings
from tests.engine.ratings.golden import coded, finite_battles, folder, worst

PLAIN = FitSettings()


def test_golden_trace(shared: Path) -> None:
    data = json.loads((folder(shared) / "live_trace.json").read_text())
    models = sorted({vote[side] for vote in data["votes"] for side in ("model_a", "model_b")})
    board, plain = LiveRatings(models), LiveRatings(models, settings=PLAIN)
    for vote, state in zip(data["votes"], data["after_each_vote"], strict=True):
        values = vote["model_a"], vote["model_b"], vote["winner"]
        found, likely = board.add(*values), plain.add(*values)
        assert len(board) == state["vote"]
        assert worst(found.models, found.ratings, state["map_reg0.5"]) < data["tolerance"]
        seen = {models.index(m) for m in state["map_reg0.5"]}
        weak = [group for group in found.structure.weak if set(group) & seen]
        assert (len(weak) == 1) == state["connected"]
        assert (not found.structure.separated()[list(seen)].any()) == state["mle_finite"]
        if "mle" in state:
            assert worst(likely.models, likely.ratings, state["mle"]) < data["tolerance"]
        if "strong_components" in state:
            strong = [[models[m] for m in g] for g in found.structure.strong if set(g) & seen]
            assert sorted(strong) == sorted(state["strong_components"])


votes = st.lists(
    st.tuples(
        st.sampled_from(["ab", "ba", "bc", "ca", "cd", "db"]),
        st.sampled_from(["model_a", "model_b", "tie", "both_bad"]),
    ),
    max_size=12,
)


@given(votes, st.sampled_from([PLAIN, None]))
def test_each_state_is_a_full_refit_and_undo_restores_it(
    cast: list[tuple[str, str]], settings: FitSettings | None
) -> None:
    board = LiveRatings("abcd", settings=settings)
    history = [board.fit]
    for pair, winner in cast:
        history.append(board.add(*pair, winner))
        counts = board.counts()
        whole = fit(counts, settings=board.fit.settings)
        assert np.abs(whole.ratings - board.fit.ratings).max() < 1e-6
        assert board.fit.structure == structure_of(counts.score_matrix())
    while len(board):
        assert board.fit is history.pop()
        assert np.array_equal(board.undo().ratings, history[-1].ratings)
    assert board.counts().total == 0


def test_a_vote_after_an_undo_counts_as_if_the_one_undone_had_not_been() -> None:
    board, plain = LiveRatings("ab"), LiveRatings("ab")
    for winner in ("model_a", "model_b", "tie"):
        board.add("a", "b", winner)
        board.undo()
    assert np.array_equal(
        board.add("a", "b", "model_a").ratings, plain.add("a", "b", "model_a").ratings
    )


def test_counts_are_those_of_the_battles() -> None:
    rows = [("a", "b", "model_a"), ("b", "a", "tie"), ("a", "b", "both_bad"), ("a", "b", "model_a")]
    board = LiveRatings(["a", "b"])
    for row in rows:
        board.add(*row)
    names = ("model_a", "model_b", "winner")
    counts = aggregate(coded(dict(zip(names, row, strict=True)) for row in rows).battles)
    for column in ("a", "b", "y", "both_bad", "weight", "count"):
        assert np.array_equal(getattr(board.counts(), column), getattr(counts, column))


def test_a_bad_vote_changes_nothing() -> None:
    board = LiveRatings(["a", "b"])
    board.add("a", "b", "model_a")
    before = board.fit
    with pytest.raises(KeyError):
        board.add("a", "c", "tie")
    with pytest.raises(KeyError):
        board.add("a", "b", "maybe")
    with pytest.raises(ValueError, match="against itself"):
        board.add("a", "a", "tie")
    assert board.fit is before
    assert len(board) == board.counts().total == 1
    with pytest.raises(IndexError):
        LiveRatings(["a"]).undo()
    with pytest.raises(ValueError, match="named twice"):
        LiveRatings(["a", "a"])


def test_loading_a_log_equals_casting_its_votes() -> None:
    battles = finite_battles(3, 4, 30)
    loaded, cast = LiveRatings(battles.models), LiveRatings(battles.models)
    loaded.load(battles)
    for a, b, y in zip(battles.a, battles.b, battles.y, strict=True):
        winner = {0.0: "model_b", 0.5: "tie", 1.0: "model_a"}[float(y)]
        cast.add(battles.models[a], battles.models[b], winner)
    assert np.abs(loaded.fit.ratings - cast.fit.ratings).max() < 1e-6
    assert np.array_equal(loaded.counts().count, cast.counts().count)
    one_more = loaded.add("m00", "m01", "model_a")
    assert one_more.ratings[0] > loaded.undo().ratings[0]
    with pytest.raises(IndexError):
        loaded.undo()


def test_only_plain_battles_of_the_same_models_are_loaded() -> None:
    battles = finite_battles(3, 4, 30)
    halves = replace(battles, y=np.full(len(battles), 0.25))
    weighted = replace(battles, weight=np.ones(len(battles)))
    for wrong in (halves, weighted, replace(battles, models=tuple("wxyz"))):
        board = LiveRatings([f"m{i:02d}" for i in range(4)])
        with pytest.raises(ValueError, match="load"):
            board.load(wrong)
        assert board.counts().total == 0
