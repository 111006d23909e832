"""Text from files made fit for a table, a spreadsheet, a page or a message."""

from __future__ import annotations

from ifbench_tui.report.display import display_text

__all__ = ["drawn_line", "visible"]


def visible(text: str) -> str:
    """`text` with control, bidirectional and invisible characters drawn as visible signs, and tabs
    as spaces; newlines stay."""
    # The short cut for most texts. Beyond ASCII "printable" does not mean that it can be seen.
    return text if text.isascii() and text.isprintable() else display_text(text).text


def drawn_line(text: str) -> str:
    """`visible` text on a single line, each line break drawn as ⏎."""
    return visible(text).replace("\n", "⏎")
