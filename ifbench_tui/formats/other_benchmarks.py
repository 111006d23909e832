"""Prompts of benchmarks that are not supported yet, told apart from IFEval's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ifbench_tui.formats.base import Format, Gives, RowReader
from ifbench_tui.formats.fields import constraint_ids, ifeval_families
from ifbench_tui.formats.ifeval_prompts import families
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.records import Problem, Record
from ifbench_tui.formats.tables import Table

__all__ = ["OtherBenchmark", "OtherLanguage"]

LANGUAGE = re.compile(r"[a-z]{2}")
LETTER = re.compile(r"[^\W\d_]")
CYRILLIC = re.compile(r"[\u0400-\u04ff]")


class _NotYet(Format):
    """Recognised, but refused as a whole, in one message that counts the rows."""

    gives: Gives = "prompts"

    def reader(self, table: Table) -> RowReader:
        return lambda row: ()

    def read(self, table: Table) -> Iterator[Record]:
        rows = sum(isinstance(one, Row) or one.broken for one in table.read())
        reason = f"not supported yet: {self.sniff(table)}"
        yield Problem(table.path, None, "broken", reason, "open English IFEval prompts", rows)


class OtherLanguage(_NotYet):
    """IFEval in another language: M-IFEval by the ids' mark, Russian by its script."""

    id = "ifeval-other-language"
    title = "IFEval in another language"
    order = 5

    def sniff(self, table: Table) -> str | None:
        if not table.has("prompt", "instruction_id_list"):
            return None
        marks = sorted(one for one in families(table) - {"en"} if LANGUAGE.fullmatch(one))
        if marks:
            return f"M-IFEval prompts with constraint ids marked {', '.join(marks)}"
        text = "".join(str(row.data.get("prompt")) for row in table.rows)
        if 2 * len(CYRILLIC.findall(text)) > len(LETTER.findall(text)) > 0:
            return "IFEval prompts written in Cyrillic (Russian IFEval)"
        return None


class OtherBenchmark(_NotYet):
    """Prompts with constraint ids of another benchmark, such as IFBench."""

    id = "other-benchmark"
    title = "another benchmark"
    order = 40

    def sniff(self, table: Table) -> str | None:
        found = families(table)
        if not table.has("prompt", "instruction_id_list") or found & ifeval_families():
            return None
        return f"prompts of another benchmark, with constraint ids such as {_example(table)}"


def _example(table: Table) -> str:
    ids: list[str] = []
    for row in islice(table.rows, 3):
        try:
            ids += constraint_ids(row.data)
        except BadRow:
            continue
    return ", ".join(dict.fromkeys(ids[:3])) or "none"
