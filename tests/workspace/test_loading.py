"""Paths of every kind become one workspace."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from ifbench_tui.workspace import (
    Limits,
    LoadCancelled,
    LoadError,
    LoadOptions,
    load,
)
from tests.formats.helpers import jsonl, write_rows
from tests.workspace.helpers import answer, reasons, texts


def test_a_file_named_twice_is_read_once(tmp_path: Path, prompts: str) -> None:
    path = write_rows(tmp_path / "m.jsonl", [answer("Say bye.")])
    (tmp_path / "link.jsonl").symlink_to(path)
    loaded = load([prompts, str(tmp_path), path, prompts])
    assert [one.used for one in loaded.sources] == [3, 1]


def test_linked_folders_are_walked_once(tmp_path: Path, prompts: str) -> None:
    write_rows(tmp_path / "elsewhere" / "m.jsonl", [answer("Say bye.")])
    top = Path(prompts).parent
    (top / "link").symlink_to(tmp_path / "elsewhere")
    (top / "loop").symlink_to(top)
    loaded = load([str(top)])
    assert texts(loaded, "m") == {"2": "r"}
    assert len(loaded.sources) == 2


def test_folders_are_walked_without_what_is_no_data(tmp_path: Path, prompts: str) -> None:
    for name, data in {
        "README.md": b"# Data\n\nSome prose, with commas, here.\n",
        "LICENSE": b"Permission is granted.\n",
        ".hidden.jsonl": b"{broken",
        "__pycache__/x.pyc": b"\x00\x01",
        "config.json": b'{"a": 1}',
        "plot.png": b"\x89PNG\r\n\x1a\n",
        "empty.jsonl": b"",
        "lfs.jsonl": b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n",
        "sub/m.jsonl": jsonl([answer("Say bye.")]),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    loaded = load([str(tmp_path)])
    assert texts(loaded, "m") == {"2": "r"}
    noted = sorted(Path(one.path).name for one in loaded.problems if one.kind == "notice")
    assert noted == ["LICENSE", "README.md", "config.json", "empty.jsonl", "plot.png"]
    ((_, reason),) = reasons(loaded, "broken")
    assert "Git LFS" in reason
    assert sorted(Path(one.path).name for one in loaded.sources) == [
        "lfs.jsonl",
        "m.jsonl",
        "prompts.jsonl",
    ]


def test_the_order_of_paths_does_not_matter_for_joining(tmp_path: Path, prompts: str) -> None:
    path = write_rows(tmp_path / "m.jsonl", [answer("Say bye.")])
    loaded = load([path, prompts])
    assert texts(loaded, "m") == {"2": "r"}
    assert [one.path for one in loaded.sources] == [path, prompts]


def test_stdin_is_read_once_and_left_open(prompts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO(gzip.compress(jsonl([answer("Say bye.", model="m")])))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    loaded = load([prompts, "-", "-"])
    assert texts(loaded, "m") == {"2": "r"}
    assert not data.closed


def test_an_unused_mapping_is_told(tmp_path: Path, prompts: str) -> None:
    path = write_rows(tmp_path / "x.jsonl", [answer("Say bye.")])
    loaded = load([prompts, path], LoadOptions(mapping={"response": "reply"}))
    assert "response=reply" in reasons(loaded, "notice")[0][1]


def test_a_file_cut_in_the_middle_keeps_its_rows(tmp_path: Path, prompts: str) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(jsonl([answer("Say bye.")]) + b'{"prompt": "x" ' * 200)
    loaded = load([prompts, str(path)], LoadOptions(limits=Limits(file_bytes=2000)))
    assert "file_bytes" in loaded.problems[-1].reason


def test_nothing_at_all(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no file") as failed:
        load([str(tmp_path)])
    assert str(tmp_path) in str(failed.value)
    with pytest.raises(LoadError, match="cannot be opened"):
        load([str(tmp_path / "absent.jsonl")])
    path = write_rows(tmp_path / "m.jsonl", [answer("p")] * 7)
    with pytest.raises(LoadError, match="load the prompts file") as failed:
        load([path])
    assert failed.value.sources[0].unmatched == 7


def test_loading_reports_progress_and_stops_when_asked(tmp_path: Path, prompts: str) -> None:
    path = write_rows(tmp_path / "m.jsonl", [answer("Say bye." + "x" * 99)] * 10_000)
    seen: list[tuple[str, int, int]] = []
    load([prompts, path], progress=lambda *step: seen.append(step))
    size = Path(path).stat().st_size
    assert seen[-1] == (path, size, size)
    with pytest.raises(LoadCancelled):
        load([prompts, path], cancelled=lambda: True)
