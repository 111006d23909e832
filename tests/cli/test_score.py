"""`score`: the JSON contracts, tables, comparison, gates, and the reference's numbers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from tests.cli.data import PROMPTS, rows_of, write_rows, write_suite

METRICS = ("prompt_strict", "inst_strict", "prompt_loose", "inst_loose")
GOLDEN = (
    "Meta-Llama-3.1-8B-Instruct-AWQ-INT4",
    "Mistral-7B-Instruct-v0.3",
    "Qwen2.5-0.5B-Instruct-GPTQ-Int4",
    "claude-3-5-sonnet-20240620",
    "gpt4-20231107",
    "o1-mini-2024-09-12",
)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["score", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def suite(tmp_path: Path) -> list[str]:
    return write_suite(tmp_path)


def test_json_has_exactly_the_documented_fields(
    suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, suite[0], "--json", *suite[1:])
    assert code == 0
    found = json.loads(out)
    assert list(found) == ["benchmark", "models", "sources", "problems"]
    assert found["benchmark"] == "ifeval"
    assert list(found["models"]) == ["careful", "chatty", "hostile"]
    model = found["models"]["chatty"]
    counts = {
        "prompts_without_constraints",
        "blank_responses",
        "errors",
        "strict_loose_gap",
        "formatting_only_share",
        "rescued_by",
        "near_miss_share",
    }
    groups = {"by_type", "by_category"}
    assert set(model) == {"n_prompts", "n_constraints", *METRICS, "intervals", *groups, *counts}
    assert set(model["intervals"]) == set(METRICS)
    assert set(model["intervals"]["prompt_strict"]) == {"value", "lower", "upper", "n", "method"}
    assert set(model["by_type"]["punctuation:no_comma"]) == {
        "n",
        "strict",
        "loose",
        "strict_correct",
        "loose_correct",
        "near_misses",
        "errors",
        "rescued_by",
    }
    assert {"path", "format", "used", "duplicate", "unmatched", "broken"} <= set(
        found["sources"][0]
    )
    assert model["prompt_strict"] == 0
    assert model["prompt_loose"] == pytest.approx(1 / 3)
    assert found["models"]["careful"]["prompt_strict"] == pytest.approx(2 / 3)


def test_problems_name_file_line_and_reason(
    tmp_path: Path, suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"prompt": PROMPTS[0]["prompt"], "response": "one"},
        {"prompt": PROMPTS[0]["prompt"], "response": "two"},
        {"prompt": "asked by nobody", "response": "x"},
    ]
    extra = write_rows(tmp_path / "extra.jsonl", rows)
    code, out, err = run(capsys, *suite, str(extra), "--json", "--model", "extra")
    assert code == 0
    found = json.loads(out)
    source = next(one for one in found["sources"] if one["path"] == str(extra))
    assert (source["used"], source["duplicate"], source["unmatched"]) == (1, 1, 1)
    kinds = {(one["kind"], one["line"]) for one in found["problems"] if one["path"] == str(extra)}
    assert {("duplicate", 1), ("unmatched", 3)} <= kinds
    for problem in found["problems"]:
        assert set(problem) == {"path", "line", "kind", "reason", "advice", "rows"}
    assert "1 duplicate, 1 unmatched" in err


def test_jsonl_lines_in_input_order_with_the_files_own_keys(
    suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, *suite, "--jsonl")
    assert code == 0
    lines = rows_of(out)
    assert [(line["model"], line["key"]) for line in lines] == [
        (model, prompt["key"]) for model in ("careful", "chatty", "hostile") for prompt in PROMPTS
    ]
    fields = {"type", "strict", "loose", "variants", "error", "measured", "required", "distance"}
    for line in lines:
        assert set(line) == {"benchmark", "model", "key", "strict", "loose", "constraints"}
        for constraint in line["constraints"]:
            assert set(constraint) == fields
            assert type(constraint["strict"]) is bool
            assert type(constraint["loose"]) is bool
            assert len(constraint["variants"]) == 8
    bad_pattern = lines[1]["constraints"][1]
    assert bad_pattern["error"] == {
        "kind": "bad_pattern",
        "message": bad_pattern["error"]["message"],
        "raises": "re.error",
    }
    assert bad_pattern["strict"] is False
    assert None in bad_pattern["variants"]


def test_string_keys_stay_strings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prompts = write_rows(tmp_path / "p.jsonl", [{**PROMPTS[0], "key": "7"}])
    responses = write_rows(
        tmp_path / "m.jsonl", [{"prompt": PROMPTS[0]["prompt"], "response": "x"}]
    )
    _, out, _ = run(capsys, str(prompts), str(responses), "--jsonl")
    assert [line["key"] for line in rows_of(out)] == ["7"]


def test_csv_has_a_column_for_each_bound(
    suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, *suite, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["model"] for row in rows] == ["careful", "chatty", "hostile"]
    careful = rows[0]
    assert float(careful["prompt_strict"]) == pytest.approx(2 / 3)
    assert 0 < float(careful["prompt_strict_lower"]) < 2 / 3 < float(careful["prompt_strict_upper"])


def test_breakdown_by_type_counts_each_constraint(
    suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, *suite, "--format", "csv", "--by", "type", "--model", "chatty")
    rows = {row["type"]: row for row in csv.DictReader(io.StringIO(out))}
    assert list(rows) == sorted(name for one in PROMPTS for name in one["instruction_id_list"])
    json_format = rows["detectable_format:json_format"]
    assert (json_format["strict_correct"], json_format["loose_correct"]) == ("0", "1")
    assert rows["keywords:existence"]["errors"] == "1"


@pytest.mark.parametrize("form", ["table", "md"])
def test_tables_show_models_and_percentages(
    form: str, suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, *suite, "--format", form, "--by", "category")
    for word in ("careful", "chatty", "hostile", "66.7", "punctuation"):
        assert word in out
    assert "\x1b" not in out, "no colour where there is no terminal"


def test_ascii_table_is_ascii(suite: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, *suite, "--ascii", "-q")
    assert out.isascii()


def test_comparison_pairs_prompts(suite: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *suite, "--json", "--compare", "careful", "chatty")
    assert code == 0
    found = json.loads(out)
    assert list(found["models"]) == ["careful", "chatty"]
    compared = found["compare"]
    assert set(compared) == {"a", "b", "strict", "loose"}
    assert set(compared["strict"]) == {
        "n",
        "both",
        "only_a",
        "only_b",
        "neither",
        "difference",
        "lower",
        "upper",
        "p_value",
        "only_a_keys",
        "only_b_keys",
        "by_type",
    }
    assert compared["strict"]["only_a_keys"] == [7, 12]
    assert compared["loose"]["only_a_keys"] == [7]
    assert compared["strict"]["p_value"] == 0.5
    _, table, _ = run(capsys, *suite, "--compare", "careful", "chatty")
    assert "McNemar" in table
    assert "7 12" in table


@pytest.mark.parametrize(
    ("gates", "code", "said"),
    [
        (["prompt_strict=0.6"], 0, []),
        (["prompt_strict=0.6", "inst_loose=0.9"], 1, ["careful: inst_loose 0.7500 < 0.9"]),
    ],
)
def test_gates(
    gates: list[str],
    code: int,
    said: list[str],
    suite: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = [part for gate in gates for part in ("--fail-under", gate)]
    done, out, err = run(capsys, *suite, "-q", "--json", "--model", "careful", *options)
    assert done == code
    assert err.splitlines() == [f"gate failed: {line}" for line in said]
    assert json.loads(out), "the data is written whether or not the gate holds"


def test_a_gate_applies_to_every_model_and_known_metrics_only(
    suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, *suite, "-q", "--fail-under", "prompt_loose=0.5")
    assert code == 1
    assert [line.split(":")[1].strip() for line in err.splitlines()] == ["chatty", "hostile"]
    code, out, err = run(capsys, *suite, "-q", "--fail-under", "accuracy=0.5")
    assert code == 2
    assert out == ""
    assert "prompt_strict" in err


def test_a_metric_without_a_value_passes_no_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    free = {"key": 1, "prompt": "Anything.", "instruction_id_list": [], "kwargs": []}
    paths = (
        write_rows(tmp_path / "p.jsonl", [free]),
        write_rows(tmp_path / "m.jsonl", [{"prompt": "Anything.", "response": "x"}]),
    )
    code, out, _ = run(capsys, *map(str, paths), "--json", "--fail-under", "prompt_strict=0")
    assert code == 1
    assert json.loads(out)["models"]["m"]["prompt_strict"] is None
    _, table, _ = run(capsys, *map(str, paths))
    assert "–" in table
    assert "nan" not in table.lower()


def test_unknown_models_are_answered_with_near_ones(
    suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *suite, "--model", "carefull")
    assert (code, out) == (2, "")
    assert "careful" in err


def test_several_processes_give_the_same_lines(
    suite: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, alone, _ = run(capsys, *suite, "--jsonl", "--jobs", "1")
    _, together, _ = run(capsys, *suite, "--jsonl", "--jobs", "2")
    assert alone == together != ""


def test_control_characters_reach_no_table_and_survive_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"prompt": PROMPTS[0]["prompt"], "response": "x", "model": "evil\x1b[31m\u202e|name"}]
    paths = (write_rows(tmp_path / "p.jsonl", PROMPTS), write_rows(tmp_path / "r.jsonl", rows))
    for form in ("table", "csv", "md"):
        _, out, err = run(capsys, *map(str, paths), "--format", form)
        assert "evil" in out
        for shown in (out, err):
            assert not {"\x1b", "\u202e"} & set(shown)
    _, out, _ = run(capsys, *map(str, paths), "--json")
    assert "evil\\u001b[31m\\u202e|name" in out


def test_golden_counts_and_accuracies(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = json.loads((shared / "golden" / "ifeval" / "summary.json").read_text())["models"]
    chosen = [part for model in GOLDEN for part in ("--model", model)]
    code, out, _ = run(capsys, str(shared / "data" / "ifeval"), "--json", *chosen)
    assert code == 0
    found = json.loads(out)["models"]
    assert set(found) == set(GOLDEN)
    for name in GOLDEN:
        _agrees(found[name], wanted[name])


def _agrees(model: dict[str, Any], golden: dict[str, Any]) -> None:
    assert model["n_prompts"] == golden["prompts"]
    assert model["n_constraints"] == golden["instructions"]
    for metric in METRICS:
        assert model[metric] == golden[metric.replace("inst_", "instruction_")]["accuracy"]
    for ours, theirs in (("by_type", "types"), ("by_category", "categories")):
        assert list(model[ours]) == list(golden[theirs])
        for name, group in golden[theirs].items():
            counted = model[ours][name]
            assert counted["n"] == group["total"]
            for count in ("strict_correct", "loose_correct", "strict", "loose"):
                assert counted[count] == group[count]


def test_columns_by_pairs_and_by_a_mapping_of_the_config_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[mappings.logs]\nprompt = "asked"\nresponse = "said"\n')
    monkeypatch.setenv("IFBENCH_CONFIG", str(config))
    prompts = write_rows(tmp_path / "p.jsonl", PROMPTS)
    logs = write_rows(
        tmp_path / "logs.jsonl", [{"asked": PROMPTS[0]["prompt"], "said": "no comma", "x": 1}]
    )
    for mapping in ("prompt=asked,response=said", "logs"):
        code, out, _ = run(capsys, str(prompts), str(logs), "--json", "--map", mapping)
        assert code == 0
        assert json.loads(out)["models"]["logs"]["prompt_strict"] == 1
    code, _, err = run(capsys, str(prompts), str(logs), "--map", "lgos")
    assert code == 2
    assert "logs" in err


@pytest.mark.parametrize(
    "text", ["", '{"prompt":', '{"colour": 1}\n', '{"prompt": "?", "response": ""}']
)
def test_a_named_file_that_gives_nothing_is_told_with_quiet_too(
    suite: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    vain = tmp_path / "vain.jsonl"
    vain.write_text(text)
    for quiet in (["-q"], []):
        assert main(["score", *suite, str(vain), *quiet, "--json"]) == 0
        told = capsys.readouterr().err.splitlines()
        (line,) = (one for one in told if str(vain) in one)
        assert line.startswith(f"nothing is used of {vain}")
        assert len(told) == 1 or not quiet
    folder = tmp_path / "folder"
    folder.mkdir()
    vain.rename(folder / "vain.jsonl")
    assert main(["score", *suite, str(folder), "-q", "--json"]) == 0
    assert capsys.readouterr().err == ""
