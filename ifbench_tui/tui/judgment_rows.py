"""Judgments as lines: a row of the list, the heads, and what a verdict says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from ifbench_tui.report.glyphs import Glyphs, Sign
from ifbench_tui.report.judgments.listing import Judgment, decided, record
from ifbench_tui.report.judgments.sections import Section
from ifbench_tui.report.judgments.text import Texts
from ifbench_tui.tui.columns import left
from ifbench_tui.tui.ink import Line, safe

__all__ = [
    "Widths",
    "judges",
    "judgment_line",
    "nothing_listed",
    "opponents",
    "record_ends",
    "verdict_words",
]

_KEY = 8
_CATEGORY = 12
_OTHER = 18
_DIFFERS = "text differs "


class Widths:
    """Cells that the columns of a list need; what is the same in all rows has none."""

    def __init__(self, listed: Sequence[Judgment]) -> None:
        self.key = min(_KEY, max((cell_len(safe(one.question)) for one in listed), default=0))
        self.decided = max((len(decided(one)) for one in listed), default=0)
        self.differs = len(_DIFFERS) if any(one.disagrees for one in listed) else 0
        self.other = _cells({one.other for one in listed}, _OTHER)
        self.category = _cells({one.category for one in listed}, _CATEGORY)


def _cells(names: set[str], most: int) -> int:
    return min(most, max(cell_len(safe(name)) for name in names)) if len(names) > 1 else 0


def _sign(judgment: Judgment, glyphs: Glyphs) -> Sign:
    if judgment.unparsed:
        return glyphs.error, "error"
    if judgment.inconsistent:
        return glyphs.differs, "rescued"
    known: dict[str | None, Sign] = {
        "won": (glyphs.holds, "pass"),
        "lost": (glyphs.fails, "fail"),
        "tie": (glyphs.none, "dim"),
    }
    return known.get(judgment.outcome, (" ", ""))


def judgment_line(
    judgment: Judgment, widths: Widths, texts: Texts, glyphs: Glyphs, width: int
) -> Line:
    """Sign, question and turn, what was decided, category, opponent; the question where there is
    room."""
    words = decided(judgment)
    pad = words.rjust if judgment.rating and judgment.points else words.ljust
    sign, ink = _sign(judgment, glyphs)
    line: list[tuple[str, str]] = [
        (" ", ""),
        (sign, ink),
        (f" {left(judgment.question, widths.key)} ", ""),
    ]
    if judgment.turns:
        line.append((f"t{judgment.turn} ", "dim"))
    line.append((f"{pad(widths.decided)} ", ink or "strong"))
    if widths.differs:
        flag = _DIFFERS if judgment.disagrees else ""
        line.append((flag.ljust(widths.differs), "error"))
    if widths.other:
        line.append((f"{left(judgment.other, widths.other)} ", ""))
    if widths.category:
        line.append((f"{left(judgment.category, widths.category)} ", "dim"))
    asked = _asked(judgment, texts)
    if asked:
        line.append((safe(asked[:width]), "dim"))
    return line


def _asked(judgment: Judgment, texts: Texts) -> str:
    question, turn = judgment.about
    known = texts.questions.get(question)
    if known is not None:
        return known[min(turn, len(known)) - 1]
    return question if question != judgment.question else ""


def judges(listed: Sequence[Judgment]) -> str:
    """Who judged, as far as two names go."""
    return _named(one.judge for one in listed)


def opponents(listed: Sequence[Judgment]) -> str:
    """Whom the model was compared with, as far as two names go."""
    return _named(one.other for one in listed)


def _named(all_names: Iterable[str]) -> str:
    names = list(dict.fromkeys(filter(None, all_names)))
    shown = ", ".join(safe(name, 28) for name in names[:2])
    return shown if len(names) <= 2 else f"{shown} and {len(names) - 2} more"


def record_ends(listed: Sequence[Judgment]) -> list[Line]:
    """The numbers of what is listed for the right end of the head, the fullest first."""
    if not listed:
        return []
    parts, who = record(listed), judges(listed)
    numbers = ", ".join(parts)
    ends: list[Line] = [[(f"judge {who}   ", "dim"), (f"{numbers} ", "")]] if who else []
    return [*ends, *([(f"{', '.join(parts[:end])} ", "")] for end in range(len(parts), 0, -1))]


def verdict_words(sections: Sequence[Section], place: int, note: str, total: int) -> Line:
    """What the verdict stepped to means; before that, what the first one does."""
    if place:
        return [(f"verdict {place} of {total}: ", "dim"), (note, "")]
    spans = (span for one in sections for span in one.spans if span.role != "limit")
    first = next(spans, None)
    if first is None:
        return [("The file has the verdict only, without the judge's text.", "dim")]
    return [("n steps to the verdict: ", "dim"), (safe(first.note), "")]


def nothing_listed(model: str, benchmark: str, total: int) -> str:
    """What to do where no judgment is listed."""
    if total:
        return f"None of the {total:,} judgments is so.\n\nF lists all again, f chooses others."
    return (
        f"No judgment of {safe(model)} on {safe(benchmark)} is loaded.\n\n"
        "Load the judge's files too: annotations.json, or model_judgment/…"
    )
