"""What Boards looks like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ifbench_tui.tui.app import AuditApp
from ifbench_tui.workspace import Workspace

from .conftest import MakeApp, settle
from .judged import (
    annotations,
    arena,
    arena_answers,
    boards,
    leaderboard,
    old_arena,
    pairs_of_answers,
    ratings_of_answers,
)

Snap = Callable[..., Any]
SIZES = [(80, 24), (120, 40)]


def alpaca(folder: Path) -> list[str]:
    return [
        annotations(folder / "annotations.json", ("tall", "short", "low"), nulls=2),
        leaderboard(folder / "leaderboard.csv", tall=(61.2, 57.0), low=(30.1, 33.3)),
    ]


def mt_bench(folder: Path) -> list[str]:
    return [ratings_of_answers(folder / "s.jsonl"), pairs_of_answers(folder / "p.jsonl")]


def arena_v2(folder: Path) -> list[str]:
    return [arena(folder / "a.jsonl"), old_arena(folder / "old.jsonl")]


def styled(folder: Path) -> list[str]:
    judged = arena(folder / "a.jsonl", categories={"hard_prompt": "o3"})
    return [judged, *arena_answers(folder / "model_answer")]


SCENES: dict[str, tuple[Callable[[Path], list[str]], tuple[str, ...]]] = {
    "alpaca": (alpaca, ()),
    "alpaca_fit": (alpaca, ("v", "j")),
    "alpaca_judge": (alpaca, ("v", "v", "tab")),
    "alpaca_choices": (alpaca, ("f", "l")),
    "mt_bench": (mt_bench, ("j",)),
    "mt_bench_profile": (mt_bench, ("v",)),
    "mt_bench_dropped": (mt_bench, ("V", "V")),
    "arena": (arena_v2, ()),
    "arena_style": (styled, ("c", "v", "v")),
}


def keys(pressed: tuple[str, ...]) -> Callable[[Pilot[None]], Any]:
    async def press(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, AuditApp)
        await settle(pilot)
        app.action_boards()
        await boards(pilot)
        for key in pressed:
            await pilot.press(key)
            await settle(pilot)
        app.clear_notifications()
        await app.workers.wait_for_complete()
        await pilot.pause()

    return press


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES)
def test_boards(
    snap_compare: Snap, make_app: MakeApp, tmp_path: Path, scene: str, size: tuple[int, int]
) -> None:
    files, pressed = SCENES[scene]
    app = make_app(start="scores", paths=tuple(files(tmp_path)))
    assert snap_compare(app, terminal_size=size, run_before=keys(pressed))


def test_mono_and_ascii(snap_compare: Snap, make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="scores", paths=tuple(alpaca(tmp_path)), theme="mono", ascii_only=True)
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys(("j",)))


def test_empty(snap_compare: Snap, make_app: MakeApp) -> None:
    app = make_app(start="scores", workspace=Workspace({}, (), ()))
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys(()))
