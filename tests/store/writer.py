"""Processes that write to sessions. They need the standard library only, so they start fast.

`writer.py SESSION ANNOTATOR COUNT [MAX_FILE_SIZE]` stores notes and prints the uid of each one
after it was committed. `writer.py` alone reads paths of sessions, a line each: for each it forks a
process that prints its id, then writes without end; once it has died, "died" and how is printed.
"""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from ifbench_tui.store import Session, prompt_subject
from ifbench_tui.store.errors import SessionError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from multiprocessing.synchronize import Barrier


def say(line: str) -> None:
    """One write, so that a line is printed whole or not at all."""
    os.write(1, line.encode() + b"\n")


def write_notes(path: str, annotator: str, numbers: Iterable[int], max_file_size: str = "") -> int:
    with Session.open(path) as session:
        if max_file_size:
            import resource

            resource.setrlimit(resource.RLIMIT_FSIZE, (int(max_file_size),) * 2)
        for number in numbers:
            try:
                event = session.append(
                    "note", prompt_subject("ifeval", str(number)), {"text": "n" * 300}, annotator
                )
            except SessionError as error:
                print(type(error).__name__, error, file=sys.stderr)
                return 2
            say(event.uid)
    return 0


def serve() -> int:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            say(str(os.getpid()))
            os._exit(write_notes(line.strip(), "ana", itertools.count()))
        _, status = os.waitpid(child, 0)
        say(f"died {os.waitstatus_to_exitcode(status)}")
    return 0


def start_together(paths: list[Path], barrier: Barrier) -> None:
    """Open each new session at the same moment as all other parties of the barrier."""
    for path in paths:
        barrier.wait()
        with Session.open(path) as session:
            session.append("note", prompt_subject("ifeval", "1"), {"text": "first"}, "ana")


def main(path: str = "", annotator: str = "", count: str = "", max_file_size: str = "") -> int:
    return write_notes(path, annotator, range(int(count)), max_file_size) if path else serve()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
