"""`parse`: golden verdicts through a pipe, odd lines, traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from tests.cli.data import program, rows_of
from tests.engine.judged.data import golden


def parse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[Any], *options: str
) -> tuple[int, list[dict[str, Any]]]:
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code = main(["parse", *options, str(path)])
    return code, rows_of(capsys.readouterr().out)


def test_golden_verdicts_through_a_pipe(shared: Path) -> None:
    ratings = golden(shared, "judges/mtbench_single_rating_cases")
    lines = [{"id": i, "text": case["judgment"]} for i, case in enumerate(ratings)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = program("parse", "--protocol", "mt-single", "-", input=text)
    assert done.returncode == 0
    found = [(row["id"], row["verdict"]) for row in rows_of(done.stdout)]
    assert found == [(i, case["expected"]["score"]) for i, case in enumerate(ratings)]


def test_golden_pairs_and_labels(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = golden(shared, "judges/mtbench_pair_verdict_cases")
    labels = golden(shared, "judges/arena_hard_label_cases")
    formats = {"mt-pair": "[[A]]", "mt-pair-scores": "[[rating_a,rating_b]]"}
    wanted = {
        name: [
            (case["judgment"], case["expected"]["winner"])
            for case in pairs
            if case["output_format"] == output_format
        ]
        for name, output_format in formats.items()
    }
    for name, key in (("arena-v2", "v2_label"), ("arena-v0.1", "v01_label")):
        wanted[name] = [(case["judgment"], case["expected"][key]) for case in labels]
    assert all(wanted.values())
    for protocol, expected in wanted.items():
        rows = [{"id": None, "text": text} for text, _ in expected]
        code, found = parse(tmp_path, capsys, rows, "--protocol", protocol)
        assert code == 0
        assert [row["verdict"] for row in found] == [verdict for _, verdict in expected]


def test_lines_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": 1}, {"id": 2, "text": 5}, [], {"id": 3, "text": None}, {"text": "[[9]]"}]
    code, found = parse(tmp_path, capsys, rows, "--protocol", "mt-single")
    assert code == 2
    assert [row["verdict"] for row in found] == [None, None, None, -1, 9]
    assert ["error" in row for row in found] == [True, True, True, False, False]
    assert "line 2: text must be text" in found[1]["error"]


def test_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"text": "<think>[[4]]</think> so [[8]]"}]
    for think, verdict, start in (("keep", 4, 7), ("strip", 8, 24)):
        _, found = parse(tmp_path, capsys, rows, "--protocol", "mt-single", "--think", think)
        assert (found[0]["verdict"], found[0]["span"][0]) == (verdict, start)
        assert rows[0]["text"][slice(*found[0]["span"])] == f"[[{verdict}]]"
