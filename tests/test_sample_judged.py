"""The sample data of judged benchmarks and battles shows the habits its README names."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.cli import main
from ifbench_tui.report.boards.base import BoardResult
from ifbench_tui.report.boards.registry import boards_of
from ifbench_tui.workspace import LoadOptions, Workspace, load

SAMPLE_DATA = Path(__file__).resolve().parents[1] / "sample_data"
JUDGED = ("alpaca_eval", "arena_hard", "judge_bias", "mt_bench")
HERON, MAGPIE, WREN = "heron-2", "magpie-chat", "wren-mini"
BASELINE = "bittern-1"
FIRST = "first_position_win_share"


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    paths = [str(SAMPLE_DATA / name) for name in JUDGED]
    return load(paths, LoadOptions(judged=True))


@pytest.fixture(scope="module")
def boards(workspace: Workspace) -> dict[str, BoardResult]:
    return {board.benchmark: board for board in boards_of(workspace.judged)}


def rows_of(name: str) -> list[dict[str, Any]]:
    """The rows of a file as they are written."""
    text = (SAMPLE_DATA / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        found: list[dict[str, Any]] = json.loads(text)
        return found
    return [json.loads(line) for line in text.splitlines()]


def rated(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    folder = str(SAMPLE_DATA / "battles")
    assert main(["rate", folder, "--json", "--quiet", *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


# ---- everything is read ------------------------------------------------------------------------


def test_every_row_of_the_judged_files_is_used(workspace: Workspace) -> None:
    assert len(workspace.sources) == 26
    for source in workspace.sources:
        assert source.used > 0, source.path
        assert (source.duplicate, source.unmatched, source.broken) == (0, 0, 0), source.path
    assert {source.format for source in workspace.sources} == {
        "alpaca-annotations", "alpaca-leaderboard", "alpaca-outputs",
        "arena-hard-answers", "arena-hard-boards", "arena-hard-questions",
        "judge-family-scores", "judge-known-pairs",
        "mt-bench-answers", "mt-bench-pair-boards", "mt-bench-questions", "mt-bench-single",
        "mt-bench-vote-boards",
    }  # fmt: skip


def test_the_whole_folder_opens_and_drops_only_what_it_should() -> None:
    loaded = load([str(SAMPLE_DATA)])
    assert list(loaded.suites) == ["ifeval", "ifhardbench"]
    lost = {
        str(Path(source.path).relative_to(SAMPLE_DATA)): source.broken + source.unmatched
        for source in loaded.sources
        if source.broken or source.unmatched
    }
    assert lost == {
        "arena_hard/model_judgment/owl-judge/magpie-chat.jsonl": 1,
        "battles/battles.jsonl": 2,
        "ifeval/responses/wren-mini.csv": 1,
        "mt_bench/model_judgment/owl-judge_pair.jsonl": 1,
    }
    assert all(source.used for source in loaded.sources)


def test_the_demo_opens_all_files_those_to_audit_first() -> None:
    files = [path for path in SAMPLE_DATA.rglob("*") if path.is_file()]
    tables = [path for path in files if path.name not in ("README.md", "dataset_meta.json")]
    counted = f"{len(tables)} files".encode()
    drawn = demo_screen(until=counted).partition(counted)[2]
    places = [drawn.index(name) for name in (b"prompts.jsonl", b"rows.json", b"leaderboard.csv")]
    assert places == sorted(places)


def demo_screen(until: bytes) -> bytes:
    """What `demo` draws on a terminal of 80x24 until a text stands there; then it is left."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.executable, [sys.executable, "-m", "ifbench_tui", "demo"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    screen, left = b"", False
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1.0)[0]:
            continue
        try:
            screen += os.read(terminal, 65536)
        except OSError:
            break
        if until in screen and not left:
            left = True
            os.write(terminal, b"q")
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0
    return screen


# ---- MT-Bench ----------------------------------------------------------------------------------


