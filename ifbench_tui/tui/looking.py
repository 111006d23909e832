"""What Audit computes beside the keys: verdicts and evidence of a cell, filters, searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message
from textual.worker import get_current_worker

from ifbench_tui import scoring
from ifbench_tui.engine.benchmark import JudgedResponse, Prompt
from ifbench_tui.engine.verdict import Explanation
from ifbench_tui.filters import Filter, FilterError, Query
from ifbench_tui.pattern_guard import PatternGuard
from ifbench_tui.tui.audit_state import select
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.verdicts import Verdicts

__all__ = ["Explained", "Found", "Listed", "Look", "explain", "find", "list_rows"]

_GUARD = PatternGuard()
_MOST_HITS = 10_000

Post = Callable[[Message], object]


@dataclass(frozen=True, slots=True)
class Look:
    """A cell to explain. `scratch` is the text to judge instead of the response, if any."""

    verdicts: Verdicts
    model: str
    prompt: Prompt
    constraint: int
    variant: int
    scratch: str | None = None


@dataclass
class Explained(Message):
    """Verdicts on the response looked at, and the evidence of one cell."""

    generation: int
    look: Look
    judged: JudgedResponse | None
    explanation: Explanation | None


@dataclass
class Listed(Message):
    """The rows a filter shows, or why it cannot be used."""

    generation: int
    rows: list[int]
    failure: str = ""


@dataclass
class Found(Message):
    """Where a search found its text, or why it cannot be used."""

    generation: int
    query: str
    spans: list[tuple[int, int]]
    failure: str = ""


def explain(look: Look, generation: int, post: Post) -> None:
    """Judge a response unless that is done, then explain one cell; in a worker thread."""
    worker = get_current_worker()
    verdicts, prompt = look.verdicts, look.prompt
    response = verdicts.suite.response(look.model, prompt.key)
    text = look.scratch
    if text is None and response is not None:
        text = response.text
    if text is None:
        post(Explained(generation, look, None, None))
        return
    if look.scratch is None:
        judged = verdicts.judge_now(look.model, prompt.key)
    else:
        judged = scoring.judge_text(verdicts.benchmark, prompt, text)
    explanation = None
    if look.constraint < len(prompt.constraints) and not worker.is_cancelled:
        spec = prompt.constraints[look.constraint]
        explanation = scoring.explain_text(verdicts.benchmark, spec, text, look.variant)[1]
    post(Explained(generation, look, judged, explanation))


def list_rows(bench: Bench, chosen: Filter, generation: int, post: Post) -> None:
    """Apply a filter; in a worker thread."""
    worker = get_current_worker()
    try:
        rows = select(bench, chosen, _GUARD, lambda: worker.is_cancelled)
    except FilterError as error:
        post(Listed(generation, [], str(error)))
        return
    if rows is not None:
        post(Listed(generation, rows))


def find(query: str, text: str, generation: int, post: Post) -> None:
    """Search a text; in a worker thread."""
    try:
        spans = Query(query, _GUARD).spans(text, _MOST_HITS)
    except FilterError as error:
        post(Found(generation, query, [], str(error)))
    else:
        post(Found(generation, query, spans))
