"""`vote` starts in the Vote screen; what it stored survives a kill."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from ifbench_tui.store import Session

from .data import write_rows, write_suite

Out = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--models", "one"], "a vote needs two models"),
        (["--models", "one,one"], "a vote needs two models"),
        (["--policy", "list"], "belong together"),
        (["--policy", "uniform", "--pairs", "x"], "belong together"),
        (["--annotator", " ana"], "wanted a printable name"),
        (["--annotator", "a" * 101], "at most 100 characters"),
        (["--blind-seed", "-3"], "not a whole number"),
        (["--policy", "best"], "invalid choice"),
        (["--pairs", "no-such-file"], "no-such-file"),
    ],
)
def test_bad_usage(tmp_path: Path, arguments: list[str], said: str, capsys: Out) -> None:
    assert main(["vote", *write_suite(tmp_path), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_bad_row_of_a_list_is_named(tmp_path: Path, capsys: Out) -> None:
    pairs = write_rows(tmp_path / "pairs.jsonl", [{"key": 7, "model_a": "careful"}])
    assert main(["vote", *write_suite(tmp_path), "--pairs", str(pairs)]) == 2
    assert "pairs.jsonl:1: model_b is None" in capsys.readouterr().err


def test_without_a_terminal_it_says_so(tmp_path: Path, capsys: Out) -> None:
    assert main(["vote", *write_suite(tmp_path)]) == 2
    assert "terminal" in capsys.readouterr().err


class Terminal:
    """The app in a real terminal."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.shown = b""
        self.process, self._handle = pty.fork()
        if self.process == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            environment = {**os.environ, "TERM": "xterm-256color", "HOME": str(home)}
            for kind in ("DATA", "CONFIG"):
                environment[f"XDG_{kind}_HOME"] = str(home / "xdg")
            command = [sys.executable, "-m", "ifbench_tui", "vote", *arguments]
            os.execve(sys.executable, command, environment)

    def press(self, key: str) -> None:
        os.write(self._handle, key.encode())

    def read_until(self, wanted: str) -> None:
        """Fails where the wanted text does not come for a long while."""
        self.shown = b""
        deadline = time.monotonic() + 30
        while wanted.encode() not in self.shown:
            assert time.monotonic() < deadline, f"{wanted!r} never came: {self.shown[-2000:]!r}"
            if select.select([self._handle], [], [], 0.1)[0]:
                self.shown += os.read(self._handle, 65536)

    def press_until(self, key: str, wanted: str) -> None:
        """Press again and again: a key that comes too early does not count."""
        self.shown = b""
        for _ in range(100):
            self.press(key)
            for _ in range(10):
                if select.select([self._handle], [], [], 0.1)[0]:
                    self.shown += os.read(self._handle, 65536)
                if wanted.encode() in self.shown:
                    return
        raise AssertionError(f"{wanted!r} never came: {self.shown[-2000:]!r}")

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self._handle)


def test_a_vote_in_a_real_terminal_survives_kill_9(tmp_path: Path) -> None:
    paths = write_suite(tmp_path)
    path = tmp_path / "s.ifb"
    options = ["--session", str(path), "--annotator", "ana", "--blind-seed", "7"]
    options += ["--models", "careful,chatty"]
    kept: list[list[str]] = []
    for number in (1, 2):
        terminal = Terminal(tmp_path, *paths, *options)
        try:
            terminal.read_until("Read both")
            assert b"careful" not in terminal.shown
            assert b"chatty" not in terminal.shown
            terminal.press_until("a", "next pair")
            assert f"{number} vote" in terminal.shown.decode(errors="replace")
        finally:
            terminal.kill()
        with Session.open(path) as session:
            assert session.verify() == ()
            votes = session.state().live("vote").values()
            kept.append([event.uid for event in votes])
            assert len(votes) == number
            assert len({event.subject_id for event in votes}) == number
            assert {event.body["seed"] for event in votes} == {7}
    assert kept[1][:1] == kept[0]
