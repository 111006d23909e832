"""One row once more: found by its line, recognised by its content, bounded by the limits."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ifbench_tui.formats.limits import Limits
from ifbench_tui.formats.reread import reread
from ifbench_tui.formats.source import LoadCancelled, SourceError

ROWS = [{"key": number, "text": f"row {number}"} for number in range(1, 200)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


def test_a_row_of_json_lines_is_found_by_its_line_plain_or_compressed(tmp_path: Path) -> None:
    plain, packed = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.gz"
    plain.write_text(LINES)
    packed.write_bytes(gzip.compress(LINES.encode()))
    for path in (plain, packed):
        assert reread(str(path), 150, lambda row: True) == ROWS[149]
        assert reread(str(path), 150, lambda row: row["key"] == 3) is None
        assert reread(str(path), 999, lambda row: True) is None


def test_rows_that_share_a_line_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS))
    assert reread(str(path), 1, lambda row: row["key"] == 77) == ROWS[76]


def test_standard_input_cannot_be_read_twice() -> None:
    assert reread("-", 1, lambda row: True) is None


def test_limits_and_cancelling_hold_as_for_a_load(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(LINES)
    with pytest.raises(SourceError, match="file_bytes"):
        reread(str(path), 150, lambda row: True, limits=Limits(file_bytes=100))
    with pytest.raises(LoadCancelled):
        reread(str(path), 150, lambda row: True, cancelled=lambda: True)


def test_a_file_that_is_gone_is_no_row(tmp_path: Path) -> None:
    assert reread(str(tmp_path / "gone.jsonl"), 1, lambda row: True) is None
