"""Verdicts in a judge's text, marked with what they mean; reasoning traces are folded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from ifbench_tui.engine.judged.verdicts import Verdict, answer_part
from ifbench_tui.engine.verdict import Span, SpanRole
from ifbench_tui.report.judgments.games import Game
from ifbench_tui.report.visible import drawn_line

__all__ = ["folded", "marked", "stored_words"]

Range = tuple[int, int]


def stored_words(game: Game) -> str:
    """The verdict of the file as a person reads it."""
    if not game.usable:
        return (
            "no verdict" if game.stored is None else f"no verdict ({drawn_line(str(game.stored))})"
        )
    if isinstance(game.stored, int | float):
        return f"{game.stored:g}"
    return _label_words(game, str(game.stored))


def marked(
    game: Game, text: str, found: Verdict, *, full: bool = False
) -> tuple[str, tuple[Span, ...], tuple[Range, ...]]:
    """The judge's text with traces folded, the verdict's span, other verdicts that do not count,
    and what is to be drawn quietly."""
    spans = _verdict_spans(game, text, found)
    parts: list[str] = []
    quiet: list[Range] = []
    moved: list[Span] = []
    at = length = 0
    for start, end in (*_traces(text), (len(text), len(text))):
        holds = any(start <= span.start < end for span in spans if span.role != "limit")
        keep = full or holds
        for span in spans:
            if at <= span.start and (span.start < start or (keep and span.start < end)):
                shift = length - at
                moved.append(Span(span.start + shift, span.end + shift, span.role, span.note))
        trace = text[start:end] if keep else folded(end - start) if end > start else ""
        parts += text[at:start], trace
        length += start - at
        if trace:
            quiet.append((length, length + len(trace)))
        length += len(trace)
        at = end
    for span in spans:
        if span.start >= len(text):
            moved.append(Span(length, length, span.role, span.note))
    return "".join(parts), tuple(moved), tuple(quiet)


def folded(length: int) -> str:
    return f"(a reasoning trace of {length:,} characters, folded)"


def _traces(text: str) -> list[Range]:
    """Where reasoning traces stand: up to the last `</think>`, and from a `<think>` that is opened
    after it and never closed."""
    end = text.rfind("</think>")
    found = [(0, end + len("</think>"))] if end >= 0 else []
    opened = text.find("<think>", max(0, end))
    return [*found, (opened, len(text))] if opened >= 0 else found


_OTHERS = re.compile(r"\[\[(?:\d+(?:\.\d*)?|[ABC<>=]+|\d[\d.]*,\s?\d[\d.]*)\]\]", re.IGNORECASE)


def _verdict_spans(game: Game, text: str, found: Verdict) -> list[Span]:
    """The span that decided, as evidence or, where the file says otherwise, as an offence; a mark
    of no width where a verdict should have been. Other verdicts in the text only reach a limit."""
    note = _note(game, text, found)
    role: SpanRole = "offends" if game.disagrees else "counts" if found.usable else "missing"
    place = found.span or _label_place(text, found)
    start, end = place or (len(text), len(text))
    others = [
        Span(*hit.span(), "limit", "does not count")
        for hit in _OTHERS.finditer(text)
        if hit.end() <= start or hit.start() >= end
    ]
    decisive = Span(start, end, role if place else "missing", note)
    return sorted([*others, decisive], key=lambda span: (span.start, span.end))


def _label_place(text: str, found: Verdict) -> Range | None:
    """Where a label stands in a text whose letters change their number in upper case."""
    if not found.usable or not isinstance(found.stored, str):
        return None
    label = re.escape(found.stored)
    for pattern in (rf"\[\[{label}\]\]", rf"\[{label}\]"):
        if hits := list(re.finditer(pattern, text, re.IGNORECASE)):
            return hits[-1].span()
    return None


def _note(game: Game, text: str, found: Verdict) -> str:
    """What the marked verdict means, and what is odd about it."""
    parts = []
    if not found.usable:
        parts.append("no usable verdict in the text")
    elif isinstance(found.stored, int | float):
        parts.append(f"rating {found.stored:g}")
    else:
        parts.append(_label_words(game, str(found.stored)))
    if game.disagrees:
        parts.append(f"the file says {stored_words(game)}")
    parts += found.flags
    answer = len(text) - len(answer_part(text))
    if found.span is not None and found.span[0] < answer:
        parts.append("it stands in a reasoning trace")
    return "; ".join(dict.fromkeys(parts))


_LABEL_WORDS: Mapping[str, str] = MappingProxyType(
    {
        ">>": "{0} is much better than {1}",
        ">": "{0} is better than {1}",
        "=": "{0} and {1} are even",
        "<": "{1} is better than {0}",
        "<<": "{1} is much better than {0}",
    }
)


def _label_words(game: Game, label: str) -> str:
    """A letter or a label by the names of the models."""
    if len(game.shown) != 2:
        return label
    names = dict(zip("AB", map(drawn_line, game.shown), strict=True))
    if label in names:
        return f"{names[label]} is better"
    if label == "tie":
        return "a tie"
    form = _LABEL_WORDS.get(label[1:-1])
    if form is None or label[0] not in names or label[-1] not in names:
        return drawn_line(label)
    return form.format(names[label[0]], names[label[-1]])
