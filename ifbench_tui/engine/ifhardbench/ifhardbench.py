"""The IFHardBench benchmark, assembled."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from typing import Any

from ifbench_tui.engine.benchmark import (
    Benchmark,
    Constraint,
    ConstraintSpec,
    JudgedResponse,
    Prompt,
    Ranges,
)
from ifbench_tui.engine.ifhardbench import BENCHMARK_ID, metrics, normalise
from ifbench_tui.engine.ifhardbench.conflicts import conflicts
from ifbench_tui.engine.ifhardbench.params import fail
from ifbench_tui.engine.ifhardbench.registry import TYPES, build
from ifbench_tui.engine.ifhardbench.russian import russian
from ifbench_tui.engine.patterns import PatternFinder
from ifbench_tui.engine.summary import Summary

__all__ = ["IFHardBench"]

_NO_TYPES = ("ifhardbench", "bootstrap")
"""This module, and one that brings numpy with it, which checking does not need."""

for _module in pkgutil.iter_modules(importlib.import_module(__package__).__path__):
    if _module.name not in _NO_TYPES:
        importlib.import_module(f"{__package__}.{_module.name}")

_KEPT = 50_000
"""Requirements kept ready: several times what the benchmark has."""

_FAMILIES = ("structure", "lexical", "style", "format", "logic")


class IFHardBench(Benchmark):
    """Stacks of Russian writing requirements, as the reference's harness task scores them."""

    id = BENCHMARK_ID
    title = "IFHardBench"
    variant_names = ("answer",)
    variant_labels = ("ans",)
    checks_blank = True
    cuts_traces = True

    def __init__(self, finder: PatternFinder | None = None) -> None:
        """No pattern of this benchmark comes from a file, so `finder` is not needed."""
        self._built: dict[int, tuple[ConstraintSpec, Constraint]] = {}

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(sorted(TYPES, key=lambda one: (_FAMILIES.index(self.family(one)), one)))

    def family(self, type_id: str) -> str:
        return type_id.partition(":")[0]

    def build(self, spec: ConstraintSpec) -> Constraint:
        # What a requirement reads from its parameters is read once for all models. The spec is
        # kept beside it, so that its id cannot become another spec's.
        known = self._built.get(id(spec))
        if known is not None:
            return known[1]
        if spec.flaw:
            fail("missing_parameter", spec.flaw, "KeyError")
        built = build(spec.type, spec.params)
        if len(self._built) >= _KEPT:
            self._built.clear()
        self._built[id(spec)] = spec, built
        return built

    def variants(self, response: str) -> tuple[str, ...]:
        return (normalise.normalise(response),)

    def as_given(self, text: str) -> tuple[str, ...]:
        return (text,)

    def kept(self, response: str, variant: int) -> Ranges:
        return normalise.kept(response)

    def row_fields(self, judged: JudgedResponse) -> dict[str, Any]:
        passed, rate = metrics.row_values(judged)
        return {"empty": judged.blank, "sample_pass": passed == 1.0, "constraint_pass_rate": rate}

    def wording(self, spec: ConstraintSpec) -> str:
        return spec.wording or russian(spec.type, spec.params)

    def conflicts(self, prompt: Prompt) -> tuple[str, ...]:
        return conflicts(prompt.constraints)

    def summarise(
        self, judged: Sequence[JudgedResponse], prompts: Sequence[Prompt] = ()
    ) -> Summary:
        return metrics.summarise(self.id, judged, prompts)
