"""IFEval prompts: official, as the hub pads them, and English ones of M-IFEval."""

from __future__ import annotations

from collections.abc import Iterable

from ifbench_tui.formats.base import Format, Gives, RowReader
from ifbench_tui.formats.fields import (
    constraint_ids,
    ifeval_families,
    ifeval_prompt,
    model_of,
    nullable_text,
)
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.records import Record, ResponseRow
from ifbench_tui.formats.tables import Table

__all__ = ["IFEvalPrompts", "families"]


def families(table: Table) -> set[str]:
    """The families (text before the colon) of the sample's constraint ids."""
    found: set[str] = set()
    for row in table.rows:
        try:
            found.update(one.partition(":")[0] for one in constraint_ids(row.data))
        except BadRow:
            continue
    return found


class IFEvalPrompts(Format):
    """Prompts with their constraints; a response in the same row is read too."""

    id = "ifeval-prompts"
    title = "IFEval prompts"
    order = 20
    gives: Gives = "prompts"

    def sniff(self, table: Table) -> str | None:
        if not table.has("prompt", "instruction_id_list"):
            return None
        known = families(table)
        if known and not known & ifeval_families():
            return None
        padded = any(
            isinstance(one, dict) and None in one.values()
            for row in table.rows
            if isinstance(kwargs := row.data.get("kwargs"), list)
            for one in kwargs
        )
        also = "; unused kwargs are null, as on the hub" if padded else ""
        return f"rows have prompt and instruction_id_list with IFEval types{also}"

    def reader(self, table: Table) -> RowReader:
        path = table.path
        name = table.options.model or model_name(path)

        def read(row: Row) -> Iterable[Record]:
            prompt, notes = ifeval_prompt(row, path)
            if "response" not in row.data:
                return (*notes, prompt)
            response = ResponseRow(
                model_of(row.data, name),
                nullable_text(row.data, "response"),
                row.line,
                prompt.prompt.key or None,
                prompt.prompt.text,
                carried=prompt,
            )
            return (*notes, response)

        return read
