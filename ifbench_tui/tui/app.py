"""The app: which place is on screen, what is on the bench, and the jobs that fill it."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import forkserver, resource_tracker
from pathlib import Path

from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.widget import Widget

from ifbench_tui.config import Config, load_config
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.filters import Filter, FilterError, parse_filter
from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.store import Session, default_session_path, throwaway_session
from ifbench_tui.store.errors import SessionError
from ifbench_tui.tui.actions import ACTION_IDS, clashes, remapped
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.board_names import boards_only
from ifbench_tui.tui.decisions import Decisions, describe
from ifbench_tui.tui.host import Host
from ifbench_tui.tui.ink import WholeCells
from ifbench_tui.tui.modes import MODES
from ifbench_tui.tui.palette import Targets
from ifbench_tui.tui.screens.command_line import CommandLine
from ifbench_tui.tui.screens.help import HelpSheet
from ifbench_tui.tui.screens.place import Place
from ifbench_tui.tui.screens.theme_picker import ThemePicker
from ifbench_tui.tui.themes import HOUSE, MONO, load_themes, role_defaults
from ifbench_tui.voting.pairs import Plan
from ifbench_tui.workspace import LoadOptions

__all__ = ["AuditApp", "run"]

RARE_GARBAGE = (50_000, 20, 100)
"""Thresholds of the garbage collector: by default it takes 100 ms of a key among many rows."""

_TOLD = 2
"""Faults of the config that are told one by one: a screen holds no more messages."""

SESSION_PATIENCE = 2.0
"""Seconds a key may wait for another process that is writing to the session file."""


class AuditApp(Host):
    """Library, Scores and Audit over one bench."""

    TITLE = "ifbench-tui"
    CSS_PATH = ["styles/base.tcss", "styles/sheets.tcss"]  # noqa: RUF012
    BINDINGS = bindings("app")
    MODES = MODES
    COMMANDS = {Targets}  # noqa: RUF012 - as Textual declares it
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        bench: Bench,
        *,
        config: Config | None = None,
        start: str = "library",
        theme: str | None = None,
        no_color: bool = False,
        plan: Plan | None = None,
    ) -> None:
        super().__init__(bench, config, plan)
        self.animation_level = "none"
        self._start = start
        self.set_class(bench.glyphs.ascii_only, "-ascii")
        ScrollBar.renderer = WholeCells if bench.glyphs.ascii_only else ScrollBarRender
        self._wear(theme or (MONO if no_color else self.config.settings.theme))
        self._set_keys(self.config.keymap)

    # ---- look and keys -----------------------------------------------------------------------

    def _wear(self, wanted: str) -> None:
        themes, problems = load_themes()
        for theme in themes.values():
            self.register_theme(theme)
        self.theme_problems = []
        if problems:
            more = f" (and {len(problems) - 1} more: ifbench-tui themes)" if problems[1:] else ""
            self.theme_problems.append(f"theme {problems[0].path.name} {problems[0].reason}{more}")
        if wanted not in self.available_themes:
            self.theme_problems.append(f"no theme is called {wanted!r}; {HOUSE} is worn instead")
            wanted = HOUSE
        self.theme = wanted

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return role_defaults(self.current_theme.dark)

    def _set_keys(self, keymap: Mapping[str, str]) -> None:
        self.actions = remapped(keymap)
        found = clashes(self.actions)
        self.key_problems = [str(clash) for clash in found]
        if found:
            lost = {clash.first.id for clash in found} | {clash.second.id for clash in found}
            keymap = {name: keys for name, keys in keymap.items() if name not in lost}
            self.actions = remapped(keymap)
        self.set_keymap(dict(keymap))

    # ---- start and end -----------------------------------------------------------------------

    async def on_mount(self) -> None:
        await self.switch_mode(self._start)
        problems = (*self.config.problems, *self.theme_problems, *self.key_problems)
        for problem in problems[:_TOLD]:
            self.say(str(problem), "warning")
        if (more := len(problems) - _TOLD) > 0:
            words = f"{quantity(more, 'more fault')} in the config: ifbench-tui doctor lists them"
            self.say(words, "warning")
        self.may_decide()
        if self.bench.paths:
            self.load(self.bench.paths)
        else:
            self.judge()

    def on_unmount(self) -> None:
        """Remember where Audit was left; what cannot be stored now is no loss."""
        with suppress(SessionError):
            if self.place:
                self.bench.decisions.keep_place(self.place)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("undo", "redo"):
            return self.bench.decisions.can(action) or None
        return True

    # ---- actions -----------------------------------------------------------------------------

    async def action_go(self, place: str) -> None:
        """Switch to a place; it is as it was left."""
        while len(self.screen_stack) > 1 and self.screen.is_modal:
            self.pop_screen()
        await self.switch_mode(place)
        alone = len(self.screen_stack) == 1
        if place == "scores" and alone and boards_only(self.bench.workspace):
            self.action_boards()

    async def audit(self, *, where: str | Filter | None = None, key: str | None = None) -> None:
        """Show prompts in Audit: those a filter chooses, and the cursor on one of them."""
        try:
            chosen = parse_filter(where) if isinstance(where, str) else where
        except FilterError as error:
            self.say(str(error), "error")
            return
        await self.action_go("audit")
        if isinstance(self.screen, Place):
            self.screen.choose(chosen, key)

    def action_help(self) -> None:
        self.push_screen(HelpSheet(self.screen))

    def action_command_line(self) -> None:
        self.push_screen(CommandLine())

    def action_agreement(self) -> None:
        from ifbench_tui.tui.screens.agreement import AgreementScreen

        self.push_screen(AgreementScreen())

    def action_boards(self) -> None:
        from ifbench_tui.tui.screens.boards import BoardsScreen

        self.push_screen(BoardsScreen())

    def action_themes(self) -> None:
        self.push_screen(ThemePicker())

    def action_zoom(self) -> None:
        screen = self.screen
        if screen.maximized is not None:
            screen.minimize()
        elif isinstance(screen.focused, Widget) and screen.focused.display:
            screen.maximize(screen.focused)

    def action_stop(self) -> None:
        if isinstance(self.screen, Place) and self.screen.leave():
            return
        if self.screen.maximized is not None:
            self.screen.minimize()
        elif self.stop_jobs():
            self.say("stopped; what was ready stays")

    async def action_back(self) -> None:
        if self.screen.maximized is not None:
            self.screen.minimize()
        elif len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.exit()

    def action_undo(self) -> None:
        self._revise("undo", "undone", self.bench.decisions.undo)

    def action_redo(self) -> None:
        self._revise("redo", "done again", self.bench.decisions.redo)

    def _revise(self, what: str, word: str, revise: Callable[[], object]) -> None:
        target = self.bench.decisions.target(what)
        unseen = not getattr(self.screen, "SHOWS_VOTES", False)
        if target is not None and target.kind == "vote" and unseen:
            self.say(f"the latest decision is a vote: {what} it in Vote or Ratings")
            return
        event = self.decide(revise)
        if event is None:
            self.say(f"nothing to be {word}")
        elif event is not False:
            self.say(f"{word}: {describe(event)}")  # type: ignore[arg-type]


def _ready_processes() -> None:
    """Start the helpers of multiprocessing: under the app they could not be.

    They inherit stderr, which Textual replaces by an object that has no file.
    """
    resource_tracker.ensure_running()
    if "forkserver" in multiprocessing.get_all_start_methods():
        forkserver.ensure_running()


def run(
    paths: Sequence[str],
    options: LoadOptions,
    session_path: str | os.PathLike[str] | None = None,
    *,
    start: str = "library",
    throwaway: bool = False,
    read_only: bool = False,
    ascii: bool = False,  # noqa: A002 - named as on the command line
    theme: str | None = None,
    config_path: Path | None = None,
    annotator: str | None = None,
    plan: Plan | None = None,
) -> None:
    """Open the app on files. Returns when it is left.

    `start` is one of `MODES`; `plan` is how pairs to vote on are chosen. Decisions go to
    `session_path`, by default the user's own session; with `throwaway` to one that is gone
    afterwards. Raises `SessionError`.
    """
    config = load_config(config_path, ACTION_IDS)
    settings = config.settings
    # Textual turns any NO_COLOR, even an empty one, into greys; only a set one is a wish.
    no_color = bool(os.environ.get("NO_COLOR"))
    if not no_color:
        os.environ.pop("NO_COLOR", None)
    session = (
        throwaway_session()
        if throwaway
        else Session.open(
            session_path or default_session_path(),
            read_only=read_only,
            busy_timeout=SESSION_PATIENCE,
        )
    )
    _ready_processes()
    gc.set_threshold(*RARE_GARBAGE)
    with session:
        glyphs = ASCII if ascii or settings.ascii else UNICODE
        decisions = Decisions(session, annotator or settings.annotator)
        bench = Bench(paths, options, decisions, glyphs)
        app = AuditApp(bench, config=config, start=start, theme=theme, no_color=no_color, plan=plan)
        app.run()
