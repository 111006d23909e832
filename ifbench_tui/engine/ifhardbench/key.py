"""The scoring key of a row: its requirements, or why the row cannot be scored at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ifbench_tui.engine.benchmark import ConstraintSpec
from ifbench_tui.errors import IfbenchError

__all__ = ["KeyUnusable", "read_key"]

_ABSENT: Any = object()


class KeyUnusable(IfbenchError):  # noqa: N818 - a fault of the data, not of the program
    """A row without a usable key: a data error, never a model's failure.

    `raises` names the exception that ends the reference's run here.
    """

    def __init__(self, reason: str, raises: str) -> None:
        super().__init__(reason)
        self.raises = raises


def read_key(row: Mapping[str, Any]) -> tuple[ConstraintSpec, ...]:
    """The requirements of a row in stack order, with its own wordings where they pair up.

    A requirement whose parameters are missing or no object is kept, with its flaw: it fails by
    itself. Raises `KeyUnusable` where the reference could not score the row.
    """
    meta = row.get("meta")
    if not isinstance(meta, dict) or "constraints" not in meta:
        raise KeyUnusable("the row has no meta.constraints, its scoring key", "KeyError")
    entries = _entries(meta["constraints"])
    lines = _wordings(row)
    if len(lines) != len(entries):
        lines = [""] * len(entries)
    numbers = range(1, len(entries) + 1)
    return tuple(map(_spec, numbers, entries, lines))


def _entries(key: Any) -> list[Any]:
    if isinstance(key, str):
        if not key.strip():
            raise KeyUnusable("the scoring key meta.constraints is blank", "ValueError")
        try:
            key = json.loads(key)
        except (ValueError, RecursionError) as error:
            raise KeyUnusable(f"the scoring key is not JSON: {error}", "ValueError") from error
    if not isinstance(key, list):
        raise KeyUnusable("the scoring key is not a list of requirements", "TypeError")
    return key


def _spec(number: int, entry: Any, wording: str) -> ConstraintSpec:
    if not isinstance(entry, dict):
        raise KeyUnusable(f"requirement {number} of the key is not an object", "TypeError")
    for name in ("category", "family"):
        if name not in entry:
            raise KeyUnusable(f"requirement {number} of the key has no {name}", "KeyError")
    params, flaw = entry.get("params", _ABSENT), ""
    if params is _ABSENT:
        flaw = "the requirement has no params"
    elif not isinstance(params, dict):
        flaw = f"params must be an object, not {params!r}"[:200]
    category, family = _name(entry["category"]), _name(entry["family"])
    return ConstraintSpec(category, {} if flaw else params, family, wording, flaw)


def _name(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)[:200]


def _wordings(row: Mapping[str, Any]) -> list[str]:
    """The requirement lines the model reads, without their dashes."""
    inputs = row.get("inputs")
    text = inputs.get("constraints") if isinstance(inputs, dict) else None
    lines = text.split("\n") if isinstance(text, str) else []
    return [line.strip().removeprefix("- ").strip() for line in lines if line.strip()]
