"""Tries an installed ifbench-tui the way a newcomer does: ``python wheel_smoke.py PROGRAM``.

Needs nothing but the standard library, and no checkout: whatever is missing from the wheel shows.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time


def main(program: str) -> None:
    """Exit with a message where something does not work."""
    files = output(program, "demo", "--list").split()
    prompts = [path for path in files if path.endswith(".jsonl")]
    expect(len(prompts) >= 3, f"the sample data is not there: {files}")
    themes = output(program, "themes").strip().split("\n")
    expect(len(themes) >= 6, f"the themes are not there: {themes}")
    folder = os.path.dirname(os.path.dirname(next(p for p in files if "responses" in p)))
    scores = json.loads(output(program, "score", folder, "--json", "--quiet"))
    expect(len(scores["models"]) >= 3, f"the sample models are not scored: {scores}")
    screen = demo(program)
    expect(any(model in screen for model in scores["models"]), f"demo drew: {screen[-2000:]!r}")
    print("the wheel works: demo, score, themes")


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def demo(program: str) -> str:
    """Start the demo in a terminal of 100×30, wait for its screen, leave with `q`."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(program, [program, "demo"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    screen = b""
    deadline = time.monotonic() + 60
    quitting = False
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 1.0)
        if ready:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            screen += data
        elif screen and not quitting:
            quitting = True
            os.write(terminal, b"q")
    _, status = os.waitpid(child, 0)
    expect(os.waitstatus_to_exitcode(status) == 0, f"demo ended with {status}")
    return screen.decode("utf-8", "replace")


def expect(holds: bool, message: str) -> None:
    if not holds:
        sys.exit(message)


if __name__ == "__main__":
    main(sys.argv[1])
