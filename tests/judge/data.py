"""Small questions and answers of our own in the benchmarks' files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["arena_files", "mt_files", "write_rows"]


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")
    return path


def mt_files(
    folder: Path, models: Iterable[str] = ("tern", "wren"), questions: int = 2
) -> list[str]:
    """Questions (odd ones of math, the others of writing) and an answer file for each model."""
    ids = range(1, questions + 1)
    rows = [
        {
            "question_id": number,
            "category": "math" if number % 2 else "writing",
            "turns": [f"Q{number} first?", f"Q{number} second?"],
        }
        for number in ids
    ]
    paths = [write_rows(folder / "question.jsonl", rows)]
    for model in models:
        rows = [
            {
                "question_id": number,
                "answer_id": f"a{number}",
                "model_id": "another name",
                "choices": [{"index": 0, "turns": [f"{model} {number}.1", f"{model} {number}.2"]}],
                "tstamp": 1.0,
            }
            for number in ids
        ]
        paths.append(write_rows(folder / "model_answer" / f"{model}.jsonl", rows))
    return [str(path) for path in paths]


def arena_files(folder: Path, models: Iterable[str] = ("base", "tern")) -> list[str]:
    """Two questions of Arena-Hard v2.0, one of them creative, and an answer file a model."""
    categories = {"q1": "hard_prompt", "q2": "creative_writing"}
    rows: list[dict[str, Any]] = [
        {"uid": uid, "category": category, "subcategory": "x", "prompt": f"Do {uid}"}
        for uid, category in categories.items()
    ]
    paths = [write_rows(folder / "question.jsonl", rows)]
    for model in models:
        rows = [
            {
                "uid": uid,
                "ans_id": "x",
                "model": model,
                "messages": [
                    {"role": "user", "content": f"Do {uid}"},
                    {"role": "assistant", "content": {"answer": f"{model} on {uid}"}},
                ],
                "tstamp": 1.0,
            }
            for uid in categories
        ]
        paths.append(write_rows(folder / "model_answer" / f"{model}.jsonl", rows))
    return [str(path) for path in paths]
