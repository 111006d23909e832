"""Places with nothing in them offer only what leads on."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.workspace import Workspace

from .conftest import MakeApp, screen_text, settle
from .judged import ratings_of_answers

NOTHING = Workspace({}, (), ())


@pytest.mark.parametrize("start", ["library", "scores", "audit", "vote", "ratings", "judge"])
async def test_an_empty_place_offers_no_key_about_what_is_not_there(
    make_app: MakeApp, start: str
) -> None:
    app = make_app(workspace=NOTHING, start=start)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        foot = screen_text(app).splitlines()[39]
        assert "? help" in foot
        for word in ("audit", "compare", "cell", "sort", "pages", "ties", "style", "intervals",
                     "judgments", "mark", "copy", "evidence", "better"):  # fmt: skip
            assert f" {word} " not in foot, foot


async def test_keys_come_with_what_they_are_about(make_app: MakeApp) -> None:
    app = make_app(start="scores")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        foot = screen_text(app).splitlines()[39]
        for word in ("audit", "compare", "cell", "sort"):
            assert f" {word} " in foot, foot


IN_VAIN = {
    ("scores", "t"): "no responses are loaded",
    ("scores", "c"): "comparing needs two models",
    ("audit", "r"): "there is no response here",
    ("audit", "Y"): "there is no response here",
    ("audit", "exclamation_mark"): "there is no filter to invert",
    ("ratings", "C"): "nothing is rated here",
    ("ratings", "t"): "there is nothing to rate",
    ("library", "d"): "no file is loaded",
}


@pytest.mark.parametrize(("start", "key"), IN_VAIN)
async def test_a_key_that_has_nothing_to_act_on_says_so(
    make_app: MakeApp, start: str, key: str
) -> None:
    app = make_app(workspace=NOTHING, start=start)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press(key)
        await settle(pilot)
        assert IN_VAIN[start, key] in screen_text(app)
        assert app.clipboard == ""


async def test_a_board_without_control_says_which_have_it(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(paths=(ratings_of_answers(tmp_path / "gpt-4_single.jsonl"),), start="ratings")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("b")
        await settle(pilot)
        await pilot.press("c")
        await settle(pilot)
        assert "only AlpacaEval and Arena-Hard have something to control" in screen_text(app)


async def test_agreement_over_nothing_says_what_to_open_first(make_app: MakeApp) -> None:
    app = make_app(workspace=NOTHING)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot)
        text = screen_text(app)
        assert "There is nothing to mark yet." in text
        assert "in this benchmark" not in text
        foot = text.splitlines()[23]
        assert " copy " not in foot
        assert " write " not in foot
