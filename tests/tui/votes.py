"""Workspaces to vote on, and the Vote screen with a guard that lets every key act."""

from __future__ import annotations

from textual.pilot import Pilot

from ifbench_tui.config import Config
from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt
from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.store import Session
from ifbench_tui.tui.app import AuditApp
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.decisions import Decisions
from ifbench_tui.tui.screens.vote import VoteScreen
from ifbench_tui.voting.guard import Guard
from ifbench_tui.voting.pairs import Plan
from ifbench_tui.workspace import LoadOptions, Response, Suite, Workspace

from .conftest import settle

FIRST, SECOND = "alpha-7b", "Beta_9b"
NAMES = (FIRST, SECOND, f"{FIRST}.jsonl", f"{SECOND}.jsonl")


def make_votable(prompts: int = 30, *, telling: bool = False, lines: int = 6) -> Workspace:
    """Two models, each with a response of its own to every prompt.

    With `telling` both names stand in every prompt and response.
    """
    names = f" {FIRST} ALPHA 7B {SECOND}: Beta-9B, {FIRST}.jsonl x{SECOND}x" if telling else ""
    made = tuple(
        Prompt(
            str(100 + number),
            f"Describe room {number} of the old house, without commas.{names}",
            (ConstraintSpec("punctuation:no_comma", {}),),
        )
        for number in range(prompts)
    )
    manners = {FIRST: "The room is quiet and the light is low.", SECOND: "A loud room with a view."}
    by_model = {
        model: {
            prompt.key: Response(text, text, f"{model}.jsonl", line)
            for line, prompt in enumerate(made, start=1)
            for text in [f"In {prompt.key}:{names}\n" + f"{manner}\n" * lines]
        }
        for model, manner in manners.items()
    }
    return Workspace({"ifeval": Suite("ifeval", made, by_model)}, (), ())


def app_on(
    session: Session,
    workspace: Workspace,
    *,
    annotator: str = "ana",
    plan: Plan | None = None,
    ascii_only: bool = False,
    theme: str = "hearth",
    config: Config | None = None,
) -> AuditApp:
    """The app in Vote, as if it was just started."""
    glyphs = ASCII if ascii_only else UNICODE
    bench = Bench((), LoadOptions(), Decisions(session, annotator), glyphs)
    bench.open(workspace)
    plan = plan or Plan(seed=7)
    return AuditApp(bench, config=config, start="vote", plan=plan, theme=theme)


async def vote_screen(pilot: Pilot[None]) -> VoteScreen:
    """The Vote screen, ready, with a guard that lets every key act."""
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, VoteScreen)
    screen.guard = Guard(dwell=0, quiet=0)
    return screen


def votes_of(session: Session) -> list[str]:
    """The winners of all votes that count."""
    return [str(event.body["winner"]) for event in session.state().live("vote").values()]
