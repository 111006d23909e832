"""Any file of rows as one kind of thing: JSON Lines, a JSON document, CSV, TSV or Parquet."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from ifbench_tui.formats.limits import Limits, LoadOptions, bytes_in_words
from ifbench_tui.formats.lines import (
    BOM,
    BadRow,
    JsonReader,
    Note,
    Row,
    decode,
    document_rows,
    jsonl_rows,
    lines,
)
from ifbench_tui.formats.parquet import MAGIC, parquet_rows
from ifbench_tui.formats.refusals import Refusal, refusal
from ifbench_tui.formats.source import Source, SourceError

__all__ = ["ALIASES", "Container", "Table", "open_table"]

Container = Literal["jsonl", "json", "csv", "tsv", "parquet", "none"]

HEAD = 64 * 1024
SAMPLE_ROWS = 20
SAMPLE_LINES = 1000

ALIASES: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt", "instruction", "input", "question", "query", "user", "turns", "messages"),
    "response": (
        "response",
        "output",
        "completion",
        "prediction",
        "generation",
        "answer",
        "actual_output",
        "text",
    ),
    "model": ("model", "generator", "model_id", "system"),
    "key": ("key", "doc_id", "uid", "question_id"),
}
"""Field names that mean the same, best first."""

HEADERS = ("model_a", "model_b", "winner")
"""Further names that tell a header from prose."""

TEXT = Refusal("text", "is text without rows of data", "", data=False)


@dataclass(slots=True)
class Table:
    """An opened file: what its content is, its first rows, and all of them once.

    `rows` holds the first good rows as a sample; `columns` their field names. `refused` says why
    a content is no table. A format may name in `needed` the only columns it looks at: a container
    that can pass over the others then does.
    """

    source: Source
    options: LoadOptions
    container: Container
    rows: tuple[Row, ...] = ()
    refused: Refusal | None = None
    head: bytes = b""
    needed: list[str] = field(default_factory=list)
    _seen: list[Row | Note] = field(default_factory=list)
    _rest: Iterator[Row | Note] = field(default_factory=lambda: iter(()))

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def columns(self) -> tuple[str, ...]:
        """Field names of the sample rows, in order of appearance."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.data))

    def has(self, *names: str) -> bool:
        """Whether most sample rows have all these fields."""
        wanted = set(names)
        return 2 * sum(wanted <= row.data.keys() for row in self.rows) > len(self.rows)

    def read(self) -> Iterator[Row | Note]:
        """All rows from the first, once. Raises what `Source.chunks` raises."""
        yield from self._seen
        self._seen.clear()
        yield from self._rest


def open_table(source: Source, options: LoadOptions) -> Table:
    """Open a file and look at its start. Raises `SourceError`, `LoadCancelled`."""
    head, everything = _start(source.chunks())
    needed: list[str] = []
    if head.startswith(MAGIC):
        return _sampled(
            source, options, "parquet", head, parquet_rows(source, everything, needed), needed
        )
    refused = refusal(head)
    if refused and (refused.kind != "empty" or len(head) < HEAD):
        return Table(source, options, "none", refused=refused, head=head[:HEAD])
    container = _container(head, source.path, options)
    if container == "none":
        return Table(source, options, "none", refused=TEXT, head=head[:HEAD])
    return _sampled(
        source, options, container, head, _rows(container, everything, source.limits), needed
    )


def _sampled(
    source: Source,
    options: LoadOptions,
    container: Container,
    head: bytes,
    rest: Iterator[Row | Note],
    needed: list[str],
) -> Table:
    """The table with its first rows taken to look at."""
    seen: list[Row | Note] = []
    sample: list[Row] = []
    while len(sample) < SAMPLE_ROWS and len(seen) < SAMPLE_LINES:
        try:
            one = next(rest, None)
        except SourceError as error:
            if not seen:
                raise
            rest = _failing(error)
            break
        if one is None:
            break
        seen.append(one)
        if isinstance(one, Row):
            sample.append(one)
    return Table(source, options, container, tuple(sample), None, head[:HEAD], needed, seen, rest)


