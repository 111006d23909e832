"""Runs `rate` and picks from what it prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from tests.cli.data import write_rows

__all__ = ["ANCHOR", "battles", "board", "column", "golden", "run"]

ANCHOR = "mixtral-8x7b-instruct-v0.1"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["rate", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def board(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, "--json", "--quiet", *arguments)
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def golden(shared: Path, name: str) -> tuple[str, Any]:
    folder = shared / "golden" / "ratings" / name
    path = next(folder.glob("battles.jsonl*"))
    return str(path), json.loads((folder / "expected.json").read_text())


def column(found: Mapping[str, Any], name: str = "rating") -> dict[str, Any]:
    return {row["name"]: row[name] for row in found["models"]}


def battles(path: Path, *rows: tuple[Any, ...], **fields: Any) -> str:
    """A battle file of (model a, model b, winner, count) rows."""
    made = [
        {"model_a": a, "model_b": b, "winner": winner, **fields}
        for a, b, winner, count in rows
        for _ in range(count)
    ]
    return str(write_rows(path, made))
