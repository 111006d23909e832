"""format: the three shapes of JSON, with the path of what fails and where it stands."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from json import JSONDecoder
from typing import Any, NamedTuple

from ifbench_tui.engine.ifhardbench.checks import Check, failed, found
from ifbench_tui.engine.ifhardbench.counts import figure, quantity
from ifbench_tui.engine.ifhardbench.lists import bullets_and_rest
from ifbench_tui.engine.ifhardbench.params import Params, fail
from ifbench_tui.engine.ifhardbench.registry import constraint_type
from ifbench_tui.engine.ifhardbench.text import Pair, Text, stripped, word_count
from ifbench_tui.engine.ifhardbench.vocabulary import listed
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["JsonArray", "JsonListValue", "JsonObject"]

_FENCE = "```"
_BLANKS = " \t\n\r"
_decoder = JSONDecoder()


def _payload(text: str) -> Pair:
    """Where the JSON is: the text without outer white space, and without a code fence around it."""
    start, end = stripped(text)
    if end - start < 6 or not text.startswith(_FENCE, start) or not text.endswith(_FENCE, 0, end):
        return start, end
    start += 3
    if text.startswith("json", start, end - 3):
        start += 4
    return stripped(text, start, end - 3)


class _Fault(NamedTuple):
    """What is wrong and where in the document: keys and positions from the top."""

    path: tuple[str | int, ...]
    reason: str

    @property
    def said(self) -> str:
        steps = (f"[{one}]" if isinstance(one, int) else f".{one[:60]}" for one in self.path)
        return f"${''.join(steps)}: {self.reason}"


def _members(text: str, at: int) -> Iterator[tuple[Any, int, int]]:
    """Key or position, start and end of each value of the object or array at `at`."""
    array = text[at] == "["
    at = _skip(text, at + 1)
    number = 0
    while text[at] not in "]}":
        key: Any = number
        if not array:
            key, at = _decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _decoder.raw_decode(text, at)
        yield key, at, end
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
        number += 1


def _skip(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at


def _find(text: str, pair: Pair, path: Sequence[str | int]) -> Pair:
    """Where the value at a path is; of repeated keys the last one counts."""
    for step in path:
        inside = {key: (start, end) for key, start, end in _members(text, pair[0])}
        if step not in inside:
            break
        pair = inside[step]
    return pair


class _Json(Check):
    """The answer is one JSON value of some shape."""

    def look(self, text: Text) -> Measure:
        source, pair = text.source, _payload(text.source)
        try:
            value = json.loads(source[pair[0] : pair[1]])
        except json.JSONDecodeError as error:
            at, reason = pair[0] + error.pos, error.msg
            line, column = source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at)
            end = min(at + 1, len(source))
            said = f"not JSON at {line}:{column}: {reason}"
            return failed(said, lambda: [Span(at, end, "offends", reason)])
        except (ValueError, RecursionError) as error:
            # Neither a number of thousands of digits nor so deep a nesting fits any of the shapes.
            return failed(f"not usable JSON: {type(error).__name__}")
        fault = self.fault(value)
        if fault is None:
            said = f"valid JSON with {quantity(len(value), self.member)}"
            return found(True, said, lambda: self._parts(source, pair))
        where = fault

        def locate() -> Iterator[Span]:
            yield Span(*_find(source, pair, where.path), "offends", where.said)

        return failed(fault.said, locate)

    member = "key"

    @abstractmethod
    def fault(self, value: Any) -> _Fault | None:
        """The first thing that is not as required, in the order of the reference."""

    def _parts(self, source: str, pair: Pair) -> Iterator[Span]:
        for key, start, end in _members(source, pair[0]):
            yield Span(start, end, "counts", _Fault((key,), "as required").said)


def _keys(params: Params) -> list[str]:
    """The keys an object must have. Raises `CheckFailed` where one cannot be a key at all."""
    keys = params.many("keys")
    if any(isinstance(key, list | dict) for key in keys):
        fail("invalid_parameter", f"keys must be a list of texts, not {keys!r}"[:200], "TypeError")
    return keys


def _object_fault(value: Any, keys: Callable[[], list[Any]]) -> _Fault | None:
    """Not an object, or other keys than required."""
    if not isinstance(value, dict):
        return _Fault((), "not an object")
    wanted = keys()
    missing = [key for key in wanted if not isinstance(key, str) or key not in value]
    if missing:
        return _Fault((), f"without {listed(missing)}")
    extra = [key for key in value if key not in wanted]
    return _Fault((extra[0],), "a key not asked for") if extra else None


def _text_fault(key: str, value: Any) -> _Fault | None:
    if not isinstance(value, str):
        return _Fault((key,), "not text")
    return None if value.strip() else _Fault((key,), "blank")


def _length_fault(key: str, value: str, most: int) -> _Fault | None:
    count = word_count(value)
    if count <= most:
        return None
    return _Fault((key,), f"{quantity(count, 'word')}, {figure(count - most)} too many")


@constraint_type("format:json_object")
class JsonObject(_Json):
    """An object with exactly these keys and short texts as values."""

    def fault(self, value: Any) -> _Fault | None:
        params = self.params
        if fault := _object_fault(value, lambda: _keys(params)):
            return fault
        most = params.get("max_words")
        commas = params.get("no_commas_in_values", False)
        for key, inner in value.items():
            fault = _text_fault(key, inner)
            if fault is None and most is not None:
                fault = _length_fault(key, inner, params.integer("max_words"))
            if fault is None and commas and "," in inner:
                fault = _Fault((key,), "has a comma")
            if fault is not None:
                return fault
        return None

    def wanted(self) -> str:
        wanted = (
            f"one JSON object with the keys {listed(self.params.many('keys'))}, texts as values"
        )
        if self.params.get("max_words") is not None:
            wanted += f" of at most {quantity(self.params.integer('max_words'), 'word')}"
        return wanted + (" without commas" if self.params.get("no_commas_in_values") else "")


@constraint_type("format:json_list_value")
class JsonListValue(_Json):
    """An object with exactly these keys, one of its values a bullet list, the others short."""

    def fault(self, value: Any) -> _Fault | None:
        params = self.params
        if fault := _object_fault(value, lambda: _keys(params)):
            return fault
        for key, inner in value.items():
            fault = _text_fault(key, inner)
            if fault is None:
                fault = self._value_fault(key, inner)
            if fault is not None:
                return fault
        return None

    def _value_fault(self, key: str, inner: str) -> _Fault | None:
        if key != self.params.value("list_key"):
            return _length_fault(key, inner, self.params.integer("max_words"))
        items, others = bullets_and_rest(Text(inner))
        need = self.params.integer("list_items")
        if len(items) != need:
            return _Fault((key,), f"{quantity(len(items), 'bullet item')}, not {need}"[:200])
        return _Fault((key,), f"{quantity(len(others), 'other line')}") if others else None

    def wanted(self) -> str:
        params = self.params
        items = quantity(params.integer("list_items"), "bullet item")
        return (
            f"one JSON object with the keys {listed(params.many('keys'))}: {items} in "
            f"{params.shown('list_key')}, at most {quantity(params.integer('max_words'), 'word')} "
            "in the others"
        )


_TEXT, _NUMBER = "пункт", "слов"


@constraint_type("format:json_array")
class JsonArray(_Json):
    """An array of objects, each a text and the number of its words."""

    member = "object"

    def fault(self, value: Any) -> _Fault | None:
        if not isinstance(value, list):
            return _Fault((), "not an array")
        need = self.params.integer("items")
        if len(value) != need:
            return _Fault((), f"{quantity(len(value), 'object')}, not as many as required")
        for index, one in enumerate(value):
            fault = _object_fault(one, lambda: [_TEXT, _NUMBER])
            fault = fault or _text_fault(_TEXT, one[_TEXT]) or _number_fault(one)
            if fault:
                return _Fault((index, *fault.path), fault.reason)
        return None

    def wanted(self) -> str:
        items = quantity(self.params.integer("items"), "object")
        return (
            f"one JSON array of {items} with a text «{_TEXT}» and its number of words «{_NUMBER}»"
        )


def _number_fault(one: dict[str, Any]) -> _Fault | None:
    stated, count = one[_NUMBER], word_count(one[_TEXT])
    if isinstance(stated, bool) or not isinstance(stated, int):
        return _Fault((_NUMBER,), "not a whole number")
    if stated == count:
        return None
    return _Fault((_NUMBER,), f"«{_TEXT}» has {quantity(count, 'word')}")
