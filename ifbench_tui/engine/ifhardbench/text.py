r"""What words, sentences, paragraphs, lines and list items of an answer are, and where.

The rules are those of the reference implementation, character for character; each takes time
linear in the text. White space is what `str.isspace` says, lines are those of `str.splitlines`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ifbench_tui.engine.ifhardbench.once import once

__all__ = [
    "EDGE",
    "Item",
    "Pair",
    "Text",
    "core",
    "cores",
    "final_marks",
    "first_letter",
    "fold",
    "letter_span",
    "line_spans",
    "paragraph_spans",
    "read",
    "sentence_spans",
    "stripped",
    "trim_final",
    "word_count",
    "word_spans",
    "words",
]

Pair = tuple[int, int]
"""Characters start:end of a text."""

EDGE = " .,;:!?()[]{}<>*_`|/\\-…«»„“—–\"'"
"""Characters that are no part of a word's core at its ends."""

_FINAL = ".!?…\"'»)]}„“ "
_QUOTES = "\"'»)]}“„ "
_ALNUM = re.compile(r"[^\W_]")
_LETTER = re.compile(r"[^\W\d_]")
_TOKEN = re.compile(r"\S+")
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")
_ITEM = re.compile(r"\s*(?:([-*•])|\d+[.)])\s+(?=\S)")

# A run of marks before white space or the end; a single dot only after two letters. A run can be
# entered at its first mark only, or a long one would be tried from each. The mark comes first in
# the pattern, since that is what the regex engine finds fast.
_SENTENCE_END = re.compile(r"[.!?…](?<![.!?…]{2})(?:[.!?…]++|(?<!\.)|(?<=[^\W\d_]{2}\.))(?=\s|\Z)")


def fold(text: str) -> str:
    """Lower case, with `ё` as `е`."""
    return text.lower().replace("ё", "е")


def words(text: str) -> list[str]:
    """Tokens between white space that hold a letter or digit, punctuation attached."""
    return [token for token in text.split() if token[0].isalnum() or _ALNUM.search(token)]


def word_count(text: str) -> int:
    """How many words."""
    return len(words(text))


def word_spans(text: str, start: int = 0, end: int | None = None) -> list[Pair]:
    """Where the words of `text[start:end]` are, as offsets into `text`."""
    tokens = _TOKEN.finditer(text, start, len(text) if end is None else end)
    return [token.span() for token in tokens if _ALNUM.search(token[0])]


def core(token: str) -> str:
    """The folded token without punctuation at its ends."""
    return fold(token).strip(EDGE)


def cores(tokens: list[str]) -> list[str]:
    """`core` of each token; folding them together is quicker and the same."""
    if not tokens:
        return []
    return [token.strip(EDGE) for token in fold("\n".join(tokens)).split("\n")]


def stripped(text: str, start: int = 0, end: int | None = None) -> Pair:
    """`text[start:end]` without outer white space, as offsets into `text`."""
    part = text[start:end]
    tight = part.lstrip()
    first = start + len(part) - len(tight)
    return first, first + len(tight.rstrip())


def sentence_spans(text: str) -> list[Pair]:
    """Sentences without outer white space; what no mark ends is one more."""
    found: list[Pair] = []
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        end = mark.end()
        found.append((end - len(text[start:end].lstrip()), end))
        start = end
    rest = stripped(text, start)
    if rest[0] < rest[1]:
        found.append(rest)
    return found


def paragraph_spans(text: str) -> list[Pair]:
    """Paragraphs between blank lines, without outer white space."""
    start, end = stripped(text)
    found: list[Pair] = []
    for gap in _PARAGRAPH_BREAK.finditer(text, start, end):
        found.append(stripped(text, start, gap.start()))
        start = gap.end()
    found.append(stripped(text, start, end))
    return [pair for pair in found if pair[0] < pair[1]]


def line_spans(text: str) -> Iterator[Pair]:
    """Lines that are not blank, without outer white space."""
    start = 0
    for line in text.splitlines(keepends=True):
        pair = stripped(text, start, start + len(line))
        if pair[0] < pair[1]:
            yield pair
        start += len(line)


