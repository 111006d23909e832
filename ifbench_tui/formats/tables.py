"""Any file of rows as one kind of thing: JSON Lines, a JSON document, CSV, TSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ifbench_tui.formats.limits import LoadOptions
from ifbench_tui.formats.lines import Note, Row
from ifbench_tui.formats.refusals import Refusal
from ifbench_tui.formats.source import Source, SourceError

__all__ = ["ALIASES", "Container", "Content", "Table", "failing"]

Container = Literal["jsonl", "json", "csv", "tsv", "parquet", "none"]

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


class Content:
    """The bytes of a file, piece by piece, once. What was taken only to look at the file comes
    again with `again`, so that a pipe can be looked at as well."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._taken: list[bytes] = []
        self._kept = True

    def __iter__(self) -> Iterator[bytes]:
        try:
            for chunk in self._chunks:
                if self._kept:
                    self._taken.append(chunk)
                yield chunk
        except SourceError as error:
            self._chunks = failing(error)
            raise

    def again(self) -> Iterator[bytes]:
        """All bytes from the first. Raises what `Source.chunks` raises."""
        yield from self._taken
        self.forget()
        yield from self._chunks

    def forget(self) -> None:
        """Keep nothing for `again`: who reads on needs it no more."""
        self._kept = False
        self._taken.clear()


@dataclass(slots=True)
class Table:
    """An opened file: what its content is, its first rows, and all of them once - or all of its
    bytes, for a format that is no table of rows.

    `rows` holds the first good rows as a sample; `columns` their field names. `refused` says why
    a content is no table. A format may name in `needed` the only columns it looks at: a container
    that can pass over the others then does.
    """

    source: Source
    options: LoadOptions
    _content: Content
    head: bytes = b""
    container: Container = "none"
    refused: Refusal | None = None
    rows: tuple[Row, ...] = ()
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

    def put(self, seen: list[Row | Note], rest: Iterator[Row | Note]) -> None:
        """Give the rows that `read` gives: those already looked at, and the others."""
        self._seen, self._rest = seen, rest

    def read(self) -> Iterator[Row | Note]:
        """All rows from the first, once. Raises what `Source.chunks` raises."""
        self._content.forget()
        yield from self._seen
        self._seen.clear()
        yield from self._rest

    def chunks(self) -> Iterator[bytes]:
        """All bytes from the first, decompressed, once and instead of `read`; also those of a pipe.
        Raises what `Source.chunks` raises."""
        return self._content.again()


def failing(error: SourceError) -> Iterator[Any]:
    """An end that raises only when it is asked for more, so the good rows before it come first."""
    raise error
    yield
