"""Battles and votes to rate, and the Ratings screen once it has rated them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from ifbench_tui.store import Session, text_digest, turn_subject
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.screens.ratings import RatingsScreen

from .conftest import ANSWERS, settle, until

Row = tuple[str, str, str, int]

CHAIN: tuple[Row, ...] = (
    ("north", "east", "model_a", 30), ("east", "north", "model_a", 12),
    ("north", "east", "tie", 6), ("east", "south", "model_a", 22),
    ("south", "east", "model_a", 17), ("east", "south", "tie (bothbad)", 9),
    ("north", "south", "model_a", 25), ("south", "north", "model_a", 8),
)  # fmt: skip
APART: tuple[Row, ...] = (
    ("left-1", "left-2", "model_a", 6), ("left-2", "left-1", "model_a", 3),
    ("right-1", "right-2", "model_a", 4), ("right-2", "right-1", "model_a", 4),
)  # fmt: skip
NEVER_LOST: tuple[Row, ...] = (*CHAIN, ("west", "north", "model_a", 4))


def battle_file(path: Path, rows: tuple[Row, ...], **fields: Any) -> str:
    """A file of FastChat battles of ann, bob and eve in turn; returns its path."""
    made = [
        {"question_id": f"{a}-{b}-{i // 3}", "model_a": a, "model_b": b, "winner": winner,
         "judge": ("ann", "bob", "eve")[i % 3], "turn": 1, "anony": True, **fields}
        for a, b, winner, count in rows
        for i in range(count)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in made))
    return str(path)


def cast(
    session: Session, key: str, winner: str, *, models: tuple[str, str] = ("careful", "chatty"),
    who: str = "ana", left: str = "model_a",
) -> None:  # fmt: skip
    """A vote on the small frozen workspace."""
    digests = [text_digest(ANSWERS[model][key]) for model in models]
    body = {
        "model_a": models[0], "model_b": models[1], "digest_a": digests[0],
        "digest_b": digests[1], "left": left, "winner": winner, "unblinded": False, "reasons": [],
        "seed": 1,
    }  # fmt: skip
    session.append("vote", turn_subject("ifeval", key), body, who)


def cast_some(session: Session) -> None:
    """Votes of two people that do not always agree."""
    for key, winner in (("101", "model_a"), ("102", "model_a"), ("103", "tie"),
                        ("105", "model_a"), ("106", "model_b")):  # fmt: skip
        cast(session, key, winner, left="model_b" if key == "102" else "model_a")
    for key, winner in (("101", "model_b"), ("102", "model_a"), ("103", "both_bad")):
        cast(session, key, winner, who="ben")
    cast(session, "101", "model_a", models=("chatty", "sloppy"))
    cast(session, "102", "model_b", models=("chatty", "sloppy"))


async def ratings(pilot: Pilot[None]) -> RatingsScreen:
    """The Ratings screen when nothing is running any more."""
    app = pilot.app
    assert isinstance(app, AuditApp)
    await settle(pilot)
    screen = app.screen
    assert isinstance(screen, RatingsScreen)
    await until(pilot, lambda: not screen.busy and not screen.asked)
    await settle(pilot)
    return screen


def by_name(screen: RatingsScreen) -> dict[str, float]:
    """The ratings on the screen."""
    assert screen.board is not None
    return {row.name: row.rating for row in screen.board.report.rows}
