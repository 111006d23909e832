"""The command line: one module per command, each importing what it needs only when it runs."""

from __future__ import annotations

from ifbench_tui.cli._main import main

__all__ = ["main"]
