"""Rows that models were asked for, as the file that every door opens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ifbench_tui.judge.run import Result
from ifbench_tui.report.json import dumps

__all__ = ["file_of"]


def file_of(results: Sequence[Result], *, as_list: bool) -> Iterator[str]:
    """JSON Lines, or one JSON array with a row a line; results without a row are left out."""
    rows = [dumps(one.row) for one in results if one.row is not None]
    if as_list:
        yield "[\n" + ",\n".join(rows) + "\n]\n"
    else:
        yield from (row + "\n" for row in rows)
