"""What an explanation shows: the counted things, the places, the links, the path of a failure."""

from __future__ import annotations

from typing import Any

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec, Prompt, explain, judge
from ifbench_tui.engine.verdict import Explanation
from ifbench_tui.scoring import judge_text
from tests.engine.ifhardbench.golden import BENCH

Shown = list[tuple[str, str, str]]


def told(type_id: str, params: dict[str, Any], text: str) -> tuple[Explanation, Shown]:
    found = explain(BENCH, ConstraintSpec(type_id, params), text)
    return found, [(text[one.start : one.end], one.role, one.note) for one in found.spans]


def test_counted_words_beyond_the_limit_offend_and_the_distance_is_in_words() -> None:
    found, spans = told("structure:word_count", {"op": "le", "value": 2}, "раз — два, три")
    assert (found.holds, found.distance, found.threshold) == (False, -1, 2)
    assert (found.measured, found.required) == ("3 words, 1 too many", "at most 2 words")
    assert [text for text, _, _ in spans] == ["раз", "два,", "три"]
    assert spans[-1] == ("три", "offends", "word 3")


@pytest.mark.parametrize(
    ("params", "distances"),
    [
        ({"op": "eq", "value": 2}, [-1, 0, -1]),
        ({"op": "ne", "value": 2}, [0, -1, 0]),
        ({"op": "le", "value": 2}, [1, 0, -1]),
        ({"op": "lt", "value": 2}, [0, -1, -2]),
        ({"op": "ge", "value": 2}, [-1, 0, 1]),
        ({"op": "gt", "value": 2}, [-2, -1, 0]),
        ({"op": "between", "min": 2, "max": 2}, [-1, 0, -1]),
        ({"op": "between", "min": 3, "max": 1}, [-2, -1, -2]),
    ],
)
def test_distances_of_every_operator(params: dict[str, Any], distances: list[int]) -> None:
    texts = ("а", "а б", "а б в")
    assert [told("structure:word_count", params, text)[0].distance for text in texts] == distances


def test_every_sentence_says_its_count() -> None:
    params = {"each": {"op": "eq", "value": 2}}
    found, spans = told("structure:sentence_words", params, "Дом стоит. Река. Лес шумит там.")
    assert found.distance == -2
    assert [(role, note) for _, role, note in spans] == [
        ("counts", "sentence 1: 2 words"),
        ("offends", "sentence 2: 1 word, 1 short"),
        ("offends", "sentence 3: 3 words, 1 too many"),
    ]


def test_a_ladder_says_what_each_item_needs() -> None:
    found, spans = told("structure:item_words_ladder", {"start": 1}, "- а\n- б в\n- г")
    assert (found.holds, found.distance) == (False, -2)
    assert spans[2] == ("г", "offends", "item 3: 1 word, needs 3")


def test_an_acrostic_shows_its_letters_in_place() -> None:
    found, spans = told("lexical:acrostic", {"word": "дом"}, "- «Дым»\n- ель\n- мак")
    assert found.distance == -1
    assert spans == [
        ("Д", "counts", "item 1"),
        ("е", "offends", "item 2, wanted «о»"),
        ("м", "counts", "item 3"),
    ]
    found, spans = told("lexical:acrostic", {"word": "да"}, "- дым")
    assert spans[-1] == ("", "missing", "wanted «а»")


@pytest.mark.parametrize(
    ("type_id", "text", "linked"),
    [
        ("lexical:ring_word", "Дом стоит, дом!", ["Дом", "дом!"]),
        ("lexical:paragraph_echo", "Вот лес.\n\nВ лес, в лес.", ["лес.", "лес,", "лес."]),
        ("lexical:item_chain", "- а бобр\n- белка", ["бобр", "белка"]),
        ("lexical:anadiplosis", "Вижу лес. Лес шумит.", ["лес.", "Лес"]),
        ("lexical:epiphora", "- в лес\n- тот лес", ["лес", "лес"]),
    ],
)
def test_linked_words_share_a_note(type_id: str, text: str, linked: list[str]) -> None:
    found, spans = told(type_id, {}, text)
    assert found.holds
    assert [part for part, _, _ in spans] == linked
    assert len({note for _, _, note in spans}) == 1


