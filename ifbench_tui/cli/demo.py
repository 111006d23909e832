"""Open the sample data in the app, on a session that is thrown away.

The sample data was written for this program: small, and with every state worth
seeing."""

from __future__ import annotations

import argparse
import shlex
import shutil
from pathlib import Path

from ifbench_tui.cli._commands import PROGRAM
from ifbench_tui.cli._errors import UsageError
from ifbench_tui.cli._options import add_app, add_quiet
from ifbench_tui.cli._output import emit, say
from ifbench_tui.resources import sample_data_folder

SUMMARY = "open the sample data on a throw-away session"

_FIRST = ("ifeval", "ifhardbench")
"""Folders that come first in the Library, which shows as many files as the screen has room for:
these have prompts to audit."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="list the sample files")
    what.add_argument("--copy", metavar="DIR", help="write the sample files into a folder")
    add_app(parser)
    add_quiet(parser)


def run(args: argparse.Namespace) -> int:
    folder = sample_data_folder()
    if args.list:
        emit(f"{path}\n" for path in _files(folder))
        return 0
    if args.copy is not None:
        return _copy(folder, Path(args.copy), args.quiet)
    from ifbench_tui.cli._terminal import start_app
    from ifbench_tui.workspace import LoadOptions

    paths = [str(folder / name) for name in (*_FIRST, "")]
    return start_app(paths, LoadOptions(), args, throwaway=True)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _copy(folder: Path, target: Path, quiet: bool) -> int:
    files = _files(folder)
    taken = [there for path in files if (there := target / path.relative_to(folder)).exists()]
    if taken:
        raise UsageError(f"{taken[0]} exists already: choose another folder")
    for path in files:
        there = target / path.relative_to(folder)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, there)
        if not quiet:
            say(f"wrote {there}")
    if not quiet:
        say(f"open them with: {PROGRAM} open {shlex.quote(str(target))}")
    return 0
