"""What the judgments' reader does beside the keys: gathers rows, joins texts, reads files again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.message import Message
from textual.worker import get_current_worker

from ifbench_tui.formats.source import LoadCancelled, SourceError
from ifbench_tui.report.judgments.listing import Judgment, judged_models, judgments_of
from ifbench_tui.report.judgments.sections import Section
from ifbench_tui.report.judgments.text import Texts, document, raw_row
from ifbench_tui.tui.ink import safe
from ifbench_tui.tui.runs import Mark
from ifbench_tui.workspace import JudgedFile, Limits

__all__ = ["Document", "Gathered", "Look", "gather", "joined_text", "read"]

Post = Callable[[Message], object]


@dataclass
class Gathered(Message):
    """The judgments of a model, the models there are, and the texts beside the judgments."""

    generation: int
    model: str
    judgments: list[Judgment]
    models: list[str]
    texts: Texts


@dataclass(frozen=True, slots=True)
class Look:
    """A judgment to read. `full`: with reasoning traces and the judge's prompts."""

    judgment: Judgment
    texts: Texts
    full: bool
    limits: Limits


@dataclass
class Document(Message):
    """A judgment as one text with marks; `failure` says why its row could not be read again."""

    generation: int
    look: Look
    sections: list[Section]
    text: str
    marks: list[Mark]
    failure: str = ""


def gather(
    files: Sequence[JudgedFile],
    benchmark: str,
    model: str,
    texts: Texts | None,
    generation: int,
    post: Post,
) -> None:
    """Find a model's judgments; in a worker thread. `texts` None: they are gathered too."""
    found = judgments_of(files, benchmark, model)
    if get_current_worker().is_cancelled:
        return
    known = Texts.of(files, benchmark) if texts is None else texts
    post(Gathered(generation, model, found, judged_models(files, benchmark), known))


def read(look: Look, generation: int, post: Post) -> None:
    """Make the document of a judgment; in a worker thread."""
    worker = get_current_worker()
    raw, failure = None, ""
    try:
        raw = raw_row(look.judgment, look.limits, lambda: worker.is_cancelled)
    except LoadCancelled:
        return
    except SourceError as error:
        failure = str(error)
    sections = document(look.judgment, look.texts, raw, full=look.full)
    text, marks = joined_text(sections)
    post(Document(generation, look, sections, text, marks, failure))


def joined_text(sections: Sequence[Section]) -> tuple[str, list[Mark]]:
    """The sections below each other under their titles; verdicts that decided are stops."""
    parts: list[str] = []
    marks: list[Mark] = []
    length = 0
    for section in sections:
        title = f"{section.title}\n"
        marks.append(Mark(length, length + len(title) - 1, "accent strong", stop=False))
        start = length + len(title)
        for begin, end in section.quiet:
            marks.append(Mark(start + begin, start + end, "dim", stop=False))
        for span in section.spans:
            stop = span.role != "limit"
            tail = "no verdict" if span.start == span.end and stop else ""
            marks.append(
                Mark(start + span.start, start + span.end, span.role, safe(span.note), stop, tail)
            )
        body = f"{section.text}\n\n"
        parts += title, body
        length = start + len(body)
    return "".join(parts).rstrip("\n"), marks
