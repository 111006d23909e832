"""Reasoning traces: kept or stripped, counted, never silent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.workspace import (
    LoadOptions,
    load,
)
from ifbench_tui.workspace.think import split_think
from tests.formats.helpers import write_rows
from tests.workspace.helpers import answer, reasons

THINK = [
    ("No trace.", "No trace.", ""),
    ("<think>\na, b\n</think>\n\nNo commas here", "No commas here", "stripped"),
    ("\n <think>a</think> <think>b</think>\nc", "c", "stripped"),
    ("the opening tag was in the template</think>\n\nc \n", "c \n", "stripped"),
    ("<think>\nFirst, plan. Then", "", "unclosed"),
    ("\n  <think>half", "", "unclosed"),
    ("<think>a</think><think>half", "", "unclosed"),
    ("<think>a</think>", "", "stripped"),
    ("Write <think>x</think> in XML", "Write <think>x</think> in XML", ""),
    ("Say <think>", "Say <think>", ""),
    ("<think>a</think>The tag </think> ends", "The tag </think> ends", "stripped"),
]


@pytest.mark.parametrize(("text", "answer_text", "state"), THINK)
def test_reasoning_traces(text: str, answer_text: str, state: str) -> None:
    assert split_think(text, "strip") == (answer_text, state)
    assert split_think(text, "keep") == (text, "kept" if state else "")


@pytest.mark.parametrize(("setting", "words"), [("keep", "part of"), ("strip", "left out")])
def test_traces_are_counted_and_told(
    tmp_path: Path, prompts: str, setting: Any, words: str
) -> None:
    rows = [answer("Say bye.", "<think>x</think>a"), answer("Say hi. ", "<think>y</think>b")]
    loaded = load([prompts, write_rows(tmp_path / "m", rows)], LoadOptions(think=setting))
    found = loaded.suites["ifeval"].response("m", "2")
    assert found is not None
    assert found.raw == "<think>x</think>a"
    assert found.text == ("a" if setting == "strip" else found.raw)
    ((_, reason),) = reasons(loaded, "notice")
    assert words in reason
    assert "2 rows" in reason
