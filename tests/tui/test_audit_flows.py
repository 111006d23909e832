"""What a person does in Audit, told as flows."""

from __future__ import annotations

import pytest

from ifbench_tui.store import Session
from ifbench_tui.tui.screens.audit import AuditScreen
from ifbench_tui.tui.screens.compare import CompareScreen
from ifbench_tui.tui.widgets.reading_pane import ReadingPane

from .conftest import MakeApp, screen_text, settle, until


async def test_find_why_a_prompt_failed(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "✗✗ 101 no_comma" in text
        assert "3 commas" in text
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        assert screen.state.constraint == 0
        await pilot.press("n")
        await settle(pilot)
        assert "evidence 2 of 3" in screen_text(app)
        await pilot.press("N")
        assert "evidence 1 of 3" in screen_text(app)


async def test_see_which_variant_rescued_a_response(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "r")
        await settle(pilot)
        text = screen_text(app)
        assert "✗◦ 102 json_format" in text
        assert "variant: first+last" in text
        assert "rescued by first+last" in text
        assert text.count("← removed by first+last") == 2
        assert "Hope this helps!" in text


async def test_fix_a_response_in_what_if_and_come_back(make_app: MakeApp) -> None:
    app = make_app(model="sloppy")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j")
        await settle(pilot)
        assert "✗✗ 102" in screen_text(app)
        await pilot.press("e")
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        assert screen.in_what_if
        screen.scratch.clear()
        await pilot.press("left_square_bracket", "1", "right_square_bracket")
        await until(pilot, lambda: screen.state.scratch is not None and screen.state.scratch.strict)
        assert screen.scratch.scratch == "[1]"
        await pilot.press("escape")
        await settle(pilot)
        assert not screen.in_what_if
        assert screen.state.judged is not None
        assert not screen.state.judged.strict
        assert screen.pane.text == "ok"


@pytest.mark.parametrize("tabs", [0, 1, 2, 3])
async def test_escape_from_a_what_if_goes_back_to_the_pane_it_began_in(
    make_app: MakeApp, tabs: int
) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press(*["tab"] * tabs)
        before = app.screen.focused
        await pilot.press("e")
        assert app.screen.focused is not before
        await pilot.press("a", "escape")
        await settle(pilot)
        assert app.screen.focused is before


async def test_messages_leave_the_evidence_in_sight(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        before = screen_text(app).splitlines()
        await pilot.press("b", "b", "y")
        await settle(pilot)
        after = screen_text(app).splitlines()
        assert after[:23] == before[:23]
        assert "copied 101 of chatty" in after[23]


async def test_what_is_said_again_is_not_said_twice(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        for _ in range(3):
            app.say("the disk is full", "error")
        await settle(pilot)
        assert screen_text(app).count("the disk is full") == 1
        app.say("bookmark set: 101")
        await settle(pilot)
        assert "the disk is full" in screen_text(app)
        assert "bookmark set" in screen_text(app)


async def test_what_if_keeps_characters_that_cannot_be_seen(make_app: MakeApp) -> None:
    app = make_app(model="sloppy")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "e")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        assert screen.state.response is not None
        assert screen.scratch.scratch == screen.state.response.text


async def test_mark_three_verdicts_take_one_back_and_find_them(
    make_app: MakeApp, session: Session
) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("m", "p")
        await pilot.press("j", "m", "a")
        await pilot.press("j", "m", "f")
        await settle(pilot)
        assert [e.body["opinion"] for e in app.bench.decisions.marks()] == [
            "should_pass",
            "agree",
            "should_fail",
        ]
        await pilot.press("u")
        assert len(app.bench.decisions.marks()) == 2
        await pilot.press("ctrl+r")
        assert len(app.bench.decisions.marks()) == 3
        await pilot.press("k", "u")
        await settle(pilot)
        await app.audit(where="marked")
        await settle(pilot)
        text = screen_text(app)
        assert "2 of 6" in text
        assert "● you say: agree" in text
    # Nothing lives in the app only.
    with Session.open(session.path) as again:
        assert len(again.state().live("mark")) == 2


async def test_find_where_recorded_and_recomputed_differ(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f", *["j"] * 6, "l", "enter")
        await settle(pilot)
        text = screen_text(app)
        assert "2 of 6" in text
        assert "≠ the file says strict ✓, loose ✓" in text


async def test_a_checker_error_is_a_third_state_with_its_message(make_app: MakeApp) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "j")
        await settle(pilot)
        text = screen_text(app)
        assert "!! 104" in text
        assert "not a valid pattern" in text


async def test_filters_compose_in_words_and_can_be_inverted(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("colon", *"filter strict", "colon", *"fail loose", "colon", *"pass")
        await pilot.press("enter")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        keys = [screen.state.prompts[row].key for row in screen.state.rows]
        await pilot.press("exclamation_mark")
        await settle(pilot)
        rest = [screen.state.prompts[row].key for row in screen.state.rows]
        assert keys == ["102", "105", "106"]
        assert sorted(keys + rest) == ["101", "102", "103", "104", "105", "106"]
        await pilot.press("F")
        await settle(pilot)
        assert len(screen.state.rows) == 6


async def test_a_filter_that_fits_nothing_says_what_to_do(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.audit(where="zeppelin")
        await settle(pilot)
        text = screen_text(app)
        assert "No prompt fits the filter" in text
        assert "F shows all prompts" in text
        await pilot.press("F")
        await settle(pilot)
        assert "Describe the sea" in screen_text(app)


async def test_escape_in_the_filter_sheet_puts_the_old_filter_back(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        await pilot.press("f", "l")
        await settle(pilot)
        assert not screen.state.filter.empty
        await pilot.press("escape")
        await settle(pilot)
        assert screen.state.filter.empty
        assert len(screen.state.rows) == 6


async def test_search_in_a_response_steps_through_what_it_paints(make_app: MakeApp) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"and")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "match 1 of 4" in screen_text(app)
        await pilot.press("n")
        assert "match 2 of 4" in screen_text(app)
        await pilot.press("escape")
        assert "match" not in screen_text(app)


async def test_a_search_goes_on_in_the_next_response(make_app: MakeApp) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        for query in ("the", "zzz"):
            await pilot.press("slash", *query, "enter")
            for _ in range(3):
                await settle(pilot)
                many = screen.pane.text.lower().count(query)
                words = f"match 1 of {many}" if many else "no match"
                assert words in screen_text(app)
                await pilot.press("j")
            await pilot.press("escape")
            await settle(pilot)
            assert "match" not in screen_text(app)


async def test_compare_models_and_audit_the_other_one(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("c")
        await settle(pilot)
        assert isinstance(app.screen, CompareScreen)
        ours = app.screen.query_one("#ours", ReadingPane)
        other = app.screen.query_one("#other", ReadingPane)
        assert ours.text.startswith("Sure, here it is")
        assert other.text.startswith("The sea is wide")
        await pilot.press("j", "enter")
        await settle(pilot)
        assert isinstance(app.screen, AuditScreen)
        assert app.bench.model == "sloppy"


async def test_another_model_keeps_the_prompt(make_app: MakeApp) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "j", "left_square_bracket")
        await settle(pilot)
        text = screen_text(app)
        assert app.bench.model == "sloppy"
        assert "–– 104 no response" in text
        assert "sloppy has no response to this prompt" in text


async def test_copy_says_what_was_copied(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("j", "r", "y")
        await settle(pilot)
        assert app.clipboard == '{"status": "ok"}'
        assert "copied 102 of chatty, variant first+last" in screen_text(app)
        await pilot.press("Y")
        assert '"key": "102"' in app.clipboard


async def test_note_and_bookmark_show_in_the_list(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("b", "i", *"odd", "enter")
        await settle(pilot)
        text = screen_text(app)
        assert "¶◆" in text
        assert "¶ odd" in text
