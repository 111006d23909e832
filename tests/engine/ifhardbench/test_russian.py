"""Requirements said in Russian where the row's own line is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec
from tests.engine.ifhardbench.golden import BENCH, rows


@pytest.mark.parametrize(
    ("type_id", "params", "wording"),
    [
        ("structure:word_count", {"value": 21}, "ровно 21 слово"),
        ("structure:word_count", {"value": 12}, "ровно 12 слов"),
        ("structure:word_count", {"op": "ge", "value": 1}, "не меньше 1 слова"),
        ("structure:word_count", {"op": "between", "min": 2, "max": 31}, "от 2 до 31 слова"),
        ("style:comma_count", {"value": 3}, "ровно 3 запятые"),
        ("lexical:exclude_word", {"words": ["ёж"]}, "ни одного слова «ёж»"),
        (
            "logic:conditional_format",
            {"holds": True, "then": {"shape": "paragraphs", "value": 2}},
            "условие выполнено: ровно 2 абзаца",
        ),
        (
            "logic:override",
            {"winner": {"category": "style:no_commas", "params": {}}},
            "важнее другое требование: без запятых",
        ),
        ("structure:word_count", {}, ""),
        ("style:rhyme", {}, ""),
        ("logic:override", {"winner": {"category": "style:rhyme", "params": {}}}, ""),
    ],
)
def test_wordings(type_id: str, params: dict[str, Any], wording: str) -> None:
    assert BENCH.wording(ConstraintSpec(type_id, params)) == wording


def test_the_row_s_own_line_comes_first() -> None:
    spec = ConstraintSpec("style:no_commas", wording="Никаких запятых.")
    assert BENCH.wording(spec) == "Никаких запятых."


def test_what_can_be_said_in_english_can_be_said_in_russian(shared: Path) -> None:
    unsaid = []
    for case in rows(shared / "golden/ifhardbench/cases.jsonl"):
        spec = ConstraintSpec(case["category"], case["params"])
        sayable = not BENCH.build(spec).required().startswith("cannot be said")
        if sayable and not BENCH.wording(spec):
            unsaid.append(case)
    assert unsaid == []
