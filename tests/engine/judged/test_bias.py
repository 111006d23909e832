"""Bias formulas: golden diagnostics, closed forms, and too little data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.judged.bias import (
    Match,
    one_order_position,
    position_diagnostics,
    share,
    verbosity,
)
from ifbench_tui.engine.judged.gameability import gameability, styled_names
from ifbench_tui.engine.judged.reference_effect import reference_effect
from ifbench_tui.engine.judged.rows import JudgeScore, KnownPair
from ifbench_tui.engine.judged.self_enhancement import self_enhancement
from tests.engine.judged.data import golden, jsonl


def test_golden_self_enhancement(shared: Path) -> None:
    whole = golden(shared, "judges/bias_diagnostics")["self_enhancement"]
    names = ("question_id", "model", "family", "judge", "judge_family", "score")
    scores = [JudgeScore(*(row[n] for n in names)) for row in jsonl(shared / whole["input"])]
    for want in whole["expected"]:
        found = self_enhancement(scores, want["judge"], want["reference"]).to_dict()
        for name, value in want.items():
            assert found[name] == pytest.approx(value, abs=1e-9) if name != "judge" else True
        assert found["lower"] < found["self_enhancement"] < found["upper"]
        assert found["enough"]


def test_golden_reference_effect(shared: Path) -> None:
    whole = golden(shared, "judges/bias_diagnostics")["math"]
    names = ("correct", "verdict_default", "verdict_reference_guided")
    pairs = [KnownPair(*(row[name] for name in names)) for row in jsonl(shared / whole["input"])]
    found, want = reference_effect(pairs), whole["expected"]
    for accuracy, name in ((found.default, "verdict_default"), (found.guided, names[2])):
        values = accuracy.to_dict()
        assert {key: values[key] for key in want[name]} == pytest.approx(want[name], abs=1e-9)
    assert found.to_dict()["paired"] == want["paired"]
    assert found.failure_rate_reduction == pytest.approx(want["failure_rate_reduction"], abs=1e-9)


def test_self_enhancement_edges() -> None:
    own = JudgeScore(1, "m", "f", "j", "f", 8)
    reference = JudgeScore(1, "m", "f", "r", "g", 6)
    found = self_enhancement([own, reference], "j", "r")
    assert (found.own_gap, found.other_gap, found.effect.value) == (2.0, None, None)
    dropped = self_enhancement([own._replace(score=-1), reference], "j", "r")
    assert (dropped.n_own, dropped.n_other) == (0, 0)


def test_reference_effect_without_valid_verdicts() -> None:
    found = reference_effect([KnownPair("A", "error", "A")])
    assert found.default.accuracy.value is None
    assert found.failure_rate_reduction is None
    assert found.n_paired == 0


def test_position_of_hand_counted_matches() -> None:
    found = position_diagnostics(
        [
            Match("first", "second", True),
            Match("first", "first", False),
            Match("second", "second", False),
            Match("tie", "first", False),
            Match("tie", "tie", True),
            Match(None, "first"),
        ]
    )
    assert (found.n_matches, found.n_valid) == (6, 5)
    assert found.inconsistency.value == 3 / 5
    assert found.flip.value == 2 / 5
    assert (found.biased_to_first.value, found.biased_to_second.value) == (1 / 5, 1 / 5)
    assert found.label_inconsistency.value == 3 / 5
    assert found.first_win_share.value == 4 / 7
    assert found.p_value == pytest.approx(1.0)
    assert not found.inconsistency.enough


def test_nothing_observed() -> None:
    found = position_diagnostics([])
    assert found.error_rate is None
    assert found.inconsistency.value is None
    assert found.p_value == 1.0
    assert one_order_position([])[0].value is None
    empty = verbosity([], [])
    assert (empty.spearman, empty.slope.value, empty.bins) == (None, None, ())
    assert share(0, 0).value is None


def test_slope_and_correlation_of_a_line() -> None:
    longer = [-1000.0, 0.0, 500.0, 1000.0]
    found = verbosity(longer, [0.5 + one / 4000 for one in longer])
    assert found.slope.value == pytest.approx(0.25)
    assert found.slope.lower == pytest.approx(0.25)
    assert found.spearman == pytest.approx(1.0)
    assert found.longer_wins.value == 1.0


def test_slope_is_least_squares_with_its_robust_error() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(0, 600, 200), rng.random(200)
    found = verbosity(x.tolist(), y.tolist()).slope
    design = np.stack([np.ones(200), x / 1000], axis=1)
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    squared = (y - design @ beta) ** 2
    variance = (inverse @ (design.T * squared) @ design @ inverse)[1, 1] * 200 / 198
    assert found.value == pytest.approx(beta[1])
    assert found.lower is not None
    assert found.value is not None
    assert found.value - found.lower == pytest.approx(1.959963984540054 * variance**0.5)


def test_the_interval_of_a_mean_is_the_normal_one() -> None:
    found, _ = one_order_position([0.2, 0.4, 0.9])
    half = 1.959963984540054 * float(np.std([0.2, 0.4, 0.9], ddof=1)) / 3**0.5
    assert (found.lower, found.value, found.upper) == pytest.approx((0.5 - half, 0.5, 0.5 + half))
    alone, _ = one_order_position([0.2])
    assert (alone.value, alone.lower, alone.upper) == (0.2, None, None)


def test_bins_split_ranks_evenly() -> None:
    found = verbosity([float(i) for i in range(12)], [0.25] * 12)
    assert [delta for delta, _ in found.bins] == [1.0, 4.0, 6.5, 8.5, 10.5]


def test_gameability_is_the_spread_of_two_win_rates() -> None:
    assert gameability(40.0, 60.0) == pytest.approx(np.std([40, 60], ddof=1) / 50.0)
    assert gameability(0.0, 0.0) is None
    assert gameability(None, 10.0) is None
    names = ["wren", "wren_verbose", "tern_concise", "wren_concise", "tern"]
    assert list(styled_names(names)) == [
        ("wren", "concise", "wren_concise"),
        ("wren", "verbose", "wren_verbose"),
        ("tern", "concise", "tern_concise"),
    ]
