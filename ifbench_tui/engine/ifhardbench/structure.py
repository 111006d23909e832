"""structure: how many words, sentences, paragraphs, characters, and in what pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ifbench_tui.engine.ifhardbench.checks import (
    Check,
    Counted,
    Each,
    failed,
    found,
    role,
    sizes,
)
from ifbench_tui.engine.ifhardbench.counts import (
    Bound,
    clamp,
    counted,
    exactly,
    figure,
    quantity,
)
from ifbench_tui.engine.ifhardbench.params import fail, integer
from ifbench_tui.engine.ifhardbench.registry import constraint_type
from ifbench_tui.engine.ifhardbench.text import (
    Pair,
    Text,
    sentence_spans,
    stripped,
    word_count,
    word_spans,
)
from ifbench_tui.engine.verdict import Measure, Span

__all__ = [
    "AscendingSentences",
    "CharCount",
    "Checksum",
    "FirstLineCount",
    "ItemWords",
    "ItemWordsLadder",
    "ItemsTotalWords",
    "MirrorSentences",
    "ParagraphCount",
    "ParagraphSentences",
    "SentenceCount",
    "SentenceWords",
    "WordCharCount",
    "WordCount",
]


@constraint_type("structure:word_count")
class WordCount(Counted):
    """So many words."""

    unit = "word"

    def find(self, text: Text) -> Sequence[Pair]:
        return text.word_spans

    def count(self, text: Text) -> int:
        return len(text.words)


@constraint_type("structure:sentence_count")
class SentenceCount(Counted):
    """So many sentences."""

    unit = "sentence"

    def find(self, text: Text) -> Sequence[Pair]:
        return text.sentences


@constraint_type("structure:paragraph_count")
class ParagraphCount(Counted):
    """So many paragraphs."""

    unit = "paragraph"

    def find(self, text: Text) -> Sequence[Pair]:
        return text.paragraphs


def _characters(text: Text, bound: Bound) -> Iterator[Span]:
    """The stripped text as one span, and what is beyond an upper bound as another."""
    start, end = stripped(text.source)
    most = bound.most
    if most is None or end - start <= most:
        yield Span(start, end, "counts", quantity(end - start, "character"))
        return
    limit = start + max(most, 0)
    yield Span(start, limit, "counts", quantity(limit - start, "character"))
    yield Span(limit, end, "offends", f"from character {limit - start + 1:,} on")


@constraint_type("structure:char_count")
class CharCount(Counted):
    """So many code points, outer white space aside."""

    unit = "character"

    def find(self, text: Text) -> Sequence[Pair]:
        return [stripped(text.source)]

    def look(self, text: Text) -> Measure:
        bound = self.bound
        return counted(len(text.body), bound, self.unit, lambda: _characters(text, bound))


@constraint_type("structure:sentence_words")
class SentenceWords(Each):
    """So many words in every sentence."""

    part, unit = "sentence", "word"

    def parts(self, text: Text) -> Sequence[Pair]:
        return text.sentences

    def size(self, piece: str) -> int:
        return word_count(piece)


@constraint_type("structure:item_words")
class ItemWords(Each):
    """So many words in every list item, its marker aside."""

    part, unit = "item", "word"

    def parts(self, text: Text) -> Sequence[Pair]:
        return text.items(self.params.get("kind", "any"))

    def size(self, piece: str) -> int:
        return word_count(piece)


@constraint_type("structure:paragraph_sentences")
class ParagraphSentences(Each):
    """So many sentences in every paragraph."""

    part, unit = "paragraph", "sentence"

    def parts(self, text: Text) -> Sequence[Pair]:
        return text.paragraphs

    def size(self, piece: str) -> int:
        return len(sentence_spans(piece))


@constraint_type("structure:ascending_sentences")
class AscendingSentences(Check):
    """Every sentence has more words than the one before, or fewer."""

    def look(self, text: Text) -> Measure:
        counts = [word_count(text.cut(pair)) for pair in text.sentences]
        down = self.params.get("direction") == "desc"
        wrong = {
            index
            for index in range(1, len(counts))
            if not (
                counts[index] < counts[index - 1] if down else counts[index] > counts[index - 1]
            )
        }

        def locate() -> Iterator[Span]:
            for index, (pair, count) in enumerate(zip(text.sentences, counts, strict=True)):
                note = f"sentence {index + 1}: {quantity(count, 'word')}"
                if index in wrong:
                    note += f", after {figure(counts[index - 1])}"
                yield Span(*pair, role(index not in wrong), note)

        said = f"{quantity(len(counts), 'sentence')} of {sizes(counts)} words"
        if len(counts) < 2:
            return failed(f"{quantity(len(counts), 'sentence')}, two are needed", locate)
        return found(not wrong, said, locate)

    def wanted(self) -> str:
        side = "fewer" if self.params.get("direction") == "desc" else "more"
        return f"every sentence with {side} words than the one before"


@constraint_type("structure:items_total_words")
class ItemsTotalWords(Check):
    """The words of the whole answer are a multiple of its list items."""

    def look(self, text: Text) -> Measure:
        items = text.items(self.params.get("kind", "bullet"))
        if not items:
            return failed("no list items")
        bound = exactly(self.params.integer("factor") * len(items))

        def locate() -> Iterator[Span]:
            for number, pair in enumerate(items, 1):
                yield Span(*pair, "counts", f"item {number}")

        count = len(text.words)
        said = f"{quantity(count, 'word')} for {quantity(len(items), 'item')}"
        return counted(count, bound, "word", locate, said)

    def wanted(self) -> str:
        factor = figure(self.params.integer("factor"))
        return f"exactly {factor} times as many words in the answer as list items"


@constraint_type("structure:item_words_ladder")
class ItemWordsLadder(Check):
    """The items have start, start + 1, … words, or the same downwards."""

    def look(self, text: Text) -> Measure:
        items = text.items(self.params.get("kind", "any"))
        if len(items) < 2:
            return failed(f"{quantity(len(items), 'list item')}, two are needed")
        start = self.params.integer("start")
        counts = [word_count(text.cut(pair)) for pair in items]
        wanted = [start + step for step in range(len(items))]
        if self.params.get("direction") == "desc":
            wanted.reverse()
        distance = -sum(abs(clamp(a - b)) for a, b in zip(counts, wanted, strict=True))

        def locate() -> Iterator[Span]:
            rungs = zip(items, counts, wanted, strict=True)
            for number, (pair, count, need) in enumerate(rungs, 1):
                note = f"item {number}: {quantity(count, 'word')}"
                if count != need:
                    note += f", needs {figure(need)}"
                yield Span(*pair, role(count == need), note)

        said = f"{quantity(len(items), 'item')} of {sizes(counts)} words"
        if distance:
            said += f", needed are {sizes(wanted)}"
        return Measure(counts, said, clamp(distance), clamp(sum(wanted)), locate)

    def wanted(self) -> str:
        start = figure(self.params.integer("start"))
        if self.params.get("direction") == "desc":
            return f"each item one word shorter than the one before, the last of {start}"
        return f"each item one word longer than the one before, the first of {start}"


@constraint_type("structure:first_line_count")
class FirstLineCount(Check):
    """The first line is the number of words after it."""

    def look(self, text: Text) -> Measure:
        head, newline, rest = text.source.partition("\n")
        start, end = stripped(text.source, 0, len(head))
        number = head.strip()

        def line(good: bool, note: str) -> Iterable[Span]:
            return (Span(start, end, role(good), note),)

        if not newline or not rest.strip():
            return failed("there is no text after the first line", lambda: line(False, "line 1"))
        if not number.isdigit():
            return failed("the first line is not a number", lambda: line(False, "not a number"))
        stated = _stated(number)
        count = word_count(rest)

        def locate() -> Iterator[Span]:
            yield from line(stated == count, f"states {figure(stated)}")
            for index, pair in enumerate(word_spans(text.source, len(head) + 1), 1):
                yield Span(*pair, "counts", f"word {index}")

        said = f"the first line states {figure(stated)}, {quantity(count, 'word')} follow it"
        return Measure(count, said, clamp(-abs(stated - count)), clamp(stated), locate)

    def wanted(self) -> str:
        return "a first line that is the number of words in the rest"


def _stated(number: str) -> int:
    """A number that the answer states. Raises `CheckFailed` where `int` refuses its digits."""
    try:
        return int(number)
    except ValueError:
        fail("unreadable_answer", f"«{number[:20]}» is no number that can be read", "ValueError")


@constraint_type("structure:word_char_count")
class WordCharCount(Check):
    """So many words and so many characters at once."""

    def look(self, text: Text) -> Measure:
        need = self.params.integer("words")
        count, length = len(text.words), len(text.body)
        said = f"{quantity(count, 'word')}, {quantity(length, 'character')}"

        def locate() -> Iterator[Span]:
            return (Span(*pair, "counts", f"word {i}") for i, pair in enumerate(text.word_spans, 1))

        if count != need:
            bound = exactly(need)
            said += f": {quantity(abs(count - need), 'word')} "
            said += "short" if count < need else "too many"
            return Measure(count, said, bound.distance(count), bound.threshold(count), locate)
        bound = exactly(self.params.integer("chars"))
        return counted(length, bound, "character", lambda: _characters(text, bound), said)

    def wanted(self) -> str:
        word, character = self.params.integer("words"), self.params.integer("chars")
        return f"exactly {quantity(word, 'word')} and exactly {quantity(character, 'character')}"


@constraint_type("structure:mirror_sentences")
class MirrorSentences(Check):
    """The first and the last sentence have equally many words."""

    def look(self, text: Text) -> Measure:
        sentences = text.sentences
        if len(sentences) < 2:
            return failed(f"{quantity(len(sentences), 'sentence')}, two are needed")
        first, last = (word_count(text.cut(sentences[index])) for index in (0, -1))

        def locate() -> Iterator[Span]:
            for name, index, count in (("first", 0, first), ("last", -1, last)):
                note = f"{name} sentence: {quantity(count, 'word')}"
                yield Span(*sentences[index], role(first == last), note)

        said = f"{quantity(first, 'word')} in the first sentence, {figure(last)} in the last"
        return Measure((first, last), said, -abs(first - last), first, locate)

    def wanted(self) -> str:
        return "as many words in the last sentence as in the first"


_CHECKSUM = re.compile(r"\((\d+)\)\s*$")


@constraint_type("structure:checksum")
class Checksum(Check):
    """The answer ends with a number in brackets that counts something in it."""

    def look(self, text: Text) -> Measure:
        start, _ = stripped(text.source)
        mark = _CHECKSUM.search(text.body)
        if not mark:
            return failed("no number in brackets at the end")
        stated = _stated_sum(mark[1])
        unit, parts = self._counted(text, start, mark.start())
        bound = exactly(stated)

        def locate() -> Iterator[Span]:
            good = len(parts) == stated
            note = f"states {figure(stated)}, {quantity(len(parts), unit)} found"
            yield Span(start + mark.start(), start + mark.end(), role(good), note)
            for number, pair in enumerate(parts, 1):
                yield Span(*pair, "counts", f"{unit} {number}")

        said = f"states {figure(stated)}, has {quantity(len(parts), unit)}"
        return Measure(
            len(parts), said, bound.distance(len(parts)), bound.threshold(len(parts)), locate
        )

    def _counted(self, text: Text, start: int, mark: int) -> tuple[str, Sequence[Pair]]:
        """What is counted, and where each one is."""
        kind = self.params.value("kind")
        if kind == "commas":
            return "comma", [m.span() for m in re.finditer(",", text.source)]
        if kind == "letter_words":
            letter = self.params.folded("letter")
            pairs = zip(text.word_spans, text.cores, strict=True)
            return "word", [pair for pair, core in pairs if core[0] == letter]
        if kind == "sentences":
            rest = text.body[:mark]
            return "sentence", [(start + a, start + b) for a, b in sentence_spans(rest)]
        if kind != "words":
            fail("invalid_parameter", f"kind cannot be {kind!r}"[:200], "ValueError")
        return "word", word_spans(text.source, start, start + mark)

    def wanted(self) -> str:
        kind = self.params.value("kind")
        things = "words on " + self.params.shown("letter") if kind == "letter_words" else kind
        return f"the number of {things} in brackets at the end"


def _stated_sum(number: str) -> int:
    return integer("the number in brackets", number)
