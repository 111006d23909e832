"""Markdown counts of a response."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.ratings.style import feature_total, style_counts
from tests.engine.ratings.golden import folder


def test_golden_counts(shared: Path) -> None:
    cases = json.loads((folder(shared) / "style_counts.json").read_text())
    assert cases
    for case in cases:
        wanted = {key: case[key] for key in ("header_count", "list_count", "bold_count")}
        assert style_counts(case["text"]).to_dict() == wanted, case["text"]


@given(st.text(alphabet="-*+1. \n\t\r\x0b\x85a#_`", max_size=40))
def test_list_items_are_those_of_the_published_patterns(text: str) -> None:
    plain = text
    for inner in re.findall(r"```([^`]*)```", text):
        plain = plain.replace(inner, "") if inner else plain
    counts = style_counts(text).list_count
    assert counts["ordered"] == len(re.findall(r"^\s*\d+\.\s", plain, re.MULTILINE))
    assert counts["unordered"] == len(re.findall(r"^\s*[-*+]\s", plain, re.MULTILINE))


def test_text_between_fences_can_be_taken_for_code() -> None:
    assert style_counts("```a `b` c``` **text** ```d```").bold_count["**"] == 0
    assert style_counts("```a `b` c``` **text**").bold_count["**"] == 1


def test_long_runs_of_blank_lines_are_no_trap() -> None:
    assert style_counts("\n" * 200_000 + "x").list_count == {"ordered": 0, "unordered": 0}


@pytest.mark.parametrize(
    ("value", "total"),
    [(3, 3), (3.0, 3), ({"h1": 1, "h2": 2}, 3), (np.int64(4), 4), ({"a": {"b": 2.0}}, 2), (0, 0)],
)
def test_counts_may_be_numbers_or_objects(value: object, total: int) -> None:
    assert feature_total(value) == total


@pytest.mark.parametrize("value", [None, "3", 1.5, -1, True, [1], float("nan"), {"h1": "2"}])
def test_anything_else_is_no_count(value: object) -> None:
    with pytest.raises(ValueError, match="is not a count"):
        feature_total(value)
