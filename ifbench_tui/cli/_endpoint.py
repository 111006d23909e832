"""Options of the commands that call models, and how a run of calls is made and told."""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError

if TYPE_CHECKING:
    from ifbench_tui.judge.endpoint import Endpoint
    from ifbench_tui.judge.run import Cache, Result, Run, Task

__all__ = ["COMPLETE", "add_endpoint", "carry_out"]

COMPLETE = frozenset({"ok", "discrete"})
"""Outcomes that gave what was asked for."""

_SHOWN = 3


def add_endpoint(parser: argparse.ArgumentParser) -> None:
    """Where calls go, how many at once, and what they cost."""
    group = parser.add_argument_group("endpoint")
    group.add_argument(
        "--base-url",
        metavar="URL",
        help="OpenAI-compatible API, such as http://localhost:8000/v1 (also: OPENAI_BASE_URL)",
    )
    group.add_argument("--model", required=True, metavar="NAME", help="the model to ask")
    group.add_argument(
        "--key-file",
        metavar="FILE",
        help="file with the key, readable by you only (also: IFBENCH_API_KEY, OPENAI_API_KEY)",
    )
    group.add_argument(
        "--ca-file", metavar="FILE", help="certificates to trust instead of the usual ones"
    )
    group.add_argument("--jobs", type=_jobs, default=4, metavar="N", help="calls at once, to 256")
    group.add_argument(
        "--attempts", type=_jobs, default=6, metavar="N", help="tries of a call (default 6)"
    )
    group.add_argument(
        "--timeout", type=_amount, default=300.0, metavar="S", help="seconds for a try (300)"
    )
    group.add_argument("--temperature", type=_amount, metavar="T", help="instead of the usual one")
    group.add_argument("--max-tokens", type=_tokens, metavar="N", help="instead of the usual limit")
    group.add_argument(
        "--price",
        nargs=2,
        type=_amount,
        metavar=("IN", "OUT"),
        help="money for a million tokens sent and received, to tell the cost",
    )
    group.add_argument(
        "--dry-run", action="store_true", help="write what would be sent, send nothing"
    )
    group.add_argument(
        "--retry-failed",
        action="store_true",
        help="ask again where the kept reply was cut off, empty, refused or without log probs",
    )
    group.add_argument(
        "--session", metavar="FILE", help="where replies are kept (default: see dirs)"
    )
    group.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR)")


def _jobs(text: str) -> int:
    from ifbench_tui.cli._options import positive

    number = positive(text)
    if number > 256:
        raise argparse.ArgumentTypeError(f"{text!r} is above 256")
    return number


def _tokens(text: str) -> int:
    from ifbench_tui.cli._options import positive

    return positive(text)


def _amount(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not (math.isfinite(number) and number >= 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return number


def carry_out(tasks: Sequence[Task], args: argparse.Namespace) -> list[Result] | None:
    """Run all tasks, telling tokens and cost; None after a dry run. Raises `IfbenchError`."""
    from ifbench_tui.cli._output import say
    from ifbench_tui.store import JudgeCache, default_session_path

    endpoint = _endpoint(args)
    path = str(args.session or default_session_path())
    if args.dry_run:
        _dry_run(tasks, endpoint, args, path if os.path.exists(path) else None)
        return None
    with JudgeCache.open(path) as cache:
        results, run = _run(tasks, endpoint, cache, args)
    if not args.quiet:
        for line in _account(run, args.price):
            say(line)
    _tell_failures(tasks, results)
    return results


def _endpoint(args: argparse.Namespace) -> Endpoint:
    from ifbench_tui.judge.endpoint import BASE_URL_VARIABLE, Endpoint, Timeouts, read_key

    base_url = args.base_url or os.environ.get(BASE_URL_VARIABLE)
    if not base_url:
        raise UsageError(f"no endpoint: name one with --base-url or {BASE_URL_VARIABLE}")
    seconds = args.timeout
    times = Timeouts(min(10.0, seconds), seconds, seconds, 3 * seconds + 300.0)
    key = read_key(os.environ, args.key_file)
    return Endpoint(base_url, key, times, args.ca_file)


def _dry_run(
    tasks: Sequence[Task], endpoint: Endpoint, args: argparse.Namespace, session: str | None
) -> None:
    from ifbench_tui.cli._output import emit, say
    from ifbench_tui.judge.accounts import Prices, estimated_tokens
    from ifbench_tui.judge.run import estimate
    from ifbench_tui.report.json import dumps
    from ifbench_tui.store import JudgeCache

    if session is None:
        calls, known = estimate(tasks, endpoint.base_url)
    else:
        with JudgeCache.open(session) as cache:
            calls, known = estimate(tasks, endpoint.base_url, cache)
    emit(dumps({"url": endpoint.url, **call.payload()}) + "\n" for call in calls)
    tokens = estimated_tokens(calls)
    say(
        f"{len(tasks):,} rows need {len(calls):,} calls; {known:,} more are answered already; "
        f"about {tokens.prompt:,} tokens to send, at most {tokens.completion:,} to receive"
    )
    if args.price:
        say(f"cost: at most about {Prices(*args.price).cost(tokens):.4f}")


def _run(
    tasks: Sequence[Task], endpoint: Endpoint, cache: Cache, args: argparse.Namespace
) -> tuple[list[Result], Run]:
    import asyncio

    from ifbench_tui.cli._loading import progress_bar
    from ifbench_tui.cli._output import say
    from ifbench_tui.judge.client import Client
    from ifbench_tui.judge.retry import Retry
    from ifbench_tui.judge.run import run_tasks

    async def run(progress: Callable[[int, int], None]) -> tuple[list[Result], Run]:
        async with Client(
            endpoint, Retry(attempts=args.attempts), connections=args.jobs, notice=say
        ) as client:
            return await run_tasks(
                tasks,
                client.ask,
                endpoint.base_url,
                cache,
                jobs=args.jobs,
                again=args.retry_failed,
                progress=progress,
            )

    with progress_bar(f"asking {args.model}", args) as update:
        try:
            return asyncio.run(run(update))
        except KeyboardInterrupt:
            say("what was answered is kept; run the same command again to go on")
            raise


def _account(run: Run, price: Sequence[float] | None) -> list[str]:
    from ifbench_tui.judge.accounts import Prices, Tokens

    tokens = Tokens(run.prompt_tokens, run.completion_tokens)
    uncounted = f" ({run.uncounted:,} replies without a count)" if run.uncounted else ""
    lines = [
        f"{run.fresh:,} calls made, {run.cached:,} answered before; {tokens.prompt:,} tokens sent, "
        f"{tokens.completion:,} received{uncounted}"
    ]
    if price:
        lines.append(f"cost: {Prices(*price).cost(tokens):.4f}")
    return lines


def _tell_failures(tasks: Sequence[Task], results: Sequence[Result]) -> None:
    """Every outcome other than ok, with its number and the first rows it hit."""
    from ifbench_tui.cli._output import say

    counts: Counter[str] = Counter()
    where: dict[str, list[str]] = {}
    for task, result in zip(tasks, results, strict=True):
        for outcome in result.outcomes:
            if outcome != "ok":
                counts[outcome] += 1
                where.setdefault(outcome, []).append(task.name)
    for outcome, count in counts.items():
        names = list(dict.fromkeys(where[outcome]))
        dots = "; …" if len(names) > _SHOWN else ""
        say(f"{outcome}: {count:,} ({'; '.join(names[:_SHOWN])}{dots})")
