"""Boards of judged benchmarks on the command line: their options, and what is written."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ifbench_tui.engine.judged.arena_hard import ArenaSettings
    from ifbench_tui.report.boards.base import BoardResult
    from ifbench_tui.report.boards.options import BoardOptions
    from ifbench_tui.workspace import Workspace

__all__ = ["add_board_options", "made_boards"]

_FAST = "fast"


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """What may be chosen about annotations and judgments."""
    group = parser.add_argument_group("judged benchmarks")
    group.add_argument(
        "--judge", dest="judges", action="append", metavar="NAME", help="only this judge"
    )
    group.add_argument(
        "--category", dest="categories", action="append", metavar="NAME", help="only this category"
    )
    group.add_argument(
        "--lc",
        choices=("v1", "noreg", "minimal", "simple"),
        default="v1",
        help="AlpacaEval: model of the length-controlled win rate (default: v1, the leaderboard's)",
    )
    group.add_argument(
        "--lc-c",
        type=_strength,
        metavar="C",
        help="fit at this C instead of cross-validating; 'fast' is 21.5443",
    )
    group.add_argument(
        "--difficulty-by",
        choices=("position", "instruction"),
        default="position",
        help="AlpacaEval: whose difficulty a row takes (default: its position's, as the reference)",
    )
    group.add_argument(
        "--baseline", metavar="NAME", help="MT-Bench pairs: only those against this model"
    )
    _add_arena_options(group)


def _add_arena_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--style",
        choices=("none", "both", "length", "markdown"),
        default="none",
        help="Arena-Hard: take the influence of style out (needs the answers or their counts)",
    )
    group.add_argument(
        "--preset",
        choices=("default", "v0.1", "v2"),
        default="default",
        help="Arena-Hard: conventions of intervals",
    )
    group.add_argument(
        "--interval",
        choices=("clustered", "bootstrap", "rows", "none"),
        help="Arena-Hard: clustered by question (default), questions or rows resampled",
    )
    group.add_argument("--rounds", type=_count, metavar="N", help="resamples (default 1000)")
    group.add_argument("--seed", type=int, metavar="S", help="of the resamples (default 0)")
    group.add_argument("--weight", type=_count, metavar="N", help="of a strong verdict (default 3)")
    group.add_argument("--first-game", action="store_true", help="Arena-Hard: game 1 only")


def _strength(text: str) -> float:
    from ifbench_tui.engine.judged.length_control import FAST_C

    try:
        value = FAST_C if text == _FAST else float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1e9 or not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0, nor {_FAST!r}")
    return value


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 1,000,000")
    return number


def made_boards(workspace: Workspace, args: argparse.Namespace) -> list[BoardResult]:
    """The boards of the judged files that were loaded, of the benchmark and models asked for."""
    if not workspace.judged:
        return []
    from ifbench_tui.report.boards.registry import boards_of

    found = boards_of(workspace.judged, _options(args))
    return [one for one in found if args.benchmark in (None, one.benchmark)]


def _options(args: argparse.Namespace) -> BoardOptions:
    from ifbench_tui.report.boards.options import BoardOptions

    return BoardOptions(
        lc_preset=args.lc,
        lc_c=args.lc_c,
        difficulty_by=args.difficulty_by,
        baseline=args.baseline,
        style=args.style,
        arena=_arena_settings(args),
        judges=tuple(args.judges or ()),
        categories=tuple(args.categories or ()),
        models=tuple(args.models or ()),
    )


def _arena_settings(args: argparse.Namespace) -> ArenaSettings:
    from ifbench_tui.engine.judged.arena_hard import PRESETS

    given = {"interval": args.interval, "rounds": args.rounds, "seed": args.seed}
    given["weight"] = args.weight
    chosen = {name: value for name, value in given.items() if value is not None}
    return replace(PRESETS[args.preset], first_game_only=args.first_game, **chosen)
