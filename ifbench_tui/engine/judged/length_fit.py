"""L1-penalised logistic regression with soft targets, and its cross-validation.

The model behind AlpacaEval's length-controlled win rate (spec 1.4, 1.5): for a given C minimise
|w|_1 + C · Σ weight · [log(1 + e^z) - t·z] with z = x·w, by proximal Newton. The training sets of
all folds and the full data are solved side by side, from the smallest C to the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ifbench_tui.engine.ratings.bradley_terry import sigmoid

__all__ = ["C_GRID", "FOLDS", "Choice", "Design", "LengthFit", "choose_c", "fit_at"]

Floats = NDArray[np.float64]

C_GRID: tuple[float, ...] = tuple(10.0 ** (-4.0 + 8.0 * k / 9.0) for k in range(10))
FOLDS = 5
_MAX_STEPS = 200
_MAX_HALVINGS = 40
_TOLERANCE = 1e-11
_ROUNDING = 1e-8
_NEAR = 1e-4
_PROXIMAL = 1e-7
_CLIP = 1e-15
_PATTERNS = np.array(sorted(product((-1.0, 0.0, 1.0), repeat=3), key=lambda p: -np.abs(p).sum()))


@dataclass(frozen=True, slots=True)
class Design:
    """Rows of a regression: features (rows x at most 3), soft targets in [0, 1], weights."""

    x: Floats
    target: Floats
    weight: Floats

    def __len__(self) -> int:
        return len(self.target)


class LengthFit(NamedTuple):
    """The minimiser at one C, and whether the solver got there."""

    c: float
    coefficients: Floats
    converged: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The C that cross-validation chose; `scores` and `fits` (on all rows) belong to `C_GRID`."""

    chosen: LengthFit
    scores: tuple[float, ...]
    fits: tuple[LengthFit, ...]


def fit_at(design: Design, c: float) -> LengthFit:
    """The minimiser on all rows at one C."""
    problem = _Problems(design, design.weight[:, None])
    w, converged = problem.solve(c, np.zeros((1, design.x.shape[1])))
    return LengthFit(c, w[0], converged)


def choose_c(design: Design) -> Choice:
    """Five-fold cross-validation over `C_GRID`, then the fit on all rows.

    Row g of n is held out in fold (n - 1 - g) mod 5. A fold scores minus the mean over its rows of
    weight · cross-entropy, probabilities clipped to [1e-15, 1 - 1e-15]; the greatest mean over the
    folds wins, the smaller C on exact ties. Raises ValueError with fewer rows than folds.
    """
    n = len(design)
    if n < FOLDS:
        raise ValueError(f"{n} rows cannot be split into {FOLDS} folds")
    fold = (n - 1 - np.arange(n)) % FOLDS
    held = (fold[:, None] == np.arange(FOLDS)).astype(np.float64)
    training = np.concatenate([1.0 - held, np.ones((n, 1))], axis=1) * design.weight[:, None]
    problems = _Problems(design, training)
    w = np.zeros((FOLDS + 1, design.x.shape[1]))
    fits, scores = [], []
    for c in C_GRID:
        w, converged = problems.solve(c, w)
        fits.append(LengthFit(c, w[-1].copy(), converged))
        scores.append(_score(design, held, w[:-1]))
    best = int(np.argmax(scores))
    return Choice(fits[best], tuple(scores), tuple(fits))


def _score(design: Design, held: Floats, w: Floats) -> float:
    p = np.clip(sigmoid(design.x @ w.T), _CLIP, 1.0 - _CLIP)
    t = design.target[:, None]
    loss = -design.weight[:, None] * (t * np.log(p) + (1.0 - t) * np.log1p(-p))
    return float(np.mean(-(held * loss).sum(axis=0) / held.sum(axis=0)))


