"""Responses as IFEval and M-IFEval write them: prompt or key, and response."""

from __future__ import annotations

from collections.abc import Iterable

from ifbench_tui.formats.base import Format, RowReader
from ifbench_tui.formats.fields import key_of, model_of, nullable_text, text_of
from ifbench_tui.formats.lines import Row
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.records import Record, ResponseRow
from ifbench_tui.formats.tables import Table

__all__ = ["IFEvalResponses"]


class IFEvalResponses(Format):
    """One response a row."""

    id = "ifeval-responses"
    title = "responses"
    order = 60

    def sniff(self, table: Table) -> str | None:
        values = (row.data.get(name) for row in table.rows for name in ("prompt", "response"))
        if not table.has("response") or any(isinstance(value, list) for value in values):
            return None  # a conversation is read as a table
        names = [name for name in ("key", "prompt") if table.has(name)]
        return f"rows have {', '.join([*names, 'response'])}" if names else None

    def reader(self, table: Table) -> RowReader:
        fallback = table.options.model or model_name(table.path)

        def read(row: Row) -> Iterable[Record]:
            data = row.data
            key = key_of(data.get("key"))
            prompt = data.get("prompt")
            if prompt is not None or key is None:
                prompt = text_of(data, "prompt")
            model = model_of(data, fallback)
            return (ResponseRow(model, nullable_text(data, "response"), row.line, key, prompt),)

        return read
