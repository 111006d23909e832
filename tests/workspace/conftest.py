"""A prompts file that most tests join to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.helpers import prompt, write_rows


@pytest.fixture
def prompts(tmp_path: Path) -> str:
    """The path of three prompts, the first with a blank at its end."""
    rows = [prompt(1, "Say hi. "), prompt(2, "Say bye."), prompt(3, "Name two rivers of Asia.")]
    return write_rows(tmp_path / "in" / "prompts.jsonl", rows)
