"""Whose responses they are: names, parts and namesakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.formats.ifeval_results import result_lines
from ifbench_tui.workspace import (
    LoadError,
    LoadOptions,
    Recorded,
    load,
)
from tests.formats.helpers import write_rows
from tests.workspace.helpers import answer, reasons, texts


def results(folder: Path, mode: str, response: str, follows: bool) -> str:
    path = folder / f"eval_results_{mode}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(result_lines([("Say bye.", response, ["x:y"], [follows])])))
    return str(path)


def test_strict_and_loose_results_are_one_model(tmp_path: Path, prompts: str) -> None:
    for run, text in (("one", "bye"), ("two", "ciao")):
        results(tmp_path / run / "gpt4", "loose", text, True)
        results(tmp_path / run / "gpt4", "strict", text, False)
    loaded = load([prompts, str(tmp_path / "one"), str(tmp_path / "two")])
    suite = loaded.suites["ifeval"]
    assert suite.models == ("gpt4", "gpt4 (two)")
    assert texts(loaded, "gpt4 (two)") == {"2": "ciao"}
    for model in suite.models:
        found = suite.response(model, "2")
        assert found is not None
        assert found.recorded == Recorded((False,), (True,))
    assert [one.used for one in loaded.sources] == [3, 1, 1, 1, 1]


def test_results_without_prompts_say_what_is_missing(tmp_path: Path) -> None:
    path = results(tmp_path, "strict", "bye", True)
    with pytest.raises(LoadError, match="parameters") as failed:
        load([path])
    assert failed.value.sources[0].unmatched == 1


def test_recorded_verdicts_of_another_number_are_dropped(tmp_path: Path, prompts: str) -> None:
    row = {**answer("Say bye."), "follow_instruction_list": [True, False, True]}
    loaded = load([prompts, write_rows(tmp_path / "m" / "eval_results_strict.jsonl", [row])])
    found = loaded.suites["ifeval"].response("m", "2")
    assert found is not None
    assert found.recorded is None
    assert "not as many" in reasons(loaded, "notice")[0][1]


def test_namesakes_are_kept_apart_and_parts_are_joined(tmp_path: Path, prompts: str) -> None:
    paths = [
        write_rows(tmp_path / "a" / "gpt.jsonl", [answer("Say bye.", "a")]),
        write_rows(tmp_path / "b" / "gpt.jsonl", [answer("Say bye.", "b")]),
        write_rows(tmp_path / "c" / "gpt.jsonl", [answer("Name two rivers of Asia.", "c")]),
    ]
    loaded = load([prompts, *paths])
    assert texts(loaded, "gpt") == {"2": "a", "3": "c"}
    assert texts(loaded, "gpt (b)") == {"2": "b"}
    said = [reason for _, reason in reasons(loaded, "notice")]
    assert ["gpt (b)" in said[0], "continues gpt" in said[1]] == [True, True]


def test_a_model_name_can_be_given(tmp_path: Path, prompts: str) -> None:
    path = write_rows(tmp_path / "x.jsonl", [answer("Say bye.")])
    assert load([prompts, path], LoadOptions(model="mine")).suites["ifeval"].models == ("mine",)


def test_rows_without_verdicts_do_not_part_a_submission_from_its_log(shared: Path) -> None:
    folder = shared / "golden" / "ifhardbench" / "run"
    loaded = load([str(folder)])
    suite = loaded.suites["ifhardbench"]
    assert set(suite.models) == {"model-good", "model-medium", "model-bad"}
    empty = suite.response("model-bad", "2")
    full = suite.response("model-bad", "1")
    assert empty is not None
    assert full is not None
    assert (empty.recorded is None, full.recorded is None) == (True, False)


def test_equal_responses_without_any_verdict_are_two_models(tmp_path: Path, prompts: str) -> None:
    paths = [
        write_rows(tmp_path / name / "gpt.jsonl", [answer("Say bye.", "same")]) for name in "ab"
    ]
    assert load([prompts, *paths]).suites["ifeval"].models == ("gpt", "gpt (b)")
