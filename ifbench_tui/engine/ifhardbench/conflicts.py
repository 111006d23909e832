"""Requirements of one row that cannot all be meant, as far as parameters and wordings tell.

Only what is certain is reported: a bound on a count that another one excludes, a word that must
and must not be there, a letter that a wanted word needs, and a wording whose numbers are not those
of its parameters. That nothing is reported does not prove that a text exists.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ifbench_tui.engine.benchmark import ConstraintSpec
from ifbench_tui.engine.ifhardbench.counts import Bound, exactly, read_bound
from ifbench_tui.engine.ifhardbench.logic import SHAPES
from ifbench_tui.engine.ifhardbench.params import Params
from ifbench_tui.engine.verdict import CheckFailed

__all__ = ["conflicts"]

_COUNTS = {
    "structure:word_count": "words",
    "structure:sentence_count": "sentences",
    "structure:paragraph_count": "paragraphs",
    "structure:char_count": "characters",
    "style:comma_count": "commas",
    "style:question_count": "questions",
    "style:exclamation_count": "exclamations",
    "format:bullet_list": "bulleted items",
    "format:numbered_list": "numbered items",
}
_TWO_FACED = "её"
"""The letters that wanted words do not tell apart, while forbidden letters do."""


@dataclass(slots=True)
class _Demands:
    """What the requirements of a row ask for, each with the number of its requirement.

    Stems are the beginnings of words, words are whole forms; all are folded.
    """

    counts: dict[str, list[tuple[int, float, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    stems: list[tuple[int, str]] = field(default_factory=list)
    words: list[tuple[int, str]] = field(default_factory=list)
    no_stems: list[tuple[int, str]] = field(default_factory=list)
    no_words: list[tuple[int, str]] = field(default_factory=list)
    no_letters: list[tuple[int, str]] = field(default_factory=list)

    def bound(self, number: int, unit: str, bound: Bound) -> None:
        """Take a bound as the least and the most it allows."""
        if bound.op == "ne" or bound.flaw:
            return
        least = bound.low + (bound.op == "gt") if bound.op not in ("le", "lt") else 0
        most = math.inf if bound.most is None else bound.most
        self.counts[unit].append((number, least, most))


def conflicts(specs: Sequence[ConstraintSpec]) -> tuple[str, ...]:
    """What is contradictory about the requirements of one row, in words."""
    demands = _Demands()
    for number, spec in enumerate(specs, 1):
        try:
            _add(demands, number, *_settled(spec.type, Params(spec.params)))
        except CheckFailed:
            continue
    return (*_numbers(demands), *_texts(demands), *_wordings(specs))


def _settled(kind: Any, params: Params) -> tuple[Any, Params]:
    """The requirement that counts in the end: the winner of an override, the branch chosen."""
    while kind == "logic:override":
        winner = params.inner("winner")
        kind, params = winner.value("category"), winner.inner("params")
    if kind == "logic:conditional_format":
        branch = params.inner("then" if params.value("holds") else "otherwise")
        return SHAPES.get(branch.value("shape")), branch
    return kind, params


def _add(demands: _Demands, number: int, kind: Any, params: Params) -> None:
    """Read one requirement. Raises `CheckFailed` where its parameters are unusable."""
    wanted: dict[str, list[tuple[int, str]]] = {"stem": demands.stems, "word": demands.words}
    refused = {"stem": demands.no_stems, "word": demands.no_words}
    if kind in _COUNTS:
        demands.bound(number, _COUNTS[kind], read_bound(params))
    elif kind == "structure:word_char_count":
        demands.bound(number, "words", exactly(params.integer("words")))
        demands.bound(number, "characters", exactly(params.integer("chars")))
    elif kind == "style:no_commas":
        demands.bound(number, "commas", exactly(0))
    elif kind == "logic:conditional_include":
        chosen = wanted if params.value("holds") else refused
        chosen["stem"].append((number, params.folded("stem")))
    elif kind == "lexical:include_keyword" and "any_stems" not in params:
        name = "stem" if "stem" in params else "word"
        wanted[name].append((number, params.folded(name)))
    elif kind in ("lexical:include_all", "lexical:exclude_word"):
        name = "stem" if "stems" in params else "word"
        chosen = wanted if kind == "lexical:include_all" else refused
        values = [Params({name: value}) for value in params.many(f"{name}s")]
        chosen[name] += [(number, value.folded(name)) for value in values]
    elif kind == "lexical:word_exact_count":
        chosen = wanted if params.integer("count") > 0 else refused
        chosen["stem"].append((number, params.folded("stem")))
    elif kind in ("style:forbid_letter", "style:forbid_letters"):
        letters = params.many("letters" if kind.endswith("s") else "letter")
        if kind.endswith("s") or len(letters) == 1:
            demands.no_letters += [(number, one.lower()) for one in letters if len(str(one)) == 1]


def _numbers(demands: _Demands) -> Iterator[str]:
    for unit, bounds in demands.counts.items():
        first, least, _ = max(bounds, key=lambda bound: bound[1])
        second, _, most = min(bounds, key=lambda bound: bound[2])
        if least > most:
            yield f"{_both(first, second)} {least:,.0f} {unit} or more and {most:,.0f} or fewer"
    words, characters = demands.counts.get("words"), demands.counts.get("characters")
    if words and characters:
        first, least, _ = max(words, key=lambda bound: bound[1])
        second, _, most = min(characters, key=lambda bound: bound[2])
        if 2 * least - 1 > most:
            yield f"{_both(first, second)} {least:,.0f} words in {most:,.0f} characters"


def _texts(demands: _Demands) -> Iterator[str]:
    wanted = [*demands.stems, *demands.words]
    for first, text in wanted:
        for second, stem in demands.no_stems:
            if text.startswith(stem):
                yield f"{_both(first, second)} «{text}» and nothing on «{stem}»"
        for second, letter in demands.no_letters:
            if letter in text and letter not in _TWO_FACED:
                yield f"{_both(first, second)} «{text}» and no letter «{letter}»"
    for first, text in demands.words:
        for second, word in demands.no_words:
            if text == word:
                yield f"{_both(first, second)} the word «{text}» and not the word"


def _both(first: int, second: int) -> str:
    if first == second:
        return f"requirement {first} asks for"
    return f"requirements {min(first, second)} and {max(first, second)} ask for"


def _wordings(specs: Sequence[ConstraintSpec]) -> Iterator[str]:
    if specs and not any(spec.wording for spec in specs):
        yield f"the row's text does not have a line for each of its {len(specs)} requirements"
    for number, spec in enumerate(specs, 1):
        said = {int(found) for found in re.findall(r"[0-9]{1,9}", spec.wording)}
        meant = _stated(spec.params)
        if said and meant and not said & meant:
            numbers = ", ".join(map(str, sorted(said)))
            yield f"requirement {number} says {numbers}, its parameters do not"


def _stated(params: Any) -> set[int]:
    """Numbers in parameters; a strict bound may as well be said by its neighbour."""
    try:
        text = json.dumps(params, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return set()
    found = {int(number) for number in re.findall(r"[0-9]{1,9}", text)}
    if re.search(r'"op": "[lg]t"', text):
        found |= {number + step for number in found for step in (-1, 1)}
    return found
