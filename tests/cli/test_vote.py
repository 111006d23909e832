"""`vote` starts in the Vote screen; what it stored survives a kill."""

from __future__ import annotations

import fcntl
import io
import json
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
        (["--annotator", " ana"], "no space at the ends"),
        (["--annotator", "a" * 101], "at most 100 printable characters"),
        (["--blind-seed", "-3"], "not a whole number"),
        (["--policy", "best"], "invalid choice"),
        (["--pairs", "no-such-file"], "no-such-file"),
        (["-", "--pairs", "-"], "standard input can be read once"),
    ],
)
def test_bad_usage(tmp_path: Path, arguments: list[str], said: str, capsys: Out) -> None:
    assert main(["vote", *write_suite(tmp_path), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_bad_row_of_a_list_is_named(tmp_path: Path, capsys: Out) -> None:
    pairs = write_rows(tmp_path / "pairs.jsonl", [{"key": 7, "model_a": "careful"}])
    assert main(["vote", *write_suite(tmp_path), "--pairs", str(pairs)]) == 2
    assert "pairs.jsonl:1: model_b is None" in capsys.readouterr().err


def test_a_list_may_come_from_standard_input(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = b"key,model_a,model_b\n7,careful,\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(row)))
    assert main(["vote", *write_suite(tmp_path), "--pairs", "-"]) == 2
    assert "-:2: model_b is ''" in capsys.readouterr().err


def test_a_mapping_is_looked_for_in_the_config_that_was_named(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IFBENCH_CONFIG", str(tmp_path / "own.toml"))
    other = tmp_path / "other.toml"
    other.write_text('[mappings.logs]\nprompt = "question"\n')
    command = ["vote", *write_suite(tmp_path), "--config", str(other), "--map"]
    assert main([*command, "logs"]) == 2
    assert "needs a terminal" in capsys.readouterr().err
    assert main([*command, "log"]) == 2
    assert f"{other} has no [mappings.log] (it has logs)" in capsys.readouterr().err


def test_without_a_terminal_it_says_so(tmp_path: Path, capsys: Out) -> None:
    assert main(["vote", *write_suite(tmp_path)]) == 2
    assert "terminal" in capsys.readouterr().err


class Terminal:
    """The app in a real terminal, with a few bytes in standard input or the keys there too."""

    def __init__(self, home: Path, *arguments: str, piped: bytes | None = None) -> None:
        self.shown = b""
        self.process, self._handle = pty.fork()
        if self.process == 0:
            if piped is not None:
                readable, writable = os.pipe()
                os.write(writable, piped)
                os.close(writable)
                os.dup2(readable, 0)
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


def test_a_piped_list_is_asked_while_keys_come_from_the_terminal(tmp_path: Path) -> None:
    row = {"key": 12, "model_a": "chatty", "model_b": "careful"}
    options = ["--session", str(tmp_path / "s.ifb"), "--annotator", "ana", "--pairs", "-"]
    terminal = Terminal(tmp_path, *write_suite(tmp_path), *options, piped=json.dumps(row).encode())
    try:
        terminal.read_until("Read both")
        terminal.press_until("a", "next pair")
        terminal.press_until(" ", "No pair is left")
    finally:
        terminal.kill()
    with Session.open(tmp_path / "s.ifb") as session:
        (vote,) = session.state().live("vote").values()
    assert (vote.subject["key"], vote.body["model_a"]) == ("12", "careful")
