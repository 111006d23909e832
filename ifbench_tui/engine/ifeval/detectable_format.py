"""detectable_format: bullets, highlights, sections, titles, one of three answers.

The reference patterns are quoted where a linear scan stands in for them: they are quadratic on
texts such as blank lines without end, and our scans find exactly the same matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.counting import AT_LEAST, Counted, Relation, exactly
from ifbench_tui.engine.ifeval.params import Params
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.patterns import Searcher
from ifbench_tui.engine.quantity import quantity
from ifbench_tui.engine.verdict import Measure, Span

__all__ = [
    "ConstrainedResponse",
    "MultipleSections",
    "NumberBulletLists",
    "NumberHighlightedSections",
    "Title",
]

_NOT_SPACE = re.compile(r"\S")


def _bullets(text: str) -> Iterator[tuple[int, int]]:
    r"""Matches of `^\s*\*[^\*].*$` and of `^\s*-.*$` (by lines), each found on its own."""
    yield from _marked_lines(text, "*")
    yield from _marked_lines(text, "-")


def _marked_lines(text: str, mark: str) -> Iterator[tuple[int, int]]:
    line = 0
    while True:
        # The leading \s* runs over blank lines, so every line start before `at` leads to `at`.
        first = _NOT_SPACE.search(text, line)
        if first is None:
            return
        at = first.start()
        end = _bullet_end(text, at, mark)
        if end is None:
            line = text.find("\n", at) + 1
            if line == 0:
                return
            continue
        yield at, end
        if end < len(text) and text[end - 1] != "\n":
            end = text.find("\n", end) + 1
        if end >= len(text):
            return
        line = end


def _bullet_end(text: str, at: int, mark: str) -> int | None:
    """Where the match that has its mark at `at` ends; None when there is no such match."""
    if text[at] != mark:
        return None
    rest = at + 1
    if mark == "*":
        if rest == len(text) or text[rest] == "*":
            return None
        # The one character after the star may be the line break itself.
        rest += 1
    line_end = text.find("\n", rest)
    return len(text) if line_end < 0 else line_end


@constraint_type("detectable_format:number_bullet_lists", "num_bullets")
class NumberBulletLists(Counted):
    """Exactly so many bullets: lines that start with one star or with a dash."""

    unit = "bullet"

    def __init__(self, params: Params) -> None:
        super().__init__(exactly(params.count("num_bullets")))

    def find(self, text: str) -> list[tuple[int, int]]:
        return sorted(_bullets(text))

    def count(self, text: str) -> int:
        return sum(1 for _ in _bullets(text))


_ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")


@constraint_type("detectable_format:constrained_response")
class ConstrainedResponse(Constraint):
    """One of three answers occurs as it is."""

    def __init__(self, _params: Params) -> None:
        pass

    def measure(self, text: str) -> Measure:
        found = [answer for answer in _ANSWERS if answer in text]

        def locate() -> Iterator[Span]:
            for answer in found:
                start = text.find(answer)
                yield Span(start, start + len(answer), "counts", "answer")

        said = " and ".join(f"“{answer}”" for answer in found) or "none of the three answers"
        return Measure(bool(found), said, locate=locate)

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return "“My answer is yes.”, “… no.” or “… maybe.”"


_SINGLE = re.compile(r"\*[^\n\*]*\*")
_DOUBLE = re.compile(r"\*\*[^\n\*]*\*\*")


def _highlights(text: str) -> Iterator[tuple[int, int]]:
    for match in _SINGLE.finditer(text):
        if match.group().strip("*").strip():
            yield match.span()
    for match in _DOUBLE.finditer(text):
        if match.group().removeprefix("**").removesuffix("**").strip():
            yield match.span()


@constraint_type("detectable_format:number_highlighted_sections", "num_highlights")
class NumberHighlightedSections(Counted):
    """So many `*highlights*` and `**highlights**`, found by two patterns on their own."""

    unit = "highlighted section"

    def __init__(self, params: Params) -> None:
        super().__init__(Relation(AT_LEAST, params.count("num_highlights")))

    def find(self, text: str) -> list[tuple[int, int]]:
        return sorted(_highlights(text))

    def count(self, text: str) -> int:
        return sum(1 for _ in _highlights(text))


@constraint_type("detectable_format:multiple_sections", "section_spliter", "num_sections")
class MultipleSections(Counted):
    r"""So many `\s?SPLITTER\s?\d+\s?`; groups inside the splitter add to the count."""

    unit = "section"

    def __init__(self, params: Params) -> None:
        self.splitter = params.text("section_spliter", otherwise="TypeError").strip()
        super().__init__(Relation(AT_LEAST, params.count("num_sections")))
        self.searcher = Searcher(self.splitter, params.finder, before=r"\s?", after=r"\s?\d+\s?")

    def find(self, text: str) -> list[tuple[int, int]]:
        return self.searcher.find(text)

    def count(self, text: str) -> int:
        return self.searcher.count_split(text) - 1

    def required(self) -> str:
        return f"{super().required()} headed “{self.splitter} 1”, “{self.splitter} 2”, …"


@constraint_type("detectable_format:title")
class Title(Constraint):
    """A `<<title>>` on one line with something in it."""

    def __init__(self, _params: Params) -> None:
        pass

    def measure(self, text: str) -> Measure:
        titles = list(_titles(text))
        filled = [
            (start, end) for start, end in titles if text[start:end].lstrip("<").rstrip(">").strip()
        ]

        def locate() -> Iterator[Span]:
            for start, end in titles:
                good = (start, end) in filled
                yield Span(start, end, "counts" if good else "offends", "title")

        if filled:
            start, end = filled[0]
            said = f"title “{text[start:end].strip('<>').strip()}”"
        else:
            said = f"{quantity(len(titles), 'empty title')}" if titles else "no <<title>>"
        return Measure(bool(filled), said, locate=locate)

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return "a title in double angular brackets, <<like this>>"


def _titles(text: str) -> Iterator[tuple[int, int]]:
    r"""Matches of `<<[^\n]+>>`: from the first `<<` of a line to its last `>>`."""
    start = text.find("<<")
    while start >= 0:
        line_end = text.find("\n", start)
        if line_end < 0:
            line_end = len(text)
        close = text.rfind(">>", start + 3, line_end)
        if close >= 0:
            yield start, close + 2
        start = text.find("<<", line_end)
