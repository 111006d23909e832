"""`score --compare A B --by type`: who wins on which constraints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from tests.cli.data import write_suite


def test_types_are_paired_by_constraint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = write_suite(tmp_path)
    assert main(["score", *suite, "--json", "-q", "--compare", "careful", "chatty"]) == 0
    compared = json.loads(capsys.readouterr().out)["compare"]
    for measure in ("strict", "loose"):
        by_type = compared[measure]["by_type"]
        assert sum(one["n"] for one in by_type.values()) == 4
        for one in by_type.values():
            assert one["both"] + one["only_a"] + one["only_b"] + one["neither"] == one["n"]
    json_type = compared["strict"]["by_type"]["detectable_format:json_format"]
    assert (json_type["n"], json_type["only_a"], json_type["p_value"]) == (1, 1, 1.0)


def test_the_table_has_a_row_for_each_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = write_suite(tmp_path)
    code = main(["score", *suite, "-q", "--compare", "careful", "chatty", "--by", "type"])
    assert code == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(lines) if "constraints followed" in line)
    assert sum("keywords:existence" in line for line in lines[start:]) == 2
