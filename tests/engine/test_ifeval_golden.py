"""The golden verdicts decide: every cell of the lattice, raising included."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt, explain, judge
from ifbench_tui.engine.ifeval import IFEval
from ifbench_tui.engine.verdict import Lattice
from ifbench_tui.scoring import judge_text

IFEVAL = IFEval()
GOLDEN_MODELS = (
    "Meta-Llama-3.1-8B-Instruct-AWQ-INT4",
    "Mistral-7B-Instruct-v0.3",
    "Qwen2.5-0.5B-Instruct-GPTQ-Int4",
    "claude-3-5-sonnet-20240620",
    "gpt4-20231107",
    "o1-mini-2024-09-12",
)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        line = ""
        for line in lines:
            yield json.loads(line)
    assert line, f"{path} holds nothing"


def prompts(shared: Path) -> dict[str, Prompt]:
    return {
        row["prompt"]: Prompt(
            str(row["key"]),
            row["prompt"],
            tuple(map(ConstraintSpec, row["instruction_id_list"], row["kwargs"])),
        )
        for row in rows(shared / "data/ifeval/input_data.jsonl")
    }


def judged_lattices(shared: Path, model: str) -> dict[str, tuple[Lattice, ...]]:
    by_text = prompts(shared)
    return {
        by_text[row["prompt"]].key: judge_text(
            IFEVAL, by_text[row["prompt"]], row["response"] or ""
        ).lattices
        for row in rows(shared / f"data/ifeval/responses/{model}.jsonl")
    }


@pytest.mark.parametrize("model", GOLDEN_MODELS)
def test_every_cell_of_a_real_model_agrees(shared: Path, model: str) -> None:
    lattices = judged_lattices(shared, model)
    wrong = []
    for row in rows(shared / f"golden/ifeval/{model}.jsonl"):
        for lattice, expected in zip(lattices[str(row["key"])], row["instructions"], strict=True):
            assert lattice.constraint == expected["id"]
            got = {"variants": [*lattice.cells], "strict": lattice.strict, "loose": lattice.loose}
            if got != {name: expected[name] for name in got}:
                wrong.append((row["key"], expected, lattice))
    assert wrong == []


def fuzz_cases(shared: Path) -> Iterator[dict[str, Any]]:
    return (row for row in rows(shared / "golden/ifeval/fuzz.jsonl") if "random_default" not in row)


def reference_cell(cell: bool | str | None) -> bool | None:
    return None if isinstance(cell, str) else cell


def test_every_fuzz_cell_agrees(shared: Path) -> None:
    wrong = []
    for row in fuzz_cases(shared):
        spec = ConstraintSpec(row["id"], row["kwargs"])
        lattice = judge(IFEVAL, spec, IFEVAL.variants(row["response"]))
        if row["build_error"]:
            expected = [None] * 8
            raises = row["build_error"]
        else:
            expected = [reference_cell(cell) for cell in row["variants"]]
            raises = next((cell[1:] for cell in row["variants"] if isinstance(cell, str)), None)
            if lattice.loose_cell != reference_cell(row["loose"]):
                wrong.append((row["n"], "loose", row["loose"], lattice))
        if list(lattice.cells) != expected:
            wrong.append((row["n"], row["id"], row["kwargs"], expected, lattice))
        if (lattice.error.raises if lattice.error else None) != raises:
            wrong.append((row["n"], raises, lattice.error))
    assert wrong == []


def test_random_defaults_are_errors_and_never_guesses(shared: Path) -> None:
    unnamed = [
        row["n"]
        for row in rows(shared / "golden/ifeval/fuzz.jsonl")
        if row.get("random_default")
        and (
            (error := judge(IFEVAL, ConstraintSpec(row["id"], row["kwargs"]), ("x",) * 8).error)
            is None
            or error.raises != "random"
        )
    ]
    assert unnamed == []


def test_every_explanation_agrees_with_its_verdict_and_points_into_its_text(shared: Path) -> None:
    wrong = []
    for row in fuzz_cases(shared):
        spec = ConstraintSpec(row["id"], row["kwargs"])
        texts = IFEVAL.variants(row["response"])
        cells = judge(IFEVAL, spec, texts).cells
        for text, cell in zip(texts, cells, strict=True):
            told = explain(IFEVAL, spec, text)
            outside = [s for s in told.spans if not 0 <= s.start <= s.end <= len(text)]
            agrees = told.holds is (cell is True) and (told.error is not None) == (cell is None)
            decided = told.distance is None or (told.distance >= 0) == told.holds
            if outside or not agrees or not decided:
                wrong.append((row["n"], spec, text, cell, told))
    assert wrong == []
