"""Do people prefer the answer that follows more? Votes against verdicts on the same responses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ifbench_tui.engine.intervals import wilson
from ifbench_tui.engine.ratings.distributions import binomial_two_sided

__all__ = ["GROUPS", "Followed", "Preference", "VotedPair", "Winner", "preferences"]

Winner: TypeAlias = Literal["first", "second", "tie", "both_bad"]

GROUPS = (
    "more",
    "one more",
    "two or more",
    "all, other not",
    "as many",
)
"""How many constraints one response follows, set against the other."""


class Followed(NamedTuple):
    """How many constraints a response follows, and whether those are all there are."""

    number: int
    all: bool


class VotedPair(NamedTuple):
    """A vote on two responses, and what each follows."""

    winner: Winner
    first: Followed
    second: Followed


@dataclass(frozen=True, slots=True)
class Preference:
    """Votes on pairs in which one response follows more, in one group of them.

    `preferred` and `other` are decisive votes for and against the response that follows more. The
    share is preferred / (preferred + other) with its Wilson interval, `p_value` the exact two-sided
    binomial test against 1/2. In the group of equals there is no such response: there is no share,
    and `preferred` counts all decisive votes.
    """

    group: str
    votes: int
    preferred: int
    other: int
    ties: int
    both_bad: int
    share: float | None
    lower: float | None
    upper: float | None
    p_value: float | None


def preferences(votes: Iterable[VotedPair]) -> tuple[Preference, ...]:
    """The votes in each of `GROUPS`, of which the first two and the last may overlap others."""
    rows = [(_groups(vote), _outcome(vote)) for vote in votes]
    return tuple(
        _preference(group, [outcome for groups, outcome in rows if group in groups])
        for group in GROUPS
    )


def _groups(vote: VotedPair) -> set[str]:
    gap = abs(vote.first.number - vote.second.number)
    found = {GROUPS[0], GROUPS[1] if gap == 1 else GROUPS[2]} if gap else {GROUPS[4]}
    if vote.first.all != vote.second.all:
        found.add(GROUPS[3])
    return found


def _outcome(vote: VotedPair) -> str:
    """ "preferred" or "other" from the side of the response that follows more, else the winner."""
    if vote.winner in ("tie", "both_bad"):
        return vote.winner
    first_more = vote.first.number >= vote.second.number
    if vote.first.number == vote.second.number:
        return "preferred"
    return "preferred" if (vote.winner == "first") == first_more else "other"


def _preference(group: str, outcomes: list[str]) -> Preference:
    count = outcomes.count
    for_it, against = count("preferred"), count("other")
    counts = len(outcomes), for_it, against, count("tie"), count("both_bad")
    decisive = for_it + against
    bounds = wilson(for_it, decisive)
    if bounds is None or group == GROUPS[4]:
        return Preference(group, *counts, None, None, None, None)
    p_value = binomial_two_sided(for_it, decisive)
    return Preference(group, *counts, for_it / decisive, *bounds, p_value)
