"""A small frozen workspace, and the app over it, cut off from the developer's own config."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ifbench_tui.config import Config
from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt
from ifbench_tui.formats.records import Recorded
from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.store import Session
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.decisions import Decisions
from ifbench_tui.workspace import LoadOptions, Response, Suite, Workspace

HOSTILE = (
    "\x1b]52;c;aGFja2Vk\x07 \x1b[2J\x1b[8mhidden\x1b[0m [/] [/path] [b]bold[/b] "
    "[@click=app.quit]press me[/] [sys:LOCK=SAFE]\n"
    "good\rEVIL safe\b\b\b\bevil nul\x00 del\x7f csi\x9b31m osc\x9d0;x\x9c dcs\x90q\n"
    "\u202eright to left\u202c zero\u200bwidth \ufeffbom \u2028line\u2029para\x85nel\x0bvt\x0cff\n"
    "\ud800 lone \U000e0041tag 漢字 👨‍👩‍👧 ❤️ e\u0301 مرحبا"
)

PROMPTS = (
    ("101", "Describe the sea in at least 20 words. Do not use commas.", (
        ("punctuation:no_comma", {}),
        ("length_constraints:number_words", {"relation": "at least", "num_words": 20}),
    )),
    ("102", "Give the status as JSON.", (("detectable_format:json_format", {}),)),
    ("103", "Mention the word harbour.", (
        ("keywords:existence", {"keywords": ["harbour"]}),
        ("detectable_format:title", {}),
    )),
    ("104", "Use a pattern that is broken.", (("keywords:existence", {"keywords": ["(sea"]}),)),
    ("105", "Write two bullet points.", (
        ("detectable_format:number_bullet_lists", {"num_bullets": 2}),
    )),
    ("106", "Answer in lower case only.", (("change_case:english_lowercase", {}),)),
)  # fmt: skip

ANSWERS: dict[str, dict[str, str]] = {
    "careful": {
        "101": "The sea is wide and blue and cold and deep and it sings to all who walk along its "
        "long white shore at night",
        "102": '{"status": "ok"}',
        "103": "<<A walk>>\nThe harbour is quiet.",
        "104": "The sea (sea is calm.",
        "105": "* one\n* two",
        "106": "all is calm on the water tonight, and the boats are sleeping.",
    },
    "chatty": {
        "101": "Sure, here it is: the sea is wide, blue and deep, and it sings to all who walk "
        "along its shore.",
        "102": 'Sure! Here is the JSON:\n{"status": "ok"}\nHope this helps!',
        "103": "Of course!\n**<<A walk>>**\nThe port is quiet.",
        "104": "Here is a broken pattern.",
        "105": "Here you go:\n* one\n* two\n* three",
        "106": "all is calm on the water tonight and the boats are sleeping.\nHope This Helps",
    },
    "sloppy": {
        "101": "Sea, sea, sea.",
        "102": "ok",
        "103": HOSTILE,
        "105": "one two",
    },
}

RECORDED = {
    ("chatty", "102"): Recorded((True,), (True,)),
    ("chatty", "105"): Recorded((False,), (False,)),
}


def make_workspace() -> Workspace:
    """Six prompts, three models: passes, rescues, a near miss, a checker error, no response."""
    prompts = tuple(
        Prompt(key, text, tuple(ConstraintSpec(kind, params) for kind, params in constraints))
        for key, text, constraints in PROMPTS
    )
    by_model = {
        model: {
            key: Response(text, text, f"{model}.jsonl", line, RECORDED.get((model, key)))
            for line, (key, text) in enumerate(answers.items(), start=1)
        }
        for model, answers in ANSWERS.items()
    }
    return Workspace({"ifeval": Suite("ifeval", prompts, by_model)}, (), ())


MakeApp = Callable[..., AuditApp]


@pytest.fixture(autouse=True)
def _no_config_of_my_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IFBENCH_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session file of this test."""
    with Session.open(tmp_path / "test.ifb") as opened:
        yield opened


@pytest.fixture
def make_app(session: Session) -> MakeApp:
    """Builds the app over the frozen workspace, or over other paths or another workspace."""

    def make(
        *,
        workspace: Workspace | None = None,
        paths: tuple[str, ...] = (),
        model: str = "",
        start: str = "audit",
        theme: str = "hearth",
        ascii_only: bool = False,
        config: Config | None = None,
    ) -> AuditApp:
        glyphs = ASCII if ascii_only else UNICODE
        bench = Bench(paths, LoadOptions(), Decisions(session, "ana"), glyphs)
        if not paths:
            bench.open(workspace or make_workspace())
        if model:
            bench.choose(model=model)
        return AuditApp(bench, config=config, start=start, theme=theme)

    return make


@pytest.fixture
def judge_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written into a folder of the test's own, and no key or URL is set."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "IFBENCH_API_KEY"):
        monkeypatch.delenv(name, raising=False)


async def until(pilot: Pilot[None], condition: Callable[[], object], *, turns: int = 3000) -> None:
    """Let the app run until something holds; a test fails that waits in vain."""
    for _ in range(turns):
        if condition():
            await pilot.pause()
            return
        await pilot.pause()
    raise AssertionError("the app never came to the state waited for")


def idle(app: AuditApp) -> bool:
    """Whether no job is running."""
    return not app.bench.progress and all(worker.is_finished for worker in app.workers)


async def settle(pilot: Pilot[None]) -> None:
    """Let all jobs finish and be drawn."""
    app = pilot.app
    assert isinstance(app, AuditApp)
    await until(pilot, lambda: idle(app))
    await pilot.pause()


def pressing(keys: Sequence[str]) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Presses keys one after the other, each when what the last one began is done; for pictures,
    on which no message is left."""

    async def press(pilot: Pilot[None]) -> None:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        pilot.app.clear_notifications()
        await pilot.pause()

    return press


async def resize(pilot: Pilot[None], width: int, height: int) -> None:
    """Give the terminal another size; the screen takes it when no other follows within 8 ms."""
    await pilot.resize_terminal(width, height)
    await until(pilot, lambda: pilot.app.screen.size == (width, height))
    await settle(pilot)


def screen_text(app: AuditApp) -> str:
    """Everything on the screen, as the terminal would get it."""
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips[:height]) + f"\n({width} x {height})"