def test_mt_bench_ranks_the_models_and_misses_one_rating(boards: dict[str, BoardResult]) -> None:
    models = boards["mt_bench"].models
    average = {name: values["average"] for name, values in models.items()}
    assert average[HERON] > average[MAGPIE] > average[WREN]
    assert {name: values["missing"] for name, values in models.items()} == {
        HERON: 0, MAGPIE: 1, WREN: 0
    }  # fmt: skip
    assert all(len(values["by_category"]) == 8 for values in models.values())
    told = " ".join(boards["mt_bench"].warnings or ())
    assert "1 judgment with several different ratings" in told
    assert "scores are not what" not in told


def test_mt_benchs_judge_favours_the_first_answer(boards: dict[str, BoardResult]) -> None:
    position = boards["mt_bench"].extra["bias"]["position"]
    assert position[FIRST]["lower"] > 0.5
    assert position["p_value"] < 0.01
    assert position["biased_to_first"]["value"] > 0.2
    assert position["biased_to_second"]["value"] == 0.0
    assert (position["n_matches"], position["n_valid"]) == (48, 47)


def test_people_agree_with_the_judge_only_in_part(boards: dict[str, BoardResult]) -> None:
    shares = {
        (one["judge"], one["turn"]): one["with_tie"]
        for one in boards["mt_bench"].extra["agreement"]
    }
    assert shares["human", 1]["total"] == 24
    judged = [one for (judge, _), one in shares.items() if judge != "human" and one["total"]]
    assert sum(one["total"] for one in judged) == 80
    assert all(0.5 < one["ratio"] < 0.9 for one in judged)
    assert {"author_1"} < {row["judge"] for row in rows_of("mt_bench/human_votes.json")}


def test_mt_bench_has_an_empty_answer_and_references_where_the_judge_needs_them() -> None:
    answers = rows_of("mt_bench/model_answer/wren-mini.jsonl")
    empty = [row["question_id"] for row in answers if "" in row["choices"][0]["turns"]]
    assert empty == [205]
    questions = {row["question_id"]: row for row in rows_of("mt_bench/question.jsonl")}
    guided = [row["question_id"] for row in rows_of("mt_bench/reference_answer/owl-judge.jsonl")]
    assert [questions[key]["category"] for key in guided] == ["reasoning", "math", "coding"]
    pairs = rows_of("mt_bench/model_judgment/owl-judge_pair.jsonl")
    games = {(row["g1_winner"], row["g2_winner"]) for row in pairs}
    assert ("tie", "tie") in games
    assert any("error" in pair for pair in games)


# ---- AlpacaEval --------------------------------------------------------------------------------


def test_alpaca_eval_shows_length_and_position(boards: dict[str, BoardResult]) -> None:
    models = boards["alpaca_eval"].models
    assert {name: values["n"] for name, values in models.items()} == {
        HERON: 32, MAGPIE: 31, WREN: 31
    }  # fmt: skip
    raw = {name: values["win_rate"] for name, values in models.items()}
    controlled = {name: values["length_controlled_winrate"] for name, values in models.items()}
    assert raw[MAGPIE] > 57 > controlled[MAGPIE]
    assert raw[WREN] + 10 < controlled[WREN] < 50
    assert controlled[HERON] > controlled[MAGPIE] > controlled[WREN]
    assert models[WREN]["bias"]["verbosity"]["longer_wins_share"]["lower"] > 0.7
    for name in (HERON, MAGPIE):
        first = models[name]["bias"]["mean_first_position_preference"]
        assert first["enough"]
        assert first["lower"] > 0.6, name


def test_alpaca_evals_odd_rows_are_told(boards: dict[str, BoardResult]) -> None:
    told = boards["alpaca_eval"].warnings or ()
    assert any("31 of 32 outputs match" in text and text.startswith(WREN) for text in told)
    rows = {name: rows_of(f"alpaca_eval/{name}/annotations.json") for name in (HERON, MAGPIE, WREN)}
    assert sum(row["preference"] is None for row in rows[MAGPIE]) == 1
    same = [row["preference"] for row in rows[HERON] if row["output_1"] == row["output_2"]]
    assert same == [1.5, 1.5]
    empty = [row["preference"] for row in rows[WREN] if not row["output_2"]]
    assert len(empty) == 1
    assert empty[0] < 1.001