class Item(NamedTuple):
    """A list item: whether its marker is a bullet, and where what follows the marker is."""

    bullet: bool
    start: int
    end: int


def _items(text: str) -> Iterator[Item]:
    start = 0
    for line in text.splitlines(keepends=True):
        if marker := _ITEM.match(line):
            yield Item(marker[1] is not None, start + marker.end(), start + len(line.rstrip()))
        start += len(line)


def letter_span(text: str, start: int = 0, end: int | None = None) -> Pair | None:
    """Where the first letter of `text[start:end]` is."""
    found = _LETTER.search(text, start, len(text) if end is None else end)
    return found.span() if found else None


def first_letter(text: str) -> str | None:
    """The first letter, folded."""
    found = _LETTER.search(text)
    return fold(found[0]) if found else None


def trim_final(text: str) -> str:
    """The text without outer white space and without final marks and closing quotes."""
    return text.strip().rstrip(_FINAL).strip()


def final_marks(sentence: str) -> str:
    """The run of `.!?…` that ends a sentence, closing quotes and brackets aside; may be empty."""
    closed = sentence.rstrip(_QUOTES)
    return closed[len(closed.rstrip(".!?…")) :]


class Text:
    """A text and its parts, each found once and only when asked for."""

    def __init__(self, source: str) -> None:
        self.source = source

    @once
    def words(self) -> list[str]:
        return words(self.source)

    @once
    def cores(self) -> list[str]:
        """The core of each word."""
        return cores(self.words)

    @once
    def _core_lines(self) -> str:
        """The cores with a line break before each, so that stems are found at the speed of `in`."""
        return "\n" + "\n".join(self.cores) if self.cores else ""

    def has_stem(self, stem: str) -> bool:
        """Whether some word starts with a folded stem."""
        return f"\n{stem}" in self._core_lines and "\n" not in stem

    def stem_count(self, stem: str) -> int:
        """How many words start with a folded stem."""
        return 0 if "\n" in stem else self._core_lines.count(f"\n{stem}")

    def with_stem(self, stem: str) -> list[Pair]:
        """The words that start with a folded stem."""
        pairs = zip(self.word_spans, self.cores, strict=True)
        return [pair for pair, core in pairs if core.startswith(stem)]

    @once
    def word_spans(self) -> list[Pair]:
        return word_spans(self.source)

    @once
    def sentences(self) -> list[Pair]:
        return sentence_spans(self.source)

    @once
    def paragraphs(self) -> list[Pair]:
        return paragraph_spans(self.source)

    @once
    def lines(self) -> list[Pair]:
        return list(line_spans(self.source))

    @once
    def all_items(self) -> list[Item]:
        return list(_items(self.source))

    @once
    def body(self) -> str:
        """The text without outer white space."""
        return self.source.strip()

    @once
    def folded(self) -> str:
        return fold(self.source)

    @once
    def _origins(self) -> list[int] | None:
        """Which character gives each folded one; None where each gives one."""
        if len(self.folded) == len(self.source):
            return None
        return [at for at, char in enumerate(self.source) for _ in char.lower()]

    def unfolded(self, position: int) -> int:
        """Where the character stands that gives this one of the folded text."""
        origins = self._origins
        if origins is None:
            return position
        return origins[position] if position < len(origins) else len(self.source)

    def items(self, kind: object = "any") -> list[Pair]:
        """What follows the markers of list items of a kind: "bullet", "numbered", "any"."""
        if kind == "any":
            return [(item.start, item.end) for item in self.all_items]
        if kind not in ("bullet", "numbered"):
            return []
        bullet = kind == "bullet"
        return [(item.start, item.end) for item in self.all_items if item.bullet is bullet]

    def cut(self, pair: Pair) -> str:
        """The characters of a pair."""
        return self.source[pair[0] : pair[1]]


@lru_cache(maxsize=2)
def read(text: str) -> Text:
    """The text with its parts; the last ones are kept, as every constraint asks for the same."""
    return Text(text)
