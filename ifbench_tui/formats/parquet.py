"""Rows of Parquet files, through pyarrow where it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ifbench_tui.formats.limits import bytes_in_words
from ifbench_tui.formats.lines import Row
from ifbench_tui.formats.source import LoadCancelled, Source, SourceError

__all__ = ["MAGIC", "parquet_rows"]

MAGIC = b"PAR1"
CONVERT = "export it as JSON Lines or CSV"
FIRST_ROWS = 20
BATCH_ROWS = 4096


def parquet_rows(source: Source, content: Iterable[bytes], needed: Sequence[str]) -> Iterator[Row]:
    """All rows; their line is the row's number from 1.

    The first rows have every column. `needed` is looked at after them: columns that are not in it
    need not be read, which saves most of a file of conversations; empty means all. `content` is the
    file's bytes, read whole only where they are compressed or come through a pipe.
    Raises `SourceError`, `LoadCancelled`.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise SourceError(
            "is Parquet, which needs the package pyarrow",
            f"install it: pip install 'ifbench-tui[parquet]', or {CONVERT}",
        ) from error
    try:
        file = parquet.ParquetFile(
            _on_disk(source) or pyarrow.BufferReader(_whole(source, content))
        )
        size = sum(file.metadata.row_group(i).total_byte_size for i in range(file.num_row_groups))
        if size > source.limits.file_bytes:
            limit = bytes_in_words(source.limits.file_bytes)
            raise SourceError(f"is larger than the limit file_bytes ({limit})", CONVERT)
        yield from _rows(source, file, needed)
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).split("\n", 1)[0]
        raise SourceError(f"is Parquet that cannot be read: {reason}", CONVERT) from error


def _rows(source: Source, file: Any, needed: Sequence[str]) -> Iterator[Row]:
    line, total = 0, source.size
    for data in next(file.iter_batches(batch_size=FIRST_ROWS), _Nothing).to_pylist():
        line += 1
        yield Row(line, data)
    seen, number = line, 0
    there = [name for name in file.schema_arrow.names if name in needed]
    columns = there if needed else None
    for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=columns):
        if source.cancelled():
            raise LoadCancelled(f"{source.path}: reading was cancelled")
        for data in batch.to_pylist():
            number += 1
            if number > seen:
                yield Row(number, data)
        if source.progress:
            source.progress(source.path, total * number // file.metadata.num_rows, total)


class _Nothing:
    """The first batch of a file without rows."""

    @staticmethod
    def to_pylist() -> list[dict[str, Any]]:
        return []


def _on_disk(source: Source) -> str | None:
    """The path, where the file can be read from it as it stands."""
    if not source.rereadable:
        return None
    with source.open() as file:
        return source.path if file.read(len(MAGIC)) == MAGIC else None


def _whole(source: Source, content: Iterable[bytes]) -> bytes:
    parts: list[bytes] = []
    size = 0
    for chunk in content:
        size += len(chunk)
        if size > source.limits.document_bytes:
            limit = bytes_in_words(source.limits.document_bytes)
            raise SourceError(f"is larger than the limit document_bytes ({limit})", "unpack it")
        parts.append(chunk)
    return b"".join(parts)
