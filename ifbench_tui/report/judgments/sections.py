"""The parts of a judgment's document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ifbench_tui.engine.verdict import Span

__all__ = ["Section"]


@dataclass(frozen=True, slots=True)
class Section:
    """A title and a text as files have it. `kind` is notice, question, answer, reference, trace,
    judgment or asked.

    `spans` mark verdicts in the text: "counts" decided, "offends" decided although the file says
    otherwise, "limit" does not count, "missing" (of no width) should have been here. `quiet` are
    the characters that were not judged, or only thought.
    """

    kind: str
    title: str
    text: str
    spans: tuple[Span, ...] = ()
    quiet: tuple[tuple[int, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; offsets are characters of the text."""
        return {
            "kind": self.kind,
            "title": self.title,
            "text": self.text,
            "marks": [
                {"start": one.start, "end": one.end, "role": one.role, "note": one.note}
                for one in self.spans
            ],
        }
