"""Sample logs of lm-eval (`samples_<task>_<date>.jsonl`), old and new."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ifbench_tui.formats.base import Format, Gives, RowReader
from ifbench_tui.formats.fields import bools, ifeval_families, ifeval_prompt, key_of
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.lm_eval_model import logged_model
from ifbench_tui.formats.records import Problem, PromptRow, Record, Recorded, ResponseRow
from ifbench_tui.formats.tables import Table

__all__ = ["LmEval"]


class LmEval(Format):
    """One generation for each document and filter, with the document itself."""

    id = "lm-eval"
    title = "lm-eval samples"
    order = 10
    gives: Gives = "both"

    def sniff(self, table: Table) -> str | None:
        if not table.has("doc_id"):
            return None
        names = [name for name in ("doc", "resps", "filtered_resps", "filter") if table.has(name)]
        if "resps" not in names and "filtered_resps" not in names:
            return None
        return f"rows have doc_id, {', '.join(names)}"

    def reader(self, table: Table) -> RowReader:
        path = table.path
        name, doubts = logged_model(table)
        blocks = _Blocks()

        def read(row: Row) -> Iterable[Record]:
            yield from doubts
            doubts.clear()
            data = row.data
            carried, notes = _carried(row, path)
            yield from notes
            text, extra = _generation(data)
            if extra:
                reason = f"{extra + 1} generations in one row: the first is graded"
                yield Problem(path, row.line, "notice", reason)
            prompt = _prompt(data)
            yield ResponseRow(
                name,
                text,
                row.line,
                _key(data, prompt),
                prompt,
                _recorded(data),
                blocks.variant(data),
                carried=carried,
            )

        return read


def _carried(row: Row, path: str) -> tuple[PromptRow | None, list[Problem]]:
    doc = row.data.get("doc")
    ids = doc.get("instruction_id_list") if isinstance(doc, dict) else None
    if not isinstance(ids, list) or not isinstance(doc, dict):
        return None, []
    known = {str(one).removeprefix("en:").partition(":")[0] for one in ids} & ifeval_families()
    if ids and not known:
        return None, []
    return ifeval_prompt(Row(row.line, doc), path)


def _key(data: dict[str, Any], prompt: str | None) -> str | None:
    """The document's own key; its number only where nothing else names the prompt."""
    doc = data.get("doc")
    key = key_of(doc.get("key")) if isinstance(doc, dict) else None
    return key or (key_of(data.get("doc_id")) if prompt is None else None)


def _prompt(data: dict[str, Any]) -> str | None:
    """The document's prompt, else what the model was given: `arguments`, new or old."""
    doc = data.get("doc")
    if isinstance(doc, dict) and isinstance(doc.get("prompt"), str):
        return str(doc["prompt"])
    given = data.get("arguments")
    if isinstance(given, dict):
        given = next(iter(given.values()), None)
        given = given.get("arg_0") if isinstance(given, dict) else given
    while isinstance(given, list) and given:
        given = given[0]
    return given if isinstance(given, str) else None


def _generation(data: dict[str, Any]) -> tuple[str | None, int]:
    """The first generation and how many more there are. Raises `BadRow`."""
    for name in ("filtered_resps", "resps"):
        if name in data:
            found = list(_leaves(data[name]))
            if not found:
                raise BadRow(f"the field {name} holds no generation")
            if not isinstance(found[0], str | None):
                raise BadRow(f"the field {name} holds something that is not text")
            return found[0], len(found) - 1
    raise BadRow("the row has neither filtered_resps nor resps")


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    else:
        yield value


def _recorded(data: dict[str, Any]) -> Recorded | None:
    strict = bools(data.get("inst_level_strict_acc"))
    loose = bools(data.get("inst_level_loose_acc"))
    return Recorded(strict, loose) if strict or loose else None


class _Blocks:
    """Tells filters apart in logs that do not name them.

    The same document with the same generation but another filtered text is the next filter's
    block; with another generation it is a rerun, appended, and counts as such.
    """

    def __init__(self) -> None:
        self._first: dict[str, tuple[int, list[int]]] = {}

    def variant(self, data: dict[str, Any]) -> str:
        if "filter" in data:
            return str(data["filter"])
        if "resps" not in data or "filtered_resps" not in data:
            return ""
        document = repr(data.get("doc_id"))
        raw, filtered = hash(repr(data["resps"])), hash(repr(data["filtered_resps"]))
        seen_raw, seen = self._first.setdefault(document, (raw, [filtered]))
        if raw != seen_raw or filtered == seen[0]:
            return ""
        if filtered not in seen:
            seen.append(filtered)
        return f"block {seen.index(filtered) + 1}"
