"""detectable_content: placeholders and a postscript."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.counting import AT_LEAST, Counted, Relation
from ifbench_tui.engine.ifeval.params import Params
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.patterns import Searcher, is_plain
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["NumberPlaceholders", "Postscript"]


@constraint_type("detectable_content:number_placeholders", "num_placeholders")
class NumberPlaceholders(Counted):
    r"""So many `\[.*?\]`: brackets on one line, empty ones too, each closed by the next `]`."""

    unit = "placeholder"

    def __init__(self, params: Params) -> None:
        super().__init__(Relation(AT_LEAST, params.count("num_placeholders")))

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        # A line without a further "]" is left at once; the pattern would try every "[" of it.
        start = text.find("[")
        while start >= 0:
            close = text.find("]", start)
            if close < 0:
                return
            line_end = text.find("\n", start, close)
            if line_end < 0:
                yield start, close + 1
                start = text.find("[", close + 1)
            else:
                start = text.find("[", line_end)


_KNOWN_MARKERS = {"P.P.S": r"p\.\s?p\.\s?s", "P.S.": r"p\.\s?s\."}


@constraint_type("detectable_content:postscript", "postscript_marker")
class Postscript(Constraint):
    r"""A postscript marker anywhere in the lower-cased text.

    The reference pattern is `\s*MARKER.*$` by lines. What surrounds the marker can always match,
    so it is left out where the marker is known or plain.
    """

    def __init__(self, params: Params) -> None:
        self.marker = params.text("postscript_marker").strip()
        pattern = _KNOWN_MARKERS.get(self.marker)
        if pattern is not None:
            self.known = re.compile(pattern)
            self.searcher = None
        elif is_plain(self.marker):
            self.searcher = Searcher(self.marker.lower(), params.finder)
        else:
            self.searcher = Searcher(
                self.marker.lower(), params.finder, before=r"\s*", after=".*$", flags=re.MULTILINE
            )

    def measure(self, text: str) -> Measure:
        lowered = text.lower()
        if self.searcher is None:
            match = self.known.search(lowered)
            hit = match.span() if match else None
        else:
            hit = next(iter(self.searcher.find(lowered, limit=1)), None)

        def locate() -> Iterator[Span]:
            if hit is not None:
                start = min(hit[0], len(text))
                line_end = text.find("\n", hit[1])
                yield Span(start, len(text) if line_end < 0 else line_end, "counts", "postscript")

        said = "no postscript" if hit is None else f"postscript at character {hit[0] + 1:,}"
        return Measure(hit is not None, said, locate=locate)

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return f"a postscript starting with {self.marker}"
