"""Places with nothing in them offer only what leads on."""

from __future__ import annotations

import pytest

from ifbench_tui.workspace import Workspace

from .conftest import MakeApp, screen_text, settle

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