def _start(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Enough bytes to tell the content, and all bytes from the first."""
    head = b""
    while len(head) < HEAD:
        try:
            chunk = next(chunks, b"")
        except SourceError as error:
            if not head:
                raise
            chunks = _failing(error)
            break
        if not chunk:
            break
        head += chunk
    return head, chain((head,), chunks)


def _failing(error: SourceError) -> Iterator[Any]:
    """Raises only when it is asked for more, so the good rows before it come first."""
    raise error
    yield


def _container(head: bytes, path: str, options: LoadOptions) -> Container:
    text = head.removeprefix(BOM).decode(errors="replace")
    first, *others = [line for line in text.split("\n") if line.strip()][:50] or ["{"]
    start = first.lstrip()[:1]
    if start == "[":
        return "jsonl" if others and _is_json(first.strip()) else "json"
    if start == "{":
        opened = others and others[0].lstrip()[:1] != "{"
        return "json" if opened and not _is_json(first.strip()) else "jsonl"
    if any(line.startswith("{") for line in others):
        return "jsonl"
    return _separated(first, others, path, options)


def _is_json(line: str) -> bool:
    try:
        JsonReader(Limits()).value(line, 0)
    except BadRow:
        return False
    return True


def _separated(first: str, others: list[str], path: str, options: LoadOptions) -> Container:
    """CSV or TSV where the first line is a header we know, or the name promises it."""
    known = {name for names in ALIASES.values() for name in names}
    known.update(HEADERS, options.mapping.values())
    name = path.lower().removesuffix(".gz").removesuffix(".zst")
    separators: tuple[tuple[Container, str], ...] = (("tsv", "\t"), ("csv", ","))
    for container, separator in separators:
        fields = [field.strip().strip('"') for field in first.rstrip("\r").split(separator)]
        promised = name.endswith(f".{container}")
        if others and len(fields) > 1 and (promised or known & {one.lower() for one in fields}):
            return container
    return "jsonl" if name.endswith((".jsonl", ".json", ".ndjson")) else "none"


def _rows(container: Container, chunks: Iterable[bytes], limits: Limits) -> Iterator[Row | Note]:
    if container == "jsonl":
        return jsonl_rows(chunks, limits)
    if container == "json":
        return _document(chunks, limits)
    return _separated_rows(chunks, limits, "\t" if container == "tsv" else ",")


def _document(chunks: Iterable[bytes], limits: Limits) -> Iterator[Row | Note]:
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > limits.document_bytes:
            raise SourceError(
                "is one JSON value larger than the limit document_bytes "
                f"({bytes_in_words(limits.document_bytes)})",
                "convert it to JSON Lines: jq -c '.[]' FILE",
            )
        parts.append(chunk)
    data = b"".join(parts).removeprefix(BOM)
    odd: dict[str, None] = {}
    text = decode(data, odd)
    yield from [Note(1, reason, False) for reason in odd]
    try:
        yield from document_rows(text, limits)
    except BadRow:
        # Not one value: then each line speaks for itself, and the good ones are read.
        yield from jsonl_rows((data,), limits)


def _separated_rows(
    chunks: Iterable[bytes], limits: Limits, separator: str
) -> Iterator[Row | Note]:
    odd: dict[str, None] = {}
    csv.field_size_limit(min(limits.line_bytes, sys.maxsize))
    reader = csv.reader(_text_lines(chunks, limits, odd), delimiter=separator)
    header: list[str] | None = None
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader, None)
        except csv.Error as error:
            yield Note(line, f"not CSV: {error}", True)
            continue
        if fields is None:
            return
        yield from [Note(line, reason, False) for reason in odd]
        odd.clear()
        if not fields:
            continue
        if header is None:
            header = [name.strip() for name in fields]
        elif len(fields) != len(header):
            spans = reader.line_num - line
            quote = f"; it runs on for {spans} more lines: is a quote left open?" if spans else ""
            count = f"{len(fields)} fields, but the header has {len(header)}"
            yield Note(line, count + quote, True)
        else:
            yield Row(line, dict(zip(header, fields, strict=True)))


def _text_lines(chunks: Iterable[bytes], limits: Limits, odd: dict[str, Any]) -> Iterator[str]:
    for number, data, _ in lines(chunks, limits.line_bytes):
        if data is None:
            limit = bytes_in_words(limits.line_bytes)
            raise SourceError(f"line {number} is longer than the limit line_bytes ({limit})")
        if number == 1:
            data = data.removeprefix(BOM)
        yield decode(data, odd) + "\n"
