"""What the command prints that a screen names."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any, Protocol

from ifbench_tui.cli import main


class Commanded(Protocol):
    """A screen that names the command for what it shows."""

    def command(self) -> str: ...


def headless(screen: Commanded, folder: Path) -> dict[str, Any]:
    """The JSON of the command that a screen names."""
    program, *arguments = shlex.split(screen.command())
    assert program == "ifbench-tui"
    out = folder / "headless.json"
    assert main([*arguments, "--json", "--quiet", "-o", str(out)]) == 0
    found: dict[str, Any] = json.loads(out.read_text())
    return found
