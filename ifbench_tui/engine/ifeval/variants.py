"""The eight texts a response is checked as: the three loosenings and their combinations."""

from __future__ import annotations

from ifbench_tui.engine.benchmark import Ranges

__all__ = ["LABELS", "NAMES", "kept", "texts"]

_CUTS: tuple[tuple[str, str, bool, bool, bool], ...] = (
    ("identity", "id", False, False, False),
    ("md", "md", True, False, False),
    ("first", "^", False, True, False),
    ("last", "$", False, False, True),
    ("first+last", "^$", False, True, True),
    ("md+first", "md^", True, True, False),
    ("md+last", "md$", True, False, True),
    ("md+first+last", "md^$", True, True, True),
)
"""Name, label, and whether `*`, the first line and the last line are removed; reference order."""

NAMES = tuple(cut[0] for cut in _CUTS)
LABELS = tuple(cut[1] for cut in _CUTS)


def _window(response: str, first: bool, last: bool) -> tuple[int, int]:
    """The characters left when lines are cut off: stripped if any line was, else all."""
    if not first and not last:
        return 0, len(response)
    start, end = 0, len(response)
    if first:
        start = response.find("\n") + 1 or end
    if last:
        end = max(response.rfind("\n"), 0)
    inner = response[start:end]
    start += len(inner) - len(inner.lstrip())
    return start, start + len(inner.strip())


def texts(response: str) -> tuple[str, ...]:
    """The eight variant texts in reference order."""
    made = []
    for _, _, stars, first, last in _CUTS:
        start, end = _window(response, first, last)
        text = response[start:end]
        made.append(text.replace("*", "") if stars else text)
    return tuple(made)


def kept(response: str, variant: int) -> Ranges:
    """The ranges of the response that make up a variant's text."""
    _, _, stars, first, last = _CUTS[variant]
    start, end = _window(response, first, last)
    if not stars:
        return ((start, end),) if start < end else ()
    ranges = []
    while start < end:
        star = response.find("*", start, end)
        stop = end if star < 0 else star
        if start < stop:
            ranges.append((start, stop))
        start = stop + 1
    return tuple(ranges)
