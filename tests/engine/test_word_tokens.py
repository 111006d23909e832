r"""Word tokens, ``\w+`` words: examples, the slow twin, the golden verdicts, texts of any size."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifbench_tui.engine.text.words import capital_spans, count_words, word_spans, word_tokens
from tests.engine.slow_tokenisers import golden_cases, relation_holds, slow_word_tokens

FRAGMENTS = """
    DON'T don't Xn't I'LL I've they're IT'S TIME's 's' 'S 'I 'A' O'B X'A can't CANNOT cannot Gimme
    GIMMEN'T gonna GOTta lemme wanna WANNA more'n MORE'N d'ye D'YE 'tis 'TIS 'twas 'TWAS U.S. U.S
    A.B I.E. dr. 'Dr. '' ''' " "A B" `` ` ```` “ ” ‘ ’ „ « » --- -- - ... .. . , ,, ,: : :X ,X
    3,000 5: ; @ # $ % & ? ! * ** [A] {B} <C> (D) ("E") .) .' ." .” .'' ' 's 'm ſ 'ſ 'tiſ 'tıs
    n't N'T gİmme gımme K É é ß ǅ Ⅷ Ⓐ 𝐀 ½ _ A_ X-Y X/Y
"""
GAPS = (" ", "", "  ", "\n", "\t", "\r", "\xa0", "\u2028", "\x1c")

LONG = (
    ("A.", '")', ""),
    ("A.", '")', " x"),
    ("A.", " ", "x"),
    ("A.", "\t ", "x"),
    ("A.", " '", ""),
    ("", "A! ", ""),
    ("", "DON'T ", ""),
    ("", "X's", " Y"),
    ("", "`", ""),
    ("", ":,", ""),
    ("", "CANNOT", ""),
    ("", "CANNOT'TIS", " "),
    ("", "[", "A"),
    ("", "A--", ""),
    ("", "A", ""),
    ("", "(''", ""),
    ("", '"', ""),
)


def check_equal_to_twin(text: str) -> None:
    tokens = slow_word_tokens(text)
    assert word_tokens(text) == tokens
    spans = capital_spans(text)
    assert [text[start:end] for start, end in spans] == [t for t in tokens if t.isupper()]
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("DON'T", ["DO", "N'T"]),
        ("TIME'S UP.", ["TIME", "'S", "UP"]),
        ("I live in the U.S.", ["I", "U.S"]),
        ("In the U.S. we live.", ["U.S."]),
        ("CANNOT Cannot CANnot", ["CAN", "NOT", "CAN"]),
        ("WANNA-BE WANNA", ["WANNA-BE", "WAN", "NA"]),
        ("ABC-DEF and A/B, C", ["ABC-DEF", "A/B", "C"]),
        ("A,B 3D,X ,,X", ["A", "B", "3D", "X", ",X"]),
        ('She said "NO." and "I"!', ["NO", "I"]),
        ("P iPod P", ["P", "P"]),
        ("''A'' **B** [C]", ["A", "B", "C"]),
    ],
)
def test_examples_of_capital_tokens(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in capital_spans(text)] == expected


def test_capital_spans_do_not_point_into_other_tokens() -> None:
    assert capital_spans('iPod "P"') == [(6, 7)]
    assert capital_spans("DON'T") == [(0, 2), (2, 5)]


def test_quotes_are_rewritten() -> None:
    tokens = word_tokens("\"Go,\" he said ''No'' (\"now\")")
    assert " ".join(tokens) == "`` Go , '' he said `` No '' ( `` now '' )"


@settings(max_examples=1000, deadline=None)
@given(st.text(alphabet=".?! \n\")'-aA1,", max_size=25))
def test_small_alphabet_equals_twin(text: str) -> None:
    check_equal_to_twin(text)


@settings(max_examples=1000, deadline=None)
@given(st.text(alphabet="'\"`(<. \t\n\r:,sSdnNtTA1”“*", max_size=20))
def test_quotes_and_clitics_equal_twin(text: str) -> None:
    check_equal_to_twin(text)


@settings(max_examples=1500, deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS.split()) | st.sampled_from(GAPS), max_size=16).map("".join)
)
def test_known_fragments_equal_twin(text: str) -> None:
    check_equal_to_twin(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_any_text_equals_twin(text: str) -> None:
    check_equal_to_twin(text)
    words = re.findall(r"\w+", text)
    assert [text[start:end] for start, end in word_spans(text)] == words
    assert count_words(text) == len(words)


def test_golden_verdicts_of_capital_words(shared: Path) -> None:
    checked = 0
    for kwargs, text, expected in golden_cases(shared, "change_case:capital_word_frequency"):
        count = len(capital_spans(text))
        holds = relation_holds(count, kwargs["capital_relation"], kwargs["capital_frequency"])
        assert holds == expected, (kwargs, text)
        checked += 1
    assert checked > 100


def test_golden_verdicts_of_words(shared: Path) -> None:
    checked = 0
    for kwargs, text, expected in golden_cases(shared, "length_constraints:number_words"):
        holds = relation_holds(count_words(text), kwargs["relation"], kwargs["num_words"])
        assert holds == expected, (kwargs, text)
        checked += 1
    assert checked > 100


@pytest.mark.parametrize(("before", "unit", "after"), LONG)
def test_texts_of_any_length(before: str, unit: str, after: str) -> None:
    """The twin splits short repetitions; a quadratic step would not end on the long one."""
    few, more = (slow_word_tokens(before + unit * n + after) for n in (20, 40))
    text = before + unit * 60_000 + after
    rounds = (60_000 - 20) // 20
    assert len(word_tokens(text)) == len(few) + (len(more) - len(few)) * rounds
    capitals, more_capitals = (sum(map(str.isupper, tokens)) for tokens in (few, more))
    assert len(capital_spans(text)) == capitals + (more_capitals - capitals) * rounds
