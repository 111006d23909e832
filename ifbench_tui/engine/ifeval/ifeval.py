"""The IFEval benchmark, assembled."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

from ifbench_tui.engine import accuracy
from ifbench_tui.engine.benchmark import (
    Benchmark,
    Constraint,
    ConstraintSpec,
    JudgedResponse,
    Prompt,
    Ranges,
)
from ifbench_tui.engine.ifeval import variants
from ifbench_tui.engine.ifeval.params import fail
from ifbench_tui.engine.ifeval.registry import TYPES
from ifbench_tui.engine.patterns import DirectFinder, PatternFinder
from ifbench_tui.engine.summary import Summary

__all__ = ["IFEval"]

for _module in pkgutil.iter_modules(importlib.import_module(__package__).__path__):
    if _module.name != "ifeval":
        importlib.import_module(f"{__package__}.{_module.name}")


class IFEval(Benchmark):
    """Instruction-following evaluation (Zhou et al., 2023), as its reference code behaves."""

    id = "ifeval"
    title = "IFEval"
    variant_names = variants.NAMES
    variant_labels = variants.LABELS

    def __init__(self, finder: PatternFinder | None = None) -> None:
        self._finder = finder or DirectFinder()

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(sorted(TYPES))

    def family(self, type_id: str) -> str:
        return type_id.partition(":")[0]

    def build(self, spec: ConstraintSpec) -> Constraint:
        # Multilingual copies of the data name the language first.
        found = TYPES.get(spec.type.removeprefix("en:"))
        if found is None:
            fail("unknown_constraint", f"no IFEval constraint is called {spec.type!r}", "KeyError")
        return found.build(spec.params, self._finder)

    def variants(self, response: str) -> tuple[str, ...]:
        return variants.texts(response)

    def kept(self, response: str, variant: int) -> Ranges:
        return variants.kept(response, variant)

    def summarise(
        self, judged: Sequence[JudgedResponse], prompts: Sequence[Prompt] = ()
    ) -> Summary:
        return accuracy.summarise(self, judged)

    def warm_up(self) -> None:
        from ifbench_tui.engine.text import language

        language.warm_up()

    def note(self, spec: ConstraintSpec) -> str:
        letter = spec.params.get("letter")
        if spec.type == "keywords:letter_frequency" and isinstance(letter, str):
            lowered = letter.strip().lower()
            if len(letter) == 1 and not (len(lowered) == 1 and "a" <= lowered <= "z"):
                return "older copies of the reference draw a random letter here"
        return ""
