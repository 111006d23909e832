"""ZIP archives and Inspect's .eval logs: recognised and described, not read yet."""

from __future__ import annotations

import re
import struct
import zipfile
from collections.abc import Iterator

from ifbench_tui.formats.base import Format, RowReader
from ifbench_tui.formats.records import Problem, Record
from ifbench_tui.formats.source import Source
from ifbench_tui.formats.tables import Table

__all__ = ["InspectLog"]

END_RECORD = b"PK\x05\x06"
END_SIZE = 22
COMMENT_MAX = 65_535
ENTRY_MIN = 46
VERSION = re.compile(rb'"version"\s*:\s*(\d+)')
HEADER = "header.json"
CONVERT = "convert it with: inspect log dump FILE > FILE.json"


class InspectLog(Format):
    """An Inspect log is a ZIP of JSON members; its layout has a version."""

    id = "inspect-eval"
    title = "ZIP archive or Inspect log"
    order = 15

    def sniff(self, table: Table) -> str | None:
        zipped = table.refused is not None and table.refused.kind == "zip"
        return "starts as a ZIP archive does" if zipped else None

    def reader(self, table: Table) -> RowReader:
        return lambda row: ()

    def read(self, table: Table) -> Iterator[Record]:
        reason, advice = _described(table.source)
        yield Problem(table.path, None, "broken", reason, advice)


def _described(source: Source) -> tuple[str, str]:
    unpack = "unpack it and open what is inside"
    if not source.rereadable:
        return "is a ZIP archive, which cannot be read from a pipe", "give its path"
    entries = _entries(source)
    limit = source.limits.entries
    if entries > limit:
        return f"has more entries than the limit entries ({limit})", "raise the limit, or unpack it"
    try:
        with zipfile.ZipFile(source.path) as archive:
            if HEADER not in archive.namelist():
                return "is a ZIP archive, which is not read", unpack
            with archive.open(HEADER) as member:
                version = VERSION.search(member.read(4096))
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError) as error:
        return f"is a ZIP archive that cannot be read: {error}", unpack
    which = f"version {version[1].decode()}" if version else "unknown version"
    return f"is an Inspect log ({which}), which is not supported yet", CONVERT


def _entries(source: Source) -> int:
    """How many entries the archive's directory can hold, not trusting the number it states."""
    with source.open() as file:
        tail_size = min(source.size, END_SIZE + COMMENT_MAX)
        file.seek(source.size - tail_size)
        tail = file.read(tail_size)
    at = tail.rfind(END_RECORD)
    if at < 0 or len(tail) - at < END_SIZE:
        return 0
    stated, directory_bytes = struct.unpack_from("<HL", tail, at + 10)
    return int(max(stated, directory_bytes // ENTRY_MIN))
