"""What is recognised and refused: the last resort that always has an answer."""

from __future__ import annotations

from collections.abc import Iterator

from ifbench_tui.formats.base import Format, RowReader
from ifbench_tui.formats.records import Problem, Record
from ifbench_tui.formats.refusals import BINARY
from ifbench_tui.formats.tables import Table

__all__ = ["Unsupported"]


class Unsupported(Format):
    """Says what the content is and what to do with it."""

    id = "unsupported"
    title = "not readable"
    order = 100

    def sniff(self, table: Table) -> str | None:
        return (table.refused or BINARY).reason

    def reader(self, table: Table) -> RowReader:
        return lambda row: ()

    def read(self, table: Table) -> Iterator[Record]:
        refused = table.refused or BINARY
        if refused.data or table.source.named:
            yield Problem(table.path, None, "broken", refused.reason, refused.advice)
        else:
            yield Problem(table.path, None, "notice", f"{refused.reason}: skipped")
