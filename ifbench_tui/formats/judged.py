"""What judged benchmarks' files have in common: rows that are values of the engine's own types."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.formats.base import Format, Gives, RowReader
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.records import JudgedRow, Problem, Record
from ifbench_tui.formats.tables import Table

__all__ = ["JudgedFormat", "Leaderboard", "Question", "integer", "name_of", "optional_text", "real"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of MT-Bench or Arena-Hard: its id, category and turns."""

    benchmark: str
    key: str
    category: str
    turns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A line of a published leaderboard: numbers by column, for comparison only."""

    model: str
    values: Mapping[str, float]


class JudgedFormat(Format):
    """A family whose rows each become one value. Subclasses say which columns tell it and how.

    A family that is also read as battles (`also_battles`) is only recognised where the caller wants
    boards.
    """

    gives: Gives = "judged"
    also_battles = False

    def sniff(self, table: Table) -> str | None:
        if self.also_battles and not table.options.judged:
            return None
        found = bool(table.rows) and table.has(*self.columns) and self.fits(table)
        return f"rows have {', '.join(self.columns)}" if found else None

    def fits(self, table: Table) -> bool:
        """What else must hold for the content to be of this family."""
        return True

    @abstractmethod
    def value(self, data: Mapping[str, Any], table: Table) -> object:
        """The engine's value of a row. Raises `BadRow`."""

    def remarks(self, value: Any) -> Iterable[str]:
        """What a person should know about a row that is used."""
        return ()

    def reader(self, table: Table) -> RowReader:
        def read(row: Row) -> Iterable[Record]:
            value = self.value(row.data, table)
            yield JudgedRow(value, row.line)
            for reason in self.remarks(value):
                yield Problem(table.path, row.line, "notice", reason)

        return read


def name_of(data: Mapping[str, Any], name: str) -> str:
    """A field that must be a text with something in it. Raises `BadRow`."""
    value = data.get(name)
    if isinstance(value, str) and value.strip():
        return value
    raise BadRow(f"the field {name} names nothing: {value!r:.40}")


def optional_text(value: Any) -> str | None:
    """A text, or None for anything else."""
    return value if isinstance(value, str) else None


def real(value: Any, name: str) -> float | None:
    """A finite number, also as a table writes it; None for null or nothing. Raises `BadRow`."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise BadRow(f"the field {name} is not a number: {value!r:.40}") from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadRow(f"the field {name} is not a number: {value!r:.40}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise BadRow(f"the field {name} is not a finite number")
    return number


def integer(value: Any, name: str) -> int | None:
    """A whole number; None for null or nothing. Raises `BadRow`."""
    number = real(value, name)
    if number is not None and not number.is_integer():
        raise BadRow(f"the field {name} is not a whole number: {value!r:.40}")
    return None if number is None else int(number)
