"""The session file: append a decision, take it back, read what counts, merge, check."""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

from ifbench_tui.store.errors import (
    InvalidEventError,
    SessionReadOnlyError,
    sqlite_errors,
)
from ifbench_tui.store.events import (
    Event,
    canonical,
    latest_taken,
    parse,
    stamp,
    to_line,
)
from ifbench_tui.store.file import SessionFile
from ifbench_tui.store.incoming import Incoming, Intake, incoming_lines
from ifbench_tui.store.replay import State, replay
from ifbench_tui.store.schema import open_database, schema_problems

__all__ = ["Intake", "Session"]

Decision = tuple[str, Mapping[str, Any], Mapping[str, Any]]
"""Kind, subject and body of an event to be stored."""

_COLUMNS = "uid, at, annotator, kind, subject, body"


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _new_uid() -> str:
    return uuid.uuid4().hex


class Session(SessionFile):
    """The decisions in a session file; make one with `Session.open`."""

    def __init__(
        self,
        database: sqlite3.Connection,
        path: Path,
        *,
        read_only_reason: str | None,
        clock: Callable[[], datetime],
        new_uid: Callable[[], str],
        on_close: Callable[[], None],
    ) -> None:
        super().__init__(database, path)
        self.read_only_reason = read_only_reason
        """Why nothing can be stored, in words; None if it can."""
        self._clock = clock
        self._new_uid = new_uid
        self._on_close = on_close
        self._state = State()
        self._seen = 0
        self._unreadable: dict[int, str] = {}

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        read_only: bool = False,
        busy_timeout: float = 10.0,
        clock: Callable[[], datetime] = _utc_now,
        new_uid: Callable[[], str] = _new_uid,
        on_close: Callable[[], None] = lambda: None,
    ) -> Self:
        """Open the session at `path`, or start one there, folders included.

        Where the file or its folder cannot be written it opens for reading, and
        `read_only_reason` says so. `busy_timeout` is how many seconds to wait for other writers.
        """
        path = Path(path)
        reason = "opened for reading only" if read_only else _write_obstacle(path)
        database = open_database(path, read_only=reason is not None, busy_timeout=busy_timeout)
        return cls(
            database,
            path,
            read_only_reason=reason,
            clock=clock,
            new_uid=new_uid,
            on_close=on_close,
        )

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        with self._lock:
            super().close()
            self._on_close()

    # ---- decide ------------------------------------------------------------------------------

    def append(
        self, kind: str, subject: Mapping[str, Any], body: Mapping[str, Any], annotator: str
    ) -> Event:
        """Store a decision; it is on the disk when this returns."""
        return self.append_all([(kind, subject, body)], annotator)[0]

    def append_all(self, decisions: Iterable[Decision], annotator: str) -> list[Event]:
        """Store decisions together: all are on the disk when this returns, or none if it raises."""
        decisions = list(decisions)
        for kind, _, _ in decisions:
            if kind in ("undo", "redo"):
                raise InvalidEventError(f"{kind} is not appended; call Session.{kind}")
        with self._writing():
            return self._store(decisions, annotator)

    def undo(self, annotator: str) -> Event | None:
        """Take back the annotator's latest decision that counts; returns it, None if none is left.

        Settings are not undone.
        """
        return self._revise("undo", State.undo_target, annotator)

    def redo(self, annotator: str) -> Event | None:
        """Bring back what undo took last, unless the annotator decided something since."""
        return self._revise("redo", State.redo_target, annotator)

    def _revise(
        self, kind: str, choose: Callable[[State, str], Event | None], annotator: str
    ) -> Event | None:
        with self._writing():
            target = choose(self._refresh(), annotator)
            if target is not None:
                self._store([(kind, {}, {"target": target.uid})], annotator)
            return target

    # ---- read --------------------------------------------------------------------------------

    def events(self, after: int = 0) -> list[tuple[int, Event]]:
        """Stored events with their row numbers, from row `after` + 1 on.

        Row numbers grow with every commit of any process, so the last one seen is where to go on.
        Rows that hold no valid event are left out and listed in `unreadable`.
        """
        with self._lock, sqlite_errors(self.path):
            return self._read(after)[0]

    def state(self) -> State:
        """What counts now, with everything other processes stored so far."""
        with self._lock, sqlite_errors(self.path):
            return self._refresh()

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Rows met so far that hold no valid event, with the reason."""
        return tuple(self._unreadable.values())

    # ---- exchange ----------------------------------------------------------------------------

    def merge(self, other: str | os.PathLike[str]) -> Intake:
        """Take over all events of another session file, which is only read. Repeating is harmless.

        All or nothing: an error leaves this session as it was.
        """
        with Session.open(other, read_only=True) as source:
            return self.take(source.outgoing())

    def outgoing(self) -> Incoming:
        """Every event, and the rows that hold none, for another session to take."""
        events = tuple((str(self.path), event) for _, event in self.events())
        return Incoming(events, self.unreadable)

    def export_jsonl(self) -> list[str]:
        """Every event as a line of JSON, in the order of the log: equal logs, equal lines."""
        log = sorted((event for _, event in self.events()), key=attrgetter("order"))
        return [to_line(event) for event in log]

    def import_jsonl(self, lines: Iterable[str], name: str = "input") -> Intake:
        """Take over events from lines of JSON. `name` is what messages call their source.

        Good lines are taken, broken ones are listed; repeating is harmless.
        """
        return self.take(incoming_lines(lines, name))

    def take(self, incoming: Incoming) -> Intake:
        """Take over events that were read elsewhere; what was broken there is refused here."""
        added, known, refused = 0, 0, list(incoming.broken)
        latest = latest_taken(self._clock())
        with self._writing():
            for place, event in incoming.events:
                held = self._database.execute(
                    f"SELECT {_COLUMNS} FROM event WHERE uid = ?", (event.uid,)
                ).fetchone()
                if held is None and event.at > latest:
                    refused.append(
                        f"{place}: {event.uid} is dated {event.at}, "
                        "more than a century after this machine's clock"
                    )
                elif held is None:
                    self._insert(event)
                    added += 1
                elif _same(held, event):
                    known += 1
                else:
                    refused.append(f"{place}: {event.uid} is stored here with other content")
        return Intake(added, known, tuple(refused))

    # ---- care --------------------------------------------------------------------------------

    def verify(self) -> tuple[str, ...]:
        """Everything that is wrong with the file, a sentence each; empty if it is sound."""
        with self._lock, sqlite_errors(self.path):
            try:
                problems = [*self._file_problems(), *_log_problems(self._read(0)[0])]
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
                    raise
                problems = [f"SQLite: {error}"]
            return (*problems, *self.unreadable)

    def _file_problems(self) -> list[str]:
        check = self._database.execute("PRAGMA integrity_check").fetchall()
        problems = [f"SQLite: {line.decode()}" for (line,) in check if line != b"ok"]
        problems += schema_problems(self._database)
        # Rows are never deleted and failed ones give their number back.
        rows, last = self._database.execute("SELECT count(*), max(id) FROM event").fetchone()
        if rows != (last or 0):
            problems.append(f"{rows} events are stored, but they are numbered up to {last}")
        return problems

    def vacuum(self) -> None:
        """Give unused space back and empty the write-ahead log."""
        with self._lock, sqlite_errors(self.path):
            self._require_writable()
            self._database.execute("VACUUM")
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # ---- inside ------------------------------------------------------------------------------

    def _require_writable(self) -> None:
        if self.read_only_reason is not None:
            raise SessionReadOnlyError(
                self.path, f"{self.read_only_reason}; nothing was stored; work on a copy of it"
            )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, sqlite_errors(self.path):
            self._require_writable()
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            finally:
                # Some failures, such as a full disk, have rolled back already.
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")

    def _store(self, decisions: Iterable[Decision], annotator: str) -> list[Event]:
        events: list[Event] = []
        at = self._refresh().last[0]
        for kind, subject, body in decisions:
            at = stamp(self._clock(), at)
            texts = canonical(dict(subject)), canonical(dict(body))
            events.append(parse(self._new_uid(), at, annotator, kind, *texts))
            self._insert(events[-1])
        return events

    def _insert(self, event: Event) -> None:
        self._database.execute(
            f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
            (
                event.uid,
                event.at,
                event.annotator,
                event.kind,
                event.subject_id,
                canonical(event.body),
            ),
        )

    def _refresh(self) -> State:
        new, seen = self._read(self._seen)
        if new and min(event.order for _, event in new) <= self._state.last:
            # A merge brought events from before; the fold starts over.
            self._state = replay(event for _, event in self._read(0)[0])
        elif new:
            self._state = replay((event for _, event in new), onto=self._state)
        self._seen = seen
        return self._state

    def _read(self, after: int) -> tuple[list[tuple[int, Event]], int]:
        """Events after a row, and the last row there is."""
        found: list[tuple[int, Event]] = []
        rows = self._database.execute(
            f"SELECT id, {_COLUMNS} FROM event WHERE id > ? ORDER BY id", (after,)
        )
        for row, *texts in rows:
            after = row
            try:
                found.append((row, parse(*map(_decode, texts))))
            except InvalidEventError as error:
                self._unreadable[row] = f"event {row}: {error}"
        return found, after


def _write_obstacle(path: Path) -> str | None:
    """Why an existing session cannot be written, if so."""
    if path.is_file():
        for place, name in ((path, "file"), (path.parent, "folder")):
            if not os.access(place, os.W_OK):
                return f"the {name} {place} cannot be written"
    return None


def _decode(value: object) -> str:
    if not isinstance(value, bytes):
        raise InvalidEventError(f"{value!r:.80} stands where a text belongs")
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise InvalidEventError(f"no UTF-8: {value!r:.80}") from error


def _same(row: Iterable[object], event: Event) -> bool:
    try:
        return parse(*map(_decode, row)) == event
    except InvalidEventError:
        return False


def _log_problems(events: list[tuple[int, Event]]) -> list[str]:
    by_uid = {event.uid: event for _, event in events}
    problems = []
    if len(by_uid) < len(events):
        problems.append(f"events that repeat the uid of another: {len(events) - len(by_uid)}")
    for row, event in events:
        if event.kind in ("undo", "redo"):
            target = by_uid.get(event.body["target"])
            where = f"event {row}: {event.kind} of {event.body['target']}"
            if target is None:
                problems.append(f"{where}, which is not in this session")
            elif target.annotator != event.annotator:
                problems.append(f"{where}, which is a decision of another annotator")
            elif target.order >= event.order:
                problems.append(f"{where}, which came later")
    return problems
