"""What Ratings looks like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ifbench_tui.store import Session
from ifbench_tui.workspace import Workspace

from .boards import APART, CHAIN, NEVER_LOST, battle_file, cast_some, ratings
from .conftest import MakeApp

Snap = Callable[..., Any]
SIZES = [(80, 24), (120, 40)]
FILES = {
    "board": (CHAIN, ("j",)),
    "observed": (CHAIN, ("x", "tab", "l", "l")),
    "disconnected": (APART, ("j",)),
    "never_lost": (NEVER_LOST, ()),
    "elo": (CHAIN, ("e",)),
}
VOTES = {
    "annotators": ("v", "v"),
    "verdicts": ("v", "v", "v"),
    "choices": ("f", "j", "l"),
}


def keys(pressed: tuple[str, ...]) -> Callable[[Pilot[None]], Any]:
    async def press(pilot: Pilot[None]) -> None:
        await ratings(pilot)
        for key in pressed:
            await pilot.press(key)
            if key not in ("f", "j", "l") or pressed[0] != "f":
                await ratings(pilot)
            else:
                await pilot.pause()
        pilot.app.clear_notifications()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    return press


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", FILES)
def test_battles(
    snap_compare: Snap, make_app: MakeApp, tmp_path: Path, scene: str, size: tuple[int, int]
) -> None:
    rows, pressed = FILES[scene]
    app = make_app(start="ratings", paths=(battle_file(tmp_path / "b.jsonl", rows),))
    assert snap_compare(app, terminal_size=size, run_before=keys(pressed))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", VOTES)
def test_votes(
    snap_compare: Snap, make_app: MakeApp, session: Session, scene: str, size: tuple[int, int]
) -> None:
    cast_some(session)
    app = make_app(start="ratings")
    assert snap_compare(app, terminal_size=size, run_before=keys(VOTES[scene]))


def test_mono_and_ascii(snap_compare: Snap, make_app: MakeApp, tmp_path: Path) -> None:
    path = battle_file(tmp_path / "b.jsonl", (*NEVER_LOST, *APART))
    app = make_app(start="ratings", paths=(path,), theme="mono", ascii_only=True)
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys(("j",)))


def test_empty(snap_compare: Snap, make_app: MakeApp) -> None:
    app = make_app(start="ratings", workspace=Workspace({}, (), ()))
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys(()))
