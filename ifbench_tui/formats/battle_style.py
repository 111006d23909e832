"""Style counts of a battle's two sides: those the row carries, else counted in the responses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ifbench_tui.formats.battle_fields import structure

if TYPE_CHECKING:
    from ifbench_tui.engine.ratings.style_text import StyleCounts

__all__ = ["FEATURES", "STYLED", "SideStyle", "side_style"]

# The engine's names, which cannot be had without importing numpy.
FEATURES = ("tokens", "header", "list", "bold")
STYLED = ("conv_metadata", "conversation_a", "conversation_b", "response_a", "response_b")
"""The columns that style is read from."""

_MARKDOWN = ("header_count", "list_count", "bold_count")
_CARRIED = {
    side: (f"sum_assistant_{side}_tokens", *(f"{name}_{side}" for name in _MARKDOWN))
    for side in ("a", "b")
}


class SideStyle(NamedTuple):
    """Counts in the order of `FEATURES`; `words` where words stand for tokens."""

    counts: tuple[float, float, float, float]
    words: bool


def side_style(data: Mapping[str, Any], side: str, *, encoded: bool) -> SideStyle | None:
    """Style of side "a" or "b" of a battle; None where the row has neither counts nor responses.

    `encoded` says that `response_a` and `response_b` are JSON lists of the turns, not plain text.
    Raises ValueError or OverflowError where a carried count is no count.
    """
    carried = structure(data.get("conv_metadata"))
    carried = carried if isinstance(carried, dict) else {}
    tokens, *kept = map(carried.get, _CARRIED[side])
    text: str | None = None
    if tokens is None or None in kept:
        text, stated = _said(data, side, encoded)
        tokens = stated if tokens is None else tokens
    counted = None if text is None else _counted(text)
    totals = [0 if tokens is None else _total(tokens)]
    for name, value in zip(_MARKDOWN, kept, strict=True):
        if value is None and counted is not None:
            value = getattr(counted, name)
        if value is None:
            return None
        totals.append(_total(value))
    if tokens is None:
        if counted is None:
            return None
        totals[0] = counted.words
    first, header, lists, bold = map(float, totals)
    return SideStyle((first, header, lists, bold), words=tokens is None)


def _total(value: Any) -> int:
    """A count field as one number; the common forms are summed without looking closer."""
    if type(value) is int and value >= 0:
        return value
    if type(value) is dict:
        parts = value.values()
        if set(map(type, parts)) == {int} and min(parts) >= 0:
            return sum(parts)
    from ifbench_tui.engine.ratings.style_text import feature_total

    return feature_total(value)


def _counted(text: str) -> StyleCounts:
    from ifbench_tui.engine.ratings.style_text import style_counts

    return style_counts(text)


def _said(data: Mapping[str, Any], side: str, encoded: bool) -> tuple[str | None, int | None]:
    """All assistant turns of a side joined by newlines, and their tokens if all state them."""
    turns = structure(data.get(f"conversation_{side}"))
    if isinstance(turns, list):
        said = [one for one in turns if isinstance(one, dict) and one.get("role") == "assistant"]
        stated = [one.get("num_tokens") for one in said]
        tokens = sum(one for one in stated if isinstance(one, int))
        known = bool(stated) and all(isinstance(one, int) for one in stated)
        return "\n".join(_content(one.get("content")) for one in said), tokens if known else None
    response = data.get(f"response_{side}")
    if encoded and isinstance(response, str):
        try:
            response = json.loads(response)
        except (ValueError, RecursionError):
            return None, None
    if isinstance(response, list):
        return "\n".join(_content(one) for one in response), None
    return (response if isinstance(response, str) else None), None


def _content(value: Any) -> str:
    """Text of a message: a text, or the text parts of a list of parts."""
    if isinstance(value, list):
        parts = (one.get("text") for one in value if isinstance(one, dict))
        return "\n".join(part for part in parts if isinstance(part, str))
    return value if isinstance(value, str) else ""
