"""A family of battle files: feeds its rows to the columns, listing those that are refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from ifbench_tui.formats.base import Format, Gives, RowReader
from ifbench_tui.formats.battle_columns import BattleColumns, BattleRow
from ifbench_tui.formats.lines import BadRow, Note
from ifbench_tui.formats.records import Problem, Record
from ifbench_tui.formats.source import SourceError
from ifbench_tui.formats.tables import Table

__all__ = ["BattleFormat", "BattleRow"]

_NO_LABELS: Mapping[str, str] = MappingProxyType({})


class BattleFormat(Format):
    """A family of files whose rows are battles, or judgments that stand for some.

    `labels` gives the meaning of winner labels that only this family uses. `cluster` is "question"
    where battles over one question depend on each other. `encoded` says that responses are JSON
    lists. `models_decide` says that a model judged every battle. `notice` is what a person should
    know about every file of the family.
    """

    gives: Gives = "battles"
    columns = ("model_a", "model_b")
    labels: ClassVar[Mapping[str, str]] = _NO_LABELS
    cluster: ClassVar[Literal["question", ""]] = ""
    encoded: ClassVar[bool] = False
    models_decide: ClassVar[bool] = False
    notice: ClassVar[str] = ""

    def is_model(self, judge: str) -> bool:
        """Whether a judge is a model, by its name."""
        return False

    def unfold(self, data: Mapping[str, Any]) -> Iterable[BattleRow | BadRow]:
        """The battles of one row, and why a part of it gives none. Raises `BadRow`."""
        return (data,)

    def reader(self, table: Table) -> RowReader:
        return lambda row: ()

    def read(self, table: Table) -> Iterator[Record]:
        columns = BattleColumns(table, self.labels, self.encoded)
        by_model = None if self.models_decide else self.is_model
        table.needed += columns.names
        if self.notice:
            yield Problem(table.path, None, "notice", self.notice)
        try:
            yield from self._refused(table, columns)
        except SourceError:
            yield columns.block(self.cluster, by_model)
            raise
        yield columns.block(self.cluster, by_model)
        yield from columns.notices()

    def _refused(self, table: Table, columns: BattleColumns) -> Iterator[Record]:
        """Fill the columns, yielding what cannot be taken."""
        path, add = table.path, columns.add
        plain = type(self).unfold is BattleFormat.unfold
        for row in table.read():
            if isinstance(row, Note):
                yield Problem(path, row.line, "broken" if row.broken else "notice", row.reason)
                continue
            line, data = row
            try:
                if plain:
                    add(line, data)
                    continue
                for one in self.unfold(data):
                    if isinstance(one, BadRow):
                        yield Problem(path, line, "broken", str(one))
                    else:
                        add(line, one)
            except BadRow as bad:
                yield Problem(path, line, "broken", str(bad))
