"""What a person does in Boards, told as flows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest
from textual.message import Message

from ifbench_tui.tui.board_jobs import BoardJob, BoardsEnded, make_boards
from ifbench_tui.tui.screens.audit import AuditScreen
from ifbench_tui.tui.screens.boards import BoardsScreen
from ifbench_tui.tui.screens.judgments import JudgmentsScreen
from ifbench_tui.tui.screens.ratings import RatingsScreen
from ifbench_tui.tui.screens.scores import ScoresScreen
from ifbench_tui.workspace import LoadOptions, Workspace, load

from .conftest import MakeApp, screen_text, settle
from .headless import headless
from .judged import (
    annotations,
    arena,
    boards,
    on_screen,
    pairs_of_answers,
    ratings_of_answers,
)
from .test_places import write_files

WIDE = (120, 40)
NARROW = (80, 24)


# ---- how one gets there --------------------------------------------------------------------------


async def test_going_to_scores_with_only_judged_files_shows_their_boards(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="library", paths=(ratings_of_answers(tmp_path / "gpt-4_single.jsonl"),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await boards(pilot)
        assert "MT-Bench" in screen_text(app)
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(app.screen, ScoresScreen)
        assert "b shows the board of MT-Bench" in screen_text(app)
        await pilot.press("b")
        await boards(pilot)
        await pilot.press("q", "3")
        await settle(pilot)
        assert isinstance(app.screen, AuditScreen)
        assert "Press 2 for" in screen_text(app)
        assert "board of MT-Bench" in screen_text(app)


async def test_scores_stay_where_prompts_are_loaded_and_b_shows_the_boards(
    make_app: MakeApp, tmp_path: Path
) -> None:
    paths = (*write_files(tmp_path), annotations(tmp_path / "annotations.json"))
    app = make_app(start="library", paths=paths)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        assert isinstance(app.screen, ScoresScreen)
        await pilot.press("b")
        screen = await boards(pilot)
        assert screen.state.shown == ["alpaca_eval"]
        assert "--benchmark alpaca_eval" in screen.command()
        assert headless(screen, tmp_path)["models"] == on_screen(screen)["models"]


async def test_ratings_lead_to_the_boards_of_the_same_judgments(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="ratings", paths=(pairs_of_answers(tmp_path / "gpt-4_pair.jsonl"),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        assert app.bench.workspace is not None
        assert app.bench.workspace.battles
        await pilot.press("b")
        screen = await boards(pilot)
        assert screen.state.shown == ["mt_bench"]
        assert on_screen(screen)["models"]["north"]["n_pairs"] == 40
        await pilot.press("q")
        assert isinstance(app.screen, RatingsScreen)


async def test_without_judged_files_it_says_what_to_open(make_app: MakeApp) -> None:
    app = make_app(start="scores", workspace=Workspace({}, (), ()))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("b")
        await boards(pilot)
        assert "open annotations of AlpacaEval" in " ".join(screen_text(app).split())
        for key in ("f", "F", "c", "v", "x", "C", "y", "w", "right_square_bracket", "enter"):
            await pilot.press(key)
        await settle(pilot)
        assert isinstance(app.screen, BoardsScreen)


# ---- choices, order, several benchmarks ----------------------------------------------------------

CHOICES: dict[str, tuple[str, ...]] = {
    "minimal": ("f", "l", "l", "enter"),
    "simple": ("f", "h", "enter"),
    "fixed": ("c",),
    "math only": ("right_square_bracket", "f", "j", "l", "l", "l", "l", "enter"),
    "pairs against one": ("right_square_bracket", "f", "j", "j", "l", "enter"),
    "one category": ("left_square_bracket", "f", "j", "j", "l", "enter"),
    "as v2": ("left_square_bracket", "f", "j", "j", "j", "l", "l", "enter"),
    "as v0.1, resampled": ("left_square_bracket", "f", "j", "j", "j", "l", "j", "h", "h", "enter"),
    "weight and games": (
        "left_square_bracket", "f", "j", "j", "j", "j", "j", "l", "j", "l", "enter",
    ),
}  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES)
async def test_the_copied_command_prints_the_numbers_on_the_screen(
    make_app: MakeApp, tmp_path: Path, choice: str
) -> None:
    paths = (
        annotations(tmp_path / "annotations.json"),
        ratings_of_answers(tmp_path / "gpt-4_single.jsonl"),
        pairs_of_answers(tmp_path / "gpt-4_pair.jsonl"),
        arena(tmp_path / "arena.jsonl"),
    )
    app = make_app(start="library", paths=paths)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        usual = on_screen(screen)
        for key in CHOICES[choice]:
            await pilot.press(key)
            await settle(pilot)
        await boards(pilot)
        chosen, printed = on_screen(screen), headless(screen, tmp_path)
        assert chosen != usual
        assert {name: printed[name] for name in chosen} == chosen
        await pilot.press("C")
        assert app.clipboard == screen.command()
        await pilot.press("F")
        await boards(pilot)
        assert screen.state.benchmark not in screen.state.wishes


async def test_brackets_go_through_the_benchmarks_and_pages_are_remembered(
    make_app: MakeApp, tmp_path: Path
) -> None:
    paths = (
        annotations(tmp_path / "annotations.json"),
        ratings_of_answers(tmp_path / "gpt-4_single.jsonl"),
        arena(tmp_path / "arena.jsonl"),
    )
    app = make_app(start="library", paths=paths)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        await pilot.press("v", "right_square_bracket")
        await pilot.pause()
        assert "MT-Bench (2 of 3)" in screen_text(app)
        await pilot.press("right_square_bracket", "right_square_bracket")
        await pilot.pause()
        assert "▏fit▕" in screen_text(app)
        shelf = screen.state.shelf
        await pilot.press("q", "2")
        again = await boards(pilot)
        assert again is not screen
        assert again.state.shelf is shelf
        assert "▏fit▕" in screen_text(app)


async def test_sort_by_a_column_and_back(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="library", paths=(annotations(tmp_path / "annotations.json"),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        await pilot.press("s")
        await pilot.pause()
        assert screen.order == ["short", "tall"]
        assert "LC % ±SE ▴" in screen_text(app)
        assert screen.model == "tall"
        await pilot.press("0", "s")
        await pilot.pause()
        assert screen.order == ["short", "tall"]
        await pilot.press("s")
        await pilot.pause()
        assert screen.order == ["tall", "short"]


async def test_a_category_that_leaves_nothing_says_so_and_f_resets(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="library", paths=(ratings_of_answers(tmp_path / "s.jsonl"),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        screen.want(replace(screen._wish, judges=("nobody",)))
        await boards(pilot)
        assert "These choices leave nothing" in screen_text(app)
        await pilot.press("F")
        await boards(pilot)
        assert "▸north" in screen_text(app)


async def test_other_files_make_other_boards(make_app: MakeApp, tmp_path: Path) -> None:
    one = annotations(tmp_path / "annotations.json")
    two = ratings_of_answers(tmp_path / "gpt-4_single.jsonl")
    app = make_app(start="library", paths=(one,))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await boards(pilot)
        app.load([two])
        screen = await boards(pilot)
        assert screen.state.shown == ["mt_bench"]
        assert "north" in screen_text(app)


async def test_a_stopped_reading_says_so_and_f_reads_again(
    make_app: MakeApp, tmp_path: Path
) -> None:
    path = pairs_of_answers(tmp_path / "gpt-4_pair.jsonl")
    workspace = load([path], LoadOptions())
    posted: list[Message] = []
    stopped = Flag()
    stopped.set()
    job = BoardJob(1, workspace, [path], LoadOptions(), None, {}, ())
    make_boards(job, posted.append, stopped.is_set)
    ended = posted[-1]
    assert isinstance(ended, BoardsEnded)
    app = make_app(start="library", paths=(path,))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        screen.state.shelf, screen.state.boards, screen.state.benchmark = None, {}, ""
        screen.post_message(BoardsEnded(screen._generation, ended.failure))
        await pilot.pause()
        assert "Reading was stopped. F reads again." in screen_text(app)
        await pilot.press("F")
        await boards(pilot)
        assert "▸north" in screen_text(app)


async def test_files_that_are_gone_end_in_words(make_app: MakeApp, tmp_path: Path) -> None:
    path = pairs_of_answers(tmp_path / "gpt-4_pair.jsonl")
    app = make_app(start="library", paths=(path,))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        Path(path).unlink()
        await pilot.press("2")
        await boards(pilot)
        text = "".join(screen_text(app).split())
        assert "gpt-4_pair.jsonl" in text
        assert "nothingcouldbeloaded" in text


# ---- take away, read on --------------------------------------------------------------------------


async def test_enter_reads_the_judgments_of_the_model(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="library", paths=(ratings_of_answers(tmp_path / "s.jsonl"),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await boards(pilot)
        await pilot.press("j", "enter")
        await settle(pilot)
        assert isinstance(app.screen, JudgmentsScreen)
        assert "east" in screen_text(app)
        await pilot.press("q")
        screen = await boards(pilot)
        assert screen.model == "east"


TAKEN: dict[str, tuple[tuple[str, ...], str]] = {
    "board": (("y",), "model\tn\tlength_controlled_winrate"),
    "curve": (("tab", "y"), "model\tlonger\twin_rate"),
    "markdown": (("Y",), "| model | n | LC win rate %"),
    "command": (("C",), "ifbench-tui score "),
}


@pytest.mark.parametrize("what", TAKEN)
async def test_take_the_board_away(make_app: MakeApp, tmp_path: Path, what: str) -> None:
    keys, words = TAKEN[what]
    app = make_app(start="library", paths=(annotations(tmp_path / "annotations.json"),))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await boards(pilot)
        await pilot.press(*keys)
        await pilot.pause()
        assert app.clipboard.startswith(words) or words in app.clipboard


async def test_write_the_board(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="library", paths=(annotations(tmp_path / "annotations.json"),))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await boards(pilot)
        await pilot.press("s", "w")
        await pilot.pause()
        entry: Any = app.screen.query_one("#path")
        entry.value = str(tmp_path / "out.csv")
        await pilot.press("enter")
        await pilot.pause()
        lines = (tmp_path / "out.csv").read_text().splitlines()
        assert lines[0].startswith("model,n,length_controlled_winrate")
        assert [line.split(",")[0] for line in lines[1:]] == ["short", "tall"]


async def test_a_board_of_pairs_alone_begins_with_a_page_that_has_something_on_it(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="scores", paths=(pairs_of_answers(tmp_path / "gpt-4_pair.jsonl"),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        assert screen.page_name == "pairs"
        assert "No category is known" not in screen_text(app)
