"""Reading single fields of battle rows, whichever way JSON, CSV or Parquet spells them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from ifbench_tui.formats.battle_block import UNKNOWN
from ifbench_tui.formats.fields import key_of
from ifbench_tui.formats.lines import BadRow

__all__ = [
    "CATEGORIES",
    "categories",
    "flag",
    "label_of",
    "moment",
    "number",
    "sampled",
    "structure",
    "weight_of",
    "whole",
]

CATEGORIES = ("category", "category_tag", "is_code", "is_refusal")

_FLAGS = {"true": 1, "1": 1, "false": 0, "0": 0}
_CATEGORY_FLAGS = {"is_code": "code", "is_refusal": "refusal"}
_FIRST, _TAGS, _CODE, _REFUSAL = CATEGORIES
_LEAST, _MOST = 1e-100, 1e100
"""Weights outside these bounds would make sums infinite or nothing."""


def structure(value: Any) -> Any:
    """A list or object, also where a table holds it as JSON text; None for anything else."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, list | dict) else None


def number(value: Any) -> float | None:
    """A number, also as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return None if isinstance(value, str) and "_" in value else float(value)
    except (ValueError, OverflowError):
        return None


def whole(value: Any) -> int:
    """A small whole number such as a turn; 0 where it is none."""
    if type(value) is int and 0 < value < 1 << 31:
        return value
    found = number(value)
    return int(found) if found is not None and 0 < found < 1 << 31 and found.is_integer() else 0


def flag(value: Any) -> int:
    """1 for true, 0 for false, `UNKNOWN` for anything else."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return int(value)
    return _FLAGS.get(str(value).lower(), UNKNOWN)


def moment(value: Any) -> float:
    """Unix seconds of a number or an ISO date and time (UTC where it names none); nan if none."""
    if type(value) is float and abs(value) < math.inf:
        return value
    found = number(value)
    if found is not None:
        return found if math.isfinite(found) else math.nan
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return math.nan
    if not isinstance(value, datetime):
        return math.nan
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()


def label_of(value: Any) -> str | None:
    """A question, judge, session or language as text: `["gpt-4", "pair-v2"]` is a judge's name."""
    if isinstance(value, list):
        return " ".join(map(str, value)) or None
    return key_of(value)


def weight_of(value: Any) -> float:
    """A weight above 0. Raises `BadRow`."""
    found = number(value)
    if found is None or not _LEAST < found < _MOST:
        raise BadRow(f"the weight {value!r:.40} is not a finite number above 0")
    return found


def sampled(value: Any) -> int:
    """0 where a `dedup_tag` says that a repeated prompt was not drawn, else 1."""
    if value is None:
        return 1
    tag = structure(value)
    return int(not isinstance(tag, dict) or flag(tag.get("sampled")) != 0)


def categories(data: Mapping[str, Any]) -> tuple[str, ...] | None:
    """All categories a row carries, sorted, or None: a `category` text, the true leaves of
    `category_tag`, and code or refusal by their flags."""
    if _FIRST not in data and _TAGS not in data and _CODE not in data and _REFUSAL not in data:
        return None
    found = {name for field, name in _CATEGORY_FLAGS.items() if flag(data.get(field)) == 1}
    single = data.get("category")
    if isinstance(single, str) and single:
        found.add(single)
    tags = structure(data.get("category_tag"))
    if isinstance(tags, dict):
        found.update(_true_leaves(tags))
    return tuple(sorted(found))


def _true_leaves(tags: Mapping[str, Any]) -> Iterator[str]:
    for name, value in tags.items():
        if value is True:
            yield name
        elif isinstance(value, dict):
            yield from (leaf for leaf, holds in value.items() if holds is True)
