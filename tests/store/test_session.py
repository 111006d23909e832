"""The session file in daily use."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from ifbench_tui.store import (
    Session,
    default_session_path,
    replay,
    setting_subject,
    throwaway_session,
)
from ifbench_tui.store.errors import InvalidEventError
from ifbench_tui.store.schema import MIGRATIONS, open_database, pragma
from tests.store.helpers import (
    CELL,
    REPOSITORY,
    START,
    TURN,
    contents,
    logged,
    mark,
    open_repeatably,
    vote,
)


def test_a_new_session_is_private_and_its_folder_is_made(path: Path) -> None:
    with Session.open(path) as session:
        session.append("bookmark", CELL, {"on": True}, "ana")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert session.read_only_reason is None
    assert modes["s.ifb"] == 0o600
    assert set(modes.values()) == {0o600}


def test_commits_wait_for_the_disk(path: Path) -> None:
    database = open_database(path, read_only=False, busy_timeout=0)
    full = 2
    assert pragma(database, "synchronous") == full
    assert database.execute("PRAGMA journal_mode").fetchone() == (b"wal",)
    database.close()


def test_decisions_come_back_after_a_restart(path: Path) -> None:
    with open_repeatably(path) as session:
        made = [
            session.append("mark", CELL, mark("should_pass"), "ana"),
            session.append("vote", TURN, vote(), "ana"),
            session.append("setting", setting_subject("columns"), {"value": {"prompt": "q"}}, ""),
        ]
        before = contents(session.state())
    with Session.open(path) as session:
        assert logged(session) == made
        assert contents(session.state()) == before
        assert session.state().setting("columns") == {"prompt": "q"}
        assert session.state().setting("columns", annotator="ana") is None
        assert session.state().setting("theme", "warm") == "warm"
        assert session.verify() == ()


def test_an_event_is_what_the_file_holds_not_what_the_caller_changes_later(path: Path) -> None:
    body = vote(reasons=["shorter"])
    with Session.open(path) as session:
        made = session.append("vote", TURN, body, "ana")
        body["reasons"].append("clearer")
        assert made.body["reasons"] == ["shorter"]
        assert logged(session) == [made]


def test_time_and_uid_come_from_the_given_clock_and_source(path: Path) -> None:
    with open_repeatably(path) as session:
        session.append("bookmark", CELL, {"on": True}, "ana")
        second = session.append("bookmark", CELL, {"on": False}, "ana")
    assert (second.at, second.uid) == ("2026-01-31T12:00:01.000000Z", "a" + "0" * 30 + "1")


def test_a_clock_set_back_between_runs_does_not_reorder_decisions(path: Path) -> None:
    with Session.open(path, clock=lambda: START) as session:
        session.append("mark", CELL, mark("agree"), "ana")
    with Session.open(path, clock=lambda: START - timedelta(days=400)) as session:
        session.append("mark", CELL, mark("should_fail"), "ana")
        (live,) = session.state().live("mark").values()
    assert live.body["opinion"] == "should_fail"


def test_undo_and_redo_are_unlimited_and_survive_restarts(path: Path) -> None:
    with open_repeatably(path) as session:
        made = [session.append("vote", TURN, vote(seed=n), "ana") for n in range(30)]
        other = session.append("vote", TURN, vote(), "ben")
        session.append("setting", setting_subject("position"), {"value": 4}, "ana")
    with open_repeatably(path, first="b") as session:
        assert [session.undo("ana") for _ in range(30)] == made[::-1]
        assert session.undo("ana") is None
        assert list(session.state().live("vote").values()) == [other]
        assert session.state().setting("position", annotator="ana") == 4
    with open_repeatably(path, first="c") as session:
        assert [session.redo("ana") for _ in range(20)] == made[:20]
        assert session.undo("ana") == made[19]
        new = session.append("mark", CELL, mark(), "ana")
        assert session.redo("ana") is None
        assert session.state().undo_target("ana") == new
        assert session.redo("ben") is None
        assert len(session.events()) == 30 + 2 + 30 + 20 + 1 + 1
        assert session.verify() == ()


def test_two_windows_of_one_annotator_undo_different_votes(path: Path) -> None:
    with open_repeatably(path) as left, open_repeatably(path, first="b") as right:
        first = left.append("vote", TURN, vote(), "ana")
        second = right.append("vote", TURN, vote("tie"), "ana")
        assert [left.undo("ana"), right.undo("ana"), left.undo("ana")] == [second, first, None]
        assert right.redo("ana") == first


def test_undo_and_redo_cannot_be_appended_as_decisions(path: Path) -> None:
    with Session.open(path) as session:
        made = session.append("bookmark", CELL, {"on": True}, "ana")
        with pytest.raises(InvalidEventError, match=r"Session\.undo"):
            session.append("undo", {}, {"target": made.uid}, "ana")


def test_a_refused_decision_leaves_nothing_and_the_next_one_is_stored(path: Path) -> None:
    with Session.open(path) as session:
        with pytest.raises(InvalidEventError):
            session.append("vote", TURN, vote("maybe"), "ana")
        with pytest.raises(InvalidEventError):
            session.append("vote", TURN, vote(seed=float("nan")), "ana")
        made = session.append("vote", TURN, vote(), "ana")
        assert logged(session) == [made]


def test_following_yields_only_what_is_new(path: Path) -> None:
    with Session.open(path) as reader, Session.open(path) as writer:
        writer.append("vote", TURN, vote(), "ana")
        (row, _) = reader.events()[-1]
        assert reader.events(after=row) == []
        made = writer.append("vote", TURN, vote("tie"), "ben")
        assert [event for _, event in reader.events(after=row)] == [made]
        assert made.uid in reader.state().decisions


def test_threads_may_share_a_session(path: Path) -> None:
    with Session.open(path) as session:

        def cast() -> None:
            for _ in range(25):
                session.append("vote", TURN, vote(), threading.current_thread().name)
                session.state()

        threads = [threading.Thread(target=cast, name=f"annotator {n}") for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(session.state().live("vote")) == 100
        assert session.verify() == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = '{}'",
        "DELETE FROM event",
        "INSERT OR REPLACE INTO event SELECT * FROM event",
        "INSERT OR REPLACE INTO event SELECT id, uid || '0', at, '', kind, '', '' FROM event",
    ],
)
def test_the_file_itself_refuses_to_forget(path: Path, statement: str) -> None:
    with Session.open(path) as session:
        made = session.append("vote", TURN, vote(), "ana")
    database = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="events are never"):
        database.execute(statement)
    database.close()
    with Session.open(path) as session:
        assert logged(session) == [made]


# ---- care --------------------------------------------------------------------------------------


def test_vacuum_keeps_rows_and_empties_the_log(path: Path) -> None:
    with Session.open(path) as session:
        for number in range(20):
            session.append("vote", TURN, vote(seed=number), "ana")
        before = session.events()
        session.vacuum()
        assert path.with_name("s.ifb-wal").stat().st_size == 0
        assert session.events() == before
        assert session.verify() == ()


def test_verify_names_undos_that_lead_nowhere(path: Path) -> None:
    with open_repeatably(path) as session:
        session.append("vote", TURN, vote(), "ana")
        session.undo("ana")
        lines = session.export_jsonl()
    undo = json.loads(lines[1])
    early = json.dumps({**undo, "at": "2026-01-31T11:00:00.000000Z"})
    foreign = json.dumps({**undo, "annotator": "ben", "uid": "c" * 32})
    with Session.open(path.with_name("b")) as partial:
        partial.import_jsonl(lines[1:])
        assert "not in this session" in partial.verify()[0]
        partial.import_jsonl(lines[:1])
        assert partial.verify() == ()
    with Session.open(path.with_name("c")) as forged:
        assert forged.import_jsonl([lines[0], early, foreign]).added == 3
        too_early, not_theirs = forged.verify()
        assert "came later" in too_early
        assert "another annotator" in not_theirs
        assert len(forged.state().live("vote")) == 1


def test_verify_sees_removed_rows_guards_and_foreign_tables(path: Path) -> None:
    with Session.open(path) as session:
        for number in range(3):
            session.append("vote", TURN, vote(seed=number), "ana")
    database = sqlite3.connect(path)
    database.executescript(
        "DROP TRIGGER event_is_kept; DELETE FROM event WHERE id = 2; CREATE TABLE other (x);"
    )
    database.close()
    with Session.open(path) as session:
        problems = "\n".join(session.verify())
        assert "event_is_kept is missing" in problems
        assert "other is missing, altered or not ours" in problems
        assert "2 events are stored, but they are numbered up to 3" in problems


def test_rows_that_hold_no_event_are_listed_and_hide_no_other(path: Path) -> None:
    with open_repeatably(path) as session:
        made = session.append("vote", TURN, vote(), "ana")
        database = sqlite3.connect(path)
        with database:
            database.executemany(
                "INSERT INTO event (uid, at, annotator, kind, subject, body)"
                " VALUES (?, '2026-01-31T12:00:00.000000Z', 'ana', ?, ?, ?)",
                [
                    ("1" * 32, "vote", "{}", "{}"),
                    ("2" * 32, "future", "{}", "{}"),
                    ("3" * 32, "setting", '{"name":"x"}', '{"value":1e999}'),
                    ("4" * 32, "setting", b'{"name":"x"}', b'{"value":"\xff"}'),
                    ("5" * 32, "setting", '{"name":"x"}', 5),
                    ("ö" * 32, "setting", '{"name":"x"}', '{"value":1}'),
                ],
            )
        database.close()
        assert logged(session) == [made]
        assert len(session.state().decisions) == 1
        assert [line.split(":")[0] for line in session.verify()] == [
            f"event {row}" for row in range(2, 8)
        ]
        last = session.append("vote", TURN, vote("tie"), "ana")
        with Session.open(path.with_name("b")) as other:
            intake = other.merge(path)
            assert (intake.added, len(intake.refused)) == (2, 6)
            assert logged(other) == [made, last]


def test_a_schema_step_keeps_every_event_and_a_failing_one_changes_nothing(path: Path) -> None:
    with Session.open(path) as session:
        made = session.append("vote", TURN, vote(), "ana")
    cache = ("CREATE TABLE judge_cache (request TEXT PRIMARY KEY, answer TEXT NOT NULL)",)
    for step in ((*cache, "CREATE TABLE event (x)"), cache):
        failing = len(step) > 1
        if failing:
            with pytest.raises(sqlite3.OperationalError, match="already exists"):
                open_database(path, read_only=False, busy_timeout=0, steps=(*MIGRATIONS, step))
            with Session.open(path) as session:
                assert session.verify() == ()
        else:
            database = open_database(
                path, read_only=False, busy_timeout=0, steps=(*MIGRATIONS, step)
            )
            assert pragma(database, "user_version") == len(MIGRATIONS) + 1
            assert database.execute("SELECT uid FROM event").fetchall() == [(made.uid.encode(),)]
            assert database.execute("SELECT * FROM judge_cache").fetchall() == []
            database.close()


# ---- places ------------------------------------------------------------------------------------


def test_a_throwaway_session_leaves_nothing_behind() -> None:
    with throwaway_session() as session:
        session.append("vote", TURN, vote(), "ana")
        assert session.path.is_file()
    assert not session.path.parent.exists()
    session.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the variable is a convention of Linux")
def test_the_default_session_is_in_the_users_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", os.fspath(tmp_path))
    assert default_session_path() == tmp_path / "ifbench-tui" / "session.ifb"


def test_the_store_loads_the_standard_library_only() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(REPOSITORY)!r}); before = set(sys.modules);"
        "import ifbench_tui.store;"
        "print(*{name.partition('.')[0] for name in sys.modules.keys() - before}"
        " - sys.stdlib_module_names)"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["ifbench_tui"]


def test_replaying_the_events_gives_the_state(path: Path) -> None:
    with open_repeatably(path) as session:
        session.append("mark", CELL, mark(), "ana")
        session.state()
        session.append("mark", CELL, mark("unclear"), "ben")
        session.undo("ana")
        assert replay(logged(session)) == session.state()