def test_the_leaderboard_is_that_of_the_annotations_but_for_one_preference(
    boards: dict[str, BoardResult],
) -> None:
    # Length control is fitted on each machine anew: only as good as the choice of C.
    near = {"win_rate": 1e-6, "avg_length": 0, "length_controlled_winrate": 0.1}
    models = boards["alpaca_eval"].models
    for name in (HERON, WREN):
        for field, tolerance in near.items():
            listed = models[name]["published"][field]
            assert listed == pytest.approx(models[name][field], abs=tolerance), (name, field)
    listed = models[MAGPIE]["published"]
    assert listed["n_total"] == models[MAGPIE]["n"] + 1
    assert listed["win_rate"] > models[MAGPIE]["win_rate"] + 1


# ---- Arena-Hard --------------------------------------------------------------------------------


def test_arena_hard_has_all_labels_and_one_missing(boards: dict[str, BoardResult]) -> None:
    labels = {
        game["score"]
        for name in (HERON, MAGPIE, WREN)
        for row in rows_of(f"arena_hard/model_judgment/owl-judge/{name}.jsonl")
        for game in row["games"]
    }
    assert labels == {"A>>B", "A>B", "A=B", "B>A", "B>>A", None}
    board = boards["arena_hard"]
    assert board.warnings == ()
    assert {name: values["null"] for name, values in board.models.items()} == {
        HERON: 0, MAGPIE: 1, WREN: 0, BASELINE: 0
    }  # fmt: skip
    scores = {name: values["score"] for name, values in board.models.items()}
    assert scores[HERON] > scores[BASELINE] > scores[MAGPIE]
    assert scores[WREN] > 0


def test_arena_hards_judge_favours_the_first_answer(boards: dict[str, BoardResult]) -> None:
    found = boards["arena_hard"].extra["reliability"]["all"]
    assert found["position"][FIRST]["lower"] > 0.5
    assert found["position"]["inconsistency_rate"]["value"] > 0.3


# ---- judge bias --------------------------------------------------------------------------------


def test_a_judge_favours_its_family_and_references_help(boards: dict[str, BoardResult]) -> None:
    extra = boards["judge_bias"].extra
    found = {(one["judge"], one["reference"]): one for one in extra["self_enhancement"]}
    assert set(found) == {("heron-judge", "owl-judge"), ("heron-judge", "human")}
    assert all(one["lower"] > 0 and one["enough"] for one in found.values())
    effect = extra["reference_effect"]
    assert effect["reference_guided"]["accuracy"] > effect["default"]["accuracy"] + 0.3
    assert effect["default"]["n"] == 39, "one verdict is an error"


# ---- battles -----------------------------------------------------------------------------------


def test_battles_count_where_names_were_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    found = rated(capsys)
    assert found["n_battles"] == 219
    assert sorted(found["left_out"].values()) == [6, 15]
    assert len(found["refused"]) == 2
    assert len(found["components"]) == 1
    assert found["outcomes"]["tie"] > 10
    assert found["outcomes"]["tie (bothbad)"] > 3
    assert len({row["language"] for row in rows_of("battles/battles.jsonl")}) == 5


def test_length_carries_magpie_chat_to_the_top(capsys: pytest.CaptureFixture[str]) -> None:
    plain = [row["name"] for row in rated(capsys)["models"]]
    assert plain[:2] == [MAGPIE, HERON]
    controlled = rated(capsys, "--style", "plain")
    assert [row["name"] for row in controlled["models"]][:3] == [HERON, BASELINE, MAGPIE]
    style = controlled["style"]
    assert style["lower"][style["features"].index("tokens")] > 0


def test_bruno_clicks_on_the_left(capsys: pytest.CaptureFixture[str]) -> None:
    people = rated(capsys, "--show", "annotators")["annotators"]
    chance = {one["name"]: one["position_bias"]["p_value"] for one in people["annotators"]}
    assert set(chance) == {"ada", "bruno", "chiyo"}
    assert chance["bruno"] < 1e-4
    assert min(chance["ada"], chance["chiyo"]) > 0.1
    assert people["pooled"]["items"] == 73
