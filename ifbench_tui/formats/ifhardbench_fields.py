"""Reading IFHardBench rows: the key, the prompt a model sees, and what a row says of itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from string import Formatter
from typing import Any

from ifbench_tui.engine.benchmark import Prompt
from ifbench_tui.engine.ifhardbench import BENCHMARK_ID
from ifbench_tui.engine.ifhardbench.key import KeyUnusable, read_key
from ifbench_tui.formats.fields import key_of
from ifbench_tui.formats.lines import BadRow
from ifbench_tui.formats.opening import open_table
from ifbench_tui.formats.records import Problem, PromptRow
from ifbench_tui.formats.source import STDIN, Source, SourceError
from ifbench_tui.formats.tables import Table

__all__ = ["TemplateFault", "Templates", "is_row", "prompt_row", "render", "rows_in"]

META = "dataset_meta.json"
CATEGORIES = (
    "language",
    "tier",
    "length_tier",
    "n_constraints",
    "constraint_families",
    "prompt_style",
    "topic",
    "stratum",
)
INPUTS = ("question", "constraints", "context")


class TemplateFault(Exception):  # noqa: N818 - a fault of the data, told and lived with
    """A prompt template that cannot be filled, and why."""


def render(template: str, values: Mapping[str, str]) -> str:
    """The template with its fields filled in, as `str.format` does.

    Only plain fields are filled: a template is data, and must reach nothing inside a value.
    Raises `TemplateFault`.
    """
    pieces: list[str] = []
    try:
        for literal, field, spec, conversion in Formatter().parse(template):
            pieces.append(literal)
            if field is None:
                continue
            if field not in values or spec or conversion:
                raise TemplateFault(f"the template has a field {{{field}}} that is not known")
            pieces.append(values[field])
    except ValueError as error:
        raise TemplateFault(f"the template cannot be read: {error}") from error
    return "".join(pieces)


class Templates:
    """The prompt templates in the `dataset_meta.json` beside a file; read when first needed."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __getitem__(self, index: int) -> str:
        """The template of that number, from 0. Raises `TemplateFault`."""
        found = self._texts[index] if 0 <= index < len(self._texts) else None
        if not isinstance(found, str):
            raise TemplateFault(f"template {index} is not found in a {META} beside this file")
        return found

    @cached_property
    def _texts(self) -> list[Any]:
        path, options = self._table.path, self._table.options
        if path == STDIN:
            return []
        source = Source(os.path.join(os.path.dirname(path), META), options.limits)
        try:
            rows = open_table(source, options).rows if source.rereadable else ()
        except SourceError:
            return []
        texts = rows[0].data.get("prompts") if rows else None
        return texts if isinstance(texts, list) else []


def is_row(data: Any) -> bool:
    """Whether an object has the fields of a row."""
    return (
        isinstance(data, dict)
        and isinstance(data.get("inputs"), dict)
        and isinstance(data.get("meta"), dict)
        and "instruction" in data
    )


def rows_in(data: Mapping[str, Any]) -> Iterator[Any]:
    """The rows of an object: those under `data`, or the object itself."""
    inner = data.get("data")
    if isinstance(inner, list):
        yield from inner
    else:
        yield data


def prompt_row(
    row: Any, line: int, path: str, templates: Templates
) -> tuple[PromptRow, list[Problem]]:
    """A row as a prompt, and what was odd about it. Raises `BadRow` where it cannot be scored."""
    if not isinstance(row, dict):
        raise BadRow("a row must be a JSON object")
    try:
        constraints = read_key(row)
    except KeyUnusable as unusable:
        raise BadRow(f"{unusable}; the row is in no figure") from unusable
    text, odd = _prompt_text(row, templates)
    if not constraints:
        odd.append("the row has no requirements: it fails by definition")
    meta = row["meta"]
    key = key_of(meta.get("id"))
    if key is None:
        odd.append("the row has no meta.id: answers cannot be joined to it by id")
    prompt = Prompt(key or "", text, constraints, _attributes(row, meta))
    notes = [Problem(path, line, "notice", reason) for reason in odd]
    return PromptRow(BENCHMARK_ID, prompt, line), notes


def _prompt_text(row: Mapping[str, Any], templates: Templates) -> tuple[str, list[str]]:
    """What the model is asked; the bare inputs where the template cannot be filled."""
    inputs = row.get("inputs")
    given = inputs if isinstance(inputs, dict) else {}
    values = {name: one if isinstance(one := given.get(name), str) else "" for name in INPUTS}
    template = row.get("instruction")
    try:
        if isinstance(template, int) and not isinstance(template, bool):
            template = templates[template]
        if not isinstance(template, str):
            raise TemplateFault("the instruction is neither text nor the number of a template")
        return render(template, values), []
    except TemplateFault as fault:
        parts = [values[name] for name in ("context", "constraints", "question")]
        bare = "\n\n".join(part for part in parts if part)
        return bare, [f"{fault}: shown is what would fill it"]


def _attributes(row: Mapping[str, Any], meta: Mapping[str, Any]) -> dict[str, Any]:
    """What the row says of itself; every one of these may be absent."""
    categories = meta.get("categories")
    stated = categories if isinstance(categories, dict) else {}
    found = {name: stated[name] for name in CATEGORIES if stated.get(name) is not None}
    if meta.get("id") is not None:
        found["key"] = meta["id"]
    if isinstance(meta.get("base_id"), str):
        found["base_id"] = meta["base_id"]
    witness = row.get("outputs")
    if isinstance(witness, str) and witness.strip():
        found["witness"] = witness
    return found
