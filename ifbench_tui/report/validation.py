"""What is wrong with a benchmark's own rows: failing witnesses, unusable keys, contradictions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ifbench_tui.report.results import original_key
from ifbench_tui.report.sheets import Column, Sheet
from ifbench_tui.scoring import benchmark_for, judge_text
from ifbench_tui.workspace import Suite, Workspace

__all__ = ["Fault", "Validation", "validate"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a row; `type` is the requirement's where one is concerned."""

    kind: Literal["witness", "key", "conflict"]
    reason: str
    key: Any = None
    type: str = ""
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """What was found in `rows` rows, `witnesses` of which carry a witness."""

    benchmark: str
    rows: int
    witnesses: int
    faults: tuple[Fault, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract of `validate --json`."""
        return {
            "benchmark": self.benchmark,
            "rows": self.rows,
            "witnesses": self.witnesses,
            "problems": [asdict(fault) for fault in self.faults],
        }

    def sheet(self) -> Sheet:
        """A row a fault."""
        columns = [Column(name, name) for name in ("kind", "row", "constraint", "reason")]
        rows = tuple((one.kind, _where(one), one.type, one.reason) for one in self.faults)
        return Sheet(f"{benchmark_for(self.benchmark).title}: rows at fault", tuple(columns), rows)

    def words(self) -> str:
        """The counts in a sentence."""
        return f"{self.rows:,} rows, {self.witnesses:,} witnesses, {len(self.faults):,} faults"


def _where(fault: Fault) -> str:
    if fault.path is None:
        return str(fault.key)
    return fault.path if fault.line is None else f"{fault.path}:{fault.line}"


def validate(workspace: Workspace, suite: Suite) -> Validation:
    """Score every witness of a suite, and list what cannot be right about its rows."""
    faults = [
        Fault("key", problem.reason, path=problem.path, line=problem.line)
        for problem in workspace.problems
        if problem.kind == "broken"
    ]
    faults += _faults(suite)
    witnesses = sum("witness" in prompt.attributes for prompt in suite.prompts)
    return Validation(suite.benchmark_id, len(suite.prompts), witnesses, tuple(faults))


def _faults(suite: Suite) -> Iterator[Fault]:
    benchmark = benchmark_for(suite.benchmark_id)
    for prompt in suite.prompts:
        key = original_key(prompt)
        for reason in benchmark.conflicts(prompt):
            yield Fault("conflict", reason, key)
        witness = prompt.attributes.get("witness")
        if not isinstance(witness, str):
            continue
        for lattice in judge_text(benchmark, prompt, witness).lattices:
            if lattice.error is not None:
                yield Fault("witness", lattice.error.message, key, lattice.constraint)
            elif not lattice.strict:
                reason = f"{lattice.measured}; required: {lattice.required}"
                yield Fault("witness", reason, key, lattice.constraint)
