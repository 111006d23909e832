"""Opens a file and looks at its start: in what its rows are held, and the first of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ifbench_tui.formats.base import formats
from ifbench_tui.formats.containers import container_rows
from ifbench_tui.formats.limits import Limits, LoadOptions
from ifbench_tui.formats.lines import BOM, BadRow, JsonReader, Note, Row
from ifbench_tui.formats.parquet import MAGIC, parquet_rows
from ifbench_tui.formats.refusals import Refusal, refusal
from ifbench_tui.formats.source import Source, SourceError
from ifbench_tui.formats.tables import ALIASES, Container, Content, Table, failing

__all__ = ["open_table"]

HEAD = 64 * 1024
SAMPLE_ROWS = 20
SAMPLE_LINES = 1000

TEXT = Refusal("text", "is text without rows of data", "", data=False)


def open_table(source: Source, options: LoadOptions) -> Table:
    """Open a file and look at its start. Raises `SourceError`, `LoadCancelled`."""
    head, chunks = _start(source.chunks())
    content = Content(chunks)
    table = Table(source, options, content, head[:HEAD])
    if head.startswith(MAGIC):
        table.container = "parquet"
        return _sampled(table, parquet_rows(source, content, table.needed))
    table.refused = refusal(head)
    if table.refused and (table.refused.kind != "empty" or len(head) < HEAD):
        return table
    table.container = _container(head, source.path, options)
    table.refused = TEXT if table.container == "none" else None
    if table.refused:
        return table
    return _sampled(table, container_rows(table.container, content, source.limits))


def _sampled(table: Table, rest: Iterator[Row | Note]) -> Table:
    """The table with its first rows taken to look at."""
    seen: list[Row | Note] = []
    sample: list[Row] = []
    while len(sample) < SAMPLE_ROWS and len(seen) < SAMPLE_LINES:
        try:
            one = next(rest, None)
        except SourceError as error:
            if not seen:
                raise
            rest = failing(error)
            break
        if one is None:
            break
        seen.append(one)
        if isinstance(one, Row):
            sample.append(one)
    table.rows = tuple(sample)
    table.put(seen, rest)
    return table


def _start(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Enough bytes to tell the content, and all bytes from the first."""
    head = b""
    while len(head) < HEAD:
        try:
            chunk = next(chunks, b"")
        except SourceError as error:
            if not head:
                raise
            chunks = failing(error)
            break
        if not chunk:
            break
        head += chunk
    return head, chain((head,), chunks)


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
    single = {name for names in ALIASES.values() for name in names} | {*options.mapping.values()}
    headers = [frozenset(one.columns) for one in formats() if one.columns]
    name = path.lower().removesuffix(".gz").removesuffix(".zst")
    separators: tuple[tuple[Container, str], ...] = (("tsv", "\t"), ("csv", ","))
    for container, separator in separators:
        fields = [field.strip().strip('"') for field in first.rstrip("\r").split(separator)]
        if not others or len(fields) < 2:
            continue
        names = {*fields, *map(str.lower, fields)}
        known = single & names or any(header <= names for header in headers)
        if known or name.endswith(f".{container}"):
            return container
    return "jsonl" if name.endswith((".jsonl", ".json", ".ndjson")) else "none"
