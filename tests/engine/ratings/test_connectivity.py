"""Components, their order, and which ratings have no bound."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.ratings.battles import Floats, aggregate
from ifbench_tui.engine.ratings.connectivity import structure_of
from tests.engine.ratings.golden import BATTLE_SETS, coded, counts_of, expected, folder, simple


def closure(scores: Floats) -> np.ndarray:
    """Who is reached from whom, by Warshall: the slow twin."""
    reach = (scores > 0) | np.eye(len(scores), dtype=bool)
    for middle in range(len(scores)):
        reach |= np.outer(reach[:, middle], reach[middle])
    return reach


graphs = st.integers(1, 9).flatmap(
    lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k).map(
        lambda cells: np.array(cells, dtype=float).reshape(k, k) * (1 - np.eye(k))
    )
)


@given(graphs)
def test_components_agree_with_the_transitive_closure(scores: Floats) -> None:
    structure = structure_of(scores)
    reach = closure(scores)
    both = reach & reach.T
    assert {frozenset(s) for s in structure.strong} == {
        frozenset(np.flatnonzero(row).tolist()) for row in both
    }
    linked = closure(scores + scores.T)
    assert {frozenset(s) for s in structure.weak} == {
        frozenset(np.flatnonzero(row).tolist()) for row in linked
    }
    assert structure.mle_finite == bool((both == linked).all())


@given(graphs)
def test_strong_sets_stand_in_condensation_order(scores: Floats) -> None:
    structure = structure_of(scores)
    place = {m: i for i, group in enumerate(structure.strong) for m in group}
    for i, j in np.argwhere(scores > 0):
        if place[i] != place[j]:
            assert place[i] < place[j]
            assert structure.level[place[i]] < structure.level[place[j]]


@given(graphs)
def test_separated_models_are_those_of_components_that_are_not_strong(scores: Floats) -> None:
    structure = structure_of(scores)
    reach = closure(scores)
    linked = closure(scores + scores.T)
    for model, flag in enumerate(structure.separated()):
        members = np.flatnonzero(linked[model])
        assert flag == (not reach[np.ix_(members, members)].all())


@given(graphs)
def test_unbounded_models_never_took_or_never_gave_a_point(scores: Floats) -> None:
    structure = structure_of(scores)
    reach = closure(scores)
    for model, side in enumerate(structure.unbounded):
        inside = reach[model] & reach[:, model]
        if side == "above":
            assert not (scores[np.ix_(~inside, inside)] > 0).any()
            assert (scores[np.ix_(inside, ~inside)] > 0).any()
        elif side == "below":
            assert not (scores[np.ix_(inside, ~inside)] > 0).any()
            assert (scores[np.ix_(~inside, inside)] > 0).any()
    assert not (structure.mle_finite and any(structure.unbounded))


@pytest.mark.parametrize("name", BATTLE_SETS)
def test_structure_of_the_golden_sets(shared: Path, name: str) -> None:
    counts = counts_of(shared, name)
    want = expected(shared, name)["structure"]
    structure = structure_of(counts.score_matrix())
    for ours, key in ((structure.weak, "weak_components"), (structure.strong, "strong_components")):
        named = {frozenset(counts.models[m] for m in group) for group in ours}
        assert named == {frozenset(group) for group in want[key]}
    assert structure.mle_finite == want["mle_finite"]
    assert structure.connected == want["connected"]


def test_order_and_flags_of_the_separated_set(shared: Path) -> None:
    counts = counts_of(shared, "separated")
    structure = structure_of(counts.score_matrix())
    named = [{counts.models[m] for m in group} for group in structure.strong]
    assert named == [{"SE"}, {"SA", "SB"}, {"SC", "SD"}, {"SF"}]
    assert structure.level == (0, 1, 2, 3)
    flags = dict(zip(counts.models, structure.unbounded, strict=True))
    assert flags == {"SA": None, "SB": None, "SC": None, "SD": None, "SE": "above", "SF": "below"}


def test_order_of_the_analytic_cases(shared: Path) -> None:
    cases = json.loads((folder(shared) / "analytic.json").read_text())
    ordered = [case for case in cases if "strong_components_order" in case]
    assert ordered
    for case in ordered:
        counts = aggregate(coded(case["battles"]).battles)
        structure = structure_of(counts.score_matrix())
        named = [[counts.models[m] for m in group] for group in structure.strong]
        assert named == case["strong_components_order"]
        assert structure.mle_finite == case["mle_finite"]


def test_the_largest_strong_set_is_what_others_are_held_against() -> None:
    counts = aggregate(
        simple(("a", "b", "model_a", 60), ("a", "b", "model_b", 40), ("c", "a", "model_a", 1))
    )
    assert structure_of(counts.score_matrix()).unbounded == (None, None, "above")


def test_nothing_and_one_model() -> None:
    assert structure_of(np.zeros((0, 0))).weak == ()
    alone = structure_of(np.zeros((1, 1)))
    assert alone.weak == ((0,),)
    assert alone.mle_finite
    assert alone.unbounded == (None,)
