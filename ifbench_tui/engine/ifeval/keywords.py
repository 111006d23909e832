"""keywords: existence, frequency, forbidden words, letter frequency.

Keywords are regular expressions as they stand in the data, matched without regard to case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.counting import Counted, read_relation
from ifbench_tui.engine.ifeval.params import Params, fail
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.patterns import Searcher
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.engine.verdict import CheckFailed, Measure, Span

__all__ = ["Existence", "ForbiddenWords", "Frequency", "LetterFrequency"]

_EXAMPLES = 100
"""Hits of one keyword that are worth painting when any number of them would do."""


def _quoted(words: list[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _first_hit(searcher: Searcher, text: str) -> bool:
    return bool(searcher.find(text, limit=1))


@constraint_type("keywords:existence", "keywords")
class Existence(Constraint):
    """Every keyword matches somewhere."""

    def __init__(self, params: Params) -> None:
        self.searchers = [
            (word, Searcher(word, params.finder, flags=re.IGNORECASE))
            for word in params.sorted_words("keywords")
        ]

    def measure(self, text: str) -> Measure:
        missing: list[str] = []
        for word, searcher in self.searchers:
            try:
                found = _first_hit(searcher, text)
            except CheckFailed:
                # The reference stops at the first keyword without a match, so what comes
                # after it cannot raise.
                if not missing:
                    raise
                found = False
            if not found:
                missing.append(str(word))
        total = len(self.searchers)
        said = f"{total - len(missing)} of {quantity(total, 'keyword')}"
        if missing:
            said += f", missing {_quoted(missing)}"
        return Measure(missing, said, -len(missing), total, partial(self._locate, text, missing))

    def _locate(self, text: str, missing: list[str]) -> Iterator[Span]:
        for word, searcher in self.searchers:
            if word not in missing:
                for start, end in searcher.find(text, _EXAMPLES):
                    yield Span(start, end, "counts", f"keyword “{word}”")

    def holds(self, measure: Measure) -> bool:
        return not measure.value

    def required(self) -> str:
        words = [str(word) for word, _ in self.searchers]
        return f"{'all of ' if len(words) > 1 else ''}{_quoted(words)}"


@constraint_type("keywords:frequency", "keyword", "frequency", "relation")
class Frequency(Counted):
    """One keyword matches so many times; empty matches count."""

    unit = "match"

    def __init__(self, params: Params) -> None:
        self.keyword = params.filled_text("keyword").strip()
        frequency = params.count("frequency")
        super().__init__(read_relation(params, "relation", frequency))
        self.searcher = Searcher(self.keyword, params.finder, flags=re.IGNORECASE)

    def find(self, text: str) -> list[tuple[int, int]]:
        return self.searcher.find(text)

    def count(self, text: str) -> int:
        return len(self.find(text))

    def said(self, count: int) -> str:
        return f"“{self.keyword}” {_times(count)}"

    def required(self) -> str:
        return f"“{self.keyword}” {self.bound.name} {_times(self.bound.number)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


@constraint_type("keywords:forbidden_words", "forbidden_words")
class ForbiddenWords(Constraint):
    """No forbidden word matches between word boundaries."""

    def __init__(self, params: Params) -> None:
        self.searchers = [
            (word, Searcher(word, params.finder, before=r"\b", after=r"\b", flags=re.IGNORECASE))
            for word in params.sorted_words("forbidden_words", once=True)
        ]

    def measure(self, text: str) -> Measure:
        used: list[str] = []
        for word, searcher in self.searchers:
            try:
                found = _first_hit(searcher, text)
            except CheckFailed:
                # The reference stops at the first word it finds; later ones cannot raise.
                if not used:
                    raise
                continue
            if found:
                used.append(str(word))
        said = f"uses {_quoted(used)}" if used else "uses none of them"
        return Measure(used, said, -len(used), 0, partial(self._locate, text, used))

    def _locate(self, text: str, used: list[str]) -> Iterator[Span]:
        for word, searcher in self.searchers:
            if word in used:
                for start, end in searcher.find(text):
                    yield Span(start, end, "offends", f"forbidden “{word}”")

    def holds(self, measure: Measure) -> bool:
        return not measure.value

    def required(self) -> str:
        return f"none of {_quoted([str(word) for word, _ in self.searchers])}"


@constraint_type("keywords:letter_frequency", "letter", "let_frequency", "let_relation")
class LetterFrequency(Counted):
    """One character occurs so many times, in either case."""

    unit = "letter"

    def __init__(self, params: Params) -> None:
        letter = params.filled_text("letter", otherwise="TypeError")
        if len(letter) > 1:
            message = f"letter must be one character, not {letter!r}: not verifiable"
            fail("invalid_parameter", message, "random")
        self.letter = letter.strip().lower()
        number = params.count("let_frequency")
        super().__init__(read_relation(params, "let_relation", number))

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        if len(self.letter) != 1:
            return
        # Lower-casing can lengthen a character, and the end of a word decides how a sigma looks.
        lowered = text.lower()
        start = 0
        for position, character in enumerate(text):
            end = start + len(character.lower())
            for _ in range(lowered.count(self.letter, start, end)):
                yield position, position + 1
            start = end

    def count(self, text: str) -> int:
        # A letter whose lower case is two characters, or a blank, equals no single character.
        return text.lower().count(self.letter) if len(self.letter) == 1 else 0

    def said(self, count: int) -> str:
        return f"“{self.letter}” {_times(count)}"

    def required(self) -> str:
        return f"“{self.letter}” {self.bound.name} {_times(self.bound.number)}"
