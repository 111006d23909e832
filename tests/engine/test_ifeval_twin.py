"""The product and a slow twin of the whole IFEval check agree on cases made for each type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifbench_tui.engine.benchmark import ConstraintSpec, explain, judge
from ifbench_tui.engine.ifeval import IFEval
from tests.engine.slow_ifeval import TYPES, SlowVerdict, slow_judge
from tests.engine.slow_tokenisers import variants

IFEVAL = IFEval()
NOTHING = (None,) * 8

KEYWORD_SIGNS = r"""
    apple a.b end$ foo|bar ^s \d+ x{2} a* (?i)yes C++ +1 * ? (x [z] \ $5 co-op _x don't e.g. (a)(b)?
    \1 İ ß ς ſ ﬁ é 😀 AXB xx 12 1a bar foo es sx
"""
KEYWORDS = (*KEYWORD_SIGNS.split(), "two words", " ", "\x85", "a\nb", "e\u0301")
LETTERS = (*"aIkKZ#!?* \n", "İ", "ı", "ß", "Σ", "ς", "😀", "\u0301", "\xa0")
MARKERS = ("P.S.", "P.P.S", " P.S. ", "p.s.", "PS", "[PS", "\\S+", "P\\.S", "N.B.*", "Σ", "", "+")
SPLITTERS = ("Section", "SECTION", " Day ", "Part.", "(A|B)", "(a)(b)?", "Sec[", "s*", "", "§")
PROMPTS = ("Say *this*", "\nΣΑΣ", "İx", "Straße", '"x"', "***", "a\xa0")
ENDINGS = ("Bye.", "bye\xa0", "İ", "ΑΣ", "Straße", '"', 'x"', "end*", "", "a\nb", "…", "ﬁn")
FIRST_WORDS = ("a", "I", "don't", "U.S.", "ΟΔΟΣ", "İ", "ß", "*b*", '"a', "", "1\ufe0f\u20e3")

NUMBER = st.integers(0, 4)
RELATION = st.sampled_from(("at least", "less than"))
PARAMS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "keywords:existence": {"keywords": st.lists(st.sampled_from(KEYWORDS), min_size=1, max_size=3)},
    "keywords:frequency": {
        "keyword": st.sampled_from(KEYWORDS),
        "frequency": NUMBER,
        "relation": RELATION,
    },
    "keywords:forbidden_words": {
        "forbidden_words": st.lists(st.sampled_from(("", *KEYWORDS)), min_size=1, max_size=3)
    },
    "keywords:letter_frequency": {
        "letter": st.sampled_from(LETTERS),
        "let_frequency": NUMBER,
        "let_relation": RELATION,
    },
    "language:response_language": {"language": st.sampled_from(("en", "de", "ru", "hi", "ja"))},
    "length_constraints:number_sentences": {"num_sentences": NUMBER, "relation": RELATION},
    "length_constraints:number_paragraphs": {"num_paragraphs": NUMBER},
    "length_constraints:number_words": {"num_words": NUMBER, "relation": RELATION},
    "length_constraints:nth_paragraph_first_word": {
        "num_paragraphs": st.integers(1, 3),
        "nth_paragraph": st.integers(1, 2),
        "first_word": st.sampled_from(FIRST_WORDS),
    },
    "detectable_content:number_placeholders": {"num_placeholders": NUMBER},
    "detectable_content:postscript": {"postscript_marker": st.sampled_from(MARKERS)},
    "detectable_format:number_bullet_lists": {"num_bullets": NUMBER},
    "detectable_format:constrained_response": {},
    "detectable_format:number_highlighted_sections": {"num_highlights": NUMBER},
    "detectable_format:multiple_sections": {
        "section_spliter": st.sampled_from(SPLITTERS),
        "num_sections": NUMBER,
    },
    "detectable_format:json_format": {},
    "detectable_format:title": {},
    "combination:two_responses": {},
    "combination:repeat_prompt": {"prompt_to_repeat": st.sampled_from(PROMPTS)},
    "startend:end_checker": {"end_phrase": st.sampled_from(ENDINGS)},
    "startend:quotation": {},
    "change_case:capital_word_frequency": {
        "capital_frequency": NUMBER,
        "capital_relation": RELATION,
    },
    "change_case:english_capital": {},
    "change_case:english_lowercase": {},
    "punctuation:no_comma": {},
}
ENGLISH = "the history of the people who live there"
MARKS = """
    * ** *** ***** ****** - --- *a **b** [ ] [x] << >> <<T>> " ' “ ” '' ` ``` , ， . ? ! ... [1] NaN
    a A x 1 ½ ٣ Ⅷ _ apple Hello. Dr. U.S. DON'T 'TIS Wow!!! 1,000 İ ß ΑΣ ς ǅ ﬁ 😀 é
"""
GENERAL = (*MARKS.split(), ENGLISH, "Der Fuchs springt über den Hund", "\u0301", "\ud800", "\0")
GAPS = (" ", "\n", "\n\n", "", "\r\n", "\r", "\t", "\xa0", "\x85", "\u2028", "\v", "\x1c", "\u200b")
FRAMES = ("{}", "{}", "{}", "Sure:\n{}", "{}\nBye.", "***\n{}\n***", '"{}"', "**{}**", "{}*")

TELLING: dict[str, tuple[str, ...]] = {
    "keywords:existence": KEYWORDS,
    "keywords:frequency": KEYWORDS,
    "keywords:forbidden_words": KEYWORDS,
    "keywords:letter_frequency": LETTERS,
    "language:response_language": (ENGLISH, "Der Fuchs", "Быстрая лиса", "एक विशाल देश", "東京"),
    "length_constraints:number_sentences": ("Dr.", "A.", "Wow", "!", "?", ". ", '."', ")", "1."),
    "length_constraints:number_paragraphs": ("*", "***", " ***\n", "\n***", "a", " ", "  "),
    "length_constraints:number_words": ("a", "-", "'", "½", "_", "\u0301", "é", "٣", " "),
    "length_constraints:nth_paragraph_first_word": (*FIRST_WORDS, "\n\n", "'", '"', ":", ",", " "),
    "detectable_content:number_placeholders": ("[", "]", "\n", "x"),
    "detectable_content:postscript": ("p.", "s", "s.", "p.\xa0s.", "P.", " ", "\n", *MARKERS),
    "detectable_format:number_bullet_lists": ("*", "-", "\n", " ", "a", "\r", "*\n", "\n* b"),
    "detectable_format:constrained_response": ("My answer is ", "yes", "no", "maybe", ".", "*"),
    "detectable_format:number_highlighted_sections": ("*", "**", "a", " ", "\n"),
    "detectable_format:multiple_sections": (*SPLITTERS, "A", "a", "ab", "1", "٣", "½", " ", "\n"),
    "detectable_format:json_format": ("```json", "```Json", "```", '{"a": 1}', "1", "[", "]", "\n"),
    "detectable_format:title": ("<", ">", "<<", ">>", "x", " ", "\n"),
    "combination:two_responses": ("***", "******", "*", "a", "A", " "),
    "combination:repeat_prompt": (*PROMPTS, "SAY *THIS*", "σας", "i\u0307x", "STRASSE", " ", "\n"),
    "startend:end_checker": (*ENDINGS, "i\u0307", "ας", "ασ", "BYE", "END*", " ", "\n", '"'),
    "startend:quotation": ('"', "“", "'", "a", " ", "\n", "*"),
    "change_case:capital_word_frequency": (
        "A",
        "a",
        "U.S",
        ".",
        "'",
        "'S",
        "CANNOT",
        "-",
        " ",
        '"',
    ),
    "change_case:english_capital": (ENGLISH.upper(), "A", "ß", "1", "*", " ", "Ⓐ"),
    "change_case:english_lowercase": (ENGLISH, "a", "İ", "1", "*", " ", "ŉ"),
    "punctuation:no_comma": (",", "，", "a", "*", "\n"),
}
FAMILIES = sorted({type_id.partition(":")[0] for type_id in PARAMS})
SLOW = (
    "language:response_language",
    "change_case:english_capital",
    "change_case:english_lowercase",
)
FAULTS: tuple[Any, ...] = (-1, 0, True, "", "x", "at most", [], [[]], [{}], ["a", 1], {}, 2.0)
# The product refuses these wrong kinds at once, the reference at the first text that is not blank.
LATE = {"postscript_marker", "section_spliter", "prompt_to_repeat", "capital_frequency", "letter"}


def specs(type_id: str) -> st.SearchStrategy[ConstraintSpec]:
    return st.builds(ConstraintSpec, st.just(type_id), st.fixed_dictionaries(PARAMS[type_id]))


def responses(type_id: str) -> st.SearchStrategy[str]:
    telling = st.sampled_from(TELLING[type_id])
    anything = st.sampled_from(GENERAL) | st.sampled_from(GAPS)
    made = st.lists(telling, min_size=1, max_size=9) | st.lists(telling | anything, max_size=9)
    return st.builds(str.format, st.sampled_from(FRAMES), made.map("".join))


def reference(spec: ConstraintSpec, response: str) -> SlowVerdict:
    """The twin, told what the product decides first: null is absent, and 2.0 is 2."""
    given = {
        name: int(value) if isinstance(value, float) else value
        for name, value in spec.params.items()
        if value is not None
    }
    return slow_judge(spec.type, given, response)


def assert_agree(spec: ConstraintSpec, response: str) -> None:
    texts = IFEVAL.variants(response)
    assert texts == tuple(variants(response))
    lattice = judge(IFEVAL, spec, texts)
    twin = reference(spec, response)
    stopped = "random" if twin.random else twin.build_error
    cells = tuple(None if isinstance(cell, str) else cell for cell in twin.cells)
    raised = next((cell[1:] for cell in twin.cells if isinstance(cell, str)), None)
    assert lattice.cells == (NOTHING if stopped else cells)
    assert (lattice.error.raises if lattice.error else None) == (stopped or raised)
    if not stopped:
        assert lattice.loose is (twin.loose is True)
        assert lattice.strict is (twin.cells[0] is True)
    for text, cell in zip(texts, lattice.cells, strict=True):
        told = explain(IFEVAL, spec, text)
        assert told.holds is (cell is True)
        assert (told.error is None) is (cell is not None)
        assert all(0 <= span.start <= span.end <= len(text) for span in told.spans)
        assert told.distance is None or (told.distance >= 0) is told.holds


def test_the_twin_and_the_parameters_above_cover_every_type() -> None:
    assert set(PARAMS) == set(TELLING) == set(TYPES) == set(IFEVAL.types)


@pytest.mark.parametrize("type_id", sorted(PARAMS))
def test_verdicts_equal_the_twin(type_id: str) -> None:
    examples = 40 if type_id in SLOW else 200

    @settings(max_examples=examples, derandomize=True, deadline=None, database=None)
    @given(specs(type_id), responses(type_id))
    def agree(spec: ConstraintSpec, response: str) -> None:
        assert_agree(spec, response)

    agree()


@pytest.mark.parametrize("family", FAMILIES)
def test_faulty_parameters_fail_as_the_twin_does(family: str) -> None:
    members = [specs(type_id) for type_id in PARAMS if type_id.startswith(family)]

    @settings(max_examples=150, derandomize=True, deadline=None, database=None)
    @given(st.one_of(members), st.data(), st.sampled_from(("", "a", "A 1\n* x, İ")))
    def agree(spec: ConstraintSpec, data: st.DataObject, response: str) -> None:
        params = dict(spec.params)
        for name in sorted(params):
            if data.draw(st.booleans()):
                kinds = st.none() if name in LATE else st.none() | st.sampled_from(FAULTS)
                params[name] = data.draw(kinds)
        if data.draw(st.integers(0, 3)) == 0:
            params["foo"] = data.draw(st.sampled_from((None, 1)))
        assert_agree(ConstraintSpec(spec.type, params), response)

    agree()


@pytest.mark.parametrize(
    ("type_id", "params", "response", "holds"),
    [
        (
            "length_constraints:nth_paragraph_first_word",
            {"num_paragraphs": 1, "nth_paragraph": 1, "first_word": "ΟΔΟΣ"},
            "ΟΔΟΣ",
            False,
        ),
        (
            "length_constraints:nth_paragraph_first_word",
            {"num_paragraphs": 1, "nth_paragraph": 1, "first_word": "οδοσ"},
            "ΟΔΟΣ!",
            True,
        ),
        ("keywords:forbidden_words", {"forbidden_words": [["a"]]}, "a", None),
    ],
)
def test_what_the_twin_once_found(
    type_id: str, params: dict[str, Any], response: str, holds: bool | None
) -> None:
    spec = ConstraintSpec(type_id, params)
    assert judge(IFEVAL, spec, IFEVAL.variants(response)).cells[0] is holds
    assert_agree(spec, response)


def test_the_twin_agrees_with_the_golden_cases(shared: Path) -> None:
    wrong = []
    with (shared / "golden/ifeval/fuzz.jsonl").open(encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            twin = slow_judge(case["id"], case["kwargs"], case["response"])
            told: list[Any]
            if twin.random or twin.build_error:
                told = [twin.random, twin.build_error]
                expected = [case.get("random_default", False), case["build_error"]]
            else:
                told = [list(twin.cells), twin.loose, twin.cells[0]]
                expected = [case["variants"], case["loose"], case["strict"]]
            if told != expected:
                wrong.append((case, twin))
    assert wrong == []
