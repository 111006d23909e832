"""What Judge looks like. Runs are built, not run: a port and a wait are never the same twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.run import Pace
from ifbench_tui.judge.standing import Run
from ifbench_tui.tui.judge_jobs import Asking, Planned
from ifbench_tui.tui.screens.judge import JudgeScreen
from ifbench_tui.workspace import Workspace

from .conftest import MakeApp, settle
from .judging import judge_screen, mt_paths, pair_rows, settings

Snap = Callable[..., Any]
SIZES = [(80, 24), (120, 40)]
CONFIG = settings(
    judge_model="judge-1", base_url="http://127.0.0.1:8000/v1", price_in=2.5, price_out=10.0
)
by_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "IFBENCH_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def half_done(*, all_of_it: bool = False) -> Run:
    """A run with every kind of row."""
    run = Run()
    names = [f"{number} turn {turn}: {model}" for model in ("tern", "wren")
             for number in (1, 2) for turn in (1, 2)]  # fmt: skip
    run.begin(names)
    replies = (
        Reply("ok", "Rating: [[8]]", prompt_tokens=176, completion_tokens=14),
        Reply("ok", "nothing", prompt_tokens=231, completion_tokens=9),
        Reply("http_500", detail="the model is asleep"),
        Reply("ok", "[[6.5]]", prompt_tokens=176, completion_tokens=4),
    )
    for index, reply in enumerate(replies * (2 if all_of_it else 1)):
        call = Call("j", (("user", str(index)),), 0.0, 10)
        row = run.start(index)
        if index != 4:
            run.ask(call, row)
        if index == 3:
            run.retry(call, Reply("http_429"), 2.0)
        run.forget(call)
        run.take(call, reply, row, fresh=index != 4)
        verdict = "no_verdict" if reply.text == "nothing" else reply.outcome
        run.finish(index, (verdict,))
    if not all_of_it:
        for index in (4, 5):
            call = Call("j", (("user", str(index)),), 0.0, 10)
            run.ask(call, run.start(index))
        run.retry(call, Reply("http_503"), 1.5)
    return run


def shown(screen: JudgeScreen, run: Run, *, going: bool) -> None:
    """Put a run on the screen as `start` and its messages do."""
    asking = Asking(screen.planned or Planned(0), Pace(), "", "", screen.post_message)
    asking.run = run
    screen.show_asking(asking)
    screen.tally = run.tally()
    if not going:
        screen.asking = None
        screen.ended = "wrote 7 rows, 4 incomplete: judge_mt-single_judge-1.jsonl in /data"
        screen.show_form()
    screen.show_run()


@by_size
def test_form(snap_compare: Snap, make_app: MakeApp, tmp_path: Path, size: tuple[int, int]) -> None:
    async def ready(pilot: Pilot[None]) -> None:
        await judge_screen(pilot)

    app = make_app(start="judge", paths=mt_paths(tmp_path / "data"), config=CONFIG)
    assert snap_compare(app, terminal_size=size, run_before=ready)


@by_size
@pytest.mark.parametrize("going", [True, False], ids=["running", "done"])
def test_run(
    snap_compare: Snap, make_app: MakeApp, tmp_path: Path, size: tuple[int, int], going: bool
) -> None:
    async def ready(pilot: Pilot[None]) -> None:
        screen = await judge_screen(pilot)
        shown(screen, half_done(all_of_it=not going), going=going)
        await pilot.pause()

    app = make_app(start="judge", paths=mt_paths(tmp_path / "data"), config=CONFIG)
    assert snap_compare(app, terminal_size=size, run_before=ready)


@by_size
def test_biases(snap_compare: Snap, make_app: MakeApp, size: tuple[int, int]) -> None:
    async def ready(pilot: Pilot[None]) -> None:
        await judge_screen(pilot)
        await pilot.press("f", "v")
        await settle(pilot)

    app = make_app(start="judge", paths=(pair_rows(Path("pairs.jsonl")),), config=CONFIG)
    assert snap_compare(app, terminal_size=size, run_before=ready)


@by_size
def test_reply(
    snap_compare: Snap, make_app: MakeApp, tmp_path: Path, size: tuple[int, int]
) -> None:
    async def ready(pilot: Pilot[None]) -> None:
        screen = await judge_screen(pilot)
        shown(screen, half_done(all_of_it=True), going=False)
        await pilot.pause()
        await pilot.press("g", "enter")
        await settle(pilot)

    app = make_app(start="judge", paths=mt_paths(tmp_path / "data"), config=CONFIG)
    assert snap_compare(app, terminal_size=size, run_before=ready)


def test_mono_and_ascii(snap_compare: Snap, make_app: MakeApp, tmp_path: Path) -> None:
    async def ready(pilot: Pilot[None]) -> None:
        screen = await judge_screen(pilot)
        shown(screen, half_done(all_of_it=True), going=False)
        await pilot.pause()

    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data"), config=CONFIG, theme="mono",
        ascii_only=True,
    )  # fmt: skip
    assert snap_compare(app, terminal_size=(80, 24), run_before=ready)


def test_empty(snap_compare: Snap, make_app: MakeApp) -> None:
    async def ready(pilot: Pilot[None]) -> None:
        await judge_screen(pilot)

    app = make_app(start="judge", workspace=Workspace({}, (), ()))
    assert snap_compare(app, terminal_size=(80, 24), run_before=ready)
