"""Finds the command, runs it, and turns every ending into an exit code."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import cast

from ifbench_tui import __version__
from ifbench_tui.cli._commands import (
    DEFAULT,
    EXIT_CODES,
    PROGRAM,
    command_names,
    load_command,
    parser_for,
)
from ifbench_tui.cli._output import flush, say
from ifbench_tui.errors import IfbenchError

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code. Never raises."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
    except SystemExit as stop:
        code = cast(int, stop.code)
    except KeyboardInterrupt:
        say("interrupted")
        code = 130
    except IfbenchError as error:
        say(f"{PROGRAM}: {error}")
        code = 2
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"{PROGRAM}: {where}{error.strerror or error}")
        code = 2
    flush()
    return code


def _run(arguments: list[str]) -> int:
    names = command_names()
    first = arguments[0] if arguments else ""
    if first in ("-h", "--help", "help"):
        print(_overview(names))
        return 0
    if first in ("-V", "--version"):
        print(f"{PROGRAM} {__version__}")
        return 0
    if first in names:
        parser, rest = parser_for(first), arguments[1:]
    else:
        parser, rest = parser_for(DEFAULT), arguments
    args = parser.parse_intermixed_args(rest)
    return cast(int, args.run(args))


def _overview(names: Sequence[str]) -> str:
    commands = "\n".join(f"  {name:<12} {load_command(name).SUMMARY}" for name in names)
    return f"""\
usage: {PROGRAM} [PATH ...]            open files and directories in the app
       {PROGRAM} COMMAND [OPTION ...]  run one command; COMMAND --help explains it

Audit instruction-following verdicts, in a terminal or headless.

commands:
{commands}

Data goes to standard output, talk to standard error; a PATH of - is standard input.
A file named like a command is opened as ./NAME.

{EXIT_CODES}"""
