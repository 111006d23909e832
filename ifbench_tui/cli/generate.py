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

from ifbench_tui.cli._endpoint import add_endpoint, carry_out
from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_limits, add_output, add_quiet

if TYPE_CHECKING:
    from ifbench_tui.judge.generate import Asked

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
    from ifbench_tui.judge.generate import Generating, generate_tasks
    from ifbench_tui.report.json import dumps

    settings = Generating(
        args.model, args.as_model or args.model, args.temperature, args.max_tokens, args.system
    )
    tasks = generate_tasks(_asked(args), settings)
    results = carry_out(tasks, args)
    if results is None:
        return 0
    rows = [one.row for one in results if one.row is not None]
    emit((dumps(row) + "\n" for row in rows), args.output)
    missing = len(results) - len(rows)
    if missing:
        say(f"{missing:,} of {len(results):,} prompts have no response and are left out")
    return 1 if missing else 0


def _asked(args: argparse.Namespace) -> list[Asked]:
    """The prompts of all files, those that stand twice once. Raises `UsageError`."""
    from ifbench_tui.cli._options import limits_from
    from ifbench_tui.cli._output import say
    from ifbench_tui.judge.generate import asked
    from ifbench_tui.judge.questions import read_rows

    problems: list[str] = []
    found: dict[tuple[str, tuple[str, ...]], Asked] = {}
    for path, line, row in read_rows(args.paths, problems, limits_from(args)):
        one = asked(row)
        if one is None:
            problems.append(f"{path}:{line}: the row has no prompt")
        elif (one.name, one.turns) in found:
            problems.append(f"{path}:{line}: the prompt stands twice")
        else:
            found[one.name, one.turns] = one
    if not found:
        raise UsageError("; ".join(problems[:3]) or "there are no prompts in the files")
    if not args.quiet:
        for problem in problems[:10]:
            say(f"not used: {problem}")
        if len(problems) > 10:
            say(f"not used: {len(problems) - 10:,} more rows or files")
    return list(found.values())