def test_a_broken_link_is_the_one_that_offends() -> None:
    _, spans = told("lexical:anadiplosis", {}, "Вижу лес. Лес шумит. Дом стоит.")
    assert spans[2:] == [("шумит.", "offends", "link 2, broken"), ("Дом", "offends", spans[3][2])]


def test_a_word_in_a_place_is_shown_with_what_was_wanted() -> None:
    _, spans = told("lexical:nth_word_from_end", {"n": 2, "word": "дом"}, "вот дым стоит")
    assert spans == [("дым", "offends", "2nd word from the end, wanted «дом»")]


def test_offsets_survive_letters_that_grow_when_folded() -> None:
    _, spans = told("style:forbid_letter", {"letter": "ж"}, "İİ ёж")
    assert spans == [("ж", "offends", "«ж»")]
    _, spans = told("lexical:exclude_phrases", {"phrases": ["дом"]}, "İ ДОМ")
    assert spans == [("ДОМ", "offends", "«дом»")]
    _, spans = told("lexical:ends_with", {"phrase": "дом"}, "İ ДОМ.")
    assert spans == [("ДОМ", "counts", "")]


@pytest.mark.parametrize(
    ("type_id", "params", "text", "shown"),
    [
        (
            "format:json_object",
            {"keys": ["а", "б"], "max_words": 1},
            '{"а": "x", "б": "y z", "а": "w"}',
            ('"y z"', "offends", "$.б: 2 words, 1 too many"),
        ),
        (
            "format:json_object",
            {"keys": ["а"]},
            '```json\n{"а": " "}\n```',
            ('" "', "offends", "$.а: blank"),
        ),
        (
            "format:json_array",
            {"items": 2},
            '[{"пункт": "а б", "слов": 2}, {"пункт": "в", "слов": 4}]',
            ("4", "offends", "$[1].слов: «пункт» has 1 word"),
        ),
        (
            "format:json_list_value",
            {"keys": ["а"], "list_key": "а", "list_items": 2},
            '{"а": "- x"}',
            ('"- x"', "offends", "$.а: 1 bullet item, not 2"),
        ),
        ("format:json_object", {"keys": []}, "{,}", (",", "offends", "")),
    ],
)
def test_json_failures_have_a_path_and_a_place(
    type_id: str, params: dict[str, Any], text: str, shown: tuple[str, str, str]
) -> None:
    found, spans = told(type_id, params, text)
    assert not found.holds
    assert spans[0][:2] == shown[:2]
    assert not shown[2] or spans[0][2] == shown[2] == found.measured


def test_a_table_points_at_its_cell_and_a_csv_line_at_its_field() -> None:
    table = "| а | б |\n|---|---|\n| 1 |  |"
    found, spans = told("format:markdown_table", {"rows": 1, "cols": 2}, table)
    assert spans == [("", "offends", "line 3, cell 2 is empty")]
    assert found.measured == "line 3, cell 2 is empty"
    _, spans = told("format:csv_line", {"fields": 3}, 'а, "б, ""в""", "г, д"')
    assert [part.strip() for part, _, _ in spans] == ["а", '"б, ""в"""', '"г, д"']
    assert [role for _, role, _ in spans] == ["counts", "offends", "offends"]


def test_hashtags_out_of_order_and_without_their_echo() -> None:
    _, spans = told("format:hashtags", {"count": 2, "alpha": True}, "Утро.\n#б #а")
    assert spans[1] == ("#а", "offends", "tag 2, comes before «б»")
    _, spans = told("format:hashtags", {"count": 1, "echo_first": True}, "Утро.\n#день")
    assert [part for part, _, _ in spans] == ["Утро.", "#день"]


