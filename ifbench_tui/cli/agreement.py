"""Set the marks of a session against the verifier: agreement per constraint type, corrected scores.

A false pass is a cell the verifier passes and a person says should fail; a false
fail the other way round. Intervals are Wilson's, kappa is Cohen's. A corrected
score has marked cells as people see them and all others as the verifier does: it
is no estimate for cells nobody marked.

--json writes one object:
  benchmark        id of the benchmark
  annotators       whose marks were counted
  total, by_type   n, agreed, both_pass, both_fail, false_passes, false_fails,
                   unclear, agreement {value, lower, upper}, kappa {n, observed,
                   expected, kappa, se, lower, upper}
  models           per marked model: official and corrected, each
                   {METRIC: {value, lower, upper, n, method}}
  marks_elsewhere  marks on responses that are not loaded
  marks_changed    marks on a text or constraint that is another one now
  also             where several benchmarks were loaded: [{benchmark, …}, …]

--format csv writes the agreement table.

example:
  ifbench-tui agreement prompts.jsonl responses.jsonl --session mine.ifb"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import (
    add_format,
    add_input,
    add_jobs,
    add_look,
    add_output,
    add_quiet,
)

if TYPE_CHECKING:
    from ifbench_tui.report.agreement import Agreement
    from ifbench_tui.store import Event

SUMMARY = "human against verifier: agreement of a session's marks, corrected scores"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--session", metavar="FILE", help="session with marks (default: see dirs)")
    parser.add_argument(
        "--annotator", action="append", metavar="NAME", help="only these marks (repeatable)"
    )
    parser.add_argument("--benchmark", metavar="ID", help="only this benchmark")
    add_format(parser, json="one object")
    add_output(parser)
    add_jobs(parser)
    add_look(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli import _loading
    from ifbench_tui.report.agreement import agreement
    from ifbench_tui.report.results import Results

    marks = _marks(args)
    suites = _loading.chosen_suites(_loading.load_workspace(args), args)
    marked = {mark.subject["model"] for mark in marks}
    models = [[model for model in suite.models if model in marked] for suite in suites]
    scored = {one.suite.benchmark_id: one for one in _loading.score_suites(suites, models, args)}
    found = []
    for suite in suites:
        own = [mark for mark in marks if mark.subject["benchmark"] == suite.benchmark_id]
        results = scored.get(suite.benchmark_id) or Results(suite, {}, {})
        found.append(agreement(results, own))
    _write(found, args)
    return 0


def _marks(args: argparse.Namespace) -> list[Event]:
    """The marks that count. Raises `UsageError` where there is no session."""
    from ifbench_tui.store import Session, default_session_path

    path = Path(args.session) if args.session else default_session_path()
    if not path.exists():
        raise UsageError(
            f"there is no session at {path}: name one with --session; a vote, or a mark in Audit, "
            "starts one"
        )
    with Session.open(path, read_only=True) as session:
        marks = session.state().live("mark").values()
    if args.annotator is None:
        return list(marks)
    known = {mark.annotator for mark in marks}
    for name in args.annotator:
        if name not in known:
            raise UsageError(f"{name!r} marked nothing here; marks are by: {', '.join(known)}")
    return [mark for mark in marks if mark.annotator in args.annotator]


def _write(found: Sequence[Agreement], args: argparse.Namespace) -> None:
    from ifbench_tui.cli._output import one_table, write, write_csv, write_tables
    from ifbench_tui.report.agreement import agreement_sheet, corrected_sheet
    from ifbench_tui.report.json import dumps

    if args.format == "json":
        first, *rest = [one.to_dict() for one in found]
        whole = {**first, **({"also": rest} if rest else {})}
        write((dumps(whole, indented=True), "\n"), args)
    elif args.format == "csv":
        one_table([one.benchmark for one in found])
        write_csv(agreement_sheet(found[0]), args)
    else:
        tables = [make(one) for one in found for make in (agreement_sheet, corrected_sheet)]
        write_tables([table for table in tables if table.rows], args)
