"""Paths that are dropped or typed, as text."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import pytest

from ifbench_tui.tui.dropped import dropped_paths
from ifbench_tui.tui.screens.open_sheet import completions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("one.jsonl", "two words.jsonl", "on[e].csv", ".hidden"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / "onwards").mkdir()
    return tmp_path


def test_a_plain_path_and_one_with_blanks(folder: Path) -> None:
    assert dropped_paths(f" {folder}/one.jsonl\n") == [f"{folder}/one.jsonl"]
    assert dropped_paths(f"{folder}/two words.jsonl") == [f"{folder}/two words.jsonl"]


def test_quoted_escaped_and_url_paths(folder: Path) -> None:
    path = f"{folder}/two words.jsonl"
    assert dropped_paths(f"'{path}' ") == [path]
    assert dropped_paths(path.replace(" ", "\\ ")) == [path]
    assert dropped_paths("file://" + quote(path)) == [path]


def test_several_paths_by_line_or_by_blank(folder: Path) -> None:
    one, two = f"{folder}/one.jsonl", f"{folder}/two words.jsonl"
    assert dropped_paths(f"{one}\n{two}\n") == [one, two]
    assert dropped_paths(f"{one} '{two}'") == [one, two]
    assert dropped_paths(f"{one}\n{one}") == [one]


@pytest.mark.parametrize(
    "text", ["", "  ", "'", "no such file", "\x00", "file://", "a\x00b", "x" * 100_000]
)
def test_anything_else_is_no_path(text: str) -> None:
    assert dropped_paths(text) == []


def test_one_path_that_is_not_there_spoils_all(folder: Path) -> None:
    assert dropped_paths(f"{folder}/one.jsonl\n{folder}/none") == []


def test_completions_are_in_order_and_hide_hidden_files(folder: Path) -> None:
    assert completions(f"{folder}/on") == [
        f"{folder}/on[e].csv",
        f"{folder}/one.jsonl",
        f"{folder}/onwards{os.sep}",
    ]
    assert len(completions(f"{folder}/")) == 4
    assert completions(f"{folder}/.h") == [f"{folder}/.hidden"]
    assert completions(f"{folder}/none/x") == []
    assert completions("\x00") == []


def test_what_sqlite_keeps_beside_an_open_session_is_not_offered(tmp_path: Path) -> None:
    for name in ("votes.ifb", "votes.ifb-shm", "votes.ifb-wal", "notes-wal"):
        (tmp_path / name).write_bytes(b"")
    assert completions(f"{tmp_path}/") == [f"{tmp_path}/notes-wal", f"{tmp_path}/votes.ifb"]
