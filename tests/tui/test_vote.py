"""What a person does in Vote, told as flows."""

from __future__ import annotations

import pytest
from textual import events

from ifbench_tui.engine.benchmark import Prompt
from ifbench_tui.store import Session, response_subject
from ifbench_tui.tui.screens.reason_sheet import ReasonSheet
from ifbench_tui.tui.vote_words import Reveal
from ifbench_tui.voting.ballot import Ballot
from ifbench_tui.voting.guard import Guard
from ifbench_tui.voting.pairs import Plan
from ifbench_tui.workspace import Response, Suite, Workspace
from tests.voting.helpers import HandClock, arena_with

from .conftest import HOSTILE, resize, screen_text, settle
from .test_hostile_text import ACTS
from .votes import FIRST, NAMES, SECOND, app_on, make_votable, vote_screen, votes_of

BIG, SMALL = (120, 40), (80, 24)


async def test_twenty_blind_votes_with_undo_and_restart(session: Session) -> None:
    keys = ["a", "b", "t", "x", "left", "right"]
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL) as pilot:
        screen = await vote_screen(pilot)
        for number in range(20):
            assert screen.reveal is None
            await pilot.press(keys[number % 6])
            # On disk before anything is shown of it.
            assert len(votes_of(session)) == number + 1
            assert screen.reveal is not None
            await pilot.press("space")
        assert "20 votes · 20 today · 10 left" in screen_text(app)
        await pilot.press("u", "u", "u")
        assert len(votes_of(session)) == 17
        await settle(pilot)
        assert "the last vote is taken back" in screen_text(app)
        assert "the vote is marked as not blind" in screen_text(app)
        await pilot.press("ctrl+r")
        assert len(votes_of(session)) == 18
        await settle(pilot)
        pending = screen.ballot.matchup if screen.ballot else None
        before = screen_text(app)
    assert pending is not None
    assert pending.names_seen
    with Session.open(session.path) as reopened:
        app = app_on(reopened, make_votable())
        async with app.run_test(size=SMALL) as pilot:
            screen = await vote_screen(pilot)
            assert screen.ballot is not None
            assert screen.ballot.matchup == pending
            assert "18 votes" in screen_text(app)
            assert screen_text(app).splitlines()[:20] == before.splitlines()[:20]
            await pilot.press("a", "space", "b")
            assert len(votes_of(reopened)) == 20
    events_stored = list(session.state().live("vote").values())
    assert {event.annotator for event in events_stored} == {"ana"}
    lefts = [event.body["left"] for event in events_stored]
    assert {"model_a", "model_b"} == set(lefts)
    assert [event.body["unblinded"] for event in events_stored] == [False] * 18 + [True] * 2


async def test_a_vote_reveals_the_names_and_what_it_changed(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=BIG) as pilot:
        screen = await vote_screen(pilot)
        await pilot.press("a")
        await settle(pilot)
        text = screen_text(app)
        assert isinstance(screen.reveal, Reveal)
        winner, loser = screen.reveal.left.model, screen.reveal.right.model
        assert f"A = {winner} · ✓ better" in text
        assert f"B = {loser}" in text
        assert "1189 (+189)" in text
        assert "811 (–189)" in text
        assert "rank 1–2" in text
        assert "this pair 1 of 30" in text
        assert "any key: next pair" in text
        await pilot.press("j")
        await settle(pilot)
        text = screen_text(app)
        assert FIRST not in text
        assert SECOND not in text


async def test_a_pasted_text_casts_nothing(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        app.post_message(events.Paste("abtx the best answer is a\nabtx"))
        await settle(pilot)
        assert votes_of(session) == []
        assert "pasted text does not vote" in screen_text(app)


async def test_a_burst_of_keys_votes_once_at_most(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL) as pilot:
        screen = await vote_screen(pilot)
        clock = HandClock()
        screen.guard = Guard(clock=clock)
        await pilot.press(*"abtx banana taxi")
        assert votes_of(session) == [], "the pair had just come into view"
        assert "too fast" in screen_text(app)
        clock.pass_by(1)
        await pilot.press(*"abtxubanana taxi")
        assert len(votes_of(session)) == 1
        assert screen.reveal is not None
        for wait in (0.5, *[0.03] * 40):
            clock.pass_by(wait)
            await pilot.press("a")
        assert len(votes_of(session)) == 1
        assert screen.reveal is None


async def test_a_click_in_the_foot_is_its_key_and_guarded_like_it(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL) as pilot:
        screen = await vote_screen(pilot)
        clock = HandClock()
        screen.guard = Guard(clock=clock)
        foot = next(line for line in screen_text(app).splitlines() if "a/b better" in line)
        second = (foot.index("a/b better") + len("a/"), 0)
        await pilot.click("#foot", offset=second)
        await settle(pilot)
        assert votes_of(session) == [], "the pair had just come into view"
        clock.pass_by(1)
        await pilot.click("#foot", offset=(foot.index("better"), 0))
        await settle(pilot)
        assert votes_of(session) == [], "the word of two keys is neither of them"
        await pilot.click("#foot", offset=second)
        await settle(pilot)
        assert screen.reveal is not None
        assert screen.reveal.choice == "right"


async def test_resizing_keeps_the_pending_vote(session: Session) -> None:
    """Case BR-137."""
    app = app_on(session, make_votable(lines=60))
    async with app.run_test(size=SMALL) as pilot:
        screen = await vote_screen(pilot)
        await pilot.press("r", "1", "enter", "j", "j", "j")
        await settle(pilot)
        assert screen.ballot is not None
        pending, draft, before = screen.ballot.matchup, screen.ballot.draft, screen_text(app)
        for width, height in ((20, 5), (1, 1), (200, 60), (20, 5)):
            await resize(pilot, width, height)
            assert ("too small" in screen_text(app)) == (width == 20)
            if width < 60:
                await pilot.press("a")
                assert votes_of(session) == [], "nobody votes on what cannot be seen"
        await resize(pilot, *SMALL)
        assert (screen.ballot.matchup, screen.ballot.draft) == (pending, draft)
        assert screen_text(app) == before
        await pilot.press("b")
        assert len(votes_of(session)) == 1


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (99, 30), (100, 30), (121, 40), (200, 60)])
async def test_both_sides_have_the_same_room(session: Session, size: tuple[int, int]) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=size) as pilot:
        screen = await vote_screen(pilot)
        left, right = (pane.region for pane in screen.sides)
        if size[0] < 100:
            assert left.width == right.width == size[0]
            assert abs(left.height - right.height) <= 1
            assert left.y < right.y
        else:
            assert left.height == right.height
            assert abs(left.width - right.width) <= 1
            assert left.x < right.x
        assert min(left.height, right.height) >= 3


