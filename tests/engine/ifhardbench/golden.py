"""Reading the golden files, and scoring a row as the reference's harness task does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ifbench_tui.engine.benchmark import JudgedResponse, Prompt
from ifbench_tui.engine.ifhardbench.ifhardbench import IFHardBench
from ifbench_tui.engine.ifhardbench.key import read_key
from ifbench_tui.engine.ifhardbench.metrics import row_values
from ifbench_tui.engine.ifhardbench.normalise import prediction
from ifbench_tui.scoring import judge_text

BENCH = IFHardBench()


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        line = ""
        for line in lines:
            yield json.loads(line)
    assert line, f"{path} holds nothing"


def judged_row(row: dict[str, Any], results: list[Any]) -> JudgedResponse:
    """Raises `KeyUnusable`."""
    prompt = Prompt(str(row["meta"]["id"]), "", read_key(row), row["meta"]["categories"] or {})
    return judge_text(BENCH, prompt, prediction(results))


def verdicts(judged: JudgedResponse) -> list[list[Any]]:
    return [[lattice.constraint, lattice.strict] for lattice in judged.lattices]


def values(judged: JudgedResponse) -> dict[str, Any]:
    """The three values a harness logs for a row."""
    sample, rate = row_values(judged)
    reported = judged.lattices and not judged.blank
    return {
        "sample_pass_rate": sample,
        "constraint_pass_rate": rate,
        "balance_score": verdicts(judged) if reported else None,
    }
