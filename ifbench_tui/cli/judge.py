"""Ask a judge model for verdicts, and write them as the benchmark's own judgment
file, which score reads.

protocols:
  mt-single    MT-Bench: a rating of each turn; math, reasoning and coding with a
               reference answer where --reference gives one
  mt-pair      MT-Bench: two games with swapped sides, against --baseline, or all
               pairs of models
  alpaca-eval  AlpacaEval: preference from the log probabilities of one token;
               without them from the text, marked "method": "discrete"
  arena-v2     Arena-Hard-Auto v2.0: two games, five labels
  arena-v0.1   Arena-Hard-Auto v0.1: the same, asked once more without a label

PATHs are the questions and answers in the benchmark's files; MT-Bench's answers
are named by their files. The templates are ours; --templates loads the file of
the protocol's benchmark: MT-Bench's judge_prompts.jsonl, AlpacaEval's prompt of a
weighted annotator (.txt), Arena-Hard-Auto's configuration (.yaml).

Every reply is kept in the session at once, so a run that was stopped, even
killed, goes on where it was: run the same command again. The same call is never
paid for twice. The key is taken from --key-file, IFBENCH_API_KEY or
OPENAI_API_KEY, else the file that the config file names, and is written nowhere.

Each row has its outcome: ok, truncated, empty, refused, no_logprobs, no_verdict,
bad_json, too_large, timeout, connect, stream_cut or http_STATUS. All but ok have
the reference's value for a missing verdict (-1, error, null), never a tie.
Exit code 1: the file was written, but some verdicts are missing.

example:
  ifbench-tui judge question.jsonl model_answer/ --protocol mt-single \\
    --base-url http://localhost:8000/v1 --model judge -o judge_single.jsonl"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ifbench_tui.cli._endpoint import add_endpoint, carry_out, tell_written, told, with_settings
from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_limits, add_output, add_quiet

if TYPE_CHECKING:
    from ifbench_tui.judge.plan import JudgePlan

SUMMARY = "ask a judge model for verdicts"

_PROTOCOLS = ("mt-single", "mt-pair", "alpaca-eval", "arena-v2", "arena-v0.1")
"""As `judge.plan` has them; named here so that help costs no imports."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="questions and answers")
    parser.add_argument("--protocol", choices=_PROTOCOLS, required=True, help="see above")
    parser.add_argument(
        "--reference", action="append", metavar="PATH", help="MT-Bench: reference answers"
    )
    parser.add_argument("--templates", metavar="FILE", help="the benchmark's own templates")
    parser.add_argument(
        "--judged-model",
        dest="models",
        action="append",
        metavar="NAME",
        help="only the answers of this model (repeatable)",
    )
    parser.add_argument("--baseline", metavar="NAME", help="the model the others are held against")
    parser.add_argument(
        "--think",
        choices=("keep", "strip"),
        default="keep",
        help="read reasoning traces in the judge's text too, or only what follows (default: keep)",
    )
    add_endpoint(parser, model="the model to ask (also: judge_model in the config file)")
    add_output(parser)
    add_quiet(parser)
    add_limits(parser.add_argument_group("reading"))


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._output import emit
    from ifbench_tui.judge.plan import work_of
    from ifbench_tui.report.asked import file_of

    args = with_settings(args)
    if not args.model:
        raise UsageError("no model to ask: name one with --model, or judge_model in the config")
    work = work_of(_plan(args))
    told(work, args, notice="; give reference answers with --reference")
    results = carry_out(work, args)
    if results is None:
        return 0
    emit(file_of(results, as_list=work.as_list), args.output)
    tell_written(results, args)
    return 0 if all(one.complete for one in results) else 1


def _plan(args: argparse.Namespace) -> JudgePlan:
    from ifbench_tui.cli._options import limits_from
    from ifbench_tui.judge.plan import JudgePlan

    return JudgePlan(
        args.protocol,
        tuple(args.paths),
        args.model,
        tuple(args.reference or ()),
        args.templates,
        tuple(args.models) if args.models else None,
        args.baseline,
        args.temperature,
        args.max_tokens,
        args.think == "strip",
        limits_from(args),
    )
