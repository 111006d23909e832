"""Events: what is accepted, what is refused and why, and that text forms lose nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifbench_tui.store.errors import InvalidEventError
from ifbench_tui.store.events import (
    KINDS,
    MAX_TEXT,
    canonical,
    parse,
    parse_line,
    prompt_subject,
    response_subject,
    setting_subject,
    stamp,
    text_digest,
    to_line,
)
from tests.store.helpers import CELL, DIGEST, TURN, mark, vote

UID = "0" * 32
AT = "2026-01-31T12:00:00.000000Z"
GOOD: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("mark", CELL, mark()),
    ("mark", {**CELL, "variant": 7}, {"opinion": "should_fail", "verdict": None, "digest": DIGEST}),
    ("mark", CELL, mark(None)),
    ("note", prompt_subject("ifeval", "1"), {"text": "odd wording"}),
    ("note", response_subject("ifeval", "1", "m"), {"text": ""}),
    ("bookmark", CELL, {"on": True}),
    ("setting", setting_subject("columns"), {"value": {"prompt": "question"}}),
    ("vote", TURN, vote()),
    ("vote", TURN, vote("both_bad", seed=None, reasons=[], language="en")),
    ("undo", {}, {"target": UID}),
    ("redo", {}, {"target": UID}),
]


def event(kind: str, subject: Any, body: Any, annotator: str = "ana") -> Any:
    return parse(UID, AT, annotator, kind, json.dumps(subject), json.dumps(body))


@pytest.mark.parametrize(("kind", "subject", "body"), GOOD)
def test_good_events_survive_their_line(kind: str, subject: Any, body: Any) -> None:
    made = event(kind, subject, body)
    assert (made.subject, made.body) == (subject, body)
    assert parse_line(to_line(made)) == made


def test_every_kind_has_a_good_example() -> None:
    assert {kind for kind, _, _ in GOOD} == set(KINDS)


@pytest.mark.parametrize(
    ("kind", "subject", "body", "reason"),
    [
        ("mark", CELL, {**mark(), "opinion": "maybe"}, "body.opinion is 'maybe'"),
        ("mark", CELL, {**mark(), "verdict": 1}, "body.verdict"),
        ("mark", CELL, {**mark(), "digest": "A" * 64}, "body.digest"),
        ("mark", CELL, {"opinion": "agree", "verdict": True}, "body.digest is missing"),
        ("mark", {**CELL, "variant": "md"}, mark(), "subject.variant"),
        ("mark", {**CELL, "variant": -1}, mark(), "subject.variant"),
        ("mark", {**CELL, "index": True}, mark(), "subject.index"),
        ("mark", prompt_subject("ifeval", "1"), mark(), "wanted: {benchmark, key, model, index"),
        ("note", {**prompt_subject("ifeval", "1"), "extra": 1}, {"text": ""}, "subject has"),
        ("note", {"benchmark": "ifeval", "key": 1}, {"text": ""}, "subject.key is 1"),
        ("note", prompt_subject("", "1"), {"text": ""}, "subject.benchmark"),
        ("bookmark", CELL, {"on": 1}, "body.on"),
        ("vote", TURN, vote("tie (bothbad)"), "body.winner"),
        ("vote", TURN, vote(["tie"]), "body.winner"),  # type: ignore[arg-type]
        ("vote", TURN, vote(left="left"), "body.left"),
        ("vote", TURN, vote(model_b="model-1"), "the same model"),
        ("vote", TURN, vote(reasons=[""]), "body.reasons"),
        ("vote", TURN, vote(seed=1.5), "body.seed"),
        ("vote", {**TURN, "turn": 0}, vote(), "subject.turn"),
        ("undo", {}, {"target": "0" * 31}, "body.target"),
        ("undo", CELL, {"target": UID}, "subject has"),
        ("skip", {}, {}, "kind 'skip' is unknown"),
        ("note", [], {"text": ""}, "must be JSON objects"),
        ("note", prompt_subject("ifeval", "1"), None, "must be JSON objects"),
    ],
)
def test_bad_events_are_refused_with_the_field(
    kind: str, subject: Any, body: Any, reason: str
) -> None:
    with pytest.raises(InvalidEventError) as caught:
        event(kind, subject, body)
    assert reason in str(caught.value)


@pytest.mark.parametrize("name", ["", " ana", "ana\n", "an\x1b[31m", "a" * 101, "\ud800"])
def test_an_annotator_needs_a_printable_name(name: str) -> None:
    with pytest.raises(InvalidEventError):
        event("bookmark", CELL, {"on": True}, annotator=name)


def test_only_a_setting_may_belong_to_nobody() -> None:
    assert event("setting", setting_subject("annotator"), {"value": "ana"}, "").annotator == ""


@pytest.mark.parametrize(
    "body",
    [
        "[" * 100_000,
        '{"text":' + "[" * 100_000,
        '{"text":"x"',
        '{"value":NaN}',
        '{"value":' + "9" * 5000 + "}",
        '{"value":"' + "x" * MAX_TEXT + '"}',
    ],
    ids=["deep", "deep object", "cut", "NaN", "huge number", "too long"],
)
def test_hostile_json_is_refused(body: str) -> None:
    with pytest.raises(InvalidEventError):
        parse(UID, AT, "ana", "setting", '{"name":"x"}', body)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object()])
def test_values_that_are_no_json_are_refused(value: object) -> None:
    with pytest.raises(InvalidEventError):
        canonical({"value": value})


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"uid":1}', "\x00", "<!doctype html>"])
def test_lines_that_hold_no_event_are_refused(line: str) -> None:
    with pytest.raises(InvalidEventError):
        parse_line(line)


def test_a_line_with_a_number_for_a_text_is_refused() -> None:
    record = json.loads(to_line(event("bookmark", CELL, {"on": True})))
    with pytest.raises(InvalidEventError, match="must be texts"):
        parse_line(json.dumps({**record, "annotator": 5}))


@pytest.mark.parametrize("at", ["", "2026-01-31", "2026-13-31T12:00:00.000000Z", "9999" + AT[4:]])
def test_times_have_one_form(at: str) -> None:
    with pytest.raises(InvalidEventError, match="time"):
        parse(UID, at, "ana", "bookmark", canonical(CELL), '{"on":true}')


def test_stamps_are_utc_and_always_later() -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=timezone(timedelta(hours=2)))
    first = stamp(noon)
    assert first == "2026-01-31T10:00:00.000000Z"
    assert stamp(noon, last=first) == "2026-01-31T10:00:00.000001Z"
    assert stamp(noon - timedelta(days=1), last=first) > first
    assert stamp(noon + timedelta(days=1), last=first) == "2026-02-01T10:00:00.000000Z"


def test_an_event_from_the_end_of_time_does_not_stop_the_log() -> None:
    end = "9998-12-31T23:59:59.999999Z"
    assert stamp(datetime(2026, 1, 31, tzinfo=UTC), last=end) == end
    assert parse(UID, end, "ana", "bookmark", canonical(CELL), '{"on":true}').at == end


@settings(deadline=None)
@given(st.lists(st.datetimes(timezones=st.just(UTC), max_value=datetime(9000, 1, 1))))
def test_stamps_sort_as_text_whatever_the_clock_does(moments: list[datetime]) -> None:
    stamps: list[str] = []
    for moment in moments:
        stamps.append(stamp(moment, stamps[-1] if stamps else ""))
    assert stamps == sorted(set(stamps))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec=None)), inner),
    max_leaves=10,
)


@settings(deadline=None)
@given(JSON)
def test_any_value_and_any_text_survive(value: Any) -> None:
    made = parse(UID, AT, "", "setting", '{"name":"x"}', canonical({"value": value}))
    line = to_line(made)
    assert line.isascii()
    assert "\n" not in line
    assert parse_line(line).body == {"value": value}


def test_a_digest_tells_texts_apart_and_takes_any_text() -> None:
    assert len({text_digest(text) for text in ("a", "a ", "\ud800", "\ud801", "")}) == 5


def test_equal_subjects_have_equal_ids_whatever_their_field_order() -> None:
    reordered = dict(reversed(CELL.items()))
    assert event("bookmark", CELL, {"on": True}).subject_id == (
        event("bookmark", reordered, {"on": True}).subject_id
    )
