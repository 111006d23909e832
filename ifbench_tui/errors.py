"""The root of every failure this package names."""

from __future__ import annotations

__all__ = ["IfbenchError"]


class IfbenchError(Exception):
    """A failure the user can act on: the message says what happened, where, and what to do now."""
