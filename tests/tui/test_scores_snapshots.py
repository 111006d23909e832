"""What Scores, its comparison and the agreement look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.color import Color

from ifbench_tui.tui.ink import HEAT_LEVELS
from ifbench_tui.tui.screens.scores import ScoresScreen

from .conftest import MakeApp, pressing, settle
from .test_themes import THEMES, contrast

SIZES = [(80, 24), (120, 40)]
SCENES: dict[str, tuple[str, ...]] = {
    "scores": ("j",),
    "heat": ("tab", "j", "l"),
    "heat_models_as_rows": ("x", "tab", "l", "s"),
    "compare": ("c", "enter"),
    "agreement": ("3", "m", "p", "j", "m", "a", "2", "a"),
    "agreement_empty": ("a",),
    "model_sheet": ("c",),
}

Snap = Callable[..., Any]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES)
def test_house_theme(
    snap_compare: Snap, make_app: MakeApp, scene: str, size: tuple[int, int]
) -> None:
    app = make_app(model="chatty", start="scores")
    assert snap_compare(app, terminal_size=size, run_before=pressing(SCENES[scene]))


@pytest.mark.parametrize("scene", ["scores", "heat_models_as_rows", "compare"])
def test_mono_and_ascii(snap_compare: Snap, make_app: MakeApp, scene: str) -> None:
    app = make_app(model="chatty", start="scores", theme="mono", ascii_only=True)
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(SCENES[scene]))


@pytest.mark.parametrize("theme", THEMES)
async def test_numbers_are_readable_on_every_tint(make_app: MakeApp, theme: str) -> None:
    app = make_app(start="scores", theme=theme)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, ScoresScreen)
        heat = app.screen.heat
        grounds = []
        for level in range(1, HEAT_LEVELS):
            style = heat.ink(f"heat-{level}")
            assert style.color is not None
            assert style.bgcolor is not None
            text = Color.from_rich_color(style.color).hex
            ground = Color.from_rich_color(style.bgcolor).hex
            assert contrast(text, ground) >= 4.5, f"level {level}"
            grounds.append(ground)
        assert len(set(grounds)) == HEAT_LEVELS - 1
