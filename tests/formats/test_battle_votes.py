"""This program's own votes: every export of battles is read back as the same battles."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.report import votes as export
from ifbench_tui.store import Event, Session, turn_subject
from tests.formats.battles import outcomes, read_battles

EXPORTS = {
    "battles": export.arena_battles,
    "table": export.arena_rank_csv,
    "lines": export.vote_lines,
}


def cast(session: Session, winner: str, left: str, *, unblinded: bool = False) -> Event:
    body = {
        "model_a": "ant",
        "model_b": "bee",
        "digest_a": "a" * 64,
        "digest_b": "b" * 64,
        "left": left,
        "winner": winner,
        "unblinded": unblinded,
        "reasons": ["style"],
        "seed": 1,
    }
    return session.append("vote", turn_subject("ifeval", "1019", 2), body, "ana")


@pytest.mark.parametrize("name", EXPORTS)
def test_votes_come_back_as_the_same_battles(name: str, tmp_path: Path) -> None:
    with Session.open(tmp_path / "s.ifb") as session:
        events = [
            cast(session, "model_a", "model_a"),
            cast(session, "model_a", "model_b"),
            cast(session, "tie", "model_b"),
            cast(session, "both_bad", "model_a", unblinded=True),
        ]
    path = tmp_path / "votes"
    path.write_text("".join(EXPORTS[name](export.votes_with_texts(events, {}))))
    found, block, refused = read_battles(path)
    assert (found, refused) == ("battles", [])
    assert outcomes(block) == [
        ("ant", "bee", 1.0, False),
        ("bee", "ant", 0.0, False),
        ("bee", "ant", 0.5, False),
        ("ant", "bee", 0.5, True),
    ]
    assert list(block.hidden) == [1, 1, 1, 0]
    assert list(block.turn) == [2] * 4
    assert block.questions == ["1019"] * 4
    assert block.labels["judge"].values == ("ana",)
    assert list(block.time) == sorted(block.time)
