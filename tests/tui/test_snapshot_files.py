"""Snapshots nobody compares with are found: syrupy looks for them only in a run of one process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def test_every_snapshot_belongs_to_a_test() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-n", "0", str(HERE)]
    listed = subprocess.run(
        command, cwd=HERE.parents[1], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    tests = {tuple(line.partition(".py::")[::2]) for line in listed.splitlines() if "::" in line}
    known = {(module.rpartition("/")[2], name) for module, name in tests}
    kept = {(path.parent.name, path.stem) for path in HERE.glob("__snapshots__/*/*.svg")}
    assert kept
    assert kept - known == set(), "delete them: pytest -n 0 tests/tui --snapshot-update"
