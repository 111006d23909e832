"""IFHardBench files: rows, templates, submissions, harness logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui import scoring
from ifbench_tui.formats import LoadOptions
from ifbench_tui.formats.ifhardbench_fields import TemplateFault, render
from ifbench_tui.formats.ifhardbench_submission import submission
from ifbench_tui.formats.records import PromptRow, ResponseRow
from ifbench_tui.workspace import load
from tests.formats.helpers import broken, notices, prompt, read, responses_of, write_rows

KEY = [{"category": "style:no_caps", "family": "style", "params": {}}]


def row(key: Any, **fields: Any) -> dict[str, Any]:
    return {
        "instruction": "Требования:\n{constraints}\n\nЗадание:\n{question}",
        "inputs": {"question": f"Вопрос {key}?", "constraints": "- строчными", "context": ""},
        "outputs": "",
        "meta": {"id": key, "constraints": json.dumps(KEY), "categories": {"tier": "hard"}},
        **fields,
    }


def log(key: Any, answer: Any, **fields: Any) -> dict[str, Any]:
    return {
        "doc_id": 0,
        "doc": row(key),
        "filtered_resps": [answer],
        "filter": "scoring",
        "balance_score": [["style:no_caps", True]],
        **fields,
    }


def write_json(path: Path, value: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return str(path)


def prompts_of(records: list[Any]) -> list[PromptRow]:
    return [one for one in records if isinstance(one, PromptRow)]


@pytest.mark.parametrize("indent", [None, 1])
def test_rows_under_data_and_rows_by_line_are_the_same(tmp_path: Path, indent: int | None) -> None:
    rows = [row(6), row(7, outputs="ответ")]
    document = tmp_path / "test.json"
    document.write_text(json.dumps({"data": rows}, indent=indent), encoding="utf-8")
    name, records = read(document)
    other, others = read(write_rows(tmp_path / "test.jsonl", rows))
    assert name == other == "ifhardbench-rows"
    prompts = prompts_of(records)
    assert [one.prompt for one in prompts] == [one.prompt for one in prompts_of(others)]
    assert prompts[0].prompt.text == "Требования:\n- строчными\n\nЗадание:\nВопрос 6?"
    assert prompts[0].prompt.constraints[0].wording == "строчными"
    assert prompts[0].prompt.attributes == {"key": 6, "tier": "hard"}
    assert prompts[1].prompt.attributes["witness"] == "ответ"


def test_a_row_without_a_usable_key_is_broken_and_no_other_is(tmp_path: Path) -> None:
    bad = row(8, meta={"id": 8, "constraints": " "})
    name, records = read(write_json(tmp_path / "test.json", {"data": [row(6), bad, 5, row(9)]}))
    assert name == "ifhardbench-rows"
    assert [one.prompt.key for one in prompts_of(records)] == ["6", "9"]
    reasons = [one.reason for one in broken(records)]
    assert reasons[0].startswith("row 2: the scoring key meta.constraints is blank")
    assert reasons[1] == "row 3: a row must be a JSON object"


def test_a_template_by_number_stands_in_the_file_beside(tmp_path: Path) -> None:
    meta = {"dataset_name": "x", "prompts": ["а", "Напиши: {question}"]}
    write_json(tmp_path / "dataset_meta.json", meta)
    path = write_rows(tmp_path / "test.jsonl", [row(6, instruction=1), row(7, instruction=2)])
    _, records = read(path)
    texts = [one.prompt.text for one in prompts_of(records)]
    assert texts == ["Напиши: Вопрос 6?", "- строчными\n\nВопрос 7?"]
    (note,) = notices(records)
    assert note.reason.startswith("template 2 is not found")
    assert read(tmp_path / "dataset_meta.json")[0] == "ifhardbench-meta"


def test_templates_fill_plain_fields_and_nothing_else() -> None:
    values = {"question": "{context}", "context": "б"}
    assert render("{{{question}}} {context}", values) == "{{context}} б"
    for template in ("{other}", "{}", "{0}", "{question!r}", "{context:>9}", "{question.x}", "{"):
        with pytest.raises(TemplateFault):
            render(template, values)


def test_a_submission_is_joined_by_id_and_named_after_its_file(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "test.jsonl", [row(6), row(7)])
    answers = json.loads(submission([(6, "да"), (7, None)]))
    path = write_json(tmp_path / "owl.submission.json", answers)
    loaded = load([rows, path])
    suite = loaded.suites["ifhardbench"]
    assert suite.models == ("owl",)
    assert [suite.responses("owl")[key].text for key in ("6", "7")] == ["да", ""]
    same = write_json(tmp_path / "lark" / "IFHardBench.json", answers)
    assert load([rows, same]).suites["ifhardbench"].models == ("lark",)


def test_answers_that_cannot_be_used_are_told_by_number(tmp_path: Path) -> None:
    answers = [{"outputs": 5, "meta": {"id": 6}}, {"outputs": "а", "meta": {}}, {"outputs": "б"}]
    answers += [{"outputs": " ", "meta": {"id": 7}}] * 3
    name, records = read(write_json(tmp_path / "x.json", {"data": {"test": answers}}))
    assert name == "ifhardbench-submission"
    assert [one.reason for one in broken(records)] == [
        "answer 1: the field outputs is not text",
        "answer 2: the answer has no meta.id",
        "answer 3: an answer must be an object with outputs and meta",
    ]
    assert responses_of(records) == [" "] * 3
    assert len(notices(records)) == 3


def test_an_id_shared_with_another_benchmark_joins_to_this_one(tmp_path: Path) -> None:
    other = write_rows(tmp_path / "input_data.jsonl", [prompt(6, "p")])
    rows = write_rows(tmp_path / "test.jsonl", [row(6)])
    path = write_json(tmp_path / "owl.json", json.loads(submission([(6, "да")])))
    loaded = load([other, rows, path])
    assert loaded.suites["ifhardbench"].responses("owl")["6"].text == "да"
    assert "owl" not in loaded.suites["ifeval"].models


def test_a_log_brings_its_rows_answers_and_recorded_verdicts(tmp_path: Path) -> None:
    lines = [log(6, "да"), log(7, "Да", balance_score=None), log(8, 5), log(9, None)]
    path = write_rows(tmp_path / "owl" / "samples_ifhardbench_2026-01-01T00-00-00.1.jsonl", lines)
    name, records = read(path)
    assert name == "ifhardbench-lm-eval"
    assert responses_of(records) == ["да", "Да", "5", "None"]
    found = [one for one in records if isinstance(one, ResponseRow)]
    assert [one.recorded.strict if one.recorded else None for one in found[:2]] == [(True,), None]
    suite = load([path]).suites["ifhardbench"]
    assert suite.models == ("owl",)
    judged = scoring.score(suite)["owl"]
    assert [one.strict for one in judged] == [True, False, True, False]


def test_a_log_without_filtered_answers_or_without_a_key(tmp_path: Path) -> None:
    raw = {"doc": row(6), "resps": [["  да"]]}
    unusable = log(7, "да", doc=row(7, meta={"id": 7, "constraints": ""}))
    _, records = read(write_rows(tmp_path / "samples_ifhardbench_x.jsonl", [raw, raw, unusable]))
    assert responses_of(records) == ["  да", "  да"]
    assert len(broken(records)) == 1


def test_of_several_logs_in_a_folder_the_newest_counts(tmp_path: Path) -> None:
    name = "owl/samples_ifhardbench_2026-0{}-01T00-00-00.1.jsonl"
    old = write_rows(tmp_path / name.format(1), [log(6, "Да")])
    write_rows(tmp_path / name.format(2), [log(6, "да")])
    loaded = load([str(tmp_path)])
    suite = loaded.suites["ifhardbench"]
    assert {name: suite.responses(name)["6"].text for name in suite.models} == {"owl": "да"}
    assert sum(source.duplicate for source in loaded.sources) == 1
    assert load([old]).suites["ifhardbench"].responses("owl")["6"].text == "Да"


def test_traces_stay_for_the_benchmark_to_cut(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "samples_ifhardbench_x.jsonl", [log(6, "<think>да")])
    for think in ("keep", "strip"):
        loaded = load([path], LoadOptions(think=think, model="owl"))  # type: ignore[arg-type]
        response = loaded.suites["ifhardbench"].responses("owl")["6"]
        assert (response.text, response.think) == ("<think>да", "")
        (judged,) = scoring.score(loaded.suites["ifhardbench"])["owl"]
        assert judged.strict


def test_the_shared_prompts_are_rendered_as_the_harness_does(shared: Path) -> None:
    folder = shared / "golden/ifhardbench/run"
    expected = {}
    for line in (folder / "prompts_rendered.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        expected[str(one["id"])] = one["prompt"]
    for name in ("test.json", "test.jsonl"):
        records = prompts_of(read(folder / name)[1])
        assert {one.prompt.key: one.prompt.text for one in records} == expected


def test_every_shared_submission_gives_its_metrics(shared: Path) -> None:
    folder = shared / "golden/ifhardbench/run"
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics
    submissions = [str(folder / f"{model}.submission.json") for model in metrics]
    logs = [str(folder / model) for model in metrics]
    for paths in ([str(folder / "test.json"), *submissions], logs):
        suite = load(paths).suites["ifhardbench"]
        judged = scoring.score(suite)
        assert judged.keys() == metrics.keys()
        for model, rows in judged.items():
            summary = scoring.summarise(suite, rows)
            for name in ("sample_pass_rate", "constraint_pass_rate", "balance_score"):
                assert summary.metric(name).value == pytest.approx(metrics[model][name], abs=1e-12)


def test_every_shared_witness_follows_its_row(shared: Path) -> None:
    _, records = read(shared / "golden/ifhardbench/run/test.json")
    benchmark = scoring.benchmark_for("ifhardbench")
    failing = [
        one.prompt.key
        for one in prompts_of(records)
        if not scoring.judge_text(benchmark, one.prompt, one.prompt.attributes["witness"]).strict
    ]
    assert failing == []
