"""`judgments`: the rows behind a number, and one conversation with its verdict marked."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from tests.cli.data import HOSTILE, rows_of
from tests.judged_files import alpaca, arena, mt_bench, write


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["judgments", "-q", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_list_says_what_each_judgment_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, *mt_bench(tmp_path), "--model", "tall")
    assert code == 0
    assert out.startswith(
        "Judgments of tall: mean 6.40 (5 ratings), won 2, lost 1, even 2, 60.0 %, 2 unparsed\n"
    )
    rows = [line.split() for line in out.splitlines() if line.lstrip().startswith("101")]
    assert [row[:4] for row in rows] == [
        ["101", "1", "reasoning", "umpire"],
        ["101", "1", "reasoning", "umpire"],
        ["101", "2", "reasoning", "umpire"],
    ]
    assert "text and score differ, 2 ratings in the text, the last is 4" in out


def test_filters_and_the_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = mt_bench(tmp_path)
    _, out, _ = run(capsys, *paths, "--model", "tall", "--only", "won", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["question"], row["turn"], row["decided"]) for row in rows] == [
        ("81", "1", "won both games"), ("151", "2", "won both games"),
    ]  # fmt: skip
    _, out, _ = run(
        capsys, *paths, "--model", "tall", "--category", "math", "--turn", "1", "--jsonl"
    )
    assert [row["question"] for row in rows_of(out)] == ["111", "111"]
    assert run(capsys, *paths, "--model", "tall", "--judge", "nobody", "--jsonl")[1] == ""


def test_a_question_is_read_as_a_conversation_with_the_verdict_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (*mt_bench(tmp_path), "--model", "tall", "--question", "81", "--turn", "2")
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    order = [
        "tall · 81 turn 2 · writing · 3\n",
        "== question, turn 1 ==\nWrite a line about rain.\n",
        "== answer of tall, turn 1 ==\na long answer",
        "== question, turn 2 ==\nNow without the letter e.\n",
        "== judgment of umpire, turn 2 ==\n<think>Is it [[3]]?",
        "verdict   1:14 counts “[[3]]” rating 3;",
        "verdict   2:9 limit “[[8]]” does not count",
        "tall against short · 81 turn 2 · writing · games disagree\n",
        "game 2: A is short, B is tall ==\nI prefer [[A]]\n",
    ]
    places = [out.index(part) for part in order]
    assert places == sorted(places)


def test_json_has_the_spans_of_the_verdicts_and_the_whole_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = mt_bench(tmp_path)
    _, out, _ = run(capsys, *paths, "--model", "tall", "--question", "111", "--json")
    found = json.loads(out)
    assert (found["benchmark"], found["model"]) == ("mt_bench", "tall")
    rating, pair = found["judgments"]
    assert (rating["score"], rating["outcome"], rating["other"]) == (10, None, None)
    assert (pair["outcome"], pair["other"], pair["states"]) == ("tie", "short", [])
    (game,) = rating["games"]
    text = next(part["text"] for part in rating["sections"] if part["kind"] == "judgment")
    start, end = game["span"]
    assert text[start:end] == "[[10]]"
    assert text.startswith("<think>")
    assert [game["stored"] for game in pair["games"]] == ["tie", "tie"]


def test_the_only_model_needs_no_name_and_several_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, *alpaca(tmp_path / "annotations.json"), "--jsonl")
    assert code == 0
    assert [row["states"] for row in rows_of(out)] == [["won"], ["lost"], ["unparsed"], []]
    both = (*arena(tmp_path), str(tmp_path / "annotations.json"))
    code, _, err = run(capsys, *both)
    assert code == 2
    assert "--model is needed; judged: tall, base" in err
    code, _, err = run(capsys, *both, "--model", "tall")
    assert code == 2
    assert "choose one of alpaca_eval, arena_hard with --benchmark" in err
    assert run(capsys, *both, "--model", "tall", "--benchmark", "arena_hard")[0] == 0


def test_what_is_not_there_is_said_with_what_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = mt_bench(tmp_path)
    for arguments, said in (
        (("--model", "tal"), "no model is called 'tal'; judged: tall"),
        (("--model", "tall", "--question", "82"), "there are, for example, 81"),
        (("--model", "tall", "--benchmark", "arena_hard"), "(loaded: mt_bench)"),
    ):
        code, _, err = run(capsys, *paths, *arguments)
        assert code == 2
        assert said in err
    code, _, err = run(capsys, paths[2])
    assert code == 2
    assert "no judgments were loaded" in err


def test_hostile_texts_and_names_are_shown_safely(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"question_id": 1, "model": HOSTILE, "judge": [HOSTILE, HOSTILE], "turn": 1, "score": 7,
           "judgment": f"{HOSTILE} [[7]]", "user_prompt": HOSTILE}  # fmt: skip
    path = write(tmp_path / "j.jsonl", [row])
    for arguments in ((), ("--question", "1"), ("--question", "1", "--full")):
        code, out, _ = run(capsys, path, *arguments)
        assert code == 0
        assert "\x1b" not in out
        assert "\u202e" not in out
    code, out, _ = run(capsys, path, "--question", "1", "--json")
    assert json.loads(out)["judgments"][0]["model"] == HOSTILE


def test_on_a_terminal_the_verdict_is_painted(tmp_path: Path) -> None:
    arguments = [*mt_bench(tmp_path), "-q", "--model", "short", "--question", "81", "--turn", "1"]
    primary, secondary = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        [sys.executable, "-m", "ifbench_tui", "judgments", *arguments],
        stdout=secondary, env=environment, check=True, timeout=60,
    )  # fmt: skip
    os.close(secondary)
    shown = b""
    while chunk := _read(primary):
        shown += chunk
    assert done.returncode == 0
    assert b"\x1b[4;32m[[2]]\x1b[0m" in shown


def _read(primary: int) -> bytes:
    try:
        return os.read(primary, 1 << 16)
    except OSError:
        return b""
