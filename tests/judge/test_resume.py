"""500 judgments with faults, killed twice: complete, without duplicates, hardly anything twice."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ifbench_tui.store import JudgeCache, Session

from .data import mt_files
from .server import Answer, Request, Server, chat, raw

ROOT = Path(__file__).resolve().parents[2]
JOBS = 8
QUESTIONS, MODELS = 125, ("tern", "wren")
TOTAL = QUESTIONS * len(MODELS) * 2

FAULTS = (
    raw(429, b'{"error":{"message":"slow down"}}', "retry-after-ms: 1"),
    raw(503, b"", "retry-after: 0"),
    raw(200, b'{"choices": [{"mess'),
    Answer(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{", "close"),
    Answer(b"", "close"),
)


class Judge:
    """Every fifth call fails at first, then all are answered; counts what was answered."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()

    def __call__(self, request: Request) -> Answer:
        prompt = request.prompt
        self.asked[prompt] += 1
        number = list(self.asked).index(prompt)
        if number % 5 == 0 and self.asked[prompt] == 1:
            return FAULTS[number // 5 % len(FAULTS)]
        self.paid[prompt] += 1
        return chat(f"Rating: [[{1 + len(prompt) % 10}]]")


def start(arguments: list[str]) -> subprocess.Popen[str]:
    environ = {name: value for name, value in os.environ.items() if "PROXY" not in name.upper()}
    return subprocess.Popen(
        [sys.executable, "-m", "ifbench_tui", *arguments],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is a signal of POSIX")
def test_a_run_that_is_killed_twice_ends_complete_and_pays_once(tmp_path: Path) -> None:
    paths = mt_files(tmp_path / "data", MODELS, QUESTIONS)
    out, session = tmp_path / "judged.jsonl", tmp_path / "s.ifb"
    judge = Judge()
    with Server(judge) as server:
        command = ["judge", *paths, "--protocol", "mt-single", "--base-url", server.base_url]
        command += ["--model", "j", "--jobs", str(JOBS), "-o", str(out), "--session", str(session)]
        for count in (120, 330):
            run = start(command)
            server.wait_for(count)
            run.kill()
            assert run.wait(30) == -signal.SIGKILL
            run.communicate()
            assert not out.exists()
        run = start(command)
        _, talk = run.communicate(timeout=120)
        assert run.returncode == 0, talk
        asked = len(server.requests)
        again = start(command)
        again.communicate(timeout=60)
        assert again.returncode == 0
        assert len(server.requests) == asked, "all is kept: nothing is asked again"
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    places = {(row["question_id"], row["model"], row["turn"]) for row in rows}
    assert len(rows) == len(places) == TOTAL
    assert all(row["score"] == 1 + len(row["user_prompt"]) % 10 for row in rows)
    assert len(judge.paid) == TOTAL
    # Only what was in flight when the process died can have been paid for in vain.
    assert sum(judge.paid.values()) <= TOTAL + 2 * JOBS
    assert sum(judge.asked.values()) <= TOTAL * 1.2 + 2 * JOBS + 2
    with Session.open(session, read_only=True) as opened:
        assert opened.verify() == ()


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent to a process on POSIX only")
def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    paths = mt_files(tmp_path / "data")
    out, session = tmp_path / "judged.jsonl", tmp_path / "s.ifb"

    def answer(request: Request) -> Answer:
        return chat("[[5]]") if request.number < 5 else Answer(b"", "hang")

    with Server(answer) as server:
        command = ["judge", *paths, "--protocol", "mt-single", "--base-url", server.base_url]
        command += ["--model", "j", "--jobs", "1", "-o", str(out), "--session", str(session)]
        command += ["--price", "1", "2"]
        run = start(command)
        server.wait_for(5)
        run.send_signal(signal.SIGINT)
        _, talk = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "run the same command again" in talk
    assert "4 calls made, 0 answered before; 28 tokens sent, 12 received" in talk
    assert "1 calls were under way, which may have been paid for" in talk
    assert "cost: 0.0001" in talk
    assert "Traceback" not in talk
    assert not out.exists()
    database = sqlite3.connect(session)
    assert database.execute("SELECT count(*) FROM judge_call").fetchone() == (4,)
    database.close()


def test_a_session_from_before_the_cache_is_still_sound_and_takes_one(tmp_path: Path) -> None:
    from ifbench_tui.store.schema import MIGRATIONS, open_database

    path = tmp_path / "old.ifb"
    open_database(path, read_only=False, busy_timeout=1, steps=MIGRATIONS[:1]).close()
    with Session.open(path, read_only=True) as old:
        assert old.verify() == ()
    with JudgeCache.open(path) as cache:
        assert cache.get("d") is None
        cache.put("d", "first")
        cache.put("d", "sécond")
    with JudgeCache.open(path) as cache:
        assert cache.get("d") == "sécond"
    with Session.open(path) as session:
        assert session.verify() == ()
