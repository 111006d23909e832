"""Files with one battle a row: every shape gives the same battles, and bad rows are refused."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.formats import LoadOptions
from ifbench_tui.formats.limits import Limits
from tests.formats.battles import battle, block_of, outcomes, read_battles
from tests.formats.helpers import broken, notices, read, write_rows

GOLDEN = (
    ("fastchat_clean.json", "battles", 2),
    ("pref55k.csv", "battles-one-hot", 0),
    ("pref100k.jsonl", "battles", 1),
    ("pref140k.jsonl", "battles", 0),
    ("mtbench_human.json", "mt-bench-votes", 0),
    ("table.csv", "battles", 0),
)


@pytest.mark.parametrize(("name", "format_id", "left_out"), GOLDEN)
def test_golden_shapes(name: str, format_id: str, left_out: int, shared: Path) -> None:
    folder = shared / "golden" / "ratings" / "formats"
    want = json.loads((folder / "expected.json").read_text())[name]
    found_id, block, refused = read_battles(folder / name)
    assert found_id == format_id
    kept = [
        one
        for one, hidden, sampled in zip(outcomes(block), block.hidden, block.sampled, strict=True)
        if hidden != 0 and sampled
    ]
    assert kept == [tuple(row.values()) for row in want["rows"]]
    assert len(block) - len(kept) == left_out
    assert [one.line for one in refused] == [row["line"] for row in want.get("rejected", [])]


def test_containers_agree(tmp_path: Path) -> None:
    rows = [battle(), battle("bee", "cat", "tie"), battle("cat", "ant", "both_bad", turn=2)]
    lines = write_rows(tmp_path / "a.jsonl", rows)
    want = outcomes(read_battles(lines)[1])
    assert want[2] == ("cat", "ant", 0.5, True)
    whole = tmp_path / "b.dat"
    whole.write_text(json.dumps(rows, indent=1))
    packed = tmp_path / "c.dat"
    packed.write_bytes(gzip.compress(Path(lines).read_bytes()))
    table = tmp_path / "no-extension"
    table.write_text(
        "winner,model_b,model_a\r\nmodel_a,bee,ant\r\ntie,cat,bee\r\nboth_bad,ant,cat\r\n"
    )
    for path in (whole, packed, table):
        assert outcomes(read_battles(path)[1]) == want


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (battle(winner="maybe"), "unknown winner 'maybe'"),
        (battle(winner="MODEL_A"), "unknown winner 'MODEL_A'"),
        (battle(winner="ant"), "unknown winner 'ant'"),
        (battle(winner=None), "unknown winner None"),
        (battle(winner=1), "unknown winner 1"),
        (battle(winner=["model_a"]), "unknown winner ['model_a']"),
        ({"model_a": "x", "model_b": "y"}, "unknown winner None"),
        (battle(b="ant"), "the same model is on both sides"),
        (battle(a=""), "the name of a model is missing"),
        (battle(a=" ", b=" "), "the name of a model is missing"),
        (battle(b=None), "the name of a model is missing"),  # type: ignore[arg-type]
        (battle(a={"name": "x"}), "the name of a model is missing"),  # type: ignore[arg-type]
        (battle(weight=0), "the weight 0 is not a finite number above 0"),
        (battle(weight=-1.5), "the weight -1.5 is not a finite number above 0"),
        (battle(weight=None), "the weight None is not a finite number above 0"),
        (battle(weight="much"), "the weight 'much' is not a finite number above 0"),
        (battle(weight=True), "the weight True is not a finite number above 0"),
        (battle(weight=1e300), "the weight 1e+300 is not a finite number above 0"),
    ],
)
def test_refused_with_its_line(row: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "b.jsonl", [battle(), row, battle(winner="tie")])
    _, block, refused = read_battles(path)
    assert [(one.line, one.reason) for one in refused] == [(2, reason)]
    assert list(block.line) == [1, 3]


def test_weights_are_kept_where_they_say_something(tmp_path: Path) -> None:
    assert block_of(tmp_path, battle(weight=1), battle()).weight is None
    weight = block_of(tmp_path, battle(weight="2.5"), battle()).weight
    assert weight is not None
    assert list(weight) == [2.5, 1.0]


@pytest.mark.parametrize("columns", [(1, 1, 0), (0, 0, 0), (0.5, 0.5, 0), ("x", 0, 1), (2, 0, 0)])
def test_one_hot_must_be_one_hot(columns: tuple[Any, ...], tmp_path: Path) -> None:
    def row(*values: Any) -> dict[str, Any]:
        names = ("winner_model_a", "winner_model_b", "winner_tie")
        return {"model_a": "x", "model_b": "y", **dict(zip(names, values, strict=True))}

    path = write_rows(tmp_path / "b.jsonl", [row(0, 1, 0), row(*columns), row("0", "0", "1.0")])
    _, block, refused = read_battles(path)
    assert [y for *_, y, _ in outcomes(block)] == [0.0, 0.5]
    assert refused[0].line == 2
    assert "not exactly one outcome is 1" in refused[0].reason


def test_mapped_columns_and_scores(tmp_path: Path) -> None:
    rows = [{"left": "x", "right": "y", "s": s, "who": "ana"} for s in (1, 0.25, "0", 1.5, "b")]
    path = write_rows(tmp_path / "b.jsonl", rows)
    mapping = {"model_a": "left", "model_b": "right", "score": "s", "judge": "who"}
    name, block, refused = read_battles(path, LoadOptions(mapping=mapping))
    assert name == "battles"
    assert list(block.y) == [1.0, 0.25, 0.0]
    assert block.labels["judge"].values == ("ana",)
    assert [one.line for one in refused] == [4, 5]
    assert "not between 0 and 1" in refused[0].reason
    assert read(path)[0] != "battles"


def test_autoarena(tmp_path: Path) -> None:
    rows = [
        {
            "prompt": "p",
            "model_a": "x",
            "model_b": "y",
            "response_a": "[1",
            "response_b": "",
            "judge": "Human",
            "winner": winner,
        }
        for winner in ("A", "B", "-", "tie", "C")
    ]
    name, block, refused = read_battles(write_rows(tmp_path / "b.jsonl", rows))
    assert name == "autoarena-votes"
    assert list(block.y) == [1.0, 0.0, 0.5, 0.5]
    assert [one.reason for one in refused] == ["unknown winner 'C'"]
    assert block.questions == ["p"] * 4


def test_letters_mean_nothing_elsewhere(tmp_path: Path) -> None:
    _, block, refused = read_battles(write_rows(tmp_path / "b.jsonl", [battle(winner="A")]))
    assert len(block) == 0
    assert refused[0].reason == "unknown winner 'A'"


def test_mt_bench_votes(tmp_path: Path) -> None:
    rows = [
        battle(winner="tie (inconsistent)", judge=["gpt-4", "pair-v2"], question_id=81, turn=2),
        battle(winner="model_b", judge=["gpt-4", "pair-v2-multi-turn"], question_id=82, turn=1),
    ]
    name, block, _ = read_battles(write_rows(tmp_path / "b.jsonl", rows))
    assert name == "mt-bench-votes"
    assert list(block.y) == [0.5, 0.0]
    assert block.labels["judge"].values == ("gpt4-pair",)
    assert (block.questions, list(block.turn)) == (["81", "82"], [2, 1])


def test_what_else_a_row_says(tmp_path: Path) -> None:
    tags = {"math_v0.1": {"math": True}, "if_v0.1": {"if": False, "score": 4}, "x": True}
    block = block_of(
        tmp_path,
        battle(turn="3", anony="False", language="German", tstamp="2024-08-14T00:00:00"),
        battle(turn=2.0, anony=True, tstamp=10, category_tag=json.dumps(tags), is_code=True),
        battle(turn=-1, anony=None, tstamp="soon", dedup_tag={"sampled": False}, is_code=False),
        battle(turn=10**30, tstamp=math.inf, judge=7, category="hard", evaluation_session_id="s"),
    )
    assert list(block.turn) == [3, 2, 0, 0]
    assert list(block.hidden) == [0, 1, -1, -1]
    assert list(block.time)[:2] == [1723593600.0, 10.0]
    assert all(not math.isfinite(time) for time in list(block.time)[2:])
    assert list(block.sampled) == [1, 1, 0, 1]
    codes, values = block.labels["category"]
    named = [None if code < 0 else values[code] for code in codes]
    assert named == [None, ("code", "math", "x"), (), ("hard",)]
    assert list(block.labels["language"].codes) == [0, -1, -1, -1]
    assert block.labels["judge"].values == ("7",)
    assert block.labels["session"].values == ("s",)


def test_a_long_file_keeps_its_order_and_its_late_columns(tmp_path: Path) -> None:
    rows = [battle(question_id=f"q{i}", winner="model_a" if i % 3 else "tie") for i in range(3000)]
    rows[2500]["weight"] = 3
    rows[2600]["judge"] = "late"
    block = block_of(tmp_path, *rows)
    assert list(block.y) == [1.0 if i % 3 else 0.5 for i in range(3000)]
    assert block.questions == [f"q{i}" for i in range(3000)]
    assert block.weight is not None
    assert (block.weight[2500], block.labels["judge"].codes[2600]) == (3.0, 0)


def test_what_was_read_before_damage_stays(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl.gz"
    rows = Path(write_rows(tmp_path / "b.jsonl", [battle(judge=str(i)) for i in range(50_000)]))
    packed = gzip.compress(rows.read_bytes())
    path.write_bytes(packed[: len(packed) // 2])
    name, block, refused = read_battles(path)
    assert name == "battles"
    assert 0 < len(block) < 50_000
    assert "cut off" in refused[-1].reason


def test_limits_hold(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "b.jsonl", [battle(), battle(x="y" * 3000), battle()])
    options = LoadOptions(limits=Limits(line_bytes=2000))
    _, block, refused = read_battles(path, options)
    assert len(block) == 2
    assert "line_bytes" in refused[0].reason


def test_broken_lines_and_the_family_notice(tmp_path: Path) -> None:
    path = tmp_path / "b.csv"
    path.write_text(
        "model_a,model_b,winner_model_a,winner_model_b,winner_tie\nx,y,1,0,0\nx,y,1\nx,y,0,0,1\n"
    )
    _, records = read(path)
    assert [one.line for one in broken(records)] == [3]
    assert any("both were bad" in one.reason for one in notices(records))
