"""Alias files: earlier wordings of a prompt by its key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ifbench_tui.formats.base import Format, Gives, RowReader
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.records import AliasRow, Record
from ifbench_tui.formats.tables import ALIASES, Table

__all__ = ["PromptAliases"]


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


class PromptAliases(Format):
    """One object: prompt key to a list of texts."""

    id = "prompt-aliases"
    title = "prompt aliases"
    order = 30
    gives: Gives = "aliases"

    def sniff(self, table: Table) -> str | None:
        fields = {name for names in ALIASES.values() for name in names}
        if len(table.rows) != 1 or not table.columns or fields & set(table.columns):
            return None
        if not all(map(_texts, table.rows[0].data.values())):
            return None
        return "one object that gives lists of texts by key"

    def reader(self, table: Table) -> RowReader:
        def read(row: Row) -> Iterable[Record]:
            for key, texts in row.data.items():
                if not _texts(texts):
                    raise BadRow(f"the aliases of {key} are not a list of texts")
                yield AliasRow(key, tuple(texts), row.line)

        return read
