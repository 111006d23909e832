"""Verdicts out of judgment texts, as the references read them (spec 1.2, 2.3, 3.3).

Each parser returns what the reference program would store, whether that can be scored, and flags
for what a person should look at. Nothing is guessed: an unreadable verdict is missing.
"""

from __future__ import annotations

import json
import math
import re
from ast import literal_eval
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

__all__ = [
    "MISSING_RATING",
    "PROTOCOLS",
    "Verdict",
    "answer_part",
    "arena_v01_label",
    "arena_v2_label",
    "function_call_ranking",
    "label_outcomes",
    "mt_pair",
    "mt_pair_scores",
    "mt_single",
    "pair_scores",
    "ranking",
    "weighted_preference",
]

MISSING_RATING = -1
"""What the MT-Bench reference stores for a judgment without a rating."""

_TIE_BAND = 0.1
# Written so that no run of digits can be split in two ways.
_RATING = (re.compile(r"\[\[(\d+(?:\.\d*)?)\]\]"), re.compile(r"\[(\d+(?:\.\d*)?)\]"))
_RATINGS = (
    re.compile(r"\[\[(\d+(?:\.\d*)?),\s?(\d+(?:\.\d*)?)\]\]"),
    re.compile(r"\[(\d+(?:\.\d*)?),\s?(\d+(?:\.\d*)?)\]"),
)
_LABEL = (re.compile(r"\[\[([AB<>=]+)\]\]"), re.compile(r"\[([AB<>=]+)\]"))
_WINNERS = (("[[A]]", "A"), ("[[B]]", "B"), ("[[C]]", "tie"))

