"""Texts on which a careless check is quadratic, and numbers beyond any float: the answer comes.

At these lengths a quadratic scan takes minutes for each text: that these tests end soon is what
they show.
"""

from __future__ import annotations

from typing import Any

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec, explain, judge
from ifbench_tui.engine.ifhardbench.normalise import kept, normalise
from ifbench_tui.engine.verdict import MAX_SPANS
from tests.engine.ifhardbench.golden import BENCH

SIZE = 50_000

ONE = {"value": 1}
PARAMS: dict[str, dict[str, Any]] = {
    "format:bold_words": {"count": SIZE // 6, "stems": ["а"]},
    "format:csv_line": {"fields": 2},
    "format:hashtags": {"count": SIZE // 4, "alpha": True, "echo_first": True},
    "format:json_array": {"items": 1},
    "format:json_list_value": {"keys": ["а"], "list_key": "а", "list_items": 1, "max_words": 1},
    "format:json_object": {"keys": ["а"], "max_words": 1},
    "format:line_length": {"max": 1},
    "format:markdown_table": {"rows": 1, "cols": 1},
    "format:two_parts": {"items": 1, "sentence_words": 1},
    "lexical:acrostic": {"word": "а" * SIZE},
    "lexical:ends_with": {"phrase": "а" * SIZE},
    "lexical:exclude_phrases": {"phrases": ["а", "."]},
    "lexical:exclude_word": {"stems": ["а"]},
    "lexical:include_all": {"stems": ["а", "б"]},
    "lexical:include_keyword": {"stem": "а"},
    "lexical:nth_word": {"n": 1, "word": "а"},
    "lexical:nth_word_from_end": {"n": 1, "word": "а"},
    "lexical:order_words": {"stem_a": "а", "stem_b": "б"},
    "lexical:quote_task": {"text": "а" * SIZE},
    "lexical:sentence_acrostic": {"word": "а" * SIZE},
    "lexical:starts_with": {"phrase": "а" * SIZE},
    "lexical:word_cap": {"stem": "а", "cap": 1},
    "lexical:word_exact_count": {"stem": "а", "count": 1},
    "logic:conditional_format": {"holds": True, "then": {"shape": "sentences", "value": 1}},
    "logic:conditional_include": {"holds": True, "stem": "а"},
    "logic:override": {"winner": {"category": "structure:sentence_count", "params": ONE}},
    "structure:checksum": {"kind": "words"},
    "structure:item_words_ladder": {"start": 1},
    "structure:items_total_words": {"factor": 1},
    "structure:word_char_count": {"words": 1, "chars": 1},
    "style:end_punctuation": {"char": "."},
    "style:forbid_letter": {"letter": "а"},
    "style:forbid_letters": {"letters": ["а", "."]},
    "style:letter_start_count": {"letter": "а", "value": 1},
    "style:max_word_length": {"max": 1},
}
"""Parameters by type; the other types take a count or nothing."""

HOSTILE = (
    "а. ",
    ".",
    "....а",
    "а.б.",
    "\n",
    "\n \t",
    " ",
    "*",
    "**а**",
    "**а",
    "_",
    "`",
    "``` ",
    "1",
    "(1",
    "(1) ",
    "- а\n",
    "1. а\n",
    "#а ",
    "|",
    "| а |\n",
    '"',
    '"а",',
    'а"',
    "[",
    '{"а":',
    "İ, ",
    "Ё",
    "²",
    "а\n\n",
)


def spec(type_id: str) -> ConstraintSpec:
    return ConstraintSpec(type_id, PARAMS.get(type_id, ONE))


@pytest.mark.parametrize("piece", HOSTILE)
def test_every_check_ends_on_hostile_texts(piece: str) -> None:
    text = piece * (SIZE // len(piece))
    for response in (text, f"{text}а", f"```\n{text}", f'"{text}'):
        for type_id in BENCH.types:
            told = explain(BENCH, spec(type_id), response)
            assert len(told.spans) <= MAX_SPANS
            assert told.distance is None or (told.distance >= 0) is told.holds


@pytest.mark.parametrize("piece", ["<think>", "</think>", "<think></think>", "<", "<think>а\n"])
def test_traces_are_cut_in_time(piece: str) -> None:
    text = piece * (5 * SIZE // len(piece)) + "ответ"
    assert normalise(text).endswith("ответ")
    assert kept(text)


LARGE = 10**4000


@pytest.mark.parametrize("type_id", BENCH.types)
def test_numbers_of_thousands_of_digits_are_measured_and_said(type_id: str) -> None:
    numbers = ("value", "min", "max", "n", "count", "cap", "factor", "start", "words", "chars")
    more = ("items", "sentence_words", "rows", "cols", "max_words", "list_items", "words_each")
    texts = (
        "стол, дом.",
        "- а\n- б",
        '{"а": "б"}',
        "[]",
        "#а",
        'а, "б, в"',
        f"{LARGE}\nа",
        "а (2)",
    )
    for sign in (1, -1):
        params = {
            **PARAMS.get(type_id, {}),
            **dict.fromkeys((*numbers, *more, "fields", "min_length"), sign * LARGE),
        }
        for text in texts:
            for op in ("eq", "ne", "le", "gt", "between"):
                cell = judge(BENCH, ConstraintSpec(type_id, {**params, "op": op}), (text,))
                assert len(f"{cell.near_miss} {cell.required} {cell.measured}") < 2000
