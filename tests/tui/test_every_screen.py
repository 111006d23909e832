"""A walk through every screen and sheet: what is drawn fits, and the foot tells the truth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.strip import Strip

from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt
from ifbench_tui.resources import sample_data_folder
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.ink import Inked
from ifbench_tui.workspace import Response, Suite, Workspace

from .conftest import HOSTILE, MakeApp, screen_text, settle, until

SIZES = [(60, 16), (80, 24), (120, 40)]

# Keys are pressed one by one; the first leads to a place.
WAYS = {
    "library": "1 G p tab q o escape m h l escape w escape",
    "scores": "2 j l l t v s x tab l w escape",
    "two models": "2 c enter v x tab j",
    "audit": "3 j l l n tab z z m escape i escape slash x escape",
    "filter and compare": "3 f j l escape c j q",
    "what if": "3 e a escape",
    "agreement": "3 m enter a j tab",
    "vote": "4 enter tab j i escape r escape a enter s",
    "ratings": "5 j v x v v v v tab j f j l escape i e",
    "boards": "2 b v v v v right_square_bracket v v v f j l escape",
    "more boards": "2 b left_square_bracket v v left_square_bracket v v v",
    "judgments": "2 b right_square_bracket enter n t tab G f j l escape slash a escape J",
    "judge": "6 j l h v tab j v f f j j j j j enter escape r",
    "everywhere": "1 question_mark j escape ctrl+p r escape colon o escape T j escape",
}


async def rest(pilot: Pilot[None]) -> AuditApp:
    """Until no job and no board is being made."""
    app = pilot.app
    assert isinstance(app, AuditApp)
    await settle(pilot)
    await until(pilot, lambda: not getattr(app.screen, "busy", ""))
    await settle(pilot)
    return app


def misfits(app: AuditApp) -> list[str]:
    """What is drawn wider than its place, or stands beside the screen."""
    width = app.size.width
    found = [
        f"{widget} at {widget.region}"
        for widget in app.screen.query("*")
        if widget.display and widget.region.area and widget.region.right > width
    ]
    for widget in app.screen.query(Inked):
        if widget.display and widget.region.area:
            rooms = {widget.size.width, widget.scrollable_content_region.width}
            for y in range(widget.size.height):
                if (drawn := widget.line(y).cell_length) not in rooms:
                    found.append(f"line {y} of {widget}: {drawn} cells in {rooms}")
    return found


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("way", WAYS)
async def test_everything_fits_on_every_screen(
    make_app: MakeApp, way: str, size: tuple[int, int], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    app = make_app(paths=(str(sample_data_folder()),), start="library")
    async with app.run_test(size=size, notifications=True) as pilot:
        await rest(pilot)
        for key in WAYS[way].split():
            await pilot.press(key)
            await rest(pilot)
            assert misfits(app) == [], f"after {key}"


SIGNS = re.compile("[─-╿▀-▟⠀-⣿✓✗▸◂●◆◦≠↑↓→←]")


@pytest.mark.parametrize("way", WAYS)
async def test_ascii_draws_no_other_sign_on_any_screen(
    make_app: MakeApp, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = make_app(paths=(str(sample_data_folder()),), start="library", ascii_only=True)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await rest(pilot)
        for key in WAYS[way].split():
            await pilot.press(key)
            await rest(pilot)
            found = [line for line in screen_text(app).splitlines() if SIGNS.search(line)]
            assert not found, (key, found)


WIDE_NAME = "漢字👨‍👩‍👧 क्षत्रिय مرحبا e\u0301 🇩🇪 ❤️"


def wide_workspace() -> Workspace:
    """Names and texts of every width a cell can have, and a line without end."""
    texts = (HOSTILE, "漢" * 40_000, "x" * 100_000, "👨‍👩‍👧" * 2_000)
    prompts = tuple(
        Prompt(f"{WIDE_NAME}{n}", text, (
            ConstraintSpec("keywords:existence", {"keywords": [WIDE_NAME, text[:5_000]]}),
            ConstraintSpec(f"{WIDE_NAME}:{WIDE_NAME}", {}),
        ))
        for n, text in enumerate(texts)
    )  # fmt: skip
    by_model = {
        f"{WIDE_NAME}{side}": {
            prompt.key: Response(text, text, WIDE_NAME, 1)
            for prompt, text in zip(prompts, (*texts[side:], *texts[:side]), strict=True)
        }
        for side in range(2)
    }
    return Workspace({"ifeval": Suite("ifeval", prompts, by_model)}, (), ())


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "keys",
    [
        "3 l j l j l j n J e escape f escape c j q m escape",
        "2 l l v tab l x x c enter x v",
        "3 m enter a j",
        "4 enter tab j w l a enter b",
        "5 j l v tab l f l escape",
    ],
)
async def test_texts_of_any_width_break_no_frame(
    make_app: MakeApp, keys: str, size: tuple[int, int]
) -> None:
    app = make_app(workspace=wide_workspace(), start="library")
    async with app.run_test(size=size, notifications=True) as pilot:
        await rest(pilot)
        for key in keys.split():
            await pilot.press(key)
            await rest(pilot)
            assert misfits(app) == [], f"after {key}"


SCREENS = {
    "1": "Library", "1 p": "Problems", "2": "Scores", "2 c enter": "Versus", "2 a": "Agreement",
    "2 b": "Boards", "2 b enter": "Judgments", "3": "Audit", "3 c": "Compare",
    "3 a": "Agreement", "4": "Vote", "5": "Ratings", "5 b": "Boards", "5 b enter": "Judgments",
    "6": "Judge",
}  # fmt: skip


@pytest.mark.parametrize("way", SCREENS)
async def test_a_screen_bears_the_number_of_the_place_it_was_opened_from(
    make_app: MakeApp, way: str
) -> None:
    app = make_app(paths=(str(sample_data_folder()),), start="library")
    async with app.run_test(size=(80, 24)) as pilot:
        await rest(pilot)
        for key in way.split():
            await pilot.press(key)
            await rest(pilot)
        assert type(app.screen).__name__ == f"{SCREENS[way]}Screen"
        assert screen_text(app).startswith(f" {way[0]} ")
        await pilot.press("1" if way[0] != "1" else "2")
        await rest(pilot)
        await pilot.press(way[0])
        await rest(pilot)
        assert screen_text(app).startswith(f" {way[0]} ")


async def test_a_step_through_a_list_draws_the_rows_that_changed_and_no_others(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    render_line = Inked.render_line

    def counted(self: Inked, y: int) -> Strip:
        drawn.append(f"{type(self).__name__} {y}")
        return render_line(self, y)

    app = make_app(paths=(str(sample_data_folder()),), start="library")
    async with app.run_test(size=(80, 24)) as pilot:
        await rest(pilot)
        monkeypatch.setattr(Inked, "render_line", counted)
        for key, lines in (("1", 0), ("j", 2), ("2", 0), ("j", 10), ("l", 10), ("3", 0), ("l", 24)):
            drawn.clear()
            await pilot.press(key)
            await rest(pilot)
            assert not lines or 0 < len(drawn) <= lines, (key, drawn)
