"""Models that follow each other on a board: are they apart, and which votes would part them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ifbench_tui.engine.ratings.board import Board
from ifbench_tui.engine.ratings.bootstrap import Bootstrap
from ifbench_tui.engine.ratings.bradley_terry import ELO_PER_NAT
from ifbench_tui.engine.ratings.distributions import normal_quantile
from ifbench_tui.engine.ratings.intervals import Difference

__all__ = ["Neighbours", "closest", "neighbours"]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The difference of a model and the one below it, with what is missing to tell them apart.

    `growth`: factor by which all battles must grow if the distance stays; at most 1 where they are
    apart. `direct`: further battles between just these two that would do. A battle between two
    models adds p (1 - p) to the information on their difference and nothing is lost on the way, so
    direct = (z² / d² - 1 / se²) / (p (1 - p)) with d and se in natural units; 0 where they are
    apart. Both are inf for equal ratings.
    """

    difference: Difference
    growth: float
    direct: float

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON; None stands for what is not finite."""
        gap = self.difference
        numbers = {
            **{name: getattr(gap, name) for name in ("elo", "se", "lower", "upper", "p_value")},
            "battles_factor": self.growth,
            "direct_battles": self.direct,
        }
        plain = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
        return {
            "better": gap.better,
            "worse": gap.worse,
            **plain,
            "separated": gap.separated,
        }


def neighbours(board: Board) -> tuple[Neighbours, ...]:
    """Every two models that follow each other inside a component and whose difference has an
    interval: that of the board, or quantiles over its bootstrap rounds."""
    found = []
    for better, worse in pairwise(board.rows):
        if better.component != worse.component:
            continue
        gap = _difference(board, better.name, worse.name)
        if gap is not None:
            found.append(_missing(gap, board.settings.level))
    return tuple(found)


def closest(pairs: Sequence[Neighbours]) -> Neighbours | None:
    """Of the pairs that are not apart the one that lacks the fewest battles."""
    open_pairs = [pair for pair in pairs if not pair.difference.separated]
    return min(open_pairs, key=lambda pair: pair.direct, default=None)


def _difference(board: Board, better: str, worse: str) -> Difference | None:
    if board.intervals is not None:
        names = board.intervals.models
        gap = board.intervals.difference(names.index(better), names.index(worse))
        return None if math.isnan(gap.se) else gap
    if board.bootstrap is None or board.fit is None:
        return None
    return _resampled(board.bootstrap, board.fit.ratings.tolist(), better, worse)


def _resampled(
    rounds: Bootstrap, ratings: Sequence[float], better: str, worse: str
) -> Difference | None:
    i, j = rounds.models.index(better), rounds.models.index(worse)
    if np.isnan(rounds.lower[[i, j]]).any():
        return None
    gaps = rounds.samples[:, i] - rounds.samples[:, j]
    gaps = gaps[np.isfinite(gaps)]
    if len(gaps) < 2:
        return None
    tail = (1.0 - rounds.level) / 2.0
    lower, upper = np.quantile(gaps, (tail, 1.0 - tail)).tolist()
    se = float(gaps.std(ddof=1))
    return Difference(better, worse, ratings[i] - ratings[j], se, lower, upper, math.nan)


def _missing(gap: Difference, level: float) -> Neighbours:
    z, distance = normal_quantile(level), gap.elo / ELO_PER_NAT
    if distance == 0.0:
        return Neighbours(gap, math.inf, math.inf)
    growth = (z * gap.se / gap.elo) ** 2
    if gap.separated or gap.se == 0.0:
        return Neighbours(gap, growth, 0.0)
    p = 1.0 / (1.0 + math.exp(-distance))
    lacking = (z / distance) ** 2 - (ELO_PER_NAT / gap.se) ** 2
    return Neighbours(gap, growth, max(1.0, lacking / (p * (1.0 - p))))