async def test_both_sides_scroll_together_until_that_is_switched_off(session: Session) -> None:
    app = app_on(session, make_votable(lines=90))
    async with app.run_test(size=BIG) as pilot:
        screen = await vote_screen(pilot)
        left, right = screen.sides
        await pilot.press("j", "j", "ctrl+d")
        await settle(pilot)
        assert left.scroll_offset.y == right.scroll_offset.y > 2
        await pilot.press("tab", "k")
        await settle(pilot)
        assert left.scroll_offset.y == right.scroll_offset.y
        await pilot.press("W", "G")
        await settle(pilot)
        assert left.scroll_offset.y < right.scroll_offset.y
        assert "the sides scroll apart" in screen_text(app)
        await pilot.press("w")
        await settle(pilot)
        assert left.folded == right.folded == False  # noqa: E712


async def test_unmasking_marks_the_vote(session: Session) -> None:
    app = app_on(session, make_votable(telling=True))
    async with app.run_test(size=BIG) as pilot:
        screen = await vote_screen(pilot)
        assert "▒▒▒▒" in screen_text(app)
        await pilot.press("m")
        await settle(pilot)
        assert screen.ballot is not None
        assert screen.ballot.draft.unblinded
        text = screen_text(app)
        assert FIRST in text
        assert "the vote is marked as not blind" in text
        await pilot.press("m", "a")
        await settle(pilot)
        assert "not blind: no rating counts it" in screen_text(app)
        assert "(+0)" in screen_text(app)
        await pilot.press("space", "b")
        await settle(pilot)
        assert "not blind" not in screen_text(app)
    bodies = [event.body for event in session.state().live("vote").values()]
    assert [body["unblinded"] for body in bodies] == [True, False]


async def test_reasons_and_a_note_go_with_the_vote(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL) as pilot:
        await vote_screen(pilot)
        await pilot.press("r")
        assert isinstance(app.screen, ReasonSheet)
        await pilot.press("1", "j", "space", "enter")
        await pilot.press("i", *"wrong", "enter")
        await settle(pilot)
        text = screen_text(app)
        assert "because: follows the instructions, correct" in text
        assert "¶ wrong" in text
        await pilot.press("t")
    body = next(iter(session.state().live("vote").values())).body
    assert (body["reasons"], body["note"], body["winner"]) == (
        ["follows the instructions", "correct"],
        "wrong",
        "tie",
    )


async def test_it_ends_gracefully_and_skipped_pairs_can_be_asked_again(session: Session) -> None:
    app = app_on(session, make_votable(3))
    async with app.run_test(size=SMALL) as pilot:
        screen = await vote_screen(pilot)
        await pilot.press("s")
        await settle(pilot)
        assert "skipped; S asks skipped pairs again" in screen_text(app)
        await pilot.press("a", "space", "b", "space")
        await settle(pilot)
        text = screen_text(app)
        assert "No pair is left to vote on." in text
        assert "1 pair skipped: S asks them again." in text
        await pilot.press("a", "b", "enter")
        assert len(votes_of(session)) == 2
        await pilot.press("S")
        await settle(pilot)
        assert screen.matchup is not None
        await pilot.press("x", "space")
        await settle(pilot)
        assert "3 votes, 3 of them today." in screen_text(app)
        await pilot.press("u")
        await settle(pilot)
        assert screen.matchup is not None


