"""Many tasks against one endpoint: bounded, cached, each finished reply on the disk at once."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from ifbench_tui.judge.call import PAID, Call, Reply
from ifbench_tui.judge.errors import EndpointError

__all__ = ["Cache", "Result", "Run", "Steps", "Task", "estimate", "run_tasks"]


@dataclass(frozen=True, slots=True)
class Result:
    """A row of the output, None where there is nothing to write, and what came of its verdicts."""

    row: Mapping[str, Any] | None
    outcomes: tuple[str, ...]


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


@dataclass(slots=True)
class Run:
    """What a run did. Tokens are those of fresh replies, as the endpoint counts them.

    `outcomes` counts all replies, `fresh` those that were asked for now.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    fresh: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0
    """Fresh replies without a count of tokens."""


class _Asker:
    """Answers calls from the cache, else from the endpoint; equal calls in flight are one."""

    def __init__(
        self,
        ask: Callable[[Call], Awaitable[Reply]],
        base_url: str,
        cache: Cache,
        run: Run,
        again: bool,
    ) -> None:
        self._ask = ask
        self._base_url = base_url
        self._cache = cache
        self._run = run
        self._again = again
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._failures = 0

    async def __call__(self, call: Call) -> Reply:
        digest = call.digest(self._base_url)
        async with self._locks[digest]:
            reply = self._known(digest)
            if reply is None:
                reply = await self._ask(call)
                if reply.outcome in PAID:
                    self._cache.put(digest, reply.to_json())
                self._count(reply)
            else:
                self._run.cached += 1
            self._run.outcomes[reply.outcome] += 1
        self._stop_if_hopeless(reply)
        return reply

    def _known(self, digest: str) -> Reply | None:
        stored = self._cache.get(digest)
        reply = Reply.from_json(stored) if stored is not None else None
        return None if reply is not None and self._again and not reply.ok else reply

    def _count(self, reply: Reply) -> None:
        self._run.fresh += 1
        self._run.prompt_tokens += reply.prompt_tokens or 0
        self._run.completion_tokens += reply.completion_tokens or 0
        self._run.uncounted += reply.prompt_tokens is None and reply.outcome in PAID

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
    *,
    jobs: int = 4,
    again: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[Result], Run]:
    """Run all tasks, at most `jobs` at a time; results are in the order of the tasks.

    `again` asks once more where the reply that is kept is not ok. Cancelling stops at once and
    keeps what was answered. Raises `EndpointError` where one call after the other fails, and what
    `cache` raises.
    """
    run = Run()
    asker = _Asker(ask, base_url, cache, run, again)
    results: dict[int, Result] = {}
    waiting = iter(range(len(tasks)))

    async def work() -> None:
        for index in waiting:
            results[index] = await _one(tasks[index], asker)
            progress(len(results), len(tasks))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(jobs, len(tasks))):
                group.create_task(work())
    except BaseExceptionGroup as errors:
        # All workers share the endpoint and the disk: the first to fail speaks for all.
        raise errors.exceptions[0] from None
    return [results[index] for index in range(len(tasks))], run


async def _one(task: Task, asker: _Asker) -> Result:
    steps = task.steps()
    try:
        calls = next(steps)
        while True:
            calls = steps.send([await asker(call) for call in calls])
    except StopIteration as end:
        return cast(Result, end.value)


def estimate(
    tasks: Sequence[Task], base_url: str, cache: Cache | None = None
) -> tuple[list[Call], int]:
    """The calls a run would make, equal ones once, and how many more are answered already.

    A call that follows another is made with an empty reply to that: what depends on what is
    really answered may make it shorter, longer or needless.
    """
    calls: dict[str, Call] = {}
    known: set[str] = set()
    for task in tasks:
        steps = task.steps()
        try:
            batch = next(steps)
            while True:
                replies = []
                for call in batch:
                    digest = call.digest(base_url)
                    stored = cache.get(digest) if cache else None
                    reply = Reply.from_json(stored) if stored is not None else None
                    if reply is None:
                        calls[digest] = call
                    else:
                        known.add(digest)
                    replies.append(reply or Reply("ok"))
                batch = steps.send(replies)
        except StopIteration:
            continue
    return list(calls.values()), len(known)
