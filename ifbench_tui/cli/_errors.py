"""What a command raises when it was asked for something that cannot be done."""

from __future__ import annotations

from ifbench_tui.errors import IfbenchError

__all__ = ["UsageError"]


class UsageError(IfbenchError):
    """Bad usage: ends the program with exit code 2 and its message."""
