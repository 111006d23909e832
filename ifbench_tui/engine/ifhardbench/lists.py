"""format: lists, two parts, line lengths, hashtags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from ifbench_tui.engine.ifhardbench.checks import Check, Counted, failed, found, role
from ifbench_tui.engine.ifhardbench.counts import (
    Bound,
    clamp,
    counted,
    exactly,
    numbered,
    quantity,
)
from ifbench_tui.engine.ifhardbench.registry import constraint_type
from ifbench_tui.engine.ifhardbench.text import (
    Pair,
    Text,
    core,
    fold,
    stripped,
    word_count,
)
from ifbench_tui.engine.verdict import Measure, Span

__all__ = [
    "BulletList",
    "Hashtags",
    "LineLength",
    "NumberedList",
    "TwoParts",
    "bullets_and_rest",
]


class _List(Counted):
    """So many items of a kind, and nothing else unless `strict` is off."""

    kind: ClassVar[str]
    unit = "item"

    def find(self, text: Text) -> list[Pair]:
        return text.items(self.kind)

    def look(self, text: Text) -> Measure:
        bound = self.bound
        items = self.find(text)
        count = len(items)
        measure = counted(
            count, bound, self.unit, lambda: numbered(items, f"{self.kind} item", bound)
        )
        if bound.distance(count) < 0 or not self.params.get("strict", True):
            return measure
        ends = {end for _, end in items}
        others = [pair for pair in text.lines if pair[1] not in ends]
        if text.lines and not others:
            return measure
        said = f"{measure.said}, and {quantity(len(others), 'other line')}"

        def locate() -> Iterator[Span]:
            yield from numbered(items, f"{self.kind} item", bound)
            for pair in others:
                yield Span(*pair, "offends", "not an item")

        return Measure(others, said, -len(others) or None, 0, locate)

    def wanted(self) -> str:
        only = " and nothing else" if self.params.get("strict", True) else ""
        return f"{self.bound.required(f'{self.kind} item')}{only}"


@constraint_type("format:bullet_list")
class BulletList(_List):
    """With `-`, `*` or `•`."""

    kind = "bullet"


@constraint_type("format:numbered_list")
class NumberedList(_List):
    """With `1.` or `1)`."""

    kind = "numbered"


def bullets_and_rest(text: Text) -> tuple[list[Pair], list[Pair]]:
    """Bullet items, and the other lines that are not blank."""
    items = text.items("bullet")
    ends = {end for _, end in items}
    return items, [pair for pair in text.lines if pair[1] not in ends]


_BREAK = re.compile(r"\n\s*\n")


@constraint_type("format:two_parts")
class TwoParts(Check):
    """A bullet list, a blank line, and one sentence."""

    def look(self, text: Text) -> Measure:
        start, end = stripped(text.source)
        gap = _BREAK.search(text.source, start, end)
        if not gap:
            return failed("no blank line between two parts")
        head, tail = Text(text.source[start : gap.start()]), Text(text.source[gap.end() : end])
        items, others = bullets_and_rest(head)
        need = self.params.integer("items")

        def locate() -> Iterator[Span]:
            for number, (a, b) in enumerate(items, 1):
                yield Span(start + a, start + b, "counts", f"item {number}")
            for a, b in others:
                yield Span(start + a, start + b, "offends", "not an item")
            for number, (a, b) in enumerate(tail.sentences, 1):
                note = f"sentence {number}, {quantity(word_count(tail.source[a:b]), 'word')}"
                yield Span(gap.end() + a, gap.end() + b, role(number == 1), note)

        parts = f"{quantity(len(items), 'item')}, {quantity(len(tail.sentences), 'sentence')}"
        if len(items) != need or others:
            distance = -abs(clamp(len(items) - need)) - len(others)
            rest = f" and {quantity(len(others), 'other line')}" if others else ""
            said = f"{quantity(len(items), 'item')}{rest} in the first part"
            return Measure(False, said, distance, clamp(need), locate)
        if tail.all_items or len(tail.sentences) != 1:
            what = "a list item" if tail.all_items else quantity(len(tail.sentences), "sentence")
            return failed(f"{what} in the second part, wanted is one sentence", locate)
        bound = exactly(self.params.integer("sentence_words"))
        count = len(tail.words)
        return counted(count, bound, "word", locate, f"{parts} of {quantity(count, 'word')}")

    def wanted(self) -> str:
        items = quantity(self.params.integer("items"), "bullet item")
        words = quantity(self.params.integer("sentence_words"), "word")
        return f"{items}, a blank line, then one sentence of {words}"


@constraint_type("format:line_length")
class LineLength(Check):
    """No line is longer than so many characters, and there are so many lines."""

    def look(self, text: Text) -> Measure:
        start, _ = stripped(text.source)
        lines: list[Pair] = []
        for line in text.body.splitlines(keepends=True):
            lines.append((start, start + len(line.rstrip())))
            start += len(line)
        if not lines:
            return failed("the answer is blank")
        most = self.params.integer("max")
        lengths = [end - begin for begin, end in lines]
        longest = max(lengths)
        bound = Bound("le", most, most)

        def locate() -> Iterator[Span]:
            for number, (pair, length) in enumerate(zip(lines, lengths, strict=True), 1):
                if length:
                    note = f"line {number}: {quantity(length, 'character')}"
                    yield Span(*pair, role(length <= most), note)

        said = f"the longest line has {quantity(longest, 'character')}"
        if longest > most or "count" not in self.params:
            return counted(longest, bound, "character", locate, said)
        filled = sum(length > 0 for length in lengths)
        said += f", {quantity(filled, 'line')}"
        return counted(filled, exactly(self.params.integer("count")), "line", locate, said)

    def wanted(self) -> str:
        most = f"no line longer than {quantity(self.params.integer('max'), 'character')}"
        if "count" not in self.params:
            return most
        return f"exactly {quantity(self.params.integer('count'), 'line')}, {most}"


_TAGS = re.compile(r"#[а-яёА-ЯЁ]+(?: #[а-яёА-ЯЁ]+)*")


@constraint_type("format:hashtags")
class Hashtags(Check):
    """The last line is so many hashtags in Cyrillic, in order, tied to the first word."""

    def look(self, text: Text) -> Measure:
        if not text.lines:
            return failed("the answer is blank")
        start, end = text.lines[-1]
        line = text.source[start:end]
        if not _TAGS.fullmatch(line):
            good = re.match(r"(?:#[а-яёА-ЯЁ]+(?: (?=#)|$))*", line)
            at = start + (good.end() if good else 0)
            said = "the last line is not hashtags in Cyrillic with single spaces"
            return failed(said, lambda: [Span(at, end, "offends", "not a hashtag")])
        places = [(start + m.start(), start + m.end()) for m in re.finditer(r"\S+", line)]
        tags = [fold(line[a - start + 1 : b - start]) for a, b in places]
        bound = exactly(self.params.integer("count"))
        unordered = {i for i in range(1, len(tags)) if tags[i] < tags[i - 1]}

        def locate() -> Iterator[Span]:
            for index, pair in enumerate(places):
                note = f"tag {index + 1}"
                wrong = bool(self.params.get("alpha")) and index in unordered
                if wrong:
                    note += f", comes before «{tags[index - 1]}»"
                yield Span(*pair, role(not wrong), note)

        said = quantity(len(tags), "hashtag")
        measure = counted(len(tags), bound, "hashtag", locate)
        if bound.distance(len(tags)) < 0:
            return measure
        if self.params.get("alpha") and unordered:
            return failed(f"{said}, «{tags[min(unordered)]}» out of order", locate)
        if self.params.get("echo_first"):
            return self._echo(text, tags[-1], places[-1], said)
        return measure

    def _echo(self, text: Text, tag: str, last: Pair, said: str) -> Measure:
        word = next((pair for pair in text.word_spans if pair[1] < last[0]), None)
        first = core(text.cut(word)) if word and word[0] < text.lines[-1][0] else None
        if word is None or first is None:
            return failed(f"{said}, no word above them")
        good = first == tag

        def locate() -> Iterator[Span]:
            note = f"echo «{tag}»" if good else f"«{first}» and «{tag}»"
            yield Span(*word, role(good), note)
            yield Span(*last, role(good), note)

        return found(good, f"{said}, the first word is «{first[:60]}»", locate)

    def wanted(self) -> str:
        order = ", in alphabetical order" if self.params.get("alpha") else ""
        echo = ", the last one the first word" if self.params.get("echo_first") else ""
        count = quantity(self.params.integer("count"), "Cyrillic hashtag")
        return f"a last line of {count}{order}{echo}"
