"""What Vote looks like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from ifbench_tui.store import Session

from .conftest import settle
from .votes import app_on, make_votable, vote_screen

SIZES = [(80, 24), (120, 40)]
SCENES: dict[str, tuple[str, ...]] = {
    "pair": (),
    "masked": ("telling",),
    "unmasked": ("telling", "m"),
    "revealed": ("a",),
    "tie": ("b", "space", "a", "space", "t"),
    "reasons": ("r", "1", "j", "space"),
    "drafted": ("r", "1", "enter", "i", "h", "m", "enter"),
    "apart": ("W",),
    "ended": ("end",),
}


def keys(scene: str) -> Callable[[Pilot[None]], Any]:
    async def press(pilot: Pilot[None]) -> None:
        await vote_screen(pilot)
        for key in SCENES[scene]:
            if key == "end":
                await pilot.press("s", *["a", "space"] * 3)
            elif key != "telling":
                await pilot.press(key)
            await settle(pilot)

    return press


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES)
def test_scene(
    snap_compare: Callable[..., Any], session: Session, scene: str, size: tuple[int, int]
) -> None:
    prompts = 4 if scene == "ended" else 30
    app = app_on(session, make_votable(prompts, telling="telling" in SCENES[scene]))
    assert snap_compare(app, terminal_size=size, run_before=keys(scene))


@pytest.mark.parametrize("scene", ["masked", "revealed"])
def test_mono_and_ascii(snap_compare: Callable[..., Any], session: Session, scene: str) -> None:
    workspace = make_votable(telling="telling" in SCENES[scene])
    app = app_on(session, workspace, ascii_only=True, theme="mono")
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys(scene))


@pytest.mark.parametrize("theme", ["paper", "contrast", "okabe"])
def test_other_themes(snap_compare: Callable[..., Any], session: Session, theme: str) -> None:
    app = app_on(session, make_votable(), theme=theme)
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys("revealed"))
