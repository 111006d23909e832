"""Options of `rate`: how battles are rated, and which of them count."""

from __future__ import annotations

import argparse
from datetime import UTC, date, datetime, time, timedelta

from ifbench_tui.cli._options import positive

__all__ = ["add_filters", "add_method"]


def add_method(parser: argparse.ArgumentParser) -> None:
    """How battles are rated."""
    from ifbench_tui.engine.ratings.methods import METHOD_IDS

    parser.add_argument("--method", choices=METHOD_IDS, default="bt", help="default: bt")
    parser.add_argument(
        "--ties",
        choices=("half", "drop", "drop-bothbad"),
        default="half",
        help="a tie is half a win each (default), or ties or both-bad ties are dropped",
    )
    parser.add_argument(
        "--style",
        choices=("none", "plain", "fastchat", "arena-rank"),
        default="none",
        help="take out the influence of length and markdown",
    )
    parser.add_argument(
        "--interval",
        choices=("sandwich", "fisher", "bootstrap", "none"),
        default="sandwich",
        help="95 %% intervals (default: sandwich)",
    )
    parser.add_argument(
        "--rounds",
        type=positive,
        metavar="N",
        help="bootstrap rounds (default 1000, 200 above 50 models), or random orders of Elo "
        "(default 100, 20 above 100,000 battles)",
    )
    parser.add_argument(
        "--cluster",
        choices=("judge", "question", "session", "none"),
        help="battles that depend on each other: of one judge, question or session",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--anchor", type=_anchor, metavar="NAME=R", help="hold this model at this rating"
    )
    where.add_argument(
        "--preset", choices=("arena",), help="arena: mixtral-8x7b-instruct-v0.1 = 1114 if present"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Which battles count."""
    group = parser.add_argument_group("filters")
    group.add_argument(
        "--anony",
        choices=("yes", "no", "any"),
        default="yes",
        help="battles whose names were hidden (default; also those that do not say), shown, any",
    )
    group.add_argument(
        "--repeats", action="store_true", help="also repeated prompts marked as not sampled"
    )
    for name, what in (
        ("language", "only this language"),
        ("category", "only this category, such as code or math"),
        ("judge", "only this judge, or kind of judge, such as human"),
    ):
        group.add_argument(
            f"--{name}", action="append", default=[], metavar="NAME", help=f"{what} (repeatable)"
        )
    group.add_argument(
        "--by",
        choices=("people", "models", "any"),
        default="any",
        help="only votes of people, or only verdicts of judge models (default: any)",
    )
    group.add_argument(
        "--turn", type=_turns, metavar="N[-M]", help="only this many turns (2- is 2 or more)"
    )
    group.add_argument("--since", type=_since, metavar="DATE", help="from this date on (UTC)")
    group.add_argument("--until", type=_until, metavar="DATE", help="up to and with this date")


def _anchor(text: str) -> tuple[str, float]:
    name, _, written = text.rpartition("=")
    try:
        rating = float(written)
    except ValueError:
        rating = float("nan")
    if not name or not abs(rating) < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=RATING")
    return name, rating


def _turns(text: str) -> tuple[int, float]:
    least, dash, most = text.partition("-")
    first = positive(least)
    last = float("inf") if dash and not most else float(positive(most or least))
    if last < first:
        raise argparse.ArgumentTypeError(f"{text!r} ends before it starts")
    return first, last


def _since(text: str) -> float:
    return _moment(text)[0]


def _until(text: str) -> float:
    return _moment(text)[1]


def _moment(text: str) -> tuple[float, float]:
    """Unix seconds of the start of a day or of a moment, and of the day's end or the moment."""
    try:
        if len(text) <= len("2024-01-31"):
            start = datetime.combine(date.fromisoformat(text), time(), UTC)
            return start.timestamp(), (start + timedelta(days=1)).timestamp()
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2024-08-14") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.timestamp(), moment.timestamp()
