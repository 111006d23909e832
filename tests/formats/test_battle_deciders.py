"""Who decided a battle: people or judge models, chosen by one filter over all formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.workspace import LoadOptions, load
from ifbench_tui.workspace.battles import BattleFilter, Deciders, choose
from tests.formats.battles import battle
from tests.formats.helpers import write_rows


def annotation(preference: float | None, **fields: Any) -> dict[str, Any]:
    return {
        "instruction": f"do {preference}",
        "output_1": "a",
        "output_2": "bb",
        "generator_1": "base",
        "generator_2": "wren",
        "dataset": "vicuna",
        "preference": preference,
        **fields,
    }


def vote(judge: object, winner: str = "model_a") -> dict[str, Any]:
    return {
        "question_id": 81, "model_a": "ant", "model_b": "bee", "winner": winner, "judge": judge,
        "turn": 1,
    }  # fmt: skip


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """Two votes of people and one of a model in one file, two people's in another, three
    annotations of which one is without a preference."""
    votes = [vote("expert_3"), vote("author_1", "tie"), vote(["gpt-4", "pair-v2"], "model_b")]
    arena = [battle(judge="gpt-4"), battle(judge="eve")]
    annotations = [annotation(1.25), annotation(0), annotation(None)]
    return [
        write_rows(tmp_path / "votes.jsonl", votes),
        write_rows(tmp_path / "arena.jsonl", arena),
        write_rows(tmp_path / "annotations.jsonl", annotations),
    ]


@pytest.mark.parametrize(
    ("by", "pairs"),
    [
        ("any", {("ant", "bee"): 5, ("wren", "base"): 2}),
        ("people", {("ant", "bee"): 4}),
        ("models", {("ant", "bee"): 1, ("wren", "base"): 2}),
    ],
)
def test_people_and_models_apart(
    paths: list[str], by: Deciders, pairs: dict[tuple[str, str], int]
) -> None:
    choice = choose(load(paths, LoadOptions()).battles, BattleFilter(by=by))
    found: dict[tuple[str, str], int] = {}
    models = choice.battles.models
    for a, b in zip(choice.battles.a, choice.battles.b, strict=True):
        found[models[a], models[b]] = found.get((models[a], models[b]), 0) + 1
    assert found == pairs
    assert choice.by_models == (0 if by == "people" else 3)


def test_a_preference_is_the_candidates_score(paths: list[str]) -> None:
    workspace = load(paths[2:], LoadOptions())
    (block,) = workspace.battles
    assert list(block.y) == [0.25, 0.5]
    assert block.cluster == "question"
    assert block.labels["category"].values == (("vicuna",),)
    assert [one.reason for one in workspace.problems if one.line is None] == [
        "for Ratings each annotation is a battle with the baseline; the preference is its score"
    ]


def test_boards_do_not_count_annotations_as_battles(paths: list[str]) -> None:
    workspace = load(paths[2:], LoadOptions(judged=True))
    assert not workspace.battles
    assert len(workspace.judged[0].rows) == 3
