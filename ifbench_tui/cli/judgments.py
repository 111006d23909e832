"""List the judgments behind a model's numbers, or read one with its conversation.

Questions, answers and reference answers among the PATHs are joined to the
judgments of MT-Bench and Arena-Hard. With --question the conversation is
printed turn by turn, then each text of the judge with its verdict: painted on
a terminal, and listed as LINE:COLUMN below. Reasoning traces and the judge's
prompts are folded unless --full.

--json writes one object:
  benchmark, model, record (the numbers in words)
  judgments  [{benchmark, question, category, turn, judge, template, model,
             other, score, outcome (won, lost, tie or null), states,
             games [{game, shown, stored, outcome, parsed, span, flags,
             disagrees}], path, line}, …]; `other` and `outcome` are null for a
             rating, `span` are characters of the judge's text; with --question
             also sections [{kind, title, text, marks [{start, end, role,
             note}]}]
--jsonl writes the judgments alone, one a line.

Fields may be added to all in later versions; none is removed or changed.

example:
  ifbench-tui judgments gpt-4_single.jsonl question.jsonl model_answer \\
    --model vicuna-13b --question 81"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import (
    add_format,
    add_input,
    add_look,
    add_output,
    add_quiet,
    limits_from,
    load_options,
)

if TYPE_CHECKING:
    from ifbench_tui.report.judgments.listing import Judgment
    from ifbench_tui.report.judgments.sections import Section
    from ifbench_tui.workspace import Workspace

SUMMARY = "list the judgments behind a model's numbers, or read one"

STATES = ("disagree", "unparsed", "inconsistent", "lost", "won")
"""As `report.judgments.listing` has them; named here so that help costs no imports."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--model", metavar="M", help="the model (needed where there are several)")
    parser.add_argument(
        "--benchmark", metavar="ID", help="alpaca_eval, mt_bench or arena_hard, where several are"
    )
    parser.add_argument("--question", metavar="Q", help="read the judgments on this question")
    parser.add_argument("--turn", type=int, choices=(1, 2), help="only this turn")
    parser.add_argument("--judge", metavar="NAME", help="only this judge")
    parser.add_argument("--only", choices=STATES, help="only judgments that are so")
    parser.add_argument("--category", metavar="NAME", help="only this category")
    parser.add_argument(
        "--full", action="store_true", help="with reasoning traces and the judge's prompts"
    )
    add_format(parser, json="one object", jsonl="a line per judgment")
    add_output(parser)
    add_look(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._loading import load_workspace
    from ifbench_tui.report.judgments.listing import Wanted, chosen, judgments_of

    workspace = load_workspace(args, replace(load_options(args), judged=True))
    benchmark, model = _which(workspace, args)
    found = judgments_of(workspace.judged, benchmark, model)
    listed = [
        one
        for one in chosen(found, Wanted(args.only or "", args.category or ""))
        if args.turn in (None, one.turn) and args.judge in (None, one.judge)
    ]
    if args.question is not None:
        listed = [one for one in listed if one.question == args.question]
        if not listed:
            known = list(dict.fromkeys(one.question for one in found))
            near = ", ".join(difflib.get_close_matches(args.question, known, 3) or known[:3])
            raise UsageError(
                f"{model} has no such judgment on the question {args.question!r}; "
                f"there are, for example, {near}"
            )
    _write(workspace, benchmark, model, listed, args)
    return 0


def _which(workspace: Workspace, args: argparse.Namespace) -> tuple[str, str]:
    """The benchmark and the model asked for, else the only ones. Raises `UsageError`."""
    from ifbench_tui.report.judgments.listing import BENCHMARKS, judged_models

    models = {name: judged_models(workspace.judged, name) for name in BENCHMARKS}
    there = [name for name in BENCHMARKS if models[name]]
    if not there:
        raise UsageError("no judgments were loaded; name a file of annotations or judgments")
    wanted = [args.benchmark] if args.benchmark else there
    if args.benchmark not in (None, *there):
        raise UsageError(
            f"no judgments of {args.benchmark!r} were loaded (loaded: {', '.join(there)})"
        )
    if args.model is None:
        if len(wanted) == 1 and len(models[wanted[0]]) == 1:
            return wanted[0], models[wanted[0]][0]
        known = dict.fromkeys(one for name in wanted for one in models[name])
        raise UsageError(f"--model is needed; judged: {', '.join(list(known)[:20])}")
    holders = [name for name in wanted if args.model in models[name]]
    if not holders:
        known = dict.fromkeys(one for name in wanted for one in models[name])
        near = difflib.get_close_matches(args.model, known, 3, 0.4) or list(known)[:20]
        raise UsageError(f"no model is called {args.model!r}; judged: {', '.join(near)}")
    if len(holders) > 1:
        raise UsageError(
            f"{args.model} was judged in several benchmarks: choose one of "
            f"{', '.join(holders)} with --benchmark"
        )
    return holders[0], args.model


def _write(
    workspace: Workspace,
    benchmark: str,
    model: str,
    listed: Sequence[Judgment],
    args: argparse.Namespace,
) -> None:
    from ifbench_tui.cli._output import print_rich, write, write_csv, write_tables
    from ifbench_tui.report.json import dumps
    from ifbench_tui.report.judgments.lines import judgment_sheet, judgment_text
    from ifbench_tui.report.judgments.listing import record

    read = _documents(workspace, benchmark, listed, args)
    if args.format == "json":
        found = {
            "benchmark": benchmark,
            "model": model,
            "record": ", ".join(record(listed)),
            "judgments": [_entry(*one) for one in read],
        }
        write((dumps(found, indented=True), "\n"), args)
    elif args.format == "jsonl":
        write((dumps(_entry(*one)) + "\n" for one in read), args)
    elif args.question is not None and args.format == "table":
        parts = (part for one, sections in read for part in judgment_text(one, sections or ()))
        print_rich(parts, args, args.output)
    elif args.format == "csv":
        write_csv(judgment_sheet(listed, model), args)
    else:
        write_tables([judgment_sheet(listed, model)], args)


def _entry(judgment: Judgment, sections: list[Section] | None) -> dict[str, Any]:
    found = judgment.to_dict()
    return found if sections is None else found | {"sections": [one.to_dict() for one in sections]}


def _documents(
    workspace: Workspace, benchmark: str, listed: Sequence[Judgment], args: argparse.Namespace
) -> Iterator[tuple[Judgment, list[Section] | None]]:
    """Each judgment, with its document where one question is read."""
    if args.question is None:
        yield from ((one, None) for one in listed)
        return
    from ifbench_tui.report.judgments.text import Texts, document, raw_row

    texts = Texts.of(workspace.judged, benchmark)
    for one in listed:
        raw = raw_row(one, limits_from(args))
        yield one, document(one, texts, raw, full=args.full or args.format != "table")
