"""Small arenas, and a clock that is told the time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ifbench_tui.store import Session
from ifbench_tui.voting.arena import Arena, make_arena

START = datetime(2026, 1, 31, 12, tzinfo=UTC)


def arena_with(
    models: tuple[str, ...] = ("alpha-7b", "beta-9b"), prompts: int = 5, *, turns: int = 1
) -> Arena:
    """Every model has a response of its own to every prompt."""
    keys = [str(number) for number in range(prompts)]
    return make_arena(
        "ifeval",
        {key: tuple(f"prompt {key}.{turn}" for turn in range(turns)) for key in keys},
        {
            model: {
                key: tuple(f"response {index} to {key}.{turn}" for turn in range(turns))
                for key in keys
            }
            for index, model in enumerate(models)
        },
        models,
    )


def ticking() -> Iterator[datetime]:
    """A second passes at each look."""
    return (START + timedelta(seconds=second) for second in itertools.count())


def open_session(path: Path) -> Session:
    """A session whose clock ticks by seconds."""
    clock = ticking()
    return Session.open(path, clock=lambda: next(clock))


class HandClock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds
