"""lm-eval logs of IFHardBench (`samples_ifhardbench_<stamp>.jsonl`): rows and answers at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from ifbench_tui.engine.benchmark import ConstraintSpec
from ifbench_tui.engine.ifhardbench import BENCHMARK_ID
from ifbench_tui.engine.ifhardbench.normalise import prediction
from ifbench_tui.formats.base import Format, Gives, RowReader
from ifbench_tui.formats.ifhardbench_fields import Templates, prompt_row
from ifbench_tui.formats.lines import BadRow, Row
from ifbench_tui.formats.lm_eval_model import logged_model
from ifbench_tui.formats.records import Problem, Record, Recorded, ResponseRow
from ifbench_tui.formats.source import STDIN
from ifbench_tui.formats.tables import Table

__all__ = ["IFHardBenchLog"]

PREFIX = "samples_ifhardbench_"


def _is_line(data: dict[str, Any]) -> bool:
    doc = data.get("doc")
    meta = doc.get("meta") if isinstance(doc, dict) else None
    there = "filtered_resps" in data or "resps" in data
    return there and isinstance(meta, dict) and "constraints" in meta


class IFHardBenchLog(Format):
    """One answer a line, with the row it answers and the values the harness computed."""

    id = "ifhardbench-lm-eval"
    title = "lm-eval samples of IFHardBench"
    order = 8
    gives: Gives = "both"

    def sniff(self, table: Table) -> str | None:
        fitting = sum(_is_line(row.data) for row in table.rows)
        if not fitting or 2 * fitting <= len(table.rows):
            return None
        return "rows have doc with meta.constraints, and the answers of a harness"

    def read(self, table: Table) -> Iterator[Record]:
        newer = _newer(table)
        if newer is None:
            yield from super().read(table)
            return
        rows = sum(isinstance(one, Row) or one.broken for one in table.read())
        reason = f"{newer} is a newer log of the same model: it counts"
        yield Problem(table.path, None, "duplicate", reason, "name this file to read it", rows)

    def reader(self, table: Table) -> RowReader:
        path = table.path
        model, doubts = logged_model(table)
        templates = Templates(table)

        def read(row: Row) -> Iterable[Record]:
            yield from doubts
            doubts.clear()
            data = row.data
            carried, notes = prompt_row(data.get("doc"), row.line, path, templates)
            yield from notes
            name = "filtered_resps" if "filtered_resps" in data else "resps"
            if name not in data:
                raise BadRow("the row has neither filtered_resps nor resps")
            results = data[name]
            if isinstance(results, list) and len(results) > 1:
                reason = f"{len(results)} generations in one row: the first is graded"
                yield Problem(path, row.line, "notice", reason)
            text = prediction(results)
            if results and not isinstance(_first(results), str):
                reason = f"the generation is not text: graded as {text[:60]!r}, as the harness does"
                yield Problem(path, row.line, "notice", reason)
            prompt = carried.prompt
            yield ResponseRow(
                model,
                text,
                row.line,
                prompt.key or None,
                prompt.text,
                _recorded(data.get("balance_score"), prompt.constraints),
                str(data["filter"]) if "filter" in data else "",
                carried=carried,
                benchmark=BENCHMARK_ID,
            )

        return read


def _first(results: Any) -> Any:
    """The first generation, "" where there is none."""
    while isinstance(results, list):
        results = results[0] if results else ""
    return results


def _recorded(pairs: Any, constraints: tuple[ConstraintSpec, ...]) -> Recorded | None:
    """The verdicts a log carries; None where they are not those of this row's requirements."""
    if not isinstance(pairs, list) or not pairs or len(pairs) != len(constraints):
        return None
    verdicts = []
    for pair, spec in zip(pairs, constraints, strict=True):
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] != spec.type:
            return None
        verdicts.append(bool(pair[1]))
    return Recorded(tuple(verdicts))


def _newer(table: Table) -> str | None:
    """The newest log in a folder that is walked, where this file is an older one."""
    path = table.path
    mine = os.path.basename(path)
    if table.source.named or path == STDIN or not mine.startswith(PREFIX):
        return None
    logs = [one for one in os.listdir(os.path.dirname(path)) if one.startswith(PREFIX)]
    newest = max([mine, *logs], key=_stamp)
    return newest if _stamp(newest) > _stamp(mine) else None


def _stamp(name: str) -> str:
    return name.rpartition("_")[2].partition(".json")[0]
