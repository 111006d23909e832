"""Several processes at one file, and processes that die."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ifbench_tui.store import Session
from tests.store.helpers import WRITER, logged
from tests.store.writer import start_together

ROUNDS = 200
ROUNDS_PER_FILE = 20


def start(*arguments: object) -> subprocess.Popen[str]:
    """A real process of `writer.py`."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", WRITER, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def kill_one(server: subprocess.Popen[str], path: Path, promises: int, moment: float) -> list[str]:
    """Have notes stored until so many were promised and `moment` seconds more, then kill -9.

    Returns the uid of every promised note.
    """
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(f"{path}\n")
    child = int(server.stdout.readline())
    promised = [server.stdout.readline().strip() for _ in range(promises)]
    killer = threading.Timer(moment, os.kill, (child, signal.SIGKILL))
    killer.start()
    for line in server.stdout:
        if line.startswith("died"):
            assert line == f"died -{int(signal.SIGKILL)}\n"
            break
        promised.append(line.strip())
    killer.join()
    return promised


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is a signal of POSIX")
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    moments = random.Random(9)
    server = start()
    for number in range(ROUNDS):
        if number % ROUNDS_PER_FILE == 0:
            path = tmp_path / f"{number}.ifb"
            promised: list[str] = []
        if moments.random() < 0.25:
            # While it opens: making the file, recovering from the kill before.
            promised += kill_one(server, path, 0, moments.uniform(0, 0.01))
        else:
            promised += kill_one(server, path, moments.randrange(1, 20), moments.uniform(0, 0.004))
        assert path.exists() or not promised
        with Session.open(path) as session:
            stored = [event.uid for event in logged(session)]
            assert session.verify() == ()
        lost = [place for place, uid in enumerate(promised) if uid not in stored]
        assert lost == [], f"round {number}: {len(stored)} stored, {len(promised)} promised"
        # In the order of the promises; at most the one event in flight was never promised.
        assert sorted(promised, key=stored.index) == promised
        assert len(stored) - len(promised) <= number % ROUNDS_PER_FILE + 1
    _, errors = server.communicate()
    assert (server.returncode, errors) == (0, "")


def test_two_processes_write_at_once_and_both_keep_everything(tmp_path: Path) -> None:
    path = tmp_path / "s.ifb"
    writers = {annotator: start(path, annotator, 200) for annotator in ("ana", "ben")}
    promised = {}
    for annotator, writer in writers.items():
        output, errors = writer.communicate()
        assert (writer.returncode, errors) == (0, "")
        promised[annotator] = output.split()
    with Session.open(path) as session:
        log = logged(session)
        assert session.verify() == ()
    assert log == sorted(log, key=lambda event: event.order)
    for annotator, uids in promised.items():
        assert [event.uid for event in log if event.annotator == annotator] == uids
        assert len(uids) == 200


def test_processes_may_start_the_same_new_session_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    paths = [tmp_path / str(number) / "s.ifb" for number in range(40)]
    barrier = context.Barrier(4, timeout=60)
    starters = [context.Process(target=start_together, args=(paths, barrier)) for _ in range(4)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    assert [starter.exitcode for starter in starters] == [0] * 4
    for path in paths:
        with Session.open(path, read_only=True) as session:
            assert len(session.events()) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
@pytest.mark.parametrize("limit", [50_000, 150_000])
def test_a_write_the_system_refuses_is_named_and_earlier_events_stay(
    tmp_path: Path, limit: int
) -> None:
    path = tmp_path / "s.ifb"
    writer = start(path, "ana", 5000, limit)
    output, errors = writer.communicate()
    assert writer.returncode == 2
    assert errors.startswith(("SessionIOError", "DiskFullError"))
    assert os.fspath(path) in errors
    with Session.open(path) as session:
        assert [event.uid for event in logged(session)] == output.split()
        assert output
        assert session.verify() == ()
