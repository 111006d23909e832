"""Reasoning traces: where the trace ends and the answer begins."""

from __future__ import annotations

from typing import Literal

__all__ = ["ThinkState", "split_think"]

ThinkState = Literal["", "kept", "stripped", "unclosed"]
OPEN, CLOSE = "<think>", "</think>"


def split_think(text: str, setting: Literal["keep", "strip"]) -> tuple[str, ThinkState]:
    """The text to grade and what happened to its reasoning trace.

    A trace opens the text (after blanks), or has only its closing tag since the chat template
    gave the opening one. Several in a row are one. Tags further inside are part of the answer.
    A trace without end is no answer: stripped, nothing is left, and the state says "unclosed".
    """
    if CLOSE not in text and OPEN not in text:
        return text, ""
    answer, closed = text.lstrip(), True
    if not answer.startswith(OPEN):
        before, close, after = answer.partition(CLOSE)
        if not close or OPEN in before:
            return text, ""
        answer = after.lstrip()
    while answer.startswith(OPEN) and closed:
        _, close, after = answer.partition(CLOSE)
        answer, closed = after.lstrip(), bool(close)
    if setting == "keep":
        return text, "kept"
    return answer, "stripped" if closed else "unclosed"
