"""Human against verifier, with numbers worked out by hand."""

from __future__ import annotations

import pytest

from ifbench_tui.engine.benchmark import JudgedResponse
from ifbench_tui.engine.verdict import Lattice
from ifbench_tui.engine.verifier_agreement import (
    MarkedCell,
    agreement_score,
    agreement_scores,
    corrected,
    human_verdict,
    majority,
)


def _cells(kind: str, table: dict[tuple[bool, bool | None], int]) -> list[MarkedCell]:
    return [MarkedCell(kind, *pair) for pair, count in table.items() for _ in range(count)]


# Cohen's own layout: 20 both pass, 15 both fail, 5 false passes, 10 false fails.
# po = 35/50 = 0.7; verifier passes 25, human passes 30: pe = (25·30 + 25·20)/2500 = 0.5; kappa 0.4.
FIFTY = {(True, True): 20, (False, False): 15, (True, False): 5, (False, True): 10}


def test_the_tally_of_one_type() -> None:
    score = agreement_score("t", _cells("t", FIFTY | {(True, None): 3}))
    assert (score.n, score.agreed, score.unclear) == (50, 35, 3)
    assert (score.both_pass, score.both_fail) == (20, 15)
    assert (score.false_passes, score.false_fails) == (5, 10)
    assert score.share == 0.7
    # Wilson for 35 of 50: centre (0.7 + 3.8415/100)/1.07683, half 1.95996·sqrt(0.0042+0.00038415).
    assert score.lower == pytest.approx(0.5625, abs=5e-5)
    assert score.upper == pytest.approx(0.8090, abs=5e-5)
    assert score.kappa.observed == pytest.approx(0.7)
    assert score.kappa.expected == pytest.approx(0.5)
    assert score.kappa.kappa == pytest.approx(0.4)
    # Equation 13 of Fleiss, Cohen & Everitt for this table.
    assert score.kappa.se == pytest.approx(0.1270, abs=5e-5)
    assert score.kappa.lower == pytest.approx(0.4 - 1.959964 * 0.12700, abs=1e-4)


def test_no_mark_and_only_unclear_marks_have_no_numbers() -> None:
    for cells in ([], _cells("t", {(True, None): 2})):
        score = agreement_score("t", cells)
        assert score.n == 0
        assert (score.share, score.lower, score.upper) == (None, None, None)
        assert score.kappa.kappa is None


def test_kappa_is_undefined_where_both_say_only_one_thing() -> None:
    score = agreement_score("t", _cells("t", {(True, True): 4}))
    assert score.share == 1.0
    assert score.kappa.kappa is None


def test_types_are_tallied_apart_in_the_order_of_their_names() -> None:
    cells = _cells("b", {(True, False): 2}) + _cells("a", {(False, False): 1})
    scores = agreement_scores(cells)
    assert [(score.name, score.n, score.false_passes) for score in scores] == [
        ("a", 1, 0),
        ("b", 2, 2),
    ]


@pytest.mark.parametrize(
    ("opinion", "verdict", "human"),
    [
        ("agree", True, True),
        ("agree", False, False),
        ("agree", None, False),
        ("should_pass", False, True),
        ("should_pass", None, True),
        ("should_fail", True, False),
        ("unclear", True, None),
    ],
)
def test_what_an_opinion_says_of_a_cell(
    opinion: str, verdict: bool | None, human: bool | None
) -> None:
    assert human_verdict(opinion, verdict) is human


def test_majority_of_those_who_decided() -> None:
    assert majority([True, True, False]) is True
    assert majority([False, None, None]) is False
    assert majority([True, False]) is None
    assert majority([None]) is None


def _row(key: str, *cells: tuple[bool | None, ...]) -> JudgedResponse:
    return JudgedResponse(key, tuple(Lattice("t", one, "", "") for one in cells))


def _verdicts(row: JudgedResponse) -> list[tuple[bool, bool]]:
    return [(lattice.strict, lattice.loose) for lattice in row.lattices]


def test_a_strict_mark_corrects_strict_and_what_follows_from_it() -> None:
    row = _row("1", (False, False, False), (True, True, True))
    fixed = corrected([row], {("1", 0, "strict"): True})
    assert _verdicts(fixed[0]) == [(True, True), (True, True)]
    failed = corrected([row], {("1", 1, "strict"): False})
    assert _verdicts(failed[0]) == [(False, False), (False, True)]
    assert _verdicts(row) == [(False, False), (True, True)]


def test_a_loose_mark_corrects_loose_alone_where_it_can() -> None:
    fails, raised = _row("1", (False, False, False)), _row("1", (False, None, False))
    for row in (fails, raised):
        fixed = corrected([row], {("1", 0, "loose"): True})
        assert _verdicts(fixed[0]) == [(False, True)]
    passes = _row("1", (True, True, False))
    assert _verdicts(corrected([passes], {("1", 0, "loose"): False})[0]) == [(False, False)]
    rescued = _row("1", (False, True, False))
    assert _verdicts(corrected([rescued], {("1", 0, "loose"): False})[0]) == [(False, False)]
    assert corrected([rescued], {("1", 0, "loose"): True}) == [rescued]


def test_a_mark_on_a_variant_corrects_that_variant() -> None:
    row = _row("1", (False, True, False))
    fixed = corrected([row], {("1", 0, 1): False, ("1", 0, 9): True})
    assert fixed[0].lattices[0].cells == (False, False, False)


def test_marks_on_other_prompts_change_nothing() -> None:
    rows = [_row("1", (False,)), _row("2", (True,))]
    assert corrected(rows, {("3", 0, "strict"): True, ("1", 5, "strict"): True}) == rows
