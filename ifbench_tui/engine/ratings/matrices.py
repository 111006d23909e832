"""Win matrices: what the ratings predict and what the battles showed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ifbench_tui.engine.ratings.battles import Codes, Counts, Floats
from ifbench_tui.engine.ratings.bradley_terry import Fit, win_probabilities

__all__ = ["WinMatrix", "anchored_win_rate", "observed_wins", "predicted_wins"]


@dataclass(frozen=True, slots=True)
class WinMatrix:
    """Chance (or share) that the row model beats the column model; nan where there is none.

    `average` is the plain mean over the opponents with a value; `battles` counts what a cell rests
    on (absent for predictions).
    """

    models: tuple[str, ...]
    cells: Floats
    average: Floats
    battles: Codes | None = None

    def ordered(self, models: Sequence[str]) -> WinMatrix:
        """The same with rows and columns in this order of the same models."""
        place = {name: index for index, name in enumerate(self.models)}
        rows = np.array([place[name] for name in models], dtype=np.int64)
        battles = None if self.battles is None else self.battles[np.ix_(rows, rows)]
        cells = self.cells[np.ix_(rows, rows)]
        return WinMatrix(tuple(models), cells, self.average[rows], battles)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON; None on the diagonal and where nothing is known."""
        rows = [[None if math.isnan(x) else x for x in row] for row in self.cells.tolist()]
        means = [None if math.isnan(x) else x for x in self.average.tolist()]
        return {
            "models": list(self.models),
            "matrix": rows,
            "average": dict(zip(self.models, means, strict=True)),
            "battles": None if self.battles is None else self.battles.tolist(),
        }


def predicted_wins(fit: Fit) -> WinMatrix:
    """P_ij = sigma(beta_i - beta_j) for models of one component."""
    cells = win_probabilities(fit.beta)
    component = np.asarray(fit.structure.component_of(), dtype=np.int64)
    cells[component[:, None] != component[None, :]] = math.nan
    return _matrix(fit.models, cells, None)


def observed_wins(counts: Counts) -> WinMatrix:
    """F_ij = wins_ij / (wins_ij + wins_ji) over decisive battles; ties do not count."""
    k = len(counts.models)
    forward, backward = counts.a * k + counts.b, counts.b * k + counts.a
    wins = np.bincount(forward, counts.count * (counts.y > 0.5), k * k)
    wins += np.bincount(backward, counts.count * (counts.y < 0.5), k * k)
    wins = wins.reshape(k, k)
    decided = wins + wins.T
    cells = np.divide(wins, decided, out=np.full((k, k), math.nan), where=decided > 0)
    return _matrix(counts.models, cells, decided.astype(np.int64))


def anchored_win_rate(rating: float, baseline: float = 1000.0) -> float:
    """Percent of wins against a baseline: 100 / (1 + 10^((baseline - R) / 400))."""
    return 100.0 / (1.0 + math.exp((baseline - rating) * math.log(10.0) / 400.0))


def _matrix(models: tuple[str, ...], cells: Floats, battles: Codes | None) -> WinMatrix:
    np.fill_diagonal(cells, math.nan)
    known = np.isfinite(cells)
    opponents = known.sum(axis=1)
    total = np.where(known, cells, 0.0).sum(axis=1)
    average = np.divide(total, opponents, out=np.full(len(models), math.nan), where=opponents > 0)
    return WinMatrix(models, cells, average, battles)
