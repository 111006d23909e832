"""A sitting: what is stored, what is undone, what a restart finds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ifbench_tui.store import Session, text_digest
from ifbench_tui.store.errors import SessionReadOnlyError, StoredError
from ifbench_tui.voting.arena import Arena, make_arena
from ifbench_tui.voting.ballot import Ballot, Draft, StaleQuestionError
from ifbench_tui.voting.pairs import Plan, VoteRow
from tests.store.helpers import UnreadableSession

from .helpers import START, arena_with, open_session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with open_session(tmp_path / "s.ifb") as opened:
        yield opened


def ballot_on(session: Session, arena: Arena | None = None, **options: object) -> Ballot:
    plan = Plan(**{"seed": 7, **options})  # type: ignore[arg-type]
    return Ballot(arena or arena_with(), session, "ana", plan, now=lambda: START)


def stored(session: Session) -> list[dict[str, object]]:
    return [dict(event.body) for event in session.state().live("vote").values()]


def test_a_vote_stores_everything(session: Session) -> None:
    ballot = ballot_on(session)
    shown = ballot.matchup
    assert shown is not None
    ballot.give_reasons(("clear", "safe"))
    ballot.write_note("the year is wrong")
    event = ballot.cast("left")
    key = shown.question.spot.key
    assert event.subject == {"benchmark": "ifeval", "key": key, "turn": 1}
    left = "model_a" if shown.left == "alpha-7b" else "model_b"
    assert event.body == {
        "model_a": "alpha-7b",
        "model_b": "beta-9b",
        "digest_a": text_digest(f"response 0 to {key}.0"),
        "digest_b": text_digest(f"response 1 to {key}.0"),
        "left": left,
        "winner": left,
        "unblinded": False,
        "reasons": ["clear", "safe"],
        "note": "the year is wrong",
        "seed": 7,
    }
    assert ballot.draft == Draft(), "the next pair starts without reasons"


@pytest.mark.parametrize("choice", ["left", "right"])
def test_the_side_voted_for_wins(session: Session, choice: str) -> None:
    ballot = ballot_on(session)
    for _ in range(5):
        shown = ballot.matchup
        assert shown is not None
        body = ballot.cast(choice).body  # type: ignore[arg-type]
        assert body[body["winner"]] == (shown.left if choice == "left" else shown.right)
        for prompt, left, right in shown.turns:
            assert prompt == f"prompt {shown.question.spot.key}.0"
            for side, text in ((shown.left, left), (shown.right, right)):
                index = ("alpha-7b", "beta-9b").index(side)
                assert text == f"response {index} to {shown.question.spot.key}.0"
    assert ballot.matchup is None


def test_a_restart_goes_on_where_it_was(session: Session) -> None:
    ballot = ballot_on(session, arena_with(("a1", "b2", "c3"), 10))
    for choice in ("left", "tie", "right", "both_bad"):
        ballot.cast(choice)  # type: ignore[arg-type]
    ballot.skip()
    ballot.unblind()
    ballot.write_note("hm")
    again = ballot_on(session, arena_with(("a1", "b2", "c3"), 10))
    assert again.matchup == ballot.matchup
    assert again.draft == Draft(unblinded=True, note="hm")
    assert again.progress == ballot.progress
    assert again.past == ballot.past


def test_without_a_seed_of_the_plan_the_first_one_is_kept(session: Session) -> None:
    arena = arena_with()
    first = Ballot(arena, session, "ana", new_seed=lambda: 41)
    again = Ballot(arena, session, "ana", new_seed=lambda: 42)
    other = Ballot(arena, session, "ben", new_seed=lambda: 43)
    assert (first.seed, again.seed, other.seed) == (41, 41, 43)


def test_what_is_undone_is_asked_again_on_the_same_sides_and_is_no_longer_blind(
    session: Session,
) -> None:
    ballot = ballot_on(session)
    matchups = []
    for _ in range(3):
        matchups.append(ballot.matchup)
        ballot.give_reasons(("clear",))
        ballot.cast("left")
    for expected in reversed(matchups):
        assert expected is not None
        undone = ballot.undo()
        assert undone is not None
        assert ballot.matchup is not None
        assert ballot.matchup.ticket == expected.ticket
        assert (ballot.matchup.left, ballot.matchup.turns) == (expected.left, expected.turns)
        assert ballot.matchup.names_seen
        assert ballot.draft == Draft(unblinded=True, reasons=("clear",))
    assert stored(session) == []
    assert ballot.undo() is None
    for count in (1, 2, 3):
        assert ballot.redo() is not None
        assert len(stored(session)) == count
    assert ballot.redo() is None
    assert not any(body["unblinded"] for body in stored(session))
    ballot.undo()
    assert ballot.cast("right").body["unblinded"] is True


def test_undo_leaves_marks_and_other_peoples_votes_alone(session: Session) -> None:
    ana, ben = ballot_on(session), Ballot(arena_with(), session, "ben", Plan(seed=7))
    ana.cast("left")
    ben.cast("right")
    session.append("bookmark", {"benchmark": "ifeval", "key": "1"}, {"on": True}, "ana")
    ana.refresh()
    assert not ana.can("undo")
    assert ana.undo() is None
    assert len(stored(session)) == 2


def test_others_votes_are_hidden(session: Session) -> None:
    ana, ben = ballot_on(session), Ballot(arena_with(), session, "ben", Plan(seed=7))
    before = ana.matchup
    ben.cast("left")
    ana.refresh()
    assert ana.matchup == before
    assert ana.past.votes == []
    assert ana.progress.votes == 0


def test_skipped_pairs_come_back_when_asked_for(session: Session) -> None:
    ballot = ballot_on(session)
    for _ in range(2):
        ballot.skip()
    for _ in range(3):
        ballot.cast("tie")
    assert ballot.matchup is None
    assert (ballot.progress.skipped, ballot.progress.left) == (2, 0)
    assert ballot.bring_back() == 2
    assert ballot.progress.left == 2
    assert ballot.matchup is not None


def test_skipped_pairs_of_another_benchmark_stay_skipped(session: Session) -> None:
    arena = arena_with()
    elsewhere = make_arena("ifhardbench", arena.prompts, arena.responses, ())
    here, there = ballot_on(session), ballot_on(session, elsewhere)
    for _ in range(3):
        here.skip()
    there.skip()
    before = len(session.events())
    assert there.bring_back() == 1
    assert len(session.events()) == before + 1
    assert there.bring_back() == 0
    here.refresh()
    assert (here.progress.skipped, there.progress.skipped) == (3, 0)
    assert here.bring_back() == 3
    assert here.progress.skipped == 0


def test_a_pair_that_was_unmasked_and_set_aside_is_not_blind_when_it_comes_back(
    session: Session,
) -> None:
    ballot = ballot_on(session, arena_with(prompts=2))
    ballot.unblind()
    ballot.skip()
    ballot.write_note("on another pair")
    ballot.cast("tie")
    ballot.bring_back()
    assert ballot.draft == Draft(unblinded=True)
    assert ballot.cast("tie").body["unblinded"] is True


def test_in_both_orders_both_votes_are_blind(session: Session) -> None:
    ballot = ballot_on(session, both_orders=True)
    told = []
    while ballot.matchup is not None:
        assert not ballot.matchup.names_seen
        told.append(ballot.matchup.last)
        ballot.cast("left")
    assert told == [False] * 5 + [True] * 5
    assert not any(body["unblinded"] for body in stored(session))
    for _ in range(6):
        ballot.undo()
        assert ballot.matchup is not None
        assert ballot.matchup.names_seen, "the second vote told the names"
    ballot = ballot_on(session, arena_with(prompts=6), both_orders=True)
    while ballot.matchup is not None and ballot.matchup.names_seen:
        ballot.cast("tie")
    ballot.cast("left")
    ballot.undo()
    assert ballot.matchup is not None
    assert not ballot.matchup.names_seen, "the names were not told after the first vote"


def test_the_other_order_is_not_blind_once_the_names_were_seen(session: Session) -> None:
    arena = arena_with(prompts=2)
    ballot_on(session, arena).cast("left")
    both = ballot_on(session, arena, both_orders=True)
    both.unblind()
    both.cast("left")
    seen = []
    while both.matchup is not None:
        seen.append(both.matchup.names_seen)
        both.cast("left")
    assert seen == [True, True], "one was told after the first vote, one was unmasked"


def test_what_is_undone_is_asked_again_only_where_the_plan_asks_it(session: Session) -> None:
    arena = arena_with(prompts=3)
    ballot = ballot_on(session, arena)
    voted = ballot.cast("left").subject["key"]
    ballot.undo()
    (wanted, *_) = (key for key in arena.prompts if key != voted)
    pair = ("alpha-7b", "beta-9b")
    listed = ballot_on(session, arena, policy="list", listed=((wanted, *pair),))
    assert listed.matchup is not None
    assert (listed.matchup.question.spot.key, listed.progress.left) == (wanted, 1)
    both = ballot_on(session, arena, policy="list", listed=((wanted, *pair), (voted, *pair)))
    assert both.matchup is not None
    assert both.matchup.question.spot.key == voted
    twice = ballot_on(session, arena_with(prompts=1), both_orders=True)
    twice.cast("left")
    twice.cast("left")
    twice.undo()
    assert ballot_on(session, arena_with(prompts=1)).matchup is None, "it has its one vote"


def test_a_vote_that_cannot_be_read_back_counts(tmp_path: Path) -> None:
    with UnreadableSession.open(tmp_path / "s.ifb") as session:
        ballot = ballot_on(session)
        session.failing = True
        with pytest.raises(StoredError, match="refused to read"):
            ballot.cast("left")
        session.failing = False
        assert len(stored(session)) == 1
        with pytest.raises(StaleQuestionError, match="has its vote already"):
            ballot.cast("right")
        ballot.cast("right")
        assert len(stored(session)) == 2


def test_a_vote_taken_back_and_then_set_aside_is_not_asked_again(session: Session) -> None:
    ballot = ballot_on(session)
    voted = ballot.matchup
    assert voted is not None
    ballot.cast("left")
    ballot.undo()
    assert ballot.matchup is not None
    assert ballot.matchup.question.spot == voted.question.spot
    ballot.skip()
    assert ballot.matchup.question.spot != voted.question.spot


def test_a_pair_answered_in_another_window_is_not_counted_twice(session: Session) -> None:
    here, there = ballot_on(session), ballot_on(session)
    there.cast("left")
    with pytest.raises(StaleQuestionError):
        here.cast("left")
    assert len(stored(session)) == 1
    here.cast("right")
    assert len(stored(session)) == 2


def test_a_changed_response_is_asked_again(session: Session) -> None:
    arena = arena_with(prompts=1)
    ballot_on(session, arena).cast("left")
    assert ballot_on(session, arena).matchup is None
    changed = {model: {"0": (f"new {model}",)} for model in arena.models}
    again = ballot_on(session, make_arena("ifeval", arena.prompts, changed, ()))
    assert again.matchup is not None
    assert not again.matchup.names_seen
    assert again.past.votes == [VoteRow("alpha-7b", "beta-9b", stored(session)[0]["winner"])]  # type: ignore[arg-type]


def test_a_vote_on_a_conversation_is_about_its_last_turn(session: Session) -> None:
    ballot = ballot_on(session, arena_with(turns=2))
    assert ballot.matchup is not None
    assert len(ballot.matchup.turns) == 2
    assert ballot.cast("tie").subject["turn"] == 2


def test_votes_of_earlier_days_are_not_of_today(session: Session) -> None:
    arena = arena_with()
    ballot_on(session, arena).cast("tie")
    later = Ballot(arena, session, "ana", Plan(seed=7), now=lambda: START + timedelta(days=2))
    assert (later.progress.votes, later.progress.today) == (1, 0)
    later = ballot_on(session, arena)
    assert (later.progress.votes, later.progress.today) == (1, 1)


def test_the_file_names_no_model_before_the_vote(session: Session, tmp_path: Path) -> None:
    ballot = ballot_on(session)
    ballot.unblind()
    ballot.write_note("a note")
    ballot.give_reasons(("clear",))
    ballot.skip()
    draft = "\n".join(session.export_jsonl())
    on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for name in ballot.arena.models:
        assert name not in draft
        assert name.encode() not in on_disk
    ballot.cast("left")
    assert "alpha-7b" in "\n".join(session.export_jsonl())


def test_a_read_only_session_counts_nothing(session: Session) -> None:
    ballot_on(session).cast("tie")
    with Session.open(session.path, read_only=True) as reader:
        ballot = ballot_on(reader)
        before = ballot.matchup
        assert ballot.read_only_reason
        with pytest.raises(SessionReadOnlyError):
            ballot.cast("left")
        assert (ballot.progress.votes, ballot.matchup) == (1, before)
        assert not ballot.can("undo")
    assert len(stored(session)) == 1
