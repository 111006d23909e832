"""Open files and directories in the app. This is what no command at all means.

Standard input may carry data (PATH -); keys are then read from the terminal
itself. Without a terminal the numbers come from: ifbench-tui score PATH…"""

from __future__ import annotations

import argparse
from pathlib import Path

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
    from ifbench_tui.cli._terminal import start_app
    from ifbench_tui.config import load_config

    if args.think is None:
        # Headless numbers must not hang on a person's settings; what the app shows may.
        args.think = load_config(Path(args.config) if args.config else None).settings.think
    return start_app(
        args.paths, load_options(args), args, session=args.session, read_only=args.read_only
    )
