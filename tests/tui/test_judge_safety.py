"""Judge is safe: hostile replies, keys, other machines, files of others."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from ifbench_tui.store import Session
from ifbench_tui.tui.screens.judge_reply import ReplyScreen
from ifbench_tui.tui.screens.judge_sheets import ConfirmSheet
from ifbench_tui.tui.widgets.reading_pane import ReadingPane
from tests.judge.server import Answer, Request, Server, chat, raw

from .conftest import HOSTILE, MakeApp, screen_text, settle
from .judging import fill, judge_screen, mt_paths, rows_of, settings, wait
from .test_hostile_text import ACTS

WIDE = (120, 40)
KEY = "sk-secret-0123456789"

pytestmark = pytest.mark.usefixtures("judge_folder")


# ---- replies -----------------------------------------------------------------------------------


async def test_a_reply_is_read_with_its_verdict_marked(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data", ("tern",)),
        config=settings(judge_model="j", jobs=1),
    )  # fmt: skip
    said = "Line\n" * 60 + "Rating: [[8]] and then [[3]]"
    with Server(lambda _: chat(said)) as server:
        async with app.run_test(size=(80, 24)) as pilot:
            await judge_screen(pilot)
            await fill(pilot, "base URL", server.base_url)
            await pilot.press("r")
            await wait(pilot)
            await pilot.press("g", "enter")
            await settle(pilot)
            assert isinstance(app.screen, ReplyScreen)
            text = screen_text(app)
            assert "verdict 8" in text
            assert "2 ratings in the text, the last is 3" in text
            assert "▎ Rating: [[8]] and then [[3]]" in text, "the verdict is in view, with a sign"
            pane = app.screen.query_one(ReadingPane)
            await pilot.press("p")
            assert "[system]\n" in pane.text
            assert "tern 1.1" in pane.text
            await pilot.press("q")
            await judge_screen(pilot)


async def test_hostile_replies_and_names_do_nothing(make_app: MakeApp, tmp_path: Path) -> None:
    model = "[@click=app.quit]x[b]\u202e"
    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data", (model,)), config=settings(judge_model="j")
    )
    texts = [f"{HOSTILE} [[7]]", f"[[{HOSTILE}", "[/] [[A]]", "[[9]][/path]"]
    with Server(lambda one: chat(texts[one.number - 1])) as server:
        async with app.run_test(size=WIDE, notifications=True) as pilot:
            await judge_screen(pilot)
            await fill(pilot, "base URL", server.base_url)
            await pilot.press("r")
            await wait(pilot)
            for _ in texts:
                await pilot.press("enter")
                await settle(pilot)
                assert isinstance(app.screen, ReplyScreen)
                assert not ACTS.search(screen_text(app).replace("\n", ""))
                await pilot.press("p", "q")
                await settle(pilot)
                await pilot.press("j")
            text = screen_text(app)
            assert not ACTS.search(text.replace("\n", ""))
            assert "[@click=app.quit]x[b]⟨U+202E⟩" in text
            assert app.is_running


# ---- keys, hosts, files ------------------------------------------------------------------------


async def test_the_key_is_told_of_but_never_shown_nor_kept(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture, session: Session,
) -> None:  # fmt: skip
    monkeypatch.setenv("IFBENCH_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    seen: list[str] = []
    app = make_app(
        start="judge",
        paths=mt_paths(tmp_path / "data", ("tern",)),
        config=settings(judge_model="j"),
    )

    def answer(request: Request) -> Answer:
        said = request.headers["authorization"]
        if request.number == 1:
            return raw(403, json.dumps({"error": {"message": f"no {said}"}}).encode())
        return chat(f"{said} [[3]]")

    with Server(answer) as server:
        async with app.run_test(size=WIDE, notifications=True) as pilot:
            screen = await judge_screen(pilot)
            assert "key found in IFBENCH_API_KEY" in screen_text(app)
            await fill(pilot, "base URL", server.base_url)
            seen.append(screen_text(app))
            assert "with the key" in seen[-1]
            await pilot.press("r")
            await wait(pilot)
            seen.append(screen_text(app))
            for _ in range(4):
                await pilot.press("enter")
                await settle(pilot)
                seen.append(screen_text(app))
                await pilot.press("q", "j")
                await judge_screen(pilot)
            await pilot.press("C")
            seen += [app.clipboard, repr(screen.planned), repr(screen.form)]
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert any("[key]" in one for one in seen)
    assert "http_403" in seen[1]
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 4
    for text in [*seen, caplog.text]:
        assert KEY not in text
    assert not any(KEY.encode() in one for one in files)


async def test_a_key_file_that_others_can_read_is_refused(
    make_app: MakeApp, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    key.write_text(KEY)
    key.chmod(0o644)
    config = settings(judge_model="j", base_url="http://127.0.0.1:9/v1", key_file=str(key))
    app = make_app(start="judge", paths=mt_paths(tmp_path / "data"), config=config)
    async with app.run_test(size=(160, 40)) as pilot:
        await judge_screen(pilot)
        assert "others can read this key: chmod 600 it first" in screen_text(app)
        key.chmod(0o600)
        await fill(pilot, "calls at once", "2")
        assert "with the key" in screen_text(app)
        assert KEY not in screen_text(app)


async def test_another_machine_is_named_and_asked_about_first(
    make_app: MakeApp, tmp_path: Path
) -> None:
    config = settings(judge_model="j", base_url="https://judge.invalid/v1")
    app = make_app(start="judge", paths=mt_paths(tmp_path / "data"), config=config)
    async with app.run_test(size=WIDE) as pilot:
        screen = await judge_screen(pilot)
        assert "sends 8 calls to judge.invalid" in screen_text(app)
        await pilot.press("r")
        assert isinstance(app.screen, ConfirmSheet)
        text = screen_text(app)
        assert "8 calls, about" in text
        assert "go to judge.invalid, without a key" in text
        await pilot.press("escape")
        await judge_screen(pilot)
        assert screen.asking is None
        assert screen.run_shown is None


async def test_a_file_of_somebody_elses_is_replaced_on_demand_only(
    make_app: MakeApp, tmp_path: Path
) -> None:
    usual, chosen = Path("judge_mt-single_j.jsonl"), Path("mine.jsonl")
    usual.write_text("not ours\n")
    chosen.write_text("not ours either\n")
    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data"), config=settings(judge_model="j")
    )
    with Server(lambda _: chat("[[5]]")) as server:
        async with app.run_test(size=WIDE) as pilot:
            await judge_screen(pilot)
            await fill(pilot, "base URL", server.base_url)
            await pilot.press("r")
            await wait(pilot)
            assert usual.read_text() == "not ours\n"
            assert len(rows_of(Path("judge_mt-single_j-2.jsonl"))) == 8
            await fill(pilot, "write to", str(chosen))
            await pilot.press("r")
            assert isinstance(app.screen, ConfirmSheet)
            assert "exists and will be replaced" in screen_text(app)
            await pilot.press("escape")
            assert chosen.read_text() == "not ours either\n"
            await pilot.press("r", "enter")
            await wait(pilot)
            assert len(rows_of(chosen)) == 8
    assert len(server.requests) == 8


async def test_a_key_that_is_refused_ends_the_run_soon_and_says_so(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data"), config=settings(judge_model="j")
    )
    with Server(lambda _: raw(401, b'{"error": {"message": "who are you?"}}')) as server:
        async with app.run_test(size=WIDE) as pilot:
            await judge_screen(pilot)
            await fill(pilot, "base URL", server.base_url)
            await pilot.press("r")
            await wait(pilot)
            assert "3 calls failed in a row, the last with http_401: who are" in screen_text(app)
            assert list(Path.cwd().iterdir()) == []
