"""The golden answers of the reference decide: verdicts, texts, rows and metrics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec, JudgedResponse, Prompt, explain, judge
from ifbench_tui.engine.ifhardbench.key import KeyUnusable, read_key
from ifbench_tui.engine.ifhardbench.metrics import balance, constraint_rate, row_values, tallies
from ifbench_tui.engine.ifhardbench.normalise import kept, normalise, prediction
from ifbench_tui.engine.ifhardbench.text import Text, final_marks, first_letter, trim_final
from ifbench_tui.engine.verdict import Lattice
from tests.engine.ifhardbench.golden import BENCH, judged_row, rows, values, verdicts


@pytest.fixture(scope="session")
def golden(shared: Path) -> Path:
    return shared / "golden/ifhardbench"


def test_there_are_64_types_and_each_has_cases(golden: Path) -> None:
    assert len(BENCH.types) == 64
    assert {case["category"] for case in rows(golden / "cases.jsonl")} == set(BENCH.types)


def test_every_case_agrees_raising_included(golden: Path) -> None:
    wrong = []
    for case in rows(golden / "cases.jsonl"):
        spec = ConstraintSpec(case["category"], case["params"])
        lattice = judge(BENCH, spec, BENCH.as_given(case["response"]))
        raises = lattice.error.raises if lattice.error else None
        if (lattice.strict_cell, raises) != (case["pass"], case["raises"]):
            wrong.append((case, lattice))
    assert wrong == []


def test_every_explanation_agrees_with_its_verdict_and_points_into_its_text(golden: Path) -> None:
    wrong = []
    for case in rows(golden / "cases.jsonl"):
        text = case["response"]
        told = explain(BENCH, ConstraintSpec(case["category"], case["params"]), text)
        inside = all(0 <= span.start <= span.end <= len(text) for span in told.spans)
        agrees = told.holds is (case["pass"] is True)
        agrees = agrees and (told.error is None) is (case["raises"] is None)
        decided = told.distance is None or (told.distance >= 0) == told.holds
        if not (inside and agrees and decided and told.required):
            wrong.append((case, told))
    assert wrong == []


def test_every_primitive_agrees(golden: Path) -> None:
    wrong = []
    for case in rows(golden / "primitives.jsonl"):
        text = Text(case["text"])
        sentences = [text.cut(pair) for pair in text.sentences]
        found: dict[str, Any] = {
            "words": text.words,
            "cores": text.cores,
            "sentences": sentences,
            "paragraphs": [text.cut(pair) for pair in text.paragraphs],
            "lines": [text.cut(pair) for pair in text.lines],
            **{
                f"items_{kind}": [text.cut(pair) for pair in text.items(kind)]
                for kind in ("any", "bullet", "numbered")
            },
            "first_letter": first_letter(case["text"]),
            "no_final_punct": trim_final(case["text"]),
            "questions": sum("?" in final_marks(one) for one in sentences),
            "exclamations": sum("!" in final_marks(one) for one in sentences),
        }
        spans = [text.cut(pair) for pair in text.word_spans]
        if {"text": case["text"], **found} != case or spans != case["words"]:
            wrong.append((case, found))
    assert wrong == []


def test_every_normalised_answer_agrees_and_is_made_of_what_is_kept(golden: Path) -> None:
    wrong = []
    for case in rows(golden / "normalize.jsonl"):
        text = normalise(case["raw"])
        pieces = "".join(case["raw"][start:end] for start, end in kept(case["raw"]))
        expected = case["normalized"]
        if text != expected or pieces != expected or normalise(case["filtered"]) != expected:
            wrong.append((case, text, pieces))
        assert BENCH.is_blank(text) is case["empty"]
    assert wrong == []


def test_every_row_is_scored_or_refused_as_the_reference_does(golden: Path) -> None:
    wrong = []
    for case in rows(golden / "process.jsonl"):
        try:
            found: Any = values(judged_row(case["doc"], case["results"]))
            raises = None
        except KeyUnusable as unusable:
            found, raises = None, unusable.raises
        if (found, raises) != (case["expect"], case["raises"]):
            wrong.append((case, found, raises))
    assert wrong == []


def _judged(number: int, row: dict[str, Any]) -> JudgedResponse:
    """A row whose logged values are those given."""
    pairs = row["balance_score"] or []
    lattices = tuple(Lattice(name, (passed,), "", "") for name, passed in pairs)
    return JudgedResponse(str(number), lattices)


def test_every_aggregate_agrees(golden: Path) -> None:
    for case in rows(golden / "aggregate.jsonl"):
        expect = case["expect"]
        by_type = tallies(
            (name, passed) for row in case["rows"] for name, passed in row["balance_score"] or ()
        )
        assert balance(by_type) == pytest.approx(expect["balance_score"], abs=1e-12)
        rate = constraint_rate(row["constraint_pass_rate"] for row in case["rows"])
        assert rate == pytest.approx(expect["constraint_pass_rate"], abs=1e-12)
        judged = [_judged(number, row) for number, row in enumerate(case["rows"])]
        summary = BENCH.summarise(judged)
        assert summary.extras["thin_types"] == expect["thin"]
        assert summary.extras["counted_types"] == expect["counted"]
        mean = sum(row["sample_pass_rate"] for row in case["rows"]) / len(judged)
        assert mean == pytest.approx(expect["sample_pass_rate"], abs=1e-12)


def _run(golden: Path) -> tuple[dict[int, dict[str, Any]], dict[int, Prompt]]:
    test = {row["meta"]["id"]: row for row in rows(golden / "run/test.jsonl")}
    prompts = {
        key: Prompt(str(key), "", read_key(row), row["meta"]["categories"])
        for key, row in test.items()
    }
    return test, prompts


def test_the_run_agrees_row_by_row_and_in_its_metrics(golden: Path) -> None:
    test, prompts = _run(golden)
    by_model: dict[str, list[JudgedResponse]] = {}
    for case in rows(golden / "run/results.jsonl"):
        judged = judged_row(test[case["id"]], [case["raw"]])
        assert normalise(case["raw"]) == case["normalized"]
        assert judged.blank is case["empty"]
        assert verdicts(judged) == [[one["category"], one["pass"]] for one in case["checks"]]
        families = [spec.family for spec in prompts[case["id"]].constraints]
        assert families == [one["family"] for one in case["checks"]]
        names = ("sample_pass_rate", "constraint_pass_rate", "balance_score")
        assert values(judged) == {name: case[name] for name in names}
        assert judged.strict is (case["sample_pass_rate"] == 1.0)
        by_model.setdefault(case["model"], []).append(judged)
    metrics = json.loads((golden / "run/metrics.json").read_text(encoding="utf-8"))
    assert by_model.keys() == metrics.keys()
    for model, judged_rows in by_model.items():
        _compare_summary(judged_rows, list(prompts.values()), metrics[model])


def _compare_summary(
    judged: list[JudgedResponse], prompts: list[Prompt], expect: dict[str, Any]
) -> None:
    summary = BENCH.summarise(judged, prompts)
    assert summary.n_prompts == expect["n_rows"]
    assert summary.n_constraints == expect["n_verdicts"]
    for name in ("sample_pass_rate", "constraint_pass_rate", "balance_score"):
        assert summary.metric(name).value == pytest.approx(expect[name], abs=1e-12)
    extras = summary.extras
    assert extras["empty"] == expect["n_empty"]
    assert extras["counted_types"] == expect["balance_counted"]
    assert extras["thin_types"] == expect["balance_thin"]
    for name in (
        "empty_share",
        "sample_pass_rate_stderr",
        "equal_weight_arithmetic_mean",
        "micro_constraint_rate",
    ):
        assert extras[name] == pytest.approx(expect[name], abs=1e-12), name
    families = {score.name: [score.strict, score.n] for score in summary.groups["family"]}
    assert families == expect["per_family"]


def test_the_log_of_each_model_is_reproduced_from_its_own_rows(golden: Path) -> None:
    logs = sorted((golden / "run").glob("*/samples_ifhardbench_*.jsonl"))
    assert len(logs) == 3
    for log in logs:
        for line in rows(log):
            found = values(judged_row(line["doc"], line["filtered_resps"]))
            assert found == {name: line[name] for name in found}


def test_every_public_witness_gives_the_reference_s_result(golden: Path) -> None:
    cases = list(rows(golden / "public_examples.jsonl"))
    assert len(cases) == 3
    for case in cases:
        judged = judged_row(case["row"], [case["row"]["outputs"]])
        found = values(judged)
        assert found == {name: case["witness_result"][name] for name in found}
        assert row_values(judged)[0] == 1.0
        assert prediction([[case["row"]["outputs"]]]) == case["row"]["outputs"]
