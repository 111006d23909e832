"""Votes of a session against verdicts on the same responses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ifbench_tui.engine.benchmark import JudgedResponse
from ifbench_tui.engine.preference import (
    GROUPS,
    Followed,
    Preference,
    VotedPair,
    Winner,
    preferences,
)
from ifbench_tui.report.sheets import Cell, Column, Share, Sheet
from ifbench_tui.store import Event, text_digest
from ifbench_tui.workspace import Suite

__all__ = ["Judged", "VotesAndVerdicts", "preference_sheets", "votes_and_verdicts"]

Judged = Callable[[str, str, str], JudgedResponse | None]
"""(benchmark, model, key) to the verdicts on a response, None where there are none (yet)."""


@dataclass(frozen=True, slots=True)
class VotesAndVerdicts:
    """Preferences by strict and by loose verdicts; `elsewhere` votes are on responses that are not
    loaded, changed, or not judged."""

    strict: tuple[Preference, ...]
    loose: tuple[Preference, ...]
    votes: int
    elsewhere: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "votes": self.votes,
            "elsewhere": self.elsewhere,
            "strict": [asdict(row) for row in self.strict],
            "loose": [asdict(row) for row in self.loose],
        }


def votes_and_verdicts(
    events: Iterable[Event], suites: Mapping[str, Suite], judged: Judged
) -> VotesAndVerdicts:
    """Set votes against the verdicts on exactly the responses that were voted on."""
    strict: list[VotedPair] = []
    loose: list[VotedPair] = []
    elsewhere = 0
    for event in events:
        sides = [_verdicts(event, side, suites, judged) for side in ("model_a", "model_b")]
        if sides[0] is None or sides[1] is None:
            elsewhere += 1
            continue
        winner = _WINNERS[event.body["winner"]]
        for pairs, is_loose in ((strict, False), (loose, True)):
            first, second = (_followed(side, is_loose) for side in sides if side)
            pairs.append(VotedPair(winner, first, second))
    return VotesAndVerdicts(
        preferences(strict), preferences(loose), len(strict) + elsewhere, elsewhere
    )


_WINNERS: dict[str, Winner] = {
    "model_a": "first",
    "model_b": "second",
    "tie": "tie",
    "both_bad": "both_bad",
}


def _verdicts(
    event: Event, side: str, suites: Mapping[str, Suite], judged: Judged
) -> JudgedResponse | None:
    benchmark, key = str(event.subject["benchmark"]), str(event.subject["key"])
    model = str(event.body[side])
    suite = suites.get(benchmark)
    response = None if suite is None else suite.response(model, key)
    if response is None or text_digest(response.text) != event.body[f"digest_{side[-1]}"]:
        return None
    return judged(benchmark, model, key)


def _followed(judged: JudgedResponse, loose: bool) -> Followed:
    if judged.blank:
        return Followed(0, False)
    held = [one.loose if loose else one.strict for one in judged.lattices]
    return Followed(sum(held), all(held))


def preference_sheets(found: VotesAndVerdicts) -> list[Sheet]:
    """A table by strict and one by loose verdicts."""
    columns = (
        Column("group", "one follows"),
        Column("votes", "votes", numeric=True),
        Column("preferred", "wins", numeric=True),
        Column("other", "loses", numeric=True),
        Column("ties", "ties", numeric=True),
        Column("both_bad", "both bad", numeric=True),
        Column("share", "preferred %", interval=True, numeric=True),
        Column("p_value", "p", numeric=True),
    )
    return [
        Sheet(f"Votes and {name} verdicts", columns, tuple(map(_cells, rows)))
        for name, rows in (("strict", found.strict), ("loose", found.loose))
    ]


def _cells(row: Preference) -> tuple[Cell, ...]:
    wins = (None, None) if row.group == GROUPS[-1] else (row.preferred, row.other)
    share = Share(row.share, row.lower, row.upper)
    return (row.group, row.votes, *wins, row.ties, row.both_bad, share, row.p_value)
