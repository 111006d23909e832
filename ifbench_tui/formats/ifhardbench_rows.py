"""IFHardBench rows (`test.json`, `shots.json`, or a row a line) and their templates."""

from __future__ import annotations

from collections.abc import Iterable

from ifbench_tui.formats.base import Format, Gives, RowReader
from ifbench_tui.formats.ifhardbench_fields import Templates, is_row, prompt_row, rows_in
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.records import Problem, Record
from ifbench_tui.formats.tables import Table

__all__ = ["IFHardBenchMeta", "IFHardBenchRows"]


class IFHardBenchRows(Format):
    """Writing tasks with their requirements; a witness in `outputs` is kept with its prompt."""

    id = "ifhardbench-rows"
    title = "IFHardBench rows"
    order = 12
    gives: Gives = "prompts"

    def sniff(self, table: Table) -> str | None:
        rows = [one for row in table.rows for one in rows_in(row.data)]
        fitting = sum(map(is_row, rows))
        if not fitting or 2 * fitting <= len(rows):
            return None
        return "rows have instruction, inputs and meta, as IFHardBench has"

    def reader(self, table: Table) -> RowReader:
        path = table.path
        templates = Templates(table)

        def read(row: Row) -> Iterable[Record]:
            several = isinstance(row.data.get("data"), list)
            for number, one in enumerate(rows_in(row.data), 1):
                # The rows of one object have no lines of their own: they are told by number.
                line = number if several else row.line
                try:
                    prompt, notes = prompt_row(one, line, path, templates)
                except BadRow as bad:
                    reason = f"row {number}: {bad}" if several else str(bad)
                    yield Problem(path, None if several else line, "broken", reason)
                    continue
                yield from notes
                yield prompt

        return read


class IFHardBenchMeta(Format):
    """The templates that rows name by number: read together with the rows beside them."""

    id = "ifhardbench-meta"
    title = "IFHardBench templates"
    order = 28
    gives: Gives = "prompts"

    def sniff(self, table: Table) -> str | None:
        if len(table.rows) != 1 or not table.has("dataset_name", "prompts"):
            return None
        prompts = table.rows[0].data["prompts"]
        texts = isinstance(prompts, list) and all(isinstance(one, str) for one in prompts)
        return (
            f"one object with dataset_name and {len(prompts)} prompt templates" if texts else None
        )

    def reader(self, table: Table) -> RowReader:
        reason = "prompt templates: used for the rows in the same folder"
        return lambda row: (Problem(table.path, row.line, "notice", reason),)
