"""How much a judge's verdicts depend on order and on length (spec 5).

Shares are fractions with Wilson's 95 % interval; below 30 observations `enough` is False and the
number says little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ifbench_tui.engine.intervals import wilson
from ifbench_tui.engine.ratings.distributions import binomial_two_sided, normal_quantile

__all__ = [
    "ENOUGH",
    "Estimate",
    "Match",
    "PositionDiagnostics",
    "Slot",
    "Verbosity",
    "one_order_position",
    "position_diagnostics",
    "share",
    "verbosity",
]

ENOUGH = 30
Slot = Literal["first", "second", "tie"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval over `n` observations; None where nothing was observed."""

    n: int
    value: float | None
    lower: float | None = None
    upper: float | None = None

    @property
    def enough(self) -> bool:
        """Whether there are observations enough to say something."""
        return self.n >= ENOUGH

    def to_dict(self) -> dict[str, float | int | bool | None]:
        """Plain values for JSON."""
        return {**asdict(self), "enough": self.enough}


def share(hits: int, n: int) -> Estimate:
    """hits / n with Wilson's interval."""
    bounds = wilson(hits, n)
    return Estimate(n, hits / n, *bounds) if bounds else Estimate(0, None)


class Match(NamedTuple):
    """Two games with swapped order, each won by a displayed position; None is an error.

    `mirrored` says whether game 2's label is the mirror of game 1's, where labels have strengths.
    """

    game_1: Slot | None
    game_2: Slot | None
    mirrored: bool | None = None


@dataclass(frozen=True, slots=True)
class PositionDiagnostics:
    """How much the order of display decides. Rates are over matches without an error.

    Inconsistent: the games do not name the same model (a tie against a win counts). Flip: both name
    the same position. `p_value`: exact test of the first position's share of decided games.
    """

    n_matches: int
    n_valid: int
    error_rate: float | None
    inconsistency: Estimate
    flip: Estimate
    biased_to_first: Estimate
    biased_to_second: Estimate
    label_inconsistency: Estimate
    first_win_share: Estimate
    p_value: float

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "n_matches": self.n_matches,
            "n_valid": self.n_valid,
            "error_rate": self.error_rate,
            "inconsistency_rate": self.inconsistency.to_dict(),
            "flip_rate": self.flip.to_dict(),
            "biased_to_first": self.biased_to_first.to_dict(),
            "biased_to_second": self.biased_to_second.to_dict(),
            "label_inconsistency_rate": self.label_inconsistency.to_dict(),
            "first_position_win_share": self.first_win_share.to_dict(),
            "p_value": self.p_value,
        }


_SAME_MODEL: tuple[tuple[Slot, Slot], ...] = (
    ("first", "second"),
    ("second", "first"),
    ("tie", "tie"),
)


def position_diagnostics(matches: Iterable[Match]) -> PositionDiagnostics:
    """Position bias of a judge that saw both orders."""
    everything = list(matches)
    valid = [one for one in everything if one.game_1 is not None and one.game_2 is not None]
    n = len(valid)
    both = Counter((one.game_1, one.game_2) for one in valid)
    first, second = both["first", "first"], both["second", "second"]
    consistent = sum(both[pair] for pair in _SAME_MODEL)
    labelled = [one.mirrored for one in valid if one.mirrored is not None]
    games = Counter(game for one in valid for game in (one.game_1, one.game_2))
    decided = games["first"] + games["second"]
    return PositionDiagnostics(
        len(everything),
        n,
        1.0 - n / len(everything) if everything else None,
        share(n - consistent, n),
        share(first + second, n),
        share(first, n),
        share(second, n),
        share(labelled.count(False), len(labelled)),
        share(games["first"], decided),
        binomial_two_sided(games["first"], decided),
    )


def one_order_position(preferences_for_first: Sequence[float]) -> tuple[Estimate, Estimate]:
    """Mean preference for the response shown first, and its share of decided rows.

    For designs that show one order, drawn by a coin independent of quality; 0.5 is unbiased.
    """
    p = np.asarray(preferences_for_first, dtype=np.float64)
    decided = p[p != 0.5]
    return _mean(p), share(int((decided > 0.5).sum()), len(decided))


def _mean(values: Floats) -> Estimate:
    n = len(values)
    if not n:
        return Estimate(0, None)
    mean = float(values.mean())
    if n < 2:
        return Estimate(n, mean)
    half = normal_quantile(0.95) * float(values.std(ddof=1)) / math.sqrt(n)
    return Estimate(n, mean, mean - half, mean + half)


@dataclass(frozen=True, slots=True)
class Verbosity:
    """How preference goes with length. `slope`: preference per 1000 characters of difference.

    `bins` are fifths by length difference: mean difference and mean preference of each.
    """

    longer_wins: Estimate
    preference_for_longer: Estimate
    slope: Estimate
    spearman: float | None
    bins: tuple[tuple[float, float], ...]

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "longer_wins_share": self.longer_wins.to_dict(),
            "mean_preference_for_longer": self.preference_for_longer.to_dict(),
            "slope_per_1000": self.slope.to_dict(),
            "spearman": self.spearman,
            "bins": [{"longer": delta, "preference": p} for delta, p in self.bins],
        }


def verbosity(longer: Sequence[float], preference: Sequence[float]) -> Verbosity:
    """`longer`: candidate minus baseline in characters; `preference` for the candidate, 0 to 1."""
    delta = np.asarray(longer, dtype=np.float64)
    p = np.asarray(preference, dtype=np.float64)
    unequal = delta != 0
    toward = np.where(delta > 0, p, 1.0 - p)
    decisive = toward[unequal & (p != 0.5)]
    order = np.argsort(delta, kind="stable")
    bins = [one for one in np.array_split(order, 5) if len(one)]
    return Verbosity(
        share(int((decisive > 0.5).sum()), len(decisive)),
        _mean(toward[unequal]),
        _slope(delta / 1000.0, p),
        _spearman(delta, p),
        tuple((float(delta[one].mean()), float(p[one].mean())) for one in bins),
    )


def _slope(x: Floats, y: Floats) -> Estimate:
    """Least squares with the heteroscedasticity-robust (HC1) interval; y is bounded in [0, 1]."""
    n = len(x)
    centred = x - x.mean() if n else x
    square = float(centred @ centred)
    if n < 3 or square == 0.0:
        return Estimate(n, None)
    slope = float(centred @ y) / square
    residual = y - y.mean() - slope * centred
    variance = n / (n - 2) * float((centred**2 * residual**2).sum()) / square**2
    half = normal_quantile(0.95) * math.sqrt(variance)
    return Estimate(n, slope, slope - half, slope + half)


def _spearman(x: Floats, y: Floats) -> float | None:
    if len(x) < 2:
        return None
    rx, ry = _ranks(x), _ranks(y)
    rx, ry = rx - rx.mean(), ry - ry.mean()
    scale = math.sqrt(float(rx @ rx) * float(ry @ ry))
    return float(rx @ ry) / scale if scale else None


def _ranks(values: Floats) -> Floats:
    """Ranks with the mean rank for equal values."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2.0)[place])
