"""style: letters, marks, capitals, digits, and how sentences and paragraphs begin."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar

from ifbench_tui.engine.ifhardbench.checks import Check, Counted, failed, found, role
from ifbench_tui.engine.ifhardbench.counts import clamp, quantity
from ifbench_tui.engine.ifhardbench.figures import SameWord
from ifbench_tui.engine.ifhardbench.params import Params, fail, shown, sift
from ifbench_tui.engine.ifhardbench.registry import constraint_type
from ifbench_tui.engine.ifhardbench.text import (
    Pair,
    Text,
    final_marks,
    first_letter,
    letter_span,
)
from ifbench_tui.engine.ifhardbench.vocabulary import listed, marked, spotted
from ifbench_tui.engine.verdict import Measure, Span

__all__ = [
    "Anaphora",
    "CommaCount",
    "EndPunctuation",
    "ExclamationCount",
    "ForbidLetter",
    "ForbidLetters",
    "LetterStartCount",
    "MaxWordLength",
    "NoCaps",
    "NoCommas",
    "NoDigits",
    "NoLatin",
    "NoMarkdown",
    "QuestionCount",
    "SentenceInitials",
]


def _offending(pairs: Iterable[Pair], note: str = "") -> Iterator[Span]:
    return (Span(start, end, "offends", note) for start, end in pairs)


def _matches(pattern: str, text: str) -> Iterator[Pair]:
    return (match.span() for match in re.finditer(pattern, text))


def _lowered(text: Text, part: str) -> Iterator[Pair]:
    """Where the lower-cased text holds a part; `ё` is not `е` here."""
    lowered = text.source.lower()
    at = lowered.find(part)
    while at >= 0 and part:
        yield text.unfolded(at), text.unfolded(at + len(part) - 1) + 1
        at = lowered.find(part, at + len(part))


def _without(text: Text, letters: Sequence[str]) -> Measure:
    lowered = text.source.lower()
    uses = {letter: lowered.count(letter) for letter in letters if letter in lowered}

    def locate() -> Iterable[Span]:
        return chain.from_iterable(_offending(_lowered(text, x), shown(x)) for x in uses)

    said = ", ".join(f"«{x}» {quantity(n, 'time')}" for x, n in list(uses.items())[:12])
    return Measure(uses, said or "none of them", -sum(uses.values()), 0, locate)


def _lower(value: object) -> str:
    if not isinstance(value, str):
        fail("invalid_parameter", f"a letter must be text, not {value!r}"[:200], "AttributeError")
    return value.lower()


@constraint_type("style:forbid_letter")
class ForbidLetter(Check):
    """A letter is nowhere, in either case."""

    def look(self, text: Text) -> Measure:
        return _without(text, [_lower(self.params.value("letter"))])

    def wanted(self) -> str:
        return f"no {self.params.shown('letter')} anywhere"


@constraint_type("style:forbid_letters")
class ForbidLetters(Check):
    """Several letters are nowhere."""

    def look(self, text: Text) -> Measure:
        return _without(text, [_lower(letter) for letter in self.params.many("letters")])

    def wanted(self) -> str:
        return f"none of the letters {listed(self.params.many('letters'))}"


@constraint_type("style:no_commas")
class NoCommas(Check):
    """No comma."""

    def look(self, text: Text) -> Measure:
        count = text.source.count(",")
        return Measure(
            count,
            quantity(count, "comma"),
            -count,
            0,
            lambda: _offending(_matches(",", text.source), "comma"),
        )

    def wanted(self) -> str:
        return "no commas"


@constraint_type("style:no_caps")
class NoCaps(Check):
    """Nothing that lower case would change."""

    def look(self, text: Text) -> Measure:
        if text.source == text.source.lower():
            return found(True, "no capital letters")

        def capitals() -> Iterator[Pair]:
            return ((i, i + 1) for i, char in enumerate(text.source) if char != char.lower())

        count = sum(1 for _ in capitals())
        said = quantity(count, "capital letter")
        return Measure(count, said, -count, 0, lambda: _offending(capitals(), "capital"))

    def wanted(self) -> str:
        return "no capital letters"


@constraint_type("style:end_punctuation")
class EndPunctuation(Check):
    """The last character is a given mark."""

    def look(self, text: Text) -> Measure:
        body = text.body
        if not body:
            return failed("the answer is blank")
        char = self.params.value("char")
        holds = bool(body[-1] == char)
        end = len(text.source.rstrip())
        return found(
            holds, f"ends with «{body[-1]}»", lambda: [Span(end - 1, end, role(holds), "the end")]
        )

    def wanted(self) -> str:
        return f"ends with {self.params.shown('char')}"


@constraint_type("style:sentence_initials")
class SentenceInitials(Check):
    """All sentences start with different letters."""

    def look(self, text: Text) -> Measure:
        sentences = text.sentences
        if len(sentences) < 2:
            return failed(f"{quantity(len(sentences), 'sentence')}, two are needed")
        letters = [first_letter(text.cut(pair)) for pair in sentences]
        uses = Counter(letters)
        wrong = sum(n if letter is None else n - 1 for letter, n in uses.items())

        def locate() -> Iterator[Span]:
            for index, (pair, letter) in enumerate(zip(sentences, letters, strict=True)):
                where = letter_span(text.source, *pair) or pair
                good = letter is not None and uses[letter] == 1
                note = f"sentence {index + 1}: " + (f"«{letter}»" if letter else "no letter")
                yield Span(*where, role(good), note)

        said = "sentences start with " + ", ".join(letter or "none" for letter in letters[:40])
        return Measure(letters, said, -wrong, 0, locate)

    def wanted(self) -> str:
        return "every sentence starts with another letter"


@constraint_type("style:comma_count")
class CommaCount(Counted):
    """So many commas."""

    unit = "comma"

    def find(self, text: Text) -> Iterator[Pair]:
        return _matches(",", text.source)

    def count(self, text: Text) -> int:
        return text.source.count(",")


@constraint_type("style:letter_start_count")
class LetterStartCount(Counted):
    """So many words start with a letter."""

    unit = "word"

    def find(self, text: Text) -> list[Pair]:
        letter = self.params.folded("letter")
        return text.with_stem(letter) if len(letter) == 1 else []

    def count(self, text: Text) -> int:
        letter = self.params.folded("letter")
        return text.stem_count(letter) if len(letter) == 1 else 0

    def wanted(self) -> str:
        return f"{self.bound.required('word')} starting with {self.params.shown('letter')}"


@constraint_type("style:anaphora")
class Anaphora(SameWord):
    """All paragraphs start with the same word."""

    verb = "start"
    unit = "paragraph"

    def parts(self, text: Text) -> Sequence[Pair]:
        return text.paragraphs


_MARKUP = re.compile(r"[*`]|__")
_BLOCK = re.compile(r"\s*(#|>|[-+•]\s|\d+[.)]\s)")


@constraint_type("style:no_markdown")
class NoMarkdown(Check):
    """No emphasis, no code, no headings, quotes or lists."""

    def look(self, text: Text) -> Measure:
        marks = [match.span() for match in _MARKUP.finditer(text.source)]
        start = 0
        for line in text.source.splitlines(keepends=True):
            if block := _BLOCK.match(line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")):
                marks.append((start + block.start(1), start + block.end(1)))
            start += len(line)
        said = quantity(len(marks), "Markdown mark")
        return Measure(marks, said, -len(marks), 0, lambda: _offending(marks, "Markdown"))

    def wanted(self) -> str:
        return "no Markdown"


@constraint_type("style:max_word_length")
class MaxWordLength(Check):
    """No word has more than so many letters."""

    def look(self, text: Text) -> Measure:
        if not text.words:
            return failed("no words")
        most = self.params.integer("max")
        lengths = [_letters(core) for core in text.cores]
        longest = max(lengths)

        def locate() -> Iterator[Span]:
            for pair, length in zip(text.word_spans, lengths, strict=True):
                if length > most or length == longest:
                    bad = length > most
                    yield Span(*pair, "offends" if bad else "limit", quantity(length, "letter"))

        word = text.cores[lengths.index(longest)]
        said = f"the longest word, «{word[:60]}», has {quantity(longest, 'letter')}"
        return Measure(longest, said, clamp(most - longest), clamp(most), locate)

    def wanted(self) -> str:
        return f"no word of more than {quantity(self.params.integer('max'), 'letter')}"


def _letters(core: str) -> int:
    return len(core) if core.isalpha() else sum(map(str.isalpha, core))


class _Endings(Counted):
    """Sentences that end with a mark are counted."""

    mark: ClassVar[str]

    def find(self, text: Text) -> list[Pair]:
        if self.mark not in text.source:
            return []
        return [pair for pair in text.sentences if self.mark in final_marks(text.cut(pair))]

    def wanted(self) -> str:
        return f"{self.bound.required('sentence')} ending with «{self.mark}»"


@constraint_type("style:question_count")
class QuestionCount(_Endings):
    """Questions."""

    unit, mark = "question", "?"


@constraint_type("style:exclamation_count")
class ExclamationCount(_Endings):
    """Exclamations."""

    unit, mark = "exclamation", "!"


class _Banned(Check):
    """Characters of a kind are nowhere, and one of several words is there instead."""

    kind: ClassVar[str]

    @abstractmethod
    def banned(self, text: Text) -> list[Pair]:
        """Where the banned characters are."""

    def look(self, text: Text) -> Measure:
        banned = self.banned(text)
        if banned:
            said = quantity(len(banned), self.kind)
            return Measure(banned, said, -len(banned), 0, lambda: _offending(banned, self.kind))
        said = f"no {self.kind}s"
        linked = _linked(self.params)
        if linked is None:
            return found(True, said)
        values, whole = linked
        there, _ = sift(values, spotted(text, whole), True)
        said += f", {'has' if there else 'without'} {listed(there or values)}"
        return found(bool(there), said, lambda: marked(text, there, whole, True))

    def wanted(self) -> str:
        linked = _linked(self.params)
        if linked is None:
            return f"no {self.kind}s"
        how = "one of the words" if linked[1] else "a word starting with one of"
        return f"no {self.kind}s, and {how} {listed(linked[0])}"


def _linked(params: Params) -> tuple[list[Any], bool] | None:
    """The words one of which must be there, and whether they are meant in this very form."""
    for name in ("any_words", "any_stems"):
        if name in params:
            return params.many(name), name == "any_words"
    return None


_NO_LETTER = re.compile("[^\\W_a-zA-Zа-яёА-ЯЁ]")


@constraint_type("style:no_digits")
class NoDigits(_Banned):
    """No digit."""

    kind = "digit"

    def banned(self, text: Text) -> list[Pair]:
        candidates = _NO_LETTER.finditer(text.source)
        return [match.span() for match in candidates if match[0].isdigit()]


@constraint_type("style:no_latin")
class NoLatin(_Banned):
    """No Latin letter."""

    kind = "Latin letter"

    def banned(self, text: Text) -> list[Pair]:
        return list(_matches("[A-Za-z]", text.source))
