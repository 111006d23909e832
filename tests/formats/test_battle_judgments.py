"""Judgments of pairs as battles: MT-Bench pairs, Arena-Hard of both generations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.formats.battles import outcomes, read_battles
from tests.formats.helpers import write_rows


def pair(first: str, second: str, **fields: Any) -> dict[str, Any]:
    return {
        "question_id": 81,
        "model_1": "x",
        "model_2": "y",
        "judge": ["gpt-4", "pair-v2"],
        "g1_winner": first,
        "g2_winner": second,
        "turn": 1,
        "tstamp": 1.0,
        **fields,
    }


def hard(*scores: str | None, **fields: Any) -> dict[str, Any]:
    games = [None if score == "null game" else {"score": score} for score in scores]
    return {"question_id": "q", "model": "m", "judge": "j", "games": games, **fields}


def test_mt_bench_pairs_that_disagree_are_ties(tmp_path: Path) -> None:
    rows = [
        pair("model_1", "model_1"),
        pair("model_2", "model_2"),
        pair("model_1", "model_2"),
        pair("model_1", "tie"),
        pair("tie", "tie"),
        pair("model_1", "error"),
    ]
    name, block, refused = read_battles(write_rows(tmp_path / "p.jsonl", rows))
    assert name == "mt-bench-pairs"
    assert list(block.y) == [1.0, 0.0, 0.5, 0.5, 0.5]
    assert [(one.line, one.reason) for one in refused] == [(6, "game 2 has no winner: 'error'")]
    assert block.cluster == "question"


def test_arena_hard_old_drops_only_the_game(tmp_path: Path) -> None:
    rows = [hard("A>>B", "A>B"), hard(None, "B=A"), hard("A<B", "B>>A")]
    name, block, refused = read_battles(write_rows(tmp_path / "h.jsonl", rows))
    assert name == "arena-hard-judgments"
    old = "gpt-4-0314"
    assert outcomes(block) == [
        (old, "m", 1.0, False),
        ("m", old, 1.0, False),
        ("m", old, 0.5, False),
        ("m", old, 0.0, False),
    ]
    assert block.weight is not None
    assert list(block.weight) == [3.0, 1.0, 1.0, 3.0]
    assert [(one.line, one.reason[:6]) for one in refused] == [(2, "game 1"), (3, "game 1")]


def test_arena_hard_new_drops_the_question(tmp_path: Path) -> None:
    extra = {"uid": "u", "baseline": "base", "category": "hard_prompt"}
    rows = [
        hard("B<A", "A<<B", **extra),
        hard("A>B", None, **extra),
        hard("null game", "A>B", **extra),
        hard("A>B", "odd", **extra),
    ]
    _, block, refused = read_battles(write_rows(tmp_path / "h.jsonl", rows))
    assert outcomes(block) == [("base", "m", 1.0, False), ("m", "base", 0.0, False)]
    assert [one.line for one in refused] == [2, 3, 4]
    assert "counts only whole" in refused[0].reason
    assert block.labels["category"].values == (("hard_prompt",),)


def test_hostile_judgments_are_refused_not_fatal(tmp_path: Path) -> None:
    rows = [
        hard("A>B", "B>A"),
        {"model": None, "judge": "j", "games": [{"score": "A>B"}]},
        {"model": "m", "judge": "j", "games": []},
        {"model": "m", "judge": "j", "games": [{"score": ["A>B"]}, 3]},
        {"model": "gpt-4-0314", "judge": "j", "games": [{"score": "A>B"}]},
    ]
    _, block, refused = read_battles(write_rows(tmp_path / "h.jsonl", rows))
    assert len(block) == 2
    assert [one.line for one in refused] == [2, 3, 4, 4, 5]
