"""change_case: capital words, all capital, all lower case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.counting import Counted, read_relation
from ifbench_tui.engine.ifeval.language import detected, said_language
from ifbench_tui.engine.ifeval.params import Params
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.text.words import capital_spans
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["CapitalWordFrequency", "EnglishCapital", "EnglishLowercase"]


@constraint_type("change_case:capital_word_frequency", "capital_frequency", "capital_relation")
class CapitalWordFrequency(Counted):
    """So many word tokens are written in capitals."""

    unit = "capital word"

    def __init__(self, params: Params) -> None:
        number = params.integer("capital_frequency")
        super().__init__(read_relation(params, "capital_relation", number))

    def find(self, text: str) -> list[tuple[int, int]]:
        return capital_spans(text)

    def count(self, text: str) -> int:
        return len(self.find(text))


class _EnglishCase(Constraint):
    """Every cased character is in one case, and the language detected is English."""

    case: ClassVar[str]
    has_case: ClassVar[Callable[[str], bool]]

    def __init__(self, _params: Params) -> None:
        pass

    def measure(self, text: str) -> Measure:
        if not type(self).has_case(text):
            at = self._offender(text)
            said = "no cased letter" if at is None else f"{text[at]!r} is not {self.case}"

            def locate() -> Iterator[Span]:
                if at is not None:
                    yield Span(at, at + 1, "offends", f"not {self.case}")

            return Measure(False, said, locate=locate)
        detection = detected(text)
        holds = detection is None or detection.language == "en"
        return Measure(holds, f"all {self.case}; {said_language(detection)}")

    def _offender(self, text: str) -> int | None:
        """The first cased character in another case."""
        for position, character in enumerate(text):
            cased = character.lower() != character.upper() or character.istitle()
            if cased and not type(self).has_case(character):
                return position
        return None

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return f"English, all {self.case}"


@constraint_type("change_case:english_capital")
class EnglishCapital(_EnglishCase):
    """English in capitals only."""

    case = "capital"
    has_case = str.isupper


@constraint_type("change_case:english_lowercase")
class EnglishLowercase(_EnglishCase):
    """English in lower case only."""

    case = "lower case"
    has_case = str.islower
