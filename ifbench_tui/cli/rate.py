"""Rate models from battles by Bradley-Terry, or as --method says, with intervals and
what the data cannot tell.

Reads battle files of every common shape by their content: FastChat and arena
releases (JSON, JSON Lines, CSV, Parquet), arena-rank tables, MT-Bench votes and
pair judgments, Arena-Hard judgments, AutoArena downloads, this program's exports.
A row with an unknown winner, a missing model, one model on both sides or a bad
weight is refused and listed, never read as something else.

Battles whose names were shown, and repeated prompts that a file marks as not
sampled, are left out as public leaderboards do (--anony any, --repeats).
Bradley-Terry and Elo ratings have a mean of 1000 in each group of models that
met, unless anchored.
In judgment files battles over one question count as one cluster by default.

--json writes one object:
  method      as --method has it
  settings    every choice, with the filters
  n_battles   battles rated
  refused     rows that were not read: {path, line, kind, reason, advice, rows}
  components  groups of models that met, as lists of names
  warnings    what to know before reading the ratings
  models      by component and falling rating: {name, rating, lower, upper, se,
              rank_low, rank_high, battles, wins, losses, ties, unbounded, …};
              unbounded is above or below where no finite rating exists; ranks
              count inside the component
  style       {features, coefficients, lower, upper, …} or null
  converged, iterations
  outcomes    battles by outcome
  left_out    battles the filters took away, by reason
  neighbours  models that follow each other: {better, worse, elo, se, lower, upper,
              p_value, separated, battles_factor, direct_battles}; how many times
              the battles, or how many more between just these two, would part them
  spread      where the method depends on it (elo): ratings over random orders of the
              battles
  sources     per file: {path, format, battles, used, broken, …}
  matrix, annotators, verdicts  what --show asks for
Fields may be added in later versions; none is removed or changed.

With --session the votes of a session count as battles, side A being the left one;
the prompts and responses that were voted on may be among the files, for style
control, for the families of constraints as categories, and for --show verdicts.
--format csv writes the first of --show, else the ratings.

examples:
  ifbench-tui rate clean_battle.json --preset arena --style fastchat
  ifbench-tui rate votes.jsonl --interval bootstrap --cluster judge --json
  ifbench-tui rate prompts.jsonl responses/ --session mine.ifb --show verdicts"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import (
    add_format,
    add_jobs,
    add_limits,
    add_look,
    add_output,
    add_quiet,
    limits_from,
    mapping_from,
)
from ifbench_tui.cli._rate_extras import add_extras
from ifbench_tui.cli._rate_options import add_filters, add_method

if TYPE_CHECKING:
    from collections.abc import Callable

    from ifbench_tui.cli._rate_extras import Extra
    from ifbench_tui.rating import RatingOptions
    from ifbench_tui.report.ratings import RatingReport
    from ifbench_tui.store import Event
    from ifbench_tui.workspace import LoadOptions, Workspace
    from ifbench_tui.workspace.battles import BattleChoice, BattleFilter, Blinding

SUMMARY = "rate models from battles: Bradley-Terry, Elo, intervals, style control"

_ADVICE = {
    "refused": "--json lists them",
    "by": "--by people or --by models: one of them",
    "cluster": "--cluster none: each alone",
}
"""What to add to the notes of a report."""

_COLUMNS = (
    *("model_a", "model_b", "winner", "score", "weight"),
    *("question", "judge", "session", "language"),
)
_BLINDING: dict[str, Blinding] = {"yes": "hidden", "no": "shown", "any": "any"}
_MOST_MODELS = 3000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="file or directory; - is standard input"
    )
    parser.add_argument("--session", metavar="FILE", help="votes of this session are battles too")
    add_extras(parser)
    add_method(parser)
    add_filters(parser)
    group = parser.add_argument_group("reading")
    group.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=COLUMN,…",
        help=f"columns of a table of another shape (fields: {', '.join(_COLUMNS)}; "
        "score is side A's, from 0 to 1)",
    )
    add_limits(group)
    add_format(parser, json="one object")
    add_output(parser)
    add_jobs(parser)
    add_look(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli import _loading
    from ifbench_tui.cli._rate_extras import extras_of
    from ifbench_tui.rating import rate_choice
    from ifbench_tui.report.ratings import RatingReport
    from ifbench_tui.workspace.battles import choose

    _check(args)
    votes = _votes(args)
    workspace = _workspace(args, votes)
    wanted = _filter(args, workspace)
    choice = choose(workspace.battles, wanted)
    if not len(choice.battles):
        raise UsageError(_nothing(workspace, choice))
    count = len(choice.battles.models)
    if count > _MOST_MODELS:
        raise UsageError(f"{count:,} names of models, where {_MOST_MODELS:,} are the most: --map?")
    with _loading.progress_bar("resampling", args) as update:
        rated = rate_choice(choice, _options(args), _progress(update))
    report = RatingReport(
        rated.board, workspace, wanted, choice.left_out, rated.notices, rated.spread
    )
    _write(report, extras_of(args, report, choice, votes), args)
    return 0


def _votes(args: argparse.Namespace) -> list[Event]:
    """The votes of the session named, if one is."""
    from pathlib import Path

    from ifbench_tui.store import Session

    if args.session is None:
        return []
    if not Path(args.session).exists():
        raise UsageError(f"there is no session at {args.session}")
    with Session.open(args.session, read_only=True) as session:
        return list(session.state().live("vote").values())


def _workspace(args: argparse.Namespace, votes: list[Event]) -> Workspace:
    """What the paths hold, with the votes as battles beside it."""
    from dataclasses import replace

    from ifbench_tui.cli import _loading
    from ifbench_tui.workspace import Workspace

    if args.session is None and not args.paths:
        raise UsageError("name files with battles, or a session with --session")
    workspace = Workspace({}, (), ())
    if args.paths:
        workspace = _loading.load_workspace(args, _load_options(args), talk=False)
    if args.session is None:
        return workspace
    from ifbench_tui.voting.battles import votes_block

    style = args.style != "none"
    block = votes_block(votes, args.session, workspace.suites, style=style)
    return replace(workspace, battles=(*workspace.battles, block))


def _check(args: argparse.Namespace) -> None:
    """Raises `UsageError` for choices that contradict each other."""
    from ifbench_tui.engine.ratings.methods import METHOD_IDS, method_of

    takes = method_of(args.method).takes
    for name in ("style", "anchor", "preset", "cluster"):
        needed = "anchor" if name == "preset" else name
        if needed not in takes and getattr(args, name) not in (None, "none"):
            able = [one for one in METHOD_IDS if needed in method_of(one).takes]
            raise UsageError(f"--{name} needs --method {' or '.join(able)}, which listens to it")
    if args.interval in ("fisher", "none") and args.cluster not in (None, "none"):
        raise UsageError("--cluster needs --interval sandwich or bootstrap")


def _load_options(args: argparse.Namespace) -> LoadOptions:
    from ifbench_tui.workspace import LoadOptions

    return LoadOptions(
        mapping=mapping_from(args.map, _COLUMNS),
        limits=limits_from(args),
        battle_style=args.style != "none",
    )


def _filter(args: argparse.Namespace, workspace: Workspace) -> BattleFilter:
    from ifbench_tui.workspace.battles import BattleFilter

    judged = any(block.cluster == "question" for block in workspace.battles)
    return BattleFilter(
        blinding=_BLINDING[args.anony],
        sampled=not args.repeats,
        languages=tuple(args.language),
        categories=tuple(args.category),
        judges=tuple(args.judge),
        by=args.by,
        turns=args.turn,
        since=args.since,
        until=args.until,
        with_style=args.style != "none",
        with_questions=args.cluster == "question"
        or (args.cluster is None and judged)
        or "annotators" in args.show,
    )


def _options(args: argparse.Namespace) -> RatingOptions:
    from ifbench_tui.engine.ratings.bradley_terry import Anchor
    from ifbench_tui.rating import RatingOptions

    return RatingOptions(
        method=args.method,
        ties=args.ties,
        style=None if args.style == "none" else args.style,
        interval=args.interval,
        rounds=args.rounds,
        cluster=args.cluster,
        anchor=Anchor(*args.anchor) if args.anchor else None,
        arena=args.preset == "arena",
        seed=args.seed,
    )


def _progress(update: Callable[[int, int], None]) -> Callable[[int, int], bool]:
    def progress(done: int, total: int) -> bool:
        update(done, total)
        return True

    return progress


def _nothing(workspace: Workspace, choice: BattleChoice) -> str:
    """Why there is no battle to rate."""
    from ifbench_tui.engine.quantity import quantity

    refused = sum(source.broken for source in workspace.sources)
    first = next((one for one in workspace.problems if one.kind == "broken"), None)
    parts = []
    if refused and first:
        parts.append(f"{quantity(refused, 'row')} refused (first: {first.where}: {first.reason})")
    parts += [f"{count:,} left out ({reason})" for reason, count in choice.left_out.items()]
    return f"there is no battle to rate: {'; '.join(parts) or 'no file holds battles'}"


def _write(report: RatingReport, extras: list[Extra], args: argparse.Namespace) -> None:
    from ifbench_tui.cli._output import (
        glyphs_for,
        say,
        terminal_width,
        write,
        write_csv,
        write_tables,
    )

    if args.format in ("json", "csv") and not args.quiet:
        for line in report.notes(_ADVICE):
            say(line)
    if args.format == "json":
        from ifbench_tui.report.json import dumps

        more = {extra.name: extra.value for extra in extras}
        write((dumps({**report.to_dict(), **more}, indented=True), "\n"), args)
    elif args.format == "csv":
        write_csv(extras[0].sheets[0] if extras else report.plain_sheet(), args)
    else:
        tables = report.sheets(glyphs_for(args), terminal_width(args.output))
        tables += [table for extra in extras for table in extra.sheets]
        write_tables(tables, args, report.notes(_ADVICE))
