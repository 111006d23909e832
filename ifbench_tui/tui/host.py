"""What the screens ask of the app: the bench, its jobs, messages, decisions.

The app builds on this and knows the screens; the screens know only this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

from textual.app import App
from textual.message import Message
from textual.notifications import Notify
from textual.signal import Signal
from textual.worker import Worker, WorkerState

from ifbench_tui.config import Config
from ifbench_tui.filters import Filter
from ifbench_tui.store.errors import SessionError
from ifbench_tui.tui import jobs
from ifbench_tui.tui.bench import Bench
from ifbench_tui.tui.ink import INK_CLASSES, safe
from ifbench_tui.voting.pairs import Plan

__all__ = ["Host"]


class Host(App[None]):
    """An app over one bench. Signals tell screens what changed."""

    COMPONENT_CLASSES = INK_CLASSES

    def __init__(
        self, bench: Bench, config: Config | None = None, plan: Plan | None = None
    ) -> None:
        super().__init__()
        self.bench = bench
        self.config = config or Config()
        self.plan = plan or Plan()
        self.bench_changed: Signal[None] = Signal(self, "bench-changed")
        self.verdicts_changed: Signal[None] = Signal(self, "verdicts-changed")
        self.decisions_changed: Signal[None] = Signal(self, "decisions-changed")
        self.progress_changed: Signal[None] = Signal(self, "progress-changed")
        self.place: dict[str, str] = {}
        self.command_history: list[str] = []
        self._load_generation = self._judge_generation = 0
        self._said = ""
        self._warned = -self.NOTIFICATION_TIMEOUT
        self._judging: Worker[None] | None = None
        self._loading: Worker[None] | None = None

    async def audit(self, *, where: str | Filter | None = None, key: str | None = None) -> None:
        """Show prompts in Audit: those a filter chooses, and the cursor on one of them."""
        raise NotImplementedError

    @property
    def blind(self) -> bool:
        """Whether a screen on the stack must not show names of models and files."""
        return any(getattr(screen, "BLIND", False) for screen in self.screen_stack)

    def say(self, text: str, severity: str = "information") -> None:
        """A message on the last line; names and texts in it are made safe."""
        self.notify(safe(text), severity=severity, markup=False)  # type: ignore[arg-type]

    def on_notify(self, event: Notify) -> None:
        """Information takes the place of what was said before, unless that was a warning; what is
        said again takes its own place."""
        said, now = event.notification, monotonic()
        calm = said.severity == "information" and now - self._warned > self.NOTIFICATION_TIMEOUT
        if calm or said.message == self._said:
            self.clear_notifications()
        if said.severity != "information":
            self._warned = now
        self._said = said.message

    # ---- jobs --------------------------------------------------------------------------------

    def load(self, paths: Sequence[str]) -> None:
        """Load files in a thread; what is on the bench stays until they are there."""
        self._stop_judging()
        self._load_generation += 1
        self.bench.paths = list(paths)
        generation, options = self._load_generation, self.bench.options
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
        self._judge_generation += 1
        generation = self._judge_generation
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
        if message.generation == self._load_generation:
            name = safe(Path(message.path).name, 30)
            share = f" {100 * message.done // message.total} %" if message.total else ""
            self._show_progress(f"loading {name}{share}")

    def on_load_ended(self, message: jobs.LoadEnded) -> None:
        if message.generation != self._load_generation:
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
        if message.generation != self._judge_generation:
            return
        self.verdicts_changed.publish(None)
        if self._loading is None:
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

    def stop_jobs(self) -> bool:
        """Stop loading and judging; what is ready stays. False if nothing was running."""
        running = [worker for worker in (self._loading, self._judging) if worker is not None]
        for worker in running:
            worker.cancel()
        if running:
            self._loading = self._judging = None
            self._load_generation += 1
            self._judge_generation += 1
            self._show_progress("")
        return bool(running)

    # ---- decisions ---------------------------------------------------------------------------

    def may_decide(self) -> bool:
        """Whether decisions can be kept; says why not, before anybody writes one."""
        reason = self.bench.decisions.read_only_reason
        if reason is not None:
            self.say(f"the session is read only: {reason}", "warning")
        return reason is None

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
