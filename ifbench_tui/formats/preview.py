"""A first look at a file, for choosing its columns by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ifbench_tui.formats.base import recognise
from ifbench_tui.formats.generic import guess_mapping
from ifbench_tui.formats.limits import LoadOptions
from ifbench_tui.formats.opening import open_table
from ifbench_tui.formats.source import Source

__all__ = ["Preview", "preview"]


@dataclass(frozen=True, slots=True)
class Preview:
    """The start of a file. `mapping` guesses prompt, response, model, key to a column each."""

    path: str
    format: str
    why: str
    container: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    mapping: Mapping[str, str]


def preview(path: str, options: LoadOptions | None = None) -> Preview:
    """Columns, first rows and the guessed mapping. Raises `SourceError`. Not for standard input."""
    options = options or LoadOptions()
    table = open_table(Source(path, options.limits), options)
    found, why = recognise(table)
    rows = tuple(row.data for row in table.rows)
    return Preview(path, found.id, why, table.container, table.columns, rows, guess_mapping(table))
