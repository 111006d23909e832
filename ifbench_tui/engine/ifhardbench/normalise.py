"""What of a response is checked: its reasoning traces are cut out, then outer white space."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ifbench_tui.engine.benchmark import Ranges
from ifbench_tui.engine.ifhardbench.text import stripped

__all__ = ["kept", "normalise", "prediction"]

_TAG = re.compile(r"</?think>", re.IGNORECASE)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Traces from an opening tag to the next closing one.

    Tags are walked once: searching for a closing tag from every opening one takes quadratic time
    where there is none.
    """
    opened: int | None = None
    for tag in _TAG.finditer(text):
        if text[tag.start() + 1] != "/":
            opened = tag.start() if opened is None else opened
        elif opened is not None:
            yield opened, tag.end()
            opened = None


def _without(
    ranges: list[tuple[int, int]], cuts: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The ranges without cuts that are given as offsets into what the ranges make when joined."""
    left: list[tuple[int, int]] = []
    pending = iter(cuts)
    cut = next(pending, None)
    joined = 0
    for start, end in ranges:
        at = start
        while cut and cut[0] < joined + end - start:
            first, last = start + max(cut[0] - joined, 0), start + cut[1] - joined
            if at < first:
                left.append((at, first))
            at = min(last, end)
            if last > end:
                break
            cut = next(pending, None)
        if at < end:
            left.append((at, end))
        joined += end - start
    return left


def _joined(text: str, ranges: list[tuple[int, int]]) -> str:
    return "".join([text[start:end] for start, end in ranges])


def kept(response: str) -> Ranges:
    """The ranges of the response that are left when traces, tags and outer blanks are gone.

    First goes all up to the first closing tag (the opening one may be the chat template's), then
    every closed trace, then every tag that is left, as the reference does.
    """
    ranges = [(0, len(response))]
    if "<" in response:
        closing = next((tag for tag in _TAG.finditer(response) if tag[0][1] == "/"), None)
        if closing:
            ranges = [(closing.end(), len(response))]
        ranges = _without(ranges, list(_blocks(_joined(response, ranges))))
        ranges = _without(ranges, [tag.span() for tag in _TAG.finditer(_joined(response, ranges))])
    text = _joined(response, ranges)
    start, end = stripped(text)
    outer = [(0, start), (end, len(text))] if start < end else [(0, len(text))]
    return tuple(_without(ranges, [cut for cut in outer if cut[0] < cut[1]]))


def normalise(response: str) -> str:
    """The text that is checked."""
    if "<" not in response:
        return response.strip()
    return _joined(response, list(kept(response)))


def prediction(results: Any) -> str:
    """The response among a harness's results: the first one; what is not text becomes text."""
    first = results
    for _ in range(2):
        if isinstance(first, list):
            first = first[0] if first else ""
    return first if isinstance(first, str) else str(first)
