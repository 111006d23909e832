"""Sample decisions, a clock and uids that repeat, and a small disk."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.store import Event, Session, cell_subject, text_digest, turn_subject
from ifbench_tui.store.errors import SessionIOError
from ifbench_tui.store.replay import State

START = datetime(2026, 1, 31, 12, tzinfo=UTC)
DIGEST = text_digest("a response")
CELL = cell_subject(
    "ifeval", "1019", "model-1", index=0, constraint_type="punctuation:no_comma", variant="strict"
)
TURN = turn_subject("ifeval", "1019")
WRITER = Path(__file__).with_name("writer.py")
REPOSITORY = Path(__file__).resolve().parents[2]


def mark(opinion: str | None = "agree") -> dict[str, Any]:
    return {"opinion": opinion, "verdict": True, "digest": DIGEST}


def vote(winner: str = "model_a", **changes: Any) -> dict[str, Any]:
    return {
        "model_a": "model-1",
        "model_b": "model-2",
        "digest_a": DIGEST,
        "digest_b": DIGEST,
        "left": "model_b",
        "winner": winner,
        "unblinded": False,
        "reasons": ["follows the constraints"],
        "seed": 7,
        **changes,
    }


def open_repeatably(path: Path, first: str = "a", **options: Any) -> Session:
    """A session whose clock ticks by seconds and whose uids count up after the digit `first`."""
    seconds, numbers = itertools.count(), itertools.count()
    return Session.open(
        path,
        clock=lambda: START + timedelta(seconds=next(seconds)),
        new_uid=lambda: f"{first}{next(numbers):031x}",
        **options,
    )


class UnreadableSession(Session):
    """A session on a disk that refuses to read, from the next decision on, while `failing`."""

    failing = False
    _read_no_more = False

    def append_all(self, decisions: Iterable[Any], annotator: str) -> list[Event]:
        events = super().append_all(decisions, annotator)
        self._read_no_more = self.failing
        return events

    def state(self) -> State:
        if self.failing and self._read_no_more:
            raise SessionIOError(self.path, "the disk refused to read")
        return super().state()


def contents(state: State) -> dict[tuple[str, ...], Any]:
    """What counts, as plain data: (kind, annotator, subject or uid) to body."""
    return {
        (kind, *slot): dict(event.body)
        for kind in ("mark", "note", "bookmark", "setting", "vote")
        for slot, event in state.live(kind).items()
    }


def logged(session: Session) -> list[Event]:
    return [event for _, event in session.events()]


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of its own with `size` bytes; skips where mounting is not allowed."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", folder],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("mounting a small file system needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def remount_read_only(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
