"""Under whose name votes are stored in Vote, and what is said where they cannot be."""

from __future__ import annotations

from pathlib import Path

from ifbench_tui.config import Settings, config_path, load_config
from ifbench_tui.store import Session
from ifbench_tui.tui.screens.name_sheet import NameSheet
from ifbench_tui.tui.vote_words import Reveal
from tests.store.helpers import UnreadableSession, small_disk

from .conftest import screen_text, settle
from .votes import FIRST, app_on, make_votable, vote_screen, votes_of

BIG, SMALL = (120, 40), (80, 24)


async def test_a_read_only_session_says_so_and_counts_nothing(session: Session) -> None:
    with Session.open(session.path, read_only=True) as reader:
        app = app_on(reader, make_votable())
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            screen = await vote_screen(pilot)
            assert "read only: votes cannot be stored" in screen_text(app)
            pending = screen.matchup
            await pilot.press("a")
            await settle(pilot)
            assert screen.reveal is None
            assert screen.matchup == pending
            text = screen_text(app)
            assert "the vote is not stored and does not count" in text
            assert FIRST not in text
    assert votes_of(session) == []


async def test_a_full_disk_says_so_and_counts_nothing(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "512k") as disk, Session.open(disk / "s.ifb") as session:
        app = app_on(session, make_votable())
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            screen = await vote_screen(pilot)
            await pilot.press("a", "space")
            assert len(votes_of(session)) == 1
            pending = screen.matchup
            filler = (disk / "filler").open("wb", buffering=0)
            try:
                while True:
                    filler.write(b"x" * 512)
            except OSError:
                filler.close()
            for _ in range(40):
                await pilot.press("b")
                if screen.reveal is None:
                    break
                await pilot.press("space")
                pending = screen.matchup
            else:
                raise AssertionError("the disk never was full")
            await settle(pilot)
            text = screen_text(app)
            assert "the vote is not stored and does not count" in text
            assert "disk is full" in text
            assert screen.matchup == pending
            counted = len(votes_of(session))
            (disk / "filler").unlink()
            await pilot.press("b")
            assert len(votes_of(session)) == counted + 1
        assert session.verify() == ()


async def test_a_session_that_cannot_be_read_after_a_vote_has_the_vote(tmp_path: Path) -> None:
    with UnreadableSession.open(tmp_path / "s.ifb") as session:
        app = app_on(session, make_votable())
        async with app.run_test(size=SMALL) as pilot:
            screen = await vote_screen(pilot)
            session.failing = True
            await pilot.press("a")
            await settle(pilot)
            text = screen_text(app)
            assert "the vote is stored and counts, but what follows from it failed" in text
            assert "the disk refused to read" in text
            assert screen.reveal is None
            session.failing = False
            assert len(votes_of(session)) == 1
            await pilot.press("b")
            await settle(pilot)
            assert "this pair has its vote already; here is the next" in screen_text(app)
            assert len(votes_of(session)) == 1
            await pilot.press("b")
            assert len(votes_of(session)) == 2
            assert isinstance(screen.reveal, Reveal)


async def test_the_name_is_asked_once_and_kept(session: Session) -> None:
    login = Settings().annotator
    app = app_on(session, make_votable(), annotator=login)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, NameSheet)
        await pilot.press("ctrl+u", "space", "enter")
        assert isinstance(app.screen, NameSheet), "a blank is no name"
        await pilot.press("ctrl+u", *"eva", "enter")
        await vote_screen(pilot)
        assert app.bench.decisions.annotator == "eva"
        await pilot.press("a")
    assert [event.annotator for event in session.state().live("vote").values()] == ["eva"]
    assert load_config().settings.annotator == "eva"
    app = app_on(session, make_votable(), annotator="eva")
    async with app.run_test(size=SMALL) as pilot:
        await vote_screen(pilot)


async def test_the_name_is_kept_in_the_config_that_was_read(
    session: Session, tmp_path: Path
) -> None:
    other = tmp_path / "other.toml"
    other.write_text('[settings]\nthem = "moss" # mine\n')
    app = app_on(session, make_votable(), annotator=Settings().annotator, config=load_config(other))
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+u", *"eva", "enter")
        await vote_screen(pilot)
    assert other.read_text() == '[settings]\nannotator = "eva"\nthem = "moss" # mine\n'
    assert not config_path().exists()


async def test_a_name_that_cannot_be_kept_is_used_and_said(
    session: Session, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text('[settings]\nkey_file = "/home/me/key\n')
    app = app_on(
        session, make_votable(), annotator=Settings().annotator, config=load_config(broken)
    )
    async with app.run_test(size=BIG, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+u", *"eva", "enter")
        await vote_screen(pilot)
        said = [note.message for note in app._notifications]
        assert any("annotator is not saved: the file is no TOML" in text for text in said)
        assert app.bench.decisions.annotator == "eva"
    assert broken.read_text() == '[settings]\nkey_file = "/home/me/key\n'


async def test_undo_in_another_place_leaves_votes_alone(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await vote_screen(pilot)
        await pilot.press("a", "3")
        await settle(pilot)
        await pilot.press("u")
        await settle(pilot)
        assert "undo it in Vote or Ratings" in screen_text(app)
        assert len(votes_of(session)) == 1
        await pilot.press("b", "u")
        await settle(pilot)
        assert session.state().live("bookmark") == {}
        await pilot.press("4", "u")
        await settle(pilot)
        assert votes_of(session) == []
        app.clear_notifications()
        await pilot.press("3", "ctrl+r")
        await settle(pilot)
        assert votes_of(session) == []
        assert "redo it in Vote or Ratings" in screen_text(app)


async def test_a_vote_taken_back_in_ratings_is_asked_again(session: Session) -> None:
    app = app_on(session, make_votable())
    async with app.run_test(size=SMALL) as pilot:
        screen = await vote_screen(pilot)
        asked = screen.matchup
        await pilot.press("a", "5")
        await settle(pilot)
        await pilot.press("u")
        await settle(pilot)
        assert votes_of(session) == []
        await pilot.press("4")
        await settle(pilot)
        assert screen.reveal is None
        assert asked is not None
        assert screen.matchup is not None
        assert screen.matchup.ticket == asked.ticket
        assert "names were seen" in screen_text(app)
