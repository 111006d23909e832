"""Score responses: strict and loose accuracy with intervals, per model.

Gates: --fail-under METRIC=SHARE (repeatable, as prompt_strict=0.75) applies to
every model scored; if one of them is below, the exit code is 1. A metric
without a value does not pass.

--json writes one object:
  benchmark  id of the benchmark
  models     per model: n_prompts, n_constraints, the metrics (shares in [0, 1],
             null where there is nothing to divide by),
             intervals {METRIC: {value, lower, upper, n, method}},
             by_type and by_category {GROUP: {n, strict, loose, strict_correct,
             loose_correct, near_misses, errors, rescued_by}}, further counts;
             of ifhardbench also by_family, by_tier, …, empty_share, thin_types,
             counted_types {TYPE: [passed, seen]}, balance_factors {TYPE: factor}
  compare    with --compare only: {a, b, strict: {n, both, only_a, only_b,
             neither, difference, lower, upper, p_value, only_a_keys,
             only_b_keys, by_type {TYPE: {n, both, …}}}, loose: {…}}
  also       where several benchmarks were loaded: [{benchmark, models}, …]
  sources    per file: {path, format, models, prompts, responses, used,
             duplicate, unmatched, broken, why}
  problems   what was not used, and notices: {path, line, kind, reason, advice,
             rows}; rows is how many rows of the file it stands for

--jsonl writes one object a line per model and prompt, in input order:
  {"benchmark", "model", "key", "strict", "loose", "constraints": [{"type",
   "strict", "loose", "variants": [true|false|null, …],
   "error": null|{"kind", "message", "raises"}, "measured", "required",
   "distance"}, …]}
  A check that raised has null among its variants and counts as not followed.
  IFHardBench, which has one verdict for each constraint:
  {"benchmark", "model", "key", "empty", "sample_pass", "constraint_pass_rate",
   "constraints": [{"type", "family", "pass", "error", "measured", "required",
   "distance"}, …]}

Annotations and judgments give the boards of their benchmarks, in percent but
for MT-Bench's ratings; every gate is a share (a rating is divided by 10):
  alpaca_eval  per model n, win_rate, discrete_win_rate, standard_error,
               length_controlled_winrate, lc_standard_error, avg_length, glm,
               c, fit, curve, bias, warnings. Difficulties and the gamed
               baseline's rows are read from tables among the PATHs or beside
               the annotations (instruction_difficulty.csv, gamed_baseline.csv);
               gameability: how far asking for NAME_concise or NAME_verbose
               moves the win rates of NAME (SD / mean)
  mt_bench     per model turn_1, turn_2, average, by_category, n, missing; of
               pairs win, loss, tie, win_rate, loss_rate, win_rate_adjusted;
               bias, agreement
  arena_hard   per model score, lower, upper, n, null, baseline, by_category;
               settings, reliability
  and warnings for each board. --jsonl writes their models, one a line.

Fields may be added to all in later versions; none is removed or changed.

example:
  ifbench-tui score prompts.jsonl responses.jsonl --fail-under prompt_strict=0.75"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ifbench_tui.cli._boards import add_board_options
from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import (
    add_format,
    add_input,
    add_jobs,
    add_look,
    add_models,
    add_output,
    add_quiet,
    load_options,
    pair,
)

if TYPE_CHECKING:
    from ifbench_tui.report.boards.base import BoardResult
    from ifbench_tui.report.results import Comparison, Results
    from ifbench_tui.report.sheets import Sheet
    from ifbench_tui.workspace import Workspace

SUMMARY = "score responses: accuracies with intervals, comparison, gates"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_models(parser)
    parser.add_argument(
        "--by",
        metavar="GROUP",
        help="break the scores down: type, category, or what else a benchmark has "
        "(ifhardbench: family, tier, length_tier, topic, prompt_style, stratum)",
    )
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"), help="paired test of two models")
    parser.add_argument(
        "--fail-under",
        type=_gate,
        action="append",
        default=[],
        metavar="METRIC=SHARE",
        help="exit with 1 when a model is below (repeatable)",
    )
    add_format(parser, json="one object", jsonl="a line per model and prompt")
    add_output(parser)
    add_jobs(parser)
    add_board_options(parser)
    add_look(parser)
    add_quiet(parser)


def _gate(text: str) -> tuple[str, float]:
    name, written = pair(text)
    try:
        share = float(written)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{written!r} is not a share between 0 and 1")
    return name, share


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli import _loading
    from ifbench_tui.cli._boards import made_boards
    from ifbench_tui.cli._output import say

    workspace = _loading.load_workspace(args, replace(load_options(args), judged=True))
    judged = made_boards(workspace, args)
    boards = [*_suite_boards(workspace, judged, args), *judged]
    failed = _failed_gates(boards, args.fail_under)
    if not args.quiet:
        for board in judged:
            for warning in board.told_warnings():
                say(warning)
    _write(workspace, boards, args)
    for message in failed:
        say(message)
    return 1 if failed else 0


def _suite_boards(
    workspace: Workspace, judged: Sequence[BoardResult], args: argparse.Namespace
) -> list[BoardResult]:
    """Boards of the responses that were loaded; none where only judged files were."""
    from ifbench_tui.cli import _loading
    from ifbench_tui.report.boards.suite import suite_board

    wanted = [*(args.models or ()), *(args.compare or ())]
    there = {model for board in judged for model in board.models}
    answered = any(
        suite.models and args.benchmark in (None, suite.benchmark_id)
        for suite in workspace.suites.values()
    )
    if judged and not args.compare and (not answered or there.issuperset(wanted or [""])):
        _check_models(wanted, there)
        return []
    suites = _loading.chosen_suites(workspace, args)
    models = _loading.chosen_models(suites, [name for name in wanted if name not in there])
    found = _loading.score_suites(suites, models, args)
    _check_group(found, args.by)
    comparisons = _comparisons(found, args.compare)
    return [suite_board(one, comparisons.get(one.suite.benchmark_id), args.by) for one in found]


def _check_group(found: Sequence[Results], by: str | None) -> None:
    """Raises `UsageError` where no benchmark has such groups."""
    known = list(dict.fromkeys(kind for results in found for kind in results.kinds))
    if by is not None and by not in known:
        raise UsageError(f"--by: there are no groups by {by!r}; known: {', '.join(known)}")


def _check_models(wanted: Sequence[str], known: Collection[str]) -> None:
    for name in wanted:
        if name not in known:
            raise UsageError(f"no model is called {name!r} in the judged files")


def _comparisons(found: Sequence[Results], names: Sequence[str] | None) -> dict[str, Comparison]:
    """Models A and B on every benchmark that both answered. Raises `UsageError` if none."""
    from ifbench_tui.report.results import compare

    if not names:
        return {}
    both = [results for results in found if all(name in results.judged for name in names)]
    if not both:
        raise UsageError(f"no benchmark was answered by both {names[0]!r} and {names[1]!r}")
    return {results.suite.benchmark_id: compare(results, *names) for results in both}


def _failed_gates(boards: Sequence[BoardResult], gates: Sequence[tuple[str, float]]) -> list[str]:
    """A message for each gate and model that failed. Raises `UsageError` on unknown metrics."""
    failed = []
    for name, least in gates:
        holders = [board for board in boards if name in board.metrics]
        if not holders:
            known = dict.fromkeys(metric for board in boards for metric in board.metrics)
            raise UsageError(f"--fail-under: no metric {name!r}; known: {', '.join(known)}")
        for board in holders:
            failed += board.failed(name, least)
    return failed


def _write(workspace: Workspace, boards: Sequence[BoardResult], args: argparse.Namespace) -> None:
    from ifbench_tui.cli._output import write, write_csv, write_tables
    from ifbench_tui.report.json import boards_dict, dumps

    if args.format == "json":
        found = boards_dict(workspace, [board.to_dict() for board in boards])
        write((dumps(found, indented=True), "\n"), args)
    elif args.format == "jsonl":
        write((line for board in boards for line in _lines(board)), args)
    elif args.format == "csv":
        write_csv(_csv_sheet(boards), args)
    else:
        write_tables([sheet for board in boards for sheet in board.sheets], args)


def _lines(board: BoardResult) -> Iterator[str]:
    from ifbench_tui.report.json import dumps

    if board.lines is not None:
        yield from board.lines()
        return
    for model, values in board.models.items():
        yield dumps({"benchmark": board.benchmark, "model": model, **values}) + "\n"


def _csv_sheet(boards: Sequence[BoardResult]) -> Sheet:
    """The one table a CSV holds: the most specific that was asked for."""
    from ifbench_tui.cli._output import one_table

    one_table([board.benchmark for board in boards])
    return boards[0].sheets[boards[0].specific]
