"""Reading the judgments behind a number, as a person does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.screens.judgments import JudgmentsScreen
from ifbench_tui.workspace import JudgedFile
from tests.judged_files import alpaca, arena, loaded, mt_bench, write

from .conftest import HOSTILE, MakeApp, screen_text, settle
from .test_hostile_text import ACTS, NAME


async def opened(
    pilot: Pilot[None], files: Sequence[JudgedFile], benchmark: str = "mt_bench",
    model: str = "tall",
) -> JudgmentsScreen:  # fmt: skip
    """The screen as a board opens it."""
    await settle(pilot)
    screen = JudgmentsScreen(files, benchmark, model)
    pilot.app.push_screen(screen)
    await settle(pilot)
    return screen


async def press(pilot: Pilot[None], *keys: str) -> str:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)
    app = pilot.app
    assert isinstance(app, AuditApp)
    return screen_text(app)


async def test_a_score_leads_to_the_conversation_and_its_verdict(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        text = screen_text(app)
        for part in (
            "tall · MT-Bench", "judge umpire", "mean 6.40 (5 ratings)", "question, turn 1",
            "Write a line about rain.", "answer of tall, turn 1", "judgment of umpire, turn 1",
            "n steps to the verdict: rating 9",
        ):  # fmt: skip
            assert part in text, part
        assert "verdict 1 of 1: rating 9" in await press(pilot, "n")
        assert screen.pane.shown_text.startswith("question, turn 1\n")


async def test_who_reads_a_verdict_reads_the_next_ones_too(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        text = await press(pilot, "n", "j")
        assert "verdict 1 of 2: tall is better" in text
        assert "Vivid" not in text
        assert "A is livelier. [[A]]" in text
        assert "verdict 2 of 2: tall is better" in await press(pilot, "n")
        assert "verdict 1 of 2" in await press(pilot, "n")
        assert "verdict 2 of 2" in await press(pilot, "N")
        await press(pilot, "tab", "J")
        assert screen.rows.cursor == 2
        assert "verdict 1 of 1: rating 3; 2 ratings in the text" in await press(pilot, "K", "J")


async def test_the_list_says_what_is_odd(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, loaded(mt_bench(tmp_path)))
        lines = [line[:46] for line in screen_text(app).splitlines()]
        listed = [" ".join(line.split()) for line in lines if " t1 " in line or " t2 " in line]
        assert listed[1].startswith("✓ 81 t1 won both games short")
        assert listed[3].startswith("≠ 81 t2 games disagree")
        assert listed[4].startswith("101 t1 4 text differs")
        assert listed[5].startswith("✗ 101 t1 lost both games")
        assert listed[6].startswith("! 101 t2 unparsed")
        assert listed[8].startswith("– 111 t1 tied both games")


async def test_a_filter_lists_only_what_is_so_and_counts_it(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        assert "text and score differ (2)" in await press(pilot, "f", "l")
        text = await press(pilot, "enter")
        assert "filter text and score differ 2 of 12" in text
        assert screen.rows.count == 2
        text = await press(pilot, "f", "j", "l", "enter")
        assert "None of the 12 judgments is so." in text
        assert "0 of 12" in text
        assert screen.judgment is None
        text = await press(pilot, "F")
        assert screen.rows.count == 12
        assert "question, turn 1" in text
        before = await press(pilot, "j")
        await press(pilot, "f", "l", "escape")
        assert screen.rows.count == 12
        assert screen_text(app).splitlines()[:12] == before.splitlines()[:12]


async def test_the_same_question_is_read_on_another_model(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        await press(pilot, *"jjjjj")
        assert screen.judgment is not None
        assert (screen.judgment.question, screen.judgment.model) == ("101", "tall")
        text = await press(pilot, "right_square_bracket")
        assert (screen.judgment.question, screen.judgment.model) == ("101", "short")
        assert "short · MT-Bench" in text
        assert "won both games" in text
        await press(pilot, "left_square_bracket")
        assert (screen.judgment.question, screen.judgment.model) == ("101", "tall")


async def test_a_filter_does_not_hide_the_question_on_another_model(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        await press(pilot, "f", *"llll", "enter")
        assert screen.rows.count == 1
        text = await press(pilot, "right_square_bracket")
        assert screen.judgment is not None
        assert (screen.judgment.question, screen.judgment.model) == ("101", "short")
        assert "filter" not in text.splitlines()[0]


async def test_a_search_steps_through_matches_and_follows_to_the_next_judgment(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        text = await press(pilot, "slash", *"turn", "enter")
        assert "match 1 of 7" in text
        assert "match 2 of 7" in await press(pilot, "n")
        assert "match 1 of 10" in await press(pilot, "j")
        await press(pilot, "escape")
        assert not screen.pane.finding
        assert app.screen is screen
        assert "verdict 1 of 2" in await press(pilot, "n")


async def test_traces_and_prompts_unfold_and_fold(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        text = await press(pilot, *"jjjjjjj")
        assert "(a reasoning trace of 35 characters, folded)" in text
        assert "12 * 12 is 144" not in text
        assert "It is 144." in text
        text = await press(pilot, "t")
        assert "<think>12 * 12 is 144, yes.</think>" in text
        assert "Please rate the answer to 111." in screen.pane.shown_text
        assert "folded" in await press(pilot, "t")


async def test_without_questions_it_says_which_files_to_load(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, loaded(mt_bench(tmp_path, judgments_only=True)))
        text = screen_text(app)
        assert "To read it here, load also: question.jsonl," in text
        assert "Please rate the answer to 81." in text
        assert "Rating: [[9]]" in text


async def test_arena_and_alpaca_are_read_in_the_same_way(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, loaded(arena(tmp_path / "arena")), "arena_hard")
        text = screen_text(app)
        assert "against base" in text
        assert "judgment of umpire, game 2: A is tall, B is base" in text
        assert "verdict 2 of 2: tall is better than base" in await press(pilot, "n", "n")
        await press(pilot, "q")
        await opened(pilot, loaded(alpaca(tmp_path / "annotations.json")), "alpaca_eval")
        text = screen_text(app)
        assert "won 90.0 %" in text
        assert "tall does 1" in text
        assert "preference 1.9: 1 is base, 2 is tall" in text


async def test_a_model_without_judgments_is_said(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot, loaded(mt_bench(tmp_path)), model="nobody")
        assert "No judgment of nobody on MT-Bench is loaded." in screen_text(app)
        for key in ("n", "j", "enter", "y", "Y", "t", "slash", "escape", "f", "F"):
            await press(pilot, key)
        text = await press(pilot, "right_square_bracket")
        assert "tall · MT-Bench" in text


async def test_text_and_json_are_copied(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        text = await press(pilot, "y")
        assert "copied 81 of tall (" in text
        assert app.clipboard == screen.pane.text
        await press(pilot, "Y")
        found: dict[str, Any] = json.loads(app.clipboard)
        assert (found["question"], found["score"]) == ("81", 9)
        (mark,) = found["sections"][-2]["marks"]
        assert found["sections"][-2]["text"][mark["start"] : mark["end"]] == "[[9]]"


async def test_a_file_that_is_gone_is_said_and_the_judgment_still_read(
    make_app: MakeApp, tmp_path: Path
) -> None:
    paths = alpaca(tmp_path / "annotations.json")
    files = loaded(paths)
    Path(paths[0]).unlink()
    app = make_app(start="ratings")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await opened(pilot, files, "alpaca_eval")
        text = screen_text(app)
        assert "the file is gone or has changed" in text
        assert "preference 1.9" in text


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 16)])
async def test_hostile_judgments_are_shown_and_never_act(
    make_app: MakeApp, tmp_path: Path, size: tuple[int, int]
) -> None:
    rows = [
        {"question_id": f"{NAME}{number}", "model": NAME, "judge": [NAME, NAME], "turn": 1,
         "score": 5, "judgment": f"{HOSTILE} [[7]]\n<think>{HOSTILE}", "user_prompt": HOSTILE}
        for number in range(3)
    ]  # fmt: skip
    pairs = [
        {"question_id": f"{NAME}{number}", "model_1": NAME, "model_2": HOSTILE, "turn": 2,
         "judge": [HOSTILE, HOSTILE], "g1_winner": "model_1", "g2_winner": "model_2",
         "g1_judgment": HOSTILE, "g2_judgment": f"[[A]]{HOSTILE}"}
        for number in range(3)
    ]  # fmt: skip
    questions = [
        {"question_id": f"{NAME}{number}", "category": NAME, "turns": [HOSTILE, HOSTILE]}
        for number in range(3)
    ]
    paths = [
        write(tmp_path / "s.jsonl", rows), write(tmp_path / "p.jsonl", pairs),
        write(tmp_path / "q.jsonl", questions),
    ]  # fmt: skip
    app = make_app(start="ratings")
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        screen = await opened(pilot, loaded(paths), model=NAME)
        assert screen.rows.count == 6
        steps = ("n", "j", "n", "t", "tab", "z", "z", "f", "l", "j", "l", "enter", "F", "y",
                 "right_square_bracket", "slash", "e", "enter", "question_mark")  # fmt: skip
        for key in ("", *steps):
            text = await press(pilot, *filter(None, [key]))
            found = ACTS.search(text.replace("\n", ""))
            assert not found, f"{found!r} is on the screen after {key!r}"
        assert app.is_running
        assert app.title == "ifbench-tui"


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 16)])
async def test_the_title_of_the_list_counts_judgments_and_is_not_cut(
    make_app: MakeApp, tmp_path: Path, size: tuple[int, int]
) -> None:
    app = make_app(start="ratings")
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, loaded(mt_bench(tmp_path)))
        head = screen_text(app).splitlines()[1]
        many = len(screen._all)
        assert f" {many} judgments" in head
        assert "…" not in head
