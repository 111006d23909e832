"""Export verdicts for other programs and other people.

--as says what is written:
  ifeval-results  eval_results_strict.jsonl and eval_results_loose.jsonl as the
                  reference writes them, per model a folder below the one named
                  with -o
  csv             a row per model, prompt and constraint; no cell can start a formula
  jsonl           the lines of score --jsonl
  md              scores, breakdowns, constraints not followed, rows not used
  html            one self-contained page with every response and its evidence

In csv, md and html, control and invisible characters of a response are drawn as
visible signs; jsonl and ifeval-results keep them, escaped.

example:
  ifbench-tui export prompts.jsonl responses.jsonl --as html -o report.html"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import (
    add_input,
    add_jobs,
    add_look,
    add_models,
    add_output,
    add_quiet,
)

if TYPE_CHECKING:
    from ifbench_tui.report.results import Results

SUMMARY = "write verdicts: official results, CSV, JSONL, Markdown, HTML"

FORMATS = ("ifeval-results", "csv", "jsonl", "md", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--as", dest="format", choices=FORMATS, required=True, help="see below")
    add_models(parser)
    add_output(parser, "FILE|DIR")
    add_jobs(parser)
    add_look(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli import _loading
    from ifbench_tui.cli._output import glyphs_for, one_table, write, write_csv
    from ifbench_tui.report.html import html_report
    from ifbench_tui.report.json import verdict_lines
    from ifbench_tui.report.markdown import markdown_report
    from ifbench_tui.report.sheets import verdicts

    if args.format == "ifeval-results" and args.output in (None, "-"):
        raise UsageError("--as ifeval-results writes two files per model: name a folder with -o")
    workspace = _loading.load_workspace(args)
    suites = _loading.chosen_suites(workspace, args)
    found = _loading.score_suites(suites, _loading.chosen_models(suites, args.models), args)
    if args.format == "ifeval-results":
        _write_results(found, Path(args.output), args)
    elif args.format == "csv":
        one_table([results.suite.benchmark_id for results in found])
        write_csv(verdicts(found[0]), args)
    elif args.format == "jsonl":
        write(verdict_lines(found), args)
    elif args.format == "md":
        write(markdown_report(workspace, found, glyphs_for(args)), args)
    else:
        write(html_report(workspace, found, glyphs_for(args)), args)
    return 0


def _write_results(found: Sequence[Results], folder: Path, args: argparse.Namespace) -> None:
    from ifbench_tui.cli._output import say, write_file
    from ifbench_tui.report.official import ifeval_result_lines

    taken: set[str] = set()
    for results in found:
        for model in results.judged:
            name = _folder_name(model, taken)
            (folder / name).mkdir(parents=True, exist_ok=True)
            for mode in ("strict", "loose"):
                path = folder / name / f"eval_results_{mode}.jsonl"
                write_file(path, ifeval_result_lines(results, model, loose=mode == "loose"))
                if not args.quiet:
                    say(f"wrote {path}")


def _folder_name(model: str, taken: set[str]) -> str:
    """A folder name for a model: the slash of its organisation becomes two underscores."""
    name = re.sub(r"[^\w.+-]", "_", model.replace("/", "__")).strip(".") or "model"
    while name.lower() in taken:
        name += "_"
    taken.add(name.lower())
    return name
