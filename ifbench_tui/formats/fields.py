"""Reading single fields of rows: keys, texts, constraints, recorded verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt
from ifbench_tui.engine.registry import create_benchmark
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.records import Problem, PromptRow

__all__ = [
    "bools",
    "constraint_ids",
    "ifeval_families",
    "ifeval_prompt",
    "key_of",
    "model_of",
    "nullable_text",
    "text_of",
]

MODEL_FIELDS = ("model", "generator", "model_id")


@cache
def ifeval_families() -> frozenset[str]:
    """What stands before the colon of IFEval's type ids."""
    return frozenset(one.partition(":")[0] for one in create_benchmark("ifeval").types)


def key_of(value: Any) -> str | None:
    """A prompt key as text: 1000, 1000.0 and "1000" are the same key."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def text_of(data: Mapping[str, Any], name: str) -> str:
    """A field that must be text. Raises `BadRow`."""
    value = data.get(name)
    if isinstance(value, str):
        return value
    state = "is missing" if name not in data else "is null" if value is None else "is not text"
    raise BadRow(f"the field {name} {state}")


def nullable_text(data: Mapping[str, Any], name: str) -> str | None:
    """A field that must be text or null. Raises `BadRow`."""
    return None if name in data and data[name] is None else text_of(data, name)


def model_of(data: Mapping[str, Any], fallback: str) -> str:
    """The model a row names, else the fallback. Raises `BadRow`."""
    name = next((data[one] for one in MODEL_FIELDS if data.get(one)), fallback)
    if not isinstance(name, str):
        raise BadRow("the model's name is not text")
    return name


def json_list(data: Mapping[str, Any], name: str) -> list[Any] | None:
    """A list, also where a table holds it as JSON text. Raises `BadRow`; None where absent."""
    value = data.get(name)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise BadRow(f"the field {name} is text that is not a JSON list") from error
    if value is not None and not isinstance(value, list):
        raise BadRow(f"the field {name} is not a list")
    return value


def constraint_ids(data: Mapping[str, Any]) -> list[str]:
    """The constraint type ids of a row, without M-IFEval's mark for English. Raises `BadRow`."""
    ids = json_list(data, "instruction_id_list")
    if ids is None or not all(isinstance(one, str) for one in ids):
        raise BadRow("the field instruction_id_list must be a list of texts")
    return [one.removeprefix("en:") for one in ids]


def bools(value: Any) -> tuple[bool, ...] | None:
    """Recorded verdicts, one for each constraint; None where the value is anything else."""
    if isinstance(value, list) and all(isinstance(one, bool) for one in value):
        return tuple(value)
    return None


def ifeval_prompt(row: Row, path: str) -> tuple[PromptRow, list[Problem]]:
    """An IFEval prompt and what was odd about it. Raises `BadRow`.

    Nulls that only fill up the hub's columns are dropped. Missing parameter objects become empty
    ones: the constraint then says which parameter it lacks.
    """
    data = row.data
    text = text_of(data, "prompt")
    ids = constraint_ids(data)
    given = json_list(data, "kwargs")
    odd: list[str] = []
    if given is None or len(given) != len(ids):
        count = 0 if given is None else len(given)
        odd.append(f"{len(ids)} instruction ids, but {count} kwargs objects: the rest is empty")
    if not ids:
        odd.append("the prompt has no constraints: it counts in no figure")
    params = [*(given or ()), *({},) * len(ids)]
    if not all(one is None or isinstance(one, dict) for one in params):
        raise BadRow("the field kwargs must be a list of objects")
    constraints = tuple(
        ConstraintSpec(type_id, {k: v for k, v in (kwargs or {}).items() if v is not None})
        for type_id, kwargs in zip(ids, params, strict=False)
    )
    # The key as the file spells it, for writing it back: 1000 stays a number.
    attributes = {"key": data["key"]} if "key" in data else {}
    prompt = Prompt(key_of(data.get("key")) or "", text, constraints, attributes)
    notes = [Problem(path, row.line, "notice", reason) for reason in odd]
    return PromptRow("ifeval", prompt, row.line), notes
