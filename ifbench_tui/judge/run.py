"""Many tasks against one endpoint: bounded, cached, each finished reply on the disk at once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ifbench_tui.config import MOST_JOBS
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.judge.accounts import Tokens, estimated_tokens
from ifbench_tui.judge.call import PAID, Call, Reply
from ifbench_tui.judge.errors import EndpointError
from ifbench_tui.judge.standing import Run, RunRow

__all__ = [
    "COMPLETE",
    "MOST_JOBS",
    "Cache",
    "Estimate",
    "Pace",
    "Result",
    "Steps",
    "Task",
    "estimate",
    "run_tasks",
]

COMPLETE = frozenset({"ok", "discrete"})
"""Outcomes that gave what was asked for."""


@dataclass(frozen=True, slots=True)
class Result:
    """A row of the output, None where there is nothing to write, and what came of its verdicts."""

    row: Mapping[str, Any] | None
    outcomes: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether all that was asked for is there."""
        return self.row is not None and set(self.outcomes) <= COMPLETE


Steps = Generator[Sequence[Call], Sequence[Reply], Result]
"""Yields calls to be made together, is sent their replies in order, returns the result."""

_FINAL = frozenset({"http_401", "http_403", "http_404"})
_LAST_FAILURE = {True: 3, False: 10}
"""Failures in a row, final or passing, after which the rest is not asked."""


class Cache(Protocol):
    """Where replies are kept; `put` returns when they are on the disk."""

    def get(self, digest: str) -> str | None: ...

    def put(self, digest: str, reply: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Task:
    """One row of the output: `steps` starts the conversation that leads to it."""

    name: str
    steps: Callable[[], Steps]


@dataclass(frozen=True, slots=True)
class Pace:
    """Calls at once, tries of each, whether to ask again where a kept reply is not ok, and whether
    replies come in pieces."""

    jobs: int = 4
    attempts: int = 6
    again: bool = False
    stream: bool = False


class _Asker:
    """Answers calls from the cache, else from the endpoint; equal calls in flight are one."""

    def __init__(
        self,
        ask: Callable[[Call], Awaitable[Reply]],
        base_url: str,
        cache: Cache,
        run: Run,
        again: bool,
        progress: Callable[[Run], None],
    ) -> None:
        self._ask = ask
        self._base_url = base_url
        self._cache = cache
        self._run = run
        self._again = again
        self._progress = progress
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._failures = 0

    async def __call__(self, call: Call, row: RunRow) -> Reply:
        digest = call.digest(self._base_url)
        async with self._locks[digest]:
            reply = self._known(digest)
            fresh = reply is None
            if reply is None:
                reply = await self._asked(call, row)
                if reply.outcome in PAID:
                    self._cache.put(digest, reply.to_json())
            self._run.take(call, reply, row, fresh=fresh)
        self._progress(self._run)
        self._stop_if_hopeless(reply)
        return reply

    async def _asked(self, call: Call, row: RunRow) -> Reply:
        self._run.ask(call, row)
        self._progress(self._run)
        reply = await self._ask(call)
        # Not where it is cancelled: what was under way then may have been paid for.
        self._run.forget(call)
        return reply

    def _known(self, digest: str) -> Reply | None:
        stored = self._cache.get(digest)
        reply = Reply.from_json(stored) if stored is not None else None
        return None if reply is not None and self._again and not reply.ok else reply

    def _stop_if_hopeless(self, reply: Reply) -> None:
        if reply.outcome in PAID:
            self._failures = 0
            return
        self._failures += 1
        if self._failures >= _LAST_FAILURE[reply.outcome in _FINAL]:
            said = f": {reply.detail}" if reply.detail else ""
            raise EndpointError(
                f"{self._failures} calls failed in a row, the last with {reply.outcome}{said}; "
                "the rest was not asked; what was answered is kept, so run the same again"
            )


async def run_tasks(
    tasks: Sequence[Task],
    ask: Callable[[Call], Awaitable[Reply]],
    base_url: str,
    cache: Cache,
    run: Run,
    *,
    jobs: int = 4,
    again: bool = False,
    progress: Callable[[Run], None] = lambda run: None,
) -> list[Result]:
    """Run all tasks, at most `jobs` at a time; results are in the order of the tasks.

    `run` is new; it is kept up to date, and `progress` is called with it whenever it changed.
    `again` asks once more where the reply that is kept is not ok. Cancelling stops at once and
    keeps what was answered. Raises `EndpointError` where one call after the other fails, and what
    `cache` raises.
    """
    run.begin([task.name for task in tasks])
    asker = _Asker(ask, base_url, cache, run, again, progress)
    results: dict[int, Result] = {}
    waiting = iter(range(len(tasks)))

    async def work() -> None:
        for index in waiting:
            results[index] = result = await _one(tasks[index], asker, run.start(index))
            run.finish(index, result.outcomes)
            progress(run)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(jobs, len(tasks))):
                group.create_task(work())
    except BaseExceptionGroup as errors:
        # All workers share the endpoint and the disk: the first to fail speaks for all.
        raise errors.exceptions[0] from None
    return [results[index] for index in range(len(tasks))]


async def _one(task: Task, asker: _Asker, row: RunRow) -> Result:
    steps = task.steps()
    try:
        calls = next(steps)
        while True:
            calls = steps.send([await asker(call, row) for call in calls])
    except StopIteration as end:
        return cast(Result, end.value)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would do: the calls it would make, equal ones once, and how many more are
    answered already."""

    rows: int
    calls: tuple[Call, ...]
    known: int

    @property
    def tokens(self) -> Tokens:
        """Tokens to send, roughly, and the most that may come back."""
        return estimated_tokens(self.calls)

    def words(self) -> str:
        """The same for people."""
        tokens = self.tokens
        return (
            f"{quantity(self.rows, 'row')} {'needs' if self.rows == 1 else 'need'} "
            f"{quantity(len(self.calls), 'call')}; {self.known:,} more "
            f"{'is' if self.known == 1 else 'are'} answered already; "
            f"about {tokens.prompt:,} tokens to send, at most {tokens.completion:,} to receive"
        )


def estimate(
    tasks: Sequence[Task],
    base_url: str,
    cache: Cache | None = None,
    *,
    again: bool = False,
    stopped: Callable[[], bool] = lambda: False,
) -> Estimate:
    """The calls a run would make, `again` as there. Where `stopped` turns true, those found until
    then.

    A call that follows another is made with an empty reply to that: what depends on what is
    really answered may make it shorter, longer or needless.
    """
    calls: dict[str, Call] = {}
    known: set[str] = set()
    for task in tasks:
        if stopped():
            break
        steps = task.steps()
        try:
            batch = next(steps)
            while True:
                replies = []
                for call in batch:
                    digest = call.digest(base_url)
                    stored = cache.get(digest) if cache else None
                    reply = Reply.from_json(stored) if stored is not None else None
                    if reply is None or (again and not reply.ok):
                        calls[digest] = call
                        reply = None
                    else:
                        known.add(digest)
                    replies.append(reply or Reply("ok"))
                batch = steps.send(replies)
        except StopIteration:
            continue
    return Estimate(len(tasks), tuple(calls.values()), len(known))
