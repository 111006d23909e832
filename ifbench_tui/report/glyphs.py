"""The signs of the screen, and their ASCII stand-ins."""

from __future__ import annotations

from dataclasses import dataclass

from ifbench_tui.engine.verdict import Lattice

__all__ = ["ASCII", "UNICODE", "Glyphs", "Sign", "cell_sign", "loose_sign", "strict_sign"]

Sign = tuple[str, str]
"""A glyph and the ink it is drawn in."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One cell each, but `arrow` and `ellipsis`. None of them is ever the only sign of a state
    that has a word."""

    holds: str = "✓"
    fails: str = "✗"
    rescued: str = "◦"
    error: str = "!"
    none: str = "–"
    pending: str = "·"
    marked: str = "●"
    bookmark: str = "◆"
    note: str = "¶"
    differs: str = "≠"
    opens: str = "▸"
    arrow: str = "→"
    back: str = "←"
    dot: str = "·"
    ellipsis: str = "…"
    rule: str = "│"
    cut: str = "╌"
    edge: str = "▎"
    up: str = "▴"
    down: str = "▾"
    ascii_only: bool = False


UNICODE = Glyphs()
ASCII = Glyphs(
    *("+", "x", "o", "!", "-", ".", "*", "#", "n", "~", ">", "->", "<-", "-", "...", "|", "-", ">"),
    up="^",
    down="v",
    ascii_only=True,
)


def _verdict(glyphs: Glyphs, cell: bool | None) -> Sign:
    if cell is None:
        return glyphs.error, "error"
    return (glyphs.holds, "pass") if cell else (glyphs.fails, "fail")


def cell_sign(glyphs: Glyphs, lattice: Lattice, variant: int) -> Sign:
    """One cell of a lattice; the variant that rescues a loose pass has a sign of its own."""
    if variant == lattice.rescued_by:
        return glyphs.rescued, "rescued"
    return _verdict(glyphs, lattice.cells[variant])


def strict_sign(glyphs: Glyphs, lattice: Lattice) -> Sign:
    """The strict verdict of one constraint."""
    return _verdict(glyphs, lattice.strict_cell)


def loose_sign(glyphs: Glyphs, lattice: Lattice) -> Sign:
    """The loose verdict of one constraint."""
    return _verdict(glyphs, lattice.loose_cell)
