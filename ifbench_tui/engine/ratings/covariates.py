"""Bradley-Terry with covariates: logit = beta_a - beta_b + z . gamma, by damped Newton.

The rows may be battles or aggregated battles. One pass per iteration fills the k x k, k x s and
s x s blocks of the information.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ifbench_tui.engine.ratings.battles import Codes, Floats
from ifbench_tui.engine.ratings.bradley_terry import Solution, gauge_scale, sigmoid
from ifbench_tui.engine.ratings.connectivity import Structure
from ifbench_tui.engine.ratings.covariance import cluster_blocks

__all__ = ["CovariateFit", "CovariateRows", "fit_covariates", "refit_covariates"]

_MAX_ITERATIONS = 100
_TOLERANCE = 1e-10
_DIVERGED = 100.0
_COLLINEAR = 1e10


@dataclass(frozen=True, slots=True)
class CovariateRows:
    """Rows of the regression: sides, score of side A, covariates (s x n) and weights.

    `mass` is the weight of a row; `square` the sum of squared battle weights in it (they differ
    only for aggregated rows). None stands for all ones.
    """

    a: Codes
    b: Codes
    y: Floats
    z: Floats
    mass: Floats | None = None
    square: Floats | None = None


class CovariateFit(NamedTuple):
    """Strengths (mean 0 per component), coefficients, and the covariances of both together.

    `sandwich` and `fisher` are (k + s) x (k + s), in the mean-zero gauge of the strengths.
    `condition` is the condition number of the coefficients' scaled information.
    """

    solution: Solution
    gamma: Floats
    sandwich: Floats
    fisher: Floats
    log_likelihood: float
    condition: float

    @property
    def collinear(self) -> bool:
        """The covariates cannot be told apart, or from the models."""
        return not self.condition < _COLLINEAR


class _Model:
    """The log-likelihood of one data set and its derivatives."""

    def __init__(self, k: int, rows: CovariateRows, ridge: Floats) -> None:
        self.k = k
        self.rows = rows
        self.ridge = ridge
        self.cell: NDArray[np.int64] = rows.a.astype(np.int64) * k + rows.b

    def probabilities(self, theta: Floats) -> Floats:
        beta, gamma = theta[: self.k], theta[self.k :]
        logit = (beta[:, None] - beta[None, :]).ravel()[self.cell]
        logit += gamma @ self.rows.z
        return sigmoid(logit)

    def residual(self, p: Floats) -> Floats:
        residual = self.rows.y - p
        return residual if self.rows.mass is None else residual * self.rows.mass

    def gradient(self, p: Floats, theta: Floats) -> Floats:
        residual = self.residual(p)
        cells = np.bincount(self.cell, residual, self.k**2).reshape(self.k, self.k)
        own = cells.sum(axis=1) - cells.sum(axis=0)
        return np.concatenate([own, self.rows.z @ residual]) - self.ridge * theta

    def information(self, p: Floats) -> Floats:
        weight = p * (1.0 - p)
        if self.rows.mass is not None:
            weight *= self.rows.mass
        return self.outer(weight) + np.diag(self.ridge)

    def outer(self, weight: Floats) -> Floats:
        """Sum of weight * [x; z] [x; z]^T over the rows, x = e_a - e_b."""
        k, z = self.k, self.rows.z
        total = np.empty((k + len(z), k + len(z)))
        cells = np.bincount(self.cell, weight, k * k).reshape(k, k)
        cells = cells + cells.T
        total[:k, :k] = -cells
        total[np.arange(k), np.arange(k)] = cells.sum(axis=1) - cells.diagonal()
        for f, column in enumerate(z):
            weighted = weight * column
            cross = np.bincount(self.cell, weighted, k * k).reshape(k, k)
            total[:k, k + f] = total[k + f, :k] = cross.sum(axis=1) - cross.sum(axis=0)
            total[k + f, k:] = total[k:, k + f] = z @ weighted
        return total

    def log_likelihood(self, p: Floats) -> float:
        y = self.rows.y
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(y > 0, y * np.log(p), 0.0) + np.where(
                y < 1, (1.0 - y) * np.log1p(-p), 0.0
            )
        return float((terms if self.rows.mass is None else terms * self.rows.mass).sum())


def fit_covariates(
    k: int,
    rows: CovariateRows,
    structure: Structure,
    *,
    ridge: Floats,
    clusters: Codes | None = None,
) -> CovariateFit:
    """Maximise the weighted log-likelihood minus sum ridge * theta^2 / 2, theta = (beta, gamma).

    `ridge` has k + s entries. With `clusters` the sandwich sums the scores of a cluster first.
    Where covariates split the outcomes perfectly the coefficients diverge: `converged` is False.
    """
    s = len(rows.z)
    model = _Model(k, rows, ridge)
    together, centring = _gauge_terms(structure, k, s)
    theta, solution, condition = _maximise(model, together, centring, np.zeros(k + s))
    p = model.probabilities(theta)
    information = model.information(p)
    loose = not (solution.converged and condition < _COLLINEAR)
    inverse = centring @ _inverse(model, information, together, loose)
    if clusters is None:
        squared = (rows.y - p) ** 2
        square = rows.square if rows.square is not None or rows.mass is None else rows.mass**2
        meat = model.outer(squared if square is None else squared * square)
    else:
        meat = _clustered(model, model.residual(p), clusters)
    return CovariateFit(
        solution,
        theta[k:],
        inverse @ meat @ inverse.T,
        inverse @ centring.T,
        model.log_likelihood(p),
        condition,
    )


def refit_covariates(
    rows: CovariateRows, structure: Structure, *, ridge: Floats, start: Floats
) -> tuple[Floats, Solution]:
    """Only the estimates (theta = strengths, then coefficients), from a nearby `start`."""
    k = len(start) - len(rows.z)
    model = _Model(k, rows, ridge)
    theta, solution, _ = _maximise(model, *_gauge_terms(structure, k, len(rows.z)), start)
    return theta, solution


def _gauge_terms(structure: Structure, k: int, s: int) -> tuple[Floats, Floats]:
    """Ones inside each component, and the projection that gives it mean 0."""
    owner = np.asarray(structure.component_of(), dtype=np.int64)
    together = np.zeros((k + s, k + s))
    together[:k, :k] = owner[:, None] == owner[None, :]
    centring = np.eye(k + s)
    centring[:k, :k] -= together[:k, :k] / together[:k, :k].sum(axis=1)
    return together, centring


def _maximise(
    model: _Model, together: Floats, centring: Floats, start: Floats
) -> tuple[Floats, Solution, float]:
    """Estimates, how the optimiser stopped, and the condition number at the start."""
    theta = centring @ start
    p = model.probabilities(theta)
    gradient = model.gradient(p, theta)
    information = model.information(p)
    condition = _condition(information, together, model.k)
    loose = not condition < _COLLINEAR
    largest = math.inf
    iteration = 0
    while iteration < _MAX_ITERATIONS and largest >= _TOLERANCE:
        iteration += 1
        try:
            step = _inverse(model, information, together, loose) @ gradient
        except np.linalg.LinAlgError:
            break
        slope = float(gradient @ step)
        largest = float(np.abs(step).max(initial=0.0))
        size = 1.0
        while True:
            moved = centring @ (theta + size * step)
            p = model.probabilities(moved)
            gradient = model.gradient(p, moved)
            if largest < 1.0 or float(gradient @ step) >= -0.25 * slope or size < 1e-6:
                break
            size *= 0.5
        if np.isfinite(moved).all():
            theta = moved
        if largest < _TOLERANCE or not np.abs(theta).max(initial=0.0) < _DIVERGED:
            break
        information = model.information(p)
    norm = float(np.abs(gradient).max(initial=0.0))
    done = largest < _TOLERANCE
    return theta, Solution(theta[: model.k], iteration, done, largest, norm), condition


def _inverse(model: _Model, information: Floats, together: Floats, loose: bool) -> Floats:
    """Inverse of the gauged information; if loose, on the directions the data tell apart."""
    gauged = information + gauge_scale(information[: model.k, : model.k]) * together
    if not loose:
        return np.asarray(np.linalg.inv(gauged))
    return np.asarray(np.linalg.pinv(gauged, rcond=1.0 / _COLLINEAR, hermitian=True))


def _clustered(model: _Model, residual: Floats, clusters: Codes) -> Floats:
    k, rows = model.k, model.rows
    width = k + len(rows.z)
    meat = np.zeros((width, width))
    for index, local, size in cluster_blocks(clusters, width):
        own = residual[index]
        sums = np.empty((size, width))
        earned = np.bincount(local * k + rows.a[index], own, size * k)
        earned -= np.bincount(local * k + rows.b[index], own, size * k)
        sums[:, :k] = earned.reshape(size, k)
        for f, column in enumerate(rows.z):
            sums[:, k + f] = np.bincount(local, own * column[index], size)
        meat += sums.T @ sums
    return meat


def _condition(information: Floats, together: Floats, k: int) -> float:
    """Condition number of the coefficients' scaled information, the models partialled out."""
    if len(information) == k:
        return 1.0
    own = information[:k, :k] + gauge_scale(information[:k, :k]) * together[:k, :k]
    cross = information[:k, k:]
    partial = information[k:, k:] - cross.T @ np.linalg.solve(own, cross)
    scale = np.sqrt(np.maximum(information[k:, k:].diagonal(), 1e-300))
    spectrum = np.linalg.eigvalsh(partial / scale[:, None] / scale[None, :])
    return max(1.0, float(spectrum[-1])) / float(spectrum[0]) if spectrum[0] > 0 else math.inf
