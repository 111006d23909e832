"""The verdicts on one suite, ready to report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ifbench_tui.engine.accuracy import compare as compare_models
from ifbench_tui.engine.benchmark import Benchmark, JudgedResponse, Prompt
from ifbench_tui.engine.intervals import PairedComparison, compare_paired
from ifbench_tui.engine.summary import Summary
from ifbench_tui.scoring import benchmark_for, summarise
from ifbench_tui.workspace import Suite

__all__ = ["Comparison", "Results", "compare", "original_key", "results_of"]


@dataclass(frozen=True, slots=True)
class Results:
    """One suite and, per model, its judged responses in prompt order and their summary."""

    suite: Suite
    judged: Mapping[str, Sequence[JudgedResponse]]
    summaries: Mapping[str, Summary]

    @property
    def benchmark(self) -> Benchmark:
        return benchmark_for(self.suite.benchmark_id)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of group that the summaries have."""
        return tuple(dict.fromkeys(kind for one in self.summaries.values() for kind in one.groups))

    @property
    def prompts(self) -> dict[str, Prompt]:
        """The suite's prompts by key."""
        return {prompt.key: prompt for prompt in self.suite.prompts}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models on the prompts both answered, and the prompts only one of them passes.

    `types` pairs their constraints of each type, by measure and type, in the order of names.
    """

    a: str
    b: str
    measures: Mapping[str, PairedComparison]
    only_a: Mapping[str, tuple[Any, ...]]
    only_b: Mapping[str, tuple[Any, ...]]
    types: Mapping[str, Mapping[str, PairedComparison]]

    def to_dict(self) -> dict[str, Any]:
        paired = {
            name: {
                **measure.to_dict(),
                "only_a_keys": list(self.only_a[name]),
                "only_b_keys": list(self.only_b[name]),
                "by_type": {kind: one.to_dict() for kind, one in self.types[name].items()},
            }
            for name, measure in self.measures.items()
        }
        return {"a": self.a, "b": self.b, **paired}


def original_key(prompt: Prompt) -> Any:
    """The prompt's key as its file has it: a number stays a number."""
    return prompt.attributes.get("key", prompt.key)


def results_of(suite: Suite, judged: Mapping[str, Sequence[JudgedResponse]]) -> Results:
    """Summarise each model's judged responses."""
    return Results(suite, judged, {model: summarise(suite, rows) for model, rows in judged.items()})


def compare(results: Results, a: str, b: str) -> Comparison:
    """Models `a` and `b` paired by prompt, strictly and, with several variants, loosely."""
    rows_a, rows_b = results.judged[a], results.judged[b]
    theirs = {row.key: row for row in rows_b if row.lattices}
    pairs = [(row, theirs[row.key]) for row in rows_a if row.lattices and row.key in theirs]
    keys = {key: original_key(prompt) for key, prompt in results.prompts.items()}
    measures: dict[str, PairedComparison] = {}
    only_a: dict[str, tuple[Any, ...]] = {}
    only_b: dict[str, tuple[Any, ...]] = {}
    many = len(results.benchmark.variant_names) > 1
    for name in ("strict", "loose") if many else ("strict",):
        measures[name] = compare_models(rows_a, rows_b, loose=name == "loose")
        passes = [(x.key, getattr(x, name), getattr(y, name)) for x, y in pairs]
        only_a[name] = tuple(keys[key] for key, x, y in passes if x and not y)
        only_b[name] = tuple(keys[key] for key, x, y in passes if y and not x)
    types = {name: _compare_types(pairs, name) for name in measures}
    return Comparison(a, b, measures, only_a, only_b, types)


def _compare_types(
    pairs: Sequence[tuple[JudgedResponse, JudgedResponse]], measure: str
) -> dict[str, PairedComparison]:
    passes: dict[str, tuple[list[bool], list[bool]]] = defaultdict(lambda: ([], []))
    for row_a, row_b in pairs:
        for one, other in zip(row_a.lattices, row_b.lattices, strict=True):
            passes[one.constraint][0].append(getattr(one, measure))
            passes[one.constraint][1].append(getattr(other, measure))
    return {kind: compare_paired(*passes[kind]) for kind in sorted(passes)}
