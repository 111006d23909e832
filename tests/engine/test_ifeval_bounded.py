"""Texts on which the reference patterns are quadratic: the answer is the same, and it comes.

At these lengths a quadratic scan would run for hours, so that these tests end is what they show.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.benchmark import ConstraintSpec, explain, judge
from ifbench_tui.engine.ifeval import IFEval
from ifbench_tui.engine.verdict import MAX_SPANS

IFEVAL = IFEval()
SIZE = 400_000

PARAMS: dict[str, dict[str, Any]] = {
    "change_case:capital_word_frequency": {
        "capital_frequency": 3,
        "capital_relation": "less than",
    },
    "change_case:english_capital": {},
    "change_case:english_lowercase": {},
    "combination:repeat_prompt": {"prompt_to_repeat": "[" * SIZE},
    "combination:two_responses": {},
    "detectable_content:number_placeholders": {"num_placeholders": 1},
    "detectable_content:postscript": {"postscript_marker": "P.P.S"},
    "detectable_format:constrained_response": {},
    "detectable_format:json_format": {},
    "detectable_format:multiple_sections": {"section_spliter": "Day", "num_sections": 1},
    "detectable_format:number_bullet_lists": {"num_bullets": 1},
    "detectable_format:number_highlighted_sections": {"num_highlights": 1},
    "detectable_format:title": {},
    "keywords:existence": {"keywords": ["lighthouse"]},
    "keywords:forbidden_words": {"forbidden_words": ["lighthouse"]},
    "keywords:frequency": {"keyword": "a", "frequency": 1, "relation": "at least"},
    "keywords:letter_frequency": {
        "letter": "a",
        "let_frequency": 1,
        "let_relation": "at least",
    },
    "language:response_language": {"language": "en"},
    "length_constraints:nth_paragraph_first_word": {
        "num_paragraphs": 1,
        "nth_paragraph": 1,
        "first_word": "a",
    },
    "length_constraints:number_paragraphs": {"num_paragraphs": 1},
    "length_constraints:number_sentences": {"num_sentences": 2, "relation": "less than"},
    "length_constraints:number_words": {"num_words": 2, "relation": "less than"},
    "punctuation:no_comma": {},
    "startend:end_checker": {"end_phrase": "bye"},
    "startend:quotation": {},
}

BRACKETS = ["[", "[[ ]"]
HOSTILE = ["*", "<", "* ", "*\n", "\n", ".", ". ", "- ", "<<", "***", "!?", '")', "A. "]


def test_the_parameters_above_cover_every_type() -> None:
    assert set(PARAMS) == set(IFEVAL.types)


@pytest.mark.parametrize("type_id", sorted(PARAMS))
def test_every_check_ends_on_hostile_texts(type_id: str) -> None:
    for piece in HOSTILE:
        text = "a" + piece * (SIZE // len(piece))
        told = explain(IFEVAL, ConstraintSpec(type_id, PARAMS[type_id]), text)
        assert len(told.spans) <= MAX_SPANS
        assert told.error is None


@pytest.mark.parametrize("type_id", sorted(PARAMS))
def test_every_check_ends_on_endless_brackets(type_id: str) -> None:
    for piece in BRACKETS:
        told = explain(
            IFEVAL, ConstraintSpec(type_id, PARAMS[type_id]), piece * (SIZE // len(piece))
        )
        assert (told.error is not None) == (type_id == "detectable_format:json_format")


SIGNS = st.text(alphabet="*-[]<> \n\r\u2028aA1", max_size=40)


def counted(type_id: str, text: str) -> int:
    value = IFEVAL.build(ConstraintSpec(type_id, PARAMS[type_id])).measure(text).value
    assert isinstance(value, int)
    return value


@given(SIGNS)
def test_bullets_are_what_the_reference_patterns_find(text: str) -> None:
    stars = re.findall(r"^\s*\*[^\*].*$", text, re.MULTILINE)
    dashes = re.findall(r"^\s*-.*$", text, re.MULTILINE)
    found = counted("detectable_format:number_bullet_lists", text)
    assert found == len(stars) + len(dashes)


@given(SIGNS)
def test_placeholders_are_what_the_reference_pattern_finds(text: str) -> None:
    found = counted("detectable_content:number_placeholders", text)
    assert found == len(re.findall(r"\[.*?\]", text))


@given(SIGNS)
def test_titles_are_what_the_reference_pattern_finds(text: str) -> None:
    titles = re.findall(r"<<[^\n]+>>", text)
    constraint = IFEVAL.build(ConstraintSpec("detectable_format:title", {}))
    measure = constraint.measure(text)
    assert constraint.holds(measure) == any(t.lstrip("<").rstrip(">").strip() for t in titles)
    assert [text[s.start : s.end] for s in measure.spans] == titles


@given(st.text(alphabet="p.sP \n\u00a0x", max_size=30), st.sampled_from(["P.P.S", "P.S.", "xp"]))
def test_postscripts_are_what_the_reference_pattern_finds(text: str, marker: str) -> None:
    pattern = {
        "P.P.S": r"\s*p\.\s?p\.\s?s.*$",
        "P.S.": r"\s*p\.\s?s\..*$",
        "xp": r"\s*xp.*$",
    }[marker]
    spec = ConstraintSpec("detectable_content:postscript", {"postscript_marker": marker})
    constraint = IFEVAL.build(spec)
    found = bool(re.findall(pattern, text.lower(), re.MULTILINE))
    assert constraint.holds(constraint.measure(text)) == found


@given(st.text(alphabet="*\n a\r", max_size=40))
def test_variants_are_made_as_the_reference_makes_them(text: str) -> None:
    lines = text.split("\n")
    first = "\n".join(lines[1:]).strip()
    last = "\n".join(lines[:-1]).strip()
    both = "\n".join(lines[1:-1]).strip()
    plain = [text, first, last, both]
    bare = [part.replace("*", "") for part in plain]
    expected = (text, bare[0], first, last, both, *bare[1:])
    assert IFEVAL.variants(text) == expected
    for variant, made in enumerate(expected):
        kept = IFEVAL.kept(text, variant)
        assert "".join(text[start:end] for start, end in kept) == made


def test_only_brackets_outside_strings_nest() -> None:
    many = "[" * 2000
    for text, verdict in (
        (f'["{many}"]', True),
        (f'["\\"{many}\\\\", [1]]', True),
        ("[" + "[], " * 2000 + "{}]", True),
        (many + "]" * 2000, None),
    ):
        told = judge(IFEVAL, ConstraintSpec("detectable_format:json_format", {}), (text,))
        assert told.strict_cell is verdict, text[:5]


@pytest.mark.parametrize(
    ("nth", "said"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (12, "12th"), (21, "21st")]
)
def test_places_are_said_in_english(nth: int, said: str) -> None:
    params = {"num_paragraphs": 30, "nth_paragraph": nth, "first_word": "so"}
    spec = ConstraintSpec("length_constraints:nth_paragraph_first_word", params)
    assert f"the {said} starting with “so”" in IFEVAL.build(spec).required()