class _Problems:
    """Several data sets made of the same rows with different weights (rows x problems)."""

    def __init__(self, design: Design, weight: Floats) -> None:
        self._x = design.x
        self._weight = weight
        self._k = design.x.shape[1]
        upper = np.triu_indices(self._k)
        self._products = design.x[:, upper[0]] * design.x[:, upper[1]]
        self._upper = upper
        # The soft targets enter the loss only through these sums.
        self._pull = (weight * design.target[:, None]).T @ design.x

    def solve(self, c: float, start: Floats) -> tuple[Floats, bool]:
        """Minimisers (problems x features) from a start, and whether all of them converged."""
        w = start.copy()
        last = np.full(len(w), np.inf)
        for _ in range(_MAX_STEPS):
            step = self._step(c, w)
            size = np.abs(step).max(axis=1) / np.maximum(1.0, np.abs(w).max(axis=1))
            # Steps that no longer shrink are rounding.
            settled = (size <= _TOLERANCE) | ((size <= _ROUNDING) & (size >= 0.5 * last))
            if settled.all():
                return w + step, True
            # Close to the minimum a whole step is right, and its gain is lost in rounding.
            w = w + step if (size <= _NEAR).all() else self._search(c, w, step)
            last = size
        return w, False

    def _step(self, c: float, w: Floats) -> Floats:
        """To the minimum of each quadratic model."""
        p = sigmoid(self._x @ w.T)
        gradient = c * ((self._weight * p).T @ self._x - self._pull)
        sums = c * ((self._weight * p * (1.0 - p)).T @ self._products)
        step = np.empty_like(w)
        for i, row in enumerate(sums):
            hessian = np.zeros((self._k, self._k))
            hessian[self._upper] = row
            hessian = hessian + np.triu(hessian, 1).T
            # Keeps directions the data do not tell apart, or that vanish, from drifting.
            hessian.flat[:: self._k + 1] += max(1e-300, _PROXIMAL * float(hessian.trace()))
            step[i] = _lasso(hessian, gradient[i] - hessian @ w[i], w[i]) - w[i]
        return step

    def _search(self, c: float, w: Floats, step: Floats) -> Floats:
        """Halve the steps that do not descend."""
        value = self._objective(c, w)
        moved = w + step
        for _ in range(_MAX_HALVINGS):
            worse = ~(self._objective(c, moved) <= value + 1e-12 * np.abs(value))
            if not worse.any():
                break
            step = np.where(worse[:, None], step / 2.0, step)
            moved = w + step
        return moved

    def _objective(self, c: float, w: Floats) -> Floats:
        loss = (self._weight * _log1p_exp(self._x @ w.T)).sum(axis=0) - (self._pull * w).sum(axis=1)
        return np.asarray(np.abs(w).sum(axis=1) + c * loss)


def _lasso(hessian: Floats, linear: Floats, near: Floats) -> Floats:
    """Minimise u'Hu/2 + linear'u + |u|_1 by the signs of the solution, likely ones first."""
    k = len(linear)
    patterns = np.concatenate([np.sign(near)[None, :], _PATTERNS[:, :k]])
    best, least = near, np.inf
    for signs in patterns:
        active = np.flatnonzero(signs)
        u = np.zeros(k)
        if len(active):
            block = hessian[np.ix_(active, active)]
            try:
                u[active] = np.linalg.solve(block, -(linear + signs)[active])
            except np.linalg.LinAlgError:
                continue
        slope = hessian @ u + linear
        off = signs == 0.0
        excess = np.abs(slope[off]).max(initial=0.0) - 1.0
        if (u * signs)[active].min(initial=0.0) >= 0.0 and excess <= 0.0:
            return u
        value = float(u @ (hessian @ u) / 2.0 + linear @ u + np.abs(u).sum())
        if value < least:
            best, least = u, value
    return best


def _log1p_exp(z: Floats) -> Floats:
    return np.asarray(np.maximum(z, 0.0) + np.log1p(np.exp(-np.abs(z))))
