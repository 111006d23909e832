"""Data on standard output or in a file, talk on standard error."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ifbench_tui.cli._errors import UsageError
from ifbench_tui.files import write_file

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from ifbench_tui.report.glyphs import Glyphs
    from ifbench_tui.report.sheets import Sheet

__all__ = [
    "emit",
    "flush",
    "glyphs_for",
    "one_table",
    "print_rich",
    "say",
    "stderr_is_terminal",
    "terminal_width",
    "write",
    "write_csv",
    "write_file",
    "write_tables",
]

_PIPED_WIDTH = 1000
"""Columns of a table that no terminal bounds: wide enough never to wrap."""


def say(message: str) -> None:
    """Talk to the person, on standard error; what came from files is made visible first."""
    # What a terminal draws as it stands needs nothing imported.
    if not (message.isascii() and message.isprintable()):
        from ifbench_tui.report.visible import visible

        message = visible(message)
    # Nobody may be listening, which is no reason to fail.
    with contextlib.suppress(OSError):
        print(message, file=sys.stderr, flush=True)


def stderr_is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def emit(chunks: Iterable[str], output: str | None = None) -> bool:
    """Write text to the file named, whole or not at all, or to standard output.

    Returns False when the reader of standard output is gone, which is not an error.
    """
    if output is not None and output != "-":
        write_file(Path(output), chunks)
        return True
    try:
        for chunk in chunks:
            sys.stdout.write(chunk)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_stdout()
        return False
    return True


def write(chunks: Iterable[str], args: argparse.Namespace) -> bool:
    """`emit` to where -o says, and tell what file was written unless --quiet."""
    there = emit(chunks, args.output)
    if args.output not in (None, "-") and not args.quiet:
        say(f"wrote {args.output}")
    return there


def flush() -> None:
    """Flush standard output quietly at the end of the program."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_stdout()


def _discard_stdout() -> None:
    """Let what is still buffered go nowhere, or the interpreter would complain at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def glyphs_for(args: argparse.Namespace) -> Glyphs:
    """Signs that the person asked for and the stream can carry."""
    from ifbench_tui.report.glyphs import ASCII, UNICODE

    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    plain = args.ascii or not encoding.startswith("utf")
    return ASCII if plain else UNICODE


def terminal_width(output: str | None = None) -> int | None:
    """Columns of the terminal the data goes to; None where it goes elsewhere."""
    if output not in (None, "-") or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def print_rich(
    renderables: Iterable[RenderableType], args: argparse.Namespace, output: str | None = None
) -> bool:
    """Print tables and styled text, as `write` does where there is an `output`: colour only on a
    terminal that wants it."""
    import io

    from rich.console import Console
    from rich.text import Text

    terminal = (output is None or output == "-") and sys.stdout.isatty()
    colour = terminal and not args.no_color and not os.environ.get("NO_COLOR")
    buffer = io.StringIO()
    console: Console = Console(
        file=buffer,
        force_terminal=colour and os.environ.get("TERM") != "dumb",
        no_color=not colour,
        width=None if terminal else _PIPED_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for renderable in renderables:
        # Only a terminal has an edge at which running text must be wrapped.
        console.print(renderable, soft_wrap=not terminal and isinstance(renderable, Text))
    lines = buffer.getvalue().splitlines(keepends=True)
    plain = (line.rstrip() + "\n" for line in lines)
    return emit(plain) if output is None else write(plain, args)


def one_table(benchmarks: Sequence[str]) -> None:
    """Raises `UsageError` where a CSV would have to hold the tables of several benchmarks."""
    if len(benchmarks) > 1:
        names = ", ".join(benchmarks)
        raise UsageError(f"a CSV holds one table: choose one of {names} with --benchmark")


def write_csv(sheet: Sheet, args: argparse.Namespace) -> None:
    """One table as CSV."""
    from ifbench_tui.report.csv import to_csv

    write(to_csv(sheet), args)


def write_tables(
    sheets: Sequence[Sheet], args: argparse.Namespace, notes: Iterable[str] = ()
) -> None:
    """Tables as Markdown for --format md, else drawn; notes follow, a line each."""
    glyphs = glyphs_for(args)
    if args.format == "md":
        from ifbench_tui.report.markdown import to_list, to_markdown

        lines = [line for sheet in sheets for line in to_markdown(sheet, glyphs)]
        write([*lines, *to_list(notes)], args)
        return
    from rich.text import Text

    from ifbench_tui.report.table import to_table
    from ifbench_tui.report.visible import drawn_line

    drawn = [to_table(sheet, glyphs) for sheet in sheets]
    print_rich([*drawn, *(Text(drawn_line(note)) for note in notes)], args, args.output)
