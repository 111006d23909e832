"""lexical: figures that tie words to their places: acrostics, rings, echoes, chains."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple

from ifbench_tui.engine.ifhardbench.checks import Check, failed, found, role
from ifbench_tui.engine.ifhardbench.counts import quantity
from ifbench_tui.engine.ifhardbench.registry import constraint_type
from ifbench_tui.engine.ifhardbench.text import (
    Pair,
    Text,
    core,
    cores,
    first_letter,
    letter_span,
    word_spans,
    words,
)
from ifbench_tui.engine.verdict import Measure, Span

__all__ = [
    "Acrostic",
    "AlphaItems",
    "Anadiplosis",
    "Epiphora",
    "ItemChain",
    "ParagraphEcho",
    "RingWord",
    "SameWord",
    "SentenceAcrostic",
]


class Ends(NamedTuple):
    """The first and the last word of a part: their cores."""

    first: str
    last: str


def ends(text: Text, part: Pair) -> Ends | None:
    """The outer words of a part; None where it has no word."""
    found = words(text.cut(part))
    return Ends(core(found[0]), core(found[-1])) if found else None


def first_span(text: Text, part: Pair) -> Pair:
    """Where the first word of a part is; the part must have one."""
    return word_spans(text.source, *part)[0]


def last_span(text: Text, part: Pair) -> Pair:
    """Where the last word of a part is; the part must have one."""
    return word_spans(text.source, *part)[-1]


class _Letters(Check):
    """The first letters of the parts spell a word."""

    part: ClassVar[str]

    @abstractmethod
    def parts(self, text: Text) -> Sequence[Pair]:
        """Where the parts are."""

    def look(self, text: Text) -> Measure:
        word = self.params.folded("word")
        parts = self.parts(text)
        spelled = [first_letter(text.cut(pair)) for pair in parts]
        wrong = sum(a != b for a, b in zip(spelled, word, strict=False))
        wrong += abs(len(parts) - len(word))

        def locate() -> Iterator[Span]:
            for index, (pair, letter) in enumerate(zip(parts, spelled, strict=True)):
                need = word[index : index + 1]
                good = letter == need
                where = letter_span(text.source, *pair) or (pair[0], pair[0])
                note = f"{self.part} {index + 1}" + ("" if good else f", wanted «{need or 'none'}»")
                yield Span(*where, role(good), note)
            for need in word[len(parts) :][:1]:
                yield Span(len(text.source), len(text.source), "missing", f"wanted «{need}»")

        said = f"{quantity(len(parts), self.part)}"
        if parts:
            said += " spell «" + "".join(letter or "?" for letter in spelled[:60]) + "»"
        return Measure(spelled, said, -wrong, len(word), locate)

    def wanted(self) -> str:
        word = self.params.shown("word")
        return f"the first letters of the {self.part}s spell {word}"


@constraint_type("lexical:acrostic")
class Acrostic(_Letters):
    """Over list items."""

    part = "item"

    def parts(self, text: Text) -> Sequence[Pair]:
        return text.items(self.params.get("kind", "any"))


@constraint_type("lexical:sentence_acrostic")
class SentenceAcrostic(_Letters):
    """Over sentences."""

    part = "sentence"

    def parts(self, text: Text) -> Sequence[Pair]:
        return text.sentences


@constraint_type("lexical:ring_word")
class RingWord(Check):
    """The last word is the first one again."""

    def look(self, text: Text) -> Measure:
        cores = text.cores
        if len(cores) < 2:
            return failed(f"{quantity(len(cores), 'word')}, two are needed")
        first, last = cores[0], cores[-1]
        good = first == last

        def locate() -> Iterator[Span]:
            note = f"ring «{first}»" if good else f"«{first}» and «{last}»"
            yield Span(*text.word_spans[0], role(good), note)
            yield Span(*text.word_spans[-1], role(good), note)

        return found(good, f"starts with «{first[:60]}», ends with «{last[:60]}»", locate)

    def wanted(self) -> str:
        return "the last word is the same as the first"


@constraint_type("lexical:paragraph_echo")
class ParagraphEcho(Check):
    """The last word of the first paragraph stands again in the last paragraph."""

    def look(self, text: Text) -> Measure:
        paragraphs = text.paragraphs
        if len(paragraphs) < 2:
            return failed(f"{quantity(len(paragraphs), 'paragraph')}, two are needed")
        outer = ends(text, paragraphs[0])
        if outer is None:
            return failed("the first paragraph has no word")
        word = outer.last
        echoes = cores(words(text.cut(paragraphs[-1]))).count(word)

        def locate() -> Iterator[Span]:
            note = f"echo «{word}»"
            yield Span(*last_span(text, paragraphs[0]), role(echoes > 0), note)
            for pair in word_spans(text.source, *paragraphs[-1]):
                if core(text.cut(pair)) == word:
                    yield Span(*pair, "counts", note)

        said = f"«{word[:60]}» stands {quantity(echoes, 'time')} in the last paragraph"
        return found(echoes > 0, said, locate)

    def wanted(self) -> str:
        return "the last word of the first paragraph again in the last paragraph"


class _Linked(Check):
    """The end of each part is tied to the start of the next."""

    part: ClassVar[str]

    @abstractmethod
    def parts(self, text: Text) -> Sequence[Pair]:
        """Where the parts are."""

    @abstractmethod
    def tied(self, left: str, right: str) -> bool:
        """Whether the last word of a part and the first word of the next agree."""

    def look(self, text: Text) -> Measure:
        parts = self.parts(text)
        if len(parts) < 2:
            return failed(f"{quantity(len(parts), self.part)}, two are needed")
        outer = [ends(text, pair) for pair in parts]
        good = [
            a is not None and b is not None and self.tied(a.last, b.first)
            for a, b in pairwise(outer)
        ]
        broken = good.count(False)

        def locate() -> Iterator[Span]:
            for number, holds in enumerate(good, 1):
                note = f"link {number}" + ("" if holds else ", broken")
                if outer[number - 1]:
                    yield Span(*last_span(text, parts[number - 1]), role(holds), note)
                if outer[number]:
                    yield Span(*first_span(text, parts[number]), role(holds), note)

        said = f"{len(good) - broken:,} of {quantity(len(good), 'link')}"
        return Measure(good, said, -broken, len(good), locate)


@constraint_type("lexical:item_chain")
class ItemChain(_Linked):
    """The first letters of an item's last word and of the next item's first word are the same."""

    part = "list item"

    def parts(self, text: Text) -> Sequence[Pair]:
        return text.items(self.params.get("kind", "any"))

    def tied(self, left: str, right: str) -> bool:
        letter = first_letter(left)
        return letter is not None and letter == first_letter(right)

    def wanted(self) -> str:
        return "each item starts with the letter that the last word of the one before starts with"


@constraint_type("lexical:anadiplosis")
class Anadiplosis(_Linked):
    """Each sentence starts with the last word of the one before."""

    part = "sentence"

    def parts(self, text: Text) -> Sequence[Pair]:
        return text.sentences

    def tied(self, left: str, right: str) -> bool:
        return left == right

    def wanted(self) -> str:
        return "each sentence starts with the last word of the one before"


class SameWord(Check):
    """All parts start, or all end, with the same word."""

    verb: ClassVar[Literal["start", "end"]]

    @property
    @abstractmethod
    def unit(self) -> str:
        """What a part is."""

    @abstractmethod
    def parts(self, text: Text) -> Sequence[Pair]:
        """Where the parts are."""

    def look(self, text: Text) -> Measure:
        parts = self.parts(text)
        if len(parts) < 2:
            return failed(f"{quantity(len(parts), self.unit)}, two are needed")
        place = 0 if self.verb == "start" else -1
        outer = [ends(text, pair) for pair in parts]
        same = [one[place] if one else "" for one in outer]

        def locate() -> Iterator[Span]:
            for part, word in zip(parts, same, strict=True):
                if word:
                    span = word_spans(text.source, *part)[place]
                    yield Span(*span, role(word == same[0]), f"{self.verb}s with «{word}»")

        different = list(dict.fromkeys(same))
        said = f"{quantity(len(parts), self.unit)} {self.verb} with " + ", ".join(
            f"«{word[:60]}»" if word else "no word" for word in different[:6]
        )
        return found(len(different) == 1 and bool(same[0]), said, locate)

    def wanted(self) -> str:
        return f"all {self.unit}s {self.verb} with the same word"


@constraint_type("lexical:epiphora")
class Epiphora(SameWord):
    """All items, or all paragraphs, end with the same word."""

    verb = "end"

    @property
    def unit(self) -> str:
        return "list item" if self.params.get("unit", "items") == "items" else "paragraph"

    def parts(self, text: Text) -> Sequence[Pair]:
        if self.unit == "paragraph":
            return text.paragraphs
        return text.items(self.params.get("kind", "any"))


_ALPHABET = {letter: rank for rank, letter in enumerate("абвгдежзийклмнопрстуфхцчшщъыьэюя")}


@constraint_type("lexical:alpha_items")
class AlphaItems(Check):
    """The items start with different letters in the order of the Russian alphabet."""

    def look(self, text: Text) -> Measure:
        items = text.items(self.params.get("kind", "any"))
        if len(items) < 2:
            return failed(f"{quantity(len(items), 'list item')}, two are needed")
        letters = [first_letter(text.cut(pair)) for pair in items]
        ranks = [_ALPHABET.get(letter or "") for letter in letters]
        good = [
            rank is not None
            and (index == 0 or (before := ranks[index - 1]) is None or before < rank)
            for index, rank in enumerate(ranks)
        ]

        def locate() -> Iterator[Span]:
            for index, (pair, letter) in enumerate(zip(items, letters, strict=True)):
                where = letter_span(text.source, *pair) or (pair[0], pair[0])
                after = f", after «{letters[index - 1]}»" if index and not good[index] else ""
                yield Span(*where, role(good[index]), f"item {index + 1}: «{letter}»{after}")

        said = "items start with " + ", ".join(letter or "none" for letter in letters[:40])
        return Measure(letters, said, -good.count(False), 0, locate)

    def wanted(self) -> str:
        return "items in the order of the alphabet, no two on the same letter"
