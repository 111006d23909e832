"""Which model an lm-eval log is of: the log itself does not say."""

from __future__ import annotations

import os
from dataclasses import replace

from ifbench_tui.formats.limits import MIB
from ifbench_tui.formats.names import model_name
from ifbench_tui.formats.opening import open_table
from ifbench_tui.formats.records import Problem
from ifbench_tui.formats.source import STDIN, Source, SourceError
from ifbench_tui.formats.tables import Table

__all__ = ["logged_model"]

RESULTS_BYTES = 16 * MIB


def logged_model(table: Table) -> tuple[str, list[Problem]]:
    """The model's name, and a notice where it is a guess.

    lm-eval writes `<model>/samples_<task>_<stamp>.jsonl` and `results_<stamp>.json` beside it. That
    says the name; else the folder does, for certain where its name has the two underscores that
    stand for the slash of an organisation's model.
    """
    if table.options.model:
        return table.options.model, []
    if stated := _stated(table):
        return stated, []
    name = model_name(table.path)
    if "/" in name:
        return name, []
    reason = f"the model is called {name!r} as the log's folder, a guess: no results file tells it"
    return name, [Problem(table.path, None, "notice", reason, "name it with --as-model NAME")]


def _stated(table: Table) -> str | None:
    """The name in the results file of the same run; None without one."""
    if table.path == STDIN:
        return None
    folder, log = os.path.split(table.path)
    stamp = log.rpartition("_")[2].partition(".json")[0]
    few = replace(table.options.limits, document_bytes=RESULTS_BYTES, line_bytes=RESULTS_BYTES)
    source = Source(os.path.join(folder, f"results_{stamp}.json"), few)
    try:
        rows = open_table(source, table.options).rows if source.rereadable else ()
    except SourceError:
        return None
    name = rows[0].data.get("model_name") if rows else None
    return name.strip() or None if isinstance(name, str) else None
