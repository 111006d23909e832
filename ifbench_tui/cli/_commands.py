"""What a command is, and the commands there are.

A command is a module of this package whose name does not start with an underscore. Its docstring
is its help: the first paragraph says what it does, the rest follows the options.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from pathlib import Path
from typing import Protocol, cast

__all__ = ["DEFAULT", "PROGRAM", "Command", "command_names", "load_command", "parser_for"]

PROGRAM = "ifbench-tui"
DEFAULT = "open"
"""The command meant when none is named."""

EXIT_CODES = """\
exit codes:
  0    done
  1    a gate failed (--fail-under), or not everything asked for could be had (see the command)
  2    bad usage, bad data, or a fault of the program
  130  interrupted"""


class Command(Protocol):
    """The interface of a command module."""

    __doc__: str | None
    SUMMARY: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def command_names() -> tuple[str, ...]:
    """All commands in alphabetical order."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return tuple(sorted(module.name for module in found if not module.name.startswith("_")))


def load_command(name: str) -> Command:
    """The module of a command that `command_names` lists."""
    return cast(Command, importlib.import_module(f"{__package__}.{name}"))


def parser_for(name: str) -> argparse.ArgumentParser:
    """The argument parser of one command."""
    command = load_command(name)
    description, _, details = (command.__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog=f"{PROGRAM} {name}",
        description=description,
        epilog="\n\n".join(filter(None, (details.strip("\n"), EXIT_CODES))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    parser.set_defaults(run=command.run)
    return parser
