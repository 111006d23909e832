"""JSON lines in, one answer each, as they arrive: what the commands that do so share."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from ifbench_tui.cli._errors import UsageError

if TYPE_CHECKING:
    from ifbench_tui.formats.limits import Limits
    from ifbench_tui.formats.lines import JsonReader, Line

__all__ = ["BadInput", "add_lines_input", "answer_lines"]

_CHUNK = 1 << 16


class BadInput(Exception):  # noqa: N818 - an outcome of reading a line
    """A line that cannot be used."""


def add_lines_input(parser: argparse.ArgumentParser) -> None:
    """The file to read, standard input by default, and bounds on it."""
    from ifbench_tui.cli._options import add_limits

    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="JSON lines (default: -)"
    )
    add_limits(parser.add_argument_group("reading"))


def answer_lines(
    args: argparse.Namespace,
    answer: Callable[[dict[str, Any]], dict[str, Any]],
    refused: Callable[[Any, str], dict[str, Any]],
) -> int:
    """Write `answer(row)` for every object, flushed as it is done; `refused(id, reason)` where
    the line, or `answer` by `BadInput`, says it cannot be used. Returns the exit code."""
    from ifbench_tui.cli._options import limits_from
    from ifbench_tui.cli._output import emit
    from ifbench_tui.formats.lines import BadRow, JsonReader, lines
    from ifbench_tui.report.json import dumps

    limits = limits_from(args)
    reader = JsonReader(limits)
    code = 0
    for line in lines(_chunks(args.file, limits), limits.line_bytes):
        identity = None
        try:
            row = _row(reader, line, limits)
            if row is None:
                continue
            identity = row.get("id")
            found = answer(row)
        except (BadRow, BadInput) as bad:
            code = 2
            found = refused(identity, f"line {line.number}: {bad}")
        if not emit((dumps(found), "\n")):
            break
    return code


def _chunks(path: str, limits: Limits) -> Iterator[bytes]:
    """The input as it arrives: a line is answered before the next one is waited for. Raises
    `UsageError` where it cannot be read, or not further."""
    from ifbench_tui.formats.source import Source, SourceError

    if path == "-":
        stdin = cast(io.BufferedReader, sys.stdin.buffer)
        yield from iter(lambda: stdin.read1(_CHUNK), b"")
        return
    try:
        yield from Source(path, limits).chunks()
    except SourceError as error:
        raise UsageError(": ".join(filter(None, (path, str(error), error.advice)))) from error


def _row(reader: JsonReader, line: Line, limits: Limits) -> dict[str, Any] | None:
    """The object on a line, None for a blank one. Raises `BadRow` or `BadInput`."""
    from ifbench_tui.formats.lines import BOM, decode

    if line.data is None:
        raise BadInput(f"longer than the limit line_bytes ({limits.line_bytes:,})")
    reader.odd.clear()
    data = line.data.removeprefix(BOM) if line.number == 1 else line.data
    objects = reader.objects(decode(data, reader.odd))
    if len(objects) > 1:
        raise BadInput(f"{len(objects)} objects stand on this line; write one a line")
    return objects[0] if objects else None
