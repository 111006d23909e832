"""Text from files is data on every screen: it is shown, it never acts."""

from __future__ import annotations

import re

import pytest
from textual import events

from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt
from ifbench_tui.tui.screens.audit import AuditScreen
from ifbench_tui.workspace import Problem, Response, Suite, Workspace

from .conftest import HOSTILE, MakeApp, screen_text, settle

ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
NAME = "[/][b]m[@click=app.quit]x[/]\x1b]0;t\x07\u202e"


def hostile_workspace() -> Workspace:
    prompts = tuple(
        Prompt(
            f"{NAME}{number}",
            HOSTILE,
            (
                ConstraintSpec(f"{NAME}:{NAME}", {}),
                ConstraintSpec("keywords:existence", {"keywords": [HOSTILE]}),
                ConstraintSpec("startend:end_checker", {"end_phrase": NAME}),
            ),
        )
        for number in range(3)
    )
    models = (NAME, f"{NAME}2")
    by_model = {
        model: {p.key: Response(HOSTILE, HOSTILE, NAME, 1) for p in prompts} for model in models
    }
    problems = (Problem(NAME, 1, "broken", HOSTILE, NAME),)
    return Workspace({"ifeval": Suite("ifeval", prompts, by_model)}, (), problems)


STEPS = {
    "audit": [],
    "each variant": ["l", "l", "l", "l", "l", "l", "l", "l", "l"],
    "each constraint": ["tab", "tab", "tab", "j", "j"],
    "what if": ["e"],
    "what if with an edit": ["e", "a"],
    "compare": ["c", "j"],
    "mark": ["m"],
    "marked": ["m", "p"],
    "note": ["i", "x", "enter"],
    "bookmark and undo": ["b", "u"],
    "filter": ["f", "j", "j", "l"],
    "help": ["question_mark"],
    "palette": ["ctrl+p", "p", "r", "o"],
    "command line": ["colon", "m", "o", "d"],
    "copy": ["y"],
    "search": ["slash", "e", "enter"],
    "library": ["1"],
    "scores": ["2"],
    "ratings": ["5"],
    "zoom": ["tab", "tab", "z"],
}


@pytest.mark.parametrize("step", STEPS)
async def test_no_control_character_reaches_any_screen(make_app: MakeApp, step: str) -> None:
    app = make_app(workspace=hostile_workspace())
    async with app.run_test(size=(100, 40), notifications=True, tooltips=True) as pilot:
        await settle(pilot)
        await pilot.press(*STEPS[step])
        await settle(pilot)
        text = screen_text(app).replace("\n", "")
        assert not (found := ACTS.search(text)), f"{found!r} is on the screen"
        assert app.title == "ifbench-tui"
        assert app.is_running


async def test_every_character_of_a_response_is_on_the_screen(make_app: MakeApp) -> None:
    app = make_app(workspace=hostile_workspace())
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        for literal in (
            "␛]52;c;aGFja2Vk␇",
            "␛[8mhidden",
            "[/] [/path] [b]bold[/b]",
            "[@click=app.quit]press me[/]",
            "good␍EVIL safe␈␈␈␈evil nul␀ del␡",
            "⟨U+009B⟩31m",
            "⟨U+202E⟩right to left⟨U+202C⟩ zero⟨U+200B⟩width",
            "⟨U+FEFF⟩bom",
            "⟨U+2028⟩line⟨U+2029⟩para⟨U+0085⟩nel␋vt␌ff",
            "⟨U+D800⟩ lone ⟨U+E0041⟩tag 漢字 👨‍👩‍👧",
        ):
            assert literal in text, literal


async def test_clicking_on_an_action_in_a_response_does_nothing(make_app: MakeApp) -> None:
    app = make_app(workspace=hostile_workspace())
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        lines = screen_text(app).splitlines()
        row = next(i for i, line in enumerate(lines) if "press me" in line)
        column = lines[row].index("press me")
        await pilot.click(offset=(column + 2, row))
        await settle(pilot)
        assert app.is_running
        assert isinstance(app.screen, AuditScreen)


async def test_a_hostile_regular_expression_ends_as_a_message(make_app: MakeApp) -> None:
    app = make_app(model="careful")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await app.audit(where="/(a+)+$x/")
        await settle(pilot)
        await app.audit(where="/(/")
        await settle(pilot)
        assert "not a valid pattern" in screen_text(app)


@pytest.mark.parametrize(
    "keys",
    [["slash"], ["colon"], ["f", "slash"], ["i"], ["m", "i"], ["e"], ["question_mark", "slash"]],
)
async def test_pasted_controls_never_reach_the_screen(make_app: MakeApp, keys: list[str]) -> None:
    app = make_app(model="chatty")
    async with app.run_test(size=(100, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press(*keys)
        await pilot.pause()
        assert app.screen.focused is not None
        app.screen.focused.post_message(
            events.Paste(HOSTILE.replace("\n", " ").replace("\ud800", ""))
        )
        await settle(pilot)
        text = screen_text(app).replace("\n", "")
        assert "hidden" in text
        assert not (found := ACTS.search(text)), f"{found!r} is on the screen"
