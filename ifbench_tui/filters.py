"""Which prompts to show: conditions that compose, as words a person can type and read.

    strict:fail loose:pass type:no_comma near "text:dear sir" has:tier=hard marked

A condition on verdicts is about the whole prompt; with a type or a category it is about a
constraint of that kind, one that meets all of them at once.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ifbench_tui.engine.benchmark import ConstraintSpec, JudgedResponse, Prompt
from ifbench_tui.engine.patterns import DirectFinder, PatternFinder, Searcher, compile_pattern
from ifbench_tui.engine.verdict import CheckFailed, Lattice
from ifbench_tui.errors import IfbenchError
from ifbench_tui.workspace import Response

__all__ = ["ALL", "Facts", "Filter", "FilterError", "Query", "disagreements", "parse_filter"]


class FilterError(IfbenchError):
    """A filter that cannot be understood, or a search that had to be stopped."""


class Query:
    """Text to look for, the same way for finding and for painting.

    Between slashes a regular expression, else the text itself; capitals matter if there are any.
    """

    def __init__(self, query: str, finder: PatternFinder | None = None) -> None:
        self.query = query
        inner = query[1:-1] if len(query) > 2 and query[0] == query[-1] == "/" else None
        flags = re.IGNORECASE if query == query.lower() else 0
        if inner is None:
            self._searcher = Searcher(re.escape(query), DirectFinder(), flags=flags)
            return
        try:
            compile_pattern(inner, flags)
        except CheckFailed as failed:
            raise FilterError(str(failed)) from None
        self._searcher = Searcher(inner, finder or DirectFinder(), flags=flags)

    def spans(self, text: str, limit: int = 0) -> list[tuple[int, int]]:
        """Where it is found, at most `limit` times (0: all). Raises `FilterError`."""
        try:
            found = self._searcher.find(text, limit)
        except CheckFailed as failed:
            raise FilterError(str(failed)) from None
        return [(start, end) for start, end in found if start < end]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one prompt and one model's response to it.

    `others` yields other models' judged responses by name. `judged` is None while pending.
    """

    prompt: Prompt
    response: Response | None
    judged: JudgedResponse | None
    family: Callable[[ConstraintSpec], str]
    marked: bool = False
    bookmarked: bool = False
    noted: bool = False
    others: Callable[[], Iterator[tuple[str, JudgedResponse]]] = field(default=lambda: iter(()))


def disagreements(response: Response | None, judged: JudgedResponse | None) -> list[bool]:
    """For each constraint: do the file's verdicts differ from ours (where it has any)?"""
    if judged is None:
        return []
    recorded = None if response is None else response.recorded
    strict = recorded.strict if recorded is not None else None
    loose = recorded.loose if recorded is not None else None
    return [
        _differs(strict, index, lattice.strict) or _differs(loose, index, lattice.loose)
        for index, lattice in enumerate(judged.lattices)
    ]


