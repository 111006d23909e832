"""AlpacaEval's annotations and outputs, and the compact rows derived from annotations."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.engine.judged.rows import Annotation, outputs_swapped
from ifbench_tui.formats.base import RowReader
from ifbench_tui.formats.fields import text_of
from ifbench_tui.formats.judged import JudgedFormat, integer, name_of, optional_text, real
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.records import Problem, Record
from ifbench_tui.formats.tables import Table

__all__ = ["BASELINE", "AlpacaAnnotations", "AlpacaCompact", "AlpacaOutput", "AlpacaOutputs"]

BASELINE = "gpt4_1106_preview"
SUBSETS = frozenset({"selfinstruct", "oasst", "koala", "helpful_base", "vicuna"})


@dataclass(frozen=True, slots=True)
class AlpacaOutput:
    """A model's response to one instruction; its length is in code points."""

    model: str
    instruction: str
    length: int


class _Annotations(JudgedFormat):
    """Rows with a preference."""

    def remarks(self, value: Annotation) -> Iterable[str]:
        preference = value.preference
        if preference is None:
            yield "the preference is null: in no win rate and no fit"
        elif preference != 0 and not 1 <= preference <= 2:
            yield "the preference is outside 1 to 2: in no win rate and no fit"


class AlpacaAnnotations(_Annotations):
    """`annotations.json`: one object per judged instruction."""

    id = "alpaca-annotations"
    title = "AlpacaEval annotations"
    order = 20
    columns = ("instruction", "output_1", "output_2", "preference")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        instruction = text_of(data, "instruction")
        outputs = text_of(data, "output_1"), text_of(data, "output_2")
        same = outputs[0] == outputs[1]
        model = optional_text(data.get("generator_2"))
        return Annotation(
            model or table.options.model or model_name(table.path),
            optional_text(data.get("generator_1")) or BASELINE,
            real(data.get("preference"), "preference"),
            len(outputs[0]),
            len(outputs[1]),
            same,
            instruction,
            optional_text(data.get("dataset")),
            integer(data.get("index"), "index"),
            swapped=None if same else outputs_swapped(instruction),
            annotator=sys.intern(optional_text(data.get("annotator")) or "") or None,
        )

    def reader(self, table: Table) -> RowReader:
        """A row that repeats another in all that counts is a duplicate."""
        seen: set[tuple[str, ...]] = set()
        read = super().reader(table)

        def unrepeated(row: Row) -> Iterable[Record]:
            names = (*self.columns, "generator_1", "generator_2")
            identity = tuple(repr(row.data.get(name)) for name in names)
            if identity in seen:
                reason = "the same as an earlier row, which counts"
                return [Problem(table.path, row.line, "duplicate", reason)]
            seen.add(identity)
            return read(row)

        return unrepeated


class AlpacaCompact(_Annotations):
    """Annotations reduced to preference and lengths, one object a line."""

    id = "alpaca-compact"
    title = "AlpacaEval annotations, compact"
    order = 21
    columns = ("preference", "len_output_1", "len_output_2")

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        swapped = data.get("swapped")
        return Annotation(
            table.options.model or model_name(table.path),
            BASELINE,
            real(data.get("preference"), "preference"),
            _length(data, "len_output_1"),
            _length(data, "len_output_2"),
            data.get("same_output") is True,
            dataset=optional_text(data.get("dataset")),
            index=integer(data.get("index"), "index"),
            instruction_index=integer(data.get("instruction_index"), "instruction_index"),
            difficulty=real(data.get("instruction_difficulty"), "instruction_difficulty"),
            swapped=swapped if isinstance(swapped, bool) else None,
        )


def _length(data: Mapping[str, Any], name: str) -> int:
    length = integer(data.get(name), name)
    if length is None or length < 0:
        raise BadRow(f"the field {name} is not a length")
    return length


class AlpacaOutputs(JudgedFormat):
    """`model_outputs.json`: told from any other table of responses by its five subsets."""

    id = "alpaca-outputs"
    title = "AlpacaEval model outputs"
    order = 22
    columns = ("instruction", "output", "generator", "dataset")

    def fits(self, table: Table) -> bool:
        return all(optional_text(row.data.get("dataset")) in SUBSETS for row in table.rows)

    def value(self, data: Mapping[str, Any], table: Table) -> object:
        instruction, output = text_of(data, "instruction"), text_of(data, "output")
        return AlpacaOutput(name_of(data, "generator"), instruction, len(output))
