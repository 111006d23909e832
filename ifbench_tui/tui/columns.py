"""Texts of an exact width in terminal cells, which is not their length."""

from __future__ import annotations

from rich.cells import cell_len

from ifbench_tui.tui.ink import safe

__all__ = ["kind_name", "left", "middle", "right"]


def left(text: str, width: int) -> str:
    """A text from a file, made safe, cut with an ellipsis or filled up on the right."""
    shown = safe(text, max(1, width))
    return shown + " " * (width - cell_len(shown))


def middle(text: str, width: int) -> str:
    """The same, cut in the middle: of paths that is what differs least."""
    shown = safe(text)
    if cell_len(shown) > width:
        begin = safe(shown, max(1, width // 2 + 1))
        room, start = width - cell_len(begin), len(shown)
        while start and cell_len(shown[start - 1 :]) <= room:
            start -= 1
        shown = begin + shown[start:]
    return shown + " " * (width - cell_len(shown))


def right(text: str, width: int) -> str:
    """The same, filled up on the left."""
    shown = safe(text, max(1, width))
    return " " * (width - cell_len(shown)) + shown


def kind_name(kind: str, width: int) -> str:
    """A constraint type in full where there is room, else what follows the colon."""
    return kind if cell_len(safe(kind)) <= width else kind.rpartition(":")[2] or kind
