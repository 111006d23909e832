"""A process that votes until it is killed, and prints the uid of every vote that was acknowledged.

For each path of a session read from standard input it forks a child that prints its id, then votes
without end; once the child has died, "died" and how is printed.
"""

from __future__ import annotations

import os
import sys

from ifbench_tui.store import Session
from ifbench_tui.voting.ballot import Ballot
from ifbench_tui.voting.pairs import Plan
from tests.voting.helpers import arena_with


def say(line: str) -> None:
    """One write, so that a line is printed whole or not at all."""
    os.write(1, line.encode() + b"\n")


def vote(path: str) -> None:
    with Session.open(path) as session:
        ballot = Ballot(arena_with(prompts=5000), session, "ana", Plan(seed=7))
        while ballot.matchup is not None:
            say(ballot.cast("left").uid)


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            say(str(os.getpid()))
            vote(line.strip())
            os._exit(0)
        _, status = os.waitpid(child, 0)
        say(f"died {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
