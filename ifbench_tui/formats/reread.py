"""One row of a file once more: for what is looked at rarely and would be heavy to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ifbench_tui.formats.limits import Limits, LoadOptions
from ifbench_tui.formats.lines import Row
from ifbench_tui.formats.opening import open_table
from ifbench_tui.formats.source import Source, SourceError

__all__ = ["reread"]


def reread(
    path: str,
    line: int,
    same: Callable[[Mapping[str, Any]], bool],
    *,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Mapping[str, Any] | None:
    """The row that begins on a line and that `same` recognises; None where it is not there (any
    more), or the input cannot be read twice.

    The files are read as for a load, up to that line. Raises `SourceError`, `LoadCancelled`.
    """
    limits = limits or Limits()
    source = Source(path, limits, cancelled=cancelled)
    if not source.rereadable:
        return None
    try:
        for row in open_table(source, LoadOptions(limits=limits)).read():
            if row.line > line:
                return None
            if isinstance(row, Row) and row.line == line and same(row.data):
                return row.data
    except SourceError as error:
        raise SourceError(f"{path}: {error}", error.advice) from error
    return None
