"""Arena-Hard boards against golden scores, style control, intervals, public cases."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ifbench_tui.engine.judged.arena_hard import (
    PRESETS,
    ArenaSettings,
    IntervalKind,
    board,
    outcomes,
)
from ifbench_tui.engine.judged.arena_style import Control, board_with_style
from ifbench_tui.engine.judged.rows import ArenaJudgment, StyleTotals
from ifbench_tui.engine.ratings.style_text import feature_total, style_counts
from tests.engine.judged.data import arena_rows, cases, golden, jsonl, legacy_rows


def row(labels: tuple[str | None, str | None], **changes: Any) -> ArenaJudgment:
    plain = ArenaJudgment("q", "hard_prompt", "judge", "m", "b", *labels)
    return replace(plain, **changes)


def scores(found: Any) -> dict[str, float]:
    return {one.model: one.score for one in found.scores}


@pytest.mark.parametrize(("kind", "judges"), [("one_judge", "judge-one"), ("two_judges", "*")])
def test_golden_v2(shared: Path, kind: str, judges: str) -> None:
    want = golden(shared, "judges/arena_hard_v2_scores")[kind]
    rows = arena_rows(sorted((shared / "data/judges/arena_hard_v2").glob(f"{judges}/*.jsonl")))
    for category, means in want["mean_score"].items():
        own = [one for one in rows if one.category == category]
        models = [one for one in board(own, category).scores if not one.is_baseline]
        assert {one.model for one in models} == set(means)
        for one in models:
            assert one.score == pytest.approx(100 * means[one.model], abs=1e-9)
            assert one.n == want["n_by_model"][category][one.model]
    whole = board(rows, "all")
    assert sum(one.null for one in whole.scores) == want["n_null_questions"]
    assert sum(one.n for one in whole.scores) == want["n_battles"]
    assert any("baselines" in text for text in whole.warnings)
    position = whole.reliability.position
    expect = want["position_diagnostics"]
    assert position.n_valid == expect["n_valid"]
    for name, estimate in (
        ("inconsistency_rate", position.inconsistency),
        ("label_inconsistency_rate", position.label_inconsistency),
        ("flip_rate", position.flip),
        ("biased_to_first", position.biased_to_first),
        ("biased_to_second", position.biased_to_second),
        ("first_position_win_share", position.first_win_share),
    ):
        assert estimate.value == pytest.approx(expect[name], abs=1e-9)


@pytest.mark.parametrize("first_only", [False, True])
def test_golden_v01(shared: Path, first_only: bool) -> None:
    whole = golden(shared, "judges/arena_hard_v01_battles")
    rows = legacy_rows(sorted((shared / whole["input"]).glob("*.jsonl")))
    settings = ArenaSettings(first_game_only=first_only)
    data = outcomes(rows, settings)
    scores = [one for one in board(rows, "x", settings).scores if not one.is_baseline]
    assert {one.model for one in scores} == whole["expected"].keys()
    for one in scores:
        want = whole["expected"][one.model]
        own = want["first_game_only" if first_only else "both_games"]
        assert one.score == pytest.approx(100 * own["win_rate"], abs=1e-9)
        assert one.n == own["n_battles"]
        y = data.y[data.model == data.models.index(one.model)]
        found = [int((y == value).sum()) for value in (0.0, 1.0, 0.5)]
        assert found == [own["model_a"], own["model_b"], own["tie"]]
        if not first_only:
            assert one.null == want["n_null_games"]


def style_of(path: Path, key: str) -> dict[tuple[str, str], StyleTotals]:
    found = {}
    for one in jsonl(path):
        counts = one.get("metadata") or one["conv_metadata"]
        names = ("token_len", "header_count", "list_count", "bold_count")
        tokens, header, items, bold = (feature_total(counts[name]) for name in names)
        found[one[key], one["model"]] = StyleTotals(tokens, header, items, bold)
    return found


def percents(found: Any, want: dict[str, float]) -> None:
    assert scores(found).keys() == want.keys()
    for model, value in scores(found).items():
        assert value == pytest.approx(want[model], abs=1e-6)


CONTROLS: list[tuple[Control, str, str]] = [
    ("both", "style", "exact_style_markdown+length"),
    ("length", "length_only", "exact_style_length"),
    ("markdown", "markdown_only", "exact_style_markdown"),
]


@pytest.mark.parametrize(("control", "name", "_"), CONTROLS)
def test_golden_v01_style(shared: Path, control: Control, name: str, _: str) -> None:
    folder = shared / "golden/ratings/arena_hard_v01"
    want = json.loads((folder / "expected.json").read_text())["expected"]
    rows = legacy_rows([folder / "judgments.jsonl"])
    assert len(outcomes(rows, ArenaSettings())) == want["n_battle_rows_weight3"]
    plain = {one.model: one.score for one in board(rows, "x").scores if not one.is_baseline}
    assert plain == pytest.approx(want["exact_win_rate_percent"], abs=1e-6)
    style = style_of(folder / "style_metadata.jsonl", "question_id")
    found = board_with_style(rows, "x", style, control)
    percents(found, want[name]["exact_win_rate_percent"])
    assert list(found.coefficients.values()) == pytest.approx(want[name]["exact_coefs"], abs=1e-6)


@pytest.mark.parametrize("category", ["hard_prompt", "creative_writing"])
@pytest.mark.parametrize(("control", "_", "name"), CONTROLS)
def test_golden_v2_style(shared: Path, control: Control, _: str, name: str, category: str) -> None:
    folder = shared / "golden/ratings/arena_hard_v2"
    want = json.loads((folder / "expected.json").read_text())["expected"][category]
    rows = [one for one in arena_rows([folder / "judgments.jsonl"]) if one.category == category]
    plain = {one.model: one.score for one in board(rows, category).scores if not one.is_baseline}
    assert plain == pytest.approx(want["exact_score_percent"], abs=1e-6)
    style = style_of(folder / "style_metadata.jsonl", "uid")
    found = board_with_style(rows, category, style, control)
    percents(found, want[name]["win_rate_percent"])
    assert list(found.coefficients.values()) == pytest.approx(want[name]["coefs"], abs=1e-6)


def test_reference_intervals_of_v01(shared: Path) -> None:
    folder = shared / "golden/ratings/arena_hard_v01"
    want = json.loads((folder / "expected.json").read_text())["expected"]["as_run_no_style"]
    rows = legacy_rows([folder / "judgments.jsonl"])
    settings = replace(PRESETS["v0.1"], rounds=2000)
    scores = board(rows, "x", settings).scores
    assert {one.model for one in scores} == want["lower"].keys()
    for one in scores:
        assert one.lower == pytest.approx(want["lower"][one.model], abs=1.0)
        assert one.upper == pytest.approx(want["upper"][one.model], abs=1.5)


def test_clustered_intervals_agree_with_resampled_questions(shared: Path) -> None:
    rows = legacy_rows([shared / "golden/ratings/arena_hard_v01/judgments.jsonl"])
    closed = board(rows, "x")
    drawn = board(rows, "x", ArenaSettings(interval="bootstrap", rounds=4000))
    assert len(closed.scores) > 2
    for one, other in zip(closed.scores, drawn.scores, strict=True):
        assert one.score == other.score
        assert one.lower == pytest.approx(other.lower, abs=1.0)
        assert one.upper == pytest.approx(other.upper, abs=1.0)
    without = board(rows, "x", ArenaSettings(interval="none"))
    assert [one.score for one in without.scores] == [one.score for one in closed.scores]
    assert {(one.lower, one.upper) for one in without.scores if not one.is_baseline} == {
        (None, None)
    }


def test_style_intervals_of_all_kinds_hold_the_score(shared: Path) -> None:
    folder = shared / "golden/ratings/arena_hard_v2"
    rows = [
        one for one in arena_rows([folder / "judgments.jsonl"]) if one.category == "hard_prompt"
    ]
    style = style_of(folder / "style_metadata.jsonl", "uid")
    widths: dict[str, list[float]] = {}
    kinds: tuple[IntervalKind, ...] = ("clustered", "bootstrap", "rows", "none")
    for interval in kinds:
        settings = ArenaSettings(interval=interval, rounds=60)
        for one in board_with_style(rows, "x", style, "both", settings).scores:
            if interval == "none" and not one.is_baseline:
                assert one.lower is None
            elif not one.is_baseline:
                assert one.lower is not None
                assert one.score is not None
                assert one.upper is not None
                assert one.lower < one.score < one.upper
                widths.setdefault(interval, []).append(one.upper - one.lower)
    assert widths.keys() == {*kinds} - {"none"}
    assert np.mean(widths["rows"]) < np.mean(widths["clustered"])


def test_public_case_a_missing_judgment_is_no_tie(shared: Path) -> None:
    for case in cases(shared, "BR-085"):
        rows = [
            row((one["games"][0], one["games"][1]), question=str(i))
            for i, one in enumerate(case["input"]["rows"])
        ]
        (found,) = (one for one in board(rows, "x").scores if not one.is_baseline)
        want = case["expect"]
        assert found.score == (None if want["mean"] is None else 100 * want["mean"])
        assert found.null == want["nulls"]
        assert found.n == want.get("n_scores", 0)


def test_public_case_bands_are_repeatable(shared: Path) -> None:
    for case in cases(shared, "BR-089"):
        labels = {1: ("B>A", "A>B"), 0: ("A>B", "B>A"), 0.5: ("A=B", "A=B")}
        rows = [
            row(labels[value], question=str(i))
            for i, value in enumerate(case["input"]["scores"]["m"])
        ]
        settings = ArenaSettings(interval="bootstrap")
        first, again = board(rows, "x", settings), board(rows, "x", settings)
        assert first == again
        assert scores(first) == {"m": case["expect"]["m"], "b": case["expect"]["b"]}


def test_labels_that_are_no_verdict_are_null_and_told() -> None:
    found = board([row(("A>>>B", "A>B")), row(("B>A", "A>B"), question="r")], "x")
    assert scores(found)["m"] == 100.0
    assert found.scores[0].null == 1
    assert found.warnings == ("the label A>>>B is no verdict: 1 games are null",)
    legacy = board([row(("A<B", "A>B"), rules="v0.1")], "x")
    assert (legacy.scores[0].n, legacy.scores[0].null) == (1, 1)
    assert board([row(("A<B", "B<A"))], "x").scores[0].n == 2


def test_names_lose_their_owner() -> None:
    found = board([row(("A>B", "B>A"), model="org/m", baseline="other/b")], "x")
    assert set(scores(found)) == {"m", "b"}


def test_rows_without_style_are_left_out_and_told() -> None:
    rows = [
        row(labels, question=str(i))
        for i, labels in enumerate([("A>B", "B>A"), ("B>A", "A>B"), ("A=B", "A>B"), ("A>B", "A>B")])
    ]
    assert "no outcome has style counts" in board_with_style(rows, "x", {}).warnings[-1]
    some = {
        (str(i), model): StyleTotals(10 + i * j, i, j, 0, counted=False)
        for i in range(3)
        for j, model in enumerate(("m", "b"))
    }
    found = board_with_style(rows, "x", some)
    assert "1 questions left out" in found.warnings[0]
    assert any("whitespace words" in text for text in found.warnings)
    assert any("'bold' is the same everywhere" in text for text in found.warnings)


def test_golden_markdown_counts(shared: Path) -> None:
    for case in golden(shared, "judges/arena_hard_markdown_cases"):
        text = case.get("text", case.get("answer"))
        found, want = style_counts(text).to_dict(), case["expected"]
        for name in ("header_count", "list_count", "bold_count"):
            assert found[name] == want[name], case
