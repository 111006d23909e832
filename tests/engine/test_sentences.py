"""Sentences: examples, the slow twin, the golden verdicts, texts of any size."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifbench_tui.engine.text import sentences
from ifbench_tui.engine.text.sentences import count_sentences, sentence_spans
from tests.engine.slow_tokenisers import golden_cases, relation_holds, slow_sentence_spans

WORDS = """
    Dr. Mr. dr. e.g. i.e. U.S. U.S.A. J. b. B. I. O. O.Ludcke ludcke Edelman smith No. 1. 2) 3.5
    vs. Inc. Ph.D. w.va. mining-co. a-dr. the The In in He he. According sales. Review who. pay-fone
    ... .. . !! ? ?! .) ." .” .' !) ]. (Dr. "Dr. **Dr. a,b ,a --a -- - x-- a. é. É. ß. ǅ. ½. Kan. İ.
    _.
"""
GAPS = (" ", "", "\n", "\n\n", "\t", "\xa0", "\x1c", "\v", "  ")

LONG = (
    ("", ".", ""),
    ("", ". ", ""),
    ("", "? ", ""),
    ("", "!", ""),
    ("", " !?", ""),
    ("", "....x", ""),
    ("", "a.b.c.", ""),
    ("", "a.b.c. ", ""),
    ('a."', ")", " B"),
    ('A."', ")", "b"),
    ("", '.")))', ""),
    ("", "[", "No! Yes"),
    ("A.", " ", ""),
    ("A!", "\n", "B"),
    ("a", "-", ". B"),
    ("", "a-", "dr. Smith"),
    ("", "a", ". B"),
    ("A. ", "b", ""),
    ("", "dr. ", ""),
    ("", "dr.)", " x"),
    ("", "dr.\xa0", "x"),
    ("", ".\xa0", "x"),
    ("", "..x", ""),
    ("", "*)", "dr. Smith"),
    ("a.", ",-", ". B"),
)


def sentences_of(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("no mark", ["no mark"]),
        ("One. Two? Three!", ["One.", "Two?", "Three!"]),
        ("Wow!!!", ["Wow!!", "!"]),
        ("Wow!!! Good.", ["Wow!!!", "Good."]),
        ("a line\nanother line", ["a line\nanother line"]),
        ("Dr. Smith met Mr. Jones.", ["Dr. Smith met Mr. Jones."]),
        ("It was J. Smith.", ["It was J. Smith."]),
        ("We met at 5 p.m. The sun shone.", ["We met at 5 p.m.", "The sun shone."]),
        ("1. First\n2. Second", ["1.", "First\n2.", "Second"]),
        ("He left (early.) She stayed.", ["He left (early.)", "She stayed."]),
        ('"Go." He went.', ['"Go."', "He went."]),
        ("“Go.” He went.", ["“Go.” He went."]),
        ("Pi is 3.14 at a.com today.", ["Pi is 3.14 at a.com today."]),
        ("Wait... what?", ["Wait... what?"]),
        ("Wait... The end.", ["Wait...", "The end."]),
        ("See p. The rest of 5. Review it.", ["See p. The rest of 5. Review it."]),
        ("He came to dr. Ore. a", ["He came to dr. Ore. a"]),
        ("Step 1.; go", ["Step 1.; go"]),
        ("ab.,--1. a", ["ab.,--1.", "a"]),
        (",.\xa0.\n. a", [",.\xa0.", ".", "a"]),
        ("He works for Acme-Co. in Ohio.", ["He works for Acme-Co. in Ohio."]),
    ],
)
def test_examples(text: str, expected: list[str]) -> None:
    assert sentences_of(text) == expected
    assert slow_sentence_spans(text) == sentence_spans(text)
    assert count_sentences(text) == len(expected)


@pytest.mark.parametrize("blank", [*" \t\n\r\v\f", *"\xa0\x1c\x85\u2028"])
def test_only_ascii_white_space_parts_the_words_before_marks(blank: str) -> None:
    text = f"a!{blank}b! c"
    assert sentences_of(text) == (["a!", "b!", "c"] if blank in " \t\n\r\v\f" else [text[:-2], "c"])


@settings(max_examples=1500, deadline=None)
@given(st.text(alphabet=".?! \n\")'-aA1,", max_size=30))
def test_small_alphabet_equals_twin(text: str) -> None:
    assert sentence_spans(text) == slow_sentence_spans(text)


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(WORDS.split()) | st.sampled_from(GAPS), max_size=20))
def test_known_words_equal_twin(parts: list[str]) -> None:
    text = "".join(parts)
    assert sentence_spans(text) == slow_sentence_spans(text)


@settings(max_examples=500, deadline=None)
@given(
    st.text(max_size=40) | st.text(alphabet=".?!\")' \t\n\r\v\f\x1c\x85\xa0\u2028a-", max_size=30)
)
def test_any_text_equals_twin(text: str) -> None:
    assert sentence_spans(text) == slow_sentence_spans(text)


@given(st.text(alphabet=".?! \n\")'-aA1,", max_size=60))
def test_spans_are_ordered_and_leave_out_only_white_space(text: str) -> None:
    at = 0
    for start, end in [*sentence_spans(text), (len(text), len(text))]:
        assert not text[at:start].strip()
        assert at <= start <= end
        at = end


def test_golden_verdicts(shared: Path) -> None:
    checked = 0
    for kwargs, text, expected in golden_cases(shared, "length_constraints:number_sentences"):
        holds = relation_holds(count_sentences(text), kwargs["relation"], kwargs["num_sentences"])
        assert holds == expected, (kwargs, text)
        checked += 1
    assert checked > 100


@pytest.mark.parametrize(("before", "unit", "after"), LONG)
def test_texts_of_any_length(before: str, unit: str, after: str) -> None:
    """The twin counts short repetitions; a quadratic step would not end on the long one."""
    few, more = (len(slow_sentence_spans(before + unit * n + after)) for n in (20, 40))
    many = 60_000
    expected = few + (more - few) * (many - 20) // 20
    assert count_sentences(before + unit * many + after) == expected


def test_the_model_is_loaded_once_by_many_threads() -> None:
    sentences._load.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(count_sentences, ["Dr. No. Yes."] * 32))
    assert len(set(counts)) == 1
    assert sentences._load.cache_info().misses == 1


def test_only_the_data_of_the_punkt_package_is_loaded() -> None:
    code = (
        "import sys; from ifbench_tui.engine.text.sentences import count_sentences, _load;"
        "before = _load.cache_info().currsize; count = count_sentences('Dr. No. Yes.');"
        "print(before, count, 'punkt' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "2", "False"]
