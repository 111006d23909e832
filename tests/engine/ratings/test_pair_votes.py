"""Agreement of judges on pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.engine.ratings.pair_votes import (
    PairVote,
    agreement_between,
    agreement_within,
    by_item,
    judge_kappas,
    judge_kind,
    pooled_agreement,
    vote_label,
)
from tests.engine.ratings.golden import expected, folder


def votes_of(shared: Path, name: str, kind: str) -> list[PairVote]:
    rows: list[dict[str, Any]] = json.loads((folder(shared) / "agreement" / name).read_text())
    return [
        PairVote(
            row["question_id"],
            row["model_a"],
            row["model_b"],
            row["winner"],
            str(row["judge"]),
            row["turn"],
        )
        for row in rows
        if judge_kind(row["judge"]) == kind
    ]


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("ties", ["with", "without"])
def test_golden_agreement(shared: Path, turn: int, ties: str) -> None:
    want = expected(shared, "agreement")
    human = [v for v in votes_of(shared, "human_votes.json", "human") if v.turn == turn]
    model = [v for v in votes_of(shared, "gpt4_pair_votes.json", "gpt4-pair") if v.turn == turn]
    count_ties = ties == "with"
    between = agreement_between(model, human, count_ties=count_ties).to_dict()
    within = agreement_within(human, count_ties=count_ties).to_dict()
    for found, key in ((between, "gpt4-pair vs human"), (within, "human vs human")):
        wanted = want[f"{key} turn{turn} {ties} tie"]
        assert (found["agree"], found["total"]) == (wanted["agree"], wanted["total"])
        assert found["ratio"] == pytest.approx(wanted["ratio"], abs=1e-9)


def test_golden_kappas(shared: Path) -> None:
    want = expected(shared, "agreement")
    human = votes_of(shared, "human_votes.json", "human")
    kappas = judge_kappas(human)
    assert {"|".join(judges) for judges in kappas} == set(want["cohen_kappa_3cat"])
    for judges, kappa in kappas.items():
        for field, value in want["cohen_kappa_3cat"]["|".join(judges)].items():
            assert getattr(kappa, field) == pytest.approx(value, abs=1e-9)
    pooled = pooled_agreement(human, panel=3)
    fleiss = want["fleiss_kappa_items_with_3_votes"]
    assert pooled.fleiss.items == fleiss["items"]
    assert pooled.fleiss.observed == pytest.approx(fleiss["P_bar"], abs=1e-9)
    assert pooled.fleiss.expected == pytest.approx(fleiss["P_e"], abs=1e-9)
    assert pooled.fleiss.kappa == pytest.approx(fleiss["kappa"], abs=1e-9)
    alpha = want["krippendorff_alpha_nominal_all_items"]
    assert pooled.alpha.alpha == pytest.approx(alpha, abs=1e-9)


def test_golden_majority(shared: Path) -> None:
    want = expected(shared, "agreement")["majority_vs_gpt4"]
    votes: list[PairVote] = []
    for kind in ("human", "author"):
        votes += votes_of(shared, "human_votes.json", kind)
    model = by_item(votes_of(shared, "gpt4_pair_votes.json", "gpt4-pair"))
    majority = pooled_agreement(votes).majority
    common = [item for item in majority if item in model]
    assert len(common) == want["n"]
    agreed = sum(majority[item] == vote_label(model[item][0]) for item in common)
    assert agreed == want["agree"]


def test_votes_are_read_in_name_order() -> None:
    for a, b, winner, label in (
        ("x", "y", "model_a", "first"),
        ("y", "x", "model_a", "second"),
        ("y", "x", "model_b", "first"),
        ("x", "y", "tie (bothbad)", "tie"),
    ):
        assert vote_label(PairVote(1, a, b, winner, "expert_0")) == label


def test_judges_have_kinds() -> None:
    assert judge_kind(["gpt-4", "pair-v2-multi-turn"]) == "gpt4-pair"
    assert judge_kind("expert_3") == "human"
    assert judge_kind("author_0") == "author"
    assert judge_kind("someone") == "someone"


def test_items_with_two_model_votes_are_left_out() -> None:
    model = [PairVote(1, "x", "y", "model_a", "m")] * 2
    human = [PairVote(1, "x", "y", "model_a", "expert_0")]
    assert agreement_between(model, human).total == 0
    assert agreement_between(model, human).ratio is None
    assert agreement_between(model[:1], human).ratio == 1.0
