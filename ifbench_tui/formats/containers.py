"""The rows that each container holds, and what was odd about them."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from ifbench_tui.formats.limits import Limits, bytes_in_words
from ifbench_tui.formats.lines import (
    BOM,
    BadRow,
    Note,
    Row,
    decode,
    document_rows,
    jsonl_rows,
    lines,
)
from ifbench_tui.formats.source import SourceError
from ifbench_tui.formats.tables import Container

__all__ = ["container_rows"]


def container_rows(
    container: Container, chunks: Iterable[bytes], limits: Limits
) -> Iterator[Row | Note]:
    """Rows of text in a container. Raises what `chunks` raises, and `SourceError`."""
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
