"""The app: which place is on screen, what is on the bench, and the jobs that fill it."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import forkserver, resource_tracker
from pathlib import Path

from textual.app import App
from textual.message import Message
from textual.signal import Signal
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from ifbench_tui.config import Config, load_config
from ifbench_tui.filters import Filter, FilterError, parse_filter
from ifbench_tui.report.glyphs import ASCII, UNICODE
from ifbench_tui.store import Session, default_session_path, throwaway_session
from ifbench_tui.store.errors import SessionError
from ifbench_tui.tui import jobs
from ifbench_tui.tui.actions import clashes, remapped
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.bindings import bindings
from ifbench_tui.tui.decisions import Decisions, describe
from ifbench_tui.tui.ink import safe
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

SESSION_PATIENCE = 2.0
"""Seconds a key may wait for another process that is writing to the session file."""


class AuditApp(App[None]):
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
        super().__init__()
        self.animation_level = "none"
        self.bench = bench
        self.config = config or Config()
        self.plan = plan or Plan()
        self.bench_changed: Signal[None] = Signal(self, "bench-changed")
        self.verdicts_changed: Signal[None] = Signal(self, "verdicts-changed")
        self.decisions_changed: Signal[None] = Signal(self, "decisions-changed")
        self.progress_changed: Signal[None] = Signal(self, "progress-changed")
        self.place: dict[str, str] = {}
        self.command_history: list[str] = []
        self._start = start
        self._generation = 0
        self._judging: Worker[None] | None = None
        self._loading: Worker[None] | None = None
        self.set_class(bench.glyphs.ascii_only, "-ascii")
        self._wear(theme or (MONO if no_color else self.config.settings.theme))
        self._set_keys(self.config.keymap)

    # ---- look and keys -----------------------------------------------------------------------

    def _wear(self, wanted: str) -> None:
        themes, problems = load_themes()
        for theme in themes.values():
            self.register_theme(theme)
        self.theme_problems = [str(problem) for problem in problems]
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

    @property
    def blind(self) -> bool:
        """Whether a screen on the stack must not show names of models and files."""
        return any(isinstance(screen, Place) and screen.BLIND for screen in self.screen_stack)

    # ---- start and end -----------------------------------------------------------------------

    async def on_mount(self) -> None:
        await self.switch_mode(self._start)
        for problem in (*self.config.problems, *self.theme_problems, *self.key_problems):
            self.say(str(problem), "warning")
        if reason := self.bench.decisions.read_only_reason:
            self.say(f"the session is read only: {reason}", "warning")
        if self.bench.paths:
            self.load(self.bench.paths)
        else:
            self.judge()

    def on_unmount(self) -> None:
        """Remember where Audit was left; what cannot be stored now is no loss."""
        with suppress(SessionError):
            if self.place:
                self.bench.decisions.keep_place(self.place)

    def say(self, text: str, severity: str = "information") -> None:
        """A message at the edge of the screen; names and texts in it are made safe."""
        self.notify(safe(text), severity=severity, markup=False)  # type: ignore[arg-type]

    # ---- jobs --------------------------------------------------------------------------------

    def load(self, paths: Sequence[str]) -> None:
        """Load files in a thread; what is on the bench stays until they are there."""
        self._stop_judging()
        self._generation += 1
        self.bench.paths = list(paths)
        generation, options = self._generation, self.bench.options
        self._loading = self._in_thread(
            "load", lambda: jobs.load(list(paths), options, generation, self._post)
        )
        self._show_progress("loading")

    def judge(self) -> None:
        """Judge what is pending in a thread, the model in use first."""
        self._stop_judging()
        verdicts = self.bench.verdicts
        if verdicts is None or not verdicts.pending(""):
            return
        self._generation += 1
        generation = self._generation
        self._judging = self._in_thread(
            "judge", lambda: jobs.score(verdicts, self.bench, generation, self._post)
        )

    def _in_thread(self, group: str, work: Callable[[], None]) -> Worker[None]:
        return self.run_worker(
            work, group=group, thread=True, exclusive=True, exit_on_error=False, description=group
        )

    def _post(self, message: Message) -> None:
        self.post_message(message)

    def _stop_judging(self) -> None:
        if self._judging is not None:
            self._judging.cancel()
            self._judging = None

    def _show_progress(self, words: str) -> None:
        if words != self.bench.progress:
            self.bench.progress = words
            self.progress_changed.publish(None)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A fault in a job is said, not swallowed; the app goes on with what it has."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            failure = f"{event.worker.description} failed: {type(error).__name__}: {error}"
            self.say(failure, "error")
            self.log.error(error)
            self._show_progress("")
            if event.worker is self._loading:
                self.bench.failure = failure
                self.bench_changed.publish(None)

    def on_loading(self, message: jobs.Loading) -> None:
        if message.generation == self._generation:
            name = safe(Path(message.path).name, 30)
            share = f" {100 * message.done // message.total} %" if message.total else ""
            self._show_progress(f"loading {name}{share}")

    def on_load_ended(self, message: jobs.LoadEnded) -> None:
        if message.generation != self._generation:
            return
        self._loading = None
        self._show_progress("")
        self.bench.failure = message.failure
        if message.failure:
            self.say(message.failure, "error")
        if message.workspace is not None:
            self.bench.open(message.workspace)
        self.bench_changed.publish(None)
        self.judge()

    def on_judging(self, message: jobs.Judging) -> None:
        if message.generation != self._generation:
            return
        self.verdicts_changed.publish(None)
        running = f"judging {message.done} of {message.total}"
        self._show_progress(running if message.running else "")
        if not message.running:
            self._judging = None

    def use(self, *, suite: str | None = None, model: str | None = None) -> None:
        """Use another suite or model everywhere; its responses are judged first."""
        before = self.bench.suite
        self.bench.choose(suite=suite, model=model)
        self.bench_changed.publish(None)
        verdicts = self.bench.verdicts
        if verdicts is not None and (
            self.bench.suite is not before or not verdicts.complete(self.bench.model)
        ):
            self.judge()

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

    def action_themes(self) -> None:
        self.push_screen(ThemePicker())

    def action_zoom(self) -> None:
        screen = self.screen
        if screen.maximized is not None:
            screen.minimize()
        elif isinstance(screen.focused, Widget):
            screen.maximize(screen.focused)

    def action_stop(self) -> None:
        if isinstance(self.screen, Place) and self.screen.leave():
            return
        if self.screen.maximized is not None:
            self.screen.minimize()
        elif self._loading is not None or self._judging is not None:
            for worker in (self._loading, self._judging):
                if worker is not None:
                    worker.cancel()
            self._loading = self._judging = None
            self._generation += 1
            self._show_progress("")
            self.say("stopped; what was ready stays")

    async def action_back(self) -> None:
        if self.screen.maximized is not None:
            self.screen.minimize()
        elif len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.exit()

    def action_undo(self) -> None:
        self._revise("undone", self.bench.decisions.undo)

    def action_redo(self) -> None:
        self._revise("done again", self.bench.decisions.redo)

    def _revise(self, word: str, revise: Callable[[], object]) -> None:
        event = self.decide(revise)
        if event is None:
            self.say(f"nothing to be {word}")
        elif event is not False:
            self.say(f"{word}: {describe(event)}")  # type: ignore[arg-type]

    def decide(self, change: Callable[[], object]) -> object:
        """Make a decision; it is on disk before any screen hears of it. False if that failed."""
        try:
            made = change()
        except SessionError as error:
            self.say(str(error), "error")
            return False
        self.decisions_changed.publish(None)
        self.screen.refresh_bindings()
        return made

    def yank(self, text: str, what: str) -> None:
        """Copy to the clipboard of the terminal and say what was copied.

        Lone surrogates cannot travel; they arrive as U+FFFD.
        """
        self.copy_to_clipboard(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        self.say(f"copied {what} ({len(text)} characters)")


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
    config = load_config(config_path)
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
    with session:
        glyphs = ASCII if ascii or settings.ascii else UNICODE
        decisions = Decisions(session, annotator or settings.annotator)
        bench = Bench(paths, options, decisions, glyphs)
        app = AuditApp(bench, config=config, start=start, theme=theme, no_color=no_color, plan=plan)
        app.run()
