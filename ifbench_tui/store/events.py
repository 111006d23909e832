"""What a person can decide, as events: their kinds, the rules of each kind, and their text form.

A session stores nothing else. Every `Event` object is valid: it comes from `parse`, which reads the
text that is on disk, so what a caller holds is what the file holds.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from ifbench_tui.config import annotator_fault
from ifbench_tui.store.errors import InvalidEventError

__all__ = [
    "KINDS",
    "MAX_TEXT",
    "Event",
    "Kind",
    "Order",
    "Slot",
    "canonical",
    "cell_subject",
    "latest_taken",
    "parse",
    "parse_line",
    "prompt_subject",
    "response_subject",
    "setting_subject",
    "stamp",
    "text_digest",
    "to_line",
    "turn_subject",
]

MAX_TEXT = 1_000_000
"""Longest subject or body of one event, in characters of JSON."""

Json = Any
Order = tuple[str, str]
Slot = tuple[str, str]


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(value: Json) -> str:
    """The one JSON text of a value: sorted keys, no spaces, ASCII, finite numbers only."""
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidEventError(f"not storable as JSON: {error}") from error


def text_digest(text: str) -> str:
    """SHA-256 of a prompt or response, so that a decision knows which text it was made on."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# ---- subjects: what a decision is about --------------------------------------------------------


def prompt_subject(benchmark: str, key: str) -> dict[str, Json]:
    """A prompt of a benchmark."""
    return {"benchmark": benchmark, "key": key}


def response_subject(benchmark: str, key: str, model: str) -> dict[str, Json]:
    """One model's response to a prompt."""
    return {"benchmark": benchmark, "key": key, "model": model}


def cell_subject(
    benchmark: str, key: str, model: str, *, index: int, constraint_type: str, variant: int | str
) -> dict[str, Json]:
    """A cell of the lattice: the constraint at `index` (from 0) under `variant`, which is the
    number of a text variant (from 0), "strict" or "loose"."""
    return response_subject(benchmark, key, model) | {
        "index": index,
        "type": constraint_type,
        "variant": variant,
    }


def turn_subject(benchmark: str, key: str, turn: int = 1) -> dict[str, Json]:
    """Turn `turn` (from 1) of a prompt: what a vote is about."""
    return {"benchmark": benchmark, "key": key, "turn": turn}


def setting_subject(name: str) -> dict[str, Json]:
    """A named setting of the session, or of one annotator in it."""
    return {"name": name}


# ---- rules -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """One field: the wanted value in words, and the test."""

    words: str
    holds: Callable[[Json], bool]


def _one_of(*values: str | None) -> Rule:
    words = ", ".join("null" if value is None else value for value in values)
    return Rule(f"one of {words}", lambda v: (v is None or isinstance(v, str)) and v in values)


def _at_least(least: int) -> Rule:
    return Rule(f"a whole number from {least}", lambda v: type(v) is int and v >= least)


_HEX = re.compile(r"[0-9a-f]+")


def _hex(length: int) -> Rule:
    return Rule(
        f"{length} hexadecimal digits",
        lambda v: isinstance(v, str) and len(v) == length and _HEX.fullmatch(v) is not None,
    )


_ANY = Rule("any JSON value", lambda v: True)
_BOOL = Rule("true or false", lambda v: isinstance(v, bool))
_BOOL_OR_NULL = Rule("true, false or null", lambda v: v is None or isinstance(v, bool))
_INT_OR_NULL = Rule("a whole number or null", lambda v: v is None or type(v) is int)
_STRING = Rule("a text", lambda v: isinstance(v, str))
_NAME = Rule("a text that is not empty", lambda v: isinstance(v, str) and v != "")
_NAMES = Rule("a list of texts", lambda v: isinstance(v, list) and all(map(_NAME.holds, v)))
_VARIANT = Rule(
    "a variant's number, strict or loose",
    lambda v: v in ("strict", "loose") if isinstance(v, str) else _at_least(0).holds(v),
)
_UID = _hex(32)
_DIGEST = _hex(64)

