"""combination: two different responses, and the prompt repeated first."""

from __future__ import annotations

from collections.abc import Iterator

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.params import Params
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["RepeatPrompt", "TwoResponses"]

_DIVIDER = "******"


@constraint_type("combination:two_responses")
class TwoResponses(Constraint):
    """Exactly two different answers with six stars between them."""

    def __init__(self, _params: Params) -> None:
        pass

    def measure(self, text: str) -> Measure:
        parts = text.split(_DIVIDER)
        kept = [part.strip() for part in parts if part.strip()]
        if any(not part.strip() for part in parts[1:-1]):
            said = "an empty answer between two dividers"
        elif len(kept) != 2:
            said = quantity(len(kept), "answer")
        elif kept[0] == kept[1]:
            said = "two answers, but the same"
        else:
            return Measure(True, "two different answers", locate=lambda: _dividers(text))
        return Measure(False, said, locate=lambda: _dividers(text))

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return "two different answers separated by ******"


def _dividers(text: str) -> Iterator[Span]:
    position = text.find(_DIVIDER)
    while position >= 0:
        yield Span(position, position + len(_DIVIDER), "counts", "divider")
        position = text.find(_DIVIDER, position + len(_DIVIDER))


@constraint_type("combination:repeat_prompt", "prompt_to_repeat")
class RepeatPrompt(Constraint):
    """The text starts with the prompt, whatever its case."""

    def __init__(self, params: Params) -> None:
        self.prompt = params.filled_text("prompt_to_repeat", missing="ValueError")

    def measure(self, text: str) -> Measure:
        wanted = self.prompt.strip().lower()
        body = text.strip()
        said = body.lower()
        holds = said.startswith(wanted)
        same = len(wanted) if holds else _common_prefix(said, wanted)

        def locate() -> Iterator[Span]:
            start = len(text) - len(text.lstrip())
            # Lower-casing can lengthen a character; `same` counts in the lower-cased text.
            agree = start + _original_length(body, same)
            if agree > start:
                yield Span(start, agree, "counts", "repeats the prompt")
            if not holds and agree < start + len(body):
                yield Span(agree, agree + 1, "offends", f"expected {wanted[same : same + 20]!r}")

        if holds:
            return Measure(True, "repeats the prompt first", locate=locate)
        return Measure(
            False,
            f"differs after {quantity(same, 'character')}: {said[same : same + 20]!r} "
            f"where {wanted[same : same + 20]!r} should be",
            locate=locate,
        )

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return "starts by repeating the prompt"


def _common_prefix(left: str, right: str) -> int:
    for position, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return position
    return min(len(left), len(right))


def _original_length(text: str, lowered: int) -> int:
    """How many characters of `text` its first `lowered` lower-cased characters come from."""
    for position, character in enumerate(text):
        if lowered <= 0:
            return position
        lowered -= len(character.lower())
    return len(text)
