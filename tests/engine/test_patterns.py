"""Patterns from files: what they mean is the reference's, what they cost is bounded."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec, judge
from ifbench_tui.engine.ifeval import IFEval
from ifbench_tui.engine.patterns import DirectFinder
from ifbench_tui.engine.verdict import CheckFailed
from ifbench_tui.pattern_guard import PatternGuard

HOSTILE = "(a+)+$"
BAIT = "a" * 40 + "b"


@pytest.fixture
def guard() -> Iterator[PatternGuard]:
    made = PatternGuard(time_limit=0.5)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("pattern", "text", "limit"),
    [
        (r"\w+", "one two  three", 0),
        (r"\w+", "one two  three", 2),
        ("a*", "baac", 0),
        ("(a|b)+", "xabax", 0),
        ("nothing+", "here", 0),
        ("é+", "caféé \ud835", 0),
    ],
)
def test_the_guard_finds_what_a_direct_search_finds(
    guard: PatternGuard, pattern: str, text: str, limit: int
) -> None:
    assert guard.find(pattern, 0, text, limit) == DirectFinder().find(pattern, 0, text, limit)
    assert guard.count_split(pattern, 0, text) == DirectFinder().count_split(pattern, 0, text)


def test_a_hostile_pattern_is_a_named_error_and_the_next_search_works(guard: PatternGuard) -> None:
    with pytest.raises(CheckFailed) as stopped:
        guard.find(HOSTILE, 0, BAIT, 1)
    assert stopped.value.error.kind == "pattern_timeout"
    assert HOSTILE in stopped.value.error.message
    assert guard.find("b+", 0, BAIT, 1) == [(40, 41)]


def test_threads_share_a_guard_without_mixing_answers(guard: PatternGuard) -> None:
    found: dict[int, list[tuple[int, int]]] = {}

    def search(number: int) -> None:
        for _ in range(20):
            found[number] = guard.find(f"x{{{number}}}", 0, "-" * number + "x" * number, 1)

    threads = [threading.Thread(target=search, args=(number,)) for number in range(1, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [(number, 2 * number)] for number in range(1, 6)}


@pytest.mark.parametrize(
    ("type_id", "params"),
    [
        ("keywords:existence", {"keywords": [HOSTILE]}),
        ("keywords:frequency", {"keyword": HOSTILE, "frequency": 1, "relation": "at least"}),
        ("keywords:forbidden_words", {"forbidden_words": [HOSTILE]}),
        ("detectable_format:multiple_sections", {"section_spliter": "(a+)+", "num_sections": 1}),
        ("detectable_content:postscript", {"postscript_marker": "(a+)+c"}),
    ],
)
def test_every_constraint_that_takes_a_pattern_is_guarded(
    guard: PatternGuard, type_id: str, params: dict[str, object]
) -> None:
    ifeval = IFEval(guard)
    lattice = judge(ifeval, ConstraintSpec(type_id, params), ifeval.variants(BAIT))
    assert (lattice.strict, lattice.loose) == (False, False)
    assert lattice.error is not None
    assert lattice.error.kind == "pattern_timeout"


def test_alternatives_without_quantifiers_can_run_away_too(guard: PatternGuard) -> None:
    spec = ConstraintSpec("keywords:existence", {"keywords": ["(a|a)" * 40 + "b"]})
    constraint = IFEval(guard).build(spec)
    with pytest.raises(CheckFailed, match="timed out"):
        constraint.measure("a" * 60)


@pytest.mark.parametrize(
    ("pattern", "raises", "said"),
    [
        ("(", "re.error", "unterminated"),
        ("a{99999999999999999999}", "OverflowError", "too large a pattern"),
        (5, "TypeError", "must be text, not int: 5"),
    ],
)
def test_a_pattern_that_is_none_is_a_named_error(pattern: object, raises: str, said: str) -> None:
    ifeval = IFEval()
    spec = ConstraintSpec("keywords:existence", {"keywords": [pattern]})
    error = judge(ifeval, spec, ifeval.variants("x")).error
    assert error is not None
    assert (error.kind, error.raises) == ("bad_pattern", raises)
    assert said in error.message


def test_words_after_the_first_forbidden_one_cannot_raise() -> None:
    ifeval = IFEval()
    for text, verdict in (("bad luck", False), ("luck", None)):
        spec = ConstraintSpec("keywords:forbidden_words", {"forbidden_words": ["bad", "zz("]})
        assert judge(ifeval, spec, ifeval.variants(text)).strict_cell is verdict


def test_a_search_whose_process_ends_is_not_called_too_slow(guard: PatternGuard) -> None:
    with pytest.raises(CheckFailed, match="process that searches for patterns ended") as failed:
        guard.find("(", 0, "x", 0)  # a pattern that nobody looked at before ends the child
    assert failed.value.error.kind == "pattern_failed"
    assert guard.find("x", 0, "x", 0) == [(0, 1)]


def test_a_process_that_was_ended_between_two_searches_is_replaced(guard: PatternGuard) -> None:
    assert guard.find("x", 0, "x", 0) == [(0, 1)]
    child = guard._child
    assert child is not None
    child.kill()
    child.wait()
    assert guard.find("x", 0, "ax", 0) == [(1, 2)]
