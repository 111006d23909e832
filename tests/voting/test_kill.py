"""A vote that was acknowledged survives kill -9."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ifbench_tui.store import Session
from ifbench_tui.voting.ballot import Ballot
from ifbench_tui.voting.pairs import Plan

from .helpers import arena_with

ROUNDS = 40


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is a signal of POSIX")
def test_acknowledged_votes_survive_and_the_sitting_goes_on(tmp_path: Path) -> None:
    moments = random.Random(5)
    path = tmp_path / "s.ifb"
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.voting.voter"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert server.stdin is not None
    assert server.stdout is not None
    promised: list[str] = []
    for _ in range(ROUNDS):
        server.stdin.write(f"{path}\n")
        child = int(server.stdout.readline())
        promised += [server.stdout.readline().strip() for _ in range(moments.randrange(6))]
        os.kill(child, signal.SIGKILL)
        for line in server.stdout:
            if line.startswith("died"):
                assert line == f"died -{int(signal.SIGKILL)}\n"
                break
            promised.append(line.strip())
    server.communicate()
    with Session.open(path) as session:
        assert session.verify() == ()
        votes = list(session.state().live("vote").values())
        stored = [event.uid for event in votes]
        assert [uid for uid in stored if uid in set(promised)] == promised
        # The one in flight when the process died was never promised.
        assert len(promised) <= len(stored) <= len(promised) + ROUNDS
        assert len({event.subject_id for event in votes}) == len(votes), "no pair was asked twice"
        ballot = Ballot(arena_with(prompts=5000), session, "ana", Plan(seed=7))
        assert ballot.progress.votes == len(stored)
        assert ballot.matchup is not None
        asked = {event.subject["key"] for event in votes}
        assert ballot.matchup.question.spot.key not in asked
