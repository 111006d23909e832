"""Counts in words, as measures, tables and messages say them."""

from __future__ import annotations

__all__ = ["quantity"]


def quantity(number: int, noun: str) -> str:
    """`1 word`, `2 words`, `1,200 words`: a count with its noun, whose plural ends in s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
