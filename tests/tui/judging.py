"""The Judge screen and its form, as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from ifbench_tui.config import Config, Settings
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.screens.judge import JudgeScreen
from tests.judge.data import mt_files, write_rows

from .conftest import settle, until

__all__ = ["PATIENT", "fill", "judge_screen", "mt_paths", "pair_rows", "settings", "wait"]

PATIENT = 60_000
"""Turns of the app for what has to wait for a server."""


def settings(**values: object) -> Config:
    """A config file with these settings."""
    return Config(Settings(**values))  # type: ignore[arg-type]


def mt_paths(folder: Path, models: tuple[str, ...] = ("tern", "wren")) -> tuple[str, ...]:
    """Two questions of MT-Bench and two turns of each model: four rows a model."""
    return tuple(mt_files(folder, models))


def pair_rows(path: Path, count: int = 40, first: int = 5) -> str:
    """Pairs judged in both orders; of every `first` the judge names the first shown twice."""
    rows = [
        {
            "question_id": number, "model_1": "tern", "model_2": "wren", "turn": 1,
            "g1_winner": "model_1", "g2_winner": "model_1" if number % first else "model_2",
            "judge": ["j", "pair-v2"], "g1_judgment": "[[A]]",
            "g2_judgment": "[[B]]" if number % first else "[[A]]", "tstamp": 1.0,
        }
        for number in range(count)
    ]  # fmt: skip
    return str(write_rows(path, rows))


async def judge_screen(pilot: Pilot[None]) -> JudgeScreen:
    """The Judge screen when nothing is running any more."""
    await settle(pilot)
    app = pilot.app
    assert isinstance(app, AuditApp)
    screen = app.screen
    assert isinstance(screen, JudgeScreen)
    return screen


async def wait(pilot: Pilot[None]) -> JudgeScreen:
    """Until the run has ended and what it wrote is loaded."""
    screen = pilot.app.screen
    assert isinstance(screen, JudgeScreen)
    await until(pilot, lambda: screen.asking is None, turns=PATIENT)
    return await judge_screen(pilot)


async def fill(pilot: Pilot[None], label: str, text: str) -> None:
    """Go to a line of the form, type into it and take it."""
    screen = await judge_screen(pilot)
    if screen.focused is not screen.query_one("#form"):
        screen.query_one("#form").focus()
    row = [field.label for field in screen.fields].index(label)
    await pilot.press("g", *"j" * row, "enter")
    await pilot.pause()
    entry = pilot.app.screen.query_one(Input)
    entry.value = ""
    await pilot.press(*text, "enter")
    await settle(pilot)


def rows_of(path: Path) -> list[dict[str, object]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text().splitlines()]
