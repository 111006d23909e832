"""An open session file: what its readers and writers share."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["SessionFile"]


class SessionFile:
    """One connection that threads take turns at; any number of processes may have the same file
    open. Every method raises the errors of `ifbench_tui.store.errors`."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._database = database
        self._lock = threading.RLock()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        with self._lock:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
