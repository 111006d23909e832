"""IFHardBench submissions: `{"data": {"test": [{"outputs": …, "meta": {"id": …}}, …]}}`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ifbench_tui.engine.ifhardbench import BENCHMARK_ID
from ifbench_tui.formats.base import Format, RowReader
from ifbench_tui.formats.fields import key_of, nullable_text
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.records import Problem, Record, ResponseRow
from ifbench_tui.formats.source import STDIN
from ifbench_tui.formats.tables import Table

__all__ = ["IFHardBenchSubmission", "submission"]

SUFFIX = ".submission"


def _entries(data: Mapping[str, Any]) -> Iterator[Any]:
    """The answers of every split, in order."""
    splits = data.get("data")
    for entries in splits.values() if isinstance(splits, dict) else ():
        if isinstance(entries, list):
            yield from entries


def _is_entry(entry: Any) -> bool:
    return isinstance(entry, dict) and "outputs" in entry and isinstance(entry.get("meta"), dict)


class IFHardBenchSubmission(Format):
    """One model's answers by row id."""

    id = "ifhardbench-submission"
    title = "IFHardBench submission"
    order = 12

    def sniff(self, table: Table) -> str | None:
        entries = [entry for row in table.rows for entry in _entries(row.data)]
        fitting = sum(map(_is_entry, entries))
        if not fitting or 2 * fitting <= len(entries):
            return None
        return "data holds splits of outputs with meta.id, as an IFHardBench submission does"

    def reader(self, table: Table) -> RowReader:
        path = table.path
        model = table.options.model or _model(path)

        def read(row: Row) -> Iterable[Record]:
            for number, entry in enumerate(_entries(row.data), 1):
                try:
                    answer = _answer(entry, model, number)
                except BadRow as bad:
                    yield Problem(path, None, "broken", f"answer {number}: {bad}")
                    continue
                if answer.response is not None and not answer.response.strip():
                    yield Problem(path, number, "notice", "the answer is empty: it fails")
                yield answer

        return read


def _answer(entry: Any, model: str, number: int) -> ResponseRow:
    """One answer. Raises `BadRow`."""
    if not _is_entry(entry):
        raise BadRow("an answer must be an object with outputs and meta")
    key = key_of(entry["meta"].get("id"))
    if key is None:
        raise BadRow("the answer has no meta.id")
    return ResponseRow(model, nullable_text(entry, "outputs"), number, key, benchmark=BENCHMARK_ID)


def _model(path: str) -> str:
    """The file's name, or the folder's where the file is called as the upload wants it."""
    name = model_name(path).removesuffix(SUFFIX)
    if name.lower() != BENCHMARK_ID or path == STDIN:
        return name
    return os.path.basename(os.path.dirname(os.path.abspath(path))) or name


def submission(answers: Iterable[tuple[Any, str | None]]) -> str:
    """The text of `IFHardBench.json` from (row id, answer); a null answer becomes empty."""
    entries = [{"outputs": answer or "", "meta": {"id": key}} for key, answer in answers]
    return json.dumps({"data": {"test": entries}}, ensure_ascii=False, indent=1) + "\n"
