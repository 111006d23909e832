"""`rate` on every golden battle set and file shape, within the contract's tolerances."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.boards import ANCHOR, board, column, golden

SETS = ("tiny", "duplicates", "medium_ties", "medium_style", "sparse129", "disconnected")


@pytest.mark.parametrize("name", SETS)
def test_golden_ratings_and_errors(
    name: str, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, want = golden(shared, name)
    found = board(capsys, path)
    assert found["n_battles"] == want["n_battles"]
    assert found["outcomes"] == {**dict.fromkeys(found["outcomes"], 0), **want["winner_counts"]}
    exact = want["exact_mle"]["ratings_mean1000"]
    assert column(found) == pytest.approx(exact, abs=1e-4)
    assert column(found, "battles") == want["games_per_model"]
    weak = want["structure"]["weak_components"]
    assert sorted(map(sorted, found["components"])) == sorted(map(sorted, weak))
    if "exact_se" in want:
        errors = want["exact_se"]["sandwich_meanzero_elo"]
        assert column(found, "se") == pytest.approx(errors, rel=1e-5)
        assert column(found, "rank_low") == want["rank_ub_from_sandwich"]
        fisher = board(capsys, path, "--interval", "fisher")
        errors = want["exact_se"]["fisher_meanzero_elo"]
        assert column(fisher, "se") == pytest.approx(errors, rel=1e-5)


@pytest.mark.parametrize("name", ["medium_style", "sparse129"])
def test_golden_anchor(name: str, shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, want = golden(shared, name)
    found = board(capsys, path, "--preset", "arena")
    assert column(found) == pytest.approx(want["exact_mle"]["ratings_anchor1114"], abs=1e-4)
    errors = want["exact_se"]["sandwich_anchored_elo"]
    assert column(found, "se") == pytest.approx(errors, rel=1e-5)
    assert board(capsys, path, "--anchor", f"{ANCHOR}=1114")["models"] == found["models"]


def test_golden_separated(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, want = golden(shared, "separated")
    found = board(capsys, path)
    assert column(found) == pytest.approx(want["map_reg0.5"]["ratings_mean1000"], abs=1e-4)
    unbounded = {name: side for name, side in column(found, "unbounded").items() if side}
    assert unbounded == {"SE": "above", "SF": "below"}
    assert column(found, "lower")["SE"] is None
    assert any("{SE} > {SA, SB} > {SC, SD} > {SF}" in one for one in found["warnings"])


@pytest.mark.parametrize("name", ["tiny", "medium_ties", "sparse129"])
def test_golden_elo(name: str, shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, want = golden(shared, name)
    found = board(capsys, path, "--method", "elo", "--interval", "none")
    assert found["method"] == "elo"
    assert column(found) == pytest.approx(want["fastchat"]["compute_elo_K4"], abs=1e-6)


def test_elo_comes_with_its_spread(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, _ = golden(shared, "tiny")
    found = board(capsys, path, "--method", "elo", "--rounds", "40", "--seed", "3")
    spread = found["spread"]
    assert spread["orders"] == 40
    for name, rating in column(found).items():
        assert spread["lowest"][name] <= rating <= spread["highest"][name]
    assert board(capsys, path, "--method", "elo", "--rounds", "40", "--seed", "3") == found


def test_golden_style(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, want = golden(shared, "medium_style")
    plain = board(capsys, path, "--style", "fastchat", "--preset", "arena")
    wanted = want["style"]["exact_reg0.5"]
    assert column(plain) == pytest.approx(wanted["ratings_anchor1114"], abs=1e-4)
    coefficients = wanted["coefs_token_header_list_bold"]
    assert plain["style"]["coefficients"] == pytest.approx(coefficients, abs=1e-6)
    assert plain["style"]["features"] == ["tokens", "header", "list", "bold"]
    wanted = want["arena_rank"]["contextual_reg1_unweighted"]
    rank = board(capsys, path, "--style", "arena-rank")
    assert column(rank) == pytest.approx(wanted["exact_ratings_mean1000"], abs=1e-4)
    wanted = want["arena_rank"]["contextual_reg1e-12_unweighted"]
    own = board(capsys, path, "--style", "plain")
    assert column(own) == pytest.approx(wanted["exact_ratings_mean1000"], abs=1e-4)
    assert set(own["style"]) >= {"features", "coefficients", "lower", "upper"}


def test_golden_bootstrap(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, want = golden(shared, "medium_ties")
    options = ("--interval", "bootstrap", "--rounds", "400")
    found = board(capsys, path, *options)
    wanted = want["bootstrap_exact_100_seed0"]
    assert column(found, "lower") == pytest.approx(wanted["q025"], abs=8)
    assert column(found, "upper") == pytest.approx(wanted["q975"], abs=8)
    assert board(capsys, path, *options)["models"] == found["models"]
    assert board(capsys, path, *options, "--seed", "1")["models"] != found["models"]


def test_golden_clusters(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, want = golden(shared, "arena_hard_real")
    baseline = want["elo_anchor_baseline_1000"]
    options = (path, "--anchor", "claude-3-haiku-20240307=1000", "--interval", "bootstrap")
    found = board(capsys, *options, "--rounds", "2000", "--cluster", "question")
    assert column(found) == pytest.approx(baseline, abs=1e-4)
    bounds = want["question_clustered_bootstrap_2000_rng0_win_rate_95"]
    for row in found["models"]:
        if row["name"] in bounds:
            rates = [100 / (1 + 10 ** ((1000 - row[side]) / 400)) for side in ("lower", "upper")]
            assert rates == pytest.approx(bounds[row["name"]], abs=1.0)


def test_golden_arena_hard(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "golden" / "ratings"
    old, new = (folder / f"arena_hard_{version}" for version in ("v01", "v2"))
    want = json.loads((old / "expected.json").read_text())["expected"]
    found = board(capsys, str(old / "judgments.jsonl"), "--anchor", "gpt-4-0314=1000")
    assert column(found) == pytest.approx(want["elo_anchor_baseline_1000"], abs=1e-4)
    assert found["settings"]["cluster"] == "question"
    assert found["refused"][0]["reason"].startswith("game 2 has no known verdict")
    want = json.loads((new / "expected.json").read_text())["expected"]
    for category, baseline in want["baselines"].items():
        only = ("--category", category, "--anchor", f"{baseline}=1000")
        found = board(capsys, str(new / "judgments.jsonl"), *only)
        percents = {
            name.rsplit("/")[-1]: 100 / (1 + 10 ** ((1000 - rating) / 400))
            for name, rating in column(found).items()
            if name != baseline
        }
        assert percents == pytest.approx(want[category]["exact_score_percent"], abs=1e-6)
    loose = board(capsys, str(new / "judgments.jsonl"), "--cluster", "none")
    assert loose["settings"]["cluster"] is None


def test_golden_mt_bench_pairs(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "golden" / "ratings" / "mtbench_pair"
    want = json.loads((folder / "expected.json").read_text())["pairwise-all"]
    found = board(capsys, str(folder / "gpt-4_pair.jsonl"))
    assert {row["name"] for row in found["models"]} == want.keys()
    for row in found["models"]:
        wanted = want[row["name"]]
        assert (row["wins"], row["losses"], row["ties"]) == (
            *(wanted["win"], wanted["loss"], wanted["tie"]),
        )


def test_golden_formats_agree(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "golden" / "ratings" / "formats"
    names = ("pref55k.csv", "pref140k.jsonl", "mtbench_human.json", "table.csv")
    boards = [board(capsys, str(folder / name)) for name in names]
    assert len({json.dumps(column(found)) for found in boards}) == 1
    assert [one["line"] for one in boards[3]["refused"]] == [14, 15, 16]
    clean = board(capsys, str(folder / "fastchat_clean.json"))
    assert clean["left_out"] == {"names were shown": 2}
    assert board(capsys, str(folder / "fastchat_clean.json"), "--anony", "any")["n_battles"] == 12
    assert board(capsys, str(folder / "pref100k.jsonl"))["n_battles"] == 11
    assert board(capsys, str(folder / "pref100k.jsonl"), "--repeats")["n_battles"] == 12
