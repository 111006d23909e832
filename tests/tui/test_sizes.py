"""Terminals are small, wide, and change while one works."""

from __future__ import annotations

import pytest

from ifbench_tui.tui.screens.audit import AuditScreen
from ifbench_tui.tui.widgets.reading_pane import ReadingPane

from .conftest import MakeApp, resize, screen_text, settle


async def test_a_shrinking_terminal_keeps_the_place(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("j", "r")
        await settle(pilot)
        before = screen_text(app)
        for width, height in ((20, 5), (1, 1), (200, 60)):
            await resize(pilot, width, height)
            assert ("too small" in screen_text(app)) == (width == 20)
        await resize(pilot, 80, 24)
        assert screen_text(app) == before


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40), (200, 60)])
async def test_nothing_is_wider_than_the_screen(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app(model="sloppy")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("j", "j")
        await settle(pilot)
        strips = app.screen._compositor.render_strips()
        assert {strip.cell_length for strip in strips} == {size[0]}
        assert isinstance(app.screen, AuditScreen)
        assert app.screen.pane.region.height >= 3


async def test_zoom_gives_the_screen_to_a_pane_and_back(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter", "z")
        await pilot.pause()
        pane = app.screen.query_one("#response", ReadingPane)
        assert app.screen.maximized is pane
        assert pane.region.width == 80
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.maximized is None
