"""IFEval's own files: prompts, responses, results, aliases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec
from ifbench_tui.engine.registry import create_benchmark
from ifbench_tui.formats.ifeval_results import result_lines
from ifbench_tui.formats.records import AliasRow, PromptRow, Recorded, ResponseRow
from tests.formats.helpers import broken, notices, prompt, read, responses_of, write_rows


def only_prompt(path: str) -> PromptRow:
    found, records = read(path)
    assert found == "ifeval-prompts"
    (row,) = (one for one in records if isinstance(one, PromptRow))
    return row


def test_official_prompt(tmp_path: Path) -> None:
    path = write_rows(
        tmp_path / "x",
        [prompt(1000, " caf\u00e9 ", relation="at least", num_words=300)],
    )
    row = only_prompt(path)
    assert (row.benchmark, row.line) == ("ifeval", 1)
    assert (row.prompt.key, row.prompt.text) == ("1000", " caf\u00e9 ")
    assert row.prompt.constraints == (
        ConstraintSpec(
            "length_constraints:number_words", {"relation": "at least", "num_words": 300}
        ),
    )


@pytest.mark.parametrize("type_id", sorted(create_benchmark("ifeval").types))
def test_a_prompt_of_any_type_alone_is_known(tmp_path: Path, type_id: str) -> None:
    row = prompt(1, "p") | {"instruction_id_list": [type_id]}
    assert only_prompt(write_rows(tmp_path / "x", [row])).prompt.constraints[0].type == type_id


def test_hub_padding_is_the_compact_file(tmp_path: Path) -> None:
    compact = prompt(1, "p", num_words=3, relation="at least")
    padded = json.loads(json.dumps(compact))
    padded["kwargs"][0].update(keywords=None, letter=None, num_bullets=None)
    one = only_prompt(write_rows(tmp_path / "a", [compact]))
    other = only_prompt(write_rows(tmp_path / "b", [padded]))
    assert one == other


def test_falsy_parameters_are_kept(tmp_path: Path) -> None:
    row = only_prompt(write_rows(tmp_path / "x", [prompt(1, "p", num_words=0, relation="")]))
    assert row.prompt.constraints[0].params == {"num_words": 0, "relation": ""}


def test_english_mark_of_m_ifeval_is_dropped(tmp_path: Path) -> None:
    data = {**prompt(1, "p"), "instruction_id_list": ["en:punctuation:no_comma"]}
    row = only_prompt(write_rows(tmp_path / "x", [data]))
    assert row.prompt.constraints[0].type == "punctuation:no_comma"


def test_parameters_as_json_text_in_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "prompts.csv"
    path.write_text(
        "key,prompt,instruction_id_list,kwargs\n"
        '7,"two\nlines","[""punctuation:no_comma""]","[{}]"\n'
    )
    row = only_prompt(str(path))
    assert (row.prompt.key, row.prompt.text, row.line) == ("7", "two\nlines", 2)
    assert row.prompt.constraints == (ConstraintSpec("punctuation:no_comma", {}),)


@pytest.mark.parametrize("kwargs", [[], None, "absent", [{}, {}]])
def test_ids_and_parameters_of_different_number_are_told(tmp_path: Path, kwargs: object) -> None:
    data = prompt(1, "p")
    data["kwargs"] = kwargs
    if kwargs == "absent":
        del data["kwargs"]
    _, records = read(write_rows(tmp_path / "x", [data]))
    assert len(notices(records)) == 1
    row = next(one for one in records if isinstance(one, PromptRow))
    assert row.prompt.constraints == (ConstraintSpec("punctuation:no_comma", {}),)


def test_a_prompt_without_constraints_is_told(tmp_path: Path) -> None:
    rows = [prompt(1, "p"), {"key": 2, "prompt": "q", "instruction_id_list": [], "kwargs": []}]
    _, records = read(write_rows(tmp_path / "x", rows))
    assert [(one.line, "no constraints" in one.reason) for one in notices(records)] == [(2, True)]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("prompt", None),
        ("prompt", 7),
        ("instruction_id_list", "punctuation:no_comma"),
        ("instruction_id_list", [1]),
        ("kwargs", [7]),
        ("kwargs", {"a": 1}),
    ],
)
def test_unusable_prompts_are_broken_rows(tmp_path: Path, field: str, value: object) -> None:
    rows = [prompt(1, "p"), prompt(2, "q"), {**prompt(3, "r"), field: value}]
    _, records = read(write_rows(tmp_path / "x", rows))
    assert [one.line for one in broken(records)] == [3]
    assert field in broken(records)[0].reason
    assert sum(isinstance(one, PromptRow) for one in records) == 2


@pytest.mark.parametrize("key", [1000, "1000", 1000.0])
def test_keys_of_any_kind_are_one_text(tmp_path: Path, key: object) -> None:
    row = only_prompt(write_rows(tmp_path / "x", [{**prompt(1, "p"), "key": key}]))
    assert row.prompt.key == "1000"


def test_other_benchmarks_and_languages_are_refused_once(tmp_path: Path) -> None:
    cases = {
        "fr:punctuation:no_comma": ("ifeval-other-language", "fr"),
        "count:word_count_range": ("other-benchmark", "count:word_count_range"),
    }
    for type_id, (wanted, word) in cases.items():
        rows = [{**prompt(n, f"p{n}"), "instruction_id_list": [type_id]} for n in range(30)]
        found, records = read(write_rows(tmp_path / "x", rows))
        assert found == wanted
        (problem,) = broken(records)
        assert (problem.rows, "not supported yet" in problem.reason) == (30, True)
        assert word in problem.reason


def test_responses_by_prompt_or_key(tmp_path: Path) -> None:
    rows = [
        {"prompt": "p", "response": "r"},
        {"key": 5, "response": None, "model": "m"},
        {"key": 6, "prompt": "q", "response": "s"},
        {"response": "names no prompt"},
        {"prompt": "p"},
        {"prompt": "p", "response": 7},
    ]
    found, records = read(write_rows(tmp_path / "gpt.jsonl", rows))
    assert found == "ifeval-responses"
    named = [
        (one.model, one.key, one.prompt, one.response)
        for one in records
        if isinstance(one, ResponseRow)
    ]
    assert named == [("gpt", None, "p", "r"), ("m", "5", None, None), ("gpt", "6", "q", "s")]
    assert [one.line for one in broken(records)] == [4, 5, 6]


def test_a_system_prompt_is_no_model_name(tmp_path: Path) -> None:
    rows = [{"prompt": "p", "response": "r", "system": "You are helpful."}]
    _, records = read(write_rows(tmp_path / "gpt.jsonl", rows))
    assert [one.model for one in records if isinstance(one, ResponseRow)] == ["gpt"]


def test_prompt_and_response_in_one_row(tmp_path: Path) -> None:
    _, records = read(write_rows(tmp_path / "gpt.jsonl", [{**prompt(1, "p"), "response": "r"}]))
    (row,) = records
    assert isinstance(row, ResponseRow)
    assert (row.model, row.response) == ("gpt", "r")
    assert row.carried is not None
    assert row.carried.prompt.key == "1"


@pytest.mark.parametrize("mode", ["strict", "loose"])
def test_results_written_are_read_with_their_verdicts(tmp_path: Path, mode: str) -> None:
    path = tmp_path / f"eval_results_{mode}.jsonl"
    rows = [
        ("p\u2028\u00e9", "r\x1b[31m\ud835", ["a:b", "c:d"], [True, False]),
        ("q", None, ["a:b"], [True]),
    ]
    path.write_text("".join(result_lines(rows)), encoding="ascii")
    found, records = read(path)
    assert found == "ifeval-results"
    verdicts = [(True, False), (True,)]
    wanted = [Recorded(one) if mode == "strict" else Recorded(None, one) for one in verdicts]
    assert [one.recorded for one in records if isinstance(one, ResponseRow)] == wanted
    assert responses_of(records) == ["r\x1b[31m\ud835", None]


def test_result_lines_have_the_reference_shape() -> None:
    (line,) = result_lines([("p", "\u00e9", ["a:b"], [False])])
    assert line == (
        '{"follow_all_instructions": false, "follow_instruction_list": [false], '
        '"instruction_id_list": ["a:b"], "prompt": "p", "response": "\\u00e9"}\n'
    )


def test_odd_recorded_verdicts_cost_only_themselves(tmp_path: Path) -> None:
    rows = [{"prompt": "p", "response": "r", "follow_instruction_list": [1, "x"]}]
    _, records = read(write_rows(tmp_path / "x", rows))
    assert responses_of(records) == ["r"]
    assert len(notices(records)) == 1


def test_aliases(tmp_path: Path) -> None:
    path = tmp_path / "prompt_aliases.json"
    path.write_text('{\n "2785": ["old", "older"],\n "7": []\n}')
    found, records = read(path)
    assert found == "prompt-aliases"
    assert records == [AliasRow("2785", ("old", "older"), 1), AliasRow("7", (), 1)]