_A, _B, _EVEN = 1.0, 0.0, 0.5
_LABELS: Mapping[str, tuple[float, bool]] = MappingProxyType(
    {
        "A>B": (_A, False),
        "B<A": (_A, False),
        "A>>B": (_A, True),
        "B<<A": (_A, True),
        "A=B": (_EVEN, False),
        "B=A": (_EVEN, False),
        "B>A": (_B, False),
        "A<B": (_B, False),
        "B>>A": (_B, True),
        "A<<B": (_B, True),
    }
)
V01_LABELS = frozenset({"A>B", "A>>B", "A=B", "B>A", "B>>A"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """A parsed judgment. `stored` is the reference's own value, sentinels included.

    `span` are the characters of the text that decided. `usable` is False where no score follows.
    """

    stored: float | int | str | None
    usable: bool
    flags: tuple[str, ...] = ()
    span: tuple[int, int] | None = None


def answer_part(text: str) -> str:
    """What follows the last `</think>`; nothing where a trace is opened after it and never closed.

    An option beside the references, which read the whole text.
    """
    answer = text.rpartition("</think>")[2]
    return "" if "<think>" in answer else answer


def mt_single(text: str) -> Verdict:
    """The first [[n]], else the first [n]; -1 where there is none.

    The value is read as a number literal: 8 stays an integer. A literal with a leading zero or
    digits other than ASCII stops the reference; it is missing here (None).
    """
    pattern, found = next(
        ((one, hit) for one in _RATING if (hit := one.search(text))), (_RATING[0], None)
    )
    if found is None:
        return Verdict(MISSING_RATING, False, ("no rating in the text",))
    value = _number(found[1])
    if value is None:
        flag = f"{found[0]} is no number literal: the reference stops here"
        return Verdict(None, False, (flag,), found.span())
    flags = []
    values = [one for one in map(_number, pattern.findall(text)) if one is not None]
    if len(set(values)) > 1:
        flags.append(f"{len(values)} ratings in the text, the last is {values[-1]:g}")
    if pattern is _RATING[1]:
        flags.append("read from single brackets")
    if not 1 <= value <= 10:
        flags.append("outside 1 to 10")
    return Verdict(value, True, tuple(flags), found.span())


def _number(literal: str) -> float | int | None:
    if not literal.isascii():
        return None
    if "." in literal:
        return float(literal)
    # A number of thousands of digits is no rating, and slow to read.
    if len(literal) > 300 or (literal[0] == "0" and literal.strip("0")):
        return None
    return int(literal)


def mt_pair(text: str) -> Verdict:
    """[[A]], [[B]] or [[C]] (a tie), looked for in this order; "error" where there is none."""
    found = [(text.find(mark), mark, winner) for mark, winner in _WINNERS if mark in text]
    if not found:
        return Verdict("error", False, ("no verdict in the text",))
    place, mark, winner = found[0]
    flags = (f"{len(found)} different verdicts in the text",) if len(found) > 1 else ()
    return Verdict(winner, True, flags, (place, place + len(mark)))


def mt_pair_scores(text: str) -> Verdict:
    """[[a,b]], else [a,b]: the greater rating wins, a difference of at most 0.1 is a tie."""
    found = next((hit for one in _RATINGS if (hit := one.search(text))), None)
    if found is None:
        return Verdict("error", False, ("no pair of ratings in the text",))
    a, b = _number(found[1]), _number(found[2])
    if a is None or b is None:
        return Verdict("error", False, (f"{found[0]} are no number literals",), found.span())
    winner = "tie" if abs(a - b) <= _TIE_BAND else "A" if a > b else "B"
    return Verdict(winner, True, (), found.span())


def arena_v2_label(text: str) -> Verdict:
    """Upper-cased text; the last [[label]], else the last [label]; None where there is none."""
    upper = text.upper()
    for pattern in _LABEL:
        hits = list(pattern.finditer(upper))
        if hits:
            # Some letters become two in upper case, which would shift the place.
            span = hits[-1].span() if len(upper) == len(text) else None
            return _labelled(hits[-1][1], {hit[1] for hit in hits}, span, _LABELS)
    return Verdict(None, False, ("no label in the text",))


def arena_v01_label(text: str) -> Verdict:
    """The one [[label]] of the text; None where there is none (a retry) or several differ."""
    hits = list(_LABEL[0].finditer(text))
    labels = {hit[1] for hit in hits}
    if len(labels) == 1:
        return _labelled(hits[0][1], labels, hits[0].span(), V01_LABELS)
    if not labels:
        return Verdict(None, False, ("no label in the text: the reference asks once more",))
    return Verdict(None, False, (f"different labels in the text: {', '.join(sorted(labels))}",))


def _labelled(
    label: str, labels: set[str], span: tuple[int, int] | None, known: Container[str]
) -> Verdict:
    flags = (f"{len(labels)} different labels in the text",) if len(labels) > 1 else ()
    if label not in known:
        flags = (*flags, f"{label[:20]} is no verdict")
    return Verdict(label, label in known, flags, span)


def label_outcomes(label: object, weight: int = 3) -> tuple[float, ...] | None:
    """Outcomes for the side shown as A, a strong verdict counted `weight` times; None: unusable."""
    if not isinstance(label, str) or label not in _LABELS:
        return None
    score, strong = _LABELS[label]
    return (score,) * (weight if strong else 1)


PROTOCOLS: Mapping[str, Callable[[str], Verdict]] = MappingProxyType(
    {
        "mt-single": mt_single,
        "mt-pair": mt_pair,
        "mt-pair-scores": mt_pair_scores,
        "arena-v0.1": arena_v01_label,
        "arena-v2": arena_v2_label,
    }
)


def weighted_preference(
    top_logprobs: Sequence[Mapping[str, Any]], *, swapped: bool = False, binary: bool = False
) -> float | None:
    """Preference in [1, 2] from the alternatives of the judge's token; None without "m" and "M".

    p = 2 - e^a / (e^a + e^b), a and b the log probabilities of exactly "m" (shown first) and "M"; a
    token listed twice counts as listed last, an absent one has probability 0. Binary: 1 if a > b,
    else 2. `swapped` undoes the display order: 3 - p.
    """
    known = {one.get("token"): one.get("logprob") for one in top_logprobs}
    a, b = (_logprob(known.get(token)) for token in ("m", "M"))
    top = max(a, b)
    if top == -math.inf:
        return None
    first, second = math.exp(a - top), math.exp(b - top)
    shown = (1.0 if a > b else 2.0) if binary else 2.0 - first / (first + second)
    return 3.0 - shown if swapped else shown


def _logprob(value: object) -> float:
    number = float(value) if isinstance(value, int | float) else -math.inf
    return -math.inf if math.isnan(number) else number


def ranking(completion: str, name: str = "model_1") -> int | None:
    """Rank (1 or 2) of a model in a literal list of {"model", "rank"} objects, else None."""
    try:
        ranks = literal_eval(completion.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return _rank(ranks, name)


def function_call_ranking(completion: str) -> int | None:
    """Rank of "m" in the `ordered_models` of a JSON object, fenced or bare, else None."""
    _, fence, rest = completion.partition("```json")
    body, closing, _ = rest.partition("```")
    try:
        value = json.loads(body if fence and closing else completion)
    except (ValueError, RecursionError):
        return None
    return _rank(value.get("ordered_models") if isinstance(value, dict) else None, "m")


def _rank(ranks: object, name: str) -> int | None:
    if not isinstance(ranks, list):
        return None
    for one in ranks:
        if isinstance(one, dict) and one.get("model") == name:
            rank = one.get("rank")
            numeric = isinstance(rank, int | float) and not isinstance(rank, bool)
            return int(rank) if numeric and rank in (1, 2) else None
    return None


def pair_scores(completion: str) -> int | None:
    """1 or 2 for the greater of the first line's two numbers, 0 for equal ones, else None."""
    parts = completion.strip().split("\n")[0].replace(",", " ").split(" ")
    try:
        first, second = (float(part) for part in parts)
    except ValueError:
        return None
    if math.isnan(first) or math.isnan(second):
        return None
    return 0 if first == second else 1 if first > second else 2
