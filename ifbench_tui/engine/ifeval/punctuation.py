"""punctuation: no comma."""

from __future__ import annotations

from collections.abc import Iterator

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.params import Params
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["NoComma"]


@constraint_type("punctuation:no_comma")
class NoComma(Constraint):
    """No U+002C anywhere; commas of other scripts are allowed."""

    def __init__(self, _params: Params) -> None:
        pass

    def measure(self, text: str) -> Measure:
        count = text.count(",")

        def locate() -> Iterator[Span]:
            position = text.find(",")
            while position >= 0:
                yield Span(position, position + 1, "offends", "comma")
                position = text.find(",", position + 1)

        return Measure(count, quantity(count, "comma"), -count, 0, locate)

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value == 0)

    def required(self) -> str:
        return "no commas"
