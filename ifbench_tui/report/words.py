"""Numbers in sentences."""

from __future__ import annotations

__all__ = ["many"]


def many(count: int, noun: str) -> str:
    """`1 file`, `2 files`, `1,200 files`: a count with its noun, whose plural ends in s."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
