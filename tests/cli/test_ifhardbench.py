"""IFHardBench on the command line, against the reference's own answers."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from tests.cli.data import rows_of, write_rows

CHECK_KEYS = ["id", "pass", "error", "measured", "required", "distance"]
SUITE = ("test.json", "model-bad.submission.json", "model-good.submission.json",
         "model-medium.submission.json")  # fmt: skip


@pytest.fixture
def golden(shared: Path) -> Path:
    return shared / "golden" / "ifhardbench"


@pytest.fixture
def run_paths(golden: Path) -> list[str]:
    return [str(golden / "run" / name) for name in SUITE]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(list(arguments))
    return code, capsys.readouterr().out


def read(path: Path) -> list[dict[str, Any]]:
    """JSON lines whose texts may hold other line breaks as they are."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def a_row(number: int, *entries: tuple[str, dict[str, Any], str], key: str = "") -> dict[str, Any]:
    """A row with these requirements and their wordings."""
    constraints = [{"category": c, "family": c.split(":")[0], "params": p} for c, p, _ in entries]
    lines = "\n".join(f"- {wording}" for _, _, wording in entries)
    return {
        "instruction": "{question}\n{constraints}",
        "inputs": {"question": f"Вопрос {number}", "constraints": lines, "context": ""},
        "outputs": "",
        "meta": {"id": number, "constraints": key or json.dumps(constraints)},
    }


# ---- check ---------------------------------------------------------------------------------------


def test_check_agrees_with_every_golden_case(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = read(golden / "cases.jsonl")
    lines = [
        {"benchmark": "ifhardbench", "id": number}
        | {name: case[name] for name in ("category", "params", "response", "lang")}
        for number, case in enumerate(cases)
    ]
    code, out = run(capsys, "check", str(write_rows(tmp_path / "cases.jsonl", lines)))
    assert code == 0
    answers = rows_of(out)
    assert all(list(answer) == CHECK_KEYS for answer in answers)
    wrong = [
        (case, answer)
        for number, (case, answer) in enumerate(zip(cases, answers, strict=True))
        if answer["id"] != number
        or answer["pass"] is not case["pass"]
        or (answer["error"] is None) is (case["pass"] is None)
    ]
    assert wrong == []
    assert sum(answer["pass"] is None for answer in answers) > 100


def test_check_takes_the_text_as_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = {"benchmark": "ifhardbench", "response": "<think>раз, два</think> три"}
    lines = [
        {**trace, "category": "style:no_commas", "params": {}},
        {**trace, "type": "structure:word_count", "kwargs": {"op": "eq", "value": 3}},
        {**trace, "type": "en:style:no_digits"},
    ]
    _, out = run(capsys, "check", str(write_rows(tmp_path / "x.jsonl", lines)))
    commas, words, unknown = rows_of(out)
    assert (commas["pass"], commas["measured"], commas["distance"]) == (False, "1 comma", -1)
    assert words["pass"] is True
    assert unknown["error"]["kind"] == "unknown_constraint"


def test_a_line_that_cannot_be_used_is_refused_in_its_benchmarks_shape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        {"benchmark": "ifhardbench", "response": "x", "id": 1},
        {"benchmark": "ifeval", "response": "x", "id": 2},
    ]
    code, out = run(capsys, "check", str(write_rows(tmp_path / "x.jsonl", lines)))
    hard, easy = rows_of(out)
    assert code == 2
    assert list(hard) == CHECK_KEYS
    assert hard["error"]["kind"] == easy["error"]["kind"] == "bad_input"
    assert easy["variants"] == [None] * 8


# ---- score ---------------------------------------------------------------------------------------