def _differs(recorded: tuple[bool, ...] | None, index: int, ours: bool) -> bool:
    return recorded is not None and index < len(recorded) and recorded[index] != ours


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions; a prompt is shown if it meets all of them (`inverted`: if not).

    `differs` names a model whose strict verdict is another one; "any" stands for all others.
    `has` is an attribute of the prompt as `name=value`.
    """

    strict: bool | None = None
    loose: bool | None = None
    type: str = ""
    category: str = ""
    has: str = ""
    near: bool = False
    error: bool = False
    recorded: bool = False
    differs: str = ""
    marked: bool = False
    bookmarked: bool = False
    noted: bool = False
    missing: bool = False
    text: str = ""
    inverted: bool = False

    @property
    def empty(self) -> bool:
        """Whether every prompt is shown."""
        return self == ALL

    @property
    def needs_verdicts(self) -> bool:
        """Whether a pending response cannot be decided on."""
        return any(
            (self.strict is not None, self.loose is not None, self.near, self.error, self.recorded)
        ) or bool(self.differs)

    def concerns(self, spec: ConstraintSpec, family: Callable[[ConstraintSpec], str]) -> bool:
        """Whether a constraint is of the type and category asked for."""
        return _named(spec.type, self.type) and (not self.category or family(spec) == self.category)

    def words(self) -> str:
        """The filter as it is typed; `parse_filter` reads it back."""
        parts = []
        for part in fields(self):
            value = getattr(self, part.name)
            if part.name in ("strict", "loose") and value is not None:
                value = "pass" if value else "fail"
            if part.name == "inverted" or not value:
                continue
            parts.append(part.name if value is True else shlex.quote(f"{part.name}:{value}"))
        return ("not " if self.inverted else "") + " ".join(parts)

    def test(self, finder: PatternFinder | None = None) -> Callable[[Facts], bool]:
        """The filter as a test, its search prepared. The test may raise `FilterError`."""
        query = Query(self.text, finder) if self.text else None

        def meets(facts: Facts) -> bool:
            if self.needs_verdicts and facts.judged is None:
                return False
            return self._meets(facts, query) != self.inverted

        return meets

    def _meets(self, facts: Facts, query: Query | None) -> bool:
        wanted = (
            (self.marked, facts.marked),
            (self.bookmarked, facts.bookmarked),
            (self.noted, facts.noted),
            (self.missing, facts.response is None),
        )
        return (
            all(is_so for asked, is_so in wanted if asked)
            and (not self.has or _has(facts.prompt, self.has))
            and self._constraints_meet(facts)
            and (not self.differs or self._others_differ(facts))
            and (query is None or _found(query, facts))
        )

    def _constraints_meet(self, facts: Facts) -> bool:
        chosen = [
            index
            for index, spec in enumerate(facts.prompt.constraints)
            if self.concerns(spec, facts.family)
        ]
        by_kind = bool(self.type or self.category)
        if by_kind and not chosen:
            return False
        judged = facts.judged
        if judged is None:
            return True
        differs = disagreements(facts.response, judged)
        if not by_kind:
            return (
                self.strict in (None, judged.strict)
                and self.loose in (None, judged.loose)
                and (not self.near or any(row.near_miss for row in judged.lattices))
                and (not self.error or any(row.error is not None for row in judged.lattices))
                and (not self.recorded or any(differs))
            )
        return any(self._one_meets(judged.lattices[index], differs[index]) for index in chosen)

    def _one_meets(self, lattice: Lattice, differs: bool) -> bool:
        return (
            self.strict in (None, lattice.strict)
            and self.loose in (None, lattice.loose)
            and (not self.near or lattice.near_miss)
            and (not self.error or lattice.error is not None)
            and (not self.recorded or differs)
        )

    def _others_differ(self, facts: Facts) -> bool:
        ours = facts.judged
        return ours is not None and any(
            other.strict != ours.strict
            for model, other in facts.others()
            if self.differs in ("any", model)
        )


ALL = Filter()


def _named(kind: str, wanted: str) -> bool:
    """Types may be named in full or by what follows the colon."""
    return not wanted or kind == wanted or kind.partition(":")[2] == wanted


def _has(prompt: Prompt, wanted: str) -> bool:
    name, _, value = wanted.partition("=")
    return name in prompt.attributes and str(prompt.attributes[name]) == value


def _found(query: Query, facts: Facts) -> bool:
    texts = (
        [facts.prompt.text] if facts.response is None else [facts.response.text, facts.prompt.text]
    )
    return any(query.spans(text, 1) for text in texts)


_FLAGS = ("near", "error", "recorded", "marked", "bookmarked", "noted", "missing")
_VERDICTS: Mapping[str, bool] = {
    "pass": True, "fail": False, "✓": True, "✗": False, "yes": True, "no": False,
}  # fmt: skip
_VALUED = ("type", "category", "has", "differs", "text")
_NAMES = (*_FLAGS, *_VALUED, "strict", "loose", "family", "not")


def _with(chosen: Filter, name: str, value: Any) -> Filter:
    return replace(chosen, **{name: value})


def parse_filter(words: str) -> Filter:
    """The filter that words state. Raises `FilterError` naming the word it stumbled over.

    Words that are no condition are looked for in prompt and response.
    """
    try:
        parts = shlex.split(words)
    except ValueError as error:
        raise FilterError(f"filter {words!r}: {str(error).lower()}") from None
    made = ALL
    texts = []
    for part in parts:
        name, colon, value = part.partition(":")
        if part in ("not", "!"):
            made = replace(made, inverted=not made.inverted)
        elif part in _FLAGS:
            made = _with(made, part, True)
        elif part == "differs":
            made = replace(made, differs="any")
        elif name in ("strict", "loose") and colon:
            if value not in _VERDICTS:
                raise FilterError(f"filter: {part!r}: wanted {name}:pass or {name}:fail")
            made = _with(made, name, _VERDICTS[value])
        elif name in _VALUED and value:
            made = _with(made, name, value)
        elif name == "family" and value:
            made = replace(made, category=value)
        elif colon and (close := difflib.get_close_matches(name, _NAMES, 1)):
            raise FilterError(f"filter: {part!r} is no condition; did you mean {close[0]}?")
        else:
            texts.append(part)
    return replace(made, text=" ".join(texts)) if texts else made
