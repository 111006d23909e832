"""AlpacaEval's numbers against golden runs of the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.judged.alpaca_eval import difficulties, usable_preferences, win_rates
from ifbench_tui.engine.judged.bias import one_order_position, verbosity
from ifbench_tui.engine.judged.length_control import extreme_change, length_controlled
from ifbench_tui.engine.judged.rows import outputs_swapped
from ifbench_tui.engine.judged.verdicts import weighted_preference
from tests.engine.judged.data import (
    GOLDEN_MODELS,
    compact,
    difficulty_table,
    gamed,
    golden,
    jsonl,
)

RATES = ("win_rate", "standard_error", "discrete_win_rate", "n_wins", "n_wins_base", "n_draws")


@pytest.mark.parametrize("model", GOLDEN_MODELS)
def test_win_rates(shared: Path, model: str) -> None:
    want = golden(shared, f"alpaca_eval/{model}")["winrate"]
    found = win_rates([row.preference for row in compact(shared, model)]).to_dict()
    assert found["n"] == want["n_total"]
    for name in RATES:
        assert found[name] == pytest.approx(want[name], abs=1e-6)


@pytest.mark.parametrize("model", GOLDEN_MODELS)
def test_length_controlled_win_rate(shared: Path, model: str) -> None:
    rows = compact(shared, model)
    whole = golden(shared, f"alpaca_eval/{model}")
    want = whole["length_controlled_v1"]
    difficulty, _ = difficulties(rows, difficulty_table(shared))
    found = length_controlled(rows, difficulty, gamed(shared))
    assert found.preset == "v1"
    assert found.converged
    assert found.value == pytest.approx(want["length_controlled_winrate"], abs=0.1)
    assert found.standard_error == pytest.approx(want["lc_standard_error"], abs=0.01)
    if exact := want.get("exact_solver_cv"):
        assert found.c == pytest.approx(exact["selected_C"])
        assert found.value == pytest.approx(exact["length_controlled_winrate"], abs=1e-6)
        assert found.standard_error == pytest.approx(exact["lc_standard_error"], abs=1e-6)
    raw = win_rates([row.preference for row in rows]).win_rate
    assert raw is not None
    assert found.value is not None
    assert extreme_change(raw, found.value) == whole["extreme_change_warning"]


@pytest.mark.parametrize("model", [m for m in GOLDEN_MODELS if "variant" not in m])
def test_forced_c_and_the_grid(shared: Path, model: str) -> None:
    want = golden(shared, f"alpaca_eval/{model}")["length_controlled_v1"]
    if "exact_minimiser_at_selected_C" not in want:
        pytest.skip("the baseline itself is not fitted")
    rows = compact(shared, model)
    difficulty, _ = difficulties(rows, None)
    exact = want["exact_minimiser_at_selected_C"]
    found = length_controlled(rows, difficulty, gamed(shared), c=want["selected_C"])
    assert not found.cross_validated
    assert found.value == pytest.approx(exact["length_controlled_winrate"], abs=1e-4)
    for name, value in exact["coef"].items():
        assert found.coefficients[name] == pytest.approx(value, abs=1e-5)
    for k, value in enumerate(want["lc_by_C"]):
        if k >= 4:
            c = 10.0 ** (-4.0 + 8.0 * k / 9.0)
            fixed = length_controlled(rows, difficulty, gamed(shared), c=c)
            assert fixed.value == pytest.approx(value, abs=0.03)


@pytest.mark.parametrize("preset", ["noreg", "minimal"])
@pytest.mark.parametrize("model", ["claude-2.1", "phi-2", "NullModel"])
def test_other_presets(shared: Path, model: str, preset: str) -> None:
    want = golden(shared, f"alpaca_eval/{model}")[f"length_controlled_{preset}"]
    rows = compact(shared, model)
    difficulty, _ = difficulties(rows, None)
    found = length_controlled(rows, difficulty, None, preset=preset)  # type: ignore[arg-type]
    assert found.value == pytest.approx(want["length_controlled_winrate"], abs=0.1)
    assert found.standard_error == pytest.approx(want["lc_standard_error"], abs=0.01)
    assert not found.warnings


@pytest.mark.parametrize("model", ["minotaur-13b", "phi-2", "text_davinci_001"])
def test_difficulty_by_instruction(shared: Path, model: str) -> None:
    want = golden(shared, f"alpaca_eval/{model}")["length_controlled_v1"]
    want = want["variant_difficulty_by_instruction_identity"]
    rows = compact(shared, model)
    difficulty, notes = difficulties(rows, difficulty_table(shared), "instruction")
    assert any("not 805" in note for note in notes)
    found = length_controlled(rows, difficulty, gamed(shared))
    assert found.value == pytest.approx(want["length_controlled_winrate"], abs=0.1)
    assert found.standard_error == pytest.approx(want["lc_standard_error"], abs=0.01)


@pytest.mark.parametrize("model", [m for m in GOLDEN_MODELS if "variant" not in m])
def test_diagnostics(shared: Path, model: str) -> None:
    want = golden(shared, f"alpaca_eval/{model}")["diagnostics"]
    if not want:
        pytest.skip("the baseline itself has none")
    rows = compact(shared, model)
    share = usable_preferences([row.preference for row in rows]) - 1.0
    first = [
        p if row.swapped else 1.0 - p
        for row, p in zip(rows, share.tolist(), strict=True)
        if row.swapped is not None
    ]
    mean, wins = one_order_position(first)
    assert mean.n == want["position"]["n"]
    assert mean.value == pytest.approx(want["position"]["mean_first_position_preference"])
    assert wins.value == pytest.approx(want["position"]["first_position_win_share"])
    found = verbosity([row.longer for row in rows], share.tolist())
    expect = want["verbosity"]
    assert found.preference_for_longer.n == expect["n_unequal"]
    assert found.longer_wins.value == pytest.approx(expect["longer_win_share"])
    assert found.preference_for_longer.value == pytest.approx(expect["mean_preference_for_longer"])
    assert found.spearman == pytest.approx(expect["spearman_delta_len_vs_preference"])
    deltas, rates = zip(*found.bins, strict=True)
    assert deltas == pytest.approx(expect["quintile_mean_delta_len"])
    assert [100 * rate for rate in rates] == pytest.approx(expect["quintile_win_rate"])


def test_win_rate_cases(shared: Path) -> None:
    for case in golden(shared, "judges/alpaca_winrate_cases"):
        found = win_rates(case["preferences"]).to_dict()
        for name in RATES:
            assert found[name] == pytest.approx(case["expected"][name], abs=1e-9)


def test_weighted_preferences_of_published_logprobs(shared: Path) -> None:
    rows = list(jsonl(shared / "golden" / "judges" / "alpaca_weighted_preference_real.jsonl"))
    assert rows
    for row in rows:
        swapped = outputs_swapped(row["instruction"])
        assert swapped == row["expected"]["outputs_swapped"]
        found = weighted_preference(row["top_logprobs"], swapped=swapped)
        assert found == pytest.approx(row["expected"]["preference"], abs=1e-9)


def test_the_coin_is_that_of_the_published_rows(shared: Path) -> None:
    rows = [row.swapped for row in compact(shared, "claude-2.1")]
    assert np.sum([one is True for one in rows]) > 390
