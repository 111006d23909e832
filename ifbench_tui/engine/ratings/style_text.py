"""Style of a response: how many headers, list items and bold phrases its markdown has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["StyleCounts", "feature_total", "style_counts"]

_FENCED = re.compile(r"```([^`]*)```")
_HEADERS = tuple((f"h{n}", re.compile(rf"^#{{{n}}}\s", re.MULTILINE)) for n in range(1, 7))
# Horizontal blanks stand for any blanks before the marker: a match across lines would count the
# same markers, but costs quadratic time on long runs of empty lines.
_LISTS = (
    ("ordered", re.compile(r"^[^\S\n]*\d+\.\s", re.MULTILINE)),
    ("unordered", re.compile(r"^[^\S\n]*[-*+]\s", re.MULTILINE)),
)
_BOLD = (("**", re.compile(r"\*\*[^*\n]+\*\*")), ("__", re.compile(r"__[^_\n]+__")))


@dataclass(frozen=True, slots=True)
class StyleCounts:
    """Markdown counts by kind, and the whitespace words used where no token count is at hand."""

    header_count: Mapping[str, int]
    list_count: Mapping[str, int]
    bold_count: Mapping[str, int]
    words: int

    def to_dict(self) -> dict[str, object]:
        """The three count objects as battle files carry them."""
        return {
            "header_count": dict(self.header_count),
            "list_count": dict(self.list_count),
            "bold_count": dict(self.bold_count),
        }


def style_counts(text: str) -> StyleCounts:
    """Count markdown in `text` (all assistant turns of one side, joined by a newline).

    The inner text of every closed fence without a backtick is deleted first, wherever it occurs.
    """
    plain = text
    for inner in _FENCED.findall(text):
        if inner:
            plain = plain.replace(inner, "")
    return StyleCounts(
        header_count=_count(_HEADERS, plain),
        list_count=_count(_LISTS, plain),
        bold_count=_count(_BOLD, plain),
        words=len(text.split()),
    )


def _count(kinds: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> dict[str, int]:
    return {name: len(pattern.findall(text)) for name, pattern in kinds}


def feature_total(value: object) -> int:
    """A count field as one number: an integer, an integral float, or the sum of an object's values.

    Raises ValueError for anything else, and for negative counts.
    """
    if isinstance(value, Mapping):
        return sum(map(feature_total, value.values()))
    if not isinstance(value, bool) and hasattr(value, "__float__"):
        try:
            number = float(value)
        except OverflowError:
            number = -1.0
        if number >= 0 and number.is_integer():
            return int(number)
    raise ValueError(f"{value!r:.60} is not a count")
