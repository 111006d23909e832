"""What a judge or model answered, kept in the session so that no call is paid for twice."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

from ifbench_tui.store.errors import sqlite_errors
from ifbench_tui.store.file import SessionFile
from ifbench_tui.store.schema import open_database

__all__ = ["JudgeCache"]


class JudgeCache(SessionFile):
    """Replies by the digest of the call; make one with `JudgeCache.open`.

    Rows are only added: a later reply to the same call counts, an earlier one stays on record.
    """

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, busy_timeout: float = 10.0) -> Self:
        """Open the cache in the session at `path`, which is started if there is none."""
        path = Path(path)
        return cls(open_database(path, read_only=False, busy_timeout=busy_timeout), path)

    def get(self, digest: str) -> str | None:
        """The latest reply to a call; None where there is none that is text."""
        with self._lock, sqlite_errors(self.path):
            row = self._database.execute(
                "SELECT reply FROM judge_call WHERE digest = ? ORDER BY id DESC LIMIT 1", (digest,)
            ).fetchone()
        if row is None or not isinstance(row[0], bytes):
            return None
        try:
            return row[0].decode()
        except UnicodeDecodeError:
            return None

    def put(self, digest: str, reply: str) -> None:
        """Store a reply; it is on the disk when this returns."""
        with self._lock, sqlite_errors(self.path):
            self._database.execute(
                "INSERT INTO judge_call (digest, reply) VALUES (?, ?)", (digest, reply)
            )
