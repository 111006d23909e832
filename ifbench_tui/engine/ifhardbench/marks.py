"""format: a CSV line, a Markdown table, bold words."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from ifbench_tui.engine.ifhardbench.checks import Check, failed, found, place
from ifbench_tui.engine.ifhardbench.counts import clamp, counted, exactly, figure, quantity
from ifbench_tui.engine.ifhardbench.params import fail, sift
from ifbench_tui.engine.ifhardbench.registry import constraint_type
from ifbench_tui.engine.ifhardbench.text import EDGE, Pair, Text, core, fold, stripped, word_count
from ifbench_tui.engine.ifhardbench.vocabulary import listed
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["BoldWords", "CsvLine", "MarkdownTable"]

_LONGEST_FIELD = 131_072
"""The length from which Python's CSV reader refuses a field, unless a program has changed that."""


def _record(line: str) -> list[str] | None:
    """The fields of one CSV record; None where the line is not one."""
    try:
        records = list(csv.reader([line], skipinitialspace=True))
    except csv.Error:
        return None
    if len(records) != 1 or max(map(len, records[0]), default=0) > _LONGEST_FIELD:
        return None
    return records[0]


@constraint_type("format:csv_line")
class CsvLine(Check):
    """One CSV record, exactly one of its fields with a comma inside."""

    def look(self, text: Text) -> Measure:
        line, whole = text.body, stripped(text.source)
        if "\n" in line or '"' not in line:
            what = "more than one line" if "\n" in line else "no quotation marks"
            return failed(what, lambda: [Span(*whole, "offends", what)])
        fields = _record(line)
        if fields is None:
            return failed("not a CSV record", lambda: [Span(*whole, "offends", "not CSV")])
        bound = exactly(self.params.integer("fields"))
        blank = {number for number, field in enumerate(fields, 1) if not field.strip()}
        inside = {number for number, field in enumerate(fields, 1) if "," in field}

        def locate() -> Iterator[Span]:
            for number, pair in enumerate(_field_spans(text.source, *whole), 1):
                note = f"field {number}"
                if number in blank:
                    note += ", blank"
                elif number in inside:
                    note += ", with a comma inside"
                bad = number in blank or (len(inside) != 1 and number in inside)
                yield Span(*pair, "offends" if bad else "counts", note)

        said = quantity(len(fields), "field")
        measure = counted(len(fields), bound, "field", locate)
        if bound.distance(len(fields)) < 0:
            return measure
        if blank:
            return failed(f"{said}, the {place(min(blank))} is blank", locate)
        if len(inside) != 1:
            return failed(f"{said}, {len(inside):,} with a comma inside", locate)
        return measure

    def wanted(self) -> str:
        fields = quantity(self.params.integer("fields"), "field")
        return f"one CSV line of {fields}, exactly one with a comma inside quotation marks"


def _field_spans(source: str, start: int, end: int) -> Iterator[Pair]:
    """Where the fields of a CSV line are, quotation marks included."""
    begin = at = start
    while at < end:
        while at < end and source[at] == " ":
            begin = at = at + 1
        while at < end and source[at] == '"':
            at = source.find('"', at + 1, end) + 1 or end
        comma = source.find(",", at, end)
        yield begin, end if comma < 0 else comma
        if comma < 0:
            return
        begin = at = comma + 1
    yield begin, end


_SEPARATOR = re.compile(r":?-{3,}:?")


def _cells(text: str, start: int, end: int) -> list[Pair]:
    """The cells between the outer pipes of a table row, without outer white space."""
    cells = []
    at = start + 1
    last = max(end - 1, at)
    while True:
        pipe = text.find("|", at, last)
        cells.append(stripped(text, at, last if pipe < 0 else pipe))
        if pipe < 0:
            return cells
        at = pipe + 1