Shape = Mapping[str, Rule]
_PROMPT: Shape = {"benchmark": _NAME, "key": _NAME}
_RESPONSE: Shape = {**_PROMPT, "model": _NAME}
_CELL: Shape = {**_RESPONSE, "index": _at_least(0), "type": _NAME, "variant": _VARIANT}
_TURN: Shape = {**_PROMPT, "turn": _at_least(1)}


@dataclass(frozen=True, slots=True)
class Kind:
    """The rules of one kind of event.

    A subject has exactly the fields of one of `subjects`; a body has at least those of `body`
    (more are kept: exports of later versions stay readable). An event whose `value` field equals
    `empty` takes the earlier decision back.
    """

    subjects: tuple[Shape, ...]
    body: Shape
    value: str = ""
    empty: Json = None
    undoable: bool = True


KINDS: Mapping[str, Kind] = {
    "mark": Kind(
        (_CELL,),
        {
            "opinion": _one_of("agree", "should_pass", "should_fail", "unclear", None),
            "verdict": _BOOL_OR_NULL,
            "digest": _DIGEST,
        },
        value="opinion",
    ),
    "note": Kind((_PROMPT, _RESPONSE, _CELL), {"text": _STRING}, value="text", empty=""),
    "bookmark": Kind((_PROMPT, _RESPONSE, _CELL), {"on": _BOOL}, value="on", empty=False),
    "setting": Kind(({"name": _NAME},), {"value": _ANY}, value="value", undoable=False),
    "vote": Kind(
        (_TURN,),
        {
            "model_a": _NAME,
            "model_b": _NAME,
            "digest_a": _DIGEST,
            "digest_b": _DIGEST,
            "left": _one_of("model_a", "model_b"),
            "winner": _one_of("model_a", "model_b", "tie", "both_bad"),
            "unblinded": _BOOL,
            "reasons": _NAMES,
            "seed": _INT_OR_NULL,
        },
    ),
    "undo": Kind(({},), {"target": _UID}, undoable=False),
    "redo": Kind(({},), {"target": _UID}, undoable=False),
}


def _misfit(shape: Shape, value: Mapping[str, Json], where: str) -> str | None:
    for name, rule in shape.items():
        if name not in value:
            return f"{where}.{name} is missing; wanted: {rule.words}"
        if not rule.holds(value[name]):
            return f"{where}.{name} is {value[name]!r:.80}; wanted: {rule.words}"
    return None


def _check(kind: str, annotator: str, subject: Json, body: Json) -> None:
    rules = KINDS.get(kind)
    if rules is None:
        raise InvalidEventError(f"kind {kind!r:.80} is unknown here; a later version may read it")
    if not isinstance(subject, dict) or not isinstance(body, dict):
        raise InvalidEventError(f"{kind}: subject and body must be JSON objects")
    shape = next((shape for shape in rules.subjects if shape.keys() == subject.keys()), None)
    if shape is None:
        wanted = " or ".join("{" + ", ".join(shape) + "}" for shape in rules.subjects)
        raise InvalidEventError(f"{kind}: subject has {sorted(subject)!r:.200}; wanted: {wanted}")
    problem = _misfit(shape, subject, "subject") or _misfit(rules.body, body, "body")
    if problem is not None:
        raise InvalidEventError(f"{kind}: {problem}")
    if kind == "vote" and body["model_a"] == body["model_b"]:
        raise InvalidEventError("vote: model_a and model_b are the same model")
    of_nobody = annotator == "" and kind == "setting"
    if not of_nobody and (fault := annotator_fault(annotator)):
        raise InvalidEventError(f"{kind}: annotator {annotator!r:.80}: {fault}")


# ---- time --------------------------------------------------------------------------------------

_AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")

