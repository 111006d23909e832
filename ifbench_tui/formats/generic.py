"""Any table of prompts and responses: known column names, or columns a person maps."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ifbench_tui.formats.base import Format, RowReader
from ifbench_tui.formats.fields import key_of
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.records import Problem, ProblemKind, Record, ResponseRow
from ifbench_tui.formats.tables import ALIASES, Table

__all__ = ["Generic", "Mapped", "guess_mapping"]

EVERY_OTHER = "*"
BETWEEN = "|"
NAME_LENGTH = 100


def guess_mapping(table: Table) -> dict[str, str]:
    """What each column probably is: prompt, response, model, key to a column's name."""
    columns = {name.lower(): name for name in reversed(table.columns)}
    mapping: dict[str, str] = {}
    for target, names in ALIASES.items():
        found = next((columns[name] for name in names if name in columns), None)
        if found is not None and (target != "model" or _names_models(table, found)):
            mapping[target] = found
    if "response" not in mapping and mapping.get("prompt", "").lower() == "messages":
        mapping["response"] = mapping["prompt"]
    return mapping


def _names_models(table: Table, column: str) -> bool:
    """Whether values look like names: `system` may as well hold a system prompt."""
    values = [row.data.get(column) for row in table.rows]
    return all(isinstance(one, str) and len(one) <= NAME_LENGTH for one in values)


def _complete(mapping: Mapping[str, str]) -> bool:
    return "response" in mapping and ("prompt" in mapping or "key" in mapping)


def _response_columns(mapping: Mapping[str, str], columns: Sequence[str]) -> tuple[str, ...]:
    """The response columns: one, several joined by "|", or "*" for every other column."""
    wanted = mapping["response"]
    if wanted in columns:
        return (wanted,)
    if wanted == EVERY_OTHER:
        taken = {column for target, column in mapping.items() if target != "response"}
        return tuple(one for one in columns if one not in taken)
    return tuple(wanted.split(BETWEEN))


class _Columns(Format):
    """Reads rows by a mapping of columns."""

    def mapping(self, table: Table) -> dict[str, str]:
        """Known names, overruled by what a person mapped."""
        return {**guess_mapping(table), **table.options.mapping}

    def reader(self, table: Table) -> RowReader:
        mapping = self.mapping(table)
        fallback = table.options.model or model_name(table.path)
        columns = _response_columns(mapping, table.columns)
        wide = len(columns) > 1 or mapping["response"] == EVERY_OTHER
        model = mapping.get("model")

        def read(row: Row) -> Iterable[Record]:
            data = row.data
            key = key_of(data.get(mapping.get("key", "")))
            prompt = _text(data, mapping.get("prompt"), _asked)
            if prompt is None and key is None:
                raise BadRow("the row names no prompt")
            named = data.get(model) if model else None
            name = str(named) if named else fallback
            return [
                ResponseRow(
                    column if wide else name, _text(data, column, _answered), row.line, key, prompt
                )
                for column in columns
            ]

        return read


class Mapped(_Columns):
    """A table whose columns a person mapped."""

    id = "mapped-table"
    title = "table, columns mapped by you"
    order = 0

    def sniff(self, table: Table) -> str | None:
        chosen = table.options.mapping
        if not chosen or not table.rows:
            return None
        mapping = self.mapping(table)
        columns = set(table.columns)
        if not _complete(mapping):
            return None
        used = {*_response_columns(mapping, table.columns)}
        used.update(column for target, column in mapping.items() if target != "response")
        if not used <= columns:
            return None
        pairs = ", ".join(f"{target}={column}" for target, column in mapping.items())
        return f"columns as mapped: {pairs}"


class Generic(_Columns):
    """A table with known column names; others are asked for."""

    id = "table"
    title = "table"
    order = 90

    def sniff(self, table: Table) -> str | None:
        if table.refused:
            return None
        if not table.rows:
            return "the name promises rows, but none can be read"
        mapping = guess_mapping(table)
        if not _complete(mapping):
            return "a table with columns that are not known"
        return "known columns: " + ", ".join(f"{name} as {to}" for to, name in mapping.items())

    def read(self, table: Table) -> Iterator[Record]:
        if not table.rows:
            yield from self._without_rows(table)
            return
        if _complete(guess_mapping(table)):
            yield from super().read(table)
            return
        rows = sum(isinstance(one, Row) or one.broken for one in table.read())
        if rows == 1 and not table.source.named:
            yield Problem(table.path, None, "notice", "is one object, not rows of data: skipped")
            return
        reason, advice = _unmapped(table)
        yield Problem(table.path, None, "broken", reason, advice, rows)

    def _without_rows(self, table: Table) -> Iterator[Record]:
        """Whatever is broken in the file; that it holds nothing where nothing is."""
        empty = True
        for one in super().read(table):
            empty = False
            yield one
        if empty:
            kind: ProblemKind = "broken" if table.source.named else "notice"
            yield Problem(table.path, None, kind, "holds no rows")

    def mapping(self, table: Table) -> dict[str, str]:
        return {"response": "response", **guess_mapping(table)}


def _unmapped(table: Table) -> tuple[str, str]:
    """What is not known about the columns, and the option that says it."""
    columns = table.columns
    guess = guess_mapping(table)
    missing = sorted({*table.options.mapping.values()} - {*columns, EVERY_OTHER})
    missing = [one for one in missing if BETWEEN not in one]
    shown = ", ".join(columns)
    if missing:
        reason = f"the mapping names {', '.join(missing)}, but the columns are: {shown}"
    else:
        unknown = " and ".join(one for one in ("prompt", "response") if one not in guess)
        reason = f"which column is the {unknown} is not known; the columns are: {shown}"
    free = [one for one in columns if one not in guess.values()]
    prompt = guess.get("prompt") or (free.pop(0) if free else "COLUMN")
    response = guess.get("response") or BETWEEN.join(free) or "COLUMN"
    option = shlex.quote(f"prompt={prompt},response={response}")
    several = " (each response column becomes a model)" if BETWEEN in response else ""
    return reason, f"name them: --map {option}{several}"


def _text(
    data: Mapping[str, Any], column: str | None, inside: Callable[[list[Any]], Any]
) -> str | None:
    if column is None:
        return None
    if column not in data:
        raise BadRow(f"the field {column} is missing")
    value = data[column]
    if isinstance(value, list):
        value = inside(value)
    if value is not None and not isinstance(value, str):
        raise BadRow(f"the field {column} is not text")
    return value


def _content(value: Any) -> Any:
    return value.get("content") if isinstance(value, dict) else value


def _asked(values: list[Any]) -> Any:
    """The first user message of a conversation, or the first turn."""
    users = (one for one in values if isinstance(one, dict) and one.get("role") == "user")
    return _content(next(users, values[0] if values else None))


def _answered(values: list[Any]) -> Any:
    """The last assistant message of a conversation, or the only text of a list."""
    said = [one for one in values if isinstance(one, dict) and one.get("role") == "assistant"]
    if said:
        return _content(said[-1])
    if len(values) != 1:
        raise BadRow(f"{len(values)} responses in one row where one is wanted")
    return _content(values[0])
