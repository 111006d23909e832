"""`rate --session`: votes are battles like those of any file; what stands beside the board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from ifbench_tui.store import Session, text_digest, turn_subject
from tests.cli.boards import board, column, run
from tests.cli.data import write_rows

KEYS = ("101", "102", "103", "104")
GOOD, POOR = "no commas here\n* a point", "one, two, three"


def files(folder: Path) -> list[str]:
    """Four prompts that forbid commas; `plain` follows all of them, `comma` none."""
    prompts = [
        {
            "key": int(key),
            "prompt": f"Describe room {key} without commas.",
            "instruction_id_list": ["punctuation:no_comma"],
            "kwargs": [{}],
        }
        for key in KEYS
    ]
    paths = [write_rows(folder / "input_data.jsonl", prompts)]
    for model, text in (("plain", GOOD), ("comma", POOR)):
        rows = [{"prompt": p["prompt"], "response": text} for p in prompts]
        paths.append(write_rows(folder / f"{model}.jsonl", rows))
    return [str(path) for path in paths]


def vote(
    session: Session, key: str, winner: str, *, who: str = "ana", left: str = "model_a",
    unblinded: bool = False,
) -> None:  # fmt: skip
    body: dict[str, Any] = {
        "model_a": "plain",
        "model_b": "comma",
        "digest_a": text_digest(GOOD),
        "digest_b": text_digest(POOR),
        "left": left,
        "winner": winner,
        "unblinded": unblinded,
        "reasons": [],
        "seed": 1,
    }
    session.append("vote", turn_subject("ifeval", key), body, who)


@pytest.fixture
def voted(tmp_path: Path) -> str:
    """Seven votes by two people, one taken back, one not blind."""
    path = tmp_path / "votes.ifb"
    with Session.open(path) as session:
        vote(session, "101", "model_a")
        vote(session, "102", "model_b", left="model_b")
        vote(session, "103", "tie", left="model_b")
        vote(session, "104", "model_a", unblinded=True)
        vote(session, "101", "model_b")
        session.undo("ana")
        vote(session, "101", "model_a", who="ben", left="model_b")
        vote(session, "103", "both_bad", who="ben")
    return str(path)


def test_votes_rate_as_their_export_does(
    tmp_path: Path, voted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = str(tmp_path / "battles.json")
    assert main(["session", "export", "--as", "fastchat", "--session", voted, "-o", exported]) == 0
    for options in ((), ("--ties", "drop-bothbad"), ("--judge", "ana"), ("--anony", "any"),
                    ("--method", "elo"), ("--show", "annotators")):  # fmt: skip
        ours = board(capsys, "--session", voted, *options)
        theirs = board(capsys, exported, *options)
        for name in ("n_battles", "outcomes", "models", "left_out", "neighbours"):
            assert ours[name] == theirs[name], (name, options)
        assert ours.get("annotators") == theirs.get("annotators")
    assert board(capsys, "--session", voted)["n_battles"] == 5


def test_votes_add_to_the_battles_of_files(
    tmp_path: Path, voted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(
        tmp_path / "b.jsonl", [{"model_a": "plain", "model_b": "third", "winner": "model_a"}] * 3
    )
    found = board(capsys, str(path), "--session", voted)
    assert column(found, "battles") == {"plain": 8, "comma": 5, "third": 3}


def test_do_people_prefer_the_answer_that_follows_more(
    tmp_path: Path, voted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = files(tmp_path)
    found = board(capsys, *paths, "--session", voted, "--show", "verdicts", "--jobs", "1")
    table = found["verdicts"]
    assert (table["votes"], table["elsewhere"]) == (5, 0)
    first = table["strict"][0]
    assert first["group"] == "more"
    assert (first["preferred"], first["other"], first["ties"], first["both_bad"]) == (2, 1, 1, 1)
    by_one = board(capsys, *paths, "--session", voted, "--show", "verdicts", "--judge", "ben",
                   "--jobs", "1")  # fmt: skip
    assert by_one["verdicts"]["votes"] == 2


def test_families_of_constraints_are_categories_and_responses_have_style(
    tmp_path: Path, voted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = files(tmp_path)
    found = board(capsys, *paths, "--session", voted, "--category", "punctuation")
    assert found["n_battles"] == 5
    code, _, err = run(capsys, *paths, "--session", voted, "--category", "keywords")
    assert code == 2
    assert "another category" in err
    styled = board(capsys, *paths, "--session", voted, "--style", "fastchat")
    assert styled["style"]["features"]


def test_win_matrices_follow_the_order_of_the_board(
    voted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = board(capsys, "--session", voted, "--show", "matrix")
    assert found["matrix"]["observed"]["models"] == [row["name"] for row in found["models"]]
    assert found["matrix"]["observed"]["matrix"][0][1] == 2 / 3
    ratings = column(found)
    gap = ratings["plain"] - ratings["comma"]
    expected = 1 / (1 + 10 ** (-gap / 400))
    assert found["matrix"]["predicted"]["matrix"][0][1] == pytest.approx(expected)
    code, out, _ = run(capsys, "--session", voted, "--show", "matrix", "--format", "csv", "-q")
    assert code == 0
    assert out.splitlines()[0] == "model,average,plain,comma"


def test_dropped_ties_do_not_count_in_the_spread_of_elo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"model_a": "a", "model_b": "b", "winner": "tie"}] * 30
    rows += [{"model_a": "a", "model_b": "b", "winner": "model_a"}] * 5
    path = str(write_rows(tmp_path / "b.jsonl", rows))
    found = board(capsys, path, "--method", "elo", "--ties", "drop")
    assert column(found)["a"] == pytest.approx(found["spread"]["median"]["a"])


def test_usage(tmp_path: Path, voted: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys)
    assert code == 2
    assert "--session" in err
    code, _, err = run(capsys, "--session", str(tmp_path / "none.ifb"))
    assert code == 2
    assert "no session" in err
    code, _, err = run(capsys, "--session", voted, "--show", "verdicts")
    assert code == 2
    assert "prompts and responses" in err
    code, out, _ = run(capsys, "--session", voted, "--show", "annotators", "--format", "md")
    assert code == 0
    assert "ana" in out
    assert json.loads(run(capsys, "--session", voted, "--json")[1])["method"] == "bt"
