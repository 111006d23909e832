"""`session`: votes leave in every format, come back, merge and are checked."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from ifbench_tui.store import Session
from ifbench_tui.voting.arena import arena_of
from ifbench_tui.voting.ballot import Ballot
from ifbench_tui.voting.pairs import Plan
from ifbench_tui.workspace import load

from .data import PROMPTS, rows_of, write_rows

MODELS = ("=cmd|calc", "plain-7b")
WINNERS = ("left", "right", "tie", "both_bad")


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """Four prompts and two models, the name of one of which would be a formula."""
    prompts = [*PROMPTS, {**PROMPTS[0], "key": 99, "prompt": "Name a lake. No commas, please."}]
    rows = [
        {
            "prompt": prompt["prompt"],
            "response": f"{model} on {prompt['key']} \x1b[2J",
            "model": model,
        }
        for model in MODELS
        for prompt in prompts
    ]
    return [
        str(write_rows(tmp_path / "prompts.jsonl", prompts)),
        str(write_rows(tmp_path / "responses.jsonl", rows)),
    ]


def vote_on(path: Path, paths: list[str], annotator: str = "ana") -> Path:
    """Cast one vote of each kind."""
    arena = arena_of(load(paths).suites["ifeval"])
    with Session.open(path) as session:
        ballot = Ballot(arena, session, annotator, Plan(seed=7))
        ballot.write_note("=a note")
        ballot.give_reasons(("clear",))
        for choice in WINNERS:
            ballot.cast(choice)  # type: ignore[arg-type]
    return path


@pytest.fixture
def voted(tmp_path: Path, paths: list[str]) -> Path:
    return vote_on(tmp_path / "ana.ifb", paths)


Out = pytest.CaptureFixture[str]


def exported(voted: Path, out: Out, *arguments: str) -> str:
    assert main(["session", "export", *arguments, "--session", str(voted), "-q"]) == 0
    return out.readouterr().out


def votes(path: Path) -> list[dict[str, Any]]:
    with Session.open(path, read_only=True) as session:
        return [dict(event.body) for event in session.state().live("vote").values()]


def test_fastchat_battles_have_the_left_side_as_a(
    voted: Path, paths: list[str], capsys: Out
) -> None:
    battles = json.loads(exported(voted, capsys, *paths, "--as", "fastchat"))
    winners = [battle["winner"] for battle in battles]
    assert winners == ["model_a", "model_b", "tie", "tie (bothbad)"]
    for battle, body in zip(battles, votes(voted), strict=True):
        assert battle["model_a"] == body[body["left"]]
        assert battle["judge"] == "ana"
        assert battle["anony"] is True
        for side in "ab":
            user, assistant = battle[f"conversation_{side}"]
            assert user["role"] == "user"
            assert assistant["content"].startswith(f"{battle[f'model_{side}']} on ")
    bare = json.loads(exported(voted, capsys, "--as", "fastchat"))
    assert "conversation_a" not in bare[0]


@pytest.mark.parametrize("form", ["fastchat", "jsonl", "arena-rank"])
def test_what_is_exported_can_be_rated(voted: Path, capsys: Out, tmp_path: Path, form: str) -> None:
    file = tmp_path / ("votes.csv" if form == "arena-rank" else "votes.json")
    exported(voted, capsys, "--as", form, "-o", str(file))
    assert main(["rate", str(file), "--json", "-q"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert board["n_battles"] == 4
    assert board["refused"] == []
    assert sum(model["wins"] for model in board["models"]) == 2


def test_no_cell_of_the_table_starts_a_formula(voted: Path, capsys: Out) -> None:
    text = exported(voted, capsys, "--as", "arena-rank")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["winner"] for row in rows] == ["model_a", "model_b", "tie", "both_bad"]
    for row in rows:
        assert set(row.values()) & {"'=cmd|calc"}
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())


def test_lines_hold_all_that_is_known(voted: Path, paths: list[str], capsys: Out) -> None:
    rows = rows_of(exported(voted, capsys, *paths, "--as", "jsonl"))
    assert (rows[0]["note"], rows[0]["reasons"], rows[0]["seed"]) == ("=a note", ["clear"], 7)
    assert rows[0]["conversation_a"][1]["content"].endswith("\x1b[2J")
    assert {"uid", "at", "annotator", "benchmark", "turn", "unblinded", "tstamp"} <= rows[0].keys()


def test_preference_pairs_leave_ties_out(voted: Path, paths: list[str], capsys: Out) -> None:
    rows = rows_of(exported(voted, capsys, *paths, "--as", "dpo"))
    bodies = votes(voted)[:2]
    assert len(rows) == 2
    for row, body in zip(rows, bodies, strict=True):
        assert row.keys() == {"prompt", "chosen", "rejected"}
        winner = body[body["winner"]]
        assert row["chosen"].startswith(f"{winner} on ")
        assert not row["rejected"].startswith(f"{winner} on ")


def test_llm_comparator_scores_the_first_model(voted: Path, paths: list[str], capsys: Out) -> None:
    found = json.loads(exported(voted, capsys, *paths, "--as", "llm-comparator"))
    first = found["models"][0]["name"]
    assert {model["name"] for model in found["models"]} == set(MODELS)
    assert len(found["examples"]) == 4
    by_key = {example["custom_fields"]["key"]: example for example in found["examples"]}
    with Session.open(voted, read_only=True) as session:
        for event in session.state().live("vote").values():
            example = by_key[event.subject["key"]]
            winner = event.body.get(event.body["winner"])
            expected = 0.0 if winner is None else 1.0 if winner == first else -1.0
            assert example["score"] == expected
            assert example["output_text_a"].startswith(f"{first} on ")


def test_texts_that_changed_are_not_used(voted: Path, paths: list[str], capsys: Out) -> None:
    rows = [json.loads(line) for line in Path(paths[1]).read_text().splitlines()]
    write_rows(Path(paths[1]), [row | {"response": row["response"] + "!"} for row in rows])
    assert main(["session", "export", *paths, "--as", "dpo", "--session", str(voted)]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "4 of 4 votes are on responses that are not loaded, or changed" in shown.err


def test_exported_events_come_back_and_twice_is_once(
    voted: Path, tmp_path: Path, capsys: Out
) -> None:
    file, copy = tmp_path / "events.jsonl", tmp_path / "copy.ifb"
    exported(voted, capsys, "-o", str(file))
    for _ in range(2):
        assert main(["session", "import", str(file), "--session", str(copy), "-q"]) == 0
    assert votes(copy) == votes(voted)
    assert exported(copy, capsys) == exported(voted, capsys)


def test_broken_lines_are_listed_and_the_rest_is_taken(
    voted: Path, tmp_path: Path, capsys: Out
) -> None:
    file, copy = tmp_path / "events.jsonl", tmp_path / "copy.ifb"
    file.write_bytes(b"{}\n\xff\n" + exported(voted, capsys).encode())
    assert main(["session", "import", str(file), "--session", str(copy)]) == 2
    assert "events.jsonl:1: no event" in capsys.readouterr().err
    assert votes(copy) == votes(voted)


@pytest.mark.parametrize("action", ["import", "merge"])
@pytest.mark.parametrize("content", [b"", b"{}\n", b"\xff"])
def test_no_session_is_begun_for_files_that_hold_no_event(
    action: str, content: bytes, tmp_path: Path, capsys: Out
) -> None:
    file, new = tmp_path / "file", tmp_path / "folder" / "new.ifb"
    file.write_bytes(content)
    code = main(["session", action, str(file), "--session", str(new)])
    assert code == (0 if (action, content) == ("import", b"") else 2)
    assert str(file) in capsys.readouterr().err
    assert not new.parent.exists()


def test_nothing_is_merged_where_a_later_file_cannot_be_read(
    voted: Path, tmp_path: Path, capsys: Out
) -> None:
    new = tmp_path / "new.ifb"
    merge = ["session", "merge", str(voted), str(tmp_path), "--session", str(new)]
    assert main(merge) == 2
    assert str(tmp_path) in capsys.readouterr().err
    assert not new.exists()


def test_one_event_is_one(voted: Path, tmp_path: Path, capsys: Out) -> None:
    file, new = tmp_path / "events.jsonl", tmp_path / "new.ifb"
    file.write_text(exported(voted, capsys).splitlines()[0])
    assert main(["session", "import", str(file), "--session", str(new)]) == 0
    assert f"{file}: 1 event taken" in capsys.readouterr().err
    assert main(["session", "verify", "--session", str(new)]) == 0
    assert "sound, 1 event\n" in capsys.readouterr().err


def test_events_from_a_pipe_are_read_as_those_of_a_file(
    voted: Path, tmp_path: Path, capsys: Out
) -> None:
    copy = tmp_path / "copy.ifb"
    done = subprocess.run(
        [sys.executable, "-m", "ifbench_tui", "session", "import", "-", "--session", str(copy)],
        input=b"\xff\n" + exported(voted, capsys).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"standard input:1: ")
    assert votes(copy) == votes(voted)


def test_merging_two_annotators_is_idempotent(
    voted: Path, paths: list[str], tmp_path: Path, capsys: Out
) -> None:
    ben = vote_on(tmp_path / "ben.ifb", paths, "ben")
    one, other = tmp_path / "one.ifb", tmp_path / "other.ifb"
    for target, order in ((one, (voted, ben)), (other, (ben, voted, ben))):
        for source in order:
            assert main(["session", "merge", str(source), "--session", str(target), "-q"]) == 0
    assert len(votes(one)) == 8
    assert exported(one, capsys) == exported(other, capsys)
    only = rows_of(exported(one, capsys, "--as", "jsonl", "--annotator", "ben"))
    assert {row["annotator"] for row in only} == {"ben"}
    assert len(only) == 4


def test_verify_and_vacuum(voted: Path, capsys: Out) -> None:
    assert main(["session", "verify", "--session", str(voted)]) == 0
    assert "sound" in capsys.readouterr().err
    assert main(["session", "vacuum", "--session", str(voted)]) == 0
    with sqlite3.connect(voted) as database:
        database.execute(
            "INSERT INTO event (uid, at, annotator, kind, subject, body) "
            "VALUES ('x', 'y', 'ana', 'vote', '{}', '{}')"
        )
    database.close()
    assert main(["session", "verify", "--session", str(voted)]) == 1
    assert "uid 'x' is not" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["export", "--as", "dpo"], "needs the prompts and responses"),
        (["export", "--as", "jsonl", "--annotator", "eve"], "'eve' has no vote here"),
        (["export", "--annotator", "ana"], "events are exported whole"),
        (["import"], "needs the files"),
        (["merge"], "needs the files"),
        (["verify", "-"], "--session only"),
        (["dance"], "invalid choice"),
    ],
)
def test_bad_usage(voted: Path, arguments: list[str], said: str, capsys: Out) -> None:
    assert main(["session", *arguments, "--session", str(voted)]) == 2
    assert said in capsys.readouterr().err


def test_a_session_is_not_merged_into_itself(voted: Path, capsys: Out) -> None:
    assert main(["session", "merge", str(voted), "--session", str(voted)]) == 2
    assert "is the session itself" in capsys.readouterr().err


def test_a_session_that_is_not_there(tmp_path: Path, capsys: Out) -> None:
    missing = tmp_path / "none.ifb"
    for action in ("export", "verify", "vacuum"):
        assert main(["session", action, "--session", str(missing)]) == 2
    assert main(["session", "merge", str(missing), "--session", str(tmp_path / "s.ifb")]) == 2
    assert "none.ifb" in capsys.readouterr().err
    assert not missing.exists()
