"""Words, sentences, paragraphs, items, traces and payloads against a plain second reading."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ifbench_tui.engine.benchmark import ConstraintSpec, explain
from ifbench_tui.engine.ifhardbench.json_formats import _payload
from ifbench_tui.engine.ifhardbench.normalise import kept, normalise, prediction
from ifbench_tui.engine.ifhardbench.text import EDGE, Text, core, fold
from tests.engine.ifhardbench import slow
from tests.engine.ifhardbench.golden import BENCH

WORDS = """
    слово Ёж я г. гг. дом. 5. № — … ... ?! ! . .. ? ½ ² «да» «да». *а* **б** - • 1. 2) ٣) # #чай
    у́. İ ΑΣ Σ. ß _ `x` ``` ```json { } a.b a,b ,
"""
GAPS = ("\n", "\n\n", "\r\n", " ", "\t", "\x0b", "\x1c", "\x1f", "\x85", "\u2028", "\xa0")
PIECES = st.sampled_from([*WORDS.split(), *GAPS, "\u200b"])
TEXTS = st.lists(PIECES, max_size=25).map("".join) | st.lists(PIECES, max_size=25).map(" ".join)
TRACES = st.lists(
    st.sampled_from(["<think>", "</think>", "<THINK>", "</ThinK>", "<th", "ink>", "</", "а", " "]),
    max_size=14,
).map("".join)


@given(TEXTS)
def test_every_part_is_what_the_plain_reading_finds(source: str) -> None:
    text = Text(source)
    assert text.words == slow.words(source)
    assert [text.cut(pair) for pair in text.word_spans] == slow.words(source)
    assert text.cores == [slow.core(word) for word in slow.words(source)]
    assert [text.cut(pair) for pair in text.sentences] == slow.sentences(source)
    assert [text.cut(pair) for pair in text.paragraphs] == slow.paragraphs(source)
    assert [text.cut(pair) for pair in text.lines] == slow.lines(source)
    for kind in ("any", "bullet", "numbered", "Bullet"):
        assert [text.cut(pair) for pair in text.items(kind)] == slow.items(source, kind)


@given(TEXTS, st.sampled_from(["", "а", "сло", "е", "\n", "с\n"]))
def test_stems_are_counted_as_word_by_word(source: str, stem: str) -> None:
    text = Text(source)
    expected = sum(word.startswith(stem) for word in text.cores)
    assert text.stem_count(stem) == expected
    assert text.has_stem(stem) is (expected > 0)
    assert len(text.with_stem(stem)) == expected


@given(TEXTS)
def test_every_folded_character_is_traced_to_the_one_it_comes_from(source: str) -> None:
    text = Text(source)
    for position in range(len(text.folded)):
        character = source[text.unfolded(position)]
        # A capital sigma folds by what stands around it.
        assert text.folded[position] in fold(character).replace("σ", "σς")
    assert text.unfolded(len(text.folded)) == len(source)


@given(TRACES)
@example("</think><think>а<think>б</think>в")
@example("<think>а</think>б<think>в")
def test_traces_are_cut_as_the_plain_reading_cuts_them(source: str) -> None:
    assert normalise(source) == slow.normalise(source)
    assert "".join(source[start:end] for start, end in kept(source)) == slow.normalise(source)
    assert all(start < end for start, end in kept(source))


@given(TEXTS)
def test_a_code_fence_is_peeled_as_the_pattern_peels_it(source: str) -> None:
    for text in (source, f"```json\n{source}\n```", f"```{source}```", f"```{source}"):
        start, end = _payload(text)
        assert text[start:end] == slow.payload(text)


@given(TEXTS, st.sampled_from(sorted(slow.VERIFIERS)), st.integers(0, 6), st.integers(0, 6))
def test_plain_verifiers_agree(source: str, name: str, number: int, other: int) -> None:
    for op in ("eq", "ne", "le", "lt", "ge", "gt", "between"):
        params = {
            "op": op,
            "value": number,
            "min": number,
            "max": other,
            "stems": ["сло", "еж"],
            "stem": "сло",
            "count": number,
            "cap": number,
            "letter": "с",
        }
        told = explain(BENCH, ConstraintSpec(name, params), source)
        assert told.holds is slow.VERIFIERS[name](source, params)
        assert told.distance is None or (told.distance >= 0) is told.holds


def test_the_edge_has_31_characters_and_no_word_loses_all_of_itself() -> None:
    assert len(set(EDGE)) == len(EDGE) == 31
    alnum = [char for char in map(chr, range(sys.maxunicode + 1)) if char.isalnum()]
    assert all(core(char) for char in alnum)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Было 5. Стало 6.", 1),
        ("Это я. Точно я.", 1),
        ("Он сказал: «да». И ушёл.", 1),
        ("**дом**. Ещё", 1),
        ("Ул. Ленина", 2),
        ("г. Тверь", 1),
        ("гг. Тверь", 2),
        ("молоко\u0301. Ещё", 1),
        ("Где?» И ушёл.", 1),
        ("...", 1),
        ("", 0),
    ],
)
def test_sentences_of_the_quirks(text: str, count: int) -> None:
    assert len(Text(text).sentences) == count


@pytest.mark.parametrize(
    ("results", "text"),
    [
        ([], ""),
        (["а", "б"], "а"),
        ([["а"]], "а"),
        ([[]], ""),
        ([5], "5"),
        ([None], "None"),
        ("а", "а"),
    ],
)
def test_the_response_is_the_first_result_as_text(results: object, text: str) -> None:
    assert prediction(results) == text
