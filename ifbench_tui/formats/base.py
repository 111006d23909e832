"""What a file format is to the rest of the house, and how the formats are found."""

from __future__ import annotations

import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from inspect import isabstract, isclass
from typing import Literal

from ifbench_tui.formats.lines import BadRow, Note, Row
from ifbench_tui.formats.records import Problem, Record
from ifbench_tui.formats.tables import Table

__all__ = ["PROMPTS_FIRST", "Format", "Gives", "RowReader", "formats", "recognise"]

RowReader = Callable[[Row], Iterable[Record]]
"""Turns a row into records. Raises `BadRow`."""

Gives = Literal["prompts", "aliases", "both", "responses", "battles", "judged"]

PROMPTS_FIRST: dict[Gives, int] = {
    "prompts": 0,
    "aliases": 1,
    "both": 2,
    "responses": 3,
    "battles": 4,
    "judged": 5,
}


class Format(ABC):
    """One family of files. A module of this folder adds one by defining a subclass.

    A concrete subclass is enough: it is found by itself. `order` decides who is asked first, the
    most particular at 0. `gives` decides what is read first: responses are joined to prompts.
    `columns` are names that all tables of the family have: together they tell a header from prose
    where no file name does.
    """

    id: str
    title: str
    order: int = 50
    gives: Gives = "responses"
    columns: tuple[str, ...] = ()

    @abstractmethod
    def sniff(self, table: Table) -> str | None:
        """Why the content is of this family, in words for the user; None where it is not."""

    @abstractmethod
    def reader(self, table: Table) -> RowReader:
        """A fresh reader of one file's rows."""

    def read(self, table: Table) -> Iterator[Record]:
        """All records of a file in order. Every row gives at least one record.

        Raises what `Source.chunks` raises.
        """
        read_row = self.reader(table)
        path = table.path
        for row in table.read():
            if isinstance(row, Note):
                yield Problem(path, row.line, "broken" if row.broken else "notice", row.reason)
                continue
            try:
                yield from read_row(row)
            except BadRow as bad:
                yield Problem(path, row.line, "broken", str(bad))


@cache
def formats() -> tuple[Format, ...]:
    """All formats of this folder, the most particular first."""
    import ifbench_tui.formats as package

    names = [
        f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)
    ]
    found = [
        kind()
        for name in names
        for kind in vars(import_module(name)).values()
        if isclass(kind) and issubclass(kind, Format) and not isabstract(kind)
        if kind.__module__ == name
    ]
    return tuple(sorted(found, key=lambda one: one.order))


def recognise(table: Table) -> tuple[Format, str]:
    """The format of a file and why. There always is one: at worst the one that refuses."""
    for one in formats():
        if why := one.sniff(table):
            return one, why
    raise AssertionError("the unsupported format takes every file")
