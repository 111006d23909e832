"""Rows of JSON Lines and of JSON documents, one bad row never costing a good one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ifbench_tui.formats.limits import Limits, bytes_in_words

__all__ = [
    "BOM",
    "BadRow",
    "JsonReader",
    "Line",
    "Note",
    "Row",
    "decode",
    "document_rows",
    "jsonl_rows",
    "lines",
]

BLANKS = " \t\r\n"
BOM = b"\xef\xbb\xbf"
NAMES_SHOWN = 3
NAME_SHOWN = 40


class BadRow(Exception):  # noqa: N818 - an outcome of reading a row, not a fault of the program
    """A row that cannot be used, and why."""


class Line(NamedTuple):
    """A line without its LF. `data` is None where it is longer than the limit."""

    number: int
    data: bytes | None
    ended: bool


class Row(NamedTuple):
    """A row of a file by its field names."""

    line: int
    data: dict[str, Any]


class Note(NamedTuple):
    """Something about a line: `broken` where it gave no row."""

    line: int
    reason: str
    broken: bool


def lines(chunks: Iterable[bytes], limit: int) -> Iterator[Line]:
    """Split at LF only: a JSON text may hold every other separator as it is."""
    number, size = 1, 0
    parts: list[bytes] = []
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            size += len(piece)
            parts.append(piece)
            yield Line(number, b"".join(parts) if size <= limit else None, True)
            number, size, parts = number + 1, 0, []
        size += len(rest)
        if size <= limit:
            parts.append(rest)
        else:
            parts.clear()
    if size:
        yield Line(number, b"".join(parts) if size <= limit else None, False)


class JsonReader:
    """Decodes JSON and says what was odd about it. One per file; not shared between threads."""

    def __init__(self, limits: Limits) -> None:
        self._depth = limits.depth
        self.odd: dict[str, None] = {}
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._constant
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            self.odd[f"{_repeated(pairs)} repeated: the last one counts"] = None
        return found

    def _constant(self, name: str) -> float | None:
        self.odd[f"{name} is not JSON: read as {'null' if name == 'NaN' else 'infinity'}"] = None
        return None if name == "NaN" else float(name)

    def value(self, text: str, start: int) -> tuple[Any, int]:
        """The JSON value at `start`, and where it ends. Raises `BadRow`."""
        try:
            value, end = self._decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            where = f"line {error.lineno} " if "\n" in text else ""
            raise BadRow(f"not JSON: {error.msg} at {where}column {error.colno}") from error
        except ValueError as error:
            raise BadRow(f"not usable JSON: {error}") from error
        except RecursionError as error:
            raise BadRow(f"nested deeper than the limit depth ({self._depth})") from error
        # A text cannot nest deeper than it has opening brackets, and counting those is cheap.
        brackets = text.count("{", start, end) + text.count("[", start, end)
        if brackets > self._depth and _deeper([value], self._depth + 1):
            raise BadRow(f"nested deeper than the limit depth ({self._depth})")
        return value, end

    def objects(self, text: str) -> list[dict[str, Any]]:
        """All objects of one line: normally one, more where rows were glued. Raises `BadRow`."""
        found: list[dict[str, Any]] = []
        position, end = _skip(text, 0), len(text)
        while position < end:
            value, position = self.value(text, position)
            if not isinstance(value, dict):
                raise BadRow(f"a row must be a JSON object, this is {_kind(value)}")
            found.append(value)
            if position < end:
                position = _skip(text, position)
        if len(found) > 1:
            self.odd[f"{len(found)} objects stand on this line: all were read"] = None
        return found


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    """The keys that stand more than once, the first few by name, with the verb they need."""
    names = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    shown = ", ".join(f"{name!r:.{NAME_SHOWN}}" for name in names[:NAMES_SHOWN])
    more = len(names) - NAMES_SHOWN
    dots = f" and {more:,} more" if more > 0 else ""
    return f"the key {shown} is" if len(names) == 1 else f"the keys {shown}{dots} are"


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in BLANKS:
        position += 1
    return position


def _deeper(value: dict[str, Any] | list[Any], left: int) -> bool:
    for one in value.values() if isinstance(value, dict) else value:
        kind = type(one)
        if (kind is dict or kind is list) and (left < 2 or _deeper(one, left - 1)):
            return True
    return False


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def jsonl_rows(chunks: Iterable[bytes], limits: Limits) -> Iterator[Row | Note]:
    """Rows of JSON Lines. Blank lines are no rows; every other line gives rows or a broken note."""
    reader = JsonReader(limits)
    odd = reader.odd
    for number, data, ended in lines(chunks, limits.line_bytes):
        if data is None:
            limit = bytes_in_words(limits.line_bytes)
            yield Note(number, f"longer than the limit line_bytes ({limit})", True)
            continue
        if number == 1:
            data = data.removeprefix(BOM)
        try:
            text = decode(data, odd)
            objects = reader.objects(text)
        except BadRow as bad:
            cut = "" if ended else "; the file ends inside this row"
            yield Note(number, f"{bad}{cut}", True)
            odd.clear()
            continue
        if odd:
            yield from [Note(number, reason, False) for reason in odd]
            odd.clear()
        for row in objects:
            yield Row(number, row)


def decode(data: bytes, odd: dict[str, None]) -> str:
    """Text of UTF-8 bytes whatever the locale; what is not UTF-8 becomes U+FFFD and is told."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        odd[f"byte {error.start + 1} is not UTF-8: shown and graded as U+FFFD"] = None
        return data.decode(errors="replace")


def document_rows(text: str, limits: Limits) -> Iterator[Row | Note]:
    """Rows of a JSON text that is no JSON Lines: a list of objects, or objects in a sequence.

    Raises `BadRow` where not even the first value can be read.
    """
    reader = JsonReader(limits)
    position, line, counted = _skip(text, 0), 1, 0
    listed = text[position : position + 1] == "["
    if listed:
        position = _skip(text, position + 1)
    while text[position : position + 1] not in ("]", ""):
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, position = reader.value(text, position)
        except BadRow as bad:
            if counted == 0:
                raise
            yield Note(line, f"{bad}; nothing after it can be read", True)
            return
        yield from [Note(line, reason, False) for reason in reader.odd]
        reader.odd.clear()
        if isinstance(value, dict):
            yield Row(line, value)
        else:
            yield Note(line, f"a row must be a JSON object, this is {_kind(value)}", True)
        position = _skip(text, position)
        if listed and text[position : position + 1] == ",":
            position = _skip(text, position + 1)
    if not listed and position >= len(text):
        return
    line += text.count("\n", counted, position)
    if position >= len(text):
        yield Note(line, "the list is cut off: its closing bracket is missing", True)
    elif _skip(text, position + 1) < len(text):
        yield Note(line, "something follows the list's closing bracket: not read", True)
