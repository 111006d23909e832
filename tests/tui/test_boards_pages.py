"""Names that are hostile, terminals without Unicode, and boards of many models."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from ifbench_tui.tui.board_names import judged_benchmarks
from ifbench_tui.tui.board_pages import BENCHMARKS, pages_of
from ifbench_tui.workspace import LoadOptions, load

from .conftest import MakeApp, screen_text, settle
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
    write,
)
from .test_hostile_text import ACTS, NAME

WIDE = (120, 40)


def judge_bias(folder: Path, *, name: str = "") -> list[str]:
    """Scores of judges by family, and pairs with a known better side."""
    scores = [
        {"question_id": q, "model": f"{name}m{m}", "family": f"{name}f{m % 2}",
         "judge": f"{name}j{j}", "judge_family": f"{name}f{j}", "score": 5 + (m % 2 == j) + q % 3}
        for q in range(20) for m in range(4) for j in range(2)
    ]  # fmt: skip
    return [write(folder / "families.jsonl", scores)]


def everything(folder: Path, name: str = "") -> list[str]:
    """A file of each kind, with models and judges called as is asked."""
    models = (f"{name}north", f"{name}east")
    return [
        annotations(folder / "annotations.json", models, nulls=1),
        leaderboard(folder / "leaderboard.csv", **{models[0]: (60.0, 50.0)}),
        ratings_of_answers(folder / "single.jsonl", models),
        pairs_of_answers(folder / "pairs.jsonl", (*models, f"{name}west")),
        arena(folder / "arena.jsonl", models, categories={f"{name}hard": f"{name}o3",
              f"{name}soft": f"{name}gemini"}, judge=f"{name}judge"),
        old_arena(folder / "old.jsonl", models),
    ]  # fmt: skip


@pytest.mark.parametrize("benchmark", ["alpaca_eval", "mt_bench", "arena_hard"])
async def test_hostile_names_are_data_on_every_page(
    make_app: MakeApp, tmp_path: Path, benchmark: str
) -> None:
    app = make_app(start="scores", paths=tuple(everything(tmp_path, NAME)))
    async with app.run_test(size=WIDE, notifications=True, tooltips=True) as pilot:
        await settle(pilot)
        app.action_boards()
        screen = await boards(pilot)
        while screen.state.benchmark != benchmark:
            await pilot.press("right_square_bracket")
        for _ in pages_of(benchmark):
            for press in (("j",), ("l", "l"), ("tab", "j", "l"), ("x",), ("tab",), ("v",)):
                await pilot.press(*press)
                await pilot.pause()
                text = screen_text(app).replace("\n", "")
                assert not (found := ACTS.search(text)), f"{found!r} is on the screen"
        for press in (("f", "j", "l"), ("slash",), ("escape", "escape"), ("y",), ("C",), ("s",)):
            await pilot.press(*press)
            await settle(pilot)
            text = screen_text(app).replace("\n", "")
            assert not (found := ACTS.search(text)), f"{found!r} is on the screen"
        assert app.is_running
        assert app.title == "ifbench-tui"


async def test_ascii_needs_no_other_sign(make_app: MakeApp, tmp_path: Path) -> None:
    paths = (*everything(tmp_path), *judge_bias(tmp_path))
    app = make_app(start="scores", paths=paths, ascii_only=True)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        app.action_boards()
        screen = await boards(pilot)
        assert screen.state.shown == list(BENCHMARKS)
        for benchmark in BENCHMARKS:
            assert screen.state.benchmark == benchmark
            for _ in pages_of(benchmark):
                await pilot.press("v")
                await pilot.pause()
                text = screen_text(app)
                assert text.isascii(), {one for one in text if not one.isascii()}
            await pilot.press("right_square_bracket")
            await pilot.pause()


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)], ids=str)
async def test_nothing_is_wider_than_the_screen(
    make_app: MakeApp, tmp_path: Path, size: tuple[int, int]
) -> None:
    app = make_app(start="scores", paths=tuple(everything(tmp_path)))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        app.action_boards()
        screen = await boards(pilot)
        for benchmark in screen.state.shown:
            for _ in pages_of(benchmark):
                await pilot.press("v")
                await pilot.pause()
                regions = [widget.region for widget in screen.query("*") if widget.is_on_screen]
                assert all(region.right <= size[0] for region in regions)
                assert all(region.bottom <= size[1] for region in regions)
            await pilot.press("right_square_bracket")
            await pilot.pause()


async def test_the_judge_alone_has_pages_without_a_board(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="scores", paths=tuple(judge_bias(tmp_path)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.action_boards()
        screen = await boards(pilot)
        text = screen_text(app)
        assert "own gap" in text
        assert not screen.models.display
        assert screen.focused is screen.pane.table
        effect = on_screen(screen)["self_enhancement"][0]["self_enhancement"]
        assert f"{effect:.3f}" in text
        await pilot.press("v", "enter", "y")
        await pilot.pause()
        assert "No pairs with a known better side are loaded." in screen_text(app)


async def test_rows_that_do_not_count_are_listed_with_their_reason(
    make_app: MakeApp, tmp_path: Path
) -> None:
    path = Path(annotations(tmp_path / "annotations.json", nulls=3))
    rows = json.loads(path.read_text())
    rows.append(rows[-1] | {"preference": "much"})
    path.write_text(json.dumps(rows))
    outputs = [{"instruction": f"Do {i}", "output": "y" * 9, "generator": "unseen",
                "dataset": "koala"}
               for i in range(4)]  # fmt: skip
    (tmp_path / "model_outputs.json").write_text(json.dumps(outputs))
    paths = (str(path), str(tmp_path / "model_outputs.json"))
    app = make_app(start="scores", paths=paths)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        app.action_boards()
        await boards(pilot)
        await pilot.press("V", "V")
        await pilot.pause()
        text = screen_text(app)
        assert "▏dropped▕" in text
        assert "tall: 3 of 60 rows have no usable preference" in text
        assert "unseen: there are outputs, but no annotations to score" in text
        assert "the field preference is not a number" in " ".join(text.split())


def test_every_file_that_makes_a_board_is_known_by_its_format(tmp_path: Path) -> None:
    files = [*everything(tmp_path), *judge_bias(tmp_path)]
    found = judged_benchmarks(load(files, LoadOptions()))
    assert found == ["AlpacaEval 2", "MT-Bench", "Arena-Hard-Auto", "Judge bias"]
    assert judged_benchmarks(load(files, LoadOptions(judged=True))) == found
    assert judged_benchmarks(None) == []


async def test_style_counts_that_are_missing_leave_words_not_a_blank(
    make_app: MakeApp, tmp_path: Path
) -> None:
    answers = arena_answers(tmp_path / "model_answer", ("north", "o3"))
    paths = (arena(tmp_path / "arena.jsonl", categories={"hard_prompt": "o3"}), *answers)
    app = make_app(start="scores", paths=paths)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.action_boards()
        await boards(pilot)
        await pilot.press("c", "V", "V")
        await boards(pilot)
        text = screen_text(app)
        assert "20 questions left out: no style counts of an answer" in text
        assert "style control: both" in text


async def test_a_key_takes_no_time_among_many_models(make_app: MakeApp, tmp_path: Path) -> None:
    models = [f"model-{number:03}" for number in range(60)]
    path = annotations(tmp_path / "annotations.json", models, rows=100)
    app = make_app(start="scores", paths=(path,))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        app.action_boards()
        await boards(pilot)
        for key in ("j", "v", "x", "v", "v", "v", "v", "s", "l", "G"):
            await pilot.press(key)
            begun = time.process_time()
            await pilot.press(key)
            await pilot.pause()
            assert time.process_time() - begun < 3 * 0.05, key
