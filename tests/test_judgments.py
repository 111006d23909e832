"""From a board's model to its judgments: what is listed, and the golden numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.cli import judgments as command
from ifbench_tui.engine.judged.rows import PairJudgment
from ifbench_tui.engine.judged.verdicts import PROTOCOLS
from ifbench_tui.report.boards.registry import boards_of
from ifbench_tui.report.judgments.games import pair_games
from ifbench_tui.report.judgments.listing import (
    STATES,
    Judgment,
    Wanted,
    chosen,
    counts,
    decided,
    judged_models,
    judgments_of,
    record,
)
from ifbench_tui.report.judgments.marks import marked
from tests.engine.judged.data import golden
from tests.judged_files import JUDGE, alpaca, arena, loaded, mt_bench, of, write

# ---- the list --------------------------------------------------------------------------------


def test_ratings_and_pairs_are_listed_by_question_and_turn(tmp_path: Path) -> None:
    found = of(loaded(mt_bench(tmp_path)), "mt_bench")
    assert [(row.question, row.turn, decided(row)) for row in found] == [
        ("81", 1, "9"),
        ("81", 1, "won both games"),
        ("81", 2, "3"),
        ("81", 2, "games disagree"),
        ("101", 1, "4"),
        ("101", 1, "lost both games"),
        ("101", 2, "unparsed"),
        ("111", 1, "10"),
        ("111", 1, "tied both games"),
        ("151", 1, "6"),
        ("151", 1, "game 2 unparsed"),
        ("151", 2, "won both games"),
    ]
    assert record(found) == [
        "mean 6.40 (5 ratings)",
        "won 2, lost 1, even 2",
        "60.0 %",
        "2 unparsed",
    ]
    assert {row.judge for row in found} == {JUDGE}


def test_the_other_model_sees_the_same_games_from_its_side(tmp_path: Path) -> None:
    found = of(loaded(mt_bench(tmp_path)), "mt_bench", "short")
    assert [decided(row) for row in found if not row.rating] == [
        "lost both games", "games disagree", "won both games", "tied both games",
        "game 2 unparsed", "lost both games",
    ]  # fmt: skip


def test_filters_tell_what_is_odd(tmp_path: Path) -> None:
    found = of(loaded(mt_bench(tmp_path)), "mt_bench")

    def listed(wanted: Wanted) -> list[tuple[str, int, bool]]:
        return [(row.question, row.turn, row.rating) for row in chosen(found, wanted)]

    assert listed(Wanted("disagree")) == [("101", 1, True), ("151", 2, False)]
    assert listed(Wanted("unparsed")) == [("101", 2, True), ("151", 1, False)]
    assert listed(Wanted("inconsistent")) == [("81", 2, False)]
    assert listed(Wanted("lost")) == [("101", 1, False)]
    assert listed(Wanted("won", "writing")) == [("81", 1, False)]
    many = counts(found)
    assert many[Wanted("won")] == 2
    assert many[Wanted(category="writing")] == 4


def test_arena_games_are_the_models_whichever_side_it_was_shown_on(tmp_path: Path) -> None:
    files = loaded(arena(tmp_path))
    assert judged_models(files, "arena_hard") == ["tall", "base"]
    assert [decided(row) for row in of(files, "arena_hard")] == [
        "won both games", "lost both games", "games disagree", "unparsed",
    ]  # fmt: skip
    assert [decided(row) for row in of(files, "arena_hard", "base")][:2] == [
        "lost both games", "won both games",
    ]  # fmt: skip


def test_alpaca_counts_the_first_file_of_a_model_as_the_board_does(tmp_path: Path) -> None:
    files = loaded([*alpaca(tmp_path / "a.json"), *alpaca(tmp_path / "b.json")])
    found = of(files, "alpaca_eval")
    assert [decided(row) for row in found] == [
        "won 90.0 %",
        "lost 10.0 %",
        "unparsed",
        "tie 50.0 %",
    ]
    assert {row.path for row in found} == {str(tmp_path / "a.json")}


def test_pairs_judged_by_a_template_for_one_answer_are_two_ratings() -> None:
    def row(winner: str, second: str) -> PairJudgment:
        judge = (JUDGE, "single-v1")
        return PairJudgment(81, "tall", "short", judge, 1, winner, winner, "[[8]]", second)  # type: ignore[arg-type]

    agrees = pair_games(row("model_1", "[[5]]"), "short", {})
    assert [(game.shown, game.stored, game.outcome) for game in agrees] == [
        (("tall",), 8, "lost"), (("short",), 5, "lost"),
    ]  # fmt: skip
    assert not any(game.disagrees for game in agrees)
    games = pair_games(row("model_1", "[[9]]"), "tall", {})
    assert [game.disagrees for game in games] == [True, True]
    assert pair_games(row("tie", "[[7.9]]"), "tall", {})[0].outcome == "tie"


def test_the_formats_of_loaded_templates_decide_how_pairs_are_parsed(tmp_path: Path) -> None:
    judged = {"question_id": 81, "model_1": "tall", "model_2": "short", "g1_winner": "model_1",
              "g2_winner": "tie", "judge": [JUDGE, "scores"], "g1_judgment": "[[8,5]]",
              "g2_judgment": "[[6,6]]", "turn": 1}  # fmt: skip
    template = {"name": "scores", "type": "pairwise", "system_prompt": "", "prompt_template": "{q}",
                "output_format": "[[rating_a,rating_b]]"}  # fmt: skip
    path = write(tmp_path / "pair.jsonl", [judged])
    (without,) = of(loaded([path]), "mt_bench")
    assert without.disagrees
    (found,) = of(loaded([path, write(tmp_path / "judge_prompts.jsonl", [template])]), "mt_bench")
    assert not found.disagrees
    assert [game.found.stored for game in found.games if game.found] == ["A", "tie"]


def test_the_command_names_the_states_there_are() -> None:
    assert tuple(STATES) == command.STATES


# ---- golden ----------------------------------------------------------------------------------


def test_every_shared_judgment_is_highlighted_where_the_parser_read_it(shared: Path) -> None:
    folder = shared / "data" / "judges"
    paths = [str(path) for path in folder.glob("mtbench_gpt-4_*.jsonl")]
    paths += [str(folder / "arena_hard_v2"), str(folder / "arena_hard_v01_legacy")]
    files = loaded(paths)
    seen = 0
    for benchmark in ("mt_bench", "arena_hard"):
        for model in judged_models(files, benchmark):
            for judgment in judgments_of(files, benchmark, model):
                seen += _check_spans(judgment)
    assert seen > 6000


def _check_spans(judgment: Judgment) -> int:
    """The deciding span alone gives the parser's value; the flags are those of the parser."""
    legacy = judgment.template == "" and getattr(judgment.value, "rules", "") == "v0.1"
    name = "arena-v0.1" if legacy else "arena-v2"
    if judgment.benchmark == "mt_bench":
        name = "mt-single" if judgment.rating else "mt-pair"
    parse = PROTOCOLS[name]
    sentinels = (-1, "error", None)
    disagrees = unparsed = False
    for game in judgment.games:
        stored_none = game.stored in sentinels
        unparsed |= not game.usable
        if game.text is None:
            continue
        want = parse(game.text)
        text, spans, _ = marked(game, game.text, want)
        (decisive,) = [span for span in spans if span.role != "limit"]
        if want.span is not None:
            shown = text[decisive.start : decisive.end]
            assert shown == game.text[slice(*want.span)]
            assert parse(shown).stored == want.stored
        else:
            assert (decisive.role, decisive.start) == ("missing", decisive.end)
        same = game.stored == want.stored or (stored_none and want.stored in sentinels)
        disagrees |= not same
        assert set(want.flags) <= set(decisive.note.split("; "))
    assert (judgment.disagrees, judgment.unparsed) == (disagrees, unparsed)
    return len(judgment.games)


