"""The official eval_results_strict.jsonl and eval_results_loose.jsonl: read and written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence

from ifbench_tui.formats.base import Format, RowReader
from ifbench_tui.formats.fields import bools, key_of, model_of, nullable_text, text_of
from ifbench_tui.formats.lines import Row
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.records import Problem, Record, Recorded, ResponseRow
from ifbench_tui.formats.tables import Table

__all__ = ["IFEvalResults", "result_lines"]


class IFEvalResults(Format):
    """Responses with the verdicts someone recorded, strict or loose as the file's name says."""

    id = "ifeval-results"
    title = "IFEval results"
    order = 10

    def sniff(self, table: Table) -> str | None:
        if not table.has("prompt", "response", "follow_instruction_list"):
            return None
        mode = "loose" if _is_loose(table.path) else "strict"
        return f"rows have response and follow_instruction_list; {mode} by the file's name"

    def reader(self, table: Table) -> RowReader:
        path = table.path
        loose = _is_loose(path)
        name = table.options.model or model_name(path)

        def read(row: Row) -> Iterable[Record]:
            data = row.data
            verdicts = bools(data.get("follow_instruction_list"))
            if verdicts is None:
                reason = "follow_instruction_list is not a list of true and false: ignored"
                yield Problem(path, row.line, "notice", reason)
            recorded = verdicts and (Recorded(None, verdicts) if loose else Recorded(verdicts))
            response = nullable_text(data, "response")
            prompt = text_of(data, "prompt")
            model = model_of(data, name)
            key = key_of(data.get("key"))
            yield ResponseRow(model, response, row.line, key, prompt, recorded or None)

        return read


def _is_loose(path: str) -> bool:
    return "loose" in os.path.basename(path).lower()


def result_lines(
    rows: Iterable[tuple[str, str | None, Sequence[str], Sequence[bool]]],
) -> Iterator[str]:
    """Lines of an official results file from (prompt, response, instruction ids, verdicts).

    Keys are in alphabetical order and everything beyond ASCII is escaped, as the reference does.
    """
    for prompt, response, ids, follows in rows:
        fields = {
            "follow_all_instructions": all(follows),
            "follow_instruction_list": list(follows),
            "instruction_id_list": list(ids),
            "prompt": prompt,
            "response": response,
        }
        yield json.dumps(fields) + "\n"
