"""Events on their way into a session, and what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ifbench_tui.store.errors import InvalidEventError
from ifbench_tui.store.events import Event, parse_line

__all__ = ["Incoming", "Intake", "incoming_lines"]


@dataclass(frozen=True, slots=True)
class Incoming:
    """Events that were read elsewhere, each with the place where it stood, and one line for what is
    no event there."""

    events: tuple[tuple[str, Event], ...]
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of events that came from elsewhere."""

    added: int
    known: int
    """Events that the session held already."""
    refused: tuple[str, ...]
    """One line per event that was not taken: where it stood and why."""


def incoming_lines(lines: Iterable[str], name: str = "input") -> Incoming:
    """Events from lines of JSON. `name` is what messages call their source."""
    events: list[tuple[str, Event]] = []
    broken: list[str] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                events.append((f"{name}:{number}", parse_line(line)))
            except InvalidEventError as error:
                broken.append(f"{name}:{number}: {error}")
    return Incoming(tuple(events), tuple(broken))
