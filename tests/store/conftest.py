"""Where a session of a test lies."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A session that is not there yet, nor is its folder."""
    return tmp_path / "new" / "folder" / "s.ifb"