_END = datetime(9998, 12, 31, 23, 59, 59, 999999, UTC)
"""Latest time of an event."""

_CENTURY = timedelta(days=36_525)


def _moment(at: str) -> datetime:
    try:
        moment = datetime.fromisoformat(at) if _AT.fullmatch(at) else None
    except ValueError:
        moment = None
    if moment is None or moment > _END:
        raise InvalidEventError(f"time {at!r:.80} is not of the form 2026-01-31T23:59:59.000000Z")
    return moment


def stamp(now: datetime, last: str = "") -> str:
    """`now` in UTC as text that sorts by time, later than `last`.

    A clock that stands still or is set back cannot reorder decisions: each event comes after all
    that its file held when it was made (a hybrid logical clock).
    """
    now = now.astimezone(UTC)
    if last:
        now = min(max(now, _moment(last) + timedelta(microseconds=1)), _END)
    return now.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def latest_taken(now: datetime) -> str:
    """The latest time of an event that is taken over from elsewhere.

    All that is decided later is stamped after it, so a forged time must leave room for that; the
    clock of an honest machine, set wrong as it may be, is not a century ahead. Because the bound
    moves on with the clock, what follows on a time that was taken will be taken as well.
    """
    return stamp(min(now.astimezone(UTC), _END - _CENTURY) + _CENTURY)


# ---- the event ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """One decision. `subject` and `body` are parsed JSON, to be read only."""

    uid: str
    at: str
    annotator: str
    kind: str
    subject: Mapping[str, Json]
    body: Mapping[str, Json]
    subject_id: str
    """Canonical text of `subject`: equal texts, same subject."""

    @property
    def order(self) -> Order:
        """Where this event stands among all events of all files."""
        return (self.at, self.uid)

    @property
    def slot(self) -> Slot:
        """(annotator, subject) whose last event counts. Each vote has a slot of its own."""
        return (self.annotator, self.uid if self.kind == "vote" else self.subject_id)

    @property
    def clears(self) -> bool:
        """Whether this event only takes back what its slot held before."""
        rules = KINDS[self.kind]
        return rules.value != "" and bool(self.body[rules.value] == rules.empty)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number:.80} is no finite number")
    return value


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)


def _loads(text: str, limit: int = MAX_TEXT) -> Json:
    if len(text) > limit:
        raise InvalidEventError(f"{len(text)} characters of JSON; at most {limit} are read")
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise InvalidEventError(f"no JSON: {error!s:.200}") from error


def parse(uid: str, at: str, annotator: str, kind: str, subject: str, body: str) -> Event:
    """The event with these texts, of which `subject` and `body` are JSON.

    Raises `InvalidEventError` where they make none.
    """
    if not _UID.holds(uid):
        raise InvalidEventError(f"uid {uid!r:.80} is not {_UID.words}")
    _moment(at)
    subject_value, body_value = _loads(subject), _loads(body)
    _check(kind, annotator, subject_value, body_value)
    return Event(uid, at, annotator, kind, subject_value, body_value, canonical(subject_value))


_FIELDS = ("uid", "at", "annotator", "kind", "subject", "body")


def to_line(event: Event) -> str:
    """An event as one line of JSON, without the newline."""
    return canonical({name: getattr(event, name) for name in _FIELDS})


def parse_line(line: str) -> Event:
    """The event on one line of JSON; `InvalidEventError` if there is none."""
    record = _loads(line, 3 * MAX_TEXT)
    if not isinstance(record, dict) or not all(name in record for name in _FIELDS):
        raise InvalidEventError(f"no event: wanted a JSON object with {', '.join(_FIELDS)}")
    uid, at, annotator, kind = (record[name] for name in _FIELDS[:4])
    if not all(isinstance(value, str) for value in (uid, at, annotator, kind)):
        raise InvalidEventError("no event: uid, at, annotator and kind must be texts")
    return parse(uid, at, annotator, kind, canonical(record["subject"]), canonical(record["body"]))