async def test_conversations_are_shown_turn_by_turn(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL) as pilot:
        screen = await vote_screen(pilot)
        screen.ballot = Ballot(arena_with((FIRST, SECOND), turns=2), session, "ana", Plan(seed=7))
        screen.show()
        await settle(pilot)
        assert "turn 1 of 2" in screen_text(app)
        await pilot.press("a")
        assert votes_of(session) == [], "a turn was not read yet"
        assert "there is another turn to read" in screen_text(app)
        await pilot.press("right_square_bracket")
        await settle(pilot)
        text = screen_text(app)
        assert "turn 2 of 2" in text
        assert ".1" in text
        await pilot.press("left_square_bracket", "a")
        assert len(votes_of(session)) == 1


async def test_in_both_orders_the_names_are_told_after_the_second_vote(session: Session) -> None:
    plan = Plan(seed=7, both_orders=True)
    app = app_on(session, make_votable(2, telling=True), plan=plan)
    async with app.run_test(size=SMALL) as pilot:
        screen = await vote_screen(pilot)
        for _ in range(2):
            await pilot.press("a")
            await settle(pilot)
            text = screen_text(app)
            assert screen.reveal is not None
            assert "▒▒▒▒" in text
            assert "A · 6 names hidden · ✓ better" in text
            assert "The names are told once this pair has its vote in the other order" in text
            assert "any key: next pair" in text
            assert "of 2" not in text, "the count would tell which pair it is"
            for name in NAMES:
                assert name not in text
            await pilot.press("u")
            await settle(pilot)
            assert "not blind" not in screen_text(app)
            await pilot.press("a", "space")
        for _ in range(2):
            await pilot.press("a")
            await settle(pilot)
            assert isinstance(screen.reveal, Reveal)
            assert f"A = {screen.reveal.left.model} · ✓ better" in screen_text(app)
            await pilot.press("space")
    bodies = [event.body for event in session.state().live("vote").values()]
    assert [body["unblinded"] for body in bodies] == [False] * 4
    assert {(body["left"], body["winner"]) for body in bodies} == {
        ("model_a", "model_a"),
        ("model_b", "model_b"),
    }


async def test_with_fewer_than_two_models_it_says_what_to_load(session: Session) -> None:
    app = app_on(session, make_votable(), plan=Plan(models=(FIRST,), seed=7))
    async with app.run_test(size=SMALL) as pilot:
        await vote_screen(pilot)
        assert "Only one model takes part." in screen_text(app)
        await pilot.press("a", "s", "u", "y", "m", "enter")
        assert votes_of(session) == []
    app.bench.open(None)


async def test_undo_here_takes_back_votes_only(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL) as pilot:
        await vote_screen(pilot)
        await pilot.press("a", "space")
        subject = response_subject("ifeval", "101", FIRST)
        app.decide(lambda: app.bench.decisions.note(subject, "a note of Audit"))
        await pilot.press("u")
        await settle(pilot)
        assert "there is no vote to undo" in screen_text(app)
        assert len(votes_of(session)) == 1
        assert app.bench.decisions.note_on(subject) == "a note of Audit"


HOSTILE_NAME = "[/][b]m[@click=app.quit]x[/]\x1b]0;t\x07\u202e"


def hostile_votable() -> Workspace:
    """Names, keys and texts that would act if a screen took them for more than text."""
    prompts = tuple(Prompt(f"{HOSTILE_NAME}{n}", HOSTILE, ()) for n in range(3))
    by_model = {
        f"{HOSTILE_NAME}{side}": {
            prompt.key: Response(text, text, HOSTILE_NAME, 1)
            for prompt in prompts
            for text in [f"{HOSTILE}{side}"]
        }
        for side in "ab"
    }
    return Workspace({"ifeval": Suite("ifeval", prompts, by_model)}, (), ())


@pytest.mark.parametrize("keys", ["", "a", "y", "m", "r", "i", "x u", "t space s s s", "a 3 4"])
async def test_hostile_text_is_shown_and_never_acts(session: Session, keys: str) -> None:
    app = app_on(session, hostile_votable())
    async with app.run_test(size=(100, 40), notifications=True, tooltips=True) as pilot:
        await vote_screen(pilot)
        await pilot.press(*keys.split())
        await settle(pilot)
        text = screen_text(app).replace("\n", "")
        assert not (found := ACTS.search(text)), f"{found!r} is on the screen"
        assert app.is_running
        assert app.title == "ifbench-tui"


@pytest.mark.parametrize("key", ["", "a", "m", "s", "W"])
async def test_with_plain_signs_everything_is_ascii(session: Session, key: str) -> None:
    app = app_on(session, make_votable(telling=True), ascii_only=True)
    async with app.run_test(size=SMALL) as pilot:
        await vote_screen(pilot)
        if key:
            await pilot.press(key)
        await settle(pilot)
        # Scroll bars are the framework's.
        plain = screen_text(app).translate(dict.fromkeys(range(0x2581, 0x2589)))
        assert {char for char in plain if not char.isascii()} == set()


async def test_unmask_says_where_no_word_is_hidden(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await vote_screen(pilot)
        await pilot.press("m")
        await settle(pilot)
        assert "no word is hidden in these texts" in screen_text(app)
