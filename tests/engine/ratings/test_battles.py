"""Encoding, refusals and aggregation of battles."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import (
    BOTH_BAD,
    WINNER_LABELS,
    Battles,
    Refused,
    aggregate,
    encode,
    factorise,
    pair_weights,
)
from tests.engine.ratings.golden import BATTLE_SETS, counts_of, expected, folder, simple


@pytest.mark.parametrize("name", BATTLE_SETS)
def test_counts_match_the_golden_sets(shared: Path, name: str) -> None:
    want = expected(shared, name)
    counts = counts_of(shared, name)
    assert counts.total == want["n_battles"]
    assert {k: v for k, v in counts.outcomes().items() if v} == want["winner_counts"]
    merged = {(a, b, y) for a, b, y in zip(counts.a, counts.b, counts.y, strict=True)}
    assert len(merged) == want["n_unique_outcomes"]
    games = dict(zip(counts.models, counts.tally().battles.tolist(), strict=True))
    assert games == want["games_per_model"]


def test_refused_rows_carry_row_and_reason_and_are_not_counted() -> None:
    encoded = encode(
        ["a", "a", "", "a", "a", None, "a", ["x"]],
        ["b", "a", "b", "b", "b", "b", "b", "b"],
        ["model_a", "model_a", "tie", "maybe", None, "tie", "model_b", "tie"],
        weights=[1, 1, 1, 1, 1, 1, float("inf"), 1],
    )
    assert encoded.rows.tolist() == [0]
    assert encoded.battles.models == ("a", "b")
    assert [r.row for r in encoded.refused] == [1, 2, 3, 4, 5, 6, 7]
    reasons = dict(encoded.refused)
    assert reasons[1] == "a model against itself"
    assert reasons[2] == reasons[5] == reasons[7] == "missing model name"
    assert reasons[3] == "unknown winner 'maybe'"
    assert reasons[4] == "unknown winner None"
    assert reasons[6] == "weight inf is not a usable number above 0"


@pytest.mark.parametrize(
    "weight", [0, -1.0, float("nan"), float("inf"), 1e300, 1e-320, "heavy", None]
)
def test_a_weight_that_is_no_number_above_zero_is_refused(weight: object) -> None:
    encoded = encode(["a", "a"], ["b", "b"], ["model_a", "model_b"], weights=[2, weight])
    assert encoded.rows.tolist() == [0]
    assert encoded.refused[0].row == 1


@pytest.mark.parametrize("label", ["a", "A", "MODEL_A", "model_A", None, 1, True, "", "both"])
def test_unknown_labels_are_never_ties(label: object) -> None:
    encoded = encode(["a"] * 5, ["b"] * 5, [label] * 5)
    assert len(encoded.refused) == 5
    assert encoded.battles.models == ()


def test_every_both_bad_spelling_is_one_value() -> None:
    labels = [label for label, code in WINNER_LABELS.items() if code == BOTH_BAD]
    assert sorted(labels) == ["both_bad", "bothbad", "tie (bothbad)", "tie(bothbad)"]
    counts = aggregate(encode(["a"] * 4, ["b"] * 4, labels).battles)
    assert counts.outcomes() == {"model_a": 0, "model_b": 0, "tie": 0, "tie (bothbad)": 4}
    assert counts.y.tolist() == [0.5]


def test_a_hostile_winner_is_quoted_short_and_printable() -> None:
    (refused,) = encode(["a"], ["b"], ["\x1b]52;c;" + "x" * 10_000]).refused
    assert "\x1b" not in refused.reason
    assert len(refused.reason) < 100


def test_scores_may_be_numbers_in_the_unit_interval() -> None:
    scores = np.array([0.0, 0.25, 1.0, 1.5, np.nan])
    encoded = encode(["a"] * 5, ["b"] * 5, scores)
    assert encoded.battles.y.tolist() == [0.0, 0.25, 1.0]
    assert [r.row for r in encoded.refused] == [3, 4]
    assert aggregate(encoded.battles).score_matrix().tolist() == [[0.0, 1.25], [1.75, 0.0]]


def test_columns_of_different_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        encode(["a"], ["b", "c"], ["tie"])


def test_groups_follow_their_rows() -> None:
    encoded = encode(
        ["a", "a", "b"],
        ["b", "a", "c"],
        ["tie", "tie", "model_a"],
        groups={"judge": ["p", "q", "r"]},
    )
    assert encoded.battles.groups["judge"].tolist() == [0, 2]
    codes, values = factorise(["x", "y", "x"])
    assert (codes.tolist(), values) == ([0, 1, 0], ("x", "y"))


def test_models_are_sorted_and_only_those_that_fight() -> None:
    encoded = encode(["zoe", "bob", "eve"], ["amy", "zoe", "eve"], ["tie"] * 3)
    assert encoded.battles.models == ("amy", "bob", "zoe")


def test_aggregation_forgets_the_order_and_keeps_sides() -> None:
    battles = simple(("a", "b", "model_a", 3), ("b", "a", "model_a", 1), ("a", "b", "both_bad", 2))
    shuffled = battles.select(np.random.default_rng(0).permutation(len(battles)))
    first, second = aggregate(battles), aggregate(shuffled)
    for column in ("a", "b", "y", "both_bad", "weight", "count"):
        assert np.array_equal(getattr(first, column), getattr(second, column))
    assert first.count.tolist() == [2, 3, 1]
    assert first.a.tolist() == [0, 0, 1]


def test_the_two_ways_of_aggregating_agree() -> None:
    rng = np.random.default_rng(4)
    n, k = 3000, 5
    a = rng.integers(0, k, n)
    b = (a + rng.integers(1, k, n)) % k
    y = rng.choice([0.0, 0.5, 1.0], n)
    bad = (y == 0.5) & (rng.random(n) < 0.5)
    models = tuple("abcde")
    fast = aggregate(Battles(models, a, b, y, None, bad))
    slow = aggregate(Battles(models, a, b, y, np.ones(n), bad))
    for column in ("a", "b", "y", "both_bad", "count"):
        assert np.array_equal(getattr(fast, column), getattr(slow, column))


def test_ties_can_be_dropped() -> None:
    battles = simple(("a", "b", "model_a", 3), ("a", "b", "tie", 2), ("a", "b", "both_bad", 4))
    counts = aggregate(battles)
    assert [counts.with_ties(t).total for t in ("half", "drop-bothbad", "drop")] == [9, 5, 3]
    for ties in ("half", "drop-bothbad", "drop"):
        assert aggregate(battles.select(battles.with_ties(ties))).total == (
            counts.with_ties(ties).total
        )


def test_tally_counts_each_result_once_per_model() -> None:
    tally = aggregate(
        simple(("a", "b", "model_a", 3), ("b", "a", "model_a", 1), ("a", "c", "both_bad", 2))
    ).tally()
    assert tally.battles.tolist() == [6, 4, 2]
    assert tally.wins.tolist() == [3, 1, 0]
    assert tally.losses.tolist() == [1, 3, 0]
    assert tally.ties.tolist() == [2, 0, 2]
    assert tally.both_bad.tolist() == [2, 0, 2]


def test_reweighting_counts_both_orders_of_a_pair() -> None:
    battles = simple(("a", "b", "model_a", 60), ("b", "a", "model_a", 40), ("a", "c", "tie", 10))
    weights = pair_weights(3, battles.a, battles.b, 50)
    rows = zip(battles.a.tolist(), battles.b.tolist(), weights.tolist(), strict=True)
    assert {(a, b): w for a, b, w in rows} == {(0, 1): 0.01, (1, 0): 0.01, (0, 2): 0.02}


def test_analytic_refusals(shared: Path) -> None:
    cases = json.loads((folder(shared) / "analytic.json").read_text())
    case = next(c for c in cases if c["id"] == "self_battle_and_unknown_winner")
    rows = [row for row in case["battles"] for _ in range(row["count"])]
    names = ("model_a", "model_b", "winner")
    encoded = encode(*([row[name] for row in rows] for name in names))
    assert len(encoded.refused) == case["rejected_rows"]
    assert isinstance(encoded.refused[0], Refused)
