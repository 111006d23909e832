"""What a session does when the file, the folder or the disk is not as it should be."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ifbench_tui.errors import IfbenchError
from ifbench_tui.store import Event, JudgeCache, Session, prompt_subject
from ifbench_tui.store.errors import (
    DiskFullError,
    NotASessionError,
    SessionDamagedError,
    SessionError,
    SessionLockedError,
    SessionNotFoundError,
    SessionReadOnlyError,
    SessionTooNewError,
    SessionUnreachableError,
)
from tests.store.helpers import TURN, logged, open_repeatably, remount_read_only, small_disk, vote


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.ifb"


def store_votes(path: Path, count: int = 3) -> list[Event]:
    with Session.open(path) as session:
        return [session.append("vote", TURN, vote(seed=n), "ana") for n in range(count)]


# ---- files that are not for us -----------------------------------------------------------------


def test_a_text_file_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("my novel\n" * 100)
    with pytest.raises(NotASessionError, match=r"s\.ifb: this file is not a session"):
        Session.open(path)
    assert path.read_text() == "my novel\n" * 100


@pytest.mark.parametrize("pragma", ["application_id = 1", "user_version = 3", "user_version = 0"])
@pytest.mark.parametrize("read_only", [False, True])
def test_another_programs_database_is_refused_and_left_alone(
    path: Path, pragma: str, read_only: bool
) -> None:
    database = sqlite3.connect(path)
    database.executescript(f"CREATE TABLE event (x); PRAGMA {pragma};")
    database.close()
    before = path.read_bytes()
    with pytest.raises(NotASessionError, match="another program's database"):
        Session.open(path, read_only=read_only)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_session_of_a_later_version_is_refused_and_left_alone(path: Path) -> None:
    store_votes(path)
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    before = path.read_bytes()
    with pytest.raises(SessionTooNewError, match="version is 99"):
        Session.open(path)
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_session_but_not_for_reading(path: Path) -> None:
    path.touch()
    with pytest.raises(NotASessionError, match="empty"):
        Session.open(path, read_only=True)
    assert path.stat().st_size == 0
    store_votes(path)


def test_a_missing_session_is_not_made_by_reading(path: Path) -> None:
    with pytest.raises(SessionNotFoundError):
        Session.open(path, read_only=True)
    with Session.open(path) as session, pytest.raises(SessionNotFoundError):
        session.merge(path.with_name("other.ifb"))
    assert not path.with_name("other.ifb").exists()


def test_folders_and_paths_through_files_are_named(path: Path) -> None:
    path.touch()
    for place in (path.parent, path / "deeper" / "s.ifb"):
        with pytest.raises(SessionUnreachableError, match=str(place)):
            Session.open(place)


def test_odd_file_names_work(tmp_path: Path) -> None:
    for name in ("a?mode=memory", "50%41#x", "Ünï 漢字.ifb", os.fsdecode(b"\xff.ifb")):
        made = store_votes(tmp_path / name, 1)
        with Session.open(tmp_path / name, read_only=True) as session:
            assert logged(session) == made
        assert (tmp_path / name).is_file()


# ---- damage ------------------------------------------------------------------------------------


def test_a_damaged_page_is_named_and_verify_says_where(path: Path) -> None:
    store_votes(path, 60)
    content = bytearray(path.read_bytes())
    page = 4096
    for start in range(2 * page, len(content), page):
        content[start : start + 200] = b"\xa5" * 200
    path.write_bytes(content)
    with Session.open(path) as session:
        assert "SQLite" in session.verify()[0]
        with pytest.raises(SessionDamagedError, match="keep a copy"):
            session.state()
        with pytest.raises(SessionDamagedError):
            session.append("vote", TURN, vote(), "ana")


def test_a_cut_file_is_named(path: Path) -> None:
    store_votes(path, 60)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(SessionDamagedError), Session.open(path) as session:
        session.state()


def test_a_row_that_is_not_utf_8_is_left_out_and_named(path: Path, tmp_path: Path) -> None:
    made = store_votes(path)
    whole = shutil.copy(path, tmp_path / "whole.ifb")
    database = sqlite3.connect(path)
    database.executescript(
        "DROP TRIGGER event_is_fixed; UPDATE event SET body = x'ff' WHERE id = 2;"
    )
    database.close()
    with Session.open(path) as session:
        assert logged(session) == [made[0], made[2]]
        assert any("event 2: no UTF-8" in said for said in session.verify())
        intake = session.merge(whole)
        assert (intake.added, intake.known, len(intake.refused)) == (0, 2, 1)
        assert made[1].uid in intake.refused[0]


def test_a_reply_that_is_not_utf_8_is_none(path: Path) -> None:
    with JudgeCache.open(path) as cache:
        cache.put("one", "whole")
    database = sqlite3.connect(path)
    database.execute("INSERT INTO judge_call (digest, reply) VALUES ('one', x'ff')")
    database.commit()
    database.close()
    with JudgeCache.open(path) as cache:
        assert cache.get("one") is None
        cache.put("one", "whole again")
        assert cache.get("one") == "whole again"


# ---- locks -------------------------------------------------------------------------------------


def test_a_lock_held_too_long_is_named_and_nothing_is_lost(path: Path) -> None:
    made = store_votes(path)
    holder = sqlite3.connect(path, isolation_level=None)
    with Session.open(path, busy_timeout=0) as session:
        holder.execute("BEGIN IMMEDIATE")
        writes: list[Callable[[], object]] = [
            lambda: session.append("vote", TURN, vote(), "ana"),
            lambda: session.undo("ana"),
            session.vacuum,
        ]
        for write in writes:
            with pytest.raises(SessionLockedError, match="close it there"):
                write()
        assert logged(session) == made
        holder.execute("ROLLBACK")
        made.append(session.append("vote", TURN, vote("tie"), "ana"))
        assert logged(session) == made
    holder.close()


# ---- read only ---------------------------------------------------------------------------------


def test_reading_only_on_request_says_so_and_stores_nothing(path: Path) -> None:
    made = store_votes(path)
    with Session.open(path, read_only=True) as session:
        assert session.read_only_reason == "opened for reading only"
        assert logged(session) == made
        assert session.verify() == ()
        writes: list[Callable[[], object]] = [
            lambda: session.append("vote", TURN, vote(), "ana"),
            lambda: session.undo("ana"),
            lambda: session.import_jsonl([]),
            lambda: session.merge(path),
            session.vacuum,
        ]
        for write in writes:
            with pytest.raises(SessionReadOnlyError, match="nothing was stored"):
                write()
        assert logged(session) == made


def test_a_reader_follows_a_writer(path: Path) -> None:
    store_votes(path)
    with Session.open(path, read_only=True) as reader, Session.open(path) as writer:
        made = writer.append("vote", TURN, vote("tie"), "ben")
        assert logged(reader)[-1] == made


@pytest.fixture
def frozen(tmp_path: Path) -> Iterator[Path]:
    """A folder with sessions, then made unwritable: `clean` was closed, `log` has its last events
    in the write-ahead log, `index` has the index of that log beside it."""
    if os.geteuid() == 0:
        # Permissions do not bind this user; a read-only file system does.
        with small_disk(tmp_path / "disk", "2m") as folder:
            fill_frozen(folder)
            remount_read_only(folder)
            yield folder
    else:
        folder = tmp_path / "disk"
        folder.mkdir()
        fill_frozen(folder)
        for file in folder.iterdir():
            file.chmod(stat.S_IRUSR)
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        yield folder
        folder.chmod(stat.S_IRWXU)


def fill_frozen(folder: Path) -> None:
    store_votes(folder / "clean.ifb")
    live = folder / "live.ifb"
    with Session.open(live) as session:
        for seed in range(3):
            session.append("vote", TURN, vote(seed=seed), "ana")
        for name, suffixes in {"log": ("", "-wal"), "index": ("", "-wal", "-shm")}.items():
            for suffix in suffixes:
                shutil.copy(f"{live}{suffix}", folder / f"{name}.ifb{suffix}")


@pytest.mark.parametrize("name", ["clean", "index"])
def test_a_read_only_medium_opens_for_reading_and_says_so(frozen: Path, name: str) -> None:
    with Session.open(frozen / f"{name}.ifb") as session:
        assert session.read_only_reason is not None
        assert "cannot be written" in session.read_only_reason
        assert len(session.state().live("vote")) == 3
        assert session.verify() == ()
        with pytest.raises(SessionReadOnlyError, match="cannot be written"):
            session.append("vote", TURN, vote(), "ana")


def test_events_that_cannot_be_reached_on_a_read_only_medium_are_not_left_out_silently(
    frozen: Path,
) -> None:
    with pytest.raises(SessionReadOnlyError, match=r"log\.ifb-wal; copy both files"):
        Session.open(frozen / "log.ifb")


def test_a_new_session_on_a_read_only_medium_is_refused_by_name(frozen: Path) -> None:
    with pytest.raises(SessionUnreachableError, match="cannot be created"):
        Session.open(frozen / "new.ifb")


# ---- a full disk -------------------------------------------------------------------------------


def test_a_full_disk_is_named_keeps_all_earlier_events_and_may_recover(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "400k") as disk:
        ballast = disk / "ballast"
        ballast.write_bytes(b"\0" * 100_000)
        path = disk / "s.ifb"
        made: list[Event] = []
        with open_repeatably(path) as session:

            def fill() -> None:
                subject, body = prompt_subject("ifeval", "1"), {"text": "n" * 500}
                made.extend(session.append("note", subject, body, "ana") for _ in range(2000))

            with pytest.raises(DiskFullError, match="free some space"):
                fill()
            assert made
            assert logged(session) == made
            with pytest.raises(DiskFullError):
                session.import_jsonl(
                    line.replace('"uid":"a', '"uid":"f') for line in session.export_jsonl()
                )
            assert logged(session) == made
        with Session.open(path) as session:
            assert logged(session) == made
            assert session.verify() == ()
            ballast.unlink()
            made.append(session.append("vote", TURN, vote(), "ana"))
            assert logged(session) == made


def test_a_full_disk_refuses_a_new_session_by_name(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        (disk / "ballast").write_bytes(b"\0" * 60_000)
        with pytest.raises(DiskFullError):
            store_votes(disk / "s.ifb")
        (disk / "ballast").unlink()


def test_every_failure_is_one_of_ours_and_carries_its_path(path: Path) -> None:
    path.write_text("x" * 5000)
    with pytest.raises(IfbenchError) as caught:
        Session.open(path)
    assert isinstance(caught.value, SessionError)
    assert caught.value.path == path
