"""Options of the commands that call models, and how a run of calls is made and told."""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import positive
from ifbench_tui.config import MOST_JOBS

if TYPE_CHECKING:
    from ifbench_tui.judge.accounts import Prices
    from ifbench_tui.judge.endpoint import Endpoint
    from ifbench_tui.judge.plan import Work
    from ifbench_tui.judge.run import Cache, Result
    from ifbench_tui.judge.standing import Run

__all__ = ["add_endpoint", "carry_out", "tell_written", "told", "with_settings"]

_SHOWN = 3
_PROBLEMS_SHOWN = 10


def add_endpoint(parser: argparse.ArgumentParser, model: str = "") -> None:
    """Where calls go, how many at once, what is asked of each, and what they cost. `model`: help of
    --model where that may be left out."""
    group = parser.add_argument_group("endpoint")
    group.add_argument(
        "--base-url",
        metavar="URL",
        help="OpenAI-compatible API, such as http://localhost:8000/v1 (also: OPENAI_BASE_URL, "
        "base_url in the config file)",
    )
    group.add_argument(
        "--model", required=not model, metavar="NAME", help=model or "the model to ask"
    )
    group.add_argument(
        "--key-file",
        metavar="FILE",
        help="file with the key, readable by you only (also: IFBENCH_API_KEY, OPENAI_API_KEY)",
    )
    group.add_argument(
        "--ca-file", metavar="FILE", help="certificates to trust instead of the usual ones"
    )
    group.add_argument(
        "--jobs", type=_jobs, metavar="N", help=f"calls at once, to {MOST_JOBS} (default 4)"
    )
    group.add_argument(
        "--attempts", type=_jobs, default=6, metavar="N", help="tries of a call (default 6)"
    )
    group.add_argument(
        "--timeout", type=_amount, default=300.0, metavar="S", help="seconds for a try (300)"
    )
    _add_calls(group)


def _add_calls(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--temperature", type=_amount, metavar="T", help="instead of the usual one")
    group.add_argument(
        "--max-tokens", type=positive, metavar="N", help="instead of the usual limit"
    )
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
        "--stream",
        action="store_true",
        help="replies in pieces: for servers or proxies that end a silent connection",
    )
    group.add_argument(
        "--session", metavar="FILE", help="where replies are kept (default: see dirs)"
    )
    group.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR)")


def _jobs(text: str) -> int:
    number = positive(text)
    if number > MOST_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is above {MOST_JOBS}")
    return number


