"""Readers of the shared data of judged benchmarks."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ifbench_tui.engine.judged.alpaca_eval import DifficultyTable
from ifbench_tui.engine.judged.length_control import GamedBaseline
from ifbench_tui.engine.judged.rows import Annotation, ArenaJudgment, PairJudgment
from tests.conftest import SHARED

__all__ = [
    "GOLDEN_MODELS",
    "arena_rows",
    "cases",
    "compact",
    "difficulty_table",
    "gamed",
    "golden",
    "jsonl",
    "legacy_rows",
    "pairs",
]

_GOLDEN = SHARED / "golden" / "alpaca_eval"
GOLDEN_MODELS = sorted(path.stem for path in _GOLDEN.glob("*.json")) or ["absent"]


def jsonl(path: Path) -> Iterator[Any]:
    """The rows of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def golden(shared: Path, name: str) -> Any:
    """One file of golden/."""
    found = json.loads((shared / "golden" / f"{name}.json").read_text(encoding="utf-8"))
    assert found, f"{name} holds nothing"
    return found


def cases(shared: Path, identity: str) -> list[dict[str, Any]]:
    """The inputs and answers of one public case."""
    for one in jsonl(shared / "cases" / "cases.jsonl"):
        if one["id"] == identity:
            assert one["cases"], f"{identity} has no cases"
            return list(one["cases"])
    raise AssertionError(f"there is no case {identity}")


def compact(shared: Path, model: str) -> list[Annotation]:
    """The compact rows of a model or a variant."""
    folder = shared / "data" / "alpaca_eval"
    path = folder / ("variants" if model.startswith("variant-") else "") / f"{model}.jsonl"
    return [
        Annotation(
            model,
            "gpt4_1106_preview",
            row["preference"],
            row["len_output_1"],
            row["len_output_2"],
            row.get("same_output", False),
            dataset=row["dataset"],
            instruction_index=row["instruction_index"],
            difficulty=row["instruction_difficulty"],
            swapped=row.get("swapped"),
        )
        for row in jsonl(path)
    ]


def _table(shared: Path, name: str) -> list[dict[str, str]]:
    with (shared / "data" / "alpaca_eval" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def gamed(shared: Path) -> GamedBaseline:
    """The regulariser's rows."""
    rows = _table(shared, "gamed_baseline.csv")
    names = ("std_delta_len", "instruction_difficulty", "preference")
    return GamedBaseline(*(np.array([float(row[name]) for row in rows]) for name in names))


@cache
def difficulty_table(shared: Path) -> DifficultyTable:
    """The 805 difficulties with the lengths and subsets that identify the instructions."""
    rows = _table(shared, "instruction_difficulty.csv")
    return DifficultyTable(
        tuple(float(row["instruction_difficulty"]) for row in rows),
        tuple(int(row["len_output_1"]) for row in rows),
        tuple(row["dataset"] for row in rows),
    )


def pairs(path: Path) -> list[PairJudgment]:
    """MT-Bench pair judgments."""
    return [
        PairJudgment(
            row["question_id"],
            row["model_1"],
            row["model_2"],
            (row["judge"][0], row["judge"][1]),
            row["turn"],
            row["g1_winner"],
            row["g2_winner"],
        )
        for row in jsonl(path)
    ]


def _labels(row: dict[str, Any]) -> tuple[str | None, str | None]:
    first, second = (game and game["score"] for game in row["games"])
    return first, second


def arena_rows(paths: list[Path]) -> list[ArenaJudgment]:
    """Arena-Hard v2 judgments."""
    return [
        ArenaJudgment(
            row["uid"],
            row["category"],
            row["judge"],
            row["model"],
            row["baseline"],
            *_labels(row),
        )
        for path in paths
        for row in jsonl(path)
    ]


def legacy_rows(paths: list[Path]) -> list[ArenaJudgment]:
    """Arena-Hard v0.1 judgments."""
    return [
        ArenaJudgment(
            row["question_id"],
            "arena-hard-v0.1",
            row["judge"],
            row["model"],
            "gpt-4-0314",
            *_labels(row),
            rules="v0.1",
        )
        for path in paths
        for row in jsonl(path)
    ]
