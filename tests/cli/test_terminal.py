"""The app in a real terminal while its data comes through a pipe."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time
from pathlib import Path

from tests.cli.data import PROMPTS, write_suite


def test_piped_data_is_read_while_keys_come_from_the_terminal(tmp_path: Path) -> None:
    _, careful, *_ = write_suite(tmp_path)
    readable, writable = os.pipe()
    process, terminal = pty.fork()
    if process == 0:
        os.close(writable)
        os.dup2(readable, 0)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "HOME": str(tmp_path)}
        environment["XDG_DATA_HOME"] = environment["XDG_CONFIG_HOME"] = str(tmp_path / "xdg")
        command = [sys.executable, "-m", "ifbench_tui", "-", careful, "--start", "audit"]
        os.execve(sys.executable, command, environment)
    os.close(readable)
    os.write(writable, "".join(json.dumps(prompt) + "\n" for prompt in PROMPTS).encode())
    os.close(writable)
    try:
        screen = _read_until(terminal, b"careful")
        os.write(terminal, b"q")
        _read_until(terminal, None)
    finally:
        # Whoever is still there hears that the terminal is gone.
        os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert b"careful" in screen


def _read_until(terminal: int, wanted: bytes | None) -> bytes:
    """What the terminal was sent, up to what is wanted (None: the end) or a long while."""
    shown = b""
    deadline = time.monotonic() + 30
    while (wanted is None or wanted not in shown) and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break
    return shown
