"""length_constraints: sentences, paragraphs, words, and the first word of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.counting import AT_LEAST, Counted, exactly, read_relation
from ifbench_tui.engine.ifeval.params import Params, fail
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.engine.text.sentences import count_sentences, sentence_spans
from ifbench_tui.engine.text.words import count_words, word_spans
from ifbench_tui.engine.verdict import Measure, Span

__all__ = [
    "NthParagraphFirstWord",
    "NumberParagraphs",
    "NumberSentences",
    "NumberWords",
]


@constraint_type("length_constraints:number_sentences", "num_sentences", "relation")
class NumberSentences(Counted):
    """So many Punkt sentences."""

    unit = "sentence"

    def __init__(self, params: Params) -> None:
        number = params.count("num_sentences")
        super().__init__(read_relation(params, "relation", number))

    def find(self, text: str) -> Iterable[tuple[int, int]]:
        return sentence_spans(text)

    def count(self, text: str) -> int:
        return count_sentences(text)


@constraint_type("length_constraints:number_words", "num_words", "relation")
class NumberWords(Counted):
    r"""So many runs of `\w`."""

    unit = "word"

    def __init__(self, params: Params) -> None:
        number = params.count("num_words")
        super().__init__(read_relation(params, "relation", number))

    def find(self, text: str) -> Iterable[tuple[int, int]]:
        return word_spans(text)

    def count(self, text: str) -> int:
        return count_words(text)

    def locate(self, text: str) -> Iterator[Span]:
        """The words beyond an upper bound as one span, else the last word counted."""
        words = list(self.find(text))
        if not words:
            return
        start, end = words[-1]
        limit = self.bound.number
        if self.bound.name == AT_LEAST or len(words) < limit:
            yield Span(start, end, "limit", f"word {len(words):,}, the last")
        else:
            yield Span(words[max(limit - 1, 0)][0], end, "offends", f"from word {limit:,} on")


_PARAGRAPH_DIVIDER = re.compile(r"\s?\*\*\*\s?")


@constraint_type("length_constraints:number_paragraphs", "num_paragraphs")
class NumberParagraphs(Counted):
    """Exactly so many paragraphs between `***` dividers; an empty one inside fails."""

    unit = "paragraph"

    def __init__(self, params: Params) -> None:
        super().__init__(exactly(params.count("num_paragraphs")))

    def find(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in _PARAGRAPH_DIVIDER.finditer(text)]

    def measure(self, text: str) -> Measure:
        parts = _PARAGRAPH_DIVIDER.split(text)
        empty = {number for number, part in enumerate(parts) if not part.strip()}
        inner = empty - {0, len(parts) - 1}
        count = len(parts) - len(empty)

        def locate() -> Iterator[Span]:
            for number, (start, end) in enumerate(self.find(text)):
                yield Span(start, end, "offends" if number in inner else "counts", "divider")

        if inner:
            said = "an empty paragraph between two dividers"
            return Measure(None, said, locate=locate)
        said = quantity(count, self.unit) + self.bound.gap(count)
        distance = self.bound.distance(count)
        return Measure(count, said, distance, self.bound.number, locate)

    def holds(self, measure: Measure) -> bool:
        return measure.value is not None and super().holds(measure)


_ENDS_WORD = frozenset(".,?!'\"")


def _first_word(paragraph: str) -> str:
    """The first word as the reference cuts it: quotes off the left, then up to punctuation.

    Lower-cased one character at a time, so a capital sigma never becomes a final one.
    """
    token = paragraph.split()[0].lstrip("'").lstrip('"')
    kept = takewhile(lambda character: character not in _ENDS_WORD, token)
    return "".join(map(str.lower, kept))


@constraint_type(
    "length_constraints:nth_paragraph_first_word",
    "num_paragraphs",
    "nth_paragraph",
    "first_word",
)
class NthParagraphFirstWord(Constraint):
    """Exactly so many paragraphs between blank lines, and the n-th starts with a word.

    Blank parts are not counted as paragraphs but do take a place in the numbering, as in the
    reference.
    """

    def __init__(self, params: Params) -> None:
        self.number = params.count("num_paragraphs")
        self.nth = params.integer("nth_paragraph")
        if not 0 < self.nth <= self.number:
            message = f"nth_paragraph {self.nth} is not one of {self.number}: not verifiable"
            fail("invalid_parameter", message, "random")
        self.first_word = params.text("first_word").lower()

    def measure(self, text: str) -> Measure:
        parts = text.split("\n\n")
        count = sum(1 for part in parts if part.strip())
        paragraph = parts[self.nth - 1] if self.nth <= count else ""
        word = _first_word(paragraph) if paragraph.strip() else None
        found = quantity(count, "paragraph")
        if word is None:
            said = f"{found}, none at place {self.nth}"
        else:
            said = f"{found}, the {_ordinal(self.nth)} starts with “{word}”"
        bound = exactly(self.number)
        holds = count == self.number and word == self.first_word
        # The count decides only while the word is right.
        distance = bound.distance(count) if word == self.first_word else None

        def locate() -> Iterator[Span]:
            if word is not None:
                start = sum(len(part) + 2 for part in parts[: self.nth - 1])
                start += len(paragraph) - len(paragraph.lstrip())
                end = start + len(paragraph.split()[0])
                right = word == self.first_word
                yield Span(
                    start, end, "counts" if right else "offends", f"wanted “{self.first_word}”"
                )

        return Measure(holds, said + bound.gap(count), distance, self.number, locate)

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return (
            f"exactly {quantity(self.number, 'paragraph')}, "
            f"the {_ordinal(self.nth)} starting with “{self.first_word}”"
        )


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
