"""Text from files made fit for a terminal, a spreadsheet or a page."""

from __future__ import annotations

from ifbench_tui.report.display import display_text

__all__ = ["one_line", "visible"]


def visible(text: str) -> str:
    """`text` with control, bidirectional and invisible characters drawn as visible signs."""
    return text if text.isprintable() else display_text(text).text


def one_line(text: str) -> str:
    """`visible` text on a single line, each line break drawn as ⏎."""
    return text if text.isprintable() else visible(text).replace("\n", "⏎")
