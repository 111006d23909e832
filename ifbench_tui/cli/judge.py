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
are named by their files. The templates are ours; --templates loads MT-Bench's
own (judge_prompts.jsonl).

Every reply is kept in the session at once, so a run that was stopped, even
killed, goes on where it was: run the same command again. The same call is never
paid for twice. The key is taken from IFBENCH_API_KEY, OPENAI_API_KEY or
--key-file, and is written nowhere.

Each row has its outcome: ok, truncated, empty, refused, no_logprobs, no_verdict,
bad_json, too_large, timeout, connect, stream_cut or http_STATUS. All but ok have
the reference's value for a missing verdict (-1, error, null), never a tie.
Exit code 1: the file was written, but some verdicts are missing.

example:
  ifbench-tui judge question.jsonl model_answer/ --protocol mt-single \\
    --base-url http://localhost:8000/v1 --model judge -o judge_single.jsonl"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from ifbench_tui.cli._endpoint import COMPLETE, add_endpoint, carry_out
from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_limits, add_output, add_quiet

if TYPE_CHECKING:
    from ifbench_tui.judge.protocol import Judging
    from ifbench_tui.judge.run import Result, Task
    from ifbench_tui.judge.templates import TemplateSet

SUMMARY = "ask a judge model for verdicts"

_PROTOCOLS = ("mt-single", "mt-pair", "alpaca-eval", "arena-v2", "arena-v0.1")
_PROBLEMS_SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="questions and answers")
    parser.add_argument("--protocol", choices=_PROTOCOLS, required=True, help="see above")
    parser.add_argument(
        "--reference", action="append", metavar="PATH", help="MT-Bench: reference answers"
    )
    parser.add_argument("--templates", metavar="FILE", help="MT-Bench: judge_prompts.jsonl")
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
    add_endpoint(parser)
    add_output(parser)
    add_quiet(parser)
    add_limits(parser.add_argument_group("reading"))


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._output import emit

    judging = _judging(args)
    tasks = _tasks(args.protocol)(judging)
    if not tasks:
        raise UsageError("nothing to judge: no question has the answers that are needed")
    results = carry_out(tasks, args)
    if results is None:
        return 0
    emit(_written(results, as_list=args.protocol == "alpaca-eval"), args.output)
    return 0 if all(set(one.outcomes) <= COMPLETE for one in results) else 1


def _tasks(protocol: str) -> Callable[[Judging], list[Task]]:
    from ifbench_tui.judge.alpaca_eval import alpaca_tasks
    from ifbench_tui.judge.arena_hard import arena_v01_tasks, arena_v2_tasks
    from ifbench_tui.judge.mt_bench import pair_tasks, single_tasks

    made = (single_tasks, pair_tasks, alpaca_tasks, arena_v2_tasks, arena_v01_tasks)
    return dict(zip(_PROTOCOLS, made, strict=True))[protocol]


def _judging(args: argparse.Namespace) -> Judging:
    from ifbench_tui.cli._options import limits_from
    from ifbench_tui.judge.own_templates import MT_BENCH
    from ifbench_tui.judge.protocol import Judging
    from ifbench_tui.judge.questions import read_material

    limits = limits_from(args)
    material = read_material(args.paths, limits)
    given = read_material(args.reference, limits) if args.reference else None
    _tell(material.problems + (given.problems if given else []), args)
    references = (
        {}
        if given is None
        else {key: turns for one in given.answers.values() for key, turns in one.items()}
    )
    judging = Judging(
        args.model,
        material,
        tuple(args.models) if args.models else None,
        args.baseline,
        references,
        _templates(args.templates) if args.templates else MT_BENCH,
        args.temperature,
        args.max_tokens,
        args.think == "strip",
    )
    _warn(judging, args)
    return judging


def _tell(problems: Sequence[str], args: argparse.Namespace) -> None:
    from ifbench_tui.cli._output import say

    if args.quiet:
        return
    for line in problems[:_PROBLEMS_SHOWN]:
        say(f"not used: {line}")
    if len(problems) > _PROBLEMS_SHOWN:
        say(f"not used: {len(problems) - _PROBLEMS_SHOWN:,} more rows or files")


def _templates(path: str) -> TemplateSet:
    from ifbench_tui.formats.mt_bench_inputs import JudgePrompt
    from ifbench_tui.judge.errors import TemplateError
    from ifbench_tui.judge.templates import template_set
    from ifbench_tui.workspace import LoadError, LoadOptions, load

    try:
        files = load([path], LoadOptions(judged=True)).judged
    except LoadError as error:
        raise TemplateError(str(error)) from error
    return template_set(one for file in files for one in file.of(JudgePrompt))


def _warn(judging: Judging, args: argparse.Namespace) -> None:
    from ifbench_tui.cli._output import say
    from ifbench_tui.judge.mt_bench import unguided

    if args.protocol.startswith("mt-") and not args.quiet and (missing := unguided(judging)):
        say(
            f"{missing} questions of math, reasoning or coding are judged without a reference "
            "answer: give reference answers with --reference"
        )


def _written(results: Sequence[Result], *, as_list: bool) -> Iterator[str]:
    """JSON Lines, or one JSON array with a row a line."""
    from ifbench_tui.report.json import dumps

    rows = [dumps(one.row) for one in results if one.row is not None]
    if as_list:
        yield "[\n" + ",\n".join(rows) + "\n]\n"
    else:
        yield from (row + "\n" for row in rows)
