"""Render what a model is asked: the prompts of a benchmark, one a line.

Templates that rows name by number are read from dataset_meta.json beside them.
Each line is {"id", "prompt"}; id is the row's own, a number stays a number.

example:
  ifbench-tui prompts test.json -o prompts.jsonl"""

from __future__ import annotations

import argparse

from ifbench_tui.cli._options import add_input, add_output, add_quiet

SUMMARY = "render what a model is asked, JSON lines"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--benchmark", metavar="ID", help="only this benchmark")
    add_output(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._loading import load_workspace, only_suite
    from ifbench_tui.cli._output import write
    from ifbench_tui.report.json import dumps
    from ifbench_tui.report.results import original_key

    suite = only_suite(load_workspace(args), args)
    lines = ({"id": original_key(prompt), "prompt": prompt.text} for prompt in suite.prompts)
    write((dumps(line) + "\n" for line in lines), args)
    return 0
