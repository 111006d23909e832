"""What each benchmark's board shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.message import Message

from ifbench_tui.engine.judged.length_control import FAST_C
from ifbench_tui.tui.board_jobs import BoardJob, BoardMade, BoardsEnded, make_boards
from ifbench_tui.workspace import LoadOptions, load

from .conftest import MakeApp, screen_text, settle, until
from .headless import headless
from .judged import (
    annotations,
    arena,
    arena_answers,
    boards,
    leaderboard,
    old_arena,
    on_screen,
    pairs_of_answers,
    ratings_of_answers,
)

WIDE = (120, 40)
NARROW = (80, 24)

# ---- AlpacaEval ----------------------------------------------------------------------------------


async def test_the_models_by_length_controlled_win_rate_with_its_error(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="library", paths=(annotations(tmp_path / "annotations.json", nulls=3),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        assert screen.order == ["tall", "short"]
        values = on_screen(screen)["models"]["tall"]
        lc, raw, se = (values[name] for name in ("length_controlled_winrate", "win_rate",
                                                 "standard_error"))  # fmt: skip
        assert values["n"] == 57
        text = screen_text(app)
        # Without difficulties all rows are predicted alike: that spread is no error of LC.
        assert f"tall  LC {lc:.1f} %, raw {raw:.1f} ± {se:.1f} %" in text
        # There are no difficulties: what was fitted is said, not what was asked.
        assert "AlpacaEval 2   minimal, cross-validated" in text
        assert "preset minimal" in text
        await pilot.press("l", "l", "l")
        await pilot.pause()
        assert "57 of 60 rows have a preference; 3 do not and are left out" in screen_text(app)


async def test_the_quick_fit_is_posted_first_and_says_so(tmp_path: Path) -> None:
    path = annotations(tmp_path / "annotations.json")
    job = BoardJob(7, load([path], LoadOptions()), [path], LoadOptions(), None, {}, ())
    posted: list[Message] = []
    make_boards(job, posted.append, lambda: False)
    made = [one.made for one in posted if isinstance(one, BoardMade) and one.made.result]
    assert [one.final for one in made] == [False, True]
    assert [one.options.lc_c for one in made] == [FAST_C, None]
    fits = [one.result.models["tall"]["fit"] for one in made]  # type: ignore[union-attr]
    assert [fit["cross_validated"] for fit in fits] == [False, True]
    assert isinstance(posted[-1], BoardsEnded)


async def test_escape_settles_for_the_fixed_fit_and_c_asks_for_the_full_one(
    make_app: MakeApp, tmp_path: Path
) -> None:
    models = [f"m{number:03}" for number in range(100)]
    path = annotations(tmp_path / "annotations.json", models, rows=300)
    app = make_app(start="library", paths=(path,))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        app.action_boards()
        seen = []

        def stopped_meanwhile() -> bool:
            if "cross-validating" in getattr(app.screen, "busy", ""):
                seen.append(app.screen.state.made)  # type: ignore[attr-defined]
                app.action_stop()
            return bool(seen)

        await until(pilot, stopped_meanwhile)
        assert not seen[0].final
        assert seen[0].options.lc_c == FAST_C
        screen = await boards(pilot)
        text = screen_text(app)
        assert "fixed C 21.5443" in text
        assert "esc stops" not in text
        assert "--lc-c fast" in screen.command()
        assert headless(screen, tmp_path)["models"] == on_screen(screen)["models"]
        await pilot.press("c")
        await boards(pilot)
        assert ", cross-validated" in screen_text(app)
        assert "--lc-c" not in screen.command()


async def test_published_numbers_stand_beside_ours(make_app: MakeApp, tmp_path: Path) -> None:
    paths = (
        annotations(tmp_path / "annotations.json"),
        leaderboard(tmp_path / "board.csv", tall=(60.0, 55.5)),
    )
    app = make_app(start="library", paths=paths)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        ours = on_screen(screen)["models"]["tall"]["length_controlled_winrate"]
        row = next(line for line in screen_text(app).splitlines() if "▸tall" in line)
        assert "55.5" in row
        assert f"{ours - 55.5:+.2f}" in row
        await pilot.press("l", "l")
        await pilot.pause()
        assert f"published length-controlled 55.50, ours {ours:.2f}" in screen_text(app)
        await pilot.press("y")
        assert "published_lc" in app.clipboard


async def test_the_length_curve_with_its_axes_and_the_raw_point(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="library", paths=(annotations(tmp_path / "annotations.json"),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        text = screen_text(app)
        for sign in ("┤", "┊", "◆", "●", "┬", " 0 ", "% at equal length", "% raw at"):
            assert sign in text, sign
        curve = on_screen(screen)["models"]["tall"]["curve"]
        equal = next(one["win_rate"] for one in curve if one["longer"] == 0)
        assert equal == pytest.approx(
            on_screen(screen)["models"]["tall"]["length_controlled_winrate"]
        )
        assert curve[0]["win_rate"] < curve[-1]["win_rate"]


async def test_the_zoomed_curve_steps_through_the_models(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="library", paths=(annotations(tmp_path / "annotations.json"),))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        await pilot.press("tab", "z")
        await pilot.pause()
        first = screen.pane.page.chart
        assert screen.maximized is screen.pane.plot
        assert "LC %" not in screen_text(app)
        await pilot.press("j")
        await pilot.pause()
        assert screen.model == "short"
        assert screen.pane.page.chart != first
        await pilot.press("q")
        assert "LC %" in screen_text(app)


async def test_coefficients_and_the_cross_validation_of_a_model(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="library", paths=(annotations(tmp_path / "annotations.json"),))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        await pilot.press("v")
        await pilot.pause()
        glm = on_screen(screen)["models"]["tall"]["glm"]
        assert f"{glm['length']:.3f}" in screen_text(app)
        await pilot.press("x")
        await pilot.pause()
        fit = on_screen(screen)["models"]["tall"]
        scores = [float(row[1]) for row in screen.pane.sheets[0].rows]
        assert scores == pytest.approx(fit["fit"]["scores"], abs=1e-6)
        chosen = next(line for line in screen_text(app).splitlines() if "✓" in line)
        assert f"{fit['c']:.6g}" in chosen


# ---- MT-Bench and Arena-Hard ---------------------------------------------------------------------


async def test_turns_categories_pairs_and_bars(make_app: MakeApp, tmp_path: Path) -> None:
    paths = (
        ratings_of_answers(tmp_path / "gpt-4_single.jsonl"),
        pairs_of_answers(tmp_path / "gpt-4_pair.jsonl"),
    )
    app = make_app(start="library", paths=paths)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        found = on_screen(screen)["models"]
        text = screen_text(app)
        assert f"{found['north']['average']:.2f}" in text
        row = next(line for line in text.splitlines() if " east " in line)
        assert " 31 " in row
        assert " 1 " in row
        assert "▏categories▕" in text
        await pilot.press("v")
        await pilot.pause()
        lines = screen_text(app).splitlines()
        bar = next(line for line in lines if line.startswith(("▸writing", " writing")))
        rating = found["north"]["by_category"]["writing"]
        assert f"{rating:.2f}" in bar
        assert bar.count("━") == int(2 * rating)
        await pilot.press("v")
        await pilot.pause()
        assert "win % with half ties" in screen_text(app)
        await pilot.press("v", "v", "v")
        await pilot.pause()
        assert "east: 1 judgments have no rating" in screen_text(app)


async def test_both_arena_versions_are_not_mixed(make_app: MakeApp, tmp_path: Path) -> None:
    paths = (arena(tmp_path / "new.jsonl"), old_arena(tmp_path / "old.jsonl"))
    app = make_app(start="library", paths=paths)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        text = screen_text(app)
        assert "judgments of v0.1 and v2 are loaded together" in text
        assert "f chooses" in text
        assert "--category" not in text
        for head in ("vs o3", "vs gemini", "vs gpt-4-0314", "arena-hard-v0.1"):
            assert head in text
        assert not any(column.title == "all categories" for column in screen.columns)
        await pilot.press("f", "j", "j", "l")
        await settle(pilot)
        await pilot.press("enter")
        await boards(pilot)
        assert list(on_screen(screen)["reliability"]) == ["hard_prompt"]
        assert headless(screen, tmp_path)["models"] == on_screen(screen)["models"]


async def test_style_control_and_its_coefficients(make_app: MakeApp, tmp_path: Path) -> None:
    categories = {"hard_prompt": "o3"}
    judged = arena(tmp_path / "new.jsonl", categories=categories)
    paths = (judged, *arena_answers(tmp_path / "model_answer"))
    app = make_app(start="library", paths=paths)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        screen = await boards(pilot)
        await pilot.press("v", "v")
        await pilot.pause()
        assert "Press c: it takes out the pull" in screen_text(app)
        await pilot.press("c")
        await boards(pilot)
        text = screen_text(app)
        assert "style control: both" in text
        coefficients = on_screen(screen)["reliability"]["hard_prompt"]["coefficients"]
        assert all(f"{value:.3f}" in text for value in coefficients.values())
        assert headless(screen, tmp_path)["models"] == on_screen(screen)["models"]
