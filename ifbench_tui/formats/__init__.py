"""Reading and writing the files of the field: one module for each family."""

from __future__ import annotations

from ifbench_tui.formats.base import Format, formats, recognise
from ifbench_tui.formats.limits import Limits, LoadOptions
from ifbench_tui.formats.opening import open_table
from ifbench_tui.formats.source import LoadCancelled, Source, SourceError
from ifbench_tui.formats.tables import Table

__all__ = [
    "Format",
    "Limits",
    "LoadCancelled",
    "LoadOptions",
    "Source",
    "SourceError",
    "Table",
    "formats",
    "open_table",
    "recognise",
]
