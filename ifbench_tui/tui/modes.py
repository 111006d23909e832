"""The places of the app, a line each: modes, the keys that lead there and `--start` follow it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.screen import Screen

    from ifbench_tui.tui.screens.place import Place

__all__ = ["MODES", "PLACES", "PlaceEntry"]


class PlaceEntry(NamedTuple):
    """A place: its key, what it is called and for, and the class of its screen."""

    key: str
    title: str
    help: str
    screen: str


PLACES: Mapping[str, PlaceEntry] = {
    "library": PlaceEntry("1", "Library", "What is loaded, and what was not.", "LibraryScreen"),
    "scores": PlaceEntry("2", "Scores", "Who follows what: all models, all types.", "ScoresScreen"),
    "audit": PlaceEntry(
        "3", "Audit", "Why a response failed, constraint by constraint.", "AuditScreen"
    ),
    "vote": PlaceEntry("4", "Vote", "Blind votes: which of two responses is better.", "VoteScreen"),
    "ratings": PlaceEntry(
        "5", "Ratings", "What the votes say: a board with honest intervals.", "RatingsScreen"
    ),
    "judge": PlaceEntry(
        "6",
        "Judge",
        "Ask a model for verdicts or responses; what judges are biased by.",
        "JudgeScreen",
    ),
}


def _screen(name: str) -> Screen[None]:
    """A new screen; its module is imported when its place is first gone to."""
    module = importlib.import_module(f"ifbench_tui.tui.screens.{name}")
    made: Place = getattr(module, PLACES[name].screen)()
    made.number = PLACES[name].key
    return made


MODES: dict[str, str | Callable[[], Screen[None]]] = {
    name: partial(_screen, name) for name in PLACES
}
