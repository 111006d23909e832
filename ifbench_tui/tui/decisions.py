"""What the person at the screen has decided: marks, notes and bookmarks, through the session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.store import (
    Event,
    Session,
    State,
    cell_subject,
    response_subject,
    setting_subject,
    text_digest,
)
from ifbench_tui.store.events import canonical

__all__ = ["OPINIONS", "Cell", "Decisions", "describe"]

OPINIONS: Mapping[str, str] = {
    "agree": "agree with the verifier",
    "should_pass": "should pass",
    "should_fail": "should fail",
    "unclear": "unclear",
}
"""What a mark can say, in words."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a lattice: which response, which constraint, which column."""

    benchmark: str
    key: str
    model: str
    index: int
    type: str
    variant: int | str

    @property
    def subject(self) -> dict[str, Any]:
        """What the session calls this place."""
        return cell_subject(
            self.benchmark,
            self.key,
            self.model,
            index=self.index,
            constraint_type=self.type,
            variant=self.variant,
        )


_PLACE = "audit-place"

_Response = tuple[str, str, str]


def _response(event: Event) -> _Response:
    """The response a decision is about; the model is "" where it is about a prompt."""
    subject = event.subject
    return subject["benchmark"], subject["key"], subject.get("model", "")


class Decisions:
    """One annotator's decisions in an open session. Every change is on disk when it returns.

    Writing raises `SessionError`; the screen says so and stays where it is.
    """

    def __init__(self, session: Session, annotator: str) -> None:
        self.session = session
        self.annotator = annotator
        self._state: State | None = None
        self._live: dict[str, dict[str, Event]] = {}
        self._marked: set[_Response] = set()
        self._bookmarked: set[_Response] = set()
        self._notes: dict[_Response, str] = {}
        self.refresh()

    @property
    def read_only_reason(self) -> str | None:
        """Why nothing can be stored, if so."""
        return self.session.read_only_reason

    def refresh(self) -> None:
        """Read what counts now, with what other processes stored."""
        state = self.session.state()
        if state is self._state:
            return
        self._state = state
        self._live = {
            kind: {
                subject: event
                for (annotator, subject), event in state.live(kind).items()
                if annotator == self.annotator
            }
            for kind in ("mark", "note", "bookmark")
        }
        self._marked = set(map(_response, self._live["mark"].values()))
        self._bookmarked = set(map(_response, self._live["bookmark"].values()))
        self._notes = {
            _response(event): str(event.body["text"])
            for event in self._live["note"].values()
            if "index" not in event.subject
        }

    # ---- read --------------------------------------------------------------------------------

    def marks(self) -> tuple[Event, ...]:
        """All marks of this annotator that count."""
        return tuple(self._live["mark"].values())

    def mark_on(self, cell: Cell) -> str | None:
        """The opinion recorded on a cell."""
        event = self._live["mark"].get(canonical(cell.subject))
        return None if event is None else str(event.body["opinion"])

    def marked(self, benchmark: str, key: str, model: str) -> bool:
        """Whether any cell of a response is marked."""
        return (benchmark, key, model) in self._marked

    def note_on(self, subject: Mapping[str, Any]) -> str:
        """The note on a prompt, response or cell; "" for none."""
        event = self._live["note"].get(canonical(dict(subject)))
        return "" if event is None else str(event.body["text"])

    def response_note(self, benchmark: str, key: str, model: str) -> str:
        """The note on a response."""
        return self._notes.get((benchmark, key, model), "")

    def bookmarked(self, benchmark: str, key: str, model: str) -> bool:
        """Whether a response has a bookmark."""
        return (benchmark, key, model) in self._bookmarked

    def place(self) -> Mapping[str, Any]:
        """Where this annotator left the audit; empty the first time."""
        state = self._state
        found = {} if state is None else state.setting(_PLACE, {}, annotator=self.annotator)
        return found if isinstance(found, dict) else {}

    def keep_place(self, place: Mapping[str, Any]) -> None:
        """Remember where the audit was left, unless nothing may be stored."""
        if self.read_only_reason is None and place != self.place():
            self._append("setting", setting_subject(_PLACE), {"value": dict(place)})

    # ---- decide ------------------------------------------------------------------------------

    def mark(self, cell: Cell, opinion: str | None, verdict: bool | None, text: str) -> Event:
        """Record an opinion on a cell, or None to take it back. `text` is the response judged."""
        body = {"opinion": opinion, "verdict": verdict, "digest": text_digest(text)}
        return self._append("mark", cell.subject, body)

    def note(self, subject: Mapping[str, Any], text: str) -> Event:
        """Write a note; "" takes it back."""
        return self._append("note", subject, {"text": text})

    def bookmark(self, benchmark: str, key: str, model: str, on: bool) -> Event:
        """Set or remove the bookmark on a response."""
        return self._append("bookmark", response_subject(benchmark, key, model), {"on": on})

    def can(self, what: str) -> bool:
        """Whether there is something to "undo" or "redo"."""
        return self.target(what) is not None

    def target(self, what: str) -> Event | None:
        """The decision that "undo" takes back, or "redo" brings back."""
        if self._state is None or self.read_only_reason is not None:
            return None
        find = self._state.undo_target if what == "undo" else self._state.redo_target
        return find(self.annotator)

    def undo(self) -> Event | None:
        """Take back the latest decision that counts; None if there is none."""
        event = self.session.undo(self.annotator)
        self.refresh()
        return event

    def redo(self) -> Event | None:
        """Bring back what undo took last."""
        event = self.session.redo(self.annotator)
        self.refresh()
        return event

    def _append(self, kind: str, subject: Mapping[str, Any], body: Mapping[str, Any]) -> Event:
        event = self.session.append(kind, subject, body, self.annotator)
        self.refresh()
        return event


def describe(event: Event) -> str:
    """A decision in a few words, for a message."""
    subject, body = event.subject, event.body
    where = " · ".join(str(subject[name]) for name in ("key", "model", "type") if name in subject)
    if event.kind == "mark":
        what = OPINIONS.get(str(body["opinion"]), "no opinion")
    elif event.kind == "vote":
        what = "vote"
    elif event.kind == "bookmark":
        what = "bookmark set" if body["on"] else "bookmark removed"
    else:
        what = "note" if body.get("text") else "note removed"
    return f"{what}: {where}"
