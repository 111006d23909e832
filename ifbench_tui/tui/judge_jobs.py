"""Work of Judge that must not hold up the keys: estimating, asking, measuring the judge.

Jobs carry a generation number; what an older one still reports is dropped. What is slow to import
is imported in the threads.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from textual.message import Message

from ifbench_tui.errors import IfbenchError
from ifbench_tui.files import write_file
from ifbench_tui.formats.source import STDIN
from ifbench_tui.judge.endpoint import Endpoint, open_endpoint
from ifbench_tui.judge.plan import GeneratePlan, JudgePlan, Work, work_of
from ifbench_tui.judge.run import Estimate, Pace, Result, estimate
from ifbench_tui.judge.standing import Run, Tally
from ifbench_tui.report.asked import file_of
from ifbench_tui.report.sheets import Sheet
from ifbench_tui.store import JudgeCache
from ifbench_tui.workspace import LoadOptions, SourceReport, load, with_companions

__all__ = [
    "Asking",
    "BiasReady",
    "Ended",
    "Going",
    "Noticed",
    "Planned",
    "Wanted",
    "free_name",
    "judged_paths",
    "look",
    "measure",
]

_TICK = 0.1
"""Seconds between two looks at how a run goes."""

_MOST_NAMES = 10_000

Post = Callable[[Message], object]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be asked, and where."""

    plan: JudgePlan | GeneratePlan
    model: str
    base_url: str
    key_file: str | None
    ca_file: str | None
    session: str
    again: bool = False


@dataclass
class Planned(Message):
    """What would be sent. `failure` says why that cannot be done, or not yet."""

    generation: int
    work: Work | None = None
    endpoint: Endpoint | None = None
    estimate: Estimate | None = None
    failure: str = ""


@dataclass
class Going(Message):
    """How far a run is."""

    generation: int
    tally: Tally

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Going)


@dataclass
class Noticed(Message):
    """Something the endpoint was found to want."""

    words: str


@dataclass
class Ended(Message):
    """A run is over: what was written where, or why nothing was."""

    generation: int
    tally: Tally
    path: str = ""
    rows: int = 0
    missing: int = 0
    failure: str = ""

    @property
    def stopped(self) -> bool:
        """Whether a person ended it."""
        return not self.path and not self.failure


@dataclass
class BiasReady(Message):
    """Tables about the judges of what is loaded, with the title of their benchmark."""

    generation: int
    boards: tuple[tuple[str, tuple[Sheet, ...]], ...]
    failure: str = ""


def look(wanted: Wanted, generation: int, post: Post, stopped: Callable[[], bool]) -> None:
    """Read the files and post what would be sent; nothing is. To be run in a thread."""
    try:
        work = work_of(wanted.plan)
    except IfbenchError as error:
        post(Planned(generation, failure=str(error)))
        return
    endpoint, failure = None, ""
    try:
        if not wanted.base_url:
            failure = "there is no base URL yet"
        else:
            endpoint = open_endpoint(
                wanted.base_url, os.environ, key_file=wanted.key_file, ca_file=wanted.ca_file
            )
            if not wanted.model:
                failure = "there is no model to ask yet"
        with JudgeCache.open(wanted.session) as cache:
            url = endpoint.base_url if endpoint else ""
            found = estimate(work.tasks, url, cache, again=wanted.again, stopped=stopped)
    except IfbenchError as error:
        failure, found = str(error), estimate(work.tasks, "", stopped=stopped)
    if not stopped():
        post(Planned(generation, work, endpoint, found, failure))


class AskedInVainError(IfbenchError):
    """Nothing is there to be written."""


