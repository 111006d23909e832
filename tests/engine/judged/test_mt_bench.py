"""MT-Bench boards against golden tables and public cases."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ifbench_tui.engine.judged.bias import Match, Slot, position_diagnostics
from ifbench_tui.engine.judged.mt_bench import (
    agreement,
    category_of,
    match_winner,
    normalised,
    only_common_model,
    pair_board,
    pair_votes,
    single_board,
)
from ifbench_tui.engine.judged.rows import PairJudgment, SingleJudgment
from ifbench_tui.engine.ratings.pair_votes import PairVote, judge_kind
from tests.engine.judged.data import cases, golden, jsonl, pairs

JUDGE = ("gpt-4", "pair-v2")


def singles(path: Path) -> list[SingleJudgment]:
    return [
        SingleJudgment(
            row["question_id"], row["model"], tuple(row["judge"]), row["turn"], row["score"]
        )
        for row in jsonl(path)
    ]


def test_golden_single_board(shared: Path) -> None:
    whole = golden(shared, "judges/mtbench_single_scores")
    want = whole["expected"]
    boards = single_board(singles(shared / whole["input"]))
    assert [one.model for one in boards] == list(want["average"])
    for one in boards:
        for name in ("turn_1", "turn_2", "average"):
            mean = getattr(one, name)
            assert mean.value == pytest.approx(want[name][one.model], abs=1e-9)
            assert mean.lower < mean.value < mean.upper
        assert one.missing == want["n_unparsed"][one.model]
        found = {name: mean.value for name, mean in one.by_category.items()}
        assert found == pytest.approx(want["category_average"][one.model], abs=1e-9)


def test_public_case_average_pools_the_turns(shared: Path) -> None:
    for case in cases(shared, "BR-079"):
        rows = [
            SingleJudgment(row["q"], "m", JUDGE, row["turn"], row["score"])
            for row in case["input"]["scores"]
        ]
        (found,) = single_board(rows)
        want = case["expect"]
        assert (found.turn_1.value, found.average.value) == (want["turn1"], want["average"])
        assert found.missing == want["missing"]
        assert found.turn_2.value == want.get("turn2", found.turn_2.value)


def test_rows_that_stand_twice_count_twice() -> None:
    rows = [SingleJudgment(1, "m", JUDGE, 1, score) for score in (4, 4, 10)]
    assert single_board(rows)[0].average.value == 6.0


def test_the_interval_takes_a_question_as_one_unit() -> None:
    apart = [SingleJudgment(q, "m", JUDGE, 1, q % 5) for q in range(20)]
    twice = [row for row in apart for _ in (0, 1)]
    first, again = single_board(apart)[0].average, single_board(twice)[0].average
    # With a question a row it is the usual interval of a mean: 0..4 four times each.
    assert (first.lower, first.upper) == pytest.approx((2 - 0.6359, 2 + 0.6359), abs=1e-4)
    assert again.lower == pytest.approx(first.lower)
    assert again.n == 2 * first.n


def test_categories_by_file_and_by_official_id() -> None:
    assert category_of(81, {}) == "writing"
    assert category_of(160, {}) == "humanities"
    assert category_of(80, {}) is None
    assert category_of(161, {}) is None
    assert category_of("x", {}) is None
    assert category_of(81, {"81": "other"}) == "other"


@pytest.mark.parametrize("kind", ["baseline", "all"])
def test_golden_pair_tables(shared: Path, kind: str) -> None:
    want = golden(shared, "judges/mtbench_pairwise")[kind]
    rows = pairs(shared / want["input"])
    baseline = only_common_model(rows)
    assert baseline == want.get("baseline_model")
    found = {one.model: one.to_dict() for one in pair_board(rows, baseline=baseline)}
    assert found == want["win_rate_table"]
    assert list(found) == list(want["win_rate_table"])
    if filtered := want.get("with_baseline_filter"):
        against = pair_board(rows, baseline="gpt-3.5-turbo")
        assert {one.model: one.to_dict() for one in against} == filtered


def test_golden_ratings_pair_table(shared: Path) -> None:
    folder = shared / "golden" / "ratings" / "mtbench_pair"
    want = json.loads((folder / "expected.json").read_text())
    rows = pairs(folder / "gpt-4_pair.jsonl")
    for name, baseline in (("pairwise-all", None), ("pairwise-baseline", "gpt-3.5-turbo")):
        found = {one.model: one.to_dict() for one in pair_board(rows, baseline=baseline)}
        assert found.keys() == want[name].keys()
        for model, values in want[name].items():
            assert found[model] == pytest.approx(values, abs=1e-8)


@pytest.mark.parametrize("kind", ["baseline", "all"])
def test_golden_normalised_winners(shared: Path, kind: str) -> None:
    want = golden(shared, "judges/mtbench_pairwise")[kind]
    rows = pairs(shared / want["input"])
    for name, expect in want["normalised"].items():
        own = [row for row in rows if "|".join(row.judge) == name]
        assert len(own) == expect["n_games"]
        assert Counter(normalised(row)[1] for row in own) == expect["winners"]
        named = {
            f"{row.question}|{'|'.join(normalised(row)[0])}": normalised(row)[1] for row in own
        }
        assert named | expect["sample"] == named


@pytest.mark.parametrize("kind", ["baseline", "all"])
def test_golden_position_diagnostics(shared: Path, kind: str) -> None:
    whole = golden(shared, "judges/mtbench_pairwise")[kind]

    def slot(winner: str, first: str) -> Slot | None:
        named: dict[str, Slot | None] = {"error": None, "tie": "tie", first: "first"}
        return named.get(winner, "second")

    found = position_diagnostics(
        Match(slot(row.winner_1, "model_1"), slot(row.winner_2, "model_2"))
        for row in pairs(shared / whole["input"])
    )
    want = whole["position_diagnostics"]
    assert (found.n_matches, found.n_valid) == (want["n_matches"], want["n_valid"])
    assert found.error_rate == pytest.approx(want["error_rate"])
    for name, estimate in (
        ("inconsistency_rate", found.inconsistency),
        ("flip_rate", found.flip),
        ("biased_to_first", found.biased_to_first),
        ("biased_to_second", found.biased_to_second),
        ("first_position_win_share", found.first_win_share),
    ):
        assert estimate.value == pytest.approx(want[name], abs=1e-9)


def test_golden_agreement(shared: Path) -> None:
    whole = golden(shared, "judges/mtbench_agreement")
    votes = [
        PairVote(
            row["question_id"],
            row["model_a"],
            row["model_b"],
            row["winner"],
            judge_kind(row["judge"]),
            row["turn"],
        )
        for path in whole["inputs"]
        for row in json.loads((shared / path).read_text())
    ]
    found = {
        f"{one.judge}|{one.against}|turn{one.turn}|{ties}_tie": getattr(
            one, f"{ties}_tie"
        ).to_dict()
        for one in agreement(votes)
        for ties in ("with", "without")
    }
    assert found == whole["expected"]


def test_match_winners_and_votes() -> None:
    row = PairJudgment(1, "b", "a", JUDGE, 1, "model_1", "model_2")
    assert match_winner(row) == "tie"
    assert pair_votes([row])[0].winner == "tie (inconsistent)"
    won = PairJudgment(1, "b", "a", JUDGE, 1, "model_1", "model_1")
    assert normalised(won) == (("a", "b"), "model_2")
    assert pair_votes([won])[0].winner == "model_a"
    failed = PairJudgment(1, "b", "a", JUDGE, 1, "model_1", "error")
    assert match_winner(failed) == "error"
    assert pair_votes([failed]) == []
    assert pair_board([failed]) == ()
