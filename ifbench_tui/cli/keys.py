"""List every key of the app as your keymap has it, and the id a keymap names it
by.

A keymap is the table [keys] of the config file (see dirs): "audit.mark" =
"x,m". The exit code is 2 where the config file has a fault, or where two actions
claim one key.

--json writes a list of objects:
  id      what a keymap names the action by
  keys    its keys as your keymap has them, commas between them
  method  what it calls in the app
  title, help   what it does, in a few words and in a sentence
  group   heading it is listed under
  hint    its word in the footer, "" where it has none
  rank    its place in the footer, lower first
  scope   where the key works"""

from __future__ import annotations

import argparse

from ifbench_tui.cli._options import add_look

SUMMARY = "list the keys of the app"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="a list of objects")
    add_look(parser)


def run(args: argparse.Namespace) -> int:
    import dataclasses
    import json

    from ifbench_tui.cli._output import emit, glyphs_for, print_rich, say
    from ifbench_tui.config import load_config
    from ifbench_tui.report.sheets import Column, Sheet
    from ifbench_tui.report.table import to_table
    from ifbench_tui.tui.actions import ACTION_IDS, clashes, key_words, remapped

    config = load_config(actions=ACTION_IDS)
    actions = remapped(config.keymap)
    problems = [*config.problems, *clashes(actions)]
    for problem in problems:
        say(str(problem))
    code = 2 if problems else 0
    if args.json:
        rows = [{**dataclasses.asdict(action), "scope": action.scope} for action in actions]
        emit((json.dumps(rows, indent=2), "\n"))
        return code
    columns = tuple(Column(name, name) for name in ("keys", "id", "group", "what it does"))
    sheet = Sheet(
        "Keys",
        columns,
        tuple((key_words(one.keys), one.id, one.group, one.help) for one in actions),
    )
    print_rich([to_table(sheet, glyphs_for(args))], args)
    return code