@constraint_type("format:markdown_table")
class MarkdownTable(Check):
    """A Markdown table of so many rows and columns, and nothing else."""

    def look(self, text: Text) -> Measure:
        lines, source = text.lines, text.source
        bound = exactly(self.params.integer("rows") + 2)
        if len(lines) != bound.low:

            def rows() -> Iterator[Span]:
                for number, pair in enumerate(lines, 1):
                    yield Span(*pair, "counts", f"line {number}")

            said = f"{quantity(len(lines), 'line')}, needed are {figure(bound.low)}"
            distance = bound.distance(len(lines))
            return Measure(lines, said, distance, bound.threshold(len(lines)), rows)
        table: list[list[Pair]] = []
        for number, pair in enumerate(lines, 1):
            if source[pair[0]] != "|" or source[pair[1] - 1] != "|":
                return _wrong(pair, f"line {number} does not start and end with a pipe")
            table.append(_cells(source, *pair))
            columns = self.params.integer("cols")
            if len(table[-1]) != columns:
                said = f"line {number} has {quantity(len(table[-1]), 'cell')}"
                return _wrong(pair, said, -abs(clamp(len(table[-1]) - columns)), clamp(columns))
        return self._filled(text, table)

    def _filled(self, text: Text, table: Sequence[Sequence[Pair]]) -> Measure:
        if len(table) < 2:
            message = f"rows {self.params.shown('rows')} leave no line for the separator"
            fail("invalid_parameter", message, "IndexError")
        for row in (1, 0, *range(2, len(table))):
            for column, cell in enumerate(table[row], 1):
                where = f"line {row + 1}, cell {column}"
                if row == 1 and not _SEPARATOR.fullmatch(text.cut(cell)):
                    return _wrong(cell, f"{where} is not a separator of three dashes")
                if row != 1 and cell[0] == cell[1]:
                    return _wrong(cell, f"{where} is empty")

        def locate() -> Iterator[Span]:
            for number, row in enumerate(table, 1):
                for column, pair in enumerate(row, 1):
                    yield Span(*pair, "counts", f"line {number}, cell {column}")

        rows, columns = quantity(len(table) - 2, "row"), quantity(len(table[0]), "column")
        return found(True, f"a table of {rows} and {columns}", locate)

    def wanted(self) -> str:
        rows = quantity(self.params.integer("rows"), "row")
        columns = quantity(self.params.integer("cols"), "column")
        return f"a Markdown table of {rows} under its head and {columns}, nothing else"


def _wrong(
    pair: Pair, said: str, distance: float | None = None, threshold: float | None = None
) -> Measure:
    return Measure(False, said, distance, threshold, lambda: [Span(*pair, "offends", said)])


_BOLD = re.compile(r"\*\*([^*\n]+?)\*\*")
_WHOLE_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_EDGE_BUT_STARS = EDGE.replace("*", "")


@constraint_type("format:bold_words")
class BoldWords(Check):
    """So many bold spans, of so many words, at a place, with given words."""

    def look(self, text: Text) -> Measure:
        bold = [match.span(1) for match in _BOLD.finditer(text.source)]
        bound = exactly(self.params.integer("count"))

        def locate() -> Iterator[Span]:
            for number, pair in enumerate(bold, 1):
                yield Span(*pair, "counts", f"bold {number}")

        measure = counted(len(bold), bound, "bold span", locate)
        if bound.distance(len(bold)) < 0:
            return measure
        pairs = text.source.count("**")
        if pairs != 2 * len(bold):
            stray = f"{pairs:,} pairs of stars, {2 * len(bold):,} are needed"
            return failed(f"{measure.said}, but {stray}", locate)
        fault = self._words_fault(text, bold) or self._place_fault(text)
        fault = fault or self._stems_fault(text, bold)
        if fault is None:
            return measure
        where, said = fault

        def offending() -> Iterator[Span]:
            yield from locate()
            yield Span(*where, "offends", said)

        return failed(f"{measure.said}, {said}", offending)

    def _words_fault(self, text: Text, bold: Sequence[Pair]) -> tuple[Pair, str] | None:
        if "words_each" not in self.params:
            return None
        for pair in bold:
            count = word_count(text.cut(pair))
            if count != self.params.integer("words_each"):
                return pair, f"one of them of {quantity(count, 'word')}"
        return None

    def _place_fault(self, text: Text) -> tuple[Pair, str] | None:
        if "position" not in self.params:
            return None
        number = self.params.integer("position")
        if not 1 <= number <= len(text.words):
            end = len(text.source)
            return (end, end), f"no word in place {figure(number)}"
        if _WHOLE_BOLD.fullmatch(text.words[number - 1].strip(_EDGE_BUT_STARS)):
            return None
        return text.word_spans[number - 1], f"the {place(number)} word is not bold by itself"

    def _stems_fault(self, text: Text, bold: Sequence[Pair]) -> tuple[Pair, str] | None:
        if "stems" not in self.params:
            return None
        left, _ = sift(self.params.many("stems"), lambda stem: True, False)
        left = [fold(stem) for stem in left]
        if len(left) != len(bold):
            return (0, 0), f"but {quantity(len(left), 'word')} to be bold"
        for pair in bold:
            word = core(text.cut(pair))
            stem = next((stem for stem in left if word.startswith(stem)), None)
            if stem is None:
                return pair, f"«{word[:60]}» is none of {listed(left)}"
            left.remove(stem)
        return None

    def wanted(self) -> str:
        params = self.params
        wanted = f"exactly {quantity(params.integer('count'), 'bold span')}"
        if "words_each" in params:
            wanted += f" of {quantity(params.integer('words_each'), 'word')} each"
        if "position" in params:
            wanted += f", one of them the {place(params.integer('position'))} word"
        if "stems" in params:
            wanted += f", on {listed(params.many('stems'))}"
        return wanted