@pytest.mark.parametrize(
    ("name", "protocol", "expected"),
    [
        ("mtbench_single_rating_cases", "mt-single", "score"),
        ("mtbench_pair_verdict_cases", "mt-pair", "winner"),
        ("arena_hard_label_cases", "arena-v2", "v2_label"),
        ("arena_hard_label_cases", "arena-v0.1", "v01_label"),
    ],
)
def test_a_row_is_flagged_exactly_where_the_golden_parser_says_otherwise(
    shared: Path, tmp_path: Path, name: str, protocol: str, expected: str
) -> None:
    cases = [
        case for case in golden(shared, f"judges/{name}")
        if case.get("output_format", "[[A]]") == "[[A]]"
    ]  # fmt: skip
    assert len(cases) > 10
    winners = {"A": "model_1", "B": "model_2"}
    rows = []
    for number, case in enumerate(cases):
        value, text = case["expected"][expected], case["judgment"]
        if protocol == "mt-single":
            rows.append({"question_id": number, "model": "tall", "judge": [JUDGE, "single-v1"],
                         "judgment": text, "score": value, "turn": 1})  # fmt: skip
        elif protocol == "mt-pair":
            winner = winners.get(value, value)
            rows.append({"question_id": number, "model_1": "tall", "model_2": "short",
                         "judge": [JUDGE, "pair-v2"], "g1_judgment": text, "g1_winner": winner,
                         "g2_judgment": "[[C]]", "g2_winner": "tie", "turn": 1})  # fmt: skip
        else:
            key = "question_id" if protocol == "arena-v0.1" else "uid"
            game = {"score": value, "judgment": text if key != "uid" else {"answer": text}}
            more = {} if key != "uid" else {"category": "c", "baseline": "base"}
            rows.append({key: str(number), "model": "tall", "judge": JUDGE,
                         "games": [game, game], **more})  # fmt: skip
    files = loaded([write(tmp_path / "judged.jsonl", rows)])
    benchmark = "arena_hard" if protocol.startswith("arena") else "mt_bench"
    found = of(files, benchmark)
    assert len(found) == len(cases)
    for judgment, case in zip(sorted(found, key=lambda row: int(row.question)), cases, strict=True):
        assert not judgment.disagrees, case
        game = judgment.games[0]
        value = case["expected"][expected]
        if expected == "v2_label":
            assert game.usable == case["expected"]["v2_label_is_scorable"], case
        elif expected != "v01_label":
            assert game.usable == (value not in (None, -1, "error")), case


@pytest.mark.parametrize(
    ("benchmark", "paths", "metric"),
    [
        ("mt_bench", ("judges/mtbench_gpt-4_single.jsonl",), "average"),
        ("mt_bench", ("judges/mtbench_gpt-4_pair_all.jsonl",), "win_rate_adjusted"),
        ("arena_hard", ("judges/arena_hard_v2/judge-one",), "score"),
        ("alpaca_eval", ("alpaca_eval/claude-2.1.jsonl", "alpaca_eval/phi-2.jsonl"), "win_rate"),
    ],
)
def test_the_points_listed_add_up_to_the_number_on_the_board(
    shared: Path, benchmark: str, paths: tuple[str, ...], metric: str
) -> None:
    files = loaded(str(shared / "data" / path) for path in paths)
    (board,) = [one for one in boards_of(files) if one.benchmark == benchmark]
    scale = 100.0 if benchmark != "mt_bench" else 1.0
    checked = 0
    for model, values in board.models.items():
        if values.get("baseline"):
            continue
        points = [point for row in judgments_of(files, benchmark, model) for point in row.points]
        assert scale * sum(points) / len(points) == pytest.approx(values[metric], abs=1e-9)
        checked += 1
    assert checked >= 2
