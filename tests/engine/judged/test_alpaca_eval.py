"""AlpacaEval at the edges: undefined fits, tables that do not fit, the curve, the coin."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.judged.alpaca_eval import DifficultyTable, difficulties, win_rates
from ifbench_tui.engine.judged.length_control import (
    FAST_C,
    GamedBaseline,
    counterfactual_curve,
    extreme_change,
    length_controlled,
)
from ifbench_tui.engine.judged.rows import Annotation, outputs_swapped
from tests.engine.judged.data import cases, compact, difficulty_table, gamed


def row(preference: float | None = 1.4, one: int = 100, two: int = 120) -> Annotation:
    return Annotation("model", "base", preference, one, two, False)


def rows(n: int = 40, seed: int = 0) -> list[Annotation]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(10, 900, size=(n, 2))
    return [row(1 + float(rng.random()), int(a), int(b)) for a, b in lengths]


GAMED = GamedBaseline(np.array([-1.0, 1.0] * 10), np.zeros(20), np.array([0.7, 0.3] * 10))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([row(1.2, 5, 5), row(1.7, 9, 9)], "equally long"),
        ([row()], "at least 2 rows"),
        ([], "at least 2 rows"),
        ([row(None, 5, 7), row(None, 5, 8)], "no row has a preference"),
    ],
)
def test_an_undefined_win_rate_says_why(given: list[Annotation], said: str) -> None:
    found = length_controlled(given, np.zeros(len(given)), GAMED)
    assert found.value is None
    assert found.standard_error is None
    assert said in found.warnings[-1]


def test_a_constant_length_difference_is_defined() -> None:
    found = length_controlled([row(1.1, 50, 80)] * 9, np.arange(9.0), GAMED)
    assert found.value is not None
    assert math.isfinite(found.value)


def test_the_baseline_itself_is_half() -> None:
    same = [replace(one, model="base") for one in rows(5)]
    found = length_controlled(same, None, None)
    assert (found.value, found.standard_error) == (50.0, 0.0)
    assert set(found.coefficients.values()) == {0.0}


def test_missing_tables_are_said_aloud() -> None:
    found = length_controlled(rows(), np.zeros(40), None)
    assert found.preset == "noreg"
    assert "gamed" in found.warnings[0]
    found = length_controlled(rows(), None, GAMED)
    assert found.preset == "minimal"
    assert "without difficulties" in found.warnings[0]
    assert set(found.coefficients) == {"length", "quality"}


def test_which_fit_is_shown() -> None:
    assert "cross-validated" in length_controlled(rows(), np.zeros(40), GAMED).shown
    fixed = length_controlled(rows(), np.zeros(40), GAMED, c=FAST_C)
    assert "fixed" in fixed.shown
    assert fixed.scores == ()
    few = length_controlled(rows(3), None, None)
    assert any("too few rows" in note for note in few.warnings)


@pytest.mark.parametrize("preference", [1.0, 1.5, 2.0])
def test_one_sided_preferences(preference: float) -> None:
    given = [replace(one, preference=preference) for one in rows(60)]
    found = length_controlled(given, np.linspace(-1, 1, 60), GAMED)
    assert found.value is not None
    assert found.converged
    assert 0 <= found.value <= 100


def test_extreme_preferences_with_real_lengths(shared: Path) -> None:
    for preference, want in ((2.0, 100.0), (1.0, 0.0), (1.5, 56.606)):
        given = [replace(one, preference=preference) for one in compact(shared, "claude-2.1")]
        difficulty, _ = difficulties(given, None)
        found = length_controlled(given, difficulty, gamed(shared))
        assert found.value == pytest.approx(want, abs=2e-3)


def test_simple_preset_is_a_ridge_on_length_alone() -> None:
    given = rows(80, 3)
    found = length_controlled(given, None, None, preset="simple")
    longer = np.array([one.longer for one in given], dtype=float)
    x = np.tanh(longer / longer.std(ddof=1))
    y = np.array([one.preference for one in given], dtype=float) - 1.0
    theta, phi = found.coefficients["quality"], found.coefficients["length"]
    residual = 1 / (1 + np.exp(-(theta + phi * x))) - y
    assert residual.sum() == pytest.approx(0, abs=1e-8)
    assert residual @ x + phi == pytest.approx(0, abs=1e-8)
    assert found.value == pytest.approx(100 / (1 + math.exp(-theta)))
    assert found.c is None


def test_simple_preset_without_a_finite_fit_says_so() -> None:
    given = [replace(one, preference=2.0) for one in rows(20)]
    found = length_controlled(given, None, None, preset="simple")
    assert not found.converged
    assert "without bound" in found.warnings[-1]


def test_the_curve_passes_through_the_controlled_win_rate() -> None:
    for preset in ("v1", "simple"):
        difficulty = np.linspace(-1, 2, 40)
        found = length_controlled(rows(), difficulty, GAMED, preset=preset)
        assert found.value is not None
        curve = counterfactual_curve(found, difficulty, [-300.0, 0.0, 300.0])
        assert curve[1].win_rate == pytest.approx(found.value)
        length = found.coefficients["length"] * (1 if preset == "simple" else -1)
        assert (curve[2].win_rate > curve[1].win_rate) == (length > 0)


def test_an_undefined_fit_has_no_curve() -> None:
    assert counterfactual_curve(length_controlled([], None, None), None, [0.0]) == ()


def test_extreme_change() -> None:
    assert extreme_change(50, 37.4)
    assert not extreme_change(50, 37.6)
    assert not extreme_change(8, 17)
    assert extreme_change(8, 32)


def test_the_coin_leaves_the_global_generator_alone() -> None:
    random.seed(3)
    state = random.getstate()
    assert {outputs_swapped(str(number)) for number in range(20)} == {True, False}
    assert random.getstate() == state


def test_one_preference_has_no_standard_error() -> None:
    found = win_rates([1.25])
    assert (found.win_rate, found.standard_error) == (25.0, None)
    assert win_rates([None]).win_rate is None
    assert win_rates([math.nan, math.inf, 1.0]).n == 1


def test_public_case_preferences_are_about_output_2(shared: Path) -> None:
    for case in cases(shared, "BR-105"):
        found = win_rates(case["input"]["preferences"]).win_rate
        want = case["expect"]
        assert found == pytest.approx(want["win_rate"], abs=want["tolerance"])


@pytest.mark.parametrize("by", ["position", "instruction"])
def test_public_case_custom_sets_take_no_difficulty(shared: Path, by: str) -> None:
    for case in cases(shared, "BR-107"):
        given = [row(1.3, 10 + i % 7, 30 + i) for i in range(case["input"]["n"])]
        found, notes = difficulties(given, difficulty_table(shared), by)  # type: ignore[arg-type]
        assert found is None
        assert any("left out" in note for note in notes)


def test_difficulty_by_text_by_own_index_and_out_of_range() -> None:
    table = DifficultyTable((0.0, 1.0, 2.0), instructions=("a", "b", "c"))
    given = [replace(row(), instruction=text) for text in ("c", "a")]
    found, notes = difficulties(given, table, "instruction")
    assert found is not None
    assert found.tolist() == [2.0, 0.0]
    assert any("order" in note for note in notes)
    found, _ = difficulties(given, table)
    assert found is not None
    assert found.tolist() == [0.0, 1.0]
    found, _ = difficulties([replace(one, index=2) for one in given], table)
    assert found is not None
    assert found.tolist() == [2.0, 2.0]
    bare = DifficultyTable((0.0, 1.0, 2.0))
    found, notes = difficulties([row()] * 4, bare)
    assert found is None
    assert "row 3 has no difficulty" in notes[0]
    found, notes = difficulties([row()] * 3, bare)
    assert found is not None
    assert any("without a check" in note for note in notes)
    assert difficulties([row()], bare, "instruction")[0] is None


def test_shifted_rows_are_found_by_the_baselines_lengths(shared: Path) -> None:
    table = difficulty_table(shared)
    known = [
        replace(one, instruction_index=None, difficulty=None) for one in compact(shared, "phi-2")
    ]
    found, notes = difficulties(known, table, "instruction")
    assert found is not None
    want = [table.values[one.instruction_index or 0] for one in compact(shared, "phi-2")]
    assert found.tolist() == want
    assert any("not in the order" in note for note in notes)


@pytest.mark.parametrize("text", ["", "What is tea?", "Was heißt 茶? 🍵", "a\nb" * 99])
def test_the_coin_is_the_one_that_the_text_itself_would_seed(text: str) -> None:
    coin = random.Random(f"is_switched_outputs{text}0").choices([False, True])[0]
    assert outputs_swapped(text) is coin