def _amount(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not (math.isfinite(number) and number >= 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return number


def with_settings(args: argparse.Namespace) -> argparse.Namespace:
    """The options with what the environment and the config file say where a flag is absent."""
    from ifbench_tui.config import load_config
    from ifbench_tui.judge.endpoint import BASE_URL_VARIABLE, key_source

    settings = load_config().settings
    found = dict(vars(args))
    found["base_url"] = args.base_url or os.environ.get(BASE_URL_VARIABLE) or settings.base_url
    found["model"] = args.model or settings.judge_model
    found["jobs"] = args.jobs or settings.jobs
    found["price"] = args.price or settings.prices
    found["ca_file"] = args.ca_file or settings.ca_file or None
    if not args.key_file and key_source(os.environ) is None:
        found["key_file"] = settings.key_file or None
    return argparse.Namespace(**found)


def told(work: Work, args: argparse.Namespace, notice: str = "") -> None:
    """Say what of the files is not used, and what should be known before anything is sent, with
    what to do about it behind each notice. Who named a file in vain hears it with --quiet too."""
    from ifbench_tui.cli._output import say

    problems = list(dict.fromkeys((*work.in_vain, *(() if args.quiet else work.problems))))
    for line in problems[:_PROBLEMS_SHOWN]:
        say(f"not used: {line}")
    if len(problems) > _PROBLEMS_SHOWN:
        say(f"not used: {len(problems) - _PROBLEMS_SHOWN:,} more")
    if args.quiet:
        return
    for line in work.notices:
        say(f"{line}{notice}")


def carry_out(work: Work, args: argparse.Namespace) -> list[Result] | None:
    """Make all calls, telling tokens and cost, also of a run that is stopped; None after a dry
    run. Raises `IfbenchError`."""
    from ifbench_tui.judge.standing import Run
    from ifbench_tui.store import JudgeCache, default_session_path

    path = str(args.session or default_session_path())
    if args.dry_run:
        _dry_run(work, args, path if os.path.exists(path) else None)
        return None
    endpoint = _endpoint(args)
    run = Run()
    with JudgeCache.open(path) as cache:
        try:
            results = _run(work, endpoint, cache, run, args)
        finally:
            _tell_account(run, args)
    _tell_failures(work, results)
    return results


def _endpoint(args: argparse.Namespace) -> Endpoint:
    from ifbench_tui.judge.endpoint import BASE_URL_VARIABLE, open_endpoint

    if not args.base_url:
        raise UsageError(
            f"no endpoint: name one with --base-url, {BASE_URL_VARIABLE}, or base_url in the config"
        )
    return open_endpoint(
        args.base_url,
        os.environ,
        key_file=args.key_file,
        ca_file=args.ca_file,
        seconds=args.timeout,
    )


def _prices(args: argparse.Namespace) -> Prices | None:
    from ifbench_tui.judge.accounts import Prices

    return Prices(*args.price) if args.price else None


def _dry_run(work: Work, args: argparse.Namespace, session: str | None) -> None:
    """Tell what would be sent. Nothing is, so an endpoint need not be named: then nothing counts
    as answered before."""
    from ifbench_tui.cli._output import say, write
    from ifbench_tui.judge.run import estimate
    from ifbench_tui.report.json import dumps
    from ifbench_tui.store import JudgeCache

    endpoint = _endpoint(args) if args.base_url else None
    if session is None or endpoint is None:
        found = estimate(work.tasks, "")
    else:
        with JudgeCache.open(session) as cache:
            found = estimate(work.tasks, endpoint.base_url, cache, again=args.retry_failed)
    url = None if endpoint is None else endpoint.url
    write((dumps({"url": url, **call.payload()}) + "\n" for call in found.calls), args)
    say(found.words())
    if prices := _prices(args):
        say(f"cost: at most about {prices.cost(found.tokens):.4f}")


def _run(
    work: Work, endpoint: Endpoint, cache: Cache, run: Run, args: argparse.Namespace
) -> list[Result]:
    import asyncio

    from ifbench_tui.cli._loading import progress_bar
    from ifbench_tui.cli._output import say
    from ifbench_tui.judge.run import Pace
    from ifbench_tui.judge.session import carry_out as carry

    pace = Pace(args.jobs, args.attempts, args.retry_failed, args.stream)
    with progress_bar(f"asking {args.model}", args) as update:

        def progress(run: Run) -> None:
            update(run.done, len(run.rows))

        try:
            return asyncio.run(
                carry(work, endpoint, cache, run, pace, progress=progress, notice=say)
            )
        except KeyboardInterrupt:
            say("what was answered is kept; run the same command again to go on")
            raise


def _tell_account(run: Run, args: argparse.Namespace) -> None:
    from ifbench_tui.cli._output import say

    if run.rows and not args.quiet:
        for line in run.tally().words(_prices(args)):
            say(line)


def tell_written(results: Sequence[Result], args: argparse.Namespace) -> None:
    """Say what was written where, unless that was standard output."""
    from ifbench_tui.cli._output import say
    from ifbench_tui.engine.quantity import quantity

    if args.output not in (None, "-") and not args.quiet:
        rows = sum(one.row is not None for one in results)
        say(f"{quantity(rows, 'row')} written to {args.output}")


def _tell_failures(work: Work, results: Sequence[Result]) -> None:
    """Every outcome other than ok, with its number and the first rows it hit."""
    from ifbench_tui.cli._output import say

    counts: Counter[str] = Counter()
    where: dict[str, list[str]] = {}
    for task, result in zip(work.tasks, results, strict=True):
        for outcome in result.outcomes:
            if outcome != "ok":
                counts[outcome] += 1
                where.setdefault(outcome, []).append(task.name)
    for outcome, count in counts.items():
        names = list(dict.fromkeys(where[outcome]))
        dots = "; …" if len(names) > _SHOWN else ""
        say(f"{outcome}: {count:,} ({'; '.join(names[:_SHOWN])}{dots})")
