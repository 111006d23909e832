"""`score` on annotations and judgments: the JSON contracts, golden numbers, tables, gates."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from ifbench_tui.resources import sample_data_folder
from tests.cli.data import HOSTILE, write_rows, write_suite
from tests.engine.judged.data import golden


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["score", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


ALPACA_FIELDS = {
    "n",
    "win_rate",
    "discrete_win_rate",
    "standard_error",
    "length_controlled_winrate",
    "lc_standard_error",
    "avg_length",
    "glm",
    "c",
}


def annotation(number: int, **changes: Any) -> dict[str, Any]:
    row = {
        "instruction": f"Do {number}",
        "output_1": "x" * (50 + 7 * number % 90),
        "output_2": "y" * (40 + 11 * number % 160),
        "generator_1": "base",
        "generator_2": "tall",
        "preference": 1 + (number * 37 % 100) / 100,
    }
    return row | changes


def test_compact_rows_meet_the_golden_run(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "data" / "alpaca_eval"
    names = ("claude-2.1", "phi-2", "gpt4_1106_preview")
    found = scored(capsys, *(folder / f"{name}.jsonl" for name in names))
    assert found["benchmark"] == "alpaca_eval"
    assert list(found["models"]) == list(names)
    for name, model in found["models"].items():
        assert model.keys() >= ALPACA_FIELDS
        want = golden(shared, f"alpaca_eval/{name}")
        controlled = want["length_controlled_v1"]
        for key, value, close in (
            ("win_rate", want["winrate"]["win_rate"], 1e-6),
            ("standard_error", want["winrate"]["standard_error"], 1e-6),
            ("discrete_win_rate", want["winrate"]["discrete_win_rate"], 1e-6),
            ("length_controlled_winrate", controlled["length_controlled_winrate"], 0.1),
            ("lc_standard_error", controlled["lc_standard_error"], 0.01),
        ):
            assert model[key] == pytest.approx(value, abs=close)
        assert model["avg_length"] == want["avg_length_from_model_outputs"]
        assert set(model["glm"]) == {"length", "difficulty", "quality"}
    beside = [one for one in found["problems"] if "beside it" in one["reason"]]
    assert len(beside) == 2
    assert "not 805" in " ".join(found["models"]["phi-2"]["warnings"])


def test_the_fast_path_says_so(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shared / "data" / "alpaca_eval" / "claude-2.1.jsonl"
    model = scored(capsys, path, "--lc-c", "fast")["models"]["claude-2.1"]
    want = golden(shared, "alpaca_eval/claude-2.1")["length_controlled_v1"]["lc_by_C"][6]
    assert model["length_controlled_winrate"] == pytest.approx(want, abs=0.03)
    assert not model["fit"]["cross_validated"]
    _, out, _ = run(capsys, path, "--lc-c", "2.782559402207126")
    assert "fixed, not cross-validated" in out


def test_without_tables_the_fallback_is_said(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = shared / "data" / "alpaca_eval"
    path = Path(shutil.copy(source / "claude-2.1.jsonl", tmp_path))
    want = golden(shared, "alpaca_eval/claude-2.1")["length_controlled_noreg"]
    _, out, err = run(capsys, path, "--json")
    model = json.loads(out)["models"]["claude-2.1"]
    assert model["fit"]["preset"] == "noreg"
    assert model["length_controlled_winrate"] == pytest.approx(
        want["length_controlled_winrate"], abs=0.1
    )
    assert "claude-2.1: without the gamed baseline's rows" in err
    named = scored(capsys, path, source / "gamed_baseline.csv")["models"]["claude-2.1"]
    assert named["fit"]["preset"] == "v1"
    by = scored(
        capsys, path, source / "instruction_difficulty.csv", "--difficulty-by", "instruction"
    )
    assert by["difficulty_by"] == "instruction"


def test_no_preference_of_the_gamed_baseline_is_shown(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "data" / "alpaca_eval"
    _, out, err = run(capsys, folder / "claude-2.1.jsonl", folder / "gamed_baseline.csv", "--json")
    assert list(json.loads(out)["models"]) == ["claude-2.1"]
    assert "0.8059844" not in out + err


def test_annotations_with_outputs_and_leaderboard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [annotation(i) for i in range(30)] + [annotation(3), annotation(30, preference=None)]
    paths = [tmp_path / "annotations.json", tmp_path / "model_outputs.json", tmp_path / "board.csv"]
    paths[0].write_text(json.dumps(rows))
    outputs = [
        {"instruction": row["instruction"], "output": "z" * 10, "generator": "tall"}
        | {"dataset": "koala"}
        for row in [*rows[:30], annotation(77)]
    ]
    paths[1].write_text(json.dumps(outputs))
    paths[2].write_text("model,win_rate,n_total,avg_length\ntall,48.5,30,10\n")
    found = scored(capsys, *paths)
    model = found["models"]["tall"]
    assert (model["n"], model["n_rows"], model["avg_length"]) == (30, 31, 10)
    assert model["published"]["win_rate"] == 48.5
    assert model["fit"]["preset"] == "minimal"
    assert any("30 of 31 outputs match" in text and "Do 77" in text for text in found["warnings"])
    kinds = {one["kind"]: one for one in found["problems"]}
    assert kinds["duplicate"]["rows"] == 1


def test_outputs_that_match_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"output": "a drink", "dataset": "koala"}
    outputs = [row | {"instruction": "What is Tea?", "generator": "m"}]
    outputs += [row | {"instruction": "What is tea?", "generator": "gpt4_1106_preview"}]
    found = scored(capsys, write_rows(tmp_path / "model_outputs.json", outputs))
    assert found["models"] == {}
    said = " ".join(found["warnings"])
    assert "0 of 1 outputs match" in said
    assert "What is Tea?" in said


def test_a_second_file_of_the_same_model_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [annotation(i) for i in range(10)]
    paths = [write_rows(tmp_path / f"{name}.jsonl", rows) for name in ("a", "b")]
    found = scored(capsys, *paths)
    assert found["models"]["tall"]["n"] == 10
    assert any("10 annotations of" in text and "b.jsonl" in text for text in found["warnings"])


def test_an_undefined_length_control_is_null_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [annotation(i, output_1="xx", output_2="yy") for i in range(9)]
    model = scored(capsys, write_rows(tmp_path / "a.json", rows))["models"]["tall"]
    assert model["length_controlled_winrate"] is None
    assert any("equally long" in text for text in model["warnings"])
    assert model["curve"] == []


def test_mt_bench_contract(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "data" / "judges"
    found = scored(capsys, folder / "mtbench_gpt-4_single.jsonl")
    want = golden(shared, "judges/mtbench_single_scores")["expected"]
    assert found["benchmark"] == "mt_bench"
    for name, model in found["models"].items():
        for key in ("turn_1", "turn_2", "average"):
            assert model[key] == pytest.approx(want[key][name], abs=1e-9)
        assert model["by_category"] == pytest.approx(want["category_average"][name], abs=1e-9)
        assert model["n"] + model["missing"] == 160
    assert any("official ids" in text for text in found["warnings"])
    questions = shared / "data" / "mt_bench" / "question.jsonl"
    again = scored(capsys, folder / "mtbench_gpt-4_single.jsonl", questions)
    assert again["models"] == found["models"]
    assert not any("official ids" in text for text in again["warnings"])


def test_mt_bench_pairs_and_votes(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "data" / "judges"
    want = golden(shared, "judges/mtbench_pairwise")
    found = scored(capsys, folder / "mtbench_gpt-4_pair_baseline.jsonl")
    assert found["baseline"] == "gpt-3.5-turbo"
    for name, values in want["baseline"]["win_rate_table"].items():
        assert {key: found["models"][name][key] for key in values} == values
    path = folder / "mtbench_gpt-4_pair_all.jsonl"
    against = scored(capsys, path, "--baseline", "gpt-3.5-turbo")["models"]
    for name, values in want["all"]["with_baseline_filter"].items():
        assert {key: against[name][key] for key in values} == values
    votes = scored(
        capsys, folder / "mtbench_human_votes.json", folder / "mtbench_gpt4_pair_votes.json"
    )
    agreed = golden(shared, "judges/mtbench_agreement")["expected"]
    for one in votes["agreement"]:
        for ties in ("with_tie", "without_tie"):
            key = f"{one['judge']}|{one['against']}|turn{one['turn']}|{ties}"
            assert one[ties] == agreed[key]


def test_arena_hard_contract(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "data" / "judges"
    want = golden(shared, "judges/arena_hard_v01_battles")["expected"]
    found = scored(capsys, folder / "arena_hard_v01_legacy")
    assert found["benchmark"] == "arena_hard"
    for name, values in want.items():
        model = found["models"][name]
        assert model["score"] == pytest.approx(100 * values["both_games"]["win_rate"], abs=1e-9)
        assert (model["n"], model["null"]) == (
            values["both_games"]["n_battles"],
            values["n_null_games"],
        )
        assert model["lower"] < model["score"] < model["upper"]
    assert found["models"]["gpt-4-0314"]["baseline"]
    expect = golden(shared, "judges/arena_hard_v2_scores")["one_judge"]
    found = scored(capsys, folder / "arena_hard_v2", "--judge", "judge-one")
    for category, means in expect["mean_score"].items():
        for name, mean in means.items():
            own = found["models"][name]["by_category"][category]
            assert own["score"] == pytest.approx(100 * mean, abs=1e-9)
            assert own["n"] == expect["n_by_model"][category][name]
    only = scored(
        capsys,
        folder / "arena_hard_v2",
        "--judge",
        "judge-one",
        "--category",
        "hard_prompt",
        "--preset",
        "v2",
    )
    assert only["settings"]["level"] == 0.9
    assert set(only["models"]) == {*expect["mean_score"]["hard_prompt"], "o3-mini-2025-01-31"}


def test_arena_hard_style(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "golden" / "ratings" / "arena_hard_v2"
    want = json.loads((folder / "expected.json").read_text())["expected"]
    paths = folder / "judgments.jsonl", folder / "style_metadata.jsonl"
    found = scored(capsys, *paths, "--style", "markdown")
    for category in ("hard_prompt", "creative_writing"):
        for name, value in want[category]["exact_style_markdown"]["win_rate_percent"].items():
            own = found["models"][name]["by_category"][category]
            assert own["score"] == pytest.approx(value, abs=1e-6)


def test_judge_bias(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "data" / "judges"
    want = golden(shared, "judges/bias_diagnostics")
    found = scored(capsys, folder / "judge_scores_by_family.jsonl", folder / "math_pairs.jsonl")
    effects = {(one["judge"], one["reference"]): one for one in found["self_enhancement"]}
    for expect in want["self_enhancement"]["expected"]:
        own = effects[expect["judge"], expect["reference"]]
        assert own["self_enhancement"] == pytest.approx(expect["self_enhancement"], abs=1e-9)
    effect, expect = found["reference_effect"], want["math"]["expected"]
    assert effect["paired"] == expect["paired"]


def test_repeated_runs_print_the_same(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (shared / "data/judges/arena_hard_v2", "--interval", "bootstrap", "--rounds", "50")
    assert run(capsys, *arguments) == run(capsys, *arguments)


@pytest.mark.parametrize("form", ["table", "md", "csv"])
def test_tables_hold_the_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    rows = [annotation(i, generator_2=HOSTILE) for i in range(20)]
    path = write_rows(tmp_path / "a.json", rows)
    code, out, _ = run(capsys, path, "--format", form)
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out
    if form == "csv":
        (line,) = csv.DictReader(io.StringIO(out))
        assert line["n"] == "20"
        assert line["model"].startswith("'=cmd")
        assert 0 < float(line["length_controlled_winrate"]) < 1
    else:
        assert "LC win rate" in out


def test_lines_and_gates(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shared / "data" / "alpaca_eval" / "claude-2.1.jsonl"
    code, out, err = run(capsys, path, "--jsonl", "-q", "--fail-under", "win_rate=0.2")
    assert code == 1
    (line,) = map(json.loads, out.splitlines())
    assert (line["benchmark"], line["model"]) == ("alpaca_eval", "claude-2.1")
    assert err == "gate failed: claude-2.1: win_rate 0.1573 < 0.2\n"
    code, _, _ = run(capsys, path, "-q", "--fail-under", "length_controlled_winrate=0.2")
    assert code == 0
    code, _, err = run(capsys, path, "-q", "--fail-under", "score=0.2")
    assert code == 2
    assert "length_controlled_winrate" in err


def test_judged_files_beside_a_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = write_suite(tmp_path)
    path = write_rows(tmp_path / "annotations.json", [annotation(i) for i in range(9)])
    found = scored(capsys, *suite, path)
    assert found["benchmark"] == "ifeval"
    assert [one["benchmark"] for one in found["also"]] == ["alpaca_eval"]
    only = scored(capsys, *suite, path, "--benchmark", "alpaca_eval")
    assert only["benchmark"] == "alpaca_eval"
    assert "also" not in only
    code, _, err = run(capsys, *suite, path, "--format", "csv")
    assert code == 2
    assert "--benchmark" in err
    assert set(scored(capsys, *suite, path, "--model", "tall")["models"]) == {"tall"}
    code, _, err = run(capsys, path, "--model", "nobody")
    assert code == 2
    assert "nobody" in err


@pytest.mark.parametrize(
    "option", [["--lc-c", "0"], ["--lc-c", "nan"], ["--rounds", "0"], ["--weight", "x"]]
)
def test_bad_options(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "x", *option]) == 2
    assert option[0] in capsys.readouterr().err


def test_a_model_asked_to_be_brief_is_held_against_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def rows(name: str, preference: float) -> Path:
        made = [
            {"instruction": f"do {i}", "output_1": "a" * 9, "output_2": "b" * (i % 3 + 1),
             "generator_1": "base", "generator_2": name, "preference": preference}
            for i in range(40)
        ]  # fmt: skip
        return write_rows(tmp_path / f"{name}.jsonl", made)

    paths = rows("wren", 1.4), rows("wren_concise", 1.6)
    found = scored(capsys, *paths, "--lc", "minimal")["gameability"]["wren"]["concise"]
    assert found["raw"] == pytest.approx(0.4 / 2**0.5)
    assert "gameability" not in scored(capsys, paths[0])


def test_battles_are_no_votes_of_mt_bench(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"question_id": "q", "model_a": "x", "model_b": "y", "winner": "model_a",
           "judge": "ann", "turn": 1}  # fmt: skip
    path = tmp_path / "battles.jsonl"
    path.write_text(json.dumps(row) + "\n")
    assert main(["score", str(path)]) == 2
    assert "rate them with ifbench-tui rate" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["table", "md"])
def test_ratings_below_each_other_have_the_same_digits_and_a_judges_biases_one_notation(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = sample_data_folder()
    assert main(["score", str(sample / "mt_bench"), "--format", form]) == 0
    by_category = capsys.readouterr().out.partition("by category")[2].partition("pairs")[0]
    ratings = re.findall(r"\d+\.\d+", by_category)
    assert {"10.00", "7.50", "9.00"} <= set(ratings)
    assert {len(one.partition(".")[2]) for one in ratings} == {2}
    assert main(["score", str(sample / "alpaca_eval"), "--format", form]) == 0
    biases = capsys.readouterr().out.partition("position and length")[2]
    assert "71.4 66.1..76.8" in biases
    assert "177.9 -72.4..428.1" in biases
    assert "–" not in biases
