"""The few distribution functions the statistics need, in plain Python."""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["binomial_two_sided", "chi_square_cdf", "chi_square_quantile", "normal_quantile"]


def normal_quantile(level: float) -> float:
    """Half width in standard errors of a two-sided interval: 1.959963984540054 for 0.95.

    Raises ValueError unless 0 < level < 1.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"the level {level} is not between 0 and 1")
    return NormalDist().inv_cdf(0.5 + level / 2.0)


def chi_square_cdf(x: float, dof: float) -> float:
    """P(X <= x): the regularised lower incomplete gamma function of (dof/2, x/2)."""
    if x <= 0.0:
        return 0.0
    s, z = dof / 2.0, x / 2.0
    scale = math.exp(s * math.log(z) - z - math.lgamma(s))
    if z < s + 1.0:
        term = total = 1.0 / s
        n = s
        while term > total * 1e-17:
            n += 1.0
            term *= z / n
            total += term
        return scale * total
    return 1.0 - scale * _upper_fraction(s, z)


def _upper_fraction(s: float, z: float) -> float:
    """Continued fraction of the upper incomplete gamma function (modified Lentz)."""
    b = z + 1.0 - s
    c, d = 1e300, 1.0 / b
    value = d
    for i in range(1, 10_000):
        an = -i * (i - s)
        b += 2.0
        d = 1.0 / (an * d + b)
        c = b + an / c
        value *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return value


def chi_square_quantile(p: float, dof: float) -> float:
    """x with P(X <= x) = p, by bisection. Raises ValueError unless 0 <= p < 1 and dof > 0."""
    if not (0.0 <= p < 1.0 and dof > 0):
        raise ValueError(f"no chi-square quantile at p={p} with {dof} degrees of freedom")
    if p == 0.0:
        return 0.0
    low, high = 0.0, max(1.0, dof)
    while chi_square_cdf(high, dof) < p:
        low, high = high, high * 2.0
    while high - low > 1e-14 * high:
        middle = (low + high) / 2.0
        if not low < middle < high:
            break
        if chi_square_cdf(middle, dof) < p:
            low = middle
        else:
            high = middle
    return high


def binomial_two_sided(successes: int, trials: int) -> float:
    """Exact two-sided p-value of `successes` in `trials` fair coin flips (1.0 for no trials)."""
    fewer = min(successes, trials - successes)
    if trials == 0 or 2 * fewer == trials:
        return 1.0
    log_choose = math.lgamma(trials + 1) - math.lgamma(fewer + 1) - math.lgamma(trials - fewer + 1)
    relative = tail = 1.0
    for j in range(fewer, 0, -1):
        relative *= j / (trials - j + 1)
        tail += relative
        if relative < tail * 1e-17:
            break
    return min(1.0, 2.0 * tail * math.exp(log_choose - trials * math.log(2.0)))
