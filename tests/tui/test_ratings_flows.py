"""What a person does in Ratings, told as flows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ifbench_tui.store import Session
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.rating_jobs import BoardReady
from ifbench_tui.tui.rating_wish import Wish
from ifbench_tui.tui.screens.audit import AuditScreen
from ifbench_tui.tui.screens.vote import VoteScreen
from ifbench_tui.voting.guard import Guard
from ifbench_tui.workspace import Workspace

from .boards import (
    APART,
    CHAIN,
    NEVER_LOST,
    battle_file,
    by_name,
    cast,
    cast_some,
    ratings,
)
from .conftest import MakeApp, screen_text, settle, until
from .headless import headless

WIDE = (120, 40)
NOTHING = Workspace({}, (), ())


async def test_with_nothing_to_rate_it_says_what_to_do(make_app: MakeApp) -> None:
    app = make_app(start="ratings", workspace=NOTHING)
    async with app.run_test(size=(80, 24)) as pilot:
        await ratings(pilot)
        text = screen_text(app)
        assert "Press 4 to vote" in text
        assert "open battles" in text


async def test_a_board_of_a_file_with_intervals_and_who_is_apart(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        text = screen_text(app)
        lines = text.splitlines()
        top = next(line for line in lines if "north" in line and "█" in line)
        assert "apart ✓" in top
        assert "129 battles  3 models" in text
        await pilot.press("j")
        await pilot.pause()
        text = screen_text(app)
        assert "not apart" in text
        pair = screen.board.pairs[1]  # type: ignore[union-attr]
        assert f"about {-(-pair.direct // 1):,.0f} more battles of just these two" in text


async def test_a_disconnected_board_says_so(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", APART),))
    async with app.run_test(size=(80, 24)) as pilot:
        await ratings(pilot)
        text = screen_text(app)
        assert "2 groups that never met" in text
        await pilot.press("g")
        await pilot.pause()
        text = screen_text(app)
        assert "group 1 of 2: 2 models, ranked among themselves" in text
        assert "group 2 of 2: 2 models, ranked among themselves" in text
        assert "their ratings do not compare" in text


async def test_a_model_that_never_lost_has_no_bound(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", NEVER_LOST),))
    async with app.run_test(size=WIDE) as pilot:
        await ratings(pilot)
        text = screen_text(app)
        assert "no finite maximum-likelihood" in text
        assert "unbounded above: it never lost a point to the others" in text
        assert "no bound ▴" in text


async def test_toggle_ties_and_see_ratings_move(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        seen = []
        for words in ("half a win each", "both bad left out", "all left out"):
            assert f"ties: {words}" in screen_text(app)
            seen.append(by_name(screen))
            models = headless(screen, tmp_path)["models"]
            assert {row["name"]: row["rating"] for row in models} == seen[-1]
            await pilot.press("t")
            await ratings(pilot)
        assert seen[0] != seen[1] != seen[2] != seen[0]
        assert by_name(screen) == seen[0]


@pytest.mark.parametrize("keys", ["i", "ii", "iii", "e", "et", "f j l escape", "fjl enter"])
async def test_every_number_has_its_command(make_app: MakeApp, tmp_path: Path, keys: str) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        for part in keys.split():
            for key in (part,) if part in ("enter", "escape") else part:
                await pilot.press(key)
                await pilot.pause()
        await ratings(pilot)
        assert screen.board is not None
        found = headless(screen, tmp_path)
        want = json.loads(json.dumps(screen.board.report.to_dict()))
        for name in ("models", "neighbours", "settings", "outcomes", "warnings", "n_battles"):
            assert found[name] == want[name], name
        assert found.get("spread") == want.get("spread")
        assert ("judge" in screen.command()) == (keys == "fjl enter")


async def test_votes_of_one_annotator(make_app: MakeApp, session: Session, tmp_path: Path) -> None:
    cast_some(session)
    app = make_app(start="ratings")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        assert "10 battles  3 models" in screen_text(app)
        assert "votes of the session" in screen_text(app)
        await pilot.press("f", "j", "l")
        await settle(pilot)
        assert "7 battles  3 models" in screen_text(app)
        await pilot.press("l", "enter")
        await ratings(pilot)
        assert "3 battles  2 models" in screen_text(app)
        assert "of ben" in screen_text(app)
        assert headless(screen, tmp_path)["n_battles"] == 3
        await pilot.press("F")
        await ratings(pilot)
        assert "10 battles" in screen_text(app)


async def test_escape_puts_the_choices_back(make_app: MakeApp, session: Session) -> None:
    cast_some(session)
    app = make_app(start="ratings")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        await pilot.press("f", "j", "l", "j", "l", "escape")
        await ratings(pilot)
        assert screen.wish == Wish()
        assert "10 battles" in screen_text(app)


async def test_a_choice_by_name_and_one_that_leaves_nothing(
    make_app: MakeApp, session: Session
) -> None:
    cast_some(session)
    app = make_app(start="ratings")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        await pilot.press("f", "j", "j", "slash", *"punct", "enter", "enter")
        await ratings(pilot)
        assert screen.wish.filters.categories == ("punctuation",)
        assert "3 battles" in screen_text(app)
        screen.want(replace(screen.wish, filters=replace(screen.wish.filters, judges=("nobody",))))
        await ratings(pilot)
        text = screen_text(app)
        assert "No battle is left to rate." in text
        assert "another judge" in text
        await pilot.press("F")
        await ratings(pilot)
        assert "10 battles" in screen_text(app)


async def test_a_vote_counts_at_once_and_undo_takes_it_back(
    make_app: MakeApp, session: Session
) -> None:
    cast_some(session)
    app = make_app(start="ratings")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        before = by_name(screen)
        await pilot.press("4")
        await settle(pilot)
        voting = app.screen
        assert isinstance(voting, VoteScreen)
        voting.guard = Guard(dwell=0, quiet=0)
        await pilot.press("a")
        await settle(pilot)
        assert by_name(screen) == before, "nobody looks: no fit"
        await pilot.press("enter", "5")
        await ratings(pilot)
        assert "11 battles" in screen_text(app)
        assert by_name(screen) != before
        await pilot.press("u")
        await ratings(pilot)
        assert "10 battles" in screen_text(app)
        assert by_name(screen) == pytest.approx(before, abs=1e-9)


async def test_votes_that_another_window_stored_are_there_on_return(
    make_app: MakeApp, session: Session
) -> None:
    cast_some(session)
    app = make_app(start="ratings")
    async with app.run_test(size=WIDE) as pilot:
        await ratings(pilot)
        await pilot.press("3")
        await settle(pilot)
        assert isinstance(app.screen, AuditScreen)
        with Session.open(session.path) as other:
            cast(other, "105", "model_b", who="eve")
        await pilot.press("5")
        await ratings(pilot)
        assert "11 battles" in screen_text(app)


async def test_votes_files_or_both(make_app: MakeApp, session: Session, tmp_path: Path) -> None:
    cast_some(session)
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        for count, words in ((139, "votes and files"), (10, "votes of the session"),
                             (129, "loaded files")):  # fmt: skip
            assert f"{count} battles" in screen_text(app)
            assert words in screen_text(app)
            await pilot.press("o")
            await ratings(pilot)
        await pilot.press("o", "o")
        await ratings(pilot)
        assert "--session" not in screen.command()
        assert headless(screen, tmp_path)["n_battles"] == 129


async def test_people_or_judge_models(make_app: MakeApp, tmp_path: Path) -> None:
    file = tmp_path / "b.jsonl"
    rows = [("ant", "bee", "expert_1"), ("bee", "ant", ["gpt-4", "pair-v2"]),
            ("ant", "bee", "expert_2"), ("bee", "ant", "author_1")]  # fmt: skip
    file.write_text("".join(
        json.dumps({"question_id": 81, "model_a": a, "model_b": b, "winner": "model_a",
                    "judge": judge, "turn": 1}) + "\n"
        for a, b, judge in rows
    ))  # fmt: skip
    app = make_app(start="ratings", paths=(str(file),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        for count, by in ((4, None), (3, "people"), (1, "models")):
            assert headless(screen, tmp_path)["n_battles"] == count
            assert ("--by" in screen.command()) == (by is not None)
            assert by is None or f"--by {by}" in screen.command()
            await pilot.press("p")
            await ratings(pilot)


async def test_escape_stops_the_bootstrap_and_keeps_its_rounds(
    make_app: MakeApp, shared: Path
) -> None:
    path = shared / "golden" / "ratings" / "sparse129" / "battles.jsonl.gz"
    app = make_app(start="ratings", paths=(str(path),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        options = replace(screen.wish.options, interval="bootstrap", rounds=100_000)
        screen.want(replace(screen.wish, options=options))
        await until(pilot, lambda: "%, esc stops" in screen.busy)
        assert screen.board is not None
        assert screen.board.report.board.intervals is not None, "sandwich bars stand meanwhile"
        await pilot.press("escape")
        await ratings(pilot)
        rounds = screen.board.report.board.bootstrap
        assert rounds is not None
        assert 0 < rounds.rounds < rounds.asked == 100_000
        assert any("was stopped after" in note for note in screen.board.report.board.warnings)


async def test_an_older_board_never_replaces_a_newer_one(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", CHAIN),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        old = screen.board
        await pilot.press("t")
        await ratings(pilot)
        new = screen.board
        assert new is not old
        screen.post_message(BoardReady(0, old))
        await pilot.pause()
        assert screen.board is new


def test_the_screen_is_one_of_the_places(make_app: MakeApp) -> None:
    assert "ratings" in AuditApp.MODES


async def test_nothing_but_ties_is_still_a_board(make_app: MakeApp, tmp_path: Path) -> None:
    path = battle_file(tmp_path / "b.jsonl", (("one", "two", "tie", 5),))
    app = make_app(start="ratings", paths=(path,))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        for key in "ttiiiec":
            await pilot.press(key)
            await ratings(pilot)
            assert screen.board is not None or screen.failure, key


@pytest.mark.parametrize("name", ["mtbench_pair/gpt-4_pair.jsonl", "arena_hard_v2/judgments.jsonl"])
async def test_judgments_are_rated_as_headless(
    make_app: MakeApp, shared: Path, tmp_path: Path, name: str
) -> None:
    app = make_app(start="ratings", paths=(str(shared / "golden" / "ratings" / name),))
    async with app.run_test(size=WIDE) as pilot:
        screen = await ratings(pilot)
        assert "by question" in screen_text(app)
        models = headless(screen, tmp_path)["models"]
        assert {row["name"]: row["rating"] for row in models} == by_name(screen)
