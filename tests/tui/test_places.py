"""The shell around the places: loading, keys, help, palette, command line, mouse, coming back."""

from __future__ import annotations

import json
from pathlib import Path

from textual.widgets import Input

from ifbench_tui.config import Config, Settings, parse_config
from ifbench_tui.store import Session
from ifbench_tui.tui.actions import ACTION_IDS
from ifbench_tui.tui.screens.audit import AuditScreen
from ifbench_tui.tui.screens.filter_sheet import FilterSheet
from ifbench_tui.tui.screens.help import HelpSheet
from ifbench_tui.tui.widgets.lattice import LatticeView
from ifbench_tui.tui.widgets.row_list import RowList

from .conftest import ANSWERS, PROMPTS, MakeApp, resize, screen_text, settle


def write_files(folder: Path) -> tuple[str, str]:
    prompts, responses = folder / "prompts.jsonl", folder / "chatty.jsonl"
    rows = [
        {
            "key": int(key),
            "prompt": text,
            "instruction_id_list": [kind for kind, _ in constraints],
            "kwargs": [params for _, params in constraints],
        }
        for key, text, constraints in PROMPTS
    ]
    prompts.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    texts = {key: text for key, text, _ in PROMPTS}
    answers = [
        {"prompt": texts[key], "response": answer} for key, answer in ANSWERS["chatty"].items()
    ]
    responses.write_text("".join(json.dumps(row) + "\n" for row in answers), encoding="utf-8")
    return str(prompts), str(responses)


