"""Votes against verdicts."""

from __future__ import annotations

from itertools import product

from ifbench_tui.engine.preference import (
    GROUPS,
    Followed,
    Preference,
    VotedPair,
    Winner,
    preferences,
)

WINNERS: tuple[Winner, ...] = ("first", "second", "tie", "both_bad")


def test_groups_by_hand() -> None:
    more, fewer, least = Followed(3, True), Followed(2, False), Followed(0, False)
    found = {
        row.group: row
        for row in preferences(
            [
                VotedPair("first", more, fewer),
                VotedPair("second", least, more),
                VotedPair("first", fewer, more),
                VotedPair("tie", more, fewer),
                VotedPair("both_bad", fewer, least),
                VotedPair("second", fewer, fewer),
            ]
        )
    }
    whole = found["more"]
    assert (whole.votes, whole.preferred, whole.other, whole.ties, whole.both_bad) == (
        *(5, 2, 1, 1, 1),
    )
    assert whole.share == 2 / 3
    assert whole.p_value == 1.0
    assert found["one more"].votes == 3
    assert found["two or more"].votes == 2
    assert found["all, other not"].votes == 4
    assert found["as many"] == Preference(GROUPS[4], 1, 1, 0, 0, 0, None, None, None, None)


def test_sides_do_not_matter() -> None:
    kinds = [Followed(n, n == 2) for n in range(3)]
    swapped = {"first": "second", "second": "first"}
    votes = [VotedPair(w, a, b) for w, a, b in product(WINNERS, kinds, kinds)]
    mirrored = [
        VotedPair(swapped.get(v.winner, v.winner), v.second, v.first)  # type: ignore[arg-type]
        for v in votes
    ]
    assert preferences(votes) == preferences(mirrored)
    by_name = {row.group: row.votes for row in preferences(votes)}
    assert by_name[GROUPS[0]] == by_name[GROUPS[1]] + by_name[GROUPS[2]]
    assert by_name[GROUPS[0]] + by_name[GROUPS[4]] == len(votes)


def test_no_votes_no_shares() -> None:
    assert all(row.votes == 0 and row.share is None for row in preferences([]))
