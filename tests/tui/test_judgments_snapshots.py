"""What the judgments' reader looks like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.judged_files import alpaca, arena, loaded, mt_bench

from .conftest import MakeApp
from .test_judgments import opened, press

Snap = Callable[..., Any]
SIZES = [(80, 24), (120, 40)]
SCENES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "conversation": ("mt_bench", "hearth", ("j", "n")),
    "mono": ("mt_bench", "mono", ("j", "j", "n")),
    "trace": ("mt_bench", "hearth", ("j", "j", "j", "j", "j", "j", "j")),
    "filter": ("mt_bench", "hearth", ("f", "l")),
    "search": ("mt_bench", "hearth", ("slash", "r", "a", "i", "n", "enter")),
    "not_loaded": ("mt_bench_alone", "hearth", ()),
    "arena": ("arena_hard", "hearth", ("n", "n")),
    "alpaca": ("alpaca_eval", "hearth", ("n",)),
}


def files_of(scene: str, folder: Path) -> list[str]:
    if scene == "mt_bench_alone":
        return mt_bench(folder, judgments_only=True)
    made = {"mt_bench": mt_bench, "arena_hard": arena}
    return made[scene](folder) if scene in made else alpaca(folder / "annotations.json")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES)
def test_judgments(
    snap_compare: Snap, make_app: MakeApp, tmp_path: Path, scene: str, size: tuple[int, int]
) -> None:
    made, theme, keys = SCENES[scene]
    files = loaded(files_of(made, tmp_path))

    async def show(pilot: Pilot[None]) -> None:
        await opened(pilot, files, made.removesuffix("_alone"))
        await press(pilot, *keys)

    app = make_app(start="ratings", theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=show)
