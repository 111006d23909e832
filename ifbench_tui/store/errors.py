"""What can go wrong with a session file.

IfbenchError
├── InvalidEventError             an event that breaks the rules of its kind
├── StoredError                   a decision is stored, what was to follow from it failed
└── SessionError                  carries the path of the session
    ├── SessionNotFoundError
    ├── SessionUnreachableError   a folder, no permission, a medium that cannot be opened
    ├── NotASessionError          no database, or another program's
    ├── SessionTooNewError        written by a later version
    ├── SessionLockedError        another program kept it locked for too long
    ├── SessionReadOnlyError
    ├── SessionDamagedError
    └── SessionIOError            reading or writing failed
        └── DiskFullError
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ifbench_tui.errors import IfbenchError

__all__ = [
    "DiskFullError",
    "InvalidEventError",
    "NotASessionError",
    "SessionDamagedError",
    "SessionError",
    "SessionIOError",
    "SessionLockedError",
    "SessionNotFoundError",
    "SessionReadOnlyError",
    "SessionTooNewError",
    "SessionUnreachableError",
    "StoredError",
    "after_storing",
    "sqlite_errors",
]


class InvalidEventError(IfbenchError):
    """An event that breaks the rules of its kind; it was not stored."""


class StoredError(IfbenchError):
    """A decision is stored and counts; what was to follow from it failed."""

    def __init__(self, cause: IfbenchError) -> None:
        super().__init__(str(cause))
        self.path = getattr(cause, "path", "")


class SessionError(IfbenchError):
    """A session file could not be used. `path` names it."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class SessionNotFoundError(SessionError):
    """There is no file at this path and none may be created."""


class SessionUnreachableError(SessionError):
    """The path cannot be opened or created: a folder, missing permission, an odd medium."""


class NotASessionError(SessionError):
    """The file is no database, or the database of another program. It was left as it is."""


class SessionTooNewError(SessionError):
    """The file was written by a later version of this program. It was left as it is."""


class SessionLockedError(SessionError):
    """Another program held the write lock for longer than we wait."""


class SessionReadOnlyError(SessionError):
    """The session was opened for reading only, so nothing was stored."""


class SessionDamagedError(SessionError):
    """The database is damaged."""


class SessionIOError(SessionError):
    """The disk refused a read or a write. Nothing stored before is lost."""


class DiskFullError(SessionIOError):
    """No space is left. The last event was not stored; everything before it is."""


_BY_CODE: dict[int, tuple[type[SessionError], str]] = {
    sqlite3.SQLITE_BUSY: (
        SessionLockedError,
        "another program keeps this session locked; close it there, then try again",
    ),
    sqlite3.SQLITE_LOCKED: (
        SessionLockedError,
        "another connection keeps this session locked; close it, then try again",
    ),
    sqlite3.SQLITE_READONLY: (
        SessionReadOnlyError,
        "the file or its folder cannot be written; copy it to a folder of your own",
    ),
    sqlite3.SQLITE_CORRUPT: (
        SessionDamagedError,
        "the database is damaged; keep a copy, then restore a backup or an export into a new file",
    ),
    sqlite3.SQLITE_NOTADB: (
        NotASessionError,
        "this file is not a session (no SQLite database); choose another file name",
    ),
    sqlite3.SQLITE_FULL: (
        DiskFullError,
        "the disk is full: the last event was not stored, all earlier ones are; "
        "free some space, then repeat it",
    ),
    sqlite3.SQLITE_IOERR: (
        SessionIOError,
        "the disk refused to read or write; all that was stored before is still there; "
        "check space, quota and the medium",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        SessionUnreachableError,
        "the file or its folder cannot be opened; check the path and its permissions",
    ),
    sqlite3.SQLITE_PERM: (
        SessionUnreachableError,
        "access is denied; check the permissions of the file and its folder",
    ),
}


@contextmanager
def after_storing() -> Iterator[None]:
    """For what follows from a decision: what fails in here is raised as `StoredError`."""
    try:
        yield
    except StoredError:
        raise
    except IfbenchError as error:
        raise StoredError(error) from error


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite reports about `path` into the named errors of this module."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # The low byte is the primary code; the rest only tells where inside SQLite it arose.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code not in _BY_CODE:
            raise
        kind, message = _BY_CODE[code]
        raise kind(path, f"{message} [SQLite: {error}]") from error
