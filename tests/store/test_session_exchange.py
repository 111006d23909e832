"""Events that come from elsewhere: lines, imports, merges."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ifbench_tui.store import (
    Session,
    prompt_subject,
    setting_subject,
)
from ifbench_tui.store.errors import InvalidEventError
from tests.store.helpers import (
    CELL,
    START,
    TURN,
    logged,
    mark,
    open_repeatably,
    vote,
)


def test_lines_carry_everything_and_importing_twice_changes_nothing(
    path: Path, tmp_path: Path
) -> None:
    with open_repeatably(path) as session:
        session.append("note", prompt_subject("ifeval", "\ud800 \u2028"), {"text": "a\nb"}, "ana")
        session.append("vote", TURN, vote(language="en"), "ana")
        session.undo("ana")
        session.redo("ana")
        lines, state = session.export_jsonl(), session.state()
    with Session.open(tmp_path / "copy.ifb") as copy:
        intake = copy.import_jsonl([*lines[::-1], "\n"])
        assert (intake.added, intake.known, intake.refused) == (4, 0, ())
        assert copy.export_jsonl() == lines
        assert copy.state() == state
        again = copy.import_jsonl(lines)
        assert (again.added, again.known, again.refused) == (0, 4, ())


def test_broken_lines_are_listed_and_good_ones_taken(path: Path) -> None:
    with open_repeatably(path) as session:
        session.append("vote", TURN, vote(), "ana")
        session.append("vote", TURN, vote("tie"), "ana")
        lines = session.export_jsonl()
    other = json.loads(lines[0])
    other["body"]["winner"] = "model_b"
    with Session.open(path.with_name("copy.ifb")) as copy:
        intake = copy.import_jsonl([lines[0], lines[1][:-9], json.dumps(other), "null"], "votes")
        assert (intake.added, intake.known) == (1, 0)
        assert [line.split(": ")[0] for line in intake.refused] == ["votes:2", "votes:4", "votes:3"]
        assert "other content" in intake.refused[2]
        assert copy.export_jsonl() == lines[:1]


def test_an_event_from_the_end_of_time_is_not_taken_over(path: Path) -> None:
    forged = path.with_name("forged")
    with Session.open(forged, clock=lambda: datetime(9998, 12, 31, tzinfo=UTC)) as theirs:
        theirs.append("bookmark", CELL, {"on": True}, "eve")
        lines = theirs.export_jsonl()
    with Session.open(path) as mine:
        assert "more than a century after" in mine.import_jsonl(lines).refused[0]
        assert mine.merge(forged).added == 0
        for number in range(20):
            mine.append("note", prompt_subject("ifeval", "1"), {"text": str(number)}, "ana")
            (note,) = mine.state().live("note").values()
            assert note.body["text"] == str(number), "the latest one counts"


def test_what_follows_on_a_clock_set_wrong_can_be_taken_over(path: Path, tmp_path: Path) -> None:
    ahead = START + timedelta(days=36_525)
    with Session.open(tmp_path / "b", clock=lambda: ahead) as theirs:
        theirs.append("bookmark", CELL, {"on": True}, "ben")
    with open_repeatably(path) as mine:
        assert mine.merge(tmp_path / "b").added == 1
        mine.append("vote", TURN, vote(), "ana")
        lines = mine.export_jsonl()
    with open_repeatably(tmp_path / "c", first="c") as copy:
        copy.append("bookmark", CELL, {"on": True}, "cleo")
        assert copy.import_jsonl(lines).added == 2


def test_merging_reads_an_open_session_and_itself_without_harm(path: Path) -> None:
    with open_repeatably(path) as mine, open_repeatably(path.with_name("b"), first="b") as theirs:
        mine.append("vote", TURN, vote(), "ana")
        theirs.append("vote", TURN, vote("tie"), "ben")
        assert mine.merge(theirs.path).added == 1
        assert mine.merge(mine.path).known == 2
        assert len(theirs.events()) == 1
        assert {event.annotator for event in mine.state().live("vote").values()} == {"ana", "ben"}


def test_decisions_are_stored_together_or_not_at_all(path: Path) -> None:
    def two(value: object) -> list[tuple[str, dict[str, str], dict[str, object]]]:
        return [("setting", setting_subject(name), {"value": value}) for name in ("a", "b")]

    with open_repeatably(path) as session:
        with pytest.raises(InvalidEventError):
            session.append_all([*two(1), ("note", TURN, {"text": "no prompt"})], "ana")
        assert session.events() == []
        first, second = session.append_all(two(2), "ana")
        assert first.order < second.order
        assert [session.state().setting(name, annotator="ana") for name in "ab"] == [2, 2]
        with pytest.raises(InvalidEventError):
            session.append_all([("undo", {}, {"target": first.uid})], "ana")
        assert logged(session) == [first, second]


def test_an_earlier_event_that_comes_late_takes_its_place(path: Path) -> None:
    other = path.with_name("b")
    with Session.open(other, clock=lambda: START - timedelta(days=1)) as theirs:
        old = theirs.append("mark", CELL, mark("should_fail"), "ana")
    with open_repeatably(path) as mine:
        new = mine.append("mark", CELL, mark("agree"), "ana")
        assert mine.state().undo_target("ana") == new
        mine.merge(other)
        assert list(mine.state().decisions.values()) == [old, new]
        assert list(mine.state().live("mark").values()) == [new]