async def test_open_files_and_audit_them(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(paths=write_files(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "chatty · IFEval" in text
        assert "✗◦ 102 json_format" in text
        assert "strict 0.0/25.0" in text


async def test_another_model_chosen_while_files_load_does_not_lose_them(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        app.load(write_files(tmp_path))
        app.use(model="sloppy")
        await settle(pilot)
        assert app.bench.suite is not None
        assert app.bench.suite.models == ("chatty",)
        assert app.bench.progress == ""


async def test_files_that_cannot_be_read_end_in_words(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(paths=(str(tmp_path / "none.jsonl"),))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "Press 1 for the Library, then o to open" in text
        assert app.bench.failure


async def test_nothing_loaded_says_what_to_do_next(make_app: MakeApp) -> None:
    from ifbench_tui.workspace import Workspace

    app = make_app(workspace=Workspace({}, (), ()))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Press 1 for the Library" in screen_text(app)
        await pilot.press("e", "m", "c", "y", "n", "r", "f", "b", "i", "tab", "j", "l", "q")
        assert not app.is_running


async def test_escape_stops_the_jobs_and_keeps_what_is_ready(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        app.load(write_files(tmp_path))
        app.action_stop()
        await settle(pilot)
        assert app.bench.model == "careful"
        assert "stopped" in screen_text(app)


async def test_help_lists_the_keys_of_the_pane_in_use(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("tab", "tab", "question_mark")
        text = screen_text(app)
        assert isinstance(app.screen, HelpSheet)
        assert "this text" in text
        assert "Wrap lines" in text
        assert "this list" not in text
        await pilot.press("slash", *"wrap")
        text = screen_text(app)
        assert "Wrap lines" in text
        assert "Bookmark" not in text


async def test_the_palette_finds_data_as_well_as_actions(make_app: MakeApp) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *"model sloppy")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert app.bench.model == "sloppy"


async def test_the_command_line_completes_and_goes_to_a_prompt(make_app: MakeApp) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("colon", *"pro", "tab")
        assert app.screen.query_one("#typed", Input).value == "prompt 101"
        await pilot.press("backspace", "5", "enter")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        assert screen.state.key == "105"
        await pilot.press("colon", "ctrl+p")
        assert app.screen.query_one("#typed", Input).value == "prompt 105"


async def test_keys_can_be_changed_and_a_clash_names_both(make_app: MakeApp) -> None:
    app = make_app(model="chatty", config=Config(Settings(), {"audit.what_if": "E"}))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        await pilot.press("e")
        assert not screen.in_what_if
        await pilot.press("E")
        assert screen.in_what_if
    clashing = make_app(config=Config(Settings(), {"audit.what_if": "b"}))
    (clash,) = [words for words in clashing.key_problems if "audit.what_if" in words]
    assert "audit.what_if (What if)" in clash
    assert "audit.bookmark (Bookmark)" in clash


async def test_the_mouse_can_do_it_too(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.click("#prompts", offset=(5, 2))
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, AuditScreen)
        assert screen.state.key == "102"
        cells = screen.query_one("#cells", LatticeView)
        line = screen_text(app).splitlines()[cells.region.y + 1]
        await pilot.click("#cells", offset=(line.index("◦"), 1))
        await settle(pilot)
        assert "variant: first+last" in screen_text(app)
        foot = screen_text(app).splitlines()[39]
        await pilot.click("#foot", offset=(foot.index("filter"), 0))
        await settle(pilot)
        assert isinstance(app.screen, FilterSheet)
        await pilot.press("escape")
        await settle(pilot)
        await pilot.click("#foot", offset=(foot.index("[/]") + len("[/"), 0))
        await settle(pilot)
        assert app.bench.model == "sloppy"


async def test_coming_back_finds_the_same_place(make_app: MakeApp) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.audit(where="loose:pass", key="105")
        await settle(pilot)
    again = make_app()
    async with again.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = again.screen
        assert isinstance(screen, AuditScreen)
        assert again.bench.model == "chatty"
        assert screen.state.key == "105"
        assert screen.state.filter.words() == "loose:pass"


async def test_a_read_only_session_says_so_and_keeps_the_screen(
    make_app: MakeApp, session: Session
) -> None:
    from ifbench_tui.tui.decisions import Decisions

    app = make_app(model="chatty")
    with Session.open(session.path, read_only=True) as read_only:
        app.bench.decisions = Decisions(read_only, "ana")
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await settle(pilot)
            assert "the session is read only" in screen_text(app)
            for key in ("b", "m", "i"):
                app.clear_notifications()
                await pilot.press(key)
                await settle(pilot)
                assert isinstance(app.screen, AuditScreen), "nobody writes what cannot be kept"
                assert "opened for reading only" in screen_text(app)
            assert app.bench.decisions.session.state().live("bookmark") == {}
            assert "◆" not in screen_text(app)


async def test_a_list_of_a_hundred_thousand_rows_draws_only_what_is_seen(
    make_app: MakeApp,
) -> None:
    drawn: list[int] = []
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rows = app.screen.query_one("#prompts", RowList)
        rows._draw_row = lambda row, width: drawn.append(row) or [(str(row), "")]  # type: ignore[func-returns-value]
        rows.set_rows(100_000, 99_999)
        await pilot.pause()
        assert len(set(drawn)) < 50
        assert max(drawn) == 99_999


async def test_a_sheet_gives_way_where_the_window_is_too_small(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("T")
        assert "mono" in screen_text(app)
        await resize(pilot, 50, 12)
        assert "mono" not in screen_text(app)
        assert "too small: 60 by 16 is the least" in screen_text(app)
        await resize(pilot, 80, 24)
        assert "mono" in screen_text(app)


async def test_help_names_arrow_keys_without_arrows(make_app: MakeApp) -> None:
    app = make_app(ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark", "slash", *"next prompt", "enter")
        await settle(pilot)
        text = screen_text(app)
        assert text.isascii()
        await pilot.press("escape", "question_mark", "slash", *"list.down", "enter")
        await settle(pilot)
        assert "j down" in screen_text(app)


async def test_more_faults_of_a_config_than_a_screen_can_say_are_counted(make_app: MakeApp) -> None:
    text = '[settings]\nthink = 1\njobs = 0\nascii = 3\n[keys]\n"audit.mark" = "zzz"\n'
    app = make_app(config=parse_config(text, "config.toml", ACTION_IDS))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        said = " ".join(screen_text(app).split())
        assert "settings.think" in said
        assert "2 more faults in the config: ifbench-tui doctor lists them" in said


async def test_what_is_typed_goes_on_when_a_window_has_grown_again(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("colon", *"mod")
        await resize(pilot, 50, 12)
        await resize(pilot, 80, 24)
        await pilot.press(*"el")
        assert app.screen.query_one("#typed", Input).value == "model"


async def test_hints_of_sheets_name_arrow_keys_without_arrows(make_app: MakeApp) -> None:
    app = make_app(ascii_only=True, start="library")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("o")
        await settle(pilot)
        text = screen_text(app)
        assert "up down choose" in text
        assert text.isascii()


async def test_the_foot_names_arrow_keys_without_arrows(make_app: MakeApp) -> None:
    keys = {"vote.left": "a", "vote.skip": "left"}
    app = make_app(ascii_only=True, start="vote", config=Config(Settings(), keys))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert " left skip " in screen_text(app).splitlines()[39]