def test_a_condition_says_which_branch_it_chose() -> None:
    params = {
        "holds": False,
        "then": {"shape": "bullet_list", "value": 2},
        "otherwise": {"shape": "paragraphs", "value": 2},
    }
    found, spans = told("logic:conditional_format", params, "Один.")
    assert found.measured == "the condition does not hold: 1 paragraph, 1 short"
    assert found.required == "the condition does not hold: exactly 2 paragraphs"
    assert spans == [("Один.", "counts", "paragraph 1")]
    found, _ = told("logic:conditional_include", {"holds": True, "stem": "дожд"}, "Солнце.")
    assert found.measured == "the condition holds, «дожд» is not there"


def test_an_override_names_its_winner_even_inside_another_one() -> None:
    winner = {"category": "style:no_commas", "params": {}}
    for _ in range(2000):
        winner = {"category": "logic:override", "params": {"winner": winner}}
    found, spans = told("logic:override", {"winner": winner}, "а, б")
    assert found.measured == "style:no_commas wins: 1 comma"
    assert spans == [(",", "offends", "comma")]


def test_a_flawed_statement_fails_by_itself_and_says_why() -> None:
    flawed = ConstraintSpec("style:no_commas", flaw="the requirement has no params")
    judged = judge_text(BENCH, Prompt("1", "", (flawed, ConstraintSpec("style:no_caps"))), "а")
    first, second = judged.lattices
    assert first.strict_cell is None
    assert first.error is not None
    assert first.error.message == flawed.flaw
    assert second.strict
    assert not judged.strict


def test_a_response_is_normalised_and_a_text_as_given_is_not() -> None:
    spec = ConstraintSpec("structure:word_count", {"value": 1})
    response = "<think>а б</think>в"
    assert judge_text(BENCH, Prompt("1", "", (spec,)), response).strict
    (given,) = BENCH.as_given(response)
    assert given == response
    assert not explain(BENCH, spec, given).holds


def test_a_blank_answer_fails_though_its_prohibitions_hold() -> None:
    prompt = Prompt("1", "", (ConstraintSpec("style:no_commas"),))
    judged = judge_text(BENCH, prompt, "<think>а</think> \n")
    assert judged.blank
    assert judged.lattices[0].strict
    assert not judged.strict
    assert not judged.loose


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Шёл дождь.\n\nДул ветер. Снег таял.", False),
        ("Дул ветер. Снег таял.\n\nШёл дождь.", None),
        ("Шёл дождь.\n\nДул ветер.", False),
    ],
)
def test_an_upper_bound_that_is_missing_matters_only_where_it_is_asked_for(
    text: str, verdict: bool | None
) -> None:
    """The reference stops at the first paragraph that fails, before it looks for `max`."""
    spec = ConstraintSpec("structure:paragraph_sentences", {"op": "between", "min": 2})
    assert judge(BENCH, spec, BENCH.as_given(text)).strict_cell is verdict
    assert BENCH.build(spec).required() == "cannot be said: missing max"
    assert BENCH.wording(spec) == ""


@pytest.mark.parametrize(
    ("type_id", "params", "text", "verdict"),
    [
        # A word that is no text raises where the reference reaches it, which a miss prevents.
        ("lexical:include_all", {"stems": ["снег", 5]}, "дождь", False),
        ("lexical:include_all", {"stems": ["дожд", 5]}, "дождь", None),
        ("format:json_object", {"keys": ["а", ["б"]]}, '{"а": "б"}', None),
    ],
)
def test_values_that_cannot_be_read(
    type_id: str, params: dict[str, Any], text: str, verdict: bool | None
) -> None:
    lattice = judge(BENCH, ConstraintSpec(type_id, params), BENCH.as_given(text))
    assert lattice.strict_cell is verdict
    assert (lattice.error is None) == (verdict is not None)


@pytest.mark.parametrize(("size", "verdict"), [(100_000, True), (140_000, False)])
def test_a_field_longer_than_the_reference_reads_is_no_csv(size: int, verdict: bool) -> None:
    spec = ConstraintSpec("format:csv_line", {"fields": 2})
    text = f'"а, б","{"в" * size}"'
    assert judge(BENCH, spec, BENCH.as_given(text)).strict_cell is verdict
