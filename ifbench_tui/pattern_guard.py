"""Searches patterns from files in a child process that can be stopped.

A hostile pattern holds the interpreter until it is done and no thread can interrupt it, so it runs
in a process of its own. One child serves all searches of its parent and is replaced after a
search that had to be stopped.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import queue
import re
import subprocess
import sys
import threading
from typing import IO, Any

from ifbench_tui.engine.patterns import DirectFinder
from ifbench_tui.engine.verdict import CheckError, CheckFailed

__all__ = ["TIME_LIMIT", "PatternGuard", "serve"]

TIME_LIMIT = 1.0
"""Seconds one search may take."""

_STARTING_LIMIT = 20.0


class PatternGuard:
    """A `PatternFinder` with a time limit. One search at a time; safe to use from any thread."""

    def __init__(self, time_limit: float = TIME_LIMIT) -> None:
        self._time_limit = time_limit
        self._lock = threading.Lock()
        self._child: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        atexit.register(self.close)

    def find(self, pattern: str, flags: int, text: str, limit: int) -> list[tuple[int, int]]:
        found = self._ask({"pattern": pattern, "flags": flags, "text": text, "limit": limit})
        return [(start, end) for start, end in found]

    def count_split(self, pattern: str, flags: int, text: str) -> int:
        return int(self._ask({"pattern": pattern, "flags": flags, "text": text, "split": True}))

    def close(self) -> None:
        """End the child; a later search starts another."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            for stream in (child.stdin, child.stdout):
                if stream is not None:
                    # Closing writes what a dead child did not take, which fails again.
                    with contextlib.suppress(OSError):
                        stream.close()
            child.wait()

    def _ask(self, question: dict[str, Any]) -> Any:
        pattern = question["pattern"]
        with self._lock:
            try:
                child = self._living() or self._start()
                assert child.stdin is not None
                child.stdin.write(json.dumps(question) + "\n")
                child.stdin.flush()
                answer = self._answers.get(timeout=self._time_limit)
            except queue.Empty:
                self.close()
                message = f"pattern timed out after {self._time_limit:g} s: {pattern!r}"
                raise CheckFailed(CheckError("pattern_timeout", message)) from None
            except OSError:
                answer = ""
            if not answer:
                self.close()
                message = f"the process that searches for patterns ended: {pattern!r}"
                raise CheckFailed(CheckError("pattern_failed", message))
        return json.loads(answer)

    def _living(self) -> subprocess.Popen[str] | None:
        """The child, unless it ended while it had nothing to do."""
        if self._child is not None and self._child.poll() is not None:
            self.close()
        return self._child

    def _start(self) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="ascii",
        )
        assert child.stdout is not None
        self._answers = queue.SimpleQueue()
        reader = threading.Thread(
            target=_pump, args=(child.stdout, self._answers), daemon=True, name="pattern-guard"
        )
        reader.start()
        self._child = child
        # The time limit is for searching, not for starting Python on a busy machine.
        try:
            ready = self._answers.get(timeout=_STARTING_LIMIT)
        except queue.Empty:
            ready = ""
        if not ready:
            raise ChildProcessError("the process that searches for patterns does not start")
        return child


def _pump(stream: IO[str], answers: queue.SimpleQueue[str]) -> None:
    """Pass lines on; an empty one says that the child is gone."""
    try:
        for line in stream:
            answers.put(line)
    except ValueError:
        # The stream was closed under us because the child was stopped.
        pass
    answers.put("")


def serve(requests: IO[str], answers: IO[str]) -> None:
    """The child: one JSON question a line in, one JSON answer a line out."""
    finder = DirectFinder()
    answers.write("ready\n")
    answers.flush()
    for line in requests:
        question = json.loads(line)
        pattern, flags, text = question["pattern"], question["flags"], question["text"]
        answer: Any
        if question.get("split"):
            answer = finder.count_split(pattern, flags, text)
        else:
            answer = finder.find(pattern, re.RegexFlag(flags), text, question["limit"])
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
