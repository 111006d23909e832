"""Judgments to be printed: the list as a table, one as a text with its verdict painted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from ifbench_tui.report.evidence import evidence_lines, pieces
from ifbench_tui.report.explain import ROLE_STYLES
from ifbench_tui.report.judgments.listing import STATES, Judgment, decided, record
from ifbench_tui.report.judgments.sections import Section
from ifbench_tui.report.sheets import Column, Sheet
from ifbench_tui.report.visible import drawn_line, visible

__all__ = ["heading", "judgment_sheet", "judgment_text"]

_MARKS = 20
"""Marks listed for one text; more are counted."""

_COLUMNS = (
    Column("question", "question"),
    Column("turn", "turn", numeric=True),
    Column("category", "category"),
    Column("judge", "judge"),
    Column("other", "against"),
    Column("decided", "decided"),
    Column("note", "note"),
)


def judgment_sheet(judgments: Sequence[Judgment], model: str) -> Sheet:
    """A row for each judgment, under the numbers of all of them."""
    rows = tuple(
        (
            one.question,
            one.turn if one.turns else None,
            one.category,
            one.judge,
            one.other,
            decided(one),
            ", ".join(_notes(one)),
        )
        for one in judgments
    )
    numbers = f": {', '.join(record(judgments))}" if judgments else ""
    return Sheet(f"Judgments of {model}{numbers}", _COLUMNS, rows)


def _notes(judgment: Judgment) -> Iterator[str]:
    """What `decided` does not say."""
    if judgment.disagrees:
        yield STATES["disagree"]
    if judgment.rating:
        yield from judgment.games[0].found.flags if judgment.games[0].found else ()


def heading(judgment: Judgment) -> str:
    """A judgment in one line."""
    turn = f" turn {judgment.turn}" if judgment.turns else ""
    against = f" against {drawn_line(judgment.other)}" if judgment.other else ""
    parts = (
        f"{drawn_line(judgment.model)}{against}",
        f"{drawn_line(judgment.question)}{turn}",
        drawn_line(judgment.category),
        decided(judgment),
    )
    return " · ".join(filter(None, parts))


def judgment_text(judgment: Judgment, sections: Iterable[Section]) -> Iterator[Text]:
    """The document, section by section; every text from a file is made visible."""
    yield Text(heading(judgment), "bold")
    for section in sections:
        yield Text(f"\n== {visible(section.title)} ==", "bold")
        base = "dim" if section.quiet == ((0, len(section.text)),) else ""
        shown = Text(style=base)
        for piece in pieces(section.text, section.spans):
            shown.append(
                visible(piece.text), ROLE_STYLES[piece.spans[-1].role] if piece.spans else ""
            )
        yield shown
        for line in evidence_lines(section.text, section.spans, _MARKS):
            yield Text(f"  verdict   {line}")
    yield Text("")
