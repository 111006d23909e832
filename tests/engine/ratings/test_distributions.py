"""Distribution functions against tables and sums."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifbench_tui.engine.ratings.distributions import (
    binomial_two_sided,
    chi_square_cdf,
    chi_square_quantile,
    normal_quantile,
)


def test_normal_quantile() -> None:
    assert normal_quantile(0.95) == pytest.approx(1.959963984540054, abs=1e-14)
    for level in (0.0, 1.0, -1.0, 2.0):
        with pytest.raises(ValueError, match="not between"):
            normal_quantile(level)


@pytest.mark.parametrize(
    ("p", "dof", "value"),
    [
        (0.95, 1, 3.841458820694124),
        (0.95, 2, 5.991464547107979),
        (0.99, 10, 23.209251158954356),
        (0.95, 128, 155.40468),
        (0.5, 7, 6.345811195521515),
        (0.0, 3, 0.0),
    ],
)
def test_chi_square_table(p: float, dof: int, value: float) -> None:
    assert chi_square_quantile(p, dof) == pytest.approx(value, rel=1e-6, abs=1e-12)


@given(st.integers(1, 60), st.floats(0.01, 200.0))
def test_chi_square_of_even_degrees_is_a_poisson_sum(half: int, x: float) -> None:
    tail = math.fsum(
        math.exp(-x / 2 + j * math.log(x / 2) - math.lgamma(j + 1)) for j in range(half)
    )
    assert chi_square_cdf(x, 2 * half) == pytest.approx(1 - tail, abs=1e-11)


@given(st.floats(0.001, 0.999), st.integers(1, 200))
def test_the_quantile_inverts_the_distribution(p: float, dof: int) -> None:
    assert chi_square_cdf(chi_square_quantile(p, dof), dof) == pytest.approx(p, abs=1e-9)


def test_no_such_quantile() -> None:
    for p, dof in ((1.0, 3), (-0.1, 3), (0.5, 0)):
        with pytest.raises(ValueError, match="no chi-square"):
            chi_square_quantile(p, dof)


@given(st.integers(0, 80), st.data())
def test_binomial_test_is_the_sum_of_rarer_outcomes(n: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, n))
    chances = [math.comb(n, x) for x in range(n + 1)]
    exact = sum(c for c in chances if c <= chances[wins]) / 2**n
    assert binomial_two_sided(wins, n) == pytest.approx(exact, rel=1e-10)


def test_binomial_test_of_many_flips() -> None:
    assert binomial_two_sided(500_980, 1_000_000) == pytest.approx(0.05011, abs=2e-4)
    assert binomial_two_sided(0, 1_000_000) == 0.0
    assert binomial_two_sided(0, 0) == 1.0
