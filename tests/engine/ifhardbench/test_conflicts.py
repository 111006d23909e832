"""Contradictions among requirements: found where certain, and never where a text exists."""

from __future__ import annotations

from typing import Any

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec
from ifbench_tui.engine.ifhardbench.conflicts import conflicts

Stack = list[tuple[str, dict[str, Any]]]
CHARS, WORDS = "structure:char_count", "structure:word_count"
INCLUDE, EXCLUDE, LETTER = "lexical:include_keyword", "lexical:exclude_word", "style:forbid_letter"
OVERRIDE = {"winner": {"category": "style:no_commas", "params": {}}}
BULLETS = {
    "holds": True,
    "then": {"shape": "bullet_list", "value": 3},
    "otherwise": {"shape": "sentences", "value": 2},
}
LINKED = {"holds": False, "stem": "мор"}


def found(stack: Stack) -> tuple[str, ...]:
    return conflicts([ConstraintSpec(kind, params, wording="как-то так") for kind, params in stack])


@pytest.mark.parametrize(
    ("stack", "said"),
    [
        ([(WORDS, {"op": "gt", "value": 5}),
          ("structure:word_char_count", {"words": 5, "chars": 30})],
         "requirements 1 and 2 ask for 6 words or more and 5 or fewer"),
        ([(WORDS, {"op": "between", "min": 3, "max": 2})],
         "requirement 1 asks for 3 words or more and 2 or fewer"),
        ([("style:comma_count", {"op": "ge", "value": 1}), ("logic:override", OVERRIDE)],
         "requirements 1 and 2 ask for 1 commas or more and 0 or fewer"),
        ([("logic:conditional_format", BULLETS), ("format:bullet_list", {"value": 4})],
         "requirements 1 and 2 ask for 4 bulleted items or more and 3 or fewer"),
        ([(CHARS, {"value": 8}), (WORDS, {"value": 5})],
         "requirements 1 and 2 ask for 5 words in 8 characters"),
        ([(INCLUDE, {"word": "Море"}), ("logic:conditional_include", LINKED)],
         "requirements 1 and 2 ask for «море» and nothing on «мор»"),
        ([("style:forbid_letters", {"letters": ["Р"]}),
          ("lexical:include_all", {"stems": ["мор"]})],
         "requirements 1 and 2 ask for «мор» and no letter «р»"),
        ([(INCLUDE, {"word": "ёлка"}), (EXCLUDE, {"words": ["елка"]})],
         "requirements 1 and 2 ask for the word «елка» and not the word"),
    ],
)  # fmt: skip
def test_what_no_text_can_meet(stack: Stack, said: str) -> None:
    assert found(stack) == (said,)


@pytest.mark.parametrize(
    "stack",
    [
        [(WORDS, {"op": "lt", "value": 5}), (WORDS, {"value": 4})],
        [(WORDS, {"op": "ne", "value": 5}), (WORDS, {"value": 4})],
        [(CHARS, {"value": 9}), (WORDS, {"value": 5})],
        [(LETTER, {"letter": "е"}), (INCLUDE, {"word": "ёж"})],
        [(EXCLUDE, {"stems": ["море"]}), (INCLUDE, {"stem": "мор"})],
        [(LETTER, {"letter": ""}), (INCLUDE, {"stem": "мор"})],
        [(INCLUDE, {"any_stems": ["кот"]}), (LETTER, {"letter": "к"})],
        [(WORDS, {"value": None}), (EXCLUDE, {"stems": 4}),
         ("nothing", {}), ("logic:override", {})],
    ],
)  # fmt: skip
def test_what_some_text_may_meet(stack: Stack) -> None:
    assert found(stack) == ()


def test_a_wording_and_its_parameters() -> None:
    def said(wording: str, params: dict[str, Any]) -> tuple[str, ...]:
        return conflicts([ConstraintSpec(WORDS, params, wording=wording)])

    assert said("ровно 5 слов", {"value": 4}) == ("requirement 1 says 5, its parameters do not",)
    assert said("не больше 4 слов", {"op": "lt", "value": 5}) == ()
    assert said("пять слов", {"value": 4}) == ()
    assert said("от 3 до 5 слов", {"op": "between", "min": 3, "max": 5}) == ()
    assert said("", {"value": 4}) == (
        "the row's text does not have a line for each of its 1 requirements",
    )