class Asking:
    """A run in a thread, with an event loop of its own, that can be stopped from any thread.

    `output` is written at the end; if it has come to be meanwhile, a free name beside it is taken,
    unless `replacing` it was agreed to.
    """

    def __init__(
        self,
        planned: Planned,
        pace: Pace,
        session: str,
        output: str,
        post: Post,
        *,
        replacing: bool = False,
    ) -> None:
        self.run = Run()
        self.output = output
        self._planned = planned
        self._pace = pace
        self._session = session
        self._post = post
        self._replacing = replacing
        self._changed = False
        self._lock = threading.Lock()
        self._stopped = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[list[Result]] | None = None

    def stop(self) -> None:
        """End the run soon; what was answered is kept."""
        with self._lock:
            self._stopped = True
            if self._loop is not None and self._task is not None:
                self._loop.call_soon_threadsafe(self._task.cancel)

    def work(self) -> None:
        """Ask, write, and post how that went. To be run in a thread."""
        path, failure = "", "the run broke off; what was answered is kept"
        results: list[Result] = []
        try:
            with JudgeCache.open(self._session) as cache, suppress(asyncio.CancelledError):
                results = asyncio.run(self._ask(cache))
                path = self._written(results)
            failure = ""
        except IfbenchError as error:
            failure = str(error)
        except OSError as error:
            failure = f"{error.filename or self.output}: cannot be written: {error.strerror}"
        finally:
            missing = sum(not one.complete for one in results)
            rows = sum(one.row is not None for one in results)
            tally = self.run.tally()
            self.run.break_off()
            self._post(Ended(self._planned.generation, tally, path, rows, missing, failure))

    async def _ask(self, cache: JudgeCache) -> list[Result]:
        from ifbench_tui.judge.session import carry_out

        planned = self._planned
        if planned.work is None or planned.endpoint is None:
            raise asyncio.CancelledError
        with self._lock:
            if self._stopped:
                raise asyncio.CancelledError
            self._loop = asyncio.get_running_loop()
            self._task = asyncio.current_task()
        ticking = asyncio.create_task(self._tick())
        try:
            return await carry_out(
                planned.work,
                planned.endpoint,
                cache,
                self.run,
                self._pace,
                progress=self._progress,
                notice=self._notice,
            )
        finally:
            ticking.cancel()
            with self._lock:
                self._loop = self._task = None

    def _notice(self, words: str) -> None:
        self._post(Noticed(words))

    def _progress(self, run: Run) -> None:
        self._changed = True

    async def _tick(self) -> None:
        while True:
            if self._changed:
                self._changed = False
                self._post(Going(self._planned.generation, self.run.tally()))
            await asyncio.sleep(_TICK)

    def _written(self, results: Sequence[Result]) -> str:
        if not any(one.row is not None for one in results):
            raise AskedInVainError("no row came of it, so no file was written")
        path = self.output if self._replacing else free_name(self.output)
        as_list = self._planned.work is not None and self._planned.work.as_list
        write_file(Path(path), file_of(results, as_list=as_list))
        return path


def free_name(path: str) -> str:
    """The path, or the first of PATH-2, PATH-3, … (before its ending) that is not taken."""
    stem, ending = os.path.splitext(path)
    names = (path, *(f"{stem}-{number}{ending}" for number in range(2, _MOST_NAMES)))
    return next((name for name in names if not os.path.lexists(name)), path)


# ---- the judge -----------------------------------------------------------------------------------


def judged_paths(sources: Sequence[SourceReport]) -> list[str]:
    """The files that may say something about a judge: those of judged benchmarks, and battles,
    for judgments of pairs are loaded as such. Standard input cannot be read again."""
    return [one.path for one in sources if (one.judged or one.battles) and one.path != STDIN]


def measure(paths: Sequence[str], options: LoadOptions, generation: int, post: Post) -> None:
    """Read judgments again for their boards and post what is about the judge. To be run in a
    thread."""
    from ifbench_tui.engine.judged.length_control import FAST_C
    from ifbench_tui.report.boards.options import BoardOptions
    from ifbench_tui.report.boards.registry import boards_of

    options = replace(options, judged=True)
    try:
        workspace = with_companions(load(paths, options), options)
        # The length-controlled win rates are of no interest here, so their fit may be quick.
        boards = boards_of(workspace.judged, BoardOptions(lc_preset="minimal", lc_c=FAST_C))
    except (IfbenchError, ValueError) as error:
        post(BiasReady(generation, (), str(error)))
        return
    found = ((one.title, tuple(s for s in one.judge_sheets if s.rows)) for one in boards)
    post(BiasReady(generation, tuple((title, sheets) for title, sheets in found if sheets)))
