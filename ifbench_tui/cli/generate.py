"""Ask a model for responses to prompts, and write them in the shape of their
benchmark, which every other command and the app open.

Rows are told by their fields:
  question_id, turns   MT-Bench: both turns in one conversation, temperature by
                       category or required_temperature; FastChat's model_answer
  uid, prompt          Arena-Hard-Auto v2.0: its model_answer
  instruction          AlpacaEval: its model_outputs, one a line
  prompt               any other, such as IFEval: {key, prompt, response, model}
The temperature is 0 where nothing says otherwise.

FastChat and the app call MT-Bench's answers as their file, so name it
MODEL.jsonl. Every reply is kept in the session at once: after a stop or a crash
run the same command again, and only what is missing is asked. A prompt that got
no reply is left out of the file, never written as empty; the exit code is 1
then. A reply that was cut off, empty or refused is written with its outcome.

example:
  ifbench-tui generate prompts.jsonl --base-url http://localhost:8000/v1 \\
    --model wren -o responses.jsonl"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ifbench_tui.cli._endpoint import add_endpoint, carry_out, tell_written, told, with_settings
from ifbench_tui.cli._options import add_limits, add_output, add_quiet

if TYPE_CHECKING:
    from ifbench_tui.judge.plan import GeneratePlan

SUMMARY = "ask a model for responses to prompts"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PROMPTS", help="files of prompts")
    parser.add_argument("--as-model", metavar="NAME", help="name in the file (default: --model)")
    parser.add_argument("--system", metavar="TEXT", help="system message before every prompt")
    add_endpoint(parser)
    add_output(parser)
    add_quiet(parser)
    add_limits(parser.add_argument_group("reading"))


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._output import emit, say
    from ifbench_tui.judge.plan import work_of
    from ifbench_tui.report.asked import file_of

    args = with_settings(args)
    work = work_of(_plan(args))
    told(work, args)
    results = carry_out(work, args)
    if results is None:
        return 0
    emit(file_of(results, as_list=work.as_list), args.output)
    tell_written(results, args)
    missing = sum(one.row is None for one in results)
    if missing:
        say(f"{missing:,} of {len(results):,} prompts have no response and are left out")
    return 1 if missing else 0


def _plan(args: argparse.Namespace) -> GeneratePlan:
    from ifbench_tui.cli._options import limits_from
    from ifbench_tui.judge.generate import Generating
    from ifbench_tui.judge.plan import GeneratePlan

    name = args.as_model or args.model
    settings = Generating(args.model, name, args.temperature, args.max_tokens, args.system)
    return GeneratePlan(tuple(args.paths), settings, limits_from(args))
