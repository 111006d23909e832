"""Check a benchmark's own rows before a model sees them.

A row may carry a witness: an answer that meets all its requirements. Each is
scored like a model's answer. Reported are
  witness   a witness that fails, or a requirement that cannot be checked
  key       a row whose scoring key cannot be read; it would be in no figure
  conflict  requirements no text can meet together: bounds on one count that
            exclude each other, a word wanted and forbidden, a forbidden letter
            in a wanted word; and a row whose text says other numbers than its
            key, or has not a line for each requirement. Only certain ones are
            reported
The exit code is 1 where something was found.

--json writes {"benchmark", "rows", "witnesses", "problems": [{"kind", "path",
"line", "key", "type", "reason"}, …]}; path and line are null but for a key.

example:
  ifbench-tui validate test.json shots.json"""

from __future__ import annotations

import argparse

from ifbench_tui.cli._options import add_input, add_look, add_output, add_quiet

SUMMARY = "check a benchmark's rows: witnesses, keys, contradictions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--benchmark", metavar="ID", help="only this benchmark")
    parser.add_argument("--json", action="store_true", help="one object")
    add_output(parser)
    add_look(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._loading import load_workspace, only_suite
    from ifbench_tui.cli._output import glyphs_for, print_rich, say, write
    from ifbench_tui.report.json import dumps
    from ifbench_tui.report.table import to_table
    from ifbench_tui.report.validation import validate

    workspace = load_workspace(args)
    found = validate(workspace, only_suite(workspace, args))
    if args.json:
        write((dumps(found.to_dict(), indented=True), "\n"), args)
    else:
        print_rich([to_table(found.sheet(), glyphs_for(args))], args, args.output)
        if not args.quiet:
            say(found.words())
    return 1 if found.faults else 0
