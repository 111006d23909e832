"""One run against an endpoint, from a client to its results."""

from __future__ import annotations

from collections.abc import Callable

from ifbench_tui.judge.call import Call, Reply
from ifbench_tui.judge.client import Client
from ifbench_tui.judge.endpoint import Endpoint
from ifbench_tui.judge.plan import Work
from ifbench_tui.judge.retry import Retry
from ifbench_tui.judge.run import Cache, Pace, Result, run_tasks
from ifbench_tui.judge.standing import Run

__all__ = ["carry_out"]


async def carry_out(
    work: Work,
    endpoint: Endpoint,
    cache: Cache,
    run: Run,
    pace: Pace,
    *,
    progress: Callable[[Run], None] = lambda run: None,
    notice: Callable[[str], None] = lambda words: None,
) -> list[Result]:
    """Make all calls of some work that no reply is kept for; `run` tells how that goes, also after
    it was cancelled or has failed. Raises as `run_tasks` and `Client` do."""

    def retrying(call: Call, reply: Reply, wait: float) -> None:
        run.retry(call, reply, wait)
        progress(run)

    client = Client(
        endpoint,
        Retry(attempts=pace.attempts),
        connections=pace.jobs,
        stream=pace.stream,
        notice=notice,
        retrying=retrying,
    )
    async with client:
        return await run_tasks(
            work.tasks,
            client.ask,
            endpoint.base_url,
            cache,
            run,
            jobs=pace.jobs,
            again=pace.again,
            progress=progress,
        )
