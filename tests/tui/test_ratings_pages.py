"""The pages beside the board, what is taken away, and names that are hostile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ifbench_tui.store import Session
from ifbench_tui.tui.rating_pages import PAGES
from ifbench_tui.workspace import Workspace

from .boards import (
    APART,
    CHAIN,
    NEVER_LOST,
    battle_file,
    by_name,
    cast_some,
    ratings,
)
from .conftest import MakeApp, screen_text, settle
from .headless import headless
from .judged import pairs_of_answers
from .test_hostile_text import ACTS, NAME

WIDE = (120, 40)
NOTHING = Workspace({}, (), ())


async def test_the_win_matrix_observed_and_predicted(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        await ratings(pilot)
        assert "predicted, %" in screen_text(app)
        await pilot.press("x", "tab", "l", "l")
        await pilot.pause()
        text = screen_text(app)
        assert "observed, %" in text
        # North beat east 30 times and lost 12 times; ties do not count.
        assert "north beats east in 71.4 %" in text


async def test_style_control_reads_the_files_again_and_shows_its_coefficients(
    make_app: MakeApp, tmp_path: Path
) -> None:
    long, short = ("word " * 80, "# one\n* two\n**three** word")
    turns = {
        f"conversation_{side}": [{"role": "user", "content": "hi"},
                                 {"role": "assistant", "content": text}]
        for side, text in (("a", long), ("b", short))
    }  # fmt: skip
    paths = (
        battle_file(tmp_path / "b.jsonl", CHAIN, **turns),
        battle_file(tmp_path / "c.jsonl", CHAIN, conversation_a=turns["conversation_b"],
                    conversation_b=turns["conversation_a"]),
    )  # fmt: skip
    app = make_app(start="ratings", paths=paths)
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        await pilot.press("v")
        await ratings(pilot)
        assert "No style control" in screen_text(app)
        await pilot.press("c")
        await ratings(pilot)
        text = screen_text(app)
        assert "style control plain" in text
        assert "tokens" in text
        assert "logit per sd" in text
        found = headless(screen, tmp_path)
        assert found["style"]["preset"] == "plain"
        assert {row["name"]: row["rating"] for row in found["models"]} == by_name(screen)


async def test_who_prefers_a_side_and_who_agrees(make_app: MakeApp, session: Session) -> None:
    cast_some(session)
    app = make_app(start="ratings")
    async with app.run_test(size=WIDE) as pilot:
        await ratings(pilot)
        await pilot.press("v", "v")
        await ratings(pilot)
        text = screen_text(app)
        assert "everyone" in text
        assert "Krippendorff's alpha" in text
        assert "over 3 pairs of responses" in text
        await pilot.press("x")
        await pilot.pause()
        row = next(
            line for line in screen_text(app).splitlines() if "66.7" in line and "ben" in line
        )
        assert "ana" in row


async def test_do_people_prefer_the_answer_that_follows_more(
    make_app: MakeApp, session: Session
) -> None:
    cast_some(session)
    app = make_app(start="ratings")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        await pilot.press("v", "v", "v")
        await ratings(pilot)
        votes = {row[0]: row[1] for row in screen.page.sheets[0].rows}
        text = screen_text(app)
        assert "one follows" in text
        assert "strict verdicts" in text
        # Of 101: no commas and 20 words. Of 103: the keyword and the title.
        assert votes == {"more": 9, "one more": 9, "two or more": 0, "all, other not": 8,
                         "as many": 1}  # fmt: skip
        await pilot.press("x")
        await pilot.pause()
        assert "loose verdicts  x strict verdicts" in screen_text(app)


async def test_enter_shows_the_duels_of_a_model_and_notes_hold_the_command(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        await pilot.press("V")
        await ratings(pilot)
        text = screen_text(app)
        assert "ifbench-tui rate" in text
        assert "side A won" in text
        await pilot.press("j", "enter")
        await ratings(pilot)
        assert screen.focused is screen.table
        assert screen.table.cursor_row == 1


@pytest.mark.parametrize("key", ["y", "Y", "C"])
async def test_take_the_board_away(make_app: MakeApp, tmp_path: Path, key: str) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        await ratings(pilot)
        await pilot.press(key)
        await pilot.pause()
        words = {"y": "rank_low\trank_high", "Y": "| rank | model", "C": "ifbench-tui rate "}
        assert words[key] in app.clipboard


async def test_write_the_board(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        await ratings(pilot)
        await pilot.press("w")
        await pilot.pause()
        entry: Any = app.screen.query_one("#path")
        entry.value = str(tmp_path / "out.csv")
        await pilot.press("enter")
        await pilot.pause()
        assert (tmp_path / "out.csv").read_text().startswith("component,rank_low")


@pytest.mark.parametrize("page", range(len(PAGES)))
async def test_hostile_names_are_data_on_every_page(
    make_app: MakeApp, tmp_path: Path, page: int
) -> None:
    rows = tuple((f"{NAME}{a}" if a else NAME, f"{NAME}{b}", w, n) for a, b, w, n in (
        (1, 2, "model_a", 4), (2, 1, "model_a", 2), (3, 4, "model_a", 3),
    ))  # fmt: skip
    path = battle_file(tmp_path / "b.jsonl", rows, judge=NAME, language=NAME)
    app = make_app(start="ratings", paths=(path,))
    async with app.run_test(size=WIDE, notifications=True, tooltips=True) as pilot:
        await ratings(pilot)
        await pilot.press(*("v" * page))
        await ratings(pilot)
        for keys in (("x",), ("tab", "j", "l", "l"), ("f", "j", "l"), ("escape",), ("y",)):
            await pilot.press(*keys)
            await settle(pilot)
            text = screen_text(app).replace("\n", "")
            assert not (found := ACTS.search(text)), f"{found!r} is on the screen"
        assert app.is_running
        assert app.title == "ifbench-tui"


async def test_ascii_needs_no_other_sign(make_app: MakeApp, tmp_path: Path) -> None:
    path = battle_file(tmp_path / "b.jsonl", (*NEVER_LOST, *APART))
    app = make_app(start="ratings", paths=(path,), ascii_only=True)
    async with app.run_test(size=WIDE) as pilot:
        await ratings(pilot)
        for _ in PAGES:
            await pilot.press("v")
            await ratings(pilot)
            text = screen_text(app)
            assert text.isascii(), {one for one in text if not one.isascii()}


async def test_notes_name_keys_of_the_app_and_no_options_of_a_command(
    make_app: MakeApp, tmp_path: Path
) -> None:
    people, models = tmp_path / "people.jsonl", tmp_path / "mt_bench_pair.jsonl"
    battle_file(people, CHAIN)
    with people.open("a", encoding="utf-8") as file:
        file.write('{"model_a": "x", "model_b": "y", "winner": "z"}\n')
    app = make_app(start="ratings", paths=(str(people), pairs_of_answers(models)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        await pilot.press("V")
        await ratings(pilot)
        words, _, command = " ".join(text for text, _ in screen._notes).partition("headless")
        assert "refused: 1 row (p in Library lists them)" in words
        assert "count alike (p: one of them)" in words
        assert "--" not in words
        assert "ifbench-tui rate" in command
