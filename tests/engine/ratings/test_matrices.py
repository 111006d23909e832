"""Predicted and observed win matrices."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ifbench_tui.engine.ratings.battles import aggregate
from ifbench_tui.engine.ratings.bradley_terry import fit
from ifbench_tui.engine.ratings.matrices import (
    anchored_win_rate,
    observed_wins,
    predicted_wins,
)
from tests.engine.ratings.golden import BATTLE_SETS, counts_of, expected, simple, worst


@pytest.mark.parametrize("name", BATTLE_SETS)
def test_matrices_of_the_golden_sets(shared: Path, name: str) -> None:
    counts = counts_of(shared, name)
    want = expected(shared, name)
    observed = observed_wins(counts)
    average = want["observed_decisive_avg_win_fraction"]
    assert worst(counts.models, observed.average, average) < 1e-8
    if "predicted_win" in want:
        predicted = predicted_wins(fit(counts))
        wanted = want["predicted_win"]
        assert worst(counts.models, predicted.average, wanted["average_over_opponents"]) < 1e-8
        if "matrix" in wanted:
            cells = np.array(wanted["matrix"], dtype=float)
            assert np.allclose(predicted.cells, cells, atol=1e-8, equal_nan=True)


def test_every_pair_that_met_decisively_has_a_cell(shared: Path) -> None:
    observed = observed_wins(counts_of(shared, "tiny"))
    assert np.isfinite(observed.cells).sum() == 6


def test_cells_stay_empty_where_nothing_is_known() -> None:
    counts = aggregate(
        simple(("a", "b", "model_a", 3), ("b", "a", "model_a", 1), ("c", "d", "tie", 2))
    )
    observed = observed_wins(counts)
    assert observed.cells[0, 1] == 0.75
    assert np.isnan(observed.cells[2, 3])
    assert np.isnan(observed.average[2])
    assert observed.battles is not None
    assert observed.battles[0, 1] == 4
    predicted = predicted_wins(fit(counts))
    assert np.isnan(predicted.cells[0, 2])
    assert predicted.average[0] == pytest.approx(0.75)
    data = json.loads(json.dumps(predicted.to_dict()))
    assert data["matrix"][0][0] is None


def test_win_rate_against_a_baseline() -> None:
    assert anchored_win_rate(1000.0) == 50.0
    assert anchored_win_rate(1000.0 + 400.0 * np.log10(3)) == pytest.approx(75.0)
    assert anchored_win_rate(1314.0, 1114.0) == pytest.approx(anchored_win_rate(1200.0))
