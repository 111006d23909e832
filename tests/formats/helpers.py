"""Small files for the tests of reading."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ifbench_tui.formats import LoadOptions, Source, SourceError, open_table, recognise
from ifbench_tui.formats.records import Problem, Record, ResponseRow

__all__ = ["broken", "jsonl", "notices", "prompt", "read", "responses_of", "write_rows"]


def jsonl(rows: Iterable[Any]) -> bytes:
    """JSON Lines of the rows."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def write_rows(path: Path, rows: Iterable[Any]) -> str:
    """Write JSON Lines, making the folder, and give the path as text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(jsonl(rows))
    return str(path)


def prompt(key: int | str, text: str, **kwargs: Any) -> dict[str, Any]:
    """An IFEval prompt with one constraint."""
    type_id = "length_constraints:number_words" if kwargs else "punctuation:no_comma"
    return {"key": key, "prompt": text, "instruction_id_list": [type_id], "kwargs": [kwargs]}


def read(path: Path | str, options: LoadOptions | None = None) -> tuple[str, list[Record]]:
    """The id of the format found and all records; what stops reading is the last, broken."""
    options = options or LoadOptions()
    records: list[Record] = []
    name = "unreadable"
    try:
        table = open_table(Source(str(path), options.limits), options)
        found, why = recognise(table)
        assert why
        name = found.id
        records.extend(found.read(table))
    except SourceError as error:
        records.append(Problem(str(path), None, "broken", str(error), error.advice))
    return name, records


def responses_of(records: Iterable[Record]) -> list[str | None]:
    """The responses among records, in order."""
    return [one.response for one in records if isinstance(one, ResponseRow)]


def broken(records: Iterable[Record]) -> list[Problem]:
    """The broken rows among records."""
    return [one for one in records if isinstance(one, Problem) and one.kind == "broken"]


def notices(records: Iterable[Record]) -> list[Problem]:
    """The notices among records."""
    return [one for one in records if isinstance(one, Problem) and one.kind == "notice"]
