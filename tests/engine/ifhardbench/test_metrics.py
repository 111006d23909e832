"""The three metrics by hand, their intervals, their groups."""

from __future__ import annotations

import math

import pytest

from ifbench_tui.engine.benchmark import ConstraintSpec, JudgedResponse, Prompt
from ifbench_tui.engine.ifhardbench.metrics import balance, tallies
from ifbench_tui.engine.verdict import Lattice
from tests.engine.ifhardbench.golden import BENCH


def row(key: str, *verdicts: tuple[str, bool], blank: bool = False) -> JudgedResponse:
    lattices = tuple(Lattice(name, (passed,), "", "") for name, passed in verdicts)
    return JudgedResponse(key, lattices, blank)


def test_rows_weigh_the_same_whatever_their_stack() -> None:
    rows = [
        row("1", ("a", True)),
        row("2", ("a", True), ("b", False), ("b", False), ("b", False)),
        row("3", ("a", True), blank=True),
        row("4"),
    ]
    summary = BENCH.summarise(rows)
    assert summary.metric("sample_pass_rate").value == 0.25
    assert summary.metric("constraint_pass_rate").value == pytest.approx(1.25 / 3)
    assert summary.metric("balance_score").value == 0.0
    assert summary.n_constraints == 5
    extras = summary.extras
    assert (extras["empty"], extras["empty_share"]) == (1, 0.25)
    assert extras["prompts_without_constraints"] == 1
    assert extras["thin_types"] == ["a", "b"]
    assert extras["micro_constraint_rate"] == 0.4


def test_the_fields_of_a_row() -> None:
    half = BENCH.row_fields(row("1", ("a", True), ("b", False)))
    assert half == {"empty": False, "sample_pass": False, "constraint_pass_rate": 0.5}
    empty = BENCH.row_fields(row("1", ("a", True), blank=True))
    assert empty == {"empty": True, "sample_pass": False, "constraint_pass_rate": None}
    bare = BENCH.row_fields(row("1"))
    assert bare == {"empty": False, "sample_pass": False, "constraint_pass_rate": 0.0}


def test_balance_is_a_geometric_mean_with_a_floor_over_types_with_support() -> None:
    rows = [row(str(i), ("dead", False), ("half", i < 5)) for i in range(10)]
    rows += [row(f"t{i}", ("thin", False)) for i in range(4)]
    summary = BENCH.summarise(rows)
    assert summary.metric("balance_score").value == pytest.approx(math.sqrt(0.01 * 0.5))
    factors = summary.extras["balance_factors"]
    assert math.prod(factors.values()) == pytest.approx(math.sqrt(0.01 * 0.5))
    assert factors["dead"] == pytest.approx(0.1)
    assert summary.extras["counted_types"] == {"dead": [0, 10], "half": [5, 10]}
    assert [score.thin for score in summary.groups["type"]] == [False, False, True]


def test_a_rate_under_the_floor_weighs_like_a_dead_type() -> None:
    assert balance({"a": (1, 101)}) == balance({"a": (0, 5)}) == pytest.approx(0.01)
    assert balance({"a": (4, 4)}) == 0.0
    assert tallies([("b", True), ("a", False), ("b", False)]) == {"a": (0, 1), "b": (1, 2)}


def test_intervals_are_the_same_each_time_and_hold_the_value() -> None:
    rows = [row(str(i), ("a", i % 3 > 0), ("b", i % 5 > 0)) for i in range(60)]
    first, second = BENCH.summarise(rows), BENCH.summarise(rows)
    assert first == second
    for metric in first.metrics:
        assert metric.lower is not None
        assert metric.upper is not None
        assert metric.value is not None
        assert 0 < metric.lower < metric.value < metric.upper < 1


def test_the_bootstrap_agrees_with_the_standard_error_of_a_mean() -> None:
    rows = [row(str(i), ("a", i % 2 == 0)) for i in range(400)]
    metric = BENCH.summarise(rows).metric("constraint_pass_rate")
    assert metric.lower == pytest.approx(0.5 - 1.96 * 0.025, abs=0.008)
    assert metric.upper == pytest.approx(0.5 + 1.96 * 0.025, abs=0.008)


def test_a_dead_type_has_the_floor_in_every_round_too() -> None:
    metric = BENCH.summarise([row(str(i), ("a", False)) for i in range(20)]).metric("balance_score")
    assert (metric.lower, metric.value, metric.upper) == pytest.approx((0.01, 0.01, 0.01))


def test_nothing_to_divide_by() -> None:
    empty = BENCH.summarise([])
    assert [metric.value for metric in empty.metrics] == [None, 0.0, 0.0]
    assert empty.extras["empty_share"] is None
    blank = BENCH.summarise([row(str(i), ("a", True), blank=True) for i in range(7)])
    assert [metric.value for metric in blank.metrics] == [0.0, 0.0, 0.0]
    assert [metric.lower for metric in blank.metrics[1:]] == [None, None]


def test_groups_follow_the_data_and_not_the_ids() -> None:
    specs = (ConstraintSpec("style:no_caps", family="lexical"), ConstraintSpec("style:no_commas"))
    prompt = Prompt("1", "", specs, {"tier": "hard", "topic": "garden", "stratum": None})
    rows = [row("1", ("style:no_caps", True), ("style:no_commas", False))]
    groups = BENCH.summarise(rows, [prompt]).groups
    assert [(one.name, one.n, one.strict) for one in groups["family"]] == [
        ("", 1, 0),
        ("lexical", 1, 1),
    ]
    assert [one.name for one in groups["tier"]] == ["hard"]
    assert [one.name for one in groups["topic"]] == ["garden"]
    assert "stratum" not in groups
