"""`rate`: the JSON contract, tables and notes, refusals, usage errors."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.boards import ANCHOR, battles, board, column, golden, run
from tests.cli.data import program, write_rows

CONTRACT = [
    *("method", "settings", "n_battles", "refused", "components", "warnings", "models", "style"),
    *("converged", "iterations"),
]
MODEL = {
    *("name", "rating", "lower", "upper", "se", "rank_low", "rank_high", "battles", "wins"),
    *("losses", "ties", "unbounded"),
}


# ---- contract ------------------------------------------------------------------------------------


def test_json_has_the_documented_fields(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = battles(tmp_path / "b.jsonl", ("A", "B", "model_a", 3), ("B", "A", "tie", 1))
    found = board(capsys, path)
    assert list(found)[: len(CONTRACT)] == CONTRACT
    assert set(found["models"][0]) >= MODEL
    assert found["style"] is None
    assert found["converged"] is True
    assert found["settings"]["filters"]["blinding"] == "hidden"
    assert found["sources"][0]["battles"] == 4


def test_gzip_stdin_and_several_files_are_one_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = battles(
        tmp_path / "whole.jsonl",
        ("A", "B", "model_a", 3),
        ("B", "C", "tie", 2),
        ("C", "A", "tie", 1),
    )
    lines = Path(whole).read_bytes().splitlines(keepends=True)
    first, second = tmp_path / "first.jsonl.gz", tmp_path / "second.json"
    first.write_bytes(gzip.compress(b"".join(lines[:3])))
    second.write_text(json.dumps([json.loads(line) for line in lines[3:]]))
    want = board(capsys, whole)
    found = board(capsys, str(first), str(second))
    assert found["models"] == want["models"]
    piped = program("rate", "-", "--json", input=Path(whole).read_text())
    assert json.loads(piped.stdout)["models"] == want["models"]


def test_a_refused_row_changes_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = (("A", "B", "model_a", 1), ("A", "B", "model_b", 1))
    bad = (("A", "B", None, 5), ("A", "B", "MODEL_A", 2), ("A", "A", "tie", 1), ("", "B", "tie", 1))
    path = battles(tmp_path / "b.jsonl", *bad, *good)
    found = board(capsys, path)
    assert column(found) == pytest.approx({"A": 1000.0, "B": 1000.0})
    assert found["n_battles"] == 2
    assert sum(one["rows"] for one in found["refused"]) == 9
    assert [one["line"] for one in found["refused"]] == list(range(1, 10))
    assert found["refused"][5]["reason"] == "unknown winner 'MODEL_A'"


def test_only_refused_rows_are_bad_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = battles(tmp_path / "b.jsonl", ("A", "B", "A", 5))
    code, out, err = run(capsys, path)
    assert (code, out) == (2, "")
    assert "5 rows refused" in err
    assert "b.jsonl:1: unknown winner 'A'" in err
    path = battles(tmp_path / "one.jsonl", ("A", "B", "A", 1))
    assert "1 row refused" in run(capsys, path)[2]


def test_islands_have_no_common_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(a, b, winner, n) for a, b, factor in (("A", "B", 1), ("C", "D", 3))
            for winner, n in (("model_a", 3 * factor), ("model_b", factor))]  # fmt: skip
    path = battles(tmp_path / "b.jsonl", *rows)
    found = board(capsys, path)
    assert found["components"] == [["A", "B"], ["C", "D"]]
    high, low = 1095.424, 904.576
    assert column(found) == pytest.approx({"A": high, "B": low, "C": high, "D": low}, abs=1e-3)
    _, out, _ = run(capsys, path)
    assert "group 1 of 2" in out
    assert "never met" in out


def test_the_anchor_is_stated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ((ANCHOR, "B", "model_a", 1), (ANCHOR, "B", "model_b", 1))
    path = battles(tmp_path / "b.jsonl", *rows)
    _, out, _ = run(capsys, path, "--preset", "arena")
    assert f"{ANCHOR} = 1114" in out
    assert column(board(capsys, path, "--preset", "arena"))["B"] == pytest.approx(1114)
    other = battles(tmp_path / "c.jsonl", ("X", "B", "model_a", 1), ("X", "B", "model_b", 1))
    _, out, _ = run(capsys, other, "--preset", "arena")
    assert "mean 1000" in out
    assert "takes no part" in out


def test_elo_depends_on_the_order_and_bt_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = (("A", "B", "model_a", 50), ("A", "B", "model_b", 50))
    path = battles(tmp_path / "b.jsonl", *rows)
    found = column(board(capsys, path, "--method", "elo"))
    assert found == pytest.approx({"A": 967.07, "B": 1032.93}, abs=0.01)
    assert column(board(capsys, path)) == pytest.approx({"A": 1000, "B": 1000})
    early = [{"model_a": "A", "model_b": "B", "winner": "model_b", "tstamp": n} for n in range(50)]
    late = [{**row, "winner": "model_a", "tstamp": row["tstamp"] + 50} for row in early]
    timed = str(write_rows(tmp_path / "t.jsonl", late + early))
    found = column(board(capsys, timed, "--method", "elo"))
    assert found["A"] > found["B"]


def test_a_model_that_never_lost_has_no_band(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = (("A", "B", "model_a", 60), ("A", "B", "model_b", 40), ("C", "A", "model_a", 1))
    path = battles(tmp_path / "b.jsonl", *rows)
    found = board(capsys, path, "--interval", "bootstrap", "--rounds", "200")
    assert column(found, "unbounded") == {"A": None, "B": None, "C": "above"}
    assert (column(found, "lower")["C"], column(found, "upper")["C"]) == (None, None)
    _, out, _ = run(capsys, path, "--interval", "bootstrap", "--rounds", "200")
    assert "unbounded above" in out


def test_ties_conventions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = (("A", "B", "model_a", 3), ("A", "B", "model_b", 1), ("A", "B", "tie", 2))
    path = battles(tmp_path / "b.jsonl", *rows, ("A", "B", "both_bad", 4))
    assert board(capsys, path)["n_battles"] == 10
    assert board(capsys, path, "--ties", "drop-bothbad")["n_battles"] == 6
    dropped = board(capsys, path, "--ties", "drop")
    assert column(dropped) == pytest.approx({"A": 1095.424, "B": 904.576}, abs=1e-3)
    even = battles(tmp_path / "c.jsonl", ("A", "B", "model_a", 1), ("A", "B", "tie", 1))
    assert column(board(capsys, even)) == pytest.approx(column(dropped), abs=1e-6)


# ---- tables --------------------------------------------------------------------------------------


def test_table_draws_intervals_on_one_axis(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = golden(shared, "medium_ties")
    _, out, _ = run(capsys, path)
    bars = [line for line in out.splitlines() if "█" in line]
    assert len(bars) == 20
    places = [line.index("█") for line in bars]
    assert places == sorted(places, reverse=True)
    assert all("▒" in line for line in bars)
    _, out, _ = run(capsys, path, "--ascii")
    assert out.isascii()
    assert sum("=#" in line or "#=" in line for line in out.splitlines()) == 20


def test_csv_holds_numbers_and_no_formula(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = battles(tmp_path / "b.jsonl", ("=A()", "B", "model_a", 1), ("=A()", "B", "model_b", 1))
    code, out, err = run(capsys, path, "--format", "csv")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["name"] for row in rows] == ["'=A()", "B"]
    assert float(rows[0]["rating"]) == pytest.approx(1000)
    assert float(rows[0]["lower"]) < 1000 < float(rows[0]["upper"])
    assert "2 battles" in err


def test_markdown_and_hostile_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "a|b\x1b[31m\u202e<b>"
    path = battles(tmp_path / "b.jsonl", (name, "B", "model_a", 1), (name, "B", "tie", 1))
    for form in ("md", "table"):
        _, out, _ = run(capsys, path, "--format", form)
        assert "\x1b" not in out
        assert "\u202e" not in out
    _, out, _ = run(capsys, path, "--format", "md")
    assert r"a\|b" in out


# ---- usage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--anchor", "mod=1000"), "no model is called 'mod'; there are: model-2"),
        (("--cluster", "session"), "no battle names its session"),
        (("--style", "plain"), "no style counts"),
        (("--method", "elo", "--style", "plain"), "--style needs --method bt"),
        (("--interval", "fisher", "--cluster", "judge"), "--cluster needs"),
        (("--language", "Klingon"), "2 left out (another language)"),
        (("--map", "prompt=x"), "wanted model_a"),
    ],
)
def test_usage_errors(
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = (("model-1", "model-2", "model_a", 1), ("model-1", "model-2", "tie", 1))
    path = battles(tmp_path / "b.jsonl", *rows, judge="ana")
    code, _, err = run(capsys, path, *arguments)
    assert code == 2
    assert said in err


def test_files_without_battles_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = battles(tmp_path / "b.jsonl", ("A", "B", "model_a", 1), ("A", "B", "tie", 1))
    row = {"key": 1, "prompt": "p", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
    found = board(capsys, path, str(write_rows(tmp_path / "prompts.jsonl", [row])))
    assert any("prompts.jsonl: holds no battles" in one for one in found["warnings"])


def test_too_many_models_are_a_wrong_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(f"m{i}", "x", "tie", 1) for i in range(3000)]
    code, _, err = run(capsys, battles(tmp_path / "b.jsonl", *rows))
    assert code == 2
    assert "3,001 names of models" in err


def test_prompts_alone_are_no_battles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"key": 1, "prompt": "p", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
    ]
    path = str(write_rows(tmp_path / "prompts.jsonl", rows))
    code, _, err = run(capsys, path)
    assert code == 2
    assert "no file holds battles" in err


def test_intervals_below_each_other_are_written_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [(one, other, "tie", 4) for one, other in ("AB", "BC", "AC")]
    won = [("A", "B", "model_a", 9), ("B", "C", "model_a", 5)]
    code, out, _ = run(capsys, battles(tmp_path / "b.jsonl", *games, *won), "--anchor", "B=0")
    assert code == 0
    above, held, below = (line for line in out.splitlines() if re.search(r"\d  [ABC] ", line))
    assert re.search(r" \d+\.\.\d+ ", above)
    assert " 0..0 " in held
    assert re.search(r" -\d+\.\.-?\d+ ", below)
