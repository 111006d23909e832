"""Tables with other names: known ones, mapped ones, wide ones, and what to say otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.formats import LoadOptions
from ifbench_tui.formats.preview import preview
from ifbench_tui.formats.records import Problem, ResponseRow
from tests.formats.helpers import broken, read, responses_of, write_rows


def mapped(**mapping: str) -> LoadOptions:
    return LoadOptions(mapping=mapping)


def found_rows(path: str | Path, options: LoadOptions | None = None) -> list[tuple[Any, ...]]:
    _, records = read(path, options)
    return [
        (one.model, one.key, one.prompt, one.response)
        for one in records
        if isinstance(one, ResponseRow)
    ]


@pytest.mark.parametrize("ask", ["instruction", "input", "question", "query", "user"])
@pytest.mark.parametrize("say", ["output", "completion", "prediction", "generation", "answer"])
def test_known_names(tmp_path: Path, ask: str, say: str) -> None:
    path = write_rows(tmp_path / "m.jsonl", [{ask: "p", say: "r", "other": 1}])
    assert found_rows(path) == [("m", None, "p", "r")]


def test_alpaca_list_with_generator(tmp_path: Path) -> None:
    path = tmp_path / "model_outputs.json"
    path.write_text(json.dumps([{"instruction": "p", "output": "r", "generator": "g"}], indent=2))
    assert found_rows(path) == [("g", None, "p", "r")]


def test_conversations_and_turns(tmp_path: Path) -> None:
    talk = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "p"},
        {"role": "assistant", "content": "r"},
    ]
    assert found_rows(write_rows(tmp_path / "m", [{"messages": talk}])) == [("m", None, "p", "r")]
    rows = [{"turns": ["p", "later"], "answer": ["r"]}]
    assert found_rows(write_rows(tmp_path / "m", rows)) == [("m", None, "p", "r")]


@pytest.mark.parametrize(("suffix", "separator"), [("csv", ","), ("tsv", "\t")])
def test_separated_values(tmp_path: Path, suffix: str, separator: str) -> None:
    path = tmp_path / f"m.{suffix}"
    lines = ["\ufeffprompt|response", '"p, ""q""\n2"|"r\u2028"', "", "x|"]
    path.write_bytes("\r\n".join(lines).replace("|", separator).encode())
    assert found_rows(path) == [
        ("m", None, 'p, "q"\n2', "r\u2028"),
        ("m", None, "x", ""),
    ]


def test_a_csv_is_known_without_its_name(tmp_path: Path) -> None:
    path = tmp_path / "download"
    path.write_text("question,answer\np,r\n")
    assert found_rows(path) == [("download", None, "p", "r")]


def test_prompts_that_are_conversations(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "p"}]
    rows = [{"prompt": talk, "response": ["r"]}, {"prompt": "q", "response": "s"}]
    path = write_rows(tmp_path / "m", rows)
    assert found_rows(path) == [("m", None, "p", "r"), ("m", None, "q", "s")]


def test_an_open_quote_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text('prompt,response\na,b\n"c,d\ne,f\ng,h\n')
    _, records = read(path)
    assert responses_of(records) == ["b"]
    (problem,) = broken(records)
    assert (problem.line, "quote left open" in problem.reason) == (3, True)


def test_ragged_rows_are_broken(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("prompt,response\na,b,c\nd\ne,f\n")
    _, records = read(path)
    assert [one.line for one in broken(records)] == [2, 3]
    assert responses_of(records) == ["f"]


def test_a_mapping_names_columns(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "m", [{"frage": "p", "antwort": "r", "wer": "w", "nr": 7}])
    options = mapped(prompt="frage", response="antwort", model="wer", key="nr")
    assert found_rows(path, options) == [("w", "7", "p", "r")]
    assert read(path, options)[0] == "mapped-table"


def test_a_mapping_overrules_known_names(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "m", [{"prompt": "p", "response": "r", "final": "f"}])
    assert found_rows(path, mapped(response="final")) == [("m", None, "p", "f")]


@pytest.mark.parametrize("wanted", ["gpt|claude", "*"])
def test_wide_tables_give_a_model_for_each_column(tmp_path: Path, wanted: str) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("question,gpt,claude\np,a,b\nq,c,d\n")
    assert found_rows(path, mapped(prompt="question", response=wanted)) == [
        ("gpt", None, "p", "a"),
        ("claude", None, "p", "b"),
        ("gpt", None, "q", "c"),
        ("claude", None, "q", "d"),
    ]


def test_unknown_columns_are_shown_with_the_option_to_type(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("frage,gpt 4,claude\n" + "p,a,b\n" * 30)
    found, records = read(path)
    (problem,) = records
    assert found == "table"
    assert isinstance(problem, Problem)
    assert problem.rows == 30
    assert "frage, gpt 4, claude" in problem.reason
    assert "--map 'prompt=frage,response=gpt 4|claude'" in problem.advice
    proposed = mapped(prompt="frage", response="gpt 4|claude")
    assert len(found_rows(path, proposed)) == 60


def test_a_mapping_to_no_column_says_which(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "m", [{"frage": "p", "antwort": "r"}])
    (problem,) = read(path, mapped(prompt="frage", response="answer"))[1]
    assert isinstance(problem, Problem)
    assert "answer" in problem.reason
    assert "frage, antwort" in problem.reason


def test_text_is_never_run_or_filled_in(tmp_path: Path) -> None:
    text = "{prompt.__class__} %s %(x)s {0} ${HOME} {{7*7}}"
    path = write_rows(tmp_path / "m", [{"question": text, "answer": text}])
    assert found_rows(path) == [("m", None, text, text)]


@pytest.mark.parametrize("value", [7, {"a": "b"}, ["a", "b"], [7]])
def test_what_is_no_text_is_broken(tmp_path: Path, value: Any) -> None:
    rows = [{"question": "p", "answer": "r"}, {"question": "p", "answer": value}]
    _, records = read(write_rows(tmp_path / "m", rows))
    assert [one.line for one in broken(records)] == [2]


def test_preview_shows_columns_rows_and_a_guess(tmp_path: Path) -> None:
    rows = [{"question": f"p{n}", "antwort": "r", "model_id": "m"} for n in range(50)]
    seen = preview(write_rows(tmp_path / "m", rows))
    assert seen.columns == ("question", "antwort", "model_id")
    assert seen.rows[0] == rows[0]
    assert 1 < len(seen.rows) < 50
    assert seen.mapping == {"prompt": "question", "model": "model_id"}
    assert (seen.format, seen.container) == ("table", "jsonl")
