"""detectable_format:json_format, in a module of its own: it has an error position to explain."""

from __future__ import annotations

import json

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.params import Params, fail
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["JsonFormat"]

_FENCES = ("```json", "```Json", "```JSON", "```")

MAX_DEPTH = 900
"""Nesting from which the reference's parser gives up with RecursionError, give or take its own
stack; a fixed number keeps the verdict the same in every thread and on every interpreter."""


def _unfenced(text: str) -> tuple[str, int]:
    """The text without its code fence, and how many characters were cut off the front."""
    body = text.strip()
    cut = len(text) - len(text.lstrip())
    for fence in _FENCES:
        if body.startswith(fence):
            body = body[len(fence) :]
            cut += len(fence)
    body = body.removesuffix("```")
    cut += len(body) - len(body.lstrip())
    return body.strip(), cut


def _depth(body: str) -> int:
    """The deepest nesting of brackets outside strings."""
    if body.count("[") + body.count("{") <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    inside = escaped = False
    for character in body:
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


@constraint_type("detectable_format:json_format")
class JsonFormat(Constraint):
    """The whole text, a code fence aside, is one JSON value by Python's rules."""

    def __init__(self, _params: Params) -> None:
        pass

    def measure(self, text: str) -> Measure:
        body, offset = _unfenced(text)
        try:
            if _depth(body) > MAX_DEPTH:
                raise RecursionError
            value = json.loads(body)
        except json.JSONDecodeError as error:
            at, reason = offset + error.pos, error.msg
            line = text.count("\n", 0, at) + 1
            column = at - text.rfind("\n", 0, at)
            end = min(at + 1, len(text))
            said = f"not JSON at {line}:{column}: {reason}"
            return Measure(False, said, locate=lambda: [Span(at, end, "offends", reason)])
        except ValueError as error:
            return Measure(False, f"not JSON: {error}")
        except RecursionError:
            fail("too_deep", f"JSON nested more than {MAX_DEPTH} deep", "RecursionError")
        return Measure(True, f"valid JSON: {_KINDS[type(value)]}")

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return "the whole response in JSON"


_KINDS = {
    dict: "an object",
    list: "an array",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a boolean",
    type(None): "null",
}
