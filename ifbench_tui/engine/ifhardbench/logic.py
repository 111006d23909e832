"""logic: requirements that depend on a condition, or that another one overrules.

Whether a condition holds is stated in the data; nobody judges it here.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from ifbench_tui.engine.ifhardbench.checks import Check, role
from ifbench_tui.engine.ifhardbench.params import Params, fail
from ifbench_tui.engine.ifhardbench.registry import build, constraint_type
from ifbench_tui.engine.ifhardbench.text import Text
from ifbench_tui.engine.verdict import Measure, Span

__all__ = ["SHAPES", "ConditionalFormat", "ConditionalInclude", "Override"]


def _condition(params: Params) -> tuple[bool, str]:
    """Whether the condition holds by the data, and that in words."""
    holds = bool(params.value("holds"))
    return holds, "the condition holds" if holds else "the condition does not hold"


@constraint_type("logic:conditional_include")
class ConditionalInclude(Check):
    """A word is there when a condition holds, and is not when it does not."""

    def look(self, text: Text) -> Measure:
        holds, why = _condition(self.params)
        stem = self.params.folded("stem")
        there = text.has_stem(stem)
        good = there is holds

        def locate() -> list[Span]:
            return [Span(*pair, role(good), f"«{stem}»") for pair in text.with_stem(stem)]

        said = f"{why}, «{stem}» is {'' if there else 'not '}there"
        return Measure(good, said, locate=locate)

    def wanted(self) -> str:
        holds, why = _condition(self.params)
        return f"{why}: {'a' if holds else 'no'} word on {self.params.shown('stem')}"


SHAPES = {
    "bullet_list": "format:bullet_list",
    "numbered_list": "format:numbered_list",
    "sentences": "structure:sentence_count",
    "paragraphs": "structure:paragraph_count",
}


class _Delegating(Check):
    """Another requirement decides, and it is said which and why."""

    @abstractmethod
    def chosen(self) -> tuple[Check, str]:
        """The requirement that decides, and why in words. Raises `CheckFailed`."""

    def look(self, text: Text) -> Measure:
        check, why = self.chosen()
        measure = check.look(text)
        # The verdict must not depend on how the other requirement decides.
        return replace(measure, value=check.holds(measure), said=f"{why}: {measure.said}")

    def wanted(self) -> str:
        check, why = self.chosen()
        return f"{why}: {check.wanted()}"


@constraint_type("logic:conditional_format")
class ConditionalFormat(_Delegating):
    """One shape when a condition holds, another one when it does not."""

    def chosen(self) -> tuple[Check, str]:
        holds, why = _condition(self.params)
        branch = self.params.inner("then" if holds else "otherwise")
        shape = branch.value("shape")
        category = SHAPES.get(shape) if isinstance(shape, str) else None
        if category is None:
            fail("invalid_parameter", f"no shape is called {shape!r}"[:200], "ValueError")
        return build(category, branch.given), why


@constraint_type("logic:override")
class Override(_Delegating):
    """Of two requirements that contradict each other the winner counts alone."""

    def chosen(self) -> tuple[Check, str]:
        params = self.params
        while True:
            winner = params.inner("winner")
            category, given = winner.value("category"), winner.value("params")
            if category != "logic:override":
                return build(category, given), f"{category} wins"
            params = Params(given)
