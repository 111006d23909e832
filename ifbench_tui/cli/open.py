"""Open files and directories in the app. This is what no command at all means.

Standard input may carry data (PATH -); keys are then read from the terminal
itself. Without a terminal the numbers come from: ifbench-tui score PATH…"""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Sequence
from pathlib import Path

from ifbench_tui.cli._commands import command_names
from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_app, add_input, load_options

SUMMARY = "open files in the app (what no command means)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, required=False)
    parser.add_argument(
        "--session", metavar="FILE", help="session with marks and notes (default: see dirs)"
    )
    parser.add_argument(
        "--read-only", action="store_true", help="open the session without changing it"
    )
    add_app(parser)


def run(args: argparse.Namespace) -> int:
    check_paths(args.paths)
    from ifbench_tui.cli._terminal import start_app
    from ifbench_tui.config import load_config

    if args.think is None:
        # Headless numbers must not hang on a person's settings; what the app shows may.
        args.think = load_config(Path(args.config) if args.config else None).settings.think
    return start_app(
        args.paths, load_options(args), args, session=args.session, read_only=args.read_only
    )


def check_paths(paths: Sequence[str]) -> None:
    """Refuse what cannot be opened before a screen is drawn. Raises `UsageError`."""
    for path in paths:
        if path == "-" or os.path.exists(path):
            continue
        names = command_names()
        if path in names:
            raise UsageError(f"no file is called {path!r}; a command comes before its options")
        near = difflib.get_close_matches(path, names, 1)
        hint = f"; did you mean the command {near[0]!r}?" if near else ""
        raise UsageError(f"no file or directory is called {path!r}{hint}")
