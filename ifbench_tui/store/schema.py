"""The SQLite file of a session: how it is opened, made, recognised and brought up to date."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

from ifbench_tui.store.errors import (
    NotASessionError,
    SessionNotFoundError,
    SessionReadOnlyError,
    SessionTooNewError,
    SessionUnreachableError,
    sqlite_errors,
)

__all__ = ["APPLICATION_ID", "MIGRATIONS", "Steps", "open_database", "pragma", "schema_problems"]

APPLICATION_ID = int.from_bytes(b"IFBT", "big")
"""Stored in the header of every session file, so that no other database is taken for one."""

Steps = Sequence[Sequence[str]]

MIGRATIONS: Steps = (
    (
        """CREATE TABLE event (
            id INTEGER PRIMARY KEY,
            uid TEXT NOT NULL UNIQUE,
            at TEXT NOT NULL,
            annotator TEXT NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            body TEXT NOT NULL
        )""",
        """CREATE TRIGGER event_is_kept BEFORE DELETE ON event
            BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END""",
        """CREATE TRIGGER event_is_fixed BEFORE UPDATE ON event
            BEGIN SELECT RAISE(ABORT, 'events are never changed'); END""",
        # INSERT OR REPLACE deletes without firing a delete trigger.
        """CREATE TRIGGER event_is_new BEFORE INSERT ON event
            WHEN EXISTS (SELECT 1 FROM event WHERE uid = NEW.uid OR id = NEW.id)
            BEGIN SELECT RAISE(ABORT, 'events are never replaced'); END""",
    ),
    (
        """CREATE TABLE judge_call (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL,
            reply TEXT NOT NULL
        )""",
        "CREATE INDEX judge_call_by_digest ON judge_call (digest)",
    ),
)
"""Step i, a sequence of statements, brings a file from schema version i to i + 1."""


def open_database(
    path: Path, *, read_only: bool, busy_timeout: float, steps: Steps = MIGRATIONS
) -> sqlite3.Connection:
    """A connection to the session at `path`, created for its owner only and migrated if need be.

    A commit returns after the data is on the disk. Text comes back as bytes, since a file may hold
    anything. Other writers are waited for up to `busy_timeout` seconds. Nothing is written to a
    file that is not a session, nor with `read_only`.
    """
    with ExitStack() as on_failure, sqlite_errors(path):
        database = _connect(path, read_only, busy_timeout)
        on_failure.callback(database.close)
        database.text_factory = bytes
        # A crafted file must not run functions through its views and triggers.
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("BEGIN")
        version = _version(database, path, len(steps))
        database.execute("COMMIT")
        if not read_only:
            if version < len(steps):
                _migrate(database, path, steps)
            # Not earlier: the main file names us before it can have a write-ahead log.
            _use_write_ahead_log(database, busy_timeout)
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA fullfsync = ON")
        elif version == 0:
            raise NotASessionError(path, "the file is empty: no session was begun in it yet")
        on_failure.pop_all()
        return database


def pragma(database: sqlite3.Connection, name: str) -> int:
    """The value of a numeric pragma."""
    return int(database.execute(f"PRAGMA {name}").fetchone()[0])


def _connect(path: Path, read_only: bool, busy_timeout: float) -> sqlite3.Connection:
    if path.is_dir():
        raise SessionUnreachableError(path, "this is a folder; name a file in it")
    if not path.exists():
        if read_only:
            raise SessionNotFoundError(path, "there is no such session; check the path")
        _create(path)
    options = _read_only_options(path) if read_only else "mode=rw"
    return sqlite3.connect(
        f"file:{quote(os.fsencode(path.absolute()))}?{options}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
    )


def _create(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        # Another process may have been first, which is as good.
        if not path.is_file():
            raise SessionUnreachableError(
                path, f"cannot be created ({error.strerror}); choose another place"
            ) from error


def _read_only_options(path: Path) -> str:
    """SQLite keeps an index beside a write-ahead log; where it cannot, the log must be empty."""
    log, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    if index.exists() or os.access(path.parent, os.W_OK):
        return "mode=ro"
    if log.exists() and log.stat().st_size > 0:
        raise SessionReadOnlyError(
            path, f"the latest events are in {log.name}; copy both files to a folder of your own"
        )
    return "mode=ro&immutable=1"


def _version(database: sqlite3.Connection, path: Path, newest: int) -> int:
    """Schema version of a session, 0 for an empty database; anything else is refused."""
    version = pragma(database, "user_version")
    if pragma(database, "application_id") != APPLICATION_ID:
        if version or database.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise NotASessionError(
                path, "this is another program's database; choose another file name"
            )
        return 0
    if version > newest:
        raise SessionTooNewError(
            path, f"its schema version is {version}, this program reads up to {newest}; update it"
        )
    return version


def _migrate(database: sqlite3.Connection, path: Path, steps: Steps) -> None:
    database.execute("BEGIN IMMEDIATE")
    try:
        # Asked again under the lock: another process may have been faster.
        for step in steps[_version(database, path, len(steps)) :]:
            for statement in step:
                database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute(f"PRAGMA user_version = {len(steps)}")
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


def _use_write_ahead_log(database: sqlite3.Connection, busy_timeout: float) -> None:
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            # SQLite does not wait here while other processes open the same new file.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def schema_problems(database: sqlite3.Connection) -> list[str]:
    """Tables, indexes and triggers that are missing from the file, altered or not ours.

    A file that is only read may have an earlier schema, which is as good.
    """
    fresh = sqlite3.connect(":memory:")
    try:
        fresh.text_factory = bytes
        for step in MIGRATIONS[: pragma(database, "user_version")]:
            for statement in step:
                fresh.execute(statement)
        wanted, found = _objects(fresh), _objects(database)
    finally:
        fresh.close()
    return [
        f"schema: {name.decode(errors='replace')} is missing, altered or not ours"
        for name in sorted({name for name, _ in wanted ^ found})
    ]


def _objects(database: sqlite3.Connection) -> set[tuple[bytes, bytes | None]]:
    return set(database.execute("SELECT name, sql FROM sqlite_master"))