def test_score_json_has_the_metrics_of_the_reference(
    golden: Path, run_paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    expected = json.loads((golden / "run" / "metrics.json").read_text("utf-8"))
    code, out = run(capsys, "score", *run_paths, "--json", "-q")
    found = json.loads(out)
    assert code == 0
    assert found["benchmark"] == "ifhardbench"
    assert found["models"].keys() == expected.keys()
    for model, wanted in expected.items():
        ours = found["models"][model]
        for name in ("sample_pass_rate", "constraint_pass_rate", "balance_score", "empty_share"):
            assert math.isclose(ours[name], wanted[name], abs_tol=1e-12), (model, name)
        assert ours["thin_types"] == wanted["balance_thin"]
        assert ours["counted_types"] == wanted["balance_counted"]
        families = {n: [g["strict_correct"], g["n"]] for n, g in ours["by_family"].items()}
        assert families == wanted["per_family"]
        assert sum(group["n"] for group in ours["by_type"].values()) == wanted["n_verdicts"]
        assert math.isclose(math.prod(ours["balance_factors"].values()), ours["balance_score"])


def test_score_jsonl_has_the_rows_of_the_reference(
    golden: Path, run_paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = run(capsys, "score", *run_paths, "--jsonl", "-q")
    found = {(row["model"], row["key"]): row for row in rows_of(out)}
    expected = read(golden / "run" / "results.jsonl")
    assert len(found) == len(expected) == 60
    for wanted in expected:
        ours = found[wanted["model"], wanted["id"]]
        assert list(ours) == ["benchmark", "model", "key", "empty", "sample_pass",
                              "constraint_pass_rate", "constraints"]  # fmt: skip
        assert ours["empty"] is wanted["empty"]
        assert ours["sample_pass"] is (wanted["sample_pass_rate"] == 1.0)
        assert ours["constraint_pass_rate"] == wanted["constraint_pass_rate"]
        checks = [(one["type"], one["family"], one["pass"]) for one in ours["constraints"]]
        assert checks == [(c["category"], c["family"], c["pass"]) for c in wanted["checks"]]
        assert "variants" not in ours["constraints"][0]


def test_the_whole_folder_has_each_model_once(
    golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = run(capsys, "score", str(golden / "run"), "--json", "-q")
    assert set(json.loads(out)["models"]) == {"model-good", "model-medium", "model-bad"}


def test_the_breakdowns_are_those_the_benchmark_has(
    run_paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = run(capsys, "score", *run_paths, "--by", "tier", "--format", "csv", "-q")
    head = "benchmark,model,tier,n,pass,passed,near_misses,errors"
    assert out.splitlines()[0] == head
    _, out = run(capsys, "score", *run_paths, "--by", "type", "--format", "csv", "-q")
    assert out.splitlines()[0] == head.replace("tier", "type") + ",factor,thin"
    kept = Counter(line.rpartition(",")[2] for line in out.splitlines()[1:])
    assert kept["counted"] == 9
    code = main(["score", *run_paths, "--by", "colour", "-q"])
    assert code == 2
    assert "type, family, tier" in capsys.readouterr().err


def test_a_gate_and_a_comparison(run_paths: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    gate = ("--fail-under", "balance_score=0.6", "-q")
    code, out = run(capsys, "score", *run_paths, *gate, "--json",
                    "--compare", "model-good", "model-medium")  # fmt: skip
    assert code == 1
    compare = json.loads(out)["compare"]
    assert "loose" not in compare
    assert compare["strict"]["n"] == 20


# ---- explain and export --------------------------------------------------------------------------


def test_explain_says_what_was_asked(
    run_paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--model", "model-medium", "--key", "1", "-q")
    _, out = run(capsys, "explain", *run_paths, *arguments)
    assert "1 structure:paragraph_count  ✗ fail\n" in out
    assert "    required  exactly 4 paragraphs\n    as asked  Мне нужно ровно 4 абзаца" in out
    assert "loose" not in out
    assert "variants" not in out


@pytest.mark.parametrize("form", ["csv", "md", "html"])
def test_exports_hold_one_verdict_and_the_wording(
    form: str, run_paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = run(capsys, "export", *run_paths, "--as", form, "-q")
    assert code == 0
    assert "Мне нужно ровно 4 абзаца" in out
    assert "loose" not in out


# ---- prompts and validate ------------------------------------------------------------------------


def test_prompts_are_rendered_as_the_model_sees_them(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "prompts.jsonl"
    code, out = run(capsys, "prompts", str(golden / "run" / "test.json"), "-o", str(target))
    assert (code, out) == (0, "")
    expected = read(golden / "run" / "prompts_rendered.jsonl")
    assert rows_of(target.read_text("ascii")) == expected


def test_the_reference_rows_are_valid(
    golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = run(capsys, "validate", str(golden / "run" / "test.json"), "--json", "-q")
    assert code == 0
    assert json.loads(out) == {
        "benchmark": "ifhardbench", "rows": 20, "witnesses": 20, "problems": []
    }  # fmt: skip
    public = read(golden / "public_examples.jsonl")
    path = write_rows(tmp_path / "public.jsonl", (example["row"] for example in public))
    assert main(["validate", str(path), "-q"]) == 0


def test_validate_reports_what_is_wrong_with_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fails = a_row(1, ("structure:sentence_count", {"value": 2}, "ровно 2 предложения"))
    fails["outputs"] = "Да."
    unknown = a_row(2, ("style:nothing", {}, "ничего"))
    unknown["outputs"] = "Да."
    rows = [
        fails,
        unknown,
        a_row(3, key=" "),
        a_row(4, ("structure:word_count", {"op": "ge", "value": 9}, "от 9 слов"),
              ("structure:char_count", {"op": "le", "value": 16}, "до 16 символов")),
    ]  # fmt: skip
    code, out = run(capsys, "validate", str(write_rows(tmp_path / "rows.jsonl", rows)), "--json",
                    "-q")  # fmt: skip
    assert code == 1
    found = json.loads(out)
    assert (found["rows"], found["witnesses"]) == (3, 2)
    assert [(one["kind"], one["key"], one["line"]) for one in found["problems"]] == [
        ("key", None, 3),
        ("witness", 1, None),
        ("witness", 2, None),
        ("conflict", 4, None),
    ]
    assert found["problems"][0]["reason"].startswith("the scoring key meta.constraints is blank")
    assert found["problems"][1]["reason"] == "1 sentence, 1 short; required: exactly 2 sentences"
    _, out = run(capsys, "validate", str(tmp_path / "rows.jsonl"), "-q")
    assert "9 words in 16 characters" in out
