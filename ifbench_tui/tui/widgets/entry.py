"""A line to type into that takes nothing a terminal could act on."""

from __future__ import annotations

from textual.widgets import Input

from ifbench_tui.report.display import typed

__all__ = ["Entry"]


class Entry(Input):
    """An `Input` whose value has only characters that can be seen, pasted or not."""

    def validate_value(self, value: str) -> str:
        """Whatever sets the value, unseen characters stay out."""
        return typed(value)

    def insert_text_at_cursor(self, text: str) -> None:
        super().insert_text_at_cursor(typed(text))

    def replace(self, text: str, start: int, end: int) -> None:
        super().replace(typed(text), start, end)
