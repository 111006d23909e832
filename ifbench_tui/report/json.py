"""The JSON and JSONL contracts: documented, tested, only ever added to.

Text is ASCII with `\\uXXXX` escapes, so that control characters and lone surrogates of a response
come through unchanged; a number that is not finite becomes null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ifbench_tui.engine.benchmark import Benchmark, JudgedResponse, Prompt
from ifbench_tui.engine.verdict import CheckError, Lattice
from ifbench_tui.report.results import Results, original_key
from ifbench_tui.workspace import Workspace

__all__ = [
    "boards_dict",
    "check_dict",
    "constraint_dict",
    "dumps",
    "problem_dicts",
    "refused_dict",
    "source_dicts",
    "verdict_dict",
    "verdict_lines",
]

_encode = json.JSONEncoder(allow_nan=False).encode
_encode_indented = json.JSONEncoder(allow_nan=False, indent=2).encode


def dumps(value: Any, *, indented: bool = False) -> str:
    """ASCII JSON without NaN or infinities."""
    encode = _encode_indented if indented else _encode
    try:
        return encode(value)
    except ValueError:
        return encode(_finite(value))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def source_dicts(workspace: Workspace) -> list[dict[str, Any]]:
    """What was read from each file, and how many of its rows were used or not."""
    return [source.to_dict() for source in workspace.sources]


def problem_dicts(workspace: Workspace) -> list[dict[str, Any]]:
    """Every row that was not used and every notice: file, line, kind, reason, advice."""
    return [problem.to_dict() for problem in workspace.problems]


def boards_dict(workspace: Workspace, boards: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The object of `score --json` from the objects of its benchmarks, at least one."""
    return {
        **boards[0],
        **({"also": list(boards[1:])} if boards[1:] else {}),
        "sources": source_dicts(workspace),
        "problems": problem_dicts(workspace),
    }


def verdict_lines(all_results: Sequence[Results]) -> Iterator[str]:
    """The lines of `score --jsonl`: models in load order, prompts in input order."""
    for results in all_results:
        prompts = results.prompts
        for model, judged in results.judged.items():
            for row in judged:
                line = verdict_dict(results.benchmark, model, prompts[row.key], row)
                yield dumps(line) + "\n"


def verdict_dict(
    benchmark: Benchmark, model: str, prompt: Prompt, judged: JudgedResponse
) -> dict[str, Any]:
    """One model's verdicts on one prompt."""
    constraints = [
        constraint_dict(lattice, benchmark.family_of(spec))
        for spec, lattice in zip(prompt.constraints, judged.lattices, strict=True)
    ]
    return {
        "benchmark": benchmark.id,
        "model": model,
        "key": original_key(prompt),
        **benchmark.row_fields(judged),
        "constraints": constraints,
    }


def constraint_dict(lattice: Lattice, family: str) -> dict[str, Any]:
    """One constraint's verdicts; one that could not be checked counts as not followed.

    A benchmark with one variant has one verdict, and says the family too.
    """
    if len(lattice.cells) == 1:
        head = {"type": lattice.constraint, "family": family, "pass": lattice.strict}
    else:
        head = {"type": lattice.constraint, "strict": lattice.strict, "loose": lattice.loose}
    return {**head, **_common(lattice)}


def check_dict(identity: Any, lattice: Lattice) -> dict[str, Any]:
    """A line of `check`: a verdict is null where the deciding check raised."""
    if len(lattice.cells) == 1:
        return {"id": identity, "pass": lattice.strict_cell, **_common(lattice)}
    return {
        "id": identity,
        "strict": lattice.strict_cell,
        "loose": lattice.loose_cell,
        **_common(lattice),
    }


def refused_dict(identity: Any, variants: int, message: str) -> dict[str, Any]:
    """A line of `check` for an input line that cannot be used."""
    nothing: dict[str, Any] = {"pass": None}
    if variants > 1:
        nothing = {"strict": None, "loose": None, "variants": [None] * variants}
    return {
        "id": identity,
        **nothing,
        "error": {"kind": "bad_input", "message": message},
        "measured": None,
        "required": None,
        "distance": None,
    }


def _common(lattice: Lattice) -> dict[str, Any]:
    measured = lattice.strict_cell is not None
    return {
        **({"variants": list(lattice.cells)} if len(lattice.cells) > 1 else {}),
        "error": _error_dict(lattice.error),
        "measured": lattice.measured if measured else None,
        # Without a measure in words the constraint could not even be built.
        "required": lattice.required if lattice.measured else None,
        "distance": lattice.distance if measured else None,
    }


def _error_dict(error: CheckError | None) -> dict[str, str] | None:
    return error.to_dict() if error else None
