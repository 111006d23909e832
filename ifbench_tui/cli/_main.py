"""Finds the command, runs it, and turns every ending into an exit code."""

from __future__ import annotations

import argparse
import difflib
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import TextIO, cast

from ifbench_tui import __version__
from ifbench_tui.cli._commands import (
    DEFAULT,
    EXIT_CODES,
    PROGRAM,
    command_names,
    load_command,
    parser_for,
)
from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._output import flush, say
from ifbench_tui.errors import IfbenchError

__all__ = ["main"]

_FAULT_SHOWN = 300
_PACKAGE = os.path.dirname(os.path.dirname(__file__))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code, whatever happens in it."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # Python has None where a stream was closed: what is written then goes nowhere.
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
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
    except Exception as error:  # noqa: BLE001 - a fault of the program is named, not dumped
        say(f"{PROGRAM}: {_fault(error)}")
        code = 2
    flush()
    return code


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def _fault(error: Exception) -> str:
    """A fault that nobody foresaw: what and where it is, on a line, for the person to report."""
    frames = traceback.extract_tb(error.__traceback__)
    *_, place = (frame for frame in frames if _PACKAGE in frame.filename)
    said = " ".join(f"{type(error).__name__}: {error}".split())[:_FAULT_SHOWN]
    where = f"{os.path.basename(place.filename)}:{place.lineno}"
    return f"a fault of the program, {said} ({where}); please report it with the command you ran"


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
    _check_inputs(args, command_meant=first not in names)
    return cast(int, args.run(args))


def _check_inputs(args: argparse.Namespace, *, command_meant: bool) -> None:
    """Refuse what is not there before anything is done, so that no gate passes for a slip of the
    pen, no screen is drawn and no call paid. Raises `UsageError`."""
    for argument in ("paths", "file", "reference"):
        named = getattr(args, argument, None) or ()
        for path in (named,) if isinstance(named, str) else named:
            if path != "-" and not os.path.exists(path):
                hint = _command_like(path) if command_meant else ""
                raise UsageError(f"no file or directory is called {path!r}{hint}")
            if path != "-" and not os.access(path, os.R_OK):
                raise UsageError(f"{path} may not be read")


def _command_like(path: str) -> str:
    names = command_names()
    if path in names:
        return "; a command comes before its options"
    near = difflib.get_close_matches(path, names, 1)
    return f"; did you mean the command {near[0]!r}?" if near else ""


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
