"""Verdict parsers against golden cases of the references, public cases, and hostile text."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.judged.verdicts import (
    PROTOCOLS,
    answer_part,
    arena_v01_label,
    arena_v2_label,
    function_call_ranking,
    label_outcomes,
    mt_pair,
    mt_pair_scores,
    mt_single,
    pair_scores,
    ranking,
    weighted_preference,
)
from tests.engine.judged.data import cases, golden


def test_golden_ratings(shared: Path) -> None:
    for case in golden(shared, "judges/mtbench_single_rating_cases"):
        found, want = mt_single(case["judgment"]), case["expected"]["score"]
        assert found.stored == want, case
        assert type(found.stored) is type(want), case
        assert found.usable == (want not in (None, -1)), case


def test_golden_pair_verdicts(shared: Path) -> None:
    parsers = {"[[A]]": mt_pair, "[[rating_a,rating_b]]": mt_pair_scores}
    for case in golden(shared, "judges/mtbench_pair_verdict_cases"):
        found, want = parsers[case["output_format"]](case["judgment"]), case["expected"]["winner"]
        assert found.stored == want, case
        assert found.usable == (want != "error"), case


def test_golden_labels(shared: Path) -> None:
    for case in golden(shared, "judges/arena_hard_label_cases"):
        want = case["expected"]
        found = arena_v2_label(case["judgment"])
        assert found.stored == want["v2_label"], case
        assert found.usable == want["v2_label_is_scorable"], case
        old = arena_v01_label(case["judgment"])
        assert old.stored == want["v01_label"], case
        assert any("once more" in flag for flag in old.flags) == want["v01_retry"], case


def _as_list(value: float | None) -> list[float | None]:
    return [value]


def test_golden_alpaca_parsers(shared: Path) -> None:
    whole = golden(shared, "judges/alpaca_parser_cases")
    for case in whole["logprob"]:
        tokens = (case["completion"]["logprobs"] or {}).get("content", [])
        tops = [token["top_logprobs"] for token in tokens]
        for name, found in (
            ("weighted", [weighted_preference(top) for top in tops]),
            ("binarized", [weighted_preference(top, binary=True) for top in tops]),
            ("weighted_last_token", [weighted_preference(top) for top in tops[-1:]]),
        ):
            want = case[name]
            if "result" in want:
                assert found == pytest.approx(want["result"], abs=1e-9), case["name"]
            else:
                assert found == []
    parsers: dict[str, Any] = {
        "ranking": ranking,
        "function_call_ranking": function_call_ranking,
        "lmsys_pair_scores": pair_scores,
    }
    for name, parse in parsers.items():
        for case in whole[name]:
            want = case["expected"].get("result", [None])
            assert _as_list(parse(case["completion"])) == want, case


def test_weighted_preference_edges() -> None:
    assert weighted_preference([]) is None
    assert weighted_preference([{"token": " m", "logprob": 0.0}]) is None
    assert weighted_preference([{"token": "m", "logprob": None}]) is None
    assert weighted_preference([{"token": "m", "logprob": -900.0}]) == 1.0
    both = [{"token": "m", "logprob": -2000.0}, {"token": "M", "logprob": -2000.0}]
    assert weighted_preference(both) == 1.5
    assert weighted_preference(both, swapped=True) == 1.5
    assert weighted_preference(both, binary=True) == 2.0
    assert weighted_preference([{"token": "m", "logprob": -0.1}], swapped=True) == 2.0


def test_public_case_several_ratings(shared: Path) -> None:
    for case in cases(shared, "BR-075"):
        found = mt_single(case["input"]["judgment"])
        assert found.stored == case["expect"]["reference_rating"]
    several = mt_single("It claims [[10]] itself. Rating: [[2]]")
    assert several.flags == ("2 ratings in the text, the last is 2",)
    assert mt_single("Rating: [[10]]/[[10]]").flags == ()


def test_public_case_unreadable_ratings(shared: Path) -> None:
    for case in cases(shared, "BR-077"):
        found = mt_single(case["input"]["judgment"])
        want = case["expect"]
        assert found.stored == want["reference_rating"]
        assert (found.stored if found.usable else None) == want["rating"]
    outside = {n: "outside 1 to 10" in mt_single(f"[[{n}]]").flags for n in (0, 1, 10, 11, 100)}
    assert outside == {0: True, 1: False, 10: False, 11: True, 100: True}


def test_public_case_tie_band(shared: Path) -> None:
    for case in cases(shared, "BR-081"):
        a, b = case["input"]["pair"]
        assert mt_pair_scores(f"[[{a},{b}]]").stored == case["expect"]["winner"]


def test_public_case_labels_that_are_no_verdict(shared: Path) -> None:
    for case in cases(shared, "BR-083"):
        found = arena_v2_label(case["input"]["judgment"])
        assert (found.stored, found.usable) == (case["expect"]["label"], case["expect"]["usable"])
        assert label_outcomes(found.stored) is None


def test_label_outcomes() -> None:
    assert label_outcomes("A>>B") == (1.0, 1.0, 1.0)
    assert label_outcomes("B<<A", 2) == (1.0, 1.0)
    assert label_outcomes("B=A") == (0.5,)
    assert label_outcomes("A<B") == (0.0,)
    assert label_outcomes(["A>B"]) is None


def test_spans_are_the_characters_that_decided() -> None:
    for parse, text, part in (
        (mt_single, "so [[8]] it is", "[[8]]"),
        (mt_single, "so [8.5]", "[8.5]"),
        (mt_pair, "x [[C]]", "[[C]]"),
        (arena_v2_label, "[[A>B]] no, [[b>a]]", "[[b>a]]"),
        (arena_v01_label, "[[A=B]]", "[[A=B]]"),
        (mt_pair_scores, "= [[7, 5]]", "[[7, 5]]"),
    ):
        span = parse(text).span
        assert span is not None
        assert text[slice(*span)] == part
    # ß becomes SS in upper case, so no place of the original can be named.
    assert arena_v2_label("ß [[a>b]]").span is None


def test_reasoning_traces_are_cut_only_where_asked() -> None:
    text = "<think>[[4]]</think> [[8]]"
    assert mt_single(text).stored == 4
    assert mt_single(answer_part(text)).stored == 8
    assert answer_part("no trace") == "no trace"
    assert answer_part("<think>never closed [[3]]") == ""
    assert answer_part("lost</think>a<think>b") == ""


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
@pytest.mark.parametrize(
    "text",
    ["[[" + "1" * 200_000, "[[1." * 50_000, "[" * 200_000, "[[" + "A>" * 100_000, "[[1,1" * 40_000],
)
def test_hostile_texts_are_read_in_linear_time(protocol: str, text: str) -> None:
    assert not PROTOCOLS[protocol](text).usable


def test_hostile_completions_are_no_ranking() -> None:
    assert ranking("[" * 100_000) is None
    assert function_call_ranking("```json" * 30_000) is None
    assert function_call_ranking("[" * 100_000) is None
    assert pair_scores("nan nan") is None
    assert ranking("[{'model': 'model_1', 'rank': True}]") is None


@given(st.text(alphabet="[]AB<>=.,0189 ٣mM", max_size=60))
def test_parsers_never_raise(text: str) -> None:
    for parse in PROTOCOLS.values():
        found = parse(text)
        assert isinstance(found.stored, int | float | str | None)
        assert found.usable == (found.stored not in (-1, "error", None)) or found.flags


@given(st.floats(-50, 0), st.floats(-50, 0))
def test_weighted_preference_is_a_softmax(a: float, b: float) -> None:
    top = [{"token": "m", "logprob": a}, {"token": "M", "logprob": b}]
    want = 2 - math.exp(a) / (math.exp(a) + math.exp(b))
    assert weighted_preference(top) == pytest.approx(want, abs=1e-12)
    assert weighted_preference(top, swapped=True) == pytest.approx(3 - want, abs=1e-12)
