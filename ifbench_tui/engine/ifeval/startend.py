"""startend: an exact ending, and quotation marks around everything."""

from __future__ import annotations

from collections.abc import Iterator

from ifbench_tui.engine.benchmark import Constraint
from ifbench_tui.engine.ifeval.params import Params, fail
from ifbench_tui.engine.ifeval.registry import constraint_type
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["EndChecker", "Quotation"]


@constraint_type("startend:end_checker", "end_phrase")
class EndChecker(Constraint):
    """The text ends with a phrase, whatever its case; closing `"` are forgiven."""

    def __init__(self, params: Params) -> None:
        self.phrase = params.value("end_phrase")

    def measure(self, text: str) -> Measure:
        if not isinstance(self.phrase, str):
            message = f"end_phrase must be text, not {self.phrase!r}"
            fail("invalid_parameter", message, "AttributeError")
        wanted = self.phrase.strip().lower()
        ending = text.strip().strip('"')
        holds = ending.lower().endswith(wanted)
        actual = ending[-max(len(wanted), 1) :]
        end = len(text.rstrip().rstrip('"'))

        def locate() -> Iterator[Span]:
            start = end - len(actual)
            yield Span(start, end, "counts" if holds else "offends", "the actual ending")

        return Measure(holds, f"ends with “{actual}”", locate=locate)

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return f"ends with “{str(self.phrase).strip()}”"


@constraint_type("startend:quotation")
class Quotation(Constraint):
    """The first and the last character are U+0022."""

    def __init__(self, _params: Params) -> None:
        pass

    def measure(self, text: str) -> Measure:
        body = text.strip()
        opens, closes = body[0] == '"', body[-1] == '"'
        start = len(text) - len(text.lstrip())
        end = start + len(body)

        def locate() -> Iterator[Span]:
            yield Span(start, start + 1, "counts" if opens else "offends", "first character")
            if len(body) > 1:
                yield Span(end - 1, end, "counts" if closes else "offends", "last character")

        if len(body) == 1:
            said = "a single character"
        else:
            said = f"starts with {body[0]!r} and ends with {body[-1]!r}"
        return Measure(len(body) > 1 and opens and closes, said, locate=locate)

    def holds(self, measure: Measure) -> bool:
        return bool(measure.value)

    def required(self) -> str:
        return 'wrapped in double quotation marks (")'
