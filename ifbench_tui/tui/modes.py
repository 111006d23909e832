"""The places of the app by name. Each is imported when it is first gone to."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

__all__ = ["MODES"]


def _library() -> Screen[None]:
    from ifbench_tui.tui.screens.library import LibraryScreen

    return LibraryScreen()


def _scores() -> Screen[None]:
    from ifbench_tui.tui.screens.scores import ScoresScreen

    return ScoresScreen()


def _audit() -> Screen[None]:
    from ifbench_tui.tui.screens.audit import AuditScreen

    return AuditScreen()


def _vote() -> Screen[None]:
    from ifbench_tui.tui.screens.vote import VoteScreen

    return VoteScreen()


def _ratings() -> Screen[None]:
    from ifbench_tui.tui.screens.ratings import RatingsScreen

    return RatingsScreen()


MODES: dict[str, str | Callable[[], Screen[None]]] = {
    "library": _library,
    "scores": _scores,
    "audit": _audit,
    "vote": _vote,
    "ratings": _ratings,
}
