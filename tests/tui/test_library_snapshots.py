"""What the Library, its problems and its questions look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from ifbench_tui.tui.screens.mapping_sheet import MappingSheet
from ifbench_tui.workspace import Preview, Problem, SourceReport, Workspace

from .conftest import MakeApp, make_workspace, pressing, settle

SIZES = [(80, 24), (120, 40)]
SCENES: dict[str, tuple[str, ...]] = {
    "library": ("j", "j"),
    "problems": ("j", "j", "enter", "j"),
    "all_problems": ("p",),
}

Snap = Callable[..., Any]

LONG = "samples_ifeval_2026-01-03T10-00-00.jsonl"
SOURCES = (
    SourceReport("data/input_data.jsonl", "ifeval-prompts", "rows have prompt and instruction_id_"
                 "list with IFEval types", 0, 541, 0, 541, 0, 0, 0),
    SourceReport(f"data/{LONG}", "lm-eval-samples", "rows have doc and filtered_resps", 1, 541,
                 541, 541, 0, 0, 0),
    SourceReport("data/rough.jsonl", "table", "known columns: prompt as prompt, response as "
                 "response", 1, 0, 98_123, 98_123, 12, 345, 6),
    SourceReport("notes/漢字.csv", "unreadable", "", 0, 0, 0, 0, 0, 0, 1),
)  # fmt: skip
PROBLEMS = (
    Problem("data/rough.jsonl", 17, "broken", "the row ends in the middle of a string", ""),
    Problem("data/rough.jsonl", 40, "unmatched", "no prompt has this text",
            "load the prompts file it belongs to, or a file of aliases"),
    Problem("data/rough.jsonl", 41, "duplicate", "line 90 responds to the same prompt: the last "
            "one counts"),
    Problem("data/rough.jsonl", 3, "notice", "reasoning traces are part of the graded text "
            "(think: keep) (2041 rows; lines 3, 5, 6, 7, 9, …)", "", 2041),
    Problem("notes/漢字.csv", None, "broken", "cannot be read: permission denied",
            "make it readable for you"),
)  # fmt: skip
ODD = Preview(
    "data/odd.csv",
    "table",
    "a table with columns that are not known",
    "csv",
    ("Frage", "Modell eins", "Modell zwei"),
    (
        {"Frage": "Was ist das Meer?", "Modell eins": "Wasser.", "Modell zwei": "Sehr viel 水."},
        {"Frage": "[b]Und[/b] die See?", "Modell eins": "Auch.", "Modell zwei": None},
    ),
    {},
)


def library() -> Workspace:
    return Workspace(make_workspace().suites, SOURCES, PROBLEMS)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES)
def test_house_theme(
    snap_compare: Snap, make_app: MakeApp, scene: str, size: tuple[int, int]
) -> None:
    app = make_app(workspace=library(), start="library")
    assert snap_compare(app, terminal_size=size, run_before=pressing(SCENES[scene]))


def test_mono_and_ascii(snap_compare: Snap, make_app: MakeApp) -> None:
    app = make_app(workspace=library(), start="library", theme="mono", ascii_only=True)
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(SCENES["library"]))


def test_nothing_loaded(snap_compare: Snap, make_app: MakeApp) -> None:
    app = make_app(workspace=Workspace({}, (), ()), start="library")
    assert snap_compare(app, terminal_size=(80, 24))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_columns_of_an_unknown_table(
    snap_compare: Snap, make_app: MakeApp, size: tuple[int, int]
) -> None:
    async def ask(pilot: Pilot[None]) -> None:
        await settle(pilot)
        pilot.app.clear_notifications()
        pilot.app.push_screen(MappingSheet(ODD, None))
        await pilot.pause()
        await pilot.press("l", "j", "h")
        await pilot.pause()

    app = make_app(workspace=library(), start="library")
    assert snap_compare(app, terminal_size=size, run_before=ask)
