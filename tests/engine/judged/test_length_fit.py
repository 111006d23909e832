"""The L1 fit and its cross-validation against a naive twin, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest

from ifbench_tui.engine.judged import length_fit
from ifbench_tui.engine.judged.length_fit import C_GRID, Design, choose_c, fit_at
from tests.engine.judged.slow import slow_choice, slow_fit


def design(seed: int, n: int, k: int = 3) -> Design:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, k))
    x[:, -1] = rng.random(n) < 0.7
    target = np.clip(1 / (1 + np.exp(-x @ rng.normal(size=k))) + rng.normal(0, 0.2, n), 0, 1)
    return Design(x, target, rng.choice([0.1, 1.0], n))


def rows_of(one: Design) -> list[tuple[list[float], float, float]]:
    return list(zip(one.x.tolist(), one.target.tolist(), one.weight.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("c", [0.05, 1.0, 30.0])
def test_fits_are_those_of_the_naive_twin(seed: int, c: float) -> None:
    one = design(seed, 25, 2 + seed % 2)
    found = fit_at(one, c)
    assert found.converged
    assert found.coefficients == pytest.approx(slow_fit(rows_of(one), c), abs=1e-7)


def test_cross_validation_is_that_of_the_naive_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = (0.05, 0.5, 5.0)
    monkeypatch.setattr(length_fit, "C_GRID", grid)
    one = design(11, 23, 2)
    found = choose_c(one)
    c, scores = slow_choice(rows_of(one), grid)
    assert found.chosen.c == c
    assert found.scores == pytest.approx(scores, abs=1e-10)
    assert found.chosen.coefficients == pytest.approx(slow_fit(rows_of(one), c), abs=1e-7)


def test_a_tiny_c_gives_zeros_and_ties_go_to_the_smaller_c() -> None:
    one = design(3, 40)
    assert not fit_at(one, 1e-4).coefficients.any()
    flat = Design(np.zeros((10, 3)), np.full(10, 0.5), np.ones(10))
    assert choose_c(flat).chosen.c == C_GRID[0]


@pytest.mark.parametrize("target", [0.0, 1.0])
@pytest.mark.parametrize("c", [1e-4, 1.0, 1e4])
def test_one_sided_targets_converge(target: float, c: float) -> None:
    rng = np.random.default_rng(5)
    x = np.stack([np.tanh(rng.normal(size=300)), rng.normal(size=300), np.ones(300)], axis=1)
    found = fit_at(Design(x, np.full(300, target), np.ones(300)), c)
    assert found.converged
    assert np.isfinite(found.coefficients).all()


def test_collinear_features_converge() -> None:
    x = np.ones((50, 3))
    found = fit_at(Design(x, np.full(50, 0.8), np.ones(50)), 100.0)
    assert found.converged
    p = 1 / (1 + np.exp(-found.coefficients.sum()))
    assert p == pytest.approx(0.8, abs=1e-3)


def test_folds_need_rows() -> None:
    with pytest.raises(ValueError, match="folds"):
        choose_c(Design(np.ones((4, 3)), np.ones(4), np.ones(4)))
