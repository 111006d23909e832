"""Filters compose, read back what they print, and say what they cannot understand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.benchmark import ConstraintSpec, JudgedResponse, Prompt
from ifbench_tui.engine.verdict import CheckError, Lattice
from ifbench_tui.filters import (
    ALL,
    Facts,
    Filter,
    FilterError,
    Query,
    disagreements,
    parse_filter,
)
from ifbench_tui.formats.records import Recorded
from ifbench_tui.workspace import Response

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1)


def lattice(kind: str, strict: bool, loose: bool, distance: float | None = None) -> Lattice:
    cells = (strict, loose)
    return Lattice(kind, cells, "wanted", "found", distance, None if distance is None else 100.0)


def facts(
    *lattices: Lattice,
    text: str = "a calm sea",
    recorded: Recorded | None = None,
    pending: bool = False,
    others: dict[str, bool] | None = None,
    marked: bool = False,
) -> Facts:
    specs = tuple(ConstraintSpec(one.constraint) for one in lattices)
    judged = None if pending else JudgedResponse("1", lattices)
    found = [
        (name, JudgedResponse("1", (lattice("x:y", strict, strict),)))
        for name, strict in (others or {}).items()
    ]
    return Facts(
        Prompt("1", "Describe it.", specs),
        Response(text, text, "r.jsonl", 1, recorded),
        judged,
        lambda spec: spec.type.partition(":")[0],
        marked=marked,
        others=lambda: iter(found),
    )


def family(spec: ConstraintSpec) -> str:
    return spec.family


BARE = Facts(Prompt("1", "x", ()), None, None, family)
HARD = Facts(
    Prompt("1", "x", (ConstraintSpec("a:one", family="own"),), {"tier": "hard"}), None, None, family
)
RESCUED = facts(lattice("a:one", True, True), lattice("b:two", False, True))
PASSES = facts(lattice("a:one", True, True))
NEAR = facts(lattice("a:one", False, False, -4.0))
ERROR = facts(Lattice("a:one", (None,), "", "", error=CheckError("bad_pattern", "broken")))


@pytest.mark.parametrize(
    ("words", "shown", "hidden"),
    [
        ("strict:fail", RESCUED, PASSES),
        ("strict:pass", PASSES, RESCUED),
        ("strict:fail loose:pass", RESCUED, NEAR),
        ("type:two", RESCUED, PASSES),
        ("type:b:two", RESCUED, PASSES),
        ("type:b:two strict:fail", RESCUED, PASSES),
        ("category:b", RESCUED, PASSES),
        ("near", NEAR, RESCUED),
        ("error", ERROR, NEAR),
        ("marked", facts(marked=True), PASSES),
        ("sea", PASSES, facts(text="a dry desert")),
        ("SEA", facts(text="THE SEA"), PASSES),
        ("/s.a/", PASSES, facts(text="none")),
        ("describe", PASSES, BARE),
        ("missing", BARE, PASSES),
        ("has:tier=hard", HARD, PASSES),
        ("has:tier=hard", HARD, Facts(Prompt("1", "x", (), {"tier": "easy"}), None, None, family)),
        ("family:own", HARD, PASSES),
        ("differs", facts(lattice("a:b", True, True), others={"m": False}), PASSES),
        (
            "differs:n",
            facts(lattice("a:b", True, True), others={"m": True, "n": False}),
            facts(lattice("a:b", True, True), others={"m": False, "n": True}),
        ),
        ("not strict:fail", PASSES, RESCUED),
        (
            "recorded",
            facts(lattice("a:b", True, True), recorded=Recorded((False,), None)),
            facts(lattice("a:b", True, True), recorded=Recorded((True,), (True,))),
        ),
    ],
)
def test_what_a_filter_shows(words: str, shown: Facts, hidden: Facts) -> None:
    meets = parse_filter(words).test()
    assert meets(shown)
    assert not meets(hidden)


def test_conditions_of_a_type_meet_on_one_constraint() -> None:
    mixed = facts(lattice("a:one", True, True), lattice("b:two", False, False))
    assert not parse_filter("type:one strict:fail").test()(mixed)
    assert parse_filter("type:two strict:fail").test()(mixed)


def test_pending_responses_are_neither_in_nor_out() -> None:
    pending = facts(lattice("a:one", True, True), pending=True)
    assert not parse_filter("strict:fail").test()(pending)
    assert not parse_filter("not strict:fail").test()(pending)
    assert parse_filter("type:one").test()(pending)


@given(
    st.builds(
        Filter,
        strict=st.sampled_from([None, True, False]),
        loose=st.sampled_from([None, True, False]),
        type=st.sampled_from(["", "a:one"]),
        near=st.booleans(),
        marked=st.booleans(),
        differs=st.sampled_from(["", "any", "a model"]),
        text=st.one_of(st.just(""), TEXTS),
        inverted=st.booleans(),
    )
)
def test_words_read_back(chosen: Filter) -> None:
    assert parse_filter(chosen.words()) == chosen


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("strict:maybe", "strict:pass or strict:fail"),
        ("stric:fail", "did you mean strict"),
        ("'open", "no closing quotation"),
    ],
)
def test_what_cannot_be_understood_is_named(words: str, message: str) -> None:
    with pytest.raises(FilterError, match=message):
        parse_filter(words)


def test_a_broken_regular_expression_is_named() -> None:
    with pytest.raises(FilterError, match="not a valid pattern"):
        Query("/(/")


def test_search_and_paint_use_one_rule() -> None:
    assert Query("sea").spans("Sea and sea") == [(0, 3), (8, 11)]
    assert Query("Sea").spans("Sea and sea") == [(0, 3)]
    assert Query("a.c").spans("abc a.c") == [(4, 7)]
    assert Query("/a.c/").spans("abc a.c", 1) == [(0, 3)]
    assert Query("/x*/").spans("abc") == []


def test_an_empty_filter_is_all() -> None:
    assert parse_filter("") == ALL
    assert parse_filter("").empty


def test_disagreements_are_per_constraint() -> None:
    response = Response("t", "t", "p", 1, Recorded((True, True), (False,)))
    judged = JudgedResponse("1", (lattice("a:b", True, False), lattice("a:c", True, True)))
    assert disagreements(response, judged) == [True, False]
    assert disagreements(None, judged) == [False, False]
    assert disagreements(response, None) == []
