"""Before the vote no name of a model or file is anywhere on the Vote screen, or leaves it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from ifbench_tui.report.glyphs import UNICODE
from ifbench_tui.store import Session
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.decisions import Decisions
from ifbench_tui.tui.palette import action_targets, data_targets
from ifbench_tui.tui.screens.vote import VoteScreen
from ifbench_tui.voting.pairs import Plan
from ifbench_tui.workspace import LoadOptions

from .conftest import idle, screen_text, settle
from .votes import FIRST, NAMES, SECOND, app_on, make_votable, vote_screen

TELLING = (*NAMES, "alpha", "beta", "7b", "9b")


class Log:
    """What the app logs."""

    def __init__(self, app: AuditApp) -> None:
        self.lines: list[str] = []
        app._log = self  # type: ignore[method-assign, assignment]

    def __call__(self, *parts: object, **more: object) -> None:
        self.lines.append(" ".join(map(str, (*parts[3:], *more.values()))))


def everything(app: AuditApp, session: Session) -> Iterator[tuple[str, str]]:
    """(what it is, text) of all a person or another program could read now."""
    yield "screen", screen_text(app)
    yield "title", f"{app.title} {app.sub_title} {app.screen.title} {app.screen.sub_title}"
    for screen in app.screen_stack:
        for node in screen.walk_children(Widget, with_self=True):
            name = f"{type(node).__name__} #{node.id}"
            yield f"tooltip of {name}", str(node.tooltip or "")
            yield f"titles of {name}", f"{node.border_title} {node.border_subtitle}"
            yield f"id of {name}", f"{node.id} {node.name} {' '.join(node.classes)}"
            if (text := getattr(node, "text", None)) is not None:
                yield f"text of {name}", str(text)
        for target in action_targets(app, screen):
            yield "palette", f"{target.name} {target.brief} {target.help}"
    for target in data_targets(app, lambda name: True):
        yield "palette data", f"{target.name} {target.brief} {target.help}"
    for binding in app.screen.active_bindings.values():
        yield (
            "binding",
            f"{binding.binding.description} {binding.binding.tooltip} {binding.tooltip}",
        )
    for note in app._notifications:
        yield "toast", f"{note.title} {note.message}"
    yield "clipboard", app.clipboard
    yield "exported session", "\n".join(session.export_jsonl())


def assert_blind(app: AuditApp, session: Session, log: Log) -> None:
    for what, text in (*everything(app, session), ("log", "\n".join(log.lines))):
        plain = text.replace("\n", "").casefold()
        for name in TELLING:
            # Short ones may stand in random hexadecimal numbers.
            if what.startswith(("exported", "id of")) and name not in NAMES:
                continue
            assert name.casefold() not in plain, f"{name} is in the {what}"


STEPS = {
    "at first": [],
    "scrolled": ["j", "ctrl+d", "G", "tab", "j"],
    "not wrapped": ["w", "l", "l"],
    "skipped": ["s"],
    "skipped and back": ["s", "S"],
    "reasons": ["r", "1"],
    "reasons kept": ["r", "1", "enter"],
    "note": ["i"],
    "note kept": ["i", "x", "enter"],
    "copied": ["y"],
    "help": ["question_mark"],
    "palette": ["ctrl+p"],
    "palette asked for models": ["ctrl+p", *"model"],
    "palette asked for a name": ["ctrl+p", *"alp"],
    "command line": ["colon", *"model"],
    "command line asked for prompts": ["colon", *"prompt"],
    "nothing to undo": ["u"],
    "themes": ["T"],
    "zoomed": ["z"],
    "after a vote": ["a", "space"],
    "after three votes": ["a", "space", "t", "space", "x", "space"],
    "back from elsewhere": ["3", "4"],
}


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("step", STEPS)
async def test_no_name_before_the_vote(session: Session, step: str, size: tuple[int, int]) -> None:
    app = app_on(session, make_votable(telling=True))
    log = Log(app)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        screen = await vote_screen(pilot)
        for key in STEPS[step]:
            await pilot.press(key)
            await settle(pilot)
        assert screen.reveal is None
        if "vote" in step:
            # What was voted on is stored with its names: only that is.
            stored = [json.loads(line) for line in session.export_jsonl()]
            assert all((FIRST in str(row)) == (row["kind"] == "vote") for row in stored)
            texts = [(w, t) for w, t in everything(app, session) if w != "exported session"]
            for what, text in texts:
                assert not any(n.casefold() in text.casefold() for n in TELLING), what
        else:
            assert_blind(app, session, log)


async def test_the_walker_would_find_a_name(session: Session) -> None:
    app = app_on(session, make_votable(telling=True))
    log = Log(app)
    async with app.run_test(size=(120, 40)) as pilot:
        await vote_screen(pilot)
        await pilot.press("a")
        await settle(pilot)
        with pytest.raises(AssertionError, match="is in the screen"):
            assert_blind(app, session, log)


async def test_no_file_name_while_files_are_loaded(tmp_path: Path, session: Session) -> None:
    prompts = [
        {"key": n, "prompt": f"Say {n}.", "instruction_id_list": ["punctuation:no_comma"],
         "kwargs": [{}]}
        for n in range(400)
    ]  # fmt: skip
    paths = [tmp_path / "prompts.jsonl", tmp_path / f"{FIRST}.jsonl", tmp_path / f"{SECOND}.jsonl"]
    paths[0].write_text("".join(json.dumps(row) + "\n" for row in prompts))
    for number, path in enumerate(paths[1:]):
        rows = ({"prompt": row["prompt"], "response": f"Well {number}"} for row in prompts)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    bench = Bench([str(path) for path in paths], LoadOptions(), Decisions(session, "ana"), UNICODE)
    app = AuditApp(bench, start="vote", plan=Plan(seed=7))
    log = Log(app)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        looks = 0
        while not idle(app) or looks < 3:
            await pilot.pause()
            assert_blind(app, session, log)
            looks += 1
        screen = app.screen
        assert isinstance(screen, VoteScreen)
        assert screen.matchup is not None
        assert {screen.matchup.left, screen.matchup.right} == {FIRST, SECOND}
        assert_blind(app, session, log)


async def test_sides_are_stored_and_repeat_with_the_seed(session: Session, tmp_path: Path) -> None:
    async def lefts(of: Session) -> list[str]:
        app = app_on(of, make_votable(12))
        async with app.run_test(size=(80, 24)) as pilot:
            await vote_screen(pilot)
            await press_all(pilot, ["t", "space"] * 12)
        votes = of.state().live("vote").values()
        return [str(event.body["left"]) for event in votes]

    first = await lefts(session)
    with Session.open(tmp_path / "other.ifb") as other:
        assert await lefts(other) == first
    assert set(first) == {"model_a", "model_b"}


async def press_all(pilot: Pilot[None], keys: list[str]) -> None:
    for key in keys:
        await pilot.press(key)
